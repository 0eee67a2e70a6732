/* SPDX-License-Identifier: Apache-2.0
 * articulation/mobilizers.h: the mobilizers of the registry and their common functions.
 * Private.
 *
 * Columns of S are (omega; v) in axes of the child's joint frame Q(q). */
#ifndef PERP_ARTICULATION_MOBILIZERS_H
#define PERP_ARTICULATION_MOBILIZERS_H

#include <perp/dynamics/mobilizer.h>

#include "math/math.h"

extern const perp_mobilizer mobilizer_revolute, mobilizer_prismatic,
    mobilizer_cylindrical, mobilizer_universal, mobilizer_spherical,
    mobilizer_spherical_euler, mobilizer_planar, mobilizer_translational, mobilizer_free,
    mobilizer_fixed;

/** R: the rotation by an angle [rad] about a unit axis. */
void mobilizer_turn(const double axis[3], double angle, double R[9]);
/** The angle of the rotation about the axis that is nearest to R, within half a turn of
 *  `near`. */
double mobilizer_angle(const double axis[3], const double R[9], double near);
/** The angle x + 2 pi k nearest to `near`. */
double mobilizer_unwrap(double x, double near);

/* Exponential coordinates, three of them. */

/** On entry earlier coordinates; q := those of R nearest to them. */
void mobilizer_exponential_near(const double R[9], double q[3]);
/** Blocks 3x3, row by row, into the top left of a matrix of `rows` rows. */
void mobilizer_jacobian(const double q[3], const double qd[3], size_t rows, double *B,
                        double *Bdot);
/** exp(q) := exp(q) exp(dt omega), omega in body axes; q in place. */
void mobilizer_exponential_drift(double q[3], const double omega[3], double dt);
/** det B(q) = 2 (1 - cos th)/th^2. */
double mobilizer_exponential_regular(const double q[3]);

#endif
