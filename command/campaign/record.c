/* SPDX-License-Identifier: Apache-2.0
 * runner/record.c: one run as one JSON object, schema perp-run/1. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command/campaign/certificates.h"
#include "command/campaign/command.h"
#include "command/campaign/record.h"
#include "command/cli/answer.h"
#include "command/cli/machine.h"
#include "command/cli/plugin.h"

/* A run with its answer and what was found. */
typedef struct record_state {
    const suite_run *run;
    const subject *s;
    json_t *answer; /* what the process printed, or NULL */
    subject_verdict v;
} record_state;

static void record_status(record_state *r, const char *status)
{
    snprintf(r->v.status, sizeof r->v.status, "%s", status);
}

static void record_message(record_state *r, const char *message)
{
    snprintf(r->v.message, sizeof r->v.message, "%s", message ? message : "");
}

/* A process that dies for want of memory does so in many ways: by a signal after an unchecked
 * malloc, or with a message. Half the limit counts, since a block that is to grow is copied. */
static bool record_starved(const suite_run *run, const perp_process *c)
{
    static const char *const words[] = {"memory", "Memory", "alloc"};

    if (c->peak >= 0.5 * perp_process_megabytes(run->set->rules.limits.megabytes)) {
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
static void record_broken(record_state *r, const perp_process *c)
{
    char tail[256];

    perp_process_last_line(c, tail, sizeof tail);
    record_message(r, tail);
    if (c->end == PERP_PROCESS_OUT_OF_TIME) {
        record_status(r, "time limit");
        snprintf(r->v.message, sizeof r->v.message, "killed after %.1f s", c->wall);
    } else if (c->end == PERP_PROCESS_TOO_LONG) {
        record_status(r, "error");
        record_message(r, "its output has no end");
    } else if (c->end == PERP_PROCESS_STARVED) {
        record_status(r, "error");
        record_message(r, "no memory for its output");
    } else if (record_starved(r->run, c)) {
        record_status(r, "memory limit");
    } else if (c->end == PERP_PROCESS_SIGNALLED) {
        snprintf(r->v.status, sizeof r->v.status, "crash: signal %d", c->code);
        record_message(r, tail[0] ? tail : strsignal(c->code));
    } else {
        record_status(r, "error");
        snprintf(r->v.message, sizeof r->v.message,
                 "exit status %d without an answer%s%s", c->code, tail[0] ? ": " : "",
                 tail);
    }
}

/* Read the answer and judge it. */
static void record_read(record_state *r, const perp_process *c)
{
    const char *status = NULL;

    r->answer = c->text && c->length ? json_loadb(c->text, c->length, 0, NULL) : NULL;
    status = json_string_value(json_object_get(r->answer, "status"));
    if (c->end != PERP_PROCESS_EXITED || !status) {
        record_broken(r, c);
        return;
    }
    record_message(r, json_string_value(json_object_get(r->answer, "message")));
    if (strcmp(status, perp_status_text(PERP_ERR_UNSUITABLE)) == 0) {
        record_status(r, "unsuitable");
    } else if (strcmp(status, perp_status_text(PERP_ERR_MEMORY)) == 0) {
        record_status(r, "memory limit");
    } else if (strcmp(status, perp_status_text(PERP_OK)) != 0) {
        record_status(r, "error");
    } else {
        r->s->type->judge(&r->v, r->s, r->run, r->answer);
    }
}

/* What varies, with the names that do not contain it. */
static void record_vary(json_t *o, const suite_run *run)
{
    const suite_rules *rules = &run->set->rules;
    json_t *vary = NULL, *units = NULL, *all = NULL;

    suite_run_vary(run, &vary, &units);
    answer_add(o, "problem", answer_text(run->entry->problem));
    answer_add(o, "solver_label", json_string(run->solver->plain));
    answer_add(o, "vary", vary);
    answer_add(o, "vary_units", units);
    if (run->exact) {
        all = json_array();
        for (size_t k = 0; k < rules->tolerances; k++) {
            json_array_append_new(all, json_real(rules->tolerance[k]));
        }
        answer_add(o, "tolerances", all);
    }
}

/* The line that repeats the run. */
static json_t *record_command(const suite *whose, const suite_run *run)
{
    char *text = command_text(whose, run);
    json_t *value = answer_text(text);

    free(text);
    return value;
}

/* What was asked. */
static void record_question(json_t *o, const record_state *r, const suite *whose)
{
    const suite_run *run = r->run;
    const suite_rules *rules = &run->set->rules;
    const subject *s = r->s;
    const perp_options *opt = &run->solver->options;
    const char *own = perp_options_text(opt, "friction");
    const char *whole = suite_rules_approximation(rules);
    char label[2 * SUITE_LABEL];
    perp_options resolved = *opt;

    perp_options_set_real(&resolved, "tolerance", run->tolerance, NULL);
    perp_options_set_real(&resolved, "time-limit", rules->limits.seconds, NULL);
    perp_options_set_real(&resolved, "seed", (double)rules->seed, NULL);
    perp_options_set(&resolved, "history", rules->history ? "on" : "off", NULL);
    if (s->type != &subject_scene && !perp_options_given(&resolved, "end-by")) {
        perp_options_set(&resolved, "end-by", "limits", NULL);
    }
    s->type->label(run, label, sizeof label);
    answer_add(o, "schema", json_string("perp-run/1"));
    answer_add(o, "key", json_string(run->key));
    answer_add(o, "place", json_integer((json_int_t)run->place));
    answer_add(o, "suite", json_string(whose->name));
    answer_add(o, "set", json_string(run->set->name));
    answer_add(o, "instance", answer_text(run->entry->name));
    answer_add(o, "file", answer_file(run->entry->path));
    answer_add(o, "hash", s->steps ? answer_hash(s->hash) : json_null());
    answer_add(o, "kind", answer_text(s->kind));
    answer_add(o, "n", s->steps ? json_integer((json_int_t)s->n) : json_null());
    answer_add(o, "contacts", json_integer((json_int_t)s->contacts));
    answer_add(o, "nonzeros", json_integer((json_int_t)s->nonzeros));
    answer_add(o, "solver", json_string(run->solver->name));
    if (plugin_is_used(opt)) {
        answer_add(o, "plugins", plugin_json(opt));
    }
    answer_add(o, "label", json_string(label));
    answer_add(o, "options", answer_options(&resolved));
    answer_add(o, "formulation", json_string(strcmp(own, "natural") != 0 ? own : whole));
    answer_add(o, "law", s->law ? json_string(s->law) : json_null());
    answer_add(o, "tolerance", json_real(run->tolerance));
    if (suite_rules_local(rules)) {
        answer_add(o, "measure", json_string(rules->measure));
    }
    answer_add(o, "seed", json_integer(rules->seed));
    record_vary(o, run);
    answer_add(o, "command", record_command(whose, run));
}

/* The certificate, checked here. */
static json_t *record_certificate(const record_state *r)
{
    json_t *c = json_object_get(r->answer, "certificate");
    const perp_problem *p = r->s->in ? r->s->in->problem : NULL;
    stored_certificate stored = {0};
    json_t *copy = NULL;

    if (p && json_is_object(c) &&
        certificates_read(&stored, "answer", c, NULL) == PERP_OK) {
        copy = json_copy(c); /* its vectors are shared */
        certificates_update(copy, &stored, p);
    }
    certificates_clear(&stored);
    return copy ? copy : json_null();
}

/* The residual of the problem as asked: that of the answer where the solver has a formulation
 * of its own, else the one that was measured here. */
static json_t *record_residual(const record_state *r)
{
    const char *own = perp_options_text(&r->run->solver->options, "friction");

    if (strcmp(own, "natural") != 0) {
        return answer_copy(r->answer, "residual");
    }
    return r->v.judged ? answer_real(r->v.residual) : json_null();
}

/* What was found. */
static void record_outcome(json_t *o, const record_state *r)
{
    static const char *const copied[] = {
        "iterations",
        "work",
        "seconds",
        "seconds_median",
        "seconds_low",
        "seconds_high",
        "seconds_all",
        "repeats",
        "loops",
        "warmed",
        "prepare_seconds",
        "setup_seconds",
        "judge_seconds",
        "bytes",
        "path",
        "history",
    };
    const subject_verdict *v = &r->v;
    const char *start = json_string_value(json_object_get(r->answer, "start"));

    answer_add(o, "start", json_string(start ? start : r->run->start));

    answer_add(o, "status", json_string(v->status));
    answer_add(o, "message", answer_text(v->message));
    answer_add(o, "outcome", answer_copy(r->answer, "outcome"));
    answer_add(o, "reason", answer_copy(r->answer, "reason"));
    answer_add(o, "solved", json_boolean(v->solved));
    answer_add(o, "residual", record_residual(r));
    answer_add(o, "residual_given", v->judged ? answer_real(v->residual) : json_null());
    answer_add(o, "measures", v->measures ? json_incref(v->measures) : json_null());
    if (v->blocks) {
        answer_add(o, "blocks", json_incref(v->blocks));
    }
    if (v->steps) {
        answer_add(o, "steps", json_incref(v->steps));
    }
    for (size_t k = 0; k < sizeof copied / sizeof *copied; k++) {
        answer_add(o, copied[k], answer_copy(r->answer, copied[k]));
    }
    if (json_is_object(json_object_get(r->answer, "foreign"))) {
        answer_add(o, "foreign", answer_copy(r->answer, "foreign"));
    }
    answer_add(o, "certificate", record_certificate(r));
}

static void record_summarize(const record_state *r, record_summary *summary)
{
    const subject_verdict *v = &r->v;

    if (v->judged) {
        summary->count = v->solved ? PROGRESS_SOLVED : PROGRESS_NOT_SOLVED;
        r->s->type->summarize(v, r->run, r->answer, summary->text, sizeof summary->text);
        return;
    }
    summary->count =
        strcmp(v->status, "unsuitable") == 0 ? PROGRESS_UNSUITABLE : PROGRESS_FAILED;
    snprintf(summary->text, sizeof summary->text, "%s%s%.400s", v->status,
             v->message[0] ? ", " : "", v->message);
}

/* Now, in UTC: "2030-01-31T23:59:59Z". */
static json_t *record_date(void)
{
    time_t now = time(NULL);
    struct tm utc;
    char text[32] = "";

    return gmtime_r(&now, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)
               ? json_string(text)
               : json_null();
}

json_t *record_make(const suite *whose, const suite_run *run, const subject *s,
                    const perp_process *c, json_t *machine, record_summary *summary)
{
    record_state r = {.run = run, .s = s};
    const suite_limits *limits = &run->set->rules.limits;
    double solves = s->steps ? (double)s->steps : 1.0;
    json_t *o = json_object();

    if (c) {
        record_read(&r, c);
    } else {
        record_status(&r, "error");
        record_message(&r, s->err.text);
    }
    record_question(o, &r, whose);
    record_outcome(o, &r);
    answer_add(o, "wall_seconds", c ? answer_real(c->wall) : json_null());
    answer_add(o, "date", record_date());
    answer_add(o, "machine", machine_now(machine));
    answer_add(o, "limits",
               json_pack("{s:f, s:f, s:f}", "seconds", limits->seconds * solves,
                         "megabytes", perp_process_megabytes(limits->megabytes),
                         "step_seconds", limits->seconds));
    s->type->record(o, s, run, r.answer);
    record_summarize(&r, summary);
    json_decref(r.answer);
    json_decref(r.v.measures);
    json_decref(r.v.blocks);
    json_decref(r.v.steps);
    return o;
}

const char *const record_law_names[] = {"coulomb", "associated", "pyramid", "box", NULL};

static const char *record_text(const json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));

    return text ? text : "";
}

const char *record_law(const json_t *json)
{
    /* older records of scenes name "coulomb" whatever the model is */
    const json_t *settings = json_object_get(json, "settings");
    const char *model = record_text(
        settings, json_object_get(settings, "friction") ? "friction" : "model");
    const char *law = record_text(json, "law");

    if (!(json_number_value(json_object_get(json, "contacts")) > 0.0) ||
        strcmp(law, "none") == 0 || strcmp(model, "none") == 0 ||
        strcmp(model, "frictionless") == 0) {
        return "";
    }
    return strncmp(model, "pyramid", strlen("pyramid")) == 0               ? "pyramid"
           : strcmp(model, "box") == 0 || strcmp(model, "associated") == 0 ? model
                                                                           : law;
}

const char *record_law_words(const char *law)
{
    return strcmp(law, "coulomb") == 0      ? "Coulomb's law"
           : strcmp(law, "associated") == 0 ? "associated law"
           : strcmp(law, "pyramid") == 0    ? "pyramid friction"
                                            : "box friction";
}
