/* SPDX-License-Identifier: Apache-2.0
 * tests/reduced/reduced.c: worlds into reduced coordinates and back. */
#include <config.h>

#include <math.h>
#include <string.h>

#include <perp/dynamics/rows.h>

#include "random_mechanism.h"
#include "reduced/reduced.h"

/* A joint between a body that stands or moves by itself and one that hangs on it. */
static perp_world *pair_of(unsigned dimension, const perp_joint_type *type, bool turned,
                           perp_motion base, perp_random *g)
{
    perp_world *world = test_world(dimension, 0.0);

    mechanism_body(world, "base", base, g);
    mechanism_body(world, "link", PERP_MOTION_DYNAMIC, g);
    mechanism_join(world, type, turned, !turned, g);
    return world;
}

static void each_pair(perp_motion base, void (*visit)(perp_world *world, perp_random *g))
{
    const perp_joint_type *const *types = perp_joint_types(NULL);

    for (size_t t = 0; types[t]; t++) {
        for (unsigned n = 0; n < 24; n++) {
            const unsigned dimension = n % 2 ? 2 : 3;
            perp_random g = {n};

            if (mechanism_takes(types[t], dimension)) {
                perp_world *world =
                    pair_of(dimension, types[t], n / 2 % 2 == 1, base, &g);

                visit(world, &g);
            }
        }
    }
}

/* Coordinate and rate of an axis are those of the tree, where the link has it. */
static unsigned check_axis(const perp_world *world, unsigned a)
{
    const perp_articulation *tree = world->start->trees;
    const perp_joint_axes *axes = reduced_mine(world->reduced)->axes;
    const perp_joint *joint = &world->joints[0];
    const int32_t c = axes->coordinate[a];
    perp_row row;

    if (!joint_axis(joint, world, world->start, perp_joint_axes_of(world->start, 0), a,
                    &row)) {
        CU_ASSERT_EQUAL(c, -1);
        return 0;
    }
    CU_ASSERT_DOUBLE_EQUAL(perp_joint_axes_of(world->start, 0)[a], row.phi,
                           mechanism_rounding);
    if (c >= 0) {
        CU_ASSERT_DOUBLE_EQUAL(row.phi, axes->sign[a] * tree->q[c],
                               10.0 * mechanism_rounding);
        CU_ASSERT_DOUBLE_EQUAL(mechanism_rate(world, joint, &row),
                               axes->sign[a] * tree->qd[c], 100.0 * mechanism_rounding);
    }
    return c >= 0;
}

static void check_axes(perp_world *world, perp_random *g)
{
    const perp_articulation *tree = mechanism_reduce(world, NULL);
    const perp_joint *joint = &world->joints[0];
    const bool turned = joint->i == 1;
    unsigned found = 0;

    CU_ASSERT_EQUAL(tree->count, 1);
    CU_ASSERT_EQUAL(world->reduced->joint_link[0], 0);
    CU_ASSERT_EQUAL(perp_world_link(world, 1), 0);
    CU_ASSERT_EQUAL(perp_world_link(world, 0), -1);
    CU_ASSERT_STRING_EQUAL(tree->links[0].name, "link");
    mechanism_move(world, g);
    mechanism_check_obeyed(world, 0);
    for (unsigned a = 0; a < joint->type->axes; a++) {
        found += check_axis(world, a);
    }
    /* all but the moves of a planar joint seen from its other body */
    CU_ASSERT_EQUAL(found, joint->type == &joint_planar && turned ? 1 : tree->n);
}

TEST(each_joint_is_a_mobilizer_seen_from_either_body)
{
    each_pair(PERP_MOTION_STATIC, check_axes);
}

/* A rest pose that is none: the angles count from where it looks along the axes. */
static void check_odd_rest(perp_world *world, perp_random *g)
{
    perp_joint *joint = &world->joints[0];
    double turn[3] = {0.0, 0.0, perp_random_uniform(g, -0.5, 0.5)};
    double q[4];
    double rest[4];

    if (joint->type == &joint_prismatic || joint->type == &joint_fixed) {
        return; /* where they must be is the rest pose */
    }
    if (world->dimension == 3) {
        turn[0] = perp_random_uniform(g, -0.5, 0.5);
        turn[1] = perp_random_uniform(g, -0.5, 0.5);
    }
    perp_quat_exp(turn, q);
    memcpy(rest, joint->q_rest, sizeof rest);
    perp_quat_multiply(q, rest, joint->q_rest);
    perp_joint_track(joint, world, world->start, perp_joint_axes_of(world->start, 0));
    check_axes(world, g);
}

TEST(coordinates_count_from_other_rest_poses)
{
    each_pair(PERP_MOTION_STATIC, check_odd_rest);
}

static void check_moving_base(perp_world *world, perp_random *g)
{
    mechanism_state kept;
    perp_error err = {0};

    mechanism_reduce(world, NULL);
    mechanism_move(world, g);
    mechanism_check_obeyed(world, 0);
    /* the base goes on by itself, what hangs on it follows */
    for (int c = 0; c < 7; c++) {
        const bool out = world->dimension == 2 && (c == 2 || c == 4 || c == 5);

        world->start->s[c] += out ? 0.0 : perp_random_uniform(g, -0.3, 0.3);
    }
    perp_quat_normalize(world->start->s + 3);
    world->start->u[0] += 0.5;
    world->start->u[5] -= 0.5;
    OK(perp_world_forward_kinematics(world, world->start, &err));
    mechanism_check_obeyed(world, 0);
    mechanism_keep(world, &kept);
    OK(perp_world_fit_coordinates(world, world->start, &err));
    mechanism_check_kept(world, &kept, mechanism_rounding);
}

TEST(trees_on_kinematic_bodies_follow_their_motion)
{
    each_pair(PERP_MOTION_KINEMATIC, check_moving_base);
}

/* Random trees. */

static void each_tree(const perp_reduction *how,
                      void (*visit)(perp_world *world, perp_random *g))
{
    static const perp_motion bases[] = {PERP_MOTION_STATIC, PERP_MOTION_DYNAMIC,
                                        PERP_MOTION_KINEMATIC};

    for (uint64_t seed = 1; seed <= 12; seed++) {
        perp_random g = {seed};
        perp_world *world =
            mechanism_new(seed % 4 == 3 ? 2 : 3, 12, bases[seed % 3], seed);

        mechanism_reduce(world, how);
        visit(world, &g);
    }
}

static void check_survives(perp_world *world, perp_random *g)
{
    const perp_reduction how = world->reduced->how;
    perp_articulation *tree = world->start->trees;
    double q[128];
    mechanism_state kept;
    perp_error err = {0};

    mechanism_move(world, g);
    for (size_t j = 0; j < world->joint_count; j++) {
        mechanism_check_obeyed(world, (int32_t)j);
    }
    mechanism_keep(world, &kept);
    CU_ASSERT_FATAL(tree->n <= 128);
    memcpy(q, tree->q, tree->n * sizeof *q);
    OK(perp_world_fit_coordinates(world, world->start, &err));
    mechanism_check_kept(world, &kept, 4.0 * mechanism_rounding); /* along five joints */
    perp_world_unreduce(world);
    mechanism_check_kept(world, &kept, 4.0 * mechanism_rounding);
    tree = mechanism_reduce(world, &how);
    mechanism_check_kept(world, &kept, 8.0 * mechanism_rounding);
    if (!how.euler) { /* two triples of Euler angles are one orientation */
        test_agree("q", tree->q, q, tree->n, 1e-13);
    }
}

TEST(poses_and_velocities_survive)
{
    static const perp_reduction euler = {.euler = true};

    each_tree(NULL, check_survives);
    each_tree(&euler, check_survives);
}

static void check_energies(perp_world *world, perp_random *g)
{
    const perp_articulation *tree = world->start->trees;

    mechanism_move(world, g);
    /* some 100 J in all */
    CU_ASSERT_DOUBLE_EQUAL(perp_articulation_kinetic(tree, tree->qd),
                           perp_world_kinetic(world, world->start), 1e-11);
    CU_ASSERT_DOUBLE_EQUAL(perp_articulation_potential(tree),
                           perp_world_potential(world, world->start), 1e-11);
}

TEST(energies_are_those_of_the_bodies)
{
    each_tree(NULL, check_energies);
}

TEST(a_free_root_has_the_pose_of_its_body_as_coordinates)
{
    perp_world *world = mechanism_new(3, 3, PERP_MOTION_DYNAMIC, 5);
    const perp_articulation *tree = mechanism_reduce(world, NULL);
    const int32_t k = perp_world_link(world, 0);
    double R[9];
    double exponential[9];

    CU_ASSERT_FATAL(k >= 0);
    CU_ASSERT_EQUAL(tree->links[k].parent, -1);
    CU_ASSERT_EQUAL(world->reduced->hangs_on[k], -1);
    CU_ASSERT_STRING_EQUAL(tree->links[k].mobilizer->name, "free");
    perp_rotation_matrix(world->start->s + 3, R);
    perp_exponential(tree->q + tree->first[k], exponential);
    test_agree("R", exponential, R, 9, mechanism_rounding);
    test_agree("r", tree->q + tree->first[k] + 3, world->start->s, 3, mechanism_rounding);
}

TEST(angles_count_many_turns)
{
    perp_random g = {3};

    for (int turned = 0; turned < 2; turned++) {
        perp_world *world =
            pair_of(3, &joint_revolute, turned == 1, PERP_MOTION_STATIC, &g);
        perp_articulation *tree = mechanism_reduce(world, NULL);
        perp_error err = {0};

        tree->q[0] = 40.0;
        OK(perp_world_forward_kinematics(world, world->start, &err));
        CU_ASSERT_DOUBLE_EQUAL(perp_joint_axes_of(world->start, 0)[0], 40.0, 1e-13);
        OK(perp_world_fit_coordinates(world, world->start, &err));
        CU_ASSERT_DOUBLE_EQUAL(tree->q[0], 40.0, 1e-13);
        perp_world_unreduce(world);
        tree = mechanism_reduce(world, NULL);
        CU_ASSERT_DOUBLE_EQUAL(tree->q[0], 40.0, 1e-13);
    }
}

/* Rotors. */

static void check_rotors(perp_world *world, perp_random *g)
{
    perp_articulation *tree = NULL;

    for (unsigned a = 0; a < world->joints[0].type->axes; a++) {
        perp_row row;

        if (joint_axis(&world->joints[0], world, world->start,
                       perp_joint_axes_of(world->start, 0), a, &row) &&
            (world->joints[0].type != &joint_planar || a == 2)) {
            world->joints[0].axes[a].armature = 0.3 + a;
        }
    }
    world->joints[0].exact = false; /* rows of axes need not be gradients */
    tree = mechanism_reduce(world, NULL);
    mechanism_move(world, g);
    CU_ASSERT_DOUBLE_EQUAL(perp_world_kinetic(world, world->start),
                           perp_articulation_kinetic(tree, tree->qd), 1e-12);
}

TEST(armatures_have_the_energy_of_their_coordinates)
{
    each_pair(PERP_MOTION_STATIC, check_rotors);
}
