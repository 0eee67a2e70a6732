/* SPDX-License-Identifier: Apache-2.0
 * tests/scenes/scenes_machines.c: the scenes of arms, linkages and a bridge, in maximal
 * and in reduced coordinates: what is known of them holds in both. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact_scene.h"
#include "math/vec3.h"

#define SETS(list) (list), sizeof(list) / sizeof *(list)

static const double g = 9.81;
static const double pi = 3.141592653589793;

/* The box has gone round as far as the turret. In a step it goes along its tangent and so
 * gets (w dt)^2 r/2 farther out. Fingers in reduced coordinates go along their circle: it
 * creeps between them by w^2 r dt/2, which is 2 mm in the 1.4 s after the start. In
 * maximal ones they go along tangents, too, and are pulled back with it. */
static void check_swing(perp_coordinates c)
{
    show s = show_begin_in("arm-gripper", c, NULL, 0);
    const double creep = 4.0 * 0.7 * 0.5e-3;
    double angle = 0.0;
    double seen[3];
    double push[3];
    double up = 0.0;
    double before = 0.0;

    show_for(&s, show_seconds(&s, 1.0));
    show_seen_from(show_pose(&s, "hand"), show_pose(&s, "box"), seen);
    before = seen[0];
    show_for(&s, show_seconds(&s, 0.5));
    show_seen_from(show_pose(&s, "hand"), show_pose(&s, "box"), seen);
    CU_ASSERT_DOUBLE_EQUAL(seen[0], 0.1, 2.5e-3);
    CU_ASSERT_DOUBLE_EQUAL(hypot(seen[1], seen[2]), 0.0, 1e-5);
    angle = play_axis(&s.play, "base");
    /* servos, of 500 N m, hold the hand to what the start turns them by */
    CU_ASSERT_DOUBLE_EQUAL(atan2(show_pose(&s, "hand")[1], show_pose(&s, "hand")[0]),
                           angle, 1e-5);
    show_push(&s, show_body(&s, "left finger"), show_body(&s, "box"), true, push);
    up = push[2];
    show_push(&s, show_body(&s, "right finger"), show_body(&s, "box"), true, push);
    up = (up + push[2]) / s.play.scheme.dt;
    CU_ASSERT_DOUBLE_EQUAL(up, g, 1e-3 * g); /* it keeps its height */
    show_holds(&s);
    if (!play_brief() && !play_long()) {
        CU_ASSERT_DOUBLE_EQUAL((seen[0] - before) / 0.5, s.world->reduced ? creep : 0.0,
                               0.01 * creep);
        show_says(&s, "angle of the turret after 1.5 s [rad]", angle);
        show_says(&s, "box creeps outwards [mm/s]", 1e3 * (seen[0] - before) / 0.5);
        show_says(&s, "friction upwards of both fingers [N]", up);
        show_says(&s, "drift of the joints [m]", s.play.drift_length);
    }
    show_end(&s);
}

/* Held by 5 N of its 9.81 N: it slides with g - 5 m/s^2. How the four corners of a finger
 * share its force is not determined; where the box turns, friction is no longer upright
 * and carries less. */
static void check_slide(perp_coordinates c)
{
    const perp_scene_set sets[] = {{"grip", "5 N"}, {"speed", "0"}};
    show s = show_begin_in("arm-gripper", c, SETS(sets));
    double a = 0.0;

    show_for(&s, 0.1);
    a = -show_twist(&s, "box")[2] / 0.1;
    CU_ASSERT(a > g - 5.0 - 1e-4 && a < 1.1 * (g - 5.0));
    show_says(&s, "acceleration downwards, gripped by 5 N, in 0.1 s [m/s^2]", a);
    show_end(&s);
}

TEST(an_arm_swings_what_it_grips_and_drops_the_rest)
{
    show_in_both(check_swing);
    show_in_both(check_slide);
}

/* Circles of 0.7 m about the ends of cranks, the upper point. */
static void pen_of(double left, double right, double pen[2])
{
    const double a[2] = {0.25 * cos(left), 0.25 * sin(left)};
    const double b[2] = {0.6 + 0.25 * cos(right), 0.25 * sin(right)};
    const double half[2] = {0.5 * (b[0] - a[0]), 0.5 * (b[1] - a[1])};
    double square = half[0] * half[0] + half[1] * half[1];
    double up = sqrt((0.49 - square) / square);

    pen[0] = a[0] + half[0] - up * half[1];
    pen[1] = a[1] + half[1] + up * half[0];
}

/* Motors hold the speeds of the cranks; what turns them besides is the correction of
 * positions, as a step along the tangent leaves the loop open by the square of dt. */
static void check_five_bar(perp_coordinates c)
{
    show s = show_begin_in("five-bar", c, NULL, 0);
    const double tip[3] = {0.35, 0.0, 0.0};
    const double end = show_seconds(&s, 2.0);
    double worst = 0.0;
    double late = 0.0;

    while (s.world->start->t < end - 0.5 * s.play.scheme.dt) {
        double p[3];
        double pen[2];
        double left = 0.0;
        double right = 0.0;

        show_steps(&s, 1);
        left = play_axis(&s.play, "left pivot");
        right = play_axis(&s.play, "right pivot");
        pen_of(0.5 * pi + left, 0.5 * pi + right, pen);
        show_point(show_pose(&s, "left rod"), tip, p);
        worst = fmax(worst, hypot(p[0] - pen[0], p[2] - pen[1]));
        show_point(show_pose(&s, "right rod"), tip, p);
        worst = fmax(worst, hypot(p[0] - pen[0], p[2] - pen[1]));
        late = fmax(late, fabs(left - 2.0 * pi * s.world->start->t));
        late = fmax(late, fabs(right + pi * s.world->start->t));
        /* to the solver's 1e-8 of speeds near 1 m/s */
        CU_ASSERT_DOUBLE_EQUAL(show_twist(&s, "left crank")[4], -2.0 * pi, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(show_twist(&s, "right crank")[4], pi, 1e-6);
    }
    /* joints of 1e-12, where the projection ends, by levers of a metre */
    CU_ASSERT(worst < 1e-10);
    CU_ASSERT(s.play.drift_length < 2e-12 && s.play.drift_angle < 2e-12);
    CU_ASSERT(late < 0.01);
    if (!play_brief()) {
        show_says(&s, "pen off the closed form [m]", worst);
        show_says(&s, "cranks off the angles of their motors [rad]", late);
        show_says(&s, "drift of the joints [m]", s.play.drift_length);
    }
    show_end(&s);
}

TEST(the_pen_of_a_five_bar_draws_its_closed_form)
{
    show_in_both(check_five_bar);
}

/* Moved by `shift`, turned about (1, 2, 3) by `angle`. */
static void check_pose(perp_coordinates c, const perp_scene_set *sets, size_t count,
                       const double shift[3], double angle)
{
    show s = show_begin_in("stewart", c, sets, count);
    const double axis[3] = {sin(0.5 * angle) / sqrt(14.0),
                            2.0 * sin(0.5 * angle) / sqrt(14.0),
                            3.0 * sin(0.5 * angle) / sqrt(14.0)};
    const double *pose = show_pose(&s, "platform");
    double off = 0.0;
    double turned = 0.0;

    show_for(&s, 1.0);
    for (int k = 0; k < 3; k++) {
        off = fmax(off, fabs(pose[k] - shift[k] - (k == 2 ? 1.2 : 0.0)));
        turned = fmax(turned, 2.0 * fabs(pose[4 + k] - axis[k]));
    }
    /* servos keep four fifths of an error in a step, and loops end at 1e-12 */
    CU_ASSERT(off < 1e-8 && turned < 1e-8);
    CU_ASSERT(s.play.drift_length < 2e-12 && s.play.drift_angle < 2e-12);
    if (!play_brief() && count == 0) {
        show_says(&s, "place of the platform off after 1 s [m]", off);
        show_says(&s, "orientation off after 1 s [rad]", turned);
        show_says(&s, "drift of the joints [m]", s.play.drift_length);
    }
    show_end(&s);
}

static void check_stewart(perp_coordinates c)
{
    const perp_scene_set other[] = {
        {"x", "-10 cm"}, {"y", "0"}, {"z", "5 cm"}, {"turn", "-8 deg"}};

    check_pose(c, NULL, 0, (const double[]){0.06, -0.04, 0.15}, 12.0 * pi / 180.0);
    check_pose(c, SETS(other), (const double[]){-0.1, 0.0, 0.05}, -8.0 * pi / 180.0);
}

TEST(a_platform_on_six_legs_goes_where_they_say)
{
    show_in_both(check_stewart);
}

/* How far boxes came on their planks. */
static double slipped(const show *s)
{
    double most = 0.0;

    for (int k = 0; k < 4; k++) {
        char plank[32];
        char box[32];
        double now[3];
        double then[3];

        snprintf(plank, sizeof plank, "plank %d", 3 + 3 * k);
        snprintf(box, sizeof box, "box %d", k + 1);
        show_seen_from(show_pose(s, plank), show_pose(s, box), now);
        show_seen_from(s->start + 7 * show_body(s, plank),
                       s->start + 7 * show_body(s, box), then);
        vec3_subtract(now, then, then);
        most = fmax(most, vec3_length(then));
    }
    return most;
}

/* Pull of the bridge by the moments of its left half about the left end: in the middle
 * there is no vertical force. */
static double pull_of_bridge(const show *s)
{
    const double at[3] = {0.25, 0.0, 0.0};
    const double left[2] = {-0.125 / sin(pi / 96.0),
                            -0.25 / sin(pi / 96.0) * cos(pi / 6.0)};
    double middle[3];
    double moment = 0.0;

    for (size_t k = 0; k < s->world->body_count; k++) {
        const double *r = perp_body_pose(s->world->start, k);

        if (s->world->motion[k] == PERP_MOTION_DYNAMIC && r[0] < 0.0) {
            moment += s->world->mass[k] * g * (r[0] - left[0]);
        }
    }
    show_point(show_pose(s, "plank 7"), at, middle);
    return moment / (left[1] - middle[2]);
}

/* At rest. Trees grow from both ends, so that hinge 8 closes them. */
static void check_bridge(perp_coordinates c)
{
    show s = show_begin_in("hanging-bridge", c, NULL, 0);
    const double half = 0.5 * (16.0 * 10.0 + 4.0 * 20.0) * g;
    double force[3];

    show_for(&s, show_seconds(&s, 6.0));
    CU_ASSERT(slipped(&s) < 1e-4);
    CU_ASSERT(s.play.drift_length < 2e-5);
    if (!play_brief()) {
        /* swings die out as e^(-1.5 t) of forces of 2 kN */
        double pull = pull_of_bridge(&s);

        play_force(&s.play, "hinge 8", PERP_ROLE_JOINT, 3, force);
        CU_ASSERT_DOUBLE_EQUAL(force[0], pull, 1.0);
        CU_ASSERT_DOUBLE_EQUAL(force[2], 0.0, 1.0);
        show_says(&s, "pull by the moments of a half [N]", pull);
        show_says(&s, "pull in the middle after 6 s [N]", force[0]);
        show_says(&s, "vertical force in the middle after 6 s [N]", force[2]);
        show_says(&s, "boxes moved on their planks by [m]", slipped(&s));
        show_says(&s, "drift of the joints [m]", s.play.drift_length);
    }
    if (!play_brief() && c == PERP_COORDINATES_MAXIMAL) {
        play_force(&s.play, "hinge 16", PERP_ROLE_JOINT, 3, force);
        CU_ASSERT_DOUBLE_EQUAL(fabs(force[2]), half, 1.0);
        show_says(&s, "vertical force of the right end after 6 s [N]", fabs(force[2]));
        play_force(&s.play, "hinge 0", PERP_ROLE_JOINT, 3, force);
        CU_ASSERT_DOUBLE_EQUAL(fabs(force[2]), half, 1.0);
        show_says(&s, "vertical force of the left end after 6 s [N]", fabs(force[2]));
    }
    show_end(&s);
}

TEST(a_hanging_bridge_carries_boxes)
{
    show_in_both(check_bridge);
}
