/* SPDX-License-Identifier: Apache-2.0
 * linear/block_column.c: Cholesky and LDU factorisations by columns of blocks.
 *
 *     Cholesky:  L_jj L_jj^T = S_jj - sum L_jk L_jk^T,   L_ij = (S_ij - sum L_ik L_jk^T) L_jj^-T
 *     LDU:       D_j = S_jj - sum L_jk U_kj,   L_ij = (S_ij - sum L_ik U_kj) D_j^-1,
 *                U_ji = S_ji - sum L_jk U_ki,           sums over k < j, P omitted
 *
 * The blocks L_ik of one column k, i >= j, are consecutive, so that one call of a kernel
 * subtracts all products with L_jk. U is stored transposed, in the pattern of L: the LDU
 * factorisation is the same kernel twice. The order of sums is fixed by the pattern, and the
 * instruction sets give the same bits.
 * Cost for s x s blocks: s^3 (c^2 + c + 1/3) flops per column of c blocks below the diagonal,
 * twice that for LDU; a solve reads the factors twice (LDU: once each).
 * Memory: 8 s^2 + 12 bytes per block of L, and 8 s^2 per block of U. */
#include <config.h>

#include "block_column.h"
#include "block_pivot.h"

static inline void column_copy(unsigned size, double *to, const double *from,
                               bool transposed)
{
    for (unsigned j = 0; j < size; j++) {
        for (unsigned i = 0; i < size; i++) {
            to[i + size * j] = transposed ? from[j + size * i] : from[i + size * j];
        }
    }
}

static void column_load_block(unsigned size, double *to, const double *from,
                              bool transposed)
{
    if (size == 6) { /* loops of fixed lengths */
        column_copy(6, to, from, transposed);
    } else {
        column_copy(3, to, from, transposed);
    }
}

/* A diagonal block of a symmetric matrix is read from its lower triangle. */
static void column_load_diagonal(const perp_columns *f, const perp_block_matrix *S,
                                 double *to, const double *from)
{
    bool mirror = !f->U || !S->upper;

    for (unsigned j = 0; j < f->size; j++) {
        for (unsigned i = 0; i < f->size; i++) {
            to[i + f->size * j] =
                from[mirror && i < j ? j + f->size * i : i + f->size * j];
        }
    }
}

/* Column j of P S P^T, and row j of an unsymmetric one. */
static void column_load(const perp_columns *f, const perp_block_matrix *S, size_t j,
                        int32_t *at)
{
    const perp_block_order *o = f->o;
    size_t area = (size_t)f->size * f->size;
    size_t first = o->ptr[j];
    size_t bytes = (o->ptr[j + 1] - first) * area * sizeof *f->L;

    memset(f->L + first * area, 0, bytes);
    if (f->U) {
        memset(f->U + first * area, 0, bytes);
    }
    for (size_t p = first; p < o->ptr[j + 1]; p++) {
        at[o->row[p]] = (int32_t)(p - first);
    }
    for (size_t t = o->target_ptr[j]; t < o->target_ptr[j + 1]; t++) {
        const perp_block_target *target = &o->target[t];
        const double *lower = S->lower + target->entry * area;
        const double *upper = S->upper ? S->upper + target->entry * area : NULL;
        size_t to = 0;

        if ((size_t)target->row == j) {
            column_load_diagonal(f, S, f->D + j * area, lower);
            continue;
        }
        to = (first + (size_t)at[target->row]) * area;
        if (!f->U) {
            column_load_block(f->size, f->L + to, lower, target->flipped);
        } else if (target->flipped) {
            column_load_block(f->size, f->L + to, upper ? upper : lower, !upper);
            column_load_block(f->size, f->U + to, lower, true);
        } else {
            column_load_block(f->size, f->L + to, lower, false);
            column_load_block(f->size, f->U + to, upper ? upper : lower, upper != NULL);
        }
    }
}

/* Subtract from column j what column k contributes, whose block row j is entry p. */
static void column_subtract(const perp_columns *f, size_t j, size_t p, size_t end,
                            const int32_t *at)
{
    static const int32_t here[1] = {0};
    const perp_block_order *o = f->o;
    size_t area = (size_t)f->size * f->size;
    size_t to = o->ptr[j] * area;
    size_t count = end - p - 1;
    const double *L = f->L + p * area;
    const double *U = f->U ? f->U + p * area : L;

    f->kernel->subtract(f->D + j * area, here, here, L, 1, U);
    f->kernel->subtract(f->L + to, at, o->row + p + 1, L + area, count, U);
    if (f->U) {
        f->kernel->subtract(f->U + to, at, o->row + p + 1, U + area, count, L);
    }
}

perp_block_state perp_column_factor(const perp_columns *f, size_t j,
                                    const perp_block_matrix *S, perp_block_tasks *tasks,
                                    int32_t *at)
{
    const perp_block_order *o = f->o;
    size_t area = (size_t)f->size * f->size;
    double *D = f->D + j * area;
    double *L = f->L + o->ptr[j] * area;
    size_t count = o->ptr[j + 1] - o->ptr[j];
    double before[PERP_BLOCK_MOST * PERP_BLOCK_MOST];
    bool done = false;

    column_load(f, S, j, at);
    memcpy(before, D, area * sizeof *D);
    for (size_t e = o->row_ptr[j]; e < o->row_ptr[j + 1]; e++) {
        size_t k = (size_t)o->col[e];

        if (perp_block_tasks_await(tasks, k) != PERP_BLOCK_READY) {
            return PERP_BLOCK_SKIPPED;
        }
        column_subtract(f, j, o->ptr[k] + (size_t)o->place[e], o->ptr[k + 1], at);
    }
    done = f->U ? perp_block_lu(f->size, D, before, f->pivot + j * f->size)
                : perp_block_cholesky(f->size, D, before);
    if (!done) {
        return PERP_BLOCK_FAILED;
    }
    if (f->U) {
        f->kernel->divide_lu(L, count, D, f->pivot + j * f->size);
    } else {
        f->kernel->divide(L, count, D);
    }
    return PERP_BLOCK_READY;
}

void perp_columns_forward(const perp_columns *f, double *x, size_t first, size_t end)
{
    const perp_block_order *o = f->o;
    size_t area = (size_t)f->size * f->size;

    for (size_t j = first; j < end; j++) {
        double *x_j = x + j * f->size;

        if (!f->U) {
            perp_block_cholesky_forward(f->size, f->D + j * area, x_j);
        }
        f->kernel->forward(x, o->row + o->ptr[j], f->L + o->ptr[j] * area,
                           o->ptr[j + 1] - o->ptr[j], x_j);
    }
}

void perp_columns_backward(const perp_columns *f, double *x, size_t first, size_t end)
{
    const perp_block_order *o = f->o;
    size_t area = (size_t)f->size * f->size;
    const double *U = f->U ? f->U : f->L;

    for (size_t j = end; j-- > first;) {
        double *x_j = x + j * f->size;
        const double *D = f->D + j * area;

        f->kernel->backward(x_j, o->row + o->ptr[j], U + o->ptr[j] * area,
                            o->ptr[j + 1] - o->ptr[j], x);
        if (!f->U) {
            perp_block_cholesky_backward(f->size, D, x_j);
        } else {
            perp_block_lu_solve(f->size, D, f->pivot + j * f->size, x_j);
        }
    }
}

bool perp_columns_negative(const perp_columns *f)
{
    bool negative = false;

    for (size_t j = 0; j < f->o->blocks; j++) {
        negative ^= perp_block_lu_negative(f->size, f->D + j * f->size * f->size,
                                           f->pivot + j * f->size);
    }
    return negative;
}
