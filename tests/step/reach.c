/* SPDX-License-Identifier: Apache-2.0
 * tests/step/reach.c: contacts act when the step closes them, and only if the shapes touch. */
#include <config.h>

#include <math.h>
#include <stdio.h>

#include "course.h"

#define MATERIAL(e)                                                                      \
    "'materials': [{'name': 'm', 'friction': 0, 'restitution': " e "}], "                \
    "'combine': {'restitution': 'max'}, "
#define BOX(x, y, z)                                                                     \
    "'shapes': [{'type': 'box', 'half-extents': [" x ", " y ", " z "], 'material': "     \
    "'m'}]"
#define BALL(r) "'shapes': [{'type': 'sphere', 'radius': " r ", 'material': 'm'}]"

/* A ball of 0.1 m at 5 m/s, its lowest point at this height over a block. */
static void fly(const char *scheme, const char *e, int start, double height,
                void (*check)(course *c))
{
    char text[1024];

    snprintf(
        text, sizeof text,
        "{%s'gravity': [0, 0, 0], 'materials': [{'name': 'm', 'friction': 0, "
        "'restitution': %s}], 'combine': {'restitution': 'max'}, 'bodies': [{'name': "
        "'block', 'motion': 'static', 'position': [0, 0, -0.5], " BOX(
            "0.2", "0.5",
            "0.5") "}, {'name': 'ball', 'mass': 1, 'position': [%.17g, 0, %.17g], "
                   "'velocity': [5, 0, 0], " BALL("0.1") "}]}",
        scheme, e, 0.01 * start - 0.75, 0.1 + height);
    for (int k = 0; perp_integrator_names[k]; k++) {
        course c = course_begin(&(course_case){
            .name = scheme, .text = text, .integrator = k, .dt = 1.0 / 60.0});

        course_steps(&c, 18);
        check(&c);
        course_end(&c);
    }
}

static void expect_no_touch(course *c)
{
    const double *u = perp_body_velocity(c->world->start, course_body(c));

    course_agree(c, "velocity along the flight", u[0], 5.0, 1e-12);
    course_agree(c, "velocity across", hypot(u[1], u[2]), 0.0, 1e-12);
}

static void expect_a_touch(course *c)
{
    const double *u = perp_body_velocity(c->world->start, course_body(c));

    if (!(u[0] < 4.99)) {
        course_wrong(c, "velocity after a corner", u[0], 0.0);
    }
}

TEST(a_body_that_passes_without_contact_keeps_its_velocity)
{
    static const char *const schemes[] = {"", "'scheme': {'speculative': true}, ",
                                          "'scheme': {'margin': 0.1}, "};

    for (size_t k = 0; k < 3; k++) {
        for (int start = 0; start <= 8; start++) {
            fly(schemes[k], "0.8", start, 0.005, expect_no_touch);
        }
        fly(schemes[k], "0", 3, 0.005, expect_no_touch);
    }
}

TEST(a_body_that_meets_a_corner_is_deflected)
{
    fly("'scheme': {'speculative': true}, ", "0.8", 3, -0.08, expect_a_touch);
    fly("'scheme': {'margin': 0.1}, ", "0", 3, -0.08, expect_a_touch);
}

/* What passes a corner at 2 mm is struck down onto it in the same step, where it stops. */
TEST(an_impact_presses_a_passing_body_onto_the_corner)
{
    for (int m = 0; perp_integrator_names[m]; m++) {
        for (int start = 0; start <= 8; start++) {
            char text[1024];
            course c = {0};

            snprintf(
                text, sizeof text,
                "{'scheme': {'speculative': true}, 'gravity': [0, 0, 0], " MATERIAL(
                    "0") "'bodies': [{'name': 'block', 'motion': 'static', 'position': "
                         "[0, 0, "
                         "-0.5], " BOX("0.2", "0.5",
                                       "0.5") "}, {'name': 'cue', 'mass': 10, "
                                              "'position': [%.17g, 0, 0.3021], "
                                              "'velocity': [0, 0, -3], " BALL(
                                                  "0.1") "}, {'name': 'ball', 'mass': 1, "
                                                         "'position': [%.17g, 0, 0.102], "
                                                         "'velocity': [5, 0, 0], " BALL(
                                                             "0.1") "}]}",
                -0.2 + 0.01 * start, -0.2 + 0.01 * start);
            c = course_begin(&(course_case){
                .name = "struck", .text = text, .integrator = m, .dt = 1.0 / 60.0});
            for (int step = 0; step < 2; step++) {
                course_steps(&c, 1);
                if (c.report.penetration > 1e-6) {
                    course_wrong(&c, "depth", c.report.penetration, 0.0);
                }
            }
            course_end(&c);
        }
    }
}

/* 300 m/s along a plate, 1 mm above it. */
TEST(a_bullet_along_a_plate_flies_on)
{
    static const char text[] =
        "{'scheme': {'speculative': true}, 'gravity': [0, 0, 0], " MATERIAL(
            "0.8") "'bodies': [{'name': 'plate', 'motion': 'static', 'position': [0, 0, "
                   "-0.5], " BOX("30", "1",
                                 "0.5") "}, {'name': 'bullet', 'mass': 0.01, 'position': "
                                        "[-10, 0, 0.0035], "
                                        "'velocity': [300, 0, 0], " BALL("0.0025") "}]}";

    for (int k = 0; perp_integrator_names[k]; k++) {
        course c = course_begin(&(course_case){
            .name = "along", .text = text, .integrator = k, .dt = 1.0 / 60.0});

        course_steps(&c, 3);
        course_agree(&c, "velocity",
                     perp_body_velocity(c.world->start, course_body(&c))[0], 300.0, 1e-9);
        course_end(&c);
    }
}

/* Scenes in which something is pushed towards x = 0 within the margin, not deeper than
 * 1e-6 m; the last body is the one. */
static const char *const pushed[] = {
    /* a load of 50 N on 0.1 kg, 2 mm before a wall of 2 mm */
    "{'gravity': [0, 0, 0], " MATERIAL(
        "0") "'bodies': [{'name': 'wall', 'motion': 'static', "
             "'position': [-0.001, 0, 0], " BOX(
                 "0.001", "1",
                 "1") "}, {'name': 'finger', 'mass': 0.1, "
                      "'position': [0.012, 0, 0], 'load': {'force': [-50, 0, 0]}, " BOX(
                          "0.01", "0.01", "0.01") "}]}",
    /* a spring that is drawn by 1 m */
    "{'gravity': [0, 0, 0], " MATERIAL(
        "0") "'bodies': [{'name': 'wall', 'motion': 'static', "
             "'position': [-0.001, 0, 0], " BOX(
                 "0.001", "1",
                 "1") "}, {'name': 'finger', 'mass': 0.1, "
                      "'position': [0.012, 0, 0], " BOX(
                          "0.01", "0.01",
                          "0.01") "}], 'forces': [{'type': 'spring', "
                                  "'bodies': ['world', 'finger'], 'anchors': [[-1, 0, "
                                  "0], [0, 0, 0]], 'stiffness': 40, "
                                  "'rest-length': 0.01}]}",
    /* a motor of 2 m/s and 1 kN */
    "{'gravity': [0, 0, 0], " MATERIAL(
        "0") "'bodies': [{'name': 'wall', 'motion': 'static', "
             "'position': [-0.001, 0, 0], " BOX(
                 "0.001", "1",
                 "1") "}, {'name': 'finger', 'mass': 0.1, "
                      "'position': [0.012, 0, 0], " BOX(
                          "0.01", "0.01",
                          "0.01") "}], 'joints': [{'type': "
                                  "'prismatic', 'bodies': ['world', 'finger'], 'axis': "
                                  "[1, 0, 0], 'motor': {'kind': "
                                  "'velocity', 'target': -2, 'max-force': 1000}}]}",
    /* a ball that another one hits */
    "{'gravity': [0, 0, 0], " MATERIAL(
        "0") "'bodies': [{'name': 'wall', 'motion': 'static', "
             "'position': [-0.001, 0, 0], " BOX(
                 "0.001", "1",
                 "1") "}, {'name': 'cue', 'mass': 1, "
                      "'position': [0.1571, 0, 0], 'velocity': [-3, 0, 0], " BALL(
                          "0.05") "}, {'name': 'ball', "
                                  "'mass': 1, 'position': [0.052, 0, 0], " BALL(
                                      "0.05") "}]}",
};

static const char *const names[] = {"load", "spring", "motor", "impact"};
static const double radius[] = {0.01, 0.01, 0.01, 0.05};

TEST(a_pushed_body_stops_at_a_wall_within_the_margin)
{
    for (size_t k = 0; k < sizeof pushed / sizeof *pushed; k++) {
        for (int m = 0; perp_integrator_names[m]; m++) {
            course c = course_begin(&(course_case){
                .name = names[k], .text = pushed[k], .integrator = m, .dt = 1.0 / 60.0});

            for (int step = 0; step < 12; step++) {
                const double *s = perp_body_pose(c.world->start, course_body(&c));

                course_steps(&c, 1);
                if (s[0] < radius[k] - 1e-6) {
                    course_wrong(&c, "place", s[0], radius[k]);
                }
            }
            course_end(&c);
        }
    }
}

/* 5 mm at 300 m/s are 5 m in a step. */
TEST(a_bullet_does_not_pass_a_wall)
{
    static const char text[] =
        "{'scheme': {'speculative': true}, 'gravity': [0, 0, 0], " MATERIAL(
            "0") "'bodies': [{'name': 'wall', "
                 "'motion': 'static', 'position': [0, 0, 0], " BOX(
                     "0.001", "1",
                     "1") "}, {'name': 'bullet', 'mass': 0.01, 'position': [-3, "
                          "0.1, 0.2], 'velocity': [300, 0, 0], " BALL("0.0025") "}]}";

    for (int k = 0; perp_integrator_names[k]; k++) {
        course c = course_begin(&(course_case){
            .name = "bullet", .text = text, .integrator = k, .dt = 1.0 / 60.0});

        course_steps(&c, 4);
        if (!(perp_body_pose(c.world->start, course_body(&c))[0] < 0.0)) {
            course_wrong(&c, "place of the bullet",
                         perp_body_pose(c.world->start, course_body(&c))[0], -0.0035);
        }
        course_end(&c);
    }
}
