/* SPDX-License-Identifier: Apache-2.0
 * verbs/run_lines.c: energy and penetration of a run, a line of bars each.
 *
 * The numbers are read from metrics.csv, which has those of a resumed run from its start. */
#include <config.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "command/cli/csv.h"
#include "command/cli/data.h"
#include "command/cli/output.h"
#include "command/cli/sparkline.h"
#include "command/cli/take.h"
#include "command/verbs/run_lines.h"

enum { LINES = 2 };

/* Where a column is: its name, and " [" before a unit. */
static size_t run_find(char *const *field, size_t count, const char *name)
{
    size_t length = strlen(name), k = 0;

    while (k < count &&
           (strncmp(field[k], name, length) != 0 ||
            (field[k][length] && strncmp(field[k] + length, " [", 2) != 0))) {
        k++;
    }
    return k;
}

static void run_append(run_column *c, double x)
{
    TAKE_ROOM(c->x, c->room, c->count + 1);
    c->x[c->count++] = x;
}

/* A row behind the header. */
static perp_status run_row(const char *path, size_t row, char **field, size_t fields,
                           const size_t *at, size_t count, run_column *column,
                           perp_error *err)
{
    for (size_t k = 0; k < count; k++) {
        const char *text = at[k] < fields ? field[at[k]] : "";
        char *end = NULL;
        double x = strtod(text, &end);

        if (end == text || *end) {
            return perp_fail(err, PERP_ERR_DATA,
                             "%s:%zu: field %zu is \"%s\", expected a number", path, row,
                             at[k] + 1, text);
        }
        run_append(&column[k], x);
    }
    return PERP_OK;
}

static perp_status run_read(FILE *f, const char *path, const char *const *name,
                            size_t count, run_column *column, perp_error *err)
{
    csv_row line = {0};
    size_t at[LINES] = {0};
    bool more = true;
    perp_status status = csv_read(f, &line, &more, path, err);

    for (size_t k = 0; k < count && more && status == PERP_OK; k++) {
        at[k] = run_find(line.cell, line.count, name[k]);
        status = at[k] < line.count ? PERP_OK
                                    : perp_fail(err, PERP_ERR_DATA,
                                                "%s:1: no column \"%s\"", path, name[k]);
    }
    for (size_t row = 2; status == PERP_OK && more; row++) {
        status = csv_read(f, &line, &more, path, err);
        if (status == PERP_OK && more) {
            status = run_row(path, row, line.cell, line.count, at, count, column, err);
        }
    }
    csv_clear(&line);
    return status;
}

perp_status run_columns_read(const char *path, const char *const *name, size_t count,
                             run_column *column, perp_error *err)
{
    FILE *f = count <= LINES ? fopen(path, "r") : NULL;
    perp_status status = PERP_OK;

    for (size_t k = 0; k < count; k++) {
        column[k] = (run_column){0};
    }
    if (!f) {
        return perp_fail(err, PERP_ERR_READ, "%s: cannot open: %s", path,
                         strerror(errno));
    }
    status = run_read(f, path, name, count, column, err);
    fclose(f);
    return status;
}

/* Least and greatest, or how much they differ where that is little. */
static void run_numbers(char text[96], const double range[2], const char *unit)
{
    double size = fmax(fabs(range[0]), fabs(range[1])), wide = range[1] - range[0];

    if (wide < 1e-4 * size) {
        snprintf(text, 96, "%.5g %s, range %.2g %s", range[1], unit, wide, unit);
    } else {
        snprintf(text, 96, "%.5g .. %.5g %s", range[0], range[1], unit);
    }
}

static void run_line(FILE *out, const char *name, const run_column *c, const char *unit)
{
    enum { NAME = 13, MOST = 60, LEAST = 4 };
    size_t width = output_width(out), taken = NAME + 2, bars = 0;
    double range[2];
    char text[96];

    if (!sparkline_range(c->x, c->count, range)) {
        return;
    }
    run_numbers(text, range, unit);
    taken += strlen(text);
    bars = width > taken + LEAST ? width - taken : LEAST;
    output_print(out, OUTPUT_PLAIN, "%-*s", NAME, name);
    sparkline_print(out, c->x, c->count, bars < MOST ? bars : MOST,
                    output_has_unicode(out));
    output_print(out, OUTPUT_PLAIN, "  %s\n", text);
}

perp_status run_lines_print(FILE *out, const char *dir, perp_error *err)
{
    static const char *const names[LINES] = {"energy", "penetration"};
    static const char *const units[LINES] = {"J", "m"};
    run_column column[LINES] = {{0}};
    char path[DATA_PATH];
    perp_status status = PERP_OK;

    if (!output_is_terminal(out)) {
        return PERP_OK;
    }
    if (snprintf(path, sizeof path, "%s/metrics.csv", dir) >= (int)sizeof path) {
        return perp_fail(err, PERP_ERR_READ, "%s: the path is too long", dir);
    }
    status = run_columns_read(path, names, LINES, column, err);
    for (size_t k = 0; k < LINES; k++) {
        if (status == PERP_OK) {
            run_line(out, names[k], &column[k], units[k]);
        }
        free(column[k].x);
    }
    return status;
}
