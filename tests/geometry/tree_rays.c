/* SPDX-License-Identifier: Apache-2.0
 * tests/geometry/tree_rays.c: rays through trees of boxes, against the slab test of each
 * box. */
#include <config.h>

#include "aligned_boxes.h"

/* What a ray met, in the order in which it was told. */
typedef struct hits {
    size_t count, limit;
    uint32_t number[4096];
    double t[4096];
} hits;

static hits found; /* too wide for a stack */

static double note_hit(void *context, uint32_t number, double t, double most)
{
    hits *f = context;

    CU_ASSERT(t >= 0.0 && t <= most);
    CU_ASSERT_FATAL(f->count < 4096);
    f->t[f->count] = t;
    f->number[f->count++] = number;
    return f->count != f->limit ? most : -1.0;
}

/* Only what is nearer than all before. */
static double note_nearest(void *context, uint32_t number, double t, double most)
{
    note_hit(context, number, t, most);
    return t;
}

static hits *nothing(void)
{
    found.count = found.limit = 0;
    return &found;
}

/* The slab test once more, as intervals of t that are cut; INFINITY: none is left. */
static double slab(const perp_aabb *box, const double o[3], const double d[3],
                   double most)
{
    double from = 0.0, to = most;

    for (int k = 0; k < 3; k++) {
        double a = (box->lo[k] - o[k]) / d[k];
        double b = (box->hi[k] - o[k]) / d[k];

        if (d[k] == 0.0) {
            to = box->lo[k] <= o[k] && o[k] <= box->hi[k] ? to : -1.0;
        } else {
            from = fmax(from, fmin(a, b));
            to = fmin(to, fmax(a, b));
        }
    }
    return from <= to ? from : INFINITY;
}

/* All hits, and the nearest one. */
static void check_ray(const perp_tree *tree, size_t n, const perp_aabb *boxes,
                      const double o[3], const double d[3], double most)
{
    hits *f = nothing();
    size_t count = 0;
    double nearest = INFINITY;

    perp_tree_cast(tree, o, d, most, note_hit, f);
    for (size_t i = 0; i < n; i++) {
        double t = slab(&boxes[i], o, d, most);

        count += isfinite(t);
        nearest = fmin(nearest, t);
    }
    CU_ASSERT_EQUAL(f->count, count);
    for (size_t k = 0; k < f->count; k++) {
        CU_ASSERT_FATAL(f->number[k] < n);
        /* the same quotients, so the same bits */
        CU_ASSERT_EQUAL(f->t[k], slab(&boxes[f->number[k]], o, d, most));
    }
    f = nothing();
    perp_tree_cast(tree, o, d, most, note_nearest, f);
    CU_ASSERT_EQUAL(f->count > 0, count > 0);
    if (f->count > 0) {
        CU_ASSERT_EQUAL(f->t[f->count - 1], nearest);
        CU_ASSERT(f->count <= count);
    }
}

static void by_time(hits *f)
{
    for (size_t i = 1; i < f->count; i++) {
        for (size_t k = i;
             k > 0 && (f->t[k] < f->t[k - 1] ||
                       (f->t[k] == f->t[k - 1] && f->number[k] < f->number[k - 1]));
             k--) {
            double t = f->t[k];
            uint32_t number = f->number[k];

            f->t[k] = f->t[k - 1];
            f->number[k] = f->number[k - 1];
            f->t[k - 1] = t;
            f->number[k - 1] = number;
        }
    }
}

static void check_golden(const golden_case *c)
{
    size_t n = 0;
    perp_aabb *boxes = boxes_golden(c, &n);
    perp_tree *tree = boxes_tree(n, boxes);
    double o[3], d[3];

    golden_reals(c->in, "ray_o", 3, o);
    golden_reals(c->in, "ray_d", 3, d);
    perp_tree_cast(tree, o, d, INFINITY, note_hit, nothing());
    by_time(&found);
    boxes_agree_numbers(c, "ray_ids", found.count, found.number);
    golden_agree(c, "ray_t", found.t, found.count);
}

TEST(rays_are_the_golden_ones)
{
    golden_each("collision_broadphase", NULL, check_golden);
}

TEST(rays_meet_the_boxes_that_each_box_says)
{
    enum { N = 400, RAYS = 300 };
    perp_random g = {45};
    perp_aabb *boxes = boxes_new(&g, N, 5.0, 1.0, 3);
    perp_tree *tree = boxes_tree(N, boxes);

    for (int ray = 0; ray < RAYS; ray++) {
        const perp_aabb *at = &boxes[perp_random_integer(&g, 0, N - 1)];
        double o[3], d[3];

        for (int k = 0; k < 3; k++) {
            o[k] = perp_random_uniform(&g, -8.0, 8.0);
            d[k] = perp_random_uniform(&g, -1.0, 1.0);
        }
        if (ray % 3 == 0) { /* along an axis, forwards or backwards */
            int axis = ray / 3 % 3;

            d[(axis + 1) % 3] = 0.0;
            d[(axis + 2) % 3] = -0.0;
        }
        if (ray % 5 == 0) { /* from inside */
            for (int k = 0; k < 3; k++) {
                o[k] = 0.5 * (at->lo[k] + at->hi[k]);
            }
        } else if (ray % 5 == 1) { /* in the plane of a face: touching */
            d[0] = 0.0;
            o[0] = at->hi[0];
        }
        check_ray(tree, N, boxes, o, d, ray % 2 ? INFINITY : 7.0);
    }
}

static void check_golden_box(const golden_case *c)
{
    const json_t *expected = json_object_get(c->out, "aabb");
    const golden_case hit = {.name = c->name, .type = "", .out = expected, .tol = c->tol};
    double o[3], d[3];
    perp_aabb box;
    perp_tree *tree = NULL;

    golden_reals(c->in, "o", 3, o);
    golden_reals(c->in, "d", 3, d);
    golden_reals(c->in, "aabb_lo", 3, box.lo);
    golden_reals(c->in, "aabb_hi", 3, box.hi);
    tree = boxes_tree(1, &box);
    perp_tree_cast(tree, o, d, INFINITY, note_hit, nothing());
    CU_ASSERT_EQUAL(found.count == 1, json_is_true(json_object_get(expected, "hit")));
    if (found.count == 1) {
        golden_agree(&hit, "t", found.t, 1);
    }
}

TEST(rays_into_one_box_are_the_golden_ones)
{
    golden_each("collision_rays", NULL, check_golden_box);
}

/* Worked by hand: the unit cube. */
TEST(rays_along_edges_touch_and_behind_miss)
{
    const perp_aabb cube = {{0, 0, 0}, {1, 1, 1}};
    const struct {
        double o[3], d[3], most, t;
    } cases[] = {
        {{-1, 1, 1}, {1, 0, 0}, 9, 1},             /* along an edge */
        {{-1, 1, 1 + 1e-15}, {1, 0, 0}, 9, -1},    /* beside it */
        {{-2, 0.5, 0.5}, {2, 0, 0}, 1, 1},         /* ends on the face */
        {{-2, 0.5, 0.5}, {2, 0, 0}, 0.99, -1},     /* ends before */
        {{2, 0.5, 0.5}, {1, 0, 0}, INFINITY, -1},  /* goes away */
        {{0.5, 0.5, 0.5}, {0, 0, 0}, 0, 0},        /* a point inside */
        {{1, 1, 1}, {1, 1, 1}, INFINITY, 0},       /* leaves by its corner */
        {{-1, -1, -1}, {1, 1, 1}, INFINITY, 1},    /* the diagonal */
        {{0, 0.5, 0.5}, {-1, 0, 0}, INFINITY, 0},  /* leaves by a face */
        {{0.5, 0.5, 3}, {0, 0, -1}, INFINITY, 2},  /* from above */
        {{NAN, 0.5, 0.5}, {1, 0, 0}, INFINITY, -1} /* from nowhere */
    };
    perp_tree *tree = boxes_tree(1, &cube);

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_tree_cast(tree, cases[k].o, cases[k].d, cases[k].most, note_hit, nothing());
        CU_ASSERT_EQUAL(found.count, cases[k].t >= 0.0);
        CU_ASSERT(found.count == 0 || found.t[0] == cases[k].t);
    }
}

/* A row of boxes: a ray that takes the nearest looks at few of them. */
TEST(nearer_boxes_come_first)
{
    enum { N = 1000 };
    const double o[3] = {-1, 0, 0};
    const double d[3] = {1, 0, 0};
    perp_aabb boxes[N];
    perp_tree *tree = NULL;

    for (size_t i = 0; i < N; i++) {
        boxes[i] = (perp_aabb){{2.0 * (double)i, -1, -1}, {2.0 * (double)i + 1, 1, 1}};
    }
    tree = boxes_tree(N, boxes);
    perp_tree_cast(tree, o, d, INFINITY, note_nearest, nothing());
    CU_ASSERT_EQUAL(found.count, 1);
    CU_ASSERT_EQUAL(found.number[0], 0);
}

TEST(a_visitor_can_end_the_query)
{
    const perp_aabb boxes[] = {{{0, 0, 0}, {1, 1, 1}}, {{0, 0, 0}, {2, 1, 1}}};
    const double o[3] = {-1, 0.5, 0.5};
    const double d[3] = {1, 0, 0};
    perp_tree *tree = boxes_tree(2, boxes);

    nothing()->limit = 1;
    perp_tree_cast(tree, o, d, INFINITY, note_hit, &found);
    CU_ASSERT_EQUAL(found.count, 1);
}
