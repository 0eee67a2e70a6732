/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/formula.h: the residual by its definition, written down anew. */
#ifndef PERP_TORTURE_FORMULA_H
#define PERP_TORTURE_FORMULA_H

#include <perp/perp.h>

/** RES by its definition; a negative number for rolling cones and more than 64 rows. Its w is
 *  exact, the judge's is not: what rounding of w in double explains is added to *rounding. */
long double torture_residual(const perp_problem *p, const double *point,
                             long double *rounding);

#endif
