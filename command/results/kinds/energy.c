/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/energy.c: energy balance of a run as stacked areas.
 *
 * Above: kinetic, potential (from its least value) and stored energy, stacked, and their sum.
 * Below: the parts of the ledger (perp/dynamics/step.h) summed over time, stacked, and the
 * change of energy, which is their sum up to rounding. A body at rest gains dt^2 f M^-1 f/2 in
 * the free motion of every step (integrator) and loses it to what holds it, in the same step:
 * what the free motion gives is set off against what normals, joints and friction take in its
 * step, in this order. Parts that never exceed 0.5 % of the largest are one area without a name. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include <perp/dynamics/step.h>

#include "base/base.h"
#include "command/results/kinds/rounding.h"
#include "command/results/kinds/trace.h"

static const double energy_small = 0.005; /* of the largest part */

/* Columns of a run. */
typedef struct energy_columns {
    double *kinetic, *potential, *stored, *total;
    double *part[PERP_LEDGER_PARTS]; /* summed over time */
    double most[PERP_LEDGER_PARTS];  /* largest size of each */
    double start;                    /* energy at the start */
    double least;                    /* potential energy */
} energy_columns;

static void energy_free(energy_columns *c)
{
    free(c->kinetic);
    free(c->potential);
    free(c->stored);
    free(c->total);
    for (size_t k = 0; k < PERP_LEDGER_PARTS; k++) {
        free(c->part[k]);
    }
}

/* Set off what the free motion of step i gives against what constraints take. */
static void energy_set_off(energy_columns *c, size_t i)
{
    static const perp_ledger_part takers[] = {PERP_LEDGER_NORMAL, PERP_LEDGER_JOINTS,
                                              PERP_LEDGER_FRICTION};
    double *given = &c->part[PERP_LEDGER_INTEGRATOR][i];

    for (size_t k = 0; k < sizeof takers / sizeof *takers; k++) {
        double *taken = &c->part[takers[k]][i];
        double both = fmin(*given, -*taken);

        if (both > 0.0) {
            *given -= both;
            *taken += both;
        }
    }
}

/* Read the ledger and sum it; the energy at the start follows from the first row. */
static perp_status energy_read_ledger(energy_columns *c, const trace *t)
{
    perp_status status = PERP_OK;

    c->start = c->total[0];
    for (size_t k = 0; k < PERP_LEDGER_PARTS && status == PERP_OK; k++) {
        char name[64];

        snprintf(name, sizeof name, "ledger-%s", perp_ledger_names[k]);
        status = trace_read(t, name, &c->part[k]);
        c->start -= status == PERP_OK ? c->part[k][0] : 0.0;
    }
    for (size_t i = 0; i < t->steps && status == PERP_OK; i++) {
        energy_set_off(c, i);
        for (size_t k = 0; k < PERP_LEDGER_PARTS; k++) {
            c->part[k][i] += i ? c->part[k][i - 1] : 0.0;
            c->most[k] = fmax(c->most[k], fabs(c->part[k][i]));
        }
    }
    return status;
}

static perp_status energy_read(energy_columns *c, const trace *t)
{
    const struct {
        const char *name;
        double **values;
    } columns[] = {{"kinetic", &c->kinetic},
                   {"potential", &c->potential},
                   {"stored", &c->stored},
                   {"energy", &c->total}};
    perp_status status = PERP_OK;

    for (size_t k = 0; k < sizeof columns / sizeof *columns && status == PERP_OK; k++) {
        status = trace_read(t, columns[k].name, columns[k].values);
    }
    if (status == PERP_OK) {
        status = energy_read_ledger(c, t);
    }
    c->least = INFINITY;
    for (size_t i = 0; i < t->steps && status == PERP_OK; i++) {
        c->least = fmin(c->least, c->potential[i]);
    }
    return status;
}

/* A series of the values at the ends of the samples, minus `from`; it begins with 0 at the start
 * of the run where `zero` says so. */
static void energy_series(figure_panel *p, const trace *t, figure_form form,
                          const char *name, const double *values, double from, bool zero)
{
    figure_series *s = figure_add_series(p, form, name);

    if (zero && !t->start) {
        figure_point_add(s, 0.0, 0.0);
    }
    for (size_t k = 0, first, last; trace_sample(t, k, &first, &last); k++) {
        figure_point_add(s, t->t[last], values[last] - from);
    }
}

/* An area of a kind of energy, unless it is 0 but for rounding. */
static void energy_area(figure_panel *p, const trace *t, const char *name,
                        const double *values, double from, double scale)
{
    bool any = false;

    for (size_t i = 0; i < t->steps && !any; i++) {
        double value = values[i] - from;

        any = rounding_of(&value, 1, scale) == ROUNDING_NONE;
    }
    if (any) {
        energy_series(p, t, FIGURE_AREA, name, values, from, false);
    }
}

/* The scale of energies: the largest, counted from the least potential energy. */
static double energy_scale(const trace *t, const energy_columns *c)
{
    double scale = 0.0;

    for (size_t i = 0; i < t->steps; i++) {
        scale = fmax(scale, fabs(c->total[i] - c->least));
    }
    return scale;
}

static void energy_state(figure *f, const trace *t, const energy_columns *c)
{
    figure_panel *p = trace_panel(f, "energy", "J", FIGURE_LINEAR);
    double scale = energy_scale(t, c);

    p->x.low = 0.0;
    energy_area(p, t, "kinetic", c->kinetic, 0.0, scale);
    energy_area(p, t, "potential", c->potential, c->least, scale);
    energy_area(p, t, "stored", c->stored, 0.0, scale);
    energy_series(p, t, FIGURE_LINE, "total", c->total, c->least, false);
}

/* The small parts together, into the first of them; its place, or PERP_LEDGER_PARTS. */
static size_t energy_gather(energy_columns *c, size_t steps)
{
    size_t to = PERP_LEDGER_PARTS;
    double most = 0.0;

    for (size_t k = 0; k < PERP_LEDGER_PARTS; k++) {
        most = fmax(most, c->most[k]);
    }
    for (size_t k = 0; k < PERP_LEDGER_PARTS; k++) {
        if (c->most[k] == 0.0 || c->most[k] > energy_small * most) {
            continue;
        }
        if (to == PERP_LEDGER_PARTS) {
            to = k;
        } else {
            for (size_t i = 0; i < steps; i++) {
                c->part[to][i] += c->part[k][i];
            }
            c->most[k] = 0.0;
        }
    }
    return to;
}

/* Nothing where all that changed the energy is rounding. */
static void energy_balance(figure *f, const trace *t, energy_columns *c, rounding *noise)
{
    size_t others = PERP_LEDGER_PARTS;
    rounding_kind kind = rounding_of(c->most, PERP_LEDGER_PARTS, energy_scale(t, c));
    figure_panel *p = NULL;

    if (kind == ROUNDING_NOISE) {
        rounding_add(noise, "change of energy");
    }
    if (kind != ROUNDING_NONE) {
        return;
    }
    p = trace_panel(f, "change of energy", "J", FIGURE_LINEAR);
    p->x.low = 0.0;
    others = energy_gather(c, t->steps);
    for (size_t k = 0; k < PERP_LEDGER_PARTS; k++) {
        if (c->most[k] > 0.0 && k != others) {
            energy_series(p, t, FIGURE_AREA, perp_ledger_names[k], c->part[k], 0.0, true);
        }
    }
    if (others < PERP_LEDGER_PARTS) {
        energy_series(p, t, FIGURE_AREA, "", c->part[others], 0.0, true);
    }
    energy_series(p, t, FIGURE_LINE, "total", c->total, c->start, true);
}

static perp_status energy_make(figure_book *book, const figure_source *source,
                               const figure_order *order, perp_error *err)
{
    energy_columns c = {0};
    trace t;
    rounding noise = {""};
    char small[ROUNDING_TEXT];
    perp_status status = trace_open(&t, source->path, err);

    if (status == PERP_OK) {
        status = energy_read(&c, &t);
    }
    if (status == PERP_OK) {
        figure *f = trace_figure(book, "energy", order);

        f->columns = 1;
        energy_state(f, &t, &c);
        energy_balance(f, &t, &c, &noise);
        figure_set_caption(
            f,
            "Energy balance of %s, %zu step%s. Above: kinetic, potential and stored "
            "energy, stacked, and their sum; the potential energy counts from its least "
            "value. Below: work of each cause since the start, stacked, and the change "
            "of energy. What the free motion of a step gives to a body (integrator) and "
            "contacts or joints take away in the same step is set off. Parts below 0.5 "
            "%% of the largest are together, without a name.%s",
            t.path, t.steps - t.start, perp_plural(t.steps - t.start),
            rounding_sentence(&noise, small));
        status = trace_end(&t, book, order);
    }
    energy_free(&c);
    trace_close(&t);
    return status;
}

const figure_kind figure_kind_energy = {
    .name = "energy",
    .summary = "energy of a run and what changed it, as stacked areas",
    .scope = FIGURE_OF_RUN,
    .usual = true,
    .make = energy_make,
};
