/* SPDX-License-Identifier: Apache-2.0
 * tests/joints/bad_joints.c: what a joint can get wrong, and what is said of it. */
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

/* One thing wrong with a sound joint "it" of some type, and what is said. */
typedef struct fault {
    const perp_joint_type *type;
    void (*spoil)(perp_joint *joint);
    const char *text;
    unsigned dimension; /* 0: 3 */
} fault;

#define SPOIL(name, ...)                                                                 \
    static void name(perp_joint *j)                                                      \
    {                                                                                    \
        __VA_ARGS__;                                                                     \
    }

SPOIL(no_name, j->name[0] = '\0')
SPOIL(endless_name, memset(j->name, 'x', sizeof j->name))
SPOIL(same_name, strcpy(j->name, "first"))
SPOIL(no_type, j->type = NULL)
SPOIL(unknown_i, j->i = 4)
SPOIL(unknown_j, j->j = -1)
SPOIL(itself, j->j = 0)
SPOIL(both_static, j->i = 2; j->j = 3)
SPOIL(anchor_nan, j->anchor_i[1] = NAN)
SPOIL(anchor_j_infinite, j->anchor_j[1] = INFINITY)
SPOIL(axis_nan, j->axis_i[0] = NAN)
SPOIL(rest_nan, j->rest_i[2] = NAN)
SPOIL(q_rest_nan, j->q_rest[2] = NAN)
SPOIL(theta_nan, j->theta = NAN)
SPOIL(length_nan, j->length = NAN)
SPOIL(erp_nan, j->erp = NAN)
SPOIL(cfm_nan, j->cfm = NAN)
SPOIL(stiffness_nan, j->stiffness = NAN)
SPOIL(damping_nan, j->damping = NAN)
SPOIL(axis_zero, memset(j->axis_i, 0, sizeof j->axis_i))
SPOIL(axis_long, vec3_scale(1.00001, j->axis_j, j->axis_j))
SPOIL(q_rest_long, j->q_rest[0] = j->q_rest[1] = 1.0)
SPOIL(opposite, vec3_scale(-1.0, j->axis_j, j->axis_j))
SPOIL(parallel, vec3_copy(j->axis_j, j->axis_i))
SPOIL(theta_zero, j->theta = 0.0)
SPOIL(theta_pi, j->theta = 3.14159265358979323846)
SPOIL(theta_four, j->theta = 4.0)
SPOIL(length_zero, j->length = 0.0)
SPOIL(length_negative, j->length = -1.5)
SPOIL(no_call, j->call = NULL)
SPOIL(erp_two, j->erp = 2.0)
SPOIL(erp_negative, j->erp = -1.0)
SPOIL(cfm_negative, j->cfm = -0.1)
SPOIL(stiffness_negative, j->stiffness = -1.0)
SPOIL(damping_negative, j->damping = -2.0)
SPOIL(angular_cfm_nan, j->angular_cfm = NAN)
SPOIL(angular_cfm_negative, j->angular_cfm = -1.0)
SPOIL(angular_stiffness_negative, j->angular_stiffness = -1.0)
SPOIL(angular_damping_negative, j->angular_damping = -2.0)
SPOIL(soft_lengths, j->damping = 2.0)
SPOIL(soft_angles, j->angular_stiffness = 2.0)
SPOIL(crossed_limits, j->axes[0].has_lower = j->axes[0].has_upper = true;
      j->axes[0].lower = 0.5; j->axes[0].upper = 0.25)
SPOIL(lower_nan, j->axes[0].lower = NAN)
SPOIL(upper_infinite, j->axes[0].upper = INFINITY)
SPOIL(bouncy, j->axes[0].restitution = 1.5)
SPOIL(restitution_negative, j->axes[0].restitution = -0.5)
SPOIL(target_nan, j->axes[0].target = NAN)
SPOIL(force_negative, j->axes[0].max_force = -3.0)
SPOIL(force_nan, j->axes[0].max_force = NAN)
SPOIL(rate_negative, j->axes[0].max_rate = -3.0)
SPOIL(axis_stiffness_negative, j->axes[0].stiffness = -3.0)
SPOIL(axis_damping_negative, j->axes[0].damping = -3.0)
SPOIL(limit_cfm_negative, j->axes[0].limit_cfm = -1.0)
SPOIL(motor_cfm_infinite, j->axes[0].motor_cfm = INFINITY)
SPOIL(motor_cfm_on_no_axis, j->axes[0].motor_cfm = 1.0)
SPOIL(armature_negative, j->axes[0].armature = -3.0)
SPOIL(armature_on_no_axis, j->axes[0].armature = 3.0)
SPOIL(axis_rest_nan, j->axes[0].rest = NAN)
SPOIL(value_nan, j->axes[0].value = NAN)
SPOIL(second_axis, j->axes[1].motor = PERP_MOTOR_VELOCITY)
SPOIL(first_axis, j->axes[0].has_lower = true)
SPOIL(out_of_plane, j->anchor_j[2] = 0.5)
SPOIL(tilted, vec3_set(j->axis_i, 0.6, 0.0, 0.8))
SPOIL(rising, vec3_set(j->axis_i, 0.6, 0.0, 0.8))
SPOIL(nothing, (void)j)

static const fault faults[] = {
    {&joint_revolute, no_name, "joint: no name", 3},
    {&joint_revolute, endless_name,
     "joint \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\": name is longer than 47 "
     "bytes or not "
     "terminated",
     3},
    {&joint_revolute, same_name, "joint \"first\": another joint has this name", 3},
    {&joint_revolute, no_type, "joint \"it\": no type", 3},
    {&joint_revolute, unknown_i,
     "joint \"it\": body i is number 4, expected one of 4 bodies, from 0", 3},
    {&joint_revolute, unknown_j,
     "joint \"it\": body j is number -1, expected one of 4 bodies, from 0", 3},
    {&joint_revolute, itself,
     "joint \"it\": joins body \"a\" with itself, expected two different bodies", 3},
    {&joint_spherical, both_static,
     "joint \"it\": neither body \"floor\" nor \"wall\" is dynamic, expected at least "
     "one",
     3},
    {&joint_revolute, anchor_nan, "joint \"it\": anchor on body i is not finite", 3},
    {&joint_revolute, anchor_j_infinite, "joint \"it\": anchor on body j is not finite",
     3},
    {&joint_revolute, axis_nan, "joint \"it\": axis on body i is not finite", 3},
    {&joint_prismatic, rest_nan, "joint \"it\": rest offset is not finite", 3},
    {&joint_prismatic, q_rest_nan, "joint \"it\": rest orientation is not finite", 3},
    {&joint_wheel, theta_nan, "joint \"it\": theta is not finite", 3},
    {&joint_rope, length_nan, "joint \"it\": length is not finite", 3},
    {&joint_revolute, erp_nan, "joint \"it\": erp is not finite", 3},
    {&joint_revolute, cfm_nan, "joint \"it\": cfm is not finite", 3},
    {&joint_revolute, stiffness_nan, "joint \"it\": stiffness is not finite", 3},
    {&joint_revolute, damping_nan, "joint \"it\": damping is not finite", 3},
    {&joint_revolute, axis_zero,
     "joint \"it\": length of the axis on body i is 0, expected 1 (within 1e-6)", 3},
    {&joint_revolute, axis_long,
     "joint \"it\": length of the axis on body j is 1.00001, expected 1 (within 1e-6)",
     3},
    {&joint_fixed, q_rest_long,
     "joint \"it\": the length of the rest orientation is 1.41421, expected 1 (within "
     "1e-6)",
     3},
    {&joint_revolute, opposite,
     "joint \"it\": the cosine between the axes at the start is -1, expected a positive "
     "number: the same direction",
     3},
    {&joint_wheel, parallel,
     "joint \"it\": the two axes are parallel at the start, expected an angle between "
     "them",
     3},
    {&joint_universal, parallel,
     "joint \"it\": the two axes are parallel at the start, expected an angle between "
     "them",
     3},
    {&joint_wheel, theta_zero,
     "joint \"it\": theta is 0, expected an angle in (0, pi) [rad]", 3},
    {&joint_wheel, theta_pi,
     "joint \"it\": theta is 3.14159, expected an angle in (0, pi) [rad]", 3},
    {&joint_cone, theta_zero,
     "joint \"it\": theta is 0, expected an angle in (0, pi) [rad]", 3},
    {&joint_angle, theta_four,
     "joint \"it\": theta is 4, expected an angle in (-pi, pi] [rad]", 3},
    {&joint_rope, length_zero,
     "joint \"it\": length is 0, expected a positive number [m]", 3},
    {&joint_rod, length_negative,
     "joint \"it\": length is -1.5, expected a positive number [m]", 3},
    {&joint_user, no_call, "joint \"it\": no function, expected one for C and its row",
     3},
    {&joint_revolute, erp_two,
     "joint \"it\": erp is 2, expected 0 (that of the scheme) .. 1, or PERP_ERP_NONE", 3},
    {&joint_revolute, erp_negative,
     "joint \"it\": erp is -1, expected 0 (that of the scheme) .. 1, or PERP_ERP_NONE",
     3},
    {&joint_revolute, cfm_negative, "joint \"it\": cfm is -0.1, expected a number >= 0",
     3},
    {&joint_revolute, stiffness_negative,
     "joint \"it\": stiffness is -1, expected a number >= 0", 3},
    {&joint_revolute, damping_negative,
     "joint \"it\": damping is -2, expected a number >= 0", 3},
    {&joint_revolute, angular_cfm_nan, "joint \"it\": angular cfm is not finite", 3},
    {&joint_revolute, angular_cfm_negative,
     "joint \"it\": angular cfm is -1, expected a number >= 0", 3},
    {&joint_revolute, angular_stiffness_negative,
     "joint \"it\": angular stiffness is -1, expected a number >= 0", 3},
    {&joint_revolute, angular_damping_negative,
     "joint \"it\": angular damping is -2, expected a number >= 0", 3},
    {&joint_angle, soft_lengths,
     "joint \"it\": damping is 2, but all rows of type angle in 3 dimensions are angles, "
     "expected angular damping",
     3},
    {&joint_spherical, soft_angles,
     "joint \"it\": angular stiffness is 2, but all rows of type spherical in 3 "
     "dimensions are lengths, expected stiffness",
     3},
    {&joint_revolute, crossed_limits,
     "joint \"it\": lower limit 0.5 of axis 0 is above the upper limit 0.25", 3},
    {&joint_revolute, lower_nan,
     "joint \"it\": lower limit of axis 0 is nan, expected a finite number", 3},
    {&joint_revolute, upper_infinite,
     "joint \"it\": upper limit of axis 0 is inf, expected a finite number", 3},
    {&joint_revolute, bouncy,
     "joint \"it\": restitution of axis 0 is 1.5, expected 0 .. 1", 3},
    {&joint_revolute, restitution_negative,
     "joint \"it\": restitution of axis 0 is -0.5, expected 0 .. 1", 3},
    {&joint_revolute, target_nan,
     "joint \"it\": target of axis 0 is nan, expected a finite number", 3},
    {&joint_revolute, force_negative,
     "joint \"it\": largest force of axis 0 is -3, expected a number >= 0", 3},
    {&joint_revolute, force_nan,
     "joint \"it\": largest force of axis 0 is nan, expected a number >= 0", 3},
    {&joint_revolute, rate_negative,
     "joint \"it\": largest rate of axis 0 is -3, expected a number >= 0", 3},
    {&joint_revolute, axis_stiffness_negative,
     "joint \"it\": stiffness of axis 0 is -3, expected a number >= 0", 3},
    {&joint_revolute, axis_damping_negative,
     "joint \"it\": damping of axis 0 is -3, expected a number >= 0", 3},
    {&joint_revolute, limit_cfm_negative,
     "joint \"it\": cfm of the limits of axis 0 is -1, expected a number >= 0", 3},
    {&joint_revolute, motor_cfm_infinite,
     "joint \"it\": cfm of the motor of axis 0 is inf, expected a number >= 0", 3},
    {&joint_fixed, motor_cfm_on_no_axis,
     "joint \"it\": axis 0 has a limit, motor, spring or armature, but a fixed joint has "
     "no such free axis in 3 dimensions",
     3},
    {&joint_revolute, armature_negative,
     "joint \"it\": armature of axis 0 is -3, expected a number >= 0", 3},
    {&joint_fixed, armature_on_no_axis,
     "joint \"it\": axis 0 has a limit, motor, spring or armature, but a fixed joint has "
     "no such free axis in 3 dimensions",
     3},
    {&joint_revolute, axis_rest_nan,
     "joint \"it\": rest value of axis 0 is nan, expected a finite number", 3},
    {&joint_revolute, value_nan,
     "joint \"it\": value of axis 0 is nan, expected a finite number", 3},
    {&joint_revolute, second_axis,
     "joint \"it\": axis 1 has a limit, motor, spring or armature, but a revolute joint "
     "has "
     "no such "
     "free axis in 3 dimensions",
     3},
    {&joint_fixed, first_axis,
     "joint \"it\": axis 0 has a limit, motor, spring or armature, but a fixed joint has "
     "no such "
     "free axis in 3 dimensions",
     3},
    {&joint_spherical, first_axis,
     "joint \"it\": axis 0 has a limit, motor, spring or armature, but a spherical joint "
     "has "
     "no such "
     "free axis in 2 dimensions",
     2},
    {&joint_wheel, nothing,
     "joint \"it\": a wheel joint rotates out of the plane, expected another type in two "
     "dimensions",
     2},
    {&joint_universal, nothing,
     "joint \"it\": a universal joint rotates out of the plane, expected another type in "
     "two dimensions",
     2},
    {&joint_spherical, out_of_plane,
     "joint \"it\": a component along z of an anchor is 0.5, expected 0 in two "
     "dimensions",
     2},
    {&joint_revolute, tilted,
     "joint \"it\": axis on body i is (0.6, 0, 0.8), expected (0, 0, 1) or (0, 0, -1) in "
     "two dimensions",
     2},
    {&joint_prismatic, rising,
     "joint \"it\": axis on body i is (0.6, 0, 0.8), expected a direction in the plane "
     "in two dimensions",
     2},
    {&joint_cylindrical, rising,
     "joint \"it\": axis on body i is (0.6, 0, 0.8), expected a direction in the plane "
     "in two dimensions",
     2},
    {&joint_planar, tilted,
     "joint \"it\": axis on body i is (0.6, 0, 0.8), expected (0, 0, 1) or (0, 0, -1) in "
     "two dimensions",
     2},
    {&joint_cylindrical, first_axis,
     "joint \"it\": axis 0 has a limit, motor, spring or armature, but a cylindrical "
     "joint has no such free axis in 2 dimensions",
     2},
    {&joint_cylindrical, opposite,
     "joint \"it\": the cosine between the axes at the start is -1, expected a positive "
     "number: the same direction",
     3},
    {&joint_planar, opposite,
     "joint \"it\": the cosine between the axes at the start is -1, expected a positive "
     "number: the same direction",
     3},
};

static void sound_joint(perp_joint *joint, const perp_joint_type *type,
                        const perp_world *world)
{
    perp_random g = {22};

    pair_joint(joint, type, world, &g);
    snprintf(joint->name, sizeof joint->name, "it");
    if (type->needs & PERP_JOINT_LENGTH) {
        joint->length = 0.5;
    }
}

TEST(each_fault_has_its_message)
{
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        perp_world *world = open_world(faults[k].dimension);
        perp_joint joint;
        perp_error err = {0};
        int32_t index = -7;

        sound_joint(&joint, faults[k].type, world);
        faults[k].spoil(&joint);
        CU_ASSERT_EQUAL(perp_world_add_joint(world, &joint, &index, &err), PERP_ERR_DATA);
        if (strcmp(err.text, faults[k].text) != 0) {
            test_note("found \"%s\", expected \"%s\"", err.text, faults[k].text);
        }
        CU_ASSERT_STRING_EQUAL(err.text, faults[k].text);
        CU_ASSERT_EQUAL(world->joint_count, 1);
        CU_ASSERT_EQUAL(index, -7);
    }
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
            sound_joint(&joint, types[t], world);
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
TEST(what_is_nearly_right_is_put_right)
{
    perp_world *world = open_world(3);
    perp_joint joint;
    const perp_joint *added = NULL;

    sound_joint(&joint, &joint_revolute, world);
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

TEST(attaching_refuses_what_it_cannot_place)
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

        sound_joint(&joint, &joint_revolute, world);
        snprintf(joint.name, sizeof joint.name, "hinge %d", n);
        status = perp_world_add_joint(world, &joint, NULL, err);
        CU_ASSERT_EQUAL(world->joint_count, (size_t)n + (status == PERP_OK ? 1 : 0));
    }
    return status;
}

TEST(missing_memory_is_survived)
{
    perp_world *world = open_world(3);

    scarce_everywhere(add_twenty, world, "joints");
    CU_ASSERT_EQUAL(world->joint_count, 20);
}
