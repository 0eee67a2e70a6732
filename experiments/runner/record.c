/* SPDX-License-Identifier: Apache-2.0
 * runner/record.c: one run as one JSON object, schema perp-run/1. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/answer.h"
#include "experiments/cli/output.h"
#include "experiments/runner/certificates.h"
#include "experiments/runner/record.h"
#include "experiments/runner/record_scene.h"
#include "experiments/runner/record_steps.h"

/* How the run ended, from its process and what it printed. */
typedef struct record_state {
    const suite_run *run;
    record_problem *p;
    json_t *answer; /* what the process printed, or NULL */
    double *z;      /* its point, or NULL */
    perp_measures m;
    record_steps steps; /* of a sequence; m then has the residual only */
    bool judged, solved;
    char status[64], message[PERP_ERROR_LENGTH];
} record_state;

perp_status record_problem_open(record_problem *p, const suite_run *run, perp_error *err)
{
    const suite_rules *rules = &run->set->rules;
    instance_request request = {.path = run->instance->file,
                                .read = run->instance->read,
                                .law = rules->law,
                                .formulation = rules->formulation};

    memset(p, 0, sizeof *p);
    if (run->instance->sequence) {
        return record_sequence_open(p, run, err);
    }
    if (run->instance->scene) {
        return record_scene_open(p, run, err);
    }
    if (instance_open(&p->in, &request, &p->err) != PERP_OK) {
        return p->err.status == PERP_ERR_MEMORY
                   ? perp_fail(err, PERP_ERR_MEMORY, "%s", p->err.text)
                   : PERP_OK;
    }
    p->steps = 1;
    p->n = p->in->problem->n;
    p->kind = perp_kind_name(perp_problem_kind(p->in->problem));
    p->law = p->in->problem->law == PERP_LAW_ASSOCIATED ? "associated" : "coulomb";
    p->hash = perp_problem_hash(p->in->problem);
    p->nonzeros = perp_operator_nonzeros(p->in->problem->A);
    p->contacts = perp_problem_contacts(p->in->problem);
    return perp_judge_new(&p->judge, p->in->problem, err);
}

void record_problem_close(record_problem *p)
{
    perp_judge_free(p->judge);
    instance_free(p->in);
    perp_sequence_free(p->sequence);
    json_decref(p->facts);
    memset(p, 0, sizeof *p);
}

/* The last line of what the process said on its standard error. */
static void record_tail(const process *c, char *text, size_t length)
{
    size_t end = c->tail_length, begin = 0;

    while (end > 0 && strchr(" \r\n\t", c->tail[end - 1])) {
        end--;
    }
    for (begin = end; begin > 0 && c->tail[begin - 1] != '\n'; begin--) {
    }
    snprintf(text, length, "%.*s", (int)(end - begin), c->tail + begin);
}

/* A process that dies for want of memory does so in many ways: by a signal after an unchecked
 * malloc, or with a message. Half the limit counts, since a block that is to grow is copied. */
static bool record_starved(const suite_run *run, const process *c)
{
    static const char *const words[] = {"memory", "Memory", "alloc"};

    if (c->peak >= 0.5 * run->set->rules.limits.megabytes) {
        return true;
    }
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        if (strstr(c->tail, words[k])) {
            return true;
        }
    }
    return false;
}

/* A process that ended without an answer. */
static void record_broken(record_state *s, const process *c)
{
    char tail[256];

    record_tail(c, tail, sizeof tail);
    snprintf(s->message, sizeof s->message, "%s", tail);
    if (c->end == PROCESS_OUT_OF_TIME) {
        snprintf(s->status, sizeof s->status, "time limit");
        snprintf(s->message, sizeof s->message, "killed after %.1f s", c->wall);
    } else if (c->end == PROCESS_TOO_LONG) {
        snprintf(s->status, sizeof s->status, "error");
        snprintf(s->message, sizeof s->message, "its output has no end");
    } else if (record_starved(s->run, c)) {
        snprintf(s->status, sizeof s->status, "memory limit");
    } else if (c->end == PROCESS_SIGNALLED) {
        snprintf(s->status, sizeof s->status, "crash: signal %d", c->code);
        if (!tail[0]) {
            snprintf(s->message, sizeof s->message, "%s", strsignal(c->code));
        }
    } else {
        snprintf(s->status, sizeof s->status, "error");
        snprintf(s->message, sizeof s->message, "exit status %d without an answer%s%s",
                 c->code, tail[0] ? ": " : "", tail);
    }
}

/* The point in the answer; false when it is not one of this problem. */
static bool record_point(record_state *s)
{
    const json_t *z = json_object_get(s->answer, "z");
    size_t n = s->p->in->problem->n;

    if (!json_is_array(z) || json_array_size(z) != n || !(s->z = perp_reals_new(n))) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        const json_t *x = json_array_get(z, i);

        s->z[i] = json_is_number(x) ? json_number_value(x) : NAN;
    }
    return true;
}

/* The points of all steps; the run is solved when every step is. */
static void record_points(record_state *s)
{
    perp_error inner = {0};
    perp_status status = record_steps_judge(&s->steps, s->p, s->run, s->answer, &inner);

    snprintf(s->status, sizeof s->status, "ok");
    if (status != PERP_OK) {
        snprintf(s->status, sizeof s->status, "error");
        snprintf(s->message, sizeof s->message, "%s", inner.text);
    } else if (!s->steps.whole) {
        snprintf(s->status, sizeof s->status, "error");
        snprintf(s->message, sizeof s->message, "the answer does not hold all %zu steps",
                 s->p->steps);
    } else {
        s->m.residual = s->steps.worst;
        s->judged = true;
        s->solved = s->steps.solved == s->p->steps;
    }
}

/* The steps of a scene: their residuals are those that its process found. */
static void record_march(record_state *s)
{
    record_scene scene = record_scene_judge(s->answer, s->run->tolerance);

    snprintf(s->status, sizeof s->status, "%s", scene.status);
    if (scene.message[0]) {
        snprintf(s->message, sizeof s->message, "%s", scene.message);
    }
    s->m.residual = scene.residual;
    s->judged = scene.judged;
    s->solved = scene.solved;
}

/* Read the answer, judge its point. */
static void record_read(record_state *s, const process *c)
{
    const char *status = NULL, *message = NULL;

    s->answer = c->text && c->length ? json_loadb(c->text, c->length, 0, NULL) : NULL;
    status = json_string_value(json_object_get(s->answer, "status"));
    message = json_string_value(json_object_get(s->answer, "message"));
    if (c->end != PROCESS_EXITED || !status) {
        record_broken(s, c);
        return;
    }
    snprintf(s->message, sizeof s->message, "%s", message ? message : "");
    if (strcmp(status, perp_status_text(PERP_ERR_UNSUITABLE)) == 0) {
        snprintf(s->status, sizeof s->status, "unsuitable");
    } else if (strcmp(status, perp_status_text(PERP_ERR_MEMORY)) == 0) {
        snprintf(s->status, sizeof s->status, "memory limit");
    } else if (strcmp(status, perp_status_text(PERP_OK)) != 0) {
        snprintf(s->status, sizeof s->status, "error");
    } else if (s->p->facts) {
        record_march(s);
    } else if (s->p->sequence) {
        record_points(s);
    } else if (!record_point(s)) {
        snprintf(s->status, sizeof s->status, "error");
        snprintf(s->message, sizeof s->message, "the answer holds no point of %zu rows",
                 s->p->in->problem->n);
    } else {
        snprintf(s->status, sizeof s->status, "ok");
        perp_judge_measure(s->p->judge, s->z, s->run->tolerance, &s->m);
        s->judged = true;
        s->solved = s->m.residual <= s->run->tolerance;
    }
}

/* A member of the answer, or null. */
static json_t *record_copy(const record_state *s, const char *key)
{
    json_t *value = json_object_get(s->answer, key);

    return value ? json_incref(value) : json_null();
}

static int record_put(json_t *o, const char *key, json_t *value)
{
    return json_object_set_new(o, key, value) != 0;
}

static json_t *record_text(const char *text)
{
    json_t *value = text && text[0] ? json_string(text) : json_null();

    /* A message of another program need not be UTF-8. */
    return value ? value : json_string("(unreadable)");
}

/* What tables and figures call it: a solver that starts elsewhere than at 0 says so. */
static json_t *record_label(const suite_run *run)
{
    if (run->instance->scene) {
        return json_sprintf("%s %s%s%s", run->solver->label, run->coordinates,
                            run->integrator ? " " : "",
                            run->integrator ? run->integrator : "");
    }
    if (run->instance->sequence && run->policy != POLICY_COLD) {
        return json_sprintf("%s %s", run->solver->label, run->start);
    }
    return strcmp(run->start, "cold") == 0
               ? json_string(run->solver->label)
               : json_sprintf("%s from %s", run->solver->label, run->start);
}

/* What was asked. */
static int record_question(json_t *o, const record_state *s, const suite *whose)
{
    const suite_run *run = s->run;
    const suite_rules *rules = &run->set->rules;
    const perp_options *opt = &run->solver->options;
    bool there = s->p->steps > 0;
    const char *own = perp_options_text(opt, "formulation");
    const char *whole = rules->formulation ? rules->formulation : "natural";
    const char *law = s->p->law ? s->p->law : "coulomb";
    perp_options resolved = *opt;
    int failed =
        perp_options_set_real(&resolved, "tolerance", run->tolerance, NULL) +
        perp_options_set_real(&resolved, "time-limit", rules->limits.seconds, NULL) +
        perp_options_set_real(&resolved, "seed", (double)rules->seed, NULL) +
        perp_options_set(&resolved, "history", rules->history ? "on" : "off", NULL);

    failed += record_put(o, "schema", json_string("perp-run/1"));
    failed += record_put(o, "key", json_string(run->key));
    failed += record_put(o, "place", json_integer((json_int_t)run->place));
    failed += record_put(o, "suite", json_string(whose->name));
    failed += record_put(o, "set", json_string(run->set->name));
    failed += record_put(o, "instance", record_text(run->instance->name));
    failed += record_put(o, "file", record_text(run->instance->path));
    failed += record_put(o, "hash", there ? answer_hash(s->p->hash) : json_null());
    failed += record_put(o, "kind", record_text(s->p->kind));
    failed += record_put(
        o, "n",
        there && !run->instance->scene ? json_integer((json_int_t)s->p->n) : json_null());
    failed += record_put(o, "contacts", json_integer((json_int_t)s->p->contacts));
    failed += record_put(o, "nonzeros", json_integer((json_int_t)s->p->nonzeros));
    failed += record_put(o, "solver", json_string(run->solver->name));
    failed += record_put(o, "label", record_label(run));
    failed += record_put(o, "options", answer_options(&resolved));
    failed += record_put(o, "formulation",
                         json_string(strcmp(own, "natural") != 0 ? own : whole));
    failed += record_put(o, "law", json_string(law));
    failed += record_put(o, "tolerance", json_real(run->tolerance));
    failed += record_put(o, "seed", json_integer(rules->seed));
    if (run->instance->sequence) {
        failed += record_put(o, "policy", json_string(run->start));
        failed += record_put(o, "solver_label", json_string(run->solver->label));
        failed += record_put(o, "noise", json_real(rules->noise));
        failed += record_put(o, "count", json_integer((json_int_t)s->p->steps));
    }
    return failed;
}

/* The certificate, checked here. */
static json_t *record_certificate(const record_state *s)
{
    json_t *c = json_object_get(s->answer, "certificate");
    const perp_problem *p = s->p->in ? s->p->in->problem : NULL;
    stored_certificate e = {0};
    json_t *copy = NULL;
    char why[160];

    if (p && json_is_object(c) && certificates_read(&e, "answer", c, NULL) == PERP_OK) {
        bool holds = certificates_check(&e, p, why, sizeof why);

        copy = json_copy(c); /* its vectors are shared */
        if (json_object_set_new(copy, "verified", json_boolean(holds)) +
                json_object_set_new(copy, "says", json_string(why)) !=
            0) {
            json_decref(copy);
            copy = NULL;
        }
    }
    certificates_clear(&e);
    return copy ? copy : json_null();
}

/* The residual of the problem as asked: that of the answer where the solver has a formulation
 * of its own, else the one that was measured here. */
static json_t *record_residual(const record_state *s)
{
    const char *own = perp_options_text(&s->run->solver->options, "formulation");

    if (strcmp(own, "natural") != 0) {
        return record_copy(s, "residual");
    }
    return s->judged ? answer_real(s->m.residual) : json_null();
}

/* What was found. */
static int record_outcome(json_t *o, const record_state *s)
{
    static const char *const copied[] = {
        "iterations",    "work",          "seconds", "seconds_all", "prepare_seconds",
        "setup_seconds", "judge_seconds", "bytes",   "path",
    };
    const json_t *start = json_object_get(s->answer, "start");
    int failed = 0;

    failed += record_put(
        o, "start",
        json_string(json_is_string(start) ? json_string_value(start) : s->run->start));
    failed += record_put(o, "status", json_string(s->status));
    failed += record_put(o, "message", record_text(s->message));
    failed += record_put(o, "outcome", record_copy(s, "outcome"));
    failed += record_put(o, "reason", record_copy(s, "reason"));
    failed += record_put(o, "solved", json_boolean(s->solved));
    failed += record_put(o, "residual", record_residual(s));
    failed += record_put(o, "residual_given",
                         s->judged ? answer_real(s->m.residual) : json_null());
    failed += record_put(o, "measures",
                         s->judged && s->p->in ? answer_measures(&s->m) : json_null());
    if (s->steps.arrays) {
        failed += record_put(o, "steps", json_incref(s->steps.arrays));
    }
    for (size_t k = 0; k < sizeof copied / sizeof *copied; k++) {
        failed += record_put(o, copied[k], record_copy(s, copied[k]));
    }
    failed += record_put(o, "certificate", record_certificate(s));
    failed += record_put(o, "history", record_copy(s, "history"));
    return failed;
}

static void record_tell(const record_state *s, record_tale *tale)
{
    const char *outcome = json_string_value(json_object_get(s->answer, "outcome"));
    const char *reason = json_string_value(json_object_get(s->answer, "reason"));
    const char *own = perp_options_text(&s->run->solver->options, "formulation");
    double seconds = json_number_value(json_object_get(s->answer, "seconds"));
    double model = json_number_value(json_object_get(s->answer, "residual"));
    json_int_t iterations = json_integer_value(json_object_get(s->answer, "iterations"));
    char as[96] = "";

    if (!s->judged) {
        tale->count =
            strcmp(s->status, "unsuitable") == 0 ? PROGRESS_UNSUITABLE : PROGRESS_FAILED;
        snprintf(tale->end, sizeof tale->end, "%s%s%.400s", s->status,
                 s->message[0] ? ", " : "", s->message);
        return;
    }
    tale->count = s->solved ? PROGRESS_SOLVED : PROGRESS_NOT_SOLVED;
    if (s->p->facts) {
        bool ok = strcmp(s->status, "ok") == 0;

        record_scene_tell(s->answer,
                          s->solved ? "solved"
                          : ok      ? "not solved"
                                    : s->status,
                          tale->end, sizeof tale->end);
        return;
    }
    if (strcmp(own, "natural") != 0) {
        snprintf(as, sizeof as, " (%s as %.40s)", output_real(OUTPUT_ROOM, model), own);
    }
    if (s->solved) {
        outcome = "solved";
    } else if (!outcome || strcmp(outcome, "solved") == 0) {
        outcome = "not solved";
    }
    reason = s->solved || !reason ? "" : reason;
    snprintf(tale->end, sizeof tale->end, "%s, %s%s, %lld iterations, %s%s%s", outcome,
             output_real(OUTPUT_ROOM, s->m.residual), as, (long long)iterations,
             output_seconds(OUTPUT_ROOM, seconds), *reason ? ": " : "", reason);
}

json_t *record_make(const suite *whose, const suite_run *run, record_problem *p,
                    const process *c, json_t *machine, record_tale *tale)
{
    record_state s = {.run = run, .p = p};
    const suite_limits *limits = &run->set->rules.limits;
    json_t *o = json_object();
    int failed = 0;

    if (c) {
        record_read(&s, c);
    } else {
        snprintf(s.status, sizeof s.status, "error");
        snprintf(s.message, sizeof s.message, "%s", p->err.text);
    }
    failed += record_question(o, &s, whose);
    failed += record_outcome(o, &s);
    failed += record_put(o, "wall_seconds", c ? answer_real(c->wall) : json_null());
    failed += record_put(o, "machine", json_incref(machine));
    failed += record_put(o, "limits",
                         json_pack("{s:f, s:f, s:f}", "seconds",
                                   limits->seconds * (double)(p->steps ? p->steps : 1),
                                   "megabytes", limits->megabytes, "step_seconds",
                                   limits->seconds));
    if (p->facts) {
        failed += record_scene_put(o, p, run, s.answer);
    }
    record_tell(&s, tale);
    json_decref(s.answer);
    json_decref(s.steps.arrays);
    free(s.z);
    if (failed) {
        json_decref(o);
        return NULL;
    }
    return o;
}
