/* SPDX-License-Identifier: Apache-2.0
 * tests/problem/soft.c: springs as rows, softness, and the KKT form of joints. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formulated_world.h"
#include "reference.h"

/* A mass on a rail along x with a spring on the rail, at x with velocity v,
 * pushed by f. */
static void open_spring(stage *s, double m, double x, double v, double f)
{
    const double origin[3] = {0.0, 0.0, 0.0};
    const double along[3] = {1.0, 0.0, 0.0};
    perp_world *world = test_world(3, 0.0);
    perp_joint joint = {.name = "rail", .i = 0, .j = 1};

    test_ball(world, "ground", 0.0, 1.0, 0.0, 0.0, 0.0);
    test_ball(world, "mass", m, 1.0, 0.0, 0.0, 0.0);
    joint.type = perp_joint_type_find("prismatic");
    OK(perp_joint_attach(&joint, world, world->start, origin, along, along, NULL));
    OK(perp_world_add_joint(world, &joint, NULL, NULL));
    world->start->s[7] = x;
    world->start->u[6] = v;
    world->start->load[6] = f;
    stage_open(s, world);
}

static void check_spring(const golden_case *c)
{
    const double k = golden_real(c->in, "k");
    const double damping = golden_real(c->in, "c");
    const double h = golden_real(c->in, "h");
    double erp = 0.0;
    double cfm = 0.0;
    double A = 0.0;
    perp_result *r = NULL;
    stage s;

    open_spring(&s, golden_real(c->in, "m"), golden_real(c->in, "x"),
                golden_real(c->in, "v"), golden_real(c->in, "f"));
    s.scheme.dt = h;
    s.world->joints[0].axes[0].stiffness = k;
    s.world->joints[0].axes[0].damping = damping;
    perp_soft_parameters(k, damping, h, &erp, &cfm);
    golden_agree(c, "erp", &erp, 1);
    golden_agree(c, "cfm", &cfm, 1);
    stage_formulate(&s);
    CU_ASSERT_EQUAL_FATAL(s.system.problem.n, 6);
    A = perp_operator_entry(s.system.problem.A, 5, 5);
    golden_agree(c, "A", &A, 1);
    golden_agree(c, "b", s.system.problem.b + 5, 1);
    r = stage_solve(&s, "dantzig");
    golden_agree(c, "impulse", r->z + 5, 1);
    golden_agree(c, "v_plus", s.u_plus + 6, 1);
    stage_close(&s);
}

TEST(springs_of_an_axis_are_the_golden_ones)
{
    golden_each("soft", "spring", check_spring);
}

/* Soft rows of a whole joint: a mass on a soft fixed joint moves along x as backward
 * Euler does, ten steps of v' = (m v - h k x)/(m + h c + h^2 k), x' = x + h v'. */
TEST(a_soft_joint_is_backward_euler_of_its_spring)
{
    const double h = 1.0 / 64.0;
    const double m = 2.0;
    const double k = 300.0;
    const double c = 3.0;
    double x = 0.1;
    double v = 0.0;
    stage s;

    open_spring(&s, m, x, v, 0.0);
    s.world->joints[0].type = perp_joint_type_find("fixed");
    s.world->joints[0].stiffness = k;
    s.world->joints[0].damping = c;
    s.scheme.dt = h;
    for (int step = 0; step < 10; step++) {
        stage_formulate(&s);
        CU_ASSERT(s.system.rows.any_soft);
        perp_result_free(stage_solve(&s, "dantzig"));
        v = (m * v - h * k * x) / (m + h * c + h * h * k);
        x += h * v;
        memcpy(s.world->start->u, s.u_plus, 12 * sizeof(double));
        s.world->start->s[7] += h * s.u_plus[6];
        CU_ASSERT_DOUBLE_EQUAL(s.world->start->s[7], x, 1e-13); /* rounding, ten steps */
    }
    stage_close(&s);
}

/* The same of angles: a ball about x on a soft fixed joint, I = 2/5 m r^2 = 0.8, whose
 * lengths stay hard while its angles are springs; one step of w' = (I w - h k phi)/(I + h c +
 * h^2 k). A load along y finds the hard rows. */
TEST(angles_are_soft_apart_from_lengths)
{
    const double h = 1.0 / 64.0;
    const double k = 300.0;
    const double c = 3.0;
    stage s;
    perp_joint *joint = NULL;
    const perp_rows *rows = NULL;

    open_spring(&s, 2.0, 0.0, 0.0, 0.0);
    joint = &s.world->joints[0];
    joint->type = perp_joint_type_find("fixed");
    joint->angular_stiffness = k;
    joint->angular_damping = c;
    s.world->start->u[9] = 0.5;
    s.world->start->u[7] = 1.0;
    s.scheme.dt = h;
    stage_formulate(&s);
    rows = &s.system.rows;
    CU_ASSERT_EQUAL_FATAL(rows->count, 6);
    for (int r = 0; r < 6; r++) {
        CU_ASSERT_DOUBLE_EQUAL(rows->soft[r], r < 3 ? 0.0 : 1.0 / (h * (h * k + c)),
                               1e-12);
    }
    perp_result_free(stage_solve(&s, "dantzig"));
    CU_ASSERT_DOUBLE_EQUAL(s.u_plus[9], 0.8 * 0.5 / (0.8 + h * c + h * h * k), 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(s.u_plus[7], 0.0, 1e-14);
    joint->angular_stiffness = joint->angular_damping = 0.0;
    joint->angular_cfm = 1e-3;
    joint->cfm = 2e-3;
    stage_formulate(&s);
    for (int r = 0; r < 6; r++) {
        CU_ASSERT_DOUBLE_EQUAL(rows->soft[r], (r < 3 ? 2e-3 : 1e-3) / h, 1e-15);
    }
    stage_close(&s);
}

/* Energy of a joint off by 0.3 m and 0.2 rad, 1/2 k phi^2 of each: phi of an angle is
 * 2 sin of its half. */
TEST(springs_of_lengths_and_angles_store_apart)
{
    const double half = sin(0.1);
    stage s;
    perp_joint *joint = NULL;

    open_spring(&s, 2.0, 0.3, 0.0, 0.0);
    joint = &s.world->joints[0];
    joint->type = perp_joint_type_find("fixed");
    s.world->start->s[10] = cos(0.1);
    s.world->start->s[11] = half;
    joint->stiffness = 100.0;
    CU_ASSERT_DOUBLE_EQUAL(perp_joint_energy(joint, s.world, s.world->start,
                                             perp_joint_axes_of(s.world->start, 0)),
                           50.0 * 0.09, 1e-13);
    joint->angular_stiffness = 10.0;
    CU_ASSERT_DOUBLE_EQUAL(perp_joint_energy(joint, s.world, s.world->start,
                                             perp_joint_axes_of(s.world->start, 0)),
                           50.0 * 0.09 + 5.0 * 4.0 * half * half, 1e-13);
    stage_close(&s);
}

/* Twice the same joint: A is singular without, regular with K_cfm,
 * and the motion is right. */
TEST(softness_makes_repeated_rows_solvable)
{
    stage s;
    perp_joint again;

    open_spring(&s, 2.0, 0.0, 3.0, 0.0);
    again = s.world->joints[0];
    strcpy(again.name, "rail again");
    again.cfm = s.world->joints[0].cfm = 1e-6;
    OK(perp_world_add_joint(s.world, &again, NULL, NULL));
    s.world->start->u[7] = 1.0;
    stage_formulate(&s);
    stage_solve(&s, "dantzig");
    CU_ASSERT_DOUBLE_EQUAL(s.u_plus[6], 3.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(s.u_plus[7], 0.0, 1e-4); /* cfm/dt lambda: 3e-5 of 1 m/s */
    CU_ASSERT(s.u_plus[7] > 0.0);
    stage_close(&s);
}

static void check_kkt(const golden_case *c)
{
    const size_t n = (size_t)golden_real(c->in, "n");
    const size_t m = (size_t)golden_real(c->in, "m");
    double *rows = test_alloc(m * n, sizeof *rows);
    double *J = test_alloc(m * n, sizeof *J);
    double *M = test_alloc(n * n, sizeof *M);
    double diagonal[32];
    double v[32];
    double f[32];
    double D[32] = {0.0};
    const double bias[32] = {0.0};
    double lambda[32];

    CU_ASSERT_FATAL(rows && J && M && n <= 32 && m <= 32);
    golden_reals(c->in, "J", m * n, rows);
    golden_reals(c->in, "M_diag", n, diagonal);
    golden_reals(c->in, "v", n, v);
    golden_reals(c->in, "f", n, f);
    for (size_t j = 0; j < n; j++) {
        M[j * (n + 1)] = diagonal[j];
        for (size_t i = 0; i < m; i++) {
            J[i + j * m] = rows[i * n + j];
        }
    }
    for (size_t i = 0; i < m; i++) {
        D[i] = golden_real(c->in, "compliance");
    }
    CU_ASSERT_EQUAL(perp_kkt_solve(n, M, m, J, D[0] > 0.0 ? D : NULL, v, f, bias,
                                   golden_real(c->in, "dt"), v, lambda, NULL),
                    PERP_OK);
    golden_agree(c, "v_plus", v, n);
    golden_agree(c, "impulse", lambda, m);
}

TEST(kkt_systems_are_the_golden_ones)
{
    golden_each("soft", "kkt", check_kkt);
}

/* Three bodies in a chain of two joints, with their matrices in full, by columns. */
typedef struct chain {
    stage s;
    size_t n, rows;
    double *M, *J, *D, *f;
    double v[18], lambda[16];
} chain;

static void open_chain(chain *c, double erp)
{
    static const char *const types[] = {"revolute", "spherical"};
    const double at[3] = {0.1, -0.2, 0.3};
    const double along[3] = {0.6, 0.0, 0.8};
    double row[18];

    memset(c, 0, sizeof *c);
    stage_open(&c->s, test_random_world(3, 21));
    c->s.world->gravity[2] = -9.81;
    c->s.scheme.erp = erp;
    for (int32_t k = 0; k < 2; k++) {
        perp_joint joint = {.i = k, .j = k + 1};

        strcpy(joint.name, types[k]);
        joint.type = perp_joint_type_find(types[k]);
        OK(perp_joint_attach(&joint, c->s.world, c->s.world->start, at, along, along,
                             NULL));
        joint.cfm = k == 1 ? 1e-3 : 0.0;
        OK(perp_world_add_joint(c->s.world, &joint, NULL, NULL));
    }
    c->s.world->start->s[0] += 0.01; /* an error to correct */
    stage_formulate(&c->s);
    c->n = 18;
    c->rows = c->s.system.rows.count;
    c->M = calloc(18 * 18, sizeof *c->M);
    c->J = calloc(18 * c->rows, sizeof *c->J);
    c->D = calloc(c->rows, sizeof *c->D);
    c->f = calloc(18, sizeof *c->f);
    CU_ASSERT_FATAL(c->M && c->J && c->D && c->f && c->rows == 8);
    for (size_t k = 0; k < 3; k++) {
        double inertia[9];

        perp_world_inertia(c->s.world, c->s.world->start, k, inertia);
        for (size_t e = 0; e < 9; e++) {
            c->M[6 * k + 3 + e / 3 + 18 * (6 * k + 3 + e % 3)] = inertia[e];
            c->M[6 * k + e / 3 + 18 * (6 * k + e % 3)] =
                e % 4 == 0 ? c->s.world->mass[k] : 0.0;
        }
    }
    for (size_t r = 0; r < c->rows; r++) {
        c->D[r] = c->s.system.rows.soft[r];
        stage_spread(&c->s, r, row);
        for (size_t j = 0; j < 18; j++) {
            c->J[r + j * c->rows] = row[j];
        }
    }
    perp_world_forces(c->s.world, c->s.world->start, true, c->f);
}

static void close_chain(chain *c)
{
    stage_close(&c->s);
    free(c->M);
    free(c->J);
    free(c->D);
    free(c->f);
}

static perp_status solve_chain(void *context, perp_error *err)
{
    chain *c = context;

    return perp_kkt_solve(c->n, c->M, c->rows, c->J, c->D, c->s.world->start->u, c->f,
                          c->s.system.rows.bias, c->s.scheme.dt, c->v, c->lambda, err);
}

TEST(the_kkt_form_and_its_schur_complement_agree)
{
    chain c;
    perp_result *r = NULL;

    open_chain(&c, 0.2);
    OK(solve_chain(&c, NULL));
    r = stage_solve(&c.s, "dantzig");
    /* two eliminations of numbers up to 10 and a condition of a few hundred */
    test_agree("v", c.v, c.s.u_plus, 18, 1e-11);
    test_agree("lambda", c.lambda, r->z, c.rows, 1e-11);
    close_chain(&c);
}

/* M (v - v_n) = dt f + J^T lambda, and any v + J-free step makes the objective larger. */
TEST(the_kkt_form_is_the_discrete_equation_of_motion)
{
    chain c;

    open_chain(&c, 0.2);
    OK(solve_chain(&c, NULL));
    for (size_t i = 0; i < 18; i++) {
        double sum = -c.s.scheme.dt * c.f[i];

        for (size_t j = 0; j < 18; j++) {
            sum += c.M[i + 18 * j] * (c.v[j] - c.s.world->start->u[j]);
        }
        for (size_t r = 0; r < c.rows; r++) {
            sum -= c.J[r + i * c.rows] * c.lambda[r];
        }
        CU_ASSERT_DOUBLE_EQUAL(sum, 0.0, 1e-12); /* backward stable, terms of 10 */
    }
    for (size_t r = 0; r < c.rows; r++) {
        double rate = c.D[r] * c.lambda[r] - c.s.system.rows.bias[r];

        for (size_t j = 0; j < 18; j++) {
            rate += c.J[r + j * c.rows] * c.v[j];
        }
        CU_ASSERT_DOUBLE_EQUAL(rate, 0.0, 1e-12);
    }
    close_chain(&c);
}

/* (v - v_n)^T M (v - v_n)/(2 dt) - f.v */
static double objective(const chain *c, const double *v)
{
    double sum = 0.0;

    for (size_t i = 0; i < 18; i++) {
        for (size_t j = 0; j < 18; j++) {
            sum += (v[i] - c->s.world->start->u[i]) * c->M[i + 18 * j] *
                   (v[j] - c->s.world->start->u[j]) / (2.0 * c->s.scheme.dt);
        }
        sum -= c->f[i] * v[i];
    }
    return sum;
}

/* Other velocities that the joints allow: solutions for other forces. */
TEST(the_kkt_form_minimises_over_what_joints_allow)
{
    chain c;
    double best = 0.0;
    double v[18];
    double other[18];

    open_chain(&c, 0.2);
    memset(c.D, 0, c.rows * sizeof *c.D);
    OK(solve_chain(&c, NULL));
    memcpy(v, c.v, sizeof v);
    best = objective(&c, v);
    for (int trial = 0; trial < 20; trial++) {
        perp_random g = {(uint64_t)trial};

        for (int k = 0; k < 18; k++) {
            other[k] = perp_random_uniform(&g, -50.0, 50.0);
        }
        OK(perp_kkt_solve(18, c.M, c.rows, c.J, NULL, c.s.world->start->u, other,
                          c.s.system.rows.bias, c.s.scheme.dt, c.v, c.lambda, NULL));
        CU_ASSERT(objective(&c, c.v) > best);
    }
    close_chain(&c);
}

TEST(ideal_joints_do_no_work)
{
    chain c;
    double work = 0.0;
    double size = 0.0;

    open_chain(&c, 0.0);
    memset(c.D, 0, c.rows * sizeof *c.D);
    OK(solve_chain(&c, NULL));
    for (size_t r = 0; r < c.rows; r++) {
        double rate = 0.0;

        for (size_t j = 0; j < 18; j++) {
            rate += c.J[r + j * c.rows] * c.v[j];
        }
        work += c.lambda[r] * rate;
        size += fabs(c.lambda[r]);
    }
    CU_ASSERT(size > 0.1);
    CU_ASSERT_DOUBLE_EQUAL(work, 0.0, 1e-12);
    close_chain(&c);
}

/* A pendulum of three springs, K and C given: M + dt C + dt^2 K in place of M and
 * f - K x - dt K v_n - C v_n in place of f make the same system backward Euler. Its
 * answer satisfies M (v - v_n) = dt (f - K (x + dt v) - C v) + J^T lambda to rounding. */
TEST(implicit_euler_is_the_kkt_form_with_another_mass)
{
    enum { n = 3 };
    const double dt = 0.05;
    const double M[9] = {1.0, 0, 0, 0, 2.0, 0, 0, 0, 0.5};
    const double K[9] = {90.0, -40.0, 0, -40.0, 60.0, -20.0, 0, -20.0, 30.0};
    const double C[9] = {2.0, -1.0, 0, -1.0, 2.0, -1.0, 0, -1.0, 3.0};
    const double J[3] = {1.0, 1.0, 1.0};
    const double x[3] = {0.3, -0.2, 0.1};
    const double v_n[3] = {1.0, 0.5, -1.0};
    const double f[3] = {0.0, -9.0, 4.0};
    const double bias[1] = {0.25};
    double mass[9];
    double force[3];
    double v[3];
    double lambda[1];

    for (int i = 0; i < n; i++) {
        force[i] = f[i];
        for (int j = 0; j < n; j++) {
            const int e = i + n * j;

            mass[e] = M[e] + dt * C[e] + dt * dt * K[e];
            force[i] -= K[e] * (x[j] + dt * v_n[j]) + C[e] * v_n[j];
        }
    }
    OK(perp_kkt_solve(n, mass, 1, J, NULL, v_n, force, bias, dt, v, lambda, NULL));
    for (int i = 0; i < n; i++) {
        double sum = -dt * f[i] - J[i] * lambda[0];

        for (int j = 0; j < n; j++) {
            const int e = i + n * j;

            sum += M[e] * (v[j] - v_n[j]) + dt * K[e] * (x[j] + dt * v[j]) +
                   dt * C[e] * v[j];
        }
        CU_ASSERT_DOUBLE_EQUAL(sum, 0.0, 1e-14);
    }
    CU_ASSERT_DOUBLE_EQUAL(v[0] + v[1] + v[2], 0.25, 1e-14);
}

TEST(repeated_rows_are_refused_and_units_are_not)
{
    const double M[4] = {1e-9, 0.0, 0.0, 1e9}; /* a grain and a mountain */
    const double one[2] = {1.0, 1.0};
    const double twice[4] = {1.0, 1.0, 1.0, 1.0};
    const double never[2] = {1.0, NAN};
    const double zero[2] = {0.0, 0.0};
    const double v_n[2] = {1.0, 0.0};
    double v[2];
    double lambda[2];
    perp_error err = {0};

    OK(perp_kkt_solve(2, M, 1, one, NULL, v_n, zero, zero, 0.1, v, lambda, NULL));
    CU_ASSERT_DOUBLE_EQUAL(v[0] + v[1], 0.0, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(lambda[0], -1e-9, 1e-24);
    CU_ASSERT_EQUAL(
        perp_kkt_solve(2, M, 2, twice, NULL, v_n, zero, zero, 0.1, v, lambda, &err),
        PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "singular"));
    perp_error_clear(&err);
    v[0] = -7.0;
    CU_ASSERT_EQUAL(
        perp_kkt_solve(2, M, 1, never, NULL, v_n, zero, zero, 0.1, v, lambda, &err),
        PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "kkt: an entry is not finite");
    CU_ASSERT_EQUAL(v[0], -7.0);
    OK(perp_kkt_solve(0, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0.1, NULL, NULL, NULL));
}
