/* SPDX-License-Identifier: Apache-2.0
 * determined/equations.c: rows J with A d = 0 iff J^T d = 0.
 *
 * Of a matrix in factors they are its own. Else A = L L^T by Cholesky with diagonal pivots where A is
 * symmetric and positive semidefinite, J = L; and J = A^T for others. Columns of rounding are left out,
 * others divided by their largest entry. */
#include <config.h>

#include <lapacke.h>

#include "determined.h"
#include "matrix/storages.h"

enum { ROWS_MOST = 6000 /* of a dense matrix to factor */ };

static const double rank_least = 1e-13; /* pivot, of the largest diagonal entry */
static const double least = 1e-7; /* of a column that is not rounding, in its rows */
static const double same_least = 1e-10; /* |A_ii - (L L^T)_ii|, of the same */

/* Row `to` of L from row i of the factored array. */
static void equations_copy_row(const double *L, size_t n, size_t i, size_t rank,
                               double *to)
{
    for (size_t j = 0; j < rank; j++) {
        to[j] = j <= i ? L[i + j * n] : 0.0;
    }
}

/* The dense rows of L, or of A^T where A has no such factor: n x *rank in `rows`, row by row. */
static perp_status equations_factor(const perp_operator *A, perp_workspace *ws,
                                    double *rows, size_t *rank, perp_error *err)
{
    size_t n = A->rows;
    double *L = perp_workspace_reals(ws, n * n);
    lapack_int *order = perp_workspace_alloc(ws, n, sizeof *order);
    double largest = 0.0;
    lapack_int found = 0;
    bool good = perp_operator_is_symmetric(A);

    TRY(perp_workspace_status(ws, err));
    for (size_t i = 0; i < n; i++) {
        perp_operator_row_add(A, i, 1.0, L + i * n);
        largest = fmax(largest, L[i + i * n]);
    }
    if (good && largest > 0.0) {
        double *work = perp_workspace_reals(ws, 2 * n);

        TRY(perp_workspace_status(ws, err));
        good = LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)n, L, (lapack_int)n,
                                   order, &found, rank_least * largest, work) >= 0;
    }
    *rank = (size_t)found;
    for (size_t i = 0; i < n && good; i++) {
        double *to = rows + ((size_t)order[i] - 1) * n;
        double sum = 0.0;

        equations_copy_row(L, n, i, *rank, to);
        for (size_t j = 0; j < *rank; j++) {
            sum += to[j] * to[j];
        }
        good = fabs(sum - perp_operator_diagonal(A, (size_t)order[i] - 1)) <=
               same_least * largest;
    }
    if (!good) {
        *rank = n;
        memset(rows, 0, n * n * sizeof *rows);
        for (size_t i = 0; i < n; i++) { /* column i of A, as row i */
            for (size_t j = 0; j < n; j++) {
                rows[i * n + j] = perp_operator_entry(A, j, i);
            }
        }
    }
    return PERP_OK;
}

static perp_status equations_of_entries(determined_equations *e, const perp_operator *A,
                                        perp_error *err)
{
    size_t n = A->rows;
    perp_workspace *ws = NULL;
    size_t rank = 0;
    double *rows = NULL;
    perp_arrays at = {0};
    perp_status status = PERP_OK;

    if (n > ROWS_MOST) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%zu rows: expected at most %d of a matrix that is not in "
                         "factors J M^-1 J^T",
                         n, ROWS_MOST);
    }
    TRY(perp_workspace_new(&ws, 0, err));
    rows = perp_workspace_reals(ws, n * n);
    status = perp_workspace_status(ws, err);
    if (status == PERP_OK) {
        status = equations_factor(A, ws, rows, &rank, err);
    }
    if (status == PERP_OK) {
        status = perp_operator_new_sparse(&e->owner, n, rank, 1, n * rank, err);
    }
    if (status == PERP_OK) {
        at = perp_operator_arrays(e->owner);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < rank; j++) {
                at.col[i * rank + j] = (int32_t)j;
                at.x[i * rank + j] = rows[i * n + j];
            }
            at.ptr[i + 1] = (i + 1) * rank;
        }
    }
    perp_workspace_free(ws);
    return status;
}

/* |x|_2 of the columns of a CSR matrix. */
static void equations_norms(const perp_operator *J, double *norm)
{
    for (size_t e = 0; e < J->ptr[J->rows]; e++) {
        norm[J->col[e]] += J->x[e] * J->x[e];
    }
    for (size_t a = 0; a < J->cols; a++) {
        norm[a] = sqrt(norm[a]);
    }
}

/* scale := the largest entry of each column of J, or 0 where all of them are rounding: with columns in
 * units of energy, J_a (|G_a|/|J_a|)^1/2 by the other factor G, less than `least` of their rows. */
static void equations_scale(determined_equations *e, const perp_operator *other,
                            double *norm)
{
    const perp_operator *J = e->J;
    double *mine = norm;
    double *its = norm + J->cols;
    double *size = its + J->cols;

    equations_norms(J, mine);
    equations_norms(other, its);
    for (size_t i = 0; i < J->rows; i++) {
        double sum = 0.0;

        for (size_t at = J->ptr[i]; at < J->ptr[i + 1]; at++) {
            sum += J->x[at] * other->x[at];
        }
        for (size_t at = J->ptr[i]; at < J->ptr[i + 1] && sum != 0.0; at++) {
            int32_t a = J->col[at];

            size[a] = fmax(size[a], J->x[at] * J->x[at] / fabs(sum));
        }
    }
    for (size_t at = 0; at < J->ptr[J->rows]; at++) {
        int32_t a = J->col[at];
        bool noise = size[a] * its[a] < least * least * mine[a];

        e->scale[a] = noise ? 0.0 : fmax(e->scale[a], fabs(J->x[at]));
    }
}

perp_status perp_determined_equations(determined_equations *e, const perp_problem *p,
                                      perp_error *err)
{
    const perp_operator *A = p->A;
    const perp_operator *other = NULL;
    double *norm = NULL;

    if (A->pairs) {
        TRY(perp_pairs_expand(&e->owner, A, err));
        A = e->owner;
    } else if (!A->factored) {
        TRY(equations_of_entries(e, A, err));
    }
    e->J = A->factored ? A->factored->G : e->owner;
    other = A->factored ? A->factored->J : e->owner;
    e->scale = calloc(e->J->cols + 1, sizeof *e->scale);
    norm = calloc(3 * e->J->cols + 1, sizeof *norm);
    if (e->scale && norm) {
        equations_scale(e, other, norm);
    }
    free(norm);
    return e->scale && norm ? PERP_OK
                            : perp_fail(err, PERP_ERR_MEMORY,
                                        "no memory for %zu equations", e->J->cols);
}

void perp_determined_equations_free(determined_equations *e)
{
    perp_operator_free(e->owner);
    free(e->scale);
}
