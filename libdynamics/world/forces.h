/* SPDX-License-Identifier: Apache-2.0
 * world/forces.h: the force types of the registry and their common functions. Private. */
#ifndef PERP_WORLD_FORCES_H
#define PERP_WORLD_FORCES_H

#include <perp/dynamics/force.h>

#include "world/world.h"

extern const perp_force_type force_spring;
extern const perp_force_type force_torsion_spring;
extern const perp_force_type force_damper;
extern const perp_force_type force_drag;
extern const perp_force_type force_constant;
extern const perp_force_type force_user;

/** Name for messages: its own name, or that of its type. */
const char *force_name(const perp_force *force);
/** PERP_ERR_DATA unless the first `count` parameters are >= 0. */
perp_status force_check_signs(const perp_force *force, int count, perp_error *err);
/** PERP_ERR_DATA if the axis has length zero. */
perp_status force_check_axis(const perp_force *force, perp_error *err);
/** f += force F [N] on body k at the world point p. */
void force_add_at(const perp_state *state, int32_t k, const double F[3],
                  const double p[3], double *f);
/** Velocity of the material point of body k at p [m/s]. */
void force_point_velocity(const perp_state *state, int32_t k, const double p[3],
                          double v[3]);
/** A += f x x^T, n x n. */
void force_add_square(double *A, size_t n, double f, const double *x);
/** Row of 12 numbers that maps the velocities of i and j to component c of the relative
 *  velocity of their points at arms a_i and a_j from the centres of mass. */
void force_relative(size_t c, const double a_i[3], const double a_j[3], double row[12]);
/** Add to the block (at, at) of A (n x n) f times the second derivative of F.p along the
 *  rotation vector of a body, where p is at arm a: (F a^T + a F^T)/2 - (F.a) E. */
void force_add_turn(double *A, size_t n, size_t at, double f, const double F[3],
                    const double a[3]);

#endif
