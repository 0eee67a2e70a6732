/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/implicit.c: implicit forces together with joints and contacts.
 *
 * Impulses change velocities by M* = M - h df/du - h^2 df/dx of the end of the free motion. The
 * tests make M* of the derivatives of the force types as one dense matrix, and compare with the
 * KKT system of it. */
#include <config.h>

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics.h"
#include "math/vec3.h"
#include "run.h"
#include "scarce.h"

enum { MOST = 48 };

static void spring(perp_world *w, int32_t i, int32_t j, double stiffness, double damping,
                   double rest)
{
    perp_force f = {.type = perp_force_type_find("spring"), .i = i, .j = j};

    f.value[0] = stiffness;
    f.value[1] = damping;
    f.value[2] = rest;
    CU_ASSERT_EQUAL_FATAL(perp_world_add_force(w, &f, NULL), PERP_OK);
}

static perp_scheme implicit_scheme(void)
{
    perp_scheme scheme = run_scheme_by(PERP_INTEGRATOR_IMPLICIT, 0.01);

    scheme.override_gyro = true;
    scheme.gyro = PERP_GYRO_NONE;
    return scheme;
}

/* 1 and 9 kg welded, a spring of 1e6 N/m stretched by 0.1 m on the first. */
static perp_world *welded(unsigned dimension)
{
    perp_world *w = test_world(dimension, 0.0);

    test_ball(w, "wall", 0.0, 0.1, 0.0, 0.0, 0.0);
    run_ball(w, "light", 1.0, 0.1, 1.1, 0.0, 0.0);
    run_ball(w, "heavy", 9.0, 0.1, 1.5, 0.0, 0.0);
    spring(w, 0, 1, 1e6, 0.0, 1.0);
    run_joint(w, "fixed", 1, 2, (const double[]){1.3, 0, 0}, NULL);
    return w;
}

/* v = h k x/(m + h^2 k) with m = 10: what is left of 0.1 m is 0.1 - 10/110 = 0.0091 m. Each
 * force advanced alone would leave 0.0901 m. */
TEST(a_welded_pair_on_a_stiff_spring_moves_as_the_kkt_form)
{
    const double h = 0.01;
    const double mass[4] = {1.0 + h * h * 1e6, 0.0, 0.0, 9.0};
    const double J[2] = {1.0, -1.0};
    const double f[2] = {-1e6 * 0.1, 0.0};
    const double zero[2] = {0.0, 0.0};
    double v[2];
    double lambda[1];
    perp_scheme scheme = implicit_scheme();
    const char *const solvers[] = {"prox-newton tolerance=1e-14",
                                   "minmap tolerance=1e-14", "dantzig tolerance=1e-14"};

    CU_ASSERT_EQUAL(
        perp_kkt_solve(2, mass, 1, J, NULL, zero, f, zero, h, v, lambda, NULL), PERP_OK);
    CU_ASSERT_DOUBLE_EQUAL(0.1 + h * v[0], 0.1 / 11.0, 1e-15);
    for (size_t k = 0; k < 6; k++) {
        run r = run_begin(welded(k < 3 ? 3 : 2), &scheme, solvers[k % 3], true);

        run_steps(&r, 1);
        CU_ASSERT_DOUBLE_EQUAL(r.world->start->s[7] - 1.0, 0.1 + h * v[0], 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(r.world->start->s[14] - 1.4, 0.1 + h * v[1], 1e-12);
        run_end(&r);
    }
}

/* The spring pulls the pair against a third ball, which is pushed along: one more equation. */
TEST(a_contact_pushes_with_the_mass_that_the_spring_gives)
{
    const double h = 0.01;
    const double mass[9] = {1.0 + h * h * 1e6, 0, 0, 0, 9.0, 0, 0, 0, 2.0};
    const double J[6] = {1.0, 1.0, -1.0, 0.0, 0.0, -1.0};
    const double f[3] = {-1e6 * 0.1, 0.0, 0.0};
    const double zero[3] = {0.0, 0.0, 0.0};
    double v[3];
    double lambda[2];
    perp_scheme scheme = implicit_scheme();
    perp_world *w = welded(3);
    run r;

    run_material(w, 0.0, 0.0);
    run_ball(w, "pushed", 2.0, 0.1, 0.9, 0.0, 0.0);
    r = run_begin(w, &scheme, "prox-newton tolerance=1e-14", true);
    CU_ASSERT_EQUAL(
        perp_kkt_solve(3, mass, 2, J, NULL, zero, f, zero, h, v, lambda, NULL), PERP_OK);
    run_steps(&r, 1);
    CU_ASSERT_EQUAL(r.report.contacts, 1);
    for (size_t k = 0; k < 3; k++) {
        /* the gap between the balls is rounding of 1e-16 m in a step of 0.01 s */
        CU_ASSERT_DOUBLE_EQUAL(r.world->start->u[6 * (k + 1)], v[k], 1e-12);
    }
    run_end(&r);
}

/* Not the gradient of anything: the first two bodies drive each other round. */
static void turn_round(void *context, const perp_world *w, const perp_state *state,
                       double *f)
{
    const double *a = perp_body_pose(state, 1);
    const double *b = perp_body_pose(state, 2);

    (void)w;
    (void)context;
    f[6] -= 4e3 * (b[1] - 0.1);
    f[13] += 6e3 * (a[0] - 0.2);
}

/* Boxes with springs, dampers and drag, a ball joint, and contacts with the ground. */
static perp_world *yard(bool asymmetric)
{
    const double half[3] = {0.1, 0.15, 0.2};
    perp_world *w = test_world(3, 9.81);
    perp_force f = {.i = 1, .j = 2};

    run_ground(w);
    run_box(w, "a", 1.0, half, 0.2, 0.0, 0.2);
    run_box(w, "b", 3.0, half, 0.6, 0.1, 0.2);
    run_box(w, "c", 2.0, half, 1.0, -0.1, 0.3);
    run_box(w, "alone", 2.0, half, 3.0, 0.0, 0.2);
    run_joint(w, "spherical", 2, 3, (const double[]){0.8, 0, 0.3}, NULL);
    run_material(w, 0.5, 0.0);
    f.type = perp_force_type_find("spring");
    vec3_set(f.anchor_i, 0.1, 0.02, 0.1);
    vec3_set(f.anchor_j, -0.1, 0.05, 0.03);
    f.value[0] = 1e4;
    f.value[1] = 10.0;
    f.value[2] = 0.15;
    CU_ASSERT_EQUAL_FATAL(perp_world_add_force(w, &f, NULL), PERP_OK);
    f.type = perp_force_type_find("damper");
    f.value[0] = 300.0;
    f.value[1] = 5.0;
    f.value[2] = 0.0;
    CU_ASSERT_EQUAL_FATAL(perp_world_add_force(w, &f, NULL), PERP_OK);
    f.type = perp_force_type_find("torsion-spring");
    vec3_set(f.axis, 0.2, 1.0, 0.3);
    f.value[0] = 200.0;
    f.value[1] = 1.0;
    CU_ASSERT_EQUAL_FATAL(perp_world_add_force(w, &f, NULL), PERP_OK);
    if (asymmetric) {
        f = (perp_force){.type = perp_force_type_find("user"), .call = turn_round};
        CU_ASSERT_EQUAL_FATAL(perp_world_add_force(w, &f, NULL), PERP_OK);
    }
    vec3_set(perp_body_velocity(w->start, 1), 0.5, 0.2, -0.3);
    vec3_set(perp_body_velocity(w->start, 2) + 3, 0.5, -1.0, 0.3);
    perp_world_refresh(w, w->start);
    return w;
}

/* M* of all bodies, 6 each, column-major, from the definition; static bodies have 1. */
static void dense_mass(const perp_world *w, const double *u_free,
                       const perp_scheme *scheme, double *M)
{
    const double h = scheme->dt;
    const size_t n = 6 * w->body_count;
    perp_state *end = NULL;

    CU_ASSERT_FATAL(n <= MOST);
    CU_ASSERT_EQUAL_FATAL(perp_state_new(&end, w, NULL), PERP_OK);
    memset(M, 0, n * n * sizeof *M);
    for (size_t k = 0; k < w->body_count; k++) {
        const bool moves = w->motion[k] == PERP_MOTION_DYNAMIC;
        double inertia[9];

        perp_world_inertia(w, w->start, k, inertia);
        for (size_t a = 0; a < 6; a++) {
            M[(6 * k + a) * (n + 1)] = moves ? w->mass[k] : 1.0;
            for (size_t b = 3; moves && a > 2 && b < 6; b++) {
                M[6 * k + a + (6 * k + b) * n] = inertia[3 * (a - 3) + b - 3];
            }
        }
    }
    CU_ASSERT_EQUAL(perp_world_move(w, end, u_free, h, scheme, NULL), PERP_OK);
    memcpy(end->u, u_free, n * sizeof *u_free);
    perp_world_refresh(w, end);
    for (size_t k = 0; k < w->force_count; k++) {
        const perp_force *f = &w->forces[k];
        const size_t count = 6 * (size_t)f->type->bodies;
        double K[144] = {0};
        double D[144] = {0};

        if (count == 0) { /* turn_round */
            M[6 + 13 * n] += h * h * 4e3;
            M[13 + 6 * n] -= h * h * 6e3;
            continue;
        }
        f->type->derivative(f, w, end, K, D);
        for (size_t e = 0; e < count * count; e++) {
            const size_t i = e / count;
            const size_t j = e % count;
            const size_t row = 6 * (size_t)(i < 6 ? f->i : f->j) + i % 6;
            const size_t col = 6 * (size_t)(j < 6 ? f->i : f->j) + j % 6;

            M[row + col * n] -= h * (D[e] + h * K[e]);
        }
    }
    perp_state_free(end);
}

typedef struct formulated {
    perp_world *world;
    perp_scheme scheme;
    perp_contacts contacts;
    perp_free_motion motion;
    perp_system system;
} formulated;

static void formulate(formulated *f, bool asymmetric, perp_storage storage)
{
    perp_error err = {0};

    memset(f, 0, sizeof *f);
    f->world = yard(asymmetric);
    f->scheme = implicit_scheme();
    f->scheme.storage = storage;
    CU_ASSERT_EQUAL_FATAL(
        perp_collide(f->world, f->world->start, f->scheme.margin, &f->contacts, &err),
        PERP_OK);
    CU_ASSERT_EQUAL_FATAL(
        perp_free_motion_run(&f->motion, f->world, f->world->start, &f->scheme, &err),
        PERP_OK);
    f->system.mass = f->motion.mass;
    CU_ASSERT_PTR_NOT_NULL_FATAL(f->motion.mass);
    CU_ASSERT_EQUAL_FATAL(perp_rows_write(&f->system.rows, f->world, f->world->start,
                                          &f->contacts, &f->scheme, &err),
                          PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_system_formulate(&f->system, f->world, f->world->start,
                                                f->motion.u, &f->contacts, &f->scheme,
                                                &err),
                          PERP_OK);
}

static void formulated_free(formulated *f)
{
    perp_contacts_clear(&f->contacts);
    perp_system_clear(&f->system);
    perp_free_motion_clear(&f->motion);
    perp_world_free(f->world);
}

/* J of all rows, rows x n by columns. */
static void dense_rows(const formulated *f, double *J)
{
    const perp_rows *rows = &f->system.rows;

    memset(J, 0, rows->count * 6 * f->world->body_count * sizeof *J);
    for (size_t r = 0; r < rows->count; r++) {
        double made[12];
        const double *row = perp_rows_row(rows, r, made);

        for (size_t e = 0; e < 12; e++) {
            const int32_t body = perp_rows_bodies(rows, r)[e / 6];

            if (body >= 0) {
                J[r + (6 * (size_t)body + e % 6) * rows->count] = row[e];
            }
        }
    }
}

/* A - J M*^-1 J^T - C relative to the largest entry. */
static void check_matrix(const formulated *f, bool symmetric)
{
    const size_t n = 6 * f->world->body_count;
    const size_t m = f->system.rows.count;
    double *M = calloc(n * n, sizeof *M);
    double *J = calloc(m * n, sizeof *J);
    double *X = calloc(n * m, sizeof *X);
    lapack_int pivots[MOST];
    double largest = perp_operator_max(f->system.problem.A);
    double miss = 0.0;

    dense_mass(f->world, f->motion.u, &f->scheme, M);
    dense_rows(f, J);
    for (size_t e = 0; e < n * m; e++) {
        X[e] = J[e / n + (e % n) * m];
    }
    CU_ASSERT_EQUAL(LAPACKE_dgesv(LAPACK_COL_MAJOR, (lapack_int)n, (lapack_int)m, M,
                                  (lapack_int)n, pivots, X, (lapack_int)n),
                    0);
    for (size_t e = 0; e < m * m; e++) {
        double sum = e / m == e % m ? f->system.rows.soft[e / m] : 0.0;

        for (size_t k = 0; k < n; k++) {
            sum += J[e / m + k * m] * X[k + (e % m) * n];
        }
        miss = fmax(miss,
                    fabs(sum - perp_operator_entry(f->system.problem.A, e / m, e % m)));
    }
    /* differences of the user's force have errors of 4e-11; else rounding times cond(M*) */
    CU_ASSERT(miss <= (symmetric ? 1e-12 : 1e-9) * largest);
    CU_ASSERT_EQUAL(perp_operator_asymmetry(f->system.problem.A) <= 1e-14, symmetric);
    free(M);
    free(J);
    free(X);
}

static const perp_storage storages[] = {PERP_STORAGE_FACTORED, PERP_STORAGE_DENSE,
                                        PERP_STORAGE_CSR, PERP_STORAGE_BSR};

TEST(every_storage_has_the_matrix_of_the_definition)
{
    for (size_t k = 0; k < 8; k++) {
        formulated f;

        formulate(&f, k >= 4, storages[k % 4]);
        CU_ASSERT_FATAL(f.contacts.count >= 12);
        check_matrix(&f, k < 4);
        formulated_free(&f);
    }
}

/* With the impulses of contacts given, joints and velocities follow from one KKT system. */
TEST(joints_and_contacts_agree_with_the_kkt_form)
{
    const char *const solvers[] = {"nsgs tolerance=1e-13 max-iterations=200000",
                                   "prox-newton tolerance=1e-13",
                                   "ipm-coulomb tolerance=1e-13"};

    for (size_t k = 0; k < 3; k++) {
        formulated f;
        perp_options opt;
        const perp_solver_type *type = run_solver(solvers[k], &opt);
        perp_result *r = NULL;
        double M[MOST * MOST];
        double J[3 * MOST];
        double all[200 * MOST];
        double push[MOST];
        double v[MOST];
        double u[MOST];
        double lambda[3];
        size_t n = 0;
        size_t m = 0;

        formulate(&f, false, PERP_STORAGE_FACTORED);
        n = 6 * f.world->body_count;
        m = f.system.rows.count;
        CU_ASSERT_FATAL(m <= 200);
        CU_ASSERT_EQUAL_FATAL(perp_result_new(&r, m, NULL), PERP_OK);
        CU_ASSERT_EQUAL(perp_solve(type, &f.system.problem, &opt, r, NULL), PERP_OK);
        CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
        perp_system_velocities(&f.system, r->z, u);
        dense_mass(f.world, f.motion.u, &f.scheme, M);
        dense_rows(&f, all);
        for (size_t c = 0; c < n; c++) {
            push[c] = 0.0;
            for (size_t row = 3; row < m; row++) {
                push[c] += all[row + c * m] * r->z[row] / f.scheme.dt;
            }
            memcpy(J + 3 * c, all + m * c, 3 * sizeof *J);
        }
        CU_ASSERT_EQUAL(perp_kkt_solve(n, M, 3, J, NULL, f.motion.u, push,
                                       f.system.rows.bias, f.scheme.dt, v, lambda, NULL),
                        PERP_OK);
        /* a residual of 1e-13 in velocities, by impulses of redundant contacts */
        test_agree("velocities", u, v, n, 1e-9);
        test_agree("joint", r->z, lambda, 3, 1e-8);
        perp_result_free(r);
        formulated_free(&f);
    }
}

/* M v = H r + G l + f, condensed by hand, is the same problem. */
TEST(the_global_problem_has_the_same_mass)
{
    formulated f;
    perp_problem *p = NULL;
    perp_error err = {0};
    lapack_int pivots[MOST];
    double M[MOST * MOST];
    double x[MOST];
    size_t n = 0;

    formulate(&f, false, PERP_STORAGE_FACTORED);
    CU_ASSERT_EQUAL_FATAL(
        perp_system_export_global(&f.system, f.world, &f.contacts, &p, &err), PERP_OK);
    n = p->global->M->rows;
    CU_ASSERT_EQUAL_FATAL(n, 24);
    for (size_t e = 0; e < n * n; e++) {
        M[e] = perp_operator_entry(p->global->M, e % n, e / n);
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = perp_operator_entry(p->global->H, i, 0);
    }
    CU_ASSERT_EQUAL(LAPACKE_dgesv(LAPACK_COL_MAJOR, (lapack_int)n, 1, M, (lapack_int)n,
                                  pivots, x, (lapack_int)n),
                    0);
    for (size_t c = 0; c < p->global->H->cols; c++) {
        double sum = 0.0;

        for (size_t i = 0; i < n; i++) {
            sum += perp_operator_entry(p->global->H, i, c) * x[i];
        }
        CU_ASSERT_DOUBLE_EQUAL(sum, perp_operator_entry(f.system.problem.A, 3 + c, 3),
                               1e-12);
    }
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;

        for (size_t j = 0; j < n; j++) {
            sum += perp_operator_entry(p->global->M, i, j) * f.motion.u[6 + j];
        }
        CU_ASSERT_DOUBLE_EQUAL(p->global->f[i], sum, 1e-10);
    }
    perp_problem_free(p);
    formulated_free(&f);
    formulate(&f, true, PERP_STORAGE_FACTORED);
    CU_ASSERT_EQUAL(perp_system_export_global(&f.system, f.world, &f.contacts, &p, &err),
                    PERP_ERR_UNSUITABLE);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "system: a global problem needs a symmetric positive definite "
                           "M, but with the implicit forces on body \"a\" M is not");
    perp_error_clear(&err);
    formulated_free(&f);
}

TEST(storages_and_threads_make_the_same_steps)
{
    run first = {0};

    for (size_t k = 0; k < 6; k++) {
        perp_scheme scheme = implicit_scheme();
        run r;

        scheme.storage = k < 4 ? storages[k] : PERP_STORAGE_FACTORED;
        scheme.threads = k == 5 ? 4 : 1;
        r = run_begin(yard(false), &scheme, "nsgs tolerance=1e-12 max-iterations=100000",
                      true);
        run_steps(&r, 20);
        CU_ASSERT_EQUAL(r.unsolved, 0);
        if (k == 0) {
            first = r;
            continue;
        }
        /* tolerance 1e-12 over 20 steps and redundant contacts */
        test_agree("poses", r.world->start->s, first.world->start->s, 7 * 5, 1e-8);
        CU_ASSERT(k < 4 || memcmp(r.world->start->s, first.world->start->s,
                                  35 * sizeof(double)) == 0);
        run_end(&r);
    }
    run_end(&first);
}

/* Links of 0.1 kg one above the other on springs of 1e7 N/m, omega h = 100, below a mass on a
 * joint, fall on the ground: neither impacts nor springs add energy. */
TEST(a_stiff_chain_with_a_joint_and_contacts_stays_bounded)
{
    perp_world *w = test_world(3, 9.81);
    perp_scheme scheme = implicit_scheme();
    double most = 0.0;
    run r;

    run_ground(w);
    for (int k = 1; k <= 6; k++) {
        char name[16];

        snprintf(name, sizeof name, "ball %d", k);
        run_ball(w, name, k == 6 ? 5.0 : 0.1, 0.05, 0.0, 0.0, 0.2 * k - 0.1);
        if (k > 1 && k < 6) {
            spring(w, k - 1, k, 1e7, 0.0, 0.2);
        }
    }
    run_joint(w, "fixed", 5, 6, (const double[]){0, 0, 1.0}, NULL);
    run_material(w, 0.3, 0.0);
    r = run_begin(w, &scheme, "nsgs tolerance=1e-10 max-iterations=20000", true);
    run_steps(&r, 1);
    most = r.report.kinetic + r.report.potential + r.report.stored;
    for (int k = 0; k < 60; k++) {
        const double before = r.report.kinetic + r.report.potential + r.report.stored;

        run_steps(&r, 1);
        /* rounding of positions times 1e7 N/m, and the tolerance of the solver */
        CU_ASSERT(r.report.kinetic + r.report.potential + r.report.stored <=
                  before + 1e-9 * most);
    }
    CU_ASSERT_EQUAL(r.unsolved, 0);
    CU_ASSERT(r.report.contacts > 0);
    CU_ASSERT(r.report.speed < 1e-3); /* it stands: all of the fall is dissipated */
    run_end(&r);
}

/* Of a spring and a hard joint backward Euler damps M* (u+ - u).(u+ - u)/2 of the two; the
 * weld takes z (J u_free + 0)/2, all of it by hand: u_free = -1000/101, u+ = -1000/110. */
TEST(the_ledger_names_what_the_spring_takes_up)
{
    const double u_free = -1000.0 / 101.0;
    const double u_plus = -1000.0 / 110.0;
    const double z = 9.0 * u_plus; /* [N s], on the heavy body */
    const double weld = 0.5 * z * (0.0 - u_free);
    const double energy = 0.5 * 10.0 * u_plus * u_plus +
                          0.5 * 1e6 * (0.1 / 11.0) * (0.1 / 11.0) - 0.5 * 1e6 * 0.01;
    perp_scheme scheme = implicit_scheme();
    run r = run_begin(welded(3), &scheme, "prox-newton tolerance=1e-14", true);

    run_steps(&r, 1);
    CU_ASSERT_DOUBLE_EQUAL(r.report.ledger[PERP_LEDGER_JOINTS], weld, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(r.report.ledger[PERP_LEDGER_INTEGRATOR], energy - weld, 1e-8);
    run_end(&r);
}

/* One ball on a spring to the ceiling: by Poisson's law it leaves at e times the speed at which
 * the implicit flow would enter the ground; positions are corrected in both ways. */
TEST(corrections_and_poisson_use_the_same_mass)
{
    static const perp_stabilize methods[] = {PERP_STABILIZE_NONE, PERP_STABILIZE_SPLIT,
                                             PERP_STABILIZE_PROJECT,
                                             PERP_STABILIZE_BAUMGARTE};

    for (size_t k = 0; k < 4; k++) {
        perp_scheme scheme = implicit_scheme();
        perp_world *w = test_world(3, 0.0);
        double approach = 0.0;
        perp_free_motion motion = {0};
        run r;

        run_ground(w);
        test_ball(w, "ceiling", 0.0, 0.1, 0.0, 0.0, 2.0);
        run_ball(w, "ball", 1.0, 0.1, 0.0, 0.0, k == 0 ? 0.1 : 0.098);
        spring(w, 1, 2, 2e4, 0.0, 1.0);
        run_material(w, 0.0, 0.5);
        perp_body_velocity(w->start, 2)[2] = -40.0; /* the spring takes most of it */
        scheme.stabilize = methods[k];
        scheme.restitution = PERP_RESTITUTION_POISSON;
        CU_ASSERT_EQUAL(perp_free_motion_run(&motion, w, w->start, &scheme, NULL),
                        PERP_OK);
        approach = motion.u[14];
        CU_ASSERT(approach > -40.0);
        r = run_begin(w, &scheme, "prox-newton tolerance=1e-13", true);
        run_steps(&r, 1);
        if (approach < 0.0 && k < 3) {
            CU_ASSERT_DOUBLE_EQUAL(w->start->u[14], -0.5 * approach, 1e-9);
        }
        run_steps(&r, 20);
        perp_free_motion_clear(&motion);
        run_end(&r);
    }
}

/* The weld is 0.01 m open. Each body goes its share of it, as 1/(1 + h^2 k) to 1/9. */
TEST(pushes_leave_what_a_spring_holds)
{
    perp_scheme scheme = implicit_scheme();
    double x[2][2];

    for (int k = 0; k < 2; k++) {
        perp_world *w = welded(3);
        run r;

        w->start->s[14] += 0.01;
        scheme.stabilize = k == 0 ? PERP_STABILIZE_NONE : PERP_STABILIZE_SPLIT;
        scheme.erp = 1.0;
        r = run_begin(w, &scheme, "prox-newton tolerance=1e-14", true);
        run_steps(&r, 1);
        x[k][0] = w->start->s[7];
        x[k][1] = w->start->s[14];
        run_end(&r);
    }
    CU_ASSERT_DOUBLE_EQUAL(x[1][0] - x[0][0], 0.01 * 9.0 / 110.0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(x[1][1] - x[0][1], -0.01 * 101.0 / 110.0, 1e-9);
}

/* An oblique spring couples the normal with the tangent: what is given back would let the ball
 * slide, but for the friction of the second half. */
TEST(friction_of_the_second_half_uses_the_same_mass)
{
    perp_scheme scheme = implicit_scheme();
    perp_world *w = test_world(3, 0.0);
    run r;

    run_ground(w);
    test_ball(w, "ceiling", 0.0, 0.1, 1.5, 0.0, 2.0);
    run_ball(w, "ball", 1.0, 0.1, 0.0, 0.0, 0.1);
    w->start->u[14] = -40.0;
    spring(w, 1, 2, 1e4, 0.0, 2.0);
    run_material(w, 1.0, 0.5);
    scheme.restitution = PERP_RESTITUTION_POISSON;
    r = run_begin(w, &scheme, "prox-newton tolerance=1e-13", true);
    run_steps(&r, 1);
    CU_ASSERT(w->start->u[14] > 1.0); /* it bounces, */
    CU_ASSERT_DOUBLE_EQUAL(w->start->u[12] - 0.1 * w->start->u[16], 0.0,
                           1e-9); /* sticking */
    run_end(&r);
}

/* Sequential impulses know the mass of a body alone: sweeps on the problem stand for them. */
TEST(sweeps_and_a_solver_agree_on_boxes_of_friction)
{
    perp_scheme scheme = implicit_scheme();
    run a = {0};
    run b = {0};

    scheme.model = PERP_MODEL_BOX;
    a = run_begin(welded(3), &scheme, NULL, true);
    b = run_begin(welded(3), &scheme, "pgs tolerance=1e-8 max-iterations=50", true);
    run_steps(&a, 10);
    run_steps(&b, 10);
    CU_ASSERT_EQUAL(memcmp(a.world->start->s, b.world->start->s, 21 * sizeof(double)), 0);
    run_end(&a);
    run_end(&b);
}

/* Dry friction without a position of rest: Newton's method jumps to and fro. */
static void rub(void *context, const perp_world *w, const perp_state *state, double *f)
{
    (void)w;
    (void)context;
    f[14] -= copysign(50.0, perp_body_velocity(state, 2)[2]);
}

/* (m + h^2 k) du = h (-k (x + h v) - 50) in one step, and the contact feels m + h^2 k. */
TEST(forces_with_kinks_take_the_linear_step)
{
    const double h = 0.01;
    const double k = 2e4;
    const double v = 0.1;
    perp_scheme scheme = implicit_scheme();
    perp_world *w = test_world(3, 0.0);
    perp_force user = {.type = perp_force_type_find("user"), .call = rub};
    run r;

    run_ground(w);
    test_ball(w, "ceiling", 0.0, 0.1, 0.0, 0.0, 2.0);
    run_ball(w, "ball", 1.0, 0.1, 0.0, 0.0, 0.1);
    spring(w, 1, 2, k, 0.0, 1.9);
    CU_ASSERT_EQUAL_FATAL(perp_world_add_force(w, &user, NULL), PERP_OK);
    w->start->u[14] = v;
    run_material(w, 0.0, 0.0);
    r = run_begin(w, &scheme, "nsgs tolerance=1e-13", true);
    run_steps(&r, 1);
    CU_ASSERT_EQUAL_FATAL(r.report.contacts, 1);
    CU_ASSERT_DOUBLE_EQUAL(perp_stepper_system(r.stepper)->u_free[14],
                           v + h * (-k * h * v - 50.0) / (1.0 + h * h * k), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(
        perp_operator_diagonal(perp_stepper_system(r.stepper)->problem.A, 0),
        1.0 / (1.0 + h * h * k), 1e-9);
    run_end(&r);
}

TEST(trees_with_forces_and_impulses_are_refused)
{
    perp_scheme scheme = implicit_scheme();
    perp_world *w = test_world(3, 9.81);
    perp_stepper *st = NULL;
    perp_report report;
    perp_error err = {0};
    perp_options opt;
    const perp_solver_type *type = run_solver("nsgs", &opt);

    run_ground(w);
    run_ball(w, "a", 1.0, 0.1, 0.0, 0.0, 0.1);
    run_ball(w, "b", 1.0, 0.1, 0.5, 0.0, 0.1);
    run_joint(w, "spherical", 1, 2, (const double[]){0.2, 0, 0.1}, NULL);
    spring(w, 0, 2, 10.0, 0.0, 0.3);
    CU_ASSERT_EQUAL_FATAL(perp_world_reduce(w, NULL, &err), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(
        perp_stepper_new(&st, w, w->start, &scheme, type, &opt, true, &err), PERP_OK);
    CU_ASSERT_EQUAL(perp_stepper_step(st, &report, &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_STRING_EQUAL(
        err.text,
        "step: integrator implicit does not support forces together with impulses in "
        "reduced coordinates, expected maximal coordinates or another integrator");
    perp_error_clear(&err);
    perp_stepper_free(st);
    perp_world_free(w);
}

static perp_status formulate_again(void *context, perp_error *err)
{
    formulated *f = context;
    perp_free_motion motion = {0};
    perp_system system = {0};
    perp_problem *p = NULL;
    perp_status status =
        perp_free_motion_run(&motion, f->world, f->world->start, &f->scheme, err);

    system.mass = motion.mass;
    if (status == PERP_OK) {
        status = perp_rows_write(&system.rows, f->world, f->world->start, &f->contacts,
                                 &f->scheme, err);
    }
    if (status == PERP_OK) {
        status = perp_system_formulate(&system, f->world, f->world->start, motion.u,
                                       &f->contacts, &f->scheme, err);
    }
    if (status == PERP_OK && f->scheme.storage == PERP_STORAGE_FACTORED) {
        status = perp_system_export_global(&system, f->world, &f->contacts, &p, err);
    }
    perp_problem_free(p);
    perp_system_clear(&system);
    perp_free_motion_clear(&motion);
    return status;
}

TEST(a_step_survives_without_memory)
{
    for (size_t k = 0; k < 2; k++) {
        formulated f;

        formulate(&f, k == 1, k == 1 ? PERP_STORAGE_CSR : PERP_STORAGE_FACTORED);
        scarce_everywhere(formulate_again, &f, "implicit problem");
        formulated_free(&f);
    }
}

TEST_MAIN("dynamics/implicit")
