/* SPDX-License-Identifier: Apache-2.0
 * joints/joints.h: the joint types of the registry, and what their files share. Private.
 *
 * Every row has J_lin_j = -J_lin_i, so that its impulse leaves the momentum alone.
 * In the plane a type writes the rows of space, and joint_rows_now takes away those that
 * neither a velocity along x or y nor a turn about z can change. */
#ifndef PERP_JOINTS_JOINTS_H
#define PERP_JOINTS_JOINTS_H

#include <perp/dynamics/joint.h>

#include "joints/softness.h"
#include "world/world.h"

extern const perp_joint_type joint_spherical, joint_revolute, joint_prismatic,
    joint_wheel, joint_universal, joint_cylindrical, joint_planar, joint_fixed,
    joint_angle, joint_cone, joint_rope, joint_rod, joint_user;

/** Sine of the angle between two axes below which they count as parallel: the square of
 *  it is a hundredth of the share that rounding has in their dot product of 1. */
static const double joint_parallel = 1e-6;

/** What is stored in body axes, in world axes now. */
typedef struct joint_frame {
    const double *q_i, *q_j;
    double rho_i[3], rho_j[3]; /* arms of the anchors, R a */
    double gap[3];             /* p_i - p_j */
    double c[3];               /* r_j - r_i */
    double s[3], s_j[3];       /* axes of i and of j */
    double u[3];               /* s x s_j */
} joint_frame;

void joint_frame_now(const perp_joint *joint, const perp_state *state, joint_frame *f);
/** The tangents of axis s, carried by body i. */
void joint_tangents(const perp_joint *joint, const joint_frame *f, double t1[3],
                    double t2[3]);
/** The axes of a plane with a unit normal n, e1 x e2 = n: e1 is x brought into the
 *  plane, or y where n is within 26 degrees of x. */
void joint_plane(const double n[3], double e1[3], double e2[3]);
/** R_i rest_i: where r_j - r_i should be. */
void joint_rest_offset(const perp_joint *joint, const joint_frame *f, double offset[3]);
/** delta = q_i* q_j q_rest*, w >= 0: how j turned from its rest pose, in axes of i. */
void joint_turned(const perp_joint *joint, const joint_frame *f, double delta[4]);

/* Rows. */

/** (lin, ang_i, -lin, ang_j). */
void joint_row(perp_row *row, const double lin[3], const double ang_i[3],
               const double ang_j[3], double phi);
/** (0, f d, 0, -f d). */
void joint_row_turn(perp_row *row, double f, const double d[3], double phi);
/** f (n, rho_i x n, -n, -(rho_j x n)): two points along n. */
void joint_row_points(perp_row *row, double f, const double n[3], const double rho_i[3],
                      const double rho_j[3], double phi);
/** Three rows that hold two points together; gap = p_i - p_j. */
void joint_rows_point(perp_row rows[3], const double gap[3], const double rho_i[3],
                      const double rho_j[3]);
/** The row of f t.(p_i - p_j) for a direction t that body i carries: its gradient at
 *  every pose, f (t, (p_j - r_i) x t, -t, -(rho_j x t)). */
void joint_row_slide(const joint_frame *f, double factor, const double t[3],
                     perp_row *row);
/** Two rows that hold s' along s: (0, t, 0, -t) for t1 and t2, phi = -t.u; or the
 *  gradients of these errors when the joint is exact. */
void joint_rows_swing(const perp_joint *joint, const joint_frame *f, perp_row rows[2]);
/** Three rows that hold j turned as at rest: (0, E, 0, -E), phi = -e. */
void joint_rows_turn(const perp_joint *joint, const joint_frame *f, perp_row rows[3]);

/** Whether a row or coordinate stays: all do in space, and in the plane those that the plane
 *  knows. */
bool joint_row_stays(const perp_world *world, const perp_row *row);

/* Coordinates. */

/** x in (-pi, pi]. */
double joint_wrap(double x);
/** The turn of j about s: 2 atan2(vec(delta).s_i, delta.w), and its row: (0, -s, 0, s),
 *  or its gradient when the joint is exact. */
void joint_twist(const perp_joint *joint, const joint_frame *f, perp_row *row);
/** The coordinates of types with two axes at an angle: k = 0 the turn of s_j about s, 1
 *  that of j about s_j; their rows (0, -a, 0, a) with that axis a, or their gradients.
 *  False when the axes are parallel. */
bool joint_cardan(const perp_joint *joint, const perp_world *world,
                  const perp_state *state, unsigned k, perp_row *row);
/** Its rows, those that the plane has, whatever type it is of. */
unsigned joint_rows_now(const perp_joint *joint, const perp_world *world,
                        const perp_state *state, perp_row rows[PERP_JOINT_ROWS]);
/** coordinate() of its type, false where there is none or the plane does not have it. */
bool joint_coordinate(const perp_joint *joint, const perp_world *world,
                      const perp_state *state, unsigned k, perp_row *row);
/** Whether free axis k counts whole turns. */
static inline bool joint_counts_turns(const perp_joint_type *type, unsigned k)
{
    return type->axis_unit[k] == PERP_AXIS_ANGLE && !type->rotation_vector;
}
/** Free axis k: like coordinate() of the type, but row->phi is the unwrapped value, next
 *  to axes[k]. False when it is not defined now. */
bool joint_axis(const perp_joint *joint, const perp_world *world, const perp_state *state,
                const double *axes, unsigned k, perp_row *row);

/* Mobilizers. */

/** A joint that is one: what joint_mobilize makes a link of. */
typedef struct joint_move {
    const struct perp_mobilizer *type;
    const double *at_i, *at_j; /* places of the joint frame on both bodies, body axes */
    const double *axis[2];     /* unit, axes of i; NULL: none. Axis k goes with
                                  coordinate k */
    double rest[9];            /* axes of j seen from i where the coordinates are 0 */
} joint_move;

/** Mobilizer, frames and axes of a link that is body j on i, or i on j when `turned`. */
void joint_mobilize(const joint_move *m, bool turned, struct perp_link *link,
                    perp_joint_axes *axes);
/** R0 := the rest orientation, turned least so that axis_j becomes `to` (axes of i).
 *  False when they are opposite. */
bool joint_rest_turn(const perp_joint *joint, const double to[3], double R0[9]);
/** reduce() of types with two axes at an angle of this cosine and sine. */
bool joint_cardan_reduce(const perp_joint *joint, double cosine, double sine, bool turned,
                         struct perp_link *link, perp_joint_axes *axes);

/* Checks. */

/** Whether i and j are two bodies of the world. */
perp_status joint_check_bodies(const perp_joint *joint, const perp_world *world,
                               perp_error *err);

/* Names. */

/** What row k, as written now, is called: row_name of the type, also where rows were left
 *  out before it. */
const char *joint_row_name(const perp_joint *joint, const perp_world *world, unsigned k);

#endif
