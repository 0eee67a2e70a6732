/* SPDX-License-Identifier: Apache-2.0
 * figures/shapes.c: areas stacked on each other, borders of cells and boxes, ranges. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "command/cli/take.h"
#include "shapes.h"

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* All finite x (or y) of the series of a form, ascending, each once; NULL: none. */
static double *places_new(const figure_panel *p, figure_form form, bool of_x,
                          size_t *count)
{
    double *at = NULL;
    size_t room = 0;
    size_t used = 0;
    size_t kept = 0;

    for (size_t s = 0; s < p->count; s++) {
        room += p->series[s]->form == form ? p->series[s]->count : 0;
    }
    at = room > 0 ? take(room, sizeof *at) : NULL;
    for (size_t s = 0; at && s < p->count; s++) {
        const figure_series *series = p->series[s];

        for (size_t k = 0; series->form == form && k < series->count; k++) {
            double value = of_x ? series->points[k].x : series->points[k].y;

            if (isfinite(value)) {
                at[used++] = value;
            }
        }
    }
    if (used > 0) {
        qsort(at, used, sizeof *at, ascending);
        kept = 1;
    }
    for (size_t k = 1; k < used; k++) {
        if (at[k] > at[kept - 1]) {
            at[kept++] = at[k];
        }
    }
    *count = kept;
    return at;
}

/* y of the series at x, between its points; 0 outside of them. Its x do not descend. */
static double series_at(const figure_series *s, double x, size_t *from)
{
    while (*from + 1 < s->count && s->points[*from + 1].x <= x) {
        (*from)++;
    }
    if (s->count == 0 || x < s->points[0].x || x > s->points[s->count - 1].x) {
        return 0.0;
    }
    if (*from + 1 < s->count && x > s->points[*from].x) {
        const figure_point *a = &s->points[*from];
        double share = (x - a[0].x) / (a[1].x - a[0].x);

        return a[0].y + share * (a[1].y - a[0].y);
    }
    return s->points[*from].y;
}

void area_stack_new(area_stack *stack, const figure_panel *p)
{
    size_t n = 0;

    *stack = (area_stack){0};
    stack->x = places_new(p, FIGURE_AREA, true, &stack->count);
    n = stack->count;
    for (size_t s = 0; s < p->count; s++) {
        stack->areas += p->series[s]->form == FIGURE_AREA;
    }
    if (n > 0) {
        stack->above = take(stack->areas * n, sizeof *stack->above);
        stack->below = take(stack->areas * n, sizeof *stack->below);
    }
    for (size_t s = 0, area = 0; n > 0 && s < p->count; s++) {
        size_t from = 0;

        if (p->series[s]->form != FIGURE_AREA) {
            continue;
        }
        for (size_t i = 0; i < n; i++) {
            double y = series_at(p->series[s], stack->x[i], &from);
            size_t at = area * n + i;

            y = isfinite(y) ? y : 0.0;
            stack->above[at] = (area ? stack->above[at - n] : 0.0) + fmax(y, 0.0);
            stack->below[at] = (area ? stack->below[at - n] : 0.0) + fmin(y, 0.0);
        }
        area++;
    }
}

void area_stack_free(area_stack *stack)
{
    free(stack->x);
    free(stack->above);
    free(stack->below);
    *stack = (area_stack){0};
}

void cell_grid_new(cell_grid *grid, const figure_panel *p, bool of_x)
{
    grid->at = places_new(p, FIGURE_CELLS, of_x, &grid->count);
}

void cell_grid_free(cell_grid *grid)
{
    free(grid->at);
    *grid = (cell_grid){0};
}

void cell_grid_borders(const cell_grid *grid, const figure_axis *axis, double at,
                       double *low, double *high)
{
    const double *found =
        grid->count ? bsearch(&at, grid->at, grid->count, sizeof at, ascending) : NULL;
    size_t k = found ? (size_t)(found - grid->at) : 0;
    size_t last = grid->count - 1;
    double before = 0.0;
    double after = 0.0;

    *low = at - 0.5;
    *high = at + 0.5;
    if (!found || axis->scale == FIGURE_CATEGORIES || grid->count < 2) {
        return;
    }
    if (axis_is_log(axis) && grid->at[0] > 0.0) {
        before = k > 0 ? grid->at[k] / grid->at[k - 1] : grid->at[1] / grid->at[0];
        after = k < last ? grid->at[k + 1] / grid->at[k] : before;
        *low = at / sqrt(before);
        *high = at * sqrt(after);
    } else {
        before = k > 0 ? grid->at[k] - grid->at[k - 1] : grid->at[1] - grid->at[0];
        after = k < last ? grid->at[k + 1] - grid->at[k] : before;
        *low = at - 0.5 * before;
        *high = at + 0.5 * after;
    }
}

bool panel_lies(const figure_panel *p)
{
    return p->y.scale == FIGURE_CATEGORIES && p->x.scale != FIGURE_CATEGORIES;
}

double panel_box_half(const figure_panel *p)
{
    bool lies = panel_lies(p);
    const figure_axis *axis = lies ? &p->y : &p->x;
    bool log = axis_is_log(axis);
    size_t count = 0;
    double *at = NULL;
    double gap = INFINITY;

    if (axis->scale == FIGURE_CATEGORIES) {
        return 0.3;
    }
    at = places_new(p, FIGURE_BOXES, !lies, &count);
    for (size_t k = 1; k < count; k++) {
        gap = fmin(gap, log ? at[k] / at[k - 1] : at[k] - at[k - 1]);
    }
    free(at);
    if (!isfinite(gap)) {
        return log ? 1.2 : 0.3;
    }
    return log ? pow(gap, 0.3) : 0.3 * gap;
}

void panel_box_borders(const figure_panel *p, double at, double half, double *low,
                       double *high)
{
    bool log = axis_is_log(panel_lies(p) ? &p->y : &p->x);

    *low = log ? at / half : at - half;
    *high = log ? at * half : at + half;
}

/* Points of lines and the like, with their intervals, whose ends may be 0. */
bool panel_has_ribbons(const figure_panel *p)
{
    enum { MOST_RIBBONS = 3 };
    size_t count = 0;

    for (size_t s = 0; s < p->count; s++) {
        bool any = false;

        for (size_t k = 0; k < p->series[s]->count && !any; k++) {
            const figure_point *at = &p->series[s]->points[k];

            any = p->series[s]->form <= FIGURE_STEPS && at->low < at->high &&
                  isfinite(at->high);
        }
        count += any;
    }
    return count > 0 && count <= MOST_RIBBONS;
}

static void include_points(const figure_series *s, bool ribbons, drawn_axis *x,
                           drawn_axis *y)
{
    for (size_t k = 0; k < s->count; k++) {
        const figure_point *p = &s->points[k];

        if (isnan(p->x) || isnan(p->y)) {
            continue;
        }
        axis_include(x, p->x);
        axis_include(y, p->y);
        if (ribbons && axis_shows(y->axis, p->low)) {
            axis_include(y, p->low);
        }
        if (ribbons && axis_shows(y->axis, p->high)) {
            axis_include(y, p->high);
        }
    }
}

static void include_bars(const figure_panel *p, const figure_series *s, drawn_axis *x,
                         drawn_axis *y)
{
    bool lies = panel_lies(p);

    (lies ? x : y)->baseline = true;
    for (size_t k = 0; k < s->count; k++) {
        axis_include(x, s->points[k].low);
        axis_include(x, s->points[k].high);
        axis_include(y, s->points[k].y);
    }
    (lies ? x : y)->zeros = false; /* a bar of nothing needs no strip */
}

static void include_boxes(const figure_panel *p, const figure_series *s, drawn_axis *x,
                          drawn_axis *y)
{
    bool lies = panel_lies(p);
    drawn_axis *of_values = lies ? x : y;
    drawn_axis *of_places = lies ? y : x;
    double half = panel_box_half(p);

    for (size_t k = 0; k < s->count; k++) {
        const figure_point *point = &s->points[k];
        const double values[] = {lies ? point->x : point->y, point->low, point->high,
                                 point->least, point->most};
        double low = 0.0;
        double high = 0.0;

        panel_box_borders(p, lies ? point->y : point->x, half, &low, &high);
        axis_include(of_places, low);
        axis_include(of_places, high);
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            if (axis_shows(of_values->axis, values[i])) {
                axis_include(of_values, values[i]);
            }
        }
    }
}

static void include_cells(const figure_panel *p, const cell_grid grids[2], drawn_axis *x,
                          drawn_axis *y)
{
    for (int axis = 0; axis < 2; axis++) {
        const cell_grid *grid = &grids[axis];
        drawn_axis *a = axis == 0 ? x : y;

        for (size_t k = 0; k < grid->count; k++) {
            double low = 0.0;
            double high = 0.0;

            cell_grid_borders(grid, axis == 0 ? &p->x : &p->y, grid->at[k], &low, &high);
            axis_include(a, low);
            axis_include(a, high);
            a->tight = true;
        }
    }
}

static void include_dots(const figure_series *s, drawn_axis *x, drawn_axis *y)
{
    for (size_t k = 0; k < s->count; k++) {
        axis_include(x, s->points[k].x - 0.5);
        axis_include(x, s->points[k].x + 0.5);
        axis_include(y, s->points[k].y - 0.5);
        axis_include(y, s->points[k].y + 0.5);
    }
    x->tight = y->tight = true;
}

static void include_areas(const area_stack *stack, drawn_axis *x, drawn_axis *y)
{
    for (size_t i = 0; i < stack->count; i++) {
        size_t top = (stack->areas - 1) * stack->count + i;

        axis_include(x, stack->x[i]);
        axis_include(y, stack->above[top]);
        axis_include(y, stack->below[top]);
    }
    if (stack->count > 0) {
        y->baseline = x->tight = true;
    }
}

void panel_include(const figure_panel *p, const area_stack *stack,
                   const cell_grid grids[2], drawn_axis *x, drawn_axis *y,
                   drawn_axis *value)
{
    bool curves = p->count > 0;

    for (size_t s = 0; s < p->count; s++) {
        const figure_series *series = p->series[s];

        for (size_t k = 0; k < series->failure_count; k++) {
            axis_include(x, series->failures[k].x);
        }
        for (size_t k = 0; series->form == FIGURE_CELLS && k < series->count; k++) {
            axis_include(value, series->points[k].value);
        }
        if (series->form == FIGURE_BARS) {
            include_bars(p, series, x, y);
        } else if (series->form == FIGURE_BOXES) {
            include_boxes(p, series, x, y);
        } else if (series->form == FIGURE_DOTS) {
            include_dots(series, x, y);
        } else if (series->form != FIGURE_CELLS && series->form != FIGURE_AREA) {
            include_points(series, series->form <= FIGURE_STEPS && panel_has_ribbons(p),
                           x, y);
        }
        curves = curves && series->form != FIGURE_POINTS && series->form != FIGURE_BARS &&
                 series->form != FIGURE_BOXES && series->failure_count == 0;
    }
    include_cells(p, grids, x, y);
    include_areas(stack, x, y);
    x->tight = curves && !p->equal;
}
