/* SPDX-License-Identifier: Apache-2.0
 * linear/factor_klu.c: sparse LU with partial pivoting, by KLU [davis-natarajan-2010].
 *
 * A CSR matrix is the transpose of one by columns, so KLU factors A^T and solves with its
 * transpose. The analysed pattern contains the diagonal whether A stores it or not, since rows
 * outside of a block are those of the identity. Entries outside of a block are left out, which
 * keeps the block triangular form. (Those above the diagonal blocks of that form stay as zeros:
 * KLU counts them by the analysed pattern, and they cause no fill.) Rows of A^T are scaled to a
 * largest entry of 1. Memory: 12 bytes per entry of A and what KLU holds. */
#include <config.h>

#include <limits.h>

#include "base/base.h"
#include "factor_sparse.h"
#include "klu.h"

enum {
    /* sweeps of inverse iteration: each gains 13 digits on the next singular value */
    lu_sweeps = 3
};

/* Relative size of the shift of a singular matrix in inverse iteration: far above rounding and
 * far below the 1e-10 required of the vector. */
#define LU_SHIFT 1e-13

struct perp_lu {
    size_t n;
    int *ptr, *col; /* A by rows */
    double *x;
    double *column;                 /* n: max |A_ij| of column j of the masked matrix */
    double *shift;                  /* n: for the diagonal */
    int *part_of_row, *part_of_col; /* n: diagonal block of the triangular form */
    perp_klu klu;                   /* of the transpose */
    double flops;
};

void perp_lu_close(perp_lu *f)
{
    if (f) {
        perp_klu_close(&f->klu);
    }
}

/* The block of A (`in` NULL: all rows), plus `shift` (n, or NULL) on its diagonal, and 1 on the
 * diagonal outside of it. Rows hold the entries of A in order, then a diagonal one where A has
 * none. */
static void lu_load(perp_lu *f, const perp_operator *A, const bool *in,
                    const double *shift)
{
    int next = 0;

    memset(f->column, 0, f->n * sizeof *f->column);
    for (size_t i = 0; i < f->n; i++) {
        bool member = !in || in[i];
        double extra = !member ? 1.0 : shift ? shift[i] : 0.0;
        bool diagonal = false;

        for (size_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
            size_t j = (size_t)A->col[k];
            bool inside = member && (!in || in[j]);

            if (inside || j == i || f->part_of_row[i] != f->part_of_col[j]) {
                diagonal = diagonal || j == i;
                f->col[next] = A->col[k];
                f->x[next++] = (inside ? A->x[k] : 0.0) + (j == i ? extra : 0.0);
            }
        }
        if (!diagonal) {
            f->col[next] = (int)i;
            f->x[next++] = extra;
        }
        f->ptr[i + 1] = next;
    }
    for (int k = 0; k < next; k++) {
        f->column[f->col[k]] = fmax(f->column[f->col[k]], fabs(f->x[k]));
    }
}

/* The diagonal block of each row and column; the columns of KLU are the rows of A. */
static void lu_find_parts(perp_lu *f)
{
    const klu_symbolic *form = f->klu.symbolic;

    for (int part = 0; part < form->nblocks; part++) {
        for (int k = form->R[part]; k < form->R[part + 1]; k++) {
            f->part_of_row[form->Q[k]] = part;
            f->part_of_col[form->P[k]] = part;
        }
    }
}

static void lu_alloc(perp_lu *f, size_t entries, perp_workspace *ws)
{
    f->ptr = perp_workspace_ints(ws, f->n + 1);
    f->col = perp_workspace_ints(ws, entries);
    f->x = perp_workspace_reals(ws, entries);
    f->column = perp_workspace_reals(ws, f->n);
    f->shift = perp_workspace_reals(ws, f->n);
    f->part_of_row = perp_workspace_ints(ws, f->n);
    f->part_of_col = perp_workspace_ints(ws, f->n);
}

perp_status perp_lu_new(perp_lu **out, const perp_operator *A, perp_workspace *ws,
                        perp_workspace *run, perp_error *err)
{
    perp_lu *f = perp_workspace_alloc(ws, 1, sizeof *f);
    size_t entries = A->ptr[A->rows] + A->rows; /* and a diagonal */
    perp_status status = PERP_OK;

    *out = f;
    if (!f) {
        return perp_workspace_status(ws, err);
    }
    f->n = A->rows;
    if (entries > INT_MAX) {
        return perp_fail(err, PERP_ERR_MEMORY,
                         "a matrix of %zu entries is beyond %d to factor", entries,
                         INT_MAX);
    }
    lu_alloc(f, entries, ws);
    TRY(perp_workspace_status(ws, err));
    lu_load(f, A, NULL, NULL);
    status = perp_klu_analyse(&f->klu, f->n, f->ptr, f->col, run, err);
    if (status == PERP_OK) {
        lu_find_parts(f);
    }
    return status;
}

/* KLU on the loaded numbers. *done is false where A is singular. */
static perp_status lu_run(perp_lu *f, bool *done, perp_error *err)
{
    perp_klu *klu = &f->klu;
    perp_status status = perp_klu_factor(klu, f->ptr, f->col, f->x, done, err);

    if (status == PERP_OK && *done &&
        klu_flops(klu->symbolic, klu->numeric, &klu->common)) {
        f->flops = klu->common.flops + (double)f->n; /* blocks of one row count as 0 */
    }
    return status;
}

/* The first row whose pivot is tiny relative to the row of A, columns scaled. */
static size_t lu_failed_row(const perp_lu *f)
{
    const double *pivots = f->klu.numeric->Udiag;

    for (size_t k = 0; k < f->n; k++) {
        size_t i = (size_t)f->klu.symbolic->Q[k];
        double largest = 0.0;

        for (int p = f->ptr[i]; p < f->ptr[i + 1]; p++) {
            if (f->column[f->col[p]] > 0.0) {
                largest = fmax(largest, fabs(f->x[p]) / f->column[f->col[p]]);
            }
        }
        if (!(fabs(pivots[k]) > PERP_PIVOT_TOLERANCE * largest)) { /* or NaN */
            return i;
        }
    }
    return PERP_PIVOT_NONE;
}

perp_status perp_lu_factor(perp_lu *f, const perp_operator *A, const bool *in,
                           size_t *failed, perp_error *err)
{
    bool done = false;
    perp_status status = PERP_OK;

    lu_load(f, A, in, NULL);
    status = lu_run(f, &done, err);
    if (status == PERP_OK) {
        size_t column =
            f->klu.common.singular_col < 0 ? 0 : (size_t)f->klu.common.singular_col;

        *failed = done ? lu_failed_row(f) : column < f->n ? column : 0;
    }
    return status;
}

/* Whether a permutation is odd: n less the number of its cycles. */
static bool lu_is_odd(perp_lu *f, const int *order)
{
    bool odd = false;

    memset(f->shift, 0, f->n * sizeof *f->shift); /* marks */
    for (size_t i = 0; i < f->n; i++) {
        for (size_t k = (size_t)order[i]; k != i && f->shift[k] == 0.0;
             k = (size_t)order[k]) {
            f->shift[k] = 1.0;
            odd = !odd;
        }
        f->shift[i] = 1.0;
    }
    return odd;
}

bool perp_lu_negative(perp_lu *f)
{
    const double *pivots = f->klu.numeric->Udiag;
    bool negative = lu_is_odd(f, f->klu.numeric->Pnum);

    negative ^= lu_is_odd(f, f->klu.symbolic->Q);
    for (size_t k = 0; k < f->n; k++) {
        negative ^= pivots[k] < 0.0;
    }
    return negative;
}

void perp_lu_solve(perp_lu *f, double *x)
{
    klu_tsolve(f->klu.symbolic, f->klu.numeric, (int)f->n, 1, x, &f->klu.common);
}

/* Repeated application of (A + S)^-1 (A + S)^-T converges to the singular vector of the
 * smallest singular value. S is diagonal; its entries differ, so that A + S is regular even
 * where A has a structure that equal entries would leave singular. */
bool perp_lu_null_vector(perp_lu *f, const perp_operator *A, const bool *in, double *x)
{
    bool done = false;

    for (size_t i = 0; i < f->n; i++) {
        double row = perp_operator_row_max(A, i);

        f->shift[i] = LU_SHIFT * (row > 0.0 ? row : 1.0) * (1.0 + (double)(i % 7) / 8.0);
        x[i] = in[i] ? 1.0 + (double)(i % 5) / 4.0 : 0.0;
    }
    lu_load(f, A, in, f->shift);
    if (lu_run(f, &done, NULL) != PERP_OK || !done) {
        return false;
    }
    for (int sweep = 0; sweep < lu_sweeps; sweep++) {
        double largest = 0.0;

        klu_solve(f->klu.symbolic, f->klu.numeric, (int)f->n, 1, x, &f->klu.common);
        klu_tsolve(f->klu.symbolic, f->klu.numeric, (int)f->n, 1, x, &f->klu.common);
        for (size_t i = 0; i < f->n; i++) {
            x[i] = in[i] ? x[i] : 0.0;
            largest = fmax(largest, fabs(x[i]));
        }
        for (size_t i = 0; i < f->n; i++) {
            x[i] /= largest;
        }
    }
    return perp_all_finite(x, f->n);
}

double perp_lu_flops(const perp_lu *f)
{
    return f->flops;
}
