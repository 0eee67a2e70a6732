/* SPDX-License-Identifier: Apache-2.0
 * tests/core/blas.c: the same bits whatever number of BLAS threads the caller has set, and that
 * number again afterwards. */
#include <config.h>

#include <cblas.h>
#include <pthread.h>
#include <string.h>

#include "support.h"

enum { SMALL = 12, LARGE = 300, SOLVES = 8, THREADS = 4 };

static perp_problem *problem(size_t n)
{
    perp_operator *A = test_spd(n, 5);
    double *b = test_reals(n);
    perp_problem *p = NULL;
    perp_random g = {7};

    for (size_t i = 0; i < n; i++) {
        b[i] = perp_random_uniform(&g, -1.0, 1.0);
    }
    OK(perp_problem_new_dense(&p, n, A->x, A->ld, b, NULL, PERP_LAW_COULOMB, PERP_COPY,
                              NULL));
    return p;
}

/* Solve with a number of BLAS threads set; z is the caller's. */
static double *solve(const perp_problem *p, const char *solver, int threads)
{
    double *z = test_reals(p->n);

    openblas_set_num_threads(threads);
    perp_result *r = test_solve(p, solver, NULL);
    CU_ASSERT_EQUAL(openblas_get_num_threads(), threads);
    memcpy(z, r->z, p->n * sizeof *z);
    openblas_set_num_threads(1);
    return z;
}

TEST(a_solve_has_the_same_bits_for_each_number_of_threads)
{
    static const char *const solvers[] = {"admm-ncp", "lemke", "ipm"};
    static const size_t sizes[] = {SMALL, LARGE};

    for (size_t i = 0; i < 2; i++) {
        perp_problem *p = problem(sizes[i]);

        for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
            double *one = solve(p, solvers[k], 1), *two = solve(p, solvers[k], 2);

            CU_ASSERT_EQUAL(memcmp(one, two, p->n * sizeof *one), 0);
            free(one);
            free(two);
        }
    }
}

TEST(a_number_that_is_asked_for_is_set_and_told)
{
    perp_problem *p = problem(SMALL);

    CU_ASSERT_EQUAL(perp_blas_threads(), 1);
    perp_set_blas_threads(2);
    perp_blas_hold();
    CU_ASSERT_EQUAL(openblas_get_num_threads(), 2);
    perp_blas_hold();
    perp_set_blas_threads(1); /* not while it is held */
    CU_ASSERT_EQUAL(openblas_get_num_threads(), 2);
    perp_blas_release();
    CU_ASSERT_EQUAL(openblas_get_num_threads(), 2);
    perp_blas_release();
    CU_ASSERT_EQUAL(openblas_get_num_threads(), 1);
    perp_set_blas_threads(2);
    perp_result *r = test_solve(p, "lemke", NULL);
    CU_ASSERT_STRING_EQUAL(r->path.step[0], "BLAS has 2 threads");
    perp_set_blas_threads(1);
    perp_blas_release(); /* one too many is no error */
    CU_ASSERT_EQUAL(openblas_get_num_threads(), 1);
}

typedef struct worker {
    const perp_problem *p;
    const double *expected;
    size_t differ;
} worker;

static void *work(void *context)
{
    worker *w = context;

    for (size_t k = 0; k < SOLVES; k++) {
        perp_result *r = NULL;
        const perp_solver_type *type = perp_solver_find("lemke");

        if (perp_result_new(&r, w->p->n, NULL) != PERP_OK ||
            perp_solve(type, w->p, NULL, r, NULL) != PERP_OK ||
            memcmp(r->z, w->expected, w->p->n * sizeof *r->z) != 0) {
            w->differ++;
        }
    }
    return NULL;
}

TEST(threads_that_solve_at_once_agree_and_restore_the_number)
{
    perp_problem *p = problem(LARGE / 3);
    double *z = solve(p, "lemke", 1);
    pthread_t thread[THREADS];
    worker w[THREADS];

    openblas_set_num_threads(2);
    for (size_t k = 0; k < THREADS; k++) {
        w[k] = (worker){.p = p, .expected = z};
        CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[k], NULL, work, &w[k]), 0);
    }
    for (size_t k = 0; k < THREADS; k++) {
        pthread_join(thread[k], NULL);
        CU_ASSERT_EQUAL(w[k].differ, 0);
    }
    CU_ASSERT_EQUAL(openblas_get_num_threads(), 2);
    openblas_set_num_threads(1);
    free(z);
}
