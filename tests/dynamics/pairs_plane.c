/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/pairs_plane.c: discs, rectangles and polygons with each other and with
 * half planes, in two dimensions. */
#include <config.h>

#include "pairs.h"

TEST(discs_meet_every_flat_solid)
{
    pairs_kind("sphere", "sphere", 2, pairs_draws(200), 600);
    pairs_kind("sphere", "box", 2, pairs_draws(200), 601);
    pairs_kind("hull", "sphere", 2, pairs_draws(200), 602);
}

TEST(rectangles_and_polygons_meet_each_other)
{
    pairs_kind("box", "box", 2, pairs_draws(200), 610);
    pairs_kind("box", "hull", 2, pairs_draws(200), 611);
    pairs_kind("hull", "hull", 2, pairs_draws(200), 612);
}

TEST(half_planes_meet_every_flat_solid)
{
    pairs_kind("plane", "sphere", 2, pairs_draws(200), 620);
    pairs_kind("plane", "box", 2, pairs_draws(200), 621);
    pairs_kind("plane", "hull", 2, pairs_draws(200), 622);
}

TEST_MAIN("dynamics/pairs_plane")
