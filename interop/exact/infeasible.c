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

#include <perp/judge.h>

#include "base/number.h"
#include "interop/exact/exact.h"
#include "interop/exact/infeasible.h"

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
    infeasible_blocks(c);
    if (!arb_is_negative(c->value)) {
        snprintf(proof->says, sizeof proof->says,
                 "b.y and what K adds are %.6g, expected < 0",
                 arf_get_d(arb_midref(c->value), ARF_RND_NEAR));
    }
    return infeasible_quotient(c);
}

/* The radius of y/unit, as doubles are divided, with the row scales s. */
static perp_status infeasible_try(const perp_problem *p, const double *y, double unit,
                                  const double *s, double *radius, exact_proof *proof,
                                  perp_error *err)
{
    size_t n = p->n;
    double *reals = perp_reals_new(n);
    infeasible_sums c = {.p = p, .y = reals, .s = s};

    if (!reals) {
        return perp_fail(err, PERP_ERR_MEMORY, "exact: no memory for %zu rows", n);
    }
    for (size_t i = 0; i < n; i++) {
        c.y[i] = y[i] / unit;
    }
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

static void infeasible_conclude(double radius, double least, bool far, exact_proof *proof)
{
    char room[PERP_NUMBER_LENGTH], expected[PERP_NUMBER_LENGTH];

    proof->verdict = far ? EXACT_PROVED : EXACT_REFUTED;
    if (proof->verdict == EXACT_PROVED && isinf(radius)) {
        snprintf(proof->says, sizeof proof->says, "there is no solution");
    } else if (proof->verdict == EXACT_PROVED) {
        snprintf(proof->says, sizeof proof->says, "there is no solution with s|z| <= %s",
                 perp_number_below(room, radius));
    } else if (radius > 0.0) {
        snprintf(proof->says, sizeof proof->says,
                 "the direction denies solutions with s|z| <= %s alone, expected %s",
                 perp_number_below(room, radius), perp_number_above(expected, least));
    }
}

/* The radius with one kind of row scales, and the least that proves: PERP_RADIUS max |b|/s. The
 * direction is tried as given, and as the judge scales it, which rounds: either is a proof. */
static perp_status infeasible_with(
    const perp_problem *p, const double *y, const double *unit,
    perp_status (*scales)(const perp_problem *, double *, perp_error *), double *radius,
    double *least, exact_proof *proof, perp_error *err)
{
    double *s = perp_reals_new(p->n), best = 0.0;
    perp_status status =
        s ? scales(p, s, err)
          : perp_fail(err, PERP_ERR_MEMORY, "exact: no memory for %zu rows", p->n);

    *radius = *least = 0.0;
    for (size_t i = 0; status == PERP_OK && i < p->n; i++) {
        *least = fmax(*least, PERP_RADIUS * (fabs(p->b[i]) / s[i]));
    }
    for (int t = 0; t < 2 && status == PERP_OK; t++) {
        status = infeasible_try(p, y, unit[t], s, &best, proof, err);
        *radius = fmax(*radius, best);
    }
    free(s);
    return status;
}

perp_status exact_infeasible(const perp_problem *p, const double *y, double *radius,
                             exact_proof *proof, perp_error *err)
{
    double y_max = 0.0, unit[2] = {1.0, 0.0}, least = 0.0;
    perp_status status = PERP_OK;
    bool far = false;

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
    unit[1] = y_max;
    status = infeasible_with(p, y, unit, perp_row_scales, radius, &least, proof, err);
    far = *radius > 0.0 && *radius >= least;
    if (status == PERP_OK && far && isfinite(*radius)) {
        exact_proof again = {0};
        double other = 0.0, at_least = 0.0;

        status = infeasible_with(p, y, unit, perp_row_scales_literature, &other,
                                 &at_least, &again, err);
        far = other > 0.0 && other >= at_least;
    }
    flint_cleanup();
    if (status == PERP_OK) {
        infeasible_conclude(*radius, least, far, proof);
    }
    return status;
}
