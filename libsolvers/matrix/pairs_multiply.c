/* SPDX-License-Identifier: Apache-2.0
 * matrix/pairs_multiply.c: W multiplied out from rows that act on two bodies, in blocks.
 *
 *     W_IJ = sum over bodies k that I and J share of  J_Ik M_k^-1 J_Jk^T,   + C_II
 *
 * Block row I has the blocks that touch its two bodies: the lists of both bodies, merged. Costs
 * one merge to count, and 12 e^2 flops per block and shared body. */
#include <config.h>

#include "matrix/storages.h"

typedef struct multiply {
    const perp_operator *A;
    const perp_pair_rows *f;
    const double *J; /* 12 per row */
    size_t e, blocks;
    size_t *start;  /* bodies + 2: blocks that touch a body are touch[start[k]..] */
    int32_t *touch; /* ascending */
} multiply;

bool perp_pairs_aligned(const perp_operator *A, size_t e)
{
    const perp_pairs *p = &A->pairs->at;

    for (size_t i = 0; i < A->rows; i++) {
        if (!perp_pairs_together(p, i, i / e * e)) {
            return false;
        }
    }
    return true;
}

/* Columns of block row I, ascending, to `col` unless it is NULL; the diagonal is among them. */
static size_t multiply_pattern(const multiply *m, size_t I, int32_t *col)
{
    const int32_t own = (int32_t)I;
    const int32_t *at[3] = {&own, &own + 1, &own + 1};
    const int32_t *end[3] = {&own + 1, &own + 1, &own + 1};
    size_t count = 0;

    for (size_t side = 0; side < 2; side++) {
        int32_t body = perp_pairs_body(&m->f->at, m->e * I)[side];

        if (body >= 0) {
            at[side + 1] = m->touch + m->start[body];
            end[side + 1] = m->touch + m->start[body + 1];
        }
    }
    for (;; count++) {
        int32_t least = INT32_MAX;

        for (size_t k = 0; k < 3; k++) {
            least = at[k] < end[k] && *at[k] < least ? *at[k] : least;
        }
        if (least == INT32_MAX) {
            return count;
        }
        for (size_t k = 0; k < 3; k++) {
            at[k] += at[k] < end[k] && *at[k] == least;
        }
        if (col) {
            col[count] = least;
        }
    }
}

/* x += the block of one body: rows g (M^-1 of it times those of I) and J, 12 numbers apart. The
 * terms of an entry are summed in the order of perp_pairs_value, to the same bits. */
static inline void multiply_body(size_t e, const double *g, const double *J, double *x)
{
    for (size_t j = 0; j < e; j++, J += 12) {
        for (size_t i = 0; i < e; i++) {
            const double *a = g + 12 * i;

            x[i + j * e] += (a[0] * J[0] + a[1] * J[1]) + (a[2] * J[2] + a[3] * J[3]) +
                            (a[4] * J[4] + a[5] * J[5]);
        }
    }
}

static void multiply_block(const multiply *m, size_t I, size_t K, const double *g,
                           double *x)
{
    const perp_pair_rows *f = m->f;
    const int32_t *mine = perp_pairs_body(&f->at, m->e * I);
    const int32_t *its = perp_pairs_body(&f->at, m->e * K);
    const double *J = m->J + 12 * m->e * K;
    size_t e = m->e;

    memset(x, 0, e * e * sizeof *x);
    for (size_t p = 0; p < 4; p++) {
        if (mine[p / 2] < 0 || mine[p / 2] != its[p % 2]) {
            continue;
        }
        if (e == 3) {
            multiply_body(3, g + 6 * (p / 2), J + 6 * (p % 2), x);
        } else {
            multiply_body(e, g + 6 * (p / 2), J + 6 * (p % 2), x);
        }
    }
    for (size_t k = 0; f->scaled && k < e * e; k++) {
        x[k] *= f->left[I * e + k % e] * f->right[K * e + k / e];
    }
    for (size_t k = 0; I == K && k < e; k++) {
        x[k + k * e] += m->A->pairs->C[I * e + k];
    }
}

/* g := M^-1 of both bodies times the rows of a block. */
static void multiply_rows(const multiply *m, size_t I, double *g)
{
    for (size_t i = I * m->e; i < (I + 1) * m->e; i++, g += 12) {
        for (size_t side = 0; side < 2; side++) {
            int32_t body = perp_pairs_body(&m->f->at, i)[side];

            if (body >= 0) {
                perp_pairs_divide(m->f, body, m->J + 12 * i + 6 * side, g + 6 * side);
            }
        }
    }
}

static void multiply_fill(const multiply *m, perp_operator *W, double *g)
{
    size_t area = m->e * m->e, next = 0;

    for (size_t I = 0; I < m->blocks; I++) {
        size_t count = multiply_pattern(m, I, W->col + next), to = next;

        multiply_rows(m, I, g);
        for (size_t k = next; k < next + count; k++) {
            int32_t column = W->col[k];

            multiply_block(m, I, (size_t)column, g, W->x + to * area);
            W->col[to] = column;
            to += area > 1 || W->x[to] != 0.0 || (size_t)column == I;
        }
        next = to;
        W->ptr[I + 1] = next;
    }
    W->count = next;
}

perp_status perp_pairs_multiply(perp_operator **out, const perp_operator *A, size_t e,
                                perp_error *err)
{
    multiply m = {.A = A, .f = A->pairs, .e = e, .blocks = A->rows / e};
    double *g = perp_operator_array(12, e, sizeof *g);
    double *J = perp_operator_array(12, A->rows, sizeof *J);
    perp_status status = PERP_OK;
    size_t count = 0;

    *out = NULL;
    if (!g || !J || !perp_pairs_lists(&m.f->at, e, &m.start, &m.touch)) {
        status =
            perp_fail(err, PERP_ERR_MEMORY, "no memory to multiply %zu rows", A->rows);
    } else {
        for (size_t i = 0; i < A->rows; i++) {
            double made[12];

            memcpy(J + 12 * i, perp_pairs_row(&m.f->at, i, made), sizeof made);
        }
        m.J = J;
        for (size_t I = 0; I < m.blocks; I++) {
            count += multiply_pattern(&m, I, NULL);
        }
        status = perp_operator_new_sparse(out, A->rows, A->cols, e, count, err);
    }
    if (status == PERP_OK) {
        multiply_fill(&m, *out, g);
    }
    free(g);
    free(J);
    free(m.start);
    free(m.touch);
    return status;
}
