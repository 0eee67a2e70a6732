/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/reduced.c: worlds into reduced coordinates and back. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/rows.h>

#include "../../libdynamics/reduce/reduced.h"
#include "mechanism.h"
#include "scarce.h"

/* Poses of size 1 through four rotations and back. */
static const double rounding = 1e-14;

typedef struct state {
    double s[7 * 40], u[6 * 40];
} state;

static void keep(const perp_world *world, state *kept)
{
    CU_ASSERT_FATAL(world->body_count <= 40);
    memcpy(kept->s, world->s, 7 * world->body_count * sizeof *world->s);
    memcpy(kept->u, world->u, 6 * world->body_count * sizeof *world->u);
}

/* Poses within `tol`, and velocities within that times their size. */
static void check_kept(const perp_world *world, const state *kept, double tol)
{
    double size = 1.0;

    for (size_t c = 0; c < 6 * world->body_count; c++) {
        size = fmax(size, fabs(kept->u[c]));
    }
    for (size_t c = 0; c < 7 * world->body_count; c++) {
        CU_ASSERT_DOUBLE_EQUAL(world->s[c], kept->s[c], tol);
    }
    for (size_t c = 0; c < 6 * world->body_count; c++) {
        CU_ASSERT_DOUBLE_EQUAL(world->u[c], kept->u[c], tol * size);
    }
}

static double rate_of(const perp_world *world, const perp_joint *joint,
                      const perp_row *row)
{
    return perp_row_rate(row->J, perp_body_velocity(world, (size_t)joint->i),
                         perp_body_velocity(world, (size_t)joint->j));
}

/* All errors and their rates are zero; coordinates of axes are those of the tree. */
static void check_obeyed(const perp_world *world, int32_t j)
{
    const perp_joint *joint = &world->joints[j];
    perp_row rows[PERP_JOINT_ROWS];
    double length = 0.0;
    double angle = 0.0;
    unsigned n = joint->type->write(joint, world, rows);

    perp_joint_drift(joint, world, &length, &angle);
    CU_ASSERT_DOUBLE_EQUAL(length, 0.0, rounding);
    CU_ASSERT_DOUBLE_EQUAL(angle, 0.0, rounding);
    for (unsigned k = 0; k < n; k++) {
        /* arms and speeds of a few m and m/s */
        CU_ASSERT_DOUBLE_EQUAL(rate_of(world, joint, &rows[k]), 0.0, 10.0 * rounding);
    }
}

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
                perp_world_free(world);
            }
        }
    }
}

/* Coordinate and rate of an axis are those of the tree, where the link has it. */
static unsigned check_axis(const perp_world *world, unsigned a)
{
    const perp_articulation *tree = world->reduced->tree;
    const perp_joint_axes *axes = reduced_mine(world->reduced)->axes;
    const perp_joint *joint = &world->joints[0];
    const int32_t c = axes->coordinate[a];
    perp_row row;

    if (!joint_axis(joint, world, a, &row)) {
        CU_ASSERT_EQUAL(c, -1);
        return 0;
    }
    CU_ASSERT_DOUBLE_EQUAL(joint->axes[a].value, row.phi, rounding);
    if (c >= 0) {
        CU_ASSERT_DOUBLE_EQUAL(row.phi, axes->sign[a] * tree->q[c], 10.0 * rounding);
        CU_ASSERT_DOUBLE_EQUAL(rate_of(world, joint, &row), axes->sign[a] * tree->qd[c],
                               100.0 * rounding);
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
    check_obeyed(world, 0);
    for (unsigned a = 0; a < joint->type->axes; a++) {
        found += check_axis(world, a);
    }
    /* all but the moves of a planar joint seen from its other body */
    CU_ASSERT_EQUAL(found, joint->type == &joint_planar && turned ? 1 : tree->n);
}

static void each_joint_is_a_mobilizer_seen_from_either_body(void)
{
    each_pair(PERP_MOTION_STATIC, check_axes);
}

static void check_moving_base(perp_world *world, perp_random *g)
{
    state kept;
    perp_error err = {0};

    mechanism_reduce(world, NULL);
    mechanism_move(world, g);
    check_obeyed(world, 0);
    /* the base goes on by itself, what hangs on it follows */
    for (int c = 0; c < 7; c++) {
        const bool out = world->dimension == 2 && (c == 2 || c == 4 || c == 5);

        world->s[c] += out ? 0.0 : perp_random_uniform(g, -0.3, 0.3);
    }
    perp_quat_normalize(world->s + 3);
    world->u[0] += 0.5;
    world->u[5] -= 0.5;
    CU_ASSERT_EQUAL(perp_world_scatter(world, &err), PERP_OK);
    check_obeyed(world, 0);
    keep(world, &kept);
    CU_ASSERT_EQUAL(perp_world_gather(world, &err), PERP_OK);
    check_kept(world, &kept, rounding);
}

static void trees_hang_on_bodies_that_move_as_they_were_told(void)
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
        perp_world_free(world);
    }
}

static void check_survives(perp_world *world, perp_random *g)
{
    const perp_reduction how = world->reduced->how;
    perp_articulation *tree = world->reduced->tree;
    double q[128];
    state kept;
    perp_error err = {0};

    mechanism_move(world, g);
    for (size_t j = 0; j < world->joint_count; j++) {
        check_obeyed(world, (int32_t)j);
    }
    keep(world, &kept);
    CU_ASSERT_FATAL(tree->n <= 128);
    memcpy(q, tree->q, tree->n * sizeof *q);
    CU_ASSERT_EQUAL(perp_world_gather(world, &err), PERP_OK);
    check_kept(world, &kept, 4.0 * rounding); /* along five joints */
    perp_world_unreduce(world);
    check_kept(world, &kept, 4.0 * rounding);
    tree = mechanism_reduce(world, &how);
    check_kept(world, &kept, 8.0 * rounding);
    if (!how.euler) { /* two triples of Euler angles are one orientation */
        test_agree("q", tree->q, q, tree->n, 1e-13);
    }
}

static void poses_and_velocities_survive(void)
{
    static const perp_reduction euler = {.euler = true};

    each_tree(NULL, check_survives);
    each_tree(&euler, check_survives);
}

static void check_energies(perp_world *world, perp_random *g)
{
    const perp_articulation *tree = world->reduced->tree;

    mechanism_move(world, g);
    /* some 100 J in all */
    CU_ASSERT_DOUBLE_EQUAL(perp_articulation_kinetic(tree, tree->qd),
                           perp_world_kinetic(world), 1e-11);
    CU_ASSERT_DOUBLE_EQUAL(perp_articulation_potential(tree), perp_world_potential(world),
                           1e-11);
}

static void energies_are_those_of_the_bodies(void)
{
    each_tree(NULL, check_energies);
}

static void a_free_root_has_the_pose_of_its_body_as_coordinates(void)
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
    perp_rotation_matrix(world->s + 3, R);
    perp_exponential(tree->q + tree->first[k], exponential);
    test_agree("R", exponential, R, 9, rounding);
    test_agree("r", tree->q + tree->first[k] + 3, world->s, 3, rounding);
    perp_world_free(world);
}

static void angles_count_many_turns(void)
{
    perp_random g = {3};

    for (int turned = 0; turned < 2; turned++) {
        perp_world *world = pair_of(3, &joint_hinge, turned == 1, PERP_MOTION_STATIC, &g);
        perp_articulation *tree = mechanism_reduce(world, NULL);
        perp_error err = {0};

        tree->q[0] = 40.0;
        CU_ASSERT_EQUAL(perp_world_scatter(world, &err), PERP_OK);
        CU_ASSERT_DOUBLE_EQUAL(world->joints[0].axes[0].value, 40.0, 1e-13);
        CU_ASSERT_EQUAL(perp_world_gather(world, &err), PERP_OK);
        CU_ASSERT_DOUBLE_EQUAL(tree->q[0], 40.0, 1e-13);
        perp_world_unreduce(world);
        tree = mechanism_reduce(world, NULL);
        CU_ASSERT_DOUBLE_EQUAL(tree->q[0], 40.0, 1e-13);
        perp_world_free(world);
    }
}

/* Forests. */

static int32_t hinge_between(perp_world *world, int32_t i, int32_t j, double x, double y)
{
    static const double z[3] = {0.0, 0.0, 1.0};
    const double at[3] = {x, y, 0.0};
    perp_joint joint = {.type = &joint_hinge, .i = i, .j = j, .erp = -1.0};
    perp_error err = {0};
    int32_t k = -1;

    snprintf(joint.name, sizeof joint.name, "hinge %d-%d", (int)i, (int)j);
    CU_ASSERT_EQUAL_FATAL(perp_joint_attach(&joint, world, at, z, NULL, &err), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_world_add_joint(world, &joint, &k, &err), PERP_OK);
    return k;
}

/* Crank 1, coupler 2, rocker 3 on the ground 0; a weight 4 on a string of two, 5 and 6, in
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

static void a_loop_keeps_one_joint_and_trees_stand_side_by_side(void)
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

static void single_bodies_have_coordinates_when_asked(void)
{
    static const perp_reduction singles = {.singles = true};
    perp_world *world = four_bar(3);
    const perp_articulation *tree = mechanism_reduce(world, &singles);

    CU_ASSERT_EQUAL(tree->n, 3 + 6 + 2 + 6);
    CU_ASSERT(world->reduced->link[7] >= 0);
    perp_world_free(world);
}

static void what_is_added_later_is_not_reduced(void)
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
    CU_ASSERT_EQUAL(perp_world_scatter(world, &err), PERP_OK);
    CU_ASSERT_EQUAL(perp_world_gather(world, &err), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_rows_write(&rows, world, NULL, &scheme, &err), PERP_OK);
    CU_ASSERT_EQUAL(rows.count, 5 + 5); /* what closes the loop, and the late one */
    perp_rows_clear(&rows);
    perp_world_free(world);
}

static void eliminated_joints_write_rows_of_their_axes_alone(void)
{
    perp_world *world = four_bar(3);
    perp_rows rows = {0};
    perp_scheme scheme;
    perp_error err = {0};

    perp_scheme_default(&scheme);
    world->joints[2].axes[0].motor = PERP_MOTOR_VELOCITY;
    world->joints[2].axes[0].max_force = 1.0;
    world->joints[5].axes[0].stiffness = 1.0;
    CU_ASSERT_EQUAL_FATAL(perp_rows_write(&rows, world, NULL, &scheme, &err), PERP_OK);
    CU_ASSERT_EQUAL(rows.count, 6 * 5 + 2);
    mechanism_reduce(world, NULL);
    CU_ASSERT_EQUAL_FATAL(perp_rows_write(&rows, world, NULL, &scheme, &err), PERP_OK);
    CU_ASSERT_EQUAL(rows.count, 5 + 2);
    CU_ASSERT_EQUAL(rows.blocks[0].source, 1);
    CU_ASSERT_EQUAL(rows.blocks[1].role, PERP_ROLE_MOTOR);
    CU_ASSERT_EQUAL(rows.blocks[2].role, PERP_ROLE_SPRING);
    perp_rows_clear(&rows);
    perp_world_free(world);
}

static void soft_joints_keep_their_rows(void)
{
    perp_world *world = four_bar(3);

    world->joints[3].cfm = 1e-3;
    world->joints[4].stiffness = 10.0;
    world->joints[5].damping = 10.0;
    mechanism_reduce(world, NULL);
    for (size_t j = 0; j < world->joint_count; j++) {
        CU_ASSERT_EQUAL(world->reduced->joint_link[j] >= 0, j < 3);
    }
    CU_ASSERT_EQUAL(world->reduced->tree->n, 3);
    perp_world_free(world);
}

/* Errors. */

static void expect_refused(perp_world *world, const perp_reduction *how,
                           perp_status expected, const char *words)
{
    perp_error err = {0};
    state kept;
    double value = world->joint_count > 0 ? world->joints[0].axes[0].value : 0.0;

    keep(world, &kept);
    CU_ASSERT_EQUAL(perp_world_reduce(world, how, &err), expected);
    if (strcmp(err.text, words) != 0) {
        test_note("%s", err.text);
    }
    CU_ASSERT_STRING_EQUAL(err.text, words);
    CU_ASSERT_PTR_NULL(world->reduced);
    check_kept(world, &kept, 0.0);
    if (world->joint_count > 0) {
        CU_ASSERT_EQUAL(world->joints[0].axes[0].value, value);
    }
}

static void joints_that_are_apart_are_an_error(void)
{
    perp_world *world = four_bar(3);
    double *pose = perp_body_pose(world, 6);

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

static void joints_that_are_almost_together_are_put_together(void)
{
    perp_world *world = four_bar(3);
    double length = 0.0;
    double angle = 0.0;

    perp_body_pose(world, 6)[2] += 5e-7;
    perp_body_velocity(world, 6)[2] += 1.0;
    mechanism_reduce(world, NULL);
    perp_joint_drift(&world->joints[5], world, &length, &angle);
    CU_ASSERT_DOUBLE_EQUAL(length, 0.0, rounding);
    check_obeyed(world, 5);
    perp_world_free(world);
}

static void worlds_that_cannot_be_reduced_say_why(void)
{
    static const perp_reduction euler = {.euler = true};
    perp_world *world = test_world(3, 9.81);
    perp_random g = {1};
    perp_error err = {0};

    test_ball(world, "a", 1.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(world, "b", 1.0, 0.1, 1.0, 0.0, 0.0);
    expect_refused(world, NULL, PERP_ERR_UNSUITABLE,
                   "reduce: no joint can be eliminated: reduced coordinates need a hard "
                   "ball, hinge, slider, cylindrical, universal, wheel, planar or fixed "
                   "joint");
    mechanism_join(world, &joint_ball, 0, 1, &g);
    world->joints[0].axes[1].armature = 0.1;
    expect_refused(world, &euler, PERP_ERR_UNSUITABLE,
                   "joint \"ball-0\": armature of axis 1, which is no coordinate of "
                   "mobilizer ball-euler");
    mechanism_reduce(world, NULL);
    CU_ASSERT_EQUAL(perp_world_reduce(world, NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "reduce: the world is in reduced coordinates already");
    perp_world_free(world);
}

static void coordinates_that_are_not_finite_leave_the_bodies_alone(void)
{
    perp_world *world = four_bar(3);
    perp_articulation *tree = mechanism_reduce(world, NULL);
    perp_error err = {0};
    state kept;

    keep(world, &kept);
    tree->q[0] = NAN;
    CU_ASSERT_EQUAL(perp_world_scatter(world, &err), PERP_ERR_DATA);
    check_kept(world, &kept, 0.0);
    perp_world_free(world);
}

static perp_status reduce_scarcely(void *context, perp_error *err)
{
    perp_world *world = context;
    state kept;
    perp_status status = PERP_OK;

    keep(world, &kept);
    status = perp_world_reduce(world, NULL, err);
    if (status != PERP_OK) {
        CU_ASSERT_PTR_NULL(world->reduced);
        check_kept(world, &kept, 0.0);
    }
    perp_world_unreduce(world);
    return status;
}

static void failing_memory_leaves_the_world_as_it_was(void)
{
    perp_world *world = four_bar(3);

    scarce_everywhere(reduce_scarcely, world, "reduce");
    perp_world_free(world);
}

/* Rotors. */

static void check_rotors(perp_world *world, perp_random *g)
{
    perp_articulation *tree = NULL;

    for (unsigned a = 0; a < world->joints[0].type->axes; a++) {
        perp_row row;

        if (joint_axis(&world->joints[0], world, a, &row) &&
            (world->joints[0].type != &joint_planar || a == 2)) {
            world->joints[0].axes[a].armature = 0.3 + a;
        }
    }
    world->joints[0].exact = false; /* rows of axes need not be gradients */
    tree = mechanism_reduce(world, NULL);
    mechanism_move(world, g);
    CU_ASSERT_DOUBLE_EQUAL(perp_world_kinetic(world),
                           perp_articulation_kinetic(tree, tree->qd), 1e-12);
}

static void armatures_have_the_energy_of_their_coordinates(void)
{
    each_pair(PERP_MOTION_STATIC, check_rotors);
}

static void armatures_need_reduced_coordinates(void)
{
    perp_world *world = four_bar(3);
    perp_rows rows = {0};
    perp_scheme scheme;
    perp_error err = {0};

    perp_scheme_default(&scheme);
    world->joints[1].axes[0].armature = 0.1;
    CU_ASSERT_EQUAL(perp_rows_write(&rows, world, NULL, &scheme, &err),
                    PERP_ERR_UNSUITABLE);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "joint \"hinge 2-3\": armature needs reduced coordinates");
    mechanism_reduce(world, NULL); /* where it closes the loop */
    memset(&err, 0, sizeof err);
    CU_ASSERT_EQUAL(perp_rows_write(&rows, world, NULL, &scheme, &err),
                    PERP_ERR_UNSUITABLE);
    perp_world_unreduce(world);
    world->joints[1].axes[0].armature = 0.0;
    world->joints[2].axes[0].armature = 0.1;
    mechanism_reduce(world, NULL);
    memset(&err, 0, sizeof err);
    CU_ASSERT_EQUAL(perp_rows_write(&rows, world, NULL, &scheme, &err), PERP_OK);
    perp_rows_clear(&rows);
    perp_world_free(world);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(each_joint_is_a_mobilizer_seen_from_either_body),
        TEST(trees_hang_on_bodies_that_move_as_they_were_told),
        TEST(poses_and_velocities_survive),
        TEST(energies_are_those_of_the_bodies),
        TEST(a_free_root_has_the_pose_of_its_body_as_coordinates),
        TEST(angles_count_many_turns),
        TEST(a_loop_keeps_one_joint_and_trees_stand_side_by_side),
        TEST(single_bodies_have_coordinates_when_asked),
        TEST(what_is_added_later_is_not_reduced),
        TEST(eliminated_joints_write_rows_of_their_axes_alone),
        TEST(soft_joints_keep_their_rows),
        TEST(joints_that_are_apart_are_an_error),
        TEST(joints_that_are_almost_together_are_put_together),
        TEST(worlds_that_cannot_be_reduced_say_why),
        TEST(coordinates_that_are_not_finite_leave_the_bodies_alone),
        TEST(failing_memory_leaves_the_world_as_it_was),
        TEST(armatures_have_the_energy_of_their_coordinates),
        TEST(armatures_need_reduced_coordinates),
        TEST_END,
    };

    return test_run(argc, argv, "dynamics/reduced", cases);
}
