/* SPDX-License-Identifier: Apache-2.0
 * linear/block_shift.c: matrices K = L (A + D) with block diagonal L and D, to be factored.
 *
 * The pattern holds A and all diagonal blocks, and is the same for all rows of a block, so
 * that L combines them in place. Loading costs a pass over K, any other call a pass over the
 * rows or blocks concerned. */
#include <config.h>

#include <assert.h>

#include "block_shift.h"
#include "factor.h"

enum {
    shift_dim = 5,    /* rows of the largest block, a rolling contact */
    shift_padding = 8 /* doubles of a cache line: columns start on one */
};

/* The pattern of K while it is counted and written. */
typedef struct pattern {
    size_t block;    /* the current block */
    size_t *seen;    /* n: block + 1 that last had an entry in that column */
    int32_t *united; /* n: columns of the block */
    size_t count;
} pattern;

static void pattern_alloc(pattern *p, size_t n, perp_workspace *ws)
{
    p->seen = perp_workspace_sizes(ws, n);
    p->united = perp_workspace_alloc(ws, n, sizeof *p->united);
}

static void pattern_visit(void *context, size_t j, double a)
{
    pattern *p = context;

    (void)a;
    if (p->seen[j] != p->block + 1) {
        p->seen[j] = p->block + 1;
        p->united[p->count++] = (int32_t)j;
    }
}

/* Columns of rows first .. first+dim-1, in order; a friction row has that of its normal, too. */
static void pattern_block(pattern *p, const perp_operator *A, const perp_set *set,
                          size_t first, size_t dim)
{
    const perp_block *block = set ? &set->blocks[p->block] : NULL;

    p->count = 0;
    for (size_t i = first; i < first + dim; i++) {
        pattern_visit(p, i, 0.0);
        perp_operator_row_visit(A, i, pattern_visit, p);
    }
    if (block && block->kind == PERP_SET_FRICTION) {
        pattern_visit(p, block->normal, 0.0);
    }
    qsort(p->united, p->count, sizeof *p->united, perp_compare_int32);
}

/* Rows of a block of the set; without a set each row is a block. */
static size_t pattern_dim(const perp_set *set, size_t block)
{
    return set ? set->blocks[block].dim : 1;
}

static size_t pattern_count(pattern *p, const perp_operator *A, const perp_set *set)
{
    size_t entries = 0;

    for (size_t first = 0, k = 0; first < A->rows; k++) {
        size_t dim = pattern_dim(set, k);

        p->block = k;
        pattern_block(p, A, set, first, dim);
        entries += p->count * dim;
        first += dim;
    }
    return entries;
}

static void pattern_write(pattern *p, const perp_operator *A, const perp_set *set,
                          perp_operator *K)
{
    for (size_t first = 0, k = 0; first < A->rows; k++) {
        size_t dim = pattern_dim(set, k);

        p->block = k;
        pattern_block(p, A, set, first, dim);
        for (size_t i = first; i < first + dim; i++) {
            memcpy(K->col + K->ptr[i], p->united, p->count * sizeof *p->united);
            K->ptr[i + 1] = K->ptr[i] + p->count;
        }
        first += dim;
    }
}

perp_operator *perp_workspace_dense(size_t rows, size_t cols, perp_workspace *ws)
{
    perp_operator *K = perp_workspace_alloc(ws, 1, sizeof *K);

    if (!K) {
        return NULL;
    }
    K->type = &perp_operator_dense;
    K->rows = rows;
    K->cols = cols;
    K->block_size = 1;
    K->count = rows * cols;
    K->ld = (rows + shift_padding - 1) / shift_padding * shift_padding;
    K->ld = K->ld > 0 ? K->ld : shift_padding;
    K->x = perp_workspace_alloc(ws, cols, K->ld * sizeof *K->x);
    return K->x ? K : NULL;
}

perp_operator *perp_workspace_csr(size_t rows, size_t cols, size_t entries,
                                  perp_workspace *ws)
{
    perp_operator *K = perp_workspace_alloc(ws, 1, sizeof *K);

    if (!K) {
        return NULL;
    }
    K->type = &perp_operator_csr;
    K->rows = rows;
    K->cols = cols;
    K->block_size = 1;
    K->count = entries;
    K->ptr = perp_workspace_sizes(ws, rows + 1);
    K->col = perp_workspace_alloc(ws, entries, sizeof *K->col);
    K->x = perp_workspace_reals(ws, entries);
    return K->ptr && K->col && K->x ? K : NULL;
}

/* The pattern is counted first, so that K lies below what the count needs. */
perp_status perp_block_shift_new(perp_operator **K, const perp_operator *A,
                                 const perp_set *set, perp_workspace *ws, perp_error *err)
{
    size_t n = A->rows;
    size_t entries = 0;
    size_t mark = perp_workspace_mark(ws);
    pattern p = {0};
    perp_status status = PERP_OK;

    *K = NULL;
    if (A->type->storage != PERP_STORAGE_DENSE) {
        pattern_alloc(&p, n, ws);
        status = perp_workspace_status(ws, err);
        if (status != PERP_OK) {
            return status;
        }
        entries = pattern_count(&p, A, set);
        perp_workspace_release(ws, mark);
    }
    if (A->type->storage == PERP_STORAGE_DENSE ||
        (double)entries > PERP_FACTOR_FULL * (double)n * (double)n) {
        *K = perp_workspace_dense(n, n, ws);
        return perp_workspace_status(ws, err);
    }
    *K = perp_workspace_csr(n, n, entries, ws);
    mark = perp_workspace_mark(ws);
    pattern_alloc(&p, n, ws);
    status = perp_workspace_status(ws, err);
    if (status == PERP_OK) {
        pattern_write(&p, A, set, *K);
        perp_workspace_release(ws, mark);
    }
    return status;
}

/* Copies a row of A to K, whose columns are a superset; both ascend. */
typedef struct shift_row {
    perp_operator *K;
    size_t i, next;
} shift_row;

static void shift_visit(void *context, size_t j, double a)
{
    shift_row *row = context;
    perp_operator *K = row->K;

    if (!K->ptr) {
        K->x[row->i + j * K->ld] = a;
        return;
    }
    while ((size_t)K->col[row->next] != j) {
        row->next++;
    }
    K->x[row->next] = a;
}

void perp_block_shift_load(perp_operator *K, const perp_operator *A)
{
    bool dense = A->type->storage == PERP_STORAGE_DENSE;
    shift_row row = {.K = K};

    for (size_t j = 0; dense && j < A->cols; j++) {
        memcpy(K->x + j * K->ld, A->x + j * A->ld, A->rows * sizeof *K->x);
    }
    if (dense) {
        return;
    }
    memset(K->x, 0, (K->ptr ? K->ptr[K->rows] : K->ld * K->cols) * sizeof *K->x);
    for (; row.i < A->rows; row.i++) {
        row.next = K->ptr ? K->ptr[row.i] : 0;
        perp_operator_row_visit(A, row.i, shift_visit, &row);
    }
}

/* The entries of row i in the columns of its own block, and their distance: in sparse rows they
 * are contiguous. */
static double *shift_block_row(perp_operator *K, size_t i, size_t first, size_t *stride)
{
    size_t at = 0;

    *stride = K->ptr ? 1 : K->ld;
    if (!K->ptr) {
        return K->x + i + first * K->ld;
    }
    at = K->ptr[i];
    for (size_t high = K->ptr[i + 1]; high - at > 1;) {
        size_t middle = at + (high - at) / 2;

        if ((size_t)K->col[middle] <= first) {
            at = middle;
        } else {
            high = middle;
        }
    }
    return K->x + at;
}

void perp_block_shift_load_blocks(perp_operator *K, const perp_operator *A,
                                  const perp_set *set)
{
    for (size_t first = 0, k = 0; first < A->rows; k++) {
        size_t dim = pattern_dim(set, k);
        size_t stride = 0;

        for (size_t i = 0; i < dim; i++) {
            double *own = shift_block_row(K, first + i, first, &stride);

            for (size_t j = 0; j < dim; j++) {
                own[j * stride] = perp_operator_entry(A, first + i, first + j);
            }
        }
        first += dim;
    }
}

void perp_block_shift_add(perp_operator *K, size_t first, size_t dim, const double *D)
{
    size_t stride = 0;

    for (size_t i = 0; i < dim; i++) {
        double *own = shift_block_row(K, first + i, first, &stride);

        for (size_t j = 0; j < dim; j++) {
            own[j * stride] += D[i + j * dim];
        }
    }
}

void perp_block_shift_add_entry(perp_operator *K, size_t i, size_t j, double a)
{
    size_t stride = 0;

    *shift_block_row(K, i, j, &stride) += a;
}

void perp_block_shift_scale_rows(perp_operator *K, size_t first, size_t dim,
                                 const double *L)
{
    size_t count = K->ptr ? K->ptr[first + 1] - K->ptr[first] : K->cols;
    size_t stride = K->ptr ? 1 : K->ld;
    double *row[shift_dim];

    assert(dim <= shift_dim);
    for (size_t i = 0; i < dim; i++) {
        row[i] = K->x + (K->ptr ? K->ptr[first + i] : first + i);
    }
    for (size_t e = 0; e < count * stride; e += stride) {
        double old[shift_dim];

        for (size_t i = 0; i < dim; i++) {
            old[i] = row[i][e];
        }
        for (size_t i = 0; i < dim; i++) {
            row[i][e] = 0.0;
            for (size_t j = 0; j < dim; j++) {
                row[i][e] += L[i + j * dim] * old[j];
            }
        }
    }
}
