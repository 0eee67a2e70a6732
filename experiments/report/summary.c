/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/summary.c: the tables of all solvers, as files. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coordinates.h"
#include "definition.h"
#include "files.h"
#include "summary.h"
#include "warm.h"

/* "3 time limit, 1 crash: signal 11": how the runs of a solver that failed ended. */
static void failures_text(const table_column *column, const void *row, FILE *f)
{
    const solver_statistics *of = row;
    const run_table *t = of->table;
    bool first = true;

    (void)column;
    for (size_t i = 0; i < t->instances.count; i++) {
        const char *ending = run_ending(run_at(t, i, of->column));
        size_t count = 0;
        bool seen = strcmp(ending, "solved") == 0;

        for (size_t j = 0; j < i && !seen; j++) {
            seen = strcmp(run_ending(run_at(t, j, of->column)), ending) == 0;
        }
        for (size_t j = i; j < t->instances.count && !seen; j++) {
            count += strcmp(run_ending(run_at(t, j, of->column)), ending) == 0;
        }
        if (!seen) {
            fprintf(f, "%s%zu %s", first ? "" : ", ", count, ending);
            first = false;
        }
    }
}

static void solved_text(const table_column *column, const void *row, FILE *f)
{
    const solver_statistics *of = row;

    (void)column;
    fprintf(f, "%zu/%zu", of->solved, of->problems);
}

static const table_column statistics_columns[] = {
    {TABLE_STRING_AT("set", NULL, solver_statistics, set)},
    {TABLE_REAL_AT("tolerance", NULL, NULL, solver_statistics, tolerance)},
    {TABLE_STRING_AT("solver", "solver", solver_statistics, label)},
    {TABLE_COUNT_AT("problems", NULL, solver_statistics, problems)},
    {.heading = "solved", .text = solved_text, .formats = TABLE_AS_TEXT | TABLE_AS_TEX},
    {TABLE_COUNT_AT("solved", "solved", solver_statistics, solved),
     .formats = TABLE_AS_CSV | TABLE_AS_HTML},
    {TABLE_COUNT_AT("model_solved", "solved its model", solver_statistics, model_solved),
     .formats = TABLE_AS_CSV | TABLE_AS_HTML},
    {TABLE_COUNT_AT("won", "won", solver_statistics, won)},
    {TABLE_REAL_AT("mean_seconds", "mean [s]", "%.3g", solver_statistics, mean)},
    {TABLE_REAL_AT("ratio", "ratio", "%.2f", solver_statistics, ratio)},
    {TABLE_REAL_AT("median_iterations", "iterations", "%.0f", solver_statistics,
                   median_iterations)},
    {TABLE_REAL_AT("worst_residual", NULL, NULL, solver_statistics, worst_residual)},
    {TABLE_REAL_AT("shift_seconds", NULL, NULL, solver_statistics, shift)},
    {.heading = "not solved",
     .text = failures_text,
     .formats = TABLE_AS_TEXT | TABLE_AS_TEX},
    TABLE_COLUMN_END,
};

/* Append the rows of a table to another one that has the statistics as columns. */
static void statistics_rows(table *t, const solver_statistics *of, size_t count)
{
    for (size_t s = 0; s < count; s++) {
        table_row(t, &of[s]);
    }
}

perp_status print_statistics(FILE *f, table_format format, const solver_statistics *of,
                             size_t count, perp_error *err)
{
    table t;

    table_start(&t, format, f, statistics_columns);
    t.indent = 2;
    t.note = "Solved: residual at most the tolerance. " RESIDUAL_DEFINITION_TEX;
    statistics_rows(&t, of, count);
    return table_end(&t, err);
}

static perp_status summarise(void *context, const stored_runs *s, const run_table *t,
                             perp_error *err)
{
    FILE *f = context;
    solver_statistics *of = NULL;
    perp_status status = statistics_new(&of, t, err);

    (void)s;
    if (status == PERP_OK && t->instances.count) {
        fprintf(f, "%s: %zu problem%s, residual <= %g (shift %.2g s)\n", t->set,
                t->instances.count, t->instances.count == 1 ? "" : "s", t->tolerance,
                of->shift);
        status = print_statistics(f, TABLE_AS_TEXT, of, t->labels.count, err);
        fputc('\n', f);
    }
    free(of);
    return status;
}

perp_status write_summary(const stored_runs *s, const char *dir, perp_error *err)
{
    perp_file_out o;
    perp_status status = report_open(&o, err, "%s/summary.txt", dir);

    if (status != PERP_OK) {
        return status;
    }
    fprintf(o.f,
            "%zu run%s. solved: residual at most the tolerance, recomputed from the "
            "instance.\n" RESIDUAL_DEFINITION "\n"
            "mean: shifted geometric mean of the seconds, a failure counted "
            "with its time limit;\nratio: to the best mean; iterations: median of the "
            "solved.\n\n",
            s->count, s->count == 1 ? "" : "s");
    status = runs_visit(s, NULL, summarise, o.f, err);
    if (status == PERP_OK) {
        status = warm_summary(s, o.f, err);
    }
    if (status == PERP_OK) {
        status = coordinates_summary(s, o.f, err);
    }
    return report_close(&o, status, err);
}

static const table_column run_columns[] = {
    {TABLE_STRING_AT("set", NULL, stored_run, set)},
    {TABLE_STRING_AT("instance", NULL, stored_run, instance)},
    {TABLE_STRING_AT("solver", NULL, stored_run, label)},
    {TABLE_STRING_AT("formulation", NULL, stored_run, formulation)},
    {TABLE_STRING_AT("ending", NULL, stored_run, ending)},
    {TABLE_REAL_AT("n", NULL, NULL, stored_run, n)},
    {TABLE_REAL_AT("contacts", NULL, NULL, stored_run, contacts)},
    {TABLE_REAL_AT("nonzeros", NULL, NULL, stored_run, nonzeros)},
    {TABLE_REAL_AT("tolerance", NULL, NULL, stored_run, tolerance)},
    {TABLE_REAL_AT("residual", NULL, NULL, stored_run, residual)},
    {TABLE_REAL_AT("residual_given", NULL, NULL, stored_run, residual_given)},
    {TABLE_REAL_AT("seconds", NULL, NULL, stored_run, seconds)},
    {TABLE_REAL_AT("iterations", NULL, NULL, stored_run, iterations)},
    {TABLE_REAL_AT("products", NULL, NULL, stored_run, products)},
    {TABLE_STRING_AT("reason", NULL, stored_run, reason)},
    TABLE_COLUMN_END,
};

/* The failures on their own, with the sentence that gives the reason. */
static const table_column failure_columns[] = {
    {TABLE_STRING_AT("set", NULL, stored_run, set)},
    {TABLE_REAL_AT("tolerance", NULL, NULL, stored_run, tolerance)},
    {TABLE_STRING_AT("instance", NULL, stored_run, instance)},
    {TABLE_STRING_AT("solver", NULL, stored_run, label)},
    {TABLE_STRING_AT("ending", NULL, stored_run, ending)},
    {TABLE_REAL_AT("residual", NULL, NULL, stored_run, residual_given)},
    {TABLE_STRING_AT("reason", NULL, stored_run, reason)},
    TABLE_COLUMN_END,
};

/* Every run, or every failure, as DIR/tables/NAME.csv. */
static perp_status write_runs(const stored_runs *s, const char *dir, const char *name,
                              const table_column *columns, bool failures, perp_error *err)
{
    perp_file_out o;
    table t;
    perp_status status = report_open(&o, err, "%s/tables/%s.csv", dir, name);

    if (status != PERP_OK) {
        return status;
    }
    table_start(&t, TABLE_AS_CSV, o.f, columns);
    for (size_t i = 0; i < s->count; i++) {
        if (!failures || !s->runs[i].solved) {
            table_row(&t, &s->runs[i]);
        }
    }
    return report_close(&o, table_end(&t, err), err);
}

static perp_status add_statistics(void *context, const stored_runs *s, const run_table *t,
                                  perp_error *err)
{
    solver_statistics *of = NULL;
    perp_status status = statistics_new(&of, t, err);

    (void)s;
    if (status == PERP_OK && t->instances.count) {
        statistics_rows(context, of, t->labels.count);
    }
    free(of);
    return status;
}

static perp_status write_summary_csv(const stored_runs *s, const char *dir,
                                     perp_error *err)
{
    perp_file_out o;
    table t;
    perp_status status = report_open(&o, err, "%s/tables/summary.csv", dir);

    if (status != PERP_OK) {
        return status;
    }
    table_start(&t, TABLE_AS_CSV, o.f, statistics_columns);
    status = runs_visit(s, NULL, add_statistics, &t, err);
    if (status == PERP_OK) {
        status = table_end(&t, err);
    }
    return report_close(&o, status, err);
}

static perp_status write_tex(void *context, const stored_runs *s, const run_table *t,
                             perp_error *err)
{
    const char *const *dir = context;
    char name[FILE_NAME];
    solver_statistics *of = NULL;
    perp_file_out o;
    perp_status status = PERP_OK;

    (void)s;
    if (t->instances.count == 0) {
        return PERP_OK;
    }
    run_table_file(name, "", t, NULL);
    status = report_open(&o, err, "%s/tables/%s.tex", *dir, name);
    if (status != PERP_OK) {
        return status;
    }
    status = statistics_new(&of, t, err);
    if (status == PERP_OK) {
        fprintf(o.f, "%% needs booktabs; shift of the mean: %.3g s\n", of->shift);
        status = print_statistics(o.f, TABLE_AS_TEX, of, t->labels.count, err);
    }
    free(of);
    return report_close(&o, status, err);
}

perp_status write_tables(const stored_runs *s, const char *dir, perp_error *err)
{
    perp_status status = report_folder(dir, "tables", err);

    if (status == PERP_OK) {
        status = write_runs(s, dir, "runs", run_columns, false, err);
    }
    if (status == PERP_OK) {
        status = write_summary_csv(s, dir, err);
    }
    if (status == PERP_OK) {
        status = write_runs(s, dir, "failures", failure_columns, true, err);
    }
    if (status == PERP_OK) {
        status = runs_visit(s, NULL, write_tex, &dir, err);
    }
    if (status == PERP_OK) {
        status = warm_tables(s, dir, err);
    }
    return status == PERP_OK ? coordinates_tables(s, dir, err) : status;
}
