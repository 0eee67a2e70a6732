/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/pairs_round.c: spheres, and planes, with every kind of convex solid. */
#include <config.h>

#include "pairs.h"

TEST(spheres_meet_every_convex_solid)
{
    for (int k = 0; convex_kinds[k]; k++) {
        pairs_kind("sphere", convex_kinds[k], 3, pairs_draws(200), (uint64_t)(100 + k));
    }
}

TEST(planes_meet_every_convex_solid)
{
    for (int k = 0; convex_kinds[k]; k++) {
        pairs_kind("plane", convex_kinds[k], 3, pairs_draws(200), (uint64_t)(200 + k));
    }
}

/* There the way from the centre to the nearest point has no direction. */
TEST(spheres_centred_on_a_surface_have_a_normal)
{
    static const double offs[] = {0.0, 1e-16, 1e-15, 1e-14, 1e-12, 1e-9};
    perp_random g = {31};

    for (int k = 0; convex_kinds[k]; k++) {
        for (int draw = 0; draw < 60; draw++) {
            char where[64];
            convex a;
            convex b;
            perp_proximity p;

            snprintf(where, sizeof where, "sphere centred on a %s, draw %d",
                     convex_kinds[k], draw);
            convex_draw(&a, "sphere", 3, 0.5, &g);
            convex_draw(&b, convex_kinds[k], 3, 1.0, &g);
            convex_scatter(&a, 1.0, &g);
            convex_scatter(&b, 0.2, &g);
            p = pairs_measure(&a, &b, NULL);
            vec3_add(p.p_b, offs[draw % 6], p.normal, a.at.x);
            pairs_check_usual(&a, &b, where);
            vec3_add(p.p_b, -offs[draw % 6], p.normal, a.at.x);
            pairs_check_usual(&a, &b, where);
            convex_free(&b);
        }
    }
}

TEST_MAIN("dynamics/pairs_round")
