/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/twist.h: frames, twists and wrenches, and rotations by exponential
 * coordinates.
 *
 * A frame E = [R p; 0 1] maps coordinates in its own axes to coordinates in its reference
 * axes. A twist is (omega; v), a wrench (tau; f): angular part first
 * [murray-li-sastry-1994]. Velocities and forces of the bodies of a world have the linear
 * part first, (v, omega) and (f, tau). 6x6 matrices are column-major, 3x3 matrices row by
 * row. Outputs must not overlap inputs unless stated. */
#ifndef PERP_DYNAMICS_TWIST_H
#define PERP_DYNAMICS_TWIST_H

#include <perp/base.h>

PERP_BEGIN_DECLS

/** A frame: axes and origin. */
typedef struct perp_frame {
    double R[9]; /**< a rotation, row by row */
    double p[3]; /**< origin [m] */
} perp_frame;

/** E := the identity: R = 1, p = 0. */
void perp_frame_identity(perp_frame *E);
/** AB := A B; AB may be A or B. out := E^-1 = [R^T, -R^T p]; out may be E. */
void perp_frame_multiply(const perp_frame *A, const perp_frame *B, perp_frame *AB);
void perp_frame_invert(const perp_frame *E, perp_frame *out);

/** R := exp([q]x) for exponential coordinates q: the rotation by |q| about q [rad]. */
void perp_exponential(const double q[3], double R[9]);
/** The right Jacobian B(q), omega = B dq/dt in body axes, and its rate along qd (Bdot may
 *  be NULL, as may qd then). det B = 2 (1 - cos th)/th^2 is 0 at th = |q| = 2 pi. Series
 *  are used for th < 1e-2. */
void perp_exponential_jacobian(const double q[3], const double qd[3], double B[9],
                               double Bdot[9]);
/** Chart switch if |q| > pi: q := q (1 - 2 pi/|q|), the same rotation, and qd such that
 *  omega is unchanged. Returns whether it switched. */
bool perp_exponential_switch(double q[3], double qd[3]);

PERP_END_DECLS

#endif
