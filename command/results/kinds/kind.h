/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/kind.h: kinds of figures. Each is one file that ends in one constant figure_kind,
 * and one line in kinds.c. */
#ifndef PERP_REPORT_KIND_H
#define PERP_REPORT_KIND_H

#include "command/figures/figure.h"
#include "command/results/orders.h"
#include "command/results/runs.h"

/** What a kind draws: once for each of these. */
typedef enum figure_scope {
    FIGURE_OF_TABLE,   /**< a set at a tolerance */
    FIGURE_OF_SET,     /**< a set, all tolerances */
    FIGURE_OF_REPORT,  /**< all runs */
    FIGURE_OF_RUN,     /**< the folder of a simulation */
    FIGURE_OF_PROBLEM, /**< a file or a call that names an instance */
} figure_scope;

typedef struct figure_source {
    const stored_runs *runs; /**< of a table, a set, a report */
    const char *set;         /**< of a table, a set */
    const run_table *table;  /**< of a table */
    const char *path;        /**< of a run, a problem */
} figure_source;

typedef struct figure_kind {
    const char *name;    /**< "profile" */
    const char *summary; /**< one line, for perp info figures */
    figure_scope scope;
    bool usual;          /**< drawn without being ordered, where it applies */
    const char *members; /**< of an order that it reads: "x|y|by"; NULL: none */
    const char
        *numbers; /**< of these the fields that are numbers of each run, by their first
                              letters: a run whose record lacks one is left out. NULL: none */
    /** Add what the source has to show. The order of a usual figure has no kind and no member.
     *  PERP_ERR_DATA says what is missing; of a usual figure of runs it is ignored. */
    perp_status (*make)(figure_book *book, const figure_source *source,
                        const figure_order *order, perp_error *err);
} figure_kind;

extern const figure_kind *const figure_kinds[]; /**< ended by NULL */
/** NULL: there is none of this name. */
const figure_kind *figure_kind_find(const char *name);

#endif
