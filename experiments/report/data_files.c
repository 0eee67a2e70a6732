/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/data_files.c: blocks of the data files that figures are drawn from. */
#include <config.h>

#include <ctype.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data_files.h"
#include "statistics.h"

void print_label(FILE *f, const char *label, const char *more)
{
    fputc('"', f);
    for (const char *c = label; *c; c++) {
        fputc(*c == '"' ? '\'' : (iscntrl((unsigned char)*c) ? ' ' : *c), f);
    }
    fprintf(f, "%s\"", more);
}

/* A member of a history sample: [iteration, seconds, products, residual]. */
static double sample_member(const json_t *sample, size_t member)
{
    const json_t *value = json_array_get(sample, member);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static const json_t *history_of(const stored_run *run)
{
    return run ? json_object_get(run->json, "history") : NULL;
}

double first_time(const run_table *t, size_t i)
{
    double first = INFINITY;

    for (size_t s = 0; s < t->labels.count; s++) {
        const json_t *history = history_of(run_at(t, i, s));

        for (size_t k = 0; k < json_array_size(history); k++) {
            double seconds = sample_member(json_array_get(history, k), 1);

            first = seconds > 0.0 ? fmin(first, seconds) : first;
        }
    }
    return isfinite(first) ? first : 1e-6;
}

/* The history holds residuals of the problem as asked. Where the solver has a formulation of
 * its own, only its last point was judged on the problem as given, which the figure shows. */
static bool judged_throughout(const stored_run *run)
{
    const json_t *options = json_object_get(run->json, "options");
    const char *own = json_string_value(json_object_get(options, "formulation"));

    return !own || strcmp(own, "natural") == 0;
}

/* The point of sample k in the figure; false when there is none: the residual is
 * infinite, or was not measured on the problem of the figure. */
static bool point_at(const stored_run *run, size_t k, double point[3])
{
    const json_t *history = history_of(run);
    const json_t *sample = json_array_get(history, k);
    bool last = k + 1 == json_array_size(history);
    bool throughout = judged_throughout(run);

    point[0] = sample_member(sample, 1);
    point[1] = sample_member(sample, 2);
    point[2] = throughout ? sample_member(sample, 3) : run->residual_given;
    if (isfinite(point[2])) {
        point[2] = fmax(point[2], 1e-17); /* exact: at the lower end of the axis */
    }
    return (throughout || last) && isfinite(point[0]) && isfinite(point[1]) &&
           isfinite(point[2]);
}

size_t history_points(const stored_run *run)
{
    size_t count = 0;
    double point[3];

    for (size_t k = 0; k < json_array_size(history_of(run)); k++) {
        count += point_at(run, k, point);
    }
    return count;
}

/* Points closer than this ratio in time and in work coincide at the size of a figure. */
static const double least_ratio = 1.05;

void history_block(FILE *f, const stored_run *run, const char *label)
{
    size_t count = json_array_size(history_of(run));
    double kept[3] = {0.0, 0.0, 0.0};
    double point[3];

    if (history_points(run) == 0) {
        return;
    }
    print_label(f, label, "");
    fputc('\n', f);
    for (size_t k = 0; k < count; k++) {
        if (point_at(run, k, point) &&
            (k == 0 || k + 1 == count || point[0] > least_ratio * kept[0] ||
             point[1] > least_ratio * kept[1])) {
            fprintf(f, "%.9g %.9g %.9g\n", point[0], point[1], point[2]);
            memcpy(kept, point, sizeof kept);
        }
    }
    fputs("\n\n\"end\"\n", f);
    /* Where it failed: a cross. A solved run has none. */
    if (run->solved) {
        fputs("NaN NaN NaN\n\n\n", f);
    } else {
        fprintf(f, "%.9g %.9g %.9g\n\n\n", kept[0], kept[1], kept[2]);
    }
}

bool table_has_sizes(const run_table *t)
{
    double seen[3];
    size_t count = 0;

    for (size_t k = 0; k < t->instances.count * t->labels.count && count < 3; k++) {
        const stored_run *run = t->cell[k];
        bool new_size = run && run->n > 0.0;

        for (size_t j = 0; j < count && new_size; j++) {
            new_size = run->n != seen[j];
        }
        if (new_size) {
            seen[count++] = run->n;
        }
    }
    return count == 3;
}

/* The solved points of one solver. */
static size_t scaling_points(const run_table *t, size_t s, double *x, double *y)
{
    size_t count = 0;

    for (size_t i = 0; i < t->instances.count; i++) {
        const stored_run *run = run_at(t, i, s);

        if (isfinite(run_cost(run)) && run->n > 0.0) {
            x[count] = run->n;
            y[count++] = run_cost(run);
        }
    }
    return count;
}

static void print_failed_points(FILE *f, const run_table *t, size_t s)
{
    fputs("\"failed\"\nNaN NaN\n", f);
    for (size_t i = 0; i < t->instances.count; i++) {
        const stored_run *run = run_at(t, i, s);

        if (run && !isfinite(run_cost(run)) && run->n > 0.0) {
            /* A crash or an unsuitable problem has no time: it is drawn at the limit. */
            double seconds = run->seconds > 0.0 ? run->seconds : run->limit;

            fprintf(f, "%.9g %.9g\n", run->n, seconds > 0.0 ? seconds : 1.0);
        }
    }
    fputs("\n\n", f);
}

perp_status scaling_block(FILE *f, const run_table *t, size_t s, perp_error *err)
{
    double *x = calloc(2 * t->instances.count + 1, sizeof *x);
    double *y = NULL;
    double intercept, slope, error;
    char power[64] = "";
    size_t count = 0;
    bool fitted = false;

    if (!x) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu points",
                         t->instances.count);
    }
    y = x + t->instances.count;
    count = scaling_points(t, s, x, y);
    fitted = slope_of(x, y, count, &intercept, &slope, &error);
    if (fitted) {
        snprintf(power, sizeof power, ": n^%.2f ± %.2f", slope, error);
    }
    print_label(f, t->labels.names[s], power);
    fputs(count ? "\n" : "\nNaN NaN\n", f);
    for (size_t k = 0; k < count; k++) {
        fprintf(f, "%.9g %.9g\n", x[k], y[k]);
    }
    fputs("\n\n", f);
    print_failed_points(f, t, s);
    fputs("\"fit\"\n", f);
    if (fitted) {
        const double ends[] = {gsl_stats_min(x, 1, count), gsl_stats_max(x, 1, count)};

        for (size_t k = 0; k < 2; k++) {
            fprintf(f, "%.9g %.9g\n", ends[k],
                    pow(10.0, intercept + slope * log10(ends[k])));
        }
    } else {
        fputs("NaN NaN\n", f);
    }
    fputs("\n\n", f);
    free(x);
    return PERP_OK;
}
