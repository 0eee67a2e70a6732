/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_columns.h: values that vary among the runs of a suite. They become members of
 * the records, "vary" and "vary_units", and columns of tables. */
#ifndef PERP_RUNNER_SUITE_COLUMNS_H
#define PERP_RUNNER_SUITE_COLUMNS_H

#include <jansson.h>

#include <perp/base.h>

enum { COLUMN_NAME = 64, COLUMN_TEXT = 64, COLUMN_UNIT = 48 };

/** A value that varies. */
typedef struct suite_column {
    char name[COLUMN_NAME]; /**< "mu", "dt", "scheme.stabilize", "solver.relaxation" */
    char text[COLUMN_TEXT]; /**< the value in names: "10ms" */
    char unit[COLUMN_UNIT]; /**< SI; "": none */
    json_t *value;          /**< a number in SI units, a string or a switch */
    const char *lists;      /**< of a rule: the lists of the subjects it concerns */
    bool named;             /**< of a rule: it distinguishes names of instances */
} suite_column;

typedef struct suite_columns {
    suite_column *items;
    size_t count, room;
} suite_columns;

/** Append a copy; the value is shared. */
void suite_columns_add(suite_columns *columns, const suite_column *column);
void suite_columns_copy(suite_columns *to, const suite_columns *from);
void suite_columns_clear(suite_columns *columns); /**< no-op when it is zero */
/** The column of that name, or NULL. */
const suite_column *suite_columns_find(const suite_columns *columns, const char *name);
/** Does a rule that varies concern the subjects of this list ("scenes")? */
bool suite_column_concerns(const suite_column *column, const char *list);

/** "stack:n=3" of "stack:mu=0.1,n=3": a name without the settings that vary. */
void suite_columns_remove(const suite_columns *columns, const char *name, char *problem,
                          size_t length);

#endif
