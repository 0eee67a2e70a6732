/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/summary.c: the tables of all solvers, as files. */
#include <config.h>

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "coordinates.h"
#include "definition.h"
#include "files.h"
#include "summary.h"
#include "warm.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

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

static void set_text(const table_column *column, const void *row, FILE *f)
{
    (void)column;
    fputs(((const solver_statistics *)row)->table->set, f);
}

static double tolerance_of(const table_column *column, const void *row)
{
    (void)column;
    return ((const solver_statistics *)row)->table->tolerance;
}

#define AT(member) .offset = offsetof(solver_statistics, member)
static const table_column statistics_columns[] = {
    {.name = "set", .text = set_text},
    {.name = "tolerance", .real = tolerance_of},
    {.name = "solver", .heading = "solver", AT(label)},
    {.name = "problems", .type = TABLE_COUNT, AT(problems)},
    {.heading = "solved", .text = solved_text, .formats = TABLE_AS_TEXT | TABLE_AS_TEX},
    {.name = "solved",
     .heading = "solved",
     .type = TABLE_COUNT,
     AT(solved),
     .formats = TABLE_AS_CSV | TABLE_AS_HTML},
    {.name = "model_solved",
     .heading = "solved its model",
     .type = TABLE_COUNT,
     AT(model_solved),
     .formats = TABLE_AS_CSV | TABLE_AS_HTML},
    {.name = "won", .heading = "won", .type = TABLE_COUNT, AT(won)},
    {.name = "mean_seconds",
     .heading = "mean [s]",
     .format = "%.3g",
     .type = TABLE_REAL,
     AT(mean)},
    {.name = "ratio",
     .heading = "ratio",
     .format = "%.2f",
     .type = TABLE_REAL,
     AT(ratio)},
    {.name = "median_iterations",
     .heading = "iterations",
     .format = "%.0f",
     .type = TABLE_REAL,
     AT(median_iterations)},
    {.name = "worst_residual", .type = TABLE_REAL, AT(worst_residual)},
    {.name = "shift_seconds", .type = TABLE_REAL, AT(shift)},
    {.heading = "not solved",
     .text = failures_text,
     .formats = TABLE_AS_TEXT | TABLE_AS_TEX},
};
#undef AT

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

    table_start(&t, format, f, statistics_columns, LENGTH(statistics_columns));
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

static void ending_text(const table_column *column, const void *row, FILE *f)
{
    (void)column;
    fputs(run_ending(row), f);
}

#define AT(member) .offset = offsetof(stored_run, member)
static const table_column run_columns[] = {
    {.name = "set", AT(set)},
    {.name = "instance", AT(instance)},
    {.name = "solver", AT(label)},
    {.name = "formulation", AT(formulation)},
    {.name = "ending", .text = ending_text},
    {.name = "n", .type = TABLE_REAL, AT(n)},
    {.name = "contacts", .type = TABLE_REAL, AT(contacts)},
    {.name = "nonzeros", .type = TABLE_REAL, AT(nonzeros)},
    {.name = "tolerance", .type = TABLE_REAL, AT(tolerance)},
    {.name = "residual", .type = TABLE_REAL, AT(residual)},
    {.name = "model_residual", .type = TABLE_REAL, AT(model_residual)},
    {.name = "seconds", .type = TABLE_REAL, AT(seconds)},
    {.name = "iterations", .type = TABLE_REAL, AT(iterations)},
    {.name = "products", .type = TABLE_REAL, AT(products)},
    {.name = "reason", AT(reason)},
};

/* The failures by themselves, with the sentence that gives the reason. */
static const table_column failure_columns[] = {
    {.name = "set", AT(set)},
    {.name = "tolerance", .type = TABLE_REAL, AT(tolerance)},
    {.name = "instance", AT(instance)},
    {.name = "solver", AT(label)},
    {.name = "ending", .text = ending_text},
    {.name = "residual", .type = TABLE_REAL, AT(residual)},
    {.name = "reason", AT(reason)},
};
#undef AT

/* Every run, or every failure, as DIR/tables/NAME.csv. */
static perp_status write_runs(const stored_runs *s, const char *dir, const char *name,
                              const table_column *columns, size_t count, bool failures,
                              perp_error *err)
{
    perp_file_out o;
    table t;
    perp_status status = report_open(&o, err, "%s/tables/%s.csv", dir, name);

    if (status != PERP_OK) {
        return status;
    }
    table_start(&t, TABLE_AS_CSV, o.f, columns, count);
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
    table_start(&t, TABLE_AS_CSV, o.f, statistics_columns, LENGTH(statistics_columns));
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
        status = write_runs(s, dir, "runs", run_columns, LENGTH(run_columns), false, err);
    }
    if (status == PERP_OK) {
        status = write_summary_csv(s, dir, err);
    }
    if (status == PERP_OK) {
        status = write_runs(s, dir, "failures", failure_columns, LENGTH(failure_columns),
                            true, err);
    }
    if (status == PERP_OK) {
        status = runs_visit(s, NULL, write_tex, &dir, err);
    }
    if (status == PERP_OK) {
        status = warm_tables(s, dir, err);
    }
    return status == PERP_OK ? coordinates_tables(s, dir, err) : status;
}
