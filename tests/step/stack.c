/* SPDX-License-Identifier: Apache-2.0
 * tests/step/stack.c: twenty boxes on each other stand still, whoever solves.
 *
 * Boxes of 1 kg and 0.5 m, dt 1/60. Every solver is asked for RES 1e-8, what it has by
 * default. Half a second here; a minute where PERP_TEST_LONG is set. Bending of the stack
 * makes the condition of A grow with the fourth power of its height, so that sweeps alone
 * (nsgs) are shown on a lower one here. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "world_run.h"

/* A way to solve the stack. */
typedef struct stack_run {
    const char *solver;
    perp_model model;
    int boxes; /* in a brief run */
} stack_run;

static const stack_run stack_runs[] = {
    {"nsgs+newton", PERP_MODEL_CONE, 20},   {"prox-newton", PERP_MODEL_CONE, 20},
    {"admm-ncp", PERP_MODEL_CONE, 20},      {"ds:mpgp", PERP_MODEL_CONE, 20},
    {"ds:apgd", PERP_MODEL_CONE, 20},       {"spg-inline", PERP_MODEL_CONE, 20},
    {"auto", PERP_MODEL_CONE, 20},          {"ipm-socp", PERP_MODEL_ASSOCIATED, 20},
    {"apgd", PERP_MODEL_ASSOCIATED, 20},    {"mpgp", PERP_MODEL_ASSOCIATED, 20},
    {"tresca:dantzig", PERP_MODEL_BOX, 20}, {"ipm", PERP_MODEL_BOX, 10},
    {"lemke", PERP_MODEL_PYRAMID, 10},      {"nsgs", PERP_MODEL_CONE, 5},
};

static perp_world *stack_world(int boxes)
{
    const double half[3] = {0.25, 0.25, 0.25};
    perp_world *world = test_world(3, 9.81);

    run_ground(world);
    for (int k = 0; k < boxes; k++) {
        char name[24];

        snprintf(name, sizeof name, "box %d", k);
        run_box(world, name, 1.0, half, 0.0, 0.0, 0.25 + 0.5 * k);
    }
    return world;
}

static void stands(const stack_run *by, int boxes, size_t steps)
{
    perp_scheme scheme = run_scheme(1.0 / 60.0);
    perp_world *world = stack_world(boxes);
    double top[3];
    double deepest = 0.0;
    double iterations = 0.0;
    double worst = 0.0;
    size_t unsolved = 0;
    run r;

    scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
    scheme.model = by->model;
    r = run_begin(world, &scheme, by->solver, true);
    memcpy(top, world->start->s + 7 * boxes, sizeof top);
    for (size_t k = 0; k < steps; k++) {
        run_steps(&r, 1);
        deepest = fmax(deepest, r.report.penetration);
        worst = fmax(worst, r.report.residual);
        iterations += (double)r.report.iterations;
    }
    unsolved = r.unsolved;
    vec3_subtract(world->start->s + 7 * boxes, top, top);
    test_note("%s, %d boxes: penetration %.2g m, top %.2g m, kinetic %.2g J, %.3g "
              "iterations a step, RES %.2g, %zu unsolved",
              by->solver, boxes, deepest, vec3_length(top), r.report.kinetic,
              iterations / (double)steps, worst, unsolved);
    CU_ASSERT(deepest < 1e-5);
    CU_ASSERT(vec3_length(top) < 1e-5);
    CU_ASSERT(r.report.kinetic < 1e-12);
    /* Lemke's path of hundreds of pivots loses digits now and then:
     * RES 1.6e-8 in 2 of 3600 */
    CU_ASSERT(unsolved * 1000 <= steps);
    CU_ASSERT(worst <= 2e-8);
}

TEST(twenty_boxes_stand_still_with_every_solver)
{
    bool full = getenv("PERP_TEST_LONG") != NULL;
    bool brief = getenv("PERP_TEST_BRIEF") != NULL;

    for (size_t k = 0; k < sizeof stack_runs / sizeof *stack_runs; k++) {
        stands(&stack_runs[k], full ? 20 : stack_runs[k].boxes,
               full    ? 3600
               : brief ? 10
                       : 30);
    }
}

/* The same with boxes that lie up to 4 cm beside each other,
 * each turned by 0.1 rad more. */
TEST(a_crooked_stack_stands_still_too)
{
    static const stack_run runs[] = {{"nsgs+newton", PERP_MODEL_CONE, 20},
                                     {"ds:mpgp", PERP_MODEL_CONE, 20},
                                     {"tresca:dantzig", PERP_MODEL_BOX, 20}};

    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        perp_scheme scheme = run_scheme(1.0 / 60.0);
        perp_world *world = stack_world(runs[k].boxes);
        double top[3];
        run r;

        for (size_t b = 1; b < world->body_count; b++) {
            const double turn[3] = {0.0, 0.0, 0.1 * (double)b};

            world->start->s[7 * b] = 0.02 * sin(1.7 * (double)b);
            world->start->s[7 * b + 1] = 0.02 * cos(2.3 * (double)b);
            perp_quat_exp(turn, world->start->s + 7 * b + 3);
        }
        scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
        scheme.model = runs[k].model;
        r = run_begin(world, &scheme, runs[k].solver, true);
        memcpy(top, world->start->s + 7 * runs[k].boxes, sizeof top);
        run_steps(&r, 30);
        vec3_subtract(world->start->s + 7 * runs[k].boxes, top, top);
        test_note("%s: penetration %.2g m, top %.2g m, kinetic %.2g J, %zu contacts",
                  runs[k].solver, r.report.penetration, vec3_length(top),
                  r.report.kinetic, r.report.contacts);
        CU_ASSERT(r.report.penetration < 1e-5);
        CU_ASSERT(vec3_length(top) < 1e-5);
        CU_ASSERT(r.report.kinetic < 1e-12);
        CU_ASSERT_EQUAL(r.unsolved, 0);
    }
}
