/* SPDX-License-Identifier: Apache-2.0
 * command/results/peers.c: perp against other codes, code by code. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <perp/external.h>

#include "command/cli/take.h"
#include "peers.h"
#include "rank.h"
#include "statistics.h"

/* The code of a solver, also of one that a wrapper calls, "ds:siconos:fc3d-tfp". */
static const char *peers_code_of(const char *solver)
{
    const perp_code *const *codes = perp_codes(NULL);

    while (*solver) {
        size_t length = strcspn(solver, ":");

        for (size_t k = 0; codes[k]; k++) {
            if (strlen(codes[k]->name) == length &&
                strncmp(codes[k]->name, solver, length) == 0) {
                return codes[k]->name;
            }
        }
        solver += length + (solver[length] == ':');
    }
    return "perp";
}

/* The code of a column, whatever its label is. */
static const char *peers_code(const run_table *t, size_t s)
{
    for (size_t i = 0; i < t->instances.count; i++) {
        if (run_at(t, i, s)) {
            return peers_code_of(member_text(run_at(t, i, s)->json, "solver"));
        }
    }
    return "perp";
}

static bool peers_is(const run_table *t, size_t s, const char *code)
{
    return strcmp(peers_code(t, s), code) == 0;
}

/* The least time of any solver of a code on instance i; INFINITY: none solves it. */
static double peers_least(const run_table *t, size_t i, const char *code)
{
    double least = INFINITY;

    for (size_t s = 0; s < t->labels.count; s++) {
        double cost = run_cost(run_at(t, i, s));

        if (cost < least && peers_is(t, s, code)) {
            least = cost;
        }
    }
    return least;
}

/* Does any solver of the code take instance i? */
static bool peers_takes(const run_table *t, size_t i, const char *code)
{
    for (size_t s = 0; s < t->labels.count; s++) {
        if (run_takes(run_at(t, i, s)) && peers_is(t, s, code)) {
            return true;
        }
    }
    return false;
}

static void peers_count(peers_row *row, const run_table *t)
{
    double sum = 0.0;

    for (size_t i = 0; i < t->instances.count; i++) {
        double own = peers_least(t, i, "perp"), other = peers_least(t, i, row->code);
        bool takes = peers_takes(t, i, row->code);

        row->problems++;
        row->inapplicable += !takes;
        row->solved += isfinite(other);
        row->own_alone += takes && isfinite(own) && !isfinite(other);
        row->code_alone += isfinite(other) && !isfinite(own);
        if (isfinite(own) && isfinite(other)) {
            row->both++;
            row->ahead += own < other;
            row->clear += fabs(log(other / own)) > log1p(STATISTICS_TIE);
            row->clear_ahead += other > (1.0 + STATISTICS_TIE) * own;
            sum += log(other / own);
        }
    }
    row->ratio = row->both ? exp(sum / (double)row->both) : (double)NAN;
    row->p = row->both && strcmp(row->code, "perp") != 0
                 ? rank_sign_counted(row->clear_ahead, row->clear).p
                 : (double)NAN;
}

/* Solver s of the code: what it solves, its mean over that, its false claims. */
static void peers_solver(peers_row *row, const run_table *t, size_t s, double *least)
{
    size_t solved = 0;
    double sum = 0.0;

    for (size_t i = 0; i < t->instances.count; i++) {
        double cost = run_cost(run_at(t, i, s));
        size_t missed = 0, wrong = 0;

        run_claims(run_at(t, i, s), &missed, &wrong);
        row->wrong += wrong;
        solved += isfinite(cost);
        sum += isfinite(cost) ? log(cost) : 0.0;
    }
    sum = solved ? sum / (double)solved : INFINITY;
    if (!row->best || solved > row->best_solved ||
        (solved == row->best_solved && sum < *least)) {
        row->best = t->labels.names[s];
        row->best_solved = solved;
        *least = sum;
    }
}

bool peers_row_make(peers_row *row, const run_table *t, size_t s)
{
    double least = INFINITY;

    *row = (peers_row){.set = t->set,
                       .tolerance = t->tolerance,
                       .code = peers_code(t, s),
                       .verdict = ""};
    for (size_t k = 0; k < s; k++) {
        if (peers_is(t, k, row->code)) {
            return false;
        }
    }
    peers_count(row, t);
    for (size_t k = s; k < t->labels.count; k++) {
        if (peers_is(t, k, row->code)) {
            peers_solver(row, t, k, &least);
        }
    }
    return true;
}

static bool peers_applies(const stored_runs *s, const run_table *t)
{
    bool own = false, other = false;

    (void)s;
    for (size_t k = 0; k < t->labels.count; k++) {
        bool is_own = peers_is(t, k, "perp");

        own = own || is_own;
        other = other || !is_own;
    }
    return t->instances.count > 0 && own && other;
}

/* Correct the tests of all rows, and say what they show. */
static void peers_judge(peers_row *rows, size_t count, double *p)
{
    for (size_t k = 0; k < count; k++) {
        p[k] = rows[k].p;
    }
    rank_holm(p, count);
    for (size_t k = 0; k < count; k++) {
        rows[k].p = p[k];
        if (!isnan(p[k])) {
            rows[k].verdict = p[k] > STATISTICS_SIGNIFICANT             ? "unclear"
                              : 2 * rows[k].clear_ahead > rows[k].clear ? "faster"
                                                                        : "slower";
        }
    }
}

static void peers_rows(table *out, const stored_runs *s, const run_table *t)
{
    peers_row *rows = take(t->labels.count + 1, sizeof *rows);
    double *p = take(t->labels.count + 1, sizeof *p);
    size_t count = 0;

    (void)s;
    for (size_t k = 0; k < t->labels.count; k++) {
        count += peers_row_make(&rows[count], t, k);
    }
    peers_judge(rows, count, p);
    for (size_t k = 0; k < count; k++) {
        table_row(out, &rows[k]);
    }
    free(rows);
    free(p);
}

#define PEERS_LEGEND                                                                     \
    "Each code by the best of its solvers, instance by instance. not applicable: no "    \
    "solver of the\ncode takes the problem; solved: by any of them; perp alone, code "   \
    "alone: solved by one of the\ntwo; ahead: instances on which perp takes less time, " \
    "of those that both solve; ratio: geometric\nmean over these of the code's least "   \
    "time over perp's; perp is: faster or slower where a sign\ntest says so (5 %, ties " \
    "up to 5 % left out, corrected after Holm); best solver: the one of the\ncode that " \
    "solves most; false claims: of all its solvers.\n"

static void peers_ahead(const table_column *column, const void *row, FILE *f)
{
    const peers_row *r = row;

    (void)column;
    if (strcmp(r->code, "perp") != 0) {
        fprintf(f, "%zu/%zu", r->ahead, r->both);
    }
}

static const table_column peers_columns[] = {
    {TABLE_STRING_AT("set", NULL, peers_row, set)},
    {TABLE_REAL_AT("tolerance", NULL, NULL, peers_row, tolerance)},
    {TABLE_STRING_AT("code", "code", peers_row, code)},
    {TABLE_COUNT_AT("problems", "problems", peers_row, problems)},
    {TABLE_COUNT_AT("not_applicable", "not applicable", peers_row, inapplicable)},
    {TABLE_COUNT_AT("solved", "solved", peers_row, solved), .best = TABLE_MOST},
    {TABLE_COUNT_AT("perp_alone", "perp alone", peers_row, own_alone)},
    {TABLE_COUNT_AT("code_alone", "code alone", peers_row, code_alone)},
    {TABLE_COUNT_AT("ahead", NULL, peers_row, ahead)},
    {TABLE_COUNT_AT("both", NULL, peers_row, both)},
    {.heading = "ahead", .text = peers_ahead, .formats = TABLE_AS_TEXT | TABLE_AS_TEX},
    {TABLE_REAL_AT("ratio", "ratio", "%.2f", peers_row, ratio), .best = TABLE_LEAST},
    {TABLE_REAL_AT("p_value", NULL, NULL, peers_row, p)},
    {TABLE_STRING_AT("verdict", "perp is", peers_row, verdict)},
    {TABLE_STRING_AT("best", "best solver", peers_row, best)},
    {TABLE_COUNT_AT("best_solved", "it solves", peers_row, best_solved)},
    {TABLE_COUNT_AT("false_claims", "false claims", peers_row, wrong)},
    TABLE_COLUMN_END,
};

const report_section peers_section = {
    .csv = "peers",
    .tex = "peers",
    .title = "Perp against other codes",
    .subject = "perp against other codes",
    .explained = PEERS_LEGEND,
    .legend = "Perp against other codes.\n" PEERS_LEGEND "\n",
    .columns = peers_columns,
    .applies = peers_applies,
    .rows = peers_rows,
};
