/* SPDX-License-Identifier: Apache-2.0
 * tests/joints/joints.c: rows and errors of the joint types. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "jointed_pair.h"

/* Golden values. */

/* The bias of the rows that a step writes of the joint, where erp is k_cor dt. */
static void compare_bias(const golden_case *c, perp_world *world, const perp_joint *joint)
{
    const perp_contacts none = {0};
    perp_rows rows = {0};
    perp_scheme scheme;

    perp_scheme_default(&scheme);
    scheme.dt = 0.01;
    scheme.erp = golden_real(c->in, "k_cor") * scheme.dt;
    OK(perp_world_add_joint(world, joint, NULL, NULL));
    OK(perp_rows_write(&rows, world, world->start, &none, &scheme, NULL));
    golden_agree(c, "b_err", rows.bias, rows.count);
    perp_rows_clear(&rows);
}

static void compare_rows(const golden_case *c, perp_world *world, const perp_joint *joint)
{
    perp_row rows[PERP_JOINT_ROWS];
    double J[12 * PERP_JOINT_ROWS], phi[PERP_JOINT_ROWS], rate[PERP_JOINT_ROWS];
    unsigned n = joint_rows_now(joint, world, world->start, rows);

    CU_ASSERT_EQUAL_FATAL(n, joint->type->rows);
    CU_ASSERT_EQUAL_FATAL(golden_count(c->out, "phi"), n);
    for (unsigned k = 0; k < n; k++) {
        memcpy(J + 12 * (size_t)k, rows[k].J, sizeof rows[k].J);
        phi[k] = rows[k].phi;
        rate[k] = pair_rate(world, joint, &rows[k]);
    }
    if (joint->exact) {
        golden_agree(c, "J_exact", J, 12 * n);
    } else {
        golden_agree(c, "J", J, 12 * n);
        golden_agree(c, "phi", phi, n);
        golden_agree(c, "Ju", rate, n);
        compare_bias(c, world, joint);
    }
}

static void check_case(const golden_case *c)
{
    perp_world *world = golden_pair(c);
    perp_joint joint;
    joint_frame f;
    double t1[3], t2[3];

    golden_joint(&joint, c->type, c->in, 0, 1);
    compare_rows(c, world, &joint);
    if (golden_count(c->out, "t1") > 0) {
        joint_frame_now(&joint, world->start, &f);
        joint_tangents(&joint, &f, t1, t2);
        golden_agree(c, "t1", t1, 3);
        golden_agree(c, "t2", t2, 3);
    }
    if (golden_count(c->out, "J_exact") > 0) {
        joint.exact = true;
        compare_rows(c, world, &joint);
    }
}

TEST(balls_are_the_golden_ones)
{
    golden_each("joints", "ball", check_case);
}

TEST(hinges_are_the_golden_ones)
{
    golden_each("joints", "hinge", check_case);
}

TEST(sliders_are_the_golden_ones)
{
    golden_each("joints", "slider", check_case);
}

TEST(wheels_are_the_golden_ones)
{
    golden_each("joints", "wheel", check_case);
}

TEST(universal_joints_are_the_golden_ones)
{
    golden_each("joints", "universal", check_case);
}

TEST(fixed_joints_are_the_golden_ones)
{
    golden_each("joints", "fixed", check_case);
}

static void check_attached(perp_world *world, perp_joint *joint, perp_random *g)
{
    perp_row rows[PERP_JOINT_ROWS];

    for (int pass = 0; pass < 2; pass++) {
        unsigned n = joint_rows_now(joint, world, world->start, rows);

        /* the plane is all that a planar joint leaves free */
        CU_ASSERT_EQUAL(n > 0, world->dimension == 3 || joint->type != &joint_planar);
        for (unsigned k = 0; k < n; k++) {
            if (joint->type != &joint_cone && joint->type != &joint_user) {
                CU_ASSERT_DOUBLE_EQUAL(rows[k].phi, 0.0, pair_rounding);
            }
        }
        for (unsigned k = 0; k < joint->type->axes; k++) {
            perp_row row;

            if (joint->type->coordinate(joint, world, world->start, k, &row)) {
                CU_ASSERT_DOUBLE_EQUAL(row.phi, 0.0, pair_rounding);
            }
        }
        pair_carry(world, g); /* it is as satisfied anywhere else */
    }
}

TEST(attaching_leaves_no_error_wherever_the_bodies_are)
{
    pair_each(3, check_attached);
    pair_each(2, check_attached);
}

/* Which of lin_i, ang_i, lin_j, ang_j a row has, a row each, and the exact ones. */
static const struct pattern {
    const perp_joint_type *type;
    const char *usual[PERP_JOINT_ROWS], *exact[PERP_JOINT_ROWS];
} patterns[] = {
    {&joint_spherical, {"1111", "1111", "1111"}, {"1111", "1111", "1111"}},
    {&joint_revolute,
     {"1111", "1111", "1111", "0101", "0101"},
     {"1111", "1111", "1111", "0101", "0101"}},
    {&joint_prismatic,
     {"0101", "0101", "0101", "1111", "1111"},
     {"0101", "0101", "0101", "1110", "1110"}},
    {&joint_wheel, {"1111", "1111", "1111", "0101"}, {"1111", "1111", "1111", "0101"}},
    {&joint_universal,
     {"1111", "1111", "1111", "0101"},
     {"1111", "1111", "1111", "0101"}},
    {&joint_cylindrical,
     {"1111", "1111", "0101", "0101"},
     {"1111", "1111", "0101", "0101"}},
    {&joint_planar, {"1111", "0101", "0101"}, {"1111", "0101", "0101"}},
    {&joint_fixed,
     {"1110", "1110", "1110", "0101", "0101", "0101"},
     {"1110", "1110", "1110", "0101", "0101", "0101"}},
    {&joint_angle, {"0101"}, {"0101"}},
    {&joint_cone, {"0101"}, {"0101"}},
    {&joint_rope, {"1111"}, {"1111"}},
    {&joint_rod, {"1111"}, {"1111"}},
    {&joint_user, {"1111"}, {"1111"}},
};

static void check_pattern(perp_world *world, perp_joint *joint, perp_random *g)
{
    perp_row rows[PERP_JOINT_ROWS];
    unsigned n = 0;
    size_t p = 0;

    pair_scatter(world, g);
    n = joint_rows_now(joint, world, world->start, rows);
    while (patterns[p].type != joint->type) {
        p++;
        CU_ASSERT_FATAL(p < sizeof patterns / sizeof *patterns);
    }
    CU_ASSERT_EQUAL(n, joint->type->rows);
    for (unsigned k = 0; k < n; k++) {
        const char *expected = joint->exact ? patterns[p].exact[k] : patterns[p].usual[k];

        for (int block = 0; block < 4; block++) {
            bool there = vec3_length(rows[k].J + (ptrdiff_t)3 * block) != 0.0;

            CU_ASSERT_EQUAL(there, expected[block] == '1');
        }
    }
}

TEST(blocks_that_a_row_does_not_need_are_zero)
{
    pair_each(3, check_pattern);
}

/* Rows t1.w and t2.w of w = w_i - w_j say what the three of s x w do: the sum of squares
 * is |s x w|^2, and that of s.w and these two |w|^2. */
TEST(the_two_turn_rows_of_a_hinge_hold_all_but_its_axis)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        perp_joint joint;
        perp_world *world = pair_world(&joint, &joint_revolute, seed);
        perp_row rows[PERP_JOINT_ROWS];
        joint_frame f;
        double w[3], across[3], rate[2];

        CU_ASSERT_EQUAL_FATAL(joint_rows_now(&joint, world, world->start, rows), 5);
        joint_frame_now(&joint, world->start, &f);
        vec3_subtract(perp_body_velocity(world->start, 0) + 3,
                      perp_body_velocity(world->start, 1) + 3, w);
        vec3_cross(f.s, w, across);
        for (int k = 0; k < 2; k++) {
            rate[k] = pair_rate(world, &joint, &rows[3 + k]);
        }
        CU_ASSERT_DOUBLE_EQUAL(rate[0] * rate[0] + rate[1] * rate[1],
                               vec3_dot(across, across), 10.0 * pair_rounding);
        CU_ASSERT_DOUBLE_EQUAL(vec3_dot(f.s, w) * vec3_dot(f.s, w) +
                                   vec3_dot(across, across),
                               vec3_dot(w, w), 10.0 * pair_rounding);
    }
}

/* Where rows are not defined. */

TEST(parallel_axes_leave_the_fourth_row_out)
{
    const perp_joint_type *types[] = {&joint_wheel, &joint_universal};

    for (int t = 0; t < 2; t++) {
        for (int side = 0; side < 2; side++) {
            perp_joint joint;
            perp_world *world = pair_world(&joint, types[t], 3);
            perp_row rows[PERP_JOINT_ROWS];
            joint_frame f;

            CU_ASSERT_EQUAL(joint_rows_now(&joint, world, world->start, rows), 4);
            joint_frame_now(&joint, world->start, &f);
            perp_quat_rotate_back(f.q_j, f.s, joint.axis_j);
            vec3_scale(side == 0 ? 1.0 : -1.0, joint.axis_j, joint.axis_j);
            CU_ASSERT_EQUAL(joint_rows_now(&joint, world, world->start, rows), 3);
            CU_ASSERT_FALSE(joint.type->coordinate(&joint, world, world->start, 0, rows));
            CU_ASSERT_FALSE(joint.type->coordinate(&joint, world, world->start, 1, rows));
            /* a millionth and a half beside is enough */
            joint.axis_j[0] += 1.5e-6;
            joint.axis_j[1] -= 1.5e-6;
            vec3_normalize(joint.axis_j);
            CU_ASSERT_EQUAL(joint_rows_now(&joint, world, world->start, rows), 4);
        }
    }
}

TEST(rows_without_a_direction_are_left_out)
{
    perp_world *world = test_random_world(2, 4);
    perp_random g = {4};
    perp_joint joint;
    perp_row rows[PERP_JOINT_ROWS];
    double zero[3] = {0};

    pair_joint(&joint, &joint_rope, world, &g);
    perp_body_point(world->start, 0, joint.anchor_i, perp_body_pose(world->start, 1));
    vec3_set(joint.anchor_j, 0.0, 0.0, 0.0);
    CU_ASSERT_EQUAL(joint_rows_now(&joint, world, world->start, rows), 0);
    pair_joint(&joint, &joint_cone, world, &g);
    memcpy(perp_body_pose(world->start, 1), perp_body_pose(world->start, 0),
           7 * sizeof(double));
    vec3_copy(joint.axis_j, joint.axis_i);
    CU_ASSERT_EQUAL(joint_rows_now(&joint, world, world->start, rows), 0);
    pair_joint(&joint, &joint_user, world, &g);
    joint.context = zero;
    CU_ASSERT_EQUAL(joint_rows_now(&joint, world, world->start, rows), 0);
}

/* In the plane. */

static void check_plane(perp_world *world, perp_joint *joint, perp_random *g)
{
    static const struct expected {
        const perp_joint_type *type;
        unsigned rows;
        const char *names[3];
    } expected[] = {
        {&joint_spherical, 2, {"x", "y"}},
        {&joint_revolute, 2, {"x", "y"}},
        {&joint_prismatic, 2, {"turn z", "across"}},
        {&joint_cylindrical, 2, {"across", "swing"}},
        {&joint_planar, 0, {NULL}},
        {&joint_fixed, 3, {"x", "y", "turn z"}},
        {&joint_angle, 1, {"angle"}},
        {&joint_cone, 1, {"swing"}},
        {&joint_rope, 1, {"length"}},
        {&joint_rod, 1, {"length"}},
        {&joint_user, 1, {"limit"}},
    };
    perp_row rows[PERP_JOINT_ROWS];
    size_t p = 0;
    unsigned n = 0;

    pair_scatter(world, g);
    while (expected[p].type != joint->type) {
        p++;
        CU_ASSERT_FATAL(p < sizeof expected / sizeof *expected);
    }
    n = joint_rows_now(joint, world, world->start, rows);
    CU_ASSERT_EQUAL_FATAL(n, expected[p].rows);
    for (unsigned k = 0; k < n; k++) {
        const char *name = expected[p].names[k];

        /* which of the two tangents lies in the plane depends on the axis */
        CU_ASSERT_NSTRING_EQUAL(joint_row_name(joint, world, k), name, strlen(name));
        CU_ASSERT(rows[k].J[0] != 0.0 || rows[k].J[5] != 0.0);
        CU_ASSERT(rows[k].J[2] == 0.0 && rows[k].J[8] == 0.0);
    }
}

TEST(the_plane_has_rows_of_its_own_alone)
{
    pair_each(2, check_plane);
}

/* The registry. */

TEST(every_type_says_what_it_is)
{
    size_t count = 0;
    const perp_joint_type *const *types = perp_joint_types(&count);

    CU_ASSERT_EQUAL(count, 13);
    CU_ASSERT_PTR_NULL(types[count]);
    CU_ASSERT_PTR_NULL(perp_joint_type_find("none"));
    for (size_t t = 0; t < count; t++) {
        const perp_joint_type *type = types[t];
        int lines = 0;

        CU_ASSERT_PTR_EQUAL(perp_joint_type_find(type->name), type);
        CU_ASSERT(type->summary[0] && type->reference[0] && type->needs != 0);
        for (const char *c = type->picture; *c; c++) {
            lines += *c == '\n';
        }
        CU_ASSERT(lines >= 6 && lines <= 12);
        CU_ASSERT(type->rows >= 1 && type->rows <= PERP_JOINT_ROWS);
        for (unsigned k = 0; k < PERP_JOINT_ROWS; k++) {
            CU_ASSERT_EQUAL(type->row_name[k] != NULL, k < type->rows);
        }
        CU_ASSERT_EQUAL(type->coordinate != NULL, type->axes > 0);
        for (unsigned k = 0; k < PERP_JOINT_AXES; k++) {
            CU_ASSERT_EQUAL(type->axis_unit[k] != PERP_AXIS_NONE, k < type->axes);
        }
    }
}
