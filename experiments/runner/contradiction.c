/* SPDX-License-Identifier: Apache-2.0
 * runner/contradiction.c: a solution and a direction of infeasibility of one problem. */
#include <config.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "experiments/runner/contradiction.h"

/* The sum of |A_ij| t_j of one row, where z_j moves by e_abs t_j at most. */
typedef struct contradiction_row {
    const double *t;
    double sum;
} contradiction_row;

static void contradiction_add(void *context, size_t j, double a)
{
    contradiction_row *row = context;

    row->sum += fabs(a) * row->t[j];
}

/* t = 1/s, and for friction rows what the bound of their normal moves them. */
static void contradiction_moves(const perp_set *set, const double *s, double *t)
{
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];

        for (size_t i = block->first; i < block->first + block->dim; i++) {
            t[i] = 1.0 / s[i];
        }
        if (block->kind == PERP_SET_FRICTION) {
            t[block->first] += block->mu / s[block->normal];
        }
    }
}

/* b := b + what e_abs allows, in the direction of y. */
static void contradiction_raise(const perp_problem *p, const double *s, const double *t,
                                double e_abs, const double *y, double *b)
{
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        double factor = 1.0 + (block->dim > 1 ? block->mu + block->mu_rolling : 0.0);

        for (size_t i = block->first; i < block->first + block->dim; i++) {
            contradiction_row row = {.t = t};

            perp_operator_row_visit(p->A, i, contradiction_add, &row);
            b[i] = p->b[i] + copysign(e_abs * (factor * s[i] + row.sum), y[i]);
        }
    }
}

perp_status contradiction_find(const perp_problem *p, const double *z, double e_abs,
                               const double *y, contradiction_kind *kind, perp_error *err)
{
    size_t n = p->n;
    double *s = perp_reals_new(3 * n), size = 0.0;
    perp_problem raised = *p;

    *kind = CONTRADICTION_NONE;
    if (!s) {
        return perp_fail(err, PERP_ERR_MEMORY, "perp: no memory for %zu rows", n);
    }
    perp_row_scales(p, s);
    for (size_t i = 0; i < n; i++) {
        size = fmax(size, s[i] * fabs(z[i]));
    }
    if (perp_certificate_radius(p, y) > size) {
        /* Rounding of z and of A z, as the judge allows it. */
        double allowed = e_abs + 20.0 * DBL_EPSILON * size;

        raised.b = s + n;
        raised.sealed = false;
        contradiction_moves(p->set, s, s + 2 * n);
        contradiction_raise(p, s, s + 2 * n, allowed, y, raised.b);
        *kind = perp_certificate_radius(&raised, y) > size + allowed
                    ? CONTRADICTION_ERROR
                    : CONTRADICTION_WITHIN;
    }
    free(s);
    return PERP_OK;
}
