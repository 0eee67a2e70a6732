/* SPDX-License-Identifier: Apache-2.0
 * figures/shapes.h: what is computed of a panel's series before they are drawn: areas stacked on
 * each other, borders of the cells of a heat map, ranges. */
#ifndef PERP_FIGURES_SHAPES_H
#define PERP_FIGURES_SHAPES_H

#include "axis.h"

/** Areas on a common grid x: the edge of series s at x[i] is above[s*count+i] of those of
 *  positive y, below[s*count+i] of those of negative y; the other edge is that of the area
 *  before, or 0. */
typedef struct area_stack {
    double *x, *above, *below;
    size_t count, areas;
} area_stack;

/** All x or y of cells, ascending. */
typedef struct cell_grid {
    double *at;
    size_t count;
} cell_grid;

/** Both are empty where a panel has none of the form. */
void area_stack_new(area_stack *stack, const figure_panel *p);
void area_stack_free(area_stack *stack);
void cell_grid_new(cell_grid *grid, const figure_panel *p, bool of_x);
void cell_grid_free(cell_grid *grid);
/** The borders of the cell at `at`: halfway to its neighbours, as the axis measures. */
void cell_grid_borders(const cell_grid *grid, const figure_axis *axis, double at,
                       double *low, double *high);

/** Bars and boxes lie where y has categories. */
bool panel_lies(const figure_panel *p);
/** Half the width of boxes around x, in its units or, on a logarithmic axis, as a factor. */
double panel_box_half(const figure_panel *p);
void panel_box_borders(const figure_panel *p, double at, double half, double *low,
                       double *high);

/** Are the intervals of the lines of the panel drawn as ribbons: of three series at most? */
bool panel_has_ribbons(const figure_panel *p);
/** Extend the ranges of the three axes to all that the panel shows. */
void panel_include(const figure_panel *p, const area_stack *stack,
                   const cell_grid grids[2], drawn_axis *x, drawn_axis *y,
                   drawn_axis *value);

#endif
