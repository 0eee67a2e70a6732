/* SPDX-License-Identifier: Apache-2.0
 * verbs/solve.c: solve one instance with one solver and print the result. */
#include <config.h>

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <perp/reform.h>

#include "base/base.h"
#include "command/campaign/certificates.h"
#include "command/campaign/policies.h"
#include "command/campaign/repeat.h"
#include "command/cli/answer.h"
#include "command/cli/plugin.h"
#include "command/cli/take.h"
#include "command/verbs/convergence.h"
#include "command/verbs/point.h"
#include "command/verbs/solutions.h"
#include "command/verbs/verbs.h"

static const cli_option solve_options[] = {
    {"solver", 's', "SOLVER", "name of the solver, see perp info solvers [auto]"},
    PLUGIN_OPTION,
    VERB_READ_OPTIONS,
    VERB_PROBLEM_OPTIONS,
    {"formulated", 0, NULL,
     "with --friction: report the point of the problem with that law, judged on it"},
    {"start", 0, "cold|guess|FILE",
     "starting point: z = 0, the one stored in the instance, or a file"},
    {"sequence", 0, NULL, "read INSTANCE as a sequence and solve its steps in order"},
    {"warm-start", 0, POLICY_NAMES, "starting points of a sequence [warm]"},
    {"noise", 0, "X",
     "noise of the policy perturbed, relative to the size of the solution [0.01]"},
    {"repeat", 0, "N",
     "solve N times after a warm-up; report the least time and the spread"},
    {"all", 0, NULL,
     "list all solutions of a problem of at most 20 scalar rows, of contacts in the "
     "plane, or of "
     "three contacts in space; the solver is enumerate, or auto for contacts, if none is "
     "named"},
    {"history", 0, NULL,
     "draw the residual during the iterations; print it as a table into a pipe"},
    {"history-axis", 0, CONVERGENCE_AXES, "axis of the drawn history [iterations]"},
    {"draw", 0, NULL, "draw the history into a pipe too; implies --history"},
    {"output", 'o', "FILE", "write the answer to FILE, as JSON; - is standard output"},
    {"json", 0, NULL, "print the answer as JSON"},
    {"answer", 0, NULL, NULL}, /* JSON on one line, also after a failure: for compare */
    CLI_OPTION_END,
};

/* A solve in progress. */
typedef struct solve_job {
    const cli_args *args;
    instance *in;
    const perp_solver_type *type;
    perp_options opt;
    perp_result *r;
    perp_solutions *all; /* with --all */
    double *z0;          /* where every solve starts */
    const char *start;   /* as resolved: "cold", "guess" or the file */
    perp_foreign first;  /* of the first solve, where it searched for a factor */
    repeat_request request;
    repeat_times times;
} solve_job;

/* SIGINT asks the loop to stop with the best point so far; a second one ends the program.
 * */
static volatile int solve_stop;

static void solve_signalled(int number)
{
    (void)number;
    solve_stop = 1;
}

/* The form that is asked for; where the choice is free, the one that the solver takes. */
static perp_global_form solve_global_form(const solve_job *job)
{
    const perp_solver_type *inner = job->opt.inner ? job->opt.inner : job->type;
    perp_global_form form = perp_options_choice(&job->opt, "global");
    unsigned takes = job->type->storages.storage_bits & inner->storages.storage_bits;

    if (form != PERP_GLOBAL_AUTO) {
        return form;
    }
    return takes == PERP_STORAGE_FACTORED  ? PERP_GLOBAL_FACTORED
           : takes & PERP_STORAGE_FACTORED ? PERP_GLOBAL_AUTO
                                           : PERP_GLOBAL_CONDENSED;
}

static bool solve_wants_history(const cli_args *args)
{
    return cli_args_given(args, "history") || cli_args_given(args, "draw") ||
           cli_args_given(args, "history-axis");
}

static perp_status solve_choose(solve_job *job, const char *solver, perp_error *err)
{
    perp_status status = plugin_parse(solver, &job->type, &job->opt, err);

    if (status == PERP_OK) {
        status = cli_args_set_options(job->args, &job->opt, solver, err);
    }
    perp_options_set(&job->opt, "history", solve_wants_history(job->args) ? "on" : "off",
                     NULL);
    job->opt.interrupt = &solve_stop;
    return status;
}

static perp_status solve_prepare(solve_job *job, perp_error *err)
{
    const cli_args *args = job->args;
    const char *usual = cli_args_given(args, "all") ? "enumerate" : "auto";
    const char *solver =
        cli_args_value(args, "solver") ? cli_args_value(args, "solver") : usual;
    instance_request request;
    perp_status status = PERP_OK;

    TRY(solve_choose(job, solver, err));
    TRY(verb_request(args, args->word[0], &request, err));
    verb_formulate(args, &job->opt, &request);
    request.global = solve_global_form(job);
    status = instance_open(&job->in, &request, err);
    if (status == PERP_OK && solver == usual && cli_args_given(args, "all") &&
        (perp_set_kinds(job->in->problem->set) & PERP_SET_CONE)) {
        status = solve_choose(job, "auto", err); /* enumerate takes no cones in space */
        verb_formulate(args, &job->opt, &request);
    }
    return status;
}

/* The factor of the tolerance that the first solve has found, or at which it gave up, is that of its
 * repeats; its search is part of the time that they all have. */
static void solve_keep_factor(solve_job *job)
{
    perp_foreign *f = &job->r->foreign;

    if (job->first.calls) {
        f->calls = job->first.calls;
        f->search_seconds = job->first.search_seconds;
    } else if (f->calls > 1 && perp_options_set_real(&job->opt, "tolerance-factor",
                                                     f->factor, NULL) == PERP_OK) {
        job->first = *f;
        if (job->request.limit > 0.0) {
            job->request.limit = fmax(job->request.limit - f->search_seconds, 1e-9);
        }
    }
}

static perp_status solve_once(void *context, double *seconds, perp_error *err)
{
    solve_job *job = context;
    const perp_problem *p = job->in->problem;
    perp_status status = PERP_OK;

    perp_result_restart(job->r);
    memcpy(job->r->z, job->z0, p->n * sizeof *job->z0);
    status = perp_solve(job->type, p, &job->opt, job->r, err);
    solve_keep_factor(job);
    *seconds = job->r->seconds;
    return status;
}

/* Solve repeatedly from the same start, as long as the time limit permits. */
static perp_status solve_repeat(solve_job *job, perp_error *err)
{
    const perp_problem *p = job->in->problem;
    double repeats = 1.0;
    perp_status status =
        cli_args_whole(job->args, "repeat", 1, 1, REPEAT_MOST, &repeats, err);

    job->request = (repeat_request){.repeats = (size_t)repeats,
                                    .limit = perp_options_real(&job->opt, "time-limit"),
                                    .stop = &solve_stop};
    job->z0 = take_reals(p->n);
    if (status == PERP_OK) {
        status = instance_start(job->in, cli_args_value(job->args, "start"), job->z0,
                                &job->start, err);
    }
    if (status == PERP_OK) {
        status = perp_result_new(&job->r, p->n, err);
    }
    return status == PERP_OK
               ? repeat_run(&job->times, &job->request, solve_once, job, err)
               : status;
}

/* The answer as one object; for compare without what it knows already. */
static json_t *solve_json(const solve_job *job)
{
    const perp_problem *p = job->in->problem;
    const perp_result *r = job->r;
    bool brief = cli_args_given(job->args, "answer");
    json_t *o = NULL;
    char name[PERP_SOLVER_NAME_LENGTH];

    perp_solver_print(job->type, &job->opt, name, sizeof name);
    o = json_pack(
        "{s:s, s:s, s:o, s:s, s:I, s:I, s:s, s:s, s:s, s:s, s:o, s:o, "
        "s:I, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o}",
        "schema", "perp-answer/1", "status", perp_status_text(PERP_OK), "instance",
        answer_text(job->in->name), "kind", perp_kind_name(perp_problem_kind(p)), "n",
        (json_int_t)p->n, "contacts", (json_int_t)perp_problem_contacts(p), "solver",
        name, "start", job->start, "outcome", perp_outcome_text(r->outcome), "reason",
        r->reason, "residual", answer_real(r->residual), "residual_given",
        answer_real(r->residual_given), "iterations", (json_int_t)r->iterations, "work",
        answer_work(&r->work), "prepare_seconds", answer_real(r->prepare_seconds),
        "setup_seconds", answer_real(r->setup_seconds), "judge_seconds",
        answer_real(r->judge_seconds), "bytes", (json_int_t)r->bytes, "path",
        answer_path(&r->path), "certificate", certificates_json(p, &job->opt, r),
        "history", answer_history(r), "z", answer_vector(r->z, p->n));
    repeat_json(o, &job->times);
    if (job->all) {
        answer_add(o, "solutions", solutions_json(job->all));
    }
    if (r->foreign.ran) {
        answer_add(o, "foreign", answer_foreign(&r->foreign));
    }
    if (!brief && plugin_is_used(&job->opt)) {
        answer_add(o, "plugins", plugin_json(&job->opt));
    }
    if (!brief) {
        answer_add(o, "hash", answer_hash(perp_problem_hash(p)));
        answer_add(o, "options", answer_options(&job->opt));
        answer_add(o, "w", answer_vector(r->w, p->n));
    }
    return o;
}

static void solve_print_cost(const solve_job *job)
{
    const perp_result *r = job->r;

    char text[256];

    output_fact(stdout, "iterations", "%zu", r->iterations);
    if (*output_work(text, &r->work)) {
        output_fact(stdout, "work", "%s", text);
    }
    output_fact(stdout, "time", "%s (preparation %s, setup %s), judging %s",
                output_seconds(OUTPUT_ROOM, repeat_least(&job->times)),
                output_seconds(OUTPUT_ROOM, r->prepare_seconds),
                output_seconds(OUTPUT_ROOM, r->setup_seconds),
                output_seconds(OUTPUT_ROOM, r->judge_seconds));
    repeat_print(&job->times, stdout);
    output_fact(stdout, "memory", "%zu bytes of workspace", r->bytes);
}

/* Drawn on a terminal, a table elsewhere. */
static void solve_print_history(const solve_job *job)
{
    const char *axis = cli_args_value(job->args, "history-axis");
    const convergence_request request = {
        .draw = cli_args_given(job->args, "draw") || output_is_terminal(stdout),
        .axis = axis ? axis : "iterations",
        .tolerance = perp_options_real(&job->opt, "tolerance")};

    convergence_print(stdout, job->r, &request);
}

static void solve_print_certificate(const solve_job *job)
{
    json_t *e = certificates_json(job->in->problem, &job->opt, job->r);

    if (json_is_object(e)) {
        output_fact(stdout, "certificate", "%s, %s: %s",
                    json_string_value(json_object_get(e, "kind")),
                    json_is_true(json_object_get(e, "verified")) ? "verified"
                                                                 : "NOT verified",
                    json_string_value(json_object_get(e, "says")));
    }
    json_decref(e);
}

/* The solution path, a line for each step; a scaling that changes nothing is left out. */
static void solve_print_path(const perp_solution_path *path)
{
    const char *name = "path";

    for (size_t k = 0; k < path->count; k++) {
        if (strcmp(path->step[k], "scaled by powers of two from 2^0 to 2^0") != 0) {
            output_fact(stdout, name, "%s", path->step[k]);
            name = "";
        }
    }
}

/* What another code says about its run. */
static void solve_print_foreign(const perp_foreign *foreign)
{
    char missed[80];

    if (!foreign->ran) {
        return;
    }
    output_fact(stdout, "code", "%s%sprocess %s, its own clock %s", foreign->version,
                foreign->version[0] ? ", " : "",
                output_seconds(OUTPUT_ROOM, foreign->wall_seconds),
                foreign->seconds > 0.0 ? output_seconds(OUTPUT_ROOM, foreign->seconds)
                                       : "not stated");
    if (foreign->factor != 1.0) {
        output_fact(stdout, "asked for", "%.2g times the tolerance, in %zu call%s",
                    foreign->factor, foreign->calls, perp_plural(foreign->calls));
    }
    if (foreign->claim[0]) {
        snprintf(missed, sizeof missed, ": %s, %.3g times the tolerance",
                 foreign->false_claim ? "FALSE" : "missed by its norm", foreign->missed);
        output_fact(stdout, "claim", "%s%s", foreign->claim,
                    foreign->missed > 0.0 ? missed : "");
    }
}

/* The block with the largest residual, by its label: "block 7, contact box/floor". */
static void solve_print_worst(const solve_job *job)
{
    const perp_problem *p = job->in->problem;
    const perp_label *label = NULL;
    size_t k = 0;

    if (job->r->outcome == PERP_SOLVED) {
        return;
    }
    perp_residual_worst(p, job->r->z, &k);
    if (k >= p->set->count) {
        return;
    }
    label = p->labels && k < p->labels->count ? &p->labels->at[k] : NULL;
    output_fact(stdout, "worst", "block %zu, row %zu%s%s", k, p->set->blocks[k].first,
                label && label->name ? ": " : "",
                label && label->name ? label->name : "");
}

static void solve_print_outcome(const perp_result *r)
{
    enum { INDENT = 12 };
    const char *outcome = perp_outcome_text(r->outcome);
    char reason[sizeof r->reason + 2];

    output_print(stdout, OUTPUT_PLAIN, "%-*s ", INDENT - 1, "outcome");
    output_print(stdout, r->outcome == PERP_SOLVED ? OUTPUT_GOOD : OUTPUT_BAD, "%s",
                 outcome);
    snprintf(reason, sizeof reason, "%s%s", r->reason[0] ? ": " : "", r->reason);
    output_text(stdout, INDENT, INDENT + strlen(outcome), reason);
}

static void solve_print_text(const solve_job *job)
{
    const perp_result *r = job->r;
    const char *formulation = perp_options_text(&job->opt, "friction");
    char text[PERP_SOLVER_NAME_LENGTH];

    verb_describe(job->in->problem, text, sizeof text);
    output_fact(stdout, "instance", "%s: %s", job->in->name, text);
    perp_solver_print(job->type, &job->opt, text, sizeof text);
    output_fact(stdout, "solver", "%s", text);
    for (size_t k = 0; k < job->in->notes.count; k++) {
        output_fact(stdout, "note", "%s", job->in->notes.line[k]);
    }
    solve_print_path(&r->path);
    solve_print_outcome(r);
    output_fact(stdout, "residual", "%s (tolerance %g)",
                output_real(OUTPUT_ROOM, r->residual),
                perp_options_real(&job->opt, "tolerance"));
    solve_print_worst(job);
    if (strcmp(formulation, "natural") != 0) {
        output_fact(stdout, "", "%s of the problem as given, without friction %s",
                    output_real(OUTPUT_ROOM, r->residual_given), formulation);
    }
    solve_print_foreign(&r->foreign);
    solve_print_certificate(job);
    if (job->all) {
        solutions_print(job->all, stdout);
    }
    solve_print_cost(job);
    if (!job->all) {
        point_print(stdout, job->in->problem, r);
    }
    if (solve_wants_history(job->args)) {
        solve_print_history(job);
    }
}

static perp_status solve_print(const solve_job *job, perp_error *err)
{
    const char *output = cli_args_value(job->args, "output");
    bool brief = cli_args_given(job->args, "answer");
    bool json = brief || cli_args_given(job->args, "json");
    json_t *answer = output || json ? solve_json(job) : NULL;
    perp_status status = PERP_OK;

    if (output) {
        status = verb_write_json(json_incref(answer), output, err);
    }
    if (status == PERP_OK && json) {
        status = output_json(stdout, json_incref(answer), brief, err);
    } else if (status == PERP_OK) {
        solve_print_text(job);
        if (status == PERP_OK && output) {
            output_fact(stdout, "wrote", "%s", output);
        }
    }
    json_decref(answer);
    return status;
}

static perp_status solve_instance(const cli_args *args, bool *solved, perp_error *err)
{
    solve_job *job = take(1, sizeof *job);
    perp_status status = PERP_OK;

    job->args = args;
    status = solve_prepare(job, err);
    if (status == PERP_OK) {
        status = solve_repeat(job, err);
    }
    if (status == PERP_OK && cli_args_given(args, "all")) {
        status = perp_solutions_find(job->in->problem, &job->all, err);
    }
    if (status == PERP_OK) {
        status = solve_print(job, err);
        *solved = job->r->outcome == PERP_SOLVED;
    }
    perp_solutions_free(job->all);
    perp_result_free(job->r);
    instance_free(job->in);
    free(job->z0);
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
    sigaction(SIGTERM, &action,
              NULL); /* so that the folders of other codes are removed */
    if (cli_args_given(args, "sequence")) {
        status = verb_solve_sequence(args, &solve_stop, &solved, err);
    } else {
        status = solve_instance(args, &solved, err);
    }
    if (status != PERP_OK && cli_args_given(args, "answer")) {
        verb_print_failure(err);
    }
    if (status == PERP_OK && solve_stop) {
        return CLI_INTERRUPTED;
    }
    return status != PERP_OK ? CLI_BAD_INPUT : solved ? CLI_DONE : CLI_NOT_SOLVED;
}

const cli_verb verb_solve = {
    .name = "solve",
    .summary = "solve one instance, or every step of a sequence, with one solver",
    .usage = "INSTANCE [--solver NAME] [--OPTION VALUE]...",
    .more = "INSTANCE is a file, or a call such as generate:spd:n=100 (perp info "
            "families) or scene:box-pyramid:levels=14,step=3: the problem of a step "
            "of a scene. Exit status: 0 solved (every step), 1 not solved, 2 bad "
            "usage or input.\n"
            "After the name of the scene come its parameters and step=N, or when=WHEN "
            "for the first step where a condition holds (see perp simulate); "
            "by=SOLVER, iterations=N, friction=LAW say how the scene is run until "
            "then. PERP_CAPTURES=DIR keeps such problems in DIR.\n"
            "With --sequence INSTANCE is a sequence: an HDF5 file, a folder of them, "
            "or such a call. Warm-start policies: cold starts every step at 0; warm "
            "at the solution of the previous step, matched contact by contact; oracle "
            "at the solution of the step itself; perturbed near that solution.\n",
    .words = "INSTANCE",
    .usual = "solver|friction|start|sequence|repeat|all|history|output|json",
    .options = solve_options,
    .least = 1,
    .most = 1,
    .settings = true,
    .solver = true,
    .numbers = true,
    .run = solve_run,
};
