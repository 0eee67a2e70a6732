/* SPDX-License-Identifier: Apache-2.0
 * formats/siconos_matrix_write.c: write a matrix of the Siconos text format, exactly.
 *
 * A dense matrix is written by columns, in lines of as many numbers as there are columns, a sparse one in
 * blocks: a block is written when any of its entries is stored, by columns, zeros filled in;
 * blocks of one row and column keep the pattern of CSR. The sparse form of Siconos is never
 * written, since it keeps six digits only. Numbers have 17 digits, which is exact. */
#include <config.h>

#include "siconos.h"

perp_status perp_siconos_cut_evenly(siconos_cut *cut, size_t n, size_t block_size,
                                    perp_error *err)
{
    cut->count = n / block_size;
    cut->ends = calloc(cut->count + 1, sizeof *cut->ends);
    if (!cut->ends) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu blocks", cut->count);
    }
    for (size_t k = 0; k < cut->count; k++) {
        cut->ends[k] = (k + 1) * block_size;
    }
    return PERP_OK;
}

static void print_sizes(FILE *f, const size_t *x, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        fprintf(f, "%zu\t", x[k]);
    }
    fputc('\n', f);
}

void perp_siconos_print_reals(FILE *f, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        fprintf(f, "%.17g%c", x[i], i + 1 < n ? ' ' : '\n');
    }
}

typedef struct dense_printer {
    FILE *f;
    size_t in_line, columns;
} dense_printer;

static void print_dense_value(void *context, size_t j, double a)
{
    dense_printer *d = context;

    (void)j;
    d->in_line++;
    fprintf(d->f, "%.17g%c", a, d->in_line % d->columns ? ' ' : '\n');
}

perp_status perp_siconos_write_dense(FILE *f, const perp_operator *A, perp_error *err)
{
    perp_operator *T = NULL;
    perp_operator *dense = NULL;
    dense_printer d = {.f = f, .columns = A->cols};
    perp_status status = perp_operator_convert(&dense, A, PERP_STORAGE_DENSE, 1, err);

    if (status == PERP_OK) {
        status = perp_operator_transpose(&T, dense, err);
    }
    if (status == PERP_OK) {
        fprintf(f, "0\n%zu\n%zu\n%zu\t%zu\n", A->rows, A->cols, A->rows, A->cols);
        for (size_t j = 0; A->rows > 0 && j < A->cols; j++) {
            perp_operator_row_visit(T, j, print_dense_value, &d);
        }
    }
    perp_operator_free(T);
    perp_operator_free(dense);
    return status;
}

/* The block pattern of a matrix, found one block row after another. */
typedef struct pattern {
    const perp_operator *A;
    size_t *block_of; /* columns of A: the block column of each */
    bool *seen;       /* block columns: is it in the current block row? */
    size_t *start;    /* block rows + 1 */
    size_t *col;      /* count: block column of each block */
    size_t count, room;
    bool no_memory;
} pattern;

static void pattern_free(pattern *t)
{
    free(t->block_of);
    free(t->seen);
    free(t->start);
    free(t->col);
}

static void pattern_add(pattern *t, size_t J)
{
    if (t->count == t->room) {
        size_t room = 2 * t->room + 16;
        size_t *col = realloc(t->col, room * sizeof *col);

        if (!col) {
            t->no_memory = true;
            return;
        }
        t->col = col;
        t->room = room;
    }
    t->col[t->count++] = J;
    t->seen[J] = true;
}

/* A dense matrix has blocks where it is not +0. */
static void find_block(void *context, size_t j, double a)
{
    pattern *t = context;
    size_t J = t->block_of[j];

    if (!t->seen[J] && (t->A->ptr || a != 0.0 || signbit(a))) {
        pattern_add(t, J);
    }
}

static int compare_sizes(const void *a, const void *b)
{
    size_t x = *(const size_t *)a;
    size_t y = *(const size_t *)b;

    return (x > y) - (x < y);
}

static size_t first_of(const siconos_cut *cut, size_t k)
{
    return k ? cut->ends[k - 1] : 0;
}

static perp_status find_pattern(pattern *t, const siconos_cut *rows,
                                const siconos_cut *cols, perp_error *err)
{
    t->block_of = calloc(t->A->cols + 1, sizeof *t->block_of);
    t->seen = calloc(cols->count + 1, sizeof *t->seen);
    t->start = calloc(rows->count + 1, sizeof *t->start);
    t->no_memory = !t->block_of || !t->seen || !t->start;
    for (size_t J = 0; !t->no_memory && J < cols->count; J++) {
        for (size_t j = first_of(cols, J); j < cols->ends[J]; j++) {
            t->block_of[j] = J;
        }
    }
    for (size_t I = 0; !t->no_memory && I < rows->count; I++) {
        size_t first = t->count;

        for (size_t i = first_of(rows, I); i < rows->ends[I]; i++) {
            perp_operator_row_visit(t->A, i, find_block, t);
        }
        if (t->count > first) {
            qsort(t->col + first, t->count - first, sizeof *t->col, compare_sizes);
        }
        for (size_t k = first; k < t->count; k++) {
            t->seen[t->col[k]] = false;
        }
        t->start[I + 1] = t->count;
    }
    return t->no_memory
               ? perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu blocks", t->count)
               : PERP_OK;
}

static void print_block(FILE *f, const perp_operator *A, const siconos_cut *rows,
                        const siconos_cut *cols, size_t I, size_t J)
{
    for (size_t j = first_of(cols, J); j < cols->ends[J]; j++) {
        for (size_t i = first_of(rows, I); i < rows->ends[I]; i++) {
            fprintf(f, "%.17g\n", perp_operator_entry(A, i, j));
        }
    }
}

perp_status perp_siconos_write_blocks(FILE *f, const perp_operator *A,
                                      const siconos_cut *rows, const siconos_cut *cols,
                                      perp_error *err)
{
    pattern t = {.A = A};
    perp_status status = find_pattern(&t, rows, cols, err);

    if (status == PERP_OK) {
        fprintf(f, "1\n%zu\n%zu\n%zu\n", A->rows, A->cols, t.count);
    }
    if (status == PERP_OK && t.count > 0) {
        fprintf(f, "%zu\n%zu\n", rows->count, cols->count);
        print_sizes(f, rows->ends, rows->count);
        print_sizes(f, cols->ends, cols->count);
        fprintf(f, "%zu\n%zu\n", rows->count + 1, t.count);
        print_sizes(f, t.start, rows->count + 1);
        print_sizes(f, t.col, t.count);
        for (size_t I = 0; I < rows->count; I++) {
            for (size_t k = t.start[I]; k < t.start[I + 1]; k++) {
                fprintf(f, "%zu\n", k);
                print_block(f, A, rows, cols, I, t.col[k]);
            }
        }
    }
    pattern_free(&t);
    return status;
}
