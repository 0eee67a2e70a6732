/* SPDX-License-Identifier: Apache-2.0
 * exact/infeasible.c: directions of infeasibility, their sums in rational numbers. */
#include <config.h>

#include "experiments/exact/exact.h"

perp_status exact_infeasible(const perp_problem *p, const double *y, double *radius,
                             exact_proof *proof, perp_error *err)
{
    (void)p, (void)y, (void)radius, (void)err;
    proof->verdict = EXACT_OPEN;
    return PERP_OK;
}
