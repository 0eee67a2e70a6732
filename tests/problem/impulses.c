/* SPDX-License-Identifier: Apache-2.0
 * tests/problem/impulses.c: sequential impulses,
 * and projected Gauss-Seidel beside them. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formulated_world.h"
#include "math/vec3.h"
#include "problem/parts.h"

/* The golden body on fixed ground, touching at some points. */
static void open_golden(stage *s, const golden_case *c)
{
    const size_t count = (size_t)golden_real(c->in, "npoints");
    const char *mode = json_string_value(json_object_get(c->in, "bias_mode"));
    perp_world *world = test_world(3, 0.0);
    double points[16];
    double normal[3];

    test_ball(world, "ground", 0.0, 1.0, 0.0, 0.0, 0.0);
    golden_body(world, "body", json_object_get(c->in, "body"));
    stage_open(s, world);
    s->scheme.model = PERP_MODEL_BOX;
    s->scheme.dt = golden_real(c->in, "dt");
    s->scheme.erp = golden_real(c->in, "beta");
    s->scheme.threshold = 0.0;
    s->scheme.bias = (perp_bias)perp_choice_find(perp_bias_names, mode);
    golden_reals(c->in, "points", 3 * count, points);
    golden_reals(c->in, "normal", 3, normal);
    for (size_t k = 0; k < count; k++) {
        stage_touch(s, 0, 1, points + 3 * k, normal, -golden_real(c->in, "penetration"),
                    golden_real(c->in, "mu"))
            ->restitution = golden_real(c->in, "restitution");
    }
    stage_formulate_at(s, world->start->u);
}

static void check_history(const golden_case *c)
{
    stage s;
    double history[256];
    double b[16];
    double z[16] = {0.0};
    double *u = NULL;
    const size_t sweeps = (size_t)golden_real(c->in, "sweeps");
    size_t n = 0;

    open_golden(&s, c);
    n = s.system.rows.count;
    u = s.u_plus;
    memcpy(b, s.system.rows.bias, n * sizeof *b);
    golden_agree(c, "b_err", b, n);
    memcpy(u, s.world->start->u, 12 * sizeof *u);
    for (size_t k = 0; k < sweeps; k++) {
        perp_sequential_impulses(&s.system.rows, s.world, s.world->start, &s.contacts, 1,
                                 u, z);
        memcpy(history + k * (n + 6), z, n * sizeof *z);
        memcpy(history + k * (n + 6) + n, u + 6, 6 * sizeof *u);
    }
    golden_agree(c, "history", history, sweeps * (n + 6));
    golden_agree(c, "u_final", u + 6, 6);
    stage_close(&s);
}

TEST(biases_and_sweeps_are_the_golden_ones)
{
    golden_each("sequential_impulse", NULL, check_history);
}

/* Three bodies with a soft hinge, a limit, a motor and five contacts. */
static void open_chain(stage *s)
{
    const double at[3] = {0.1, 0.2, -0.3};
    const double along[3] = {0.0, 0.6, 0.8};
    perp_joint hinge = {
        .name = "revolute", .i = 1, .j = 2, .cfm = 1e-3, .angular_cfm = 1e-3};

    stage_open_pile(s, PERP_MODEL_BOX, PERP_STORAGE_FACTORED);
    hinge.type = perp_joint_type_find("revolute");
    OK(perp_joint_attach(&hinge, s->world, s->world->start, at, along, along, NULL));
    hinge.axes[0] = (perp_axis){.has_lower = true,
                                .lower = 0.01,
                                .motor = PERP_MOTOR_VELOCITY,
                                .target = 1.0,
                                .max_force = 3.0};
    OK(perp_world_add_joint(s->world, &hinge, NULL, NULL));
    stage_formulate(s);
}

TEST(sweeps_equal_those_of_pgs_on_the_assembled_problem)
{
    stage s;
    double z[64];

    open_chain(&s);
    for (size_t sweeps = 1; sweeps <= 32; sweeps *= 2) {
        char most[32];
        perp_result *r = NULL;

        snprintf(most, sizeof most, "max-iterations=%zu", sweeps);
        r = test_solve(&s.system.problem, "pgs", most, "tolerance=1e-15", NULL);
        memset(z, 0, sizeof z);
        memcpy(s.u_plus, s.u_free, 18 * sizeof *z);
        perp_sequential_impulses(&s.system.rows, s.world, s.world->start, &s.contacts,
                                 sweeps, s.u_plus, z);
        /* the same operations in another order, a few ulp more each sweep */
        test_agree("z", z, r->z, s.system.problem.n, 1e-12);
        perp_system_velocities(&s.system, r->z, s.u_free); /* u of the impulses of pgs */
        test_agree("u", s.u_plus, s.u_free, 18, 1e-12);
        memcpy(s.u_free, s.system.u_free, 18 * sizeof *z);
    }
    stage_close(&s);
}

TEST(many_sweeps_reach_what_a_block_solver_finds)
{
    stage s;
    double z[64] = {0.0};

    open_chain(&s);
    stage_solve(&s, "friction-path");
    memcpy(s.u_free, s.system.u_free, 18 * sizeof *z);
    perp_sequential_impulses(&s.system.rows, s.world, s.world->start, &s.contacts, 20000,
                             s.u_free, z);
    test_agree("u", s.u_free, s.u_plus, 18, 1e-9); /* where it turns: RES 1e-12 */
    CU_ASSERT(perp_residual(&s.system.problem, z) <= 1e-12);
    /* from the solution, nothing moves */
    memcpy(s.u_plus, s.u_free, 18 * sizeof *z);
    perp_sequential_impulses(&s.system.rows, s.world, s.world->start, &s.contacts, 5,
                             s.u_plus, z);
    test_agree("warm", s.u_plus, s.u_free, 18, 1e-12);
    stage_close(&s);
}

/* One sweep that clamps the increment of each normal, not the sum. */
static void sweep_increments(const stage *s, double *u)
{
    for (size_t r = 0; r < s->system.rows.count; r++) {
        const double *J = s->system.rows.J + 12 * r;
        double rate = perp_row_rate(J, u, u + 6) - s->system.rows.bias[r];
        double d = fmax(0.0, -rate / perp_operator_entry(s->system.problem.A, r, r));
        double row[12];

        stage_spread(s, r, row);
        perp_world_accelerations(s->world, s->world->start, row, row);
        for (size_t c = 0; c < 12; c++) {
            u[c] += row[c] * d;
        }
    }
}

/* A bar on two supports at unequal arms that falls turning: the first push overshoots and
 * must be taken back, which clamped increments cannot. */
TEST(clamping_increments_stops_at_a_wrong_point)
{
    const double left[3] = {-0.2, 0.0, 0.0};
    const double right[3] = {1.0, 0.0, 0.0};
    const double up[3] = {0.0, 0.0, 1.0};
    perp_body bar = {.name = "bar", .mass = 1.0, .v = {0.0, 0.0, -1.0}};
    perp_world *world = test_world(3, 0.0);
    double z[2] = {0.0, 0.0};
    double u[12];
    stage s;

    perp_inertia_box(1.0, (const double[]){1.0, 0.1, 0.1}, bar.inertia);
    test_ball(world, "ground", 0.0, 1.0, 0.0, 0.0, 0.0);
    OK(perp_world_add_body(world, &bar, NULL, NULL));
    stage_open(&s, world);
    stage_touch(&s, 0, 1, right, up, 0.0, 0.0);
    stage_touch(&s, 0, 1, left, up, 0.0, 0.0);
    s.scheme.model = PERP_MODEL_FRICTIONLESS;
    stage_formulate(&s);
    memcpy(s.u_plus, s.u_free, sizeof u);
    memcpy(u, s.u_free, sizeof u);
    for (int k = 0; k < 200; k++) {
        perp_sequential_impulses(&s.system.rows, s.world, s.world->start, &s.contacts, 1,
                                 s.u_plus, z);
        sweep_increments(&s, u);
    }
    CU_ASSERT(perp_residual(&s.system.problem, z) <= 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(s.u_plus[8], 0.0, 1e-12); /* at rest on both supports */
    CU_ASSERT(fabs(u[8]) > 0.01);                    /* thrown up */
    stage_close(&s);
}

/* 1/k_eff = 1/m_i + 1/m_j + (r_i x d).I_i^-1 (r_i x d) + (r_j x d).I_j^-1 (r_j x d) */
TEST(effective_masses_follow_the_formula)
{
    stage s;

    stage_open_pile(&s, PERP_MODEL_BOX, PERP_STORAGE_FACTORED);
    for (size_t r = 0; r < s.system.rows.count; r++) {
        const perp_contact *c = &s.contacts.at[r / 3];
        const double *d = s.system.rows.J + 12 * r + 6;
        const size_t body[2] = {(size_t)c->i, (size_t)c->j};
        double found = perp_operator_entry(s.system.problem.A, r, r);
        double sum = 0.0;

        for (int side = 0; side < 2; side++) {
            double arm[3];
            double turned[3];

            vec3_subtract(c->point, perp_body_pose(s.world->start, body[side]), arm);
            vec3_cross(arm, d, arm);
            mat3_apply(s.world->start->inverse_inertia + 9 * body[side], arm, turned);
            sum += s.world->inverse_mass[body[side]] + vec3_dot(arm, turned);
        }
        test_agree("1/k_eff", &found, &sum, 1, 1e-13); /* a dozen products */
    }
    stage_close(&s);
}
