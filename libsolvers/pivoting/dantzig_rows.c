/* SPDX-License-Identifier: Apache-2.0
 * pivoting/dantzig_rows.c: products with rows of A, without the zeros where A is sparse.
 *
 * A contact meets few others: in a pile of 266 contacts a row of 798 has 50 nonzeros. The
 * sweeps, the residuals and the paths of coupled friction take their products from a copy
 * of these; the kernels, which fill, stay dense. */
#include <config.h>

#include <cblas.h>

#include "dantzig.h"

/* Nonzeros in more than this part of A: dense products run faster. */
static const double sparse = 0.25;

static size_t count_nonzeros(const dantzig *s)
{
    size_t count = 0;

    for (size_t j = 0; j < s->n; j++) {
        for (size_t i = 0; i < s->n; i++) {
            count += s->A[i + j * s->ld] != 0.0 || i == j;
        }
    }
    return count;
}

/* The diagonal is always listed: shifts come and go. */
void dantzig_rows_fill(dantzig *s)
{
    size_t q = 0;

    for (size_t j = 0; j < s->n && s->row_start; j++) {
        s->row_start[j] = q;
        for (size_t i = 0; i < s->n; i++) {
            double a = s->A[i + j * s->ld];

            if (a != 0.0 || i == j) {
                s->row_column[q] = i;
                s->row_value[q++] = a;
            }
        }
        s->row_start[j + 1] = q;
    }
}

bool dantzig_rows_take(dantzig *s, perp_workspace *ws)
{
    size_t count = count_nonzeros(s);

    s->row_start = NULL;
    if ((double)count > sparse * (double)s->n * (double)s->n) {
        return true;
    }
    s->row_column = perp_workspace_sizes(ws, count);
    s->row_value = perp_workspace_reals(ws, count);
    s->row_start = perp_workspace_sizes(ws, s->n + 1);
    if (!s->row_column || !s->row_value || !s->row_start) {
        return false;
    }
    dantzig_rows_fill(s);
    return true;
}

double dantzig_row_times(const dantzig *s, size_t i, const double *z)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0}; /* one alone would wait for each addition */
    size_t q = 0;
    size_t end = 0;

    if (!s->row_start) {
        return cblas_ddot((int)s->n, s->A + i * s->ld, 1, z, 1);
    }
    end = s->row_start[i + 1];
    for (q = s->row_start[i]; q + 4 <= end; q += 4) {
        for (size_t lane = 0; lane < 4; lane++) {
            sum[lane] += s->row_value[q + lane] * z[s->row_column[q + lane]];
        }
    }
    for (; q < end; q++) {
        sum[0] += s->row_value[q] * z[s->row_column[q]];
    }
    return sum[0] + sum[1] + (sum[2] + sum[3]);
}

void dantzig_times(const dantzig *s, const double *z, double *w)
{
    if (!s->row_start) {
        if (s->n > 0) {
            cblas_dgemv(CblasColMajor, CblasNoTrans, (int)s->n, (int)s->n, 1.0, s->A,
                        (int)s->ld, z, 1, 1.0, w, 1);
        }
        return;
    }
    for (size_t i = 0; i < s->n; i++) {
        w[i] += dantzig_row_times(s, i, z);
    }
}
