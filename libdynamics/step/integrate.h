/* SPDX-License-Identifier: Apache-2.0
 * step/integrate.h: the integrators, and what their files share. Private.
 *
 * An integrator is one constant struct; its line in the registry (integrate.c) stands
 * where the enum has it.
 *
 * The state that they move: positions are 7 numbers a body and behind them the
 * coordinates q of a world in reduced coordinates; velocities, and accelerations, 6 a
 * body and behind them nu = N(q) dq/dt. Bodies of trees have their places among the
 * bodies, which kick and drift leave alone: what they do follows from q and nu. */
#ifndef PERP_STEP_INTEGRATE_H
#define PERP_STEP_INTEGRATE_H

#include <perp/dynamics/integrate.h>
#include <perp/dynamics/reduce.h>

#include "world/world.h"

typedef struct integrator_type {
    bool positions;     /* it moves positions itself */
    size_t work;        /* doubles of motion->work a body */
    size_t coordinates; /* and a coordinate */
    /* motion->s and motion->u hold the state at the start, and the answer at the end; `moving`
     * is a copy of the state, to be moved at will. */
    perp_status (*motion)(perp_free_motion *motion, const perp_world *world,
                          perp_state *moving, const perp_scheme *scheme, perp_error *err);
} integrator_type;

extern const integrator_type integrator_semi_implicit;
extern const integrator_type integrator_explicit;
extern const integrator_type integrator_implicit;
extern const integrator_type integrator_position_verlet;
extern const integrator_type integrator_velocity_verlet;
extern const integrator_type integrator_leapfrog;
extern const integrator_type integrator_midpoint;
extern const integrator_type integrator_momentum;
extern const integrator_type integrator_rk4;

/** Coordinates of the world's trees, 0 where it is not reduced. */
static inline size_t integrate_coordinates(const perp_world *w)
{
    return w->reduced ? w->reduced->tree->n : 0;
}
/** Lengths of positions and of velocities. */
static inline size_t integrate_positions(const perp_world *w)
{
    return 7 * w->body_count + integrate_coordinates(w);
}
static inline size_t integrate_velocities(const perp_world *w)
{
    return 6 * w->body_count + integrate_coordinates(w);
}
/** Whether body k is a link: q and nu say where it is. */
static inline bool integrate_linked(const perp_world *w, size_t k)
{
    return w->reduced && k < w->reduced->bodies && w->reduced->link[k] >= 0;
}
/** Whether it is moved by forces, and by a velocity of its own. */
static inline bool integrate_alone(const perp_world *w, size_t k)
{
    return world_moves(w, (int32_t)k) && !integrate_linked(w, k);
}

/** The gyroscopic variant of body k under this scheme; none in the plane. */
perp_gyro integrate_gyro(const perp_world *world, const perp_scheme *scheme, size_t k);
/** q and omega (world axes) of a body that rotates freely over dt: R I R^T omega and
 *  omega.R I R^T omega stay to rounding; order 2. False, and both as they were, where
 *  there is no answer: numbers that are not finite. */
bool integrate_spin(const double inertia[9], double dt, double q[4], double omega[3]);
/** a := accelerations at the present state; with the gyroscopic torque of every
 *  body whose variant is not `none`. PERP_ERR_DATA: those of trees. */
perp_status integrate_accelerations(const perp_free_motion *motion,
                                    const perp_world *world, const perp_state *state,
                                    const perp_scheme *scheme, double *a,
                                    perp_error *err);
/** Let the world be at positions s, velocities u and time t: forces are evaluated there.
 *  PERP_ERR_DATA: trees at a singularity, or not finite. */
perp_status integrate_place(const perp_world *world, perp_state *state, const double *s,
                            const double *u, double t, perp_error *err);
/** out := s moved by velocities u over dt, as the scheme turns; out may be s. What moves
 *  alone or is kinematic, and coordinates; the rest is copied. */
void integrate_drift(const perp_world *world, const perp_state *state,
                     const perp_scheme *scheme, const double *s, const double *u,
                     double dt, double *out);
/** The same for the pose of body k alone, in place. */
void integrate_drift_body(const perp_world *world, const perp_scheme *scheme, size_t k,
                          const double u[6], double dt, double pose[7]);
/** y := x + f d for the velocities of dynamic bodies and of coordinates, y := x for
 *  others; y may be x. */
void integrate_kick(const perp_world *world, const double *x, double f, const double *d,
                    double *y);

/** Backward Euler of a world in maximal coordinates: velocities into motion->u, M* into
 *  motion->mass (step/implicit_bodies.c). The gyroscopic stage is left. */
perp_status implicit_bodies(perp_free_motion *motion, const perp_world *world,
                            perp_state *state, const perp_scheme *scheme,
                            perp_error *err);

/* Of worlds in reduced coordinates only: step/trees.c. */

/** q and nu behind the bodies of motion->s and motion->u, coordinates exchanged where that is due.
 *  PERP_ERR_DATA: a singularity. */
perp_status trees_begin(perp_free_motion *motion, const perp_world *world,
                        perp_state *state, perp_error *err);
/** The velocities of links in motion->u: those of nu at the present poses. */
perp_status trees_free(perp_free_motion *motion, const perp_world *world,
                       const perp_state *state, perp_error *err);
/** nu_dot from forces f, 6 a body, at the present state. */
perp_status trees_accelerations(const perp_free_motion *motion, const perp_world *world,
                                const perp_state *state, const double *f, double *nu_dot,
                                perp_error *err);
/** The same with velocity terms of the middle of a step, nu + h/2 nu_dot, by a fixed
 *  point; f and q are those of the start. The trees have other rates afterwards. */
perp_status trees_middle(const perp_free_motion *motion, const perp_world *world,
                         const perp_state *state, double h, const double *f,
                         double *nu_dot, perp_error *err);
/** How often that evaluates them again, by the velocities that trees have: 0, 1 or 2. */
int trees_passes(const perp_articulation *tree, double h);
/** The trees at coordinates q with velocities nu, and bodies with them. */
perp_status trees_place(const perp_world *world, perp_state *state, const double *q,
                        const double *nu, perp_error *err);
/** q moved by constant nu, in place. */
void trees_drift(const perp_state *state, const double *nu, double dt, double *q);
/** q and qd at the end of a step; what trees hang on moves afterwards. */
perp_status trees_finish(const perp_free_motion *motion, const perp_world *world,
                         perp_state *state, const double *u_plus, double dt,
                         perp_error *err);
/** q moved by velocities u of links over dt; nu stays. */
perp_status trees_move(const perp_world *world, perp_state *state, const double *u,
                       double dt, perp_error *err);

#endif
