/* SPDX-License-Identifier: Apache-2.0
 * figures/axis.h: the range of an axis and its ticks. */
#ifndef PERP_FIGURES_AXIS_H
#define PERP_FIGURES_AXIS_H

#include "figure.h"

typedef struct axis_tick {
    double at;
    bool minor;
    char text[FIGURE_NAME];
} axis_tick;

/** An axis as drawn. The factor of large and small numbers stands in the label: "[10⁻⁶ s]". */
typedef struct drawn_axis {
    const figure_axis *axis;
    double low, high; /**< of the data, then of the axis; low > high: no data yet */
    bool zeros; /**< values that a logarithmic axis cannot show: a strip of their own */
    bool
        baseline; /**< 0 is shown and is an end of the axis where it can be: bars, areas */
    bool tight;   /**< no room beyond the data: curves along x */
    double limit; /**< of the texts of categories, in letters; 0: none */
    axis_tick *ticks;
    size_t count, room;
    char label[FIGURE_TEXT + 2 * FIGURE_UNIT + 8];
    char
        second[FIGURE_TEXT + 2 * FIGURE_UNIT + 8]; /**< line of a label; "": it has one */
} drawn_axis;

void axis_init(drawn_axis *a, const figure_axis *axis);
void axis_free(drawn_axis *a);

bool axis_is_log(const figure_axis *axis);
/** Can the value be shown? Zeros cannot on a logarithmic axis. */
bool axis_shows(const figure_axis *axis, double value);
/** Extend the range to the value. */
void axis_include(drawn_axis *a, double value);
/** Extend the range to that of another axis. */
void axis_merge(drawn_axis *a, const drawn_axis *b);
/** The range of the axis from that of its data: its ends as given, else with some room. */
void axis_close(drawn_axis *a);

/** Are labels, units, scales and categories the same? */
bool axis_equal(const figure_axis *a, const figure_axis *b);

/** Choose ticks for an axis of `length` letters; texts may stand side by side or one above the
 *  other. */
void axis_ticks(drawn_axis *a, double length, bool side_by_side);
/** Break a label that is wider than `room` letters into two lines. */
void axis_wrap(drawn_axis *a, double room);
/** Width of the widest tick's text, in letters. */
double axis_widest(const drawn_axis *a);

/** Where the value is between low (0) and high (1); reversed axes run the other way. */
double axis_place(const drawn_axis *a, double value);

#endif
