/* SPDX-License-Identifier: Apache-2.0
 * tests/step/outside.c: a joint and a force that the library does not know, each made of
 * public headers alone and passed by pointer, at work in steps. outside_shape.c has a shape. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "world_run.h"

/* -- a joint: a point of j in a plane of i ------------------------------------------------
 *
 *     phi = n.(p_i - p_j),  J = (n, rho_i x n + n x gap, -n, -(rho_j x n)),  gap = p_i - p_j
 *
 * with n = R_i s. Its free axis is how far that point is along t, across n. */

static void cross(const double a[3], const double b[3], double c[3])
{
    const double x = a[1] * b[2] - a[2] * b[1];
    const double y = a[2] * b[0] - a[0] * b[2];

    c[2] = a[0] * b[1] - a[1] * b[0];
    c[0] = x;
    c[1] = y;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The row of sign d.(p_i - p_j) for a direction d that body i carries. */
static void slot_row(const perp_joint *joint, const perp_state *state, const double d[3],
                     double sign, perp_row *row)
{
    const double *s_i = perp_body_pose(state, (size_t)joint->i);
    const double *s_j = perp_body_pose(state, (size_t)joint->j);
    double p_i[3], p_j[3], rho_j[3], arm[3];

    perp_joint_anchors(joint, state, p_i, p_j);
    for (int k = 0; k < 3; k++) {
        arm[k] = p_j[k] - s_i[k]; /* rho_i - gap */
        rho_j[k] = p_j[k] - s_j[k];
        row->J[k] = sign * d[k];
        row->J[6 + k] = -sign * d[k];
    }
    cross(arm, row->J, row->J + 3);
    cross(row->J, rho_j, row->J + 9);
    row->phi = 0.0;
    for (int k = 0; k < 3; k++) {
        row->phi += sign * d[k] * (p_i[k] - p_j[k]);
    }
}

static unsigned slot_write(const perp_joint *joint, const perp_world *world,
                           const perp_state *state, perp_row rows[PERP_JOINT_ROWS])
{
    double n[3];

    (void)world;
    perp_quat_rotate(perp_body_pose(state, (size_t)joint->i) + 3, joint->axis_i, n);
    slot_row(joint, state, n, 1.0, rows);
    return 1;
}

static bool slot_coordinate(const perp_joint *joint, const perp_world *world,
                            const perp_state *state, unsigned k, perp_row *row)
{
    double t[3], other[3];

    (void)world;
    (void)k;
    perp_tangents(joint->axis_i, t, other);
    perp_quat_rotate(perp_body_pose(state, (size_t)joint->i) + 3, t, t);
    slot_row(joint, state, t, -1.0, row);
    return true;
}

static const perp_joint_type slot = {
    .name = "slot",
    .summary = "a point of j in a plane of i",
    .needs = PERP_JOINT_ANCHORS | PERP_JOINT_AXIS_I,
    .rows = 1,
    .axes = 1,
    .axis_unit = {PERP_AXIS_LENGTH},
    .row_name = {"across"},
    .write = slot_write,
    .coordinate = slot_coordinate,
};

/* Two points together, the rows of space in any world. */
static unsigned pin_write(const perp_joint *joint, const perp_world *world,
                          const perp_state *state, perp_row rows[PERP_JOINT_ROWS])
{
    static const double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

    (void)world;
    for (int k = 0; k < 3; k++) {
        slot_row(joint, state, e[k], 1.0, &rows[k]);
    }
    return 3;
}

static const perp_joint_type pin = {
    .name = "pin",
    .summary = "two points together",
    .needs = PERP_JOINT_ANCHORS,
    .rows = 3,
    .row_name = {"x", "y", "z"},
    .write = pin_write,
};

static perp_joint *put_joint(perp_world *world, const perp_joint_type *type, int32_t i,
                             int32_t j, const double at[3], const double along[3])
{
    perp_joint joint = {.type = type, .name = "mine", .i = i, .j = j};
    perp_error err = {0};
    int32_t k = -1;

    if (perp_joint_attach(&joint, world, world->start, at, along, NULL, &err) !=
            PERP_OK ||
        perp_world_add_joint(world, &joint, &k, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("joint");
    }
    return &world->joints[k];
}

/* A bead on a plane of 30 degrees: x'' = g sin 30, until the limit of the axis at 1 m. With
 * semi-implicit Euler x = a dt^2 n (n + 1)/2 after n steps. */
TEST(a_joint_of_the_users_own_slides_and_stops_at_a_limit)
{
    const double dt = 0.01, g = 9.81, a = 0.5 * g, root = sqrt(0.75);
    const double normal[3] = {0.5, 0.0, root}, down[3] = {root, 0.0, -0.5};
    perp_world *world = test_world(3, g);
    perp_scheme scheme = run_scheme(dt);
    double t1[3], t2[3], along[3];
    perp_joint *joint = NULL;
    double sign = 0.0;
    run r;

    run_ground(world);
    world->shape_count = 0; /* the bead meets nothing */
    test_ball(world, "bead", 2.0, 0.1, 0.0, 0.0, 5.0);
    joint = put_joint(world, &slot, 0, 1, (const double[3]){0, 0, 5}, normal);
    perp_tangents(joint->axis_i, t1, t2);
    memcpy(along, t1, sizeof along);
    sign = dot(along, down);
    joint->axes[0].has_lower = joint->axes[0].has_upper = true;
    joint->axes[0].lower = -1.0;
    joint->axes[0].upper = 1.0;
    r = run_begin(world, &scheme, "nsgs+newton tolerance=1e-13", true);
    run_steps(&r, 20);
    CU_ASSERT(fabs(sign) > 0.9);
    {
        const double *x = perp_body_pose(world->start, 1);
        const double s = a * dt * dt * 20.0 * 21.0 / 2.0;

        CU_ASSERT_DOUBLE_EQUAL(x[0], s * down[0], 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(x[2], 5.0 + s * down[2], 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(perp_joint_axes_of(world->start, 0)[0], sign * s, 1e-9);
    }
    run_steps(&r, 200);
    CU_ASSERT_DOUBLE_EQUAL(fabs(perp_joint_axes_of(world->start, 0)[0]), 1.0, 1e-3);
    CU_ASSERT(r.report.speed < 1e-9);
}

/* In two dimensions the third row goes, without a word of the type. */
TEST(rows_that_the_plane_does_not_have_are_taken_away)
{
    perp_world *world = test_world(2, 9.81);
    perp_scheme scheme = run_scheme(0.01);
    perp_body post = {.name = "post", .motion = PERP_MOTION_STATIC};
    double length = 0.0, angle = 0.0;
    run r;

    OK(perp_world_add_body(world, &post, NULL, NULL));
    test_ball(world, "bob", 1.0, 0.1, 1.0, 0.0, 0.0);
    put_joint(world, &pin, 0, 1, (const double[3]){0, 0, 0}, NULL);
    r = run_begin(world, &scheme, "lemke", true);
    run_steps(&r, 10);
    CU_ASSERT_EQUAL(r.report.rows, 2);
    perp_joint_drift(&world->joints[0], world, world->start, &length, &angle);
    CU_ASSERT(length < 1e-2);
    CU_ASSERT(r.report.speed > 0.5);
}

/* What a type says of itself is checked as it is of those of the registry. */
TEST(a_joint_of_the_users_own_is_checked_by_its_fields)
{
    const double z[3] = {0, 0, 1}, back[3] = {0, 0, -1}, x[3] = {1, 0, 0};
    perp_joint_type type = pin;
    perp_joint joint = {.type = &type, .name = "mine", .i = 0, .j = 1};
    perp_world *world = test_world(3, 0.0);
    perp_error err = {0};

    test_ball(world, "a", 1.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(world, "b", 1.0, 0.1, 1.0, 0.0, 0.0);
    type.needs = PERP_JOINT_AXIS_I | PERP_JOINT_AXIS_J | PERP_JOINT_ANGLE;
    memcpy(joint.axis_i, z, sizeof z);
    memcpy(joint.axis_j, back, sizeof back);
    joint.theta = -1.0;
    CU_ASSERT_EQUAL(perp_world_add_joint(world, &joint, NULL, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "theta is -1, expected an angle in"));
    type.theta_range = PERP_THETA_TURN;
    type.must_face = true;
    err = (perp_error){0};
    CU_ASSERT_EQUAL(perp_world_add_joint(world, &joint, NULL, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(err.text, "the cosine between the axes at the start is -1"));
    type.must_face = false;
    type.axes_apart = true;
    err = (perp_error){0};
    CU_ASSERT_EQUAL(perp_world_add_joint(world, &joint, NULL, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "the two axes are parallel at the start"));
    OK(perp_joint_attach(&joint, world, world->start, NULL, z, x, NULL));
    CU_ASSERT_DOUBLE_EQUAL(joint.theta, acos(0.0), 1e-15);
    OK(perp_world_add_joint(world, &joint, NULL, NULL));
}

/* -- a force: k/d^2 between two bodies, towards each other ------------------------------- */

static void magnet_apply(const perp_force *force, const perp_world *world,
                         const perp_state *state, double *f)
{
    const double *r_i = perp_body_pose(state, (size_t)force->i);
    const double *r_j = perp_body_pose(state, (size_t)force->j);
    const double d[3] = {r_j[0] - r_i[0], r_j[1] - r_i[1], r_j[2] - r_i[2]};
    const double length = sqrt(dot(d, d));

    (void)world;
    for (int k = 0; k < 3; k++) {
        const double pull = force->value[0] / (length * length * length) * d[k];

        f[6 * force->i + k] += pull;
        f[6 * force->j + k] -= pull;
    }
}

static double magnet_energy(const perp_force *force, const perp_world *world,
                            const perp_state *state)
{
    const double *r_i = perp_body_pose(state, (size_t)force->i);
    const double *r_j = perp_body_pose(state, (size_t)force->j);
    const double d[3] = {r_j[0] - r_i[0], r_j[1] - r_i[1], r_j[2] - r_i[2]};

    (void)world;
    return -force->value[0] / sqrt(dot(d, d));
}

static const char *const magnet_parameters[] = {"strength [N m^2]", NULL};
static const perp_force_type magnet = {
    .name = "magnet",
    .summary = "attraction by the square of the distance",
    .apply = magnet_apply,
    .energy = magnet_energy,
    .parameters = magnet_parameters,
};

/* Two bodies on a circle about each other, w^2 = k (1/m + 1/m)/d^3: a turn, and energy kept;
 * run_steps closes the ledger. */
TEST(a_force_of_the_users_own_keeps_two_bodies_on_a_circle)
{
    const double k = 2.0, m = 1.0, d = 1.0, w = sqrt(2.0 * k / (m * d * d * d));
    const size_t steps = 4000;
    perp_scheme scheme = run_scheme(2.0 * acos(-1.0) / w / (double)steps);
    perp_force force = {.type = &magnet, .name = "pull", .i = 0, .j = 1, .value = {k}};
    perp_world *world = test_world(3, 0.0);
    double energy = 0.0;
    run r;

    test_ball(world, "a", m, 0.1, -0.5 * d, 0.0, 0.0);
    test_ball(world, "b", m, 0.1, 0.5 * d, 0.0, 0.0);
    perp_body_velocity(world->start, 0)[1] = -0.5 * w * d;
    perp_body_velocity(world->start, 1)[1] = 0.5 * w * d;
    OK(perp_world_add_force(world, &force, NULL));
    CU_ASSERT_TRUE(perp_force_is_conservative(&world->forces[0]));
    energy =
        perp_world_kinetic(world, world->start) + perp_world_stored(world, world->start);
    CU_ASSERT_DOUBLE_EQUAL(energy, 0.25 * m * w * w * d * d - k / d, 1e-12);
    r = run_begin(world, &scheme, "lemke", true);
    run_steps(&r, steps);
    /* symplectic Euler: of first order, the phase of second */
    CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(world->start, 1)[0], 0.5 * d, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(world->start, 1)[1], 0.0, 5e-3);
    CU_ASSERT_DOUBLE_EQUAL(r.report.kinetic + r.report.stored, energy, 1e-3);
}
