/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/joints.c: drift of each joint of a run, and its relative change of energy. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/results/kinds/rounding.h"
#include "command/results/kinds/selection.h"
#include "command/results/kinds/trace.h"

enum { JOINTS_NAMED = 6 };

/* Errors of all joints: steps x count x 2. */
typedef struct joints_drift {
    char **names;
    size_t count;
    double *errors;
    double *column; /* one joint, one quantity: steps */
} joints_drift;

static double joints_most(const joints_drift *d, const trace *t, size_t joint,
                          size_t part)
{
    double most = 0.0;

    for (size_t i = 0; i < t->steps; i++) {
        most = fmax(most, d->errors[2 * (i * d->count + joint) + part]);
    }
    return most;
}

/* Is the joint among the JOINTS_NAMED of the largest errors? */
static bool joints_is_large(const joints_drift *d, const trace *t, size_t joint,
                            size_t part)
{
    double mine = joints_most(d, t, joint, part);
    size_t larger = 0;

    for (size_t k = 0; k < d->count; k++) {
        double other = joints_most(d, t, k, part);

        larger += other > mine || (other == mine && k < joint);
    }
    return larger < JOINTS_NAMED;
}

static void joints_curve(figure_panel *p, const trace *t, joints_drift *d, size_t joint,
                         size_t part)
{
    bool large = joints_is_large(d, t, joint, part);
    figure_series *s = figure_add_series(p, FIGURE_LINE, large ? d->names[joint] : "");

    figure_series_of(s, d->names[joint], false);
    s->muted = !large;
    for (size_t i = 0; i < t->steps; i++) {
        d->column[i] = d->errors[2 * (i * d->count + joint) + part];
    }
    trace_peaks(t, s, d->column);
}

/* Joints without an error have no curve, and a panel without a curve is left out. */
static void joints_panel(figure *f, const trace *t, joints_drift *d, size_t part,
                         rounding *noise)
{
    const char *unit = part ? "rad" : "m";
    figure_panel *p = NULL;

    for (size_t k = 0; k < d->count; k++) {
        double most = joints_most(d, t, k, part);
        rounding_kind kind = rounding_of(&most, 1, part ? 1.0 : t->length);

        if (kind == ROUNDING_NOISE) {
            rounding_add(noise, "drift of %s [%s]", d->names[k], unit);
        }
        if (kind != ROUNDING_NONE) {
            continue;
        }
        if (!p) {
            p = trace_panel(f, "drift of joints", unit, FIGURE_LOG10);
        }
        joints_curve(p, t, d, k, part);
    }
}

/* (E - E0)/(largest kinetic energy), E0 at the start, or after the first step in old layouts. */
static perp_status joints_energy(figure *f, const trace *t, rounding *noise)
{
    double *energy = NULL, *kinetic = NULL;
    double most = 0.0;
    figure_panel *p = NULL;
    figure_series *change = NULL;
    perp_status status = trace_read(t, "energy", &energy);

    if (status == PERP_OK) {
        status = trace_read(t, "kinetic", &kinetic);
    }
    for (size_t i = 0; status == PERP_OK && i < t->steps; i++) {
        most = fmax(most, kinetic[i]);
    }
    if (status == PERP_OK && most > 0.0) {
        double start = energy[0];

        for (size_t i = 0; i < t->steps; i++) {
            kinetic[i] = (energy[i] - start) / most;
        }
        if (rounding_of(kinetic, t->steps, 1.0) == ROUNDING_NOISE) {
            rounding_add(noise, "relative change of energy");
        }
        most = rounding_of(kinetic, t->steps, 1.0) == ROUNDING_NONE ? most : 0.0;
    }
    if (status == PERP_OK && most > 0.0) {
        p = trace_panel(f, "relative change of energy", "", FIGURE_LINEAR);
        change = figure_add_series(p, FIGURE_LINE, "");
        figure_series_of(change, "run", false);
        trace_curve(t, change, kinetic);
    }
    free(energy);
    free(kinetic);
    return status;
}

static perp_status joints_read(joints_drift *d, const trace *t)
{
    perp_status status = trajectory_names(&t->file, "joints", &d->names, &d->count);

    if (status != PERP_OK || d->count == 0) {
        return status;
    }
    d->errors = take(t->steps * d->count, 2 * sizeof *d->errors);
    d->column = take(t->steps, sizeof *d->column);
    return trajectory_read(&t->file, TRAJECTORY_DRIFT, NULL, 0, t->steps, d->errors);
}

static perp_status joints_make(figure_book *book, const figure_source *source,
                               const figure_order *order, perp_error *err)
{
    joints_drift d = {0};
    trace t;
    rounding noise = {""};
    char each[FIGURE_NAME] = "", small[ROUNDING_TEXT];
    perp_status status = trace_open(&t, source->path, err);

    if (status == PERP_OK) {
        status = joints_read(&d, &t);
    }
    if (status == PERP_OK && d.count == 0) {
        status = selection_missing(source, order, err, "the scene has no joints");
    } else if (status == PERP_OK) {
        figure *f = trace_figure(book, "joints", order);

        f->columns = 1;
        joints_panel(f, &t, &d, 0, &noise);
        joints_panel(f, &t, &d, 1, &noise);
        status = joints_energy(f, &t, &noise);
        if (t.stretch > 1) {
            snprintf(each, sizeof each, ", largest of each %zu steps", t.stretch);
        }
        figure_set_caption(
            f,
            "Errors of the joints of %s over time, %zu step%s%s; "
            "the %d joints with the largest errors have names. Relative change of "
            "energy: since the %s, divided by the largest kinetic energy.%s",
            t.path, t.steps - t.start, perp_plural(t.steps - t.start), each,
            (int)JOINTS_NAMED, t.start ? "start" : "first step",
            rounding_sentence(&noise, small));
        status = status == PERP_OK ? trace_end(&t, book, order) : status;
    }
    free(d.names);
    free(d.errors);
    free(d.column);
    trace_close(&t);
    return status;
}

const figure_kind figure_kind_joints = {
    .name = "joints",
    .summary = "drift of each joint of a run and its change of energy over time",
    .scope = FIGURE_OF_RUN,
    .usual = true,
    .make = joints_make,
};
