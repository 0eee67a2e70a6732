/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/race.c: auto against the best of the other solvers. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "race.h"
#include "statistics.h"

/* The column of auto; labels.count where the set has none, or no other solver. */
static size_t race_column(const run_table *t)
{
    size_t s = 0;

    while (s < t->labels.count && strcmp(t->labels.names[s], "auto") != 0) {
        s++;
    }
    return t->labels.count > 1 ? s : t->labels.count;
}

const char *race_situation(const run_table *t, size_t i, size_t s)
{
    const stored_run *run = run_at(t, i, s);
    const json_t *path = run ? json_object_get(run->json, "path") : NULL;
    const char *first = json_string_value(json_array_get(path, 0));
    const char *colon = first ? strstr(first, ": ") : NULL;

    return colon ? colon + 2 : "";
}

/* The least time of the solvers other than column s, and whose it is. */
static double race_best(const run_table *t, size_t i, size_t s, const char **label)
{
    double best = INFINITY;

    for (size_t k = 0; k < t->labels.count; k++) {
        double cost = run_cost(run_at(t, i, k));

        if (k != s && cost < best) {
            best = cost;
            *label = t->labels.names[k];
        }
    }
    return best;
}

/* One instance; `sums` are those of the logarithms. */
static void race_count(race_row *row, const run_table *t, size_t i, size_t s,
                       double sums[2])
{
    const stored_run *run = run_at(t, i, s);
    const char *label = "";
    double mine = run_cost(run);
    double best = race_best(t, i, s, &label);
    double charged = isfinite(mine) || !run || !isfinite(run->limit) ? mine : run->limit;

    row->problems++;
    row->solved += isfinite(mine);
    if (!isfinite(fmin(mine, best))) {
        return;
    }
    row->solvable++;
    row->within += mine <= RACE_NEAR * best;
    if (!isfinite(best)) { /* auto alone solves it */
        best = charged;
    }
    if (mine / best > row->worst) {
        row->worst = mine / best;
        row->worst_instance = t->instances.names[i];
        row->worst_best = label;
    }
    sums[0] += log(charged + RACE_SHIFT);
    sums[1] += log(best + RACE_SHIFT);
}

bool race_row_make(race_row *row, const run_table *t, size_t first, size_t s)
{
    const char *situation = race_situation(t, first, s);
    double sums[2] = {0.0, 0.0};

    *row = (race_row){.set = t->set,
                      .tolerance = t->tolerance,
                      .situation = situation,
                      .worst_instance = "",
                      .worst_best = ""};
    for (size_t i = 0; i < t->instances.count; i++) {
        if (strcmp(race_situation(t, i, s), situation) != 0) {
            continue;
        }
        if (i < first) {
            return false;
        }
        race_count(row, t, i, s, sums);
    }
    row->mean = exp(sums[0] / (double)row->solvable) - RACE_SHIFT;
    row->best_mean = exp(sums[1] / (double)row->solvable) - RACE_SHIFT;
    row->ratio = (row->mean + RACE_SHIFT) / (row->best_mean + RACE_SHIFT);
    row->within /= (double)row->solvable;
    return true;
}

static const table_column race_columns[] = {
    {TABLE_STRING_AT("set", NULL, race_row, set)},
    {TABLE_REAL_AT("tolerance", NULL, NULL, race_row, tolerance)},
    {TABLE_STRING_AT("situation", "situation", race_row, situation)},
    {TABLE_COUNT_AT("problems", "problems", race_row, problems)},
    {TABLE_COUNT_AT("solvable", "solvable", race_row, solvable)},
    {TABLE_COUNT_AT("solved", "solved", race_row, solved)},
    {TABLE_REAL_AT("mean_seconds", "auto [s]", "%.3g", race_row, mean)},
    {TABLE_REAL_AT("best_mean_seconds", "best [s]", "%.3g", race_row, best_mean)},
    {TABLE_REAL_AT("ratio", "ratio", "%.2f", race_row, ratio)},
    {TABLE_REAL_AT("within", "within 5", "%.2f", race_row, within)},
    {TABLE_REAL_AT("worst", "worst", "%.1f", race_row, worst)},
    {TABLE_STRING_AT("worst_instance", "worst instance", race_row, worst_instance)},
    {TABLE_STRING_AT("worst_best", "best there", race_row, worst_best)},
    TABLE_COLUMN_END,
};

static bool race_applies(const stored_runs *s, const run_table *t)
{
    (void)s;
    return t->instances.count > 0 && race_column(t) < t->labels.count;
}

#define RACE_LEGEND                                                                      \
    "The best: the least time of any other solver, instance by instance. solvable: by "  \
    "any solver of\nthe set; solved: by auto; means: shifted geometric, by 10 us, a "    \
    "failure counted with its time\nlimit; within 5: share of the solvable that auto "   \
    "solves in at most 5 times the best time; worst:\nthe largest ratio on one "         \
    "instance, a dash where auto fails.\n"

static perp_status race_caption(FILE *f, table_format format, const run_table *t,
                                perp_error *err)
{
    (void)err;
    if (format == TABLE_AS_TEXT) {
        fprintf(f, "%s: auto against the best, residual <= %g\n", t->set, t->tolerance);
    } else if (format == TABLE_AS_HTML) {
        fputs("<h3>Auto against the best</h3>\n<p>" RACE_LEGEND "</p>\n", f);
    }
    return PERP_OK;
}

static perp_status race_rows(table *out, const stored_runs *s, const run_table *t,
                             perp_error *err)
{
    size_t column = race_column(t);
    race_row row;

    (void)s;
    (void)err;
    for (size_t i = 0; i < t->instances.count; i++) {
        if (race_row_make(&row, t, i, column)) {
            table_row(out, &row);
        }
    }
    return PERP_OK;
}

const report_section race_section = {
    .csv = "race",
    .tex = "race",
    .title = "Auto against the best",
    .explained = RACE_LEGEND,
    .legend = "Auto against the best, situation by situation.\n" RACE_LEGEND "\n",
    .columns = race_columns,
    .applies = race_applies,
    .caption = race_caption,
    .rows = race_rows,
};
