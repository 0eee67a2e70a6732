/* SPDX-License-Identifier: Apache-2.0
 * tests/view/motions.c: motions made by hand. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motions.h"
#include "support.h"

double motions_vertices[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
uint32_t motions_triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static motion_body bodies[3] = {
    {.name = "floor & <world>", .fixed = true},
    {.name = "\"quoted\" ä", .mass = 2.0, .inertia = {1, 0, 0, 0, 2, 0, 0, 0, 3}},
    {.name = "</script>", .mass = 1.0, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
};
static motion_joint joints[1] = {{.name = "a]]>b",
                                  .type = "revolute",
                                  .body = {-1, 1},
                                  .anchor = {{0, 0, 1}, {-0.5, 0, 0}},
                                  .axis = {{0, 0, 1}, {0, 0, 1}}}};

static void motions_shapes(motion_shape *shapes)
{
    const char *const types[5] = {"plane", "sphere", "box", "hull", "box"};
    const size_t body[5] = {0, 1, 1, 2, 2};

    for (size_t k = 0; k < 5; k++) {
        shapes[k] = (motion_shape){.type = perp_shape_type_find(types[k]),
                                   .body = body[k],
                                   .pose = {0, 0, 0, 1, 0, 0, 0},
                                   .size = {0.5, 0.5, 0.5},
                                   .colour = k == 0 ? 0xcccccc : 0x4477aa};
    }
    shapes[2].pose[0] = 1.0;
    shapes[3].vertex_count = 4;
    shapes[3].triangle_count = 4;
    shapes[4].pose[2] = -1.0;
}

static void motions_frame(motion *m, size_t f)
{
    double t = 0.01 * (double)f;
    double *poses = m->poses + 21 * f;
    const double start[21] = {0, 0, 0,      1, 0, 0, 0, t, 0, 0.5, cos(t),
                              0, 0, sin(t), 0, 2, 1, 1, 0, 0, 0};
    motion_contact *c = m->contacts + (f ? 2 * (f - 1) : 0);

    m->time[f] = t;
    m->step[f] = f;
    memcpy(poses, start, sizeof start);
    m->velocity[18 * f + 6] = 1.0;
    m->velocity[18 * f + 11] = 2.0;
    m->contact_end[f] = 2 * f;
    if (f > 0) {
        c[0] = (motion_contact){.body = {0, 1},
                                .point = {t, 0, 0},
                                .normal = {0, 0, 1},
                                .impulse = {0.3, 0.4, 2.0},
                                .gap = -1e-4,
                                .mu = 0.5,
                                .residual = 1e-9,
                                .status = MOTION_STICKING};
        c[1] = c[0];
        c[1].body[0] = 1;
        c[1].body[1] = 2;
        c[1].residual = NAN;
        c[1].status = MOTION_SLIDING;
    }
}

motion *motions_make(size_t frames)
{
    motion *m = (motion *)calloc(1, sizeof *m);

    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    *m = (motion){.title = "by hand",
                  .source = "hand.perp",
                  .solver = "nsgs",
                  .coordinates = "maximal",
                  .dimension = 3,
                  .up = {0, 0, 1},
                  .dt = 0.01,
                  .body_count = 3,
                  .shape_count = 5,
                  .joint_count = 1,
                  .bodies = bodies,
                  .joints = joints,
                  .vertex_count = 4,
                  .triangle_count = 4,
                  .vertices = motions_vertices,
                  .triangles = motions_triangles,
                  .frame_count = frames};
    m->shapes = (motion_shape *)calloc(5, sizeof *m->shapes);
    m->time = (double *)calloc(frames, sizeof *m->time);
    m->step = (uint64_t *)calloc(frames, sizeof *m->step);
    m->poses = (double *)calloc(frames, 21 * sizeof *m->poses);
    m->velocity = (double *)calloc(frames, 18 * sizeof *m->velocity);
    m->contact_end = (uint64_t *)calloc(frames, sizeof *m->contact_end);
    m->contacts = (motion_contact *)calloc(2 * frames, sizeof *m->contacts);
    CU_ASSERT_FATAL(m->shapes && m->time && m->step && m->poses && m->velocity &&
                    m->contact_end && m->contacts);
    motions_shapes(m->shapes);
    for (size_t f = 0; f < frames; f++) {
        motions_frame(m, f);
    }
    return m;
}

void motions_free(motion *m)
{
    free(m->shapes);
    free(m->time);
    free(m->step);
    free(m->poses);
    free(m->velocity);
    free(m->contact_end);
    free(m->contacts);
    free(m);
}
