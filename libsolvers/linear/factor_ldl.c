/* SPDX-License-Identifier: Apache-2.0
 * linear/factor_ldl.c: sparse Cholesky without roots, P A P^T = L D L^T.
 *
 * The order is AMD's [amestoy-davis-duff-2004], found once for A; the numbers are those of
 * SuiteSparse's LDL [davis-2005], row by row of L. Only the lower triangle of A is read: its
 * entries go to places, found once, in the upper triangle of the permuted matrix. A block
 * keeps the order of A, so its L lies within that of A, but only what it has is computed.
 * Cost: the sum of squares of the columns of L; memory: 12 bytes for each entry of L. */
#include <config.h>

#include <limits.h>
#include <suitesparse/amd.h>
#include <suitesparse/ldl.h>

#include "factor_sparse.h"

enum {
    ldl_elsewhere = -1 /* an entry of the upper triangle */
};

struct perp_ldl {
    size_t n, count; /* rows, entries of A */
    int *order;      /* n: row of A that is eliminated k-th */
    int *place;      /* count: where an entry goes in x */
    int *ptr, *row;  /* n + 1, entries: upper triangle of P A P^T by columns */
    double *x;
    int *block_ptr, *block_row; /* the same of the block, its zeros left out */
    double *block_x;
    int *diagonal;      /* n: the place of A_ii */
    double *before;     /* n: the diagonal in the order of elimination */
    int *L_ptr, *L_row; /* L by columns, without its diagonal */
    double *L, *D;
    int *parent, *length, *flag, *pattern; /* n each, of LDL */
    double *work;                          /* n */
    double *permuted;                      /* n */
    size_t failed;                         /* in the order of elimination */
    double flops;
};

void perp_ldl_free(perp_ldl *f)
{
    if (f) {
        free(f->order);
        free(f->place);
        free(f->ptr);
        free(f->row);
        free(f->x);
        free(f->block_ptr);
        free(f->block_row);
        free(f->block_x);
        free(f->diagonal);
        free(f->before);
        free(f->L_ptr);
        free(f->L_row);
        free(f->L);
        free(f->D);
        free(f->parent);
        free(f->length);
        free(f->flag);
        free(f->pattern);
        free(f->work);
        free(f->permuted);
        free(f);
    }
}

static perp_status ldl_memory(perp_error *err)
{
    return perp_fail(err, PERP_ERR_MEMORY, "no memory for a sparse Cholesky factor");
}

static int *ldl_ints(size_t n)
{
    return calloc(n + 1, sizeof(int));
}

static bool ldl_take(perp_ldl *f)
{
    size_t n = f->n;

    f->order = ldl_ints(n);
    f->place = ldl_ints(f->count);
    f->ptr = ldl_ints(n + 1);
    f->row = ldl_ints(f->count + n);
    f->x = perp_reals_new(f->count + n);
    f->block_ptr = ldl_ints(n + 1);
    f->block_row = ldl_ints(f->count + n);
    f->block_x = perp_reals_new(f->count + n);
    f->diagonal = ldl_ints(n);
    f->before = perp_reals_new(n);
    f->L_ptr = ldl_ints(n + 1);
    f->D = perp_reals_new(n);
    f->parent = ldl_ints(n);
    f->length = ldl_ints(n);
    f->flag = ldl_ints(n);
    f->pattern = ldl_ints(n);
    f->work = perp_reals_new(n);
    f->permuted = perp_reals_new(n);
    return f->order && f->place && f->ptr && f->row && f->x && f->block_ptr &&
           f->block_row && f->block_x && f->diagonal && f->before && f->L_ptr && f->D &&
           f->parent && f->length && f->flag && f->pattern && f->work && f->permuted;
}

/* Minimum degree, of A's pattern and its transpose's. */
static perp_status ldl_order(perp_ldl *f, const perp_operator *A, perp_error *err)
{
    int *ptr = ldl_ints(f->n + 1);
    int status = AMD_OUT_OF_MEMORY;

    if (ptr) {
        for (size_t i = 0; i <= f->n; i++) {
            ptr[i] = (int)A->ptr[i];
        }
        status = amd_order((int)f->n, ptr, A->col, f->order, NULL, NULL);
    }
    free(ptr);
    if (status == AMD_OUT_OF_MEMORY) {
        return ldl_memory(err);
    }
    return status == AMD_OK || status == AMD_OK_BUT_JUMBLED
               ? PERP_OK
               : perp_fail(err, PERP_ERR_LIBRARY, "AMD failed with status %d", status);
}

/* Where each entry of the lower triangle goes: to the column of the later of its two rows;
 * `inverse` says when a row is eliminated. Every diagonal entry has a place. */
static void ldl_places(perp_ldl *f, const perp_operator *A, const int *inverse)
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

            f->place[k] = j == i ? f->diagonal[i] : ldl_elsewhere;
            if (j < i) {
                f->place[k] = next[early ? inverse[i] : inverse[j]]++;
                f->row[f->place[k]] = early ? inverse[j] : inverse[i];
            }
        }
    }
}

/* The pattern of L for one by columns; how many entries L has, and its flops. */
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

static perp_status ldl_room(perp_ldl *f, perp_error *err)
{
    size_t entries = ldl_analyse(f, f->ptr, f->row);

    if (entries > INT_MAX) {
        return perp_fail(err, PERP_ERR_MEMORY,
                         "a sparse Cholesky factor of %zu entries is beyond %d", entries,
                         INT_MAX);
    }
    f->L_row = ldl_ints(entries);
    f->L = perp_reals_new(entries);
    return f->L_row && f->L ? PERP_OK : ldl_memory(err);
}

perp_status perp_ldl_new(perp_ldl **out, const perp_operator *A, perp_error *err)
{
    perp_ldl *f = calloc(1, sizeof *f);
    perp_status status = PERP_OK;

    *out = f;
    if (!f) {
        return ldl_memory(err);
    }
    f->n = A->rows;
    f->count = A->ptr[A->rows];
    if (f->count + f->n > INT_MAX) {
        return perp_fail(err, PERP_ERR_MEMORY,
                         "a matrix of %zu entries is beyond %d to factor", f->count,
                         INT_MAX);
    }
    status = ldl_take(f) ? ldl_order(f, A, err) : ldl_memory(err);
    if (status == PERP_OK) {
        for (size_t k = 0; k < f->n; k++) {
            f->flag[f->order[k]] = (int)k;
        }
        ldl_places(f, A, f->flag);
        status = ldl_room(f, err);
    }
    return status;
}

/* The numbers at their places; entries outside of the block are not read. */
static void ldl_load(perp_ldl *f, const perp_operator *A, const bool *in)
{
    for (size_t i = 0; i < f->n; i++) {
        f->x[f->diagonal[i]] = in[i] ? 0.0 : 1.0;
        for (size_t k = A->ptr[i]; in[i] && k < A->ptr[i + 1]; k++) {
            if (f->place[k] != ldl_elsewhere) {
                f->x[f->place[k]] = A->x[k];
            }
        }
    }
    for (size_t k = 0; k < f->n; k++) {
        f->before[k] = f->x[f->diagonal[f->order[k]]];
    }
}

/* Of the columns by order of elimination, those of the block; 1 alone in the others. */
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

/* L^T x = e in the rows up to the failed one. Columns may have been left half filled, so
 * their length counts, not the room they have. */
void perp_ldl_null(perp_ldl *f, double *x)
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
