/* SPDX-License-Identifier: Apache-2.0
 * simulate/metrics_csv.h: the metrics of each step as a table of text. */
#ifndef PERP_SIMULATE_METRICS_CSV_H
#define PERP_SIMULATE_METRICS_CSV_H

#include <stdio.h>

#include "command/simulate/trajectory.h"

typedef struct metrics_csv {
    FILE *out;
    char *path;
    size_t metrics, joints;
    perp_error *err;
    char *
        buffer; /* of the stream: whole rows, so that the file ends with one at any time */
    size_t row, room, used; /* bytes: of a row at most, of the buffer, of rows in it */
} metrics_csv;

/** A new table with the rows of `old` (NULL: none), in place of one there. */
perp_status metrics_csv_open(metrics_csv *c, const char *path,
                             const trajectory_head *head, const trajectory_file *old,
                             perp_error *err);
/** Append a row; drift: 2 per joint. The next flush reports failures to write. */
void metrics_csv_row(metrics_csv *c, uint64_t step, int outcome, const double *metrics,
                     const double *drift);
perp_status metrics_csv_flush(metrics_csv *c);
/** No-op when it is zero. */
perp_status metrics_csv_close(metrics_csv *c);

#endif
