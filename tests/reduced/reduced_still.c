/* SPDX-License-Identifier: Apache-2.0
 * tests/reduced/reduced_still.c: rows that no coordinate answers: of a cart on rails that
 * touches the ground, of bodies that move as one. */
#include <config.h>

#include <string.h>

#include <perp/dynamics/reduce.h>

#include "world_run.h"

static const double half[3] = {0.5, 0.3, 0.2};

/* The rail carries the cart, whose bottom just touches: the ground has nothing to push
 * against, no friction comes of it, and the cart goes on at 1 m/s. */
TEST(a_cart_on_rails_does_not_feel_the_ground)
{
    perp_world *w = test_world(3, 9.81);
    int32_t ground = run_ground(w);
    int32_t cart = run_box(w, "cart", 2.0, half, 0.0, 0.0, half[2]);
    perp_scheme scheme = run_scheme(0.01);
    const perp_system *system = NULL;
    perp_problem *global = NULL;
    size_t soft = 0;
    run r;

    run_material(w, 0.5, 0.0);
    run_joint(w, "prismatic", ground, cart, (const double[]){0, 0, 1},
              (const double[]){1, 0, 0})
        ->collide = true;
    perp_body_velocity(w->start, (size_t)cart)[0] = 1.0;
    OK(perp_world_reduce(w, NULL, NULL));
    r = run_begin(w, &scheme, "nsgs tolerance=1e-10", true);
    run_steps(&r, 20);
    system = perp_stepper_system(r.stepper);
    CU_ASSERT_EQUAL(r.unsolved, 0);
    CU_ASSERT_EQUAL_FATAL(system->problem.n, 12); /* three a corner */
    for (size_t k = 0; k < system->rows.count; k++) {
        soft += system->rows.soft[k] > 0.0;
    }
    CU_ASSERT_EQUAL(soft, 8); /* all but those along the rail */
    CU_ASSERT_PTR_NOT_NULL(strstr(system->problem.title,
                                  "softness added to 8 rows that no coordinate moves"));
    /* 20 steps of rounding, eps each, and impulses of rounding over the softness: 1e-5 of
     * an impulse of 1 m/s at the most, that friction passes on by half */
    CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(w->start, (size_t)cart)[0], 1.0, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(w->start, (size_t)cart)[0], 0.2, 1e-6);
    CU_ASSERT_EQUAL(perp_system_export_global(system, w, perp_stepper_contacts(r.stepper),
                                              &global, NULL),
                    PERP_ERR_UNSUITABLE);
}

/* Two boxes welded into each other: contacts are found, and none has a row. */
TEST(contacts_of_one_piece_have_no_rows)
{
    perp_world *w = test_world(3, 0.0);
    int32_t a = run_box(w, "a", 1.0, half, 0.0, 0.0, 0.0);
    int32_t b = run_box(w, "b", 1.0, half, 0.9, 0.0, 0.0);
    perp_scheme scheme = run_scheme(0.01);
    run r;

    run_joint(w, "fixed", a, b, NULL, NULL)->collide = true;
    perp_body_velocity(w->start, (size_t)a)[0] =
        perp_body_velocity(w->start, (size_t)b)[0] = 1.0;
    OK(perp_world_reduce(w, NULL, NULL));
    r = run_begin(w, &scheme, "nsgs", true);
    run_steps(&r, 5);
    CU_ASSERT(r.report.contacts > 0);
    CU_ASSERT_EQUAL(r.report.rows, 0);
    CU_ASSERT_EQUAL(perp_stepper_system(r.stepper)->problem.n, 0);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(w->start, (size_t)b)[0], 1.0, 1e-14);
}
