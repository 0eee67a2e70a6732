/* SPDX-License-Identifier: Apache-2.0
 * tests/scenes/scenes_stacks.c: scenes of many contacts that stand, or fall,
 * as statics says. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact_scene.h"
#include "math/vec3.h"

static const double g = 9.81;

/* Each was solved to 1e-8, which in impulses of m g dt, moments included, is a pressing
 * of 1e-9 m or so; creeping would add up over the steps,
 * and does not beyond a few times that. */
static void stood_still(const show *s)
{
    test_note("%s: penetration %.2g m, drift %.2g m, kinetic %.2g J, RES %.2g", s->name,
              s->play.penetration, show_drift(s), s->play.run.report.kinetic,
              s->play.residual);
    CU_ASSERT(s->play.penetration <= 1e-9);
    CU_ASSERT(show_drift(s) <= 1e-7);
}

/* What the page of a scene that stands says. */
static void page_tells(const show *s)
{
    page_says(s->name, "penetration [m]", s->play.penetration);
    page_says(s->name, "farthest movement [m]", show_drift(s));
    page_says(s->name, "kinetic energy at the end [J]", s->play.run.report.kinetic);
    page_says(s->name, "contacts", (double)s->play.run.report.contacts);
}

/* The weight above is the sum of the normal impulses, to `slack` of it, since something
 * moves at 1e-8 m/s or so. */
static void carries(const show *s, const char *below, const char *above, double m,
                    double slack)
{
    double weight = s->play.scheme.dt * g * m;
    double push[3];

    show_push(s, show_body(s, below), show_body(s, above), true, push);
    CU_ASSERT_DOUBLE_EQUAL(push[2], weight, slack * weight);
}

TEST(a_stack_of_twenty_boxes_stands_and_carries_itself)
{
    show s = show_open("stack");
    char name[2][16] = {"world", "box-1"};
    double push[3];

    show_begin(&s, NULL);
    show_for(&s, show_seconds(&s, 2.0));
    stood_still(&s);
    page_tells(&s);
    CU_ASSERT(s.play.run.report.kinetic < 1e-12);
    for (int k = 1; k <= 20; k++) {
        snprintf(name[1], sizeof name[1], "box-%d", k);
        carries(&s, name[0], name[1], 21.0 - k, 1e-6);
        memcpy(name[0], name[1], sizeof *name);
    }
    show_push(&s, show_body(&s, "world"), show_body(&s, "box-1"), false, push);
    page_says("stack", "normal force of the ground [N]", push[2] / s.play.scheme.dt);
    show_end(&s);
}

/* Boxes of 1, 10 and 100 kg and of half a metre: the ground carries 111 kg, and the centre
 * of the third one is 1.25 m high. */
TEST(a_stack_of_other_boxes_stands_and_carries_itself)
{
    static const perp_scene_set sets[] = {{"n", "3"}, {"ratio", "10"}, {"size", "50 cm"}};
    show s = show_open_with("stack", sets, 3);

    show_begin(&s, NULL);
    show_for(&s, 0.5);
    stood_still(&s);
    CU_ASSERT_EQUAL(s.play.run.report.contacts, 12);
    CU_ASSERT_DOUBLE_EQUAL(show_pose(&s, "box-3")[2], 1.25, 1e-7);
    carries(&s, "world", "box-1", 111.0, 1e-6);
    carries(&s, "box-1", "box-2", 110.0, 1e-6);
    show_end(&s);
}

TEST(heavy_boxes_stand_on_light_ones)
{
    show s = show_open("heavy-on-light");
    double push[3];

    show_begin(&s, NULL);
    show_for(&s, show_seconds(&s, 2.0));
    stood_still(&s);
    page_tells(&s);
    for (int k = 0; k < 6; k++) {
        char light[24];
        char heavy[24];
        double M = pow(10.0, k);

        snprintf(light, sizeof light, "light-%d", k);
        snprintf(heavy, sizeof heavy, "heavy-%d", k);
        carries(&s, "world", light, M + 1.0, 1e-6);
        carries(&s, light, heavy, M, 1e-6);
    }
    show_push(&s, show_body(&s, "light-5"), show_body(&s, "heavy-5"), false, push);
    page_says("heavy-on-light", "normal force on the last light box [N]",
              push[2] / s.play.scheme.dt);
    show_end(&s);
}

/* Steps that start at RES = 1.0e-8, in the matrix as it is stored by the solver just
 * below, as it was given just above: the solver must not say that there is nothing to
 * do. */
TEST(a_start_that_is_almost_solved_is_solved)
{
    static const char *const solvers[] = {"nsgs+newton", "ipm-socp"};

    for (size_t k = 0; k < 2; k++) {
        show s = show_open("heavy-on-light");

        show_begin(&s, solvers[k]);
        show_steps(&s, 300); /* they met one at step 276 and 258 */
        stood_still(&s);
        show_end(&s);
    }
}

/* Bricks of odd courses weigh 15.625 kg, and halves half of it:
 * a course is four bricks. */
TEST(a_wall_stands_and_carries_itself)
{
    show s = show_open("wall");
    double brick = 2000.0 * 0.25 * 0.125 * 0.0625;
    double sum = 0.0;

    show_begin(&s, NULL);
    show_for(&s, show_seconds(&s, 0.1));
    stood_still(&s);
    page_tells(&s);
    CU_ASSERT_EQUAL(s.play.run.report.contacts, 260);
    for (int k = 1; k <= 4; k++) {
        char name[24];
        double push[3];

        snprintf(name, sizeof name, "whole-1-%d", k);
        show_push(&s, show_body(&s, "world"), show_body(&s, name), false, push);
        sum += push[2];
    }
    CU_ASSERT_DOUBLE_EQUAL(sum, s.play.scheme.dt * g * 24.0 * brick, 1e-6 * sum);
    page_says("wall", "normal force of the ground [N]", sum / s.play.scheme.dt);
    show_end(&s);
}

/* Stands or has fallen by more than `fall` after that time. */
static void falls_below(const char *name, double mu, double seconds, double fall)
{
    char row[64];
    show s = show_open(name);

    show_friction(&s, mu);
    show_begin(&s, NULL);
    show_for(&s, seconds);
    snprintf(row, sizeof row, "movement with friction %.4g [m]", mu);
    page_says(name, row, show_drift(&s));
    if (fall > 0.0) {
        CU_ASSERT(show_drift(&s) >= fall);
    } else {
        stood_still(&s);
    }
    show_end(&s);
}

TEST(a_card_house_stands_when_its_friction_is_above_tan_15_degrees)
{
    show s = show_open("card-house");

    show_begin(&s, NULL);
    show_for(&s, show_seconds(&s, 1.0));
    stood_still(&s);
    page_tells(&s);
    CU_ASSERT_EQUAL(s.world->body_count, 16); /* fifteen cards and the ground */
    show_end(&s);
    falls_below("card-house", 0.275, 0.2, 0.0); /* tan 15 degrees = 0.2679 */
    falls_below("card-house", 0.26, 0.2, 1e-5);
}

/* tan(q/2) = 1/3. At mu = 1/3 - d sliding leaves an acceleration of the order of g d. */
TEST(one_ball_on_three_stands_when_its_friction_is_a_third)
{
    show s = show_open("tetrahedron");

    show_begin(&s, NULL);
    show_for(&s, show_seconds(&s, 1.0));
    stood_still(&s);
    page_tells(&s);
    for (int k = 1; k <= 3; k++) {
        char name[24];
        double push[3];
        double weight = s.play.scheme.dt * g;

        snprintf(name, sizeof name, "base-%d", k);
        carries(&s, "world", name, 4.0 / 3.0, 1e-6);
        carries(&s, name, "top", 1.0 / 3.0, 1e-6);
        show_push(&s, show_body(&s, name), show_body(&s, "top"), false, push);
        CU_ASSERT_DOUBLE_EQUAL(vec3_length(push), weight / 3.0, 1e-6 * weight);
        page_says("tetrahedron", "normal force on the top ball, each [N]",
                  vec3_length(push) / s.play.scheme.dt);
    }
    show_end(&s);
    falls_below("tetrahedron", 1.0 / 3.0 + 1e-4, 0.5, 0.0);
    falls_below("tetrahedron", 1.0 / 3.0 - 1e-4, 0.5, 1e-6);
}

/* The convex relaxation has one motion: it moves where no impulses hold the pile. */
TEST(a_pyramid_of_balls_can_rest_from_a_friction_of_0_6_on)
{
    show s = show_open("pyramid");
    double weight = 0.0;

    show_begin(&s, NULL);
    show_for(&s, show_seconds(&s, 1.0));
    stood_still(&s);
    page_tells(&s);
    for (size_t k = 0; k < s.world->body_count; k++) {
        double push[3];

        if (s.world->mass[k] > 0.0) {
            show_push(&s, show_body(&s, "world"), k, true, push);
            weight += push[2];
        }
    }
    CU_ASSERT_DOUBLE_EQUAL(weight, 20.0 * g * s.play.scheme.dt, 1e-6 * weight);
    page_says("pyramid", "normal force of the ground [N]", weight / s.play.scheme.dt);
    show_end(&s);
    for (int k = 0; k < 2; k++) {
        s = show_open("pyramid");
        show_friction(&s, k == 0 ? 0.6 : 0.5);
        show_model(&s, "associated");
        show_begin(&s, "ipm-socp");
        show_for(&s, 0.05);
        CU_ASSERT(k == 0 ? show_drift(&s) <= 1e-9 : show_drift(&s) > 1e-5);
        page_says("pyramid",
                  k == 0 ? "movement of the relaxation, friction 0.6 [m]"
                         : "movement of the relaxation, friction 0.5 [m]",
                  show_drift(&s));
        show_end(&s);
    }
}
