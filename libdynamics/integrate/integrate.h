/* SPDX-License-Identifier: Apache-2.0
 * integrate/integrate.h: the integrators, and what their files share. Private.
 *
 * An integrator is one constant struct; its line in the registry (integrate.c) stands
 * where the enum has it. */
#ifndef PERP_INTEGRATE_INTEGRATE_H
#define PERP_INTEGRATE_INTEGRATE_H

#include <perp/dynamics/integrate.h>

#include "core.h"

typedef struct integrator_type {
    bool positions; /* it moves positions itself */
    size_t work;    /* doubles of flow->work a body */
    /* flow->s and flow->u hold the state at the start, and the answer at the end. May
     * change s, u and t of the world, and its inverse inertias: they are put back. */
    perp_status (*flow)(perp_flow *flow, perp_world *world, const perp_scheme *scheme,
                        perp_error *err);
    /* The same for x'' = a(x), `steps` steps of size h. */
    void (*scalar)(const perp_oscillator *o, double h, size_t steps, double *x,
                   double *v);
} integrator_type;

extern const integrator_type integrator_semi_implicit;
extern const integrator_type integrator_explicit;
extern const integrator_type integrator_implicit;
extern const integrator_type integrator_position_verlet;
extern const integrator_type integrator_velocity_verlet;
extern const integrator_type integrator_leapfrog;
extern const integrator_type integrator_midpoint;
extern const integrator_type integrator_rk4;

/** The gyroscopic variant of body k under this scheme; none in the plane. */
perp_gyro integrate_gyro(const perp_world *world, const perp_scheme *scheme, size_t k);
/** a := accelerations at the present state, 6 each; with the gyroscopic torque of every
 *  body whose variant is not `none`. */
void integrate_accelerations(const perp_world *world, const perp_scheme *scheme,
                             double *a);
/** Let the world be at poses s, velocities u and time t: forces are evaluated there. */
void integrate_place(perp_world *world, const double *s, const double *u, double t);
/** out := s moved by velocities u over dt, as the scheme turns; out may be s. Movable
 *  bodies only; others are copied. */
void integrate_drift(const perp_world *world, const perp_scheme *scheme, const double *s,
                     const double *u, double dt, double *out);
/** The same for the pose of body k alone, in place. */
void integrate_drift_body(const perp_world *world, const perp_scheme *scheme, size_t k,
                          const double u[6], double dt, double pose[7]);
/** y := x + f d for the velocities of dynamic bodies, y := x for others. */
void integrate_kick(const perp_world *world, const double *x, double f, const double *d,
                    double *y);

#endif
