/* SPDX-License-Identifier: Apache-2.0
 * runner/subject_sequence.c: a sequence as the subject of a run: perp solve --sequence solves
 * its items in order under a warm-start policy. Every point is judged here, with one item in
 * memory at a time; the record holds arrays by item, so that a run is one line. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "command/campaign/call.h"
#include "command/campaign/subject.h"
#include "command/campaign/suite_vary.h"
#include "command/cli/answer.h"
#include "command/cli/take.h"

/* "NESpheres_10_1:steps=20" for "generate:parametric:steps=20,instance=data/NESpheres…". */
static void sequence_name(const char *call, const char *where, char name[INSTANCE_NAME])
{
    const char *rest = strchr(strchr(call, ':') + 1, ':') + 1; /* after "parametric:" */
    int length = (int)(where - rest) - (int)strlen("instance=");
    size_t used = 0;

    instance_name(where, 0, name);
    used = strlen(name);
    if (length > 1 && used < INSTANCE_NAME) { /* without the comma */
        snprintf(name + used, INSTANCE_NAME - used, ":%.*s", length - 1, rest);
    }
}

/* A call as it is to be run. The path of an instance in it is relative to the folder of the
 * suite as well. */
static perp_status sequence_add_call(const suite_reader *r, const document *d,
                                     const char *call, const suite_columns *columns,
                                     perp_error *err)
{
    const char *where = call_instance(call + strlen("generate:"));
    bool moved = where && where[0] != '/' && !instance_is_call(where);
    size_t head = where ? (size_t)(where - call) : strlen(call);
    suite_source source = {.path = call, .columns = columns};
    char *file = NULL, name[INSTANCE_NAME];
    perp_error inner = {0};
    perp_status status = PERP_OK;

    if (call_check_sequence(call + strlen("generate:"), &inner) != PERP_OK) {
        return suite_vary_fail(r, d, inner.text, err);
    }
    file = take(1, strlen(r->folder) + strlen(call) + 1);
    sprintf(file, "%.*s%s%s", (int)head, call, moved ? r->folder : "",
            where ? where : "");
    if (where) {
        sequence_name(call, where, name);
        source.name = name;
    }
    source.file = file;
    status = moved && access(file + head, R_OK) != 0
                 ? document_fail(d, err, "no such file: %s", file + head)
                 : suite_add_entry(r, d, &source, err);
    free(file);
    return status;
}

/* The same with what varies. */
static perp_status sequence_add(const suite_reader *r, const document *d,
                                const char *call, const suite_columns *columns,
                                perp_error *err)
{
    char made[SUITE_CALL];
    suite_columns varied = {NULL, 0, 0};
    perp_status status = suite_vary_call(r, d, call, columns, made, &varied, err);

    if (status == PERP_OK) {
        status = sequence_add_call(r, d, made, &varied, err);
    }
    suite_columns_clear(&varied);
    return status;
}

static json_t *sequence_parameters(const suite_reader *r, const char *call)
{
    (void)r;
    return call_parameters(call + strlen("generate:"), true);
}

static perp_status sequence_read(const suite_reader *r, const document *d,
                                 perp_error *err)
{
    const perp_read_options read = {0};
    const char *path = "";

    if (json_object_get(d->value, "generate")) {
        return suite_sweep_calls(r, d, "generate", sequence_add, err);
    }
    TRY(document_text(d, &path, err));
    return instance_is_call(path) ? sequence_add(r, d, path, &suite_no_columns, err)
                                  : suite_add_files(r, d, path, &read, NULL, err);
}

static size_t sequence_variants(const suite_rules *rules)
{
    return rules->policies;
}

static void sequence_vary(suite_run *run, size_t k)
{
    run->policy = run->set->rules.policy[k];
    run->start = policy_name(run->policy);
}

static uint64_t sequence_identify(uint64_t hash, const suite_run *run)
{
    char noise[48];

    snprintf(noise, sizeof noise, "sequence %.17g", run->set->rules.noise);
    return suite_hash_text(hash, noise);
}

static void sequence_label(const suite_run *run, char *text, size_t length)
{
    bool cold = run->policy == POLICY_COLD;

    snprintf(text, length, "%s%s%s", run->solver->label, cold ? "" : " ",
             cold ? "" : run->start);
}

static void sequence_command(run_line *line, const suite_run *run)
{
    line_add(line, "solve");
    line_add_solve(line, run);
    line_add(line, "--sequence");
    line_add_text(line, "warm-start", run->start);
    line_add_number(line, "noise", run->set->rules.noise);
}

/* Item i as asked. */
static perp_status sequence_item(const perp_sequence *s, size_t i, const suite_run *run,
                                 instance **in, perp_error *err)
{
    const instance_request request = {.path = run->entry->file,
                                      .friction = run->set->rules.friction};
    perp_sequence_item item;
    perp_problem *p = NULL;
    perp_status status = perp_sequence_get(s, i, &item, err);

    *in = NULL;
    if (status != PERP_OK) {
        return status;
    }
    p = item.problem;
    item.problem = NULL;
    perp_sequence_item_clear(&item);
    return instance_new(in, p, &request, err);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Read every item once: its extents, its part of the hash. */
static perp_status sequence_survey(subject *s, const suite_run *run, perp_error *err)
{
    size_t count = perp_sequence_count(s->sequence);

    s->hash = PERP_HASH_START;
    for (size_t i = 0; i < count; i++) {
        instance *in = NULL;
        const perp_problem *p = NULL;
        uint64_t hash = 0;
        perp_status status = sequence_item(s->sequence, i, run, &in, err);

        if (status != PERP_OK) {
            return status;
        }
        p = in->problem;
        hash = perp_problem_hash(p);
        for (unsigned k = 0; k < 8; k++) { /* from the low byte on, on every machine */
            const unsigned char byte = (unsigned char)(hash >> 8 * k);

            s->hash = perp_hash_bytes(s->hash, &byte, 1);
        }
        s->n = larger(s->n, p->n);
        s->contacts = larger(s->contacts, perp_problem_contacts(p));
        s->nonzeros = larger(s->nonzeros, perp_operator_nonzeros(p->A));
        s->kind = perp_kind_name(perp_problem_kind(p));
        s->law = perp_problem_law_name(p);
        instance_free(in);
    }
    return count
               ? PERP_OK
               : perp_fail(err, PERP_ERR_DATA, "%s: contains no step", run->entry->file);
}

static perp_status sequence_open(subject *s, const suite_run *run, perp_error *err)
{
    perp_status status = call_open_sequence(&s->sequence, run->entry->file, &s->err);

    (void)err;
    if (status == PERP_OK) {
        status = sequence_survey(s, run, &s->err);
    }
    if (status == PERP_OK) {
        s->steps = perp_sequence_count(s->sequence);
    }
    return PERP_OK;
}

/* The policies that start from a solution solve every item twice. */
static double sequence_solves(const subject *s, const suite_run *run)
{
    bool twice = run->policy == POLICY_ORACLE || run->policy == POLICY_PERTURBED;

    return (double)s->steps * (twice ? 2.0 : 1.0);
}

/* The residual of a point in JSON; INFINITY when it is no point of this problem. */
static perp_status sequence_residual(const perp_problem *p, const json_t *point,
                                     const suite_run *run, double *residual,
                                     perp_error *err)
{
    double *z = NULL;
    perp_judge *judge = NULL;
    perp_measures m;
    perp_status status = PERP_OK;

    subject_point(&z, point, p->n);
    *residual = INFINITY;
    if (!z) {
        return status;
    }
    status = perp_judge_new(&judge, p, err);
    if (status == PERP_OK) {
        perp_judge_measure(judge, z, run->tolerance, &m);
        *residual = subject_residual(run, &m);
    }
    perp_judge_free(judge);
    free(z);
    return status;
}

/* Append what the answer says about an item, and what was found here. */
static void sequence_append(json_t *arrays, const json_t *step, double residual,
                            double tolerance)
{
    static const char *const copied[] = {"iterations", "seconds", "outcome", "matched"};

    for (size_t k = 0; k < sizeof copied / sizeof *copied; k++) {
        json_array_append_new(json_object_get(arrays, copied[k]),
                              answer_copy(step, copied[k]));
    }
    json_array_append_new(json_object_get(arrays, "residual"), answer_real(residual));
    json_array_append_new(json_object_get(arrays, "solved"),
                          json_boolean(residual <= tolerance));
}

/* Judge the points of all items. The run is solved when every item is. */
static perp_status sequence_judge_items(subject_verdict *v, const subject *s,
                                        const suite_run *run, const json_t *steps,
                                        perp_error *err)
{
    size_t solved = 0;
    perp_status status = PERP_OK;

    v->steps = json_pack("{s:[], s:[], s:[], s:[], s:[], s:[]}", "iterations", "seconds",
                         "residual", "solved", "outcome", "matched");
    for (size_t i = 0; i < s->steps && status == PERP_OK; i++) {
        const json_t *step = json_array_get(steps, i);
        instance *in = NULL;
        double residual = INFINITY;

        status = sequence_item(s->sequence, i, run, &in, err);
        if (status == PERP_OK) {
            status = sequence_residual(in->problem, json_object_get(step, "z"), run,
                                       &residual, err);
        }
        if (status == PERP_OK) {
            sequence_append(v->steps, step, residual, run->tolerance);
        }
        solved += residual <= run->tolerance;
        v->residual = fmax(v->residual, residual);
        instance_free(in);
    }
    v->solved = solved == s->steps;
    return status;
}

static void sequence_judge(subject_verdict *v, const subject *s, const suite_run *run,
                           const json_t *answer)
{
    const json_t *steps = json_object_get(answer, "steps");
    perp_error inner = {0};
    perp_status status = sequence_judge_items(v, s, run, steps, &inner);

    if (status == PERP_OK && json_array_size(steps) == s->steps) {
        snprintf(v->status, sizeof v->status, "ok");
        v->judged = true;
        return;
    }
    v->solved = false;
    snprintf(v->status, sizeof v->status, "error");
    if (status != PERP_OK) {
        snprintf(v->message, sizeof v->message, "%s", inner.text);
    } else {
        snprintf(v->message, sizeof v->message,
                 "the answer does not contain all %zu step%s", s->steps,
                 perp_plural(s->steps));
    }
}

static void sequence_record(json_t *record, const subject *s, const suite_run *run,
                            const json_t *answer)
{
    (void)answer;
    answer_add(record, "policy", json_string(run->start));
    answer_add(record, "noise", json_real(run->set->rules.noise));
    answer_add(record, "count", json_integer((json_int_t)s->steps));
}

const subject_type subject_sequence = {
    .name = "sequence",
    .list = "sequences",
    .read = sequence_read,
    .parameters = sequence_parameters,
    .variants = sequence_variants,
    .vary = sequence_vary,
    .identify = sequence_identify,
    .label = sequence_label,
    .command = sequence_command,
    .open = sequence_open,
    .solves = sequence_solves,
    .judge = sequence_judge,
    .record = sequence_record,
    .summarize = subject_summarize_solve,
};
