/* SPDX-License-Identifier: Apache-2.0
 * view/motion_sticks.c: what stands for a moving body without shapes, or with mere points for
 * shapes: a ball at its centre of mass and rods to the anchors of its joints and to these points. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "command/view/motion_parts.h"

/* Radii of rods and balls over the distance of the farthest anchor. */
static const double stick_rod = 0.03;
static const double stick_ball = 0.08;
static const uint32_t stick_colour = 0x4f7cac;

static double sticks_length(const double x[3])
{
    return hypot(hypot(x[0], x[1]), x[2]);
}

/* A sphere that is too small to be seen from the centre of its body. */
static bool sticks_is_point(const motion_shape *s)
{
    return strcmp(s->type->name, "sphere") == 0 &&
           s->size[0] < 0.03 * sticks_length(s->pose);
}

/* Is there a shape on each body that is no point? */
static bool *sticks_shaped(const motion *m)
{
    bool *shaped = take(m->body_count + 1, sizeof *shaped);

    for (size_t k = 0; k < m->shape_count; k++) {
        shaped[m->shapes[k].body] =
            shaped[m->shapes[k].body] || !sticks_is_point(&m->shapes[k]);
    }
    return shaped;
}

/* The radius of the ball of uniform density that has the mass and mean inertia of a body. */
static double sticks_inertia(const motion_body *b)
{
    double mean = (b->inertia[0] + b->inertia[4] + b->inertia[8]) / 3.0;

    return b->mass > 0.0 && mean > 0.0 ? sqrt(2.5 * mean / b->mass) : 0.1;
}

/* The distance of the farthest anchor or point from a centre, over all bodies without shapes. */
static double sticks_reach(const motion *m, const bool *shaped)
{
    double reach = 0.0;

    for (size_t k = 0; k < m->shape_count; k++) {
        if (!shaped[m->shapes[k].body]) {
            reach = fmax(reach, sticks_length(m->shapes[k].pose));
        }
    }

    for (size_t k = 0; k < 2 * m->joint_count; k++) {
        const motion_joint *j = &m->joints[k / 2];
        const double *a = j->anchor[k % 2];

        if (j->body[k % 2] >= 0 && !shaped[j->body[k % 2]]) {
            reach = fmax(reach, sticks_length(a));
        }
    }
    return reach;
}

static void sticks_add_ball(motion *m, size_t body, double radius)
{
    m->shapes[m->shape_count++] = (motion_shape){.type = perp_shape_type_find("sphere"),
                                                 .body = body,
                                                 .pose = {0, 0, 0, 1},
                                                 .size = {radius},
                                                 .colour = stick_colour};
}

/* From the centre of mass to a point of the body: a capsule along z, in the plane a rectangle
 * along x. */
static void sticks_add_rod(motion *m, size_t body, const double to[3], double radius)
{
    double length = sticks_length(to);
    motion_shape s = {.body = body,
                      .pose = {to[0] / 2.0, to[1] / 2.0, to[2] / 2.0, 1},
                      .colour = stick_colour};
    double *q = s.pose + 3;

    if (!(length > 2.0 * radius)) {
        return;
    }
    if (m->dimension == 2) {
        s.type = perp_shape_type_find("box");
        s.size[0] = length / 2.0;
        s.size[1] = s.size[2] = radius;
        q[0] = cos(atan2(to[1], to[0]) / 2.0);
        q[3] = sin(atan2(to[1], to[0]) / 2.0);
    } else {
        double cosine = to[2] / length;
        double half = sqrt((1.0 + cosine) / 2.0);

        s.type = perp_shape_type_find("capsule");
        s.size[0] = radius;
        s.size[1] = length;
        if (half > 1e-6) { /* the turn of z to the direction */
            q[0] = half;
            q[1] = -to[1] / length / (2.0 * half);
            q[2] = to[0] / length / (2.0 * half);
        } else {
            q[0] = 0.0;
            q[1] = 1.0;
        }
    }
    m->shapes[m->shape_count++] = s;
}

void motion_add_sticks(motion *m)
{
    bool *shaped = sticks_shaped(m);
    size_t own = m->shape_count, room = own;
    size_t most = 2 * own + m->body_count + 2 * m->joint_count + 1;
    double reach = 0.0;

    TAKE_ROOM(m->shapes, room, most);
    reach = sticks_reach(m, shaped);
    for (size_t b = 0; b < m->body_count; b++) {
        if (!shaped[b] && !m->bodies[b].fixed) {
            sticks_add_ball(
                m, b, reach > 0.0 ? stick_ball * reach : sticks_inertia(&m->bodies[b]));
        }
    }
    for (size_t k = 0; k < own; k++) {
        size_t b = m->shapes[k].body;

        if (!shaped[b] && !m->bodies[b].fixed) {
            sticks_add_rod(m, b, m->shapes[k].pose, stick_rod * reach);
        }
    }
    for (size_t k = 0; k < 2 * m->joint_count; k++) {
        const motion_joint *j = &m->joints[k / 2];
        int32_t b = j->body[k % 2];

        if (b >= 0 && !shaped[b] && !m->bodies[b].fixed) {
            sticks_add_rod(m, (size_t)b, j->anchor[k % 2], stick_rod * reach);
        }
    }
    free(shaped);
}
