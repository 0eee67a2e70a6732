/* SPDX-License-Identifier: Apache-2.0
 * command/results/race.c: auto against the best of the other solvers. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
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

/* One instance; the shifted times of auto and of the best, one of each per solvable one. */
static void race_count(race_row *row, const run_table *t, size_t i, size_t s, double *own,
                       double *others)
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
    row->within += mine <= RACE_NEAR * best;
    if (!isfinite(best)) { /* auto alone solves it */
        best = charged;
    }
    if (mine / best > row->worst) {
        row->worst = mine / best;
        row->worst_instance = t->instances.names[i];
        row->worst_best = label;
    }
    own[row->solvable] = charged + RACE_SHIFT;
    others[row->solvable++] = best + RACE_SHIFT;
}

/* The means of the times that were collected, and their ratio. */
static void race_means(race_row *row, const double *own, const double *others)
{
    bootstrap_interval ratio;

    bootstrap_mean_ratio(&ratio, own, others, row->solvable, 0.0);
    row->mean = shifted_mean(own, row->solvable, 0.0) - RACE_SHIFT;
    row->best_mean = shifted_mean(others, row->solvable, 0.0) - RACE_SHIFT;
    row->ratio = ratio.value;
    row->ratio_low = ratio.low;
    row->ratio_high = ratio.high;
    row->within /= (double)row->solvable;
}

void race_row_make(race_row *row, bool *made, const run_table *t, size_t first, size_t s)
{
    const char *situation = race_situation(t, first, s);
    double *own = take(2 * t->instances.count + 1, sizeof *own);

    *row = (race_row){.set = t->set,
                      .tolerance = t->tolerance,
                      .situation = situation,
                      .worst_instance = "",
                      .worst_best = ""};
    *made = true;
    for (size_t i = 0; i < t->instances.count && *made; i++) {
        if (strcmp(race_situation(t, i, s), situation) == 0) {
            *made = i >= first;
            race_count(row, t, i, s, own, own + t->instances.count);
        }
    }
    if (*made) {
        race_means(row, own, own + t->instances.count);
    }
    free(own);
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
    {TABLE_REAL_AT("ratio_low", "from", "%.2f", race_row, ratio_low),
     .formats = TABLE_AS_CSV | TABLE_AS_TEXT},
    {TABLE_REAL_AT("ratio_high", "to", "%.2f", race_row, ratio_high),
     .formats = TABLE_AS_CSV | TABLE_AS_TEXT},
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
    "failure counted with its time\nlimit; from, to: 95 % bootstrap interval of the "    \
    "ratio; within 5: share of the solvable that\nauto solves in at most 5 times the "   \
    "best time; worst: the largest ratio on one instance, a dash\nwhere auto fails.\n"

static void race_rows(table *out, const stored_runs *s, const run_table *t)
{
    size_t column = race_column(t);
    race_row row;
    bool made = false;

    (void)s;
    for (size_t i = 0; i < t->instances.count; i++) {
        race_row_make(&row, &made, t, i, column);
        if (made) {
            table_row(out, &row);
        }
    }
}

const report_section race_section = {
    .csv = "race",
    .tex = "race",
    .title = "Auto against the best",
    .subject = "auto against the best",
    .explained = RACE_LEGEND,
    .legend = "Auto against the best, situation by situation.\n" RACE_LEGEND "\n",
    .columns = race_columns,
    .applies = race_applies,
    .rows = race_rows,
};
