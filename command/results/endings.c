/* SPDX-License-Identifier: Apache-2.0
 * command/results/endings.c: how a run ended in a few words, and what another code claims. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "runs.h"

const json_t *run_foreign(const stored_run *run)
{
    const json_t *foreign = run ? json_object_get(run->json, "foreign") : NULL;

    return json_is_object(foreign) ? foreign : NULL;
}

void run_claims(const stored_run *run, size_t *missed, size_t *wrong)
{
    const json_t *foreign = run_foreign(run);
    bool claims =
        foreign && !run->solved && strcmp(member_text(foreign, "claim"), "solved") == 0;
    bool near = claims && run->residual <= PERP_MISSED * run->tolerance;
    /* of a sequence: by its items */
    double far = member_number(foreign, "false_claims", claims && !near);

    *missed = (size_t)fmax(member_number(foreign, "missed_claims", near), 0.0);
    *wrong = (size_t)fmax(far, 0.0);
}

double run_missed(const stored_run *run)
{
    return run->residual / run->tolerance;
}

/* The words of a claim that the judge does not confirm; NULL without one. */
static const char *run_claim(const stored_run *run)
{
    size_t missed = 0, wrong = 0;

    run_claims(run, &missed, &wrong);
    return wrong ? "false claim" : missed ? RUN_MISSED : NULL;
}

const char *run_ending(const stored_run *run)
{
    const char *claim = NULL;

    if (!run) {
        return "not run";
    }
    if (run->solved) {
        return "solved";
    }
    if (strcmp(run->status, "unsuitable") == 0) {
        return "not applicable";
    }
    if (strcmp(run->status, "ok") != 0) {
        return run->status;
    }
    if (strcmp(run->outcome, "solved") == 0) {
        return "solved its approximation";
    }
    claim = run_claim(run);
    if (claim) {
        return claim;
    }
    return *run->outcome ? run->outcome : "no outcome";
}
