/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/measure.h: clocks, references and the table, shared by the benchmarks.
 *
 * Every time is the least of several repeats on the clock of the thread's own work, so that
 * what else the machine does disturbs little; a measure and its reference are timed in the
 * same run. */
#ifndef PERP_BENCH_MEASURE_H
#define PERP_BENCH_MEASURE_H

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <perp/perp.h>

#include "base/base.h"

enum { REPEATS = 7 };

/** Seconds this thread has worked. */
double work_clock(void);
/** Seconds all threads have worked. Of two threads the busier one has worked the more of
 *  work_clock and the rest: what the caller does alone counts, and how evenly the rest is shared,
 *  whatever else the machine does. */
double all_clock(void);

/** A row of the table; a ratio above its bound is marked and counted. */
void report(const char *what, double measured, double reference, double bound);
/** Count what is no ratio. */
void demand(bool met);
/** How many bounds were missed. */
int missed_bounds(void);
void give_up(const char *what, const perp_error *err);

/** A generated problem, from a call like "spd:n=800". */
perp_problem *make_problem(const char *call);
/** The problem of a file of a folder. */
perp_problem *read_problem(const char *folder, const char *file);
/** n numbers around 1. */
double *filled(size_t n);

/** Seconds of a product with A. */
double time_product(const perp_operator *A);
/** Seconds of a triad a = b + 3 c over 40 million numbers: the memory of this machine. */
double time_triad(void);
/** By how much bounds of a machine that streams 38 GB/s are stretched on this one, at least
 *  1: the least of three triads, since a disturbed one would excuse too much.
 *  Prints it. */
double time_stretch(void);

/** What a solver spent in setup and in its steps, planning and judging apart. */
typedef struct cost {
    double setup, steps;
    size_t bytes;     /**< the most it took from the workspace */
    perp_work before; /**< work done by setup */
    perp_result *r;   /**< of the last run, on the problem as the solver sees it */
} cost;

/** Run a solver, by the name that `--solver` takes, from zero until it ends or for so many
 *  steps; free cost.r. */
cost run_solver(const char *name, const perp_problem *p, size_t steps);
/** The same with one option set. */
cost run_solver_with(const char *name, const char *option, const char *value,
                     const perp_problem *p, size_t steps);
/** A whole perp_solve: the least seconds of calls of which some judge once, at the end; more
 *  than `worth` seconds are timed once. Infinite where the first call does not solve. Free *r. */
double time_solve(const char *name, const perp_problem *p, double worth, perp_result **r);

/** Seconds a contact to write rows and make the problem of so many contacts of spheres. */
double bench_rows(size_t contacts);
/** Bytes of a contact from the search to the answer of ten sweeps: at most so many. */
void bench_bytes(size_t contacts, double most);

/** The benchmarks, by topic. */
void bench_direct(void);
void bench_judging(const char *folder);
void bench_factor(void);
void bench_gradient(const char *folder);
void bench_contacts(const char *folder);
void bench_rigid(void);
void bench_narrow_hulls(void);
void bench_narrow_pairs(void);
void bench_broad(void);
void bench_articulated(void);
void bench_humanoid(void);
void bench_scene(void);
void bench_exact(const char *folder);
void bench_formats(void);

#endif
