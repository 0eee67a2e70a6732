/* SPDX-License-Identifier: Apache-2.0
 * verbs/solve.c: one instance, one solver; prints what was found. */
#include <config.h>

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "core/solvers.h"
#include "experiments/runner/answer.h"
#include "experiments/runner/arms.h"
#include "experiments/runner/evidence.h"
#include "experiments/verbs/verbs.h"

enum { SOLVE_REPEATS = 1000 };

static const cli_option solve_options[] = {
    {"solver", 's', "NAME", "which solver: see perp list solvers"},
    VERB_READ_OPTIONS,
    VERB_PROBLEM_OPTIONS,
    {"start", 0, "WHERE", "cold (z = 0), guess (stored in the instance), or a file"},
    {"sequence", 0, NULL, "INSTANCE is a sequence: solve every step of it, in order"},
    {"arm", 0, "NAME", "of a sequence: start " ARM_NAMES " [warm]"},
    {"noise", 0, "X", "of the arm perturbed, over the size of the answer [0.01]"},
    {"repeat", 0, "N", "solve N times and report the least time"},
    {"history", 0, NULL, "show the judgements made on the way"},
    {"output", 'o', "FILE", "write the answer there, as JSON"},
    {"json", 0, NULL, "print the answer as JSON"},
    {"answer", 0, NULL, NULL}, /* JSON on one line, whatever happens: for compare */
    CLI_OPTION_END,
};

/* A solve at work. */
typedef struct solve_job {
    const cli_args *args;
    instance *in;
    const perp_solver_type *type;
    perp_options opt;
    perp_result *r;
    const char *start; /* what it became */
    double seconds[SOLVE_REPEATS];
    size_t repeats;
} solve_job;

/* SIGINT asks the loop to stop with the best point so far; a second one ends the program. */
static volatile int solve_stop;

static void solve_signalled(int number)
{
    (void)number;
    solve_stop = 1;
}

static perp_status solve_prepare(solve_job *job, perp_error *err)
{
    const cli_args *args = job->args;
    const char *solver = cli_args_value(args, "solver");
    const char *law = cli_args_value(args, "law");
    instance_request request;

    if (!solver) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp solve: --solver NAME is missing, see perp list solvers");
    }
    if (law && verb_one_of(args, "law", law, "coulomb|associated", err) != PERP_OK) {
        return err->status;
    }
    if (perp_solver_parse(solver, &job->type, &job->opt, err) != PERP_OK ||
        cli_args_set_options(args, &job->opt, solver, err) != PERP_OK ||
        verb_request(args, args->word[0], &request, err) != PERP_OK) {
        return err->status;
    }
    perp_options_set(&job->opt, "history", cli_args_given(args, "history") ? "on" : "off",
                     NULL);
    job->opt.interrupt = &solve_stop;
    request.factored = perp_options_choice(&job->opt, "global") != 0; /* condensed */
    return instance_open(&job->in, &request, err);
}

/* Solve again and again from the same start, while the limit of time allows. */
static perp_status solve_repeat(solve_job *job, perp_error *err)
{
    const perp_problem *p = job->in->problem;
    double limit = perp_options_real(&job->opt, "time-limit");
    double repeats = 1.0, spent = 0.0;
    double *start = perp_reals_new(p->n);
    perp_status status =
        start ? cli_args_number(job->args, "repeat", 1, 1, SOLVE_REPEATS, &repeats, err)
              : perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", p->n);

    if (status == PERP_OK) {
        status = instance_start(job->in, cli_args_value(job->args, "start"), start,
                                &job->start, err);
    }
    if (status == PERP_OK) {
        status = perp_result_new(&job->r, p->n, err);
    }
    while (status == PERP_OK && job->repeats < (size_t)repeats) {
        perp_result_restart(job->r);
        memcpy(job->r->z, start, p->n * sizeof *start);
        status = perp_solve(job->type, p, &job->opt, job->r, err);
        job->seconds[job->repeats++] = job->r->seconds;
        spent += job->r->seconds;
        if (solve_stop || (limit > 0.0 && spent + job->r->seconds > limit)) {
            break;
        }
    }
    free(start);
    return status;
}

static double solve_least(const solve_job *job)
{
    double least = INFINITY;

    for (size_t k = 0; k < job->repeats; k++) {
        least = fmin(least, job->seconds[k]);
    }
    return least;
}

static int solve_put(json_t *o, const char *key, json_t *value)
{
    return json_object_set_new(o, key, value) != 0;
}

/* The answer as one object. */
static json_t *solve_json(const solve_job *job)
{
    const perp_problem *p = job->in->problem;
    const perp_result *r = job->r;
    bool brief = cli_args_given(job->args, "answer");
    char name[64];
    json_t *o = json_object();
    int failed = 0;

    perp_solver_print(job->type, &job->opt, name, sizeof name);
    failed += solve_put(o, "schema", json_string("perp-answer/1"));
    failed += solve_put(o, "status", json_string(perp_status_text(PERP_OK)));
    failed += solve_put(o, "instance", json_string(job->in->name));
    failed += solve_put(o, "kind", json_string(perp_kind_name(perp_problem_kind(p))));
    failed += solve_put(o, "n", json_integer((json_int_t)p->n));
    failed +=
        solve_put(o, "contacts", json_integer((json_int_t)perp_problem_contacts(p)));
    failed += brief ? 0 : solve_put(o, "hash", answer_hash(perp_problem_hash(p)));
    failed += solve_put(o, "solver", json_string(name));
    failed += brief ? 0 : solve_put(o, "options", answer_options(&job->opt));
    failed += solve_put(o, "start", json_string(job->start));
    failed += solve_put(o, "outcome", json_string(perp_outcome_text(r->outcome)));
    failed += solve_put(o, "reason", json_string(r->reason));
    failed += solve_put(o, "residual", answer_real(r->original_residual));
    failed += solve_put(o, "claimed_residual", answer_real(r->original_residual));
    failed += solve_put(o, "model_residual", answer_real(r->residual));
    failed += solve_put(o, "iterations", json_integer((json_int_t)r->iterations));
    failed += solve_put(o, "work", answer_work(&r->work));
    failed += solve_put(o, "seconds", answer_real(solve_least(job)));
    failed += solve_put(o, "seconds_all", answer_vector(job->seconds, job->repeats));
    failed += solve_put(o, "prepare_seconds", answer_real(r->prepare_seconds));
    failed += solve_put(o, "setup_seconds", answer_real(r->setup_seconds));
    failed += solve_put(o, "judge_seconds", answer_real(r->judge_seconds));
    failed += solve_put(o, "bytes", json_integer((json_int_t)r->bytes));
    failed += solve_put(o, "what_ran", answer_ran(&r->path));
    failed += solve_put(o, "certificate", evidence_json(p, &job->opt, r));
    failed += solve_put(o, "history", answer_history(r));
    failed += solve_put(o, "z", answer_vector(r->z, p->n));
    failed += brief ? 0 : solve_put(o, "w", answer_vector(r->w, p->n));
    if (failed) {
        json_decref(o);
        return NULL;
    }
    return o;
}

static void solve_row(const char *name, const char *format, ...) PERP_PRINTF(2, 3);

static void solve_row(const char *name, const char *format, ...)
{
    va_list args;

    printf("%-11s ", name);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

static void solve_tell_work(const solve_job *job)
{
    const perp_result *r = job->r;

    solve_row("iterations", "%zu", r->iterations);
    solve_row("work",
              "%g products, %g factorizations, %g pivots, %g projections, %g rounds",
              r->work.products, r->work.factorizations, r->work.pivots,
              r->work.projections, r->work.rounds);
    solve_row("time", "%s (preparing %s, setup %s), judging %s",
              output_seconds(OUTPUT_ROOM, solve_least(job)),
              output_seconds(OUTPUT_ROOM, r->prepare_seconds),
              output_seconds(OUTPUT_ROOM, r->setup_seconds),
              output_seconds(OUTPUT_ROOM, r->judge_seconds));
    if (job->repeats > 1) {
        solve_row("repeats", "%zu, the least time counts", job->repeats);
    }
    solve_row("memory", "%zu bytes of workspace", r->bytes);
}

static void solve_tell_history(const perp_result *r)
{
    for (size_t k = 0; k < r->history_count; k++) {
        const perp_history_sample *h = &r->history[k];

        solve_row(k ? "" : "history", "iteration %-8zu products %-10g residual %-9s %s",
                  h->iteration, h->products, output_real(OUTPUT_ROOM, h->residual),
                  output_seconds(OUTPUT_ROOM, h->seconds));
    }
}

static void solve_tell_evidence(const solve_job *job)
{
    json_t *e = evidence_json(job->in->problem, &job->opt, job->r);

    if (json_is_object(e)) {
        solve_row(
            "certificate", "%s, %s: %s", json_string_value(json_object_get(e, "kind")),
            json_is_true(json_object_get(e, "verified")) ? "verified" : "NOT verified",
            json_string_value(json_object_get(e, "says")));
    }
    json_decref(e);
}

static void solve_tell(const solve_job *job)
{
    const perp_result *r = job->r;
    char text[256];

    verb_describe(job->in->problem, text, sizeof text);
    solve_row("instance", "%s: %s", job->in->name, text);
    perp_solver_print(job->type, &job->opt, text, sizeof text);
    solve_row("solver", "%s", text);
    for (size_t k = 0; k < job->in->notes.count; k++) {
        solve_row("note", "%s", job->in->notes.line[k]);
    }
    for (size_t k = 0; k < r->path.count; k++) {
        solve_row(k ? "" : "what ran", "%s", r->path.step[k]);
    }
    printf("%-11s ", "outcome");
    output_tell(stdout, r->outcome == PERP_SOLVED ? OUTPUT_GOOD : OUTPUT_BAD, "%s",
                perp_outcome_text(r->outcome));
    printf("%s%s\n", r->reason[0] ? ": " : "", r->reason);
    solve_row("residual", "%.3e, asked for %g", r->original_residual,
              perp_options_real(&job->opt, "tolerance"));
    if (strcmp(perp_options_text(&job->opt, "formulation"), "natural") != 0) {
        solve_row("", "%.3e of the formulation %s", r->residual,
                  perp_options_text(&job->opt, "formulation"));
    }
    solve_tell_evidence(job);
    solve_tell_work(job);
    if (cli_args_given(job->args, "history")) {
        solve_tell_history(r);
    }
}

static perp_status solve_print(const solve_job *job, perp_error *err)
{
    const char *output = cli_args_value(job->args, "output");
    bool brief = cli_args_given(job->args, "answer");

    if (output && verb_write_json(solve_json(job), output, err) != PERP_OK) {
        return err->status;
    }
    if (brief || cli_args_given(job->args, "json")) {
        return output_json(stdout, solve_json(job), brief, err);
    }
    solve_tell(job);
    if (output) {
        solve_row("wrote", "%s", output);
    }
    return PERP_OK;
}

static perp_status solve_instance(const cli_args *args, bool *solved, perp_error *err)
{
    solve_job *job = calloc(1, sizeof *job);
    perp_status status = PERP_OK;

    if (!job) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory");
    }
    job->args = args;
    status = solve_prepare(job, err);
    if (status == PERP_OK) {
        status = solve_repeat(job, err);
    }
    if (status == PERP_OK) {
        status = solve_print(job, err);
        *solved = job->r->outcome == PERP_SOLVED;
    }
    perp_result_free(job->r);
    instance_free(job->in);
    free(job);
    return status;
}

static int solve_run(const cli_args *args, perp_error *err)
{
    const struct sigaction action = {.sa_handler = solve_signalled,
                                     .sa_flags = SA_RESETHAND};
    bool solved = false;
    perp_status status = PERP_OK;

    sigaction(SIGINT, &action, NULL);
    if (cli_args_given(args, "sequence")) {
        status = verb_solve_sequence(args, &solve_stop, &solved, err);
    } else {
        status = solve_instance(args, &solved, err);
    }
    if (status != PERP_OK && cli_args_given(args, "answer")) {
        verb_tell_failure(err);
    }
    if (status == PERP_OK && solve_stop) {
        return CLI_INTERRUPTED;
    }
    return status != PERP_OK ? CLI_BAD_INPUT : solved ? CLI_DONE : CLI_NOT_SOLVED;
}

const cli_verb verb_solve = {
    .name = "solve",
    .summary = "solve one instance, or every step of a sequence, with one solver",
    .usage = "INSTANCE --solver NAME [--OPTION VALUE]...",
    .more =
        "INSTANCE is a file, or a call such as generate:spd:n=100 (perp list families).\n"
        "With --sequence it is a sequence: an HDF5 file, a folder of them, or such a "
        "call. Its\n"
        "arms: cold starts every step at 0, warm where the step before ended (contact "
        "by\n"
        "contact), oracle at the step's own solution, perturbed near that.\n"
        "Exit status: 0 solved (every step), 1 not solved, 2 bad usage or input.\n",
    .options = solve_options,
    .least = 1,
    .most = 1,
    .settings = true,
    .solver = true,
    .run = solve_run,
};
