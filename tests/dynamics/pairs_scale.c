/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/pairs_scale.c: solids of a micrometre and of a thousand kilometres, and
 * pairs of which one is ten thousand times as large. */
#include <config.h>

#include "pairs.h"

/* A tenth of what pairs of one size get: there are ten times as many kinds. */
static int draws(void)
{
    return pairs_draws(200) / 10;
}

static void check_tiny(const char *one, const char *two)
{
    pairs_sized(one, 1e-6, two, 1e-6, 3, draws(), 701);
}

static void check_huge(const char *one, const char *two)
{
    pairs_sized(one, 1e6, two, 1e6, 3, draws(), 702);
}

static void check_uneven(const char *one, const char *two)
{
    pairs_sized(one, 1.0, two, 1e-4, 3, draws(), 703);
    pairs_sized(one, 1e-4, two, 1.0, 3, draws(), 704);
}

TEST(tiny_solids_meet_as_others_do)
{
    pairs_each(3, check_tiny);
}

TEST(huge_solids_meet_as_others_do)
{
    pairs_each(3, check_huge);
}

TEST(solids_of_very_different_sizes_meet)
{
    pairs_each(3, check_uneven);
}

TEST_MAIN("dynamics/pairs_scale")
