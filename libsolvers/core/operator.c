/* SPDX-License-Identifier: Apache-2.0
 * core/operator.c: makers of matrices, and the verbs that are the same for every storage.
 *
 * Arrays of numbers start on 64 bytes, a cache line and the widest vector register. Extents
 * stay within int, since BLAS and the column indices are narrow; entries are counted in
 * size_t. */
#include <config.h>

#include <assert.h>
#include <cblas.h>
#include <limits.h>

#include "solvers.h"

enum { operator_alignment = 64, operator_power_steps = 12 };

/* Room for a*b items of `size` bytes, aligned; never of length zero. NULL without memory. */
static void *operator_array(size_t a, size_t b, size_t size)
{
    size_t bytes = 0;

    if (!perp_mul(a, b, &bytes) || !perp_mul(bytes, size, &bytes) ||
        bytes > SIZE_MAX - operator_alignment) {
        return NULL;
    }
    bytes = (bytes / operator_alignment + 1) * operator_alignment;
    return aligned_alloc(operator_alignment, bytes);
}

static perp_status operator_new(perp_operator **A, const perp_operator_type *type,
                                size_t rows, size_t cols, perp_error *err)
{
    *A = NULL;
    if (rows > INT_MAX || cols > INT_MAX) {
        return perp_fail(err, PERP_ERR_DATA,
                         "matrix of %zu x %zu: extents beyond %d are not supported", rows,
                         cols, INT_MAX);
    }
    *A = calloc(1, sizeof **A);
    if (!*A) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a matrix");
    }
    (*A)->type = type;
    (*A)->rows = rows;
    (*A)->cols = cols;
    (*A)->edge = 1;
    return PERP_OK;
}

perp_status perp_operator_new_dense(perp_operator **A, size_t rows, size_t cols,
                                    perp_error *err)
{
    perp_status status = operator_new(A, &perp_operator_dense, rows, cols, err);
    size_t ld = (rows / 8 + (rows % 8 != 0 || rows == 0)) * 8;

    if (status != PERP_OK) {
        return status;
    }
    (*A)->ld = ld;
    (*A)->count = rows * cols; /* both fit in int, so the product fits in size_t */
    (*A)->x = operator_array(ld, cols, sizeof(double));
    if (!(*A)->x) {
        perp_operator_free(*A);
        *A = NULL;
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a dense %zu x %zu matrix",
                         rows, cols);
    }
    memset((*A)->x, 0, ld * cols * sizeof(double));
    return PERP_OK;
}

perp_status perp_operator_new_from_dense(perp_operator **A, size_t rows, size_t cols,
                                         const double *x, size_t ld, perp_error *err)
{
    perp_status status = PERP_OK;

    *A = NULL;
    if (ld < rows) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "matrix of %zu x %zu: leading dimension is %zu, expected at "
                         "least the rows",
                         rows, cols, ld);
    }
    status = perp_operator_new_dense(A, rows, cols, err);
    for (size_t j = 0; status == PERP_OK && rows > 0 && j < cols; j++) {
        memcpy((*A)->x + j * (*A)->ld, x + j * ld, rows * sizeof(double));
    }
    return status;
}

perp_status perp_operator_new_sparse(perp_operator **A, size_t rows, size_t cols,
                                     size_t edge, size_t count, perp_error *err)
{
    size_t block = 0;
    perp_status status = PERP_OK;

    *A = NULL;
    if (edge == 0 || rows % edge != 0 || cols % edge != 0) {
        return perp_fail(err, PERP_ERR_DATA,
                         "matrix of %zu x %zu cannot be cut into blocks of edge %zu",
                         rows, cols, edge);
    }
    status = operator_new(A, edge > 1 ? &perp_operator_bsr : &perp_operator_csr, rows,
                          cols, err);
    if (status != PERP_OK) {
        return status;
    }
    (*A)->edge = edge;
    (*A)->count = count;
    (*A)->ptr = calloc(rows / edge + 1, sizeof(size_t));
    (*A)->col = operator_array(count, 1, sizeof(int32_t));
    (*A)->x = perp_mul(edge, edge, &block) ? operator_array(count, block, sizeof(double))
                                           : NULL;
    if (!(*A)->ptr || !(*A)->col || !(*A)->x) {
        perp_operator_free(*A);
        *A = NULL;
        return perp_fail(err, PERP_ERR_MEMORY,
                         "no memory for a sparse %zu x %zu matrix of %zu entries", rows,
                         cols, count);
    }
    return PERP_OK;
}

/* order[from..] sorted stably by key: one pass of a counting sort. start has keys+1 room. */
static void operator_sort_pass(size_t count, const size_t *order, size_t *sorted,
                               const int32_t *key, size_t keys, size_t *start)
{
    memset(start, 0, (keys + 1) * sizeof *start);
    for (size_t k = 0; k < count; k++) {
        start[(size_t)key[k] + 1]++;
    }
    for (size_t i = 0; i < keys; i++) {
        start[i + 1] += start[i];
    }
    for (size_t k = 0; k < count; k++) {
        size_t item = order ? order[k] : k;

        sorted[start[key[item]]++] = item;
    }
}

/* Triplets in the order of rows, then columns, then appearance. */
static size_t *operator_sorted(size_t rows, size_t cols, size_t count, const int32_t *i,
                               const int32_t *j)
{
    size_t *by_col = operator_array(count, 1, sizeof(size_t));
    size_t *order = operator_array(count, 1, sizeof(size_t));
    size_t *start = operator_array((rows > cols ? rows : cols) + 1, 1, sizeof(size_t));

    if (by_col && order && start) {
        operator_sort_pass(count, NULL, by_col, j, cols, start);
        operator_sort_pass(count, by_col, order, i, rows, start);
    } else {
        free(order);
        order = NULL;
    }
    free(by_col);
    free(start);
    return order;
}

perp_status perp_operator_new_from_triplets(perp_operator **A, size_t rows, size_t cols,
                                            size_t count, const int32_t *i,
                                            const int32_t *j, const double *x,
                                            perp_error *err)
{
    perp_status status = PERP_OK;
    size_t *order = NULL;
    size_t stored = 0;

    *A = NULL;
    for (size_t k = 0; k < count; k++) {
        if (i[k] < 0 || (size_t)i[k] >= rows || j[k] < 0 || (size_t)j[k] >= cols) {
            return perp_fail(err, PERP_ERR_DATA,
                             "entry %zu at row %d, column %d (from 0) lies outside the "
                             "%zu x %zu matrix",
                             k, (int)i[k], (int)j[k], rows, cols);
        }
    }
    status = perp_operator_new_sparse(A, rows, cols, 1, count, err);
    if (status != PERP_OK) {
        return status;
    }
    order = operator_sorted(rows, cols, count, i, j);
    if (!order) {
        perp_operator_free(*A);
        *A = NULL;
        return perp_fail(err, PERP_ERR_MEMORY, "no memory to sort %zu entries", count);
    }
    for (size_t k = 0; k < count; k++) {
        size_t item = order[k];

        if (k > 0 && i[order[k - 1]] == i[item] && j[order[k - 1]] == j[item]) {
            (*A)->x[stored - 1] += x[item];
            continue;
        }
        (*A)->col[stored] = j[item];
        (*A)->x[stored++] = x[item];
        (*A)->ptr[i[item] + 1]++;
    }
    for (size_t row = 0; row < rows; row++) {
        (*A)->ptr[row + 1] += (*A)->ptr[row];
    }
    (*A)->count = stored;
    free(order);
    return PERP_OK;
}

perp_status perp_operator_copy(perp_operator **out, const perp_operator *A,
                               perp_error *err)
{
    perp_status status = PERP_OK;
    size_t block_rows = A->rows / A->edge;
    size_t count = 0;

    if (!A->ptr) {
        return perp_operator_new_from_dense(out, A->rows, A->cols, A->x, A->ld, err);
    }
    count = A->ptr[block_rows];
    status = perp_operator_new_sparse(out, A->rows, A->cols, A->edge, count, err);
    if (status == PERP_OK) {
        (*out)->type = A->type;
        memcpy((*out)->ptr, A->ptr, (block_rows + 1) * sizeof(size_t));
        memcpy((*out)->col, A->col, count * sizeof(int32_t));
        memcpy((*out)->x, A->x, count * A->edge * A->edge * sizeof(double));
    }
    return status;
}

void perp_operator_free(perp_operator *A)
{
    if (A) {
        free(A->ptr);
        free(A->col);
        free(A->x);
        free(A);
    }
}

void perp_operator_apply(const perp_operator *A, const double *x, double *y)
{
    A->type->apply(A, x, y);
}

void perp_operator_apply_transposed(const perp_operator *A, const double *x, double *y)
{
    A->type->apply_transposed(A, x, y);
}

double perp_operator_row_dot(const perp_operator *A, size_t i, const double *x)
{
    double y = 0.0;

    A->type->rows_dot(A, i, 1, x, &y);
    return y;
}

void perp_operator_rows_dot(const perp_operator *A, size_t first, size_t dim,
                            const double *z, double *y)
{
    A->type->rows_dot(A, first, dim, z, y);
}

double perp_operator_entry(const perp_operator *A, size_t i, size_t j)
{
    return A->type->entry(A, i, j);
}

double perp_operator_diagonal(const perp_operator *A, size_t i)
{
    return A->type->entry(A, i, i);
}

void perp_operator_diagonal_block(const perp_operator *A, size_t first, size_t dim,
                                  double *D)
{
    for (size_t j = 0; j < dim; j++) {
        for (size_t i = 0; i < dim; i++) {
            D[i + j * dim] = A->type->entry(A, first + i, first + j);
        }
    }
}

/* The larger of m and |a|; a NaN stays once met. */
static double operator_larger(double m, double a)
{
    a = fabs(a);
    return isnan(m) || a <= m ? m : a;
}

static void operator_visit_max(void *context, size_t j, double a)
{
    double *m = context;

    (void)j;
    *m = operator_larger(*m, a);
}

double perp_operator_row_max(const perp_operator *A, size_t i)
{
    double m = 0.0;

    A->type->row_visit(A, i, operator_visit_max, &m);
    return m;
}

/* Numbers lie in runs: one a column of a dense matrix, one in all of a sparse matrix. */
static size_t operator_runs(const perp_operator *A, size_t *length)
{
    *length = A->ptr ? perp_operator_nonzeros(A) : A->rows;
    return A->ptr ? 1 : A->cols;
}

double perp_operator_max(const perp_operator *A)
{
    size_t length = 0;
    size_t runs = operator_runs(A, &length);
    double m = 0.0;

    for (size_t r = 0; r < runs; r++) {
        for (size_t k = 0; k < length; k++) {
            m = operator_larger(m, A->x[k + r * A->ld]);
        }
    }
    return m;
}

typedef struct operator_pair {
    const perp_operator *A;
    size_t row;
    double gap;
} operator_pair;

static void operator_visit_gap(void *context, size_t j, double a)
{
    operator_pair *pair = context;

    pair->gap =
        operator_larger(pair->gap, a - pair->A->type->entry(pair->A, j, pair->row));
}

/* The largest |A_ij - A_ji| of a dense matrix, tile by tile, so that the rows of a tile stay in
 * the cache while its columns are read. */
static double operator_dense_gap(const perp_operator *A)
{
    enum { TILE = 32 };
    size_t n = A->rows;
    double gap = 0.0;

    for (size_t jj = 0; jj < n; jj += TILE) {
        for (size_t ii = jj; ii < n; ii += TILE) {
            size_t j_end = jj + TILE < n ? jj + TILE : n;
            size_t i_end = ii + TILE < n ? ii + TILE : n;

            for (size_t j = jj; j < j_end; j++) {
                for (size_t i = ii; i < i_end; i++) {
                    gap = operator_larger(gap, A->x[i + j * A->ld] - A->x[j + i * A->ld]);
                }
            }
        }
    }
    return gap;
}

double perp_operator_asymmetry(const perp_operator *A)
{
    operator_pair pair = {.A = A};
    double largest = 0.0;

    if (A->rows != A->cols) {
        return INFINITY;
    }
    largest = perp_operator_max(A);
    if (A->type == &perp_operator_dense) {
        pair.gap = operator_dense_gap(A);
    }
    for (pair.row = 0; pair.row < A->rows && A->ptr; pair.row++) {
        A->type->row_visit(A, pair.row, operator_visit_gap, &pair);
    }
    return largest == 0.0 ? 0.0 : pair.gap / largest;
}

bool perp_operator_is_symmetric(const perp_operator *A)
{
    /* rounding of W = H^T M^-1 H leaves some 1e-16 of the largest entry; 1e-14 has room */
    return perp_operator_asymmetry(A) <= 1e-14;
}

size_t perp_operator_nonzeros(const perp_operator *A)
{
    return A->ptr ? A->ptr[A->rows / A->edge] * A->edge * A->edge : A->rows * A->cols;
}

double perp_operator_norm_estimate(const perp_operator *A, double *work)
{
    size_t n = A->rows;
    double *v = work;
    double *w = work + n;
    double rho = 0.0;

    assert(A->rows == A->cols);
    /* uneven on purpose: (1, ..., 1) is a null vector of many Laplacians */
    for (size_t i = 0; i < n; i++) {
        v[i] = 1.0 + 0.01 * (double)(i * 37 % 101) - 1.7 * (double)(i % 3 == 1);
    }
    for (int step = 0; step <= operator_power_steps && n > 0; step++) {
        double length = cblas_dnrm2((int)n, v, 1);

        rho = step == 0 ? rho : length;
        if (length == 0.0 || !isfinite(length)) {
            break;
        }
        for (size_t i = 0; i < n; i++) {
            w[i] = v[i] / length;
        }
        if (step < operator_power_steps) {
            perp_operator_apply(A, w, v);
        }
    }
    return 1.05 * rho;
}

void perp_operator_add_diagonal(perp_operator *A, double d)
{
    size_t n = A->rows < A->cols ? A->rows : A->cols;
    size_t e = A->edge;

    for (size_t i = 0; !A->ptr && i < n; i++) {
        A->x[i + i * A->ld] += d;
    }
    for (size_t i = 0; A->ptr && i < n / e; i++) {
        size_t k = A->ptr[i];

        while (k < A->ptr[i + 1] && (size_t)A->col[k] < i) {
            k++;
        }
        assert(k < A->ptr[i + 1] && (size_t)A->col[k] == i);
        for (size_t r = 0; r < e; r++) {
            A->x[k * e * e + r + r * e] += d;
        }
    }
}

typedef struct operator_search {
    bool found;
    size_t column;
} operator_search;

static void operator_visit_nonfinite(void *context, size_t j, double a)
{
    operator_search *search = context;

    if (!search->found && !isfinite(a)) {
        search->found = true;
        search->column = j;
    }
}

bool perp_operator_find_nonfinite(const perp_operator *A, size_t *i, size_t *j)
{
    size_t length = 0;
    size_t runs = operator_runs(A, &length);
    operator_search search = {false, 0};
    bool finite = true;

    /* nearly always all is well, and a look along the storage says so at once */
    for (size_t r = 0; r < runs; r++) {
        finite = finite && perp_all_finite(A->x + r * A->ld, length);
    }
    for (size_t row = 0; !finite && row < A->rows; row++) {
        A->type->row_visit(A, row, operator_visit_nonfinite, &search);
        if (search.found) {
            *i = row;
            *j = search.column;
            return true;
        }
    }
    return false;
}

bool perp_operator_same(const perp_operator *A, const perp_operator *B)
{
    size_t block_rows = A->rows / A->edge;
    size_t length = 0;
    size_t runs = operator_runs(A, &length);
    bool same = A->type == B->type && A->rows == B->rows && A->cols == B->cols &&
                A->edge == B->edge;

    if (same && A->ptr) {
        same = memcmp(A->ptr, B->ptr, (block_rows + 1) * sizeof(size_t)) == 0 &&
               memcmp(A->col, B->col, A->ptr[block_rows] * sizeof(int32_t)) == 0;
    }
    for (size_t r = 0; same && r < runs; r++) {
        same = memcmp(A->x + r * A->ld, B->x + r * B->ld, length * sizeof(double)) == 0;
    }
    return same;
}
