/* SPDX-License-Identifier: Apache-2.0
 * solve/lcp.c: perp_lcp_solve, an LCP from two arrays in one call. */
#include <config.h>

#include "core/solvers.h"

/* The problem with copies of M and q. */
static perp_status lcp_problem(perp_problem **p, size_t n, const double *M,
                               const double *q, perp_error *err)
{
    perp_operator *A = NULL;
    perp_set *set = NULL;
    double *b = perp_reals_new(n);
    perp_status status =
        b ? PERP_OK : perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", n);

    if (status == PERP_OK) {
        status = perp_operator_new_from_dense(&A, n, n, M, n, err);
    }
    if (status == PERP_OK) {
        status = perp_set_new_uniform(&set, PERP_SET_NONNEG, n, err);
    }
    if (status != PERP_OK) {
        perp_operator_free(A);
        free(b);
        return status;
    }
    memcpy(b, q, n * sizeof *b);
    return perp_problem_new_from(p, A, b, set, PERP_LAW_COULOMB, err);
}

/* Solve from z; in z the best point found. */
static perp_status lcp_run(const perp_problem *p, const perp_solver_type *type,
                           const perp_options *opt, double *z, perp_error *err)
{
    perp_result *r = NULL;
    perp_status status = perp_result_new(&r, p->n, err);

    if (status != PERP_OK) {
        return status;
    }
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
    if (perp_check_arguments((M && q && z) || n == 0, "perp_lcp_solve", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    const perp_solver_type *type = opt && opt->solver ? opt->solver : &perp_solver_auto;
    perp_problem *p = NULL;
    perp_status status = PERP_OK;

    if (n == 0) {
        return PERP_OK;
    }
    status = lcp_problem(&p, n, M, q, err);
    if (status == PERP_OK) {
        status = lcp_run(p, type, opt, z, err);
    }
    perp_problem_free(p);
    return status;
}
