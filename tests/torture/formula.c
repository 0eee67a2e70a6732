/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/formula.c: the residual by its definition, written down anew. */
#include <config.h>

#include <math.h>
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

/* d of a block: the diagonal, or its mean over a contact, or the largest entry of the row. */
static long double formula_scale(const perp_problem *p, const perp_block *k)
{
    long double d = 0.0L;

    for (unsigned i = 0; i < k->dim; i++) {
        d += perp_operator_entry(p->A, k->first + i, k->first + i);
    }
    d /= k->dim;
    if (k->dim == 1) {
        long double most = perp_operator_row_max(p->A, k->first);

        d = d > 1e-14L * most ? d : most;
    }
    return d > 0.0L ? d : 1.0L;
}

long double torture_residual(const perp_problem *p, const double *point,
                             long double *rounding)
{
    long double z[64], w[64], size[64];
    long double e = 0.0L;
    long double beta_b = 0.0L;
    long double beta_z = 0.0L;

    if (p->n > 64 || (perp_set_kinds(p->set) & PERP_SET_ROLLING)) {
        return -1.0L;
    }
    for (size_t i = 0; i < p->n; i++) {
        z[i] = point[i];
    }
    for (size_t i = 0; i < p->n; i++) {
        w[i] = p->b[i];
        size[i] = fabsl(w[i]);
        for (size_t j = 0; j < p->n; j++) {
            w[i] += perp_operator_entry(p->A, i, j) * z[j];
            size[i] += fabsl(perp_operator_entry(p->A, i, j) * z[j]);
        }
    }
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        size_t f = block->first;
        long double d = formula_scale(p, block);
        long double s = sqrtl(d);
        long double x[5], norm = 0.0L, norm_b = 0.0L, norm_z = 0.0L;
        long double shift = 0.0L;

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
            norm_b = hypotl(norm_b, p->b[f + i]);
            norm_z = hypotl(norm_z, z[f + i]);
            *rounding =
                fmaxl(*rounding, 16.0L * 0x1p-52L * size[f + i] * (1.0L + block->mu) / s);
        }
        e = fmaxl(e, s * norm);
        beta_b = fmaxl(beta_b, norm_b / s);
        beta_z = fmaxl(beta_z, s * norm_z);
    }
    beta_b = beta_b > 0.0L ? beta_b : 1.0L;
    beta_z = fmaxl(beta_z, beta_b);
    *rounding /= beta_b;
    return fmaxl(0.0L, e - fminl(10.0L * 0x1p-52L * beta_z, 1e-3L * beta_b)) / beta_b;
}
