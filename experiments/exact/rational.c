/* SPDX-License-Identifier: Apache-2.0
 * exact/rational.c: solutions of LCPs and boxes, their active set solved in rational numbers. */
#include <config.h>

#include "experiments/exact/exact.h"

perp_status exact_rational(const perp_problem *p, const double *z, double seconds,
                           exact_proof *proof, perp_error *err)
{
    (void)p, (void)z, (void)seconds, (void)err;
    proof->verdict = EXACT_OPEN;
    return PERP_OK;
}
