/* SPDX-License-Identifier: Apache-2.0
 * exact/infeasible_blocks.c: the largest v.z that a block of K allows, as a value and as a miss that
 * grows with |z|. Signs are decided exactly; a root is a ball. */
#include <config.h>

#include <float.h>
#include <math.h>

#include "interop/exact/infeasible.h"

/* v_j as a ball of radius 0. */
static void infeasible_v(const infeasible_sums *c, size_t j, arb_t v)
{
    arb_set_fmpz(v, c->V + j);
    arb_mul_2exp_si(v, v, -c->power);
}

/* v times a double, exactly. */
void infeasible_times(arb_t out, const arb_t v, double x)
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

/* What friction rows add to their normals. */
void infeasible_friction(infeasible_sums *c)
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

void infeasible_blocks(infeasible_sums *c)
{
    const perp_set *set = c->p->set;

    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];

        if (block->dim > 1) {
            infeasible_contact(c, block);
        } else if (block->kind != PERP_SET_FRICTION) {
            infeasible_interval(c, block);
        }
    }
}
