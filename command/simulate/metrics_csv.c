/* SPDX-License-Identifier: Apache-2.0
 * simulate/metrics_csv.c: the metrics of each step as a table of text: a header with
 * units, 17 digits, so that what is read is what was computed. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <perp/result.h>

#include "base/base.h"
#include "base/file.h"
#include "command/cli/csv.h"
#include "command/cli/take.h"
#include "command/simulate/metrics_csv.h"

enum { BLOCK = 1024 }; /* rows of an old file at a time */

/* "drift elbow [m]" */
static void write_header(metrics_csv *c, const char *before, const char *name,
                         const char *unit)
{
    char *text = take_format("%s%s%s%s%s", before, name, *unit ? " [" : "", unit,
                             *unit ? "]" : "");

    fputc(',', c->out);
    csv_text(c->out, text);
    free(text);
}

static void write_headers(metrics_csv *c, const trajectory_head *head)
{
    fputs("step,outcome", c->out);
    for (size_t k = 0; k < head->metric_count; k++) {
        write_header(c, "", head->metrics[k], head->units[k]);
    }
    for (size_t k = 0; k < head->joint_count; k++) {
        write_header(c, "drift ", head->joints[k], "m");
        write_header(c, "drift ", head->joints[k], "rad");
    }
    fputc('\n', c->out);
}

void metrics_csv_row(metrics_csv *c, uint64_t step, int outcome, const double *metrics,
                     const double *drift)
{
    int length = fprintf(c->out, "%llu,%s", (unsigned long long)step,
                         outcome == TRAJECTORY_OUTCOME_START
                             ? "start"
                             : perp_outcome_text((perp_outcome)outcome));

    for (size_t k = 0; k < c->metrics; k++) {
        length += fprintf(c->out, ",%.17g", metrics[k]);
    }
    for (size_t k = 0; k < 2 * c->joints; k++) {
        length += fprintf(c->out, ",%.17g", drift[k]);
    }
    fputc('\n', c->out);
    c->used += (size_t)length + 1;
    if (c->buffer && c->used + c->row > c->room) {
        metrics_csv_flush(c); /* a failure is sticky */
    }
}

/* Rows of an old trajectory, turned: columns come from the file, rows go to the table. */
typedef struct block {
    double *columns, *drift, *row;
    int32_t *outcome;
} block;

static perp_status block_read(block *b, const trajectory_head *head,
                              const trajectory_file *old, size_t first, size_t count)
{
    perp_status status =
        trajectory_read(old, TRAJECTORY_OUTCOME, NULL, first, count, b->outcome);

    for (size_t k = 0; k < head->metric_count && status == PERP_OK; k++) {
        status = trajectory_read(old, TRAJECTORY_FIXED + k, head->metrics[k], first,
                                 count, b->columns + k * BLOCK);
    }
    if (status == PERP_OK && head->joint_count > 0) {
        status = trajectory_read(old, TRAJECTORY_DRIFT, NULL, first, count, b->drift);
    }
    return status;
}

static perp_status csv_append_old(metrics_csv *c, const trajectory_head *head,
                                  const trajectory_file *old)
{
    size_t rows = (size_t)old->count[TRAJECTORY_STEP], metrics = head->metric_count;
    size_t numbers = BLOCK * (metrics + 2 * head->joint_count) + metrics;
    double *all = take(1, (numbers + 1) * sizeof *all);
    block b = {.outcome = take(1, BLOCK * sizeof *b.outcome)};
    perp_status status = PERP_OK;

    b.columns = all;
    b.drift = b.columns + BLOCK * metrics;
    b.row = b.drift + 2 * BLOCK * head->joint_count;
    for (size_t first = 0; first < rows && status == PERP_OK; first += BLOCK) {
        size_t count = rows - first < BLOCK ? rows - first : BLOCK;

        status = block_read(&b, head, old, first, count);
        for (size_t i = 0; i < count && status == PERP_OK; i++) {
            for (size_t k = 0; k < metrics; k++) {
                b.row[k] = b.columns[k * BLOCK + i];
            }
            metrics_csv_row(c, old->first + first + i, b.outcome[i], b.row,
                            b.drift + 2 * head->joint_count * i);
        }
    }
    free(all);
    free(b.outcome);
    return status;
}

static perp_status csv_failed(const metrics_csv *c)
{
    return perp_fail(c->err, PERP_ERR_WRITE, "%s: cannot write: %s", c->path,
                     strerror(errno));
}

/* Open the table for new rows. */
static perp_status csv_append(metrics_csv *c)
{
    enum { NUMBER = 32, ROOM = 1 << 16 }; /* bytes of a number at most, of a buffer */

    c->row = NUMBER * (2 + c->metrics + 2 * c->joints);
    c->room = c->row + ROOM;
    c->used = 0;
    c->buffer = take(1, c->room);
    c->out = fopen(c->path, "a");
    if (!c->out || setvbuf(c->out, c->buffer, _IOFBF, c->room) != 0) {
        return csv_failed(c);
    }
    return PERP_OK;
}

/* Header and old rows take the place of the table at once;
 * new rows are appended to it. */
perp_status metrics_csv_open(metrics_csv *c, const char *path,
                             const trajectory_head *head, const trajectory_file *old,
                             perp_error *err)
{
    perp_file_out out = {0};
    perp_status status = PERP_OK;

    *c = (metrics_csv){.path = take_text(path),
                       .metrics = head->metric_count,
                       .joints = head->joint_count,
                       .err = err};
    TRY(perp_file_create(&out, path, err));
    c->out = out.f;
    write_headers(c, head);
    if (old) {
        status = csv_append_old(c, head, old);
    }
    c->out = NULL;
    if (status != PERP_OK) {
        perp_file_abandon(&out);
        return status;
    }
    status = perp_file_commit(&out, err);
    return status == PERP_OK ? csv_append(c) : status;
}

perp_status metrics_csv_flush(metrics_csv *c)
{
    c->used = 0;
    return fflush(c->out) == 0 && !ferror(c->out) ? PERP_OK : csv_failed(c);
}

perp_status metrics_csv_close(metrics_csv *c)
{
    perp_status status = PERP_OK;

    if (c->out && fclose(c->out) != 0) {
        status = csv_failed(c);
    }
    free(c->buffer);
    free(c->path);
    memset(c, 0, sizeof *c);
    return status;
}
