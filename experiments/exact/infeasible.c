/* SPDX-License-Identifier: Apache-2.0
 * exact/infeasible.c: directions of infeasibility, their sums in rational numbers.
 *
 * With v = A^T y, every solution has y.w = v.z + b.y >= 0 (judge/certificate_infeasible.c). A block
 * allows v.z at most
 *
 *     value_k + miss_k s_k |z_k|
 *
 * so that there is no solution with max s_k |z_k| < -(sum of values + b.y)/(sum of misses). v and
 * b.y are whole numbers over one power of two. Whether a miss is 0 is decided by squares; roots and
 * quotients are balls whose outer ends count. */
#include <config.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/exact/exact.h"
#include "experiments/exact/integers.h"

enum { INFEASIBLE_BITS = 256 };

typedef struct infeasible_sums {
    const perp_problem *p;
    const double *s;     /* row scales */
    double *y;           /* moved into the cones */
    slong power;         /* v = V 2^-power, for A, b and y alike */
    fmpz *V;             /* n */
    fmpz_t by;           /* b.y 2^power */
    arb_ptr friction;    /* n: sum of mu |v_T| of the friction rows of a normal */
    arb_t value, misses; /* of all blocks */
} infeasible_sums;

/* A double that is not below the exact value of which x is the rounded one. */
static double infeasible_up(double x)
{
    return x + (fabs(x) * DBL_EPSILON + DBL_TRUE_MIN);
}

/* The exact sum of y_i A_ij into V_j; the powers of two of A and y add up. */
typedef struct infeasible_row {
    infeasible_sums *c;
    fmpz_t y, term;
    slong shift; /* of y, in V */
    slong least; /* the least power of two of the entries */
} infeasible_row;

static void infeasible_scan(void *context, size_t j, double a)
{
    infeasible_row *row = context;
    int64_t m = 0;
    slong e = 0;

    (void)j;
    integers_split(a, &m, &e);
    row->least = m != 0 && e < row->least ? e : row->least;
}

static void infeasible_add(void *context, size_t j, double a)
{
    infeasible_row *row = context;

    if (a != 0.0) {
        integers_set(row->term, a, row->shift);
        fmpz_addmul(row->c->V + j, row->term, row->y);
    }
}

/* V and by. Two passes: the least power of two of all products, then the sums. */
static void infeasible_sum(infeasible_sums *c)
{
    const perp_problem *p = c->p;
    infeasible_row row = {.c = c};
    slong power = 0;

    fmpz_init(row.y);
    fmpz_init(row.term);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < p->n; i++) {
            int64_t m = 0;
            slong e = 0;

            integers_split(c->y[i], &m, &e);
            if (m == 0) {
                continue;
            }
            if (pass == 0) {
                row.least = DBL_MAX_EXP;
                perp_operator_row_visit(p->A, i, infeasible_scan, &row);
                infeasible_scan(&row, i, p->b[i]);
                power = -(row.least + e) > power ? -(row.least + e) : power;
                continue;
            }
            fmpz_set_si(row.y, m);
            row.shift = power + e;
            perp_operator_row_visit(p->A, i, infeasible_add, &row);
            integers_set(row.term, p->b[i], row.shift);
            fmpz_addmul(c->by, row.term, row.y);
        }
    }
    c->power = power;
    fmpz_clear(row.y);
    fmpz_clear(row.term);
}

/* v_j as a ball of radius 0. */
static void infeasible_v(const infeasible_sums *c, size_t j, arb_t v)
{
    arb_set_fmpz(v, c->V + j);
    arb_mul_2exp_si(v, v, -c->power);
}

/* v times a double, exactly. */
static void infeasible_times(arb_t out, const arb_t v, double x)
{
    arb_t factor;

    arb_init(factor);
    arb_set_d(factor, x);
    arb_mul(out, v, factor, ARF_PREC_EXACT);
    arb_clear(factor);
}

/* factor |v| of `dim` rows, as a ball; exact for one row. */
static void infeasible_norm(const infeasible_sums *c, size_t first, unsigned dim,
                            double factor, arb_t norm)
{
    fmpz_t squares;

    if (dim == 1 || factor == 0.0) {
        infeasible_v(c, first, norm);
        arb_abs(norm, norm);
    } else {
        fmpz_init(squares);
        for (unsigned r = 0; r < dim; r++) {
            fmpz_addmul(squares, c->V + first + r, c->V + first + r);
        }
        if (fmpz_is_square(squares)) {
            fmpz_sqrt(squares, squares);
            arb_set_fmpz(norm, squares);
        } else {
            arb_sqrt_fmpz(norm, squares, INFEASIBLE_BITS);
        }
        arb_mul_2exp_si(norm, norm, -c->power);
        fmpz_clear(squares);
    }
    infeasible_times(norm, norm, factor);
}

/* Adds the positive part of `by`, over the scale of the row. */
static void infeasible_miss(infeasible_sums *c, size_t row, const arb_t by)
{
    arb_t scale, miss;

    arb_init(scale);
    arb_init(miss);
    arb_set_d(scale, c->s[row]);
    arb_div(miss, by, scale, INFEASIBLE_BITS);
    arb_nonnegative_part(miss, miss);
    arb_add(c->misses, c->misses, miss, INFEASIBLE_BITS);
    arb_clear(scale);
    arb_clear(miss);
}

/* The larger of `most` and v x + m max(x, 0), the value at the end x of an interval. */
static void infeasible_end(arb_t most, bool *any, const arb_t v, const arb_t m, double x)
{
    arb_t at, push;

    arb_init(at);
    arb_init(push);
    infeasible_times(at, v, x);
    infeasible_times(push, m, fmax(x, 0.0));
    arb_add(at, at, push, ARF_PREC_EXACT);
    if (*any) {
        arb_max(most, most, at, ARF_PREC_EXACT);
    } else {
        arb_set(most, at);
    }
    *any = true;
    arb_clear(at);
    arb_clear(push);
}

/* Adds the largest of v z + m max(z, 0) over lo <= z <= hi: it is convex, so one of the ends has
 * it, or it grows towards an infinite one. */
static void infeasible_interval(infeasible_sums *c, const perp_block *block)
{
    static const double infinite[2] = {-1.0, 1.0};
    const double ends[2] = {block->lo, block->hi};
    const arb_struct *m = c->friction + block->first;
    bool any = false;
    arb_t v, slope, most, zero;

    arb_init(v);
    arb_init(slope);
    arb_init(most);
    arb_init(zero);
    infeasible_v(c, block->first, v);
    for (int end = 0; end < 2; end++) {
        if (isfinite(ends[end])) {
            infeasible_end(most, &any, v, m, ends[end]);
            continue;
        }
        infeasible_times(slope, v, infinite[end]);
        if (end == 1) {
            arb_add(slope, slope, m, ARF_PREC_EXACT);
        }
        if (!arb_is_nonpositive(slope)) {
            infeasible_miss(c, block->first, slope);
            infeasible_end(most, &any, zero, zero, 0.0);
        }
    }
    if (any) {
        arb_add(c->value, c->value, most, ARF_PREC_EXACT);
    }
    arb_clear(v);
    arb_clear(slope);
    arb_clear(most);
    arb_clear(zero);
}

/* What is wrong with y in the rows of a block, or NULL. */
static const char *infeasible_y(const infeasible_sums *c, const perp_block *block)
{
    const double *y = c->y + block->first;
    bool bounded = isfinite(block->lo) && isfinite(block->hi);

    switch (block->kind) {
    case PERP_SET_FREE:
        return NULL;
    case PERP_SET_FRICTION:
    case PERP_SET_DISK:
        return y[0] != 0.0 || (block->dim > 1 && y[1] != 0.0) ? "is not 0 there" : NULL;
    case PERP_SET_CONE:
    case PERP_SET_ROLLING:
        if (c->p->law != PERP_LAW_ASSOCIATED || block->kind != PERP_SET_CONE) {
            for (unsigned r = 1; r < block->dim; r++) {
                if (y[r] != 0.0) {
                    return "has a part that is not normal there";
                }
            }
        }
        return y[0] < 0.0 ? "is negative there" : NULL;
    default:
        return bounded && y[0] != 0.0              ? "is not 0 there"
               : isfinite(block->lo) && y[0] < 0.0 ? "is negative there"
               : isfinite(block->hi) && y[0] > 0.0 ? "is positive there"
                                                   : NULL;
    }
}

/* Whether v_N + mu |v_T| + mu_R |v_R| <= 0, by squares: c = -v_N >= 0 and p + q <= c^2 with
 * p = mu^2 |v_T|^2, q = mu_R^2 |v_R|^2 and 4 p q <= (c^2 - p - q)^2. */
static void infeasible_square(const infeasible_sums *c, size_t first, unsigned dim,
                              double factor, arb_t square)
{
    arb_t v;

    arb_init(v);
    arb_zero(square);
    for (unsigned r = 0; r < dim; r++) {
        infeasible_v(c, first + r, v);
        infeasible_times(v, v, factor);
        arb_addmul(square, v, v, ARF_PREC_EXACT);
    }
    arb_clear(v);
}

static bool infeasible_inside(const infeasible_sums *c, const perp_block *block)
{
    size_t i = block->first;
    bool rolling = block->kind == PERP_SET_ROLLING, inside = fmpz_sgn(c->V + i) <= 0;
    arb_t p, q, rest, product;

    arb_init(p);
    arb_init(q);
    arb_init(rest);
    arb_init(product);
    infeasible_square(c, i + 1, rolling ? 2 : block->dim - 1, block->mu, p);
    infeasible_square(c, i + 3, rolling ? 2 : 0, block->mu_rolling, q);
    infeasible_square(c, i, 1, 1.0, rest);
    arb_sub(rest, rest, p, ARF_PREC_EXACT);
    arb_sub(rest, rest, q, ARF_PREC_EXACT);
    inside = inside && arb_is_nonnegative(rest);
    arb_mul(product, p, q, ARF_PREC_EXACT);
    arb_mul_2exp_si(product, product, 2);
    arb_mul(rest, rest, rest, ARF_PREC_EXACT);
    inside = inside && arb_le(product, rest);
    arb_clear(p);
    arb_clear(q);
    arb_clear(rest);
    arb_clear(product);
    return inside;
}

/* Adds what a contact allows: v_N z_N + |v_T| mu z_N + |v_R| mu_R z_N, or radius |v|. */
static void infeasible_contact(infeasible_sums *c, const perp_block *block)
{
    size_t i = block->first;
    bool rolling = block->kind == PERP_SET_ROLLING;
    arb_t sum, part;

    arb_init(sum);
    arb_init(part);
    if (block->kind == PERP_SET_DISK) {
        infeasible_norm(c, i, 2, block->radius, part);
        arb_add(c->value, c->value, part, ARF_PREC_EXACT);
    } else if (!infeasible_inside(c, block)) {
        infeasible_v(c, i, sum);
        infeasible_norm(c, i + 1, rolling ? 2 : block->dim - 1, block->mu, part);
        arb_add(sum, sum, part, INFEASIBLE_BITS);
        if (rolling) {
            infeasible_norm(c, i + 3, 2, block->mu_rolling, part);
            arb_add(sum, sum, part, INFEASIBLE_BITS);
        }
        infeasible_miss(c, i, sum);
    }
    arb_clear(sum);
    arb_clear(part);
}

/* Under the associated law y may miss the cone by rounding: its normal part is raised, as the
 * judge does. Whether that suffices is checked by squares. */
static bool infeasible_move(infeasible_sums *c, const perp_block *block)
{
    double *y = c->y + block->first, tangent = 0.0;
    arb_t normal, square, part;
    bool inside = true;

    if (c->p->law != PERP_LAW_ASSOCIATED || block->kind != PERP_SET_CONE) {
        return true;
    }
    for (unsigned r = 1; r < block->dim; r++) {
        y[r] = block->mu > 0.0 ? y[r] : 0.0;
        tangent = infeasible_up(hypot(tangent, y[r]));
    }
    if (tangent <= infeasible_up(0.0)) {
        return true;
    }
    y[0] = fmax(y[0], infeasible_up(tangent / block->mu));
    arb_init(normal);
    arb_init(square);
    arb_init(part);
    arb_set_d(normal, y[0]);
    infeasible_times(normal, normal, block->mu);
    arb_mul(normal, normal, normal, ARF_PREC_EXACT);
    for (unsigned r = 1; r < block->dim; r++) {
        arb_set_d(part, y[r]);
        arb_addmul(square, part, part, ARF_PREC_EXACT);
    }
    inside = isfinite(y[0]) && arb_le(square, normal);
    arb_clear(normal);
    arb_clear(square);
    arb_clear(part);
    return inside;
}

/* What friction rows add to their normals. */
static void infeasible_friction(infeasible_sums *c)
{
    const perp_set *set = c->p->set;
    arb_t part;

    arb_init(part);
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];

        if (block->kind == PERP_SET_FRICTION) {
            arb_ptr sum = c->friction + block->normal;

            infeasible_norm(c, block->first, 1, block->mu, part);
            arb_add(sum, sum, part, ARF_PREC_EXACT);
        }
    }
    arb_clear(part);
}

/* The radius from the sums, rounded down: 0 unless the value is certainly negative. */
static double infeasible_quotient(const infeasible_sums *c)
{
    arb_t quotient;
    arf_t low;
    double radius = 0.0;

    if (!arb_is_negative(c->value)) {
        return 0.0;
    }
    if (arb_is_zero(c->misses)) {
        return INFINITY;
    }
    arb_init(quotient);
    arf_init(low);
    arb_div(quotient, c->value, c->misses, INFEASIBLE_BITS);
    arb_neg(quotient, quotient);
    arb_get_lbound_arf(low, quotient, INFEASIBLE_BITS);
    radius = fmin(arf_get_d(low, ARF_RND_DOWN), DBL_MAX);
    if (arf_cmp_d(low, radius) <= 0) {
        radius = nextafter(radius, 0.0); /* s|z| may be the radius itself */
    }
    arf_clear(low);
    arb_clear(quotient);
    return fmax(radius, 0.0);
}

/* The radius of the direction in c->y, and what is wrong with it. */
static double infeasible_radius(infeasible_sums *c, exact_proof *proof)
{
    const perp_set *set = c->p->set;

    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        const char *wrong = infeasible_move(c, block) ? infeasible_y(c, block)
                                                      : "is not in the cone there";

        if (wrong) {
            proof->row = block->first;
            snprintf(proof->says, sizeof proof->says, "row %zu: the direction %s",
                     block->first, wrong);
            return 0.0;
        }
    }
    infeasible_sum(c);
    infeasible_friction(c);
    arb_set_fmpz(c->value, c->by);
    arb_mul_2exp_si(c->value, c->value, -c->power);
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];

        if (block->dim > 1) {
            infeasible_contact(c, block);
        } else if (block->kind != PERP_SET_FRICTION) {
            infeasible_interval(c, block);
        }
    }
    if (!arb_is_negative(c->value)) {
        snprintf(proof->says, sizeof proof->says,
                 "b.y and what K adds are %.6g, expected < 0",
                 arf_get_d(arb_midref(c->value), ARF_RND_NEAR));
    }
    return infeasible_quotient(c);
}

/* The radius of y/unit, as doubles are divided. */
static perp_status infeasible_try(const perp_problem *p, const double *y, double unit,
                                  double *radius, exact_proof *proof, perp_error *err)
{
    size_t n = p->n;
    double *reals = perp_reals_new(2 * n);
    infeasible_sums c = {.p = p, .y = reals, .s = reals ? reals + n : NULL};

    if (!reals) {
        return perp_fail(err, PERP_ERR_MEMORY, "exact: no memory for %zu rows", n);
    }
    for (size_t i = 0; i < n; i++) {
        c.y[i] = y[i] / unit;
    }
    perp_row_scales(p, reals + n);
    c.V = _fmpz_vec_init((slong)n);
    c.friction = _arb_vec_init((slong)n);
    fmpz_init(c.by);
    arb_init(c.value);
    arb_init(c.misses);
    *radius = infeasible_radius(&c, proof);
    arb_clear(c.value);
    arb_clear(c.misses);
    fmpz_clear(c.by);
    _arb_vec_clear(c.friction, (slong)n);
    _fmpz_vec_clear(c.V, (slong)n);
    free(reals);
    return PERP_OK;
}

/* max |b|/s, the unit of the radius within which the judge accepts solutions. */
static perp_status infeasible_beta(const perp_problem *p, double *beta, perp_error *err)
{
    double *s = perp_reals_new(p->n);

    *beta = 0.0;
    if (!s) {
        return perp_fail(err, PERP_ERR_MEMORY, "exact: no memory for %zu rows", p->n);
    }
    perp_row_scales(p, s);
    for (size_t i = 0; i < p->n; i++) {
        *beta = fmax(*beta, fabs(p->b[i]) / s[i]);
    }
    free(s);
    return PERP_OK;
}

static void infeasible_conclude(double radius, double beta, exact_proof *proof)
{
    char room[16];
    double least = PERP_RADIUS * beta;

    proof->verdict = radius > 0.0 && radius >= least ? EXACT_PROVED : EXACT_REFUTED;
    if (proof->verdict == EXACT_PROVED && isinf(radius)) {
        snprintf(proof->says, sizeof proof->says, "there is no solution");
    } else if (proof->verdict == EXACT_PROVED) {
        snprintf(proof->says, sizeof proof->says, "there is no solution with s|z| <= %s",
                 exact_below(room, radius));
    } else if (radius > 0.0) {
        snprintf(proof->says, sizeof proof->says,
                 "the direction denies solutions with s|z| <= %s alone, expected %.2g",
                 exact_below(room, radius), least);
    }
}

perp_status exact_infeasible(const perp_problem *p, const double *y, double *radius,
                             exact_proof *proof, perp_error *err)
{
    double y_max = 0.0, unit[2] = {1.0, 0.0}, best = 0.0, beta = 0.0;
    perp_status status = PERP_OK;

    *radius = 0.0;
    *proof = (exact_proof){.verdict = EXACT_REFUTED, .method = "rational"};
    if (!p->A) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "exact: a global problem, expected one that is condensed");
    }
    for (size_t i = 0; i < p->n; i++) {
        if (!isfinite(y[i])) {
            proof->row = i;
            snprintf(proof->says, sizeof proof->says, "row %zu: y = %g is not finite", i,
                     y[i]);
            return PERP_OK;
        }
        y_max = fmax(y_max, fabs(y[i]));
    }
    if (y_max == 0.0) {
        snprintf(proof->says, sizeof proof->says, "the direction is 0");
        return PERP_OK;
    }
    /* The direction as given, and as the judge scales it, which rounds: either is a proof. */
    unit[1] = y_max;
    status = infeasible_beta(p, &beta, err);
    for (int t = 0; t < 2 && status == PERP_OK; t++) {
        status = infeasible_try(p, y, unit[t], &best, proof, err);
        *radius = fmax(*radius, best);
    }
    flint_cleanup();
    if (status == PERP_OK) {
        infeasible_conclude(*radius, beta, proof);
    }
    return status;
}
