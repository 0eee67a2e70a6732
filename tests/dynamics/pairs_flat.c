/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/pairs_flat.c: boxes and hulls with each other. */
#include <config.h>

#include "pairs.h"

TEST(boxes_and_hulls_meet_each_other)
{
    pairs_kind("box", "box", 3, pairs_draws(300), 300);
    pairs_kind("box", "hull", 3, pairs_draws(300), 301);
    pairs_kind("hull", "hull", 3, pairs_draws(300), 302);
}

TEST_MAIN("dynamics/pairs_flat")
