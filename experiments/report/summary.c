/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/summary.c: the tables of all solvers, as files. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"
#include "coordinates.h"
#include "definition.h"
#include "files.h"
#include "peers.h"
#include "race.h"
#include "statistics.h"
#include "summary.h"
#include "table_tex.h"
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

static double solved_number(const table_column *column, const void *row)
{
    (void)column;
    return (double)((const solver_statistics *)row)->solved;
}

static const table_column statistics_columns[] = {
    {TABLE_STRING_AT("set", NULL, solver_statistics, set)},
    {TABLE_REAL_AT("tolerance", NULL, NULL, solver_statistics, tolerance)},
    {TABLE_STRING_AT("solver", "solver", solver_statistics, label)},
    {TABLE_COUNT_AT("problems", NULL, solver_statistics, problems)},
    {.heading = "solved",
     .text = solved_text,
     .real = solved_number,
     .formats = TABLE_AS_TEXT | TABLE_AS_TEX,
     .best = TABLE_MOST},
    {TABLE_COUNT_AT("solved", "solved", solver_statistics, solved),
     .formats = TABLE_AS_CSV | TABLE_AS_HTML},
    {TABLE_COUNT_AT("model_solved", "solved its model", solver_statistics, model_solved),
     .formats = TABLE_AS_CSV | TABLE_AS_HTML},
    {TABLE_COUNT_AT("won", "won", solver_statistics, won), .best = TABLE_MOST},
    {TABLE_REAL_AT("mean_seconds", "mean [s]", "%.3g", solver_statistics, mean),
     .best = TABLE_LEAST},
    {TABLE_REAL_AT("ratio", "ratio", "%.2f", solver_statistics, ratio),
     .best = TABLE_LEAST},
    {TABLE_REAL_AT("median_iterations", "iterations", "%.0f", solver_statistics,
                   median_iterations)},
    {TABLE_REAL_AT("worst_residual", NULL, NULL, solver_statistics, worst_residual)},
    {TABLE_REAL_AT("shift_seconds", NULL, NULL, solver_statistics, shift)},
    {.heading = "not solved",
     .text = failures_text,
     .formats = TABLE_AS_TEXT | TABLE_AS_TEX,
     .note = true},
    TABLE_COLUMN_END,
};

static bool statistics_applies(const stored_runs *s, const run_table *t)
{
    (void)s;
    return t->instances.count > 0;
}

static perp_status statistics_caption(FILE *f, table_format format, const run_table *t,
                                      perp_error *err)
{
    const char *plural = t->instances.count == 1 ? "" : "s";
    solver_statistics *of = NULL;
    perp_status status = statistics_new(&of, t, err);

    if (status != PERP_OK) {
        return status;
    }
    if (format == TABLE_AS_TEXT) {
        fprintf(f, "%s: %zu problem%s, residual <= %g (shift %.2g s)\n", t->set,
                t->instances.count, plural, t->tolerance, of->shift);
    } else if (format == TABLE_AS_TEX) {
        fprintf(f, "The shift is %.2g s.", of->shift);
    } else {
        fprintf(f,
                "<h3><a href=\"#residual\">Residual</a> at most %g: %zu problem%s</h3>\n"
                "<p>Means are shifted by %.2g s; a failure counts with its time "
                "limit.</p>\n",
                t->tolerance, t->instances.count, plural, of->shift);
    }
    free(of);
    return PERP_OK;
}

static perp_status statistics_rows(table *out, const stored_runs *s, const run_table *t,
                                   perp_error *err)
{
    solver_statistics *of = NULL;
    perp_status status = statistics_new(&of, t, err);

    (void)s;
    for (size_t k = 0; status == PERP_OK && k < t->labels.count; k++) {
        table_row(out, &of[k]);
    }
    free(of);
    return status;
}

#define STATISTICS_LEGEND                                                                \
    "mean: shifted geometric mean of the seconds, a failure counted with its time "      \
    "limit;\nratio: to the best mean; iterations: median of the solved."

const report_section statistics_section = {
    .csv = "summary",
    .tex = "",
    .title = "Solvers",
    .explained = STATISTICS_LEGEND,
    .width = TABLE_TEX_COLUMN,
    .columns = statistics_columns,
    .applies = statistics_applies,
    .caption = statistics_caption,
    .rows = statistics_rows,
};

const report_section *const report_sections[] = {&statistics_section,
                                                 &warm_section,
                                                 &coordinates_section,
                                                 &race_section,
                                                 &peers_section,
                                                 &claims_section,
                                                 NULL};

perp_status write_summary(const stored_runs *s, const char *dir, perp_error *err)
{
    perp_file_out o;
    perp_status status = report_open(&o, err, "%s/summary.txt", dir);

    if (status != PERP_OK) {
        return status;
    }
    fprintf(o.f,
            "%zu run%s. solved: residual at most the tolerance, recomputed from the "
            "instance.\n" RESIDUAL_DEFINITION "\n" STATISTICS_LEGEND "\n\n",
            s->count, s->count == 1 ? "" : "s");
    for (size_t k = 0; report_sections[k] && status == PERP_OK; k++) {
        status = section_summary(report_sections[k], o.f, s, err);
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

perp_status write_tables(const stored_runs *s, const char *dir, bool tex, perp_error *err)
{
    perp_status status = report_folder(dir, "tables", err);

    if (status == PERP_OK) {
        status = write_runs(s, dir, "runs", run_columns, false, err);
    }
    if (status == PERP_OK) {
        status = write_runs(s, dir, "failures", failure_columns, true, err);
    }
    if (status == PERP_OK) {
        status = warm_steps(s, dir, err);
    }
    for (size_t k = 0; report_sections[k] && status == PERP_OK; k++) {
        status = section_csv(report_sections[k], dir, s, err);
    }
    for (size_t k = 0; tex && report_sections[k] && status == PERP_OK; k++) {
        status = section_tex(report_sections[k], dir, s, err);
    }
    return status;
}
