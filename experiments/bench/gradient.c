/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/gradient.c: what first-order methods spend beside products and
 * projections.
 *
 * They run alone, under the associated law on the symmetric part of A: inside an outer loop
 * its work would be taken for theirs. */
#include <config.h>

#include <stdio.h>

#include "experiments/bench/measure.h"
#include "libsolvers/gradient/project.h"

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
        begin = work_clock();
        perp_project_cones(count, mu, shrink, x);
        best = fmin(best, work_clock() - begin);
    }
    free(mu);
    free(shrink);
    free(points);
    free(x);
    return best;
}

/* Steps of a method, of which products and projections must be three quarters. */
static void bench_method(const char *name, const perp_problem *p, double product)
{
    const size_t steps = 300; /* all on the way, the slower half near the end */
    char what[128];
    cost c = run_solver(name, p, steps);
    double products = (c.r->work.products - c.before.products) * product;
    double projections = (c.r->work.projections - c.before.projections) *
                         time_cones(p->set->count) / (double)p->set->count;

    snprintf(what, sizeof what, "%s %zu contacts: step / products, projections", name,
             p->set->count);
    report(what, c.steps / (double)c.r->iterations,
           (products + projections) / (double)c.r->iterations, 1.0 / 0.75);
    printf("    outside of both: %.1f %%; outside products: %.1f %%\n",
           100.0 * (1.0 - (products + projections) / c.steps),
           100.0 * (1.0 - products / c.steps));
    perp_result_free(c.r);
}

void bench_gradient(const char *folder)
{
    static const char *const methods[] = {"mpgp", "kprgp", "spg", "apgd"};
    perp_problem *p = read_problem(folder, "siconos-fc3d/KaplasTower-i1061-4.hdf5.dat");
    perp_operator *S = NULL, *A = NULL;
    perp_error err = {0};

    if (perp_operator_symmetric_part(&S, p->A, &err) != PERP_OK ||
        perp_operator_convert(&A, S, PERP_STORAGE_BSR, 3, &err) != PERP_OK) {
        give_up("symmetric part", &err);
    }
    perp_operator_free(S);
    perp_operator_free(p->A);
    p->A = A;
    p->law = PERP_LAW_ASSOCIATED;
    report("projection of 10000 cones / 100 us", time_cones(10000), 100e-6, 1.0);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        bench_method(methods[k], p, time_product(A));
    }
    perp_problem_free(p);
}
