/* SPDX-License-Identifier: Apache-2.0
 * verbs/verbs.c: the list of verbs, and functions that several of them share. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/file.h"
#include "base/json.h"
#include "command/verbs/verbs.h"

const cli_verb *const verbs[] = {
    &verb_solve,   &verb_verify,   &verb_compare, &verb_plot,  &verb_simulate, &verb_view,
    &verb_convert, &verb_generate, &verb_info,    &verb_paper, NULL,
};

const cli_verb *verb_find(const char *name)
{
    for (size_t k = 0; verbs[k]; k++) {
        if (strcmp(verbs[k]->name, name) == 0) {
            return verbs[k];
        }
    }
    return NULL;
}

const char *verb_replacement(const char *name)
{
    static const char *const words[][2] = {{"export", "convert"},
                                           {"list", "info"},
                                           {"merge", "compare --merge"},
                                           {"new-paper", "paper --new"},
                                           {"gradient", "simulate --gradient"}};

    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        if (strcmp(words[k][0], name) == 0) {
            return words[k][1];
        }
    }
    return NULL;
}

perp_status verb_request(const cli_args *args, const char *path,
                         instance_request *request, perp_error *err)
{
    double item = 0.0;

    TRY(cli_args_whole(args, "item", 0, 0, 1e9, &item, err));
    memset(request, 0, sizeof *request);
    request->path = path;
    request->read.kind = cli_args_value(args, "kind");
    request->read.format = cli_args_value(args, "format");
    request->read.symmetric_upper = cli_args_given(args, "symmetric-upper");
    request->read.item = (size_t)item;
    request->friction = cli_args_value(args, "friction");
    return PERP_OK;
}

void verb_formulate(const cli_args *args, perp_options *opt, instance_request *request)
{
    const char *friction = cli_args_value(args, "friction");

    if (friction && !cli_args_given(args, "formulated")) {
        request->friction = NULL;
        perp_options_set(opt, "friction", friction, NULL);
    }
}

perp_status verb_write_json(json_t *json, const char *path, perp_error *err)
{
    perp_file_out out = {0};
    char *text = json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    perp_status status = PERP_OK;

    json_decref(json);
    status = perp_file_create(&out, path, err);
    if (status == PERP_OK) {
        fprintf(out.f, "%s\n", text);
        status = perp_file_commit(&out, err);
    }
    free(text);
    return status;
}

/* " 1 contact," or " 52 contacts," */
static void describe_contacts(char text[48], size_t contacts)
{
    text[0] = '\0';
    if (contacts) {
        snprintf(text, 48, " %zu contact%s,", contacts, contacts == 1 ? "" : "s");
    }
}

void verb_describe(const perp_problem *p, char *text, size_t length)
{
    const char *kind = perp_kind_name(perp_problem_kind(p));
    char contacts[48];

    describe_contacts(contacts, perp_problem_contacts(p));
    if (p->A) {
        size_t nonzeros = perp_operator_nonzeros(p->A);

        snprintf(text, length, "%s, %zu row%s,%s %zu nonzero%s, %s", kind, p->n,
                 p->n == 1 ? "" : "s", contacts, nonzeros, nonzeros == 1 ? "" : "s",
                 perp_storage_name(perp_operator_storage(p->A)));
    } else {
        snprintf(text, length, "global %s, %zu row%s,%s %zu velocities", kind, p->n,
                 p->n == 1 ? "" : "s", contacts,
                 p->global ? perp_operator_rows(p->global->M) : 0);
    }
}

void verb_print_left_out(const cli_args *args, const perp_problem *p, const char *path,
                         const char *format)
{
    perp_notes notes = {0};

    perp_problem_left_out(p, path, format, &notes);
    for (size_t k = 0; k < notes.count && !cli_args_given(args, "quiet"); k++) {
        output_print(stderr, OUTPUT_PLAIN, "perp %s: %s: %s\n", args->verb->name, path,
                     notes.line[k]);
    }
}

/* What the items of a sequence have in common. */
typedef struct sequence_extent {
    size_t rows[2], contacts[2]; /* least and largest */
    double t[2];                 /* first and last */
    const char *kind;
} sequence_extent;

static void extent_widen(size_t range[2], size_t x)
{
    range[0] = x < range[0] ? x : range[0];
    range[1] = x > range[1] ? x : range[1];
}

static perp_status extent_of(const perp_sequence *s, sequence_extent *e, perp_error *err)
{
    *e = (sequence_extent){.rows = {SIZE_MAX, 0}, .contacts = {SIZE_MAX, 0}};
    for (size_t i = 0; i < perp_sequence_count(s); i++) {
        perp_sequence_item item;
        perp_status status = perp_sequence_get(s, i, &item, err);

        if (status != PERP_OK) {
            return status;
        }
        extent_widen(e->rows, item.problem->n);
        extent_widen(e->contacts, perp_problem_contacts(item.problem));
        e->t[0] = i ? e->t[0] : item.t;
        e->t[1] = item.t;
        e->kind = perp_kind_name(perp_problem_kind(item.problem));
        perp_sequence_item_clear(&item);
    }
    return PERP_OK;
}

/* ", 84 rows", ", 1 row" or ", 84 .. 96 rows": `what` is the singular. */
static size_t describe_range(char *text, size_t length, const size_t range[2],
                             const char *what)
{
    int used = range[0] == range[1]
                   ? snprintf(text, length, ", %zu %s%s", range[0], what,
                              range[0] == 1 ? "" : "s")
                   : snprintf(text, length, ", %zu .. %zu %ss", range[0], range[1], what);

    return used < 0 ? 0 : (size_t)used < length ? (size_t)used : length - 1;
}

perp_status verb_describe_sequence(const perp_sequence *s, char *text, size_t length,
                                   perp_error *err)
{
    size_t count = perp_sequence_count(s);
    size_t used = 0;
    sequence_extent e;

    TRY(extent_of(s, &e, err));
    used = (size_t)snprintf(text, length, "a sequence of %zu step%s", count,
                            count == 1 ? "" : "s");
    if (count > 0 && used < length) {
        used += (size_t)snprintf(text + used, length - used, ", t = %g .. %g, %s", e.t[0],
                                 e.t[1], e.kind);
        used += describe_range(text + used, length - used, e.rows, "row");
        if (e.contacts[1] > 0) {
            describe_range(text + used, length - used, e.contacts, "contact");
        }
    }
    return PERP_OK;
}

void verb_print_failure(const perp_error *failure)
{
    perp_error inner = {0};

    output_json(stdout,
                json_pack("{s:s, s:s, s:s}", "schema", "perp-answer/1", "status",
                          perp_status_text(failure->status), "message", failure->text),
                true, &inner);
}
