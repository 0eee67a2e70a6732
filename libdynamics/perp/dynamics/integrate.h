/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/integrate.h: time integration of smooth motion, and the gyroscopic
 * variants.
 *
 * The free motion moves (s, u) of all dynamic bodies by the forces of the world alone.
 * Impulses come on top: a step adds dt times the velocity they gave to the positions.
 *
 * Bodies of a world in reduced coordinates move with (q, nu), where nu = N(q) dq/dt is
 * the quasi-velocity of each mobilizer, by the same integrators: rotations turn by the
 * exponential, whatever scheme->turn and max_angle say, and the gyroscopic variants are
 * of other bodies: all velocity terms of trees are in c(q, dq/dt), which a semi-implicit
 * step takes in the middle between the velocities before and after, others where they
 * take accelerations. Coordinates are exchanged at the beginning of a step alone. */
#ifndef PERP_DYNAMICS_INTEGRATE_H
#define PERP_DYNAMICS_INTEGRATE_H

#include <perp/dynamics/scheme.h>

PERP_BEGIN_DECLS

/** omega (world axes, in and out [rad/s]) of one body at the orientation q through the
 *  gyroscopic stage of a step of dt [s]; inertia in body axes. PERP_ERR_DATA: a singular
 *  Jacobian, or Newton's method that does not converge; omega is then as it was. */
perp_status perp_gyro_stage(perp_gyro gyro, const double q[4], const double inertia[9],
                            double dt, double omega[3], perp_error *err);
/** The same through a torque (world axes [N m]) and the gyroscopic stage, in the order
 *  that `split` says. */
perp_status perp_gyro_torque_stage(perp_gyro gyro, perp_gyro_split split,
                                   const double q[4], const double inertia[9],
                                   const double torque[3], double dt, double omega[3],
                                   perp_error *err);

/** What the free motion leaves: where the bodies would be without impulses. */
typedef struct perp_free_motion {
    double *s;      /**< 7 a body, and behind them the coordinates q of trees, whose
                     *   bodies stay in s where they were */
    double *u;      /**< 6 a body: u_free, and behind them nu of trees. Of their bodies
                     *   it is J N^-1 nu at the present poses, where impulses act */
    bool positions; /**< s is used: the integrator moves positions itself (explicit,
                     *   Verlet, RK); else r+ = r + dt v+ with v+ after impulses */
    perp_state *moving; /**< the state on the way */
    double *work;       /**< scratch of the integrator */
    double *trees;      /**< scratch of trees */
    /** Of `implicit` in maximal coordinates: M* = M - dt df/du - dt^2 df/dx at the end of the
     *  free motion, by which velocities change under impulses: lend it to perp_system.mass.
     *  NULL: M, where no force acts. Made by perp_free_motion_run, gone with the next. */
    struct perp_effective_mass *mass;
    /** The same in reduced coordinates, where impulses see H alone: perp_stepper_step refuses
     *  forces together with rows. */
    bool trees_implicit;
    size_t bodies, coordinates, links; /**< that there is room for */
} perp_free_motion;

/** Free and zero; a free motion is zeroed before its first use. */
void perp_free_motion_clear(perp_free_motion *motion);

/** The free motion over scheme->dt from the state, which stays as it is but for coordinates
 *  that are exchanged for others of the same motion. PERP_ERR_ARGUMENT: no such integrator; PERP_ERR_DATA: a
 *  gyroscopic or implicit stage without a solution, with the name of the body; trees
 *  whose H is singular, with the name of the joint, or at a singularity, or not finite;
 *  PERP_ERR_MEMORY. */
perp_status perp_free_motion_run(perp_free_motion *motion, const perp_world *world,
                                 perp_state *state, const perp_scheme *scheme,
                                 perp_error *err);
/** End of a step: the state of the world becomes velocities u_plus (6 a body) and
 *  positions by them (motion->positions false) or by motion->s plus dt (u_plus - motion->u);
 *  the time is not moved. Trees do the same with nu_plus, read back from u_plus at the
 *  present q, which nothing may have changed since the motion; where no impulse changed
 *  them it is that of the free motion to the bit. PERP_ERR_DATA: coordinates that came to their
 *  singularity or are not finite, with the name of the joint; the state is then of no
 *  use. */
perp_status perp_free_motion_finish(const perp_free_motion *motion,
                                    const perp_world *world, perp_state *state,
                                    const double *u_plus, const perp_scheme *scheme,
                                    perp_error *err);
/** Poses of all movable bodies moved by velocities `u` (6 a body) for dt; velocities
 *  stay, of trees those nu. PERP_ERR_DATA as above. */
perp_status perp_world_move(const perp_world *world, perp_state *state, const double *u,
                            double dt, const perp_scheme *scheme, perp_error *err);

PERP_END_DECLS

#endif
