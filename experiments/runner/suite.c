/* SPDX-License-Identifier: Apache-2.0
 * runner/suite.c: a suite read and checked; its sets and their rules. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/data.h"
#include "experiments/runner/suite_parts.h"
#include "formats/formats.h"

#define SUITE_RULES                                                                      \
    "limits|tolerances|repeats|seed|start|history|formulation|law|arms|noise"

void *suite_grow(void **items, size_t *count, size_t *room, size_t size)
{
    char *base = *items;

    if (*count == *room) {
        size_t more = 2 * *room + 8;

        base = realloc(*items, more * size);
        if (!base) {
            return NULL;
        }
        *items = base;
        *room = more;
    }
    base += (*count)++ * size;
    memset(base, 0, size);
    return base;
}

static perp_status suite_read_limits(suite_limits *limits, const document *d,
                                     perp_error *err)
{
    document seconds = document_member(d, "seconds");
    document megabytes = document_member(d, "megabytes");

    if (!d->value) {
        return PERP_OK;
    }
    if (document_keys(d, "seconds|megabytes", err) != PERP_OK ||
        document_number(&seconds, 1e-3, 1e7, &limits->seconds, err) != PERP_OK) {
        return err->status;
    }
    /* Less than 128 MiB of address space does not hold the program and its libraries. */
    return document_number(&megabytes, 128, 1e9, &limits->megabytes, err);
}

static perp_status suite_read_tolerances(suite_rules *rules, const document *d,
                                         perp_error *err)
{
    if (!d->value) {
        return PERP_OK;
    }
    if (document_array(d, err) != PERP_OK) {
        return err->status;
    }
    rules->tolerances = json_array_size(d->value);
    if (rules->tolerances < 1 || rules->tolerances > SUITE_TOLERANCES) {
        return document_fail(d, err, "found %zu tolerances, expected 1 to %d",
                             rules->tolerances, SUITE_TOLERANCES);
    }
    for (size_t k = 0; k < rules->tolerances; k++) {
        document item = document_item(d, k);

        if (document_number(&item, 0.0, 1.0, &rules->tolerance[k], err) != PERP_OK) {
            return err->status;
        }
        for (size_t j = 0; j < k; j++) {
            if (rules->tolerance[j] == rules->tolerance[k]) {
                return document_fail(&item, err, "%g is there twice",
                                     rules->tolerance[k]);
            }
        }
    }
    return PERP_OK;
}

static perp_status suite_read_starts(suite_rules *rules, const document *d,
                                     perp_error *err)
{
    size_t count = json_is_array(d->value) ? json_array_size(d->value) : 1;

    if (!d->value) {
        return PERP_OK;
    }
    if (count < 1 || count > 2) {
        return document_fail(d, err, "found %zu starts, expected cold, guess or both",
                             count);
    }
    for (size_t k = 0; k < count; k++) {
        document item = json_is_array(d->value) ? document_item(d, k) : *d;

        if (document_choice(&item, "cold|guess", &rules->start[k], err) != PERP_OK) {
            return err->status;
        }
    }
    if (count == 2 && strcmp(rules->start[0], rules->start[1]) == 0) {
        return document_fail(d, err, "%s is there twice", rules->start[0]);
    }
    rules->starts = count;
    return PERP_OK;
}

static perp_status suite_read_arms(suite_rules *rules, const document *d, perp_error *err)
{
    if (!d->value) {
        return PERP_OK;
    }
    if (document_array(d, err) != PERP_OK) {
        return err->status;
    }
    rules->arms = json_array_size(d->value);
    if (rules->arms < 1 || rules->arms > ARM_KINDS) {
        return document_fail(d, err, "found %zu arms, expected 1 to %d", rules->arms,
                             ARM_KINDS);
    }
    for (size_t k = 0; k < rules->arms; k++) {
        document item = document_item(d, k);
        const char *name = "";

        if (document_choice(&item, ARM_NAMES, &name, err) != PERP_OK) {
            return err->status;
        }
        arm_find(name, &rules->arm[k]);
        for (size_t j = 0; j < k; j++) {
            if (rules->arm[j] == rules->arm[k]) {
                return document_fail(&item, err, "%s is there twice", name);
            }
        }
    }
    return PERP_OK;
}

/* "natural", "associated", "box", "pyramid:8": tried on the smallest problem there is. */
static perp_status suite_read_formulation(suite_rules *rules, const document *d,
                                          perp_error *err)
{
    perp_problem *p = NULL;
    perp_reform *t = NULL;
    perp_set *set = NULL;
    perp_operator *A = NULL;
    perp_error inner = {0};

    if (document_text(d, &rules->formulation, err) != PERP_OK || !d->value) {
        return err->status;
    }
    if (perp_operator_new_dense(&A, 0, 0, err) != PERP_OK ||
        perp_set_new(&set, 0, err) != PERP_OK) {
        perp_operator_free(A);
        return err->status;
    }
    if (perp_problem_new_from(&p, A, perp_reals_new(0), set, PERP_LAW_COULOMB, err) !=
        PERP_OK) {
        return err->status;
    }
    perp_reform_named(&t, p, rules->formulation, &inner);
    perp_reform_free(t);
    perp_problem_free(p);
    if (inner.status == PERP_ERR_OPTION) {
        return document_fail(d, err, "%s", inner.text);
    }
    return PERP_OK;
}

static perp_status suite_read_rules(suite_rules *rules, const document *d,
                                    perp_error *err)
{
    document limits = document_member(d, "limits");
    document tolerances = document_member(d, "tolerances");
    document repeats = document_member(d, "repeats");
    document seed = document_member(d, "seed");
    document start = document_member(d, "start");
    document history = document_member(d, "history");
    document formulation = document_member(d, "formulation");
    document law = document_member(d, "law");
    document arms = document_member(d, "arms");
    document noise = document_member(d, "noise");
    long count = (long)rules->repeats;

    if (suite_read_limits(&rules->limits, &limits, err) != PERP_OK ||
        suite_read_tolerances(rules, &tolerances, err) != PERP_OK ||
        document_integer(&repeats, 1, 1000, &count, err) != PERP_OK ||
        document_integer(&seed, 0, 9000000000000000, &rules->seed, err) != PERP_OK ||
        suite_read_starts(rules, &start, err) != PERP_OK ||
        document_switch(&history, &rules->history, err) != PERP_OK ||
        suite_read_formulation(rules, &formulation, err) != PERP_OK ||
        document_choice(&law, "coulomb|associated", &rules->law, err) != PERP_OK ||
        suite_read_arms(rules, &arms, err) != PERP_OK ||
        document_number(&noise, 0.0, 1e6, &rules->noise, err) != PERP_OK) {
        return err->status;
    }
    rules->repeats = (size_t)count;
    return PERP_OK;
}

static perp_status suite_read_set(suite *s, size_t k, const suite_rules *usual,
                                  const document *d, perp_error *err)
{
    suite_set *set = &s->sets[k];
    document name = document_member(d, "name");
    document instances = document_member(d, "instances");
    document sequences = document_member(d, "sequences");
    document solvers = document_member(d, "solvers");

    set->rules = *usual;
    if (document_keys(d, "name|title|instances|sequences|solvers|" SUITE_RULES, err) !=
            PERP_OK ||
        document_text(&name, &set->name, err) != PERP_OK) {
        return err->status;
    }
    if (!set->name || !set->name[0] || strpbrk(set->name, "/ \t\n")) {
        return document_fail(&name, err, "expected a name without blanks and slashes");
    }
    for (size_t j = 0; j < k; j++) {
        if (strcmp(s->sets[j].name, set->name) == 0) {
            return document_fail(&name, err, "\"%s\" is the name of sets[%zu] as well",
                                 set->name, j);
        }
    }
    if (suite_read_rules(&set->rules, d, err) != PERP_OK) {
        return err->status;
    }
    if ((instances.value || !sequences.value) &&
        suite_read_instances(set, s->folder, &instances, err) != PERP_OK) {
        return err->status;
    }
    if (sequences.value &&
        suite_read_sequences(set, s->folder, &sequences, err) != PERP_OK) {
        return err->status;
    }
    return suite_read_solvers(set, &solvers, err);
}

static perp_status suite_read_root(suite *s, const document *d, perp_error *err)
{
    document name = document_member(d, "name");
    document title = document_member(d, "title");
    document sets = document_member(d, "sets");
    suite_rules usual = {.limits = {60.0, 4096.0},
                         .tolerance = {1e-8},
                         .tolerances = 1,
                         .start = {"cold"},
                         .starts = 1,
                         .repeats = 1,
                         .seed = 1,
                         .history = true,
                         .arm = {ARM_COLD, ARM_WARM},
                         .arms = 2,
                         .noise = 0.01};

    if (document_keys(d, "name|title|sets|" SUITE_RULES, err) != PERP_OK ||
        document_text(&name, &s->name, err) != PERP_OK ||
        document_text(&title, &s->title, err) != PERP_OK ||
        suite_read_rules(&usual, d, err) != PERP_OK ||
        document_array(&sets, err) != PERP_OK) {
        return err->status;
    }
    if (!s->name || !s->name[0]) {
        return document_fail(&name, err, "expected the name of the suite");
    }
    s->set_count = json_array_size(sets.value);
    s->sets = calloc(s->set_count + 1, sizeof *s->sets);
    if (!s->sets) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", d->file);
    }
    for (size_t k = 0; k < s->set_count; k++) {
        document item = document_item(&sets, k);

        if (suite_read_set(s, k, &usual, &item, err) != PERP_OK) {
            return err->status;
        }
    }
    return PERP_OK;
}

perp_status suite_read(suite **out, const char *path, perp_error *err)
{
    suite *s = calloc(1, sizeof *s);
    document root = {path, NULL, ""};
    json_error_t where;
    size_t length = 0;

    *out = NULL;
    if (!s || !(s->folder = strndup(path, data_folder_length(path)))) {
        free(s);
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", path);
    }
    if (perp_file_slurp(path, &s->text, &length, err) != PERP_OK) {
        suite_free(s);
        return err->status;
    }
    s->json = json_loadb(s->text, length, JSON_REJECT_DUPLICATES, &where);
    if (!s->json) {
        suite_free(s);
        return perp_fail(err, PERP_ERR_FORMAT, "%s:%d:%d: %s", path, where.line,
                         where.column, where.text);
    }
    root.value = s->json;
    if (suite_read_root(s, &root, err) != PERP_OK) {
        suite_free(s);
        return err->status;
    }
    *out = s;
    return PERP_OK;
}

void suite_free(suite *s)
{
    if (!s) {
        return;
    }
    for (size_t k = 0; s->sets && k < s->set_count; k++) {
        for (size_t i = 0; i < s->sets[k].instance_count; i++) {
            free(s->sets[k].instances[i].path);
            free(s->sets[k].instances[i].file);
        }
        free(s->sets[k].instances);
        free(s->sets[k].solvers);
    }
    free(s->sets);
    json_decref(s->json);
    free(s->text);
    free(s->folder);
    free(s);
}
