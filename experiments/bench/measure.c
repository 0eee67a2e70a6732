/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/measure.c: clocks, references and the table. */
#include <config.h>

#include "core/solvers.h"
#include "experiments/bench/measure.h"

#include <stdio.h>
#include <time.h>

#include "command/generate/families.h"

static int missed; /* of a program, not of a library */

double work_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double all_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void report(const char *what, double measured, double reference, double bound)
{
    double ratio = measured / reference;

    missed += !(ratio <= bound);
    printf("%-46s %10.2f %10.2f us %8.2f %6.2f %s\n", what, 1e6 * measured,
           1e6 * reference, ratio, bound, ratio <= bound ? "met" : "MISSED");
}

void demand(bool met)
{
    missed += !met;
}

int missed_bounds(void)
{
    return missed;
}

void give_up(const char *what, const perp_error *err)
{
    fprintf(stderr, "bench: %s: %s\n", what, err->text);
    exit(2);
}

perp_problem *make_problem(const char *call)
{
    perp_problem *p = NULL;
    perp_error err = {0};

    if (perp_family_make(call, &p, &err) != PERP_OK) {
        give_up(call, &err);
    }
    return p;
}

perp_problem *read_problem(const char *folder, const char *file)
{
    char path[1024];
    perp_problem *p = NULL;
    perp_error err = {0};

    snprintf(path, sizeof path, "%s/%s", folder, file);
    if (perp_problem_read(&p, path, NULL, NULL, &err) != PERP_OK) {
        give_up(path, &err);
    }
    return p;
}

double *filled(size_t n)
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

double time_product(const perp_operator *A)
{
    double *x = filled(perp_operator_cols(A));
    double *y = filled(perp_operator_rows(A));
    double best = INFINITY;
    int count = 100;

    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double begin = work_clock();

        for (int k = 0; k < count; k++) {
            perp_operator_apply(A, x, y);
        }
        best = fmin(best, (work_clock() - begin) / count);
    }
    free(x);
    free(y);
    return best;
}

double time_triad(void)
{
    size_t n = 8u << 20; /* beyond every cache, and a fifth of the memory of 40 million */
    double *a = filled(n);
    double *b = filled(n);
    double *c = filled(n);
    double best = INFINITY;

    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double begin = work_clock();

        for (size_t i = 0; i < n; i++) {
            a[i] = b[i] + 3.0 * c[i];
        }
        best = fmin(best, work_clock() - begin);
        b[repeat] = a[n - 1 - (size_t)repeat];
    }
    free(a);
    free(b);
    free(c);
    return best * 40e6 / (double)n;
}

double time_stretch(void)
{
    const double there = 24e-9 * 40e6 / 38.0; /* [s] */
    double here = fmin(fmin(time_triad(), time_triad()), time_triad());

    double stretch = fmax(here / there, 1.0);

    printf("bounds stretched by %.2f\n", stretch);
    return stretch;
}

static const perp_solver_type *parse(const char *name, perp_options *opt)
{
    const perp_solver_type *type = NULL;
    perp_error err = {0};

    if (perp_solver_parse(name, &type, opt, &err) != PERP_OK) {
        give_up(name, &err);
    }
    return type;
}

cost run_solver(const char *name, const perp_problem *p, size_t steps)
{
    return run_solver_with(name, NULL, NULL, p, steps);
}

cost run_solver_with(const char *name, const char *option, const char *value,
                     const perp_problem *p, size_t steps)
{
    cost least = {.setup = INFINITY, .steps = INFINITY};
    perp_options opt;
    const perp_solver_type *type = parse(name, &opt);
    perp_problem *view = NULL;
    perp_error err = {0};

    if ((option && perp_options_set(&opt, option, value, &err) != PERP_OK) ||
        perp_solver_view(type, p, &opt, &view, &err) != PERP_OK) {
        give_up(name, &err);
    }
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        perp_workspace *ws = NULL;
        perp_run run = {0};
        double begin = 0.0, middle = 0.0;

        perp_result_free(least.r);
        least.r = NULL;
        if (perp_workspace_new(&ws, 0, &err) != PERP_OK ||
            perp_result_new(&least.r, view->n, &err) != PERP_OK) {
            give_up(name, &err);
        }
        begin = work_clock();
        if (perp_run_start(&run, type, view, &opt, ws, least.r, &err) != PERP_OK) {
            give_up(name, &err);
        }
        middle = work_clock();
        least.before = least.r->work;
        for (size_t i = 0; i < steps && least.r->outcome == PERP_RUNNING; i++) {
            if (perp_run_step(&run, &err) != PERP_OK) {
                give_up(name, &err);
            }
        }
        least.steps = fmin(least.steps, work_clock() - middle);
        least.setup = fmin(least.setup, middle - begin);
        least.bytes = perp_workspace_peak(ws);
        perp_run_end(&run);
        perp_workspace_free(ws);
    }
    perp_problem_free(view);
    return least;
}

/* One call from zero, and its seconds. */
static double solve_once(const perp_solver_type *type, const perp_problem *p,
                         const perp_options *opt, perp_result **r)
{
    perp_error err = {0};
    double begin = 0.0;

    perp_result_free(*r);
    *r = NULL;
    if (perp_result_new(r, p->n, &err) != PERP_OK) {
        give_up(type->name, &err);
    }
    begin = work_clock();
    if (perp_solve(type, p, opt, *r, &err) != PERP_OK) {
        fprintf(stderr, "bench: %s: %s\n", type->name, err.text);
        return INFINITY;
    }
    return work_clock() - begin;
}

/* Of the seconds that are worth a repeat, by the wall: others may hold up the machine. */
static const double patience = 10.0;

/* Judged every few steps the first call finds out how many are needed; the calls that count
 * are judged after so many. */
double time_solve(const char *name, const perp_problem *p, double worth, perp_result **r)
{
    perp_options opt, known;
    const perp_solver_type *type = parse(name, &opt);
    perp_error err = {0};
    double first = 0.0, best = INFINITY;
    char steps[32];

    *r = NULL;
    if (perp_options_set_real(&opt, "time-limit", patience * worth, &err) != PERP_OK) {
        give_up(name, &err);
    }
    first = solve_once(type, p, &opt, r);
    if (!isfinite(first) || (*r)->outcome != PERP_SOLVED) {
        return INFINITY;
    }
    known = opt;
    snprintf(steps, sizeof steps, "%zu", (*r)->iterations);
    if ((*r)->iterations > 0 && !type->chain &&
        perp_options_set(&known, "check-every", steps, &err) != PERP_OK) {
        give_up(name, &err);
    }
    for (int repeat = 0; repeat < 2 * REPEATS && first <= worth; repeat++) {
        double seconds = solve_once(type, p, repeat % 2 ? &known : &opt, r);

        best = (*r)->outcome == PERP_SOLVED ? fmin(best, seconds) : best;
    }
    return fmin(best, first);
}
