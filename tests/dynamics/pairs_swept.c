/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/pairs_swept.c: capsules, cylinders, cones and ellipsoids with boxes and
 * hulls. */
#include <config.h>

#include "pairs.h"

static void capsules_meet_boxes_and_hulls(void)
{
    pairs_kind("capsule", "box", 3, pairs_draws(150), 400);
    pairs_kind("hull", "capsule", 3, pairs_draws(150), 401);
}

static void cylinders_meet_boxes_and_hulls(void)
{
    pairs_kind("cylinder", "box", 3, pairs_draws(150), 410);
    pairs_kind("hull", "cylinder", 3, pairs_draws(150), 411);
}

static void cones_meet_boxes_and_hulls(void)
{
    pairs_kind("cone", "box", 3, pairs_draws(150), 420);
    pairs_kind("hull", "cone", 3, pairs_draws(150), 421);
}

static void ellipsoids_meet_boxes_and_hulls(void)
{
    pairs_kind("ellipsoid", "box", 3, pairs_draws(150), 430);
    pairs_kind("hull", "ellipsoid", 3, pairs_draws(150), 431);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(capsules_meet_boxes_and_hulls),
        TEST(cylinders_meet_boxes_and_hulls),
        TEST(cones_meet_boxes_and_hulls),
        TEST(ellipsoids_meet_boxes_and_hulls),
        TEST_END,
    };

    return test_run(argc, argv, "dynamics/pairs_swept", cases);
}
