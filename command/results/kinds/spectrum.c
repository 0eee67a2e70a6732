/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/spectrum.c: singular values of A (of W, where the problem is global), which are
 * the eigenvalues where A is symmetric and positive semidefinite. */
#include <config.h>

#include <float.h>
#include <math.h>

#include "base/base.h"
#include "command/campaign/instance.h"
#include "command/campaign/spectrum.h"
#include "command/results/kinds/selection.h"

enum { SPECTRUM_MOST = 3000 }; /* rows: some 10^11 flops and 72 MB */

/* Smaller singular values are drawn here: they are rounding. */
static double spectrum_floor(const spectrum *s)
{
    return DBL_EPSILON * s->sigma[0] / 100.0;
}

static void spectrum_draw(figure *f, const spectrum *s)
{
    figure_panel *p = figure_add_panel(f, "");
    figure_series *values = figure_add_series(p, FIGURE_CURVE, "");
    double least = (double)s->n * DBL_EPSILON * s->sigma[0];
    char text[32];

    figure_series_of(values, "singular values", false);
    figure_axis_set(&p->x, "index", "", FIGURE_LINEAR);
    figure_axis_set(&p->y, "singular value", "", FIGURE_LOG10);
    for (size_t k = 0; k < s->n; k++) {
        figure_point_add(values, (double)k + 1.0, fmax(s->sigma[k], spectrum_floor(s)));
    }
    if (s->rank < s->n) {
        figure_series *limit = figure_add_series(p, FIGURE_GUIDE, "");

        figure_point_add(limit, 1.0, least);
        figure_point_add(limit, (double)s->n, least);
        figure_note_add(p, 1.0, 8.0 * least, "n ε σ₁ = %s",
                        figure_number(text, sizeof text, least, 2));
    }
}

static void spectrum_caption(figure *f, const spectrum *s, const instance *in)
{
    char condition[32], largest[32];

    figure_set_caption(
        f,
        "Singular values of A, %s: %zu row%s, rank %zu (singular values above n ε σ₁), "
        "largest %s, condition %s on the range. Values below ε σ₁/100 are drawn there.",
        in->name, s->n, perp_plural(s->n), s->rank,
        figure_number(largest, sizeof largest, s->sigma[0], 3),
        figure_number(condition, sizeof condition, s->condition, 3));
}

static perp_status spectrum_make(figure_book *book, const figure_source *source,
                                 const figure_order *order, perp_error *err)
{
    const instance_request request = {.path = source->path};
    spectrum s = {0};
    instance *in = NULL;
    bool known = false;
    char name[FIGURE_NAME];
    perp_status status = instance_open(&in, &request, err);

    if (status == PERP_OK) {
        status = spectrum_of(in->problem, SPECTRUM_MOST, &s, &known, err);
    }
    if (status == PERP_OK && (!known || s.rank == 0)) {
        status =
            selection_missing(source, order, err,
                              known ? "A is zero" : "A has %zu rows, expected at most %d",
                              in->problem->n, (int)SPECTRUM_MOST);
    } else if (status == PERP_OK) {
        figure *f = NULL;

        snprintf(name, sizeof name, "spectrum_%.80s", in->name);
        f = figure_add(book, "spectrum", *order->name ? order->name : name);
        spectrum_draw(f, &s);
        spectrum_caption(f, &s, in);
    }
    spectrum_clear(&s);
    instance_free(in);
    return status;
}

const figure_kind figure_kind_spectrum = {
    .name = "spectrum",
    .summary = "singular values of A, its rank and condition",
    .scope = FIGURE_OF_PROBLEM,
    .usual = true,
    .make = spectrum_make,
};
