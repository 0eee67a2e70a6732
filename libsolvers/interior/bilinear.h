/* SPDX-License-Identifier: Apache-2.0
 * interior/bilinear.h: the step of the bilinear path of Coulomb's law. Private.
 *
 *     predictor:  s o v -> 0;   sigma = max(0.1, (m after it / m)^3)
 *     corrector:  s o v -> sigma m e - (second-order terms of the predictor)
 *     step:       0.99 of the way to the boundary, at most 1, times 0.8 until the least
 *                 product of a slack and its multiplier is at least 0.1 of their mean
 *
 * Where the step is short, sigma = 0.3 and 1 are tried with a part of the second-order terms or
 * without them: further solves with the same factors. */
#ifndef PERP_INTERIOR_BILINEAR_H
#define PERP_INTERIOR_BILINEAR_H

#include "path.h"

/** The direction and the step length t->step; false where they are not finite. */
bool perp_bilinear_step(perp_path *t);

#endif
