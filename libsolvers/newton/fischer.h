/* SPDX-License-Identifier: Apache-2.0
 * newton/fischer.h: the penalised Fischer-Burmeister function of a scalar row. Private. */
#ifndef PERP_NEWTON_FISCHER_H
#define PERP_NEWTON_FISCHER_H

#include "core/solvers.h"

/** A value and its derivatives by the two arguments. */
typedef struct newton_fischer {
    double phi, a, b;
} newton_fischer;

/** phi(a, b) = lambda (a + b - |(a, b)|) + (1 - lambda) max(a, 0) max(b, 0): zero exactly where
 *  0 <= a _|_ b >= 0. Where it is not differentiable one of its derivatives is taken. */
newton_fischer perp_newton_fischer_pair(double lambda, double a, double b);

/** The function whose zeros solve a FREE, NONNEG or BOX row, by z and w:
 *  w;  phi(z, w);  phi(z - lo, -phi(hi - z, -w)) [billups-1995]. */
newton_fischer perp_newton_fischer_row(double lambda, const perp_block *block, double z,
                                       double w);

#endif
