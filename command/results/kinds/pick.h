/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/pick.h: what kinds of figures share: the runs that a figure shows, the values that
 * distinguish its panels and series, medians with quartiles, names and captions. */
#ifndef PERP_REPORT_PICK_H
#define PERP_REPORT_PICK_H

#include "command/results/fields.h"
#include "command/results/kinds/kind.h"

/** Decides the look of a run's curve: its label without the warm-start policy. Borrowed. */
const char *run_owner(const stored_run *run);
/** False for runs with the policy cold, and for those without a policy. */
bool run_is_warm(const stored_run *run);

/** The runs that a figure shows. */
typedef struct run_pick {
    const stored_run **runs;
    size_t count;        /**< of those that the solver takes */
    size_t inapplicable; /**< left out: not applicable */
    size_t
        lacking; /**< left out: no failure, but the record lacks a field of the order */
    char times[FIGURE_TEXT]; /**< for the caption: see pick_equal_times; "" */
} run_pick;

/** Those of the source that fulfil the order, in the order of the suite. */
void pick_runs(run_pick *p, const figure_source *source, const figure_order *order);
/** Where x is "dt": leave out the runs that end at another time than the finest run that differs
 *  from them in dt alone, and say so in p->times. */
void pick_equal_times(run_pick *p, const char *x);
void pick_free(run_pick *p);

/** One of the values that distinguish panels, series or categories. */
typedef struct pick_value {
    char text[FIGURE_NAME];  /**< "pgs warm", "μ = 0.3" */
    char owner[FIGURE_NAME]; /**< of a series, see figure_series */
    bool warm;
    double number; /**< NAN of a text */
} pick_value;

typedef struct pick_values {
    pick_value *values;
    size_t count, room;
} pick_values;

/** The value of a run by a field. "" or "solver": its label, without the words that stand for
 *  the fields x and panels, which a figure shows elsewhere (NULL: all words). */
void pick_value_of(pick_value *v, const stored_runs *s, const stored_run *run,
                   const char *field, const char *x, const char *panels);
/** Add a value unless it is there. Returns its place. */
size_t pick_values_add(pick_values *list, const pick_value *v);
/** Its place; SIZE_MAX when it is not there. */
size_t pick_values_find(const pick_values *list, const char *text);
/** Numbers ascending; texts stay in the order of the runs. */
void pick_values_sort(pick_values *list);
void pick_values_free(pick_values *list);

/** Median and quartiles of `count` numbers, which are sorted; infinite ones count as the
 *  largest. The median is infinite where more than half are: else of two middle numbers, one of
 *  them infinite, it is the finite one. Quartiles of less than three are NAN. */
typedef struct quartiles {
    double low, median, high;
} quartiles;
quartiles quartiles_of(double *x, size_t count);

/** A new figure. Its name is that of the order, or "KIND_SET_TOLERANCE"; `extra` is appended,
 *  "": none. */
figure *pick_figure(figure_book *book, const char *kind, const figure_source *source,
                    const figure_order *order, const char *extra);
/** A new series that looks as the solver of the run does, or as `v` does. */
figure_series *pick_series(figure_panel *p, figure_form form, const char *name,
                           const stored_run *run);
figure_series *pick_value_series(figure_panel *p, figure_form form, const char *name,
                                 const pick_value *v);
/** The next of the fields "a+b", behind which *fields moves; false: there is none. */
bool pick_next_field(const char **fields, char field[FIELD_TEXT]);
/** "set lcp, 24 problems, tolerance 10⁻⁸": what the source is, for captions. Returns `text`. */
char *pick_scope(char text[FIGURE_TEXT], const figure_source *source, const run_pick *p);
/** The text with a capital first letter. Returns `text`. */
char *pick_capital(char *text);
/** " 3 of 30 runs failed: crosses and counts in the strip above the plot, WHERE.", or that none did; `where`
 *  may be "". Returns `text`. */
char *pick_failures(char text[2 * FIGURE_TEXT], size_t failed, size_t runs,
                    const char *where);
/** " 3 solved runs have no number as FIELD: left out.", or "". Returns `text`. */
char *pick_lacking(char text[FIGURE_TEXT], size_t lacking, const char *field);
/** " 2 runs of solvers that do not take the problem (not applicable) are left out.", or "", and
 *  p->times. Returns `text`. */
char *pick_left_out(char text[2 * FIGURE_TEXT], const run_pick *p);
/** "friction coefficient μ" and its unit as an axis. */
void pick_axis(figure_axis *a, const stored_runs *s, const char *field,
               figure_scale scale);
/** The scale of an axis: logarithmic for positive numbers that spread over more than a factor
 *  of ten. With `zeros`, exact zeros are allowed among numbers that spread over more than a
 *  hundred. Negative numbers: linear. */
figure_scale pick_scale(const double *x, size_t count, bool zeros);
/** The scale of an axis x: that of pick_scale, and logarithmic for sizes. */
figure_scale pick_scale_x(const char *field, const double *x, size_t count);
/** True for costs, which count for solved runs only: seconds, iterations, work, bytes. */
bool field_is_cost(const char *field);

/** For captions. */
#define PICK_RESIDUAL                                                                    \
    "The residual is the scaled natural-map residual max_k s_k |z_k − P_K(z_k − "    \
    "u_k/d_k)| / β of the problem as given, computed again for each answer; β is the " \
    "size of the same at P_K(0) and of the b_k/s_k that act."
#define PICK_RIBBON "Lines are medians, bands reach from the first to the third quartile."

#endif
