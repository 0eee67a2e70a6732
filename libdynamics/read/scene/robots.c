/* SPDX-License-Identifier: Apache-2.0
 * read/scene/robots.c: robots from URDF files among the bodies of a scene, and start
 * values, limits, motors and springs of their joints.
 *
 * A base called "world" is the body "world" of the scene. Bodies of robots have the axes
 * of their links, and joints and forces of the scene refer to them as to other bodies. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/urdf.h>

#include "base/base.h"
#include "base/quantity.h"
#include "read/scene/build.h"
#include "read/scene/document.h"
#include "read/scene/members.h"
#include "read/scene/quantity.h"
#include "read/scene/tables.h"
#include "world/world.h"

enum {
    ROBOTS_APART = 16, /* that do not touch themselves: a group each, from 31 down */
    FIRST_GROUP = 31,
};

/* What the scene says of a joint. */
typedef struct drive_at {
    scene_at at;
    scene_drive drive;
    char unit[SCENE_WORD]; /* of the start, SI; "": a plain number */
} drive_at;

/* A number in rad or in m: which of them the joint wants is known when it is read. */
static perp_status robots_read_start(scene_reader *rd, drive_at *d, double *value)
{
    const scene_member any = {.name = "start"};
    const char *text = json_string_value(d->drive.start.value);
    const char *unit = "";
    double factor = 1.0;
    perp_status status = PERP_OK;

    if (!text) {
        return scene_read_real(rd, &d->drive.start, &any, value);
    }
    status = scene_fill(rd, &d->drive.start, &text);
    status = status ? status
                    : scene_read_number(rd, &d->drive.start, &any, text, value, &unit);
    if (status == PERP_OK && *unit) {
        if (!perp_unit_base(unit, d->unit) ||
            (strcmp(d->unit, "rad") != 0 && strcmp(d->unit, "m") != 0)) {
            return scene_unexpected(rd, &d->drive.start, PERP_ERR_DATA,
                                    "an angle or a length");
        }
        perp_unit_factor(unit, d->unit, &factor);
    }
    *value *= factor;
    return status;
}

/* The members of "joints", and the positions that they tell. */
static perp_status robots_read_drives(scene_reader *rd, const scene_at *list,
                                      drive_at *drives, perp_urdf_position *positions,
                                      size_t *count)
{
    const char *key = NULL;
    json_t *value = NULL;
    size_t k = 0;

    json_object_foreach(list->value, key, value)
    {
        drive_at *d = &drives[k++];
        perp_status status = PERP_OK;

        d->at = scene_member_at(list, key);
        if (json_is_object(value)) {
            status = scene_read_object(rd, &d->at, &scene_table_drive, &d->drive);
        } else {
            d->drive.start = d->at;
        }
        if (status == PERP_OK && d->drive.start.value) {
            positions[*count].joint = key;
            status = robots_read_start(rd, d, &positions[*count].value);
            ++*count;
        }
        if (status != PERP_OK) {
            return status;
        }
    }
    return PERP_OK;
}

static const perp_urdf_joint *robots_find_joint(const perp_urdf *robot, const char *name)
{
    for (size_t k = 0; k < robot->joint_count; k++) {
        if (strcmp(robot->joints[k].name, name) == 0) {
            return &robot->joints[k];
        }
    }
    return NULL;
}

static perp_status robots_unknown_joint(scene_reader *rd, const drive_at *d,
                                        const perp_urdf *robot)
{
    const char **names = calloc(robot->joint_count + 1, sizeof *names);
    perp_nearest best;
    perp_status status = PERP_OK;

    if (!names) {
        return perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory for a message",
                         rd->file);
    }
    for (size_t k = 0; k < robot->joint_count; k++) {
        names[k] = robot->joints[k].name;
    }
    status = scene_fail_key(rd, &d->at, PERP_ERR_DATA, " is not a joint of the robot, %s",
                            scene_nearest(&best, d->at.key, names));
    free(names);
    return status;
}

/* What is set in the scene goes over what the file says. */
static perp_status robots_set_axis(scene_reader *rd, const drive_at *d,
                                   const perp_urdf_joint *from, perp_axis *axis,
                                   perp_axis_unit unit)
{
    const scene_axis set = {d->drive.limits, d->drive.motor, d->drive.spring,
                            d->drive.armature, 0.0};
    perp_axis other = {.has_lower = false};

    TRY(scene_read_axis(rd, &set, unit, &other));
    if (set.limits.value) {
        axis->has_lower = other.has_lower;
        axis->has_upper = other.has_upper;
        axis->lower = other.lower;
        axis->upper = other.upper;
        axis->restitution = other.restitution;
        axis->limit_cfm = other.limit_cfm;
        if (axis->has_lower && axis->has_upper && axis->lower > axis->upper) {
            return scene_fail(rd, &set.limits, PERP_ERR_DATA,
                              ": lower limit %g is above the upper limit %g", axis->lower,
                              axis->upper);
        }
    }
    if (set.spring.value) {
        axis->stiffness = other.stiffness;
        axis->damping = other.damping;
        axis->rest = other.rest;
    }
    if (set.motor.value) {
        axis->motor = other.motor;
        axis->target = other.target;
        axis->max_force = json_object_get(set.motor.value, "max-force") ? other.max_force
                                                                        : from->effort;
        if (json_object_get(set.motor.value, "max-rate")) {
            axis->max_rate = other.max_rate; /* else that of the file */
        }
        axis->motor_cfm = other.motor_cfm;
    }
    axis->armature = set.armature.value ? other.armature : axis->armature;
    return PERP_OK;
}

static perp_status robots_set_joint(scene_reader *rd, const drive_at *d,
                                    const perp_urdf *robot)
{
    const perp_urdf_joint *from = robots_find_joint(robot, d->at.key);
    perp_joint *joint = NULL;
    perp_axis_unit unit = PERP_AXIS_NONE;

    if (!from) {
        return robots_unknown_joint(rd, d, robot);
    }
    joint = from->joint >= 0 ? &rd->world->joints[from->joint] : NULL;
    if (!joint || isnan(from->lower)) {
        return scene_fail_key(rd, &d->at, PERP_ERR_DATA,
                              " has no single coordinate, expected a revolute, "
                              "continuous or prismatic joint");
    }
    unit = joint->type->axis_unit[0];
    if (d->unit[0] && strcmp(d->unit, perp_axis_unit_text(unit)) != 0) {
        return scene_unexpected(rd, &d->drive.start, PERP_ERR_DATA,
                                unit == PERP_AXIS_LENGTH ? "a length" : "an angle");
    }
    return robots_set_axis(rd, d, from, &joint->axes[0], unit);
}

/* Let joints and forces of the scene find the bodies behind the first `first`. */
static perp_status robots_enter_bodies(scene_reader *rd, const perp_urdf *robot,
                                       const char *prefix, size_t first)
{
    size_t before = strlen(prefix);
    bool good = GROW_WIDE(rd->origins, 3, rd->origin_room, rd->world->body_count);

    for (size_t k = first; good && k < rd->world->body_count; k++) {
        good = json_object_set_new(rd->bodies, rd->world->name[k],
                                   json_integer((json_int_t)k)) == 0;
    }
    for (size_t k = 0; good && k < robot->link_count; k++) {
        const perp_urdf_link *link = &robot->links[k];
        size_t body = (size_t)link->body;

        /* the link that the body is named after, and whose axes it has */
        if (body >= first && strcmp(rd->world->name[body] + before, link->name) == 0) {
            vec3_scale(-1.0, link->at, rd->origins + 3 * body);
        }
    }
    return good ? PERP_OK
                : perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory for bodies",
                            rd->file);
}

/* What was left out of it, at the end of the notes. */
static perp_status robots_copy_notes(scene_reader *rd, perp_urdf *robot)
{
    perp_scene *s = rd->scene;
    char **notes = NULL;

    if (robot->ignored_count == 0) {
        return PERP_OK;
    }
    notes = realloc(s->notes, (s->note_count + robot->ignored_count) * sizeof *notes);
    if (!notes) {
        return perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory for notes", rd->file);
    }
    s->notes = notes;
    memcpy(notes + s->note_count, robot->ignored, robot->ignored_count * sizeof *notes);
    s->note_count += robot->ignored_count;
    robot->ignored_count = 0; /* they moved */
    return PERP_OK;
}

static perp_status robots_read_options(scene_reader *rd, const scene_at *at,
                                       const scene_robot *r, perp_urdf_options *opt)
{
    *opt = (perp_urdf_options){
        .unknown = (perp_urdf_unknown)r->unknown,
        .base = (perp_urdf_base)r->base,
        .meshes = (perp_urdf_meshes)r->meshes,
        .merge_fixed = r->merge_fixed,
        .no_self_collision = r->apart,
        .prefix = r->name,
    };
    if (r->apart && rd->robots_apart >= ROBOTS_APART) {
        return scene_fail(rd, at, PERP_ERR_DATA,
                          ": more than %d robots whose links do not touch each other",
                          ROBOTS_APART);
    }
    opt->group = UINT32_C(1) << (FIRST_GROUP - rd->robots_apart);
    rd->robots_apart += r->apart;
    vec3_copy(opt->at, r->position);
    memcpy(opt->turn, r->rotation, sizeof opt->turn);
    opt->turn[0] += opt->turn[0] == 0.0 && vec3_length(opt->turn + 1) == 0.0;
    scene_place_point(rd, opt->at);
    scene_place_rotation(rd, opt->turn);
    return scene_find_material(rd, at, r->material, &opt->material);
}

/* Read it with its joints where they start, then set what the scene says of them. */
static perp_status robots_load(scene_reader *rd, const scene_at *at, const scene_robot *r,
                               perp_urdf_options *opt, const drive_at *drives)
{
    scene_at file = scene_member_at(at, "file");
    size_t first = rd->world->body_count;
    char *path = scene_path_of(rd, r->file);
    char *package = r->package ? scene_path_of(rd, r->package) : NULL;
    const char *const roots[] = {package};
    perp_urdf *robot = NULL;
    perp_error cause = {0};
    perp_status status = PERP_OK;

    opt->roots = roots;
    opt->root_count = package ? 1 : 0;
    if (!path || (r->package && !package)) {
        status =
            perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory for a path", rd->file);
    } else {
        status = perp_urdf_read(rd->world, path, opt, &robot, &cause);
        /* of options, only a position can be wrong */
        status = scene_fail_in(rd, status == PERP_ERR_OPTION ? &r->joints : &file, status,
                               &cause);
    }
    status = status
                 ? status
                 : robots_enter_bodies(rd, robot, opt->prefix ? opt->prefix : "", first);
    for (size_t k = 0; k < json_object_size(r->joints.value) && status == PERP_OK; k++) {
        status = robots_set_joint(rd, &drives[k], robot);
    }
    status = status ? status : robots_copy_notes(rd, robot);
    perp_urdf_free(robot);
    free(package);
    free(path);
    return status;
}

perp_status scene_build_robot(scene_reader *rd, const scene_at *at)
{
    scene_robot r;
    perp_urdf_options opt;
    int32_t world = 0;
    perp_status status = scene_read_object(rd, at, &scene_table_robot, &r);
    size_t count = 0;
    drive_at *drives = NULL;
    perp_urdf_position *positions = NULL;

    if (status == PERP_OK && rd->world->body_count >= SCENE_ITEMS) {
        status = scene_fail(rd, at, PERP_ERR_DATA, ": more than %d bodies", SCENE_ITEMS);
    }
    if (status == PERP_OK && r.joints.value && !json_is_object(r.joints.value)) {
        status = scene_unexpected(rd, &r.joints, PERP_ERR_FORMAT, "an object");
    }
    status = status ? status : robots_read_options(rd, at, &r, &opt);
    status = status ? status : scene_world_body(rd, at, &world);
    if (status != PERP_OK) {
        return status;
    }
    drives = calloc(json_object_size(r.joints.value) + 1, sizeof *drives);
    positions = calloc(json_object_size(r.joints.value) + 1, sizeof *positions);
    if (!drives || !positions) {
        status =
            perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory for joints", rd->file);
    }
    status =
        status ? status : robots_read_drives(rd, &r.joints, drives, positions, &count);
    opt.positions = positions;
    opt.position_count = count;
    status = status ? status : robots_load(rd, at, &r, &opt, drives);
    free(positions);
    free(drives);
    return status;
}
