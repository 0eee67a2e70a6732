/* SPDX-License-Identifier: Apache-2.0
 * formats/sequence_matrix.c: the matrices of a sequence in HDF5, in any storage.
 *
 * A matrix is a group with attributes storage ("dense", "csr", "bsr", "factored"), rows,
 * cols, edge (the block size e), and
 *     dense      x: by columns
 *     csr, bsr   ptr int64[rows/e + 1], col int32[count], x: e*e numbers for each entry, by
 *                columns
 *     factored   J, Minv: matrices in csr, C float64[rows], of J M^-1 J^T + C; where M^-1 is not
 *                known, G = J M^-T instead of it */
#include <config.h>

#include "base/base.h"
#include "matrix/storages.h"
#include "sequence.h"

perp_status perp_sequence_attribute_text(const perp_h5_file *f, const char *inside,
                                         const char *name, char *text, size_t length)
{
    bool there = false;
    perp_status status = perp_h5_attribute_text(f, inside, name, text, length, &there);

    return status != PERP_OK || there
               ? status
               : perp_h5_fail(f, PERP_ERR_FORMAT, inside,
                              "the attribute %s is missing, expected a text", name);
}

perp_status perp_sequence_attribute_size(const perp_h5_file *f, const char *inside,
                                         const char *name, size_t *size)
{
    int64_t value = -1;
    bool there = false;

    TRY(perp_h5_attribute(f, inside, name, &value, &there));
    if (!there || value < 0) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, inside,
                            "the attribute %s is missing or negative, expected a count",
                            name);
    }
    *size = (size_t)value;
    return PERP_OK;
}

perp_status perp_sequence_attribute_real(const perp_h5_file *f, const char *inside,
                                         const char *name, double *value)
{
    bool there = false;
    perp_status status = perp_h5_attribute_real(f, inside, name, value, &there);

    return status != PERP_OK || there
               ? status
               : perp_h5_fail(f, PERP_ERR_FORMAT, inside,
                              "the attribute %s is missing, expected a number", name);
}

/* How a matrix is stored. */
typedef struct shape {
    size_t rows, cols, block_size;
    bool dense, factored;
} shape;

static perp_status read_shape(const perp_h5_file *f, const char *group, size_t rows,
                              size_t cols, shape *s)
{
    char storage[16];
    bool there = false;

    TRY(perp_h5_exists(f, group, &there));
    if (!there) {
        TRY(perp_h5_fail(f, PERP_ERR_FORMAT, group, "missing"));
    }
    TRY(perp_sequence_attribute_text(f, group, "storage", storage, sizeof storage));
    TRY(perp_sequence_attribute_size(f, group, "rows", &s->rows));
    TRY(perp_sequence_attribute_size(f, group, "cols", &s->cols));
    TRY(perp_sequence_attribute_size(f, group, "edge", &s->block_size));
    s->dense = strcmp(storage, "dense") == 0;
    s->factored = strcmp(storage, "factored") == 0;
    if (!s->dense && !s->factored && strcmp(storage, "csr") != 0 &&
        strcmp(storage, "bsr") != 0) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, group,
                            "storage is \"%s\", expected dense, csr, bsr or factored",
                            storage);
    }
    if (s->rows != rows || (cols != PERP_H5_ANY && s->cols != cols) ||
        s->cols > INT32_MAX) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, group,
                            "%zu x %zu, expected %zu rows and %zu "
                            "columns",
                            s->rows, s->cols, rows, cols == PERP_H5_ANY ? s->cols : cols);
    }
    if (s->block_size < 1 || s->block_size > 64 || s->rows % s->block_size ||
        s->cols % s->block_size || (strcmp(storage, "bsr") != 0 && s->block_size != 1)) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, group,
                            "edge is %zu, expected one that divides %zu x %zu",
                            s->block_size, s->rows, s->cols);
    }
    return PERP_OK;
}

static perp_status read_dense(const perp_h5_file *f, const char *group, const shape *s,
                              perp_operator **A)
{
    char inside[PERP_H5_PATH];
    size_t count = 0;
    double *x = NULL;
    perp_status status = PERP_OK;

    if (!perp_mul(s->rows, s->cols, &count)) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, group, "%zu x %zu is beyond any file",
                            s->rows, s->cols);
    }
    status = perp_h5_reals(f, perp_h5_join(inside, group, "x"), count, NULL, &x);
    if (status == PERP_OK) {
        status = perp_operator_new_from_dense(A, s->rows, s->cols, x, s->rows, PERP_COPY,
                                              f->err);
    }
    free(x);
    return status;
}

/* Starts of rows from 0 to count, never falling; columns in range and ascending. */
static perp_status check_pattern(const perp_h5_file *f, const char *group, const shape *s,
                                 const int64_t *ptr, const int64_t *col, size_t count)
{
    size_t rows = s->rows / s->block_size;
    int64_t cols = (int64_t)(s->cols / s->block_size);

    for (size_t i = 0; i <= rows; i++) {
        int64_t least = i ? ptr[i - 1] : 0;

        if (ptr[i] < least || ptr[i] > (int64_t)count || (i == 0 && ptr[0] != 0) ||
            (i == rows && ptr[i] != (int64_t)count)) {
            return perp_h5_fail(f, PERP_ERR_FORMAT, group,
                                "ptr[%zu] is %lld, expected starts of rows from 0 to %zu",
                                i, (long long)ptr[i], count);
        }
    }
    for (size_t i = 0; i < rows; i++) {
        for (int64_t k = ptr[i]; k < ptr[i + 1]; k++) {
            if (col[k] < 0 || col[k] >= cols || (k > ptr[i] && col[k] <= col[k - 1])) {
                return perp_h5_fail(
                    f, PERP_ERR_FORMAT, group,
                    "col[%lld] is %lld, expected ascending columns below %lld",
                    (long long)k, (long long)col[k], (long long)cols);
            }
        }
    }
    return PERP_OK;
}

/* A sparse matrix from what the file has, already checked. */
static perp_status new_sparse(const perp_h5_file *f, const shape *s, const int64_t *ptr,
                              const int64_t *col, const double *x, size_t count,
                              perp_operator **A)
{
    size_t rows = s->rows / s->block_size;
    perp_status status =
        perp_operator_new_sparse(A, s->rows, s->cols, s->block_size, count, f->err);

    if (status == PERP_OK) {
        for (size_t i = 0; i <= rows; i++) {
            (*A)->ptr[i] = (size_t)ptr[i];
        }
        for (size_t k = 0; k < count; k++) {
            (*A)->col[k] = (int32_t)col[k];
        }
        memcpy((*A)->x, x, count * s->block_size * s->block_size * sizeof *x);
    }
    return status;
}

static perp_status read_sparse(const perp_h5_file *f, const char *group, const shape *s,
                               perp_operator **A)
{
    char inside[PERP_H5_PATH];
    size_t rows = s->rows / s->block_size;
    size_t count = 0;
    size_t numbers = 0;
    int64_t *ptr = NULL;
    int64_t *col = NULL;
    double *x = NULL;
    perp_status status =
        perp_h5_integers(f, perp_h5_join(inside, group, "ptr"), rows + 1, NULL, &ptr);

    if (status == PERP_OK) {
        status = perp_h5_integers(f, perp_h5_join(inside, group, "col"), PERP_H5_ANY,
                                  &count, &col);
    }
    if (status == PERP_OK) {
        status = check_pattern(f, group, s, ptr, col, count);
    }
    if (status == PERP_OK && !perp_mul(count, s->block_size * s->block_size, &numbers)) {
        status =
            perp_h5_fail(f, PERP_ERR_FORMAT, group, "%zu blocks are too many", count);
    }
    if (status == PERP_OK) {
        status = perp_h5_reals(f, perp_h5_join(inside, group, "x"), numbers, NULL, &x);
    }
    if (status == PERP_OK) {
        status = new_sparse(f, s, ptr, col, x, count, A);
    }
    free(ptr);
    free(col);
    free(x);
    return status;
}

/* J, G or M^-1: `rows` rows in CSR. */
static perp_status read_factor(const perp_h5_file *f, const char *group, const char *name,
                               size_t rows, size_t cols, perp_operator **A)
{
    char inside[PERP_H5_PATH];
    shape s = {0};

    TRY(read_shape(f, perp_h5_join(inside, group, name), rows, cols, &s));
    return s.dense || s.factored || s.block_size != 1
               ? perp_h5_fail(f, PERP_ERR_FORMAT, inside,
                              "storage of a factor, expected csr")
               : read_sparse(f, inside, &s, A);
}

/* J G^T + C. */
static perp_status read_both_factors(const perp_h5_file *f, const char *group,
                                     const perp_operator *J, const double *C,
                                     perp_operator **A)
{
    perp_operator *G = NULL;
    perp_status status = read_factor(f, group, "G", J->rows, J->cols, &G);

    /* Kernels read the rows of both by the columns of J. */
    if (status == PERP_OK &&
        (J->count != G->count ||
         memcmp(J->ptr, G->ptr, (J->rows + 1) * sizeof *J->ptr) != 0 ||
         memcmp(J->col, G->col, J->count * sizeof *J->col) != 0)) {
        status =
            perp_h5_fail(f, PERP_ERR_FORMAT, group, "J and G differ in their columns");
    }
    if (status == PERP_OK) {
        status = perp_factored_of_copies(A, J, G, C, f->err);
    }
    perp_operator_free(G);
    return status;
}

/* J M^-1 J^T + C. */
static perp_status read_masses(const perp_h5_file *f, const char *group,
                               const perp_operator *J, const double *C, perp_operator **A)
{
    perp_operator *Minv = NULL;
    perp_status status = read_factor(f, group, "Minv", J->cols, J->cols, &Minv);

    if (status == PERP_OK) {
        status = perp_operator_new_factored(A, J, Minv, C, f->err);
    }
    perp_operator_free(Minv);
    return status;
}

/* J, rows x nv in CSR, M^-1 or G, and the diagonal C. */
static perp_status read_factored(const perp_h5_file *f, const char *group,
                                 const shape *of, perp_operator **A)
{
    char inside[PERP_H5_PATH];
    perp_operator *J = NULL;
    double *C = NULL;
    bool masses = false;
    perp_status status = read_factor(f, group, "J", of->rows, PERP_H5_ANY, &J);

    if (status == PERP_OK) {
        status = perp_h5_reals(f, perp_h5_join(inside, group, "C"), of->rows, NULL, &C);
    }
    if (status == PERP_OK) {
        status = perp_h5_exists(f, perp_h5_join(inside, group, "Minv"), &masses);
    }
    if (status == PERP_OK) {
        status = masses ? read_masses(f, group, J, C, A)
                        : read_both_factors(f, group, J, C, A);
    }
    perp_operator_free(J);
    free(C);
    return status;
}

perp_status perp_sequence_read_matrix(const perp_h5_file *f, const char *group,
                                      size_t rows, size_t cols, perp_operator **A)
{
    shape s = {0};

    TRY(read_shape(f, group, rows, cols, &s));
    if (s.factored) {
        return read_factored(f, group, &s, A);
    }
    return s.dense ? read_dense(f, group, &s, A) : read_sparse(f, group, &s, A);
}

/* Dense columns without their padding. */
static void write_dense(perp_h5_file *f, const char *inside, const perp_operator *A)
{
    size_t count = 0;
    double *x = perp_mul(A->rows, A->cols, &count) ? perp_reals_new(count) : NULL;

    if (!x) {
        perp_h5_write_fail(f, PERP_ERR_MEMORY, inside, "no memory for its entries");
        return;
    }
    for (size_t j = 0; j < A->cols; j++) {
        memcpy(x + j * A->rows, A->x + j * A->ld, A->rows * sizeof *x);
    }
    perp_h5_write_reals(f, inside, count, x);
    free(x);
}

static void write_sparse(perp_h5_file *f, const char *group, const perp_operator *A)
{
    char inside[PERP_H5_PATH];
    size_t rows = A->rows / A->block_size;
    int64_t *ptr = calloc(rows + 1, sizeof *ptr);

    if (!ptr) {
        perp_h5_write_fail(f, PERP_ERR_MEMORY, group, "no memory for its rows");
        return;
    }
    for (size_t i = 0; i <= rows; i++) {
        ptr[i] = (int64_t)A->ptr[i];
    }
    perp_h5_write_wide(f, perp_h5_join(inside, group, "ptr"), rows + 1, ptr);
    free(ptr);
    perp_h5_write_integers(f, perp_h5_join(inside, group, "col"), A->count, A->col);
    perp_h5_write_reals(f, perp_h5_join(inside, group, "x"),
                        A->count * A->block_size * A->block_size, A->x);
}

static void write_factored(perp_h5_file *f, const char *group, const perp_operator *A)
{
    char inside[PERP_H5_PATH];

    perp_sequence_write_matrix(f, perp_h5_join(inside, group, "J"), A->factored->J);
    if (A->factored->Minv) {
        perp_sequence_write_matrix(f, perp_h5_join(inside, group, "Minv"),
                                   A->factored->Minv);
    } else {
        perp_sequence_write_matrix(f, perp_h5_join(inside, group, "G"), A->factored->G);
    }
    perp_h5_write_reals(f, perp_h5_join(inside, group, "C"), A->rows, A->factored->C);
}

void perp_sequence_write_matrix(perp_h5_file *f, const char *group,
                                const perp_operator *A)
{
    char inside[PERP_H5_PATH];

    if (A->pairs) { /* a file holds sparse rows */
        perp_operator *sparse = NULL;
        perp_error fault = {0};

        if (perp_operator_convert(&sparse, A, PERP_STORAGE_FACTORED, 1, &fault) ==
            PERP_OK) {
            perp_sequence_write_matrix(f, group, sparse);
        } else {
            perp_h5_write_fail(f, fault.status, group, fault.text);
        }
        perp_operator_free(sparse);
        return;
    }
    perp_h5_write_group(f, group);
    perp_h5_write_attribute_text(f, group, "storage", A->type->name);
    perp_h5_write_attribute(f, group, "rows", A->rows);
    perp_h5_write_attribute(f, group, "cols", A->cols);
    perp_h5_write_attribute(f, group, "edge", A->block_size ? A->block_size : 1);
    if (A->factored) {
        write_factored(f, group, A);
    } else if (A->ptr) {
        write_sparse(f, group, A);
    } else {
        write_dense(f, perp_h5_join(inside, group, "x"), A);
    }
}
