/* SPDX-License-Identifier: Apache-2.0
 * tests/core/certificate.c: certificates of rays, singular blocks and cycles, valid and invalid. */
#include <config.h>

#include <string.h>

#include "support.h"

enum { L = PERP_STATE_LOWER, F = PERP_STATE_FREE, U = PERP_STATE_UPPER };

/* M = [-1 1; -1 0], q = (-1, 1): Lemke's path with d = e enters (z, z0) = (0, 1), w = (0,
 * 2), and z_1 may rise with z0: dz = (1, 0), dz0 = 1, dw = (0, 0). */
static const double ray_rows[4] = {-1, 1, -1, 0};
static const double ray_q[2] = {-1, 1};

static perp_certificate ray(void)
{
    perp_certificate c = {0};

    OK(perp_certificate_init(&c, PERP_CERTIFICATE_RAY, 2, 0, NULL));
    c.z0 = 1.0;
    c.dz[0] = 1.0;
    c.dz0 = 1.0;
    c.cover[0] = c.cover[1] = 1.0;
    return c;
}

TEST(a_secondary_ray_is_recognised)
{
    perp_problem *p = test_lcp(2, ray_rows, ray_q);
    perp_certificate c = ray();
    char why[128];

    CU_ASSERT(perp_certificate_check(&c, p, why, sizeof why));
    CU_ASSERT_STRING_EQUAL(why, "an almost complementary ray of 2 rows");
    perp_certificate_clear(&c);
}

TEST(a_ray_that_leaves_the_cone_is_refused)
{
    perp_problem *p = test_lcp(2, ray_rows, ray_q);
    perp_certificate c = ray();
    char why[128];

    c.dz0 = 0.5; /* w falls below 0 on the way */
    CU_ASSERT_FALSE(perp_certificate_check(&c, p, why, sizeof why));
    CU_ASSERT_STRING_EQUAL(why, "row 0 is not complementary along the ray");
    c.dz0 = 2.0; /* z_1 and w_1 both rise */
    CU_ASSERT_FALSE(perp_certificate_check(&c, p, why, sizeof why));
    c.dz0 = 1.0;
    c.cover[1] = 0.0;
    CU_ASSERT_FALSE(perp_certificate_check(&c, p, NULL, 0));
    c.cover[1] = 1.0;
    c.z0 = 0.0; /* it would start at a solution */
    CU_ASSERT_FALSE(perp_certificate_check(&c, p, why, sizeof why));
    c.z0 = NAN;
    CU_ASSERT_FALSE(perp_certificate_check(&c, p, why, sizeof why));
    CU_ASSERT_STRING_EQUAL(why, "it holds numbers that are not finite");
    perp_certificate_clear(&c);
}

TEST(a_singular_block_is_told_from_an_indefinite_and_a_sound_one)
{
    const double rows[9] = {1, 2, 0, 2, 4, 0, 0, 0, -1};
    const double q[3] = {-1, -1, -1};
    perp_problem *p = test_lcp(3, rows, q);
    perp_certificate c = {0};
    char why[128];

    OK(perp_certificate_init(&c, PERP_CERTIFICATE_SINGULAR, 3, 0, NULL));
    CU_ASSERT_FALSE(perp_certificate_check(&c, p, why, sizeof why)); /* x = 0 */
    c.y[0] = 2.0;
    c.y[1] = -1.0;
    CU_ASSERT(perp_certificate_check(&c, p, why, sizeof why));
    CU_ASSERT_STRING_EQUAL(
        why, "a block of 2 rows is singular within 1.6e-15 of its entries: A_FF x = 0");
    c.y[1] = 1.0;
    CU_ASSERT_FALSE(perp_certificate_check(&c, p, why, sizeof why));
    c.y[0] = c.y[1] = 0.0;
    c.y[2] = 1.0;
    CU_ASSERT(perp_certificate_check(&c, p, why, sizeof why));
    CU_ASSERT_STRING_EQUAL(why, "a block of 1 row is not positive definite: x.A x < 0");
    perp_certificate_clear(&c);
}

/* Kostreva's circulant: {1,2} -> {2,3} -> {1,3} -> {1,2} under the min-map and block
 * rules. */
static const double circulant[9] = {1, 2, 0, 0, 1, 2, 2, 0, 1};
static const double minus_one[3] = {-1, -1, -1};
static const unsigned char sets[9] = {F, F, L, L, F, F, F, L, F};

static perp_certificate cycle(perp_rule rule, size_t steps)
{
    perp_certificate c = {0};

    OK(perp_certificate_init(&c, PERP_CERTIFICATE_CYCLE, 3, steps, NULL));
    memcpy(c.states, sets, 3 * steps);
    c.rule = rule;
    return c;
}

TEST(a_cycle_of_active_sets_follows_its_rule)
{
    perp_problem *p = test_lcp(3, circulant, minus_one);
    perp_certificate c = cycle(PERP_RULE_MINMAP, 3);
    char why[128];

    CU_ASSERT(perp_certificate_check(&c, p, why, sizeof why));
    CU_ASSERT_STRING_EQUAL(why, "3 active sets follow from one another indefinitely");
    c.rule = PERP_RULE_BLOCK;
    CU_ASSERT(perp_certificate_check(&c, p, why, sizeof why));
    c.rule = PERP_RULE_LEAST_INDEX; /* two rows change at once */
    CU_ASSERT_FALSE(perp_certificate_check(&c, p, why, sizeof why));
    c.rule = PERP_RULE_MOST_NEGATIVE;
    CU_ASSERT_FALSE(perp_certificate_check(&c, p, why, sizeof why));
    CU_ASSERT_STRING_EQUAL(why, "the successor of set 0 does not obey the rule");
    perp_certificate_clear(&c);
}

TEST(a_cycle_that_does_not_close_is_refused)
{
    perp_problem *p = test_lcp(3, circulant, minus_one);
    perp_certificate c = cycle(PERP_RULE_MINMAP, 2);
    const unsigned char solution[6] = {F, F, F, F, F, F};

    CU_ASSERT_FALSE(perp_certificate_check(&c, p, NULL, 0));
    memcpy(c.states, solution, sizeof solution); /* a set that stays is no cycle */
    CU_ASSERT_FALSE(perp_certificate_check(&c, p, NULL, 0));
    perp_certificate_clear(&c);
}

TEST(evidence_about_another_problem_is_refused)
{
    perp_problem *p = test_lcp(3, circulant, minus_one);
    perp_certificate c = ray();
    perp_certificate none = {0};

    CU_ASSERT_FALSE(perp_certificate_check(&c, p, NULL, 0));
    CU_ASSERT_FALSE(perp_certificate_check(&none, p, NULL, 0));
    perp_certificate_clear(&c);
}

TEST(kinds_and_rules_have_names)
{
    CU_ASSERT_STRING_EQUAL(perp_certificate_name(PERP_CERTIFICATE_RAY), "ray");
    CU_ASSERT_STRING_EQUAL(perp_rule_name(PERP_RULE_LEAST_INDEX), "least-index");
    CU_ASSERT_PTR_NULL(perp_rule_name((perp_rule)99));
}
