/* SPDX-License-Identifier: Apache-2.0
 * report/collect.h: which figures are drawn of stored runs, of a simulation or of a problem: the
 * usual ones, or those that were ordered. */
#ifndef PERP_REPORT_COLLECT_H
#define PERP_REPORT_COLLECT_H

#include "command/figures/figure.h"
#include "command/results/orders.h"
#include "command/results/runs.h"

/** What a figure was made of; the set is borrowed from the runs. */
typedef struct figure_origin {
    const char *set;  /**< "" : of no single set */
    double tolerance; /**< NAN: of no single tolerance */
} figure_origin;

typedef struct figure_collection {
    figure_book book;
    figure_origin *origins; /**< of the figures of the book */
    size_t room;
} figure_collection;

/** The figures of stored runs: of every usual kind, or, where orders are given, of these.
 *  PERP_ERR_DATA when an order finds nothing to show: the other figures are there, and err
 *  says what the first such order misses. `orders` may be NULL. */
perp_status collect_runs(figure_collection *c, const stored_runs *s,
                         const figure_orders *orders, perp_error *err);
/** The same of the folder of a simulation, or of a problem. */
perp_status collect_path(figure_collection *c, const char *path,
                         const figure_orders *orders, perp_error *err);
void figure_collection_free(figure_collection *c);

#endif
