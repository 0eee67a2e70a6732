/* SPDX-License-Identifier: Apache-2.0
 * exact/krawczyk.c: solutions of friction problems, enclosed by the operator of Krawczyk. */
#include <config.h>

#include "experiments/exact/exact.h"

perp_status exact_krawczyk(const perp_problem *p, const double *z, double seconds,
                           exact_proof *proof, perp_error *err)
{
    (void)p, (void)z, (void)seconds, (void)err;
    proof->verdict = EXACT_OPEN;
    return PERP_OK;
}
