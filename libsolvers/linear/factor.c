/* SPDX-License-Identifier: Apache-2.0
 * linear/factor.c: factorisations of a matrix and of its principal blocks.
 *
 *     A_FF = L L^T,    or    P R A_FF = L U
 *
 * Dense blocks are gathered into one buffer, which both kinds share, and factored by LAPACK;
 * rows are scaled by powers of two R before LU, so that the choice of pivots does not depend on
 * units. Sparse ones are in factor_ldl.c and factor_klu.c. A pivot fails below 1e-14 of the
 * diagonal entry (Cholesky), or of the largest entry of its column (LU).
 * Cost: k^3/3 or 2 k^3/3 flops dense; memory: n^2 reals dense. */
#include <config.h>

#include <cblas.h>
#include <lapacke.h>
#include <limits.h>

#include "base/base.h"
#include "factor.h"
#include "factor_sparse.h"

enum {
    factor_padding = 8 /* doubles of a cache line: columns start on one */
};

/* How far a row of A_FF x may be from 0, relative to the magnitudes it sums: the vector comes
 * out of a back substitution or an inverse iteration, each good to some 1e-13. */
#define FACTOR_NULL_TOLERANCE 1e-10

struct perp_factor {
    perp_factor_kind kind;
    perp_workspace *run; /* that counts the memory, */
    perp_workspace *own; /* which is here */
    size_t charged;      /* bytes of `own` that are counted */
    size_t n, k;
    size_t *rows;      /* k: the block */
    bool *in;          /* n: is a row of it */
    size_t failed_row; /* of A, or PERP_PIVOT_NONE */
    double flops;
    double *work; /* n */

    double *a; /* dense: ld x n */
    size_t ld;
    lapack_int *pivots; /* n */
    double *scale;      /* n: R */
    double *before;     /* n: what pivots are compared with */
    size_t failed;      /* failed_row as an index of the block */

    perp_ldl *ldl; /* sparse */
    perp_lu *lu;
};

void perp_factor_close(perp_factor *f)
{
    if (f) {
        perp_lu_close(f->lu);
        perp_workspace_discharge(f->run, f->charged);
        perp_workspace_free(f->own); /* f as well */
    }
}

static perp_status factor_alloc_dense(perp_factor *f, perp_error *err)
{
    int narrow = 0;

    TRY(perp_blas_int(f->n + factor_padding, &narrow, err));
    f->ld = (f->n + factor_padding - 1) / factor_padding * factor_padding;
    f->ld = f->ld > 0 ? f->ld : factor_padding;
    f->a = perp_workspace_alloc(f->own, f->n, f->ld * sizeof *f->a);
    f->pivots = perp_workspace_alloc(f->own, f->n, sizeof *f->pivots);
    f->scale = perp_workspace_reals(f->own, f->n);
    f->before = perp_workspace_reals(f->own, f->n);
    return perp_workspace_status(f->own, err);
}

/* Memory for the kind, where it is not there yet. */
static perp_status factor_alloc_kind(perp_factor *f, const perp_operator *A,
                                     perp_error *err)
{
    if (A->type->storage == PERP_STORAGE_DENSE) {
        return f->a ? PERP_OK : factor_alloc_dense(f, err);
    }
    if (f->n == 0) {
        return PERP_OK;
    }
    if (f->kind == PERP_FACTOR_CHOLESKY) {
        return f->ldl ? PERP_OK : perp_ldl_new(&f->ldl, A, f->own, err);
    }
    return f->lu ? PERP_OK : perp_lu_new(&f->lu, A, f->own, f->run, err);
}

perp_status perp_factor_set_kind(perp_factor *f, const perp_operator *A,
                                 perp_factor_kind kind, perp_error *err)
{
    size_t more = 0;

    f->kind = kind;
    TRY(factor_alloc_kind(f, A, err));
    more = perp_workspace_bytes(f->own) - f->charged;
    if (!perp_workspace_charge(f->run, more)) {
        return perp_workspace_status(f->run, err);
    }
    f->charged += more;
    return PERP_OK;
}

/* The factor as the first piece of its own workspace. */
static perp_status factor_open(perp_factor **out, perp_workspace *run, perp_error *err)
{
    perp_workspace *own = NULL;
    perp_status status = PERP_OK;

    TRY(perp_workspace_new(&own, 0, err));
    *out = perp_workspace_alloc(own, 1, sizeof **out);
    if (!*out) {
        status = perp_workspace_status(own, err);
        perp_workspace_free(own);
        return status;
    }
    (*out)->own = own;
    (*out)->run = run;
    return PERP_OK;
}

perp_status perp_factor_new(perp_factor **out, const perp_operator *A,
                            perp_factor_kind kind, perp_workspace *ws, perp_error *err)
{
    perp_factor *f = NULL;
    perp_status status = PERP_OK;

    *out = NULL;
    if (A->rows != A->cols ||
        !(A->type->storage & (PERP_STORAGE_DENSE | PERP_STORAGE_CSR))) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "cannot factor a %s matrix of %zu x %zu, expected a square one, "
                         "dense or CSR",
                         A->type->name, A->rows, A->cols);
    }
    TRY(factor_open(&f, ws, err));
    f->n = A->rows;
    f->failed_row = PERP_PIVOT_NONE;
    f->rows = perp_workspace_sizes(f->own, f->n);
    f->in = perp_workspace_alloc(f->own, f->n, sizeof *f->in);
    f->work = perp_workspace_reals(f->own, f->n);
    status = perp_workspace_status(f->own, err);
    if (status == PERP_OK) {
        status = perp_factor_set_kind(f, A, kind, err);
    }
    if (status != PERP_OK) {
        perp_factor_close(f);
        return status;
    }
    *out = f;
    return PERP_OK;
}

/* a := A_FF; for Cholesky its lower triangle alone. */
static void factor_gather(perp_factor *f, const perp_operator *A)
{
    for (size_t j = 0; j < f->k; j++) {
        const double *from = A->x + f->rows[j] * A->ld;
        double *to = f->a + j * f->ld;
        size_t top = f->kind == PERP_FACTOR_CHOLESKY ? j : 0;

        if (f->k == f->n) { /* all rows: five times as fast as one by one */
            memcpy(to + top, from + top, (f->n - top) * sizeof *to);
            continue;
        }
        for (size_t i = top; i < f->k; i++) {
            to[i] = from[f->rows[i]];
        }
    }
}

/* Scale the rows to a largest entry in [1/2, 1), without rounding. */
static void factor_equilibrate(perp_factor *f)
{
    size_t k = f->k;

    memset(f->scale, 0, k * sizeof *f->scale);
    memset(f->before, 0, k * sizeof *f->before);
    for (size_t j = 0; j < k; j++) {
        for (size_t i = 0; i < k; i++) {
            f->scale[i] = fmax(f->scale[i], fabs(f->a[i + j * f->ld]));
        }
    }
    for (size_t i = 0; i < k; i++) {
        int exponent = 0;

        frexp(f->scale[i], &exponent);
        /* subnormal rows would scale beyond the largest number */
        exponent = exponent < -1000 ? -1000 : exponent;
        f->scale[i] = isfinite(f->scale[i]) ? ldexp(1.0, -exponent) : 1.0;
    }
    for (size_t j = 0; j < k; j++) {
        double *a = f->a + j * f->ld;

        for (size_t i = 0; i < k; i++) {
            a[i] *= f->scale[i];
            f->before[j] = fmax(f->before[j], fabs(a[i]));
        }
    }
}

static void factor_dense(perp_factor *f, const perp_operator *A)
{
    bool cholesky = f->kind == PERP_FACTOR_CHOLESKY;
    lapack_int k = (lapack_int)f->k;
    lapack_int ld = (lapack_int)f->ld;
    lapack_int info = 0;
    double cube = (double)f->k * (double)f->k * (double)f->k;

    factor_gather(f, A);
    if (cholesky) {
        for (size_t i = 0; i < f->k; i++) {
            f->before[i] = f->a[i + i * f->ld];
        }
        info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', k, f->a, ld);
    } else {
        factor_equilibrate(f);
        info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, k, k, f->a, ld, f->pivots);
    }
    f->flops = cholesky ? cube / 3.0 : 2.0 * cube / 3.0;
    f->failed = info > 0 ? (size_t)info - 1 : PERP_PIVOT_NONE;
    for (size_t i = 0; i < f->k && i < f->failed; i++) {
        double pivot = fabs(f->a[i + i * f->ld]);

        pivot = cholesky ? pivot * pivot : pivot;
        if (!(pivot > PERP_PIVOT_TOLERANCE * f->before[i])) { /* or NaN */
            f->failed = i;
        }
    }
    f->failed_row = f->failed == PERP_PIVOT_NONE ? PERP_PIVOT_NONE : f->rows[f->failed];
}

static bool factor_is_ldl(const perp_factor *f)
{
    return !f->a && f->kind == PERP_FACTOR_CHOLESKY;
}

static perp_status factor_run(perp_factor *f, const perp_operator *A, bool *done,
                              perp_error *err)
{
    perp_status status = PERP_OK;

    f->failed_row = PERP_PIVOT_NONE;
    f->flops = 0.0;
    if (f->k > 0 && factor_is_ldl(f)) {
        f->failed_row = perp_ldl_factor(f->ldl, A, f->in);
        f->flops = perp_ldl_flops(f->ldl);
    } else if (f->k > 0 && !f->a) {
        status = perp_lu_factor(f->lu, A, f->in, &f->failed_row, err);
        f->flops = perp_lu_flops(f->lu);
    } else if (f->k > 0) {
        factor_dense(f, A);
    }
    *done = status == PERP_OK && f->failed_row == PERP_PIVOT_NONE;
    return status;
}

perp_status perp_factor_block(perp_factor *f, const perp_operator *A, const size_t *rows,
                              size_t k, bool *done, perp_error *err)
{
    memset(f->in, 0, f->n * sizeof *f->in);
    f->k = k;
    for (size_t i = 0; i < k; i++) {
        f->rows[i] = rows[i];
        f->in[rows[i]] = true;
    }
    return factor_run(f, A, done, err);
}

perp_status perp_factor_matrix(perp_factor *f, const perp_operator *A, bool *done,
                               perp_error *err)
{
    f->k = f->n;
    for (size_t i = 0; i < f->n; i++) {
        f->rows[i] = i;
        f->in[i] = true;
    }
    return factor_run(f, A, done, err);
}

static void factor_solve_dense(perp_factor *f, size_t k, double *x)
{
    lapack_int ld = (lapack_int)f->ld;

    if (f->kind == PERP_FACTOR_CHOLESKY) {
        LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (lapack_int)k, 1, f->a, ld, x, ld);
        return;
    }
    for (size_t i = 0; i < k; i++) {
        x[i] *= f->scale[i];
    }
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', (lapack_int)k, 1, f->a, ld, f->pivots, x,
                        ld);
}

static void factor_solve_sparse(perp_factor *f, double *x)
{
    if (factor_is_ldl(f)) {
        perp_ldl_solve(f->ldl, x);
    } else {
        perp_lu_solve(f->lu, x);
    }
}

void perp_factor_solve(perp_factor *f, double *x)
{
    if (f->k == 0) {
        return;
    }
    if (f->a) {
        factor_solve_dense(f, f->k, x);
        return;
    }
    if (f->k == f->n) {
        factor_solve_sparse(f, x);
        return;
    }
    memset(f->work, 0, f->n * sizeof *f->work);
    for (size_t i = 0; i < f->k; i++) {
        f->work[f->rows[i]] = x[i];
    }
    factor_solve_sparse(f, f->work);
    for (size_t i = 0; i < f->k; i++) {
        x[i] = f->work[f->rows[i]];
    }
}

bool perp_factor_negative(perp_factor *f)
{
    bool negative = false;

    if (f->kind == PERP_FACTOR_CHOLESKY || f->k == 0) {
        return false;
    }
    if (!f->a) {
        return perp_lu_negative(f->lu);
    }
    for (size_t i = 0; i < f->k; i++) {
        negative ^= f->a[i * (f->ld + 1)] < 0.0;
        negative ^= f->pivots[i] != (lapack_int)i + 1; /* an exchange */
    }
    return negative;
}

size_t perp_factor_failed_row(const perp_factor *f)
{
    return f->failed_row;
}

double perp_factor_flops(const perp_factor *f)
{
    return f->flops;
}

void perp_factor_count(const perp_factor *f, perp_work *work)
{
    work->factorizations += 1.0;
    work->flops_factor += f->flops;
}

/* 1 in the failed row, and the solution of A_11 x = -a or U_11 x = -u in the rows before it, so
 * that their products are 0. */
static void factor_null_dense(perp_factor *f, const perp_operator *A, double *x)
{
    size_t m = f->failed;
    double *v = f->work;

    if (f->kind == PERP_FACTOR_CHOLESKY) {
        for (size_t i = 0; i < m; i++) {
            v[i] = -A->x[f->rows[m] + f->rows[i] * A->ld];
        }
        factor_solve_dense(f, m, v);
    } else {
        for (size_t i = 0; i < m; i++) {
            v[i] = -f->a[i + m * f->ld];
        }
        cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, (int)m, f->a,
                    (int)f->ld, v, 1);
    }
    v[m] = 1.0;
    for (size_t i = 0; i <= m; i++) {
        x[f->rows[i]] = v[i];
    }
}

/* Is A x = 0, or x.A x <= 0 for Cholesky, on the rows where x is not 0? */
static bool factor_null_holds(const perp_factor *f, const perp_operator *A,
                              const double *x)
{
    double quadratic = 0.0;
    bool null = true;
    bool any = false;

    for (size_t i = 0; i < f->n; i++) {
        if (x[i] != 0.0) {
            perp_row_sum s = perp_operator_row_sum(A, i, x);

            any = true;
            null = null && fabs(s.sum) <= FACTOR_NULL_TOLERANCE * s.size;
            quadratic += x[i] * s.sum;
        }
    }
    return any && perp_all_finite(x, f->n) &&
           (null || (f->kind == PERP_FACTOR_CHOLESKY && quadratic <= 0.0));
}

/* Set the entries to 0 that inverse iteration has made small but not 0; whether there were any. */
static bool factor_clean(double *x, size_t n)
{
    double largest = perp_largest(n, x);
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        if (x[i] != 0.0 && fabs(x[i]) <= FACTOR_NULL_TOLERANCE * largest) {
            x[i] = 0.0;
            any = true;
        }
    }
    return any;
}

bool perp_factor_null_vector(perp_factor *f, const perp_operator *A, double *x)
{
    memset(x, 0, f->n * sizeof *x);
    if (f->failed_row == PERP_PIVOT_NONE) {
        return false;
    }
    if (factor_is_ldl(f)) {
        perp_ldl_null_vector(f->ldl, x);
    } else if (!f->a) {
        if (!perp_lu_null_vector(f->lu, A, f->in, x)) {
            return false;
        }
    } else {
        factor_null_dense(f, A, x);
    }
    return factor_null_holds(f, A, x) ||
           (factor_clean(x, f->n) && factor_null_holds(f, A, x));
}
