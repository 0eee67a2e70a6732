/* SPDX-License-Identifier: Apache-2.0
 * tests/scenes/scenes_pushes.c: a gripper whose answer is worked by hand, and dominoes.
 *
 * Two fingers press a box with N each. Friction carries 2 mu N at most, so that a box on
 * a hand that rises at v gathers speed by a = 2 mu N/m - g for a time v/a, and is behind
 * the hand by v^2/(2 a) from then on; with a < 0 it stays where it is. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact_scene.h"

#define SETS(list) (list), sizeof(list) / sizeof *(list)

static const double g = 9.81;

static show gripper(const char *friction, double seconds)
{
    const perp_scene_set sets[] = {{"friction", friction}, {"grip", "12 N"}};
    show s = show_open_with("gripper", SETS(sets));

    show_begin(&s, NULL);
    show_for(&s, seconds);
    return s;
}

TEST(a_gripper_that_presses_enough_lifts_a_box)
{
    show s = gripper("0.5", 0.3); /* 2 mu N = 12 N, of 9.81 N */
    const double a = 12.0 / 1.0 - g;
    const double v = 0.1;
    double slip = s.world->start->t * v - (show_pose(&s, "box")[2] - 0.05);
    double push[3];
    double up = 0.0;

    /* speed grows in steps, each of which counts from its end: half a step more or less */
    CU_ASSERT_DOUBLE_EQUAL(slip, v * v / (2.0 * a), 1e-3 * v);
    CU_ASSERT_DOUBLE_EQUAL(show_twist(&s, "box")[2], v, 1e-6);
    show_push(&s, show_body(&s, "left"), show_body(&s, "box"), true, push);
    up = push[2] / s.play.scheme.dt;
    show_push(&s, show_body(&s, "right"), show_body(&s, "box"), true, push);
    up += push[2] / s.play.scheme.dt;
    CU_ASSERT_DOUBLE_EQUAL(up, g, 1e-4 * g);
    page_says("gripper", "slip before the box follows [mm]", 1e3 * slip);
    page_says("gripper", "friction of both fingers [N]", up);
    show_push(&s, show_body(&s, "left"), show_body(&s, "box"), false, push);
    CU_ASSERT_DOUBLE_EQUAL(push[0] / s.play.scheme.dt, 12.0, 1e-4);
    page_says("gripper", "normal force of a finger [N]", push[0] / s.play.scheme.dt);
    show_end(&s);
}

TEST(a_gripper_that_presses_too_little_leaves_it)
{
    show s = gripper("0.4", 0.15); /* 2 mu N = 9.6 N */
    double push[3];

    CU_ASSERT_DOUBLE_EQUAL(show_pose(&s, "box")[2], 0.05, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(show_pose(&s, "left")[2], 0.06 + 0.015, 1e-8);
    show_push(&s, show_body(&s, "world"), show_body(&s, "box"), true, push);
    CU_ASSERT_DOUBLE_EQUAL(push[2] / s.play.scheme.dt, g - 9.6, 1e-4 * g);
    page_says("gripper", "force of the floor with friction 0.4 [N]",
              push[2] / s.play.scheme.dt);
    show_end(&s);
}

/* The threshold in friction: m g/(2 N) = 0.40875, a percent to either side. */
TEST(the_grip_holds_from_the_friction_on_that_statics_says)
{
    show holds = gripper("0.41283", 0.02);
    show slips = gripper("0.40466", 0.02);

    CU_ASSERT(show_twist(&holds, "box")[2] > 1e-3); /* a t = 0.098 m/s^2 * 20 ms */
    CU_ASSERT(fabs(show_twist(&slips, "box")[2]) < 1e-8);
    show_end(&holds);
    show_end(&slips);
}

/* When domino k has turned by so much that it touches the next one, or lies on it [s]. */
static void fall(const char *push, double *times, size_t count, double *rest)
{
    const perp_scene_set sets[] = {{"count", "14"}, {"push", push}};
    show s = show_open_with("dominoes", SETS(sets));
    char name[32];
    size_t next = 0;

    show_begin(&s, NULL);
    while (s.world->start->t < 1.2 && (next < count || s.world->start->t < 0.9)) {
        show_steps(&s, 1);
        snprintf(name, sizeof name, "domino-%zu", next + 1);
        if (next < count && fabs(play_angle(&s.play, name)) > 0.2) {
            times[next++] = s.world->start->t;
        }
    }
    CU_ASSERT_EQUAL(next, count);
    *rest = s.play.run.report.kinetic;
    for (size_t k = 0; k < count; k++) {
        snprintf(name, sizeof name, "domino-%zu", k + 1);
        CU_ASSERT(fabs(play_angle(&s.play, name)) > 0.9); /* of 1.57: on the next one */
    }
    CU_ASSERT(s.rise <= 1e-8); /* of 1e-3 J a domino */
    show_end(&s);
}

/* From the sixth to the thirteenth. */
static double wave_speed(const double *times)
{
    return 7.0 * 0.02 / (times[12] - times[5]);
}

TEST(dominoes_fall_at_a_speed_of_their_own)
{
    enum { COUNT = 14 };
    double soft[COUNT];
    double hard[COUNT];
    double rest = 0.0;
    double scale = sqrt(g * 0.048);

    if (play_brief()) {
        test_skip("too long for PERP_TEST_BRIEF");
        return;
    }
    fall("6", soft, COUNT, &rest);
    fall("12", hard, COUNT, &rest);
    CU_ASSERT(hard[1] - hard[0] < 0.7 * (soft[1] - soft[0])); /* they begin otherwise */
    CU_ASSERT_DOUBLE_EQUAL(wave_speed(hard), wave_speed(soft), 0.1 * wave_speed(soft));
    CU_ASSERT(wave_speed(soft) > 0.5 * scale && wave_speed(soft) < 3.0 * scale);
    page_says("dominoes", "speed of the wave [m/s]", wave_speed(soft));
    page_says("dominoes", "the same, pushed twice as hard [m/s]", wave_speed(hard));
    page_says("dominoes", "kinetic energy at the end [J]", rest);
}
