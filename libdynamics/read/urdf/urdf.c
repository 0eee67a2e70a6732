/* SPDX-License-Identifier: Apache-2.0
 * read/urdf/urdf.c: a robot from a file or a text into a world, all of it or nothing. */
#include <config.h>

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/rotation.h>

#include "base/file.h"
#include "read/urdf/urdf.h"

void perp_urdf_free(perp_urdf *robot)
{
    if (!robot) {
        return;
    }
    for (size_t k = 0; robot->links && k < robot->link_count; k++) {
        free(robot->links[k].name);
    }
    for (size_t k = 0; robot->joints && k < robot->joint_count; k++) {
        free(robot->joints[k].name);
    }
    for (size_t k = 0; robot->ignored && k < robot->ignored_count; k++) {
        free(robot->ignored[k]);
    }
    free(robot->links);
    free(robot->joints);
    free(robot->ignored);
    free(robot->name);
    free(robot);
}

static bool urdf_report_links(const urdf_reader *rd, perp_urdf *robot)
{
    robot->link_count = rd->link_count;
    robot->links = calloc(rd->link_count, sizeof *robot->links);
    for (size_t k = 0; robot->links && k < rd->link_count; k++) {
        const urdf_link *from = &rd->links[k];
        perp_urdf_link *link = &robot->links[k];

        link->name = math_text(from->name);
        link->body = from->body;
        vec3_copy(link->at, from->on_body.r);
        memcpy(link->turn, from->on_body.q, sizeof link->turn);
        if (!link->name) {
            return false;
        }
    }
    return robot->links != NULL;
}

static bool urdf_report_joints(const urdf_reader *rd, perp_urdf *robot)
{
    robot->joint_count = rd->joint_count;
    robot->joints = calloc(rd->joint_count + 1, sizeof *robot->joints);
    for (size_t k = 0; robot->joints && k < rd->joint_count; k++) {
        const urdf_joint *from = &rd->joints[k];
        bool single = from->moves == URDF_TURNS || from->moves == URDF_SLIDES;

        robot->joints[k] = (perp_urdf_joint){
            .name = math_text(from->name),
            .joint = from->joint,
            .effort = from->effort,
            .velocity = from->velocity,
            .lower = !single         ? NAN
                     : from->limited ? from->lower
                                     : -INFINITY,
            .upper = !single         ? NAN
                     : from->limited ? from->upper
                                     : INFINITY,
            .value = from->value,
            .follows = from->mimic != NULL,
        };
        if (!robot->joints[k].name) {
            return false;
        }
    }
    return robot->joints != NULL;
}

/* What the file calls things; what was ignored moves over. */
static perp_status urdf_report(urdf_reader *rd, perp_urdf **out)
{
    perp_urdf *robot = calloc(1, sizeof *robot);

    if (!robot || !(robot->name = math_text(rd->name)) || !urdf_report_links(rd, robot) ||
        !urdf_report_joints(rd, robot)) {
        perp_urdf_free(robot);
        return urdf_no_memory(rd);
    }
    robot->ignored = rd->ignored;
    robot->ignored_count = rd->ignored_count;
    rd->ignored = NULL;
    rd->ignored_count = 0;
    *out = robot;
    return PERP_OK;
}

static perp_status urdf_read_robot(urdf_reader *rd, const char *text, size_t length)
{
    urdf_element *robot = NULL;
    perp_status status = urdf_decode(rd, text, length, &robot);

    if (status == PERP_OK && strcmp(robot->name, "robot") != 0) {
        status = urdf_fail(rd, robot, PERP_ERR_FORMAT, "<%.60s>, expected <robot>",
                           robot->name);
    }
    status = status ? status : urdf_need_text(rd, robot, "name", "a name", &rd->name);
    status = status ? status : urdf_check(rd, robot);
    status = status ? status : urdf_read_links(rd, robot);
    status = status ? status : urdf_read_joints(rd, robot);
    status = status ? status : urdf_order_links(rd);
    return status ? status : urdf_build(rd);
}

static perp_status urdf_check_options(const urdf_reader *rd)
{
    const perp_urdf_options *o = rd->opt;
    double turn[4];
    double length = 0.0;

    memcpy(turn, o->turn, sizeof turn);
    length = perp_quat_normalize(turn);
    if (rd->world->dimension != 3) {
        return perp_fail(rd->err, PERP_ERR_ARGUMENT,
                         "%s: the world has %u dimensions, expected 3", rd->file,
                         rd->world->dimension);
    }
    if (!math_finite(o->at, 3) || !(length == 0.0 || fabs(length - 1.0) <= 1e-6)) {
        return perp_fail(rd->err, PERP_ERR_ARGUMENT,
                         "%s: the pose is not finite or the length of its quaternion is "
                         "%g, expected 1 (within 1e-6)",
                         rd->file, length);
    }
    if ((o->group & (o->group - 1)) != 0) {
        return perp_fail(rd->err, PERP_ERR_ARGUMENT,
                         "%s: group is %u, expected a number with one bit", rd->file,
                         (unsigned)o->group);
    }
    return PERP_OK;
}

/* Under the locale of C; the world is cut back where something failed. */
static perp_status urdf_read_all(urdf_reader *rd, const char *text, size_t length,
                                 perp_urdf **robot)
{
    perp_world *w = rd->world;
    const size_t bodies = w->body_count;
    const size_t shapes = w->shape_count;
    const size_t joints = w->joint_count;
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = (locale_t)0;
    perp_status status = PERP_OK;

    if (!c_locale) {
        return urdf_no_memory(rd);
    }
    before = uselocale(c_locale);
    status = urdf_read_robot(rd, text, length);
    uselocale(before);
    freelocale(c_locale);
    if (status == PERP_OK && robot) {
        status = urdf_report(rd, robot);
    }
    if (status != PERP_OK) {
        world_cut(w, bodies, shapes, joints);
    }
    return status;
}

perp_status perp_urdf_parse(perp_world *world, const char *text, size_t length,
                            const char *name, const perp_urdf_options *opt,
                            perp_urdf **robot, perp_error *err)
{
    static const perp_urdf_options usual = {0};
    urdf_reader rd = {
        .file = name, .opt = opt ? opt : &usual, .err = err, .world = world};
    perp_status status = urdf_check_options(&rd);

    if (robot) {
        *robot = NULL;
    }
    status = status ? status : perp_workspace_new(&rd.ws, 0, err);
    status = status ? status : urdf_read_all(&rd, text, length, robot);
    urdf_meshes_clear(&rd);
    for (size_t k = 0; k < rd.ignored_count; k++) {
        free(rd.ignored[k]);
    }
    free(rd.ignored);
    perp_workspace_free(rd.ws);
    return status;
}

perp_status perp_urdf_read(perp_world *world, const char *path,
                           const perp_urdf_options *opt, perp_urdf **robot,
                           perp_error *err)
{
    char *text = NULL;
    size_t length = 0;
    perp_status status = perp_file_slurp_most(path, URDF_BYTES, &text, &length, err);

    if (robot) {
        *robot = NULL;
    }
    if (status == PERP_OK) {
        status = perp_urdf_parse(world, text, length, path, opt, robot, err);
    }
    free(text);
    return status;
}
