/* SPDX-License-Identifier: Apache-2.0
 * linear/velocity.c: S = M + L^T H J, its factors, and (W + D)^-1 by the formula of Sherman,
 * Morrison and Woodbury. S is filled by linear/velocity_fill.c. */
#include <config.h>

#include "matrix/storages.h"
#include "velocity_private.h"

enum { velocity_dim = 5 /* rows of the largest block, a rolling contact */ };

/* Y := X^-1, dim x dim column-major, by Gauss and Jordan with diagonal pivots. X is overwritten.
 * False at a pivot that is not positive. */
static bool velocity_invert(unsigned dim, double *X, double *Y)
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

/* Whether each block of H is symmetric to the bit; elimination may leave rounding there, which
 * goes. */
static bool velocity_block_symmetric(unsigned dim, const double *D)
{
    for (unsigned j = 0; j < dim; j++) {
        for (unsigned i = 0; i < j; i++) {
            if (D[i + j * dim] != D[j + i * dim]) {
                return false;
            }
        }
    }
    return true;
}

static void velocity_symmetrize(unsigned dim, double *H)
{
    for (unsigned j = 0; j < dim; j++) {
        for (unsigned i = 0; i < j; i++) {
            double mean = 0.5 * (H[i + j * dim] + H[j + i * dim]);

            H[i + j * dim] = H[j + i * dim] = mean;
        }
    }
}

bool perp_velocity_set(perp_velocity *s, const double *D)
{
    const double *C = perp_operator_compliance(s->A);

    s->symmetric = true;
    for (size_t k = 0; k < s->set->count; k++) {
        perp_block block = s->set->blocks[k];
        double *H = s->H + s->start[k];
        double E[velocity_dim * velocity_dim];
        bool symmetric = velocity_block_symmetric(block.dim, D + s->start[k]);

        memcpy(E, D + s->start[k], (size_t)block.dim * block.dim * sizeof *E);
        for (unsigned i = 0; i < block.dim; i++) {
            E[i + i * block.dim] += C[block.first + i];
        }
        if (!velocity_invert(block.dim, E, H)) {
            return false;
        }
        if (symmetric) {
            velocity_symmetrize(block.dim, H);
        }
        s->symmetric = s->symmetric && symmetric;
    }
    return true;
}

bool perp_velocity_set_diagonal(perp_velocity *s, const double *d)
{
    const double *C = perp_operator_compliance(s->A);

    s->symmetric = true;
    memset(s->H, 0, s->area * sizeof *s->H);
    for (size_t k = 0; k < s->set->count; k++) {
        perp_block block = s->set->blocks[k];

        for (unsigned i = 0; i < block.dim; i++) {
            double e = C[block.first + i] + d[block.first + i];

            if (!(e > 0.0) || !isfinite(e)) {
                return false;
            }
            s->H[s->start[k] + i * (block.dim + 1)] = 1.0 / e;
        }
    }
    return true;
}

void perp_velocity_set_weight(perp_velocity *s, const double *H)
{
    memcpy(s->H, H, s->area * sizeof *s->H);
    s->symmetric = true;
    for (size_t k = 0; s->symmetric && k < s->set->count; k++) {
        s->symmetric = velocity_block_symmetric(s->set->blocks[k].dim, H + s->start[k]);
    }
}

perp_status perp_velocity_threads(perp_velocity *s, size_t n, perp_error *err)
{
    return n > 1 && s->factor ? perp_block_factor_threads(s->factor, n, err) : PERP_OK;
}

perp_status perp_velocity_factor(perp_velocity *s, perp_work *work, bool *done,
                                 perp_error *err)
{
    bool cholesky = s->symmetric && s->L == s->J;
    perp_block_factor_kind kind = cholesky ? PERP_BLOCK_CHOLESKY : PERP_BLOCK_LDU;
    perp_status status = PERP_OK;

    perp_velocity_fill(s, !cholesky);
    status = perp_block_factor_update(s->factor, &s->S, kind, s->changed, done, err);
    memset(s->changed, false, s->S.blocks * sizeof *s->changed);
    work->factorizations += 1.0;
    work->flops_factor += perp_block_factor_spent(s->factor);
    return status;
}

/* y := H x of one block of K. */
static inline __attribute__((always_inline)) void velocity_weigh(unsigned dim,
                                                                 const double *H,
                                                                 const double *x,
                                                                 double *y)
{
    double sum[velocity_dim] = {0};

    if (dim == 3) {
        double a = x[0], b = x[1], c = x[2];

        y[0] = H[0] * a + H[3] * b + H[6] * c;
        y[1] = H[1] * a + H[4] * b + H[7] * c;
        y[2] = H[2] * a + H[5] * b + H[8] * c;
        return;
    }
    for (unsigned j = 0; j < dim; j++) {
        for (unsigned i = 0; i < dim; i++) {
            sum[i] += H[i + j * dim] * x[j];
        }
    }
    for (unsigned i = 0; i < dim; i++) {
        y[i] = sum[i];
    }
}

/* y := J v of one block of K. */
static inline __attribute__((always_inline)) void velocity_rows(const perp_velocity *s,
                                                                size_t k, unsigned dim,
                                                                unsigned size,
                                                                const double *v,
                                                                double *y)
{
    const double *row = s->J + s->row_start[k];
    double sum[PERP_BLOCK_MOST] = {0};

    for (size_t at = s->touch[k]; at < s->touch[k + 1]; at++) {
        const double *speed = v + (size_t)s->body[at] * size;

        BLOCK_UNROLL
        for (unsigned r = 0; r < dim; r++, row += size) {
            BLOCK_UNROLL
            for (unsigned a = 0; a < size; a++) {
                sum[r] += row[a] * speed[a];
            }
        }
    }
    BLOCK_UNROLL
    for (unsigned r = 0; r < dim; r++) {
        y[r] = sum[r];
    }
}

/* f += L^T x of one block of K. */
static inline __attribute__((always_inline)) void velocity_forces(const perp_velocity *s,
                                                                  size_t k, unsigned dim,
                                                                  unsigned size,
                                                                  const double *x,
                                                                  double *f)
{
    const double *row = s->L + s->row_start[k];

    for (size_t at = s->touch[k]; at < s->touch[k + 1]; at++) {
        double *force = f + (size_t)s->body[at] * size;
        double sum[PERP_BLOCK_MOST] = {0};

        BLOCK_UNROLL
        for (unsigned r = 0; r < dim; r++, row += size) {
            BLOCK_UNROLL
            for (unsigned a = 0; a < size; a++) {
                sum[a] += row[a] * x[r];
            }
        }
        BLOCK_UNROLL
        for (unsigned a = 0; a < size; a++) {
            force[a] += sum[a];
        }
    }
}

/* The extents of most problems are constants where the functions above are inlined. */
static bool velocity_is_usual(const perp_velocity *s, size_t k)
{
    return s->set->blocks[k].dim == 3 && s->S.size == 6;
}

void perp_velocity_weigh(const perp_velocity *s, const double *x, double *y)
{
    for (size_t k = 0; k < s->set->count; k++) {
        perp_block block = s->set->blocks[k];

        velocity_weigh(block.dim, s->H + s->start[k], x + block.first, y + block.first);
    }
}

void perp_velocity_rows(const perp_velocity *s, const double *v, double *y)
{
    for (size_t k = 0; k < s->set->count; k++) {
        perp_block block = s->set->blocks[k];

        if (velocity_is_usual(s, k)) {
            velocity_rows(s, k, 3, 6, v, y + block.first);
        } else {
            velocity_rows(s, k, block.dim, s->S.size, v, y + block.first);
        }
    }
}

void perp_velocity_forces(const perp_velocity *s, const double *x, double *f)
{
    memset(f, 0, s->nv * sizeof *f);
    for (size_t k = 0; k < s->set->count; k++) {
        perp_block block = s->set->blocks[k];

        if (velocity_is_usual(s, k)) {
            velocity_forces(s, k, 3, 6, x + block.first, f);
        } else {
            velocity_forces(s, k, block.dim, s->S.size, x + block.first, f);
        }
    }
}

/* out := B in, block by block; B NULL: I. */
static void velocity_blocks(const perp_velocity *s, const double *B, const double *in,
                            double *out)
{
    size_t size = s->S.size;

    if (!B) {
        memcpy(out, in, s->nv * sizeof *out);
        return;
    }
    for (size_t k = 0; k < s->S.blocks; k++, B += size * size) {
        const double *x = in + k * size;
        double *y = out + k * size;

        memset(y, 0, size * sizeof *y);
        for (size_t j = 0; j < size; j++) {
            for (size_t i = 0; i < size; i++) {
                y[i] += B[i + j * size] * x[j];
            }
        }
    }
}

void perp_velocity_mass(const perp_velocity *s, const double *v, double *f)
{
    velocity_blocks(s, s->M, v, f);
}

void perp_velocity_divide(const perp_velocity *s, const double *f, double *v)
{
    velocity_blocks(s, s->Minv, f, v);
}

void perp_velocity_solve_forces(perp_velocity *s, double *f)
{
    perp_block_factor_solve(s->factor, f);
}

/* x := H x and f += L^T x of one block of K. */
static inline __attribute__((always_inline)) void velocity_push(perp_velocity *s,
                                                                size_t k, unsigned dim,
                                                                unsigned size, double *x)
{
    velocity_weigh(dim, s->H + s->start[k], x, x);
    velocity_forces(s, k, dim, size, x, s->v);
}

/* x -= H J v. */
static inline __attribute__((always_inline)) void velocity_pull(perp_velocity *s,
                                                                size_t k, unsigned dim,
                                                                unsigned size, double *x)
{
    double y[PERP_BLOCK_MOST] = {0};

    velocity_rows(s, k, dim, size, s->v, y);
    velocity_weigh(dim, s->H + s->start[k], y, y);
    BLOCK_UNROLL
    for (unsigned r = 0; r < dim; r++) {
        x[r] -= y[r];
    }
}

void perp_velocity_solve(perp_velocity *s, double *x)
{
    memset(s->v, 0, s->nv * sizeof *s->v);
    for (size_t k = 0; k < s->set->count; k++) {
        perp_block block = s->set->blocks[k];

        if (velocity_is_usual(s, k)) {
            velocity_push(s, k, 3, 6, x + block.first);
        } else {
            velocity_push(s, k, block.dim, s->S.size, x + block.first);
        }
    }
    perp_velocity_solve_forces(s, s->v);
    for (size_t k = 0; k < s->set->count; k++) {
        perp_block block = s->set->blocks[k];

        if (velocity_is_usual(s, k)) {
            velocity_pull(s, k, 3, 6, x + block.first);
        } else {
            velocity_pull(s, k, block.dim, s->S.size, x + block.first);
        }
    }
}
