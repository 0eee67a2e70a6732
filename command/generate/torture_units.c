/* SPDX-License-Identifier: Apache-2.0
 * families/torture_units.c: kinds of torture that ask whether sizes and units mislead the residual. */
#include <config.h>

#include "torture.h"

/* One in two of the rows that stay slack is slack by up to 2^40. */
perp_status torture_slack(torture *t, perp_error *err)
{
    perp_status status = PERP_OK;

    switch (torture_choose(t, 3)) {
    case 0:
        status = torture_ranks(t, err);
        break;
    case 1:
        status = torture_boxes(t, err);
        break;
    default:
        status = torture_mixed(t, err);
        break;
    }
    for (size_t k = 0; status == PERP_OK && k < t->d.set->count; k++) {
        const perp_block *block = &t->d.set->blocks[k];
        bool bounded = block->kind == PERP_SET_NONNEG || block->kind == PERP_SET_BOX;

        if (bounded && t->d.w[block->first] != 0.0 && torture_choose(t, 2)) {
            t->d.w[block->first] =
                ldexp(t->d.w[block->first], (int)perp_random_integer(&t->g, 10, 36));
        }
    }
    return status;
}

/* The conditions of  min c.x, C x >= d, x >= 0:  A = [0, -C^T; C, 0], with C of integers. */
static perp_status units_program(torture *t, size_t x, size_t y, perp_error *err)
{
    perp_set *set = NULL;
    perp_status status = perp_set_new_uniform(&set, PERP_SET_NONNEG, x + y, err);

    if (status == PERP_OK) {
        status = torture_gram(t, set, 0, err);
    }
    for (size_t j = 0; status == PERP_OK && j < x; j++) {
        for (size_t i = x; i < x + y; i++) {
            double c = torture_choose(t, 2) ? torture_integer(t, -5, 5) : 0.0;

            *family_at(&t->d, i, j) = c;
            *family_at(&t->d, j, i) = -c;
        }
    }
    return status;
}

/* Rows `from` to `end`: impulses by 2^p and velocities by 2^q, each row a little more. */
static void units_change(torture *t, size_t from, size_t end, int p, int q)
{
    for (size_t i = from; i < end; i++) {
        int more = (int)perp_random_integer(&t->g, -3, 3);

        for (size_t j = 0; j < t->d.n; j++) {
            *family_at(&t->d, i, j) = ldexp(*family_at(&t->d, i, j), q + more);
            *family_at(&t->d, j, i) = ldexp(*family_at(&t->d, j, i), more - p);
        }
        t->d.z[i] = ldexp(t->d.z[i], p - more);
        t->d.w[i] = ldexp(t->d.w[i], q + more);
        t->d.b[i] = ldexp(t->d.b[i], q + more);
    }
}

/* Prices and quantities in units of their own, which leave complementarity as it is. */
static void units_mix(torture *t, size_t x)
{
    int p = (int)perp_random_integer(&t->g, -20, 20);
    int q = (int)perp_random_integer(&t->g, -20, 20);
    int r = (int)perp_random_integer(&t->g, -20, 20);

    units_change(t, 0, x, p, q);
    units_change(t, x, t->d.n, r, p + q - r);
}

perp_status torture_programs(torture *t, perp_error *err)
{
    size_t x = 1 + torture_choose(t, 8);

    TRY(units_program(t, x, 1 + torture_choose(t, 8), err));
    torture_draw_point(t);
    units_mix(t, x);
    return PERP_OK;
}

/* Goods from two sources to some sinks, whose demand exceeds the supply by 2^-k. */
static perp_status units_transport(torture *t, int k, perp_error *err)
{
    size_t sinks = 1 + torture_choose(t, 4), x = 2 * sinks, n = x + 2 + sinks;
    perp_set *set = NULL;
    perp_status status = perp_set_new_uniform(&set, PERP_SET_NONNEG, n, err);
    double supply = 0.0;

    if (status == PERP_OK) {
        status = torture_gram(t, set, 0, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    for (size_t j = 0; j < x; j++) {
        size_t source = x + j % 2, sink = x + 2 + j / 2;

        t->d.b[j] = torture_integer(t, 1, 9);
        *family_at(&t->d, source, j) = *family_at(&t->d, j, sink) = -1.0;
        *family_at(&t->d, j, source) = *family_at(&t->d, sink, j) = 1.0;
    }
    for (size_t i = 0; i < sinks; i++) {
        double demand = 2.0 * torture_integer(t, 1, 9);

        t->d.b[x + 2 + i] = -demand;
        supply += demand;
    }
    t->answer = FAMILY_NO_ANSWER;
    t->d.b[x] = 0.5 * supply - ldexp(1.0, -k);
    t->d.b[x + 1] = 0.5 * supply;
    units_mix(t, x);
    return PERP_OK;
}

perp_status torture_no_balance(torture *t, perp_error *err)
{
    return units_transport(t, (int)perp_random_integer(&t->g, 0, 16), err);
}

/* So little that a point may solve it within the tolerance. */
perp_status torture_near_balance(torture *t, perp_error *err)
{
    return units_transport(t, (int)perp_random_integer(&t->g, 17, 33), err);
}
