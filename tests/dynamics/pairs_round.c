/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/pairs_round.c: spheres, and planes, with every kind of convex solid. */
#include <config.h>

#include "pairs.h"

static void spheres_meet_every_convex_solid(void)
{
    for (int k = 0; convex_kinds[k]; k++) {
        pairs_kind("sphere", convex_kinds[k], 3, pairs_draws(200), (uint64_t)(100 + k));
    }
}

static void planes_meet_every_convex_solid(void)
{
    for (int k = 0; convex_kinds[k]; k++) {
        pairs_kind("plane", convex_kinds[k], 3, pairs_draws(200), (uint64_t)(200 + k));
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(spheres_meet_every_convex_solid),
        TEST(planes_meet_every_convex_solid),
        TEST_END,
    };

    return test_run(argc, argv, "dynamics/pairs_round", cases);
}
