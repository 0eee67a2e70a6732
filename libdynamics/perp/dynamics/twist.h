/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/twist.h: frames, twists and wrenches, and rotations by exponential
 * coordinates.
 *
 * A frame E = [R p; 0 1] takes coordinates of its own axes to those it is seen from. A
 * twist is (omega; v), a wrench (tau; f): angular part first [murray-li-sastry-1994].
 * Bodies of a world have it the other way round, (v, omega) and (f, tau): what is called
 * `velocity` or `force` there. Matrices 6x6 are column-major, 3x3 row by row.
 * Outputs may not overlap inputs unless said. */
#ifndef PERP_DYNAMICS_TWIST_H
#define PERP_DYNAMICS_TWIST_H

#include <perp/base.h>

PERP_BEGIN_DECLS

/** A frame: axes and origin. */
typedef struct perp_frame {
    double R[9]; /**< a rotation, row by row */
    double p[3]; /**< its origin [m] */
} perp_frame;

/** R = E, p = 0. */
void perp_frame_identity(perp_frame *E);
/** AB := A B; may be A or B. And E^-1 = [R^T, -R^T p], in place allowed. */
void perp_frame_multiply(const perp_frame *A, const perp_frame *B, perp_frame *AB);
void perp_frame_invert(const perp_frame *E, perp_frame *out);

/** R = exp([q]x) of exponential coordinates q, turned by |q| about q [rad]. */
void perp_exponential(const double q[3], double R[9]);
/** The right Jacobian B(q), omega = B dq/dt in the turned axes, and its rate along qd
 *  (may be NULL). det B = 2 (1 - cos th)/th^2, 0 at th = |q| = 2 pi. By series below th
 *  of 1e-2. */
void perp_exponential_jacobian(const double q[3], const double qd[3], double B[9],
                               double Bdot[9]);
/** q := the coordinates with |q| <= pi of the rotation R. */
void perp_exponential_of(const double R[9], double q[3]);
/** Where |q| > pi: q := q (1 - 2 pi/|q|), the same rotation, and qd such that omega
 *  stays. Returns whether it did. */
bool perp_exponential_switch(double q[3], double qd[3]);

PERP_END_DECLS

#endif
