/* SPDX-License-Identifier: Apache-2.0
 * tests/reference/simplex.c: a dense tableau, artificial variables first, and Bland's rule against cycles
 * [chvatal-1983, chapters 3 and 8]. */
#include <config.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "arena.h"
#include "simplex.h"

static const double zero = 1e-9; /* of entries of size 1 */

typedef struct tableau {
    size_t rows, cols; /* cols: with artificial ones, without the right-hand side */
    double *x;         /* (rows + 1) x (cols + 1); the last row: reduced costs */
    size_t *basis;     /* rows */
} tableau;

static double *entry(const tableau *t, size_t i, size_t j)
{
    return t->x + i * (t->cols + 1) + j;
}

static void pivot(tableau *t, size_t row, size_t col)
{
    double p = *entry(t, row, col);

    for (size_t j = 0; j <= t->cols; j++) {
        *entry(t, row, j) /= p;
    }
    for (size_t i = 0; i <= t->rows; i++) {
        double f = *entry(t, i, col);

        for (size_t j = 0; i != row && j <= t->cols; j++) {
            *entry(t, i, j) -= f * *entry(t, row, j);
        }
    }
    t->basis[row] = col;
}

/* Pivot on the first `cols` columns to the optimum; false where there is no least value. */
static bool descend(tableau *t, size_t cols)
{
    for (;;) {
        size_t col = 0;
        size_t row = t->rows;

        while (col < cols && *entry(t, t->rows, col) >= -zero) {
            col++;
        }
        if (col == cols) {
            return true;
        }
        for (size_t i = 0; i < t->rows; i++) {
            double a = *entry(t, i, col);
            double ratio = *entry(t, i, t->cols) / a;
            double best =
                row < t->rows ? *entry(t, row, t->cols) / *entry(t, row, col) : 0;

            if (a > zero && (row == t->rows || ratio < best - zero ||
                             (ratio <= best + zero && t->basis[i] < t->basis[row]))) {
                row = i;
            }
        }
        if (row == t->rows) {
            return false;
        }
        pivot(t, row, col);
    }
}

static double finish(tableau *t, double value)
{
    free(t->x);
    free(t->basis);
    return value;
}

double simplex_least(size_t rows, size_t cols, const double *E, const double *h,
                     const double *c)
{
    tableau t = {.rows = rows, .cols = cols + rows};

    t.x = test_alloc((rows + 1) * (t.cols + 1), sizeof *t.x);
    t.basis = test_alloc(rows + 1, sizeof *t.basis);
    for (size_t i = 0; i < rows; i++) {
        double sign = h[i] < 0.0 ? -1.0 : 1.0;

        for (size_t j = 0; j < cols; j++) {
            *entry(&t, i, j) = sign * E[i * cols + j];
            *entry(&t, rows, j) -= sign * E[i * cols + j];
        }
        *entry(&t, i, cols + i) = 1.0;
        *entry(&t, i, t.cols) = sign * h[i];
        *entry(&t, rows, t.cols) -= sign * h[i];
        t.basis[i] = cols + i;
    }
    descend(&t, cols);
    if (*entry(&t, rows, t.cols) < -1e-6) {
        return finish(&t, NAN);
    }
    for (size_t i = 0; i < rows;
         i++) { /* artificial ones leave, or their row is redundant */
        size_t j = 0;

        while (t.basis[i] >= cols && j < cols && fabs(*entry(&t, i, j)) <= zero) {
            j++;
        }
        if (t.basis[i] >= cols && j < cols) {
            pivot(&t, i, j);
        }
    }
    for (size_t j = 0; j <= t.cols; j++) {
        *entry(&t, rows, j) = j < cols ? c[j] : 0.0;
    }
    for (size_t i = 0; i < rows; i++) {
        double f = t.basis[i] < cols ? c[t.basis[i]] : 0.0;

        for (size_t j = 0; j <= t.cols; j++) {
            *entry(&t, rows, j) -= f * *entry(&t, i, j);
        }
    }
    return finish(&t, descend(&t, cols) ? -*entry(&t, rows, t.cols) : -INFINITY);
}
