/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/figures.c: data files, and one gnuplot script that draws them all.
 *
 * The numbers go to figures/data, the .gp scripts beside them read them, figures/make.gp
 * calls one script per figure. So anyone can redraw with `gnuplot make.gp`, by hand too. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coordinates.h"
#include "data_files.h"
#include "runs.h"
#include "warm.h"

typedef struct drawing {
    const stored_runs *runs;
    const char *dir;
    FILE *script; /* make.gp */
} drawing;

/* One data file for figure `name`; its block of each solver starts with the quoted label. */
static perp_status data_open(part_file *p, const drawing *d, const char *name,
                             perp_error *err)
{
    return part_open(p, err, "%s/figures/data/%s.dat", d->dir, name);
}

/* Draw `name` from its data by `script`: one curve for each label of the table that `has` one
 * (or each, when it is NULL); `extra` are further assignments. */
static void draw(const drawing *d, const char *script, const char *name,
                 const run_table *t, const bool *has, const char *title,
                 const char *extra)
{
    size_t curves = 0;
    size_t widest = 0;

    for (size_t s = 0; s < t->labels.count; s++) {
        if (!has || has[s]) {
            size_t length = strlen(t->labels.names[s]);

            curves++;
            widest = length > widest ? length : widest;
        }
    }
    fprintf(d->script, "name = '%s'; curves = %zu; widest = %zu; heading = '", name,
            curves, widest);
    for (; *title; title++) {
        fputs(*title == '\'' ? "''"
                             : (char[]){iscntrl((unsigned char)*title) ? ' ' : *title, 0},
              d->script);
    }
    fprintf(d->script, "'; %sload 'gp/%s.gp'\n", extra, script);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Best cost of any solver on instance i. */
static double best_cost(const run_table *t, size_t i)
{
    double best = INFINITY;

    for (size_t s = 0; s < t->labels.count; s++) {
        best = fmin(best, run_cost(table_at(t, i, s)));
    }
    return best;
}

/* Costs relative to the best, ascending; how many there are. */
static size_t sorted_ratios(const run_table *t, size_t s, double *ratios)
{
    size_t solved = 0;

    for (size_t i = 0; i < t->instances.count; i++) {
        double cost = run_cost(table_at(t, i, s));

        if (isfinite(cost)) {
            ratios[solved++] = cost / best_cost(t, i);
        }
    }
    qsort(ratios, solved, sizeof *ratios, ascending);
    return solved;
}

/* The staircase of one solver: ratio to the best, share of all problems of the set. The last
 *  step reaches to `far`, since its share holds for every larger ratio. */
static void profile_block(FILE *f, const run_table *t, size_t s, double *ratios,
                          double far)
{
    size_t solved = sorted_ratios(t, s, ratios);
    double all = (double)t->instances.count;

    print_label(f, t->labels.names[s], "");
    fputs("\n1 0\n", f);
    for (size_t k = 0; k < solved; k++) {
        fprintf(f, "%.9g %.6f\n", ratios[k], (double)(k + 1) / all);
    }
    fprintf(f, "%.9g %.6f\n\n\n", far, (double)solved / all);
}

/* Half again as far as the largest ratio of any solver. */
static double profile_far(const run_table *t, double *ratios)
{
    double largest = 2.0;

    for (size_t s = 0; s < t->labels.count; s++) {
        size_t solved = sorted_ratios(t, s, ratios);

        largest = solved ? fmax(largest, ratios[solved - 1]) : largest;
    }
    return 1.5 * largest;
}

/* The profile [dolan-more-2002] of a set at a tolerance; failures keep a curve below
 * 1. */
static perp_status draw_profile(const drawing *d, const run_table *t, perp_error *err)
{
    char name[FILE_NAME], title[512], extra[64];
    double *ratios = calloc(t->instances.count + 1, sizeof *ratios);
    double far = 2.0;
    size_t by_none = 0;
    part_file p;
    perp_status status = PERP_ERR_MEMORY;

    table_file_name(name, "profile", t, NULL);
    if (!ratios || (status = data_open(&p, d, name, err)) != PERP_OK) {
        free(ratios);
        return ratios ? status
                      : perp_fail(err, PERP_ERR_MEMORY, "no memory for a profile");
    }
    far = profile_far(t, ratios);
    for (size_t s = 0; s < t->labels.count; s++) {
        profile_block(p.f, t, s, ratios, far);
    }
    for (size_t i = 0; i < t->instances.count; i++) {
        by_none += !isfinite(best_cost(t, i));
    }
    free(ratios);
    snprintf(title, sizeof title, "%s: %zu problems, RES ≤ %g, %zu solved by none",
             t->set, t->instances.count, t->tolerance, by_none);
    snprintf(extra, sizeof extra, "far = %.6g; ", far);
    draw(d, "profile", name, t, NULL, title, extra);
    return part_close(&p, err);
}

/* Bars: share solved, solved its own model only, failed, never ran. */
static perp_status draw_shares(const drawing *d, const run_table *t, perp_error *err)
{
    char name[FILE_NAME], title[512];
    part_file p;
    perp_status status = PERP_OK;

    table_file_name(name, "share", t, NULL);
    status = data_open(&p, d, name, err);
    if (status != PERP_OK) {
        return status;
    }
    fputs("solver solved model failed unsuitable\n", p.f);
    for (size_t s = 0; s < t->labels.count; s++) {
        double solved = 0, model = 0, unsuitable = 0;
        double all = (double)t->instances.count;

        for (size_t i = 0; i < t->instances.count; i++) {
            const stored_run *run = table_at(t, i, s);

            if (!run || strcmp(run->status, "unsuitable") == 0) {
                unsuitable++;
            } else if (run->solved) {
                solved++;
            } else if (run->residual <= run->tolerance) {
                model++;
            }
        }
        print_label(p.f, t->labels.names[s], "");
        fprintf(p.f, " %.6f %.6f %.6f %.6f\n", solved / all, model / all,
                (all - solved - model - unsuitable) / all, unsuitable / all);
    }
    snprintf(title, sizeof title, "%s: %zu problems, RES ≤ %g", t->set,
             t->instances.count, t->tolerance);
    draw(d, "share", name, t, NULL, title, "");
    return part_close(&p, err);
}

/* Time against size: points of solved runs and failures, and the fitted power law. */
static perp_status draw_scaling(const drawing *d, const run_table *t, perp_error *err)
{
    char name[FILE_NAME], title[512];
    part_file p;
    perp_status status = PERP_OK;

    if (!table_has_sizes(t)) {
        return PERP_OK;
    }
    table_file_name(name, "scaling", t, NULL);
    status = data_open(&p, d, name, err);
    if (status != PERP_OK) {
        return status;
    }
    for (size_t s = 0; s < t->labels.count && status == PERP_OK; s++) {
        status = scaling_block(p.f, t, s, err);
    }
    snprintf(title, sizeof title, "%s, RES ≤ %g", t->set, t->tolerance);
    draw(d, "scaling", name, t, NULL, title, "");
    return part_end(&p, status, err);
}

/* Residual of every solver on the way, against seconds and against products with A. */
static perp_status draw_histories(const drawing *d, const run_table *t, size_t i,
                                  perp_error *err)
{
    char name[FILE_NAME], extra[128];
    bool *has = calloc(t->labels.count + 1, sizeof *has);
    bool any = false;
    part_file p;
    perp_status status = PERP_OK;

    if (!has) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the curves of a figure");
    }
    for (size_t s = 0; s < t->labels.count; s++) {
        has[s] = history_points(table_at(t, i, s)) > 0;
        any = any || has[s];
    }
    table_file_name(name, "residual", t, t->instances.names[i]);
    if (!any || (status = data_open(&p, d, name, err)) != PERP_OK) {
        free(has);
        return status;
    }
    for (size_t s = 0; s < t->labels.count; s++) {
        history_block(p.f, table_at(t, i, s), t->labels.names[s]);
    }
    snprintf(extra, sizeof extra, "tolerance = %g; first = %.3g; ", t->tolerance,
             first_time(t, i));
    draw(d, "residual", name, t, has, t->instances.names[i], extra);
    free(has);
    return part_close(&p, err);
}

/* Iterations of every solver at each step of a sequence, cold and warm. */
static perp_status draw_warm(const drawing *d, const run_table *t, size_t i,
                             perp_error *err)
{
    char name[FILE_NAME];
    bool *has = calloc(t->labels.count + 1, sizeof *has);
    bool any = false;
    part_file p;
    perp_status status = PERP_OK;

    if (!has) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the curves of a figure");
    }
    for (size_t s = 0; s < t->labels.count; s++) {
        has[s] = warm_points(table_at(t, i, s)) > 0;
        any = any || has[s];
    }
    table_file_name(name, "warm", t, t->instances.names[i]);
    if (!any || (status = data_open(&p, d, name, err)) != PERP_OK) {
        free(has);
        return status;
    }
    for (size_t s = 0; s < t->labels.count; s++) {
        warm_block(p.f, table_at(t, i, s), t->labels.names[s]);
    }
    draw(d, "warm", name, t, has, t->instances.names[i], "");
    free(has);
    return part_close(&p, err);
}

/* Drift, energy and time of scenes against links, in every system of coordinates. */
static perp_status draw_coordinates(const drawing *d, const run_table *t, perp_error *err)
{
    char name[FILE_NAME], title[512], extra[96];
    bool *has = calloc(t->labels.count + 1, sizeof *has);
    double links[2] = {INFINITY, 0.0};
    part_file p;
    perp_status status = PERP_OK;

    if (!has) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the curves of a figure");
    }
    for (size_t s = 0; s < t->labels.count; s++) {
        has[s] = coordinates_points(t, s, links) > 0;
    }
    table_file_name(name, "coordinates", t, NULL);
    if (links[1] == 0.0 || (status = data_open(&p, d, name, err)) != PERP_OK) {
        free(has);
        return status;
    }
    for (size_t s = 0; s < t->labels.count && status == PERP_OK; s++) {
        status = has[s] ? coordinates_block(p.f, t, s, err) : PERP_OK;
    }
    snprintf(title, sizeof title, "%s, RES ≤ %g", t->set, t->tolerance);
    snprintf(extra, sizeof extra, "least = %g; most = %g; ", links[0], links[1]);
    coordinates_decades(d->script, t);
    draw(d, "coordinates", name, t, has, title, extra);
    free(has);
    return part_end(&p, status, err);
}

static perp_status draw_set(const drawing *d, const char *set, perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < d->runs->tolerance_count && status == PERP_OK; k++) {
        run_table t;

        status = table_make(&t, d->runs, set, d->runs->tolerances[k], err);
        if (status == PERP_OK && t.instances.count) {
            status = draw_profile(d, &t, err);
            status = status == PERP_OK ? draw_shares(d, &t, err) : status;
            status = status == PERP_OK ? draw_scaling(d, &t, err) : status;
            status = status == PERP_OK ? draw_coordinates(d, &t, err) : status;
            for (size_t i = 0; i < t.instances.count && status == PERP_OK; i++) {
                status = draw_histories(d, &t, i, err);
                status = status == PERP_OK ? draw_warm(d, &t, i, err) : status;
            }
        }
        table_free(&t);
    }
    return status;
}

perp_status write_figures(const stored_runs *s, const char *dir,
                          const report_style *style, perp_error *err)
{
    drawing d = {.runs = s, .dir = dir};
    part_file script;
    perp_status status = make_folder(dir, "figures", err);

    status = status == PERP_OK ? make_folder(dir, "figures/data", err) : status;
    status = status == PERP_OK ? make_folder(dir, "figures/gp", err) : status;
    status = status == PERP_OK ? copy_scripts(dir, err) : status;
    status =
        status == PERP_OK ? part_open(&script, err, "%s/figures/make.gp", dir) : status;
    if (status != PERP_OK) {
        return status;
    }
    d.script = script.f;
    status = write_style(script.f, style, err);
    for (size_t i = 0; i < s->sets.count && status == PERP_OK; i++) {
        status = draw_set(&d, s->sets.names[i], err);
    }
    status = part_end(&script, status, err);
    return status == PERP_OK ? gnuplot_run(dir, err) : status;
}
