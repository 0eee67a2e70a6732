/* SPDX-License-Identifier: Apache-2.0
 * report/orders.h: figures that a suite or a command line orders.
 *
 *     "figures": ["profile", {"kind": "metric", "set": "stack", "x": "dt", "y": "energy.drift",
 *                             "by": "integrator", "panels": "scene", "name": "drift"}]
 *
 * On the command line: perp plot DIR --figure metric:x=dt,y=energy.drift,by=integrator. Names of
 * x, y, z, by and panels are those of fields.h. */
#ifndef PERP_REPORT_ORDERS_H
#define PERP_REPORT_ORDERS_H

#include <jansson.h>

#include <perp/base.h>

enum { ORDER_TEXT = 128 };

typedef struct figure_order {
    char kind[ORDER_TEXT];
    char set[ORDER_TEXT];  /**< "" : every set */
    char name[ORDER_TEXT]; /**< of the files; "" : made from kind and set */
    char x[ORDER_TEXT], y[ORDER_TEXT], z[ORDER_TEXT]; /**< fields; "" : the kind's own */
    char by[ORDER_TEXT];     /**< the field that distinguishes the series; "" : solver */
    char panels[ORDER_TEXT]; /**< the field that distinguishes the panels; "" : one */
    char where[ORDER_TEXT];  /**< "integrator=verlet,mu=0.3": only these runs */
    char title[ORDER_TEXT];
    char *caption;    /**< replaces that of the kind; NULL: the kind's */
    double tolerance; /**< NAN: all */
} figure_order;

typedef struct figure_orders {
    figure_order *orders;
    size_t count, room;
    bool given; /**< "figures" was there: usual figures are drawn only if ordered */
} figure_orders;

/** The "figures" of a suite, and of its sets (whose orders get their name). An order is an
 *  object, or a text as on the command line. Several fields of y are a list, or joined by "+";
 *  "where" is a text or an object. Kinds, members and sets are checked:
 *  "suite.json: figures[1].kind: …". */
perp_status figure_orders_read(figure_orders *orders, const char *file,
                               const json_t *suite, perp_error *err);
/** Check those of a suite, given as its text, before anything runs. */
perp_status figure_orders_check(const char *file, const char *suite, perp_error *err);
/** Those of DIR/suite.json; none without this file. */
perp_status figure_orders_stored(figure_orders *orders, const char *dir, perp_error *err);
/** Add one of the command line. What follows "where=" and is no member belongs to it:
 *  "convergence:set=spd,where=instance=generate:spd:n=50,seed=2". */
perp_status figure_orders_add(figure_orders *orders, const char *text, perp_error *err);
void figure_orders_free(figure_orders *orders);

#endif
