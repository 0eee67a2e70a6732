/* SPDX-License-Identifier: Apache-2.0
 * paper/numbers.c: the numbers of a paper: a statistic of a field over the runs of a study. */
#include <config.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/paper/paper.h"
#include "command/results/fields.h"
#include "command/results/files.h"
#include "command/results/statistics.h"

const char paper_statistics[] =
    "median|mean|least|most|count|solved|applicable|share|slope|listed";

/* Values of the runs that a number is made of. */
typedef struct number_values {
    double *x, *y; /* the field, and that of `against` */
    size_t count;
    size_t runs, applicable, solved;
} number_values;

static void number_gather(number_values *v, const stored_runs *s, const paper_number *n)
{
    memset(v, 0, sizeof *v);
    v->x = take(2 * s->count + 1, sizeof *v->x);
    v->y = v->x + s->count;
    for (size_t i = 0; i < s->count; i++) {
        const stored_run *run = &s->runs[i];
        double x = run_field_number(run, n->value);
        double y = n->against ? run_field_number(run, n->against) : 1.0;

        if (!run_fulfils(run, n->where)) {
            continue;
        }
        v->runs++;
        v->applicable += run->applicable;
        v->solved += run->solved;
        if (isfinite(x) && isfinite(y)) {
            v->x[v->count] = x;
            v->y[v->count++] = y;
        }
    }
}

static double number_slope(const number_values *v)
{
    double intercept = 0.0, slope = NAN, error = 0.0;

    return slope_of(v->y, v->x, v->count, &intercept, &slope, &error) ? slope : NAN;
}

/* The statistic, NAN where it needs more values than there are. Sorts the values. */
static double number_of(number_values *v, const char *statistic)
{
    if (strcmp(statistic, "count") == 0) {
        return (double)v->runs;
    }
    if (strcmp(statistic, "solved") == 0) {
        return (double)v->solved;
    }
    if (strcmp(statistic, "applicable") == 0) {
        return (double)v->applicable;
    }
    if (strcmp(statistic, "share") == 0) {
        return v->applicable ? (double)v->solved / (double)v->applicable : NAN;
    }
    if (strcmp(statistic, "slope") == 0) {
        return number_slope(v);
    }
    if (v->count == 0) {
        return NAN;
    }
    gsl_sort(v->x, 1, v->count);
    return strcmp(statistic, "mean") == 0    ? gsl_stats_mean(v->x, 1, v->count)
           : strcmp(statistic, "least") == 0 ? v->x[0]
           : strcmp(statistic, "most") == 0
               ? v->x[v->count - 1]
               : gsl_stats_median_from_sorted_data(v->x, 1, v->count);
}

/* The entries of a list of perp info. */
static perp_status number_listed(const paper *p, paper_number *n, perp_error *err)
{
    json_t *entries = p->list ? p->list(n->value) : NULL;
    size_t count = json_array_size(entries);

    json_decref(entries);
    n->result = (double)count;
    return count ? PERP_OK
                 : perp_fail(err, PERP_ERR_DATA,
                             "number %s: \"%s\" is no list of perp info", n->name,
                             n->value);
}

static const stored_runs *number_runs(const paper *p, const paper_number *n)
{
    size_t k = 0;

    while (strcmp(p->studies[k].name, n->study) != 0) {
        k++; /* the file was checked: it is there */
    }
    return &p->studies[k].runs;
}

static double number_divisor(const paper *p, const paper_number *n)
{
    for (size_t k = 0; n->over && k < p->number_count; k++) {
        if (strcmp(p->numbers[k].name, n->over) == 0) {
            return p->numbers[k].result / p->numbers[k].scale;
        }
    }
    return 1.0;
}

static perp_status number_compute(const paper *p, paper_number *n, perp_error *err)
{
    number_values v = {0};
    perp_status status = PERP_OK;

    if (strcmp(n->statistic, "listed") == 0) {
        return number_listed(p, n, err);
    }
    number_gather(&v, number_runs(p, n), n);
    n->result = n->scale * number_of(&v, n->statistic) / number_divisor(p, n);
    if ((v.runs == 0 || !isfinite(n->result))) {
        status =
            perp_fail(err, PERP_ERR_DATA,
                      "number %s: the %s of %s over %zu run%s of %s%s%s is no number",
                      n->name, n->statistic, n->value, v.runs, v.runs == 1 ? "" : "s",
                      n->study, *n->where ? " with " : "", n->where);
    }
    free(v.x);
    return status;
}

perp_status paper_numbers_compute(paper *p, perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < p->number_count && status == PERP_OK; k++) {
        status = number_compute(p, &p->numbers[k], err);
    }
    return status;
}

static bool number_is_whole(const paper_number *n)
{
    static const char *const whole[] = {"count", "solved", "applicable", "listed"};

    for (size_t k = 0; k < sizeof whole / sizeof *whole; k++) {
        if (strcmp(whole[k], n->statistic) == 0) {
            return !n->over && n->scale == 1.0;
        }
    }
    return false;
}

/* As siunitx reads it. */
static void number_print(const paper_number *n, char text[64])
{
    double size = fabs(n->result);

    if (number_is_whole(n) || (n->result == round(n->result) && size < 1e6)) {
        snprintf(text, 64, "%.0f", n->result);
    } else if (size == 0.0 || (size >= 1e-3 && size < 1e5)) {
        int before = size >= 1.0 ? (int)floor(log10(size)) + 1 : 0;
        int zeros = size > 0.0 && size < 1.0 ? -(int)floor(log10(size)) - 1 : 0;
        int after = size >= 1.0 ? (int)n->digits - before : (int)n->digits + zeros;

        snprintf(text, 64, "%.*f", after > 0 ? after : 0, n->result);
    } else {
        snprintf(text, 64, "%.*e", (int)n->digits - 1, n->result);
    }
}

static perp_status numbers_write_tex(const paper *p, const char *folder, perp_error *err)
{
    char text[64];
    perp_file_out o;

    TRY(report_open(&o, err, "%s/numbers.tex", folder));
    fputs("% Made by perp paper from stored runs; do not edit. In the text: "
          "\\perpnum{NAME}.\n"
          "\\providecommand\\perpnum[1]{\\ifcsname perp@#1\\endcsname\\csname "
          "perp@#1\\endcsname\\else\\errmessage{The results have no number #1}\\fi}\n",
          o.f);
    for (size_t k = 0; k < p->number_count; k++) {
        number_print(&p->numbers[k], text);
        fprintf(o.f, "\\expandafter\\def\\csname perp@%s\\endcsname{\\num{%s}}\n",
                p->numbers[k].name, text);
    }
    return perp_file_commit(&o, err);
}

perp_status paper_numbers_write(const paper *p, const char *folder, perp_error *err)
{
    perp_file_out o;

    TRY(numbers_write_tex(p, folder, err));
    TRY(report_open(&o, err, "%s/numbers.csv", folder));
    fputs("name,value,tolerance,time\n", o.f);
    for (size_t k = 0; k < p->number_count; k++) {
        const paper_number *n = &p->numbers[k];

        fprintf(o.f, "%s,%.17g,%.17g,%d\n", n->name, n->result, n->tolerance, n->time);
    }
    return perp_file_commit(&o, err);
}
