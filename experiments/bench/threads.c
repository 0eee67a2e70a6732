/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/threads.c: sweeps by colours over ten thousand contacts, by one thread and
 * by two, each as a ratio to the other timed in the same run.
 *
 * Batches of sweeps take turns, and the fastest of each counts, so that what else the machine
 * does falls on both. */
#include <config.h>

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/families/families.h"
#include "solvers.h"

/* A wall of 40 x 32 bricks: 9956 contacts, 27 blocks a row of W. */
static const char *const scene = "wall:nx=40,nz=32,push=0.1";

enum { REPEATS = 150, SWEEPS = 1 };

/* One solver at work, and the least time of a sweep. */
typedef struct racer {
    const char *order, *threads;
    perp_options opt;
    perp_workspace *ws;
    perp_result *r;
    perp_run run;
    double seconds;
} racer;

static void give_up(const perp_error *err)
{
    fprintf(stderr, "threads: %s\n", err->text);
    exit(2);
}

static void start(racer *x, const perp_problem *p)
{
    perp_error err = {0};

    perp_options_init(&x->opt, &perp_solver_nsgs, NULL);
    if (perp_options_set(&x->opt, "order", x->order, &err) != PERP_OK ||
        perp_options_set(&x->opt, "threads", x->threads, &err) != PERP_OK ||
        perp_workspace_new(&x->ws, 0, &err) != PERP_OK ||
        perp_result_new(&x->r, p->n, &err) != PERP_OK ||
        perp_run_start(&x->run, &perp_solver_nsgs, p, &x->opt, x->ws, x->r, &err) !=
            PERP_OK) {
        give_up(&err);
    }
    x->seconds = INFINITY;
}

static void lap(racer *x)
{
    perp_error err = {0};
    double begin = perp_clock();

    for (int i = 0; i < SWEEPS; i++) {
        if (perp_run_step(&x->run, &err) != PERP_OK) {
            give_up(&err);
        }
    }
    x->seconds = fmin(x->seconds, (perp_clock() - begin) / SWEEPS);
}

static void finish(racer *x)
{
    perp_run_end(&x->run);
    perp_result_free(x->r);
    perp_workspace_free(x->ws);
}

static int report(const char *what, double measured, double reference, double bound)
{
    double ratio = measured / reference;

    printf("%-46s %10.2f %10.2f us %8.2f %6.2f %s\n", what, 1e6 * measured,
           1e6 * reference, ratio, bound, ratio > bound ? "MISSED" : "met");
    return ratio > bound;
}

int main(void)
{
    racer plain = {.order = "natural", .threads = "1"};
    racer one = {.order = "colored", .threads = "1"};
    racer two = {.order = "colored", .threads = "2"};
    perp_problem *p = NULL;
    perp_error err = {0};
    int missed = 0;

    openblas_set_num_threads(1);
    if (perp_family_make(scene, &p, &err) != PERP_OK) {
        give_up(&err);
    }
    start(&plain, p);
    start(&one, p);
    start(&two, p);
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        lap(&plain);
        lap(&one);
        lap(&two);
    }
    missed += report("nsgs 9956 contacts: sweep of 2 threads / 1", two.seconds,
                     one.seconds, 1.0 / 1.6);
    missed += report("nsgs 9956 contacts: coloured / natural sweep", one.seconds,
                     plain.seconds, 1.5);
    printf("    %s; speedup %.2f\n", two.r->ran.step[0], one.seconds / two.seconds);
    finish(&plain);
    finish(&one);
    finish(&two);
    perp_problem_free(p);
    printf("%d of the bounds missed\n", missed);
    return 0;
}
