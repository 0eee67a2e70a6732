/* SPDX-License-Identifier: Apache-2.0
 * report/page_data_ranking.c: the tables of the page: the ranking, those of other kinds, and what
 * columns mean. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "command/cli/answer.h"
#include "command/cli/take.h"
#include "command/results/page_data_parts.h"
#include "command/results/pairs.h"
#include "command/results/statistics.h"
#include "command/results/summary.h"

/* Digits of a number of tables/summary.csv. */
enum { RANKING_DIGITS = 9, PAIR_DIGITS = 4 };

/* Members of a row that are numbers, and their columns in tables/summary.csv. */
static const struct {
    const char *member, *column;
    bool count;
    size_t offset;
} numbers[] = {
    {"problems", "problems", true, offsetof(solver_statistics, problems)},
    {"taken", "taken", true, offsetof(solver_statistics, taken)},
    {"solved", "solved", true, offsetof(solver_statistics, solved)},
    {"refused", "not_applicable", true, offsetof(solver_statistics, inapplicable)},
    {"approximate", "approximation_solved", true,
     offsetof(solver_statistics, approximated)},
    {"fastest", "fastest", true, offsetof(solver_statistics, fastest)},
    {"mean", "mean_seconds", false, offsetof(solver_statistics, mean.value)},
    {"mean_low", "mean_low", false, offsetof(solver_statistics, mean.low)},
    {"mean_high", "mean_high", false, offsetof(solver_statistics, mean.high)},
    {"common", "common", true, offsetof(solver_statistics, common)},
    {"ratio", "ratio", false, offsetof(solver_statistics, ratio.value)},
    {"ratio_low", "ratio_low", false, offsetof(solver_statistics, ratio.low)},
    {"ratio_high", "ratio_high", false, offsetof(solver_statistics, ratio.high)},
    {"p", "p_value", false, offsetof(solver_statistics, p)},
    {"iterations", "median_iterations", false,
     offsetof(solver_statistics, median_iterations)},
    {"worst_residual", "worst_residual", false,
     offsetof(solver_statistics, worst_residual)},
    {"shift", "shift_seconds", false, offsetof(solver_statistics, shift)},
};

static json_t *ranking_row(const solver_statistics *of)
{
    json_t *o = json_object();

    answer_add(o, "solver", json_string(of->label));

    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        const void *at = (const char *)of + numbers[k].offset;

        answer_add(o, numbers[k].member,
                   numbers[k].count ? json_integer((json_int_t) * (const size_t *)at)
                                    : page_number(*(const double *)at, RANKING_DIGITS));
    }
    answer_add(o, "verdict", json_string(of->verdict));
    return o;
}

/* Against solver `reference`: for each row [ratio, low, high, p, verdict, common]. */
static json_t *ranking_reference(const solver_statistics *of, size_t count)
{
    json_t *rows = json_array();

    for (size_t k = 0; k < count; k++) {
        json_array_append_new(rows, json_pack("[o, o, o, o, s, I]",
                                              page_number(of[k].ratio.value, PAIR_DIGITS),
                                              page_number(of[k].ratio.low, PAIR_DIGITS),
                                              page_number(of[k].ratio.high, PAIR_DIGITS),
                                              page_number(of[k].p, PAIR_DIGITS),
                                              of[k].verdict, (json_int_t)of[k].common));
    }
    return rows;
}

/* The same for every solver of the table as the reference. */
static void ranking_references(json_t *list, const run_table *t)
{
    run_table with = *t;

    for (size_t k = 0; k < t->labels.count; k++) {
        solver_statistics *of = NULL;

        with.against = t->labels.names[k];
        of = statistics_new(&with);
        json_array_append_new(list, ranking_reference(of, t->labels.count));
        free(of);
    }
}

/* Pairs a < b: [a, b, common, solved by a, by b, by both, ratio, low, high, p]. */
static void ranking_pairs(json_t *list, const run_table *t)
{
    for (size_t a = 0; a < t->labels.count; a++) {
        for (size_t b = a + 1; b < t->labels.count; b++) {
            solver_pair pair;

            pair_make(&pair, t, a, b);
            json_array_append_new(
                list,
                json_pack("[I, I, I, I, I, I, o, o, o, o]", (json_int_t)a, (json_int_t)b,
                          (json_int_t)pair.common, (json_int_t)pair.solved,
                          (json_int_t)pair.against_solved, (json_int_t)pair.both,
                          page_number(pair.ratio.value, PAIR_DIGITS),
                          page_number(pair.ratio.low, PAIR_DIGITS),
                          page_number(pair.ratio.high, PAIR_DIGITS),
                          page_number(pair.p, PAIR_DIGITS)));
        }
    }
}

static perp_status ranking_visit(void *context, const stored_runs *s, const run_table *t,
                                 perp_error *err)
{
    solver_statistics *of = NULL;
    json_t *rows = NULL, *references = NULL, *pairs = NULL;

    (void)err;
    if (!statistics_section.applies(s, t)) {
        return PERP_OK;
    }
    of = statistics_new(t);
    rows = json_array();
    references = json_array();
    pairs = json_array();
    for (size_t k = 0; k < t->labels.count; k++) {
        json_array_append_new(rows, ranking_row(&of[k]));
    }
    free(of);
    ranking_references(references, t);
    ranking_pairs(pairs, t);
    json_array_append_new(context, json_pack("{s:s, s:f, s:o, s:o, s:o}", "set", t->set,
                                             "tolerance", t->tolerance, "rows", rows,
                                             "against", references, "pairs", pairs));
    return PERP_OK;
}

perp_status page_ranking(const stored_runs *s, json_t **ranking, perp_error *err)
{
    *ranking = json_array();
    return runs_visit(s, NULL, ranking_visit, *ranking, err);
}

/* -- other tables -------------------------------------------------------------------------- */

/* Row `row` of the cells; a heading of numbers begins with ">". */
static json_t *tables_row(char *const *cells, size_t columns, size_t row)
{
    json_t *list = json_array();

    for (size_t c = 0; c < columns; c++) {
        const char *text = cells[row * columns + c];

        text += row == 0 && *text == '>';
        json_array_append_new(list, *text ? answer_text(text) : json_string(""));
    }
    return list;
}

static json_t *tables_entry(const report_section *section, const run_table *t,
                            const table *cells)
{
    size_t columns = 0, count = 0;
    char *const *cell = table_cells(cells, &columns, &count);
    json_t *rows = json_array();

    for (size_t k = 1; k < count; k++) {
        json_array_append_new(rows, tables_row(cell, columns, k));
    }
    return json_pack("{s:s, s:f, s:s, s:s, s:o, s:o, s:o}", "set", t->set, "tolerance",
                     t->tolerance, "name", section->csv, "title", section->title,
                     "explained", page_text_take(take_text(section->explained)),
                     "headings", tables_row(cell, columns, 0), "rows", rows);
}

static perp_status tables_visit(void *context, const stored_runs *s, const run_table *t,
                                perp_error *err)
{
    (void)err;
    for (size_t k = 0; report_sections[k]; k++) {
        const report_section *section = report_sections[k];
        table cells;

        if (section == &statistics_section || !section->applies(s, t)) {
            continue;
        }
        section_cells(section, &cells, s, t);
        json_array_append_new(context, tables_entry(section, t, &cells));
        table_drop(&cells);
    }
    return PERP_OK;
}

perp_status page_tables(const stored_runs *s, json_t **tables, perp_error *err)
{
    *tables = json_array();
    return runs_visit(s, NULL, tables_visit, *tables, err);
}

/* -- columns ------------------------------------------------------------------------------- */

static void columns_append(json_t *list, const char *of, const char *name,
                           const char *text)
{
    json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "table", of, "name", name,
                                          "text", page_text_take(take_text(text))));
}

/* The member of the ranking that stands for a column of tables/summary.csv. */
static const char *columns_member(const char *name)
{
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (strcmp(numbers[k].column, name) == 0) {
            return numbers[k].member;
        }
    }
    return name;
}

json_t *page_columns(void)
{
    json_t *list = json_array();
    const char *text = NULL, *name = NULL;

    for (const table_column *c = statistics_section.columns;
         (c = table_shown(c, TABLE_AS_CSV)); c++) {
        if (c->help) {
            columns_append(list, "ranking", columns_member(c->name), c->help);
        }
    }
    for (size_t k = 0; (name = against_column(k, &text)); k++) {
        columns_append(list, "changes", strcmp(name, "verdict") == 0 ? "word" : name,
                       text);
    }
    return list;
}
