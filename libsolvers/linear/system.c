/* SPDX-License-Identifier: Apache-2.0
 * linear/system.c: matrices K = L (A + H) with block diagonal H and L, to be factored.
 *
 * The pattern holds A and all diagonal blocks, and is the same for all rows of a block, so
 * that L mixes them in place. Each call costs what it touches; loading, the entries of K. */
#include <config.h>

#include <assert.h>

#include "factor.h"

enum {
    system_dim = 5 /* rows of the largest block, a rolling contact */
};

/* Above this share of entries a dense factorisation is faster: fill makes sparse factors
 * nearly full, and their scalar loops run at a tenth of the speed of LAPACK's blocked ones. */
#define SYSTEM_FULL 0.2

/* The pattern of K while it is counted (`col` NULL) or written. */
typedef struct pattern {
    size_t block;    /* the block at work */
    size_t *seen;    /* n: block + 1 that last had an entry in that column */
    int32_t *united; /* n: columns of the block */
    size_t count;
} pattern;

static void pattern_visit(void *context, size_t j, double a)
{
    pattern *p = context;

    (void)a;
    if (p->seen[j] != p->block + 1) {
        p->seen[j] = p->block + 1;
        p->united[p->count++] = (int32_t)j;
    }
}

static int pattern_order(const void *a, const void *b)
{
    int32_t i = *(const int32_t *)a;
    int32_t j = *(const int32_t *)b;

    return (i > j) - (i < j);
}

/* Columns of rows first .. first+dim-1, in order; a friction row has its normal, too. */
static void pattern_block(pattern *p, const perp_operator *A, const perp_set *set,
                          size_t first, size_t dim)
{
    const perp_block *friction = set && set->blocks[p->block].kind == PERP_SET_FRICTION
                                     ? &set->blocks[p->block]
                                     : NULL;

    p->count = 0;
    for (size_t i = first; i < first + dim; i++) {
        pattern_visit(p, i, 0.0);
        A->type->row_visit(A, i, pattern_visit, p);
    }
    if (friction) {
        pattern_visit(p, friction->normal, 0.0);
    }
    qsort(p->united, p->count, sizeof *p->united, pattern_order);
}

/* The block that row `first` starts: of `set`, or the row alone. */
static size_t system_next_dim(const perp_set *set, size_t block)
{
    return set ? set->blocks[block].dim : 1;
}

static size_t system_count(pattern *p, const perp_operator *A, const perp_set *set)
{
    size_t entries = 0;

    for (size_t first = 0, k = 0; first < A->rows; k++) {
        size_t dim = system_next_dim(set, k);

        p->block = k;
        pattern_block(p, A, set, first, dim);
        entries += p->count * dim;
        first += dim;
    }
    return entries;
}

static void system_write(pattern *p, const perp_operator *A, const perp_set *set,
                         perp_operator *K)
{
    memset(p->seen, 0, A->rows * sizeof *p->seen);
    for (size_t first = 0, k = 0; first < A->rows; k++) {
        size_t dim = system_next_dim(set, k);

        p->block = k;
        pattern_block(p, A, set, first, dim);
        for (size_t i = first; i < first + dim; i++) {
            memcpy(K->col + K->ptr[i], p->united, p->count * sizeof *p->united);
            K->ptr[i + 1] = K->ptr[i] + p->count;
        }
        first += dim;
    }
    memset(K->x, 0, K->ptr[K->rows] * sizeof *K->x);
}

perp_status perp_system_new(perp_operator **K, const perp_operator *A,
                            const perp_set *set, perp_error *err)
{
    size_t n = A->rows;
    size_t entries = 0;
    perp_status status = PERP_OK;
    pattern p = {.seen = NULL};

    *K = NULL;
    if (A->type->storage == PERP_STORAGE_DENSE) {
        return perp_operator_new_dense(K, n, n, err);
    }
    p.seen = calloc(n + 1, sizeof *p.seen);
    p.united = calloc(n + 1, sizeof *p.united);
    if (!p.seen || !p.united) {
        status =
            perp_fail(err, PERP_ERR_MEMORY, "no memory for the pattern of %zu rows", n);
    } else {
        entries = system_count(&p, A, set);
        status = (double)entries > SYSTEM_FULL * (double)n * (double)n
                     ? perp_operator_new_dense(K, n, n, err)
                     : perp_operator_new_sparse(K, n, n, 1, entries, err);
    }
    if (status == PERP_OK && (*K)->ptr) {
        system_write(&p, A, set, *K);
    }
    free(p.seen);
    free(p.united);
    return status;
}

/* A row of A on its way to K, whose columns are a superset, both ascending. */
typedef struct system_row {
    perp_operator *K;
    size_t i, next;
} system_row;

static void system_visit(void *context, size_t j, double a)
{
    system_row *row = context;
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

void perp_system_load(perp_operator *K, const perp_operator *A)
{
    bool dense = A->type->storage == PERP_STORAGE_DENSE;
    system_row row = {.K = K};

    for (size_t j = 0; dense && j < A->cols; j++) {
        memcpy(K->x + j * K->ld, A->x + j * A->ld, A->rows * sizeof *K->x);
    }
    if (dense) {
        return;
    }
    memset(K->x, 0, (K->ptr ? K->ptr[K->rows] : K->ld * K->cols) * sizeof *K->x);
    for (; row.i < A->rows; row.i++) {
        row.next = K->ptr ? K->ptr[row.i] : 0;
        A->type->row_visit(A, row.i, system_visit, &row);
    }
}

/* Entries of a row in the columns of its own block, and how far apart they are: in sparse rows
 * they stand side by side. */
static double *system_own(perp_operator *K, size_t i, size_t first, size_t *stride)
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

void perp_system_load_blocks(perp_operator *K, const perp_operator *A,
                             const perp_set *set)
{
    for (size_t k = 0; k < set->count; k++) {
        size_t first = set->blocks[k].first;
        size_t dim = set->blocks[k].dim;
        size_t stride = 0;

        for (size_t i = 0; i < dim; i++) {
            double *own = system_own(K, first + i, first, &stride);

            for (size_t j = 0; j < dim; j++) {
                own[j * stride] = perp_operator_entry(A, first + i, first + j);
            }
        }
    }
}

void perp_system_add_block(perp_operator *K, size_t first, size_t dim, const double *H)
{
    size_t stride = 0;

    for (size_t i = 0; i < dim; i++) {
        double *own = system_own(K, first + i, first, &stride);

        for (size_t j = 0; j < dim; j++) {
            own[j * stride] += H[i + j * dim];
        }
    }
}

void perp_system_add_entry(perp_operator *K, size_t i, size_t j, double a)
{
    size_t stride = 0;

    *system_own(K, i, j, &stride) += a;
}

void perp_system_scale_rows(perp_operator *K, size_t first, size_t dim, const double *L)
{
    size_t count = K->ptr ? K->ptr[first + 1] - K->ptr[first] : K->cols;
    size_t stride = K->ptr ? 1 : K->ld;
    double *row[system_dim];

    assert(dim <= system_dim);
    for (size_t i = 0; i < dim; i++) {
        row[i] = K->x + (K->ptr ? K->ptr[first + i] : first + i);
    }
    for (size_t e = 0; e < count * stride; e += stride) {
        double old[system_dim];

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
