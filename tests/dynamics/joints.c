/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/joints.c: rows and errors of the joint types. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../libdynamics/joints/joints.h"
#include "dynamics.h"

static double row_rate(const perp_world *world, const perp_joint *joint,
                       const perp_row *row)
{
    const double *u_i = perp_body_velocity(world, (size_t)joint->i);
    const double *u_j = perp_body_velocity(world, (size_t)joint->j);
    double sum = 0.0;

    for (int k = 0; k < 6; k++) {
        sum += row->J[k] * u_i[k] + row->J[6 + k] * u_j[k];
    }
    return sum;
}

/* Golden values. */

static void compare_rows(const golden_case *c, const perp_world *world,
                         const perp_joint *joint)
{
    perp_row rows[PERP_JOINT_ROWS];
    double J[12 * PERP_JOINT_ROWS];
    double phi[PERP_JOINT_ROWS];
    double bias[PERP_JOINT_ROWS];
    double rate[PERP_JOINT_ROWS];
    unsigned n = joint->type->write(joint, world, rows);

    CU_ASSERT_EQUAL_FATAL(n, joint->type->rows);
    CU_ASSERT_EQUAL_FATAL(golden_count(c->out, "phi"), n);
    for (unsigned k = 0; k < n; k++) {
        memcpy(J + 12 * (size_t)k, rows[k].J, sizeof rows[k].J);
        phi[k] = rows[k].phi;
        bias[k] = -golden_real(c->in, "k_cor") * rows[k].phi;
        rate[k] = row_rate(world, joint, &rows[k]);
    }
    if (joint->exact) {
        golden_agree(c, "J_exact", J, 12 * n);
    } else {
        golden_agree(c, "J", J, 12 * n);
        golden_agree(c, "phi", phi, n);
        golden_agree(c, "b_err", bias, n);
        golden_agree(c, "Ju", rate, n);
    }
}

static void check_case(const golden_case *c)
{
    perp_world *world = golden_pair(c);
    perp_joint joint;
    joint_frame f;
    double t1[3];
    double t2[3];

    golden_joint(&joint, c->type, c->in, 0, 1);
    compare_rows(c, world, &joint);
    if (golden_count(c->out, "t1") > 0) {
        joint_frame_now(&joint, world, &f);
        joint_tangents(&joint, &f, t1, t2);
        golden_agree(c, "t1", t1, 3);
        golden_agree(c, "t2", t2, 3);
    }
    if (golden_count(c->out, "J_exact") > 0) {
        joint.exact = true;
        compare_rows(c, world, &joint);
    }
    perp_world_free(world);
}

static void balls_are_the_golden_ones(void)
{
    CU_ASSERT_EQUAL(golden_each("joints", "ball", check_case), 6);
}

static void hinges_are_the_golden_ones(void)
{
    CU_ASSERT_EQUAL(golden_each("joints", "hinge", check_case), 6);
}

static void sliders_are_the_golden_ones(void)
{
    CU_ASSERT_EQUAL(golden_each("joints", "slider", check_case), 6);
}

static void wheels_are_the_golden_ones(void)
{
    CU_ASSERT_EQUAL(golden_each("joints", "wheel", check_case), 6);
}

static void universal_joints_are_the_golden_ones(void)
{
    CU_ASSERT_EQUAL(golden_each("joints", "universal", check_case), 6);
}

static void fixed_joints_are_the_golden_ones(void)
{
    CU_ASSERT_EQUAL(golden_each("joints", "fixed", check_case), 6);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(balls_are_the_golden_ones),
        TEST(hinges_are_the_golden_ones),
        TEST(sliders_are_the_golden_ones),
        TEST(wheels_are_the_golden_ones),
        TEST(universal_joints_are_the_golden_ones),
        TEST(fixed_joints_are_the_golden_ones),
        TEST_END,
    };

    return test_run(argc, argv, "dynamics/joints", cases);
}
