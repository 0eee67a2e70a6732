/* SPDX-License-Identifier: Apache-2.0
 * matrix/convert.c: the same matrix in another storage, its transpose, its symmetric
 * part, and with a full diagonal.
 *
 * A CSR matrix is a block matrix of block size 1, so the transpose, the symmetric part and the
 * diagonal are written once for all sparse matrices. Each costs O(rows + entries). */
#include <config.h>

#include "base/base.h"
#include "matrix/storages.h"

/* A row that is being converted. */
typedef struct convert_row {
    perp_operator *out;
    size_t row;
    size_t next;     /* the entry to fill */
    bool drop_zeros; /* off the diagonal */
} convert_row;

static void convert_visit_dense(void *context, size_t j, double a)
{
    const convert_row *c = context;

    c->out->x[c->row + j * c->out->ld] = a;
}

static perp_status convert_to_dense(perp_operator **out, const perp_operator *A,
                                    perp_error *err)
{
    perp_status status = perp_operator_new_dense(out, A->rows, A->cols, err);
    convert_row c = {.out = *out};

    for (; status == PERP_OK && c.row < A->rows; c.row++) {
        perp_operator_row_visit(A, c.row, convert_visit_dense, &c);
    }
    return status;
}

static void convert_visit_csr(void *context, size_t j, double a)
{
    convert_row *c = context;

    if (c->drop_zeros && a == 0.0 && j != c->row) {
        return;
    }
    c->out->col[c->next] = (int32_t)j;
    c->out->x[c->next++] = a;
}

/* Twice the room for entries; the rows before c->row are kept. */
static perp_status convert_grow(convert_row *c, perp_error *err)
{
    perp_operator *old = c->out;
    perp_operator *grown = NULL;
    perp_status status =
        perp_operator_new_sparse(&grown, old->rows, old->cols, 1, 2 * old->count, err);

    if (status == PERP_OK) {
        memcpy(grown->ptr, old->ptr, (c->row + 1) * sizeof *grown->ptr);
        memcpy(grown->col, old->col, c->next * sizeof *grown->col);
        memcpy(grown->x, old->x, c->next * sizeof *grown->x);
        perp_operator_free(old);
        c->out = grown;
    }
    return status;
}

/* One visit of each row, since an entry of a matrix in factors costs a scalar product: there is
 * always room for a full row. */
static perp_status convert_to_csr(perp_operator **out, const perp_operator *A,
                                  perp_error *err)
{
    size_t known = A->ptr ? A->count * A->block_size * A->block_size : 0;
    convert_row c = {.drop_zeros = !A->ptr};
    perp_status status = PERP_OK;

    if (A->pairs) {
        return perp_pairs_multiply(out, A, 1, err);
    }
    status = perp_operator_new_sparse(&c.out, A->rows, A->cols, 1, known + A->cols, err);
    for (; status == PERP_OK && c.row < A->rows; c.row++) {
        if (c.out->count - c.next < A->cols) {
            status = convert_grow(&c, err);
        }
        if (status == PERP_OK) {
            perp_operator_row_visit(A, c.row, convert_visit_csr, &c);
            c.out->ptr[c.row + 1] = c.next;
        }
    }
    if (status != PERP_OK) {
        perp_operator_free(c.out);
        return status;
    }
    c.out->count = c.next;
    *out = c.out;
    return PERP_OK;
}

/* Merge rows I*e .. I*e+e-1 of a CSR matrix into blocks, ascending; fill those of `out` from
 * `first` on, unless `out` is NULL. `cursor` has e entries. Returns the number of blocks. */
static size_t convert_merge(const perp_operator *A, size_t e, size_t I, size_t *cursor,
                            perp_operator *out, size_t first)
{
    size_t blocks = 0;

    memcpy(cursor, A->ptr + I * e, e * sizeof *cursor);
    for (;; blocks++) {
        size_t J = SIZE_MAX;

        for (size_t r = 0; r < e; r++) {
            if (cursor[r] < A->ptr[I * e + r + 1] && (size_t)A->col[cursor[r]] / e < J) {
                J = (size_t)A->col[cursor[r]] / e;
            }
        }
        if (J == SIZE_MAX) {
            return blocks;
        }
        if (out) {
            out->col[first + blocks] = (int32_t)J;
        }
        for (size_t r = 0; r < e; r++) {
            for (;
                 cursor[r] < A->ptr[I * e + r + 1] && (size_t)A->col[cursor[r]] / e == J;
                 cursor[r]++) {
                if (out) {
                    out->x[(first + blocks) * e * e + r +
                           (size_t)A->col[cursor[r]] % e * e] = A->x[cursor[r]];
                }
            }
        }
    }
}

static perp_status convert_csr_to_bsr(perp_operator **out, const perp_operator *A,
                                      size_t e, perp_error *err)
{
    perp_status status = PERP_OK;
    size_t block_rows = e > 0 ? A->rows / e : 0;
    size_t count = 0;
    size_t *cursor = malloc((e + 1) * sizeof *cursor);

    if (!cursor) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory to form blocks");
    }
    for (size_t I = 0; I < block_rows; I++) {
        count += convert_merge(A, e, I, cursor, NULL, 0);
    }
    status = perp_operator_new_sparse(out, A->rows, A->cols, e, count, err);
    if (status == PERP_OK) {
        (*out)->type = &perp_operator_bsr; /* even when the block size is 1 */
        memset((*out)->x, 0, count * e * e * sizeof(double));
        for (size_t I = 0; I < block_rows; I++) {
            size_t first = (*out)->ptr[I];

            (*out)->ptr[I + 1] = first + convert_merge(A, e, I, cursor, *out, first);
        }
    }
    free(cursor);
    return status;
}

static perp_status convert_to_bsr(perp_operator **out, const perp_operator *A, size_t e,
                                  perp_error *err)
{
    perp_operator *csr = NULL;
    perp_status status = PERP_OK;

    if (e == 0 || A->rows % e != 0 || A->cols % e != 0) {
        return perp_operator_bad_blocks(A->rows, A->cols, e, err);
    }
    if (e > 1 && A->pairs && perp_pairs_aligned(A, e)) {
        return perp_pairs_multiply(out, A, e, err);
    }
    if (A->type->storage == PERP_STORAGE_CSR) {
        return convert_csr_to_bsr(out, A, e, err);
    }
    status = convert_to_csr(&csr, A, err);
    if (status == PERP_OK) {
        status = convert_csr_to_bsr(out, csr, e, err);
    }
    perp_operator_free(csr);
    return status;
}

perp_status perp_operator_convert(perp_operator **out, const perp_operator *A,
                                  perp_storage storage, size_t block_size,
                                  perp_error *err)
{
    if (perp_check_arguments(out && A, "perp_operator_convert", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    *out = NULL;
    if (storage == A->type->storage &&
        (storage != PERP_STORAGE_BSR || block_size == A->block_size)) {
        return perp_operator_copy(out, A, err);
    }
    switch (storage) {
    case PERP_STORAGE_DENSE:
        return convert_to_dense(out, A, err);
    case PERP_STORAGE_CSR:
        return convert_to_csr(out, A, err);
    case PERP_STORAGE_BSR:
        return convert_to_bsr(out, A, block_size, err);
    case PERP_STORAGE_FACTORED:
        if (A->pairs) {
            return perp_pairs_expand(out, A, err);
        }
        break;
    case PERP_STORAGE_PAIRS:
        break;
    }
    return perp_fail(err, PERP_ERR_ARGUMENT, "storage %d cannot be converted to",
                     (int)storage);
}

static perp_status convert_transpose_dense(perp_operator **out, const perp_operator *A,
                                           perp_error *err)
{
    TRY(perp_operator_new_dense(out, A->cols, A->rows, err));

    for (size_t j = 0; j < A->cols; j++) {
        for (size_t i = 0; i < A->rows; i++) {
            (*out)->x[j + i * (*out)->ld] = A->x[i + j * A->ld];
        }
    }
    return PERP_OK;
}

/* Rows are walked in order, so each column receives its entries in ascending order. */
static perp_status convert_transpose_sparse(perp_operator **out, const perp_operator *A,
                                            perp_error *err)
{
    size_t e = A->block_size;
    size_t block_rows = A->rows / e;
    size_t block_cols = A->cols / e;
    size_t count = A->ptr[block_rows];
    perp_operator *T = NULL;
    perp_status status = perp_operator_new_sparse(&T, A->cols, A->rows, e, count, err);

    *out = T;
    if (status != PERP_OK) {
        return status;
    }
    T->type = A->type;
    for (size_t k = 0; k < count; k++) {
        T->ptr[(size_t)A->col[k] + 1]++;
    }
    for (size_t J = 0; J < block_cols; J++) {
        T->ptr[J + 1] += T->ptr[J];
    }
    for (size_t I = 0; I < block_rows; I++) {
        for (size_t k = A->ptr[I]; k < A->ptr[I + 1]; k++) {
            size_t to = T->ptr[A->col[k]]++;

            T->col[to] = (int32_t)I;
            for (size_t m = 0; m < e * e; m++) {
                T->x[to * e * e + m % e * e + m / e] = A->x[k * e * e + m];
            }
        }
    }
    /* each start has moved to its end, which is the start of the next */
    memmove(T->ptr + 1, T->ptr, block_cols * sizeof *T->ptr);
    T->ptr[0] = 0;
    return PERP_OK;
}

perp_status perp_operator_transpose(perp_operator **out, const perp_operator *A,
                                    perp_error *err)
{
    if (perp_check_arguments(out && A, "perp_operator_transpose", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    if (A->factored) {
        return perp_factored_transpose(out, A, err);
    }
    if (A->pairs) {
        return perp_pairs_copy(out, A, true, err);
    }
    return A->ptr ? convert_transpose_sparse(out, A, err)
                  : convert_transpose_dense(out, A, err);
}

/* The union of the patterns of A and T, entries scale*(a + t). */
static perp_status convert_sum(perp_operator **out, const perp_operator *A,
                               const perp_operator *T, double scale, perp_error *err)
{
    size_t block_rows = A->rows / A->block_size;
    size_t area = A->block_size * A->block_size;
    size_t room = A->ptr[block_rows] + T->ptr[block_rows];
    size_t next = 0;
    perp_operator *S = NULL;
    perp_status status =
        perp_operator_new_sparse(&S, A->rows, A->cols, A->block_size, room, err);

    *out = S;
    if (status != PERP_OK) {
        return status;
    }
    S->type = A->type;
    for (size_t I = 0; I < block_rows; I++) {
        size_t a = A->ptr[I];
        size_t t = T->ptr[I];

        for (; a < A->ptr[I + 1] || t < T->ptr[I + 1]; next++) {
            bool of_A =
                a < A->ptr[I + 1] && (t == T->ptr[I + 1] || A->col[a] <= T->col[t]);
            bool of_T =
                t < T->ptr[I + 1] && (a == A->ptr[I + 1] || T->col[t] <= A->col[a]);

            S->col[next] = of_A ? A->col[a] : T->col[t];
            for (size_t m = 0; m < area; m++) {
                S->x[next * area + m] = scale * ((of_A ? A->x[a * area + m] : 0.0) +
                                                 (of_T ? T->x[t * area + m] : 0.0));
            }
            a += of_A;
            t += of_T;
        }
        S->ptr[I + 1] = next;
    }
    S->count = next;
    return PERP_OK;
}

perp_status perp_operator_symmetric_part(perp_operator **out, const perp_operator *A,
                                         perp_error *err)
{
    if (perp_check_arguments(out && A, "perp_operator_symmetric_part", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_operator *T = NULL;
    perp_status status = PERP_OK;

    *out = NULL;
    if (A->rows != A->cols) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "matrix of %zu x %zu has no symmetric part, which needs a square", A->rows,
            A->cols);
    }
    if (A->factored) {
        return perp_factored_symmetric_part(out, A, err);
    }
    if (A->pairs) {
        return perp_pairs_symmetric_part(out, A, err);
    }
    status = perp_operator_transpose(&T, A, err);
    if (status == PERP_OK && A->ptr) {
        status = convert_sum(out, A, T, 0.5, err);
    } else if (status == PERP_OK) {
        for (size_t j = 0; j < A->cols; j++) {
            for (size_t i = 0; i < A->rows; i++) {
                T->x[i + j * T->ld] = 0.5 * (A->x[i + j * A->ld] + T->x[i + j * T->ld]);
            }
        }
        *out = T;
        return PERP_OK;
    }
    perp_operator_free(T);
    return status;
}

/* A diagonal of zero blocks, as long as A's. */
static perp_status convert_zero_diagonal(perp_operator **out, const perp_operator *A,
                                         perp_error *err)
{
    size_t e = A->block_size;
    size_t block_rows = A->rows / e;
    size_t length = A->rows < A->cols ? block_rows : A->cols / e;
    perp_status status = perp_operator_new_sparse(out, A->rows, A->cols, e, length, err);

    if (status == PERP_OK) {
        memset((*out)->x, 0, length * e * e * sizeof(double));
        for (size_t I = 0; I < block_rows; I++) {
            if (I < length) {
                (*out)->col[I] = (int32_t)I;
            }
            (*out)->ptr[I + 1] = I < length ? I + 1 : length;
        }
    }
    return status;
}

perp_status perp_operator_with_diagonal(perp_operator **out, const perp_operator *A,
                                        perp_error *err)
{
    if (perp_check_arguments(out && A, "perp_operator_with_diagonal", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_operator *zeros = NULL;
    perp_status status = PERP_OK;

    *out = NULL;
    if (!A->ptr) {
        return perp_operator_copy(out, A, err);
    }
    status = convert_zero_diagonal(&zeros, A, err);
    if (status == PERP_OK) {
        status = convert_sum(out, A, zeros, 1.0, err);
    }
    perp_operator_free(zeros);
    return status;
}
