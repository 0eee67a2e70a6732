/* SPDX-License-Identifier: Apache-2.0
 * tests/geometry/tree.c: trees of boxes: what holds in every node, and queries against
 * asking each leaf. Rays are in tree_rays.c. */
#include <config.h>

#include "aligned_boxes.h"
#include "reference.h"
#include "scarce.h"

static perp_tree *new_tree(void)
{
    perp_tree *tree = NULL;

    OK(perp_tree_new(&tree, NULL));
    return tree;
}

/* What visitors found. */
typedef struct findings {
    size_t count, limit;
    uint32_t number[4096];
    perp_box_pairs pairs;
} findings;

static findings found; /* too wide for a stack */

static bool note_number(void *context, uint32_t number)
{
    findings *f = context;

    CU_ASSERT_FATAL(f->count < 4096);
    f->number[f->count++] = number;
    return f->count != f->limit;
}

static bool note_pair(void *context, uint32_t a, uint32_t b)
{
    findings *f = context;

    CU_ASSERT_FATAL(perp_box_pairs_add(&f->pairs, a, b));
    return f->pairs.count != f->limit;
}

static findings *nothing(void)
{
    perp_box_pairs_clear(&found.pairs);
    found.count = found.limit = 0;
    return &found;
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The leaves that overlap a box. */
static void check_query(const perp_tree *tree, size_t n, const perp_aabb *boxes,
                        const perp_aabb *box)
{
    findings *f = nothing();
    size_t expected = 0;

    perp_tree_query(tree, box, note_number, f);
    qsort(f->number, f->count, sizeof *f->number, compare_numbers);
    for (size_t i = 0; i < n; i++) {
        if (perp_aabb_overlap(&boxes[i], box)) {
            CU_ASSERT(expected < f->count && f->number[expected] == i);
            expected++;
        }
    }
    CU_ASSERT_EQUAL(f->count, expected);
}

/* Pairs within the tree. */
static void check_pairs(const perp_tree *tree, size_t n, const perp_aabb *boxes)
{
    perp_box_pairs expected = {0};
    findings *f = nothing();

    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            if (perp_aabb_overlap(&boxes[i], &boxes[j])) {
                CU_ASSERT_FATAL(perp_box_pairs_add(&expected, (uint32_t)i, (uint32_t)j));
            }
        }
    }
    perp_tree_pairs(tree, note_pair, f);
    boxes_sort(&f->pairs);
    CU_ASSERT(boxes_same("pairs of a tree", &f->pairs, &expected));
    perp_box_pairs_clear(&expected);
}

static void check_golden(const golden_case *c)
{
    size_t n = 0;
    perp_aabb *boxes = boxes_golden(c, &n);
    perp_tree *tree = boxes_tree(n, boxes);
    perp_aabb box;

    golden_reals(c->in, "query_lo", 3, box.lo);
    golden_reals(c->in, "query_hi", 3, box.hi);

    perp_tree_pairs(tree, note_pair, nothing());
    boxes_sort(&found.pairs);
    boxes_agree(c, &found.pairs);

    perp_tree_query(tree, &box, note_number, nothing());
    qsort(found.number, found.count, sizeof *found.number, compare_numbers);
    boxes_agree_numbers(c, "query_ids", found.count, found.number);
}

TEST(pairs_and_queries_are_the_golden_ones)
{
    golden_each("collision_broadphase", NULL, check_golden);
}

/* As high as halving makes it. */
TEST(building_halves_at_the_median)
{
    const size_t sizes[] = {0, 1, 2, 3, 64, 65, 1000};
    perp_random g = {41};

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t n = sizes[s];
        perp_aabb *boxes = boxes_new(&g, n, 10.0, 1.0, 3);
        perp_tree *tree = boxes_tree(n, boxes);
        size_t height = 0;

        while (((size_t)1 << height) < n) {
            height++;
        }
        CU_ASSERT_EQUAL(perp_tree_height(tree), height);
        check_pairs(tree, n, boxes);
        for (int k = 0; k < 20; k++) {
            perp_aabb box = boxes_draw(&g, 10.0, 4.0, 3);

            check_query(tree, n, boxes, &box);
        }
    }
}

TEST(a_visitor_can_end_the_query)
{
    perp_random g = {46};
    perp_aabb *boxes = boxes_new(&g, 100, 1.0, 1.0, 3);
    perp_tree *tree = boxes_tree(100, boxes);
    const perp_aabb all = {{-9, -9, -9}, {9, 9, 9}};

    nothing()->limit = 2;
    perp_tree_query(tree, &all, note_number, &found);
    CU_ASSERT_EQUAL(found.count, 2);
    nothing()->limit = 2;
    perp_tree_pairs(tree, note_pair, &found);
    CU_ASSERT_EQUAL(found.pairs.count, 2);
}

TEST(empty_and_unbounded_boxes_are_refused)
{
    const perp_aabb good = {{0, 0, 0}, {1, 1, 1}};
    const perp_aabb bad[] = {
        {{0, 0, 0}, {1, -1, 1}},
        {{0, NAN, 0}, {1, 1, 1}},
        {{0, 0, 0}, {1, 1, INFINITY}},
        {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}},
    };

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const perp_aabb two[] = {good, bad[k]};
        perp_tree *tree = boxes_tree(1, &good);
        perp_error err = {0};

        CU_ASSERT_EQUAL(perp_tree_build(tree, 2, two, &err), PERP_ERR_ARGUMENT);
        CU_ASSERT_STRING_EQUAL(err.text, "tree: box 1 is empty or not finite");
        CU_ASSERT_EQUAL(perp_tree_count(tree), 0);
        perp_tree_query(tree, &good, note_number, nothing());
        CU_ASSERT_EQUAL(found.count, 0);
    }
}

/* What was built before does not matter, and memory for more is kept. */
TEST(a_tree_is_built_again)
{
    perp_random g = {43};
    perp_tree *tree = new_tree();

    for (size_t n = 500; n > 0; n /= 3) {
        perp_aabb *boxes = boxes_new(&g, n, 5.0, 1.0, 3);

        OK(perp_tree_build(tree, n, boxes, NULL));
        CU_ASSERT(perp_tree_sound(tree));
        check_pairs(tree, n, boxes);
    }
    OK(perp_tree_build(tree, 0, NULL, NULL));
    CU_ASSERT_EQUAL(perp_tree_count(tree), 0);
}

static perp_status grow(void *context, perp_error *err)
{
    perp_tree *tree = NULL;
    perp_aabb *boxes = context;
    perp_status status = perp_tree_new(&tree, err);

    for (size_t n = 1; n <= 100 && status == PERP_OK; n += 33) {
        status = perp_tree_build(tree, n, boxes, err);
        CU_ASSERT_EQUAL(perp_tree_count(tree), status == PERP_OK ? n : 0);
        CU_ASSERT(perp_tree_sound(tree));
    }
    return status;
}

TEST(a_tree_survives_that_memory_runs_out)
{
    perp_random g = {47};
    perp_aabb *boxes = boxes_new(&g, 100, 3.0, 1.0, 3);

    scarce_everywhere(grow, boxes, "tree");
}

static void clear_pairs(void)
{
    perp_box_pairs_clear(&found.pairs);
}

TEST_SETUP
{
    atexit(clear_pairs);
}
