/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/coordinates_figure.c: data of the figure of coordinates. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coordinates.h"
#include "data_files.h"

/* The panels of the figure. Values below the floor are 0 up to rounding: relative errors,
 * lengths in metres and angles in radians end at 1e-16. */
enum { PANELS = 3 };
static const double panel_floor[PANELS] = {1e-17, 1e-17, 1e-9};

static double panel_of(const stored_run *run, size_t panel)
{
    double x = panel == 0   ? scene_value(run->json, "drift_length")
               : panel == 1 ? scene_energy(run->json)
                            : scene_value(run->json, "step_seconds.median");

    return isfinite(x) ? fmax(x, panel_floor[panel]) : NAN;
}

/* A point of the figure. */
typedef struct point {
    const stored_run *run;
    const char *scene;
    double links, y[PANELS];
} point;

static bool is_drawn(const stored_run *run)
{
    return run_is_scene(run) && scene_value(run->json, "links") > 0.0;
}

size_t coordinates_points(const run_table *t, size_t s, double links[2])
{
    size_t count = 0;

    for (size_t i = 0; i < t->instances.count; i++) {
        const stored_run *run = run_at(t, i, s);

        if (is_drawn(run)) {
            links[0] = fmin(links[0], scene_value(run->json, "links"));
            links[1] = fmax(links[1], scene_value(run->json, "links"));
            count++;
        }
    }
    return count;
}

/* Three times the largest value of the panel: a failure without a number is drawn there.
 * */
static double panel_top(const run_table *t, size_t panel)
{
    double top = NAN;

    for (size_t k = 0; k < t->instances.count * t->labels.count; k++) {
        if (is_drawn(t->cell[k])) {
            top = fmax(top, panel_of(t->cell[k], panel)); /* fmax ignores NAN */
        }
    }
    return isfinite(top) ? 3.0 * top : 1.0;
}

void coordinates_decades(FILE *f, const run_table *t)
{
    for (size_t panel = 0; panel < PANELS; panel++) {
        double low = panel_top(t, panel), high = low;

        for (size_t k = 0; k < t->instances.count * t->labels.count; k++) {
            if (is_drawn(t->cell[k])) {
                low = fmin(low, panel_of(t->cell[k], panel));
            }
        }
        low = floor(log10(low) + 1e-9); /* 1e-17 begins a decade */
        high = fmax(ceil(log10(high)), low + 1.0);
        fprintf(f, "low%zu = 1e%.0f; high%zu = 1e%.0f; ", panel + 1, low, panel + 1,
                high);
    }
}

static int by_family(const void *a, const void *b)
{
    const point *p = a, *q = b;
    int scenes = strcmp(p->scene, q->scene);

    return scenes ? scenes : (p->links > q->links) - (p->links < q->links);
}

static void print_point(FILE *f, const point *p)
{
    fprintf(f, "%.9g", p->links);
    for (size_t k = 0; k < PANELS; k++) {
        fprintf(f, isfinite(p->y[k]) ? " %.9g" : " NaN", p->y[k]);
    }
    fputc('\n', f);
}

static const char nowhere[] = "NaN NaN NaN NaN\n";

/* Families with several numbers of links, each after an empty line. */
static void print_families(FILE *f, const point *points, size_t count)
{
    fprintf(f, "\n\n\"families\"\n%s", nowhere);
    for (size_t i = 0, end = 0; i < count; i = end) {
        for (end = i; end < count && strcmp(points[end].scene, points[i].scene) == 0;
             end++) {
        }
        if (points[end - 1].links > points[i].links) {
            fputc('\n', f);
            for (size_t k = i; k < end; k++) {
                print_point(f, &points[k]);
            }
        }
    }
}

perp_status coordinates_block(FILE *f, const run_table *t, size_t s, perp_error *err)
{
    point *solved = calloc(2 * t->instances.count + 1, sizeof *solved);
    point *failed = NULL;
    size_t good = 0, bad = 0;

    if (!solved) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu points",
                         t->instances.count);
    }
    failed = solved + t->instances.count;
    for (size_t i = 0; i < t->instances.count; i++) {
        const stored_run *run = run_at(t, i, s);

        if (is_drawn(run)) {
            point *p = run->solved ? &solved[good++] : &failed[bad++];

            *p = (point){.run = run,
                         .scene = member_text(run->json, "scene"),
                         .links = scene_value(run->json, "links")};
            for (size_t k = 0; k < PANELS; k++) {
                p->y[k] = panel_of(run, k);
                p->y[k] = run->solved || isfinite(p->y[k]) ? p->y[k] : panel_top(t, k);
            }
        }
    }
    qsort(solved, good, sizeof *solved, by_family);
    print_label(f, t->labels.names[s], "");
    fprintf(f, "\n%s", good ? "" : nowhere);
    for (size_t i = 0; i < good; i++) {
        print_point(f, &solved[i]);
    }
    print_families(f, solved, good);
    fprintf(f, "\n\n\"failed\"\n%s", nowhere);
    for (size_t i = 0; i < bad; i++) {
        print_point(f, &failed[i]);
    }
    fputs("\n\n", f);
    free(solved);
    return PERP_OK;
}
