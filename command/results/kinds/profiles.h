/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/profiles.h: figures of profiles: what the four kinds of them share. */
#ifndef PERP_REPORT_KINDS_PROFILES_H
#define PERP_REPORT_KINDS_PROFILES_H

#include "command/results/kinds/pick.h"
#include "command/results/profiles.h"

/** A kind of profile. */
typedef struct profile_look {
    const char *kind;
    profile_cost cost;
    bool relative; /**< ratios to the best of the solvers shown */
    const char *x; /**< the axis */
    figure_scale scale;
    bool reversed;       /**< better is to the right */
    const char *caption; /**< what a curve is at x, a full sentence */
} profile_look;

/** The runs of the table that fulfil the order; the others are run_left_out, and instances and
 *  solvers that have no other are dropped. Released by run_table_free; its names are borrowed
 *  from the table of the source. */
void profile_select(run_table *out, const figure_source *source,
                    const figure_order *order);
/** Add the curves of a profile to a panel whose axes are set. */
void profile_panel(figure_panel *panel, const run_table *t, const profile *p,
                   const profile_look *look);
/** One panel with all solvers. PERP_ERR_DATA when an ordered one has too few problems. */
perp_status profile_figure(figure_book *book, const figure_source *source,
                           const figure_order *order, const profile_look *look,
                           perp_error *err);
/** "lemke 12 of 14 (6 not applicable), pgs 20 of 20": solved and taken. On the heap. */
char *profile_counts(const profile *p);

#endif
