/* SPDX-License-Identifier: Apache-2.0
 * report/pairs.c: two solvers on the problems that both take: a row of a table, a sentence, a
 * matrix of all pairs.
 *
 * Times are compared over the problems that both solve, so that no failure has a price; how many
 * each one solves stands beside it. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "command/cli/take.h"
#include "pairs.h"
#include "rank.h"
#include "statistics.h"

/* The pair in the order of the table. */
static void pair_measure(solver_pair *pair, const run_table *t, size_t solver,
                         size_t against)
{
    const size_t room = t->instances.count;
    double *mine = take(3 * room + 1, sizeof *mine);
    double *its = mine + room, *difference = its + room;
    rank_test test = {0};

    *pair = (solver_pair){.set = t->set,
                          .tolerance = t->tolerance,
                          .solver = t->labels.names[solver],
                          .against = t->labels.names[against],
                          .ratio = {NAN, NAN, NAN},
                          .p = NAN};
    for (size_t i = 0; i < room; i++) {
        const stored_run *a = run_at(t, i, solver), *b = run_at(t, i, against);
        double x = run_cost(a), y = run_cost(b);

        if (!run_takes(a) || !run_takes(b)) {
            continue;
        }
        pair->common++;
        pair->solved += isfinite(x);
        pair->against_solved += isfinite(y);
        if (isfinite(x) && isfinite(y)) {
            mine[pair->both] = x;
            its[pair->both] = y;
            difference[pair->both] = run_log_ratio(a, b);
            pair->ahead += difference[pair->both] < 0.0;
            pair->behind += difference[pair->both++] > 0.0;
        }
    }
    if (pair->both > 0) {
        bootstrap_mean_ratio(&pair->ratio, mine, its, pair->both, 0.0);
    }
    if (pair->both > 0) {
        rank_signed(&test, difference, pair->both);
        pair->p = test.p;
    }
    free(mine);
}

/* Both orders have the same samples, so that their intervals agree. */
void pair_make(solver_pair *pair, const run_table *t, size_t solver, size_t against)
{
    solver_pair turned;

    if (solver <= against) {
        pair_measure(pair, t, solver, against);
        return;
    }
    pair_measure(&turned, t, against, solver);
    *pair = turned;
    pair->solver = turned.against;
    pair->against = turned.solver;
    pair->solved = turned.against_solved;
    pair->against_solved = turned.solved;
    pair->ahead = turned.behind;
    pair->behind = turned.ahead;
    pair->ratio = (bootstrap_interval){1.0 / turned.ratio.value, 1.0 / turned.ratio.high,
                                       1.0 / turned.ratio.low};
}

/* Two digits, whole numbers where they are large: "0.85", "4.8", "120". */
static const char *pair_format(double x)
{
    return x < 0.995 ? "%.2g%s" : x < 9.95 ? "%.1f%s" : "%.0f%s";
}

static void pair_number(FILE *f, const char *before, double x)
{
    fputs(before, f);
    fprintf(f, pair_format(x), x, "");
}

void pair_sentence(const solver_pair *pair, FILE *f)
{
    bool slower = pair->ratio.value >= 1.0;
    double ratio = slower ? pair->ratio.value : 1.0 / pair->ratio.value;
    double low = slower ? pair->ratio.low : 1.0 / pair->ratio.high;
    double high = slower ? pair->ratio.high : 1.0 / pair->ratio.low;

    output_print(f, OUTPUT_PLAIN, "%s solved %zu of %zu, %s %zu; ", pair->solver,
                 pair->solved, pair->common, pair->against, pair->against_solved);
    if (pair->both == 0) {
        fputs("no problem is solved by both", f);
        return;
    }
    output_print(f, OUTPUT_PLAIN, "on the %s%.0zu that both solve %s takes",
                 pair->both == 1 ? "one" : "", pair->both == 1 ? 0 : pair->both,
                 slower ? pair->solver : pair->against);
    pair_number(f, " ", ratio);
    fputs(" times as long", f);
    if (isfinite(low) && isfinite(high)) {
        pair_number(f, " (95 % ", low);
        pair_number(f, " to ", high);
        fprintf(f, "), Wilcoxon p = %.2g", pair->p);
    }
}

static bool pairs_applies(const stored_runs *s, const run_table *t)
{
    (void)s;
    return t->labels.count > 1;
}

static void pairs_rows(table *out, const stored_runs *s, const run_table *t)
{
    (void)s;
    for (size_t a = 0; a < t->labels.count; a++) {
        for (size_t b = a + 1; b < t->labels.count; b++) {
            solver_pair pair;

            pair_make(&pair, t, a, b);
            table_row(out, &pair);
        }
    }
}

static const table_column pairs_columns[] = {
    {TABLE_STRING_AT("set", NULL, solver_pair, set)},
    {TABLE_REAL_AT("tolerance", NULL, NULL, solver_pair, tolerance)},
    {TABLE_STRING_AT("solver", NULL, solver_pair, solver)},
    {TABLE_STRING_AT("against", NULL, solver_pair, against)},
    {TABLE_COUNT_AT("problems", NULL, solver_pair, common)},
    {TABLE_COUNT_AT("solved", NULL, solver_pair, solved)},
    {TABLE_COUNT_AT("against_solved", NULL, solver_pair, against_solved)},
    {TABLE_COUNT_AT("both", NULL, solver_pair, both)},
    {TABLE_COUNT_AT("ahead", NULL, solver_pair, ahead)},
    {TABLE_REAL_AT("ratio", NULL, NULL, solver_pair, ratio.value)},
    {TABLE_REAL_AT("ratio_low", NULL, NULL, solver_pair, ratio.low)},
    {TABLE_REAL_AT("ratio_high", NULL, NULL, solver_pair, ratio.high)},
    {TABLE_REAL_AT("p_value", NULL, NULL, solver_pair, p)},
    TABLE_COLUMN_END,
};

const report_section pairs_section = {
    .csv = "pairs",
    .columns = pairs_columns,
    .applies = pairs_applies,
    .rows = pairs_rows,
};

/* "*" where the ranks of this pair alone show a difference. */
static const char *pairs_mark(const solver_pair *pair)
{
    return pair->p <= STATISTICS_SIGNIFICANT ? "*" : "";
}

/* A cell of the matrix: the ratio of the times of a row to those of a column. */
static void pairs_cell(output_table *out, const run_table *t, size_t row, size_t column)
{
    solver_pair pair;

    pair_make(&pair, t, row, column);
    if (row == column) {
        output_cell(out, "%zu/%zu", pair.solved, pair.common);
    } else if (pair.both == 0) {
        output_cell(out, "-");
    } else {
        output_cell(out, pair_format(pair.ratio.value), pair.ratio.value,
                    pairs_mark(&pair));
    }
}

static void pairs_matrix(FILE *f, const run_table *t)
{
    output_table out = {.columns = t->labels.count + 1, .indent = 2};

    output_cell(&out, "time of / to");
    for (size_t k = 0; k < t->labels.count; k++) {
        output_cell(&out, ">%s", t->labels.names[k]);
    }
    for (size_t row = 0; row < t->labels.count; row++) {
        output_cell(&out, "%s", t->labels.names[row]);
        for (size_t k = 0; k < t->labels.count; k++) {
            pairs_cell(&out, t, row, k);
        }
    }
    output_table_end(&out, f);
}

void pairs_print(FILE *f, const run_table *t)
{
    size_t reference = t->against ? name_list_find(&t->labels, t->against) : SIZE_MAX;

    if (reference >= t->labels.count) {
        return;
    }
    for (size_t k = 0; k < t->labels.count; k++) {
        solver_pair pair;

        if (k == reference) {
            continue;
        }
        pair_make(&pair, t, k, reference);
        fputs("  ", f);
        pair_sentence(&pair, f);
        fputs(".\n", f);
    }
    fputs("  Pairs: times of the row to those of the column, over the problems that both "
          "solve, * where\n  Wilcoxon's test of the pair alone says so (5 %); on the "
          "diagonal what is solved.\n",
          f);
    pairs_matrix(f, t);
}
