/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/pairs_flat.c: boxes and hulls with each other. */
#include <config.h>

#include "pairs.h"

static void boxes_and_hulls_meet_each_other(void)
{
    pairs_kind("box", "box", 3, pairs_draws(300), 300);
    pairs_kind("box", "hull", 3, pairs_draws(300), 301);
    pairs_kind("hull", "hull", 3, pairs_draws(300), 302);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(boxes_and_hulls_meet_each_other),
        TEST_END,
    };

    return test_run(argc, argv, "dynamics/pairs_flat", cases);
}
