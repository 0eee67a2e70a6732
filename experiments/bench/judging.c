/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/judging.c: what a judgement costs, in products with A: at a point that is far
 * from the solution, and at the solution, where the rounding of w is looked at. */
#include <config.h>

#include <stdio.h>

#include <perp/judge.h>

#include "experiments/bench/measure.h"

/* Seconds of a judgement at z. */
static double time_judge(perp_judge *judge, const double *z)
{
    double least = INFINITY;

    for (int k = 0; k < REPEATS; k++) {
        size_t count = 0;
        double begin = work_clock(), spent = 0.0;

        for (; spent < 2e-3; spent = work_clock() - begin) {
            perp_judge_residual(judge, z);
            count++;
        }
        least = fmin(least, spent / (double)count);
    }
    return least;
}

static void judge_one(const char *what, const char *solver, perp_problem *p, double far,
                      double near)
{
    perp_judge *judge = NULL;
    perp_result *r = NULL;
    double *ones = filled(p->n), product = time_product(p->A);
    char text[96];

    time_solve(solver, p, 0.0, &r);
    if (perp_judge_new(&judge, p, NULL) != PERP_OK) {
        exit(2);
    }
    snprintf(text, sizeof text, "judge, %s: far, to a product", what);
    report(text, time_judge(judge, ones), product, far);
    snprintf(text, sizeof text, "judge, %s: at the solution", what);
    report(text, time_judge(judge, r->z), product, near);
    perp_judge_free(judge);
    perp_result_free(r);
    perp_problem_free(p);
    free(ones);
}

void bench_judging(const char *folder)
{
    judge_one("dense of 800 rows", "lemke", make_problem("spd:n=800"), 1.3, 4.0);
    judge_one("Capsules, bsr", "auto",
              read_problem(folder, "siconos-fc3d/Capsules-i122-1617.dat"), 3.0, 10.0);
}
