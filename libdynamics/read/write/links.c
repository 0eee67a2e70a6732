/* SPDX-License-Identifier: Apache-2.0
 * read/write/links.c: joints and forces in the form of a scene.
 *
 * A joint is written by its data on the bodies: anchors, directions, the pose at rest,
 * which do not depend on the poses of the bodies. A coordinate is written where it
 * differs from that of the poses, after whole turns. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/scene/members.h"
#include "read/write/writer.h"
#include "world/world.h"

static json_t *links_names(scene_writer *wr, const int32_t bodies[2], size_t count)
{
    json_t *array = scene_made(wr, json_array());

    for (size_t k = 0; k < count; k++) {
        scene_append(wr, array, scene_string(wr, wr->world->name[bodies[k]]));
    }
    return array;
}

static json_t *pair_of(scene_writer *wr, const double a[3], const double b[3],
                       size_t count)
{
    double both[6];

    vec3_copy(both, a);
    vec3_copy(both + 3, b);
    return scene_points(wr, both, count);
}

static json_t *links_limits_of(scene_writer *wr, const perp_axis *axis)
{
    scene_limits limits = {.lower = axis->has_lower ? axis->lower : NAN,
                           .upper = axis->has_upper ? axis->upper : NAN,
                           .restitution = axis->restitution,
                           .cfm = axis->limit_cfm};

    return scene_object(wr, &scene_table_limits, &limits);
}

static json_t *links_motor_of(scene_writer *wr, const perp_axis *axis)
{
    scene_motor motor = {.kind = (int)axis->motor - (int)PERP_MOTOR_VELOCITY,
                         .target = axis->target,
                         .max_force = axis->max_force,
                         .max_rate = axis->max_rate,
                         .cfm = axis->motor_cfm};

    return axis->motor == PERP_MOTOR_NONE ? NULL
                                          : scene_object(wr, &scene_table_motor, &motor);
}

static json_t *links_spring_of(scene_writer *wr, const perp_axis *axis)
{
    scene_spring spring = {axis->stiffness, axis->damping, axis->rest};

    return scene_object(wr, &scene_table_spring, &spring);
}

static json_t *axis_of(scene_writer *wr, const perp_axis *axis, double value)
{
    scene_axis a = {.limits.value = links_limits_of(wr, axis),
                    .motor.value = links_motor_of(wr, axis),
                    .spring.value = links_spring_of(wr, axis),
                    .value = value};

    if (axis->armature != 0.0) {
        const double armature[1] = {axis->armature};

        a.armature.value = scene_made(wr, json_real(armature[0]));
    }
    return scene_object(wr, &scene_table_axis, &a);
}

/* All free axes up to the last of which something is to be said. */
static json_t *axes_of(scene_writer *wr, size_t index)
{
    const perp_joint *joint = &wr->world->joints[index];
    const double *now = perp_joint_axes_of(wr->state, index);
    double poses[PERP_JOINT_AXES] = {0.0};
    json_t *array = scene_made(wr, json_array());
    size_t said = 0;

    perp_joint_track(joint, wr->world, wr->state, poses);
    for (unsigned k = 0; k < joint->type->axes; k++) {
        bool same = memcmp(&poses[k], &now[k], sizeof poses[k]) == 0;
        json_t *one = axis_of(wr, &joint->axes[k], same ? NAN : now[k]);

        said = json_object_size(one) > 0 ? k + 1 : said;
        scene_append(wr, array, one);
    }
    while (json_array_size(array) > said) {
        json_array_remove(array, said);
    }
    return array;
}

static json_t *links_rest_of(scene_writer *wr, const perp_joint *joint)
{
    scene_rest rest;

    vec3_copy(rest.position, joint->rest_i);
    memcpy(rest.rotation, joint->q_rest, sizeof rest.rotation);
    return scene_object(wr, &scene_table_rest, &rest);
}

/* What the type keeps on its bodies. */
static void links_put_frames(scene_writer *wr, const perp_joint *joint, scene_joint *j)
{
    unsigned data = joint->type->needs;

    if (data & PERP_JOINT_ANCHORS) {
        j->anchors.value = pair_of(wr, joint->anchor_i, joint->anchor_j, 2);
    }
    if (data & PERP_JOINT_AXIS_I) {
        j->directions.value =
            pair_of(wr, joint->axis_i, joint->axis_j, data & PERP_JOINT_AXIS_J ? 2 : 1);
    }
    if (data & PERP_JOINT_REST) {
        j->rest.value = links_rest_of(wr, joint);
    }
    if (data & PERP_JOINT_ANGLE) {
        j->angle = joint->theta;
    }
    if (data & PERP_JOINT_LENGTH) {
        j->length = joint->length;
    }
}

json_t *scene_write_joint(scene_writer *wr, size_t index)
{
    const perp_joint *joint = &wr->world->joints[index];
    const int32_t bodies[2] = {joint->i, joint->j};
    scene_joint j;

    snprintf(wr->where, sizeof wr->where, "joint \"%s\"", joint->name);
    scene_defaults(&scene_table_joint, &j);
    while (scene_joint_type((size_t)j.type) != joint->type) {
        if (!scene_joint_type((size_t)j.type++)) {
            return scene_refuse(
                wr, PERP_ERR_UNSUITABLE,
                ": type \"%s\" is defined by the user and cannot be written",
                joint->type->name);
        }
    }
    j.name = joint->name;
    j.bodies.value = links_names(wr, bodies, 2);
    links_put_frames(wr, joint, &j);
    j.exact = joint->exact;
    j.collide = joint->collide;
    j.disabled = joint->disabled;
    j.erp = joint->erp == 0.0 ? NAN : world_erp(joint->erp, 0.0);
    j.cfm = joint->cfm;
    j.stiffness = joint->stiffness;
    j.damping = joint->damping;
    j.angular_cfm = joint->angular_cfm;
    j.angular_stiffness = joint->angular_stiffness;
    j.angular_damping = joint->angular_damping;
    j.axes.value = axes_of(wr, index);
    return scene_object(wr, &scene_table_joint, &j);
}

json_t *scene_write_gear(scene_writer *wr, const perp_joint *joint, unsigned axis)
{
    const perp_gear *gear = &joint->axes[axis].gear;
    scene_gear g;

    snprintf(wr->where, sizeof wr->where, "gear of joint \"%s\"", joint->name);
    scene_defaults(&scene_table_gear, &g);
    g.joint = joint->name;
    g.follows = wr->world->joints[gear->joint].name;
    if (axis > 0) {
        g.axis.value = scene_made(wr, json_integer((json_int_t)axis + 1));
    }
    if (gear->axis > 0) {
        g.follows_axis.value = scene_made(wr, json_integer((json_int_t)gear->axis + 1));
    }
    g.ratio = gear->ratio;
    g.offset = gear->offset;
    g.cfm = gear->cfm;
    g.stiffness = gear->stiffness;
    g.damping = gear->damping;
    return scene_object(wr, &scene_table_gear, &g);
}

json_t *scene_write_force(scene_writer *wr, const perp_force *force)
{
    const int32_t bodies[2] = {force->i, force->j};
    size_t count = force->type->bodies == 2 ? 2 : 1;
    scene_force f;

    snprintf(wr->where, sizeof wr->where, "force \"%s\"", force->name);
    scene_defaults(&scene_table_force, &f);
    while (scene_force_type((size_t)f.type) != force->type) {
        if (!scene_force_type((size_t)f.type++)) {
            return scene_refuse(
                wr, PERP_ERR_UNSUITABLE,
                ": type \"%s\" is defined by the user and cannot be written",
                force->type->name);
        }
    }
    f.name = force->name;
    f.bodies.value = links_names(wr, bodies, count);
    f.anchors.value = pair_of(wr, force->anchor_i, force->anchor_j, count);
    vec3_copy(f.axis, force->axis);
    memcpy(f.value, force->value, sizeof f.value);
    return scene_object(wr, &scene_table_force, &f);
}
