/* SPDX-License-Identifier: Apache-2.0
 * problem/matrix.c: A multiplied out, dense, in rows or in blocks.
 *
 *     A_ab = sum over the moving bodies k that rows a and b share
 *            of J_a,k M_k^-1 J_b,k^T, plus soft_a on the diagonal
 *
 * Two blocks of rows are coupled when they share a body that impulses move, or act on
 * one tree in reduced coordinates, where A = E Delta^-1 E^T + C (problem/reduced.c);
 * nothing else is stored. One triangle is computed, the other copied, so A is symmetric
 * to the bit; both are computed where implicit forces make M* asymmetric. With the
 * pyramid, contact k has an auxiliary row x_k after all rows [stewart-trinkle-1996]:
 *
 *     A[f, x_k] = 1,   A[x_k, f] = -1 for its friction rows f,   A[x_k, n_k] = mu_k,
 *
 * and a zero stored on the diagonal. Cost: 12 to 24 multiplications an entry; memory: 12
 * reals per row and the pattern by blocks. */
#include <config.h>

#include <limits.h>
#include <stdlib.h>

#include "base/base.h"
#include "problem/parts.h"

enum {
    matrix_widest = 1 + 64, /* rows of a block: a pyramid of 64 directions */
    MATRIX_ON = 4,          /* bodies of a block */
};

typedef struct matrix_work {
    const system_matrix *m;
    const perp_rows *rows;
    int32_t *on; /* 4 per block: the bodies, of a tree the root; -1: none, or twice */
    size_t *touch_ptr; /* bodies + 1: blocks on each body, ascending */
    int32_t *touch;
    size_t *ptr; /* blocks + 1: which blocks a block is coupled with, ascending */
    int32_t *col;
    size_t
        *offset; /* of each coupling: its first column among those stored in the rows */
    size_t *cursor; /* blocks: couplings with earlier blocks that were filled */
    double *G;      /* 12 a row: M^-1 J^T; maximal coordinates */
    double *spread; /* a row of E among zeros; reduced ones */
} matrix_work;

static void matrix_close(matrix_work *w)
{
    free(w->on);
    free(w->touch_ptr);
    free(w->touch);
    free(w->ptr);
    free(w->col);
    free(w->offset);
    free(w->cursor);
    free(w->G);
    free(w->spread);
}

/* The bodies of a block: four of a gear, else two and -1. */
static const int32_t *matrix_bodies(const matrix_work *w, size_t block)
{
    return w->on + (size_t)MATRIX_ON * block;
}

static bool matrix_find_bodies(matrix_work *w)
{
    const int32_t *root = w->m->root;

    w->on = math_alloc(w->rows->block_count, MATRIX_ON * sizeof *w->on);
    for (size_t k = 0; w->on && k < w->rows->block_count; k++) {
        const size_t first = w->rows->blocks[k].first;
        const perp_row_second *second = perp_rows_second(w->rows, first);
        int32_t *on = w->on + (size_t)MATRIX_ON * k;

        for (size_t s = 0; s < MATRIX_ON; s++) {
            const int32_t body = s < 2    ? perp_rows_bodies(w->rows, first)[s]
                                 : second ? second->body[s - 2]
                                          : -1;

            on[s] = root && body >= 0 ? root[body] : body;
            for (size_t t = 0; t < s; t++) {
                on[s] = on[s] == on[t] ? -1 : on[s];
            }
        }
    }
    return w->on != NULL;
}

static bool matrix_touch(matrix_work *w)
{
    const perp_rows *rows = w->rows;
    size_t *ptr = w->touch_ptr = math_alloc(w->m->bodies + 2, sizeof *ptr);

    w->touch = math_alloc(rows->block_count, MATRIX_ON * sizeof *w->touch);
    if (!ptr || !w->touch) {
        return false;
    }
    /* counted two places ahead, so that filling leaves the starts behind */
    for (size_t k = 0; k < rows->block_count; k++) {
        for (int side = 0; side < MATRIX_ON; side++) {
            int32_t body = matrix_bodies(w, k)[side];

            if (body >= 0) {
                ptr[(size_t)body + 2]++;
            }
        }
    }
    for (size_t k = 2; k < w->m->bodies + 2; k++) {
        ptr[k] += ptr[k - 1];
    }
    for (size_t k = 0; k < rows->block_count; k++) {
        for (int side = 0; side < MATRIX_ON; side++) {
            int32_t body = matrix_bodies(w, k)[side];

            if (body >= 0) {
                w->touch[ptr[(size_t)body + 1]++] = (int32_t)k;
            }
        }
    }
    return true;
}

/* Blocks on any body of `block`, merged; how many. `out` may be NULL. */
static size_t matrix_merge(const matrix_work *w, size_t block, int32_t *out)
{
    const int32_t *body = matrix_bodies(w, block);
    const size_t *ptr = w->touch_ptr;
    size_t at[MATRIX_ON] = {0};
    size_t end[MATRIX_ON] = {0};
    size_t count = 0;

    for (int s = 0; s < MATRIX_ON; s++) {
        if (body[s] >= 0) {
            at[s] = ptr[body[s]];
            end[s] = ptr[body[s] + 1];
        }
    }
    for (;;) {
        int32_t least = INT32_MAX;

        for (int s = 0; s < MATRIX_ON; s++) {
            if (at[s] < end[s] && w->touch[at[s]] < least) {
                least = w->touch[at[s]];
            }
        }
        if (least == INT32_MAX) {
            break;
        }
        for (int s = 0; s < MATRIX_ON; s++) {
            at[s] += at[s] < end[s] && w->touch[at[s]] == least;
        }
        if (out) {
            out[count] = least;
        }
        count++;
    }
    if (count == 0) { /* neither body moves: its own diagonal is kept all the same */
        if (out) {
            out[0] = (int32_t)block;
        }
        count = 1;
    }
    return count;
}

static bool matrix_couple(matrix_work *w)
{
    const size_t n = w->rows->block_count;

    w->ptr = math_alloc(n + 1, sizeof *w->ptr);
    w->cursor = math_alloc(n + 1, sizeof *w->cursor);
    if (!w->ptr || !w->cursor) {
        return false;
    }
    for (size_t k = 0; k < n; k++) {
        w->ptr[k + 1] = w->ptr[k] + matrix_merge(w, k, NULL);
    }
    w->col = math_alloc(w->ptr[n], sizeof *w->col);
    w->offset = math_alloc(w->ptr[n], sizeof *w->offset);
    if (!w->col || !w->offset) {
        return false;
    }
    for (size_t k = 0; k < n; k++) {
        size_t columns = 0;

        matrix_merge(w, k, w->col + w->ptr[k]);
        for (size_t e = w->ptr[k]; e < w->ptr[k + 1]; e++) {
            w->offset[e] = columns;
            columns += w->rows->blocks[w->col[e]].dim;
        }
    }
    return true;
}

static bool matrix_inverse(matrix_work *w)
{
    const perp_rows *rows = w->rows;
    double made[12];

    if (w->m->innovations) {
        w->spread = math_alloc(w->m->innovations->nv, sizeof *w->spread);
        return w->spread != NULL;
    }
    w->G = math_alloc(12 * rows->count, sizeof *w->G);
    if (!w->G) {
        return false;
    }
    for (size_t r = 0; r < rows->count; r++) {
        const double *J = perp_rows_row(rows, r, made);

        for (size_t s = 0; s < 2; s++) {
            int32_t body = perp_rows_bodies(rows, r)[s];

            if (body >= 0) {
                system_inverse(w->m->inverse_mass[body],
                               w->m->inverse_inertia + 9 * (size_t)body, J + 6 * s,
                               w->G + 12 * r + 6 * s);
            }
        }
    }
    return true;
}

static double matrix_dot6(const double *a, const double *b)
{
    return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) +
           (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

/* Row i against `dim` rows from j on, of blocks whose bodies are given. */
static void matrix_row(const matrix_work *w, size_t i, const int32_t *body_i, size_t j,
                       size_t dim, const int32_t *body_j, double *v)
{
    double made[12];
    const double *J = perp_rows_row(w->rows, i, made);

    memset(v, 0, dim * sizeof *v);
    for (size_t s = 0; s < 2; s++) {
        for (size_t t = 0; t < 2; t++) {
            if (body_i[s] < 0 || body_i[s] != body_j[t]) {
                continue;
            }
            for (size_t k = 0; k < dim; k++) {
                v[k] += matrix_dot6(J + 6 * s, w->G + 12 * (j + k) + 6 * t);
            }
        }
    }
}

/* The same of innovations: row i spread out, then read by the columns of the others. */
static void matrix_row_reduced(const matrix_work *w, size_t i, size_t j, size_t dim,
                               double *v)
{
    const system_innovations *rows = w->m->innovations;

    for (size_t e = rows->ptr[i]; e < rows->ptr[i + 1]; e++) {
        w->spread[rows->col[e]] = rows->E[e];
    }
    for (size_t k = 0; k < dim; k++) {
        v[k] = 0.0;
        for (size_t e = rows->ptr[j + k]; e < rows->ptr[j + k + 1]; e++) {
            v[k] += rows->G[e] * w->spread[rows->col[e]];
        }
    }
    for (size_t e = rows->ptr[i]; e < rows->ptr[i + 1]; e++) {
        w->spread[rows->col[e]] = 0.0;
    }
}

/* Where row `i`, counted in block a, and column `j` of coupling e are stored. */
static double *matrix_place(const matrix_work *w, const perp_arrays *A, size_t a,
                            size_t e, size_t i, size_t j)
{
    const perp_row_block *blocks = w->rows->blocks;

    if (A->storage == PERP_STORAGE_BSR) {
        return A->x + (e * A->block_size + j) * A->block_size + i;
    }
    if (A->storage == PERP_STORAGE_CSR) {
        return A->x + A->ptr[blocks[a].first + i] + w->offset[e] + j;
    }
    return A->x + blocks[a].first + i + (blocks[w->col[e]].first + j) * A->ld;
}

/* Fill rows of block c in the columns of block a (coupling e of c) of an asymmetric A. */
static void matrix_mirror(const matrix_work *w, const perp_arrays *A, size_t a, size_t c,
                          size_t e)
{
    const perp_row_block *p = &w->rows->blocks[a];
    const perp_row_block *q = &w->rows->blocks[c];
    double v[matrix_widest];

    for (size_t j = 0; j < q->dim; j++) {
        const size_t count = a == c ? j : p->dim;

        matrix_row_reduced(w, q->first + j, p->first, count, v);
        for (size_t i = 0; i < count; i++) {
            *matrix_place(w, A, c, e, j, i) = v[i];
        }
    }
}

/* Coupling e of block a with itself or a later one, and its mirror. */
static void matrix_pair(matrix_work *w, const perp_arrays *A, size_t a, size_t e)
{
    const perp_rows *rows = w->rows;
    const size_t c = (size_t)w->col[e];
    const perp_row_block *p = &rows->blocks[a];
    const perp_row_block *q = &rows->blocks[c];
    const size_t mirror = a == c ? e : w->ptr[c] + w->cursor[c]++;
    double v[matrix_widest];

    for (size_t i = 0; i < p->dim; i++) {
        const size_t start = a == c ? i : 0;

        if (w->m->innovations) {
            matrix_row_reduced(w, p->first + i, q->first + start, q->dim - start, v);
        } else {
            matrix_row(w, p->first + i, matrix_bodies(w, a), q->first + start,
                       q->dim - start, matrix_bodies(w, c), v);
        }
        if (a == c) {
            v[0] += rows->soft[p->first + i];
        }
        for (size_t j = start; j < q->dim; j++) {
            *matrix_place(w, A, a, e, i, j) = v[j - start];
            *matrix_place(w, A, c, mirror, j, i) = v[j - start];
        }
    }
    if (!w->m->symmetric) {
        matrix_mirror(w, A, a, c, mirror);
    }
}

/* The pattern of A in rows: couplings, then the column of the auxiliary row. */
static void matrix_pattern_rows(const matrix_work *w, const perp_arrays *A)
{
    const perp_rows *rows = w->rows;
    const size_t joints = rows->block_count - rows->contact_blocks;
    size_t at = 0;
    size_t row = 0;

    for (size_t a = 0; a < rows->block_count; a++) {
        for (size_t i = 0; i < rows->blocks[a].dim; i++, row++) {
            A->ptr[row] = at;
            for (size_t e = w->ptr[a]; e < w->ptr[a + 1]; e++) {
                const perp_row_block *q = &rows->blocks[w->col[e]];

                for (size_t j = 0; j < q->dim; j++) {
                    A->col[at++] = (int32_t)(q->first + j);
                }
            }
            if (w->m->pyramid && a >= joints && i > 0) {
                A->x[at] = 1.0;
                A->col[at++] = (int32_t)(rows->count + a - joints);
            }
        }
    }
    for (size_t k = 0; w->m->pyramid && k < rows->contact_blocks; k++, row++) {
        const perp_row_block *b = &rows->blocks[joints + k];

        A->ptr[row] = at;
        for (size_t i = 0; i < b->dim; i++) {
            A->x[at] = i == 0 ? w->m->contacts->at[b->source].mu : -1.0;
            A->col[at++] = (int32_t)(b->first + i);
        }
        A->x[at] = 0.0;
        A->col[at++] = (int32_t)(rows->count + k);
    }
    A->ptr[row] = at;
}

static void matrix_auxiliary_dense(const matrix_work *w, const perp_arrays *A)
{
    const perp_rows *rows = w->rows;
    const size_t joints = rows->block_count - rows->contact_blocks;

    for (size_t k = 0; k < rows->contact_blocks; k++) {
        const perp_row_block *b = &rows->blocks[joints + k];
        const size_t x = rows->count + k;

        A->x[x + b->first * A->ld] = w->m->contacts->at[b->source].mu;
        for (size_t i = 1; i < b->dim; i++) {
            A->x[b->first + i + x * A->ld] = 1.0;
            A->x[x + (b->first + i) * A->ld] = -1.0;
        }
    }
}

/* Stored scalars of A in rows. */
static size_t matrix_entries(const matrix_work *w)
{
    const perp_rows *rows = w->rows;
    size_t entries = 0;

    for (size_t a = 0; a < rows->block_count; a++) {
        const size_t last = w->ptr[a + 1] - 1;
        const size_t width = w->offset[last] + rows->blocks[w->col[last]].dim;

        entries += width * rows->blocks[a].dim;
        if (w->m->pyramid && rows->blocks[a].role == PERP_ROLE_CONTACT) {
            entries += 2 * (size_t)rows->blocks[a].dim; /* dim - 1, then 1 + dim */
        }
    }
    return entries;
}

/* *A with its pattern, and its arrays in *to. */
static perp_status matrix_make(const matrix_work *w, perp_operator **A, perp_arrays *to,
                               size_t n, perp_storage storage, perp_error *err)
{
    const size_t blocks = w->rows->block_count;
    const size_t edge = blocks > 0 ? w->rows->blocks[0].dim : 1;

    if (storage == PERP_STORAGE_DENSE) {
        TRY(perp_operator_new_dense(A, n, n, err));
        *to = perp_operator_arrays(*A);
        if (w->m->pyramid) {
            matrix_auxiliary_dense(w, to);
        }
    } else if (storage == PERP_STORAGE_BSR) {
        TRY(perp_operator_new_sparse(A, n, n, edge, w->ptr[blocks], err));
        *to = perp_operator_arrays(*A);
        memcpy(to->ptr, w->ptr, (blocks + 1) * sizeof *w->ptr);
        memcpy(to->col, w->col, w->ptr[blocks] * sizeof *w->col);
    } else {
        TRY(perp_operator_new_sparse(A, n, n, 1, matrix_entries(w), err));
        *to = perp_operator_arrays(*A);
        matrix_pattern_rows(w, to);
    }
    return PERP_OK;
}

perp_status system_multiply(perp_operator **A, const system_matrix *m,
                            perp_storage storage, perp_error *err)
{
    matrix_work w = {.m = m, .rows = m->rows};
    const size_t n = m->rows->count + (m->pyramid ? m->rows->contact_blocks : 0);
    perp_arrays to = {0};
    perp_status status = PERP_OK;

    *A = NULL;
    if (n > INT_MAX) {
        return perp_fail(err, PERP_ERR_DATA, "system: %zu rows, expected at most %d", n,
                         INT_MAX);
    }
    if (!matrix_find_bodies(&w) || !matrix_touch(&w) || !matrix_couple(&w) ||
        !matrix_inverse(&w)) {
        status =
            perp_fail(err, PERP_ERR_MEMORY, "system: no memory for A of %zu rows", n);
    } else {
        status = matrix_make(&w, A, &to, n, storage, err);
    }
    if (status == PERP_OK) {
        for (size_t a = 0; a < m->rows->block_count; a++) {
            for (size_t e = w.ptr[a]; e < w.ptr[a + 1]; e++) {
                if ((size_t)w.col[e] >= a) {
                    matrix_pair(&w, &to, a, e);
                }
            }
        }
    }
    matrix_close(&w);
    return status;
}
