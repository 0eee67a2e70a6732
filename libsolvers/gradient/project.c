/* SPDX-License-Identifier: Apache-2.0
 * gradient/project.c: the projection on K, for the whole vector at once.
 *
 *     a = |x_T|;   inside (n >= 0, a <= mu n): x;   in the polar (mu a <= -n): 0;
 *     else n' = (n + mu a)/(1 + mu^2),  x_T' = x_T mu n'/a
 *
 * Two cones are projected together: all three cases are computed and the valid one is selected
 * by masks, so that square roots and divisions of different cones overlap. Without SSE2 the same
 * operations are executed one after the other and give the same bits. */
#include <config.h>

#include "project.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "vectors.h"

typedef long long mask_pair __attribute__((vector_size(16)));

static inline vec_pair pair_root(vec_pair x)
{
#ifdef __SSE2__
    return _mm_sqrt_pd(x);
#else
    return (vec_pair){sqrt(x[0]), sqrt(x[1])};
#endif
}

/* yes where the mask is set, else no */
static inline vec_pair pair_choose(mask_pair mask, vec_pair yes, vec_pair no)
{
    return (vec_pair)((mask & (mask_pair)yes) | (~mask & (mask_pair)no));
}

/* Projects the cones (n, s, t) of two contacts. */
static inline void pair_project(vec_pair mu, vec_pair shrink, vec_pair *n, vec_pair *s,
                                vec_pair *t)
{
    const vec_pair zero = {0.0, 0.0};
    const vec_pair one = {1.0, 1.0};
    vec_pair a = pair_root(*s * *s + *t * *t);
    mask_pair inside = (mask_pair)(a <= mu * *n) & (mask_pair)(*n >= zero);
    mask_pair polar = (mask_pair)(mu * a <= -*n);
    vec_pair normal = (*n + mu * a) * shrink;
    vec_pair factor = mu * normal / pair_choose((mask_pair)(a > zero), a, one);

    normal = pair_choose(polar, zero, normal);
    factor = pair_choose(polar, zero, factor);
    *n = pair_choose(inside, *n, normal);
    factor = pair_choose(inside, one, factor);
    *s *= factor;
    *t *= factor;
}

void perp_project_cones(size_t count, const double *mu, const double *shrink, double *x)
{
    for (size_t k = 0; k < count; k += 2, x += 6) {
        bool both = k + 1 < count;
        double *y = both ? x + 3 : x; /* the last one of an odd number twice */
        vec_pair n = {x[0], y[0]};
        vec_pair s = {x[1], y[1]};
        vec_pair t = {x[2], y[2]};
        size_t other = both ? k + 1 : k;

        pair_project((vec_pair){mu[k], mu[other]}, (vec_pair){shrink[k], shrink[other]},
                     &n, &s, &t);
        x[0] = n[0];
        x[1] = s[0];
        x[2] = t[0];
        y[0] = n[1];
        y[1] = s[1];
        y[2] = t[1];
    }
}

static perp_span_shape shape_of(const perp_block *block)
{
    if (block->dim == 1) {
        return PERP_SPAN_INTERVALS;
    }
    return block->kind == PERP_SET_CONE && block->dim == 3 ? PERP_SPAN_CONES
                                                           : PERP_SPAN_OTHER;
}

void perp_projection_refresh(perp_projection *P)
{
    for (size_t k = 0; k < P->set->count; k++) {
        const perp_block *block = &P->set->blocks[k];

        if (block->dim == 1) {
            perp_block_bounds(block, NULL, &P->lo[k], &P->hi[k]);
        } else {
            P->lo[k] = block->mu;
            P->hi[k] = 1.0 / (1.0 + block->mu * block->mu);
        }
    }
}

bool perp_projection_init(perp_projection *P, const perp_set *set, perp_workspace *ws)
{
    size_t spans = 0;

    for (size_t k = 0; k < set->count; k++) {
        spans += k == 0 || shape_of(&set->blocks[k]) != shape_of(&set->blocks[k - 1]);
    }
    P->set = set;
    P->spans = 0;
    P->span = perp_workspace_alloc(ws, spans, sizeof *P->span);
    P->lo = perp_workspace_reals(ws, set->count);
    P->hi = perp_workspace_reals(ws, set->count);
    if (!P->span || !P->lo || !P->hi) {
        return false;
    }
    for (size_t k = 0; k < set->count; k++) {
        perp_span_shape shape = shape_of(&set->blocks[k]);

        if (k == 0 || shape != P->span[P->spans - 1].shape) {
            P->span[P->spans++] =
                (perp_span){.shape = shape, .block = k, .first = set->blocks[k].first};
        }
        P->span[P->spans - 1].count++;
    }
    perp_projection_refresh(P);
    return true;
}

void perp_projection_apply(const perp_projection *P, double *x)
{
    for (size_t j = 0; j < P->spans; j++) {
        const perp_span *span = &P->span[j];
        const double *lo = P->lo + span->block;
        const double *hi = P->hi + span->block;
        double *y = x + span->first;

        switch (span->shape) {
        case PERP_SPAN_CONES:
            perp_project_cones(span->count, lo, hi, y);
            break;
        case PERP_SPAN_INTERVALS:
            for (size_t k = 0; k < span->count; k++) {
                y[k] = y[k] < lo[k] ? lo[k] : (y[k] > hi[k] ? hi[k] : y[k]);
            }
            break;
        default:
            for (size_t k = 0; k < span->count; k++) {
                perp_set_project(P->set, span->block + k, x);
            }
            break;
        }
    }
}
