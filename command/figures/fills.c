/* SPDX-License-Identifier: Apache-2.0
 * figures/fills.c: series that are drawn as rectangles and areas: bars, boxes, stacked areas, cells
 * of heat maps, dots of patterns. */
#include <config.h>

#include <math.h>

#include "script.h"

static void script_rectangle(script *s, double x0, double x1, double y0, double y1,
                             double value)
{
    const double row[] = {0.5 * (x0 + x1), 0.5 * (y0 + y1), x0, x1, y0, y1, value};

    script_row(s, row, isnan(value) ? 6 : 7);
}

void script_bars(script *s, const drawn_panel *p, const figure_series *series)
{
    bool lies = panel_lies(p->panel);
    double foot = axis_is_log(p->y.axis) ? p->y.low : 0.0;

    script_block(s, series);
    for (size_t k = 0; k < series->count; k++) {
        const figure_point *at = &series->points[k];

        if (lies) {
            script_rectangle(s, at->low, at->high, at->y - 0.36, at->y + 0.36, NAN);
        } else if (axis_shows(p->y.axis, at->y)) {
            script_rectangle(s, at->low, at->high, foot, at->y, NAN);
        }
    }
    if (series->count == 0) {
        fputs("NaN NaN NaN NaN NaN NaN\n", s->dat);
    }
    fprintf(s->gp,
            "using 1:2:3:4:5:6 with boxxyerror lw 0.4 fc rgb '%s' fs solid 0.85 border "
            "lc rgb '#ffffff'",
            script_look(s, series).colour);
    script_block_end(s, series);
}

/* A line from one place to another: across values at the place, or along them. */
static void script_segment(script *s, bool lies, double place0, double place1,
                           double value0, double value1)
{
    const double upright[] = {place0, value0, place1 - place0, value1 - value0};
    const double lying[] = {value0, place0, value1 - value0, place1 - place0};

    script_row(s, lies ? lying : upright, 4);
}

void script_boxes(script *s, const drawn_panel *p, const figure_series *series)
{
    bool lies = panel_lies(p->panel);
    double half = panel_box_half(p->panel);
    const char *colour = script_look(s, series).colour;

    for (int part = 0; part < 3; part++) { /* quartiles, whiskers, medians */
        script_block(s, series);
        for (size_t k = 0; k < series->count; k++) {
            const figure_point *at = &series->points[k];
            double place = lies ? at->y : at->x;
            double median = lies ? at->x : at->y;
            double low = 0.0;
            double high = 0.0;

            panel_box_borders(p->panel, place, half, &low, &high);
            if (part == 0 && lies) {
                script_rectangle(s, at->low, at->high, low, high, NAN);
            } else if (part == 0) {
                script_rectangle(s, low, high, at->low, at->high, NAN);
            } else if (part == 1) {
                script_segment(s, lies, place, place, at->least, at->low);
                script_segment(s, lies, place, place, at->high, at->most);
            } else {
                script_segment(s, lies, low, high, median, median);
            }
        }
        if (part == 0) {
            fprintf(s->gp,
                    "using 1:2:3:4:5:6 with boxxyerror lw 0.8 lc rgb '%s' fs solid 0.25 "
                    "border lc rgb '%s'",
                    colour, colour);
        } else {
            fprintf(s->gp, "using 1:2:3:4 with vectors nohead lw %s lc rgb '%s' dt 1",
                    part == 1 ? "0.8" : "1.8", colour);
        }
        script_block_end(s, series);
    }
}

/* The area of positive values, then that of negative ones, each between two edges. */
void script_area(script *s, const drawn_panel *p, const figure_series *series,
                 size_t area)
{
    const area_stack *stack = &p->stack;
    size_t n = stack->count;

    for (int sign = 0; sign < 2; sign++) {
        const double *edges = sign == 0 ? stack->above : stack->below;
        bool any = false;

        for (size_t i = 0; i < n; i++) {
            any = any || edges[area * n + i] != (area ? edges[(area - 1) * n + i] : 0.0);
        }
        if (!any) {
            continue;
        }
        script_block(s, series);
        for (size_t i = 0; i < n; i++) {
            const double row[] = {stack->x[i], area ? edges[(area - 1) * n + i] : 0.0,
                                  edges[area * n + i]};

            script_row(s, row, 3);
        }
        fprintf(s->gp, "using 1:2:3 with filledcurves fc rgb '%s' fs solid 0.8 noborder",
                script_look(s, series).colour);
        script_block_end(s, series);
    }
}

/* Cells with a value, then those without, which are grey. */
void script_cells(script *s, const drawn_panel *p, const figure_series *series)
{
    for (int part = 0; part < 2; part++) {
        size_t count = 0;

        for (size_t k = 0; k < series->count; k++) {
            count += axis_shows(p->value.axis, series->points[k].value) == (part == 0);
        }
        if (count == 0) {
            continue;
        }
        script_block(s, series);
        for (size_t k = 0; k < series->count; k++) {
            const figure_point *at = &series->points[k];
            double x[2] = {0.0, 0.0};
            double y[2] = {0.0, 0.0};

            if (axis_shows(p->value.axis, at->value) != (part == 0)) {
                continue;
            }
            cell_grid_borders(&p->grids[0], p->x.axis, at->x, &x[0], &x[1]);
            cell_grid_borders(&p->grids[1], p->y.axis, at->y, &y[0], &y[1]);
            script_rectangle(s, x[0], x[1], y[0], y[1], part == 0 ? at->value : NAN);
        }
        fputs(part == 0 ? "using 1:2:3:4:5:6:7 with boxxyerror lw 0.1 fc palette fs "
                          "solid 1 noborder"
                        : "using 1:2:3:4:5:6 with boxxyerror lw 0.1 fc rgb '" SCRIPT_PALE
                          "' fs solid 1 noborder",
              s->gp);
        script_block_end(s, series);
    }
}

/* Squares of one unit, and never smaller than 0.4 pt. */
void script_dots(script *s, const drawn_panel *p, const figure_series *series)
{
    double units_x = (p->x.high - p->x.low) / (p->main.right - p->main.left);
    double units_y = (p->y.high - p->y.low) / (p->main.top - p->main.bottom);
    double half_x = fmax(0.47, 0.2 * units_x);
    double half_y = fmax(0.47, 0.2 * units_y);

    script_block(s, series);
    for (size_t k = 0; k < series->count; k++) {
        const figure_point *at = &series->points[k];

        script_rectangle(s, at->x - half_x, at->x + half_x, at->y - half_y,
                         at->y + half_y, NAN);
    }
    if (series->count == 0) {
        fputs("NaN NaN NaN NaN NaN NaN\n", s->dat);
    }
    fprintf(s->gp,
            "using 1:2:3:4:5:6 with boxxyerror lw 0.1 fc rgb '%s' fs solid 1 noborder",
            series->name[0] ? script_look(s, series).colour : "#0072B2");
    script_block_end(s, series);
}
