/* SPDX-License-Identifier: Apache-2.0
 * verbs/verify.c: judge solutions from any tool, and compare them with each other. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "command/campaign/contradiction.h"
#include "command/cli/answer.h"
#include "command/cli/plugin.h"
#include "command/cli/take.h"
#include "command/verbs/verbs.h"
#include "command/verbs/verify_answer.h"

static const cli_option verify_options[] = {
    VERB_READ_OPTIONS,
    VERB_PROBLEM_OPTIONS,
    {"tolerance", 0, "X", "largest residual of a solution [1e-8]"},
    PLUGIN_OPTION,
    {"forces", 0, NULL, "say which forces are determined, and the ranges of the others"},
    {"exact", 0, NULL, "prove the answer in exact arithmetic"},
    {"time-limit", 0, "S", "time that one proof may take [60 s]"},
    {"json", 0, NULL, "print JSON"},
    CLI_OPTION_END,
};

typedef struct verify_job {
    instance *in;
    verify_answer *answers; /* count of them */
    size_t count;
    bool paired;        /* one answer is solved, and another is infeasible, verified */
    contradiction pair; /* the worst of these pairs */
} verify_job;

/* Each answer that is solved with each direction that is verified. */
static void verify_compare(verify_job *job)
{
    const perp_problem *p = job->in->problem;

    for (size_t i = 0; i < job->count; i++) {
        for (size_t k = 0; k < job->count; k++) {
            const verify_answer *z = &job->answers[i], *y = &job->answers[k];
            contradiction x = {.instance = job->in->name,
                               .solved = z->path,
                               .certified = y->path,
                               .residual = z->m.residual,
                               .size = z->m.beta_z,
                               .radius = y->radius,
                               .margin = y->margin};

            if (!z->solved || !y->certified || !verify_answer_denies(y)) {
                continue;
            }
            x.rounding = contradiction_rounding_of(p, z->s->z, &z->m);
            if (!job->paired || contradiction_worse(&x, &job->pair)) {
                job->pair = x;
            }
            job->paired = true;
        }
    }
}

static json_t *verify_contradiction(const verify_job *job)
{
    char *text = job->paired ? contradiction_text(&job->pair) : NULL;
    json_t *object = NULL;

    if (!job->paired) {
        return json_null();
    }
    object = json_pack("{s:s, s:o}", "kind",
                       contradiction_name(contradiction_decide(&job->pair)), "says",
                       answer_text(text));
    free(text);
    return object;
}

/* One object for one answer; for several {"instance", "answers", "contradiction"}. */
static json_t *verify_json(const verify_job *job)
{
    json_t *answers = json_array(), *object = NULL;

    for (size_t k = 0; k < job->count; k++) {
        json_t *answer = verify_answer_json(&job->answers[k]);

        if (job->count == 1) {
            object = answer;
            break;
        }
        answer_add(answer, "file", answer_text(job->answers[k].path));
        json_array_append_new(answers, answer);
    }
    if (job->count > 1) {
        object = json_pack("{s:s, s:O}", "instance", job->in->name, "answers", answers);
    }
    json_decref(answers);
    answer_add(object, "contradiction", verify_contradiction(job));
    return object;
}

static void verify_print(const verify_job *job)
{
    char text[PERP_ERROR_LENGTH];

    verb_describe(job->in->problem, text, sizeof text);
    output_print(stdout, OUTPUT_PLAIN, "%s: %s\n", job->in->name, text);
    for (size_t k = 0; k < job->in->notes.count; k++) {
        output_print(stdout, OUTPUT_PLAIN, "note: %s\n", job->in->notes.line[k]);
    }
    for (size_t k = 0; k < job->count; k++) {
        if (job->count > 1) {
            output_print(stdout, OUTPUT_PLAIN, "\n%s\n", job->answers[k].path);
        }
        verify_answer_print(&job->answers[k]);
    }
    if (job->paired && contradiction_decide(&job->pair) != CONTRADICTION_ERROR) {
        contradiction_print(stdout, &job->pair);
        fputc('\n', stdout);
    }
}

static perp_status verify_read(verify_job *job, const cli_args *args, perp_error *err)
{
    double tolerance = 0.0, seconds = 0.0;
    perp_status status = cli_args_number(args, "tolerance", 1e-8, 0, 1, &tolerance, err);

    if (status == PERP_OK) {
        status = cli_args_quantity(args, "time-limit", "s", 60.0, 0, 1e9, &seconds, err);
    }
    job->answers = take(args->word_count, sizeof *job->answers);
    for (size_t k = 1; k < args->word_count && status == PERP_OK; k++) {
        verify_answer *a = &job->answers[job->count++];

        a->path = args->word[k];
        a->in = job->in;
        a->tolerance = tolerance;
        a->exact = cli_args_given(args, "exact");
        a->wants_forces = cli_args_given(args, "forces");
        a->seconds = seconds;
        status = verify_answer_read(a, err);
    }
    if (status == PERP_OK) {
        verify_compare(job);
    }
    return status;
}

static int verify_run(const cli_args *args, perp_error *err)
{
    verify_job job = {0};
    instance_request request;
    perp_status status = verb_request(args, args->word[0], &request, err);
    int exit_status = CLI_BAD_INPUT;

    if (status == PERP_OK) {
        status = instance_open(&job.in, &request, err);
    }
    if (status == PERP_OK) {
        status = verify_read(&job, args, err);
    }
    if (status == PERP_OK && cli_args_given(args, "json")) {
        status = output_json(stdout, verify_json(&job), false, err);
    } else if (status == PERP_OK) {
        verify_print(&job);
    }
    if (status == PERP_OK) {
        exit_status = verify_answers_status(job.answers, job.count,
                                            job.paired ? &job.pair : NULL, err);
    }
    for (size_t k = 0; k < job.count; k++) {
        verify_answer_clear(&job.answers[k]);
    }
    free(job.answers);
    instance_free(job.in);
    return exit_status;
}

const cli_verb verb_verify = {
    .name = "verify",
    .summary = "judge a solution from any tool, and check its certificate",
    .usage = "INSTANCE SOLUTION... [--tolerance X] [--forces] [--exact]",
    .more = "SOLUTION is JSON (an array, or an object with \"z\" or \"r\", as perp solve "
            "--json prints it), a Matrix Market vector, or plain text. Several "
            "solutions of one instance are compared. Exit status: 0 solved (with "
            "--exact: and proved, or infeasible and proved), 1 not solved, refuted or "
            "open, 2 bad usage or input, or a contradiction.\n"
            "--forces gives the range of each row over all answers with the same "
            "velocities: determined, indeterminate with its interval, or unbounded. "
            "Under Coulomb's law other velocities, with forces of their own, may exist.\n"
            "--exact reads each double as the rational number that it is, and proves "
            "that an exact solution lies near the answer, or that there is none "
            "within a radius. Of several solutions, one that is solved and one that "
            "is infeasible, verified, contradict each other, which is an error of "
            "perp.\n",
    .words = "INSTANCE|FILE",
    .usual = "tolerance|forces|exact|time-limit|friction|json",
    .options = verify_options,
    .least = 2,
    .most = CLI_WORD_ROOM,
    .numbers = true,
    .run = verify_run,
};
