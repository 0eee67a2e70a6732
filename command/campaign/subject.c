/* SPDX-License-Identifier: Apache-2.0
 * runner/subject.c: what the types of subjects share. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "command/campaign/subject.h"
#include "command/cli/output.h"
#include "command/cli/take.h"

const subject_type *const subjects[] = {&subject_instance, &subject_sequence,
                                        &subject_scene, NULL};

perp_status subject_open(subject *s, const suite_run *run, perp_error *err)
{
    memset(s, 0, sizeof *s);
    s->type = run->entry->type;
    return s->type->open(s, run, err);
}

void subject_close(subject *s)
{
    perp_judge_free(s->judge);
    instance_free(s->in);
    perp_sequence_free(s->sequence);
    json_decref(s->facts);
    memset(s, 0, sizeof *s);
}

void subject_command(run_line *line, const suite_run *run, const char *executable)
{
    line_start(line);
    line_add(line, executable);
    run->entry->type->command(line, run);
    line_add(line, "--");
    line_add(line, run->entry->file);
    line_add(line, NULL);
}

void subject_point(double **point, const json_t *z, size_t n)
{
    *point = NULL;
    if (!json_is_array(z) || json_array_size(z) != n) {
        return;
    }
    *point = take_reals(n);
    for (size_t i = 0; i < n; i++) {
        const json_t *x = json_array_get(z, i);

        (*point)[i] = json_is_number(x) ? json_number_value(x) : NAN;
    }
}

double subject_residual(const suite_run *run, const perp_measures *m)
{
    return suite_rules_local(&run->set->rules) ? m->residual_local : m->residual;
}

void subject_summarize_solve(const subject_verdict *v, const suite_run *run,
                             const json_t *answer, char *text, size_t length)
{
    const char *outcome = json_string_value(json_object_get(answer, "outcome"));
    const char *reason = json_string_value(json_object_get(answer, "reason"));
    const char *own = perp_options_text(&run->solver->options, "friction");
    double model = json_number_value(json_object_get(answer, "residual"));
    const json_t *foreign = json_object_get(answer, "foreign");
    char as[96] = "";

    if (strcmp(own, "natural") != 0) {
        snprintf(as, sizeof as, " (%s as %.40s)", output_real(OUTPUT_ROOM, model), own);
    }
    if (v->solved) {
        outcome = "solved";
    } else if (json_is_true(json_object_get(foreign, "false_claim"))) {
        outcome = "false claim";
    } else if (json_number_value(json_object_get(foreign, "missed")) > 0.0) {
        outcome = "missed by its norm";
    } else if (!outcome || strcmp(outcome, "solved") == 0) {
        outcome = "not solved";
    }
    reason = v->solved || !reason ? "" : reason;
    snprintf(
        text, length, "%s, %s%s, %lld iteration%s, %s%s%s", outcome,
        output_real(OUTPUT_ROOM, v->residual), as,
        (long long)json_integer_value(json_object_get(answer, "iterations")),
        perp_plural((size_t)(json_integer_value(json_object_get(answer, "iterations")))),
        output_seconds(OUTPUT_ROOM,
                       json_number_value(json_object_get(answer, "seconds"))),
        *reason ? ": " : "", reason);
}
