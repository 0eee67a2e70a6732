/* SPDX-License-Identifier: Apache-2.0
 * matrix/canonical.c: the storage that follows from the entries of a matrix.
 *
 *     more than a fifth of all entries are not 0    dense
 *     else, where the rows are blocks of e > 1, and
 *     a quarter of the numbers in blocks is not 0   blocks of e x e
 *     else                                          CSR
 *
 * Sparse matrices store all entries, or blocks, that are not 0 and the diagonal, nothing else, and
 * no entry is -0. Two matrices with equal entries are then equal to the bit, whatever stored them.
 * A fifth is where dense factorisations become the faster ones (linear/factor.h). Cost: one pass
 * over what is stored; a second one where the storage changes. */
#include <config.h>

#include "base/base.h"
#include "matrix/storages.h"

static const double canonical_full = 0.2;    /* most part of the entries of sparse ones */
static const double canonical_filled = 0.25; /* least part of the numbers in blocks */

/* The entries that are not 0; a -0 becomes 0 where the matrix owns its numbers. */
static size_t canonical_nonzeros(perp_operator *A)
{
    size_t columns = A->ptr ? 1 : A->cols, nonzeros = 0;
    size_t length = A->ptr ? perp_operator_nonzeros(A) : A->rows;

    for (size_t j = 0; j < columns; j++) {
        double *x = A->x + j * A->ld;

        for (size_t k = 0; k < length; k++) {
            nonzeros += x[k] != 0.0;
            if (!A->borrows) {
                x[k] += 0.0;
            }
        }
    }
    return nonzeros;
}

/* Whether CSR stores the diagonal and what is not 0, and nothing else. */
static bool canonical_csr(const perp_operator *A)
{
    for (size_t i = 0; i < A->rows; i++) {
        bool has_diagonal = A->rows != A->cols;

        for (size_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
            bool diagonal = (size_t)A->col[k] == i && A->rows == A->cols;

            if (A->x[k] == 0.0 && !diagonal) {
                return false;
            }
            has_diagonal = has_diagonal || diagonal;
        }
        if (!has_diagonal) {
            return false;
        }
    }
    return true;
}

/* Whether all blocks off the diagonal have an entry that is not 0, and those on it are stored. */
static bool canonical_bsr(const perp_operator *A)
{
    size_t area = A->block_size * A->block_size;

    for (size_t I = 0; I < A->rows / A->block_size; I++) {
        bool has_diagonal = false;

        for (size_t k = A->ptr[I]; k < A->ptr[I + 1]; k++) {
            bool diagonal = (size_t)A->col[k] == I, zero = true;

            for (size_t m = 0; m < area && zero; m++) {
                zero = A->x[k * area + m] == 0.0;
            }
            if (zero && !diagonal) {
                return false;
            }
            has_diagonal = has_diagonal || diagonal;
        }
        if (!has_diagonal) {
            return false;
        }
    }
    return true;
}

/* A row as it is copied: entries that are not 0, and the diagonal. */
typedef struct canonical_copy {
    perp_operator *out;
    size_t row, next;
    bool square, pending; /* pending: the diagonal is still to be stored */
} canonical_copy;

static void canonical_put(canonical_copy *c, size_t j, double a)
{
    c->out->col[c->next] = (int32_t)j;
    c->out->x[c->next++] = a + 0.0;
}

static void canonical_put_entry(void *context, size_t j, double a)
{
    canonical_copy *c = context;

    if (c->pending && j >= c->row) {
        c->pending = false;
        if (j > c->row || a == 0.0) {
            canonical_put(c, c->row, 0.0);
        }
    }
    if (a != 0.0) {
        canonical_put(c, j, a);
    }
}

static perp_status canonical_to_csr(perp_operator **out, const perp_operator *A,
                                    size_t nonzeros, perp_error *err)
{
    canonical_copy c = {.square = A->rows == A->cols};

    TRY(perp_operator_new_sparse(out, A->rows, A->cols, 1,
                                 nonzeros + (c.square ? A->rows : 0), err));
    c.out = *out;
    for (c.row = 0; c.row < A->rows; c.row++) {
        c.pending = c.square;
        perp_operator_row_visit(A, c.row, canonical_put_entry, &c);
        if (c.pending) {
            canonical_put(&c, c.row, 0.0);
        }
        c.out->ptr[c.row + 1] = c.next;
    }
    c.out->count = c.next;
    return PERP_OK;
}

static void canonical_put_dense(void *context, size_t j, double a)
{
    const canonical_copy *c = context;

    c->out->x[c->row + j * c->out->ld] = a + 0.0;
}

static perp_status canonical_to_dense(perp_operator **out, const perp_operator *A,
                                      perp_error *err)
{
    canonical_copy c = {0};
    perp_status status = perp_operator_new_dense(out, A->rows, A->cols, err);

    c.out = *out;
    for (; status == PERP_OK && c.row < A->rows; c.row++) {
        perp_operator_row_visit(A, c.row, canonical_put_dense, &c);
    }
    return status;
}

static void canonical_replace(perp_operator **A, perp_operator *by)
{
    perp_operator_free(*A);
    *A = by;
}

static perp_status canonical_dense(perp_operator **A, perp_error *err)
{
    size_t padded = ((*A)->rows / 8 + ((*A)->rows % 8 != 0 || (*A)->rows == 0)) * 8;
    perp_operator *dense = NULL;
    perp_status status = PERP_OK;

    if (!(*A)->ptr && (*A)->ld == padded && !(*A)->borrows) {
        return PERP_OK;
    }
    status = canonical_to_dense(&dense, *A, err);
    if (status == PERP_OK) {
        canonical_replace(A, dense);
    } else {
        perp_operator_free(dense);
    }
    return status;
}

/* CSR that stores the diagonal and what is not 0. */
static perp_status canonical_sparse(perp_operator **A, size_t nonzeros, perp_error *err)
{
    perp_operator *csr = NULL;
    perp_status status = PERP_OK;

    if ((*A)->type->storage == PERP_STORAGE_CSR && !(*A)->borrows && canonical_csr(*A)) {
        return PERP_OK;
    }
    status = canonical_to_csr(&csr, *A, nonzeros, err);
    if (status == PERP_OK) {
        canonical_replace(A, csr);
    }
    return status;
}

/* From canonical CSR, unless the blocks would hold mostly zeros. */
static perp_status canonical_blocks(perp_operator **A, size_t e, size_t nonzeros,
                                    perp_error *err)
{
    perp_operator *blocks = NULL;

    TRY(perp_operator_convert(&blocks, *A, PERP_STORAGE_BSR, e, err));
    if ((double)nonzeros >= canonical_filled * (double)perp_operator_nonzeros(blocks)) {
        canonical_replace(A, blocks);
    } else {
        perp_operator_free(blocks);
    }
    return PERP_OK;
}

perp_status perp_operator_canonical(perp_operator **A, size_t e, perp_error *err)
{
    size_t nonzeros = 0;
    perp_status status = PERP_OK;

    if (perp_operator_in_factors(*A)) {
        return PERP_OK;
    }
    nonzeros = canonical_nonzeros(*A);
    if (e > 0 &&
        (double)nonzeros > canonical_full * (double)(*A)->rows * (double)(*A)->cols) {
        return canonical_dense(A, err);
    }
    e = e > 1 && (*A)->rows % e == 0 && (*A)->cols % e == 0 ? e : 1;
    if (e > 1 && (*A)->type->storage == PERP_STORAGE_BSR && (*A)->block_size == e &&
        !(*A)->borrows && canonical_bsr(*A) &&
        (double)nonzeros >= canonical_filled * (double)perp_operator_nonzeros(*A)) {
        return PERP_OK;
    }
    status = canonical_sparse(A, nonzeros, err);
    return status == PERP_OK && e > 1 ? canonical_blocks(A, e, nonzeros, err) : status;
}
