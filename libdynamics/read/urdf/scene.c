/* SPDX-License-Identifier: Apache-2.0
 * read/urdf/scene.c: a scene of one robot, whose parameters are the start values of its
 * joints.
 *
 * The robot is read for its joints, and again if a start value was set. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/quantity.h"
#include "read/scene/tables.h"
#include "read/urdf/urdf.h"

static const double usual_time = 10.0; /* [s], that of scenes that say none */

static perp_status urdf_scene_make_scene(perp_scene **out, const char *file,
                                         perp_error *err)
{
    perp_scene *s = calloc(1, sizeof *s);

    *out = s;
    if (!s || !(s->name = math_stem(file)) || !(s->description = math_text("")) ||
        !(s->answer = math_text(""))) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a scene", file);
    }
    perp_scheme_default(&s->scheme);
    s->time = usual_time;
    snprintf(s->solver, sizeof s->solver, "auto");
    return PERP_OK;
}

/* Into a new world. */
static perp_status urdf_scene_read_robot(perp_scene *s, const char *text, size_t length,
                                         const char *name, const perp_urdf_options *opt,
                                         perp_urdf **robot, perp_error *err)
{
    perp_status status = PERP_OK;

    perp_world_free(s->world);
    status = perp_world_new(&s->world, 3, err);
    return status ? status
                  : perp_urdf_parse(s->world, text, length, name, opt, robot, err);
}

/* The links that are a part of the body of another one: "tool is a part of hand". */
static perp_status urdf_scene_describe(perp_scene *s, const perp_urdf *robot,
                                       perp_error *err)
{
    size_t room = 1, used = 0;
    char *text = NULL;

    for (size_t k = 0; k < robot->link_count; k++) {
        room += strlen(robot->links[k].name) +
                strlen(s->world->name[robot->links[k].body]) + 32;
    }
    text = calloc(room, 1);
    if (!text) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu links",
                         robot->link_count);
    }
    for (size_t k = 0; k < robot->link_count; k++) {
        const perp_urdf_link *link = &robot->links[k];
        const char *body = s->world->name[link->body];

        if (strcmp(link->name, body) != 0) {
            used +=
                (size_t)sprintf(text + used, "%s%s is a part of %s",
                                used ? ", " : "Links of one body: ", link->name, body);
        }
    }
    free(s->description);
    s->description = text;
    return PERP_OK;
}

/* One coordinate that neither is locked nor follows another joint. */
static bool urdf_scene_is_parameter(const perp_urdf_joint *j)
{
    return j->joint >= 0 && j->lower < j->upper && !j->follows;
}

static perp_status urdf_scene_add_parameters(perp_scene *s, const perp_urdf *robot,
                                             const char *file, perp_error *err)
{
    s->parameters = calloc(robot->joint_count + 1, sizeof *s->parameters);
    s->title = calloc(1, strlen(robot->name) + 96);
    if (!s->parameters || !s->title) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for parameters", file);
    }
    sprintf(s->title, "the robot %s: %zu link%s, %zu joint%s", robot->name,
            robot->link_count, perp_plural(robot->link_count), robot->joint_count,
            perp_plural(robot->joint_count));
    for (size_t k = 0; k < robot->joint_count; k++) {
        const perp_urdf_joint *j = &robot->joints[k];
        perp_scene_parameter *p = &s->parameters[s->parameter_count];

        if (urdf_scene_is_parameter(j)) {
            const perp_joint_type *type = s->world->joints[j->joint].type;

            snprintf(p->name, sizeof p->name, "%s", j->name);
            snprintf(p->unit, sizeof p->unit, "%s",
                     perp_axis_unit_text(type->axis_unit[0]));
            snprintf(p->help, sizeof p->help, "initial %s of this joint",
                     type->axis_unit[0] == PERP_AXIS_ANGLE ? "angle" : "position");
            p->value = p->usual = j->value;
            p->least = j->lower;
            p->most = j->upper;
            s->parameter_count++;
        }
    }
    return PERP_OK;
}

static perp_scene_parameter *urdf_scene_find_parameter(perp_scene *s, const char *name)
{
    for (size_t k = 0; k < s->parameter_count; k++) {
        if (strcmp(s->parameters[k].name, name) == 0) {
            return &s->parameters[k];
        }
    }
    return NULL;
}

static perp_status urdf_scene_unknown_parameter(const perp_scene *s, const char *name,
                                                const char *file, perp_error *err)
{
    const char **names = calloc(s->parameter_count + 1, sizeof *names);
    perp_nearest best;
    perp_status status = PERP_OK;

    if (!names) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a message", file);
    }
    for (size_t k = 0; k < s->parameter_count; k++) {
        names[k] = s->parameters[k].name;
    }
    status = s->parameter_count == 0
                 ? perp_fail(err, PERP_ERR_OPTION,
                             "%s: parameter %.60s is set, but no joint moves along one "
                             "coordinate",
                             file, name)
                 : perp_fail(err, PERP_ERR_OPTION, "%s: parameter %.60s is not known, %s",
                             file, name, scene_nearest(&best, name, names));
    free(names);
    return status;
}

/* "0.5", "30 deg", "1.5 cm". */
static perp_status urdf_scene_read_value(const perp_scene_set *set,
                                         perp_scene_parameter *p, const char *file,
                                         perp_error *err)
{
    const char *unit = NULL;
    double x = 0.0;
    double factor = 1.0;
    perp_status status = perp_quantity_split(set->value, &x, &unit);

    if (status == PERP_ERR_MEMORY) {
        return perp_fail(err, status, "%s: no memory for parameter %s", file, p->name);
    }
    if (status != PERP_OK || (*unit && !perp_unit_factor(unit, p->unit, &factor))) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: parameter %s is \"%.60s\", expected a number, or one with "
                         "a unit like %s",
                         file, p->name, set->value, p->unit);
    }
    x *= factor;
    if (!(x >= p->least && x <= p->most)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: parameter %s is %.10g, expected a number %.10g .. %.10g "
                         "[%s]",
                         file, p->name, x, p->least, p->most, p->unit);
    }
    p->value = x;
    return PERP_OK;
}

/* The positions of the options, and behind them those that were set. */
static perp_status urdf_scene_set_starts(perp_scene *s, const char *text, size_t length,
                                         const char *name, const perp_urdf_options *opt,
                                         const perp_scene_set *sets, size_t count,
                                         perp_urdf **robot, perp_error *err)
{
    perp_urdf_options moved = *opt;
    perp_urdf_position *list = calloc(opt->position_count + count, sizeof *list);
    perp_status status =
        list ? PERP_OK : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", name);

    for (size_t k = 0; k < opt->position_count && list; k++) {
        list[k] = opt->positions[k];
    }
    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        perp_scene_parameter *p = urdf_scene_find_parameter(s, sets[k].name);

        status = p ? urdf_scene_read_value(&sets[k], p, name, err)
                   : urdf_scene_unknown_parameter(s, sets[k].name, name, err);
        if (status == PERP_OK) {
            list[opt->position_count + k] = (perp_urdf_position){p->name, p->value};
        }
    }
    if (status == PERP_OK) {
        moved.positions = list;
        moved.position_count = opt->position_count + count;
        perp_urdf_free(*robot);
        *robot = NULL;
        status = urdf_scene_read_robot(s, text, length, name, &moved, robot, err);
    }
    free(list);
    return status;
}

/* What was left out is told by the scene. */
static void urdf_scene_move_notes(perp_scene *s, perp_urdf *robot)
{
    s->notes = robot->ignored;
    s->note_count = robot->ignored_count;
    robot->ignored = NULL;
    robot->ignored_count = 0;
}

perp_status perp_urdf_scene(perp_scene **scene, const char *text, size_t length,
                            const char *name, const perp_urdf_options *opt,
                            const perp_scene_set *sets, size_t count, perp_error *err)
{
    static const perp_urdf_options usual = {0};
    perp_urdf *robot = NULL;
    perp_scene *s = NULL;
    perp_status status = urdf_scene_make_scene(&s, name, err);

    opt = opt ? opt : &usual;
    status =
        status ? status : urdf_scene_read_robot(s, text, length, name, opt, &robot, err);
    status = status ? status : urdf_scene_add_parameters(s, robot, name, err);
    status = status ? status : urdf_scene_describe(s, robot, err);
    if (status == PERP_OK && count > 0) {
        status =
            urdf_scene_set_starts(s, text, length, name, opt, sets, count, &robot, err);
    }
    if (status == PERP_OK) {
        urdf_scene_move_notes(s, robot);
    } else {
        perp_scene_free(s);
        s = NULL;
    }
    perp_urdf_free(robot);
    *scene = s;
    return status;
}
