/* SPDX-License-Identifier: Apache-2.0
 * tests/support/answers.c: answers compared and judged. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "core/solvers.h"

/* NaN comes through. */
static double greater(double a, double b)
{
    return isnan(a) || a >= b ? a : b;
}

double test_largest(size_t n, const double *x)
{
    double most = 0.0;

    for (size_t i = 0; i < n; i++) {
        most = greater(most, fabs(x[i]));
    }
    return most;
}

double test_distance(size_t n, const double *x, const double *y)
{
    double most = 0.0;

    for (size_t i = 0; i < n; i++) {
        most = greater(most, fabs(x[i] - y[i]));
    }
    return most;
}

void test_w(const perp_problem *p, const double *z, double *w)
{
    perp_operator_apply(p->A, z, w);
    for (size_t i = 0; i < p->n; i++) {
        w[i] += p->b[i];
    }
}

bool test_solved(const perp_problem *p, const perp_result *r, double tolerance)
{
    double residual = perp_residual(p, r->z);
    bool solved = r->outcome == PERP_SOLVED && residual <= tolerance;

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT(residual <= tolerance);
    if (!solved) {
        test_note("%s: %s, RES %.2e: %s", p->name ? p->name : "problem",
                  perp_outcome_text(r->outcome), residual, r->reason);
    }
    return solved;
}

void test_infeasible(const perp_problem *p, const perp_result *r)
{
    if (r->outcome != PERP_INFEASIBLE) {
        test_note("%s: %s", perp_outcome_text(r->outcome), r->reason);
    }
    CU_ASSERT_EQUAL(r->outcome, PERP_INFEASIBLE);
    CU_ASSERT_EQUAL_FATAL(r->certificate.kind, PERP_CERTIFICATE_INFEASIBLE);
    CU_ASSERT(perp_certificate_infeasible(p, r->certificate.y));
}

bool test_ran(const perp_result *r, const char *words)
{
    for (size_t i = 0; i < r->path.count; i++) {
        if (strstr(r->path.step[i], words)) {
            return true;
        }
    }
    return false;
}

size_t test_memory_needed(const perp_problem *p, const perp_solver_type *type,
                          const perp_options *opt, const char *words)
{
    for (size_t limit = 1; limit < 1u << 20; limit += 64) {
        perp_workspace *ws = NULL;
        perp_result *r = NULL;
        perp_error err = {0};
        perp_run run = {0};
        perp_status status = PERP_OK;

        OK(perp_workspace_new(&ws, limit, NULL));
        OK(perp_result_new(&r, p->n, NULL));
        status = perp_run_start(&run, type, p, opt, ws, r, &err);
        CU_ASSERT(status == PERP_OK ||
                  (status == PERP_ERR_MEMORY && strstr(err.text, words)));
        perp_run_end(&run);
        CU_ASSERT_EQUAL(perp_workspace_bytes(ws), 0);
        perp_workspace_free(ws);
        perp_result_free(r);
        if (status == PERP_OK) {
            return limit;
        }
    }
    CU_FAIL("a megabyte is not enough");
    return 0;
}

double test_gap(const perp_operator *A, const perp_operator *B)
{
    double largest = 0.0;

    CU_ASSERT_EQUAL_FATAL(A->rows, B->rows);
    for (size_t i = 0; i < B->rows; i++) {
        for (size_t j = 0; j < B->cols; j++) {
            largest = fmax(largest, fabs(perp_operator_entry(A, i, j) -
                                         perp_operator_entry(B, i, j)));
        }
    }
    return largest;
}

typedef struct visited {
    size_t last, count, row;
    bool ascending, same;
    const perp_operator *A;
} visited;

static void visit(void *context, size_t j, double a)
{
    visited *v = context;

    v->ascending = v->ascending && (v->count == 0 || j > v->last);
    v->same = v->same && perp_operator_entry(v->A, v->row, j) == a;
    v->last = j;
    v->count++;
}

void test_row_agrees(const perp_operator *A, const perp_operator *W, size_t i,
                     double tolerance)
{
    visited v = {.ascending = true, .same = true, .A = A, .row = i};
    double *out = test_alloc(W->cols, sizeof *out);
    size_t stored = 0;

    perp_operator_row_visit(A, i, visit, &v);
    perp_operator_row_add(A, i, -2.0, out);
    CU_ASSERT(v.ascending);
    CU_ASSERT(v.same); /* an entry has the same bits in a row and alone */
    for (size_t j = 0; j < W->cols; j++) {
        double w = W->x[i + j * W->ld];

        CU_ASSERT(fabs(out[j] + 2.0 * w) <= tolerance);
        stored += w != 0.0;
    }
    CU_ASSERT(v.count >= stored);
}
