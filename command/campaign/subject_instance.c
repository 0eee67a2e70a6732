/* SPDX-License-Identifier: Apache-2.0
 * runner/subject_instance.c: an instance as the subject of a run: a file, a generated problem
 * or that of a step of a scene, which perp solve solves once. The point it answers with is judged here. */
#include <config.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "command/campaign/blocks.h"
#include "command/campaign/call.h"
#include "command/campaign/subject.h"
#include "command/campaign/suite_parts.h"
#include "command/campaign/suite_vary.h"
#include "command/cli/answer.h"
#include "command/simulate/recipe.h"

/* A call that makes one problem, "generate:spd:n=10" or "scene:stack:step=3". */
static perp_status instance_add_one(const suite_reader *r, const document *d,
                                    const char *call, const suite_columns *columns,
                                    perp_error *err)
{
    char made[SUITE_CALL];
    suite_columns varied = {NULL, 0, 0};
    const suite_source source = {.path = made, .file = made, .columns = &varied};
    perp_error inner = {0};
    perp_status status = suite_vary_call(r, d, call, columns, made, &varied, err);

    if (status == PERP_OK &&
        (instance_is_call(made) ? call_check(made + strlen("generate:"), &inner)
                                : recipe_check(made, &inner)) != PERP_OK) {
        status = suite_vary_fail(r, d, inner.text, err);
    }
    if (status == PERP_OK) {
        status = suite_add_entry(r, d, &source, err);
    }
    suite_columns_clear(&varied);
    return status;
}

static perp_status instance_add_calls(const suite_reader *r, const document *d,
                                      const char *call, const suite_columns *columns,
                                      perp_error *err);

/* The call with the value k in place of the range that begins at `first`. */
static perp_status instance_add_of_range(const suite_reader *r, const document *d,
                                         const char *call, const char *first, long k,
                                         const char *end, const suite_columns *columns,
                                         perp_error *err)
{
    const char *name = first - (first > call);
    suite_column column = {.value = json_integer(k)};
    suite_columns more = {NULL, 0, 0};
    char one[SUITE_CALL];
    perp_status status = PERP_OK;

    suite_columns_copy(&more, columns);
    while (name > call && !strchr(":,", name[-1])) {
        name--;
    }
    snprintf(column.name, sizeof column.name, "%.*s", (int)(first - 1 - name), name);
    snprintf(column.text, sizeof column.text, "%ld", k);
    suite_columns_add(&more, &column);
    if (snprintf(one, sizeof one, "%.*s%ld%s", (int)(first - call), call, k, end) >=
        SUITE_CALL) {
        status = document_fail(d, err, "too many parameters");
    }
    if (status == PERP_OK) {
        status = instance_add_calls(r, d, one, &more, err);
    }
    json_decref(column.value);
    suite_columns_clear(&more);
    return status;
}

/* "generate:spd:n=10,seed=1..100" stands for a hundred calls; several ranges multiply. */
static perp_status instance_add_calls(const suite_reader *r, const document *d,
                                      const char *call, const suite_columns *columns,
                                      perp_error *err)
{
    const char *dots = strstr(call, ".."), *first = dots;
    char *end = NULL;
    long from = 0, to = 0;
    bool range = false;
    perp_status status = PERP_OK;

    if (!dots) {
        return instance_add_one(r, d, call, columns, err);
    }
    while (first > call && first[-1] != '=') {
        first--;
    }
    from = strtol(first, &end, 10);
    range = first < dots && end == dots; /* both numbers are next to the dots */
    to = range ? strtol(dots + 2, &end, 10) : 0;
    if (!range || end == dots + 2 || (*end && *end != ',') || to < from ||
        (unsigned long)to - (unsigned long)from >= SUITE_ENTRIES) {
        return document_fail(d, err, "found \"%s\", expected a range such as seed=1..9",
                             call);
    }
    for (long k = from; k <= to && status == PERP_OK; k++) {
        status = instance_add_of_range(r, d, call, first, k, end, columns, err);
    }
    return status;
}

/* "box-pyramid:levels=14,step=3" of a sweep */
static perp_status instance_add_step(const suite_reader *r, const document *d,
                                     const char *call, const suite_columns *columns,
                                     perp_error *err)
{
    char path[SUITE_CALL + 8];

    snprintf(path, sizeof path, "scene:%s", call);
    return instance_add_one(r, d, path, columns, err);
}

/* {"file": "batch.json", "item": 3, "name": "third"} */
typedef struct instance_file {
    const char *path, *kind, *format, *name;
    long item;
    bool symmetric_upper;
} instance_file;

#define IN(member) offsetof(instance_file, member)
static const document_row file_rows[] = {
    {PERP_TEXT("file", NULL, "file, folder or glob"), IN(path), NULL},
    {PERP_TEXT("kind", NULL, "kind of problem, where it cannot be detected"), IN(kind),
     NULL},
    {PERP_TEXT("format", NULL, "format, where it cannot be detected"), IN(format), NULL},
    {PERP_INTEGER("item", 0, 0, 1000000000, "item of a batch"), IN(item), NULL},
    {PERP_SWITCH("symmetric-upper", 0, "the file stores the upper triangle of M"),
     IN(symmetric_upper), NULL},
    {PERP_TEXT("name", NULL, "name in tables and figures"), IN(name), NULL},
    {PERP_OPTION_END, 0, NULL},
};
#undef IN

static perp_status instance_read_file(const suite_reader *r, const document *d,
                                      perp_error *err)
{
    document file = document_member(d, "file"), format = document_member(d, "format");
    instance_file in = {.path = ""};
    perp_read_options read = {0};
    const perp_format *known = NULL;
    perp_error why = {0};
    char names[96];

    document_row_names(file_rows, names, sizeof names);
    TRY(suite_keys(d, names, err));
    TRY(document_read(d, file_rows, &in, err));
    if (in.format && perp_format_named(&known, in.format, &why) != PERP_OK) {
        return document_fail(&format, err, "%s", why.text);
    }
    read = (perp_read_options){.format = in.format,
                               .kind = in.kind,
                               .symmetric_upper = in.symmetric_upper,
                               .item = (size_t)in.item};
    return suite_add_files(r, &file, in.path, &read, in.name, err);
}

static perp_status instance_read(const suite_reader *r, const document *d,
                                 perp_error *err)
{
    const perp_read_options read = {0};
    const char *path = json_string_value(d->value);

    if (path && instance_is_call(path)) {
        return instance_add_calls(r, d, path, &suite_no_columns, err);
    }
    if (path && recipe_is_call(path)) {
        return instance_add_one(r, d, path, &suite_no_columns, err);
    }
    if (path) {
        return suite_add_files(r, d, path, &read, NULL, err);
    }
    if (json_object_get(d->value, "generate")) {
        return suite_sweep_calls(r, d, "generate", instance_add_calls, err);
    }
    if (json_object_get(d->value, "scene")) {
        return suite_sweep_calls(r, d, "scene", instance_add_step, err);
    }
    return instance_read_file(r, d, err);
}

/* Of a step of a scene: those of the scene, and of its run. */
static json_t *instance_parameters(const suite_reader *r, const char *call)
{
    static const char *const words[] = {"step", "by", "iterations", "friction"};
    json_t *parameters = NULL;

    if (instance_is_call(call)) {
        return call_parameters(call + strlen("generate:"), false);
    }
    (void)r; /* the scene of a recipe is found from the working folder */
    parameters = subject_scene_parameters("", recipe_call(call));
    for (size_t k = 0; parameters && k < sizeof words / sizeof *words; k++) {
        json_object_set_new(parameters, words[k], json_string(""));
    }
    return parameters;
}

static size_t instance_variants(const suite_rules *rules)
{
    return rules->starts;
}

static void instance_vary(suite_run *run, size_t k)
{
    run->start = run->set->rules.start[k];
}

static uint64_t instance_identify(uint64_t hash, const suite_run *run)
{
    (void)run;
    return hash;
}

/* A solver that does not start at 0 says so. */
static void instance_label(const suite_run *run, char *text, size_t length)
{
    bool cold = strcmp(run->start, "cold") == 0;

    snprintf(text, length, "%s%s%s", run->solver->label, cold ? "" : " from ",
             cold ? "" : run->start);
}

static void instance_command(run_line *line, const suite_run *run)
{
    line_add(line, "solve");
    line_add_solve(line, run);
    line_add_text(line, "start", run->start);
    if (run->set->rules.history) {
        line_add(line, "--history");
    }
}

static perp_status instance_open_subject(subject *s, const suite_run *run,
                                         perp_error *err)
{
    const instance_request request = {.path = run->entry->file,
                                      .read = run->entry->read,
                                      .friction = run->set->rules.friction};
    const perp_problem *p = NULL;

    if (instance_open(&s->in, &request, &s->err) != PERP_OK) {
        return PERP_OK;
    }
    p = s->in->problem;
    s->steps = 1;
    s->n = p->n;
    s->kind = perp_kind_name(perp_problem_kind(p));
    s->law = perp_problem_law_name(p);
    s->hash = perp_problem_hash(p);
    s->nonzeros = perp_operator_nonzeros(p->A);
    s->contacts = perp_problem_contacts(p);
    return perp_judge_new(&s->judge, p, err);
}

static double instance_solves(const subject *s, const suite_run *run)
{
    (void)run;
    return (double)s->steps;
}

static void instance_judge(subject_verdict *v, const subject *s, const suite_run *run,
                           const json_t *answer)
{
    double *z = NULL;
    perp_measures m;

    subject_point(&z, json_object_get(answer, "z"), s->n);
    if (!z) {
        snprintf(v->status, sizeof v->status, "error");
        snprintf(v->message, sizeof v->message,
                 "the answer contains no point of %zu row%s", s->n, perp_plural(s->n));
        return;
    }
    perp_judge_measure(s->judge, z, run->tolerance, &m);
    snprintf(v->status, sizeof v->status, "ok");
    v->judged = true;
    v->residual = subject_residual(run, &m);
    v->solved = v->residual <= run->tolerance;
    v->measures = answer_measures(&m);
    v->blocks = blocks_json(s->in->problem, z);
    free(z);
}

static void instance_record(json_t *record, const subject *s, const suite_run *run,
                            const json_t *answer)
{
    (void)record;
    (void)s;
    (void)run;
    (void)answer;
}

const subject_type subject_instance = {
    .name = "instance",
    .list = "instances",
    .one_answer = true,
    .read = instance_read,
    .parameters = instance_parameters,
    .variants = instance_variants,
    .vary = instance_vary,
    .identify = instance_identify,
    .label = instance_label,
    .command = instance_command,
    .open = instance_open_subject,
    .solves = instance_solves,
    .judge = instance_judge,
    .record = instance_record,
    .summarize = subject_summarize_solve,
};
