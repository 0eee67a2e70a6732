/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/rotation.c: quaternions, their rates, turns and frames. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "dynamics.h"
#include "vec3.h"

/* Everything that is stored about one orientation. */
static void check_kinematics(const golden_case *c)
{
    double q[4];
    double p[4];
    double w[3];
    double a[3];
    double n[3];
    double phi[3];
    double x[12];
    double y[9];
    double dt = golden_real(c->in, "dt");

    golden_reals(c->in, "q", 4, q);
    golden_reals(c->in, "p", 4, p);
    golden_reals(c->in, "w", 3, w);
    golden_reals(c->in, "a", 3, a);
    golden_reals(c->in, "n", 3, n);
    golden_reals(c->in, "phi", 3, phi);
    perp_rotation_matrix(q, x);
    golden_agree(c, "R", x, 9);
    mat3_apply_transposed(x, w, y);
    golden_agree(c, "w_body", y, 3);
    perp_quat_multiply(q, p, x);
    golden_agree(c, "qp", x, 4);
    perp_quat_rotate(q, a, x);
    golden_agree(c, "q_rot_a", x, 3);
    perp_quat_rotate_back(q, a, x);
    golden_agree(c, "q_inv_rot_a", x, 3);
    perp_quat_rate_matrix(q, x);
    golden_agree(c, "Q", x, 12);
    perp_quat_body_matrix(q, x);
    golden_agree(c, "G", x, 12);
    perp_quat_rate(q, w, x);
    golden_agree(c, "qdot", x, 4);
    perp_cross_matrix(a, x);
    golden_agree(c, "skew_a", x, 9);
    perp_quat_exp(phi, x);
    golden_agree(c, "exp_phi", x, 4);
    perp_quat_log(q, x);
    golden_agree(c, "log_q", x, 3);
    memcpy(x, q, sizeof q);
    perp_quat_turn(x, w, dt, PERP_TURN_LINEAR, NULL, 0.0);
    golden_agree(c, "q_step_linear", x, 4);
    memcpy(x, q, sizeof q);
    perp_quat_turn(x, w, dt, PERP_TURN_EXPONENTIAL, NULL, 0.0);
    golden_agree(c, "q_step_exp", x, 4);
    perp_tangents(n, x, y);
    golden_agree(c, "t1", x, 3);
    golden_agree(c, "t2", y, 3);
}

static void kinematics_are_the_golden_ones(void)
{
    CU_ASSERT(golden_each("kinematics", NULL, check_kinematics) >= 8);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(kinematics_are_the_golden_ones),
        TEST_END,
    };

    return test_run(argc, argv, "dynamics/rotation", cases);
}
