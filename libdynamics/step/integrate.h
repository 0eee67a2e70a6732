/* SPDX-License-Identifier: Apache-2.0
 * step/integrate.h: the integrators and their common functions. Private.
 *
 * An integrator is one constant struct; the registry (integrate.c) has the order of the
 * enum.
 *
 * Positions are 7 numbers per body, then the coordinates q of a world in reduced
 * coordinates; velocities and accelerations are 6 numbers per body, then nu = N(q) dq/dt.
 * The entries of bodies in trees are not changed by kick and drift: their motion follows
 * from q and nu. */
#ifndef PERP_STEP_INTEGRATE_H
#define PERP_STEP_INTEGRATE_H

#include <perp/dynamics/integrate.h>
#include <perp/dynamics/reduce.h>

#include "world/world.h"

typedef struct integrator_type {
    bool positions; /* the integrator moves positions itself */
    double
        end_share; /* then: the share of u+, beside the velocity at the start, in how far rows let a
                         * body move */
    size_t work;        /* doubles of motion->work per body */
    size_t coordinates; /* and a coordinate */
    /* motion->s and motion->u hold the state at the start and the result at the end;
     * `moving` is a copy of the state that the integrator may change. */
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

/** Number of coordinates of the trees, 0 in maximal coordinates. */
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
/** Whether body k is a link, whose motion follows from q and nu. */
static inline bool integrate_linked(const perp_world *w, size_t k)
{
    return w->reduced && k < w->reduced->bodies && w->reduced->link[k] >= 0;
}
/** Whether body k outside trees is moved by forces, and by its velocity. */
static inline bool integrate_alone(const perp_world *w, size_t k)
{
    return world_moves(w, (int32_t)k) && !integrate_linked(w, k);
}

/** The share of u+ in the displacement of bodies that rows act on; the rest is that of the
 *  velocity at the start. 1: such bodies move by dt u+ alone. */
double integrate_end_share(const perp_scheme *scheme);
/** Set the velocities of the state, those of trees as well. `motion` has run for this world. */
perp_status integrate_set_velocities(const perp_free_motion *motion,
                                     const perp_world *world, perp_state *state,
                                     const double *u, perp_error *err);
/** The gyroscopic variant of body k under this scheme; `none` in the plane. */
perp_gyro integrate_gyro(const perp_world *world, const perp_scheme *scheme, size_t k);
/** q and omega (world axes) of a body that rotates freely over dt: R I R^T omega and
 *  omega.R I R^T omega are constant up to rounding; order 2. Returns false, with both
 *  unchanged, if there is no solution or a number is not finite. */
bool integrate_spin(const double inertia[9], double dt, double q[4], double omega[3]);
/** a := accelerations at the present state, including the gyroscopic torque of every body
 *  whose variant is not `none`. PERP_ERR_DATA: as for trees. */
perp_status integrate_accelerations(const perp_free_motion *motion,
                                    const perp_world *world, const perp_state *state,
                                    const perp_scheme *scheme, double *a,
                                    perp_error *err);
/** Set the moving state to positions s, velocities u and time t, where forces are
 *  evaluated. PERP_ERR_DATA: trees at a singularity, or not finite. */
perp_status integrate_place(const perp_world *world, perp_state *state, const double *s,
                            const double *u, double t, perp_error *err);
/** out := s moved by velocities u over dt, with the update of orientations of the scheme;
 *  out may be s. Moves dynamic bodies outside trees, kinematic bodies and coordinates;
 *  the rest is copied. */
void integrate_drift(const perp_world *world, const perp_state *state,
                     const perp_scheme *scheme, const double *s, const double *u,
                     double dt, double *out);
/** The same for the pose of body k only, in place. */
void integrate_drift_body(const perp_world *world, const perp_scheme *scheme, size_t k,
                          const double u[6], double dt, double pose[7]);
/** y := x + f d for the velocities of dynamic bodies and of coordinates, y := x for
 *  others; y may be x. */
void integrate_kick(const perp_world *world, const double *x, double f, const double *d,
                    double *y);

/** Backward Euler for a world in maximal coordinates: velocities to motion->u, M* to
 *  motion->mass (step/implicit_bodies.c), without the gyroscopic stage. */
perp_status implicit_bodies(perp_free_motion *motion, const perp_world *world,
                            perp_state *state, const perp_scheme *scheme,
                            perp_error *err);

/* Gyroscopic equation: step/gyro.c. */

/** F = I (w2 - w1) + dt w2 x I w2 [N m s], all in one frame; dt [s]. */
void gyro_residual(const double inertia[9], const double w1[3], const double w2[3],
                   double dt, double F[3]);
/** D = dF/dw2, 3x3. */
void gyro_derivative(const double inertia[9], const double w2[3], double dt, double D[9]);
/** Solve A x = b by Cramer's rule; x may be b. Returns false, with x unchanged, if |det| <=
 *  16 eps |c1||c2||c3|, where c are the columns of A. */
bool gyro_solve_3x3(const double A[9], const double b[3], double x[3]);

/* Only for worlds in reduced coordinates: step/trees.c. */

/** Write q and nu after the bodies of motion->s and motion->u, after chart switches if
 *  necessary. PERP_ERR_DATA: a singularity. */
perp_status trees_begin(perp_free_motion *motion, const perp_world *world,
                        perp_state *state, perp_error *err);
/** Set the velocities of links in motion->u to those of nu at the present poses. */
perp_status trees_free(perp_free_motion *motion, const perp_world *world,
                       const perp_state *state, perp_error *err);
/** nu_dot from forces f, 6 a body, at the present state. */
perp_status trees_accelerations(const perp_free_motion *motion, const perp_world *world,
                                const perp_state *state, const double *f, double *nu_dot,
                                perp_error *err);
/** The same with velocity terms at the midpoint of a step, nu + h/2 nu_dot, by
 *  fixed-point iteration; f and q are those of the start. Changes the rates of the
 *  trees. */
perp_status trees_middle(const perp_free_motion *motion, const perp_world *world,
                         const perp_state *state, double h, const double *f,
                         double *nu_dot, perp_error *err);
/** Number of further evaluations, 0, 1 or 2, depending on the velocities of the trees. */
int trees_passes(const perp_articulation *tree, double h);
/** Set the trees and their bodies to coordinates q and velocities nu. */
perp_status trees_place(const perp_world *world, perp_state *state, const double *q,
                        const double *nu, perp_error *err);
/** q moved by constant nu, in place. */
void trees_drift(const perp_state *state, const double *nu, double dt, double *q);
/** Set q and qd at the end of a step; the bases move afterwards. */
perp_status trees_finish(const perp_free_motion *motion, const perp_world *world,
                         perp_state *state, const double *u_plus,
                         const perp_scheme *scheme, perp_error *err);
/** Set the rates of the trees to those that give links the velocities u, 6 per body. */
perp_status trees_set_velocities(const perp_free_motion *motion, const perp_world *world,
                                 perp_state *state, const double *u, perp_error *err);
/** q moved by velocities u of links over dt; nu stays. */
perp_status trees_move(const perp_world *world, perp_state *state, const double *u,
                       double dt, perp_error *err);

#endif
