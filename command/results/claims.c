/* SPDX-License-Identifier: Apache-2.0
 * command/results/claims.c: what other codes claim about their runs, next to what the judge
 * found. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"
#include "command/cli/take.h"

/* One solver of another code in a table. */
typedef struct claims_row {
    const char *set, *label, *version, *reformulation;
    double tolerance;
    size_t runs, claimed, missed, wrong, solved;
    double factor; /* the least that a run was asked for */
    double wall;   /* median of the seconds of the processes */
} claims_row;

static bool claims_applies(const stored_runs *s, const run_table *t)
{
    (void)s;
    for (size_t k = 0; k < t->instances.count * t->labels.count; k++) {
        if (run_foreign(t->cell[k])) {
            return true;
        }
    }
    return false;
}

static int claims_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The row of a solver; `wall` has room for a number per instance. No runs: not another code. */
static claims_row claims_count(const run_table *t, size_t solver, double *wall)
{
    claims_row row = {.set = t->set,
                      .label = t->labels.names[solver],
                      .tolerance = t->tolerance,
                      .factor = (double)NAN,
                      .version = "",
                      .reformulation = ""};

    for (size_t i = 0; i < t->instances.count; i++) {
        const stored_run *run = run_at(t, i, solver);
        const json_t *foreign = run_foreign(run);
        size_t missed = 0, wrong = 0;

        if (!foreign) {
            continue;
        }
        row.solved += run->solved;
        row.claimed += strcmp(member_text(foreign, "claim"), "solved") == 0;
        run_claims(run, &missed, &wrong);
        row.missed += missed;
        row.wrong += wrong;
        row.factor = fmin(row.factor, member_number(foreign, "factor", (double)NAN));
        row.version = *row.version ? row.version : member_text(foreign, "version");
        row.reformulation = *row.reformulation ? row.reformulation
                                               : member_text(foreign, "reformulation");
        wall[row.runs++] = member_number(foreign, "wall_seconds", INFINITY);
    }
    qsort(wall, row.runs, sizeof *wall, claims_ascending);
    row.wall = row.runs ? wall[row.runs / 2] : (double)NAN;
    return row;
}

static void claims_rows(table *out, const stored_runs *s, const run_table *t)
{
    double *wall = take(t->instances.count + 1, sizeof *wall);

    (void)s;
    for (size_t k = 0; k < t->labels.count; k++) {
        claims_row row = claims_count(t, k, wall);

        if (row.runs > 0) {
            table_row(out, &row);
        }
    }
    free(wall);
}

static const table_column claims_columns[] = {
    {TABLE_STRING_AT("set", NULL, claims_row, set)},
    {TABLE_REAL_AT("tolerance", NULL, NULL, claims_row, tolerance)},
    {TABLE_STRING_AT("solver", "solver", claims_row, label)},
    {TABLE_STRING_AT("version", "version", claims_row, version)},
    {TABLE_COUNT_AT("runs", "runs", claims_row, runs)},
    {TABLE_COUNT_AT("claimed", "claims solved", claims_row, claimed)},
    {TABLE_COUNT_AT("missed", "missed by norm", claims_row, missed)},
    {TABLE_COUNT_AT("false_claims", "false claims", claims_row, wrong)},
    {TABLE_COUNT_AT("solved", "solved", claims_row, solved), .best = TABLE_MOST},
    {TABLE_REAL_AT("factor", "asked for", "%.2g", claims_row, factor)},
    {TABLE_REAL_AT("wall_seconds", "process [s]", "%.3g", claims_row, wall)},
    {TABLE_STRING_AT("reformulation", "reformulation", claims_row, reformulation)},
    TABLE_COLUMN_END,
};

#define CLAIMS_LEGEND                                                                    \
    "The code reports \"solved\", and its point has a larger residual than the "         \
    "tolerance:\nmissed by norm up to ten times, which its own norm may explain, a "     \
    "false "                                                                             \
    "claim beyond.\nasked for: the least share of the tolerance that it was called "     \
    "for. "                                                                              \
    "process: median time\nof its process, files and start included."

const report_section claims_section = {
    .csv = "claims",
    .tex = "claims",
    .title = "Claims of other codes",
    .subject = "claims of other codes",
    .legend = CLAIMS_LEGEND "\n",
    .explained = CLAIMS_LEGEND,
    .columns = claims_columns,
    .applies = claims_applies,
    .rows = claims_rows,
};
