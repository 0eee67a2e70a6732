/* SPDX-License-Identifier: Apache-2.0
 * read/scene/links.c: joints with their axes, and forces.
 *
 * The point and the axes of a joint are given in the world, at the initial poses of the
 * bodies. Anchors are points of the bodies in their described axes; on the body "world"
 * an anchor is a point of the world, and moves with the copies. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "joints/joints.h"
#include "read/scene/build.h"
#include "read/scene/document.h"
#include "read/scene/members.h"
#include "read/scene/quantity.h"
#include "read/scene/tables.h"
#include "world/world.h"

const perp_joint_type *scene_joint_type(size_t k)
{
    const perp_joint_type *const *types = perp_joint_types(NULL);

    while (*types && ((*types)->needs & PERP_JOINT_CALL || k-- > 0)) {
        types++;
    }
    return *types;
}

/* What acts on any number of bodies is the user's. */
const perp_force_type *scene_force_type(size_t k)
{
    const perp_force_type *const *types = perp_force_types(NULL);

    while (*types && ((*types)->bodies == 0 || k-- > 0)) {
        types++;
    }
    return *types;
}

/* The numbers of the bodies that are named, from `least` to 2;
 * j = -1 where there is one. */
static perp_status links_find_pair(scene_reader *rd, const scene_at *at, size_t least,
                                   int32_t pair[2])
{
    size_t count = json_array_size(at->value);
    perp_status status = PERP_OK;

    pair[0] = pair[1] = -1;
    if (count < least || count > 2) {
        return scene_unexpected(rd, at, PERP_ERR_FORMAT,
                                least == 2 ? "the names of two bodies"
                                           : "the names of one or two bodies");
    }
    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        scene_at one = scene_element_at(at, k);

        status = scene_find_body(rd, &one, &pair[k]);
    }
    return status;
}

/* What stands on this body moves with the copies. */
static bool links_is_world(const scene_reader *rd, int32_t body)
{
    return strcmp(rd->world->name[body], "world") == 0;
}

/* Points of the bodies from their drawn axes to those about their centres of mass. */
static perp_status links_read_anchors(scene_reader *rd, const scene_at *at,
                                      const int32_t pair[2], double anchors[2][3])
{
    const scene_member anchor = {.name = "anchors", .kind = SCENE_VECTOR, .unit = "m"};
    size_t bodies = pair[1] >= 0 ? 2 : 1;
    perp_status status = PERP_OK;

    if (json_array_size(at->value) != bodies) {
        return scene_unexpected(rd, at, PERP_ERR_FORMAT,
                                bodies == 2 ? "a point on each of its two bodies"
                                            : "a point on its body");
    }
    for (size_t k = 0; k < bodies && status == PERP_OK; k++) {
        scene_at one = scene_element_at(at, k);
        size_t body = (size_t)pair[k];

        status = scene_read_member(rd, &one, &anchor, anchors[k]);
        if (status == PERP_OK && links_is_world(rd, pair[k])) {
            scene_place_point(rd, anchors[k]);
        }
        vec3_subtract(anchors[k], rd->origins + 3 * body, anchors[k]);
    }
    return status;
}

static perp_status links_read_armature(scene_reader *rd, const scene_at *at,
                                       double *armature)
{
    const scene_member m = {.name = "armature",
                            .kind = SCENE_REAL,
                            .unit = "kg|kg m^2",
                            .range = SCENE_NOT_NEGATIVE};

    return at->value ? scene_read_real(rd, at, &m, armature) : PERP_OK;
}

perp_status scene_read_axis(scene_reader *rd, const scene_axis *a, perp_axis_unit unit,
                            perp_axis *axis)
{
    const char *kind = json_string_value(json_object_get(a->motor.value, "kind"));
    bool servo = kind && strcmp(kind, "servo") == 0;
    scene_limits limits;
    scene_motor motor;
    scene_spring spring;
    perp_status status = PERP_OK;

    rd->unit = unit == PERP_AXIS_ANGLE ? 1 : 0;
    status = scene_read_object(rd, &a->limits, &scene_table_limits, &limits);
    if (status == PERP_OK) {
        status = scene_read_object(rd, &a->spring, &scene_table_spring, &spring);
    }
    if (status == PERP_OK) {
        status = links_read_armature(rd, &a->armature, &axis->armature);
    }
    if (status == PERP_OK) {
        rd->unit += servo ? 2 : 0;
        status = scene_read_object(rd, &a->motor, &scene_table_motor, &motor);
    }
    rd->unit = 0;
    if (status != PERP_OK) {
        return status;
    }
    axis->has_lower = !isnan(limits.lower);
    axis->has_upper = !isnan(limits.upper);
    axis->lower = axis->has_lower ? limits.lower : 0.0;
    axis->upper = axis->has_upper ? limits.upper : 0.0;
    axis->restitution = limits.restitution;
    axis->limit_cfm = limits.cfm;
    axis->stiffness = spring.stiffness;
    axis->damping = spring.damping;
    axis->rest = spring.rest;
    if (a->motor.value) {
        axis->motor = (enum perp_motor)(PERP_MOTOR_VELOCITY + motor.kind);
        axis->target = motor.target;
        axis->max_force = motor.max_force;
        axis->max_rate = isinf(motor.max_rate) ? 0.0 : motor.max_rate;
        axis->motor_cfm = motor.cfm;
    }
    return PERP_OK;
}

static perp_status links_read_axes(scene_reader *rd, const scene_at *at,
                                   const scene_joint *j, perp_joint *joint)
{
    const perp_joint_type *type = joint->type;
    scene_axis first = {j->limits, j->motor, j->spring, j->armature, 0.0};
    bool any = j->limits.value || j->motor.value || j->spring.value || j->armature.value;
    size_t count = json_array_size(j->axes.value);
    perp_status status = PERP_OK;

    if (any && count > 0) {
        return scene_fail(rd, &j->axes, PERP_ERR_FORMAT,
                          " is given together with limits, motor, spring or armature, "
                          "expected one of the two");
    }
    if ((any ? 1 : count) > type->axes) {
        return scene_fail(
            rd, count ? &j->axes : at, PERP_ERR_FORMAT,
            " sets %zu free axes, expected at most %u on a joint of type %s",
            any ? (size_t)1 : count, type->axes, type->name);
    }
    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        scene_at one = scene_element_at(&j->axes, k);
        scene_axis axis;

        rd->unit = type->axis_unit[k] == PERP_AXIS_ANGLE ? 1 : 0;
        status = scene_read_object(rd, &one, &scene_table_axis, &axis);
        joint->axes[k].value = isnan(axis.value) ? 0.0 : axis.value;
        if (status == PERP_OK) {
            status = scene_read_axis(rd, &axis, type->axis_unit[k], &joint->axes[k]);
        }
        rd->unit = 0;
    }
    return any && status == PERP_OK
               ? scene_read_axis(rd, &first, type->axis_unit[0], &joint->axes[0])
               : status;
}

/* A member that this type has no use for is a mistake; one that it needs must be
 * present. */
static perp_status links_check_use(scene_reader *rd, const scene_at *at, const char *name,
                                   const perp_joint_type *type, unsigned bits,
                                   bool needed)
{
    scene_at member = scene_member_at(at, name);
    bool used = (type->needs & bits) != 0;

    if (member.value && !used) {
        return scene_fail_key(rd, &member, PERP_ERR_FORMAT,
                              " does not apply to a joint of type %s", type->name);
    }
    if (!member.value && used && needed) {
        return scene_fail(rd, &member, PERP_ERR_FORMAT,
                          " is missing, a joint of type %s needs it", type->name);
    }
    return PERP_OK;
}

static perp_status links_check_joint(scene_reader *rd, const scene_at *at,
                                     const scene_joint *j, const perp_joint_type *type)
{
    const unsigned axes = PERP_JOINT_AXIS_I | PERP_JOINT_AXIS_J;
    /* in the plane an axis that turns is known, one that slides is not */
    bool known = rd->world->dimension == 2 && type->plane_turns;
    bool anchors = j->anchors.value != NULL;
    perp_status status = PERP_OK;

    status = links_check_use(rd, at, "at", type, PERP_JOINT_ANCHORS | PERP_JOINT_REST,
                             !anchors && (type->needs & PERP_JOINT_ANCHORS));
    if (status == PERP_OK) {
        status = links_check_use(rd, at, "anchors", type, PERP_JOINT_ANCHORS, false);
    }
    if (status == PERP_OK) {
        status = links_check_use(rd, at, "directions", type, axes, false);
    }
    if (status == PERP_OK) {
        status = links_check_use(rd, at, "rest", type, PERP_JOINT_REST, false);
    }
    if (status == PERP_OK) {
        status =
            links_check_use(rd, at, "axis", type, axes, !known && !j->directions.value);
    }
    if (status == PERP_OK) {
        status = links_check_use(rd, at, "axis2", type, PERP_JOINT_AXIS_J, false);
    }
    if (status == PERP_OK) {
        status = links_check_use(rd, at, "angle", type, PERP_JOINT_ANGLE, false);
    }
    return status == PERP_OK
               ? links_check_use(rd, at, "length", type, PERP_JOINT_LENGTH, false)
               : status;
}

/* The axis on each body, in its axes. */
static perp_status links_read_directions(scene_reader *rd, const scene_joint *j,
                                         perp_joint *joint)
{
    const scene_member member = {.name = "directions", .kind = SCENE_VECTOR};
    size_t count = joint->type->needs & PERP_JOINT_AXIS_J ? 2 : 1;
    perp_status status = PERP_OK;

    if (json_array_size(j->directions.value) != count) {
        return scene_unexpected(rd, &j->directions, PERP_ERR_FORMAT,
                                count == 2 ? "a direction on each of its two bodies"
                                           : "a direction on its first body");
    }
    if (!isnan(j->axis[0]) || !isnan(j->axis2[0])) {
        return scene_fail_key(
            rd, &j->directions, PERP_ERR_FORMAT,
            " are given together with an axis, expected one of the two");
    }
    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        scene_at one = scene_element_at(&j->directions, k);

        double *axis = k ? joint->axis_j : joint->axis_i;

        status = scene_read_member(rd, &one, &member, axis);
        if (links_is_world(rd, k ? joint->j : joint->i)) {
            scene_place_direction(rd, axis);
        }
    }
    return status;
}

/* The pose at rest as it is given, not as the bodies stand. */
static perp_status links_read_rest(scene_reader *rd, const scene_at *at,
                                   perp_joint *joint)
{
    scene_rest rest;
    perp_status status = scene_read_object(rd, at, &scene_table_rest, &rest);

    vec3_copy(joint->rest_i, rest.position);
    memcpy(joint->q_rest, rest.rotation, sizeof joint->q_rest);
    if (links_is_world(rd, joint->i)) {
        scene_place_point(rd, joint->rest_i);
        scene_place_rotation(rd, joint->q_rest);
    }
    return status;
}

/* The joint as the bodies stand: at a point, or by anchors given on them. */
static perp_status links_attach(scene_reader *rd, const scene_at *at, scene_joint *j,
                                perp_joint *joint)
{
    const int32_t pair[2] = {joint->i, joint->j};
    double anchors[2][3] = {{0}};
    perp_error cause = {0};
    perp_status status = PERP_OK;

    if (j->anchors.value) {
        status = links_read_anchors(rd, &j->anchors, pair, anchors);
        vec3_copy(joint->anchor_i, anchors[0]);
        vec3_copy(joint->anchor_j, anchors[1]);
    }
    if (status == PERP_OK && j->directions.value) {
        status = links_read_directions(rd, j, joint);
    }
    if (status != PERP_OK) {
        return status;
    }
    scene_place_point(rd, j->at);
    scene_place_direction(rd, j->axis);
    scene_place_direction(rd, j->axis2);
    status = perp_joint_attach(joint, rd->world, rd->world->start,
                               j->anchors.value || isnan(j->at[0]) ? NULL : j->at,
                               isnan(j->axis[0]) ? NULL : j->axis,
                               isnan(j->axis2[0]) ? NULL : j->axis2, &cause);
    if (!isnan(j->angle)) {
        joint->theta = j->angle;
    }
    status = scene_fail_in(rd, at, status, &cause);
    return status == PERP_OK && j->rest.value ? links_read_rest(rd, &j->rest, joint)
                                              : status;
}

/* A coordinate that is given and agrees with the poses but for rounding stays as it is
 * given. */
static void links_keep_values(perp_world *w, size_t index, const perp_joint *given)
{
    const double rounding = 1e-9; /* some m or rad, of poses that many steps have made */
    double *axes = perp_joint_axes_of(w->start, index);

    for (size_t k = 0; k < PERP_JOINT_AXES; k++) {
        double x = given->axes[k].value;

        if (x != 0.0 && fabs(axes[k] - x) <= rounding * (1.0 + fabs(x))) {
            axes[k] = w->joints[index].axes[k].value = x;
        }
    }
}

static perp_status links_build_joint(scene_reader *rd, const scene_at *at, scene_joint *j)
{
    int32_t pair[2];
    int32_t index = 0;
    perp_joint joint = {
        .type = scene_joint_type((size_t)j->type),
        .exact = j->exact,
        .collide = j->collide,
        .disabled = j->disabled,
        .erp = scene_erp(j->erp),
        .cfm = j->cfm,
        .stiffness = j->stiffness,
        .damping = j->damping,
        .angular_cfm = j->angular_cfm,
        .angular_stiffness = j->angular_stiffness,
        .angular_damping = j->angular_damping,
        .length = isnan(j->length) ? 0.0 : j->length,
    };
    perp_error cause = {0};
    perp_status status = PERP_OK;

    TRY(links_check_joint(rd, at, j, joint.type));
    TRY(links_find_pair(rd, &j->bodies, 2, pair));
    joint.i = pair[0];
    joint.j = pair[1];
    if (j->name) {
        snprintf(joint.name, sizeof joint.name, "%s", j->name);
    } else {
        snprintf(joint.name, sizeof joint.name, "%.20s-%zu", joint.type->name,
                 rd->world->joint_count);
    }
    TRY(links_attach(rd, at, j, &joint));
    TRY(links_read_axes(rd, at, j, &joint));
    status = perp_world_add_joint(rd->world, &joint, &index, &cause);
    if (status == PERP_OK) {
        links_keep_values(rd->world, (size_t)index, &joint);
    }
    return scene_fail_in(rd, at, status, &cause);
}

perp_status scene_build_joint(scene_reader *rd, const scene_at *at)
{
    scene_joint j;
    perp_status status = scene_read_object(rd, at, &scene_table_joint, &j);

    if (status == PERP_OK && rd->world->joint_count >= SCENE_ITEMS) {
        status = scene_fail(rd, at, PERP_ERR_DATA, ": more than %d joints", SCENE_ITEMS);
    }
    return status == PERP_OK ? links_build_joint(rd, at, &j) : status;
}

bool scene_force_extra(size_t t, size_t k, scene_extra *extra)
{
    const perp_force_type *type = scene_force_type(t);
    const char *const *parameters = type ? type->parameters : NULL;
    const char *text = NULL;
    const char *unit = NULL;

    extra->type = type ? type->name : NULL;
    for (size_t i = 0; parameters && i <= k && i < PERP_FORCE_PARAMETERS; i++) {
        text = parameters[i]; /* those before k must be there */
        parameters = text ? parameters : NULL;
    }
    if (!text || !parameters || k >= PERP_FORCE_PARAMETERS) {
        return false;
    }
    unit = strchr(text, '['); /* "rest length [m]" is rest-length, in m */
    snprintf(extra->name, sizeof extra->name, "%.*s",
             (int)(unit ? unit - text : (ptrdiff_t)strlen(text)), text);
    extra->name[strcspn(extra->name, "[")] = '\0';
    for (char *c = extra->name + strlen(extra->name); c-- > extra->name && *c == ' ';) {
        *c = '\0';
    }
    for (char *c = extra->name; *c; c++) {
        *c = *c == ' ' ? '-' : *c;
    }
    snprintf(extra->unit, sizeof extra->unit, "%s", unit ? unit + 1 : "1");
    extra->unit[strcspn(extra->unit, "]")] = '\0';
    snprintf(extra->help, sizeof extra->help, "parameter of a force of type %s",
             type->name);
    extra->member = (scene_member){
        .name = extra->name,
        .kind = SCENE_REAL,
        .offset = offsetof(scene_force, value) + k * sizeof(double),
        .unit = unit ? extra->unit : NULL,
        .help = extra->help,
    };
    return true;
}

static perp_status links_build_force(scene_reader *rd, const scene_at *at, scene_force *f)
{
    perp_force force = {.type = scene_force_type((size_t)f->type)};
    double anchors[2][3] = {{0}};
    int32_t pair[2];
    perp_error cause = {0};
    perp_status status = PERP_OK;

    TRY(links_find_pair(rd, &f->bodies, force.type->bodies == 2 ? 2 : 1, pair));
    if (f->anchors.value) {
        TRY(links_read_anchors(rd, &f->anchors, pair, anchors));
    }
    force.i = pair[0];
    force.j = pair[1];
    vec3_copy(force.anchor_i, anchors[0]);
    vec3_copy(force.anchor_j, anchors[1]);
    vec3_copy(force.axis, f->axis);
    scene_place_direction(rd, force.axis);
    memcpy(force.value, f->value, sizeof force.value);
    if (f->name) {
        snprintf(force.name, sizeof force.name, "%s", f->name);
    } else {
        snprintf(force.name, sizeof force.name, "%.20s-%zu", force.type->name,
                 rd->world->force_count);
    }
    status = perp_world_add_force(rd->world, &force, &cause);
    return scene_fail_in(rd, at, status, &cause);
}

perp_status scene_build_force(scene_reader *rd, const scene_at *at)
{
    scene_force f;
    perp_status status = scene_read_object(rd, at, &scene_table_force, &f);

    if (status == PERP_OK && rd->world->force_count >= SCENE_ITEMS) {
        status = scene_fail(rd, at, PERP_ERR_DATA, ": more than %d forces", SCENE_ITEMS);
    }
    return status == PERP_OK ? links_build_force(rd, at, &f) : status;
}
