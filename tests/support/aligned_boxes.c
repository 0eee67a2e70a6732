/* SPDX-License-Identifier: Apache-2.0
 * tests/support/aligned_boxes.c: boxes along the axes, and who is asked about them. */
#include <config.h>

#include "aligned_boxes.h"
#include "reference.h"

perp_aabb boxes_draw(perp_random *g, double side, double half, unsigned dimension)
{
    long thin = perp_random_integer(g, 0, 31);
    perp_aabb box;

    for (int k = 0; k < 3; k++) {
        double x = perp_random_uniform(g, -side, side);
        double h = perp_random_uniform(g, 0.0, half);

        if (thin == k || thin == 3) {
            h = 0.0;
        }
        if (dimension == 2 && k == 2) {
            x = h = 0.0;
        }
        box.lo[k] = x - h;
        box.hi[k] = x + h;
    }
    return box;
}

perp_aabb *boxes_new(perp_random *g, size_t n, double side, double half,
                     unsigned dimension)
{
    perp_aabb *boxes = test_alloc(n + 1, sizeof *boxes);

    for (size_t i = 0; i < n; i++) {
        boxes[i] = boxes_draw(g, side, half, dimension);
    }
    return boxes;
}

void boxes_shift(perp_aabb *box, double x, double y, double z)
{
    const double d[3] = {x, y, z};

    for (int k = 0; k < 3; k++) {
        box->lo[k] += d[k];
        box->hi[k] += d[k];
    }
}

perp_aabb *boxes_golden(const golden_case *c, size_t *n)
{
    size_t count = golden_count(c->in, "lo");
    double *lo = calloc(count + 1, sizeof *lo);
    double *hi = calloc(count + 1, sizeof *hi);
    perp_aabb *boxes = test_alloc(count / 3 + 1, sizeof *boxes);

    CU_ASSERT_FATAL(lo && hi && boxes && count % 3 == 0);
    golden_reals(c->in, "lo", count, lo);
    golden_reals(c->in, "hi", count, hi);
    for (size_t i = 0; i < count; i++) {
        boxes[i / 3].lo[i % 3] = lo[i];
        boxes[i / 3].hi[i % 3] = hi[i];
    }
    free(lo);
    free(hi);
    *n = count / 3;
    return boxes;
}

void boxes_agree(const golden_case *c, const perp_box_pairs *pairs)
{
    size_t count = golden_count(c->out, "pairs");
    double *expected = test_alloc(count + 1, sizeof *expected);

    golden_reals(c->out, "pairs", count, expected);
    CU_ASSERT_EQUAL(pairs->count, count / 2);
    for (size_t k = 0; k < count / 2 && k < pairs->count; k++) {
        CU_ASSERT_EQUAL(pairs->at[k].i, (uint32_t)expected[2 * k]);
        CU_ASSERT_EQUAL(pairs->at[k].j, (uint32_t)expected[2 * k + 1]);
    }
}

static int compare_pairs(const void *a, const void *b)
{
    const perp_box_pair *p = a;
    const perp_box_pair *q = b;

    return p->i != q->i ? (p->i < q->i ? -1 : 1) : (p->j > q->j) - (p->j < q->j);
}

void boxes_agree_numbers(const golden_case *c, const char *key, size_t n,
                         const uint32_t *number)
{
    double *x = test_alloc(n + 1, sizeof *x);

    for (size_t k = 0; k < n; k++) {
        x[k] = number[k];
    }
    CU_ASSERT_EQUAL(golden_count(c->out, key), n);
    golden_agree(c, key, x, n);
}

void boxes_sort(perp_box_pairs *pairs)
{
    if (pairs->count > 0) { /* else there may be no list */
        qsort(pairs->at, pairs->count, sizeof *pairs->at, compare_pairs);
    }
}

bool boxes_same(const char *what, const perp_box_pairs *found,
                const perp_box_pairs *expected)
{
    size_t k = 0;

    while (k < found->count && k < expected->count &&
           compare_pairs(&found->at[k], &expected->at[k]) == 0) {
        k++;
    }
    if (k == found->count && k == expected->count) {
        return true;
    }
    test_note("%s: %zu pairs, expected %zu; they differ at %zu", what, found->count,
              expected->count, k);
    return false;
}

panel panel_new(void)
{
    panel p = {.pairs = {{.count = 0}}};
    size_t count = 0;
    const perp_broad_type *const *types = perp_broad_types(&count);

    CU_ASSERT_EQUAL_FATAL(count, TYPES);
    for (size_t t = 0; t < TYPES; t++) {
        OK(perp_broad_new(&p.broad[t], types[t], NULL));
        CU_ASSERT_PTR_EQUAL(perp_broad_type_of(p.broad[t]), types[t]);
    }
    return p;
}

void panel_free(panel *p)
{
    for (size_t t = 0; t < TYPES; t++) {
        perp_box_pairs_clear(&p->pairs[t]);
    }
}

void panel_run(panel *p, size_t t, size_t n, const perp_aabb *boxes, const bool *still)
{
    perp_error err = {0};

    if (perp_broad_run(p->broad[t], n, boxes, still, &p->pairs[t], &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a broad phase fails");
    }
}

perp_tree *boxes_tree(size_t n, const perp_aabb *boxes)
{
    perp_tree *tree = NULL;

    OK(perp_tree_new(&tree, NULL));
    OK(perp_tree_build(tree, n, boxes, NULL));
    CU_ASSERT(perp_tree_sound(tree));
    CU_ASSERT_EQUAL(perp_tree_count(tree), n);
    return tree;
}
