/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/broad_motion.c: broad phases of all types over many steps of bodies that
 * move. */
#include <config.h>

#include "aligned_boxes.h"

/* Bodies that move: half of them steadily, some jumping anywhere, the others resting;
 * those that are fixed do not pair with each other. sap and bvh in each step, which is
 * what the test is about; brute now and then, or always when PERP_TEST_LONG is set. */
typedef struct crowd {
    size_t n;
    double side; /* of the cube that keeps them, or square */
    unsigned dimension;
    perp_random g;
    perp_aabb *boxes;
    double *velocity; /* 3 each [m/step] */
    bool *still;
} crowd;

static crowd crowd_new(size_t n, unsigned dimension, uint64_t seed)
{
    crowd c = {.n = n, .dimension = dimension, .g = {seed}};

    /* two or three others meet a box of up to 2 a side, mostly smaller */
    c.side = 0.7 * pow((double)n, 1.0 / dimension);
    c.boxes = boxes_new(&c.g, n, c.side, 1.0, dimension);
    c.velocity = calloc(3 * n, sizeof *c.velocity);
    c.still = calloc(n, sizeof *c.still);
    CU_ASSERT_FATAL(c.velocity && c.still);
    for (size_t i = 0; i < n; i++) {
        c.still[i] = i % 11 == 0;
        for (unsigned k = 0; k < dimension; k++) {
            c.velocity[3 * i + k] = i % 2 ? perp_random_uniform(&c.g, -0.05, 0.05) : 0.0;
        }
    }
    return c;
}

static void crowd_free(crowd *c)
{
    free(c->boxes);
    free(c->velocity);
    free(c->still);
}

static void crowd_step(crowd *c, int step)
{
    for (size_t i = 0; i < c->n; i++) {
        double *v = c->velocity + 3 * i;
        perp_aabb *b = &c->boxes[i];

        for (int k = 0; k < 3; k++) { /* back from the walls */
            v[k] = b->lo[k] < -c->side ? fabs(v[k]) : v[k];
            v[k] = b->hi[k] > c->side ? -fabs(v[k]) : v[k];
        }
        boxes_shift(b, v[0], v[1], v[2]);
    }
    /* a few each step; hundreds, now and then */
    for (int jump = step % 100 == 50 ? 500 : 3; jump > 0; jump--) {
        size_t i = (size_t)perp_random_integer(&c->g, 0, (long)c->n - 1);

        c->boxes[i] = boxes_draw(&c->g, c->side, 1.0, c->dimension);
    }
    if (step % 37 == 0) {
        size_t i = (size_t)perp_random_integer(&c->g, 0, (long)c->n - 1);

        c->still[i] = !c->still[i];
    }
}

static void check_crowd(size_t n, unsigned dimension, int steps, int every)
{
    crowd c = crowd_new(n, dimension, 55 + dimension);
    panel p = panel_new();
    size_t most = 0;

    for (int step = 0; step < steps; step++) {
        crowd_step(&c, step);
        panel_run(&p, 0, n, c.boxes, c.still);
        panel_run(&p, 1, n, c.boxes, c.still);
        CU_ASSERT_FATAL(boxes_same("sap, as bvh", &p.pairs[1], &p.pairs[0]));
        if (step % every == 0) {
            panel_run(&p, 2, n, c.boxes, c.still);
            CU_ASSERT_FATAL(boxes_same("brute, as bvh", &p.pairs[2], &p.pairs[0]));
        }
        most = p.pairs[0].count > most ? p.pairs[0].count : most;
    }
    CU_ASSERT(most > n / 2);
    panel_free(&p);
    crowd_free(&c);
}

TEST(all_types_agree_over_a_thousand_steps_of_five_thousand_bodies)
{
    bool all = getenv("PERP_TEST_LONG") != NULL;

    check_crowd(5000, 3, getenv("PERP_TEST_BRIEF") ? 100 : 1000, all ? 1 : 25);
}

TEST(all_types_agree_on_bodies_that_move_in_the_plane)
{
    check_crowd(1000, 2, 300, 10);
}

/* What a call changes of boxes that rest. */
static void disturb(perp_random *g, int step, size_t n, perp_aabb *boxes, bool *still)
{
    const double reach = step % 16 < 12 ? 1e-3 : 0.02; /* within a skin, and beyond */
    size_t one = (size_t)perp_random_integer(g, 0, (long)n - 1);

    if (step % 4 != 3) { /* else nothing */
        for (size_t i = 0; i < n; i++) {
            boxes_shift(&boxes[i], perp_random_uniform(g, -reach, reach),
                        perp_random_uniform(g, -reach, reach),
                        perp_random_uniform(g, -reach, reach));
        }
    }
    switch (step % 41) {
    case 10:
        boxes_shift(&boxes[one], 0.5, 0.5, -0.5);
        break;
    case 20:
        still[one] = !still[one];
        break;
    case 26: /* it meets nothing */
        boxes[one].lo[1] = boxes[one].hi[1] + 1e-3;
        break;
    case 32:
        boxes[one].hi[0] = NAN;
        break;
    case 36: /* it meets all */
        boxes[one] = (perp_aabb){{-INFINITY, -INFINITY, -INFINITY},
                                 {INFINITY, INFINITY, INFINITY}};
        break;
    case 39: /* a scene of boxes again */
        for (size_t i = 0; i < n; i++) {
            if (!(boxes[i].lo[0] <= boxes[i].hi[0]) || boxes[i].lo[1] > boxes[i].hi[1]) {
                boxes[i] = boxes_draw(g, 4.0, 1.0, 3);
            }
        }
        break;
    default:
        break;
    }
}

/* Boxes that are on the point of touching, so that little motion changes pairs. */
TEST(boxes_that_rest_or_shake_have_the_pairs_of_a_search)
{
    enum { N = 300, SHAKES = 1000 };
    perp_random g = {59};
    perp_aabb *boxes = boxes_new(&g, N, 4.0, 1.0, 3);
    bool still[N] = {false};
    perp_box_pairs last = {0};
    panel p = panel_new();
    size_t changes = 0;

    for (int step = 0; step < SHAKES; step++) {
        disturb(&g, step, N, boxes, still);
        for (size_t t = 0; t < TYPES; t++) {
            panel_run(&p, t, N, boxes, step % 100 < 50 ? still : NULL);
        }
        CU_ASSERT_FATAL(boxes_same("bvh, as brute", &p.pairs[0], &p.pairs[2]));
        CU_ASSERT_FATAL(boxes_same("sap, as brute", &p.pairs[1], &p.pairs[2]));
        changes += last.count != p.pairs[2].count;
        last.count = p.pairs[2].count;
    }
    CU_ASSERT(changes > SHAKES / 4);
    panel_free(&p);
}
