/* SPDX-License-Identifier: Apache-2.0
 * solve/lcp.c: perp_lcp_solve, an LCP from two arrays in one call. */
#include <config.h>

#include "base/base.h"
#include "core/solver_used.h"
#include "core/solvers.h"

/* Solve from z; in z the best point found. */
static perp_status lcp_run(const perp_problem *p, const perp_solver_type *type,
                           const perp_options *opt, double *z, perp_error *err)
{
    perp_result *r = NULL;
    perp_status status = PERP_OK;

    TRY(perp_result_new(&r, p->n, err));
    memcpy(r->z, z, p->n * sizeof *z);
    status = perp_solve(type, p, opt, r, err);
    if (status == PERP_OK) {
        memcpy(z, r->z, p->n * sizeof *z);
    }
    if (status == PERP_OK && r->outcome != PERP_SOLVED) {
        status = perp_fail(err, PERP_ERR_NOT_SOLVED, "%s: %s",
                           perp_outcome_text(r->outcome), r->reason);
    }
    perp_result_free(r);
    return status;
}

perp_status perp_lcp_solve(size_t n, const double *M, const double *q, double *z,
                           const perp_options *opt, perp_error *err)
{
    const perp_solver_type *type = opt && opt->solver ? opt->solver : &perp_solver_auto;
    perp_problem *p = NULL;
    perp_status status =
        perp_check_arguments((M && q && z) || n == 0, "perp_lcp_solve", err);

    if (status != PERP_OK || n == 0) {
        return status;
    }
    status =
        perp_problem_new_dense(&p, n, M, n, q, NULL, PERP_LAW_COULOMB, PERP_BORROW, err);
    if (status == PERP_OK) {
        status = lcp_run(p, type, opt, z, err);
    }
    perp_problem_free(p);
    return status;
}
