/* SPDX-License-Identifier: Apache-2.0
 * tests/core/set.c: every function that appends a block, within the capacity of a set, beyond
 * it and without memory. */
#include <config.h>

#include <math.h>

#include "scarce.h"
#include "support.h"

typedef perp_status (*adding)(perp_set *set);

static perp_status add_free(perp_set *set)
{
    return perp_set_add_free(set);
}

static perp_status add_nonneg(perp_set *set)
{
    return perp_set_add_nonneg(set);
}

static perp_status add_box(perp_set *set)
{
    return perp_set_add_box(set, -2.0, 3.0);
}

static perp_status add_friction(perp_set *set)
{
    return perp_set_add_friction(set, 0.4, 0);
}

static perp_status add_cone(perp_set *set)
{
    return perp_set_add_cone(set, 3, 0.5);
}

static perp_status add_rolling(perp_set *set)
{
    return perp_set_add_rolling(set, 0.6, 0.1);
}

static perp_status add_disk(perp_set *set)
{
    return perp_set_add_disk(set, 2.5);
}

/* What each function appends; a block of another kind has 0 where it has no number. */
static const struct {
    adding add;
    perp_block block;
} cases[] = {
    {add_free, {.kind = PERP_SET_FREE, .dim = 1, .lo = -INFINITY, .hi = INFINITY}},
    {add_nonneg, {.kind = PERP_SET_NONNEG, .dim = 1, .hi = INFINITY}},
    {add_box, {.kind = PERP_SET_BOX, .dim = 1, .lo = -2.0, .hi = 3.0}},
    {add_friction, {.kind = PERP_SET_FRICTION, .dim = 1, .mu = 0.4}},
    {add_cone, {.kind = PERP_SET_CONE, .dim = 3, .mu = 0.5}},
    {add_rolling, {.kind = PERP_SET_ROLLING, .dim = 5, .mu = 0.6, .mu_rolling = 0.1}},
    {add_disk, {.kind = PERP_SET_DISK, .dim = 2, .radius = 2.5}},
};
enum { case_count = sizeof cases / sizeof *cases };

/* Block k of the set is the one of case c, and begins at row `first`. */
static void check_block(const perp_set *set, size_t k, size_t c, size_t first)
{
    const perp_block *block = &set->blocks[k];
    const perp_block *expected = &cases[c].block;

    CU_ASSERT_EQUAL(block->kind, expected->kind);
    CU_ASSERT_EQUAL(block->dim, expected->dim);
    CU_ASSERT_EQUAL(block->first, first);
    CU_ASSERT(block->lo == expected->lo && block->hi == expected->hi);
    CU_ASSERT(block->mu == expected->mu && block->mu_rolling == expected->mu_rolling);
    CU_ASSERT(block->radius == expected->radius && block->normal == 0);
}

/* Capacities from 0 to 5, up to twelve blocks of one kind in each. */
TEST(a_set_grows_beyond_its_capacity)
{
    for (size_t c = 0; c < case_count; c++) {
        for (size_t capacity = 0; capacity <= 5; capacity++) {
            perp_set *set = test_new_set(capacity);

            CU_ASSERT_EQUAL(set->capacity, capacity);
            for (size_t k = 0; k < 12; k++) {
                OK(cases[c].add(set));
                CU_ASSERT(set->count == k + 1 && set->capacity >= set->count);
                CU_ASSERT_EQUAL(set->n, (k + 1) * cases[c].block.dim);
            }
            for (size_t k = 0; k < 12; k++) {
                check_block(set, k, c, k * cases[c].block.dim);
            }
        }
    }
}

TEST(no_memory_is_needed_within_the_capacity)
{
    for (size_t c = 0; c < case_count; c++) {
        perp_set *set = test_new_set(3);

        scarce_begin(0);
        for (size_t k = 0; k < 3; k++) {
            OK(cases[c].add(set));
        }
        CU_ASSERT(!scarce_end());
        CU_ASSERT_EQUAL(set->capacity, 3);
    }
}

TEST(a_set_that_cannot_grow_stays_as_it_is)
{
    for (size_t c = 0; c < case_count; c++) {
        size_t rows = cases[c].block.dim;
        perp_set *set = test_new_set(1);

        OK(cases[c].add(set));
        scarce_begin(0);
        CU_ASSERT_EQUAL(cases[c].add(set), PERP_ERR_MEMORY);
        CU_ASSERT(scarce_end());
        CU_ASSERT(set->count == 1 && set->n == rows && set->capacity == 1);
        check_block(set, 0, c, 0);
        OK(cases[c].add(set)); /* there is memory again */
        CU_ASSERT(set->count == 2 && set->n == 2 * rows);
        check_block(set, 0, c, 0);
        check_block(set, 1, c, rows);
    }
}

TEST(a_block_needs_a_set)
{
    for (size_t c = 0; c < case_count; c++) {
        CU_ASSERT_EQUAL(cases[c].add(NULL), PERP_ERR_ARGUMENT);
    }
}

/* The copy has its own blocks and grows by itself. */
TEST(a_copy_grows_without_the_original)
{
    perp_set *copy = NULL;
    perp_set *set = test_new_set(8);

    OK(perp_set_add_cone(set, 3, 0.5));
    OK(perp_set_copy(&copy, set, NULL));
    CU_ASSERT_EQUAL(copy->capacity, 1);
    OK(perp_set_add_nonneg(copy));
    CU_ASSERT(copy->count == 2 && copy->n == 4);
    CU_ASSERT(set->count == 1 && set->n == 3);
}
