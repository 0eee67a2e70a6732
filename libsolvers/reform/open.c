/* SPDX-License-Identifier: Apache-2.0
 * reform/open.c: a side of a box that is out of reach is open.
 *
 *     lo_i < 0,  s_i |lo_i| > 1e10 max_j max(|b_j|/s_j, s_j |P(0)_j|):    lo_i := -infinity
 *
 * and hi alike, s the row scales and P(0) the point of the set nearest to 0. The shift z = lo + x would
 * take the digits of z. A solution of the open problem within the bounds is one of the problem; a
 * certificate of the one says nothing about the other. */
#include <config.h>

#include "base/base.h"
#include "reforms.h"

static const perp_reform_type open_type = {
    .name = "open",
    .changes_physics = false,
    .map = perp_reform_identity,
    .unmap = perp_reform_identity,
};

static double open_larger(double a, double b)
{
    return a > b ? a : b;
}

static bool open_has_bounds(const perp_set *set)
{
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];

        if (block->kind == PERP_SET_BOX && ((isfinite(block->lo) && block->lo < 0.0) ||
                                            (isfinite(block->hi) && block->hi > 0.0))) {
            return true;
        }
    }
    return false;
}

/* The size of what acts, in the units of s_i z_i. */
static double open_scale(const perp_problem *p, const double *s)
{
    double most = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        most = open_larger(most, fabs(p->b[i]) / s[i]);
    }
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];

        if (block->kind == PERP_SET_BOX) {
            most = open_larger(most, s[block->first] * block->lo);
            most = open_larger(most, s[block->first] * -block->hi);
        }
    }
    return most;
}

/* Open the sides of `set`; returns their number. */
static size_t open_sides(perp_set *set, const double *s, double beyond)
{
    size_t count = 0;

    for (size_t k = 0; k < set->count; k++) {
        perp_block *block = &set->blocks[k];
        const double scale = s[block->first];

        if (block->kind != PERP_SET_BOX) {
            continue;
        }
        if (isfinite(block->lo) && scale * -block->lo > beyond) {
            block->lo = -INFINITY;
            count++;
        }
        if (isfinite(block->hi) && scale * block->hi > beyond) {
            block->hi = INFINITY;
            count++;
        }
    }
    return count;
}

static perp_status open_new(perp_reform **t, const perp_problem *p, const double *s,
                            perp_error *err)
{
    const double beyond = 1e10 * open_scale(p, s);
    perp_set *set = NULL;
    perp_problem *to = NULL;
    size_t count = 0;
    perp_status status = PERP_OK;

    TRY(perp_set_copy(&set, p->set, err));
    count = beyond > 0.0 ? open_sides(set, s, beyond) : 0;
    if (count == 0) {
        perp_set_free(set);
        return PERP_OK;
    }
    status = perp_reform_problem_like(&to, p, NULL, set, err);
    if (status == PERP_OK) {
        status = perp_reform_new(t, &open_type, p, to, NULL, err);
    }
    if (status == PERP_OK) {
        perp_reform_describe(*t, "%zu bound%s beyond 1e10 of the scale left open", count,
                             perp_plural(count));
    }
    return status;
}

perp_status perp_reform_open(perp_reform **t, const perp_problem *p, perp_error *err)
{
    double *s = NULL;
    perp_status status = PERP_OK;

    *t = NULL;
    if (!open_has_bounds(p->set)) {
        return PERP_OK;
    }
    s = perp_reals_new(p->n);
    if (!s) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu scales", p->n);
    }
    status = perp_row_scales(p, s, err);
    if (status == PERP_OK) {
        status = open_new(t, p, s, err);
    }
    free(s);
    return status;
}
