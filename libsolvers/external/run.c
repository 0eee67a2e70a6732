/* SPDX-License-Identifier: Apache-2.0
 * external/run.c: a solver that is a program: setup writes the problem, the one iteration runs
 * the program and reads what it wrote.
 *
 * Whatever a program does is an outcome of the run: a crash, a hang and garbage end it as
 * stalled, with one sentence. Only a program that cannot be started, and one that says that it
 * does not take the problem, is an error. Its whole process group is killed when it ends, at
 * the end of its time, and when the caller interrupts the solve. */
#include <config.h>

#include <stdio.h>

#include "base/file.h"
#include "external/external.h"

/* Exit statuses: of the protocol, and those of the shell for a command it cannot start. */
enum { RUN_ANSWERED = 0, RUN_UNSUITABLE = 3, RUN_NOT_EXECUTABLE = 126, RUN_NOT_FOUND };

/* Seconds beyond the time limit, for starting and for files, and between calls of `progress`. */
static const double run_grace = 2.0;
static const double run_report = 0.2;

const perp_option perp_external_options[] = {
    PERP_EXTERNAL_OPTIONS,
    PERP_OPTION_END,
};

/* The program that the type stands for, and the method in its own terms. */
static perp_status run_find(perp_external_run *s, perp_error *err)
{
    if (s->type) {
        perp_external_find(s->type->name, &s->code);
    }
    if (!s->code) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "the options are those of another solver, expected those of "
                         "perp_solver_parse");
    }
    if (!s->code->program) {
        s->method = s->opt->command;
        return *s->method ? PERP_OK
                          : perp_fail(err, PERP_ERR_OPTION,
                                      "%s: no command, expected %s:COMMAND",
                                      s->type->name, s->type->name);
    }
    s->method = strchr(s->type->name, ':') + 1;
    if (!perp_code_program(s->code, s->program, sizeof s->program)) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: %s was not built; install %s and configure again",
                         s->type->name, s->code->program, s->code->package);
    }
    return PERP_OK;
}

perp_status perp_external_setup(void *state, const perp_problem *p,
                                const perp_options *opt, perp_workspace *ws,
                                perp_result *r, perp_error *err)
{
    perp_external_run *s = state;
    double begin = perp_clock();
    const char *format = perp_options_text(opt, "instance-format");
    perp_status status = PERP_OK;

    (void)ws; /* its memory is that of the child */
    perp_process_clear(&s->child);
    s->p = p;
    s->opt = opt;
    s->type = opt->inner ? opt->inner : opt->solver;
    s->keep = perp_options_switch(opt, "keep");
    s->foreign = &r->foreign;
    r->foreign.factor = perp_options_real(opt, "tolerance-factor");
    status = run_find(s, err);
    s->format = format ? format : s->code && s->code->format ? s->code->format : "npz";
    if (status == PERP_OK) {
        status = perp_external_write(s, r->z, err);
    }
    if (status == PERP_OK) {
        perp_result_log(r, "%s: %s", s->type->name,
                        s->code->program ? s->code->program : s->method);
    }
    if (status == PERP_OK && s->keep) {
        perp_result_log(r, "kept in %s", s->folder);
    }
    r->foreign.overhead_seconds += perp_clock() - begin;
    return status;
}

static perp_status run_start(perp_external_run *s, perp_error *err)
{
    const char *const command[] = {"/bin/sh", "-c", s->method, NULL};
    const char *const program[] = {s->program, NULL};
    double limit = perp_external_seconds(s);
    char **environment = perp_external_environment(s);
    perp_status status = PERP_OK;

    if (!environment) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for an environment");
    }
    status = perp_process_start(
        &s->child,
        &(perp_process_orders){
            .argv = s->code->program ? program : command,
            .environment = (const char *const *)environment,
            .seconds = limit > 0.0 ? limit + fmin(run_grace, 0.5 + limit) : 0.0,
            .megabytes = perp_options_real(s->opt, "memory-limit"),
            .quiet = true},
        err);
    perp_external_environment_free(environment);
    return status;
}

/* Wait for the end of the program; false when the caller has interrupted it. */
static bool run_wait(perp_external_run *s, const perp_result *r)
{
    const perp_options *opt = s->opt;
    double begin = perp_clock(), report = begin + run_report;

    while (s->child.pid) {
        perp_process_wait(&s->child, 1, 0.05);
        if (opt->interrupt && *opt->interrupt) {
            break;
        }
        if (s->child.pid && opt->progress && perp_clock() >= report) {
            report = perp_clock() + run_report;
            if (!opt->progress(opt->progress_context, 0, r->residual,
                               perp_clock() - begin)) {
                break;
            }
        }
    }
    if (s->child.pid) {
        perp_process_kill(&s->child);
        return false;
    }
    return true;
}

/* What a program wrote, made ASCII for sentences. */
static void run_make_plain(char *text)
{
    for (char *c = text; *c; c++) {
        *c = (unsigned char)*c < ' ' || (unsigned char)*c > '~' ? '?' : *c;
    }
}

/* The last line of the program's standard error, in ASCII, after ": "; "" when it wrote none. */
static void run_complaint(const perp_external_run *s, char *text, size_t length)
{
    snprintf(text, length, ": ");
    perp_process_last_line(&s->child, text + 2, length - 2);
    run_make_plain(text);
    if (!text[2]) {
        *text = '\0';
    }
}

/* The end of a program that has answered. */
static perp_status run_conclude(perp_result *r, const perp_external_answer *a,
                                const char *who)
{
    static const struct {
        const char *claim;
        perp_outcome outcome;
    } outcomes[] = {{"solved", PERP_SOLVED},
                    {"iteration limit", PERP_ITERATION_LIMIT},
                    {"time limit", PERP_TIME_LIMIT}};
    perp_outcome outcome = PERP_STALLED;
    char message[PERP_FOREIGN_TEXT + 2] = "";

    for (size_t k = 0; k < sizeof outcomes / sizeof *outcomes; k++) {
        outcome =
            strcmp(a->claim, outcomes[k].claim) == 0 ? outcomes[k].outcome : outcome;
    }
    if (*a->message) {
        snprintf(message, sizeof message, ": %s", a->message);
    }
    r->iterations += a->iterations > 0 ? a->iterations - 1 : 0;
    if (!*a->claim) {
        return perp_result_end(r, outcome, "%s makes no claim%s", who, message);
    }
    return perp_result_end(r, outcome, "%s claims \"%.40s\"%s", who, a->claim, message);
}

/* Read the solution; what is wrong with it is the end of this run. */
static perp_status run_read(const perp_external_run *s, perp_result *r, const char *who,
                            perp_error *err)
{
    char path[PERP_EXTERNAL_PATH + 32];
    perp_external_answer a;
    perp_error wrong = {0};
    perp_foreign *f = &r->foreign;
    perp_status status = PERP_OK;

    perp_external_path(s, "solution.json", path, sizeof path);
    status = perp_external_read(path, r->n, r->z, &a, &wrong);
    memcpy(f->claim, a.claim, sizeof f->claim);
    memcpy(f->version, a.version, sizeof f->version);
    memcpy(f->reformulation, a.reformulation, sizeof f->reformulation);
    f->seconds = a.seconds <= f->wall_seconds ? a.seconds : 0.0;
    if (status == PERP_ERR_MEMORY) {
        return perp_fail(err, status, "%s", wrong.text);
    }
    if (status != PERP_OK) {
        return perp_result_end(r, PERP_STALLED, "%s: %.200s", who, wrong.text);
    }
    if (*f->reformulation) {
        perp_result_log(r, "%s: %s", who, f->reformulation);
    }
    return run_conclude(r, &a, who);
}

/* What the end of the program means. */
static perp_status run_judge_end(const perp_external_run *s, perp_result *r,
                                 perp_error *err)
{
    const perp_process *child = &s->child;
    const char *who = s->code->program ? s->code->program : "the command";
    char complaint[160];
    bool shell = !s->code->program &&
                 (child->code == RUN_NOT_EXECUTABLE || child->code == RUN_NOT_FOUND);

    run_complaint(s, complaint, sizeof complaint);
    if (child->end == PERP_PROCESS_STARVED) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the output of %s", who);
    }
    if (child->end == PERP_PROCESS_OUT_OF_TIME) {
        return perp_result_end(r, PERP_TIME_LIMIT, "%s was killed after %.3g s", who,
                               child->wall);
    }
    if (child->end == PERP_PROCESS_SIGNALLED) {
        return perp_result_end(r, PERP_STALLED, "%s was killed by signal %d%s", who,
                               child->code, complaint);
    }
    if (child->code == RUN_UNSUITABLE || shell) {
        return perp_fail(err, PERP_ERR_UNSUITABLE, "%s %s%s", who,
                         shell ? "cannot be started" : "does not take the problem",
                         complaint);
    }
    if (child->code != RUN_ANSWERED) {
        return perp_result_end(r, PERP_STALLED, "%s ended with exit status %d%s", who,
                               child->code, complaint);
    }
    return run_read(s, r, who, err);
}

perp_status perp_external_iterate(void *state, perp_result *r, perp_error *err)
{
    perp_external_run *s = state;
    perp_foreign *f = &r->foreign;
    double begin = perp_clock();
    perp_status status = run_start(s, err);
    bool ended = false;

    f->claim[0] = f->version[0] = f->reformulation[0] = '\0'; /* of an earlier round */
    f->seconds = 0.0;
    if (status == PERP_ERR_LIBRARY &&
        err) { /* the program, not a library of this process */
        err->status = PERP_ERR_UNSUITABLE;
    }
    if (status != PERP_OK) {
        return status == PERP_ERR_LIBRARY ? PERP_ERR_UNSUITABLE : status;
    }
    f->ran = true;
    f->calls++;
    ended = run_wait(s, r);
    f->wall_seconds = ended ? s->child.wall : perp_clock() - s->child.started;
    status = ended ? run_judge_end(s, r, err)
                   : perp_result_end(r, PERP_INTERRUPTED, "interrupted after %.3g s",
                                     f->wall_seconds);
    run_make_plain(r->reason);
    f->overhead_seconds +=
        perp_clock() - begin - (f->seconds > 0.0 ? f->seconds : f->wall_seconds);
    return status;
}

void perp_external_close(void *state)
{
    perp_external_run *s = state;

    perp_process_kill(&s->child);
    perp_process_clear(&s->child);
    if (!s->keep && *s->folder) {
        perp_folder_remove_all(s->folder);
    }
}
