/* SPDX-License-Identifier: Apache-2.0
 * linear/factor_klu.c: sparse LU with partial pivoting, by KLU [davis-natarajan-2010].
 *
 * A CSR matrix is the transpose of one by columns, so KLU factors A^T and solves with its
 * transpose. The diagonal is in the pattern that is analysed whether A stores it or not, since
 * rows outside of a block are those of the identity; entries that a block has not are left out
 * of it, which keeps the block triangular form. (Those above the diagonal blocks of that form
 * stay as zeros: KLU counts them on what was analysed, and they cause no fill.) Rows of A^T
 * are scaled to a largest entry of 1. */
#include <config.h>

#include <limits.h>
#include <suitesparse/klu.h>

#include "factor_sparse.h"

enum {
    lu_sweeps =
        3 /* of inverse iteration: each gains 13 digits on the next singular value */
};

/* Relative size of what is put on the diagonal of a singular matrix to iterate with it: far
 * above rounding and far below the 1e-10 asked of the vector. */
#define LU_SHIFT 1e-13

struct perp_lu {
    size_t n;
    int *ptr, *col; /* A by rows */
    double *x;
    double *column;                 /* n: max |A_ij| of column j of the masked matrix */
    double *shift;                  /* n: for the diagonal */
    int *part_of_row, *part_of_col; /* n: diagonal block of the triangular form */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double flops;
};

void perp_lu_free(perp_lu *f)
{
    if (f) {
        klu_free_symbolic(&f->symbolic, &f->common);
        klu_free_numeric(&f->numeric, &f->common);
        free(f->ptr);
        free(f->col);
        free(f->x);
        free(f->column);
        free(f->shift);
        free(f->part_of_row);
        free(f->part_of_col);
        free(f);
    }
}

static perp_status lu_memory(perp_error *err)
{
    return perp_fail(err, PERP_ERR_MEMORY, "no memory for a sparse LU factorisation");
}

/* The block of A with 1 on the diagonal outside of it, and inside plus `shift` (n, or NULL).
 * Rows hold A's entries in order, then a diagonal one where A has none. */
static void lu_load(perp_lu *f, const perp_operator *A, const bool *in,
                    const double *shift)
{
    int next = 0;

    memset(f->column, 0, f->n * sizeof *f->column);
    for (size_t i = 0; i < f->n; i++) {
        double extra = !in[i] ? 1.0 : shift ? shift[i] : 0.0;
        bool diagonal = false;

        for (size_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
            size_t j = (size_t)A->col[k];
            bool inside = in[i] && in[j];

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

/* KLU's columns are the rows of A. */
static void lu_parts(perp_lu *f)
{
    const klu_symbolic *form = f->symbolic;

    for (int part = 0; part < form->nblocks; part++) {
        for (int k = form->R[part]; k < form->R[part + 1]; k++) {
            f->part_of_row[form->Q[k]] = part;
            f->part_of_col[form->P[k]] = part;
        }
    }
}

perp_status perp_lu_new(perp_lu **out, const perp_operator *A, perp_error *err)
{
    perp_lu *f = calloc(1, sizeof *f);
    size_t room = A->ptr[A->rows] + A->rows;
    bool *all = NULL;

    *out = f;
    if (!f) {
        return lu_memory(err);
    }
    klu_defaults(&f->common);
    f->n = A->rows;
    if (room > INT_MAX) {
        return perp_fail(err, PERP_ERR_MEMORY,
                         "a matrix of %zu entries is beyond %d to factor", room, INT_MAX);
    }
    f->ptr = calloc(f->n + 1, sizeof *f->ptr);
    f->col = calloc(room, sizeof *f->col);
    f->x = perp_reals_new(room);
    f->column = perp_reals_new(f->n);
    f->shift = perp_reals_new(f->n);
    all = calloc(f->n + 1, sizeof *all);
    f->part_of_row = calloc(f->n + 1, sizeof *f->part_of_row);
    f->part_of_col = calloc(f->n + 1, sizeof *f->part_of_col);
    if (!f->ptr || !f->col || !f->x || !f->column || !f->shift || !f->part_of_row ||
        !f->part_of_col || !all) {
        free(all);
        return lu_memory(err);
    }
    for (size_t i = 0; i < f->n; i++) {
        all[i] = true;
    }
    lu_load(f, A, all, NULL);
    free(all);
    f->symbolic = klu_analyze((int)f->n, f->ptr, f->col, &f->common);
    if (f->common.status == KLU_OUT_OF_MEMORY || f->common.status == KLU_TOO_LARGE) {
        return lu_memory(err);
    }
    if (!f->symbolic) {
        return perp_fail(err, PERP_ERR_LIBRARY, "KLU failed with status %d",
                         f->common.status);
    }
    lu_parts(f);
    return PERP_OK;
}

/* KLU on what is loaded; false without numbers, PERP_OK then says that A is singular. */
static perp_status lu_run(perp_lu *f, bool *done, perp_error *err)
{
    klu_free_numeric(&f->numeric, &f->common);
    f->numeric = klu_factor(f->ptr, f->col, f->x, f->symbolic, &f->common);
    *done = f->numeric != NULL;
    if (f->numeric && klu_flops(f->symbolic, f->numeric, &f->common)) {
        f->flops = f->common.flops + (double)f->n; /* blocks of one row count as 0 */
    }
    if (f->common.status == KLU_OUT_OF_MEMORY || f->common.status == KLU_TOO_LARGE) {
        return lu_memory(err);
    }
    return f->numeric || f->common.status == KLU_SINGULAR
               ? PERP_OK
               : perp_fail(err, PERP_ERR_LIBRARY, "KLU failed with status %d",
                           f->common.status);
}

/* The first pivot that is tiny against the row of A it belongs to, columns scaled. */
static size_t lu_tiny(const perp_lu *f)
{
    const double *pivots = f->numeric->Udiag;

    for (size_t k = 0; k < f->n; k++) {
        size_t i = (size_t)f->symbolic->Q[k];
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
        size_t column = f->common.singular_col < 0 ? 0 : (size_t)f->common.singular_col;

        *failed = done ? lu_tiny(f) : column < f->n ? column : 0;
    }
    return status;
}

void perp_lu_solve(perp_lu *f, double *x)
{
    klu_tsolve(f->symbolic, f->numeric, (int)f->n, 1, x, &f->common);
}

/* (A + S)^-1 (A + S)^-T applied to a vector turns it to the singular vector of the smallest
 * singular value; S is diagonal, of entries that differ so that no structure meets them. */
bool perp_lu_null(perp_lu *f, const perp_operator *A, const bool *in, double *x)
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

        klu_solve(f->symbolic, f->numeric, (int)f->n, 1, x, &f->common);
        klu_tsolve(f->symbolic, f->numeric, (int)f->n, 1, x, &f->common);
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
