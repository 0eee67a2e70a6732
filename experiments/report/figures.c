/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/figures.c: data files, and one gnuplot script that draws them all.
 *
 * The numbers go to figures/data, the .gp scripts in figures/gp read them, and figures/make.gp
 * calls one script per figure, so that `gnuplot make.gp` draws all of them again. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coordinates.h"
#include "data_files.h"
#include "figures.h"
#include "files.h"
#include "statistics.h"
#include "warm.h"

typedef struct drawing {
    const char *dir;
    FILE *script; /* make.gp */
} drawing;

/* Open the data file of figure `name`; the block of a solver starts with its quoted
 * label. */
static perp_status data_open(perp_file_out *o, const drawing *d, const char *name,
                             perp_error *err)
{
    return report_open(o, err, "%s/figures/data/%s.dat", d->dir, name);
}

/* Let `script` draw figure `name` from its data: one curve for each label of the table
 * that `has` one (NULL: for each label); `extra` are further assignments. */
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

/* "contact: 7 problems, residual ≤ 1e-08" */
static void print_title(char title[512], const run_table *t)
{
    snprintf(title, 512, "%s: %zu problem%s, residual ≤ %g", t->set, t->instances.count,
             t->instances.count == 1 ? "" : "s", t->tolerance);
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
        best = fmin(best, run_cost(run_at(t, i, s)));
    }
    return best;
}

/* Costs relative to the best, ascending; how many there are. */
static size_t sorted_ratios(const run_table *t, size_t s, double *ratios)
{
    size_t solved = 0;

    for (size_t i = 0; i < t->instances.count; i++) {
        double cost = run_cost(run_at(t, i, s));

        if (isfinite(cost)) {
            ratios[solved++] = cost / best_cost(t, i);
        }
    }
    qsort(ratios, solved, sizeof *ratios, ascending);
    return solved;
}

/* The staircase of one solver: ratio to the best, share of all problems of the set. The
 * last step reaches to `far`, since its share holds for every larger ratio. */
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

/* The profile [dolan-more-2002] of a set at a tolerance; with failures a curve stays
 * below 1. */
static perp_status draw_profile(const drawing *d, const run_table *t, perp_error *err)
{
    char name[FILE_NAME], title[512], extra[64];
    double *ratios = calloc(t->instances.count + 1, sizeof *ratios);
    double far = 2.0;
    size_t unsolved = 0;
    perp_file_out o;
    perp_status status = PERP_OK;

    if (!ratios) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a profile");
    }
    run_table_file(name, "profile", t, NULL);
    status = data_open(&o, d, name, err);
    if (status == PERP_OK) {
        far = profile_far(t, ratios);
        for (size_t s = 0; s < t->labels.count; s++) {
            profile_block(o.f, t, s, ratios, far);
        }
        status = report_close(&o, PERP_OK, err);
    }
    free(ratios);
    for (size_t i = 0; i < t->instances.count; i++) {
        unsolved += !isfinite(best_cost(t, i));
    }
    print_title(title, t);
    if (unsolved > 0) {
        size_t length = strlen(title);

        snprintf(title + length, sizeof title - length, ", %zu solved by no solver",
                 unsolved);
    }
    snprintf(extra, sizeof extra, "far = %.6g; ", far);
    draw(d, "profile", name, t, NULL, title, extra);
    return status;
}

/* Bars: share solved, solved its own model only, failed, not run. */
static perp_status draw_shares(const drawing *d, const run_table *t, perp_error *err)
{
    char name[FILE_NAME], title[512];
    perp_file_out o;
    perp_status status = PERP_OK;

    run_table_file(name, "share", t, NULL);
    status = data_open(&o, d, name, err);
    if (status != PERP_OK) {
        return status;
    }
    fputs("solver solved model failed unsuitable\n", o.f);
    for (size_t s = 0; s < t->labels.count; s++) {
        double solved = 0, model = 0, unsuitable = 0;
        double all = (double)t->instances.count;

        for (size_t i = 0; i < t->instances.count; i++) {
            const stored_run *run = run_at(t, i, s);

            if (!run || strcmp(run->status, "unsuitable") == 0) {
                unsuitable++;
            } else if (run->solved) {
                solved++;
            } else if (run->residual <= run->tolerance) {
                model++;
            }
        }
        print_label(o.f, t->labels.names[s], "");
        fprintf(o.f, " %.6f %.6f %.6f %.6f\n", solved / all, model / all,
                (all - solved - model - unsuitable) / all, unsuitable / all);
    }
    print_title(title, t);
    draw(d, "share", name, t, NULL, title, "");
    return report_close(&o, PERP_OK, err);
}

/* Time against size: points of solved runs and failures, and the fitted power law. */
static perp_status draw_scaling(const drawing *d, const run_table *t, perp_error *err)
{
    char name[FILE_NAME], title[512];
    perp_file_out o;
    perp_status status = PERP_OK;

    if (!table_has_sizes(t)) {
        return PERP_OK;
    }
    run_table_file(name, "scaling", t, NULL);
    status = data_open(&o, d, name, err);
    if (status != PERP_OK) {
        return status;
    }
    for (size_t s = 0; s < t->labels.count && status == PERP_OK; s++) {
        status = scaling_block(o.f, t, s, err);
    }
    snprintf(title, sizeof title, "%s, residual ≤ %g", t->set, t->tolerance);
    draw(d, "scaling", name, t, NULL, title, "");
    return report_close(&o, status, err);
}

/* A figure of instance i, with a curve for each run that has points. */
static perp_status draw_instance(const drawing *d, const run_table *t, size_t i,
                                 const char *kind,
                                 size_t (*points)(const stored_run *run),
                                 void (*block)(FILE *f, const stored_run *run,
                                               const char *label),
                                 const char *extra, perp_error *err)
{
    const char *instance = t->instances.names[i];
    char name[FILE_NAME];
    bool *has = calloc(t->labels.count + 1, sizeof *has);
    bool any = false;
    perp_file_out o;
    perp_status status = PERP_OK;

    if (!has) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the curves of a figure");
    }
    for (size_t s = 0; s < t->labels.count; s++) {
        has[s] = points(run_at(t, i, s)) > 0;
        any = any || has[s];
    }
    run_table_file(name, kind, t, instance);
    if (any) {
        status = data_open(&o, d, name, err);
    }
    if (any && status == PERP_OK) {
        for (size_t s = 0; s < t->labels.count; s++) {
            block(o.f, run_at(t, i, s), t->labels.names[s]);
        }
        draw(d, kind, name, t, has, instance, extra);
        status = report_close(&o, PERP_OK, err);
    }
    free(has);
    return status;
}

/* Residual of every solver during its iterations, against seconds and products with A;
 * then iterations of every solver at each step of a sequence, cold and warm. */
static perp_status draw_histories(const drawing *d, const run_table *t, size_t i,
                                  perp_error *err)
{
    char extra[128];
    perp_status status = PERP_OK;

    snprintf(extra, sizeof extra, "tolerance = %g; first = %.3g; ", t->tolerance,
             first_time(t, i));
    status =
        draw_instance(d, t, i, "residual", history_points, history_block, extra, err);
    if (status == PERP_OK) {
        status = draw_instance(d, t, i, "warm", warm_points, warm_block, "", err);
    }
    return status;
}

/* Drift, energy and time of scenes against links, in every system of coordinates. */
static perp_status draw_coordinates(const drawing *d, const run_table *t, perp_error *err)
{
    char name[FILE_NAME], title[512], extra[96];
    bool *has = calloc(t->labels.count + 1, sizeof *has);
    double links[2] = {INFINITY, 0.0};
    perp_file_out o;
    perp_status status = PERP_OK;

    if (!has) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the curves of a figure");
    }
    for (size_t s = 0; s < t->labels.count; s++) {
        has[s] = coordinates_points(t, s, links) > 0;
    }
    if (links[1] > 0.0) {
        run_table_file(name, "coordinates", t, NULL);
        status = data_open(&o, d, name, err);
    }
    if (links[1] > 0.0 && status == PERP_OK) {
        for (size_t s = 0; s < t->labels.count && status == PERP_OK; s++) {
            status = has[s] ? coordinates_block(o.f, t, s, err) : PERP_OK;
        }
        status = report_close(&o, status, err);
        snprintf(title, sizeof title, "%s, residual ≤ %g", t->set, t->tolerance);
        snprintf(extra, sizeof extra, "least = %g; most = %g; ", links[0], links[1]);
        coordinates_decades(d->script, t);
        draw(d, "coordinates", name, t, has, title, extra);
    }
    free(has);
    return status;
}

/* Every figure of a set at a tolerance. */
static perp_status draw_table(void *context, const stored_runs *s, const run_table *t,
                              perp_error *err)
{
    static perp_status (*const figures[])(const drawing *d, const run_table *t,
                                          perp_error *err) = {
        draw_profile, draw_shares, draw_scaling, draw_coordinates};
    perp_status status = PERP_OK;

    (void)s;
    if (t->instances.count == 0) {
        return PERP_OK;
    }
    for (size_t k = 0; k < sizeof figures / sizeof *figures && status == PERP_OK; k++) {
        status = figures[k](context, t, err);
    }
    for (size_t i = 0; i < t->instances.count && status == PERP_OK; i++) {
        status = draw_histories(context, t, i, err);
    }
    return status;
}

perp_status write_figures(const stored_runs *s, const char *dir,
                          const report_style *style, perp_error *err)
{
    static const char *const folders[] = {"figures", "figures/data", "figures/gp"};
    drawing d = {.dir = dir};
    perp_file_out script;
    perp_status status = PERP_OK;

    for (size_t k = 0; k < sizeof folders / sizeof *folders && status == PERP_OK; k++) {
        status = report_folder(dir, folders[k], err);
    }
    if (status == PERP_OK) {
        status = copy_scripts(dir, err);
    }
    if (status == PERP_OK) {
        status = report_open(&script, err, "%s/figures/make.gp", dir);
    }
    if (status != PERP_OK) {
        return status;
    }
    d.script = script.f;
    status = write_style(script.f, style, err);
    if (status == PERP_OK) {
        status = runs_visit(s, NULL, draw_table, &d, err);
    }
    status = report_close(&script, status, err);
    return status == PERP_OK ? gnuplot_run(dir, err) : status;
}
