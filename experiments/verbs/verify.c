/* SPDX-License-Identifier: Apache-2.0
 * verbs/verify.c: judge a solution from any tool. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "experiments/cli/answer.h"
#include "experiments/runner/solution.h"
#include "experiments/verbs/measures.h"
#include "experiments/verbs/verbs.h"

static const cli_option verify_options[] = {
    VERB_READ_OPTIONS,
    VERB_PROBLEM_OPTIONS,
    {"tolerance", 0, "X", "largest residual of a solution [1e-8]"},
    {"json", 0, NULL, "print JSON"},
    CLI_OPTION_END,
};

typedef struct verify_job {
    instance *in;
    solution *s;
    double tolerance;
    perp_measures m;
    bool judged, solved;
    bool certified; /* the certificate holds */
    char says[256];
} verify_job;

static bool verify_has_certificate(const solution *s)
{
    return s->certificate.c.kind != PERP_CERTIFICATE_NONE;
}

static perp_status verify_judge(verify_job *job, const char *path, perp_error *err)
{
    const perp_problem *p = job->in->problem;
    const solution *s = job->s;
    perp_judge *judge = NULL;
    perp_status status = PERP_OK;

    if (verify_has_certificate(s)) {
        job->certified =
            certificates_check(&s->certificate, p, job->says, sizeof job->says);
    }
    if (!s->z) {
        return PERP_OK;
    }
    if (s->n != p->n) {
        return perp_fail(err, PERP_ERR_DATA, "%s: holds %zu numbers, expected %zu", path,
                         s->n, p->n);
    }
    status = perp_judge_new(&judge, p, err);
    if (status != PERP_OK) {
        return status;
    }
    perp_judge_measure(judge, s->z, job->tolerance, &job->m);
    perp_judge_free(judge);
    job->judged = true;
    job->solved = job->m.residual <= job->tolerance;
    return PERP_OK;
}

static json_t *verify_certificate(const verify_job *job)
{
    if (!verify_has_certificate(job->s)) {
        return json_null();
    }
    return json_pack("{s:s, s:b, s:s}", "kind",
                     perp_certificate_name(job->s->certificate.c.kind), "verified",
                     (int)job->certified, "says", job->says);
}

static json_t *verify_json(const verify_job *job)
{
    return json_pack("{s:s, s:b, s:o, s:f, s:o, s:o}", "instance", job->in->name,
                     "solved", (int)job->solved, "residual",
                     job->judged ? answer_real(job->m.residual) : json_null(),
                     "tolerance", job->tolerance, "certificate", verify_certificate(job),
                     "measures", job->judged ? answer_measures(&job->m) : json_null());
}

static perp_status verify_print_text(const verify_job *job, perp_error *err)
{
    char text[256];

    verb_describe(job->in->problem, text, sizeof text);
    output_print(stdout, OUTPUT_PLAIN, "%s: %s\n", job->in->name, text);
    if (job->judged) {
        output_print(stdout, job->solved ? OUTPUT_GOOD : OUTPUT_BAD, "%s",
                     job->solved ? "solved" : "not solved");
        output_print(stdout, OUTPUT_PLAIN, ": residual %s (tolerance %g)\n",
                     output_real(OUTPUT_ROOM, job->m.residual), job->tolerance);
    }
    if (verify_has_certificate(job->s)) {
        output_print(stdout, OUTPUT_PLAIN, "certificate: %s, ",
                     perp_certificate_name(job->s->certificate.c.kind));
        output_print(stdout, job->certified ? OUTPUT_GOOD : OUTPUT_BAD, "%s",
                     job->certified ? "verified" : "does not hold");
        output_print(stdout, OUTPUT_PLAIN, ": %s\n", job->says);
    }
    return job->judged ? measures_print(job->in->problem, &job->m, stdout, err) : PERP_OK;
}

static int verify_run(const cli_args *args, perp_error *err)
{
    verify_job job = {0};
    instance_request request;
    perp_status status =
        cli_args_number(args, "tolerance", 1e-8, 0, 1, &job.tolerance, err);

    if (status == PERP_OK) {
        status = verb_request(args, args->word[0], &request, err);
    }
    if (status == PERP_OK) {
        status = instance_open(&job.in, &request, err);
    }
    if (status == PERP_OK) {
        status = solution_read(&job.s, args->word[1], err);
    }
    if (status == PERP_OK) {
        status = verify_judge(&job, args->word[1], err);
    }
    if (status == PERP_OK) {
        status = cli_args_given(args, "json")
                     ? output_json(stdout, verify_json(&job), false, err)
                     : verify_print_text(&job, err);
    }
    solution_free(job.s);
    instance_free(job.in);
    return status != PERP_OK ? CLI_BAD_INPUT : job.solved ? CLI_DONE : CLI_NOT_SOLVED;
}

const cli_verb verb_verify = {
    .name = "verify",
    .summary = "judge a solution from any tool, and check its certificate",
    .usage = "INSTANCE SOLUTION [--tolerance X]",
    .more =
        "SOLUTION is JSON (an array, or an object with \"z\" or \"r\", as perp solve\n"
        "--json prints it), a Matrix Market vector, or plain text.\n"
        "Exit status: 0 solved, 1 not solved, 2 bad usage or input.\n",
    .options = verify_options,
    .least = 2,
    .most = 2,
    .run = verify_run,
};
