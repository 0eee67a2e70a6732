/* SPDX-License-Identifier: Apache-2.0
 * linear/factor_ldl.c: sparse Cholesky without roots, P A P^T = L D L^T.
 *
 * The order is AMD's [amestoy-davis-duff-2004], found once for A; the numbers are those of
 * SuiteSparse's LDL [davis-2005], row by row of L. Only the lower triangle of A is read: its
 * entries are mapped, once, into the upper triangle of the permuted matrix. A block keeps the
 * order of A, so that its L lies within the L of A, but only its own entries are computed.
 * Cost: the sum of the squared column counts of L. Memory: 12 bytes per entry of L. */
#include <config.h>

#include <limits.h>
#include <suitesparse/amd.h>
#include <suitesparse/ldl.h>

#include "base/base.h"
#include "factor_sparse.h"

enum {
    ldl_upper = -1 /* target of an entry of the upper triangle, which is not read */
};

struct perp_ldl {
    size_t n, count; /* rows, entries of A */
    int *order;      /* n: row of A that is eliminated k-th */
    int *target;     /* count: where an entry goes in x */
    int *ptr, *row;  /* n + 1, entries: upper triangle of P A P^T by columns */
    double *x;
    int *block_ptr, *block_row; /* the same of the block, without its masked entries */
    double *block_x;
    int *diagonal;      /* n: index of A_ii in x */
    double *before;     /* n: the diagonal in the order of elimination */
    int *L_ptr, *L_row; /* L by columns, without its diagonal */
    double *L, *D;
    int *parent, *length, *flag, *pattern; /* n each, of LDL */
    double *work;                          /* n */
    double *permuted;                      /* n */
    size_t failed;                         /* in the order of elimination */
    double flops;
};

static void ldl_alloc(perp_ldl *f, perp_workspace *ws)
{
    size_t n = f->n;

    f->order = perp_workspace_ints(ws, n);
    f->target = perp_workspace_ints(ws, f->count);
    f->ptr = perp_workspace_ints(ws, n + 1);
    f->row = perp_workspace_ints(ws, f->count + n);
    f->x = perp_workspace_reals(ws, f->count + n);
    f->block_ptr = perp_workspace_ints(ws, n + 1);
    f->block_row = perp_workspace_ints(ws, f->count + n);
    f->block_x = perp_workspace_reals(ws, f->count + n);
    f->diagonal = perp_workspace_ints(ws, n);
    f->before = perp_workspace_reals(ws, n);
    f->L_ptr = perp_workspace_ints(ws, n + 1);
    f->D = perp_workspace_reals(ws, n);
    f->parent = perp_workspace_ints(ws, n);
    f->length = perp_workspace_ints(ws, n);
    f->flag = perp_workspace_ints(ws, n);
    f->pattern = perp_workspace_ints(ws, n);
    f->work = perp_workspace_reals(ws, n);
    f->permuted = perp_workspace_reals(ws, n);
}

/* Minimum degree ordering of the pattern of A and its transpose. */
static perp_status ldl_order(perp_ldl *f, const perp_operator *A, perp_error *err)
{
    int status = AMD_OK;

    for (size_t i = 0; i <= f->n; i++) {
        f->block_ptr[i] = (int)A->ptr[i]; /* not in use yet */
    }
    status = amd_order((int)f->n, f->block_ptr, A->col, f->order, NULL, NULL);
    if (status == AMD_OUT_OF_MEMORY) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory to order %zu rows by AMD",
                         f->n);
    }
    return status == AMD_OK || status == AMD_OK_BUT_JUMBLED
               ? PERP_OK
               : perp_fail(err, PERP_ERR_LIBRARY, "AMD failed with status %d", status);
}

/* Each entry of the lower triangle goes to the column of the later of its two rows; `inverse`
 * is the step at which a row is eliminated. Every diagonal entry is in the pattern. */
static void ldl_map_entries(perp_ldl *f, const perp_operator *A, const int *inverse)
{
    int *next = f->pattern; /* not in use yet */

    for (size_t i = 0; i < f->n; i++) {
        f->ptr[i + 1] = 1;
    }
    for (size_t i = 0; i < f->n; i++) {
        for (size_t k = A->ptr[i]; k < A->ptr[i + 1] && (size_t)A->col[k] < i; k++) {
            int late = inverse[i] > inverse[A->col[k]] ? inverse[i] : inverse[A->col[k]];

            f->ptr[late + 1]++;
        }
    }
    for (size_t j = 0; j < f->n; j++) {
        f->ptr[j + 1] += f->ptr[j];
        f->row[f->ptr[j]] = (int)j;
        f->diagonal[f->order[j]] = f->ptr[j];
        next[j] = f->ptr[j] + 1;
    }
    for (size_t i = 0; i < f->n; i++) {
        for (size_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
            size_t j = (size_t)A->col[k];
            bool early = inverse[j] < inverse[i];

            f->target[k] = j == i ? f->diagonal[i] : ldl_upper;
            if (j < i) {
                f->target[k] = next[early ? inverse[i] : inverse[j]]++;
                f->row[f->target[k]] = early ? inverse[j] : inverse[i];
            }
        }
    }
}

/* The pattern of L for a matrix by columns; the number of entries of L, and its flops. */
static size_t ldl_analyse(perp_ldl *f, int *ptr, int *row)
{
    size_t entries = 0;

    ldl_symbolic((int)f->n, ptr, row, f->L_ptr, f->parent, f->length, f->flag, NULL,
                 NULL);
    f->flops = 0.0;
    for (size_t j = 0; j < f->n; j++) {
        double length = f->length[j];

        entries += (size_t)f->length[j];
        f->flops += length * (length + 2.0) + 1.0;
    }
    return entries;
}

static perp_status ldl_alloc_factor(perp_ldl *f, perp_workspace *ws, perp_error *err)
{
    size_t entries = ldl_analyse(f, f->ptr, f->row);

    if (entries > INT_MAX) {
        return perp_fail(err, PERP_ERR_MEMORY,
                         "a sparse Cholesky factor of %zu entries is beyond %d", entries,
                         INT_MAX);
    }
    f->L_row = perp_workspace_ints(ws, entries);
    f->L = perp_workspace_reals(ws, entries);
    return perp_workspace_status(ws, err);
}

perp_status perp_ldl_new(perp_ldl **out, const perp_operator *A, perp_workspace *ws,
                         perp_error *err)
{
    perp_ldl *f = perp_workspace_alloc(ws, 1, sizeof *f);

    *out = f;
    if (!f) {
        return perp_workspace_status(ws, err);
    }
    f->n = A->rows;
    f->count = A->ptr[A->rows];
    if (f->count + f->n > INT_MAX) {
        return perp_fail(err, PERP_ERR_MEMORY,
                         "a matrix of %zu entries is beyond %d to factor", f->count,
                         INT_MAX);
    }
    ldl_alloc(f, ws);
    TRY(perp_workspace_status(ws, err));
    TRY(ldl_order(f, A, err));
    for (size_t k = 0; k < f->n; k++) {
        f->flag[f->order[k]] = (int)k;
    }
    ldl_map_entries(f, A, f->flag);
    return ldl_alloc_factor(f, ws, err);
}

/* The numbers of A into the upper triangle; entries outside of the block are not read. */
static void ldl_load(perp_ldl *f, const perp_operator *A, const bool *in)
{
    for (size_t i = 0; i < f->n; i++) {
        f->x[f->diagonal[i]] = in[i] ? 0.0 : 1.0;
        for (size_t k = A->ptr[i]; in[i] && k < A->ptr[i + 1]; k++) {
            if (f->target[k] != ldl_upper) {
                f->x[f->target[k]] = A->x[k];
            }
        }
    }
    for (size_t k = 0; k < f->n; k++) {
        f->before[k] = f->x[f->diagonal[f->order[k]]];
    }
}

/* The columns of the block in the order of elimination; those outside hold a 1 alone. */
static void ldl_compress(perp_ldl *f, const bool *in)
{
    int next = 0;

    for (size_t j = 0; j < f->n; j++) {
        bool inside = in[f->order[j]];

        for (int k = f->ptr[j]; k < f->ptr[j + 1]; k++) {
            if ((size_t)f->row[k] == j || (inside && in[f->order[f->row[k]]])) {
                f->block_row[next] = f->row[k];
                f->block_x[next++] = f->x[k];
            }
        }
        f->block_ptr[j + 1] = next;
    }
}

size_t perp_ldl_factor(perp_ldl *f, const perp_operator *A, const bool *in)
{
    int done = 0;

    ldl_load(f, A, in);
    ldl_compress(f, in);
    ldl_analyse(f, f->block_ptr, f->block_row);
    done = ldl_numeric((int)f->n, f->block_ptr, f->block_row, f->block_x, f->L_ptr,
                       f->parent, f->length, f->L_row, f->L, f->D, f->work, f->pattern,
                       f->flag, NULL, NULL);
    f->failed = PERP_PIVOT_NONE;
    for (size_t k = 0; k < f->n && k <= (size_t)done; k++) {
        if (!(f->D[k] > PERP_PIVOT_TOLERANCE * fabs(f->before[k]))) { /* or NaN */
            f->failed = k;
            return (size_t)f->order[k];
        }
    }
    return PERP_PIVOT_NONE;
}

void perp_ldl_solve(perp_ldl *f, double *x)
{
    int n = (int)f->n;

    ldl_perm(n, f->permuted, x, f->order);
    ldl_lsolve(n, f->permuted, f->L_ptr, f->L_row, f->L);
    ldl_dsolve(n, f->permuted, f->D);
    ldl_ltsolve(n, f->permuted, f->L_ptr, f->L_row, f->L);
    ldl_permt(n, x, f->permuted, f->order);
}

/* L^T x = e in the rows up to the failed one. The factorisation may have stopped inside a
 * column, so that its length counts, not the room reserved for it. */
void perp_ldl_null_vector(perp_ldl *f, double *x)
{
    double *v = f->permuted;

    memset(v, 0, f->n * sizeof *v);
    v[f->failed] = 1.0;
    for (size_t j = f->failed; j-- > 0;) {
        for (int p = f->L_ptr[j]; p < f->L_ptr[j] + f->length[j]; p++) {
            if ((size_t)f->L_row[p] <= f->failed) {
                v[j] -= f->L[p] * v[f->L_row[p]];
            }
        }
    }
    ldl_permt((int)f->n, x, v, f->order);
}

double perp_ldl_flops(const perp_ldl *f)
{
    return f->flops;
}
