/* SPDX-License-Identifier: Apache-2.0
 * tests/reduced/reduced_forest.c: which joints of a world are eliminated, what keeps its
 * rows, and worlds that cannot be reduced. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <perp/dynamics/rows.h>

#include "random_mechanism.h"
#include "scarce.h"

static int32_t hinge_between(perp_world *world, int32_t i, int32_t j, double x, double y)
{
    static const double z[3] = {0.0, 0.0, 1.0};
    const double at[3] = {x, y, 0.0};
    perp_joint joint = {.type = &joint_revolute, .i = i, .j = j};
    perp_error err = {0};
    int32_t k = -1;

    snprintf(joint.name, sizeof joint.name, "hinge %d-%d", (int)i, (int)j);
    OK(perp_joint_attach(&joint, world, world->start, at, z, NULL, &err));
    OK(perp_world_add_joint(world, &joint, &k, &err));
    return k;
}

/* Crank 1, coupler 2, rocker 3 on the ground 0; a weight 4 on a string of 5 and 6, in
 * the air; 7 alone. */
static perp_world *four_bar(unsigned dimension)
{
    perp_world *world = test_world(dimension, 9.81);

    test_ball(world, "ground", 0.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(world, "crank", 1.0, 0.1, 0.0, 0.5, 0.0);
    test_ball(world, "coupler", 1.0, 0.1, 1.0, 1.0, 0.0);
    test_ball(world, "rocker", 1.0, 0.1, 2.0, 0.5, 0.0);
    test_ball(world, "weight", 1.0, 0.1, 5.0, 3.0, 0.0);
    test_ball(world, "string", 1.0, 0.1, 5.0, 4.0, 0.0);
    test_ball(world, "thread", 1.0, 0.1, 5.0, 5.0, 0.0);
    test_ball(world, "alone", 1.0, 0.1, 9.0, 9.0, 0.0);
    hinge_between(world, 1, 2, 0.0, 1.0);
    hinge_between(world, 2, 3, 2.0, 1.0);
    hinge_between(world, 0, 1, 0.0, 0.0);
    hinge_between(world, 3, 0, 2.0, 0.0);
    hinge_between(world, 5, 4, 5.0, 3.5);
    hinge_between(world, 6, 5, 5.0, 4.5);
    return world;
}

TEST(a_loop_keeps_one_joint_and_trees_stand_side_by_side)
{
    for (unsigned dimension = 2; dimension <= 3; dimension++) {
        perp_world *world = four_bar(dimension);
        const perp_articulation *tree = mechanism_reduce(world, NULL);
        const perp_reduced *r = world->reduced;

        /* from the ground both ways, the crank first: the coupler hangs on it */
        CU_ASSERT_EQUAL(r->joint_link[0], r->link[2]);
        CU_ASSERT_EQUAL(r->joint_link[1], -1);
        CU_ASSERT_EQUAL(r->joint_link[2], r->link[1]);
        CU_ASSERT_EQUAL(r->joint_link[3], r->link[3]);
        CU_ASSERT_EQUAL(tree->links[r->link[2]].parent, r->link[1]);
        CU_ASSERT_EQUAL(r->hangs_on[r->link[1]], 0);
        CU_ASSERT_EQUAL(r->hangs_on[r->link[2]], -1);
        CU_ASSERT_EQUAL(r->hangs_on[r->link[3]], 0);
        /* the least number is the root */
        CU_ASSERT_EQUAL(tree->links[r->link[4]].parent, -1);
        CU_ASSERT_EQUAL(tree->links[r->link[5]].parent, r->link[4]);
        CU_ASSERT_EQUAL(tree->links[r->link[6]].parent, r->link[5]);
        CU_ASSERT_EQUAL(r->link[7], -1);
        CU_ASSERT_EQUAL(tree->count, 6);
        CU_ASSERT_EQUAL(tree->n, dimension == 3 ? 3 + 6 + 2 : 3 + 3 + 2);
        for (size_t k = 0; k < tree->count; k++) {
            CU_ASSERT_EQUAL(r->link[r->body[k]], (int32_t)k);
            CU_ASSERT_STRING_EQUAL(tree->links[k].name, world->name[r->body[k]]);
        }
        perp_world_free(world);
    }
}

TEST(single_bodies_have_coordinates_when_asked)
{
    static const perp_reduction free_bodies = {.free_bodies = true};
    perp_world *world = four_bar(3);
    const perp_articulation *tree = mechanism_reduce(world, &free_bodies);

    CU_ASSERT_EQUAL(tree->n, 3 + 6 + 2 + 6);
    CU_ASSERT(world->reduced->link[7] >= 0);
    perp_world_free(world);
}

TEST(bodies_added_later_are_not_reduced)
{
    perp_world *world = four_bar(3);
    perp_rows rows = {0};
    perp_scheme scheme;
    perp_error err = {0};

    perp_scheme_default(&scheme);
    mechanism_reduce(world, NULL);
    test_ball(world, "late", 1.0, 0.1, 5.0, 6.0, 0.0);
    hinge_between(world, 6, 8, 5.0, 5.5);
    CU_ASSERT_EQUAL(perp_world_link(world, 8), -1);
    OK(perp_world_forward_kinematics(world, world->start, &err));
    OK(perp_world_fit_coordinates(world, world->start, &err));
    OK(perp_rows_write(&rows, world, world->start, NULL, &scheme, &err));
    CU_ASSERT_EQUAL(rows.count, 5 + 5); /* what closes the loop, and the late one */
    perp_rows_clear(&rows);
    perp_world_free(world);
}

TEST(eliminated_joints_write_rows_of_their_axes_alone)
{
    perp_world *world = four_bar(3);
    perp_rows rows = {0};
    perp_scheme scheme;
    perp_error err = {0};

    perp_scheme_default(&scheme);
    world->joints[2].axes[0].motor = PERP_MOTOR_VELOCITY;
    world->joints[2].axes[0].max_force = 1.0;
    world->joints[5].axes[0].stiffness = 1.0;
    OK(perp_rows_write(&rows, world, world->start, NULL, &scheme, &err));
    CU_ASSERT_EQUAL(rows.count, 6 * 5 + 2);
    mechanism_reduce(world, NULL);
    OK(perp_rows_write(&rows, world, world->start, NULL, &scheme, &err));
    CU_ASSERT_EQUAL(rows.count, 5 + 2);
    CU_ASSERT_EQUAL(rows.blocks[0].source, 1);
    CU_ASSERT_EQUAL(rows.blocks[1].role, PERP_ROLE_MOTOR);
    CU_ASSERT_EQUAL(rows.blocks[2].role, PERP_ROLE_SPRING);
    perp_rows_clear(&rows);
    perp_world_free(world);
}

TEST(soft_joints_keep_their_rows)
{
    perp_world *world = four_bar(3);

    world->joints[3].cfm = 1e-3;
    world->joints[4].stiffness = 10.0;
    world->joints[5].damping = 10.0;
    mechanism_reduce(world, NULL);
    for (size_t j = 0; j < world->joint_count; j++) {
        CU_ASSERT_EQUAL(world->reduced->joint_link[j] >= 0, j < 3);
    }
    CU_ASSERT_EQUAL(world->start->trees->n, 3);
    perp_world_free(world);
}

/* A bob of 1 kg on a hinge 1 m beside it; nothing writes a row, it swings down all the
 * same: (I + m l^2 + armature) qdd = -m g l, in a first step from rest. */
static void check_swing(double armature)
{
    perp_world *world = test_world(2, 10.0);
    perp_stepper *stepper = NULL;
    perp_scheme scheme;
    perp_report report = {0};
    perp_error err = {0};
    double sum = 0.0;
    double energy = 0.0;

    perp_scheme_default(&scheme);
    test_ball(world, "ground", 0.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(world, "bob", 1.0, 0.5, 1.0, 0.0, 0.0); /* I = 0.1 kg m^2 */
    hinge_between(world, 0, 1, 0.0, 0.0);
    world->joints[0].axes[0].armature = armature;
    mechanism_reduce(world, NULL);
    OK(perp_stepper_new(&stepper, world, &scheme,
                        &(perp_stepper_options){.solver = perp_solver_find("nsgs"),
                                                .state = world->start},
                        &err));
    OK(perp_stepper_step(stepper, &report, &err));
    CU_ASSERT_EQUAL(report.rows, 0);
    CU_ASSERT_DOUBLE_EQUAL(world->start->trees->qd[0],
                           -10.0 * scheme.dt / (1.1 + armature), 1e-14);
    mechanism_check_obeyed(world, 0);
    for (size_t k = 0; k < PERP_LEDGER_PARTS; k++) {
        sum += report.ledger[k];
    }
    energy = report.kinetic + report.potential; /* 0 at the start */
    CU_ASSERT_DOUBLE_EQUAL(sum, energy, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(report.kinetic, perp_world_kinetic(world, world->start),
                           1e-15);
}

TEST(a_tree_without_a_row_moves)
{
    check_swing(0.0);
}

TEST(an_armature_is_inertia_of_its_coordinate)
{
    check_swing(0.4);
}

/* Errors. */

static void expect_refused(perp_world *world, const perp_reduction *how,
                           perp_status expected, const char *words)
{
    perp_error err = {0};
    mechanism_state kept;
    double value = world->joint_count > 0 ? perp_joint_axes_of(world->start, 0)[0] : 0.0;

    mechanism_keep(world, &kept);
    CU_ASSERT_EQUAL(perp_world_reduce(world, how, &err), expected);
    if (strcmp(err.text, words) != 0) {
        test_note("%s", err.text);
    }
    CU_ASSERT_STRING_EQUAL(err.text, words);
    CU_ASSERT_PTR_NULL(world->reduced);
    mechanism_check_kept(world, &kept, 0.0);
    if (world->joint_count > 0) {
        CU_ASSERT_EQUAL(perp_joint_axes_of(world->start, 0)[0], value);
    }
}

TEST(joints_that_are_apart_are_an_error)
{
    perp_world *world = four_bar(3);
    double *pose = perp_body_pose(world->start, 6);

    pose[2] += 2e-6;
    expect_refused(world, NULL, PERP_ERR_DATA,
                   "joint \"hinge 6-5\": its bodies are apart by 2e-06 m and 0 rad, "
                   "expected at most 1e-06 in reduced coordinates");
    pose[2] = 0.0;
    pose[4] = 2e-6; /* of half the angle */
    perp_quat_normalize(pose + 3);
    expect_refused(world, NULL, PERP_ERR_DATA,
                   "joint \"hinge 6-5\": its bodies are apart by 2e-06 m and 4e-06 rad, "
                   "expected at most 1e-06 in reduced coordinates");
    perp_world_free(world);
}

TEST(joints_that_are_almost_together_are_put_together)
{
    perp_world *world = four_bar(3);
    double length = 0.0;
    double angle = 0.0;

    perp_body_pose(world->start, 6)[2] += 5e-7;
    perp_body_velocity(world->start, 6)[2] += 1.0;
    mechanism_reduce(world, NULL);
    perp_joint_drift(&world->joints[5], world, world->start, &length, &angle);
    CU_ASSERT_DOUBLE_EQUAL(length, 0.0, mechanism_rounding);
    mechanism_check_obeyed(world, 5);
    perp_world_free(world);
}

TEST(worlds_that_cannot_be_reduced_say_why)
{
    static const perp_reduction euler = {.euler = true};
    perp_world *world = test_world(3, 9.81);
    perp_random g = {1};
    perp_error err = {0};

    test_ball(world, "a", 1.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(world, "b", 1.0, 0.1, 1.0, 0.0, 0.0);
    expect_refused(
        world, NULL, PERP_ERR_UNSUITABLE,
        "reduce: no joint can be eliminated: reduced coordinates need a hard "
        "spherical, revolute, prismatic, cylindrical, universal, wheel, planar or fixed "
        "joint");
    mechanism_join(world, &joint_spherical, 0, 1, &g);
    world->joints[0].axes[1].armature = 0.1;
    expect_refused(world, &euler, PERP_ERR_UNSUITABLE,
                   "joint \"spherical-0\": armature of axis 1, but mobilizer "
                   "spherical-euler has no such coordinate");
    mechanism_reduce(world, NULL);
    CU_ASSERT_EQUAL(perp_world_reduce(world, NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "reduce: the world is in reduced coordinates already");
}

TEST(coordinates_that_are_not_finite_leave_the_bodies_alone)
{
    perp_world *world = four_bar(3);
    perp_articulation *tree = mechanism_reduce(world, NULL);
    perp_error err = {0};
    mechanism_state kept;

    mechanism_keep(world, &kept);
    tree->q[0] = NAN;
    CU_ASSERT_EQUAL(perp_world_forward_kinematics(world, world->start, &err),
                    PERP_ERR_DATA);
    mechanism_check_kept(world, &kept, 0.0);
    perp_world_free(world);
}

static perp_status reduce_scarcely(void *context, perp_error *err)
{
    perp_world *world = context;
    mechanism_state kept;
    perp_status status = PERP_OK;

    mechanism_keep(world, &kept);
    status = perp_world_reduce(world, NULL, err);
    if (status != PERP_OK) {
        CU_ASSERT_PTR_NULL(world->reduced);
        mechanism_check_kept(world, &kept, 0.0);
    }
    perp_world_unreduce(world);
    return status;
}

TEST(failing_memory_leaves_the_world_as_it_was)
{
    perp_world *world = four_bar(3);

    scarce_everywhere(reduce_scarcely, world, "reduce");
    perp_world_free(world);
}

TEST(armatures_need_reduced_coordinates)
{
    perp_world *world = four_bar(3);
    perp_rows rows = {0};
    perp_scheme scheme;
    perp_error err = {0};

    perp_scheme_default(&scheme);
    world->joints[1].axes[0].armature = 0.1;
    CU_ASSERT_EQUAL(perp_rows_write(&rows, world, world->start, NULL, &scheme, &err),
                    PERP_ERR_UNSUITABLE);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "joint \"hinge 2-3\": armature needs reduced coordinates");
    mechanism_reduce(world, NULL); /* where it closes the loop */
    memset(&err, 0, sizeof err);
    CU_ASSERT_EQUAL(perp_rows_write(&rows, world, world->start, NULL, &scheme, &err),
                    PERP_ERR_UNSUITABLE);
    perp_world_unreduce(world);
    world->joints[1].axes[0].armature = 0.0;
    world->joints[2].axes[0].armature = 0.1;
    mechanism_reduce(world, NULL);
    memset(&err, 0, sizeof err);
    OK(perp_rows_write(&rows, world, world->start, NULL, &scheme, &err));
    perp_rows_clear(&rows);
    perp_world_free(world);
}

TEST(scatter_and_gather_leave_maximal_worlds_alone)
{
    perp_world *world = four_bar(3);
    const size_t bodies = world->body_count;
    double s[7 * 8], u[6 * 8];

    CU_ASSERT_FATAL(bodies <= 8);
    world->start->u[7] = 3.0; /* what no joint allows */
    memcpy(s, world->start->s, 7 * bodies * sizeof *s);
    memcpy(u, world->start->u, 6 * bodies * sizeof *u);
    OK(perp_world_fit_coordinates(world, world->start, NULL));
    OK(perp_world_forward_kinematics(world, world->start, NULL));
    CU_ASSERT(memcmp(s, world->start->s, 7 * bodies * sizeof *s) == 0);
    CU_ASSERT(memcmp(u, world->start->u, 6 * bodies * sizeof *u) == 0);
    CU_ASSERT(perp_world_link(world, 1) < 0);
    perp_world_free(world);
}
