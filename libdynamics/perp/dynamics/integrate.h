/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/integrate.h: time integration of smooth motion, and the gyroscopic
 * variants.
 *
 * The free motion moves (s, u) of all dynamic bodies by the forces of the world alone.
 * Bodies that rows act on then move by u+, by the mean of u and u+, or by u: docs/integrators.md.
 *
 * Trees in reduced coordinates move with (q, nu), where nu = N(q) dq/dt is the
 * quasi-velocity of each mobilizer, by the same integrators. Their rotations are updated
 * by the exponential, whatever scheme->turn and max_angle are. The gyroscopic variants
 * apply only to bodies outside trees: all velocity terms of trees are in c(q, dq/dt),
 * which a semi-implicit step evaluates at the mean of the velocities before and after,
 * and other integrators where they evaluate accelerations. Charts are switched only at
 * the beginning of a step. */
#ifndef PERP_DYNAMICS_INTEGRATE_H
#define PERP_DYNAMICS_INTEGRATE_H

#include <perp/dynamics/scheme.h>

PERP_BEGIN_DECLS

/** Gyroscopic stage of a step of dt [s] for one body with orientation q: updates omega
 *  (world axes [rad/s]); inertia in body axes. PERP_ERR_DATA: a singular Jacobian, or
 *  Newton's method did not converge; omega is then unchanged. */
perp_status perp_gyro_stage(perp_gyro gyro, const double q[4], const double inertia[9],
                            double dt, double omega[3], perp_error *err);
/** The same for a torque (world axes [N m]) together with the gyroscopic stage, in the
 *  order given by `split`. */
perp_status perp_gyro_torque_stage(perp_gyro gyro, perp_gyro_split split,
                                   const double q[4], const double inertia[9],
                                   const double torque[3], double dt, double omega[3],
                                   perp_error *err);

/** Result of the free motion: the state that the bodies would reach without impulses. */
typedef struct perp_free_motion {
    double *s;      /**< 7 per body, then the coordinates q of trees; the bodies of trees
                     *   keep their poses in s */
    double *u;      /**< 6 per body: u_free, then nu of trees; for their bodies u is J
                     *   N^-1 nu at the present poses, where impulses act */
    bool positions; /**< s is used: the integrator moves positions itself (explicit,
                     *   Verlet, RK); else r+ = r + dt v+ with v+ after impulses */
    perp_state
        *moving;  /**< intermediate state; with `middle` that at the middle of the step */
    bool middle;  /**< impulses act at the middle: u of links is J N^-1 nu there */
    double *work; /**< scratch of the integrator */
    double *trees; /**< scratch of trees */
    /** For `implicit` in maximal coordinates: M* = M - dt df/du - dt^2 df/dx at the end
     *  of the free motion, which replaces M in the response to impulses: assign it to
     *  perp_system.mass. NULL: M, because no force acts. Computed by
     *  perp_free_motion_run; valid until its next call. */
    struct perp_effective_mass *mass;
    /** `implicit` with forces in reduced coordinates, where the response to impulses is
     *  H^-1 only: perp_stepper_step refuses forces together with rows. */
    bool trees_implicit;
    size_t bodies, coordinates, links; /**< capacities */
} perp_free_motion;

/** Free the memory and zero the struct. Zero a free motion before its first use. */
void perp_free_motion_clear(perp_free_motion *motion);

/** Compute the free motion over scheme->dt from the state, which is unchanged except for
 *  chart switches. PERP_ERR_ARGUMENT: unknown integrator; PERP_ERR_DATA: a gyroscopic or
 *  implicit stage without a solution (the message names the body), a tree with a singular
 *  H, at a singularity or not finite (the message names the joint); PERP_ERR_MEMORY. */
perp_status perp_free_motion_run(perp_free_motion *motion, const perp_world *world,
                                 perp_state *state, const perp_scheme *scheme,
                                 perp_error *err);
/** End of a step: set the velocities u_plus (6 per body) and the positions. If
 *  motion->positions is false, bodies move by dt u_plus. Else a body whose u_plus differs
 *  from motion->u moves by dt times the mean of the velocity of the state and u_plus (explicit:
 *  that of the state alone), and others are at motion->s. The time is not changed. Trees do the
 *  same with nu_plus, computed from u_plus at the q of motion->u; q of the state must not
 *  have changed since the free motion. A tree without impulses gets nu and q of the free motion
 *  to the bit. PERP_ERR_DATA: coordinates at a singularity
 *  or not finite (the message names the joint); the state is then invalid. */
perp_status perp_free_motion_finish(const perp_free_motion *motion,
                                    const perp_world *world, perp_state *state,
                                    const double *u_plus, const perp_scheme *scheme,
                                    perp_error *err);
/** Move the poses of all movable bodies with velocities `u` (6 per body) for dt; the
 *  velocities of the state (nu for trees) stay. PERP_ERR_DATA as above. */
perp_status perp_world_move(const perp_world *world, perp_state *state, const double *u,
                            double dt, const perp_scheme *scheme, perp_error *err);

/** Whether springs, dampers, drag and torsion springs of the world, which the integrator treats
 *  explicitly, are stable at scheme->dt: *dt is INFINITY, or the largest dt [s] at which they
 *  are, and *force is the number of the force that bounds it most. Stable means that no mode
 *  of the forces at this state grows by more than 0.1 % per step; 0: there is no such dt above
 *  1e-6 scheme->dt (explicit Euler lets every oscillation grow). `implicit` is always stable.
 *  Bodies on joints count as if they were held, and springs of joints are not counted.
 *  PERP_ERR_MEMORY. */
perp_status perp_stable_dt(const perp_world *world, const perp_state *state,
                           const perp_scheme *scheme, double *dt, size_t *force,
                           perp_error *err);

PERP_END_DECLS

#endif
