/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/formula.c: the residual by its definition, written down anew. */
#include <config.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "formula.h"

/* |x - P(x)| of a cone with K's projection as textbooks write it. */
static void formula_project(const perp_block *k, const long double *z, long double *x)
{
    long double t = 0.0L;
    long double mu = k->mu;

    if (k->kind == PERP_SET_DISK) {
        t = hypotl(x[0], x[1]);
        for (unsigned i = 0; t > k->radius && i < 2; i++) {
            x[i] *= k->radius / t;
        }
        return;
    }
    if (k->kind == PERP_SET_CONE) {
        t = k->dim == 3 ? hypotl(x[1], x[2]) : fabsl(x[1]);
        if (x[0] >= 0.0L && t <= mu * x[0]) {
            return;
        }
        if (mu * t <= -x[0]) {
            memset(x, 0, k->dim * sizeof *x);
            return;
        }
        x[0] = (x[0] + mu * t) / (1.0L + mu * mu);
        for (unsigned i = 1; i < k->dim; i++) {
            x[i] *= mu * x[0] / t;
        }
        return;
    }
    {
        long double lo = k->kind == PERP_SET_NONNEG     ? 0.0L
                         : k->kind == PERP_SET_BOX      ? (long double)k->lo
                         : k->kind == PERP_SET_FRICTION ? -mu * fmaxl(z[k->normal], 0.0L)
                                                        : -INFINITY;
        long double hi = k->kind == PERP_SET_BOX        ? (long double)k->hi
                         : k->kind == PERP_SET_FRICTION ? mu * fmaxl(z[k->normal], 0.0L)
                                                        : INFINITY;

        x[0] = fmaxl(lo, fminl(x[0], hi));
    }
}

/* The largest entry that two blocks share. */
static long double formula_link(const perp_problem *p, size_t k, size_t j)
{
    const perp_block *a = &p->set->blocks[k], *b = &p->set->blocks[j];
    long double most = 0.0L;

    for (unsigned i = 0; i < a->dim; i++) {
        for (unsigned m = 0; m < b->dim; m++) {
            most =
                fmaxl(most, fabsl(perp_operator_entry(p->A, a->first + i, b->first + m)));
            most =
                fmaxl(most, fabsl(perp_operator_entry(p->A, b->first + m, a->first + i)));
        }
    }
    return most;
}

/* side[j] of all blocks that links join to block k: 1 or -1. Whether the part has two sides. */
static bool formula_part(size_t count, long double link[64][64], size_t k, int *side)
{
    bool two = true;

    memset(side, 0, count * sizeof *side);
    side[k] = 1;
    for (bool any = true; any;) {
        any = false;
        for (size_t i = 0; i < count; i++) {
            for (size_t j = 0; side[i] && j < count; j++) {
                if (link[i][j] > 0.0L && side[j] == 0) {
                    side[j] = -side[i];
                    any = true;
                }
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; side[i] && j < count; j++) {
            two = two && !(link[i][j] > 0.0L && side[i] == side[j]);
        }
    }
    return two;
}

/* The least squares of log |A_ij| - x_i - x_j, the shortest: conjugate gradients from 0. */
static void formula_least_squares(size_t count, long double link[64][64], const int *side,
                                  long double *x)
{
    long double r[64] = {0}, d[64] = {0}, q[64], square = 0.0L, first = 0.0L;

    for (size_t i = 0; i < count; i++) {
        x[i] = 0.0L;
        for (size_t j = 0; side[i] && j < count; j++) {
            r[i] += link[i][j] > 0.0L ? logl(link[i][j]) : 0.0L;
        }
        d[i] = r[i];
        square += r[i] * r[i];
    }
    first = square;
    for (int n = 0; n < 1000 && square > 1e-34L * first; n++) {
        long double before = square, curve = 0.0L;

        for (size_t i = 0; i < count; i++) {
            q[i] = 0.0L;
            for (size_t j = 0; side[i] && j < count; j++) {
                q[i] += link[i][j] > 0.0L ? d[i] + d[j] : 0.0L;
            }
            curve += d[i] * q[i];
        }
        if (!(curve > 0.0L)) {
            return;
        }
        square = 0.0L;
        for (size_t i = 0; i < count; i++) {
            x[i] += before / curve * d[i];
            r[i] -= before / curve * q[i];
            square += r[i] * r[i];
        }
        for (size_t i = 0; i < count; i++) {
            d[i] = r[i] + square / before * d[i];
        }
    }
}

/* Scales of the part of block k, which has no diagonal. */
static void formula_equilibrate(const perp_problem *p, long double link[64][64], size_t k,
                                long double *s)
{
    size_t count = p->set->count;
    long double x[64], most[64], side_most[2] = {0.0L, 0.0L};
    int side[64];
    bool two = formula_part(count, link, k, side);

    formula_least_squares(count, link, side, x);
    for (int n = 0; n < 200; n++) {
        for (size_t i = 0; i < count; i++) {
            most[i] = 0.0L;
            for (size_t j = 0; j < count; j++) {
                most[i] = fmaxl(most[i], link[i][j] / expl(x[i] + x[j]));
            }
        }
        for (size_t i = 0; i < count; i++) {
            x[i] += most[i] > 0.0L ? 0.5L * logl(most[i]) : 0.0L;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const perp_block *block = &p->set->blocks[i];
        long double norm = 0.0L;

        for (unsigned m = 0; m < block->dim; m++) {
            norm = hypotl(norm, p->b[block->first + m]);
        }
        if (side[i]) {
            long double *at = &side_most[side[i] > 0];

            *at = fmaxl(*at, norm / expl(x[i]));
        }
    }
    two = two && side_most[0] > 0.0L && side_most[1] > 0.0L;
    for (size_t i = 0; i < count; i++) {
        if (side[i]) {
            x[i] += two ? 0.5L * logl(side_most[1] / side_most[0]) * side[i] : 0.0L;
            s[i] = expl(x[i]);
        }
    }
}

/* Scales by their definition, block by block: s[k]. */
static void formula_scales(const perp_problem *p, long double *s)
{
    size_t count = p->set->count;
    long double link[64][64];

    for (size_t k = 0; k < count; k++) {
        const perp_block *block = &p->set->blocks[k];
        long double d = 0.0L, most = 0.0L;

        for (unsigned i = 0; i < block->dim; i++) {
            size_t row = block->first + i;

            d += perp_operator_entry(p->A, row, row) / (long double)block->dim;
            most = fmaxl(most, perp_operator_row_max(p->A, row));
        }
        s[k] = d > 1e-14L * most ? sqrtl(d) : 0.0L;
        for (size_t j = 0; j < count; j++) {
            link[k][j] = j == k ? 0.0L : formula_link(p, k, j);
        }
    }
    for (bool any = true; any;) {
        long double next[64];

        any = false;
        for (size_t k = 0; k < count; k++) {
            next[k] = s[k];
            for (size_t j = 0; s[k] == 0.0L && j < count; j++) {
                if (s[j] > 0.0L) {
                    next[k] = fmaxl(next[k], link[k][j] / s[j]);
                }
            }
            any = any || next[k] != s[k];
        }
        memcpy(s, next, count * sizeof *s);
    }
    for (size_t k = 0; k < count; k++) {
        if (s[k] == 0.0L) {
            formula_equilibrate(p, link, k, s);
        }
    }
}

/* |z - P(z - u/d)| of a block at z with the velocities w. */
static long double formula_map(const perp_problem *p, size_t k, const long double *z,
                               const long double *w, long double d)
{
    const perp_block *block = &p->set->blocks[k];
    size_t f = block->first;
    long double x[5], norm = 0.0L, shift = 0.0L;

    for (unsigned i = 1; block->kind == PERP_SET_CONE && i < block->dim; i++) {
        shift = hypotl(shift, w[f + i]);
    }
    shift *= p->law == PERP_LAW_COULOMB ? block->mu : 0.0L;
    for (unsigned i = 0; i < block->dim; i++) {
        x[i] = z[f + i] - (w[f + i] + (i == 0 ? shift : 0.0L)) / d;
    }
    formula_project(block, z, x);
    for (unsigned i = 0; i < block->dim; i++) {
        norm = hypotl(norm, z[f + i] - x[i]);
    }
    return norm;
}

/* What block k asks for at z: the parts of beta but e_k(z0). */
static long double formula_load(const perp_problem *p, size_t k, const long double *z,
                                const long double *z0, long double s)
{
    const perp_block *block = &p->set->blocks[k];
    const double *b = p->b + block->first;
    long double norm = 0.0L, away = 0.0L;

    for (unsigned i = 0; i < block->dim; i++) {
        away = hypotl(away, z[block->first + i] - z0[block->first + i]);
        norm = hypotl(norm, block->kind == PERP_SET_CONE && i == 0 ? 0.0L : b[i]);
    }
    if (block->kind == PERP_SET_NONNEG || block->kind == PERP_SET_BOX) {
        return fminl(norm / s, s * away);
    }
    if (block->kind != PERP_SET_CONE) {
        return norm / s;
    }
    norm = fmaxl(norm, -b[0]) / s;
    return b[0] > 0.0 ? fmaxl(norm, fminl(b[0] / s, s * away)) : norm;
}

/* w := A z + b, and the magnitudes of A z. */
static void formula_velocities(const perp_problem *p, const long double *z,
                               long double *w, long double *size)
{
    for (size_t i = 0; i < p->n; i++) {
        w[i] = p->b[i];
        size[i] = 0.0L;
        for (size_t j = 0; j < p->n; j++) {
            w[i] += perp_operator_entry(p->A, i, j) * z[j];
            size[i] += fabsl(perp_operator_entry(p->A, i, j) * z[j]);
        }
    }
}

long double torture_residual(const perp_problem *p, const double *point,
                             long double *rounding)
{
    long double z[64], z0[64], w[64], w0[64], size[64], s[64], e[64], a[64], lost[64];
    long double beta = 0.0L, worst = 0.0L;

    if (p->n > 64 || (perp_set_kinds(p->set) & PERP_SET_ROLLING)) {
        return -1.0L;
    }
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];

        for (size_t i = block->first; i < block->first + block->dim; i++) {
            z[i] = point[i];
            z0[i] = block->kind == PERP_SET_BOX ? fmaxl(block->lo, fminl(0.0L, block->hi))
                                                : 0.0L;
        }
    }
    formula_scales(p, s);
    formula_velocities(p, z0, w0, size);
    formula_velocities(p, z, w, size);
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];

        e[k] = s[k] * formula_map(p, k, z, w, s[k] * s[k]);
        a[k] = lost[k] = 0.0L;
        for (size_t i = block->first; i < block->first + block->dim; i++) {
            long double mu = p->law == PERP_LAW_COULOMB ? block->mu : 0.0L;

            a[k] = fmaxl(a[k], (1.0L + mu) * 0x1p-51L * size[i] / s[k]);
            lost[k] = fmaxl(lost[k], 0x1p-61L * s[k] * fabsl(z[i])); /* of z - u/d here */
        }
        beta = fmaxl(beta, s[k] * formula_map(p, k, z0, w0, s[k] * s[k]));
        beta = fmaxl(beta, formula_load(p, k, z, z0, s[k]));
    }
    for (size_t k = 0; k < p->set->count; k++) {
        long double most = 1e-8L * beta;

        *rounding = fmaxl(*rounding, 0x1p-13L * (long double)p->n * a[k]); /* of w */
        *rounding = fmaxl(*rounding, lost[k]);
        a[k] = perp_operator_in_factors(p->A) ? most : fminl(a[k], most);
        worst = fmaxl(worst, e[k] - a[k]);
    }
    *rounding = beta > 0.0L ? *rounding / beta : 0.0L;
    return worst > 0.0L ? worst / beta : 0.0L;
}
