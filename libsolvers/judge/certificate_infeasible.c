/* SPDX-License-Identifier: Apache-2.0
 * judge/certificate_infeasible.c: whether a direction certifies that there is no solution.
 *
 * Every solution has w in the dual of K's recession cone, so y.w >= 0 for y in that cone
 * (Coulomb cones: w_N >= 0, so y = (y_N, 0)). Since y.w = (A^T y).z + b.y, there is no solution
 * if this is negative for all z in K. For the LCP: y >= 0, A^T y <= 0, b.y < 0
 * [cottle-pang-stone-2009, section 3.1]. This holds for every A, symmetric or not.
 *
 * With rounding A^T y violates its signs slightly, and then y excludes only the solutions with
 *     max s_k |z_k| < R = -value / sum of (misses of block k)/s_k.
 * Where A is so badly conditioned that R is within the range that a residual can resolve, y
 * certifies nothing: a heavy body on a light one has such directions, and a solution. */
#include <config.h>

#include "core/solvers.h"

/* s |z|/beta_b of solutions that must be excluded: beyond it, rounding hides b (residual.c). */
static const double largest_shown = 1e12;

typedef struct checker {
    const perp_problem *p;
    const double *y; /* scaled to max |y| = 1 */
    double *v;       /* A^T y, with what friction rows add to their normals */
    const double *s; /* row scales */
    double slack;    /* 1e-9 max |A|: how far a sign condition may fail at most */
    double value;    /* max over K of v.z, plus b.y */
    double misses;   /* sum of how far they fail, over s */
} checker;

/* Adds the violation of a sign condition; false when it exceeds the slack. */
static bool miss(checker *c, const perp_block *block, double by)
{
    c->misses += fmax(by, 0.0) / c->s[block->first];
    return by <= c->slack;
}

static bool check_scalar(checker *c, const perp_block *block)
{
    double y = c->y[block->first];
    double v = c->v[block->first];
    bool below = isfinite(block->lo);
    bool above = isfinite(block->hi);

    switch (block->kind) {
    case PERP_SET_FRICTION:
        return y == 0.0; /* its share of v went to the normal */
    case PERP_SET_FREE:
        return miss(c, block, fabs(v));
    default:
        break;
    }
    if (below && above) {
        c->value += fmax(v * block->lo, v * block->hi);
        return y == 0.0;
    }
    if (!below && !above) {
        return miss(c, block, fabs(v));
    }
    c->value += v * (below ? block->lo : block->hi);
    return below ? y >= 0.0 && miss(c, block, v) : y <= 0.0 && miss(c, block, -v);
}

static bool check_cone(checker *c, const perp_block *block)
{
    const double *y = c->y + block->first;
    const double *v = c->v + block->first;
    double y_t = 0.0;
    double v_t = 0.0;

    for (unsigned i = 1; i < block->dim; i++) {
        y_t = hypot(y_t, y[i]);
        v_t = hypot(v_t, v[i]);
    }
    if (block->kind == PERP_SET_DISK) {
        v_t = hypot(v[0], v[1]);
        c->value += block->radius * v_t;
        return y[0] == 0.0 && y[1] == 0.0;
    }
    /* y in K; under Coulomb's law and for rolling contacts only normals can be part of y. */
    if (c->p->law == PERP_LAW_ASSOCIATED && block->kind == PERP_SET_CONE) {
        if (!(y[0] >= 0.0 && y_t <= block->mu * y[0] * (1.0 + 1e-12) + 1e-15)) {
            return false;
        }
        return miss(c, block, block->mu * v_t + v[0]); /* -v in K* */
    }
    if (block->kind == PERP_SET_ROLLING) {
        v_t = block->mu * hypot(v[1], v[2]) + block->mu_rolling * hypot(v[3], v[4]);
        return y[0] >= 0.0 && y_t == 0.0 && miss(c, block, v_t + v[0]);
    }
    return y[0] >= 0.0 && y_t == 0.0 && miss(c, block, block->mu * v_t + v[0]);
}

/* z_T of a friction row adds mu |v_T| z_N at most. */
static void move_friction(checker *c)
{
    const perp_set *set = c->p->set;

    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];

        if (block->kind == PERP_SET_FRICTION) {
            c->v[block->normal] += block->mu * fabs(c->v[block->first]);
        }
    }
}

/* beta_b of the common residual. */
static double scaled_b(const checker *c)
{
    double beta = 0.0;

    for (size_t i = 0; i < c->p->n; i++) {
        beta = fmax(beta, fabs(c->p->b[i]) / c->s[i]);
    }
    return beta;
}

static bool check_blocks(checker *c, double b_max)
{
    const perp_set *set = c->p->set;

    move_friction(c);
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];

        if (!(block->dim == 1 ? check_scalar(c, block) : check_cone(c, block))) {
            return false;
        }
    }
    for (size_t i = 0; i < c->p->n; i++) {
        c->value += c->p->b[i] * c->y[i];
    }
    return c->value <= -1e-9 * b_max && b_max > 0.0 &&
           -c->value >= c->misses * largest_shown * scaled_b(c);
}

bool perp_certificate_infeasible(const perp_problem *p, const double *y)
{
    double *unit = perp_reals_new(p->n);
    double *v = perp_reals_new(p->n);
    double *s = perp_reals_new(p->n);
    double y_max = perp_largest(p->n, y);
    double b_max = perp_largest(p->n, p->b);
    bool valid = false;

    if (unit && v && s && p->A && perp_all_finite(y, p->n) && y_max > 0.0) {
        checker c = {
            .p = p, .y = unit, .v = v, .s = s, .slack = 1e-9 * perp_operator_max(p->A)};

        for (size_t i = 0; i < p->n; i++) {
            unit[i] = y[i] / y_max;
        }
        perp_row_scales(p, s);
        perp_operator_apply_transposed(p->A, unit, v);
        valid = check_blocks(&c, b_max);
    }
    free(unit);
    free(v);
    free(s);
    return valid;
}
