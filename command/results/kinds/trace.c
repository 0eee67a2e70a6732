/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/trace.c: metrics of a simulation's folder over time, thinned for figures. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <perp/result.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/results/kinds/trace.h"

static perp_status trace_scale(trace *t)
{
    size_t bodies = t->file.body_count;
    double *poses = take(7 * bodies + 1, sizeof *poses);
    perp_status status = PERP_OK;

    if (bodies > 0 && t->file.count[TRAJECTORY_FRAME] > 0) {
        status = trajectory_read(&t->file, TRAJECTORY_POSES, NULL, 0, 1, poses);
    }
    for (size_t k = 0; k < 7 * bodies && status == PERP_OK; k++) {
        t->length = k % 7 < 3 ? fmax(t->length, fabs(poses[k])) : t->length;
    }
    t->length = t->length > 0.0 ? t->length : 1.0;
    free(poses);
    return status;
}

perp_status trace_open(trace *t, const char *path, perp_error *err)
{
    struct stat s;
    bool folder = stat(path, &s) == 0 && S_ISDIR(s.st_mode);
    perp_status status = PERP_OK;

    *t = (trace){.err = err};
    t->file.file.id = H5I_INVALID_HID;
    if (snprintf(t->path, sizeof t->path, "%s%s", path, folder ? "/trajectory.h5" : "") >=
        (int)sizeof t->path) {
        return perp_fail(err, PERP_ERR_OPTION, "%.80s...: too long a name", path);
    }
    TRY(trajectory_open(&t->file, t->path, err));
    t->steps = (size_t)t->file.count[TRAJECTORY_STEP];
    t->start = t->file.first == 0;
    if (t->steps <= t->start) {
        return perp_fail(err, PERP_ERR_DATA, "%s: it has no step", t->path);
    }
    t->stretch = (t->steps - t->start + TRACE_MOST - 1) / TRACE_MOST;
    t->t = take(t->steps, sizeof *t->t);
    t->outcome = take(t->steps, sizeof *t->outcome);
    status = trace_scale(t);
    if (status == PERP_OK) {
        status = trajectory_read(&t->file, TRAJECTORY_T, NULL, 0, t->steps, t->t);
    }
    return status == PERP_OK ? trajectory_read(&t->file, TRAJECTORY_OUTCOME, NULL, 0,
                                               t->steps, t->outcome)
                             : status;
}

void trace_close(trace *t)
{
    if (t->file.file.path) {
        trajectory_shut(&t->file);
    }
    free(t->t);
    free(t->outcome);
    *t = (trace){.steps = 0};
}

perp_status trace_read(const trace *t, const char *metric, double **values)
{
    perp_status status = PERP_OK;

    *values = take(t->steps, sizeof **values);
    status = trajectory_read(&t->file, TRAJECTORY_FIXED, metric, 0, t->steps, *values);
    if (status != PERP_OK) {
        free(*values);
        *values = NULL;
    }
    return status;
}

bool trace_sample(const trace *t, size_t k, size_t *first, size_t *last)
{
    bool start = k < t->start;

    *first = start ? 0 : t->start + (k - t->start) * t->stretch;
    *last = start                            ? 0
            : *first + t->stretch < t->steps ? *first + t->stretch - 1
                                             : t->steps - 1;
    return *first < t->steps;
}

void trace_curve(const trace *t, figure_series *s, const double *values)
{
    for (size_t k = 0, first, last; trace_sample(t, k, &first, &last); k++) {
        figure_point p = {t->t[last], values[last], NAN, NAN, NAN, NAN, NAN};

        for (size_t i = first; i <= last && t->stretch > 1; i++) {
            p.low = fmin(p.low, values[i]);
            p.high = fmax(p.high, values[i]);
        }
        if (!isnan(p.y)) {
            figure_point_full(s, p);
        }
    }
}

void trace_peaks(const trace *t, figure_series *s, const double *values)
{
    for (size_t k = 0, first, last; trace_sample(t, k, &first, &last); k++) {
        double most = values[last];

        for (size_t i = first; i < last; i++) {
            most = fmax(most, values[i]);
        }
        if (!isnan(most)) {
            figure_point_add(s, t->t[last], fmax(most, TRACE_FLOOR));
        }
    }
}

size_t trace_failures(const trace *t, figure_series *s)
{
    size_t all = 0;

    for (size_t k = t->start, first, last; trace_sample(t, k, &first, &last); k++) {
        size_t failed = 0;

        for (size_t i = first; i <= last; i++) {
            failed += t->outcome[i] != PERP_SOLVED;
        }
        if (failed > 0) {
            figure_failure_add(s, t->t[last]);
        }
        all += failed;
    }
    return all;
}

figure *trace_figure(figure_book *book, const char *kind, const figure_order *order)
{
    return figure_add(book, kind, *order->name ? order->name : kind);
}

figure_panel *trace_panel(figure *f, const char *label, const char *unit,
                          figure_scale scale)
{
    figure_panel *p = figure_add_panel(f, "");

    figure_axis_set(&p->x, "time", "s", FIGURE_LINEAR);
    figure_axis_set(&p->y, label, unit, scale);
    return p;
}

perp_status trace_end(const trace *t, figure_book *book, const figure_order *order)
{
    if (book->count == 0 || !figure_is_empty(book->figures[book->count - 1])) {
        return PERP_OK;
    }
    figure_drop(book);
    return *order->kind ? perp_fail(t->err, PERP_ERR_DATA,
                                    "figure %s: %s has nothing but zeros and rounding",
                                    order->kind, t->path)
                        : PERP_OK;
}
