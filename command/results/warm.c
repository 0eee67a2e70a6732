/* SPDX-License-Identifier: Apache-2.0
 * command/results/warm.c: the effect of warm starts on sequences: in the summary, as CSV and
 * LaTeX, in the page and in a figure of every sequence. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "files.h"
#include "warm.h"

/* One step as it is stored. */
typedef struct step_record {
    const char *set, *sequence, *solver, *policy;
    double tolerance;
    size_t index;
    bool solved;
    double iterations, seconds, residual; /* NAN where there is none */
    const char *outcome;
} step_record;

static double real_at(const json_t *steps, const char *key, size_t i)
{
    const json_t *value = json_array_get(json_object_get(steps, key), i);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Step i; a run without steps (a crash, a limit) failed in each. */
static step_record step_at(const stored_run *run, size_t i)
{
    const json_t *steps = json_object_get(run->json, "steps");
    const char *outcome =
        json_string_value(json_array_get(json_object_get(steps, "outcome"), i));
    bool solved = json_is_true(json_array_get(json_object_get(steps, "solved"), i));

    return (step_record){.set = run->set,
                         .sequence = run->instance,
                         .solver = run->solver_label,
                         .policy = run->policy,
                         .tolerance = run->tolerance,
                         .index = i,
                         .solved = solved,
                         .iterations = real_at(steps, "iterations", i),
                         .seconds = real_at(steps, "seconds", i),
                         .residual = real_at(steps, "residual", i),
                         .outcome = solved    ? "solved"
                                    : outcome ? outcome
                                              : run_ending(run)};
}

/* A solver with one policy, over all sequences of a set at a tolerance. */
typedef struct warm_row {
    const char *set;
    double tolerance;
    const char *label, *policy;
    size_t sequences, steps, failed; /* that the solver takes */
    size_t inapplicable;             /* sequences that it does not take */
    size_t compared, hurt; /* with cold: steps that both solved, steps that it hurt */
    double iterations, seconds; /* of those; of the policy cold: of the solved */
    double cold_iterations, cold_seconds; /* of cold on those */
} warm_row;

typedef struct warm_list {
    warm_row *rows;
    size_t count, room;
} warm_list;

static bool is_here(const stored_run *run, const char *set, double tolerance)
{
    return *run->policy && strcmp(run->set, set) == 0 && run->tolerance == tolerance;
}

const stored_run *warm_cold_of(const stored_runs *s, const stored_run *run)
{
    for (size_t i = 0; i < s->count; i++) {
        const stored_run *other = &s->runs[i];

        if (is_here(other, run->set, run->tolerance) &&
            strcmp(other->policy, "cold") == 0 &&
            strcmp(other->instance, run->instance) == 0 &&
            strcmp(other->solver_label, run->solver_label) == 0) {
            return other;
        }
    }
    return NULL;
}

static void add_run(warm_row *row, const stored_run *run, const stored_run *cold)
{
    if (!run->applicable) {
        row->inapplicable++;
        return;
    }
    row->sequences++;
    row->steps += run->steps;
    for (size_t i = 0; i < run->steps; i++) {
        step_record mine = step_at(run, i);
        step_record base = {.solved = false};

        if (cold) {
            base = step_at(cold, i);
        }
        row->failed += !mine.solved;
        row->hurt += base.solved && (!mine.solved || mine.iterations > base.iterations);
        if (base.solved && mine.solved) {
            row->compared++;
            row->iterations += mine.iterations;
            row->seconds += mine.seconds;
            row->cold_iterations += base.iterations;
            row->cold_seconds += base.seconds;
        }
    }
}

static warm_row *row_of(warm_list *list, const stored_run *run)
{
    for (size_t k = 0; k < list->count; k++) {
        if (strcmp(list->rows[k].label, run->solver_label) == 0 &&
            strcmp(list->rows[k].policy, run->policy) == 0) {
            return &list->rows[k];
        }
    }
    TAKE_ROOM(list->rows, list->room, list->count + 1);
    list->rows[list->count] = (warm_row){.set = run->set,
                                         .tolerance = run->tolerance,
                                         .label = run->solver_label,
                                         .policy = run->policy};
    return &list->rows[list->count++];
}

/* list->rows is to be freed by the caller. */
static void warm_rows(warm_list *list, const stored_runs *s, const run_table *of)
{
    *list = (warm_list){.rows = NULL};
    for (size_t i = 0; i < s->count; i++) {
        const stored_run *run = &s->runs[i];

        if (is_here(run, of->set, of->tolerance)) {
            warm_row *row = row_of(list, run);

            add_run(row, run, warm_cold_of(s, run));
        }
    }
}

/* Share saved of what cold needed, in per cent; NAN where there is nothing to compare. */
static double saved(double own, double cold)
{
    return cold > 0.0 ? 100.0 * (1.0 - own / cold) : NAN;
}

static double iterations_saved(const table_column *column, const void *row)
{
    const warm_row *r = row;

    (void)column;
    return saved(r->iterations, r->cold_iterations);
}

static double seconds_saved(const table_column *column, const void *row)
{
    const warm_row *r = row;

    (void)column;
    return saved(r->seconds, r->cold_seconds);
}

/* Of the policy cold itself there is nothing to compare: a dash. */
static double unless_cold(const warm_row *r, double x)
{
    return strcmp(r->policy, "cold") == 0 ? NAN : x;
}

static double compared_iterations(const table_column *column, const void *row)
{
    const warm_row *r = row;

    (void)column;
    return unless_cold(r, r->cold_iterations);
}

static double compared_iterations_saved(const table_column *column, const void *row)
{
    return unless_cold(row, iterations_saved(column, row));
}

static double compared_seconds_saved(const table_column *column, const void *row)
{
    return unless_cold(row, seconds_saved(column, row));
}

static double compared_hurt(const table_column *column, const void *row)
{
    const warm_row *r = row;

    (void)column;
    return unless_cold(r, (double)r->hurt);
}

static const table_column warm_columns[] = {
    {TABLE_STRING_AT("set", NULL, warm_row, set)},
    {TABLE_REAL_AT("tolerance", NULL, NULL, warm_row, tolerance)},
    {TABLE_STRING_AT("solver", "solver", warm_row, label)},
    {TABLE_STRING_AT("policy", "policy", warm_row, policy)},
    {TABLE_COUNT_AT("sequences", "sequences", warm_row, sequences),
     .formats = TABLE_AS_CSV},
    {TABLE_COUNT_AT("steps", "steps", warm_row, steps)},
    {TABLE_COUNT_AT("failed", "failed", warm_row, failed)},
    {TABLE_COUNT_AT("compared", NULL, warm_row, compared)},
    {TABLE_REAL_AT("iterations", "iterations", "%.0f", warm_row, iterations)},
    {TABLE_REAL_AT("cold_iterations", NULL, NULL, warm_row, cold_iterations)},
    {.heading = "of cold", .format = "%.0f", .real = compared_iterations},
    {.name = "iterations_saved_percent", .real = iterations_saved},
    {.heading = "saved [%]", .format = "%.1f", .real = compared_iterations_saved},
    {TABLE_REAL_AT("seconds", "time [s]", "%.3g", warm_row, seconds)},
    {TABLE_REAL_AT("cold_seconds", NULL, NULL, warm_row, cold_seconds)},
    {.name = "seconds_saved_percent", .real = seconds_saved},
    {.heading = "saved [%]", .format = "%.1f", .real = compared_seconds_saved},
    {TABLE_COUNT_AT("hurt", NULL, warm_row, hurt)},
    {.heading = "slower", .format = "%.0f", .real = compared_hurt},
    {TABLE_COUNT_AT("not_applicable", "not applicable", warm_row, inapplicable),
     .formats = TABLE_AS_CSV | TABLE_AS_TEXT},
    TABLE_COLUMN_END,
};

static bool warm_applies(const stored_runs *s, const run_table *t)
{
    for (size_t i = 0; i < s->count; i++) {
        if (is_here(&s->runs[i], t->set, t->tolerance)) {
            return true;
        }
    }
    return false;
}

#define WARM_LEGEND                                                                      \
    "Sequences, step by step against the cold start of the same solver: iterations and " \
    "time\nover the steps that both solved; slower: steps that took more iterations "    \
    "than "                                                                              \
    "cold, or\nfailed where cold solved; not applicable: sequences that the solver "     \
    "does not take."

static void warm_add(table *out, const stored_runs *s, const run_table *t)
{
    warm_list list;

    warm_rows(&list, s, t);
    for (size_t k = 0; k < list.count; k++) {
        table_row(out, &list.rows[k]);
    }
    free(list.rows);
}

const report_section warm_section = {
    .csv = "warm",
    .tex = "warm",
    .title = "Warm starts",
    .subject = "warm starts",
    .explained = WARM_LEGEND,
    .legend = WARM_LEGEND "\n\n",
    .columns = warm_columns,
    .applies = warm_applies,
    .rows = warm_add,
};

static const table_column step_columns[] = {
    {TABLE_STRING_AT("set", NULL, step_record, set)},
    {TABLE_REAL_AT("tolerance", NULL, NULL, step_record, tolerance)},
    {TABLE_STRING_AT("sequence", NULL, step_record, sequence)},
    {TABLE_STRING_AT("solver", NULL, step_record, solver)},
    {TABLE_STRING_AT("policy", NULL, step_record, policy)},
    {TABLE_COUNT_AT("step", NULL, step_record, index)},
    {TABLE_STRING_AT("ending", NULL, step_record, outcome)},
    {TABLE_REAL_AT("iterations", NULL, NULL, step_record, iterations)},
    {TABLE_REAL_AT("seconds", NULL, NULL, step_record, seconds)},
    {TABLE_REAL_AT("residual", NULL, NULL, step_record, residual)},
    TABLE_COLUMN_END,
};

perp_status warm_steps(const stored_runs *s, const char *dir, perp_error *err)
{
    perp_file_out o;
    table t;
    size_t count = 0;

    for (size_t k = 0; k < s->count; k++) {
        count += *s->runs[k].policy != '\0';
    }
    if (count == 0) {
        return PERP_OK;
    }
    TRY(report_open(&o, err, "%s/tables/steps.csv", dir));
    table_start(&t, TABLE_AS_CSV, o.f, step_columns);
    for (size_t k = 0; k < s->count; k++) {
        for (size_t i = 0; i < s->runs[k].steps; i++) {
            const step_record step = step_at(&s->runs[k], i);

            table_row(&t, &step);
        }
    }
    table_end(&t);
    return perp_file_commit(&o, err);
}

bool warm_step(const stored_run *run, size_t i, double *iterations)
{
    const step_record step = step_at(run, i);

    *iterations = step.iterations;
    return step.solved;
}
