/* SPDX-License-Identifier: Apache-2.0
 * interior/velocity.c: K^-1 by way of the velocities (Sherman, Morrison and Woodbury). */
#include <config.h>

#include "velocity.h"

/* Share of entries above which LAPACK's dense factorisation is faster than sparse LU. */
static const double full = 0.2;

typedef struct velocity_pattern {
    const perp_factored *parts;
    const perp_set *set;
    const size_t *block; /* rows: the block of a row */
    size_t *seen;        /* velocities: a + 1 that last had an entry there */
    int32_t *cols;       /* velocities: of the row at work */
    size_t count;
} velocity_pattern;

static int ascending(const void *a, const void *b)
{
    int32_t i = *(const int32_t *)a;
    int32_t j = *(const int32_t *)b;

    return (i > j) - (i < j);
}

/* Velocities that share a contact with velocity a. */
static void velocity_row(velocity_pattern *t, size_t a)
{
    const perp_operator *Gt = t->parts->Gt;
    const perp_operator *J = t->parts->J;

    t->count = 1;
    t->cols[0] = (int32_t)a;
    t->seen[a] = a + 1;
    for (size_t e = Gt->ptr[a]; e < Gt->ptr[a + 1]; e++) {
        const perp_block *block = &t->set->blocks[t->block[Gt->col[e]]];

        for (size_t c = J->ptr[block->first]; c < J->ptr[block->first + block->dim];
             c++) {
            int32_t b = J->col[c];

            if (t->seen[b] != a + 1) {
                t->seen[b] = a + 1;
                t->cols[t->count++] = b;
            }
        }
    }
    qsort(t->cols, t->count, sizeof *t->cols, ascending);
}

/* S with its pattern: counted, then written; dense where it is nearly full. */
static perp_status velocity_shape(perp_velocity *k, velocity_pattern *t, perp_error *err)
{
    size_t nv = t->parts->nv;
    size_t entries = 0;
    perp_status status = PERP_OK;

    for (size_t a = 0; a < nv; a++) {
        velocity_row(t, a);
        entries += t->count;
    }
    if ((double)entries > full * (double)nv * (double)nv) {
        return perp_operator_new_dense(&k->S, nv, nv, err);
    }
    status = perp_operator_new_sparse(&k->S, nv, nv, 1, entries, err);
    if (status != PERP_OK) {
        return status;
    }
    memset(t->seen, 0, nv * sizeof *t->seen);
    k->S->ptr[0] = 0;
    for (size_t a = 0; a < nv; a++) {
        velocity_row(t, a);
        memcpy(k->S->col + k->S->ptr[a], t->cols, t->count * sizeof *t->cols);
        k->S->ptr[a + 1] = k->S->ptr[a] + t->count;
    }
    memset(k->S->x, 0, entries * sizeof *k->S->x); /* the first factor asks for sizes */
    return PERP_OK;
}

static perp_status velocity_system(perp_velocity *k, perp_workspace *ws, perp_error *err)
{
    const perp_factored *parts = k->parts;
    size_t nv = parts->nv;
    size_t mark = perp_workspace_mark(ws);
    size_t *block = perp_workspace_sizes(ws, k->A->rows);
    velocity_pattern t = {.parts = parts, .set = k->set, .block = block};
    perp_status status = PERP_OK;

    t.seen = perp_workspace_sizes(ws, nv);
    t.cols = perp_workspace_take(ws, nv + 1, sizeof *t.cols);
    if (!block || !t.seen || !t.cols) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu velocities", nv);
    }
    for (size_t b = 0; b < k->set->count; b++) {
        for (unsigned i = 0; i < k->set->blocks[b].dim; i++) {
            block[k->set->blocks[b].first + i] = b;
        }
    }
    status = velocity_shape(k, &t, err);
    perp_workspace_release(ws, mark);
    return status;
}

perp_status perp_velocity_open(perp_velocity *k, const perp_operator *A,
                               const perp_set *set, perp_workspace *ws, perp_error *err)
{
    size_t room = 0;
    perp_status status = PERP_OK;

    k->A = A;
    k->set = set;
    if (A->pairs) {
        status = perp_operator_convert(&k->sparse, A, PERP_STORAGE_FACTORED, 1, err);
        if (status != PERP_OK) {
            return status;
        }
    }
    k->parts = k->sparse ? k->sparse->factored : A->factored;
    if (perp_mul(set->count, 9, &room)) {
        k->inverse = perp_workspace_reals(ws, room);
    }
    k->v = perp_workspace_reals(ws, perp_operator_velocities(A));
    k->x = perp_workspace_reals(ws, A->rows);
    if (!k->inverse || !k->v || !k->x ||
        !perp_factored_ensure_transpose(k->sparse ? k->sparse : A)) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", A->rows);
    }
    status = velocity_system(k, ws, err);
    if (status == PERP_OK) {
        status = perp_factor_new(&k->f, k->S, PERP_FACTOR_LU, err);
    }
    return status;
}

void perp_velocity_close(perp_velocity *k)
{
    perp_factor_free(k->f);
    perp_operator_free(k->S);
    perp_operator_free(k->sparse);
}

/* Y := X^-1, dim x dim column-major, by Gauss and Jordan with diagonal pivots: the blocks are
 * positive definite. X is lost. False at a pivot that is not positive. */
static bool invert(unsigned dim, double *X, double *Y)
{
    for (unsigned i = 0; i < dim * dim; i++) {
        Y[i] = i % (dim + 1) == 0 ? 1.0 : 0.0;
    }
    for (unsigned p = 0; p < dim; p++) {
        double pivot = X[p + p * dim];

        if (!(pivot > 0.0) || !isfinite(pivot)) {
            return false;
        }
        for (unsigned j = 0; j < dim; j++) {
            X[p + j * dim] /= pivot;
            Y[p + j * dim] /= pivot;
        }
        for (unsigned i = 0; i < dim; i++) {
            double factor = i == p ? 0.0 : X[i + p * dim];

            for (unsigned j = 0; j < dim; j++) {
                X[i + j * dim] -= factor * X[p + j * dim];
                Y[i + j * dim] -= factor * Y[p + j * dim];
            }
        }
    }
    return true;
}

static double *entry_of(perp_operator *S, size_t a, size_t b)
{
    size_t low = 0;

    if (!S->ptr) {
        return &S->x[a + b * S->ld];
    }
    low = S->ptr[a];
    for (size_t high = S->ptr[a + 1]; high - low > 1;) {
        size_t middle = low + (high - low) / 2;

        if ((size_t)S->col[middle] <= b) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &S->x[low];
}

/* S += G_k^T E_k^-1 J_k of one block. */
static void add_contact(perp_velocity *k, const perp_block *block, const double *inverse)
{
    const perp_operator *J = k->parts->J;
    const perp_operator *G = k->parts->G;

    for (unsigned i = 0; i < block->dim; i++) {
        size_t row = block->first + i;

        for (size_t e = G->ptr[row]; e < G->ptr[row + 1]; e++) {
            for (unsigned j = 0; j < block->dim; j++) {
                double g = G->x[e] * inverse[i + j * block->dim];
                size_t at = block->first + j;

                for (size_t c = J->ptr[at]; c < J->ptr[at + 1]; c++) {
                    *entry_of(k->S, (size_t)G->col[e], (size_t)J->col[c]) += g * J->x[c];
                }
            }
        }
    }
}

perp_status perp_velocity_factor(perp_velocity *k, const perp_operator *E, bool *done,
                                 perp_error *err)
{
    perp_operator *S = k->S;
    size_t entries = S->ptr ? S->ptr[S->rows] : S->ld * S->cols;

    *done = false;
    memset(S->x, 0, entries * sizeof *S->x);
    for (size_t a = 0; a < S->rows; a++) {
        *entry_of(S, a, a) = 1.0;
    }
    for (size_t b = 0; b < k->set->count; b++) {
        const perp_block *block = &k->set->blocks[b];
        double D[9];

        perp_operator_diagonal_block(E, block->first, block->dim, D);
        if (!invert(block->dim, D, k->inverse + 9 * b)) {
            return PERP_OK;
        }
        add_contact(k, block, k->inverse + 9 * b);
    }
    return perp_factor_matrix(k->f, S, done, err);
}

/* y := E^-1 x; y may be x. */
static void divide(const perp_velocity *k, const double *x, double *y)
{
    for (size_t b = 0; b < k->set->count; b++) {
        const perp_block *block = &k->set->blocks[b];
        const double *inverse = k->inverse + 9 * b;
        double sum[3] = {0};

        for (unsigned j = 0; j < block->dim; j++) {
            for (unsigned i = 0; i < block->dim; i++) {
                sum[i] += inverse[i + j * block->dim] * x[block->first + j];
            }
        }
        memcpy(y + block->first, sum, block->dim * sizeof *y);
    }
}

void perp_velocity_solve(perp_velocity *k, double *x)
{
    divide(k, x, k->x);
    perp_factored_velocity(k->A, k->x, k->v);
    perp_factor_solve(k->f, k->v);
    perp_factored_rows_dot(k->A, 0, k->A->rows, k->v, k->x);
    for (size_t i = 0; i < k->A->rows; i++) {
        x[i] -= k->x[i];
    }
    divide(k, x, x);
}
