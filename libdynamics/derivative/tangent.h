/* SPDX-License-Identifier: Apache-2.0
 * derivative/tangent.h: derivatives of velocities and inverse dynamics of a tree with
 * respect to its state. Private. */
#ifndef PERP_DERIVATIVE_TANGENT_H
#define PERP_DERIVATIVE_TANGENT_H

#include <perp/dynamics/articulation.h>

#include "world/world.h"

enum { JOINT_MOTION = 12 + 2 * PERP_MOBILIZER_DOF };

/** Motion of a joint in the joint frame of the child: its twist S qd and the rate of it
 *  (omega; v), and qd, qdd, PERP_MOBILIZER_DOF each, for velocities nu and their rate. */
typedef struct joint_motion {
    double x[JOINT_MOTION];
} joint_motion;

/** Motion at (q, nu, nu_dot), dof numbers each; false if N(q) is singular. */
bool joint_motion_at(const perp_link *link, const double *q, const double *nu,
                     const double *nu_dot, joint_motion *out);
/** Its change along dq, dnu (either may be NULL: 0). */
bool joint_motion_along(const perp_link *link, const double *q, const double *nu,
                        const double *nu_dot, const double *dq, const double *dnu,
                        joint_motion *out);
/** x := N(q)^-1 x, dof numbers; false if N is singular. */
bool joint_rates(const perp_link *link, const double *q, double *x);
/** x := N(q) x; and out := N(q) x + (dN/dt along dq) y. */
void joint_quasi(const perp_link *link, const double *q, double *x);
void joint_quasi_along(const perp_link *link, const double *q, const double *dq,
                       const double *x, const double *y, double *out);
/** q+ and qd+ after a step: q moved by constant nu over dt, after a chart switch if
 *  `switch_chart`, and N^-1 nu at this q; and their change along (dq, dnu). */
bool joint_step(const perp_link *link, const double *q, const double *nu, double dt,
                bool switch_chart, double *q_plus, double *qd_plus);
bool joint_step_along(const perp_link *link, const double *q, const double *nu, double dt,
                      bool switch_chart, const double *dq, const double *dnu,
                      double *dq_plus, double *dqd_plus);

/** A link and its change, world axes; velocities and forces at its centre of mass. */
typedef struct tangent_link {
    joint_motion motion, change;
    double R[9];             /* of the joint frame of the child */
    double d[3], rho[3];     /* centre from the parent's, and from the joint */
    double rate[6], push[6]; /* (w, s): joint twist, and its rate, turned */
    double v[3], omega[3];   /* velocity */
    double a[3], alpha[3];   /* acceleration */
    double F[3], N[3];       /* force that the joint transmits, moment about the centre of
                              * mass */
    double dtheta[3], dr[3]; /* change of the pose */
    double dv[3], domega[3], da[3], dalpha[3], dF[3], dN[3];
} tangent_link;

typedef struct tangent {
    const perp_articulation *tree;
    tangent_link *links;
    double *nu, *nu_dot; /* n each */
} tangent;

/** Create it for a tree, which must outlive it; call tangent_clear even after a
 *  failure. */
perp_status tangent_new(tangent *t, const perp_articulation *tree, perp_error *err);
void tangent_clear(tangent *t);
/** At the tree's q, with velocities nu and rates nu_dot (NULL: 0), forces f on links in
 *  addition to gravity (6 each, NULL: 0): compute tau (n, may be NULL) that causes them,
 *  without springs and dampers. PERP_ERR_DATA: a singularity. */
perp_status tangent_place(tangent *t, const double *nu, const double *nu_dot,
                          const double *f, double *tau, perp_error *err);
/** Changes along dq and dnu (n each, NULL: 0) and df (6 a link, NULL: 0): dtau (n, may be
 *  NULL), nu_dot staying as it is, and du, the velocities (v, omega) of the links (6
 *  each, may be NULL). */
perp_status tangent_along(tangent *t, const double *dq, const double *dnu,
                          const double *df, double *dtau, double *du, perp_error *err);

#endif
