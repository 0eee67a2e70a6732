/* SPDX-License-Identifier: Apache-2.0
 * figures/style.h: who has which colour, dash and marker: one table for all figures of a report,
 * so that a solver looks the same in each of them, whichever solvers a figure shows. */
#ifndef PERP_FIGURES_STYLE_H
#define PERP_FIGURES_STYLE_H

#include <perp/base.h>

/** Colours of Okabe and Ito [okabe-ito-2008], dashes and markers; the first eight owners differ
 *  in all three, the first 8*6 in at least two. */
typedef struct figure_look {
    const char *colour; /**< "#0072B2" */
    int dash, marker;   /**< of gnuplot: dt, pt */
    int open_marker;    /**< the same marker, open: of a warm start */
} figure_look;

typedef struct figure_owner {
    const char *name; /**< borrowed */
    size_t look;      /**< its number; the last three bits are the colour */
} figure_owner;

typedef struct figure_style_table {
    figure_owner *owners;
    size_t count, room;
} figure_style_table;

/** Give the owner the first free look, unless it has one. */
void figure_style_add(figure_style_table *t, const char *owner);
/** The same, with a colour whose bit is not in `taken`, if there is one. */
void figure_style_add_apart(figure_style_table *t, const char *owner, unsigned taken);
/** The bit of the colour of an owner; 0: it has no look. */
unsigned figure_style_colour(const figure_style_table *t, const char *owner);
/** Copy a table to an empty one. */
void figure_style_copy(figure_style_table *to, const figure_style_table *from);
/** The look of an owner; one without is given that of its hash. */
figure_look figure_style_find(const figure_style_table *t, const char *owner);
void figure_style_free(figure_style_table *t);

#endif
