/* SPDX-License-Identifier: Apache-2.0
 * tests/problem/implicit_matrix.c: the matrix of a step with implicit forces, joints and contacts.
 *
 * Impulses change velocities by M* = M - h df/du - h^2 df/dx of the end of the free motion. The
 * tests make M* of the derivatives of the force types as one dense matrix, and compare with the
 * KKT system of it. */
#include <config.h>

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "implicit.h"
#include "math/vec3.h"
#include "reference.h"
#include "scarce.h"

enum { MOST = 48 };

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
    OK(perp_world_add_force(w, &f, NULL));
    f.type = perp_force_type_find("damper");
    f.value[0] = 300.0;
    f.value[1] = 5.0;
    f.value[2] = 0.0;
    OK(perp_world_add_force(w, &f, NULL));
    f.type = perp_force_type_find("torsion-spring");
    vec3_set(f.axis, 0.2, 1.0, 0.3);
    f.value[0] = 200.0;
    f.value[1] = 1.0;
    OK(perp_world_add_force(w, &f, NULL));
    if (asymmetric) {
        f = (perp_force){.type = perp_force_type_find("user"), .call = turn_round};
        OK(perp_world_add_force(w, &f, NULL));
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
    OK(perp_state_new(&end, w, NULL));
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
    OK(perp_world_move(w, end, u_free, h, scheme, NULL));
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
    OK(perp_collide(f->world, f->world->start, f->scheme.margin, &f->contacts, &err));
    OK(perp_free_motion_run(&f->motion, f->world, f->world->start, &f->scheme, &err));
    f->system.mass = f->motion.mass;
    CU_ASSERT_PTR_NOT_NULL_FATAL(f->motion.mass);
    OK(perp_rows_write(&f->system.rows, f->world, f->world->start, &f->contacts,
                       &f->scheme, &err));
    OK(perp_system_formulate(&f->system, f->world, f->world->start, f->motion.u,
                             &f->contacts, &f->scheme, &err));
}

static void formulated_free(formulated *f)
{
    perp_contacts_clear(&f->contacts);
    perp_system_clear(&f->system);
    perp_free_motion_clear(&f->motion);
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
    double *M = test_alloc(n * n, sizeof *M);
    double *J = test_alloc(m * n, sizeof *J);
    double *X = test_alloc(n * m, sizeof *X);
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
        OK(perp_result_new(&r, m, NULL));
        OK(perp_solve(type, &f.system.problem, &opt, r, NULL));
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
        OK(perp_kkt_solve(n, M, 3, J, NULL, f.motion.u, push, f.system.rows.bias,
                          f.scheme.dt, v, lambda, NULL));
        /* a residual of 1e-13 in velocities, by impulses of redundant contacts */
        test_agree("velocities", u, v, n, 1e-9);
        test_agree("joint", r->z, lambda, 3, 1e-8);
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
    OK(perp_system_export_global(&f.system, f.world, &f.contacts, &p, &err));
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
    }
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
