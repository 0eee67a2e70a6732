/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/standing.c: round flat ends support alike in all directions. */
#include <config.h>

#include <math.h>
#include <stdio.h>

#include "course.h"

/* A cylinder of radius 0.1 m on its end, or a cone on its base, pushed through the centre of mass, at the
 * height h over the support, by a share of the force m g r/h that tips it. */
static const struct body {
    const char *shape;
    double height; /* of the centre of mass [m] */
} bodies[] = {
    {"'type': 'cylinder', 'radius': 0.1, 'length': 0.4", 0.2},
    {"'type': 'cone', 'radius': 0.1, 'length': 0.4", 0.1},
};

static const char *const supports[] = {
    "'type': 'box', 'half-extents': [1, 1, 0.5]",
    "'type': 'cylinder', 'radius': 1, 'length': 1",
    "'type': 'mesh', 'points': [[-1, -1, 0.5], [1, -1, 0.5], [1, 1, 0.5], [-1, 1, "
    "0.5]], "
    "'triangles': [[0, 1, 2], [0, 2, 3]]",
};

/* The height of the axis over the support after 1.5 s, as a share of that at the start. */
static double stand(const struct body *b, const char *support, double angle, double share)
{
    const double force = share * 9.81 * 0.1 / b->height;
    char text[1024];
    double up = 0.0;
    double z[3];
    course c;

    snprintf(
        text, sizeof text,
        "{'materials': [{'name': 'm', 'friction': 5}], 'combine': {'friction': 'min'}, "
        "'bodies': [{'name': 'support', 'motion': 'static', 'position': [0, 0, -0.5], "
        "'shapes': [{%s, 'material': 'm'}]}, {'name': 'body', 'mass': 1, 'position': "
        "[0, 0, 0.2], 'load': {'force': [%.17g, %.17g, 0]}, 'shapes': [{%s, "
        "'material': 'm'}]}]}",
        support, force * cos(angle), force * sin(angle), b->shape);
    c = course_begin(
        &(course_case){.name = b->shape,
                       .text = text,
                       .dt = 1.0 / 60.0,
                       /* Some kernels of BLAS round a step at 45 degrees beyond 1e-12. */
                       .tolerance = "1e-11"});
    course_steps(&c, 90);
    perp_quat_rotate(perp_body_pose(c.world->start, course_body(&c)) + 3,
                     (const double[3]){0, 0, 1}, z);
    up = z[2];
    course_end(&c);
    return up;
}

/* Steps of 7.5 degrees meet the corners of an end and the middles of its sides. */
TEST(a_round_end_tips_at_the_same_force_in_all_directions)
{
    for (size_t b = 0; b < sizeof bodies / sizeof *bodies; b++) {
        for (size_t s = 0; s < sizeof supports / sizeof *supports; s++) {
            for (int k = 0; k <= 12; k++) {
                const double angle = M_PI / 24.0 * k;
                const double below = stand(&bodies[b], supports[s], angle, 0.989);
                const double above = stand(&bodies[b], supports[s], angle, 1.01);

                if (!(below > 1.0 - 1e-9 && above < 1.0 - 1e-4)) {
                    test_note(
                        "%s on %s, %g degrees: up %.9g below the load, %.9g above it",
                        bodies[b].shape, supports[s], 7.5 * k, below, above);
                }
                CU_ASSERT(below > 1.0 - 1e-9);
                CU_ASSERT(above < 1.0 - 1e-4);
            }
        }
    }
}
