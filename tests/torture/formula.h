/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/formula.h: the residual by its definition, written down anew. */
#ifndef PERP_TORTURE_FORMULA_H
#define PERP_TORTURE_FORMULA_H

#include <perp/perp.h>

/** The residual by its definition (docs/measures.md), in long double; a negative number for rolling
 *  cones and more than 64 rows. What the rounding of its own w explains is added to *rounding. */
long double torture_residual(const perp_problem *p, const double *point,
                             long double *rounding);

#endif
