/* SPDX-License-Identifier: Apache-2.0
 * figures/panels.c: the panels of a figure as drawn: small multiples, the grid, ranges that panels
 * share, bands, which axes have texts and labels. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "command/cli/take.h"
#include "layout.h"

/* The rules of draw.h; widths are in letters. */
enum { MOST_TOGETHER = 8, PANEL_WIDTH = 18, MULTIPLE_WIDTH = 13 };

bool series_is_named(const figure_panel *p, const figure_series *s)
{
    return s->name[0] != '\0' && !s->muted && strcmp(s->name, p->title) != 0;
}

size_t panel_named(const figure_panel *p, bool guides)
{
    size_t count = 0;

    for (size_t s = 0; s < p->count; s++) {
        count += series_is_named(p, p->series[s]) &&
                 (guides || p->series[s]->form != FIGURE_GUIDE);
    }
    return count;
}

/* Small multiples: one panel with more curves than can be told apart. */
static bool panels_multiply(const figure *f)
{
    size_t named = f->count == 1 ? panel_named(f->panels[0], false) : 0;

    for (size_t s = 0; named > 0 && s < f->panels[0]->count; s++) {
        if (f->panels[0]->series[s]->form > FIGURE_STEPS &&
            f->panels[0]->series[s]->form != FIGURE_GUIDE) {
            return false;
        }
    }
    return named > MOST_TOGETHER;
}

static void panel_init(drawn_panel *p, const figure_panel *panel,
                       const figure_series *focus)
{
    p->panel = panel;
    p->focus = focus;
    p->title = focus ? focus->name : panel->title;
    axis_init(&p->x, &panel->x);
    axis_init(&p->y, &panel->y);
    axis_init(&p->value, &panel->value);
}

static void panels_make(drawn_figure *d)
{
    const figure *f = d->figure;
    bool multiplies = panels_multiply(f);
    size_t used = 0;

    d->count = multiplies ? panel_named(f->panels[0], false) : f->count;
    d->panels = take(d->count + 1, sizeof *d->panels);
    for (size_t p = 0; p < f->count && !multiplies; p++) {
        panel_init(&d->panels[p], f->panels[p], NULL);
    }
    for (size_t s = 0; multiplies && s < f->panels[0]->count; s++) {
        const figure_series *series = f->panels[0]->series[s];

        if (series_is_named(f->panels[0], series) && series->form != FIGURE_GUIDE) {
            panel_init(&d->panels[used++], f->panels[0], series);
        }
    }
}

/* Columns and rows; a row that is not full is the last one. */
static void panels_grid(drawn_figure *d)
{
    bool multiples = d->count > 0 && d->panels[0].focus;
    double least = (multiples ? MULTIPLE_WIDTH : PANEL_WIDTH) * d->letter;
    double wide = d->setting->width > 0.0 ? d->setting->width : least;
    size_t most = 1;

    if (d->count > 0 && d->panels[0].panel->equal && d->setting->width <= 0.0) {
        wide = MULTIPLE_WIDTH * d->letter;
    }
    most = (size_t)fmax(1.0, floor(d->width / wide + 0.01));
    if (d->figure->columns > 0 && !multiples) {
        most = (size_t)fmax(1.0, floor(d->width / (MULTIPLE_WIDTH * d->letter)));
        most = most < d->figure->columns ? most : d->figure->columns;
    }
    d->columns = d->count < most ? d->count : most;
    d->columns = d->columns ? d->columns : 1;
    d->rows = (d->count + d->columns - 1) / d->columns;
    if (d->figure->columns == 0 && d->rows > 0) {
        d->columns = (d->count + d->rows - 1) / d->rows;
    }
    d->rows = d->rows ? d->rows : 1;
    if (d->setting->width > 0.0) {
        d->width = d->setting->width * (double)d->columns;
    }
    for (size_t p = 0; p < d->count; p++) {
        d->panels[p].row = p / d->columns;
        d->panels[p].column = p % d->columns;
    }
}

static drawn_axis *panel_axis(drawn_panel *p, bool x)
{
    return x ? &p->x : &p->y;
}

/* Equal axes get the range of all of them, which the first of them collects. */
static void panels_share_ranges(drawn_figure *d, bool x)
{
    for (size_t p = 0; p < d->count; p++) {
        drawn_axis *a = panel_axis(&d->panels[p], x);
        size_t first = 0;

        while (!axis_equal(panel_axis(&d->panels[first], x)->axis, a->axis)) {
            first++;
        }
        axis_merge(panel_axis(&d->panels[first], x), a);
    }
    for (size_t p = d->count; p-- > 0;) {
        drawn_axis *a = panel_axis(&d->panels[p], x);
        size_t first = 0;

        while (!axis_equal(panel_axis(&d->panels[first], x)->axis, a->axis)) {
            first++;
        }
        axis_merge(a, panel_axis(&d->panels[first], x));
        axis_close(a);
    }
}

static void panels_ranges(drawn_figure *d)
{
    for (size_t k = 0; k < d->count; k++) {
        drawn_panel *p = &d->panels[k];

        area_stack_new(&p->stack, p->panel);
        for (int axis = 0; axis < 2; axis++) {
            cell_grid_new(&p->grids[axis], p->panel, axis == 0);
        }
        panel_include(p->panel, &p->stack, p->grids, &p->x, &p->y, &p->value);
        p->value.tight = true;
        axis_close(&p->value);
        for (size_t s = 0; s < p->panel->count; s++) {
            const figure_series *series = p->panel->series[s];

            for (size_t f = 0; f < series->failure_count; f++) {
                p->counted = p->counted || series->failures[f].of > 1;
            }
            p->failing += series->failure_count > 0 && (!p->focus || series == p->focus);
        }
    }
    panels_share_ranges(d, true);
    panels_share_ranges(d, false);
}

/* Does the panel left of it, or below it, show the same axis? */
static bool panel_repeats(const drawn_figure *d, size_t p, bool x)
{
    size_t other = x ? p + d->columns : p - 1;

    if ((x && other >= d->count) || (!x && d->panels[p].column == 0)) {
        return false;
    }
    return axis_equal(panel_axis(&d->panels[p], x)->axis,
                      panel_axis(&d->panels[other], x)->axis);
}

/* The bands of panels: those of a row, or of equal axes, have the same ones. */
static void panels_bands(drawn_figure *d)
{
    for (size_t k = 0; k < d->count; k++) {
        drawn_panel *p = &d->panels[k];
        size_t most = 0;
        double row = 0.6;

        for (size_t other = 0; other < d->count; other++) {
            if (d->panels[other].row == p->row && d->panels[other].failing > most) {
                most = d->panels[other].failing;
            }
            row = d->panels[other].row == p->row && d->panels[other].counted ? 1.0 : row;
        }
        p->x_texts = !panel_repeats(d, k, true);
        p->y_texts = !panel_repeats(d, k, false);
        p->failed = most ? (0.5 + row * fmin((double)most, 8.0)) * d->letter : 0.0;
        p->zero_x = p->x.zeros ? 1.1 * d->letter : 0.0;
        p->zero_y = p->y.zeros ? 1.1 * d->letter : 0.0;
    }
}

/* Where all panels have the same axis, its label stands once: in the middle of the figure. */
static void panels_labels(drawn_figure *d)
{
    d->same_x = d->columns > 1;
    d->same_y = d->rows > 1;
    for (size_t k = 1; k < d->count; k++) {
        d->same_x = d->same_x && axis_equal(d->panels[k].x.axis, d->panels[0].x.axis);
        d->same_y = d->same_y && axis_equal(d->panels[k].y.axis, d->panels[0].y.axis);
    }
    for (size_t k = 0; k < d->count; k++) {
        drawn_panel *p = &d->panels[k];

        p->x_label = p->x_texts && (!d->same_x || p->row + 1 == d->rows);
        p->y_label = p->y_texts;
    }
}

bool panel_is_alone(const figure_panel *p)
{
    size_t lines = 0;

    for (size_t s = 0; s < p->count; s++) {
        const figure_series *series = p->series[s];

        lines += !series->muted &&
                 (series->form == FIGURE_LINE || series->form == FIGURE_CURVE ||
                  series->form == FIGURE_STEPS);
    }
    return lines <= 1;
}

void panels_new(drawn_figure *d)
{
    panels_make(d);
    d->alone = true;
    for (size_t p = 0; p < d->count; p++) {
        d->alone = d->alone && (d->panels[p].focus || panel_is_alone(d->panels[p].panel));
    }
    panels_grid(d);
    panels_ranges(d);
    panels_bands(d);
    panels_labels(d);
}
