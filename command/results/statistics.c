/* SPDX-License-Identifier: Apache-2.0
 * command/results/statistics.c: statistics of a solver over a set of problems.
 *
 * Shifted geometric mean [achterberg-2007]: exp(mean ln(t + shift)) - shift, a failure
 * entering with the time limit it was given, so that no solver gains by giving up. Two solvers
 * are compared by the ranks of the logarithms of their times, a failure being slower than
 * everything and differences below 5 % being none. */
#include <config.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "fields.h"
#include "rank.h"
#include "statistics.h"

double run_cost(const stored_run *run)
{
    if (!run || !run->solved || !(run->seconds >= 0.0)) {
        return INFINITY;
    }
    return member_number(run->json, "loops", 1.0) > 1.0 ? fmax(run->seconds, 1e-9)
                                                        : fmax(run->seconds, 1e-6);
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

/* Median; sorts parts of `x`. NAN of nothing. */
static double median(double *x, size_t count)
{
    return count ? gsl_stats_median(x, 1, count) : NAN;
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

static double table_shift(const run_table *t, double *scratch)
{
    double shift = INFINITY;

    for (size_t s = 0; s < t->labels.count; s++) {
        shift = fmin(shift, 10.0 * median_time(t, s, scratch));
    }
    return isfinite(shift) ? shift : 1.0;
}

static double *scratch_new(const run_table *t, size_t arrays)
{
    return take(arrays * t->instances.count + 1, sizeof(double));
}

double statistics_shift(const run_table *t)
{
    double *scratch = scratch_new(t, 1);
    double shift = table_shift(t, scratch);

    free(scratch);
    return shift;
}

static bool is_fastest(const run_table *t, size_t i, size_t s)
{
    double mine = run_cost(run_at(t, i, s));

    for (size_t other = 0; other < t->labels.count; other++) {
        if ((1.0 + STATISTICS_TIE) * run_cost(run_at(t, i, other)) < mine) {
            return false;
        }
    }
    return isfinite(mine);
}

static void count_runs(const run_table *t, size_t s, double *scratch,
                       solver_statistics *out)
{
    size_t iterated = 0;

    for (size_t i = 0; i < t->instances.count; i++) {
        const stored_run *run = run_at(t, i, s);

        out->taken += run_takes(run);
        if (!run || !run->applicable) {
            continue;
        }
        out->runs++;
        out->solved += run->solved;
        out->approximated += run->solved || run->residual <= run->tolerance;
        out->fastest += is_fastest(t, i, s);
        if (run->solved && isfinite(run->iterations)) {
            scratch[iterated++] = run->iterations;
        }
        if (isfinite(run->residual_given)) {
            out->worst_residual = fmax(out->worst_residual, run->residual_given);
        }
    }
    out->inapplicable = out->problems - out->taken;
    out->median_iterations = median(scratch, iterated);
}

/* The mean over what the solver takes. */
static void measure_mean(const run_table *t, solver_statistics *out, double *scratch)
{
    double limit = longest_limit(t);
    size_t count = 0;

    for (size_t i = 0; i < t->instances.count; i++) {
        const stored_run *run = run_at(t, i, out->column);

        if (run_takes(run)) {
            scratch[count++] = charged(run, limit);
        }
    }
    bootstrap_shifted_mean(&out->mean, scratch, count, out->shift);
}

/* The solver that was chosen; else of those that take the most problems the one with the least
 * mean. */
static size_t reference_of(const run_table *t, const solver_statistics *of, size_t count)
{
    size_t best = 0;

    if (run_table_has_reference(t)) {
        return name_list_find(&t->labels, t->against);
    }
    for (size_t s = 1; s < count; s++) {
        if (of[s].taken > of[best].taken ||
            (of[s].taken == of[best].taken && of[s].mean.value < of[best].mean.value)) {
            best = s;
        }
    }
    return best;
}

double run_log_ratio(const stored_run *mine, const stored_run *its)
{
    double a = run_cost(mine), b = run_cost(its);
    double d = isfinite(a) || isfinite(b) ? log(a) - log(b) : 0.0;

    return fabs(d) <= log1p(STATISTICS_TIE) ? 0.0 : d;
}

/* What a solver solves of the problems that the reference takes, too. */
static bool solves_any(const run_table *t, size_t s, size_t other)
{
    for (size_t i = 0; i < t->instances.count; i++) {
        if (isfinite(run_cost(run_at(t, i, s))) && run_takes(run_at(t, i, other))) {
            return true;
        }
    }
    return false;
}

/* Ratio of the means and rank test over the problems that both take; `scratch` has three
 * arrays. The direction of the ranks goes to `verdict`: means may point the other way. */
static void compare_with(const run_table *t, solver_statistics *out, size_t reference,
                         double *scratch)
{
    double *mine = scratch, *its = mine + t->instances.count;
    double *difference = its + t->instances.count;
    double limit = longest_limit(t);
    rank_test test = {0};

    for (size_t i = 0; i < t->instances.count; i++) {
        const stored_run *a = run_at(t, i, out->column), *b = run_at(t, i, reference);

        if (run_takes(a) && run_takes(b)) {
            mine[out->common] = charged(a, limit);
            its[out->common] = charged(b, limit);
            difference[out->common++] = run_log_ratio(a, b);
        }
    }
    if (solves_any(t, out->column, reference) && solves_any(t, reference, out->column)) {
        bootstrap_mean_ratio(&out->ratio, mine, its, out->common, out->shift);
    }
    rank_signed(&test, difference, out->common);
    if (out->common) {
        out->p = test.p;
        out->verdict = 2 * test.positive >= test.pairs ? "slower" : "faster";
    }
}

/* What may be said of the ratio to the reference; `verdict` has the direction of the ranks. */
static const char *verdict_of(const solver_statistics *of)
{
    double ratio = of->ratio.value;

    if (isnan(of->p)) {
        return "";
    }
    if (fabs(log(ratio)) <= log1p(STATISTICS_TIE)) {
        return "tie";
    }
    return of->p <= STATISTICS_SIGNIFICANT &&
                   (isnan(ratio) || (ratio > 1.0) == (*of->verdict == 's'))
               ? of->verdict
               : "unclear";
}

static void compare_all(const run_table *t, solver_statistics *of, double *scratch)
{
    size_t count = t->labels.count, reference = reference_of(t, of, count);
    double *p = take(count + 1, sizeof *p);

    for (size_t s = 0; s < count; s++) {
        of[s].p = NAN;
        if (s != reference) {
            compare_with(t, &of[s], reference, scratch);
        }
        p[s] = of[s].p;
    }
    of[reference].ratio.value = of[reference].solved ? 1.0 : (double)NAN;
    of[reference].common = of[reference].taken;
    rank_holm(p, count);
    for (size_t s = 0; s < count; s++) {
        of[s].p = p[s];
        of[s].verdict = s != reference               ? verdict_of(&of[s])
                        : run_table_has_reference(t) ? "reference"
                        : of[s].solved               ? "best"
                                                     : "";
    }
    free(p);
}

static void statistics_fill(const run_table *t, solver_statistics *out, double *scratch)
{
    double shift = table_shift(t, scratch);

    for (size_t s = 0; s < t->labels.count; s++) {
        out[s] = (solver_statistics){.set = t->set,
                                     .tolerance = t->tolerance,
                                     .label = t->labels.names[s],
                                     .problems = t->instances.count,
                                     .shift = shift,
                                     .ratio = {NAN, NAN, NAN},
                                     .verdict = "",
                                     .table = t,
                                     .column = s};
        count_runs(t, s, scratch, &out[s]);
        measure_mean(t, &out[s], scratch);
    }
    compare_all(t, out, scratch);
}

solver_statistics *statistics_new(const run_table *t)
{
    double *scratch = scratch_new(t, 3);
    solver_statistics *of = take(t->labels.count + 1, sizeof *of);

    if (t->labels.count) {
        statistics_fill(t, of, scratch);
    }
    free(scratch);
    return of;
}

bool slope_of(const double *x, const double *y, size_t count, double *intercept,
              double *slope, double *error)
{
    double *logs = take(2 * count + 1, sizeof *logs);
    double c00, c01, c11, squares;
    bool spread = false;

    for (size_t i = 0; i < count; i++) {
        logs[i] = log10(x[i]);
        logs[count + i] = log10(y[i]);
        spread = spread || x[i] != x[0];
    }
    if (count < 3 || !spread) {
        free(logs);
        return false;
    }
    gsl_fit_linear(logs, 1, logs + count, 1, count, intercept, slope, &c00, &c01, &c11,
                   &squares);
    *error = sqrt(c11);
    free(logs);
    return true;
}

double scaling_size(const run_table *t, size_t i, const char *problem, const char *x)
{
    for (size_t s = 0; s < t->labels.count; s++) {
        const stored_run *run = run_at(t, i, s);
        double size = run ? run_field_number(run, x) : NAN;

        if (size > 0.0 && strcmp(run->problem, problem) == 0) {
            return size;
        }
    }
    return NAN;
}

/* Does solver s solve all problems of this family and size that it takes? */
static bool scaling_all_solved(const run_table *t, size_t s, const char *problem,
                               const char *x, double size)
{
    for (size_t i = 0; i < t->instances.count; i++) {
        const stored_run *run = run_at(t, i, s);

        if (run && run->applicable && !run->solved &&
            strcmp(run->problem, problem) == 0 &&
            scaling_size(t, i, problem, x) == size) {
            return false;
        }
    }
    return true;
}

/* The fit of the family of instance `first`; false where it was made already, or cannot be. */
static bool scaling_fit_family(scaling_fit *fit, const run_table *t, size_t s,
                               size_t first, const char *names[2], double *scratch)
{
    double *x = scratch, *y = x + t->instances.count;
    const stored_run *head = run_at(t, first, s);
    double error = 0.0, reach = 0.0;

    if (!head) {
        return false;
    }
    *fit = (scaling_fit){.problem = head->problem, .least = INFINITY};
    for (size_t i = 0; i < t->instances.count; i++) {
        const stored_run *run = run_at(t, i, s);

        if (!run || strcmp(run->problem, head->problem) != 0) {
            continue;
        }
        if (i < first) {
            return false;
        }
        x[fit->count] = scaling_size(t, i, head->problem, names[0]);
        y[fit->count] = run_field_number(run, names[1]);
        if (run->solved && x[fit->count] > 0.0 && y[fit->count] > 0.0 &&
            scaling_all_solved(t, s, head->problem, names[0], x[fit->count])) {
            fit->least = fmin(fit->least, x[fit->count]);
            fit->most = fmax(fit->most, x[fit->count]);
            fit->count++;
        }
    }
    if (!slope_of(x, y, fit->count, &fit->intercept, &fit->slope, &error)) {
        return false;
    }
    reach = error *
            gsl_cdf_tdist_Qinv(0.5 * (1.0 - BOOTSTRAP_LEVEL), (double)fit->count - 2.0);
    fit->low = fit->slope - reach;
    fit->high = fit->slope + reach;
    return true;
}

scaling_fit *scaling_fits_new(size_t *count, const run_table *t, size_t s, const char *x,
                              const char *y)
{
    double *scratch = scratch_new(t, 2);
    scaling_fit *fits = NULL;

    *count = 0;
    fits = take(t->instances.count + 1, sizeof *fits);
    for (size_t i = 0; i < t->instances.count; i++) {
        *count +=
            scaling_fit_family(&fits[*count], t, s, i, (const char *[]){x, y}, scratch);
    }
    free(scratch);
    return fits;
}
