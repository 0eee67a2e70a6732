/* SPDX-License-Identifier: Apache-2.0
 * tests/joints/bad_joints.c: joints that are refused, and the messages. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "jointed_pair.h"
#include "scarce.h"

/* Bodies: 0 and 1 dynamic, 2 and 3 static, and a joint "first" already there. */
static perp_world *open_world(unsigned dimension)
{
    perp_world *world = test_world(dimension, 0.0);
    perp_random g = {21};
    perp_joint joint;

    test_ball(world, "a", 1.0, 0.5, 0.0, 0.0, 0.0);
    test_ball(world, "b", 2.0, 0.5, 1.0, 0.5, 0.0);
    test_ball(world, "floor", 0.0, 1.0, 0.0, -2.0, 0.0);
    test_ball(world, "wall", 0.0, 1.0, 3.0, 0.0, 0.0);
    pair_joint(&joint, &joint_spherical, world, &g);
    snprintf(joint.name, sizeof joint.name, "first");
    OK(perp_world_add_joint(world, &joint, NULL, NULL));
    return world;
}

/* A sound joint "it" of a type. */
static perp_joint sound_joint(const perp_joint_type *type, const perp_world *world)
{
    perp_random g = {22};
    perp_joint joint;

    pair_joint(&joint, type, world, &g);
    snprintf(joint.name, sizeof joint.name, "it");
    if (type->needs & PERP_JOINT_LENGTH) {
        joint.length = 0.5;
    }
    return joint;
}

static void check_refused(perp_world *world, const perp_joint *joint, const char *text)
{
    const char *prefix = strncmp(text, "joint", 5) == 0 ? "" : "joint \"it\": ";
    perp_error err = {0};
    char expected[200];
    int32_t index = -7;

    snprintf(expected, sizeof expected, "%s%s", prefix, text);
    CU_ASSERT_EQUAL(perp_world_add_joint(world, joint, &index, &err), PERP_ERR_DATA);
    if (strcmp(err.text, expected) != 0) {
        test_note("found \"%s\", expected \"%s\"", err.text, expected);
    }
    CU_ASSERT_STRING_EQUAL(err.text, expected);
    CU_ASSERT_EQUAL(world->joint_count, 1);
    CU_ASSERT_EQUAL(index, -7);
}

/* One thing wrong with the sound joint j, and what is said after `joint "it": `. */
#define REFUSED(type, dimension, spoil, text)                                            \
    do {                                                                                 \
        perp_world *world = open_world(dimension);                                       \
        perp_joint j = sound_joint(&joint_##type, world);                                \
        spoil;                                                                           \
        check_refused(world, &j, text);                                                  \
    } while (0)
/* Of axis 0 of a revolute joint. */
#define AXIS(spoil, text) REFUSED(revolute, 3, j.axes[0].spoil, text)
#define NO_AXIS(type, dimension, axis, spoil)                                            \
    REFUSED(type, dimension, j.axes[axis].spoil,                                         \
            "axis " #axis " has a limit, motor, spring or armature, but a " #type        \
            " joint has no such free axis in " #dimension " dimensions")

TEST(joints_without_name_type_or_bodies_are_refused)
{
    REFUSED(revolute, 3, j.name[0] = '\0', "joint: no name");
    REFUSED(revolute, 3, memset(j.name, 'x', sizeof j.name),
            "joint \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\": name is longer "
            "than 47 bytes or not terminated");
    REFUSED(revolute, 3, strcpy(j.name, "first"),
            "joint \"first\": another joint has this name");
    REFUSED(revolute, 3, j.type = NULL, "no type");
    REFUSED(revolute, 3, j.i = 4, "body i is number 4, expected one of 4 bodies, from 0");
    REFUSED(revolute, 3, j.j = -1,
            "body j is number -1, expected one of 4 bodies, from 0");
    REFUSED(revolute, 3, j.j = 0,
            "joins body \"a\" with itself, expected two different bodies");
    REFUSED(spherical, 3, j.i = 2;
            j.j = 3,
            "neither body \"floor\" nor \"wall\" is dynamic, expected at least one");
    REFUSED(user, 3, j.call = NULL, "no function, expected one for C and its row");
}

TEST(joints_of_bad_geometry_are_refused)
{
    REFUSED(revolute, 3, j.anchor_i[1] = NAN, "anchor on body i is not finite");
    REFUSED(revolute, 3, j.anchor_j[1] = INFINITY, "anchor on body j is not finite");
    REFUSED(revolute, 3, j.axis_i[0] = NAN, "axis on body i is not finite");
    REFUSED(prismatic, 3, j.rest_i[2] = NAN, "rest offset is not finite");
    REFUSED(prismatic, 3, j.q_rest[2] = NAN, "rest orientation is not finite");
    REFUSED(wheel, 3, j.theta = NAN, "theta is not finite");
    REFUSED(rope, 3, j.length = NAN, "length is not finite");
    REFUSED(revolute, 3, memset(j.axis_i, 0, sizeof j.axis_i),
            "length of the axis on body i is 0, expected 1 (within 1e-6)");
    REFUSED(revolute, 3, vec3_scale(1.00001, j.axis_j, j.axis_j),
            "length of the axis on body j is 1.00001, expected 1 (within 1e-6)");
    REFUSED(fixed, 3, j.q_rest[0] = j.q_rest[1] = 1.0,
            "the length of the rest orientation is 1.41421, expected 1 (within 1e-6)");
    REFUSED(revolute, 3, vec3_scale(-1.0, j.axis_j, j.axis_j),
            "the cosine between the axes at the start is -1, expected a positive number: "
            "the same direction");
    REFUSED(wheel, 3, vec3_copy(j.axis_j, j.axis_i),
            "the two axes are parallel at the start, expected an angle between them");
    REFUSED(universal, 3, vec3_copy(j.axis_j, j.axis_i),
            "the two axes are parallel at the start, expected an angle between them");
    REFUSED(wheel, 3, j.theta = 0.0, "theta is 0, expected an angle in (0, pi) [rad]");
    REFUSED(wheel, 3, j.theta = 3.14159265358979323846,
            "theta is 3.14159, expected an angle in (0, pi) [rad]");
    REFUSED(cone, 3, j.theta = 0.0, "theta is 0, expected an angle in (0, pi) [rad]");
    REFUSED(angle, 3, j.theta = 4.0, "theta is 4, expected an angle in (-pi, pi] [rad]");
    REFUSED(rope, 3, j.length = 0.0, "length is 0, expected a positive number [m]");
    REFUSED(rod, 3, j.length = -1.5, "length is -1.5, expected a positive number [m]");
    REFUSED(cylindrical, 3, vec3_scale(-1.0, j.axis_j, j.axis_j),
            "the cosine between the axes at the start is -1, expected a positive number: "
            "the same direction");
    REFUSED(planar, 3, vec3_scale(-1.0, j.axis_j, j.axis_j),
            "the cosine between the axes at the start is -1, expected a positive number: "
            "the same direction");
}

TEST(bad_corrections_and_stiffness_of_joints_are_refused)
{
    REFUSED(revolute, 3, j.erp = NAN, "erp is not finite");
    REFUSED(revolute, 3, j.cfm = NAN, "cfm is not finite");
    REFUSED(revolute, 3, j.stiffness = NAN, "stiffness is not finite");
    REFUSED(revolute, 3, j.damping = NAN, "damping is not finite");
    REFUSED(revolute, 3, j.erp = 2.0,
            "erp is 2, expected 0 (that of the scheme) .. 1, or PERP_ERP_NONE");
    REFUSED(revolute, 3, j.erp = -1.0,
            "erp is -1, expected 0 (that of the scheme) .. 1, or PERP_ERP_NONE");
    REFUSED(revolute, 3, j.cfm = -0.1, "cfm is -0.1, expected a number >= 0");
    REFUSED(revolute, 3, j.stiffness = -1.0, "stiffness is -1, expected a number >= 0");
    REFUSED(revolute, 3, j.damping = -2.0, "damping is -2, expected a number >= 0");
    REFUSED(revolute, 3, j.angular_cfm = NAN, "angular cfm is not finite");
    REFUSED(revolute, 3, j.angular_cfm = -1.0,
            "angular cfm is -1, expected a number >= 0");
    REFUSED(revolute, 3, j.angular_stiffness = -1.0,
            "angular stiffness is -1, expected a number >= 0");
    REFUSED(revolute, 3, j.angular_damping = -2.0,
            "angular damping is -2, expected a number >= 0");
    REFUSED(angle, 3, j.damping = 2.0,
            "damping is 2, but all rows of type angle in 3 dimensions are angles, "
            "expected angular damping");
    REFUSED(spherical, 3, j.angular_stiffness = 2.0,
            "angular stiffness is 2, but all rows of type spherical in 3 dimensions are "
            "lengths, expected stiffness");
}

TEST(bad_limits_motors_and_springs_of_an_axis_are_refused)
{
    REFUSED(revolute, 3, j.axes[0].has_lower = j.axes[0].has_upper = true;
            j.axes[0].lower = 0.5;
            j.axes[0].upper = 0.25,
            "lower limit 0.5 of axis 0 is above the upper limit 0.25");
    AXIS(lower = NAN, "lower limit of axis 0 is nan, expected a finite number");
    AXIS(upper = INFINITY, "upper limit of axis 0 is inf, expected a finite number");
    AXIS(restitution = 1.5, "restitution of axis 0 is 1.5, expected 0 .. 1");
    AXIS(restitution = -0.5, "restitution of axis 0 is -0.5, expected 0 .. 1");
    AXIS(target = NAN, "target of axis 0 is nan, expected a finite number");
    AXIS(max_force = -3.0, "largest force of axis 0 is -3, expected a number >= 0");
    AXIS(max_force = NAN, "largest force of axis 0 is nan, expected a number >= 0");
    AXIS(max_rate = -3.0, "largest rate of axis 0 is -3, expected a number >= 0");
    AXIS(stiffness = -3.0, "stiffness of axis 0 is -3, expected a number >= 0");
    AXIS(damping = -3.0, "damping of axis 0 is -3, expected a number >= 0");
    AXIS(limit_cfm = -1.0, "cfm of the limits of axis 0 is -1, expected a number >= 0");
    AXIS(motor_cfm = INFINITY,
         "cfm of the motor of axis 0 is inf, expected a number >= 0");
    NO_AXIS(fixed, 3, 0, motor_cfm = 1.0);
    AXIS(armature = -3.0, "armature of axis 0 is -3, expected a number >= 0");
    NO_AXIS(fixed, 3, 0, armature = 3.0);
    AXIS(rest = NAN, "rest value of axis 0 is nan, expected a finite number");
    AXIS(value = NAN, "value of axis 0 is nan, expected a finite number");
    NO_AXIS(revolute, 3, 1, motor = PERP_MOTOR_VELOCITY);
    NO_AXIS(fixed, 3, 0, has_lower = true);
}

TEST(joints_out_of_the_plane_are_refused_in_two_dimensions)
{
    NO_AXIS(spherical, 2, 0, has_lower = true);
    REFUSED(wheel, 2, ,
            "a wheel joint rotates out of the plane, expected another type in two "
            "dimensions");
    REFUSED(universal, 2, ,
            "a universal joint rotates out of the plane, expected another type in two "
            "dimensions");
    REFUSED(spherical, 2, j.anchor_j[2] = 0.5,
            "a component along z of an anchor is 0.5, expected 0 in two dimensions");
    REFUSED(revolute, 2, vec3_set(j.axis_i, 0.6, 0.0, 0.8),
            "axis on body i is (0.6, 0, 0.8), expected (0, 0, 1) or (0, 0, -1) in two "
            "dimensions");
    REFUSED(prismatic, 2, vec3_set(j.axis_i, 0.6, 0.0, 0.8),
            "axis on body i is (0.6, 0, 0.8), expected a direction in the plane in two "
            "dimensions");
    REFUSED(cylindrical, 2, vec3_set(j.axis_i, 0.6, 0.0, 0.8),
            "axis on body i is (0.6, 0, 0.8), expected a direction in the plane in two "
            "dimensions");
    REFUSED(planar, 2, vec3_set(j.axis_i, 0.6, 0.0, 0.8),
            "axis on body i is (0.6, 0, 0.8), expected (0, 0, 1) or (0, 0, -1) in two "
            "dimensions");
    NO_AXIS(cylindrical, 2, 0, has_lower = true);
}

TEST(sound_joints_of_all_types_are_taken_and_found)
{
    size_t count = 0;
    const perp_joint_type *const *types = perp_joint_types(&count);

    for (unsigned dimension = 2; dimension <= 3; dimension++) {
        perp_world *world = open_world(dimension);
        int32_t expected = 1;

        for (size_t t = 0; t < count; t++) {
            perp_joint joint;
            perp_error err = {0};
            int32_t index = -1;

            if (dimension == 2 && !pair_in_plane(types[t])) {
                continue;
            }
            joint = sound_joint(types[t], world);
            snprintf(joint.name, sizeof joint.name, "%s", types[t]->name);
            if (perp_world_add_joint(world, &joint, &index, &err) != PERP_OK) {
                test_note("%s", err.text);
            }
            CU_ASSERT_EQUAL(index, expected);
            CU_ASSERT_EQUAL(perp_world_find_joint(world, types[t]->name), index);
            expected++;
        }
        CU_ASSERT_EQUAL(world->joint_count, (size_t)expected);
        CU_ASSERT_EQUAL(perp_world_find_joint(world, "none"), -1);
    }
}

/* Within 1e-6 an axis is made unit; no rest orientation stands for none turned; the
 * coordinate starts at what it is, and an infinite force is one. */
TEST(axes_are_normalized_and_coordinates_start_at_their_value)
{
    perp_world *world = open_world(3);
    perp_joint joint;
    const perp_joint *added = NULL;

    joint = sound_joint(&joint_revolute, world);
    vec3_scale(1.0 + 5e-7, joint.axis_i, joint.axis_i);
    memset(joint.q_rest, 0, sizeof joint.q_rest);
    joint.axes[0].motor = PERP_MOTOR_VELOCITY;
    joint.axes[0].max_force = INFINITY;
    joint.axes[0].has_lower = joint.axes[0].has_upper = true;
    pair_turn(world, 1, perp_body_pose(world->start, 1), joint.axis_j, 0.5);
    OK(perp_world_add_joint(world, &joint, NULL, NULL));
    added = &world->joints[1];
    CU_ASSERT_DOUBLE_EQUAL(vec3_length(added->axis_i), 1.0, 1e-15);
    CU_ASSERT_EQUAL(added->q_rest[0], 1.0);
    CU_ASSERT_DOUBLE_EQUAL(added->axes[0].value, 0.5, 1e-14);
}

TEST(joints_at_bad_points_or_axes_cannot_be_attached)
{
    static const double zero[3] = {0};
    static const double lost[3] = {0, NAN, 0};
    static const double along[3] = {0, 2, 0};
    const struct attempt {
        const double *at, *along_i, *along_j;
        int32_t j;
        const char *text; /* NULL: none */
    } attempts[] = {
        {zero, zero, NULL, 1,
         "joint \"it\": axis on body i has length zero, expected a direction"},
        {zero, along, zero, 1,
         "joint \"it\": axis on body j has length zero, expected a direction"},
        {zero, NULL, NULL, 1,
         "joint \"it\": axis on body i has length zero, expected a direction"},
        {zero, along, lost, 1, "joint \"it\": axis on body j is not finite"},
        {lost, along, NULL, 1, "joint \"it\": its point is not finite"},
        {zero, along, NULL, 0,
         "joint \"it\": joins body \"a\" with itself, expected two different bodies"},
        {zero, along, NULL, 9,
         "joint \"it\": body j is number 9, expected one of 4 bodies, from 0"},
        {zero, along, NULL, 1, NULL},
    };
    perp_world *world = open_world(3);
    perp_joint none = {.name = "it", .j = 1};
    perp_error err = {0};

    for (size_t k = 0; k < sizeof attempts / sizeof *attempts; k++) {
        perp_joint joint = {.type = &joint_revolute, .name = "it", .j = attempts[k].j};
        perp_status status;

        perp_error_clear(&err);
        status = perp_joint_attach(&joint, world, world->start, attempts[k].at,
                                   attempts[k].along_i, attempts[k].along_j, &err);
        CU_ASSERT_EQUAL(status, attempts[k].text ? PERP_ERR_DATA : PERP_OK);
        CU_ASSERT_STRING_EQUAL(err.text, attempts[k].text ? attempts[k].text : "");
    }
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_joint_attach(&none, world, world->start, zero, NULL, NULL, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "joint \"it\": no type");
}

/* Twenty joints: more than the room that the first one made. */
static perp_status add_twenty(void *context, perp_error *err)
{
    perp_world *world = context;
    perp_status status = PERP_OK;

    world_cut(world, world->body_count, world->shape_count, 0);
    for (int n = 0; n < 20 && status == PERP_OK; n++) {
        perp_joint joint;

        joint = sound_joint(&joint_revolute, world);
        snprintf(joint.name, sizeof joint.name, "hinge %d", n);
        status = perp_world_add_joint(world, &joint, NULL, err);
        CU_ASSERT_EQUAL(world->joint_count, (size_t)n + (status == PERP_OK ? 1 : 0));
    }
    return status;
}

TEST(adding_joints_survives_failing_memory)
{
    perp_world *world = open_world(3);

    scarce_everywhere(add_twenty, world, "joints");
    CU_ASSERT_EQUAL(world->joint_count, 20);
}
