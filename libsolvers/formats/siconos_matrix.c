/* SPDX-License-Identifier: Apache-2.0
 * formats/siconos_matrix.c: read a matrix of the Siconos text format, dense or in blocks.
 *
 *     storage  rows  columns     storage: 0 dense, 1 sparse block, 2 sparse
 *
 * Dense repeats the sizes and holds its values by columns, though the lines of a file look
 * like rows. Blocks are listed by rows with cumulative ends of the block rows and columns;
 * they need not be square nor of one size, may be zero, and may be fewer than the rows. */
#include <config.h>

#include "base/base.h"
#include "siconos.h"

static perp_status read_dense(perp_scan *s, const char *name, size_t rows, size_t cols,
                              perp_operator **A)
{
    size_t again = 0;
    size_t total = 0;
    perp_status status = PERP_OK;

    TRY(perp_scan_size(s, "the second number of rows", rows, rows, &again));
    TRY(perp_scan_size(s, "the second number of columns", cols, cols, &again));
    if (!perp_mul(rows, cols, &total) || total > perp_scan_room(s)) {
        return perp_scan_fail(s, PERP_ERR_READ,
                              "%s is %zu x %zu, the rest of the file has room for %zu "
                              "numbers",
                              name, rows, cols, perp_scan_room(s));
    }
    status = perp_operator_new_dense(A, rows, cols, s->err);
    for (size_t j = 0; status == PERP_OK && j < cols; j++) {
        for (size_t i = 0; status == PERP_OK && i < rows; i++) {
            status =
                perp_scan_value(s, (*A)->x + i + j * (*A)->ld, "%s(%zu,%zu)", name, i, j);
        }
    }
    return status;
}

/* A matrix in blocks: what stands before the values. */
typedef struct block_list {
    size_t count;           /* blocks */
    siconos_cut rows, cols; /* where block rows and columns end */
    size_t *start;          /* rows.count + 1: first block of a block row */
    size_t *col;            /* count: block column of a block */
    bool sorted;            /* block columns ascend in every row */
} block_list;

static void block_list_free(block_list *list)
{
    free(list->rows.ends);
    free(list->cols.ends);
    free(list->start);
    free(list->col);
}

#define ANY_ORDER SIZE_MAX

/* `n` integers from `min` to `max`, each at least `rise` above the one before. */
static perp_status read_indices(perp_scan *s, const char *what, size_t n, size_t min,
                                size_t max, size_t rise, size_t **out)
{
    size_t *k = calloc(n + 1, sizeof *k);

    *out = k;
    if (!k) {
        return perp_fail(s->err, PERP_ERR_MEMORY, "%s: no memory for %zu indices",
                         s->path, n);
    }
    for (size_t i = 0; i < n; i++) {
        TRY(perp_scan_size(s, what, min, max, k + i));
        min = rise == ANY_ORDER ? min : k[i] + rise;
    }
    return PERP_OK;
}

/* Ends of block rows or columns: they ascend, and the last is the size of the matrix. */
static perp_status read_cut(perp_scan *s, const char *what, size_t size, siconos_cut *cut)
{
    perp_status status = read_indices(s, what, cut->count, 1, size, 1, &cut->ends);

    if (status == PERP_OK && (cut->count ? cut->ends[cut->count - 1] : 0) != size) {
        return perp_scan_fail(s, PERP_ERR_FORMAT, "the last %s is %zu, expected %zu",
                              what, cut->count ? cut->ends[cut->count - 1] : 0, size);
    }
    return status;
}

/* Row starts and block columns. */
static perp_status read_pattern(perp_scan *s, block_list *list)
{
    size_t filled = 0;
    size_t again = 0;
    size_t n = list->rows.count;
    size_t *start = NULL;
    perp_status status = perp_scan_size(s, "filled1", 1, n + 1, &filled);

    if (status == PERP_OK) {
        status = perp_scan_size(s, "filled2", list->count, list->count, &again);
    }
    if (status == PERP_OK) {
        status = read_indices(s, "index1", filled, 0, list->count, 0, &start);
    }
    if (status == PERP_OK && (start[0] != 0 || start[filled - 1] != list->count)) {
        status = perp_scan_fail(s, PERP_ERR_FORMAT,
                                "index1 goes from %zu to %zu, expected 0 to %zu",
                                start[0], start[filled - 1], list->count);
    }
    if (status == PERP_OK) {
        status = read_indices(s, "index2", list->count, 0, list->cols.count - 1,
                              ANY_ORDER, &list->col);
    }
    if (status == PERP_OK) {
        list->start = calloc(n + 1, sizeof *list->start);
        if (!list->start) {
            status = perp_fail(s->err, PERP_ERR_MEMORY, "%s: no memory for %zu rows",
                               s->path, n);
        }
    }
    /* Rows beyond filled1 have no block. */
    for (size_t i = 0; status == PERP_OK && i <= n; i++) {
        list->start[i] = i < filled ? start[i] : list->count;
    }
    free(start);
    return status;
}

static perp_status read_block_list(perp_scan *s, const char *name, size_t rows,
                                   size_t cols, block_list *list)
{
    perp_status status =
        perp_scan_size(s, "the number of blocks", 0, perp_scan_room(s), &list->count);

    if (status != PERP_OK || list->count == 0) {
        return status;
    }
    if (rows == 0 || cols == 0) {
        return perp_scan_fail(s, PERP_ERR_FORMAT, "%s is %zu x %zu but has %zu blocks",
                              name, rows, cols, list->count);
    }
    status = perp_scan_size(s, "the number of block rows", 1, rows, &list->rows.count);
    if (status == PERP_OK) {
        status =
            perp_scan_size(s, "the number of block columns", 1, cols, &list->cols.count);
    }
    if (status == PERP_OK) {
        status = read_cut(s, "end of a block row", rows, &list->rows);
    }
    if (status == PERP_OK) {
        status = read_cut(s, "end of a block column", cols, &list->cols);
    }
    if (status == PERP_OK) {
        status = read_pattern(s, list);
    }
    return status;
}

static size_t cut_start(const siconos_cut *cut, size_t k)
{
    return k ? cut->ends[k - 1] : 0;
}

static size_t cut_size(const siconos_cut *cut, size_t k)
{
    return cut->ends[k] - cut_start(cut, k);
}

static bool cut_is_even(const siconos_cut *cut, size_t block_size)
{
    for (size_t k = 0; k < cut->count; k++) {
        if (cut->ends[k] != (k + 1) * block_size) {
            return false;
        }
    }
    return true;
}

/* Count the values and find out whether block columns ascend. */
static bool measure_blocks(block_list *list, size_t most, size_t *values)
{
    *values = 0;
    list->sorted = true;
    for (size_t i = 0; i < list->rows.count; i++) {
        for (size_t k = list->start[i]; k < list->start[i + 1]; k++) {
            size_t area = 0;

            if (!perp_mul(cut_size(&list->rows, i), cut_size(&list->cols, list->col[k]),
                          &area) ||
                area > most || (*values += area) > most) {
                return false;
            }
            if (k > list->start[i] && list->col[k] <= list->col[k - 1]) {
                list->sorted = false;
            }
        }
    }
    return true;
}

/* Where the values go: into the blocks of `bsr`, or to triplets. */
typedef struct block_values {
    perp_operator *bsr;
    size_t count; /* values in the blocks */
    perp_triplets t;
} block_values;

static void block_values_free(block_values *v)
{
    perp_triplets_free(&v->t);
    perp_operator_free(v->bsr);
}

/* The values of block k: block row I, by columns, after its number. */
static perp_status read_block(perp_scan *s, const char *name, const block_list *list,
                              size_t I, size_t k, block_values *v)
{
    size_t number = 0;
    size_t J = list->col[k];
    perp_status status = perp_scan_size(s, "the number of a block", k, k, &number);

    for (size_t j = cut_start(&list->cols, J); j < list->cols.ends[J]; j++) {
        for (size_t i = cut_start(&list->rows, I);
             status == PERP_OK && i < list->rows.ends[I]; i++) {
            double a = 0.0;

            status = perp_scan_value(s, &a, "%s(%zu,%zu)", name, i, j);
            if (v->bsr) {
                v->bsr->x[v->count++] = a;
            } else {
                perp_triplets_add(&v->t, i, j, a);
            }
        }
    }
    return status;
}

/* Blocks of one size whose columns ascend are stored in place. */
static perp_status block_values_init(perp_scan *s, const block_list *list, size_t rows,
                                     size_t cols, size_t block_size, size_t values,
                                     block_values *v)
{
    perp_status status = PERP_OK;

    if (block_size <= 1) {
        perp_triplets_init(&v->t, rows, cols, values);
        return perp_triplets_status(&v->t, s->err);
    }
    status =
        perp_operator_new_sparse(&v->bsr, rows, cols, block_size, list->count, s->err);
    if (status == PERP_OK) {
        memcpy(v->bsr->ptr, list->start, (rows / block_size + 1) * sizeof(size_t));
        for (size_t k = 0; k < list->count; k++) {
            v->bsr->col[k] = (int32_t)list->col[k];
        }
    }
    return status;
}

/* Triplets sum repeated blocks and sort unsorted ones. */
static perp_status block_values_finish(perp_scan *s, block_values *v, size_t block_size,
                                       perp_operator **A)
{
    if (v->bsr) {
        *A = v->bsr;
        v->bsr = NULL;
        return PERP_OK;
    }
    TRY(perp_triplets_finish(A, &v->t, s->err));
    return perp_operator_use_blocks(A, block_size, s->err);
}

/* All values, after the list of blocks. */
static perp_status read_values(perp_scan *s, const char *name, const block_list *list,
                               size_t rows, size_t cols, size_t block_size, size_t values,
                               perp_operator **A)
{
    block_values v = {0};
    perp_status status = PERP_OK;

    if (list->count == 0 || !cut_is_even(&list->rows, block_size) ||
        !cut_is_even(&list->cols, block_size)) {
        block_size = 1;
    }
    status =
        block_values_init(s, list, rows, cols, list->sorted ? block_size : 1, values, &v);
    for (size_t i = 0; i < list->rows.count; i++) {
        for (size_t k = list->start[i]; status == PERP_OK && k < list->start[i + 1];
             k++) {
            status = read_block(s, name, list, i, k, &v);
        }
    }
    if (status == PERP_OK) {
        status = block_values_finish(s, &v, block_size, A);
    }
    block_values_free(&v);
    return status;
}

static perp_status read_blocks(perp_scan *s, const char *name, size_t rows, size_t cols,
                               size_t block_size, perp_operator **A, siconos_cut *cut)
{
    block_list list = {0};
    size_t values = 0;
    perp_status status = read_block_list(s, name, rows, cols, &list);

    if (status == PERP_OK && !measure_blocks(&list, perp_scan_room(s), &values)) {
        status = perp_scan_fail(s, PERP_ERR_READ,
                                "the blocks of %s have more values than the rest of the "
                                "file, which has room for %zu",
                                name, perp_scan_room(s));
    }
    if (status == PERP_OK) {
        status = read_values(s, name, &list, rows, cols, block_size, values, A);
    }
    if (status == PERP_OK && cut) {
        *cut = list.rows;
        list.rows.ends = NULL;
    }
    block_list_free(&list);
    return status;
}

perp_status perp_siconos_read_matrix(perp_scan *s, const char *name, size_t rows,
                                     size_t cols, size_t block_size, perp_operator **A,
                                     siconos_cut *cut, perp_notes *notes)
{
    char what[64];
    size_t storage = 0;
    size_t most = perp_scan_room(s); /* each row and column has a number of some vector */
    perp_status status = PERP_OK;

    *A = NULL;
    snprintf(what, sizeof what, "storage of %s", name);
    TRY(perp_scan_size(s, what, cut ? 1 : 0, cut ? 1 : 2, &storage));
    snprintf(what, sizeof what, "number of rows of %s", name);
    TRY(perp_scan_size(s, what, rows == SICONOS_ANY ? 0 : rows,
                       rows == SICONOS_ANY ? most : rows, &rows));
    snprintf(what, sizeof what, "number of columns of %s", name);
    cols = cols == SICONOS_SQUARE ? rows : cols;
    TRY(perp_scan_size(s, what, cols == SICONOS_ANY ? 0 : cols,
                       cols == SICONOS_ANY ? most : cols, &cols));
    if (storage == 0) {
        status = read_dense(s, name, rows, cols, A);
    } else if (storage == 1) {
        status = read_blocks(s, name, rows, cols, block_size, A, cut);
    } else {
        status = perp_siconos_read_sparse(s, name, rows, cols, A, notes);
    }
    if (status != PERP_OK) {
        perp_operator_free(*A);
        *A = NULL;
    }
    return status;
}
