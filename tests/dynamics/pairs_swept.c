/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/pairs_swept.c: capsules, cylinders, cones and ellipsoids with boxes and
 * hulls. */
#include <config.h>

#include "pairs.h"

TEST(capsules_meet_boxes_and_hulls)
{
    pairs_kind("capsule", "box", 3, pairs_draws(150), 400);
    pairs_kind("hull", "capsule", 3, pairs_draws(150), 401);
}

TEST(cylinders_meet_boxes_and_hulls)
{
    pairs_kind("cylinder", "box", 3, pairs_draws(150), 410);
    pairs_kind("hull", "cylinder", 3, pairs_draws(150), 411);
}

TEST(cones_meet_boxes_and_hulls)
{
    pairs_kind("cone", "box", 3, pairs_draws(150), 420);
    pairs_kind("hull", "cone", 3, pairs_draws(150), 421);
}

TEST(ellipsoids_meet_boxes_and_hulls)
{
    pairs_kind("ellipsoid", "box", 3, pairs_draws(150), 430);
    pairs_kind("hull", "ellipsoid", 3, pairs_draws(150), 431);
}

TEST_MAIN("dynamics/pairs_swept")
