/* SPDX-License-Identifier: Apache-2.0
 * tests/core/sequence.c: steps in order, keys of their own, impulses that follow them. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "instances.h"
#include "scarce.h"

/* FREE, NONNEG, a cone of 3, a cone of 2: 7 rows, 4 blocks. */
static perp_problem *mixed(void)
{
    perp_random g = {5};
    perp_set *set = test_set("free,nonneg,cone3:0.5,cone2:0.5");
    perp_operator *A = test_spd(7, 3);

    return test_problem(A, set, PERP_LAW_COULOMB, &g);
}

static uint64_t *keys_of(size_t count, const uint64_t *from)
{
    uint64_t *keys = malloc(count * sizeof *keys);

    CU_ASSERT_PTR_NOT_NULL_FATAL(keys);
    memcpy(keys, from, count * sizeof *keys);
    return keys;
}

/* A step of the problem above. */
static perp_sequence_item step_of(double t, double h, const uint64_t keys[4])
{
    return (perp_sequence_item){mixed(), keys ? keys_of(4, keys) : NULL, t, h};
}

static const uint64_t usual[4] = {7, 0, UINT64_MAX, 9};

TEST(a_lasting_block_keeps_its_impulse_per_second)
{
    /* The free row and the 2D cone last; the 3D cone is new, the nonneg row has no
     * key. */
    static const uint64_t later[4] = {9, 0, 5, 7};
    static const double z[7] = {1, 2, 3, 4, 5, 6, 7};
    double zz[7] = {9, 9, 9, 9, 9, 9, 9};
    perp_sequence_item from = step_of(0.0, 0.01, usual);
    perp_sequence_item to = step_of(0.01, 0.02, usual);
    size_t matched = 99;

    OK(perp_sequence_carry(&from, z, &to, zz, &matched, NULL));
    CU_ASSERT_EQUAL(matched, 3);
    CU_ASSERT_EQUAL(zz[0], 2.0); /* twice as long: twice the impulse, exactly */
    CU_ASSERT_EQUAL(zz[1], 0.0); /* no identity */
    CU_ASSERT_EQUAL(zz[2], 6.0);
    CU_ASSERT_EQUAL(zz[6], 14.0);

    /* Keys 7 and 9 have moved to blocks of another kind: nothing fits. */
    memcpy(to.keys, later, sizeof later);
    OK(perp_sequence_carry(&from, z, &to, zz, &matched, NULL));
    CU_ASSERT_EQUAL(matched, 0);
    for (size_t i = 0; i < 7; i++) {
        CU_ASSERT_EQUAL(zz[i], 0.0);
    }
    perp_sequence_item_clear(&from);
    perp_sequence_item_clear(&to);
}

/* Four cones in another order: each finds its own, whatever the number of the block. */
TEST(identity_follows_the_key_and_not_the_place)
{
    static const uint64_t before[4] = {11, 12, 13, 14};
    static const uint64_t after[4] = {14, 99, 12, 11};
    static const double zeros[64];
    static const double mu[4] = {0.5, 0.5, 0.5, 0.5};
    static const double z[8] = {1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5};
    static const double expected[8] = {4, 4.5, 0, 0, 2, 2.5, 1, 1.5};
    double zz[8];
    perp_sequence_item from = {test_cones(2, 4, zeros, zeros, mu), keys_of(4, before),
                               0.0, 0.5};
    perp_sequence_item to = {test_cones(2, 4, zeros, zeros, mu), keys_of(4, after), 0.5,
                             0.5};
    size_t matched = 0;

    OK(perp_sequence_carry(&from, z, &to, zz, &matched, NULL));
    CU_ASSERT_EQUAL(matched, 3);
    for (size_t i = 0; i < 8; i++) {
        CU_ASSERT_EQUAL(zz[i], expected[i]);
    }
    perp_sequence_item_clear(&from);
    perp_sequence_item_clear(&to);
}

TEST(a_step_in_memory_comes_back_as_it_was)
{
    perp_sequence_item step = step_of(0.5, 0.25, usual);
    uint64_t hash = perp_problem_hash(step.problem);
    perp_sequence *s = test_new_sequence("a");

    OK(perp_sequence_add(s, &step, NULL));
    CU_ASSERT_PTR_NULL(step.problem); /* taken over */
    for (int k = 0; k < 40; k++) {    /* more than the first room */
        step = step_of(0.5 + k, 0.25, NULL);
        OK(perp_sequence_add(s, &step, NULL));
    }
    CU_ASSERT_EQUAL(perp_sequence_count(s), 41);
    CU_ASSERT_STRING_EQUAL(perp_sequence_name(s), "a");
    OK(perp_sequence_check(s, NULL));
    OK(perp_sequence_get(s, 0, &step, NULL));
    CU_ASSERT_EQUAL(perp_problem_hash(step.problem), hash);
    CU_ASSERT_EQUAL(memcmp(step.keys, usual, sizeof usual), 0);
    CU_ASSERT_EQUAL(step.t, 0.5);
    CU_ASSERT_EQUAL(step.h, 0.25);
    perp_sequence_item_clear(&step);
    OK(perp_sequence_get(s, 40, &step, NULL));
    CU_ASSERT_EQUAL(step.keys[0], 0); /* no keys were given: no block has an identity */
    perp_sequence_item_clear(&step);
}

/* Adding this step, which is consumed in either case, fails with these words. */
static void refused(perp_sequence *s, perp_sequence_item step, const char *words)
{
    perp_error err = {0};

    CU_ASSERT_NOT_EQUAL(perp_sequence_add(s, &step, &err), PERP_OK);
    if (!strstr(err.text, words)) {
        test_note("\"%s\", expected \"%s\"", err.text, words);
        CU_FAIL("another message");
    }
    CU_ASSERT_PTR_NULL(step.problem);
}

TEST(a_bad_step_is_refused_with_its_place)
{
    static const uint64_t twice[4] = {3, 4, 3, 0};
    const double nan = strtod("nan", NULL);
    perp_sequence_item step = step_of(1.0, 0.1, usual);
    perp_sequence_item bad = step_of(1.0, 0.1, NULL);
    perp_error err = {0};
    perp_sequence *s = test_new_sequence(NULL);

    OK(perp_sequence_add(s, &step, NULL));
    refused(s, step_of(1.0, 0.1, twice), "step 1: keys[2] is 3 as is keys[0]");
    refused(s, step_of(0.5, 0.1, usual), "step 1: t is 0.5 after 1, expected steps in");
    refused(s, step_of(nan, 0.1, usual), "step 1: t is nan");
    refused(s, step_of(1.0, 0.0, usual), "step 1: h is 0, expected");
    refused(s, step_of(1.0, strtod("inf", NULL), usual), "step 1: h is inf");
    bad.problem->b[2] = nan;
    refused(s, bad, "step 1: b[2] is nan");
    refused(s, (perp_sequence_item){NULL, NULL, 1.0, 0.1},
            "step 1: a step needs a problem");
    CU_ASSERT_EQUAL(perp_sequence_count(s), 1);
    CU_ASSERT_EQUAL(perp_sequence_get(s, 1, &step, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "step 1 of 1, counted from 0"));
    perp_sequence_free(NULL);
}

static perp_status build_and_carry(void *context, perp_error *err)
{
    const perp_sequence_item *from = context;
    double z[7] = {1, 1, 1, 1, 1, 1, 1};
    double zz[7];
    perp_sequence *s = NULL;
    perp_sequence_item step = {0};
    perp_status status = perp_sequence_new(&s, "scarce", err);

    if (status == PERP_OK) {
        status = perp_problem_copy(&step.problem, from->problem, err);
    }
    if (status == PERP_OK) {
        step.h = 1.0;
        status = perp_sequence_add(s, &step, err);
    }
    if (status == PERP_OK) {
        status = perp_sequence_get(s, 0, &step, err);
    }
    if (status == PERP_OK) {
        status = perp_sequence_carry(from, z, &step, zz, NULL, err);
    }
    perp_sequence_item_clear(&step);
    return status;
}

TEST(scarce_memory_is_survived)
{
    perp_sequence_item from = step_of(0.0, 1.0, usual);

    scarce_everywhere(build_and_carry, &from, "a sequence");
    perp_sequence_item_clear(&from);
}
