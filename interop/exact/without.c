/* SPDX-License-Identifier: Apache-2.0
 * exact/without.c: what a build without FLINT and Arb answers. */
#include <config.h>

#include "base/base.h"
#include "interop/exact/exact.h"
#include "interop/exact/fence.h"

static perp_status without_flint(perp_error *err)
{
    return perp_fail(err, PERP_ERR_LIBRARY,
                     "this build has no exact arithmetic: install FLINT with Arb and "
                     "configure again");
}

perp_status exact_rational(const perp_problem *p, const double *z, double seconds,
                           exact_proof *proof, perp_error *err)
{
    (void)p, (void)z, (void)seconds, (void)proof;
    return without_flint(err);
}

perp_status exact_krawczyk(const perp_problem *p, const double *z, double seconds,
                           exact_proof *proof, perp_error *err)
{
    (void)p, (void)z, (void)seconds, (void)proof;
    return without_flint(err);
}

perp_status exact_infeasible(const perp_problem *p, const double *y, double *radius,
                             exact_proof *proof, perp_error *err)
{
    (void)p, (void)y, (void)radius, (void)proof;
    return without_flint(err);
}

perp_status exact_fenced(perp_status (*work)(void *context, perp_error *err),
                         void *context, perp_error *err)
{
    return work(context, err);
}
