/* SPDX-License-Identifier: Apache-2.0
 * core/set.h: projections onto blocks and onto a whole set. Private. */
#ifndef PERP_CORE_SET_H
#define PERP_CORE_SET_H

#include <perp/set.h>

/** Euclidean projections of x = (n, t...) in place; dim counts the normal. */
void perp_project_cone(double mu, unsigned dim, double *x);
void perp_project_rolling(double mu, double mu_rolling, double *x);

/** z := its projection on the set, block by block in their order. */
static inline void perp_set_project_all(const perp_set *set, double *z)
{
    for (size_t k = 0; k < set->count; k++) {
        perp_set_project(set, k, z);
    }
}

/** What a scalar row with the scale s asks for where nothing acts: |b|/s, or s |z| where a bound ends
 *  the step. A row that stays slack asks for nothing, however large b. */
double perp_row_load(const perp_block *block, double s, double b);

#endif
