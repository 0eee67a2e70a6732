/* SPDX-License-Identifier: Apache-2.0
 * verbs/solve_sequence.c: a sequence, one solver, one warm-start policy; prints one row per step. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/answer.h"
#include "experiments/runner/call.h"
#include "experiments/runner/policies.h"
#include "experiments/verbs/verbs.h"

/* A sequence at work, and what is known so far. */
typedef struct sequence_job {
    const cli_args *args;
    perp_sequence *sequence;
    policies_request orders;
    perp_options opt;
    json_t *steps;
    output_table table;
    size_t done, solved, iterations;
    double seconds;
    double residual, residual_given; /* the largest: as asked, as given */
    perp_work work;
    bool tables, answers; /* which of the two is kept */
    char outcome[32];     /* "solved", or that of the first step that was not */
    char reason[300];     /* of that step */
} sequence_job;

static int sequence_put(json_t *o, const char *key, json_t *value)
{
    return json_object_set_new(o, key, value) != 0;
}

/* A step as one object; z for compare and for the file. */
static perp_status sequence_json_step(sequence_job *job, const policies_step *step,
                                      perp_error *err)
{
    const perp_result *r = step->result;
    json_t *o = json_object();
    int failed = 0;

    failed += sequence_put(o, "t", answer_real(step->t));
    failed += sequence_put(o, "n", json_integer((json_int_t)step->problem->n));
    failed += sequence_put(o, "blocks", json_integer((json_int_t)step->blocks));
    failed += sequence_put(o, "matched", json_integer((json_int_t)step->matched));
    failed += sequence_put(o, "outcome", json_string(perp_outcome_text(r->outcome)));
    failed += sequence_put(o, "reason", json_string(r->reason));
    failed += sequence_put(o, "residual", answer_real(r->residual));
    failed += sequence_put(o, "residual_given", answer_real(r->residual_given));
    failed += sequence_put(o, "iterations", json_integer((json_int_t)r->iterations));
    failed += sequence_put(o, "work", answer_work(&r->work));
    failed += sequence_put(o, "seconds", answer_real(step->seconds));
    failed += sequence_put(o, "z", answer_vector(r->z, step->problem->n));
    if (failed || json_array_append(job->steps, o) != 0) {
        json_decref(o);
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the answer of a step");
    }
    json_decref(o);
    return PERP_OK;
}

static void sequence_table_step(sequence_job *job, const policies_step *step)
{
    const perp_result *r = step->result;

    output_cell(&job->table, "%zu", step->index);
    output_cell(&job->table, "%g", step->t);
    output_cell(&job->table, "%zu", step->problem->n);
    output_cell(&job->table, "%zu/%zu", step->matched, step->blocks);
    output_cell(&job->table, "%zu", r->iterations);
    output_cell(&job->table, "%s", output_real(OUTPUT_ROOM, r->residual));
    output_cell(&job->table, "%s", output_seconds(OUTPUT_ROOM, step->seconds));
    output_cell(&job->table, "%s", perp_outcome_text(r->outcome));
}

static void sequence_add_work(perp_work *sum, const perp_work *work)
{
    sum->products += work->products;
    sum->factorizations += work->factorizations;
    sum->flops_factor += work->flops_factor;
    sum->pivots += work->pivots;
    sum->projections += work->projections;
    sum->rounds += work->rounds;
}

static perp_status sequence_tell(void *context, const policies_step *step,
                                 perp_error *err)
{
    sequence_job *job = context;
    const perp_result *r = step->result;

    job->done++;
    job->solved += r->outcome == PERP_SOLVED;
    job->iterations += r->iterations;
    job->seconds += step->seconds;
    job->residual = fmax(job->residual, r->residual);
    job->residual_given = fmax(job->residual_given, r->residual_given);
    sequence_add_work(&job->work, &r->work);
    if (r->outcome != PERP_SOLVED && job->done == job->solved + 1) { /* the first */
        snprintf(job->outcome, sizeof job->outcome, "%s", perp_outcome_text(r->outcome));
        snprintf(job->reason, sizeof job->reason, "step %zu: %s", step->index, r->reason);
    }
    if (job->tables) {
        sequence_table_step(job, step);
    }
    return job->answers ? sequence_json_step(job, step, err) : PERP_OK;
}

static json_t *sequence_json(const sequence_job *job)
{
    char name[64];
    json_t *o = json_object();
    int failed = 0;

    perp_solver_print(job->orders.type, &job->opt, name, sizeof name);
    failed += sequence_put(o, "schema", json_string("perp-answer/1"));
    failed += sequence_put(o, "status", json_string(perp_status_text(PERP_OK)));
    failed += sequence_put(o, "sequence", json_string(perp_sequence_name(job->sequence)));
    failed += sequence_put(o, "count",
                           json_integer((json_int_t)perp_sequence_count(job->sequence)));
    failed += sequence_put(o, "solver", json_string(name));
    failed += sequence_put(o, "options", answer_options(&job->opt));
    failed += sequence_put(o, "policy", json_string(policy_name(job->orders.policy)));
    failed += sequence_put(o, "noise", answer_real(job->orders.noise));
    failed += sequence_put(o, "outcome", json_string(job->outcome));
    failed += sequence_put(o, "reason", json_string(job->reason));
    failed += sequence_put(o, "solved", json_integer((json_int_t)job->solved));
    failed += sequence_put(o, "iterations", json_integer((json_int_t)job->iterations));
    failed += sequence_put(o, "seconds", answer_real(job->seconds));
    failed += sequence_put(o, "residual", answer_real(job->residual));
    failed += sequence_put(o, "residual_given", answer_real(job->residual_given));
    failed += sequence_put(o, "work", answer_work(&job->work));
    failed += sequence_put(o, "steps", json_incref(job->steps));
    if (failed) {
        json_decref(o);
        return NULL;
    }
    return o;
}

static perp_status sequence_prepare(sequence_job *job, perp_error *err)
{
    const cli_args *args = job->args;
    const char *solver = cli_args_value(args, "solver");
    const char *policy = cli_args_value(args, "warm-start");
    double repeats = 1.0;

    if (!solver) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp solve: --solver NAME is missing, see perp list solvers");
    }
    policy = policy ? policy : "warm";
    if (verb_one_of(args, "warm-start policy", policy, POLICY_NAMES, err) != PERP_OK ||
        perp_solver_parse(solver, &job->orders.type, &job->opt, err) != PERP_OK ||
        cli_args_set_options(args, &job->opt, solver, err) != PERP_OK ||
        cli_args_number(args, "noise", 0.01, 0.0, 1e6, &job->orders.noise, err) !=
            PERP_OK ||
        cli_args_number(args, "repeat", 1, 1, 1000, &repeats, err) != PERP_OK ||
        verb_request(args, args->word[0], &job->orders.item, err) != PERP_OK) {
        return err->status;
    }
    verb_formulate(args, &job->opt, &job->orders.item);
    policy_find(policy, &job->orders.policy);
    perp_options_set(&job->opt, "history", "off", NULL); /* of 10 000 steps: too long */
    job->orders.opt = &job->opt;
    job->orders.repeats = (size_t)repeats;
    if (call_open_sequence(&job->sequence, args->word[0], err) != PERP_OK) {
        return err->status;
    }
    job->orders.sequence = job->sequence;
    return PERP_OK;
}

static perp_status sequence_print(sequence_job *job, perp_error *err)
{
    const char *output = cli_args_value(job->args, "output");
    bool brief = cli_args_given(job->args, "answer");
    char name[64];

    if (output && verb_write_json(sequence_json(job), output, err) != PERP_OK) {
        return err->status;
    }
    if (brief || cli_args_given(job->args, "json")) {
        return output_json(stdout, sequence_json(job), brief, err);
    }
    perp_solver_print(job->orders.type, &job->opt, name, sizeof name);
    printf("%s: %zu steps, %s, %s starts\n", perp_sequence_name(job->sequence),
           perp_sequence_count(job->sequence), name, policy_name(job->orders.policy));
    if (output_table_end(&job->table, stdout, err) != PERP_OK) {
        return err->status;
    }
    output_tell(stdout, job->solved == job->done ? OUTPUT_GOOD : OUTPUT_BAD,
                "%zu of %zu steps solved", job->solved,
                perp_sequence_count(job->sequence));
    printf(", %zu iterations, %s\n", job->iterations,
           output_seconds(OUTPUT_ROOM, job->seconds));
    if (job->reason[0]) {
        printf("first failure: %s: %s\n", job->outcome, job->reason);
    }
    if (output) {
        printf("wrote %s\n", output);
    }
    return PERP_OK;
}

perp_status verb_solve_sequence(const cli_args *args, const volatile int *stop,
                                bool *solved, perp_error *err)
{
    sequence_job *job = calloc(1, sizeof *job);
    perp_status status = PERP_OK;

    *solved = false;
    if (!job || !(job->steps = json_array())) {
        free(job);
        return perp_fail(err, PERP_ERR_MEMORY, "no memory");
    }
    job->args = args;
    job->tables = !cli_args_given(args, "answer") && !cli_args_given(args, "json");
    job->answers = !job->tables || cli_args_given(args, "output");
    snprintf(job->outcome, sizeof job->outcome, "solved");
    output_table_start(&job->table,
                       ">step|>t|>rows|>matched|>iterations|>residual|>time|outcome");
    status = sequence_prepare(job, err);
    if (status == PERP_OK) {
        job->opt.interrupt = stop;
        status = policies_run(&job->orders, sequence_tell, job, err);
    }
    if (status == PERP_OK) {
        status = sequence_print(job, err);
        *solved = job->solved == perp_sequence_count(job->sequence);
    }
    output_table_drop(&job->table);
    json_decref(job->steps);
    perp_sequence_free(job->sequence);
    free(job);
    return status;
}
