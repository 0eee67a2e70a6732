/* SPDX-License-Identifier: Apache-2.0
 * verbs/verify_answer.c: one answer that perp verify judges. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include <perp/judge.h>

#include "base/base.h"
#include "command/cli/answer.h"
#include "command/results/runs.h"
#include "command/verbs/measures.h"
#include "command/verbs/verify_answer.h"

/* A componentwise residual above this is mentioned. */
static const double mentioned = 1e-4;

static bool answer_has_certificate(const verify_answer *a)
{
    return a->s->certificate.c.kind != PERP_CERTIFICATE_NONE;
}

bool verify_answer_denies(const verify_answer *a)
{
    const perp_certificate *c = &a->s->certificate.c;

    return c->kind == PERP_CERTIFICATE_INFEASIBLE && c->n == a->in->problem->n;
}

static perp_status answer_judge(verify_answer *a, perp_error *err)
{
    const perp_problem *p = a->in->problem;
    const solution *s = a->s;
    perp_judge *judge = NULL;

    if (answer_has_certificate(a)) {
        a->certified = certificates_check(&s->certificate, p, a->says, sizeof a->says);
        if (verify_answer_denies(a)) {
            perp_certificate_measure(p, s->certificate.c.y, &a->radius, &a->margin);
        }
    }
    if (!s->z) {
        return PERP_OK;
    }
    if (s->n != p->n) {
        return perp_fail(err, PERP_ERR_DATA, "%s: holds %zu number%s, expected %zu",
                         a->path, s->n, perp_plural(s->n), p->n);
    }
    TRY(perp_judge_new(&judge, p, err));
    perp_judge_measure(judge, s->z, a->tolerance, &a->m);
    perp_judge_free(judge);
    a->judged = true;
    a->solved = a->m.residual <= a->tolerance;
    return PERP_OK;
}

perp_status verify_answer_read(verify_answer *a, perp_error *err)
{
    perp_status status = solution_read(&a->s, a->path, err);

    if (status == PERP_OK) {
        status = answer_judge(a, err);
    }
    if (status == PERP_OK && a->wants_forces && a->judged) {
        status = forces_find(&a->forces, a->in->problem, a->s->z, err);
    }
    return status == PERP_OK && a->exact ? verify_exact_run(a, err) : status;
}

void verify_answer_clear(verify_answer *a)
{
    solution_free(a->s);
    forces_clear(&a->forces);
    exact_proof_clear(&a->proof);
    exact_proof_clear(&a->denial);
    a->s = NULL;
}

bool verify_answer_is_denied(const verify_answer *a)
{
    return a->denial.method && a->denial.verdict == EXACT_PROVED && !a->solved &&
           !(a->proof.method && a->proof.verdict == EXACT_PROVED);
}

bool verify_answer_holds(const verify_answer *a)
{
    if (!a->exact) {
        return a->solved;
    }
    if (a->denial.method && a->denial.verdict != EXACT_PROVED) {
        return false;
    }
    return verify_answer_is_denied(a) ||
           (a->judged && a->solved && a->proof.verdict == EXACT_PROVED);
}

int verify_answers_status(const verify_answer *answers, size_t count,
                          const contradiction *pair, perp_error *err)
{
    bool hold = true;

    if (pair && contradiction_decide(pair) == CONTRADICTION_ERROR) {
        char *text = contradiction_text(pair);

        perp_fail(err, PERP_ERR_LIBRARY, "perp: error of perp: %s",
                  text ? text : "a solution and a certificate contradict each other");
        free(text);
        return CLI_BAD_INPUT;
    }
    for (size_t k = 0; k < count; k++) {
        hold = hold && verify_answer_holds(&answers[k]);
    }
    return hold ? CLI_DONE : CLI_NOT_SOLVED;
}

static json_t *answer_certificate(const verify_answer *a)
{
    json_t *object = NULL;

    if (!answer_has_certificate(a)) {
        return json_null();
    }
    object = json_pack("{s:s, s:b, s:s}", "kind",
                       perp_certificate_name(a->s->certificate.c.kind), "verified",
                       (int)a->certified, "says", a->says);
    if (verify_answer_denies(a)) {
        answer_add(object, "radius",
                   isfinite(a->radius) ? json_real(a->radius) : json_string("infinity"));
    }
    if (a->exact) {
        answer_add(object, "exact", verify_exact_denial_json(a));
    }
    return object;
}

json_t *verify_answer_json(const verify_answer *a)
{
    json_t *object = json_pack(
        "{s:s, s:b, s:o, s:f, s:o, s:o}", "instance", a->in->name, "solved",
        (int)a->solved, "residual", a->judged ? answer_real(a->m.residual) : json_null(),
        "tolerance", a->tolerance, "certificate", answer_certificate(a), "measures",
        a->judged ? answer_measures(&a->m) : json_null());

    if (a->s->plugins) {
        answer_add(object, "plugins", json_incref(a->s->plugins));
    }
    if (a->forces.p) {
        answer_add(object, "forces", forces_json(&a->forces));
    }
    if (a->exact) {
        answer_add(object, "exact", verify_exact_json(a));
    }
    return object;
}

/* The plugins that the answer says it is of. */
static void answer_print_plugins(const verify_answer *a)
{
    for (size_t k = 0; k < json_array_size(a->s->plugins); k++) {
        const json_t *plugin = json_array_get(a->s->plugins, k);

        output_print(stdout, OUTPUT_PLAIN, "solver %s of the plugin %s, hash %s\n",
                     member_text(plugin, "solver"), member_text(plugin, "file"),
                     member_text(plugin, "hash"));
    }
}

void verify_answer_print(const verify_answer *a)
{
    if (a->judged) {
        output_print(stdout, a->solved ? OUTPUT_GOOD : OUTPUT_BAD, "%s",
                     a->solved ? "solved" : "not solved");
        printf(": residual %s (tolerance %g)\n", output_real(OUTPUT_ROOM, a->m.residual),
               a->tolerance);
    }
    if (a->solved && a->m.residual_local > fmax(mentioned, 10.0 * a->tolerance)) {
        output_print(stdout, OUTPUT_PLAIN,
                     "componentwise residual %s: large forces hide the errors of small "
                     "ones\n",
                     output_real(OUTPUT_ROOM, a->m.residual_local));
    }
    answer_print_plugins(a);
    if (answer_has_certificate(a)) {
        printf("certificate: %s, ", perp_certificate_name(a->s->certificate.c.kind));
        output_print(stdout, a->certified ? OUTPUT_GOOD : OUTPUT_BAD, "%s",
                     a->certified ? "verified" : "does not hold");
        printf(": %s\n", a->says);
    }
    verify_exact_print(a);
    if (a->judged) {
        measures_print(a->in->problem, &a->m, stdout);
    }
    if (a->forces.p) {
        forces_print(&a->forces, stdout);
    }
}
