/* SPDX-License-Identifier: Apache-2.0
 * formats/qps.c: write a convex quadratic program in free QPS format.
 *
 *     minimise  1/2 z^T A z + b^T z,    lo <= z <= hi
 *
 * has w = A z + b as its gradient, so that its optima are the solutions of the problem when A is
 * symmetric and positive semidefinite. QUADOBJ lists the entries A_ij, i >= j, of the lower
 * triangle; a comment states how far A is from symmetric. That A is positive semidefinite is
 * checked by a dense Cholesky factorisation of A + 1e-12 max|A| I, for which n is limited. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include <lapacke.h>

#include "base/base.h"
#include "models.h"

enum { QPS_ROWS = 2000 }; /* that are factored densely: 32 MB */
static const double qps_shift = 1e-12;
static const double qps_largest = 1e19; /* readers take 1e20 for infinite */
static const perp_set_mask qps_sets = PERP_SETS(FREE, NONNEG, BOX);

typedef struct qps_writer {
    FILE *f;
    size_t row;
} qps_writer;

static perp_status qps_suits(const perp_problem *p, const char *kind, const char *name,
                             perp_error *err)
{
    if (perp_set_kinds(p->set) &
        PERP_SET_CONE) { /* nor does a pyramid make a QP of them */
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: qps holds no cones; --friction pyramid:8 writes an LCP, "
                         "which ampl and gams hold",
                         name);
    }
    TRY(perp_model_suits("qps", qps_sets, p, kind, name, err));
    TRY(perp_model_below("qps", qps_largest, p, name, err));
    if (p->n > QPS_ROWS) {
        TRY(perp_fail(err, PERP_ERR_UNSUITABLE,
                      "%s: qps holds at most %d rows, for which it can check that A "
                      "is positive semidefinite; there are %zu; ampl and gams hold "
                      "them",
                      name, QPS_ROWS, p->n));
    }
    return PERP_OK;
}

static perp_status qps_check_convex(const perp_operator *A, const char *name,
                                    perp_error *err)
{
    double shift = qps_shift * perp_operator_max(A);
    size_t n = A->rows;
    double *L = NULL;
    lapack_int info = 0;

    if (!perp_operator_is_symmetric(A)) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: qps needs a symmetric A, and max|A - A^T|/max|A| is %.3g; "
                         "ampl and gams hold it",
                         name, perp_operator_asymmetry(A));
    }
    L = calloc(n * n, sizeof *L);
    if (!L) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu x %zu reals", n, n);
    }
    for (size_t i = 0; i < n; i++) {
        perp_operator_row_add(A, i, 1.0, L + i * n);
        L[i + i * n] += shift;
    }
    info =
        shift > 0.0 ? LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (int)n, L, (int)n) : 0;
    free(L);
    return info == 0
               ? PERP_OK
               : perp_fail(err, PERP_ERR_UNSUITABLE,
                           "%s: qps needs a positive semidefinite A, and the leading %d "
                           "rows of this one are indefinite; ampl and gams hold it",
                           name, (int)info);
}

/* By symmetry an entry (row, j) beyond the diagonal is that of column `row`. */
static void qps_entry(void *context, size_t j, double a)
{
    const qps_writer *w = context;

    if (j >= w->row) {
        fprintf(w->f, " z[%zu] z[%zu] %.17g\n", w->row + 1, j + 1, a);
    }
}

static void qps_bound(FILE *f, const char *sort, size_t i, double x)
{
    fprintf(f, " %s BND z[%zu] %.17g\n", sort, i + 1, x);
}

static void qps_bounds(FILE *f, const perp_problem *p)
{
    fputs("BOUNDS\n", f);
    for (size_t i = 0; i < p->n; i++) {
        perp_model_row row = perp_model_row_of(p, i);

        if (row.sort == PERP_ROW_FREE) {
            fprintf(f, " FR BND z[%zu]\n", i + 1);
        } else if (row.sort == PERP_ROW_UPPER) {
            fprintf(f, " MI BND z[%zu]\n", i + 1);
        } else if (row.sort != PERP_ROW_NONNEG) {
            qps_bound(f, "LO", i, row.lo);
        }
        if (row.above) {
            qps_bound(f, "UP", i, row.hi);
        }
    }
}

static perp_status qps_write(perp_file_out *out, const perp_problem *p, const char *kind,
                             perp_error *err)
{
    qps_writer w = {.f = out->f};
    perp_status status = qps_check_convex(p->A, out->path, err);

    (void)kind;
    if (status != PERP_OK) {
        return status;
    }
    perp_model_head(w.f, "*", p);
    fprintf(w.f,
            "* minimise 1/2 z^T A z + b^T z; max|A - A^T|/max|A| is %.3g.\n"
            "NAME perp\nROWS\n N obj\nCOLUMNS\n",
            perp_operator_asymmetry(p->A));
    for (size_t i = 0; i < p->n; i++) {
        fprintf(w.f, " z[%zu] obj %.17g\n", i + 1, p->b[i]);
    }
    fputs("RHS\n", w.f);
    qps_bounds(w.f, p);
    fputs("QUADOBJ\n", w.f);
    for (w.row = 0; w.row < p->n; w.row++) {
        perp_model_row_entries(p, w.row, qps_entry, &w);
    }
    fputs("ENDATA\n", w.f);
    return PERP_OK;
}

const perp_format_type perp_format_qps = {
    .format = {.name = "qps",
               .summary = "free QPS: A symmetric, positive semidefinite; bounds alone",
               .extension = ".qps",
               .writes = true,
               .memory = true},
    .holds = PERP_HOLDS_TEXTS, /* comments */
    .suits = qps_suits,
    .write = qps_write,
};
