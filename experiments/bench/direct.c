/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/direct.c: methods that factor or pivot, in units of what they are made of.
 *
 * The instances mix active, inactive and degenerate rows: a problem whose solution is all
 * active separates no solvers. */
#include <config.h>

#include <cblas.h>
#include <lapacke.h>
#include <stdio.h>

#include "experiments/bench/measure.h"

/* One dger of size n x n, the rank-one update a tableau pivot is made of. */
static double time_dger(size_t n)
{
    double *A = filled(n * n);
    double *x = filled(n);
    double best = INFINITY;
    int count = (int)(20000000 / (n * n) + 1);

    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double begin = work_clock();

        for (int k = 0; k < count; k++) {
            cblas_dger(CblasColMajor, (int)n, (int)n, 1e-9, x, 1, x, 1, A, (int)n);
        }
        best = fmin(best, (work_clock() - begin) / count);
    }
    free(A);
    free(x);
    return best;
}

/* One Cholesky factorisation and some solves with it. */
static double time_factor(size_t n, int solves)
{
    double *A = filled(n * n);
    double *L = filled(n * n);
    double *x = filled(n);
    double best = INFINITY;

    for (size_t i = 0; i < n; i++) {
        A[i + i * n] += 2.0 * (double)n;
    }
    for (int repeat = 0; repeat < 3 * REPEATS; repeat++) {
        double begin = 0.0;

        memcpy(L, A, n * n * sizeof *A);
        begin = work_clock();
        if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (int)n, L, (int)n) != 0) {
            exit(2);
        }
        for (int k = 0; k < solves; k++) {
            LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', (int)n, 1, L, (int)n, x, (int)n);
        }
        best = fmin(best, work_clock() - begin);
    }
    free(A);
    free(L);
    free(x);
    return best;
}

/* A claim of the solver, which the judge would have to confirm. */
static bool claims(const perp_result *r)
{
    return r->outcome == PERP_SOLVED;
}

static void bench_lemke(const char *family, size_t n)
{
    char call[128], what[128];
    perp_problem *p = NULL;
    cost c;

    snprintf(call, sizeof call, "%s:n=%zu", family, n);
    p = make_problem(call);
    c = run_solver("lemke", p, SIZE_MAX);
    snprintf(what, sizeof what, "lemke %s n=%zu: pivot / dger", family, n);
    report(what, (c.setup + c.steps) / fmax(c.r->work.pivots, 1.0), time_dger(n), 2.0);
    printf("    %.0f pivots = %.2f n (bound 3 n), %.1f ms, %s\n", c.r->work.pivots,
           c.r->work.pivots / (double)n, 1e3 * (c.setup + c.steps),
           perp_outcome_text(c.r->outcome));
    demand(c.r->work.pivots <= 3.0 * (double)n && claims(c.r));
    perp_result_free(c.r);
    perp_problem_free(p);
}

/* A whole solve in units of one Cholesky factorisation of the matrix. */
static void bench_solve(const char *name, const char *call, double bound)
{
    char what[128];
    perp_problem *p = make_problem(call);
    cost c = run_solver(name, p, SIZE_MAX);

    snprintf(what, sizeof what, "%s %s: solve / dpotrf", name, call);
    report(what, c.setup + c.steps, time_factor(p->n, 0), bound);
    printf("    %zu iterations, %.0f pivots, %s\n", c.r->iterations, c.r->work.pivots,
           perp_outcome_text(c.r->outcome));
    demand(claims(c.r));
    perp_result_free(c.r);
    perp_problem_free(p);
}

/* A factorisation and two solves: what a step of an interior point method cannot do without. */
static void bench_ipm(const char *call, double bound)
{
    char what[128];
    perp_problem *p = make_problem(call);
    cost c = run_solver("ipm", p, SIZE_MAX);

    snprintf(what, sizeof what, "ipm %s: / factor, 2 solves a step", call);
    report(what, c.setup + c.steps, (double)c.r->iterations * time_factor(p->n, 2),
           bound);
    printf("    %zu steps, %.0f factorisations, %s\n", c.r->iterations,
           c.r->work.factorizations, perp_outcome_text(c.r->outcome));
    demand(claims(c.r));
    perp_result_free(c.r);
    perp_problem_free(p);
}

void bench_direct(void)
{
    static const size_t sizes[] = {100, 200, 400, 800};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        bench_lemke("spd", sizes[i]);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        bench_lemke("normal-contacts", sizes[i]);
    }
    bench_solve("dantzig", "spd:n=800", 10.0);
    bench_solve("dantzig", "boxed:n=800", 6.0);
    bench_solve("bpp", "spd:n=800", 12.0);
    bench_solve("bpp", "boxed:n=800", 12.0);
    bench_solve("minmap", "spd:n=800", 12.0);
    bench_solve("minmap", "boxed:n=800", 12.0);
    bench_ipm("spd:n=800", 1.3);
}
