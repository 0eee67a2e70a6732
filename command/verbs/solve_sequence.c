/* SPDX-License-Identifier: Apache-2.0
 * verbs/solve_sequence.c: solve a sequence with one solver and one warm-start policy, and print
 * every step. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "command/campaign/call.h"
#include "command/campaign/policies.h"
#include "command/cli/answer.h"
#include "command/cli/plugin.h"
#include "command/cli/take.h"
#include "command/results/table.h"
#include "command/verbs/verbs.h"

/* A step as a row of the table. */
typedef struct sequence_row {
    size_t index;
    double t;
    size_t rows, matched, blocks, iterations;
    double residual, seconds;
    const char *outcome;
} sequence_row;

/* A sequence being solved, and the sums so far. */
typedef struct sequence_job {
    const cli_args *args;
    perp_sequence *sequence;
    policies_request orders;
    perp_options opt;
    json_t *steps;
    table table;
    size_t done, solved, iterations;
    double seconds;
    double residual, residual_given; /* the largest: as asked, as given */
    perp_work work;
    perp_foreign foreign; /* of the last step; wall_seconds and seconds are sums */
    size_t false_claims, missed_claims;
    bool tables, answers; /* what is collected: rows to print, objects */
    char outcome[32];     /* "solved", or that of the first step that was not */
    char reason[300];     /* of that step */
} sequence_job;

/* A step as one object; z for compare and for the file. */
static void sequence_json_step(sequence_job *job, const policies_step *step)
{
    const perp_result *r = step->result;
    json_t *o = json_pack(
        "{s:o, s:I, s:I, s:I, s:s, s:s, s:o, s:o, s:I, s:o, s:o, s:o}", "t",
        answer_real(step->t), "n", (json_int_t)step->problem->n, "blocks",
        (json_int_t)step->blocks, "matched", (json_int_t)step->matched, "outcome",
        perp_outcome_text(r->outcome), "reason", r->reason, "residual",
        answer_real(r->residual), "residual_given", answer_real(r->residual_given),
        "iterations", (json_int_t)r->iterations, "work", answer_work(&r->work), "seconds",
        answer_real(step->seconds), "z", answer_vector(r->z, step->problem->n));

    if (r->foreign.ran) {
        answer_add(o, "foreign", answer_foreign(&r->foreign));
    }
    json_array_append_new(job->steps, o);
}

static void sequence_matched(const table_column *column, const void *row, FILE *f)
{
    const sequence_row *r = row;

    (void)column;
    fprintf(f, "%zu/%zu", r->matched, r->blocks);
}

static void sequence_time(const table_column *column, const void *row, FILE *f)
{
    (void)column;
    fputs(output_seconds(OUTPUT_ROOM, ((const sequence_row *)row)->seconds), f);
}

static const table_column sequence_columns[] = {
    {TABLE_COUNT_AT(NULL, "step", sequence_row, index)},
    {TABLE_REAL_AT(NULL, "t", "%g", sequence_row, t)},
    {TABLE_COUNT_AT(NULL, "rows", sequence_row, rows)},
    {.heading = "matched", .text = sequence_matched},
    {TABLE_COUNT_AT(NULL, "iterations", sequence_row, iterations)},
    {TABLE_REAL_AT(NULL, "residual", NULL, sequence_row, residual)},
    {.heading = "time", .text = sequence_time},
    {TABLE_STRING_AT(NULL, "outcome", sequence_row, outcome)},
    TABLE_COLUMN_END,
};

static void sequence_add_row(sequence_job *job, const policies_step *step)
{
    const perp_result *r = step->result;
    const sequence_row row = {.index = step->index,
                              .t = step->t,
                              .rows = step->problem->n,
                              .matched = step->matched,
                              .blocks = step->blocks,
                              .iterations = r->iterations,
                              .residual = r->residual,
                              .seconds = step->seconds,
                              .outcome = perp_outcome_text(r->outcome)};

    table_row(&job->table, &row);
}

static void sequence_add_foreign(sequence_job *job, const perp_foreign *foreign)
{
    double seconds = job->foreign.seconds, wall = job->foreign.wall_seconds;

    if (foreign->ran) {
        job->foreign = *foreign;
        job->foreign.seconds += seconds;
        job->foreign.wall_seconds += wall;
        job->false_claims += foreign->false_claim;
        job->missed_claims += foreign->missed > 0.0 && !foreign->false_claim;
    }
}

static perp_status sequence_add_step(void *context, const policies_step *step,
                                     perp_error *err)
{
    sequence_job *job = context;
    const perp_result *r = step->result;

    (void)err;
    job->done++;
    job->solved += r->outcome == PERP_SOLVED;
    job->iterations += r->iterations;
    job->seconds += step->seconds;
    job->residual = fmax(job->residual, r->residual);
    job->residual_given = fmax(job->residual_given, r->residual_given);
    perp_work_add(&job->work, &r->work);
    sequence_add_foreign(job, &r->foreign);
    if (r->outcome != PERP_SOLVED && job->done == job->solved + 1) { /* the first */
        snprintf(job->outcome, sizeof job->outcome, "%s", perp_outcome_text(r->outcome));
        snprintf(job->reason, sizeof job->reason, "step %zu: %s", step->index, r->reason);
    }
    if (job->tables) {
        sequence_add_row(job, step);
    }
    if (job->answers) {
        sequence_json_step(job, step);
    }
    return PERP_OK;
}

/* The sums of another code, with the number of false claims. */
static json_t *sequence_foreign(const sequence_job *job)
{
    json_t *foreign = answer_foreign(&job->foreign);

    if (json_is_object(foreign)) {
        answer_add(foreign, "false_claims", json_integer((json_int_t)job->false_claims));
        answer_add(foreign, "missed_claims",
                   json_integer((json_int_t)job->missed_claims));
        answer_add(foreign, "false_claim", json_boolean(job->false_claims > 0));
    }
    return foreign;
}

static json_t *sequence_json(const sequence_job *job)
{
    char name[PERP_SOLVER_NAME_LENGTH];
    json_t *o = NULL;

    perp_solver_print(job->orders.type, &job->opt, name, sizeof name);
    o = json_pack(
        "{s:s, s:s, s:s, s:I, s:s, s:o, s:s, s:o, s:s, s:s, s:I, s:I, s:o, s:o, s:o, "
        "s:o, s:O}",
        "schema", "perp-answer/1", "status", perp_status_text(PERP_OK), "sequence",
        perp_sequence_name(job->sequence), "count",
        (json_int_t)perp_sequence_count(job->sequence), "solver", name, "options",
        answer_options(&job->opt), "policy", policy_name(job->orders.policy), "noise",
        answer_real(job->orders.noise), "outcome", job->outcome, "reason", job->reason,
        "solved", (json_int_t)job->solved, "iterations", (json_int_t)job->iterations,
        "seconds", answer_real(job->seconds), "residual", answer_real(job->residual),
        "residual_given", answer_real(job->residual_given), "work",
        answer_work(&job->work), "steps", job->steps);
    if (job->foreign.ran) {
        answer_add(o, "foreign", sequence_foreign(job));
    }
    return o;
}

static perp_status sequence_read_options(sequence_job *job, const char *solver,
                                         perp_error *err)
{
    const cli_args *args = job->args;
    policies_request *orders = &job->orders;
    const char *policy = cli_args_value(args, "warm-start");
    double repeats = 1.0;
    perp_status status = PERP_OK;

    policy = policy ? policy : "warm";
    status = plugin_parse(solver, &orders->type, &job->opt, err);
    if (status == PERP_OK) {
        status = cli_args_set_options(args, &job->opt, solver, err);
    }
    if (status == PERP_OK) {
        status = cli_args_number(args, "noise", 0.01, 0.0, 1e6, &orders->noise, err);
    }
    if (status == PERP_OK) {
        status = cli_args_whole(args, "repeat", 1, 1, 1000, &repeats, err);
    }
    if (status == PERP_OK) {
        status = verb_request(args, args->word[0], &orders->item, err);
        verb_formulate(args, &job->opt, &orders->item);
    }
    policy_find(policy, &orders->policy);
    orders->repeats = (size_t)repeats;
    return status;
}

static perp_status sequence_prepare(sequence_job *job, perp_error *err)
{
    const char *solver = cli_args_value(job->args, "solver");
    perp_status status = sequence_read_options(job, solver ? solver : "auto", err);

    if (status == PERP_OK) {
        perp_options_set(&job->opt, "history", "off",
                         NULL); /* too long for 10 000 steps */
        job->orders.opt = &job->opt;
        status = call_open_sequence(&job->sequence, job->args->word[0], err);
    }
    job->orders.sequence = job->sequence;
    return status;
}

static void sequence_print_text(sequence_job *job)
{
    const char *output = cli_args_value(job->args, "output");
    size_t count = perp_sequence_count(job->sequence);
    char name[PERP_SOLVER_NAME_LENGTH];

    perp_solver_print(job->orders.type, &job->opt, name, sizeof name);
    output_print(stdout, OUTPUT_PLAIN, "%s: %zu step%s, %s, %s starts\n",
                 perp_sequence_name(job->sequence), count, count == 1 ? "" : "s", name,
                 policy_name(job->orders.policy));
    table_end(&job->table);
    output_print(stdout, job->solved == job->done ? OUTPUT_GOOD : OUTPUT_BAD,
                 "%zu of %zu step%s solved", job->solved, count, perp_plural(count));
    output_print(stdout, OUTPUT_PLAIN, ", %zu iteration%s, %s\n", job->iterations,
                 job->iterations == 1 ? "" : "s",
                 output_seconds(OUTPUT_ROOM, job->seconds));
    if (job->false_claims || job->missed_claims) {
        output_print(
            stdout, OUTPUT_PLAIN,
            "of the claims \"solved\" %zu %s false, %zu missed by its norm, with "
            "up to 10 times the tolerance\n",
            job->false_claims, job->false_claims == 1 ? "is" : "are", job->missed_claims);
    }
    if (job->reason[0]) {
        output_print(stdout, OUTPUT_PLAIN, "first failure: %s: %s\n", job->outcome,
                     job->reason);
    }
    if (output) {
        output_print(stdout, OUTPUT_PLAIN, "wrote %s\n", output);
    }
}

static perp_status sequence_print(sequence_job *job, perp_error *err)
{
    const char *output = cli_args_value(job->args, "output");
    bool brief = cli_args_given(job->args, "answer");
    json_t *answer = output || !job->tables ? sequence_json(job) : NULL;
    perp_status status = PERP_OK;

    if (output) {
        status = verb_write_json(json_incref(answer), output, err);
    }
    if (status == PERP_OK && job->tables) {
        sequence_print_text(job);
    } else if (status == PERP_OK) {
        status = output_json(stdout, json_incref(answer), brief, err);
    }
    json_decref(answer);
    return status;
}

perp_status verb_solve_sequence(const cli_args *args, const volatile int *stop,
                                bool *solved, perp_error *err)
{
    sequence_job *job = take(1, sizeof *job);
    perp_status status = PERP_OK;

    *solved = false;
    job->steps = json_array();
    job->args = args;
    job->tables = !cli_args_given(args, "answer") && !cli_args_given(args, "json");
    job->answers = !job->tables || cli_args_given(args, "output");
    snprintf(job->outcome, sizeof job->outcome, "solved");
    table_start(&job->table, TABLE_AS_TEXT, stdout, sequence_columns);
    status = sequence_prepare(job, err);
    if (status == PERP_OK) {
        job->opt.interrupt = stop;
        status = policies_run(&job->orders, sequence_add_step, job, err);
    }
    if (status == PERP_OK) {
        status = sequence_print(job, err);
        *solved = job->solved == perp_sequence_count(job->sequence);
    }
    table_drop(&job->table);
    json_decref(job->steps);
    perp_sequence_free(job->sequence);
    free(job);
    return status;
}
