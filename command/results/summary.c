/* SPDX-License-Identifier: Apache-2.0
 * command/results/summary.c: the tables of all solvers, as files. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "claims.h"
#include "command/cli/take.h"
#include "coordinates.h"
#include "definition.h"
#include "fields.h"
#include "files.h"
#include "noise.h"
#include "pairs.h"
#include "peers.h"
#include "race.h"
#include "remarks.h"
#include "statistics.h"
#include "summary.h"
#include "table_tex.h"
#include "warm.h"

/* How a run of a solver that takes its problem ended; NULL for another problem. */
static const char *ending_of(const solver_statistics *of, size_t i)
{
    const stored_run *run = run_at(of->table, i, of->column);

    return run_takes(run) ? run_ending(run) : NULL;
}

/* " (x1.1 to x9.1)": by how much the runs that end so miss the tolerance. */
static void failures_missed(const solver_statistics *of, FILE *f)
{
    double least = INFINITY, most = 0.0;

    for (size_t i = 0; i < of->problems; i++) {
        const char *ending = ending_of(of, i);

        if (ending && strcmp(ending, RUN_MISSED) == 0) {
            double missed = run_missed(run_at(of->table, i, of->column));

            least = fmin(least, missed);
            most = fmax(most, missed);
        }
    }
    fprintf(f, least < most ? " (x%.2g to x%.2g)" : " (x%.2g)", least, most);
}

/* "3 time limit, 1 crash: signal 11": how the runs of a solver that failed ended. */
static void failures_text(const table_column *column, const void *row, FILE *f)
{
    const solver_statistics *of = row;
    bool first = true;

    (void)column;
    for (size_t i = 0; i < of->problems; i++) {
        const char *ending = ending_of(of, i);
        size_t count = 0;
        bool seen = !ending || strcmp(ending, "solved") == 0;

        for (size_t j = 0; j < of->problems && !seen; j++) {
            const char *other = ending_of(of, j);
            bool same = other && strcmp(other, ending) == 0;

            seen = same && j < i;
            count += same;
        }
        if (!seen) {
            fprintf(f, "%s%zu %s", first ? "" : ", ", count, ending);
            if (strcmp(ending, RUN_MISSED) == 0) {
                failures_missed(of, f);
            }
            first = false;
        }
    }
}

static void solved_text(const table_column *column, const void *row, FILE *f)
{
    const solver_statistics *of = row;

    (void)column;
    fprintf(f, "%zu/%zu", of->solved, of->taken);
}

/* Two digits, whole numbers where they are large. */
static void print_end(FILE *f, double x)
{
    fprintf(f, x < 100.0 ? "%.2g" : "%.0f", x);
}

/* "0.8 to 1.3": the interval at `offset`. */
static void interval_text(const table_column *column, const void *row, FILE *f)
{
    const bootstrap_interval *x = (const void *)((const char *)row + column->offset);

    if (isfinite(x->low) && isfinite(x->high)) {
        print_end(f, x->low);
        fputs(" to ", f);
        print_end(f, x->high);
    }
}

static void law_text(const table_column *column, const void *row, FILE *f)
{
    char text[RUN_LAW_TEXT];
    const char *law = run_table_law(((const solver_statistics *)row)->table, text);

    (void)column;
    fputs(*law ? law + strlen(", ") : law, f);
}

static double solved_number(const table_column *column, const void *row)
{
    (void)column;
    return (double)((const solver_statistics *)row)->solved;
}

/* What columns mean, in text and in the page; a line of the text ends where it is broken here. */
#define HELP_SOLVED                                                                      \
    "of the problems that the solver takes; the others are not applicable and count\n"   \
    "nowhere else"
#define HELP_FASTEST "problems on which no solver is faster by more than 5 %"
#define HELP_MEAN                                                                        \
    "shifted\ngeometric mean of the seconds, a failure counted with its time limit"
#define HELP_RATIO                                                                       \
    "of the mean to that\nof the best solver, over the problems that both take; best "   \
    "is the least mean of those that\ntake the most problems"
#define HELP_INTERVAL "bootstrap interval, over the problems"
#define HELP_VERDICT                                                                     \
    "slower or faster\nthan the best where Wilcoxon's signed-rank test says so (5 %, "   \
    "corrected after Holm), tie up to 5 %,\nelse unclear"
#define HELP_ITERATIONS "median of the solved"

#define STATISTICS_LEGEND                                                                \
    "solved: " HELP_SOLVED ". fastest: " HELP_FASTEST ". mean: " HELP_MEAN               \
    ". ratio: " HELP_RATIO ". 95 %: " HELP_INTERVAL ". verdict: " HELP_VERDICT           \
    ". iterations: " HELP_ITERATIONS "."

static const table_column statistics_columns[] = {
    {TABLE_STRING_AT("set", NULL, solver_statistics, set)},
    {TABLE_REAL_AT("tolerance", NULL, NULL, solver_statistics, tolerance)},
    {.name = "law", .text = law_text, .help = "friction law of the problems of the set"},
    {TABLE_STRING_AT("solver", "solver", solver_statistics, label),
     .help = "label of the solver in the suite, with its options"},
    {TABLE_COUNT_AT("problems", NULL, solver_statistics, problems),
     .help = "problems of the set"},
    {.heading = "solved",
     .text = solved_text,
     .real = solved_number,
     .formats = TABLE_AS_TEXT | TABLE_AS_TEX,
     .best = TABLE_MOST},
    {TABLE_COUNT_AT("taken", "applicable", solver_statistics, taken),
     .formats = TABLE_AS_CSV, .help = "problems that the solver takes"},
    {TABLE_COUNT_AT("solved", "solved", solver_statistics, solved),
     .formats = TABLE_AS_CSV, .help = HELP_SOLVED},
    {TABLE_COUNT_AT("not_applicable", "not applicable", solver_statistics, inapplicable),
     .formats = TABLE_AS_TEXT | TABLE_AS_CSV,
     .help = "problems that the solver does not take; they are no failures"},
    {TABLE_COUNT_AT("approximation_solved", "solved its approximation", solver_statistics,
                    approximated),
     .formats = TABLE_AS_CSV,
     .help = "solved, or solved in the formulation that was asked for"},
    {TABLE_COUNT_AT("fastest", "fastest", solver_statistics, fastest),
     .formats = TABLE_AS_TEXT | TABLE_AS_CSV, .help = HELP_FASTEST},
    {TABLE_REAL_AT("mean_seconds", "mean [s]", "%.3g", solver_statistics, mean.value),
     .formats = TABLE_AS_TEXT | TABLE_AS_CSV, .help = HELP_MEAN},
    {.heading = "95 %",
     .text = interval_text,
     .offset = offsetof(solver_statistics, mean),
     .formats = TABLE_AS_TEXT},
    {TABLE_REAL_AT("mean_low", NULL, NULL, solver_statistics, mean.low),
     .help = "lower end of the 95 % " HELP_INTERVAL},
    {TABLE_REAL_AT("mean_high", NULL, NULL, solver_statistics, mean.high),
     .help = "upper end of the 95 % " HELP_INTERVAL},
    {TABLE_COUNT_AT("common", NULL, solver_statistics, common),
     .help = "problems that this solver and the best one take"},
    {TABLE_REAL_AT("ratio", "ratio", "%.2f", solver_statistics, ratio.value),
     .best = TABLE_LEAST, .help = HELP_RATIO},
    {.heading = "95 %",
     .text = interval_text,
     .offset = offsetof(solver_statistics, ratio),
     .formats = TABLE_AS_TEXT | TABLE_AS_TEX},
    {TABLE_REAL_AT("ratio_low", NULL, NULL, solver_statistics, ratio.low),
     .help = "lower end of the 95 % " HELP_INTERVAL},
    {TABLE_REAL_AT("ratio_high", NULL, NULL, solver_statistics, ratio.high),
     .help = "upper end of the 95 % " HELP_INTERVAL},
    {TABLE_REAL_AT("p_value", NULL, NULL, solver_statistics, p),
     .help = "probability of such ranks without a difference: Wilcoxon's signed-rank "
             "test against the best, corrected after Holm"},
    {TABLE_STRING_AT("verdict", "verdict", solver_statistics, verdict),
     .help = HELP_VERDICT},
    {TABLE_REAL_AT("median_iterations", "iterations", "%.0f", solver_statistics,
                   median_iterations),
     .formats = TABLE_AS_TEXT | TABLE_AS_CSV, .help = HELP_ITERATIONS},
    {TABLE_REAL_AT("worst_residual", NULL, NULL, solver_statistics, worst_residual),
     .help = "largest residual of the runs"},
    {TABLE_REAL_AT("shift_seconds", NULL, NULL, solver_statistics, shift),
     .help = "shift of the mean: ten times the least median time of a solver"},
    {.heading = "not solved",
     .text = failures_text,
     .formats = TABLE_AS_TEXT | TABLE_AS_TEX,
     .note = true},
    TABLE_COLUMN_END,
};

/* The same of the columns that LaTeX has. */
#define STATISTICS_NOTES                                                                 \
    "solved: of the problems that the solver takes. ratio: of the shifted geometric "    \
    "means of the seconds, a failure counted with its time limit, over the problems "    \
    "that both take; a dash where nothing is solved. 95 %: bootstrap interval. "         \
    "verdict: "                                                                          \
    "slower or faster where Wilcoxon's signed-rank test says so (5 %, corrected after "  \
    "Holm), tie up to 5 %, else unclear."

static bool statistics_applies(const stored_runs *s, const run_table *t)
{
    (void)s;
    return t->instances.count > 0;
}

/* Of LaTeX: what ratios are to. */
static void statistics_reference(FILE *f, const run_table *t)
{
    solver_statistics *of = statistics_new(t);

    for (size_t k = 0; k < t->labels.count; k++) {
        bool reference = strcmp(of[k].verdict, "reference") == 0;

        if (reference || strcmp(of[k].verdict, "best") == 0) {
            output_print(f, OUTPUT_PLAIN,
                         "Ratios and verdicts are against %s%s, with a mean of %.3g s "
                         "and a shift of %.2g s.",
                         reference ? "" : "the best, ", of[k].label, of[k].mean.value,
                         of[k].shift);
        }
    }
    free(of);
}

static void statistics_caption(FILE *f, table_format format, const run_table *t)
{
    if (format == TABLE_AS_TEX) {
        statistics_reference(f, t);
    } else {
        output_print(f, OUTPUT_PLAIN, " (shift %.2g s)%s%s", statistics_shift(t),
                     run_table_has_reference(t) ? ", against " : "",
                     run_table_has_reference(t) ? t->against : "");
    }
}

static void statistics_rows(table *out, const stored_runs *s, const run_table *t)
{
    solver_statistics *of = statistics_new(t);

    (void)s;
    for (size_t k = 0; k < t->labels.count; k++) {
        table_row(out, &of[k]);
    }
    free(of);
}

const report_section statistics_section = {
    .csv = "summary",
    .tex = "",
    .title = "Solvers",
    .explained = STATISTICS_NOTES,
    .width = TABLE_TEX_COLUMN,
    .columns = statistics_columns,
    .applies = statistics_applies,
    .caption = statistics_caption,
    .after = pairs_print,
    .rows = statistics_rows,
};

const report_section *const report_sections[] = {&statistics_section,
                                                 &warm_section,
                                                 &coordinates_section,
                                                 &race_section,
                                                 &peers_section,
                                                 &claims_section,
                                                 NULL};

/* What a terminal has room for. */
static const table_column ranking_columns[] = {
    {TABLE_STRING_AT("solver", "solver", solver_statistics, label)},
    {.heading = "solved", .text = solved_text, .real = solved_number},
    {TABLE_REAL_AT("mean_seconds", "mean [s]", "%.3g", solver_statistics, mean.value)},
    {TABLE_REAL_AT("ratio", "ratio", "%.2f", solver_statistics, ratio.value)},
    {TABLE_STRING_AT("verdict", "verdict", solver_statistics, verdict)},
    TABLE_COLUMN_END,
};

/* The least ratio first; a solver without one is last. */
static int ranking_order(const void *left, const void *right)
{
    const solver_statistics *a = left, *b = right;

    if (isnan(a->ratio.value) || isnan(b->ratio.value)) {
        return isnan(a->ratio.value) - isnan(b->ratio.value);
    }
    return (a->ratio.value > b->ratio.value) - (a->ratio.value < b->ratio.value);
}

static void ranking_rows(table *out, const stored_runs *s, const run_table *t)
{
    solver_statistics *of = statistics_new(t);

    (void)s;
    qsort(of, t->labels.count, sizeof *of, ranking_order);
    for (size_t k = 0; k < t->labels.count; k++) {
        table_row(out, &of[k]);
    }
    free(of);
}

static const report_section ranking_section = {
    .columns = ranking_columns, .applies = statistics_applies, .rows = ranking_rows};

perp_status summary_ranking(FILE *f, const stored_runs *s, perp_error *err)
{
    return section_summary(&ranking_section, f, s, err);
}

perp_status write_summary(const stored_runs *s, const contradictions *found,
                          const char *dir, perp_error *err)
{
    perp_file_out o;
    perp_status status = PERP_OK;

    TRY(report_open(&o, err, "%s/summary.txt", dir));
    fprintf(o.f,
            "%zu run%s. solved: residual at most the tolerance, recomputed from the "
            "instance.\n" RESIDUAL_DEFINITION "\n%s\n",
            s->count, s->count == 1 ? "" : "s", STATISTICS_LEGEND);
    noise_print(o.f, "Warning: ", s);
    fputs("\n", o.f);
    contradictions_summary(o.f, found);
    remarks_summary(o.f, s);
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
    {TABLE_STRING_AT("law", NULL, stored_run, law)},
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

/* The value of a parameter that varies, in SI units. */
static void varied_text(const table_column *column, const void *row, FILE *f)
{
    char text[FIELD_TEXT];

    fputs(run_field_text(row, column->key, text), f);
}

/* The heading of its column: "vary.n" where "n" is that of another one. */
static const char *varied_name(const char *name)
{
    static const char *const taken[] = {"vary.n", "vary.contacts", "vary.friction",
                                        "vary.tolerance"};

    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++) {
        if (strcmp(taken[k] + strlen("vary."), name) == 0) {
            return taken[k];
        }
    }
    return name;
}

/* `columns`, then one of each parameter that varies; on the heap. */
static table_column *columns_with_varied(const table_column *columns,
                                         const name_list *varied)
{
    table_column *all = NULL;
    size_t count = 0;

    while (columns[count].name) {
        count++;
    }
    all = take(count + varied->count + 1, sizeof *all);
    memcpy(all, columns, count * sizeof *all);
    for (size_t k = 0; k < varied->count; k++) {
        all[count + k] = (table_column){.name = varied_name(varied->names[k]),
                                        .text = varied_text,
                                        .key = varied->names[k]};
    }
    return all;
}

/* Every run, or every failure, as DIR/tables/NAME.csv. */
static perp_status write_runs(const stored_runs *s, const char *dir, const char *name,
                              const table_column *columns, bool failures, perp_error *err)
{
    perp_file_out o;
    table t;
    table_column *all = NULL;
    name_list varied;
    perp_status status = PERP_OK;

    varied_fields(s, &varied);
    all = columns_with_varied(columns, &varied);
    name_list_clear(&varied);
    status = report_open(&o, err, "%s/tables/%s.csv", dir, name);
    if (status != PERP_OK) {
        free(all);
        return status;
    }
    table_start(&t, TABLE_AS_CSV, o.f, all);
    for (size_t i = 0; i < s->count; i++) {
        if (!failures || (s->runs[i].applicable && !s->runs[i].solved)) {
            table_row(&t, &s->runs[i]);
        }
    }
    table_end(&t);
    status = perp_file_commit(&o, err);
    free(all);
    return status;
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
    if (status == PERP_OK) {
        status = section_csv(&pairs_section, dir, s, err);
    }
    for (size_t k = 0; tex && report_sections[k] && status == PERP_OK; k++) {
        status = section_tex(report_sections[k], dir, s, err);
    }
    return status;
}
