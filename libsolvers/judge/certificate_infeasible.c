/* SPDX-License-Identifier: Apache-2.0
 * judge/certificate_infeasible.c: whether a direction certifies that there is no solution.
 *
 * Every solution has w in the dual of K's recession cone, so y.w >= 0 for y in that cone
 * (Coulomb cones: w_N >= 0, so y = (y_N, 0)). Since y.w = (A^T y).z + b.y, there is no solution
 * if this is negative for all z in K. For the LCP: y >= 0, A^T y <= 0, b.y < 0
 * [cottle-pang-stone-2009, section 3.1]. This holds for every A, symmetric or not.
 *
 * y of a solver misses the signs of A^T y slightly, and then excludes only the solutions with
 *     max s_k |z_k| < R = -value / sum of (misses of block k)/s_k.
 * A^T y and b.y are summed in pairs of doubles whose error is bounded (pair.h), and each bound is
 * rounded outwards: that no solution lies within R is a theorem about the doubles of A and b.
 *
 * A point z in K up to E/s_k has y.w >= -E weight and (A^T y).z within E reach of its bound on K,
 * where E = max e_k of its natural map (perp/residual.h): so
 *     E >= (-value - misses max s_k |z_k|)/(misses + reach + weight),
 *     weight = sum (1 + mu) s_i |y_i|,   reach = sum |A^T y|_i/s_i.
 * This is the least residual that any point has, the margin.
 *
 * y certifies when R is at least the radius within which the judge accepts solutions. A problem
 * whose A is positive definite, or whose sets are bounds and A is dominant, has a solution, so
 * that a y that misses signs is refused there. */
#include <config.h>

#include "judge/certificate_private.h"
#include "judge/judge.h"
#include "judge/pair.h"

typedef struct checker {
    const perp_problem *p;
    double *y; /* scaled to max |y| = 1, moved into the cones */
    double *low,
        *high;        /* bounds of A^T y, with what friction rows add to their normals */
    const double *s;  /* row scales */
    double value;     /* upper bound of max over K of v.z, plus b.y */
    double misses;    /* upper bound of how far signs fail, over s */
    double curvature; /* upper bound of y.A y */
    double reach;     /* upper bound of sum |A^T y|_i/s_i, with what friction rows add */
    double weight;    /* upper bound of sum (1 + mu) s_i |y_i| */
} checker;

/* Add to the value, rounded up: what is cancelled later keeps its rounding. */
static void check_raise(checker *c, double term)
{
    c->value = perp_up(c->value + term);
}

/* Adds the violation of a sign condition, of a block that begins at `from`, where 0 is the
 * boundary: z moves away from there by |z| + |from| at most. */
static void check_miss(checker *c, const perp_block *block, double by, double from)
{
    if (by > 0.0) {
        c->misses += perp_up(by / c->s[block->first]);
        check_raise(c, perp_up(by * fabs(from)));
    }
}

/* The largest |v| within its bounds. */
static double check_size(const checker *c, size_t i)
{
    return fmax(fabs(c->low[i]), fabs(c->high[i]));
}

/* The largest v x within the bounds of v. */
static double check_most(const checker *c, size_t i, double x)
{
    return perp_up(fmax(c->low[i] * x, c->high[i] * x));
}

static bool check_scalar(checker *c, const perp_block *block)
{
    size_t i = block->first;
    double y = c->y[i];
    bool below = isfinite(block->lo), above = isfinite(block->hi);

    if (block->kind == PERP_SET_FRICTION) {
        return y == 0.0; /* its share of v went to the normal */
    }
    if (block->kind == PERP_SET_FREE || (!below && !above)) {
        check_miss(c, block, check_size(c, i), 0.0);
        return true;
    }
    if (below && above) {
        check_raise(c, fmax(check_most(c, i, block->lo), check_most(c, i, block->hi)));
        return y == 0.0;
    }
    check_raise(c, check_most(c, i, below ? block->lo : block->hi));
    check_miss(c, block, below ? c->high[i] : -c->low[i], below ? block->lo : block->hi);
    return below ? y >= 0.0 : y <= 0.0;
}

/* An upper bound of the norm of v[first], v[first + 1]. */
static double check_norm(const checker *c, size_t first)
{
    return perp_up(hypot(check_size(c, first), check_size(c, first + 1)));
}

static bool check_is_zero(const checker *c, const perp_block *block)
{
    double size = 0.0;

    for (size_t i = block->first; i < block->first + block->dim; i++) {
        size = fmax(size, check_size(c, i));
    }
    return size == 0.0;
}

static bool check_cone(checker *c, const perp_block *block)
{
    size_t i = block->first;
    const double *y = c->y + i;
    double tangent = 0.0;

    if (block->kind == PERP_SET_DISK) {
        check_raise(c, perp_up(block->radius * check_norm(c, i)));
        return y[0] == 0.0 && y[1] == 0.0;
    }
    if (block->kind == PERP_SET_ROLLING) {
        tangent = perp_up(block->mu * check_norm(c, i + 1)) +
                  perp_up(block->mu_rolling * check_norm(c, i + 3));
    } else {
        tangent =
            block->mu * (block->dim > 2 ? check_norm(c, i + 1) : check_size(c, i + 1));
    }
    if (!check_is_zero(c, block)) {
        check_miss(c, block, perp_up(perp_up(tangent) + c->high[i]), 0.0); /* -v in K* */
    }
    if (c->p->law == PERP_LAW_ASSOCIATED && block->kind == PERP_SET_CONE) {
        return y[0] >= 0.0; /* y was moved into K */
    }
    /* Under Coulomb's law and for rolling contacts only normals can be part of y. */
    for (unsigned k = 1; k < block->dim; k++) {
        if (y[k] != 0.0) {
            return false;
        }
    }
    return y[0] >= 0.0;
}

/* Under the associated law y may miss the cone by rounding: its normal part is raised. */
static void check_move_into_cones(checker *c)
{
    const perp_set *set = c->p->set;

    for (size_t k = 0; c->p->law == PERP_LAW_ASSOCIATED && k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        double *y = c->y + block->first, tangent = 0.0;

        if (block->kind != PERP_SET_CONE) {
            continue;
        }
        for (unsigned i = 1; i < block->dim; i++) {
            y[i] = block->mu > 0.0 ? y[i] : 0.0;
            tangent = perp_up(hypot(tangent, y[i]));
        }
        if (tangent > 0.0) {
            y[0] = fmax(y[0], perp_up(tangent / block->mu));
        }
    }
}

/* z_T of a friction row adds mu |v_T| z_N at most. */
static void check_move_friction(checker *c)
{
    const perp_set *set = c->p->set;

    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];

        if (block->kind == PERP_SET_FRICTION && check_size(c, block->first) > 0.0) {
            double most = perp_up(block->mu * check_size(c, block->first));

            c->high[block->normal] = perp_up(c->high[block->normal] + most);
        }
    }
}

/* How far the bounds of K and of its dual give way, for a point that violates them. */
static void check_give(checker *c)
{
    const perp_set *set = c->p->set;

    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        bool contact = block->kind == PERP_SET_CONE || block->kind == PERP_SET_ROLLING;
        double more = contact ? 1.0 + block->mu + block->mu_rolling : 1.0;

        for (size_t i = block->first; i < block->first + block->dim; i++) {
            double size = check_size(c, i);

            c->weight =
                perp_up(c->weight + perp_up(perp_up(more * c->s[i]) * fabs(c->y[i])));
            c->reach = perp_up(c->reach + perp_up(size / c->s[i]));
            if (block->kind == PERP_SET_FRICTION) {
                c->reach = perp_up(
                    c->reach + perp_up(perp_up(block->mu * size) / c->s[block->normal]));
            }
        }
    }
}

/* Bounds of A^T y, of b.y and of y.A y. `sums` has a pair for each row. */
static void check_sum(checker *c, perp_pair *sums)
{
    const perp_problem *p = c->p;
    perp_pair value = {0};

    for (size_t i = 0; i < p->n; i++) {
        if (c->y[i] != 0.0) {
            perp_pair_row(p->A, i, c->y[i], sums);
            perp_pair_add(&value, p->b[i], c->y[i]);
        }
    }
    c->value = perp_pair_high(&value);
    for (size_t j = 0; j < p->n; j++) {
        c->low[j] = -perp_pair_high(
            &(perp_pair){-sums[j].high, -sums[j].low, sums[j].size, sums[j].count});
        c->high[j] = perp_pair_high(&sums[j]);
        if (sums[j].size == 0.0) {
            c->low[j] = c->high[j] = 0.0;
        }
        c->curvature = perp_up(c->curvature + check_most(c, j, c->y[j]));
    }
}

/* Whether A is known to have a solution for every b. */
static bool check_is_solvable(const checker *c)
{
    const perp_problem *p = c->p;
    unsigned kinds = perp_set_kinds(p->set);
    unsigned cones = kinds & (PERP_SET_CONE | PERP_SET_ROLLING);

    if (kinds & PERP_SET_FRICTION || (cones && p->law != PERP_LAW_ASSOCIATED)) {
        return false;
    }
    if (!cones && !(kinds & PERP_SET_DISK) && perp_certificate_dominant(p->A, c->s)) {
        return true;
    }
    /* y.A y <= 0 shows that A is not positive definite. */
    return c->curvature > 0.0 && perp_certificate_definite(p->A, c->s);
}

/* -value and misses decide; false: y shows nothing. */
static bool check_all(checker *c, perp_pair *sums)
{
    const perp_set *set = c->p->set;
    bool valid = true;

    check_move_into_cones(c);
    check_sum(c, sums);
    check_give(c);
    check_move_friction(c);
    for (size_t k = 0; k < set->count && valid; k++) {
        const perp_block *block = &set->blocks[k];

        valid = block->dim == 1 ? check_scalar(c, block) : check_cone(c, block);
    }
    /* The sums of misses have roundings of their own. */
    c->misses *= 1.0 + 4.0 * (double)(set->count + 4) * DBL_EPSILON;
    if (!valid || !(c->value < 0.0) || !isfinite(c->value)) {
        return false;
    }
    return c->misses == 0.0 || !check_is_solvable(c);
}

/* max |b_k|/s_k over the blocks: beta of the residual is not larger at any point. */
static double check_beta(const perp_problem *p, const double *s)
{
    double beta = 0.0;

    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        double size = 0.0;

        for (size_t i = block->first; i < block->first + block->dim; i++) {
            size = hypot(size, p->b[i]);
        }
        beta = fmax(beta, size / s[block->first]);
    }
    return beta;
}

/* Radius, margin and max |b_k|/s_k with the row scales s (n). False: y shows nothing, or no memory. */
static bool check_with(const perp_problem *p, const double *y, const double *s,
                       double *radius, double *margin, double *beta)
{
    const double down = 1.0 - 8.0 * DBL_EPSILON;
    size_t n = p->n;
    double *reals = perp_reals_new(3 * n);
    perp_pair *sums = calloc(n + 1, sizeof *sums);
    double y_max = perp_largest(n, y);
    checker c = {.p = p, .y = reals, .s = s};
    bool shown = reals && sums && perp_all_finite(y, n) && y_max > 0.0;

    *radius = *margin = 0.0;
    *beta = check_beta(p, s);
    for (size_t i = 0; shown && i < n; i++) {
        c.y[i] = y[i] / y_max;
    }
    if (shown) {
        c.low = reals + n;
        c.high = reals + 2 * n;
        shown = check_all(&c, sums);
    }
    if (shown) {
        /* A quotient that overflows is a radius beyond the largest double. */
        *radius = c.misses > 0.0 ? fmin(-c.value / c.misses * down, DBL_MAX) : INFINITY;
        *margin =
            *beta > 0.0 ? -c.value / (c.misses + c.reach + c.weight) / *beta * down : 0.0;
        *margin = isfinite(*margin) ? *margin : 0.0;
    }
    free(reals);
    free(sums);
    return shown;
}

void perp_certificate_measure(const perp_problem *p, const double *y, double *radius,
                              double *margin)
{
    double *s = perp_reals_new(p->n), beta = 0.0;

    *radius = *margin = 0.0;
    if (s && p->A && perp_row_scales(p, s, NULL) == PERP_OK) {
        check_with(p, y, s, radius, margin, &beta);
    }
    free(s);
}

double perp_certificate_radius(const perp_problem *p, const double *y)
{
    double radius = 0.0, margin = 0.0;

    perp_certificate_measure(p, y, &radius, &margin);
    return radius;
}

/* A row without a diagonal may need a large z that its largest entries do not show, so that a
 * finite radius must be large by both scales. */
bool perp_certificate_infeasible(const perp_problem *p, const double *y)
{
    double *s = perp_reals_new(p->n), beta = 0.0, radius = 0.0, margin = 0.0;
    bool far = s && p->A && perp_row_scales(p, s, NULL) == PERP_OK &&
               check_with(p, y, s, &radius, &margin, &beta) && beta > 0.0 &&
               radius >= PERP_RADIUS * beta;

    if (far && isfinite(radius)) {
        far = perp_row_scales_literature(p, s, NULL) == PERP_OK &&
              check_with(p, y, s, &radius, &margin, &beta) &&
              radius >= PERP_RADIUS * beta;
    }
    free(s);
    return far;
}
