/* SPDX-License-Identifier: Apache-2.0
 * verbs/run_lines.h: energy and penetration of a run, a line of bars each. */
#ifndef PERP_VERBS_RUN_LINES_H
#define PERP_VERBS_RUN_LINES_H

#include <stdio.h>

#include <perp/perp.h>

/** Print both lines from the metrics of a run in the folder `dir`; nothing where no step was
 *  made, nor where `out` is no terminal. */
perp_status run_lines_print(FILE *out, const char *dir, perp_error *err);

/** Numbers of one column of a table of text. */
typedef struct run_column {
    double *x; /**< count; on the heap */
    size_t count, room;
} run_column;

/** Read the columns of a table of text by the names in its header; a name ends before its
 *  unit: "energy" finds "energy [J]". PERP_ERR_DATA: a column is missing, or a field is no
 *  number. Free the numbers also after a failure. */
perp_status run_columns_read(const char *path, const char *const *name, size_t count,
                             run_column *column, perp_error *err);

#endif
