/* SPDX-License-Identifier: Apache-2.0
 * linear/tableau.c: exchanges of basic and nonbasic variables in a dense dictionary.
 *
 *     B = T_RC,  T_ij -= T_iC B^-1 T_Rj,  T_Rj := -B^-1 T_Rj,  T_iC := T_iC B^-1,  T_RC := B^-1
 *
 * for i not in R, j not in C [cottle-pang-stone-2009, section 2.3]; R and C have one or two
 * members. An update of rank one or two. */
#include <config.h>

#include <cblas.h>
#include <string.h>

#include "base/base.h"
#include "linear/tableau.h"

void perp_tableau_init(perp_tableau *t, size_t rows, size_t cols, perp_workspace *ws)
{
    size_t area = 0;

    t->rows = rows;
    t->cols = cols;
    t->ld = (rows + 7) / 8 * 8;
    t->T = perp_workspace_reals(ws, perp_mul(t->ld, cols, &area) ? area : SIZE_MAX);
    t->column = perp_workspace_reals(ws, 2 * rows);
    t->row = perp_workspace_reals(ws, 2 * cols);
}

void perp_tableau_exchange(perp_tableau *t, size_t r, size_t c)
{
    const int rows = (int)t->rows, cols = (int)t->cols, ld = (int)t->ld;
    double *T_c = perp_tableau_at(t, 0, c);
    const double inverse = 1.0 / T_c[r];

    /* All entries outside the row and the column of the pivot. */
    memcpy(t->column, T_c, t->rows * sizeof *T_c);
    t->column[r] = 0.0;
    for (size_t j = 0; j < t->cols; j++) {
        t->row[j] = *perp_tableau_at(t, r, j) * inverse;
    }
    t->row[c] = 0.0;
    cblas_dger(CblasColMajor, rows, cols, -1.0, t->column, 1, t->row, 1, t->T, ld);

    /* The row, the column, the pivot. */
    for (size_t j = 0; j < t->cols; j++) {
        *perp_tableau_at(t, r, j) = -t->row[j];
    }
    for (size_t i = 0; i < t->rows; i++) {
        T_c[i] = t->column[i] * inverse;
    }
    T_c[r] = inverse;
}

void perp_tableau_exchange_two(perp_tableau *t, const size_t *r, const size_t *c)
{
    const int rows = (int)t->rows, cols = (int)t->cols, ld = (int)t->ld;
    double *column[2] = {t->column, t->column + t->rows};
    double *row[2] = {t->row, t->row + t->cols};
    double a = *perp_tableau_at(t, r[0], c[0]), b = *perp_tableau_at(t, r[0], c[1]);
    double d = *perp_tableau_at(t, r[1], c[0]), e = *perp_tableau_at(t, r[1], c[1]);
    const double det = a * e - b * d;
    const double inverse[2][2] = {{e / det, -b / det}, {-d / det, a / det}}; /* of B */

    /* column := T_:C B^-1, 0 on R; row := T_R:, 0 on C. */
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < t->rows; i++) {
            column[k][i] = *perp_tableau_at(t, i, c[0]) * inverse[0][k] +
                           *perp_tableau_at(t, i, c[1]) * inverse[1][k];
        }
        cblas_dcopy(cols, perp_tableau_at(t, r[k], 0), ld, row[k], 1);
        column[k][r[0]] = column[k][r[1]] = 0.0;
    }
    for (int k = 0; k < 2; k++) {
        row[k][c[0]] = row[k][c[1]] = 0.0;
        cblas_dger(CblasColMajor, rows, cols, -1.0, column[k], 1, row[k], 1, t->T, ld);
    }
    for (int k = 0; k < 2; k++) {
        memcpy(perp_tableau_at(t, 0, c[k]), column[k], t->rows * sizeof *t->T);
    }
    for (int k = 0; k < 2; k++) {
        for (size_t j = 0; j < t->cols; j++) {
            *perp_tableau_at(t, r[k], j) =
                -inverse[k][0] * row[0][j] - inverse[k][1] * row[1][j];
        }
    }
    for (int k = 0; k < 2;
         k++) { /* columns of C were overwritten on R: the block is last */
        *perp_tableau_at(t, r[k], c[0]) = inverse[k][0];
        *perp_tableau_at(t, r[k], c[1]) = inverse[k][1];
    }
}
