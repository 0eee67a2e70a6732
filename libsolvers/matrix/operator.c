/* SPDX-License-Identifier: Apache-2.0
 * matrix/operator.c: functions that are the same for every storage. */
#include <config.h>

#include <assert.h>
#include <cblas.h>

#include "matrix/storages.h"

enum { operator_power_steps = 12 };

const char *perp_storage_name(perp_storage storage)
{
    static const perp_operator_type *const types[] = {
        &perp_operator_dense, &perp_operator_csr, &perp_operator_bsr,
        &perp_operator_factored, &perp_operator_pairs};

    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        if (types[k]->storage == storage) {
            return types[k]->name;
        }
    }
    return NULL;
}

perp_arrays perp_operator_arrays(const perp_operator *A)
{
    return (perp_arrays){.storage = A->type->storage,
                         .rows = A->rows,
                         .cols = A->cols,
                         .ld = A->ld,
                         .block_size = A->block_size,
                         .count = A->count,
                         .ptr = A->ptr,
                         .col = A->col,
                         .x = A->x};
}

void perp_operator_apply(const perp_operator *A, const double *x, double *y)
{
    A->type->methods->apply(A, x, y);
}

void perp_operator_apply_transposed(const perp_operator *A, const double *x, double *y)
{
    A->type->methods->apply_transposed(A, x, y);
}

double perp_operator_row_dot(const perp_operator *A, size_t i, const double *x)
{
    double y = 0.0;

    A->type->methods->rows_dot(A, i, 1, x, &y);
    return y;
}

static void row_sum_add(void *context, size_t j, double a)
{
    perp_row_sum *s = context;
    double term = a * s->x[j];

    s->sum += term;
    s->size += fabs(term);
}

perp_row_sum perp_operator_row_sum(const perp_operator *A, size_t i, const double *x)
{
    perp_row_sum s = {.x = x};

    A->type->methods->row_visit(A, i, row_sum_add, &s);
    return s;
}

void perp_operator_rows_dot(const perp_operator *A, size_t first, size_t dim,
                            const double *z, double *y)
{
    A->type->methods->rows_dot(A, first, dim, z, y);
}

void perp_operator_row_add(const perp_operator *A, size_t i, double scale, double *out)
{
    A->type->methods->row_add(A, i, scale, out);
}

void perp_operator_row_visit(const perp_operator *A, size_t i,
                             void (*visit)(void *context, size_t j, double a),
                             void *context)
{
    A->type->methods->row_visit(A, i, visit, context);
}

void perp_operator_scale(perp_operator *A, const double *left, const double *right)
{
    A->entries.known = false;
    A->type->methods->scale(A, left, right);
}

bool perp_operator_in_factors(const perp_operator *A)
{
    return A->factored || A->pairs;
}

size_t perp_operator_velocities(const perp_operator *A)
{
    return A->factored ? A->factored->nv : A->pairs ? A->pairs->nv : 0;
}

double *perp_operator_compliance(const perp_operator *A)
{
    return A->factored ? A->factored->C : A->pairs ? A->pairs->C : NULL;
}

double perp_operator_entry(const perp_operator *A, size_t i, size_t j)
{
    return A->type->methods->entry(A, i, j);
}

void perp_operator_diagonal_block(const perp_operator *A, size_t first, size_t dim,
                                  double *D)
{
    if (A->pairs) {
        perp_pairs_diagonal_block(A, first, dim, D);
        return;
    }
    for (size_t j = 0; j < dim; j++) {
        for (size_t i = 0; i < dim; i++) {
            D[i + j * dim] = A->type->methods->entry(A, first + i, first + j);
        }
    }
}

/* The larger of m and |a|; a NaN stays once met. */
static double operator_larger(double m, double a)
{
    a = fabs(a);
    return isnan(m) || a <= m ? m : a;
}

/* The largest |a_k|; NaN if there is one. In four chains: one would wait for each
 * comparison. */
static double operator_largest(size_t count, const double *a)
{
    double m[4] = {0.0}, most = 0.0;
    bool nan = false;

    for (size_t k = 0; k < count; k += 4) {
        for (size_t lane = 0; lane < 4 && k + lane < count; lane++) {
            double d = fabs(a[k + lane]);

            nan = nan || isnan(d);
            m[lane] = d > m[lane] ? d : m[lane];
        }
    }
    for (size_t lane = 0; lane < 4; lane++) {
        most = m[lane] > most ? m[lane] : most;
    }
    return nan ? NAN : most;
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

    A->type->methods->row_visit(A, i, operator_visit_max, &m);
    return m;
}

/* Numbers lie in runs: one per column of a dense matrix, one in all of a sparse matrix; a
 * matrix in factors holds none of its entries. */
static size_t operator_runs(const perp_operator *A, size_t *length)
{
    if (perp_operator_in_factors(A)) {
        *length = 0;
        return 0;
    }
    *length = A->ptr ? perp_operator_nonzeros(A) : A->rows;
    return A->ptr ? 1 : A->cols;
}

double perp_operator_max(const perp_operator *A)
{
    size_t length = 0;
    size_t runs = operator_runs(A, &length);
    double m = 0.0;

    if (A->entries.known && A->entries.largest > 0.0) {
        return A->entries.largest;
    }
    for (size_t r = 0; r < runs; r++) {
        m = operator_larger(m, operator_largest(length, A->x + r * A->ld));
    }
    for (size_t i = 0; perp_operator_in_factors(A) && i < A->rows; i++) {
        m = operator_larger(m, perp_operator_row_max(A, i));
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

    pair->gap = operator_larger(pair->gap,
                                a - pair->A->type->methods->entry(pair->A, j, pair->row));
}

/* A block of a sparse matrix, by its block row and column; NULL where nothing is stored. */
static const double *operator_block(const perp_operator *A, size_t row, size_t column)
{
    size_t from = A->ptr[row];
    size_t to = A->ptr[row + 1];
    size_t end = to;

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if ((size_t)A->col[middle] < column) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    if (from == end || (size_t)A->col[from] != column) {
        return NULL;
    }
    return A->x + from * A->block_size * A->block_size;
}

/* The same block by a place in each row, which moves on as `column` ascends. */
static const double *operator_next_block(const perp_operator *A, size_t *next, size_t row,
                                         size_t column)
{
    size_t at = next[row];
    const size_t end = A->ptr[row + 1];

    while (at < end && (size_t)A->col[at] < column) {
        at++;
    }
    next[row] = at;
    return at < end && (size_t)A->col[at] == column
               ? A->x + at * A->block_size * A->block_size
               : NULL;
}

/* The same of a sparse matrix, block by block. */
static double operator_sparse_gap(const perp_operator *A)
{
    size_t e = A->block_size;
    size_t rows = A->rows / e;
    double gap = 0.0;
    size_t *next = malloc((rows + 1) * sizeof *next); /* NULL: each block is searched */

    if (next) {
        memcpy(next, A->ptr, (rows + 1) * sizeof *next);
    }
    for (size_t row = 0; row < rows; row++) {
        for (size_t k = A->ptr[row]; k < A->ptr[row + 1]; k++) {
            const size_t col = (size_t)A->col[k];
            const double *a = A->x + k * e * e;
            const double *b = next ? operator_next_block(A, next, col, row)
                                   : operator_block(A, col, row);

            for (size_t m = 0; m < e * e; m++) {
                double other = b ? b[m / e + m % e * e] : 0.0;

                gap = operator_larger(gap, a[m] - other);
            }
        }
    }
    free(next);
    return gap;
}

/* Whether J M^-1 J^T is symmetric by its form: M^-1 is, and the rows were scaled alike from both
 * sides. */
static bool operator_symmetric_by_form(const perp_operator *A)
{
    if (A->pairs) {
        return perp_pairs_scaled_evenly(A);
    }
    return A->factored && A->factored->Minv &&
           operator_sparse_gap(A->factored->Minv) == 0.0;
}

double perp_operator_asymmetry(const perp_operator *A)
{
    operator_pair pair = {.A = A};
    double largest = 0.0;

    if (A->entries.known) {
        return A->entries.asymmetry;
    }
    if (A->rows != A->cols) {
        return INFINITY;
    }
    if (operator_symmetric_by_form(A)) {
        return 0.0;
    }
    if (A->type == &perp_operator_dense) {
        perp_dense_measure(A, &largest, &pair.gap);
    } else {
        largest = perp_operator_max(A);
    }
    if (A->ptr) {
        pair.gap = operator_sparse_gap(A);
    }
    for (pair.row = 0; perp_operator_in_factors(A) && pair.row < A->rows; pair.row++) {
        A->type->methods->row_visit(A, pair.row, operator_visit_gap, &pair);
    }
    return largest == 0.0 ? 0.0 : pair.gap / largest;
}

perp_entries perp_operator_measure(const perp_operator *A)
{
    perp_entries entries = {.known = false};
    double gap = 0.0;

    if (A->type == &perp_operator_csr && A->rows == A->cols) {
        entries.largest = perp_operator_max(A);
        gap = operator_sparse_gap(A);
    } else if (A->type == &perp_operator_dense && A->rows == A->cols) {
        perp_dense_measure(A, &entries.largest, &gap);
    } else {
        return entries;
    }
    if (isfinite(entries.largest)) {
        entries.known = true;
        entries.asymmetry = entries.largest == 0.0 ? 0.0 : gap / entries.largest;
    }
    return entries;
}

bool perp_operator_is_symmetric(const perp_operator *A)
{
    return perp_operator_asymmetry(A) <= PERP_SYMMETRIC_MOST;
}

size_t perp_operator_nonzeros(const perp_operator *A)
{
    if (A->pairs) { /* both passes, and the inertias */
        return 24 * A->rows + 2 * A->pairs->nv;
    }
    if (A->factored) {
        return perp_operator_nonzeros(A->factored->J) +
               perp_operator_nonzeros(A->factored->G);
    }
    return A->ptr ? A->ptr[A->rows / A->block_size] * A->block_size * A->block_size
                  : A->rows * A->cols;
}

/* Of the columns of G; those of absent memory count as none. */
static size_t operator_fullest_column(const perp_operator *G)
{
    size_t *count = calloc(G->cols + 1, sizeof *count);
    size_t most = 0;

    for (size_t k = 0; count && k < G->ptr[G->rows]; k++) {
        size_t c = ++count[G->col[k]];

        most = c > most ? c : most;
    }
    free(count);
    return most;
}

size_t perp_operator_largest_degree(const perp_operator *A)
{
    size_t most = 0;

    if (A->factored) {
        return operator_fullest_column(A->factored->G);
    }
    if (A->pairs && perp_pairs_index(A->pairs)) {
        for (size_t k = 0; k < A->pairs->at.bodies; k++) {
            size_t degree = A->pairs->start[k + 1] - A->pairs->start[k];

            most = degree > most ? degree : most;
        }
    }
    return most;
}

double perp_operator_norm_estimate(const perp_operator *A, double *work)
{
    size_t n = A->rows;
    double *v = work;
    double *w = work + n;
    double rho = 0.0;

    assert(A->rows == A->cols);
    /* not constant: (1, ..., 1) is a null vector of many Laplacians */
    for (size_t i = 0; i < n; i++) {
        v[i] = 1.0 + 0.01 * (double)(i * 37 % 101) - 1.7 * (double)(i % 3 == 1);
    }
    perp_blas_hold();
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
    perp_blas_release();
    return 1.05 * rho;
}

void perp_operator_add_diagonal(perp_operator *A, double d)
{
    size_t n = A->rows < A->cols ? A->rows : A->cols;
    size_t e = A->block_size;
    double *C = perp_operator_compliance(A);

    A->entries.known = false;
    for (size_t i = 0; C && i < n; i++) {
        C[i] += d;
    }
    for (size_t i = 0; A->type == &perp_operator_dense && i < n; i++) {
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
    bool finite = A->factored ? perp_factored_bounded(A)
                  : A->pairs  ? perp_pairs_bounded(A)
                              : true;

    /* nearly always all entries are finite, which one pass over the storage shows */
    for (size_t r = 0; r < runs; r++) {
        finite = finite && perp_all_finite(A->x + r * A->ld, length);
    }
    for (size_t row = 0; !finite && row < A->rows; row++) {
        A->type->methods->row_visit(A, row, operator_visit_nonfinite, &search);
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
    size_t block_rows = A->rows / A->block_size;
    size_t length = 0;
    size_t runs = operator_runs(A, &length);
    bool same = A->type == B->type && A->rows == B->rows && A->cols == B->cols &&
                A->block_size == B->block_size;

    if (same && A->ptr) {
        same = memcmp(A->ptr, B->ptr, (block_rows + 1) * sizeof(size_t)) == 0 &&
               memcmp(A->col, B->col, A->ptr[block_rows] * sizeof(int32_t)) == 0;
    }
    if (same && A->factored) {
        same = perp_factored_same(A, B);
    }
    if (same && A->pairs) {
        same = perp_pairs_same(A, B);
    }
    for (size_t r = 0; same && r < runs; r++) {
        same = memcmp(A->x + r * A->ld, B->x + r * B->ld, length * sizeof(double)) == 0;
    }
    return same;
}
