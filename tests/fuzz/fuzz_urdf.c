/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_urdf.c: any bytes as a robot, with unknown elements refused and left
 * out. What was read has finite states, numbers that find each other, and joints where
 * they were told to start; what was not has a message of one line and an empty world. */
#include <config.h>

#include <math.h>
#include <string.h>

#include <perp/dynamics/dynamics.h>

#include "fuzz_files.h"
#include "reference.h"

static void check_world(const perp_world *w)
{
    if (test_nonfinite_body(w, w->start) >= 0) {
        abort();
    }
    for (size_t k = 0; k < w->body_count; k++) {
        if (w->motion[k] == PERP_MOTION_DYNAMIC && !(w->mass[k] > 0.0)) {
            abort();
        }
    }
    for (size_t k = 0; k < w->shape_count; k++) {
        if (w->shapes[k].body < 0 || (size_t)w->shapes[k].body >= w->body_count) {
            abort();
        }
    }
    for (size_t k = 0; k < w->joint_count; k++) {
        if (w->joints[k].i == w->joints[k].j || w->joints[k].i < 0 ||
            (size_t)w->joints[k].i >= w->body_count) {
            abort();
        }
    }
}

static void check_robot(const perp_world *w, const perp_urdf *robot)
{
    for (size_t k = 0; k < robot->link_count; k++) {
        const perp_urdf_link *link = &robot->links[k];

        if (!link->name[0] || link->body < 0 || (size_t)link->body >= w->body_count ||
            !isfinite(link->at[0] + link->at[1] + link->at[2])) {
            abort();
        }
    }
    for (size_t k = 0; k < robot->joint_count; k++) {
        const perp_urdf_joint *joint = &robot->joints[k];

        if (!joint->name[0] || joint->joint >= (int32_t)w->joint_count ||
            joint->lower > joint->upper || joint->value < joint->lower ||
            joint->value > joint->upper) {
            abort();
        }
    }
    for (size_t k = 0; k < robot->ignored_count; k++) {
        if (!robot->ignored[k][0] || strchr(robot->ignored[k], '\n')) {
            abort();
        }
    }
}

static void read_robot(const uint8_t *data, size_t size, const perp_urdf_options *opt)
{
    perp_world *w = NULL;
    perp_urdf *robot = NULL;
    perp_error err = {0};
    perp_status status = perp_world_new(&w, 3, &err);

    if (status != PERP_OK) {
        return; /* no memory: not a find */
    }
    status =
        perp_urdf_parse(w, (const char *)data, size, "/none/r.urdf", opt, &robot, &err);
    if ((status == PERP_OK) != (robot != NULL) ||
        (!robot && (!err.text[0] || strchr(err.text, '\n') || w->body_count > 0 ||
                    w->shape_count > 0 || w->joint_count > 0))) {
        abort();
    }
    check_world(w);
    if (robot) {
        check_robot(w, robot);
    }
    perp_urdf_free(robot);
    perp_world_free(w);
}

FUZZ(urdf)
{
    const perp_urdf_options strict = {.base = PERP_URDF_BASE_USUAL};
    const perp_urdf_options easy = {.unknown = PERP_URDF_IGNORE,
                                    .base = PERP_URDF_BASE_FIXED,
                                    .merge_fixed = true,
                                    .no_self_collision = true,
                                    .meshes = PERP_URDF_MESHES_HULL};

    perp_urdf_detect((const char *)data, size);
    read_robot(data, size, &strict);
    read_robot(data, size, &easy);
    return 0;
}
