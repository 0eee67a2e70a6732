/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/data_files.c: what the figures are drawn from. */
#include <config.h>

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data_files.h"
#include "experiments/cli/data.h"

double first_time(const run_table *t, size_t i)
{
    double first = INFINITY;

    for (size_t s = 0; s < t->labels.count; s++) {
        const stored_run *run = table_at(t, i, s);
        const json_t *history = run ? json_object_get(run->json, "history") : NULL;

        for (size_t k = 0; k < json_array_size(history); k++) {
            const json_t *moment = json_array_get(history, k);
            double seconds = json_number_value(json_array_get(moment, 1));

            if (json_integer_value(json_array_get(moment, 0)) > 0 && seconds > 0.0) {
                first = fmin(first, seconds);
                break;
            }
        }
    }
    return isfinite(first) ? first : 1e-6;
}

size_t history_length(const stored_run *run)
{
    return run ? json_array_size(json_object_get(run->json, "history")) : 0;
}

/* On the way a solver is judged on the problem it was asked; with a formulation of its own
 * that is another law, and only its last point was judged on the problem of the figure. */
static bool judged_on_the_way(const stored_run *run)
{
    const char *whole = json_string_value(json_object_get(run->json, "set_formulation"));

    return strcmp(run->formulation, whole ? whole : "natural") == 0;
}

/* More points than a curve of this size can show are passed over, evenly; the last stays. */
enum { POINTS = 250 };

void history_block(FILE *f, const stored_run *run, const char *label)
{
    size_t count = history_length(run);
    size_t stride = count / POINTS + 1;
    const json_t *history = run ? json_object_get(run->json, "history") : NULL;
    double last[3] = {0.0, 0.0, 1.0};
    bool whole_way = run && judged_on_the_way(run);

    if (count == 0) {
        return;
    }
    fprintf(f, "\"%s\"\n", label);
    for (size_t k = whole_way ? 0 : count - 1; k < count;
         k += k + stride < count || k == count - 1 ? stride : count - 1 - k) {
        const json_t *moment = json_array_get(history, k);
        double residual =
            whole_way ? json_number_value(json_array_get(moment, 3)) : run->residual;

        if (!json_is_number(json_array_get(moment, 3)) || !isfinite(residual)) {
            continue; /* infinite: no point to draw */
        }
        last[0] = json_number_value(json_array_get(moment, 1));
        last[1] = json_number_value(json_array_get(moment, 2));
        last[2] = residual > 0.0 ? residual : 1e-17; /* exact: at the foot of the axis */
        fprintf(f, "%.9g %.9g %.9g\n", last[0], last[1], last[2]);
    }
    fputs("\n\n", f);
    /* Where it gave up: a cross. A solved run puts it outside the picture. */
    fprintf(f, "\"end\"\n");
    if (run->solved) {
        fputs("NaN NaN NaN\n", f);
    } else {
        fprintf(f, "%.9g %.9g %.9g\n", last[0], last[1], last[2]);
    }
    fputs("\n\n", f);
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
            double seconds = run->seconds > 0.0 ? run->seconds : run->limit;

            fprintf(f, "%.9g %.9g\n", run->n, seconds > 0.0 ? seconds : 1.0);
        }
    }
    fputs("\n\n", f);
}

perp_status scaling_block(FILE *f, const run_table *t, size_t s, perp_error *err)
{
    double *x = calloc(2 * t->instances.count + 1, sizeof *x);
    double *y = x + t->instances.count;
    double intercept, slope, error;
    size_t count = 0;
    bool fitted = false;

    if (!x) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu points",
                         t->instances.count);
    }
    count = scaling_points(t, s, x, y);
    fitted = slope_of(x, y, count, &intercept, &slope, &error);
    if (fitted) {
        fprintf(f, "\"%s  n^{%.2f ± %.2f}\"\n", t->labels.names[s], slope, error);
    } else {
        fprintf(f, "\"%s\"\n", t->labels.names[s]);
    }
    fputs(count ? "" : "NaN NaN\n", f);
    for (size_t k = 0; k < count; k++) {
        fprintf(f, "%.9g %.9g\n", x[k], y[k]);
    }
    fputs("\n\n", f);
    print_failed_points(f, t, s);
    fputs("\"fit\"\n", f);
    fputs(fitted ? "" : "NaN NaN\n", f);
    for (size_t k = 0; k < count && fitted; k++) {
        fprintf(f, "%.9g %.9g\n", x[k], pow(10.0, intercept + slope * log10(x[k])));
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
    static const char *const names[] = {"style", "terminal", "profile",
                                        "share", "scaling",  "residual"};
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
