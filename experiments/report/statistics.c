/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/statistics.c: statistics of a solver over a set of problems.
 *
 * Shifted geometric mean [achterberg-2007]: exp(mean ln(t + shift)) - shift, a failure
 * entering with the time limit it was given, so that no solver gains by giving up. */
#include <config.h>

#include <gsl/gsl_fit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "statistics.h"

double run_cost(const stored_run *run)
{
    return run && run->solved && run->seconds >= 0.0 ? fmax(run->seconds, 1e-6)
                                                     : INFINITY;
}

bool run_takes(const stored_run *run)
{
    return !run || run->applicable;
}

/* The longest time limit in the table, for a cell without a run; a minute without any. */
static double longest_limit(const run_table *t)
{
    double longest = 0.0;

    for (size_t k = 0; k < t->instances.count * t->labels.count; k++) {
        if (t->cell[k] && isfinite(t->cell[k]->limit)) {
            longest = fmax(longest, t->cell[k]->limit);
        }
    }
    return longest > 0.0 ? longest : 60.0;
}

/* The time with which a run enters a mean. */
static double charged(const stored_run *run, double limit)
{
    double cost = run_cost(run);

    if (isfinite(cost)) {
        return cost;
    }
    return run && isfinite(run->limit) ? run->limit : limit;
}

/* Median by sorting `x` in place; NAN of nothing. */
static double median(double *x, size_t count)
{
    if (count == 0) {
        return NAN;
    }
    gsl_sort(x, 1, count);
    return gsl_stats_median_from_sorted_data(x, 1, count);
}

static double median_time(const run_table *t, size_t s, double *scratch)
{
    size_t count = 0;

    for (size_t i = 0; i < t->instances.count; i++) {
        if (isfinite(run_cost(run_at(t, i, s)))) {
            scratch[count++] = run_cost(run_at(t, i, s));
        }
    }
    return median(scratch, count);
}

static bool is_winner(const run_table *t, size_t i, size_t s)
{
    double mine = run_cost(run_at(t, i, s));

    for (size_t other = 0; other < t->labels.count; other++) {
        if (run_cost(run_at(t, i, other)) < mine) {
            return false;
        }
    }
    return isfinite(mine);
}

static void count_runs(const run_table *t, size_t s, double shift, double *scratch,
                       solver_statistics *out)
{
    double limit = longest_limit(t);
    double sum = 0.0;
    size_t iterated = 0;

    for (size_t i = 0; i < t->instances.count; i++) {
        const stored_run *run = run_at(t, i, s);

        sum += log(charged(run, limit) + shift);
        if (!run) {
            continue;
        }
        out->runs++;
        out->solved += run->solved;
        out->model_solved += run->residual <= run->tolerance;
        out->won += is_winner(t, i, s);
        if (run->solved && isfinite(run->iterations)) {
            scratch[iterated++] = run->iterations;
        }
        if (isfinite(run->residual_given)) {
            out->worst_residual = fmax(out->worst_residual, run->residual_given);
        }
    }
    out->mean = exp(sum / (double)t->instances.count) - shift;
    out->median_iterations = median(scratch, iterated);
}

static void statistics_fill(const run_table *t, solver_statistics *out, double *scratch)
{
    double shift = INFINITY;
    double best = INFINITY;

    for (size_t s = 0; s < t->labels.count; s++) {
        shift = fmin(shift, 10.0 * median_time(t, s, scratch));
    }
    shift = isfinite(shift) ? shift : 1.0;
    for (size_t s = 0; s < t->labels.count; s++) {
        out[s] = (solver_statistics){.set = t->set,
                                     .tolerance = t->tolerance,
                                     .label = t->labels.names[s],
                                     .problems = t->instances.count,
                                     .shift = shift,
                                     .table = t,
                                     .column = s};
        count_runs(t, s, shift, scratch, &out[s]);
        best = fmin(best, out[s].mean);
    }
    for (size_t s = 0; s < t->labels.count; s++) {
        out[s].ratio = out[s].mean / best;
    }
}

perp_status statistics_new(solver_statistics **statistics, const run_table *t,
                           perp_error *err)
{
    double *scratch = calloc(t->instances.count + 1, sizeof *scratch);

    *statistics = calloc(t->labels.count + 1, sizeof **statistics);
    if (!scratch || !*statistics) {
        free(scratch);
        free(*statistics);
        *statistics = NULL;
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for statistics");
    }
    statistics_fill(t, *statistics, scratch);
    free(scratch);
    return PERP_OK;
}

bool slope_of(const double *x, const double *y, size_t count, double *intercept,
              double *slope, double *error)
{
    double *logs = calloc(2 * count + 1, sizeof *logs);
    double c00, c01, c11, squares;
    bool spread = false;

    for (size_t i = 0; logs && i < count; i++) {
        logs[i] = log10(x[i]);
        logs[count + i] = log10(y[i]);
        spread = spread || x[i] != x[0];
    }
    if (!logs || count < 3 || !spread) {
        free(logs);
        return false;
    }
    gsl_fit_linear(logs, 1, logs + count, 1, count, intercept, slope, &c00, &c01, &c11,
                   &squares);
    *error = sqrt(c11);
    free(logs);
    return true;
}
