/* SPDX-License-Identifier: Apache-2.0
 * tests/core/auto.c: the table by which auto chooses solvers. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instances.h"

/* The row that applies to p. */
static const perp_chain_row *row_of(const perp_problem *p)
{
    const perp_chain_row *row = perp_solver_find("auto")->chain;

    while (row->situation && !row->applies(p)) {
        row++;
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(row->situation);
    return row;
}

/* p, which is freed, is in the situation whose words begin with `situation`. */
static void is_in(perp_problem *p, const char *situation)
{
    const char *found = row_of(p)->situation;

    if (strncmp(found, situation, strlen(situation)) != 0) {
        test_note("\"%s\", expected \"%s\"", found, situation);
        CU_FAIL("another situation");
    }
}

/* A problem with this set, whose law is Coulomb's, and A = diag(2), dense or CSR. */
static perp_problem *diagonal_problem(perp_set *set, perp_storage storage)
{
    size_t n = set->n;
    perp_operator *A = test_new_dense(n, n);

    for (size_t i = 0; i < n; i++) {
        A->x[i + i * A->ld] = 2.0;
    }
    perp_operator *stored = test_convert(A, storage, 1);
    return test_new_problem(stored, perp_reals_new(n), set, PERP_LAW_COULOMB);
}

static perp_problem *rows(perp_set_kind kind, size_t n, perp_storage storage)
{
    perp_set *set = test_new_uniform(kind, n);

    return diagonal_problem(set, storage);
}

static perp_problem *contacts(size_t nc)
{
    double *mu = test_reals(nc);

    perp_set *set = test_new_cones(2, nc, mu);
    return diagonal_problem(set, PERP_STORAGE_DENSE);
}

/* Box friction in the plane: two rows per contact. */
static perp_problem *box_friction(size_t nc)
{
    perp_set *set = test_new_set(2 * nc);

    for (size_t k = 0; k < nc; k++) {
        perp_set_add_nonneg(set);
        perp_set_add_friction(set, 0.5, 2 * k);
    }
    return diagonal_problem(set, PERP_STORAGE_DENSE);
}

static perp_problem *associated(size_t nc)
{
    perp_problem *p = contacts(nc);

    p->law = PERP_LAW_ASSOCIATED;
    return p;
}

/* A_01 := x of a dense problem; A_00 := 0 when x is 0. */
static perp_problem *spoiled(perp_problem *p, double x)
{
    p->A->x[x == 0.0 ? 0 : p->A->ld] = x;
    return p;
}

/* A sparse LCP, whose last row and column are -1: its diagonal, 2, does not dominate there. */
static perp_problem *bordered(size_t n)
{
    perp_set *set = test_new_uniform(PERP_SET_NONNEG, n);
    perp_operator *A = test_new_dense(n, n);

    for (size_t i = 0; i < n; i++) {
        A->x[i + (n - 1) * A->ld] = A->x[n - 1 + i * A->ld] = -1.0;
        A->x[i + i * A->ld] = 2.0;
    }
    perp_operator *stored = test_convert(A, PERP_STORAGE_CSR, 1);
    return test_new_problem(stored, perp_reals_new(n), set, PERP_LAW_COULOMB);
}

/* 2 on the diagonal, 1 above it. */
static perp_problem *with_superdiagonal(size_t n)
{
    perp_problem *p = rows(PERP_SET_NONNEG, n, PERP_STORAGE_DENSE);

    for (size_t i = 0; i + 1 < n; i++) {
        p->A->x[i + (i + 1) * p->A->ld] = 1.0;
    }
    perp_operator *stored = test_convert(p->A, PERP_STORAGE_CSR, 1);
    perp_operator_free(p->A);
    p->A = stored;
    return p;
}

/* The same in factors, each contact between two bodies of its own with `spare` more. */
static perp_problem *associated_in_factors(size_t nc, size_t spare)
{
    perp_problem *p = associated(nc);
    perp_operator *J = NULL;
    perp_operator *Minv = NULL;
    size_t speeds = 6 * (nc + spare);
    size_t *ptr = test_alloc(speeds + 1, sizeof *ptr);
    int32_t *col = test_alloc(speeds, sizeof *col);
    double *one = test_reals(speeds);

    for (size_t i = 0; i < speeds; i++) {
        ptr[i + 1] = i + 1;
        col[i] = (int32_t)i;
        one[i] = 1.0;
    }
    OK(perp_operator_new_from_csr(&Minv, speeds, speeds, ptr, col, one, PERP_COPY, NULL));
    OK(perp_operator_new_from_csr(&J, p->n, speeds, ptr, col, one, PERP_COPY, NULL));
    perp_operator_free(p->A);
    OK(perp_operator_new_factored(&p->A, J, Minv, NULL, NULL));
    return p;
}

/* n rows, each on a body of its own and all on one more. */
static perp_problem *on_one_body(size_t n)
{
    perp_problem *p = rows(PERP_SET_NONNEG, n, PERP_STORAGE_DENSE);
    perp_triplets J, Minv;
    perp_operator *rows_of = NULL, *inverse = NULL;

    perp_triplets_init(&J, n, n + 1, 2 * n);
    perp_triplets_init(&Minv, n + 1, n + 1, n + 1);
    perp_triplets_add(&Minv, 0, 0, 1.0);
    for (size_t i = 0; i < n; i++) {
        perp_triplets_add(&J, i, 0, -1.0);
        perp_triplets_add(&J, i, i + 1, 1.0);
        perp_triplets_add(&Minv, i + 1, i + 1, 1.0);
    }
    OK(perp_triplets_finish(&rows_of, &J, NULL));
    OK(perp_triplets_finish(&inverse, &Minv, NULL));
    perp_triplets_free(&J);
    perp_triplets_free(&Minv);
    perp_operator_free(p->A);
    OK(perp_operator_new_factored(&p->A, rows_of, inverse, NULL, NULL));
    return p;
}

/* The numbers in the words of a situation are those of its condition. */
TEST(sizes_are_those_that_the_words_name)
{
    const perp_storage dense = PERP_STORAGE_DENSE;

    is_in(contacts(50), "frictional contact, at most 50 contacts");
    is_in(contacts(51), "frictional contact, more than 50 contacts");
    is_in(contacts(100), "frictional contact, more than 50 contacts");
    is_in(contacts(101), "frictional contact, more than 100 contacts");
    is_in(associated(51), "cones of the associated law");
    is_in(associated(301), "cones of the associated law, more than 300 contacts");
    is_in(associated_in_factors(20, 0), "cones of the associated law");
    is_in(associated_in_factors(21, 0),
          "cones of the associated law in factors, more than 20 contacts, at most 3000 "
          "bodies");
    is_in(associated_in_factors(21, 2979),
          "cones of the associated law in factors, more than 20 contacts, at most 3000 "
          "bodies");
    is_in(associated_in_factors(21, 2980), "cones of the associated law");
    is_in(box_friction(32), "box friction, at most 64 rows");
    is_in(box_friction(33), "box friction, at most 600 rows");
    is_in(box_friction(301), "box friction");
    is_in(rows(PERP_SET_NONNEG, 14, dense), "an LCP of at most 14 rows");
    is_in(rows(PERP_SET_NONNEG, 15, dense), "an LCP of at most 64 rows");
    is_in(rows(PERP_SET_NONNEG, 64, dense), "an LCP of at most 64 rows");
    is_in(rows(PERP_SET_FREE, 64, PERP_STORAGE_CSR), "bounds and free rows, A symmetric");
    is_in(rows(PERP_SET_FREE, 65, PERP_STORAGE_CSR),
          "more than 64 rows with bounds and free rows, A symmetric and sparse");
    is_in(on_one_body(500), "an LCP, A symmetric");
    is_in(on_one_body(501),
          "rows in factors, A symmetric, more than 500 rows act on one body");
}

TEST(more_than_5000_contacts_are_not_factored)
{
    perp_problem *p = contacts(1);
    perp_set *small = p->set;
    double *mu = test_reals(5001);

    for (size_t nc = 5000; nc <= 5001; nc++) { /* the set alone decides */
        OK(perp_set_new_cones(&p->set, 2, nc, mu, NULL));
        CU_ASSERT_EQUAL(strstr(row_of(p)->situation, "more than 5000") != NULL,
                        nc > 5000);
        perp_set_free(p->set);
    }
    p->set = small;
}

TEST(properties_of_the_matrix_choose_the_row)
{
    const perp_storage dense = PERP_STORAGE_DENSE;

    is_in(rows(PERP_SET_FREE, 65, dense), "bounds and free rows, A symmetric");
    is_in(spoiled(rows(PERP_SET_FREE, 9, dense), 1.0),
          "bounds and free rows, A asymmetric and stored dense");
    is_in(spoiled(rows(PERP_SET_NONNEG, 65, dense), 0.0), "an LCP with a zero diagonal");
    is_in(spoiled(rows(PERP_SET_NONNEG, 65, dense), 1.0), "an LCP, A asymmetric");
    is_in(rows(PERP_SET_NONNEG, 65, PERP_STORAGE_CSR),
          "an LCP, A sparse and diagonally dominant");
    is_in(with_superdiagonal(70), "an LCP, A asymmetric, sparse and diagonally dominant");
    is_in(rows(PERP_SET_NONNEG, 65, dense), "an LCP, A symmetric");
    is_in(rows(PERP_SET_NONNEG, 1000, dense), "an LCP, A symmetric");
    is_in(rows(PERP_SET_NONNEG, 1001, dense), "an LCP of more than 1000 rows");
    is_in(bordered(250), "an LCP of at most 250 rows, A stored sparse");
    is_in(bordered(251), "an LCP, A symmetric");
    is_in(bordered(500), "an LCP, A symmetric");
    is_in(bordered(501), "an LCP of more than 500 rows, A stored sparse");
}

/* Every step of every row is a solver that can be part of a chain. */
TEST(every_step_is_a_solver_with_its_settings)
{
    for (const perp_chain_row *row = perp_solver_find("auto")->chain; row->situation;
         row++) {
        CU_ASSERT_PTR_NOT_NULL(row->steps[0]);
        for (size_t k = 0; k < PERP_CHAIN_MAX; k++) {
            CU_ASSERT(row->share[k] == 0.0 || (row->cost && row->steps[k]));
        }
        for (size_t k = 0; k < PERP_CHAIN_MAX && row->steps[k]; k++) {
            perp_options opt;
            perp_error err;

            if (perp_solver_parse(row->steps[k], NULL, &opt, &err) != PERP_OK) {
                test_note("%s: %s", row->situation, err.text);
                CU_FAIL_FATAL("a step is no solver");
            }
            CU_ASSERT_PTR_NULL(opt.solver->chain);
        }
    }
}

/* Problems with a solution on which most solvers fail. */
static perp_problem *hard(const char *id)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/hard/%s.json", test_golden(), id);
    return test_read(path, NULL, NULL);
}

static void outcome_is(const perp_problem *p, const char *solver, perp_outcome outcome)
{
    const perp_solver_type *type = NULL;
    perp_options opt;

    OK(perp_solver_parse(solver, &type, &opt, NULL));
    perp_result *r = test_new_result(p->n);
    OK(perp_solve(type, p, &opt, r, NULL));
    if (r->outcome != outcome) {
        test_note("%s: %s", solver, r->reason);
    }
    CU_ASSERT_EQUAL(r->outcome, outcome);
    if (outcome == PERP_SOLVED) {
        CU_ASSERT(perp_residual(p, r->z) <= 1e-8);
    }
}

TEST(hard_problems_are_solved)
{
    static const char *const ids[] = {
        "steep_contacts_3",        "steep_contacts_5a",  "steep_contacts_5b",
        "asymmetric_associated_3", "sliding_contacts_6", "rolling_contacts_4",
        "friction_rows_5",         "associated_mixed_9", "contacts_bounds_13"};

    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        perp_problem *p = hard(ids[i]);

        outcome_is(p, "auto", PERP_SOLVED);
    }
}

/* z is of size 1e15, and its rounding to doubles changes w by a part of beta: no point of doubles
 * has a residual of 1e-8. */
TEST(what_doubles_cannot_hold_is_not_solved)
{
    perp_problem *p = hard("mass_decades_5");
    const perp_solver_type *type = NULL;
    perp_options opt;

    OK(perp_solver_parse("auto", &type, &opt, NULL));
    perp_result *r = test_new_result(p->n);
    OK(perp_solve(type, p, &opt, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    CU_ASSERT(r->residual < 1e-3);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, "the rounding of z alone may cost"));
}

TEST(modes_solve_what_the_rounds_of_proximal_newton_leave)
{
    perp_problem *p = hard("steep_contacts_5b");

    outcome_is(p, "prox-newton", PERP_STALLED);
    outcome_is(p, "prox-newton modes=300", PERP_SOLVED);
}

/* b is out of the range in which errors can be seen, so that no point is accepted. */
TEST(the_answer_to_a_problem_out_of_range_is_finite)
{
    perp_problem *p = rows(PERP_SET_NONNEG, 2, PERP_STORAGE_DENSE);

    p->A->x[0] = p->A->x[3] = 1e300;
    p->b[0] = -5e-324;
    perp_result *r = test_new_result(p->n);
    OK(perp_solve(perp_solver_find("auto"), p, NULL, r, NULL));
    CU_ASSERT_NOT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->z[0], 0.0);
    CU_ASSERT_EQUAL(r->z[1], 0.0);
}

/* Rows 1 and 2 have the block (3, -2; -2, 4/3) 3e8, of rank 1. bpp sees it unscaled where it does not
 * fall back on prox, and its null vector is one of the unscaled block only. */
TEST(the_certificate_of_a_step_belongs_to_what_the_step_sees)
{
    static const double A[9] = {0, 0, 0, 0, 9e8, -6e8, 0, -6e8, 4e8};
    perp_problem *p = test_lcp(3, A, (double[]){3207.7, -7225.0, -9951.1});
    perp_problem *seen = NULL;
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_set *set = test_new_set(3);

    perp_set_add_nonneg(set);
    perp_set_add_nonneg(set);
    perp_set_add_free(set);
    test_give_set(p, set);
    perp_result *r = test_solve(p, "auto", NULL);
    CU_ASSERT_EQUAL_FATAL(r->certificate.kind, PERP_CERTIFICATE_SINGULAR);
    CU_ASSERT_STRING_EQUAL(r->certificate_solver, "bpp on-singular=none");
    OK(perp_solver_parse(r->certificate_solver, &type, &opt, NULL));
    OK(perp_solver_view(type, p, &opt, &seen, NULL));
    CU_ASSERT(perp_certificate_check(&r->certificate, seen, NULL, 0));
    perp_problem_free(seen);
}

/* A sweep over rolling contacts takes up to 0.1 ms for each of them. */
TEST(the_steps_of_rolling_contacts_end)
{
    const perp_chain_row *row = perp_solver_find("auto")->chain;

    CU_ASSERT_STRING_EQUAL_FATAL(row->situation, "rolling contacts");
    for (size_t k = 0; k < PERP_CHAIN_MAX && row->steps[k]; k++) {
        const perp_solver_type *type = NULL;
        perp_options opt;

        OK(perp_solver_parse(row->steps[k], &type, &opt, NULL));
        size_t most = (size_t)perp_options_integer(&opt, "max-iterations");
        most = most > 0 ? most : type->max_iterations;
        CU_ASSERT((most > 0 && most <= 100000) || type->stall > 0);
    }
}

/* What a solve logs and runs is what the table says. */
TEST(a_solve_follows_the_row)
{
    static const char *const files[] = {
        "siconos-lcp/lcp_mmc.dat", "siconos-fc3d/NESpheres_10_1.dat",
        "siconos-mlcp/RLCD_mlcp.dat", "siconos-rolling/RFC3D_cube_1.dat"};

    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        perp_problem *p = test_dataset(files[k]);
        const perp_chain_row *row = row_of(p);
        perp_result *r = test_solve(p, "auto", NULL);
        char first[200];
        size_t name = strcspn(row->steps[0], " "); /* without its settings */
        bool ran = false;
        char solver[40];

        snprintf(solver, sizeof solver, "%.*s", (int)name, row->steps[0]);
        snprintf(first, sizeof first, "auto: %s", row->situation);
        CU_ASSERT_STRING_EQUAL(r->path.step[0], first);
        for (size_t i = 1; i < r->path.count; i++) {
            ran = ran || strstr(r->path.step[i], solver);
        }
        CU_ASSERT(ran);
    }
}

static bool always(const perp_problem *p)
{
    (void)p;
    return true;
}

static double eight_products(const perp_problem *p)
{
    return 16.0 * (double)p->n * (double)p->n;
}

/* A slow solver with a quarter of eight products, then one that solves at once. */
TEST(a_step_ends_at_its_share_of_a_predicted_cost)
{
    static const perp_cost cost = {"eight products", eight_products};
    static const perp_chain_row chain[] = {{"all", always,
                                            .steps = {"pgs relaxation=0.01", "lemke"},
                                            .share = {0.25}, .cost = &cost},
                                           {.situation = NULL}};
    perp_solver_type type = *perp_solver_find("auto");
    perp_problem *p = rows(PERP_SET_NONNEG, 30, PERP_STORAGE_DENSE);
    perp_options opt;

    type.chain = chain;
    perp_options_init(&opt, &type, NULL, NULL);
    for (size_t i = 0; i < p->n; i++) {
        p->b[i] = -1.0; /* z = 1/2: a sweep of pgs takes a hundredth of the way */
    }
    perp_result *r = test_new_result(p->n);
    OK(perp_solve(&type, p, &opt, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->path.count, 6); /* the row, two lines of pgs, three of lemke */
    CU_ASSERT_PTR_NOT_NULL(strstr(
        r->path.step[2], "pgs: stopped after 2 iterations and 3.6e+03 flops, the work "
                         "allowed, at residual"));
    CU_ASSERT_PTR_NOT_NULL(strstr(r->path.step[5], "solved: lemke"));
    /* the work allowed in all is used up by the first step */
    OK(perp_options_set_real(&opt, "work-limit", 3600.0, NULL));
    memset(r->z, 0, p->n * sizeof *r->z);
    OK(perp_solve(&type, p, &opt, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_ITERATION_LIMIT);
    CU_ASSERT_EQUAL(r->path.count, 3);
}

/* Two associated contacts of masses that differ by 10^2 and 10^3. */
TEST(masses_that_differ_much_have_their_own_row)
{
    for (double ratio = 1e2; ratio <= 1e3; ratio *= 10.0) {
        perp_problem *p = contacts(2);
        double D[4] = {1.0, 1.0, sqrt(ratio), sqrt(ratio)};

        CU_ASSERT_EQUAL_FATAL(p->n, 4);
        perp_operator_scale(p->A, D, D);
        p->law = PERP_LAW_ASSOCIATED;
        is_in(p, ratio < 300.0 ? "cones of the associated law"
                               : "cones of the associated law, masses that differ");
    }
}

/* 82 contacts on bodies of 6 velocities: the situation is that of the local form. */
TEST(a_global_problem_is_made_local_once)
{
    static const char *const forms[][3] = {
        {"global=auto", "global form condensed",
         "auto: frictional contact, more than 50"},
        {"global=factored", "global form kept in factors",
         "auto: frictional contact in factors, more than 20"}};
    perp_problem *p = test_dataset("fclib/Box_Stacks-i0122-82-5.hdf5");

    for (size_t k = 0; k < 2; k++) {
        perp_result *r = test_solve(p, "auto", forms[k][0], NULL);

        CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
        CU_ASSERT_PTR_NOT_NULL(strstr(r->path.step[0], forms[k][1]));
        CU_ASSERT_PTR_NOT_NULL(strstr(r->path.step[1], forms[k][2]));
        for (size_t i = 1; i < r->path.count; i++) {
            CU_ASSERT_PTR_NULL(strstr(r->path.step[i], "global form"));
        }
    }
}

/* A := H A H, where A is symmetric and H = I - 2 u u^T / |u|^2 for a random u. */
static void reflect(double *A, size_t n, perp_random *g)
{
    double *u = test_reals(n);
    double *Au = test_reals(n);
    double norm = 0.0;
    double uAu = 0.0;

    for (size_t i = 0; i < n; i++) {
        u[i] = perp_random_uniform(g, -1.0, 1.0);
        norm += u[i] * u[i];
    }
    for (size_t i = 0; i < n * n; i++) {
        Au[i / n] += A[i] * u[i % n];
    }
    for (size_t i = 0; i < n; i++) {
        uAu += u[i] * Au[i];
    }
    for (size_t i = 0; i < n * n; i++) {
        double left = u[i / n] * Au[i % n];
        double right = Au[i / n] * u[i % n];

        A[i] += 4.0 * uAu / (norm * norm) * (u[i / n] * u[i % n]) -
                2.0 / norm * (left + right);
    }
}

/* Eigenvalues from 1 to 1e-10 and eigenvectors in all directions: the block exchanges of bpp
 * stall, and dantzig is next. */
TEST(a_row_may_name_the_solver_after_a_stall)
{
    enum { n = 100 };
    double *A = test_reals((size_t)n * n);
    double b[n];
    perp_random g = {7};
    bool stalled = false, next = false;

    for (size_t i = 0; i < n; i++) {
        A[i + i * n] = pow(10.0, -10.0 * (double)i / (n - 1));
        b[i] = perp_random_uniform(&g, -1.0, 1.0);
    }
    for (int k = 0; k < 40; k++) {
        reflect(A, n, &g);
    }
    perp_problem *p = test_lcp(n, A, b);
    perp_result *r = test_solve(p, "auto", NULL);
    for (size_t i = 0; i < r->path.count; i++) {
        next = next || (stalled && strncmp(r->path.step[i], "dantzig", 7) == 0);
        stalled = stalled || strstr(r->path.step[i], "stalled with patience");
        CU_ASSERT(next || strncmp(r->path.step[i], "lemke", 5) != 0);
    }
    CU_ASSERT(stalled && next);
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
}

/* Lemke's method takes 2^n pivots where A has 2 below its diagonal and 1 on it
 * [murty-1978]; the budget of 500 + 20 n ends it, and the next solver goes on. */
TEST(a_pivoting_step_has_a_budget)
{
    enum { n = 10 };
    double A[n * n] = {0.0};
    double b[n];
    bool limited = false;

    for (size_t i = 0; i < n; i++) {
        b[i] = -1.0;
        for (size_t j = 0; j <= i; j++) {
            A[i * n + j] = i == j ? 1.0 : 2.0;
        }
    }
    perp_problem *p = test_lcp(n, A, b);
    perp_result *r = test_solve(p, "auto", NULL);
    for (size_t i = 0; i < r->path.count; i++) {
        limited = limited || strstr(r->path.step[i], "lemke: stopped after 700 iter");
    }
    CU_ASSERT(limited);
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_DOUBLE_EQUAL(r->z[0], 1.0, 1e-8); /* z = e_1 */
    r = test_solve(p, "auto", "max-iterations=5000", NULL);
    CU_ASSERT_PTR_NULL(strstr(r->path.step[r->path.count - 1], "fb")); /* the caller's */
}
