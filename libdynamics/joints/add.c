/* SPDX-License-Identifier: Apache-2.0
 * joints/add.c: adding joints to a world, with all checks. */
#include <config.h>

#include <stdio.h>

#include <perp/dynamics/rotation.h>

#include "base/base.h"
#include "joints/joints.h"

/* Accepts an axis or quaternion printed with seven digits, which is then normalized. */
static const double unit_tolerance = 1e-6;
static const double half_turn = 3.14159265358979323846;

static perp_status joint_fail(const perp_joint *joint, perp_error *err, const char *what,
                              double found, const char *expected)
{
    return perp_fail(err, PERP_ERR_DATA, "joint \"%s\": %s is %g, expected %s",
                     joint->name, what, found, expected);
}

perp_status joint_check_bodies(const perp_joint *joint, const perp_world *world,
                               perp_error *err)
{
    for (int side = 0; side < 2; side++) {
        int32_t k = side == 0 ? joint->i : joint->j;

        if (k < 0 || (size_t)k >= world->body_count) {
            return perp_fail(
                err, PERP_ERR_DATA,
                "joint \"%s\": body %c is number %d, expected one of %zu bod%s, from 0",
                joint->name, 'i' + side, (int)k, world->body_count,
                perp_plural_y(world->body_count));
        }
    }
    if (joint->i == joint->j) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "joint \"%s\": joins body \"%s\" with itself, expected two different bodies",
            joint->name, world->name[joint->i]);
    }
    return PERP_OK;
}

static perp_status joint_check_name(const perp_joint *joint, const perp_world *world,
                                    perp_error *err)
{
    if (!joint->name[0]) {
        return perp_fail(err, PERP_ERR_DATA, "joint: no name");
    }
    if (!memchr(joint->name, '\0', sizeof joint->name)) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "joint \"%.*s\": name is longer than %zu bytes or not terminated",
            (int)sizeof joint->name, joint->name, sizeof joint->name - 1);
    }
    if (perp_world_find_joint(world, joint->name) >= 0) {
        return perp_fail(err, PERP_ERR_DATA, "joint \"%s\": another joint has this name",
                         joint->name);
    }
    if (!joint->type) {
        return perp_fail(err, PERP_ERR_DATA, "joint \"%s\": no type", joint->name);
    }
    return PERP_OK;
}

static perp_status joint_check_finite(const perp_joint *joint, perp_error *err)
{
    const struct part {
        const char *name;
        const double *x;
        size_t n;
    } parts[] = {
        {"anchor on body i", joint->anchor_i, 3},
        {"anchor on body j", joint->anchor_j, 3},
        {"axis on body i", joint->axis_i, 3},
        {"axis on body j", joint->axis_j, 3},
        {"rest offset", joint->rest_i, 3},
        {"rest orientation", joint->q_rest, 4},
        {"theta", &joint->theta, 1},
        {"length", &joint->length, 1},
        {"erp", &joint->erp, 1},
        {"cfm", &joint->cfm, 1},
        {"stiffness", &joint->stiffness, 1},
        {"damping", &joint->damping, 1},
        {"angular cfm", &joint->angular_cfm, 1},
        {"angular stiffness", &joint->angular_stiffness, 1},
        {"angular damping", &joint->angular_damping, 1},
    };

    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        if (!math_finite(parts[k].x, parts[k].n)) {
            return perp_fail(err, PERP_ERR_DATA, "joint \"%s\": %s is not finite",
                             joint->name, parts[k].name);
        }
    }
    return PERP_OK;
}

/* Check for length 1 within the tolerance, and normalize. */
static perp_status joint_check_axis(const perp_joint *joint, char side, double axis[3],
                                    perp_error *err)
{
    double length = vec3_settle(axis);

    if (fabs(length - 1.0) > unit_tolerance) {
        return perp_fail(err, PERP_ERR_DATA,
                         "joint \"%s\": length of the axis on body %c is %g, expected 1 "
                         "(within 1e-6)",
                         joint->name, side, length);
    }
    return PERP_OK;
}

/* Check for unit axes and a unit rest orientation; zero means no rotation. */
static perp_status joint_check_units(perp_joint *joint, perp_error *err)
{
    perp_status status = PERP_OK;
    double length = 0.0;

    if (joint->type->needs & PERP_JOINT_AXIS_I) {
        status = joint_check_axis(joint, 'i', joint->axis_i, err);
    }
    if (status == PERP_OK && (joint->type->needs & PERP_JOINT_AXIS_J)) {
        status = joint_check_axis(joint, 'j', joint->axis_j, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    length = math_quat_settle(joint->q_rest);
    if (length == 0.0) {
        joint->q_rest[0] = 1.0;
    } else if (fabs(length - 1.0) > unit_tolerance) {
        return joint_fail(joint, err, "the length of the rest orientation", length,
                          "1 (within 1e-6)");
    }
    return PERP_OK;
}

/* In the plane axes of rotation are along z, other axes lie in the plane. */
static perp_status joint_check_plane(const perp_joint *joint, perp_error *err)
{
    const perp_joint_type *type = joint->type;
    bool turns = type->plane_turns;

    if (type->axes_apart) {
        return perp_fail(err, PERP_ERR_DATA,
                         "joint \"%s\": a %s joint rotates out of the plane, expected "
                         "another type in two dimensions",
                         joint->name, type->name);
    }
    if (joint->anchor_i[2] != 0.0 || joint->anchor_j[2] != 0.0) {
        return joint_fail(joint, err, "a component along z of an anchor",
                          joint->anchor_i[2] != 0.0 ? joint->anchor_i[2]
                                                    : joint->anchor_j[2],
                          "0 in two dimensions");
    }
    for (int side = 0; side < 2; side++) {
        const double *axis = side == 0 ? joint->axis_i : joint->axis_j;
        double off = turns ? hypot(axis[0], axis[1]) : fabs(axis[2]);

        if ((type->needs & (side == 0 ? PERP_JOINT_AXIS_I : PERP_JOINT_AXIS_J)) &&
            off > unit_tolerance) {
            return perp_fail(err, PERP_ERR_DATA,
                             "joint \"%s\": axis on body %c is (%g, %g, %g), expected "
                             "%s in two dimensions",
                             joint->name, 'i' + side, axis[0], axis[1], axis[2],
                             turns ? "(0, 0, 1) or (0, 0, -1)"
                                   : "a direction in the plane");
        }
    }
    return PERP_OK;
}

static perp_status joint_check_data(const perp_joint *joint, perp_error *err)
{
    const perp_joint_type *type = joint->type;
    double theta = joint->theta;

    bool turn = type->theta_range == PERP_THETA_TURN;

    if ((type->needs & PERP_JOINT_ANGLE) && turn &&
        !(theta > -half_turn && theta <= half_turn)) {
        return joint_fail(joint, err, "theta", theta, "an angle in (-pi, pi] [rad]");
    }
    if ((type->needs & PERP_JOINT_ANGLE) && !turn &&
        !(theta > 0.0 && theta < half_turn)) {
        return joint_fail(joint, err, "theta", theta, "an angle in (0, pi) [rad]");
    }
    if ((type->needs & PERP_JOINT_LENGTH) && !(joint->length > 0.0)) {
        return joint_fail(joint, err, "length", joint->length, "a positive number [m]");
    }
    if ((type->needs & PERP_JOINT_CALL) && !joint->call) {
        return perp_fail(err, PERP_ERR_DATA,
                         "joint \"%s\": no function, expected one for C and its row",
                         joint->name);
    }
    if (!world_erp_valid(joint->erp)) {
        return joint_fail(joint, err, "erp", joint->erp,
                          "0 (that of the scheme) .. 1, or PERP_ERP_NONE");
    }
    return PERP_OK;
}

/* Check that softness is not negative and that the joint has rows of this kind. */
static perp_status joint_check_softness(const perp_joint *joint, const perp_world *world,
                                        const perp_state *state, perp_error *err)
{
    const struct softness {
        const char *name;
        double x;
        bool angular;
    } all[] = {
        {"cfm", joint->cfm, false},
        {"stiffness", joint->stiffness, false},
        {"damping", joint->damping, false},
        {"angular cfm", joint->angular_cfm, true},
        {"angular stiffness", joint->angular_stiffness, true},
        {"angular damping", joint->angular_damping, true},
    };
    const size_t count = sizeof all / sizeof *all;
    bool has[2] = {false, false};
    perp_row rows[PERP_JOINT_ROWS] = {{.phi = 0.0}};
    unsigned n = 0;

    for (size_t k = 0; k < count; k++) {
        if (all[k].x < 0.0) {
            return joint_fail(joint, err, all[k].name, all[k].x, "a number >= 0");
        }
    }
    n = joint_is_hard(joint) ? 0 : joint_rows_now(joint, world, state, rows);
    for (unsigned k = 0; k < n; k++) {
        has[rows[k].angular] = true;
    }
    for (size_t k = 0; k < count; k++) {
        if (n > 0 && all[k].x > 0.0 && !has[all[k].angular]) {
            return perp_fail(err, PERP_ERR_DATA,
                             "joint \"%s\": %s is %g, but all rows of type %s in %u "
                             "dimensions are %s, expected %s",
                             joint->name, all[k].name, all[k].x, joint->type->name,
                             world->dimension, all[k].angular ? "lengths" : "angles",
                             all[(k + 3) % count].name);
        }
    }
    return PERP_OK;
}

/* Check the present poses: axes must not be opposite, or not parallel. */
static perp_status joint_check_start(const perp_joint *joint, const perp_world *world,
                                     const perp_state *state, perp_error *err)
{
    joint_frame f;
    double cosine = 0.0;

    joint_frame_now(joint, state, &f);
    cosine = vec3_dot(f.s, f.s_j);
    if (joint->type->must_face && cosine <= 0.0) {
        return joint_fail(joint, err, "the cosine between the axes at the start", cosine,
                          "a positive number: the same direction");
    }
    if (joint->type->axes_apart && vec3_length(f.u) <= joint_parallel) {
        return perp_fail(err, PERP_ERR_DATA,
                         "joint \"%s\": the two axes are parallel at the start, expected "
                         "an angle between them",
                         joint->name);
    }
    if (!world_moves(world, joint->i) && !world_moves(world, joint->j)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "joint \"%s\": neither body \"%s\" nor \"%s\" is dynamic, "
                         "expected at least one",
                         joint->name, world->name[joint->i], world->name[joint->j]);
    }
    return PERP_OK;
}

static bool axis_is_set(const perp_axis *axis)
{
    return axis->has_lower || axis->has_upper || axis->motor != PERP_MOTOR_NONE ||
           axis->stiffness != 0.0 || axis->damping != 0.0 || axis->armature != 0.0 ||
           axis->limit_cfm != 0.0 || axis->motor_cfm != 0.0;
}

static perp_status axis_fail(const perp_joint *joint, unsigned k, perp_error *err,
                             const char *what, double found, const char *expected)
{
    char text[64];

    snprintf(text, sizeof text, "%s of axis %u", what, k);
    return joint_fail(joint, err, text, found, expected);
}

static perp_status joint_check_axis_numbers(const perp_joint *joint, unsigned k,
                                            perp_error *err)
{
    const perp_axis *a = &joint->axes[k];
    const struct number {
        const char *name;
        double x;
        bool finite; /* expected finite */
        double least;
        const char *expected;
    } numbers[] = {
        {"lower limit", a->lower, true, -INFINITY, "a finite number"},
        {"upper limit", a->upper, true, -INFINITY, "a finite number"},
        {"restitution", a->restitution, true, 0.0, "0 .. 1"},
        {"cfm of the limits", a->limit_cfm, true, 0.0, "a number >= 0"},
        {"cfm of the motor", a->motor_cfm, true, 0.0, "a number >= 0"},
        {"target", a->target, true, -INFINITY, "a finite number"},
        {"largest force", a->max_force, false, 0.0, "a number >= 0"},
        {"largest rate", a->max_rate, false, 0.0, "a number >= 0"},
        {"stiffness", a->stiffness, true, 0.0, "a number >= 0"},
        {"damping", a->damping, true, 0.0, "a number >= 0"},
        {"armature", a->armature, true, 0.0, "a number >= 0"},
        {"rest value", a->rest, true, -INFINITY, "a finite number"},
        {"value", a->value, true, -INFINITY, "a finite number"},
    };

    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        double x = numbers[n].x;

        if (isnan(x) || (numbers[n].finite && !isfinite(x)) || x < numbers[n].least) {
            return axis_fail(joint, k, err, numbers[n].name, x, numbers[n].expected);
        }
    }
    if (a->restitution > 1.0) {
        return axis_fail(joint, k, err, "restitution", a->restitution, "0 .. 1");
    }
    if (a->has_lower && a->has_upper && a->lower > a->upper) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "joint \"%s\": lower limit %g of axis %u is above the upper limit %g",
            joint->name, a->lower, k, a->upper);
    }
    return PERP_OK;
}

static void joint_start_axes(const perp_joint *joint, double axes[PERP_JOINT_AXES])
{
    for (size_t k = 0; k < PERP_JOINT_AXES; k++) {
        axes[k] = joint->axes[k].value;
    }
}

static perp_status joint_check_axes(const perp_joint *joint, const perp_world *world,
                                    const perp_state *state, perp_error *err)
{
    double axes[PERP_JOINT_AXES];

    joint_start_axes(joint, axes);
    for (unsigned k = 0; k < PERP_JOINT_AXES; k++) {
        perp_row row;
        perp_status status = joint_check_axis_numbers(joint, k, err);

        if (status != PERP_OK) {
            return status;
        }
        if (joint->axes[k].gear.ratio != 0.0) {
            return axis_fail(joint, k, err, "ratio of the gear",
                             joint->axes[k].gear.ratio,
                             "0 (perp_world_set_gear sets a gear)");
        }
        if (axis_is_set(&joint->axes[k]) &&
            (k >= joint->type->axes || !joint_axis(joint, world, state, axes, k, &row))) {
            return perp_fail(
                err, PERP_ERR_DATA,
                "joint \"%s\": axis %u has a limit, motor, spring or armature, but a "
                "%s joint has no such free axis in %u dimensions",
                joint->name, k, joint->type->name, world->dimension);
        }
    }
    return PERP_OK;
}

/* All checks; normalizes vectors that have unit length within the tolerance. */
static perp_status joint_check(perp_joint *joint, const perp_world *world,
                               const perp_state *state, perp_error *err)
{
    perp_status status = joint_check_name(joint, world, err);

    if (status == PERP_OK) {
        status = joint_check_bodies(joint, world, err);
    }
    if (status == PERP_OK) {
        status = joint_check_finite(joint, err);
    }
    if (status == PERP_OK) {
        status = joint_check_units(joint, err);
    }
    if (status == PERP_OK && world->dimension == 2) {
        status = joint_check_plane(joint, err);
    }
    if (status == PERP_OK) {
        status = joint_check_data(joint, err);
    }
    if (status == PERP_OK) {
        status = joint_check_start(joint, world, state, err);
    }
    if (status == PERP_OK) {
        status = joint_check_softness(joint, world, state, err);
    }
    return status == PERP_OK ? joint_check_axes(joint, world, state, err) : status;
}

perp_joint perp_joint_default(const perp_joint_type *type)
{
    perp_joint joint = {.type = type, .q_rest = {1.0, 0.0, 0.0, 0.0}};

    for (size_t k = 0; k < PERP_JOINT_AXES; k++) {
        joint.axes[k].max_force = INFINITY;
    }
    return joint;
}

perp_status perp_world_add_joint(perp_world *world, const perp_joint *joint,
                                 int32_t *index, perp_error *err)
{
    perp_joint copy = *joint;
    double axes[PERP_JOINT_AXES];

    TRY(joint_check(&copy, world, world->start, err));
    if (!world_state_room(world->start, world->body_count, world->joint_count + 1) ||
        !world_names_room(world, WORLD_JOINTS) ||
        !GROW(world->joints, world->joint_room, world->joint_count + 1)) {
        return perp_fail(err, PERP_ERR_MEMORY, "world: no memory for joint \"%s\"",
                         joint->name);
    }
    joint_start_axes(joint, axes);
    perp_joint_track(&copy, world, world->start, axes);
    for (size_t k = 0; k < PERP_JOINT_AXES; k++) {
        copy.axes[k].value = axes[k];
    }
    memcpy(perp_joint_axes_of(world->start, world->joint_count), axes, sizeof axes);
    copy.key = world_names_hash(copy.name);
    world->joints[world->joint_count] = copy;
    world_names_add(world, WORLD_JOINTS, world->joint_count);
    if (index) {
        *index = (int32_t)world->joint_count;
    }
    world->start->joint_count = ++world->joint_count;
    world_joint_axis(world, world->joint_count - 1);
    return PERP_OK;
}
