/* SPDX-License-Identifier: Apache-2.0
 * report/against_report.c: what has changed between two results: text and CSV. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "against.h"
#include "base/base.h"
#include "files.h"
#include "table.h"

enum { AGAINST_LISTED = 40 };

/* -- columns ------------------------------------------------------------------------------- */

static void verdict_text(const table_column *column, const void *row, FILE *f)
{
    (void)column;
    fputs(against_text(((const against_run *)row)->verdict), f);
}

static double seconds_of(const table_column *column, const void *row)
{
    const against_run *r = row;
    const stored_run *run = strcmp(column->key, "now") == 0 ? r->now : r->before;

    return run ? run->seconds : (double)NAN;
}

static double iterations_of(const table_column *column, const void *row)
{
    const against_run *r = row;
    const stored_run *run = strcmp(column->key, "now") == 0 ? r->now : r->before;

    return run ? run->iterations : (double)NAN;
}

#define HELP_RATIO                                                                       \
    "time now over time before, with its 95 % interval: of a run of the medians "        \
    "of its repeats, of a solver of the geometric means over the problems that both "    \
    "results solve. Ratios within 1.05 are no change"
#define HELP_UNSURE                                                                      \
    "too few repeats "                                                                   \
    "for so many runs to be sure"
#define AGAINST_LEGEND "ratio: " HELP_RATIO ". A question mark: " HELP_UNSURE "."

static const table_column run_columns[] = {
    {.name = "verdict",
     .heading = "",
     .text = verdict_text,
     .help = "what has changed: broke and healed: solved before and not now, or the "
             "other way round; slower and faster: beyond noise; new and gone: in one "
             "result only; a question mark: " HELP_UNSURE},
    {TABLE_STRING_AT("set", "set", against_run, set)},
    {TABLE_STRING_AT("instance", "instance", against_run, instance)},
    {TABLE_STRING_AT("solver", "solver", against_run, label)},
    {TABLE_REAL_AT("tolerance", "tolerance", "%g", against_run, tolerance)},
    {TABLE_STRING_AT("ending", "now", against_run, ending_now),
     .help = "how the run ends now"},
    {TABLE_STRING_AT("ending_before", "before", against_run, ending_before),
     .help = "how the run ended before"},
    {.name = "seconds",
     .key = "now",
     .heading = "time [s]",
     .format = "%.3g",
     .real = seconds_of},
    {.name = "seconds_before",
     .key = "before",
     .heading = "before [s]",
     .format = "%.3g",
     .real = seconds_of},
    {TABLE_REAL_AT("ratio", "ratio", "%.2f", against_run, ratio.value),
     .help = HELP_RATIO},
    {TABLE_REAL_AT("ratio_low", "from", "%.2f", against_run, ratio.low)},
    {TABLE_REAL_AT("ratio_high", "to", "%.2f", against_run, ratio.high)},
    {.name = "iterations", .key = "now", .real = iterations_of},
    {.name = "iterations_before", .key = "before", .real = iterations_of},
    TABLE_COLUMN_END,
};

static void solver_verdict_text(const table_column *column, const void *row, FILE *f)
{
    (void)column;
    fputs(against_text(((const against_solver *)row)->verdict), f);
}

static const table_column solver_columns[] = {
    {.heading = "", .text = solver_verdict_text},
    {TABLE_STRING_AT(NULL, "set", against_solver, set)},
    {TABLE_STRING_AT(NULL, "solver", against_solver, label)},
    {TABLE_REAL_AT(NULL, "tolerance", "%g", against_solver, tolerance)},
    {TABLE_COUNT_AT(NULL, "broke", against_solver, runs[AGAINST_BROKE])},
    {TABLE_COUNT_AT(NULL, "healed", against_solver, runs[AGAINST_HEALED])},
    {TABLE_COUNT_AT(NULL, "slower", against_solver, runs[AGAINST_SLOWER])},
    {TABLE_COUNT_AT(NULL, "faster", against_solver, runs[AGAINST_FASTER])},
    {TABLE_COUNT_AT(NULL, "both solve", against_solver, pairs)},
    {TABLE_REAL_AT(NULL, "ratio", "%.2f", against_solver, ratio.value)},
    {TABLE_REAL_AT(NULL, "from", "%.2f", against_solver, ratio.low)},
    {TABLE_REAL_AT(NULL, "to", "%.2f", against_solver, ratio.high)},
    TABLE_COLUMN_END,
};

/* -- tables -------------------------------------------------------------------------------- */

static bool solver_has_changed(const against_solver *s)
{
    return s->verdict != AGAINST_SAME ||
           s->runs[AGAINST_BROKE] + s->runs[AGAINST_HEALED] + s->runs[AGAINST_SLOWER] +
                   s->runs[AGAINST_FASTER] >
               0;
}

static size_t changed_runs(const against *a)
{
    return a->count - a->verdicts[AGAINST_SAME] - a->verdicts[AGAINST_NEW] -
           a->verdicts[AGAINST_GONE];
}

static size_t changed_solvers(const against *a)
{
    size_t count = 0;

    for (size_t k = 0; k < a->solver_count; k++) {
        count += solver_has_changed(&a->solvers[k]);
    }
    return count;
}

/* The runs that have changed, at most AGAINST_LISTED, what is worst first. */
static void print_runs(const against *a, FILE *f)
{
    static const against_verdict order[] = {
        AGAINST_BROKE,  AGAINST_SLOWER,         AGAINST_HEALED,
        AGAINST_FASTER, AGAINST_PERHAPS_SLOWER, AGAINST_PERHAPS_FASTER,
    };
    size_t count = 0;
    table t;

    table_start(&t, TABLE_AS_TEXT, f, run_columns);
    t.indent = 2;
    for (size_t v = 0; v < sizeof order / sizeof *order; v++) {
        for (size_t k = 0; k < a->count && count < AGAINST_LISTED; k++) {
            if (a->runs[k].verdict == order[v]) {
                table_row(&t, &a->runs[k]);
                count++;
            }
        }
    }
    table_end(&t);
}

static void print_solvers(const against *a, FILE *f)
{
    table t;

    table_start(&t, TABLE_AS_TEXT, f, solver_columns);
    t.indent = 2;
    for (size_t k = 0; k < a->solver_count; k++) {
        if (solver_has_changed(&a->solvers[k])) {
            table_row(&t, &a->solvers[k]);
        }
    }
    table_end(&t);
}

/* "against before: 120 runs in both: 2 broke, 1 slower; 3 new" */
static void print_counts(const against *a, FILE *f)
{
    static const against_verdict order[] = {
        AGAINST_BROKE,  AGAINST_SLOWER, AGAINST_PERHAPS_SLOWER,
        AGAINST_HEALED, AGAINST_FASTER, AGAINST_PERHAPS_FASTER,
        AGAINST_SAME,   AGAINST_NEW,    AGAINST_GONE,
    };
    size_t both = a->count - a->verdicts[AGAINST_NEW] - a->verdicts[AGAINST_GONE];
    size_t shown = 0;

    fprintf(f, "%zu run%s in both", both, both == 1 ? "" : "s");
    for (size_t v = 0; v < sizeof order / sizeof *order; v++) {
        if (a->verdicts[order[v]]) {
            fprintf(f, "%s %zu %s", shown++ ? "," : ":", a->verdicts[order[v]],
                    against_text(order[v]));
        }
    }
    if (a->slower_solvers) {
        fprintf(f, "; %zu solver%s slower", a->slower_solvers,
                a->slower_solvers == 1 ? "" : "s");
    }
}

/* -- formats ------------------------------------------------------------------------------- */

void against_print(const against *a, FILE *f)
{
    output_print(f, OUTPUT_PLAIN, "against %s: ", a->before);
    print_counts(a, f);
    fprintf(f, "\n%s%s%s", *a->differences ? "  " : "", a->differences,
            *a->differences ? "\n" : "");
    if (!a->times) {
        fputs("  times of different machines are not compared (--times does)\n", f);
    }
    if (changed_solvers(a)) {
        fputs("\n", f);
        print_solvers(a, f);
    }
    if (changed_runs(a)) {
        fputs("\n", f);
        print_runs(a, f);
        if (changed_runs(a) > AGAINST_LISTED) {
            fprintf(f, "  and %zu more in against.csv\n",
                    changed_runs(a) - AGAINST_LISTED);
        }
        fputs("\n" AGAINST_LEGEND "\n", f);
    }
}

perp_status against_write(const against *a, const char *dir, perp_error *err)
{
    perp_file_out o;
    table t;

    TRY(report_open(&o, err, "%s/against.csv", dir));
    table_start(&t, TABLE_AS_CSV, o.f, run_columns);
    for (size_t k = 0; k < a->count; k++) {
        table_row(&t, &a->runs[k]);
    }
    table_end(&t);
    return perp_file_commit(&o, err);
}

const char *against_column(size_t k, const char **text)
{
    size_t count = 0;

    for (const table_column *c = run_columns; c->name || c->heading; c++) {
        if (c->help && count++ == k) {
            *text = c->help;
            return c->name;
        }
    }
    return NULL;
}
