/* SPDX-License-Identifier: Apache-2.0
 * pivoting/enumerate.c: all solutions of a small problem, by all of its active sets.
 *
 *     each row is at its lower bound, at its upper bound, or in F, where w = 0:
 *     z_F = -A_FF^-1 (b + A z_rest)_F, a solution if z_F is in its box and w has the signs
 *
 * Takes any A. 2^n sets for an LCP, three choices for a two-sided row, one for a free or a
 * fixed one; problems with more than 2^20 sets are refused. A set costs an LU of A_FF, so
 * n = 20 takes some seconds. Memory: n^2 reals and up to 4096 solutions.
 *
 * Where A_FF is singular a set may hold a segment or a face of solutions. Its vertices are found, also
 * those that are no basic solutions, and its point of least norm. Of all these points the one nearest to the
 * start is returned, from z = 0 that of least norm. The start saves no work, and one that solves ends nothing.
 * perp_solutions_find, perp solve --all and r.solutions in Python list all solutions, with the
 * segments that join them and their rays.
 *
 * When there is none, an LCP whose constraints contradict each other gets its certificate, from
 * the linear program by Keller's method; otherwise the answer is that no set gives a solution,
 * for which the table of sets is the only certificate. [murty-1988, section 1.3] */
#include <config.h>

#include "base/base.h"
#include "core/solver_used.h"
#include "core/solvers.h"
#include "judge/judge.h"
#include "pivoting/solutions.h"

enum { SETS_A_STEP = 1024 /* some milliseconds */ };

typedef struct enumeration {
    const perp_problem *p;
    solution_search *search;
} enumeration;

/* {z >= 0, b + A z >= 0} as the optimality conditions of a linear program: of rows (z, y),
 * M = [0 -A^T; A 0], q = (0, b). Its certificate ends in that of the problem. */
static perp_status enumerate_prove(enumeration *s, perp_result *r, perp_error *err)
{
    const size_t n = s->p->n;
    perp_problem lp = {.n = 2 * n, .b = perp_reals_new(2 * n)};
    perp_result *answer = NULL;
    perp_status status = perp_operator_new_dense(&lp.A, 2 * n, 2 * n, err);

    if (status == PERP_OK) {
        status = perp_set_new_uniform(&lp.set, PERP_SET_NONNEG, 2 * n, err);
    }
    if (status == PERP_OK) {
        status = perp_result_new(&answer, 2 * n, err);
    }
    if (status == PERP_OK && !lp.b) {
        status = perp_fail(err, PERP_ERR_MEMORY, "enumerate: no memory for %zu rows", n);
    }
    if (status == PERP_OK) {
        for (size_t j = 0; j < n; j++) {
            lp.b[n + j] = s->p->b[j];
            for (size_t i = 0; i < n; i++) {
                lp.A->x[n + i + j * lp.A->ld] = perp_operator_entry(s->p->A, i, j);
                lp.A->x[j + (n + i) * lp.A->ld] = -perp_operator_entry(s->p->A, i, j);
            }
        }
        status = perp_solve(&perp_solver_keller, &lp, NULL, answer, err);
    }
    if (status == PERP_OK && answer->outcome == PERP_INFEASIBLE &&
        answer->certificate.kind == PERP_CERTIFICATE_INFEASIBLE &&
        perp_certificate_infeasible(s->p, answer->certificate.y + n)) {
        status = perp_result_certify_infeasible(r, answer->certificate.y + n, err);
    }
    perp_result_free(answer);
    perp_set_free(lp.set);
    perp_operator_free(lp.A);
    free(lp.b);
    return status;
}

static perp_status enumerate_end(enumeration *s, perp_result *r, perp_error *err)
{
    const bool lcp = (perp_set_kinds(s->p->set) & ~(unsigned)PERP_SET_NONNEG) == 0;
    const perp_solutions *found = solution_search_found(s->search);
    const double *nearest = solution_search_nearest(s->search);
    perp_status status = PERP_OK;

    perp_result_log(r,
                    "enumerate: %zu active set%s, %s%zu solution%s, %zu singular "
                    "block%s, in which %zu of these",
                    found->sets, perp_plural(found->sets),
                    found->complete ? "" : "more than ", found->count,
                    perp_plural(found->count), found->singular,
                    perp_plural(found->singular), found->faces);
    if (nearest) {
        memcpy(r->z, nearest, r->n * sizeof *r->z);
        return perp_result_end(r, PERP_SOLVED, "the nearest of %zu solution%s",
                               found->count, perp_plural(found->count));
    }
    status = lcp ? enumerate_prove(s, r, err) : PERP_OK;
    if (status == PERP_OK && r->certificate.kind == PERP_CERTIFICATE_INFEASIBLE) {
        return perp_result_end(
            r, PERP_INFEASIBLE,
            "none in all %zu set%s, and the constraints contradict each other",
            found->sets, perp_plural(found->sets));
    }
    return status == PERP_OK
               ? perp_result_end(
                     r, PERP_STALLED,
                     "none in all %zu set%s: %zu singular, 0 of them with solutions",
                     found->sets, perp_plural(found->sets), found->singular)
               : status;
}

static perp_status enumerate_iterate(void *vstate, perp_result *r, perp_error *err)
{
    enumeration *s = vstate;
    bool more = false;
    perp_status status =
        solution_search_step(s->search, SETS_A_STEP, &r->work, &more, err);

    return status == PERP_OK && !more ? enumerate_end(s, r, err) : status;
}

static perp_status enumerate_setup(void *vstate, const perp_problem *p,
                                   const perp_options *opt, perp_workspace *ws,
                                   perp_result *r, perp_error *err)
{
    enumeration *s = vstate;

    (void)opt;
    (void)ws;
    s->p = p;
    return solution_search_new(&s->search, p, r->z, err);
}

static void enumerate_close(void *vstate)
{
    enumeration *s = vstate;

    solution_search_free(s->search);
    s->search = NULL;
}

static const perp_option enumerate_options[] = {PERP_OPTION_END};

const perp_solver_type perp_solver_enumerate = {
    .name = "enumerate",
    .family = "pivoting",
    .summary = "all solutions by all active sets, up to 2^20 of them",
    .reference = "murty-1988",
    .algorithm = "enumeration of the complementary bases [murty-1988, section "
                 "1.3]",
    .additions =
        "bounds on both sides; vertices and least-norm points of singular bases; "
        "certificate of infeasibility by Keller's method",
    .sets = PERP_SETS(FREE, NONNEG, BOX),
    .storages = PERP_STORAGES(DENSE, CSR, BSR),
    .flags = PERP_FLAGS(RUNS_FROM_SOLUTION),
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .max_iterations = ((size_t)1 << 20) / SETS_A_STEP + 1,
    .options = enumerate_options,
    .state_size = sizeof(enumeration),
    .setup = enumerate_setup,
    .iterate = enumerate_iterate,
    .close = enumerate_close,
};
