/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/bench.c: what the solvers cost, each as a ratio to a reference timed in
 * the same run, on one thread.
 *
 * Times are the least of several repeats. The instances mix active, inactive and degenerate
 * rows: a problem whose solution is all active separates no solvers. `make bench` prints the
 * table; a ratio above its bound is marked, never hidden. */
#include <config.h>

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/families/families.h"
#include "libsolvers/gradient/project.h"
#include "solvers.h"

enum { REPEATS = 7 };

static int missed; /* of a program, not of a library */

static void report(const char *what, double measured, double reference, double bound)
{
    double ratio = measured / reference;

    missed += ratio > bound;
    printf("%-46s %10.2f %10.2f us %8.2f %6.1f %s\n", what, 1e6 * measured,
           1e6 * reference, ratio, bound, ratio > bound ? "MISSED" : "met");
}

static void give_up(const char *what, const perp_error *err)
{
    fprintf(stderr, "bench: %s: %s\n", what, err->text);
    exit(2);
}

static perp_problem *make(const char *call)
{
    perp_problem *p = NULL;
    perp_error err = {0};

    if (perp_family_make(call, &p, &err) != PERP_OK) {
        give_up(call, &err);
    }
    return p;
}

static double *filled(size_t n)
{
    double *x = aligned_alloc(64, (n * sizeof *x + 63) / 64 * 64);

    if (!x) {
        exit(2);
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = 1.0 + 1e-3 * (double)(i % 17);
    }
    return x;
}

/* One dger of size n x n, the rank-one update a tableau pivot is made of. */
static double time_dger(size_t n)
{
    double *A = filled(n * n);
    double *x = filled(n);
    double best = INFINITY;
    int count = (int)(20000000 / (n * n) + 1);

    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double begin = perp_clock();

        for (int k = 0; k < count; k++) {
            cblas_dger(CblasColMajor, (int)n, (int)n, 1e-9, x, 1, x, 1, A, (int)n);
        }
        best = fmin(best, (perp_clock() - begin) / count);
    }
    free(A);
    free(x);
    return best;
}

static double time_dpotrf(size_t n)
{
    double *A = filled(n * n);
    double *L = filled(n * n);
    double best = INFINITY;

    for (size_t i = 0; i < n; i++) {
        A[i + i * n] += 2.0 * (double)n;
    }
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double begin = 0.0;

        memcpy(L, A, n * n * sizeof *A);
        begin = perp_clock();
        if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (int)n, L, (int)n) != 0) {
            exit(2);
        }
        best = fmin(best, perp_clock() - begin);
    }
    free(A);
    free(L);
    return best;
}

/* One Cholesky factorisation and two solves with it: what a step of an interior point method
 * cannot do without. */
static double time_factor_and_two_solves(size_t n)
{
    double *A = filled(n * n);
    double *L = filled(n * n);
    double *x = filled(n);
    double best = INFINITY;

    for (size_t i = 0; i < n; i++) {
        A[i + i * n] += 2.0 * (double)n;
    }
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double begin = 0.0;

        memcpy(L, A, n * n * sizeof *A);
        begin = perp_clock();
        if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (int)n, L, (int)n) != 0 ||
            LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', (int)n, 1, L, (int)n, x, (int)n) != 0 ||
            LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', (int)n, 1, L, (int)n, x, (int)n) != 0) {
            exit(2);
        }
        best = fmin(best, perp_clock() - begin);
    }
    free(A);
    free(L);
    free(x);
    return best;
}

static double time_product(const perp_operator *A)
{
    double *x = filled(A->cols);
    double *y = filled(A->rows);
    double best = INFINITY;
    int count = 100;

    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double begin = perp_clock();

        for (int k = 0; k < count; k++) {
            perp_operator_apply(A, x, y);
        }
        best = fmin(best, (perp_clock() - begin) / count);
    }
    free(x);
    free(y);
    return best;
}

/* The fastest of several solves from zero; `settings` are name, value pairs ended by NULL. */
static perp_result *fastest(const char *name, const perp_problem *p,
                            const char *const *settings)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_result *best = NULL;
    perp_error err = {0};

    if (perp_solver_parse(name, &type, &opt, &err) != PERP_OK) {
        give_up(name, &err);
    }
    for (; settings && *settings; settings += 2) {
        if (perp_options_set(&opt, settings[0], settings[1], &err) != PERP_OK) {
            give_up(name, &err);
        }
    }
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        perp_result *r = NULL;

        if (perp_result_new(&r, p->n, &err) != PERP_OK ||
            perp_solve(type, p, &opt, r, &err) != PERP_OK) {
            give_up(name, &err);
        }
        if (!best ||
            r->seconds - r->prepare_seconds < best->seconds - best->prepare_seconds) {
            perp_result_free(best);
            best = r;
        } else {
            perp_result_free(r);
        }
    }
    return best;
}

static void bench_lemke(const char *family, size_t n)
{
    char call[128], what[128];
    perp_problem *p = NULL;
    perp_result *r = NULL;
    double solving = 0.0;

    snprintf(call, sizeof call, "%s:n=%zu", family, n);
    p = make(call);
    r = fastest("lemke", p, NULL);
    solving = r->seconds - r->prepare_seconds;
    snprintf(what, sizeof what, "lemke %s n=%zu: pivot / dger", family, n);
    report(what, solving / fmax(r->work.pivots, 1.0), time_dger(n), 2.0);
    printf("    %.0f pivots = %.2f n (bound 3 n), %.1f ms, %s, RES %.1e\n",
           r->work.pivots, r->work.pivots / (double)n, 1e3 * r->seconds,
           perp_outcome_text(r->outcome), r->residual);
    missed += r->work.pivots > 3.0 * (double)n || r->outcome != PERP_SOLVED;
    perp_result_free(r);
    perp_problem_free(p);
}

/* A whole solve in units of one Cholesky factorisation of the matrix. */
static void bench_solve(const char *name, const char *call, double bound)
{
    char what[128];
    perp_problem *p = make(call);
    perp_result *r = fastest(name, p, NULL);

    snprintf(what, sizeof what, "%s %s: solve / dpotrf", name, call);
    report(what, r->seconds, time_dpotrf(p->n), bound);
    printf("    %zu iterations, %.0f pivots, %s, RES %.1e\n", r->iterations,
           r->work.pivots, perp_outcome_text(r->outcome), r->residual);
    missed += r->outcome != PERP_SOLVED;
    perp_result_free(r);
    perp_problem_free(p);
}

static void bench_ipm(const char *call, double bound)
{
    char what[128];
    perp_problem *p = make(call);
    perp_result *r = fastest("ipm", p, NULL);

    snprintf(what, sizeof what, "ipm %s: / factor, 2 solves a step", call);
    report(what, r->seconds - r->prepare_seconds,
           (double)r->iterations * time_factor_and_two_solves(p->n), bound);
    printf("    %zu steps, %.0f factorisations, %s, RES %.1e\n", r->iterations,
           r->work.factorizations, perp_outcome_text(r->outcome), r->residual);
    missed += r->outcome != PERP_SOLVED;
    perp_result_free(r);
    perp_problem_free(p);
}

/* Points around cones: a third inside, in the polar cone, between. */
static double time_cones(size_t count)
{
    double *mu = filled(count);
    double *shrink = filled(count);
    double *points = filled(3 * count);
    double *x = filled(3 * count);
    double best = INFINITY;
    perp_random g = {1};

    for (size_t k = 0; k < count; k++) {
        mu[k] = perp_random_uniform(&g, 0.1, 1.0);
        shrink[k] = 1.0 / (1.0 + mu[k] * mu[k]);
    }
    for (size_t i = 0; i < 3 * count; i++) {
        points[i] = perp_random_uniform(&g, -1.0, 1.0);
    }
    for (int repeat = 0; repeat < 20 * REPEATS; repeat++) {
        double begin = 0.0;

        memcpy(x, points, 3 * count * sizeof *x);
        begin = perp_clock();
        perp_project_cones(count, mu, shrink, x);
        best = fmin(best, perp_clock() - begin);
    }
    free(mu);
    free(shrink);
    free(points);
    free(x);
    return best;
}

/* What a solver spends outside products and projections: at most a quarter. */
static void bench_gradient(const char *name, const perp_problem *p, double product)
{
    static const char *const rare[] = {"check-every", "100000", "max-iterations", "400",
                                       NULL};
    char what[128];
    perp_result *r = fastest(name, p, rare);
    double solving = r->seconds - r->prepare_seconds - r->setup_seconds;
    double inside = r->work.products * product + r->work.projections *
                                                     time_cones(p->set->count) /
                                                     (double)p->set->count;

    snprintf(what, sizeof what, "%s %zu contacts: step / products, projections", name,
             p->set->count);
    report(what, solving, inside, 1.0 / 0.75);
    printf("    outside of both: %.1f %%; outside products: %.1f %%\n",
           100.0 * (1.0 - inside / solving),
           100.0 * (1.0 - r->work.products * product / solving));
    perp_result_free(r);
}

static void bench_projection(void)
{
    report("projection of 10000 cones / 100 us", time_cones(10000), 100e-6, 1.0);
}

/* Sweeps and steps on the largest real instance, judged rarely so that only they are timed. */
static void bench_contacts(const char *folder)
{
    static const char *const rare[] = {"check-every", "100000", "max-iterations", "400",
                                       NULL};
    static const char *const gradient[] = {"mpgp", "kprgp", "spg", "apgd"};
    char path[1024];
    perp_problem *p = NULL;
    perp_operator *A = NULL;
    perp_error err = {0};
    perp_result *r = NULL;
    double product = 0.0;

    snprintf(path, sizeof path, "%s/siconos-fc3d/KaplasTower-i1061-4.hdf5.dat", folder);
    if (perp_problem_read(&p, path, NULL, NULL, &err) != PERP_OK ||
        perp_operator_convert(&A, p->A, PERP_STORAGE_BSR, 3, &err) != PERP_OK) {
        give_up(path, &err);
    }
    perp_operator_free(p->A);
    p->A = A;
    product = time_product(A);
    r = fastest("nsgs", p, rare);
    report("nsgs 570 contacts: sweep / block product",
           (r->seconds - r->prepare_seconds - r->setup_seconds) / (double)r->iterations,
           product, 3.0);
    perp_result_free(r);
    p->law = PERP_LAW_ASSOCIATED;
    for (size_t k = 0; k < sizeof gradient / sizeof *gradient; k++) {
        bench_gradient(gradient[k], p, product);
    }
    perp_problem_free(p);
}

/* Memory speed of this machine, so that figures of two machines can be put side by side. */
static void print_triad(void)
{
    size_t n = 8u << 20;
    double *a = filled(n);
    double *b = filled(n);
    double *c = filled(n);
    double best = INFINITY;

    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double begin = perp_clock();

        for (size_t i = 0; i < n; i++) {
            a[i] = b[i] + 3.0 * c[i];
        }
        best = fmin(best, perp_clock() - begin);
        b[repeat] = a[n - 1 - (size_t)repeat];
    }
    printf("one-thread triad: %.1f GB/s; %s\n\n", 24e-9 * (double)n / best,
           openblas_get_config());
    free(a);
    free(b);
    free(c);
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = {100, 200, 400, 800};

    openblas_set_num_threads(1);
    print_triad();
    printf("%-46s %10s %10s    %8s %6s\n", "", "measured", "reference", "ratio", "bound");
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
    bench_projection();
    bench_contacts(argc > 1 ? argv[1] : "datasets");
    printf("\n%d of the bounds missed\n", missed);
    return 0;
}
