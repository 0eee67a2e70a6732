/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/tree.c: trees of boxes: what holds in every node whatever happened
 * before, and queries against asking each leaf. Rays are in tree_rays.c. */
#include <config.h>

#include "boxes.h"
#include "scarce.h"

static perp_tree *new_tree(double fat)
{
    perp_tree *tree = NULL;

    CU_ASSERT_EQUAL_FATAL(perp_tree_new(&tree, fat, NULL), PERP_OK);
    return tree;
}

/* Siblings differ in height by 3 at most: N(h) = N(h - 1) + N(h - 4) leaves at least. */
static bool as_low_as_promised(const perp_tree *tree)
{
    size_t least[128] = {1, 2, 3, 4};
    size_t h = perp_tree_height(tree);

    for (size_t k = 4; k <= h && k < 128; k++) {
        least[k] = least[k - 1] + least[k - 4];
    }
    return h < 128 && (perp_tree_count(tree) >= least[h] || perp_tree_count(tree) == 0);
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

/* The leaves that overlap a box; present NULL: all are there. */
static void check_query(const perp_tree *tree, size_t n, const perp_aabb *boxes,
                        const bool *present, const perp_aabb *box)
{
    findings *f = nothing();
    size_t expected = 0;

    perp_tree_query(tree, box, note_number, f);
    qsort(f->number, f->count, sizeof *f->number, compare_numbers);
    for (size_t i = 0; i < n; i++) {
        if ((!present || present[i]) && perp_aabb_overlap(&boxes[i], box)) {
            CU_ASSERT(expected < f->count && f->number[expected] == i);
            expected++;
        }
    }
    CU_ASSERT_EQUAL(f->count, expected);
}

/* Pairs within the tree. */
static void check_pairs(const perp_tree *tree, size_t n, const perp_aabb *boxes,
                        const bool *present)
{
    perp_box_pairs expected = {0};
    findings *f = nothing();

    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            if ((!present || (present[i] && present[j])) &&
                perp_aabb_overlap(&boxes[i], &boxes[j])) {
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
        check_pairs(tree, n, boxes, NULL);
        for (int k = 0; k < 20; k++) {
            perp_aabb box = boxes_draw(&g, 10.0, 4.0, 3);

            check_query(tree, n, boxes, NULL, &box);
        }
    }
}

/* With fat leaves and without, in the plane, too: a thousand random changes, after each
 * of which every node holds its children and the tree is as low as the balance
 * promises. */
TEST(whatever_is_inserted_moved_and_removed_every_node_holds_its_children)
{
    enum { N = 200, CHANGES = 1500 };
    perp_random g = {42};

    for (unsigned run = 0; run < 3; run++) {
        double fat = run == 0 ? 0.0 : 0.3;
        unsigned dimension = run == 2 ? 2 : 3;
        perp_tree *tree = new_tree(fat);
        perp_aabb *boxes = boxes_new(&g, N, 5.0, 1.0, dimension);
        bool present[N] = {false};
        size_t count = 0, again = 0, moves = 0;

        for (int change = 0; change < CHANGES; change++) {
            size_t i = (size_t)perp_random_integer(&g, 0, N - 1);

            if (!present[i]) {
                CU_ASSERT_EQUAL(perp_tree_insert(tree, (uint32_t)i, &boxes[i], NULL),
                                PERP_OK);
                present[i] = true;
                count++;
            } else if (perp_random_integer(&g, 0, 2) == 0) {
                perp_tree_remove(tree, (uint32_t)i);
                present[i] = false;
                count--;
            } else {
                boxes_shift(&boxes[i], perp_random_uniform(&g, -0.4, 0.4),
                            perp_random_uniform(&g, -0.4, 0.4), 0.0);
                again += perp_tree_move(tree, (uint32_t)i, &boxes[i]);
                moves++;
            }
            CU_ASSERT_FATAL(perp_tree_sound(tree));
            CU_ASSERT_EQUAL(perp_tree_count(tree), count);
            CU_ASSERT(as_low_as_promised(tree));
            if (change % 50 == 0) {
                perp_aabb box = boxes_draw(&g, 5.0, 3.0, 3);

                check_pairs(tree, N, boxes, present);
                check_query(tree, N, boxes, present, &box);
            }
        }
        CU_ASSERT(moves > CHANGES / 10 && again > 0);
        CU_ASSERT(fat == 0.0 || again < moves); /* fat leaves hold some of the moves */
    }
}

/* Down to nothing and up again, in orders that would make lists of unbalanced trees. */
TEST(rows_of_boxes_stay_balanced)
{
    enum { N = 4096 };
    perp_tree *tree = new_tree(0.0);

    for (uint32_t i = 0; i < N; i++) {
        const perp_aabb box = {{i, 0, 0}, {i, 0, 0}}; /* points on a line */

        CU_ASSERT_EQUAL(perp_tree_insert(tree, i, &box, NULL), PERP_OK);
    }
    CU_ASSERT(perp_tree_sound(tree));
    CU_ASSERT(as_low_as_promised(tree));
    for (uint32_t i = 0; i < N; i++) {
        perp_tree_remove(tree, i);
        CU_ASSERT(i % 97 != 0 || perp_tree_sound(tree));
    }
    CU_ASSERT_EQUAL(perp_tree_count(tree), 0);
    CU_ASSERT(perp_tree_sound(tree));
    perp_tree_query(tree, &(perp_aabb){{0, 0, 0}, {N, 0, 0}}, note_number, nothing());
    CU_ASSERT_EQUAL(found.count, 0);
}

TEST(refitting_keeps_the_shape_and_holds_the_new_boxes)
{
    enum { N = 500 };
    perp_random g = {43};
    perp_aabb *boxes = boxes_new(&g, N + 1, 5.0, 1.0, 3);
    perp_tree *tree = boxes_tree(N, boxes);
    size_t height = perp_tree_height(tree);

    for (int step = 0; step < 10; step++) {
        for (size_t i = 0; i < N; i++) {
            boxes_shift(&boxes[i], perp_random_uniform(&g, -1.0, 1.0), 0.1, 0.0);
        }
        perp_tree_refit(tree, boxes);
        CU_ASSERT(perp_tree_sound(tree));
        CU_ASSERT_EQUAL(perp_tree_height(tree), height);
        check_pairs(tree, N, boxes, NULL);
    }
    /* what came later keeps its box */
    CU_ASSERT_EQUAL(perp_tree_insert(tree, N, &boxes[N], NULL), PERP_OK);
    perp_tree_refit(tree, boxes);
    CU_ASSERT(perp_tree_sound(tree));
    check_pairs(tree, N + 1, boxes, NULL);
}

TEST(two_trees_meet_where_their_leaves_do)
{
    enum { N = 150, M = 70 };
    perp_random g = {44};
    perp_aabb *a = boxes_new(&g, N, 5.0, 1.0, 3);
    perp_aabb *b = boxes_new(&g, M, 6.0, 2.0, 3);
    perp_tree *first = boxes_tree(N, a);
    perp_tree *second = new_tree(0.2);
    perp_box_pairs expected = {0};
    findings *f = NULL;

    for (uint32_t j = 0; j < M; j++) {
        CU_ASSERT_EQUAL(perp_tree_insert(second, j, &b[j], NULL), PERP_OK);
    }
    for (uint32_t i = 0; i < N; i++) {
        for (uint32_t j = 0; j < M; j++) {
            if (perp_aabb_overlap(&a[i], &b[j])) {
                CU_ASSERT_FATAL(perp_box_pairs_add(&expected, i, j));
            }
        }
    }
    f = nothing();
    perp_tree_meet(first, second, note_pair, f);
    boxes_sort(&f->pairs);
    CU_ASSERT(boxes_same("two trees", &f->pairs, &expected));
    CU_ASSERT(expected.count > 10);
    perp_box_pairs_clear(&expected);
}

TEST(who_is_told_may_end_it)
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
    nothing()->limit = 3;
    perp_tree_meet(tree, tree, note_pair, &found);
    CU_ASSERT_EQUAL(found.pairs.count, 3);
}

TEST(what_is_no_box_is_refused)
{
    const perp_aabb good = {{0, 0, 0}, {1, 1, 1}};
    const perp_aabb bad[] = {
        {{0, 0, 0}, {1, -1, 1}},
        {{0, NAN, 0}, {1, 1, 1}},
        {{0, 0, 0}, {1, 1, INFINITY}},
        {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}},
    };
    perp_tree *tree = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_tree_new(&tree, -1.0, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(err.text, "tree: fat is -1, expected a length >= 0 [m]");
    CU_ASSERT_PTR_NULL(tree);
    tree = new_tree(0.5);
    CU_ASSERT_EQUAL(perp_tree_insert(tree, UINT32_MAX, &good, NULL), PERP_OK);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const perp_aabb two[] = {good, bad[k]};
        perp_tree *other = new_tree(0.0);

        CU_ASSERT_EQUAL(perp_tree_insert(tree, 7, &bad[k], NULL), PERP_ERR_ARGUMENT);
        CU_ASSERT_FALSE(perp_tree_move(tree, UINT32_MAX, &bad[k]));
        perp_error_clear(&err);
        CU_ASSERT_EQUAL(perp_tree_build(other, 2, two, &err), PERP_ERR_ARGUMENT);
        CU_ASSERT_STRING_EQUAL(err.text, "tree: box 1 is empty or not finite");
        CU_ASSERT_EQUAL(perp_tree_count(other), 0);
    }
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_tree_insert(tree, UINT32_MAX, &good, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(err.text, "tree: leaf 4294967295 exists already");
    perp_tree_remove(tree, 3); /* not there */
    CU_ASSERT_FALSE(perp_tree_move(tree, 3, &good));
    CU_ASSERT_EQUAL(perp_tree_count(tree), 1);
    CU_ASSERT(perp_tree_sound(tree));
}

static perp_status grow(void *context, perp_error *err)
{
    perp_tree *tree = NULL;
    perp_aabb *boxes = context;
    perp_status status = perp_tree_new(&tree, 0.1, err);

    if (status == PERP_OK) {
        status = perp_tree_build(tree, 100, boxes, err);
        CU_ASSERT(status == PERP_OK || perp_tree_count(tree) == 0);
    }
    for (uint32_t i = 100; i < 200 && status == PERP_OK; i++) {
        status = perp_tree_insert(tree, i, &boxes[i], err);
        CU_ASSERT_EQUAL(perp_tree_count(tree), i + (status == PERP_OK));
    }
    CU_ASSERT(!tree || perp_tree_sound(tree));
    return status;
}

TEST(a_tree_survives_that_memory_runs_out)
{
    perp_random g = {47};
    perp_aabb *boxes = boxes_new(&g, 200, 3.0, 1.0, 3);

    scarce_everywhere(grow, boxes, "tree");
}

int main(int argc, char **argv)
{
    int failed = test_run(argc, argv, "tree");

    perp_box_pairs_clear(&found.pairs);
    return failed;
}
