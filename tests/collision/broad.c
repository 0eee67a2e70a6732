/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/broad.c: broad phases of all types against golden pairs, against each
 * other, and against asking every pair. */
#include <config.h>

#include "aligned_boxes.h"
#include "scarce.h"

/* As overlap is defined, with what a box has to be. */
static bool is_box(const perp_aabb *b)
{
    return b->lo[0] <= b->hi[0] && b->lo[1] <= b->hi[1] && b->lo[2] <= b->hi[2];
}

static void expect(size_t n, const perp_aabb *boxes, const bool *still,
                   perp_box_pairs *pairs)
{
    pairs->count = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = i + 1; j < n; j++) {
            bool meet = is_box(&boxes[i]) && is_box(&boxes[j]);

            for (int k = 0; k < 3; k++) {
                meet = meet && boxes[i].lo[k] <= boxes[j].hi[k] &&
                       boxes[j].lo[k] <= boxes[i].hi[k];
            }
            if (meet && !(still && still[i] && still[j])) {
                CU_ASSERT_FATAL(perp_box_pairs_add(pairs, i, j));
            }
        }
    }
}

/* All types, asked twice, find what asking every pair finds; how many pairs. */
static size_t check(const char *what, panel *p, size_t n, const perp_aabb *boxes,
                    const bool *still)
{
    perp_box_pairs expected = {0};
    size_t count = 0;

    expect(n, boxes, still, &expected);
    count = expected.count;
    for (int again = 0; again < 2; again++) {
        for (size_t t = 0; t < TYPES; t++) {
            char name[128];

            snprintf(name, sizeof name, "%s by %s", what,
                     perp_broad_type_of(p->broad[t])->name);
            panel_run(p, t, n, boxes, still);
            CU_ASSERT(boxes_same(name, &p->pairs[t], &expected));
        }
    }
    perp_box_pairs_clear(&expected);
    return count;
}

TEST(every_type_is_found_by_its_name)
{
    size_t count = 0;
    const perp_broad_type *const *types = perp_broad_types(&count);
    const char *const names[] = {"bvh", "sap", "brute"};
    perp_broad *usual = NULL;

    CU_ASSERT_EQUAL_FATAL(count, TYPES);
    CU_ASSERT_PTR_NULL(types[count]);
    for (size_t t = 0; t < count; t++) {
        CU_ASSERT_STRING_EQUAL(types[t]->name, names[t]);
        CU_ASSERT_PTR_EQUAL(perp_broad_find(names[t]), types[t]);
    }
    CU_ASSERT_PTR_NULL(perp_broad_find("grid"));
    OK(perp_broad_new(&usual, NULL, NULL));
    CU_ASSERT_PTR_EQUAL(perp_broad_type_of(usual), types[0]);
    perp_broad_free(NULL);
}

static void check_golden(const golden_case *c)
{
    size_t n = 0;
    perp_aabb *boxes = boxes_golden(c, &n);
    panel p = panel_new();

    for (size_t t = 0; t < TYPES; t++) {
        panel_run(&p, t, n, boxes, NULL);
        boxes_agree(c, &p.pairs[t]);
    }
    panel_free(&p);
}

TEST(pairs_of_all_types_are_the_golden_ones)
{
    golden_each("collision_broadphase", NULL, check_golden);
}

/* Of many sizes, thin ones among them, in space and in the plane, some of them still,
 * after each other in the same panel: what was asked before does not matter. */
TEST(all_types_find_the_pairs_of_an_exhaustive_search)
{
    const size_t sizes[] = {300, 0, 1, 2, 25, 24, 700, 65, 64, 63, 512, 513, 700, 700};
    perp_random g = {51};
    panel p = panel_new();
    size_t found = 0;

    for (unsigned dimension = 2; dimension <= 3; dimension++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            size_t n = sizes[s];
            perp_aabb *boxes = boxes_new(&g, n, 10.0, s % 2 ? 1.0 : 3.0, dimension);
            bool still[1000] = {false};

            for (size_t i = 0; i < n; i++) {
                still[i] = perp_random_integer(&g, 0, 2) == 0;
            }
            found += check("random boxes", &p, n, boxes, NULL);
            found += check("some of them still", &p, n, boxes, still);
        }
    }
    CU_ASSERT(found > 1000);
    panel_free(&p);
}

/* Unit boxes side by side on whole numbers: each touches 26 others, exactly. */
TEST(boxes_that_touch_overlap)
{
    enum { SIDE = 8, N = SIDE * SIDE * SIDE };
    perp_aabb boxes[N];
    panel p = panel_new();
    size_t count = 0;

    for (int i = 0; i < N; i++) {
        const double x[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};

        for (int k = 0; k < 3; k++) {
            boxes[i].lo[k] = x[k];
            boxes[i].hi[k] = x[k] + 1.0;
        }
    }
    count = check("touching boxes", &p, N, boxes, NULL);
    /* neighbours in a block of 8^3, along edges and diagonals: ((3*8 - 2)^3 - 8^3)/2 */
    CU_ASSERT_EQUAL(count, (22 * 22 * 22 - N) / 2);
    for (int i = 0; i < N; i++) { /* one of a thousand million apart in x */
        double shift = i % SIDE * 1e-9;

        boxes[i].lo[0] += shift;
        boxes[i].hi[0] += shift;
    }
    count = check("boxes that nearly touch", &p, N, boxes, NULL);
    CU_ASSERT_EQUAL(count, SIDE * (22 * 22 - SIDE * SIDE) / 2);
    panel_free(&p);
}

TEST(boxes_that_are_all_the_same_meet_all)
{
    enum { N = 300 };
    perp_aabb boxes[N];
    panel p = panel_new();

    for (int point = 0; point < 2; point++) {
        for (size_t i = 0; i < N; i++) {
            boxes[i] = (perp_aabb){{1, 2, 3}, {2, 3, 4}};
            if (point) {
                memcpy(boxes[i].hi, boxes[i].lo, sizeof boxes[i].hi);
            }
        }
        CU_ASSERT_EQUAL(check("the same box", &p, N, boxes, NULL), N * (N - 1) / 2);
    }
    panel_free(&p);
}

/* Beside finite boxes half-spaces, slabs, all of space, NaN and what is empty. */
TEST(unbounded_boxes_have_pairs_and_invalid_ones_have_none)
{
    enum { N = 200 };
    const double inf = INFINITY;
    const perp_aabb strange[] = {{{-inf, -inf, -inf}, {inf, inf, 0}},
                                 {{-inf, -inf, -inf}, {inf, inf, inf}},
                                 {{-inf, 1, -inf}, {inf, 1.5, inf}},
                                 {{inf, inf, inf}, {-inf, -inf, -inf}},
                                 {{NAN, 0, 0}, {1, 1, 1}},
                                 {{0, 0, 0}, {1, NAN, 1}},
                                 {{0, 1, 0}, {1, 0.5, 1}},
                                 {{inf, inf, inf}, {inf, inf, inf}},
                                 {{-inf, -inf, -inf}, {-20, inf, inf}}};
    perp_random g = {52};
    perp_aabb *boxes = boxes_new(&g, N, 5.0, 1.0, 3);
    bool still[N] = {false};
    panel p = panel_new();

    for (size_t k = 0; k < sizeof strange / sizeof *strange; k++) {
        boxes[7 + 20 * k] = strange[k];
        still[7 + 20 * k] = k < 2;
        CU_ASSERT(check("unbounded boxes", &p, N, boxes, NULL) > N / 2);
        CU_ASSERT(check("unbounded still boxes", &p, N, boxes, still) > 0);
    }
    check("only strange boxes", &p, sizeof strange / sizeof *strange, strange, NULL);
    panel_free(&p);
}

/* Clusters of a width of 10, one of them or all far away, up to where sums overflow. */
TEST(scale_and_distance_do_not_matter)
{
    enum { N = 600 };
    const double far[] = {1e6, -1e9, 1e15, 1e300, 1.7e308};
    perp_random g = {53};
    perp_aabb *boxes = boxes_new(&g, N, 5.0, 0.5, 3);
    perp_aabb *moved = boxes_new(&g, N, 5.0, 0.5, 3);
    panel p = panel_new();

    for (size_t k = 0; k < sizeof far / sizeof *far; k++) {
        memcpy(moved, boxes, N * sizeof *boxes);
        boxes_shift(&moved[5], far[k], 0.0, far[k]);
        CU_ASSERT(check("one far away", &p, N, moved, NULL) > 50);
        boxes_shift(&moved[6], -far[k], 0.0, 0.0);
        CU_ASSERT(check("two far away", &p, N, moved, NULL) > 50);
        for (size_t i = 0; i < N; i++) {
            moved[i] = boxes[i];
            boxes_shift(&moved[i], far[k], -far[k], i % 2 ? 0.0 : far[k]);
        }
        check("two clusters far away", &p, N, moved, NULL);
    }
    for (int power = -320; power <= 300; power += 31) {
        for (size_t i = 0; i < N; i++) {
            for (int k = 0; k < 3; k++) { /* 1e-320 is subnormal */
                moved[i].lo[k] = boxes[i].lo[k] * pow(10.0, power);
                moved[i].hi[k] = boxes[i].hi[k] * pow(10.0, power);
            }
        }
        check("scaled boxes", &p, N, moved, NULL);
    }
    panel_free(&p);
}

/* A floor under a heap, a tower, needles, and dust: widths from 1e-3 to 1e3. */
TEST(boxes_of_very_different_sizes_mix)
{
    enum { N = 1500 };
    perp_random g = {54};
    perp_aabb *boxes = boxes_new(&g, N, 5.0, 0.5, 3);
    panel p = panel_new();

    boxes[17] = (perp_aabb){{-1000, -1000, -6}, {1000, 1000, -4}};
    boxes[400] = (perp_aabb){{0, 0, -1000}, {0.1, 0.1, 1000}};
    for (size_t i = 500; i < 1000; i++) {
        double size = pow(10.0, perp_random_uniform(&g, -3.0, 1.0));

        for (int k = 0; k < 3; k++) {
            boxes[i].hi[k] = boxes[i].lo[k] + (k == (int)(i % 3) ? size : 1e-3);
        }
    }
    CU_ASSERT(check("different sizes", &p, N, boxes, NULL) > 500);
    panel_free(&p);
}

/* Others in between: the answer is that of one that was never asked before. */
TEST(earlier_queries_do_not_change_the_pairs)
{
    perp_random g = {57};
    panel p = panel_new();

    for (int k = 0; k < 40; k++) {
        size_t n = (size_t)perp_random_integer(&g, 0, 400);
        perp_aabb *boxes = boxes_new(&g, n, 5.0, 1.0, k % 4 == 0 ? 2 : 3);
        panel fresh = panel_new();

        for (int again = 0; again < 3; again++) {
            for (size_t t = 0; t < TYPES; t++) {
                panel_run(&p, t, n, boxes, NULL);
                panel_run(&fresh, t, n, boxes, NULL);
                CU_ASSERT(boxes_same("asked before", &p.pairs[t], &fresh.pairs[t]));
            }
            for (size_t i = 0; i < n; i += 3) { /* out of the plane, too */
                boxes_shift(&boxes[i], 0.3, -0.2, again == 1 ? 0.1 : 0.0);
            }
        }
        panel_free(&fresh);
    }
    panel_free(&p);
}

/* Numbers are small ones. */
TEST(more_boxes_than_have_numbers_are_refused)
{
    perp_broad *broad = NULL;
    perp_box_pairs pairs = {0};
    perp_error err = {0};

    OK(perp_broad_new(&broad, NULL, NULL));
    CU_ASSERT_EQUAL(
        perp_broad_run(broad, (size_t)UINT32_MAX + 1, NULL, NULL, &pairs, &err),
        PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "broad phase: 4294967296 boxes, expected at most 4294967295");
    perp_box_pairs_clear(&pairs);
}

/* A first call, motion, an unbounded box, another number of boxes, a scene that is too
 * coarse for a grid, another one, and twice that one but for little. */
enum { SCARCE = 150, CALLS = 8 };

typedef struct scarcity {
    const perp_broad_type *type;
    size_t n[CALLS];
    perp_aabb *boxes[CALLS];
    perp_box_pairs expected[CALLS]; /* known beforehand: that needs memory, too */
} scarcity;

static perp_status ask(void *context, perp_error *err)
{
    const scarcity *s = context;
    perp_broad *broad = NULL;
    perp_box_pairs pairs = {0};
    perp_status status = perp_broad_new(&broad, s->type, err);
    perp_status first = status;

    for (size_t k = 0; k < CALLS && broad; k++) {
        status = perp_broad_run(broad, s->n[k], s->boxes[k], NULL, &pairs, err);
        if (status != PERP_OK) {
            CU_ASSERT_EQUAL(status, PERP_ERR_MEMORY);
            CU_ASSERT_EQUAL(pairs.count, 0);
            first = status;
            /* only one allocation fails: the same call goes well now */
            status = perp_broad_run(broad, s->n[k], s->boxes[k], NULL, &pairs, NULL);
            OK(status);
        }
        CU_ASSERT(boxes_same("scarce memory", &pairs, &s->expected[k]));
    }
    perp_box_pairs_clear(&pairs);
    return first;
}

TEST(every_type_survives_that_memory_runs_out)
{
    perp_random g = {58};
    const perp_broad_type *const *types = perp_broad_types(NULL);
    scarcity s = {
        .n = {SCARCE, SCARCE, SCARCE, SCARCE / 2, SCARCE, SCARCE, SCARCE, SCARCE}};

    for (size_t k = 0; k < CALLS; k++) {
        s.boxes[k] = boxes_new(&g, SCARCE, 2.0, 1.0, 3);
        if (k == 1) {
            memcpy(s.boxes[1], s.boxes[0], SCARCE * sizeof *s.boxes[1]);
            for (size_t i = 0; i < SCARCE; i++) {
                boxes_shift(&s.boxes[1][i], 0.01 * (double)(i % 7), 0.0, 0.0);
            }
        } else if (k == 2) {
            s.boxes[2][9].hi[1] = INFINITY;
        } else if (k == 4) {
            boxes_shift(&s.boxes[4][4], 1e12, 1e12, 1e12);
        } else if (k > 5) {
            memcpy(s.boxes[k], s.boxes[k - 1], SCARCE * sizeof *s.boxes[k]);
            for (size_t i = 0; i < SCARCE; i++) {
                boxes_shift(&s.boxes[k][i], i % 2 ? 1e-4 : -1e-4, 0.0, 0.0);
            }
        }
        expect(s.n[k], s.boxes[k], NULL, &s.expected[k]);
    }
    for (size_t t = 0; types[t]; t++) {
        s.type = types[t];
        scarce_everywhere(ask, &s, types[t]->name);
    }
    for (size_t k = 0; k < CALLS; k++) {
        free(s.boxes[k]);
        perp_box_pairs_clear(&s.expected[k]);
    }
}
