/* SPDX-License-Identifier: Apache-2.0
 * tests/problem/friction_frame.c: directions of friction that follow a body. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/vec3.h"
#include "scene_text.h"

static const double mu = 0.3, g = 9.81;

/* A flat block on a floor, each with a friction frame, moving at v. */
static perp_scene *slide(const char *floor, const char *block, const char *model,
                         const char *v)
{
    char text[1024];

    snprintf(
        text, sizeof text,
        "{\"time\": 1, \"gravity\": [0, 0, -9.81], \"scheme\": {\"dt\": 0.005, "
        "\"friction\": \"%s\"}, \"materials\": [{\"name\": \"m\", \"friction\": 0.3}], "
        "\"combine\": {\"friction\": \"max\"}, \"bodies\": ["
        "{\"name\": \"floor\", \"motion\": \"static\", \"friction-frame\": %s, "
        "\"shapes\": [{\"type\": \"box\", \"half-extents\": [9, 9, 1], \"at\": "
        "[0, 0, -1], \"material\": \"m\"}]}, "
        "{\"name\": \"block\", \"mass\": 2, \"friction-frame\": %s, \"shapes\": "
        "[{\"type\": \"box\", \"half-extents\": [0.2, 0.2, 0.02], \"material\": "
        "\"m\"}], \"position\": [0, 0, 0.02], \"velocity\": %s}]}",
        model, floor, block, v);
    return scene_text(text);
}

/* The whole scene by q about the origin. */
static void turn(perp_world *w, const double q[4])
{
    perp_quat_rotate(q, w->gravity, w->gravity);
    for (size_t k = 0; k < w->body_count; k++) {
        double *pose = perp_body_pose(w->start, k);
        double *u = perp_body_velocity(w->start, k);
        double p[4];

        perp_quat_rotate(q, pose, pose);
        perp_quat_multiply(q, pose + 3, p);
        memcpy(pose + 3, p, sizeof p);
        perp_quat_rotate(q, u, u);
        perp_quat_rotate(q, u + 3, u + 3);
    }
    perp_world_refresh(w, w->start);
}

static void run(perp_scene *s, int steps)
{
    perp_stepper *stepper = NULL;
    perp_report report;

    OK(perp_stepper_new(&stepper, s->world, &s->scheme,
                        &(perp_stepper_options){.state = s->world->start}, NULL));
    for (int k = 0; k < steps; k++) {
        OK(perp_stepper_step(stepper, &report, NULL));
        CU_ASSERT_EQUAL(report.outcome, PERP_SOLVED);
    }
    perp_stepper_free(stepper);
}

/* Each tangent of the box is saturated on its own: along a tangent the block is braked by mu g,
 * halfway between two by sqrt 2 mu g, without a deflection. */
TEST(box_friction_along_the_frame_is_mu_and_between_its_axes_sqrt_2_mu)
{
    const struct {
        const char *floor, *block;
        double brake;
    } cases[] = {{"[0, 0, 0]", "[1, 0, 0]", mu},
                 {"[0, 0, 0]", "[3, 3, 0]", sqrt(2.0) * mu},
                 {"[0, 2, 0]", "[1, 1, 0]", mu}, /* the floor has the lower number */
                 {"[1, -1, 5]", "[1, 0, 0]", sqrt(2.0) * mu}};
    const double t = 20 * 0.005;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_scene *s = slide(cases[k].floor, cases[k].block, "box", "[2, 0, 0]");
        const double *u = perp_body_velocity(s->world->start, 1);

        run(s, 20);
        CU_ASSERT_DOUBLE_EQUAL(u[0], 2.0 - cases[k].brake * g * t, 1e-8);
        CU_ASSERT_DOUBLE_EQUAL(u[1], 0.0, 1e-8);
        perp_scene_free(s);
    }
}

/* How far the block is from where the turned scene has it, after 60 steps. */
static double difference(const char *floor, const char *model)
{
    const double q[4] = {0.5, 0.1, -0.7, sqrt(0.25)};
    double unit[4], expected[3];
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    perp_scene *s = slide(floor, "[0, 0, 0]", model, "[2, 0.7, 0]");
    perp_scene *t = slide(floor, "[0, 0, 0]", model, "[2, 0.7, 0]");

    for (int k = 0; k < 4; k++) {
        unit[k] = q[k] / length;
    }
    turn(t->world, unit);
    run(s, 60);
    run(t, 60);
    perp_quat_rotate(unit, perp_body_pose(s->world->start, 1), expected);
    vec3_subtract(expected, perp_body_pose(t->world->start, 1), expected);
    perp_scene_free(s);
    perp_scene_free(t);
    return vec3_length(expected);
}

/* [0, 0, 1] is the normal, where the floor's own axes give the directions. */
TEST(a_turned_scene_moves_as_the_scene_with_a_frame_and_not_without)
{
    const char *const frames[] = {"[1, 0, 0]", "[0.3, -0.5, 0.2]", "[0, 0, 1]"};
    const char *const models[] = {"box", "pyramid:4", "pyramid:8"};

    for (size_t m = 0; m < 3; m++) {
        for (size_t k = 0; k < 3; k++) {
            /* lengths near 1 m, rounding and a residual of 1e-12 over 60 steps */
            CU_ASSERT(difference(frames[k], models[m]) <= 1e-9);
        }
    }
    CU_ASSERT(difference("[0, 0, 0]", "box") > 1e-2);
    CU_ASSERT(difference("[0, 0, 0]", "coulomb") <=
              1e-8); /* a circle has no directions */
}

TEST(a_friction_frame_is_written_and_read_with_the_same_bits)
{
    perp_scene *s = slide("[0.3, -0.5, 0.2]", "[0, 0, 0]", "box", "[2, 0, 0]");
    perp_scene *again = NULL;
    char *text = NULL;

    OK(perp_scene_print(s, NULL, &text, NULL));
    again = scene_text(text);
    CU_ASSERT_EQUAL(memcmp(again->world->friction_frame, s->world->friction_frame,
                           6 * sizeof(double)),
                    0);
    CU_ASSERT_DOUBLE_EQUAL(vec3_length(s->world->friction_frame), 1.0, 1e-15);
    CU_ASSERT_EQUAL(s->world->friction_frame[3], 0.0);
    free(text);
    perp_scene_free(again);
    perp_scene_free(s);
}

TEST(a_frame_in_the_plane_or_not_finite_is_refused)
{
    perp_world *w = NULL;
    perp_error err = {0};
    perp_body body = {.name = "b", .motion = PERP_MOTION_STATIC};

    body.friction_frame[0] = 1.0;
    OK(perp_world_new(&w, 2, NULL));
    CU_ASSERT_EQUAL(perp_world_add_body(w, &body, NULL, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "expected none in two dimensions"));
    perp_world_free(w);
    OK(perp_world_new(&w, 3, NULL));
    body.friction_frame[1] = INFINITY;
    CU_ASSERT_EQUAL(perp_world_add_body(w, &body, NULL, NULL), PERP_ERR_DATA);
    perp_world_free(w);
}
