/* SPDX-License-Identifier: Apache-2.0
 * formats/sequence_matrix.c: the matrices of a sequence in HDF5, in any storage.
 *
 * A matrix is a group with attributes storage ("dense", "csr", "bsr", "factored"), rows,
 * cols, edge, and
 *     dense      x: by columns
 *     csr, bsr   ptr int64[rows/edge + 1], col int32[count], x: edge*edge numbers for each
 *                entry, by columns
 *     factored   J, G: matrices in csr, C float64[rows], of J M^-1 J^T + C; G = J M^-T */
#include <config.h>

#include "matrix/storages.h"
#include "sequence_hdf5.h"

/* A text that must be there, as an attribute. */
perp_status perp_sequence_attribute_text(const perp_h5_file *f, const char *inside,
                                         const char *name, char *text, size_t length)
{
    return perp_h5_attribute_text(f, inside, name, text, length)
               ? PERP_OK
               : perp_h5_fail(f, PERP_ERR_FORMAT, inside,
                              "the attribute %s is missing, expected a text", name);
}

perp_status perp_sequence_attribute_size(const perp_h5_file *f, const char *inside,
                                         const char *name, size_t *size)
{
    int64_t value = -1;

    if (!perp_h5_attribute(f, inside, name, &value) || value < 0) {
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
    return perp_h5_attribute_real(f, inside, name, value)
               ? PERP_OK
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
    perp_status status = PERP_OK;

    if (!perp_h5_exists(f, group)) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, group, "missing");
    }
    status = perp_sequence_attribute_text(f, group, "storage", storage, sizeof storage);
    status = status ? status : perp_sequence_attribute_size(f, group, "rows", &s->rows);
    status = status ? status : perp_sequence_attribute_size(f, group, "cols", &s->cols);
    status =
        status ? status : perp_sequence_attribute_size(f, group, "edge", &s->block_size);
    if (status != PERP_OK) {
        return status;
    }
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
        status = perp_operator_new_from_dense(A, s->rows, s->cols, x, s->rows, f->err);
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

    status = status ? status
                    : perp_h5_integers(f, perp_h5_join(inside, group, "col"), PERP_H5_ANY,
                                       &count, &col);
    status = status ? status : check_pattern(f, group, s, ptr, col, count);
    if (status == PERP_OK && !perp_mul(count, s->block_size * s->block_size, &numbers)) {
        status =
            perp_h5_fail(f, PERP_ERR_FORMAT, group, "%zu blocks are too many", count);
    }
    status = status
                 ? status
                 : perp_h5_reals(f, perp_h5_join(inside, group, "x"), numbers, NULL, &x);
    if (status == PERP_OK) {
        status =
            perp_operator_new_sparse(A, s->rows, s->cols, s->block_size, count, f->err);
    }
    if (status == PERP_OK) {
        for (size_t i = 0; i <= rows; i++) {
            (*A)->ptr[i] = (size_t)ptr[i];
        }
        for (size_t k = 0; k < count; k++) {
            (*A)->col[k] = (int32_t)col[k];
        }
        memcpy((*A)->x, x, numbers * sizeof *x);
    }
    free(ptr);
    free(col);
    free(x);
    return status;
}

/* J and G, both rows x nv in CSR, and the diagonal C. */
static perp_status read_factored(const perp_h5_file *f, const char *group,
                                 const shape *of, perp_operator **A)
{
    char inside[PERP_H5_PATH];
    perp_operator *J = NULL;
    perp_operator *G = NULL;
    double *C = NULL;
    shape s = {0};
    perp_status status =
        read_shape(f, perp_h5_join(inside, group, "J"), of->rows, PERP_H5_ANY, &s);

    if (status == PERP_OK && (s.dense || s.factored || s.block_size != 1)) {
        status =
            perp_h5_fail(f, PERP_ERR_FORMAT, inside, "storage of a factor, expected csr");
    }
    status = status ? status : read_sparse(f, inside, &s, &J);
    status = status
                 ? status
                 : read_shape(f, perp_h5_join(inside, group, "G"), of->rows, s.cols, &s);
    if (status == PERP_OK && (s.dense || s.factored || s.block_size != 1)) {
        status =
            perp_h5_fail(f, PERP_ERR_FORMAT, inside, "storage of a factor, expected csr");
    }
    status = status ? status : read_sparse(f, inside, &s, &G);
    status = status
                 ? status
                 : perp_h5_reals(f, perp_h5_join(inside, group, "C"), of->rows, NULL, &C);
    /* Kernels read the rows of both by the columns of J. */
    if (status == PERP_OK &&
        (J->count != G->count ||
         memcmp(J->ptr, G->ptr, (of->rows + 1) * sizeof *J->ptr) != 0 ||
         memcmp(J->col, G->col, J->count * sizeof *J->col) != 0)) {
        status =
            perp_h5_fail(f, PERP_ERR_FORMAT, group, "J and G differ in their columns");
    }
    status = status ? status : perp_factored_of_copies(A, J, G, C, f->err);
    perp_operator_free(J);
    perp_operator_free(G);
    free(C);
    return status;
}

perp_status perp_sequence_read_matrix(const perp_h5_file *f, const char *group,
                                      size_t rows, size_t cols, perp_operator **A)
{
    shape s = {0};
    perp_status status = read_shape(f, group, rows, cols, &s);

    if (status != PERP_OK) {
        return status;
    }
    if (s.factored) {
        return read_factored(f, group, &s, A);
    }
    return s.dense ? read_dense(f, group, &s, A) : read_sparse(f, group, &s, A);
}

/* Dense columns without what pads them. */
static perp_status put_dense(const perp_h5_file *f, const char *inside,
                             const perp_operator *A)
{
    size_t count = 0;
    double *x = perp_mul(A->rows, A->cols, &count) ? perp_reals_new(count) : NULL;
    perp_status status = PERP_OK;

    if (!x) {
        return perp_h5_fail(f, PERP_ERR_MEMORY, inside, "no memory for %zu x %zu entries",
                            A->rows, A->cols);
    }
    for (size_t j = 0; j < A->cols; j++) {
        memcpy(x + j * A->rows, A->x + j * A->ld, A->rows * sizeof *x);
    }
    status = perp_h5_put_reals(f, inside, count, x);
    free(x);
    return status;
}

static perp_status put_sparse(const perp_h5_file *f, const char *group,
                              const perp_operator *A)
{
    char inside[PERP_H5_PATH];
    size_t rows = A->rows / A->block_size;
    int64_t *ptr = calloc(rows + 1, sizeof *ptr);
    perp_status status = PERP_OK;

    if (!ptr) {
        return perp_h5_fail(f, PERP_ERR_MEMORY, group, "no memory for %zu rows", rows);
    }
    for (size_t i = 0; i <= rows; i++) {
        ptr[i] = (int64_t)A->ptr[i];
    }
    status = perp_h5_put_wide(f, perp_h5_join(inside, group, "ptr"), rows + 1, ptr);
    free(ptr);
    status = status ? status
                    : perp_h5_put_integers(f, perp_h5_join(inside, group, "col"),
                                           A->count, A->col);
    return status ? status
                  : perp_h5_put_reals(f, perp_h5_join(inside, group, "x"),
                                      A->count * A->block_size * A->block_size, A->x);
}

perp_status perp_sequence_put_matrix(const perp_h5_file *f, const char *group,
                                     const perp_operator *A)
{
    char inside[PERP_H5_PATH];
    perp_operator *sparse = NULL;
    perp_status status = PERP_OK;

    if (A->pairs) { /* a file holds sparse rows */
        status = perp_operator_convert(&sparse, A, PERP_STORAGE_FACTORED, 1, f->err);
        status = status ? status : perp_sequence_put_matrix(f, group, sparse);
        perp_operator_free(sparse);
        return status;
    }
    status = perp_h5_put_group(f, group);
    status =
        status ? status : perp_h5_put_attribute_text(f, group, "storage", A->type->name);
    status = status ? status : perp_h5_put_attribute(f, group, "rows", A->rows);
    status = status ? status : perp_h5_put_attribute(f, group, "cols", A->cols);
    status = status ? status
                    : perp_h5_put_attribute(f, group, "edge",
                                            A->block_size ? A->block_size : 1);
    if (status != PERP_OK) {
        return status;
    }
    if (A->factored) {
        status =
            perp_sequence_put_matrix(f, perp_h5_join(inside, group, "J"), A->factored->J);
        status = status ? status
                        : perp_sequence_put_matrix(f, perp_h5_join(inside, group, "G"),
                                                   A->factored->G);
        return status ? status
                      : perp_h5_put_reals(f, perp_h5_join(inside, group, "C"), A->rows,
                                          A->factored->C);
    }
    return A->ptr ? put_sparse(f, group, A)
                  : put_dense(f, perp_h5_join(inside, group, "x"), A);
}
