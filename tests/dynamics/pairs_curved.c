/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/pairs_curved.c: capsules, cylinders, cones and ellipsoids with each
 * other. */
#include <config.h>

#include "pairs.h"

TEST(capsules_meet_what_is_round)
{
    pairs_kind("capsule", "capsule", 3, pairs_draws(150), 500);
    pairs_kind("cylinder", "capsule", 3, pairs_draws(150), 501);
    pairs_kind("capsule", "cone", 3, pairs_draws(150), 502);
    pairs_kind("ellipsoid", "capsule", 3, pairs_draws(150), 503);
}

TEST(cylinders_meet_what_is_round)
{
    pairs_kind("cylinder", "cylinder", 3, pairs_draws(150), 510);
    pairs_kind("cone", "cylinder", 3, pairs_draws(150), 511);
    pairs_kind("cylinder", "ellipsoid", 3, pairs_draws(150), 512);
}

TEST(cones_and_ellipsoids_meet_each_other)
{
    pairs_kind("cone", "cone", 3, pairs_draws(150), 520);
    pairs_kind("ellipsoid", "cone", 3, pairs_draws(150), 521);
    pairs_kind("ellipsoid", "ellipsoid", 3, pairs_draws(150), 522);
}

TEST_MAIN("dynamics/pairs_curved")
