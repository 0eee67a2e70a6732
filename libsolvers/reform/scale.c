/* SPDX-License-Identifier: Apache-2.0
 * reform/scale.c: symmetric diagonal scaling by powers of two.
 *
 *     z = D z',  w' = D w,  A' = D A D,  b' = D b,   D_i = 2^round(log2 1/s_i)
 *
 * with the row scales s of the residual, so that diagonals come near 1. Powers of two change
 * exponents only: the way there and back is free of rounding, unless numbers leave the range
 * of doubles. All rows of a contact share one factor, which keeps its cone; bounds and the
 * coefficients of friction rows follow, |z'_t| <= mu (D_n/D_t) z'_n. Costs one pass. */
#include <config.h>

#include "reforms.h"

typedef struct scale_state {
    size_t n;
    double D[];
} scale_state;

static void scale_forth(const void *state, const perp_problem *from, const double *z,
                        double *zz)
{
    const scale_state *s = state;

    (void)from;
    for (size_t i = 0; i < s->n; i++) {
        zz[i] = z[i] / s->D[i];
    }
}

/* Also y = D y' for certificates, since y'.w' = (D y').w. */
static void scale_back(const void *state, const perp_problem *from, const double *zz,
                       double *z)
{
    const scale_state *s = state;

    (void)from;
    for (size_t i = 0; i < s->n; i++) {
        z[i] = s->D[i] * zz[i];
    }
}

static const perp_reform_type scale_type = {
    .name = "scale",
    .changes_physics = false,
    .map = scale_forth,
    .unmap = scale_back,
    .certificate = scale_back,
    .free = free,
};

/* The exponent of the power of two nearest to 1/s, by ratio. */
static int scale_exponent(double s)
{
    const int most = 250; /* D A D stays within doubles for entries up to 1e150 */
    int e = 0;
    double m = isfinite(s) && s > 0.0 ? frexp(s, &e) : 1.0;

    if (m < 0.70710678118654752) { /* s = m 2^e, 1/2 <= m < 1 */
        e--;
    }
    return e > most ? -most : e < -most ? most : -e;
}

/* Scale the blocks and note the range of exponents. */
static void scale_set(perp_set *set, double *D, int *least, int *most)
{
    *least = set->count > 0 ? 1000 : 0;
    *most = set->count > 0 ? -1000 : 0;
    for (size_t k = 0; k < set->count; k++) {
        perp_block *block = &set->blocks[k];
        int e = scale_exponent(D[block->first]);

        for (unsigned i = 0; i < block->dim; i++) {
            D[block->first + i] = ldexp(1.0, e);
        }
        *least = e < *least ? e : *least;
        *most = e > *most ? e : *most;
        block->lo = isfinite(block->lo) ? ldexp(block->lo, -e) : block->lo;
        block->hi = isfinite(block->hi) ? ldexp(block->hi, -e) : block->hi;
        block->radius = ldexp(block->radius, -e);
    }
    for (size_t k = 0; k < set->count; k++) {
        perp_block *block = &set->blocks[k];

        if (block->kind == PERP_SET_FRICTION) {
            block->mu *= D[block->normal] / D[block->first];
        }
    }
}

perp_status perp_reform_scale(perp_reform **t, const perp_problem *p, perp_error *err)
{
    if (perp_check_arguments(t && p, "perp_reform_scale", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_problem *to = NULL;
    scale_state *s = NULL;
    perp_status status = PERP_OK;
    int least = 0;
    int most = 0;

    *t = NULL;
    s = calloc(1, sizeof *s + (p->n + 1) * sizeof(double));
    if (!s) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu scales", p->n);
    }
    status = perp_reform_vary(&to, p, NULL, NULL, err);
    if (status != PERP_OK) {
        free(s);
        return status;
    }
    s->n = p->n;
    perp_row_scales(p, s->D);
    scale_set(to->set, s->D, &least, &most);
    perp_operator_scale(to->A, s->D, s->D);
    for (size_t i = 0; i < p->n; i++) {
        to->b[i] *= s->D[i];
    }
    status = perp_reform_new(t, &scale_type, p, to, s, err);
    if (status == PERP_OK) {
        perp_reform_describe(*t, "scaled by powers of two from 2^%d to 2^%d", least,
                             most);
    }
    return status;
}
