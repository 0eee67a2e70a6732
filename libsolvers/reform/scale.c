/* SPDX-License-Identifier: Apache-2.0
 * reform/scale.c: symmetric diagonal scaling by powers of two.
 *
 *     z = D z',  w' = D w,  A' = D A D,  b' = D b,   D_i = 2^round(log2 1/s_i)
 *
 * with the row scales s of the residual, so that the diagonal entries of A' are near
 * 1. Powers of two change exponents only: the map and its inverse are free of
 * rounding, unless numbers leave the range of doubles. All rows of a contact have the
 * same factor, so that its cone stays a cone; bounds and the coefficients of friction
 * rows are scaled accordingly, |z'_t| <= mu (D_n/D_t) z'_n. Costs one pass over A. A
 * solve makes no copy where all factors are 1. */
#include <config.h>

#include "base/base.h"
#include "judge/judge.h"
#include "matrix/storages.h"
#include "reforms.h"

typedef struct scale_state {
    size_t n;
    double D[];
} scale_state;

static void scale_map(const void *state, const perp_problem *from, const double *z,
                      double *zz)
{
    const scale_state *s = state;

    (void)from;
    for (size_t i = 0; i < s->n; i++) {
        zz[i] = z[i] / s->D[i];
    }
}

/* The map of certificates, too: y = D y', since y'.w' = (D y').w. */
static void scale_unmap(const void *state, const perp_problem *from, const double *zz,
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
    .map = scale_map,
    .unmap = scale_unmap,
    .certificate = scale_unmap,
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

/* The factors of the rows from the scales of the blocks, and the range of their exponents. */
static void scale_factors(const perp_set *set, double *D, int *least, int *most)
{
    *least = set->count > 0 ? 1000 : 0;
    *most = set->count > 0 ? -1000 : 0;
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        int e = scale_exponent(D[block->first]);

        for (unsigned i = 0; i < block->dim; i++) {
            D[block->first + i] = ldexp(1.0, e);
        }
        *least = e < *least ? e : *least;
        *most = e > *most ? e : *most;
    }
}

/* Bounds, radii and coefficients. */
static void scale_set(perp_set *set, const double *D)
{
    for (size_t k = 0; k < set->count; k++) {
        perp_block *block = &set->blocks[k];
        int e = ilogb(D[block->first]);

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

void perp_scale_range(const perp_problem *p, const perp_judge *judge, int *least,
                      int *most)
{
    *least = p->set->count > 0 ? 1000 : 0;
    *most = p->set->count > 0 ? -1000 : 0;
    for (size_t k = 0; k < p->set->count; k++) {
        int e = scale_exponent(perp_judge_root(judge, k));

        *least = e < *least ? e : *least;
        *most = e > *most ? e : *most;
    }
}

/* The scales of the rows, those of a judge of p if there is one. */
static perp_status scale_read(const perp_problem *p, const perp_judge *judge, double *D,
                              perp_error *err)
{
    if (!judge) {
        return perp_row_scales(p, D, err);
    }
    for (size_t k = 0; k < p->set->count; k++) {
        for (unsigned i = 0; i < p->set->blocks[k].dim; i++) {
            D[p->set->blocks[k].first + i] = perp_judge_root(judge, k);
        }
    }
    return PERP_OK;
}

/* D A D */
static perp_status scale_operator(perp_operator **out, const perp_operator *A,
                                  const double *D, perp_error *err)
{
    perp_status status = PERP_OK;

    if (A->type == &perp_operator_dense) {
        return perp_dense_new_scaled(out, A, D, err);
    }
    status = perp_operator_copy(out, A, err);
    if (status == PERP_OK) {
        perp_operator_scale(*out, D, D);
        (*out)->entries.known = A->entries.known && A->entries.asymmetry == 0.0;
    }
    return status;
}

/* The reformulation by the factors of a state, which it takes over. */
static perp_status scale_new(perp_reform **t, const perp_problem *p, scale_state *s,
                             int least, int most, perp_error *err)
{
    perp_problem *to = NULL;
    perp_operator *A = NULL;
    perp_status status = scale_operator(&A, p->A, s->D, err);

    if (status == PERP_OK) {
        status = perp_reform_problem_like(&to, p, A, NULL, err);
    }
    if (status != PERP_OK) {
        free(s);
        return status;
    }
    scale_set(to->set, s->D);
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

/* The factors of p, those of a judge of p if there is one. */
static perp_status scale_state_new(scale_state **s, const perp_problem *p,
                                   const perp_judge *judge, int *least, int *most,
                                   perp_error *err)
{
    perp_status status = PERP_OK;

    TRY(perp_reform_needs_local(p, err));
    *s = malloc(sizeof **s + (p->n + 1) * sizeof(double));
    if (!*s) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu scales", p->n);
    }
    (*s)->n = p->n;
    status = scale_read(p, judge, (*s)->D, err);
    if (status != PERP_OK) {
        free(*s);
        *s = NULL;
        return status;
    }
    scale_factors(p->set, (*s)->D, least, most);
    return PERP_OK;
}

perp_status perp_reform_scale(perp_reform **t, const perp_problem *p, perp_error *err)
{
    if (perp_check_arguments(t && p, "perp_reform_scale", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    scale_state *s = NULL;
    int least = 0, most = 0;

    *t = NULL;
    TRY(scale_state_new(&s, p, NULL, &least, &most, err));

    return scale_new(t, p, s, least, most, err);
}

perp_status perp_reform_scale_by(perp_reform **t, const perp_problem *p,
                                 const perp_judge *judge, perp_error *err)
{
    scale_state *s = NULL;
    int least = 0, most = 0;
    perp_status status = scale_state_new(&s, p, judge, &least, &most, err);

    *t = NULL;
    if (status == PERP_OK && least == 0 && most == 0) {
        free(s);
        return PERP_OK;
    }
    return status == PERP_OK ? scale_new(t, p, s, least, most, err) : status;
}
