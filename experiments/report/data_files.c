/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/data_files.c: what the figures are drawn from. */
#include <config.h>

#include <ctype.h>
#include <errno.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data_files.h"
#include "experiments/cli/data.h"

void print_label(FILE *f, const char *label, const char *more)
{
    fputc('"', f);
    for (const char *c = label; *c; c++) {
        fputc(*c == '"' ? '\'' : (iscntrl((unsigned char)*c) ? ' ' : *c), f);
    }
    fprintf(f, "%s\"", more);
}

/* One moment of a history: [iteration, seconds, products, residual]. */
static double moment_of(const json_t *moment, size_t member)
{
    const json_t *value = json_array_get(moment, member);

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
        const json_t *history = history_of(table_at(t, i, s));

        for (size_t k = 0; k < json_array_size(history); k++) {
            double seconds = moment_of(json_array_get(history, k), 1);

            first = seconds > 0.0 ? fmin(first, seconds) : first;
        }
    }
    return isfinite(first) ? first : 1e-6;
}

/* The history holds residuals of the problem as asked. Where the solver has a formulation of
 * its own, only its last point was judged on the problem as given, which the figure shows. */
static bool judged_on_the_way(const stored_run *run)
{
    const json_t *options = json_object_get(run->json, "options");
    const char *own = json_string_value(json_object_get(options, "formulation"));

    return !own || strcmp(own, "natural") == 0;
}

/* Where moment k stands in the figure; false when there is no point to draw: a residual that
 * is infinite, or that was not measured on the problem of the figure. */
static bool point_at(const stored_run *run, size_t k, double point[3])
{
    const json_t *history = history_of(run);
    const json_t *moment = json_array_get(history, k);
    bool last = k + 1 == json_array_size(history);
    bool whole_way = judged_on_the_way(run);

    point[0] = moment_of(moment, 1);
    point[1] = moment_of(moment, 2);
    point[2] = whole_way ? moment_of(moment, 3) : run->residual_given;
    if (isfinite(point[2])) {
        point[2] = fmax(point[2], 1e-17); /* exact: at the foot of the axis */
    }
    return (whole_way || last) && isfinite(point[0]) && isfinite(point[1]) &&
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

/* Points closer than this in time and in work are one at the size of a figure. */
static const double apart = 1.05;

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
            (k == 0 || k + 1 == count || point[0] > apart * kept[0] ||
             point[1] > apart * kept[1])) {
            fprintf(f, "%.9g %.9g %.9g\n", point[0], point[1], point[2]);
            memcpy(kept, point, sizeof kept);
        }
    }
    fputs("\n\n\"end\"\n", f);
    /* Where it gave up: a cross. A solved run puts it outside the picture. */
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

/* Points of one solver by success, then the failures where their time ran out. */
static size_t scaling_points(const run_table *t, size_t s, double *x, double *y)
{
    size_t count = 0;

    for (size_t i = 0; i < t->instances.count; i++) {
        const stored_run *run = table_at(t, i, s);

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
        const stored_run *run = table_at(t, i, s);

        if (run && !isfinite(run_cost(run)) && run->n > 0.0) {
            /* A crash or an unsuitable problem has no time: it stands at the limit. */
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

static perp_status copy_script(const char *from, const char *to, perp_error *err)
{
    part_file p;
    char buffer[4096];
    size_t count = 0;
    perp_status status = PERP_OK;
    FILE *f = fopen(from, "r");

    if (!f) {
        return perp_fail(err, PERP_ERR_READ, "%s: %s", from, strerror(errno));
    }
    status = part_open(&p, err, "%s", to);
    if (status == PERP_OK) {
        while ((count = fread(buffer, 1, sizeof buffer, f)) > 0) {
            fwrite(buffer, 1, count, p.f);
        }
        status = part_close(&p, err);
    }
    fclose(f);
    return status;
}

perp_status copy_scripts(const char *dir, perp_error *err)
{
    static const char *const names[] = {"style",   "terminal", "profile", "share",
                                        "scaling", "residual", "warm",    "coordinates"};
    perp_status status = PERP_OK;

    for (size_t i = 0; i < sizeof names / sizeof *names && status == PERP_OK; i++) {
        char from[DATA_PATH], to[1024], name[64];

        snprintf(name, sizeof name, "figures/%s.gp", names[i]);
        status = data_find(name, from, err);
        snprintf(to, sizeof to, "%s/figures/gp/%s.gp", dir, names[i]);
        status = status == PERP_OK ? copy_script(from, to, err) : status;
    }
    return status;
}

/* Words that go between quotes in a gnuplot script. */
static bool is_plain(const char *text)
{
    for (; *text; text++) {
        if (!isalnum((unsigned char)*text) && !strchr(" .,-_:", *text)) {
            return false;
        }
    }
    return true;
}

perp_status write_style(FILE *f, const report_style *style, perp_error *err)
{
    const char *terminals =
        style && style->terminal ? style->terminal : "pdfcairo svg pngcairo";
    const char *size = style && style->size ? style->size : "3.4x2.6";
    const char *font = style && style->font ? style->font : "Sans,7";
    const char *comma = strrchr(font, ',');
    double width = 0.0;
    double height = 0.0;
    double points = 7.0;
    char end = '\0';

    if (sscanf(size, "%lfx%lf%c", &width, &height, &end) != 2 || !(width >= 1.0) ||
        !(height >= 1.0) || !(width <= 40.0) || !(height <= 40.0)) {
        return perp_fail(
            err, PERP_ERR_OPTION,
            "size is \"%s\", expected WIDTHxHEIGHT in inches, each from 1 to 40", size);
    }
    if (comma && (sscanf(comma + 1, "%lf%c", &points, &end) != 1 || !(points >= 3.0) ||
                  !(points <= 72.0))) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "font is \"%s\", expected NAME,SIZE with a size from 3 to 72",
                         font);
    }
    if (!is_plain(font) || !is_plain(terminals)) {
        return perp_fail(
            err, PERP_ERR_OPTION,
            "terminal \"%s\" or font \"%s\" has a character that no name has", terminals,
            font);
    }
    fprintf(f,
            "# Made by perp; draw again with: gnuplot make.gp\n"
            "terminals = '%s'; wide = %g; high = %g; face = '%.*s'; points = %g\n"
            "load 'gp/style.gp'\n",
            terminals, width, height, comma ? (int)(comma - font) : (int)strlen(font),
            font, points);
    return PERP_OK;
}
