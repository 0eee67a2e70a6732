/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/medians.c: costs of several runs at one x: medians and counts of failures. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "command/results/kinds/medians.h"

double median_value(const stored_run *run, const char *field)
{
    return run->solved || !field_is_cost(field) ? run_field_number(run, field) : INFINITY;
}

static int by_x(const void *a, const void *b)
{
    const median_point *p = a, *q = b;

    return (p->x > q->x) - (p->x < q->x);
}

/* The end of the points that share the x of `first`. */
static size_t medians_end(const median_point *points, size_t first, size_t count)
{
    size_t end = first;

    while (end < count && points[end].x == points[first].x) {
        end++;
    }
    return end;
}

void medians_failures(figure_series *s, median_point *points, size_t count)
{
    qsort(points, count, sizeof *points, by_x);
    for (size_t k = 0, end = 0; k < count; k = end) {
        size_t failed = 0;

        end = medians_end(points, k, count);
        for (size_t i = k; i < end; i++) {
            failed += points[i].failed;
        }
        if (failed > 0) {
            figure_failures_add(s, points[k].x, failed, end - k);
        }
    }
}

void medians_add(figure_series *s, median_point *points, size_t count, double *scratch)
{
    medians_failures(s, points, count);
    for (size_t k = 0, end = 0; k < count; k = end) {
        quartiles q;
        size_t known = 0;

        end = medians_end(points, k, count);
        for (size_t i = k; i < end; i++) {
            if (!isnan(points[i].y)) {
                scratch[known++] = points[i].y;
            }
        }
        q = quartiles_of(scratch, known);
        if (known > 0) {
            figure_point_full(
                s, (figure_point){points[k].x, q.median, q.low, q.high, NAN, NAN, NAN});
        }
    }
}

void limit_join(double *limit, const stored_run *run)
{
    if (isnan(*limit)) {
        *limit = run->limit;
    } else if (run->limit != *limit) {
        *limit = INFINITY;
    }
}

void limit_draw(figure_panel *panel, double limit)
{
    double least = INFINITY, most = -INFINITY;
    bool failed = false;
    figure_series *guide = NULL;

    for (size_t s = 0; s < panel->count; s++) {
        const figure_series *series = panel->series[s];

        for (size_t k = 0; k < series->count; k++) {
            least = fmin(least, series->points[k].x);
            most = fmax(most, series->points[k].x);
        }
        for (size_t k = 0; k < series->failure_count; k++) {
            least = fmin(least, series->failures[k].x);
            most = fmax(most, series->failures[k].x);
        }
        failed = failed || series->failure_count > 0;
    }
    if (failed && isfinite(limit) && least < most) {
        guide = figure_add_series(panel, FIGURE_GUIDE, "time limit");
        figure_point_add(guide, least, limit);
        figure_point_add(guide, most, limit);
    }
}
