/* SPDX-License-Identifier: Apache-2.0
 * tests/core/threads.c: several threads solve and judge one const problem at once. Each gets
 * the bits that one thread gets alone; a build with -fsanitize=thread finds data races. */
#include <config.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "couples.h"

enum { THREADS = 2, REPEATS = 3 };

static const unsigned contacts[] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0};

/* A problem of `s` with cones or bounds, its matrix in a storage in factors. */
static perp_problem *shared_problem(const couples *s, perp_storage storage, bool cones)
{
    perp_random g = {17};
    perp_set *set = NULL;
    double mu[COUPLES_ROWS];

    for (size_t i = 0; i < COUPLES_ROWS; i++) {
        mu[i] = 0.1 + 0.1 * (double)(i % 5);
    }
    CU_ASSERT_EQUAL_FATAL(
        cones ? perp_set_new_cones(&set, 3, s->pairs.rows / 3, mu, NULL)
              : perp_set_new_uniform(&set, PERP_SET_NONNEG, s->pairs.rows, NULL),
        PERP_OK);
    perp_operator *A = test_new_pairs(&s->pairs);
    if (storage == PERP_STORAGE_FACTORED) {
        perp_operator *pairs = A;

        OK(perp_operator_convert(&A, pairs, storage, 1, NULL));
    }
    return test_problem(A, set, PERP_LAW_COULOMB, &g);
}

/* What one thread is given, and what it finds. */
typedef struct errand {
    pthread_t thread;
    const perp_problem *p;
    const char *solver;
    perp_result *r;
    double residual;
    perp_status status;
} errand;

static void *work(void *context)
{
    errand *e = context;
    perp_options opt;
    const perp_solver_type *type = NULL;

    e->status = perp_solver_parse(e->solver, &type, &opt, NULL);
    for (int i = 0; i < REPEATS && e->status == PERP_OK; i++) {
        memset(e->r->z, 0, e->r->n * sizeof *e->r->z);
        e->status = perp_solve(type, e->p, &opt, e->r, NULL);
        e->residual = perp_residual(e->p, e->r->z);
    }
    return NULL;
}

static void errand_init(errand *e, const perp_problem *p, const char *solver)
{
    *e = (errand){.p = p, .solver = solver};
    OK(perp_result_new(&e->r, p->n, NULL));
}

static void solve_at_once(const perp_problem *p, const char *solver)
{
    errand alone, at_once[THREADS];

    errand_init(&alone, p, solver);
    for (size_t k = 0; k < THREADS; k++) {
        errand_init(&at_once[k], p, solver);
    }
    for (size_t k = 0; k < THREADS; k++) {
        CU_ASSERT_EQUAL_FATAL(pthread_create(&at_once[k].thread, NULL, work, &at_once[k]),
                              0);
    }
    for (size_t k = 0; k < THREADS; k++) {
        pthread_join(at_once[k].thread, NULL);
    }
    work(&alone);
    OK(alone.status);
    CU_ASSERT_EQUAL(alone.r->outcome, PERP_SOLVED);
    for (size_t k = 0; k < THREADS; k++) {
        OK(at_once[k].status);
        CU_ASSERT_EQUAL(at_once[k].residual, alone.residual);
        CU_ASSERT_EQUAL(memcmp(at_once[k].r->z, alone.r->z, p->n * sizeof(double)), 0);
        perp_result_free(at_once[k].r);
    }
    test_note("%s: RES = %.1e", solver, alone.residual);
}

TEST(threads_share_a_const_problem_in_factors)
{
    static const perp_storage storages[] = {PERP_STORAGE_PAIRS, PERP_STORAGE_FACTORED};
    static const char *const of_cones[] = {"nsgs", "admm", "prox:nsgs", "auto"};
    static const char *const of_bounds[] = {"pgs", "mpgp", "lemke", "auto"};

    for (size_t k = 0; k < 2; k++) {
        couples s;

        couples_draw(&s, COUPLES_ARMS, contacts, 21);
        perp_problem *cones = shared_problem(&s, storages[k], true);
        perp_problem *bounds = shared_problem(&s, storages[k], false);
        for (size_t i = 0; i < 4; i++) {
            solve_at_once(cones, of_cones[i]);
            solve_at_once(bounds, of_bounds[i]);
        }
    }
}

TEST(a_view_has_the_numbers_of_its_matrix)
{
    couples s;
    const perp_operator *of[2];

    couples_draw(&s, COUPLES_DRAWN, contacts, 4);
    perp_operator *A = test_new_pairs(&s.pairs);
    perp_operator *sparse = test_convert(A, PERP_STORAGE_FACTORED, 1);
    of[0] = A;
    of[1] = sparse;
    for (size_t k = 0; k < 2; k++) {
        perp_operator *before = NULL;
        perp_operator *after = NULL;
        double x[COUPLES_ROWS];
        double y[2][COUPLES_ROWS] = {{0}};

        for (size_t i = 0; i < COUPLES_ROWS; i++) {
            x[i] = 1.0 / (1.0 + (double)i);
        }
        OK(perp_operator_new_view(&before, of[k], NULL));
        perp_operator_row_add(before, 3, 1.0, y[0]); /* lists of its own */
        perp_operator_row_add(of[k], 3, 1.0, y[1]);
        CU_ASSERT_EQUAL(memcmp(y[0], y[1], sizeof y[0]), 0);
        OK(perp_operator_new_view(&after, of[k], NULL));
        CU_ASSERT(perp_operator_same(before, of[k]));
        CU_ASSERT(perp_operator_same(after, of[k]));
        perp_operator_apply(after, x, y[0]);
        perp_operator_apply(of[k], x, y[1]);
        CU_ASSERT_EQUAL(memcmp(y[0], y[1], sizeof y[0]), 0);
    }
}
