/* SPDX-License-Identifier: Apache-2.0
 * tests/support/nearness.h: shapes placed, and what must hold of an answer about
 * them. */
#ifndef PERP_TEST_NEARNESS_H
#define PERP_TEST_NEARNESS_H

#include <math.h>
#include <string.h>

#include <perp/dynamics/narrow.h>

#include "convex.h"
#include "golden_couple.h"

/** The normal is unit, and p_b - p_a is gap n to `tolerance`. */
static inline void is_consistent(const perp_proximity *p, double tolerance)
{
    double d[3];

    CU_ASSERT_DOUBLE_EQUAL(vec3_length(p->normal), 1.0, 1e-14);
    CU_ASSERT_EQUAL(p->overlap, p->gap <= 0.0);
    vec3_subtract(p->p_b, p->p_a, d);
    vec3_add(d, -p->gap, p->normal, d);
    CU_ASSERT(vec3_length(d) <= tolerance);
}

/** What measures a pair says so where a place is not finite, whichever shape has it. */
static inline void is_lost_without_numbers(const perp_narrow_type *type,
                                           const char *other, uint64_t seed)
{
    perp_random g = {seed};

    for (size_t k = 0; convex_kinds[k]; k++) {
        for (size_t v = 0; v < 12; v++) {
            convex a;
            convex b;
            perp_placed at;
            perp_proximity p;

            convex_draw(&a, convex_kinds[k], 3, 1.0, &g);
            convex_draw(&b, other, 3, 1.0, &g);
            at = *convex_at(&b);
            (v < 9 ? at.R : at.x)[v < 9 ? v : v - 9] = v % 2 ? NAN : INFINITY;
            type->measure(convex_at(&a), &at, NULL, &p);
            CU_ASSERT(!p.converged);
            type->measure(&at, convex_at(&a), NULL, &p);
            CU_ASSERT(!p.converged);
            convex_free(&a);
            convex_free(&b);
        }
    }
}

#endif
