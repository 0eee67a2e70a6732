/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/rotation.h: orientations, their rates, and frames.
 *
 * A quaternion (w, x, y, z) has unit length and maps body coordinates of a vector to
 * world coordinates: a_world = R(q) a_body. q and -q are the same orientation. A 3x3
 * matrix is nine doubles, row by row. Omega is the angular velocity in world axes [rad/s]
 * unless it is called omega_body. Outputs must not overlap inputs unless stated. */
#ifndef PERP_DYNAMICS_ROTATION_H
#define PERP_DYNAMICS_ROTATION_H

#include <perp/base.h>

PERP_BEGIN_DECLS

/** The matrix X with X b = a x b. */
void perp_cross_matrix(const double a[3], double X[9]);
/** R(q), orthogonal if q has unit length. */
void perp_rotation_matrix(const double q[4], double R[9]);

/** pq := p q, Hamilton's product: the rotation q, then the rotation p. */
void perp_quat_multiply(const double p[4], const double q[4], double pq[4]);
/** q* = (w, -x, -y, -z). */
void perp_quat_conjugate(const double q[4], double out[4]);
/** Scale q to unit length in place; returns its former length. A zero q stays zero. */
double perp_quat_normalize(double q[4]);
/** out := R(q) a, and out := R(q)^T a. */
void perp_quat_rotate(const double q[4], const double a[3], double out[3]);
void perp_quat_rotate_back(const double q[4], const double a[3], double out[3]);

/** dq/dt = (0, omega) q / 2. */
void perp_quat_rate(const double q[4], const double omega[3], double rate[4]);
/** q of the rotation by |phi| about phi [rad], and its inverse map, with |phi| <= pi. */
void perp_quat_exp(const double phi[3], double q[4]);
void perp_quat_log(const double q[4], double phi[3]);

/** Update of an orientation over a step with constant omega. */
#define PERP_TURN_LIST(X)                                                                \
    X(PERP_TURN_AUTO, "auto") /* exponential; for a wheel first about its axis, then
                               * across */     \
    X(PERP_TURN_EXPONENTIAL, "exponential") /* exp(dt omega) q: exact */                 \
    X(PERP_TURN_LINEAR, "linear")           /* normalized q + dt Q omega */              \
    X(PERP_TURN_AXIS, "axis") /* exponential about an axis, linear across it */

typedef enum perp_turn {
#define PERP_ENUM(name, text) name,
    PERP_TURN_LIST(PERP_ENUM)
#undef PERP_ENUM
} perp_turn;

/** q := the orientation after dt [s]. `axis` (unit, world) is for PERP_TURN_AUTO
 *  and PERP_TURN_AXIS; NULL: along omega. An angle above `most` [rad] is cut to `most`,
 *  in all terms; 0: no bound. q is updated in place. */
void perp_quat_turn(double q[4], const double omega[3], double dt, perp_turn turn,
                    const double axis[3], double most);

/** Tangents of a unit normal: with k the first index of the smallest |n_k| (to 1e-6), t1
 *  = n x e_k normalized and t2 = n x t1; t1 x t2 = n. */
void perp_tangents(const double n[3], double t1[3], double t2[3]);

PERP_END_DECLS

#endif
