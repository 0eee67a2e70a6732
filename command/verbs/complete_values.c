/* SPDX-License-Identifier: Apache-2.0
 * verbs/complete_values.c: names that complete a word: of solvers, formats, suites, scenes,
 * families and their parameters. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/joint.h>
#include <perp/external.h>

#include "command/campaign/policies.h"
#include "command/cli/completion.h"
#include "command/cli/plugin.h"
#include "command/generate/families.h"
#include "command/simulate/catalogue.h"
#include "command/verbs/complete.h"
#include "command/verbs/convergence.h"
#include "command/verbs/list.h"
#include "command/verbs/suites.h"
#include "command/verbs/verbs.h"

enum { CODE_PATH = 4096 };

static void values_solvers(const complete_at *at)
{
    char path[CODE_PATH];

    for (const perp_solver_type *const *s = plugin_solvers(); *s; s++) {
        char name[CLI_NAME];

        snprintf(name, sizeof name, "%s:", (*s)->name);
        complete_offer(at, (*s)->name, (*s)->summary);
        if ((*s)->flags.flag_bits & PERP_FLAG_WRAPPER) {
            complete_offer(at, name, "then the solver that it works through");
        }
    }
    for (const perp_code *const *code = perp_codes(NULL); *code; code++) {
        for (const perp_solver_type *t = (*code)->types;
             t->name && perp_code_program(*code, path, sizeof path); t++) {
            complete_offer(at, t->name, t->summary);
        }
    }
}

/* The same word with all of it before `text`, which is a part of it, already typed. */
static complete_at values_behind(const complete_at *at, const char *text)
{
    complete_at behind = *at;

    if (at->before_length == 0) {
        behind.before = at->word;
    }
    behind.before_length = (int)(text - behind.before); /* it is part of the same word */
    behind.word = text;
    return behind;
}

/* A solver, also behind the colon of a wrapper: "ds:spg". */
static void values_solver(const complete_at *at)
{
    const char *colon = strrchr(at->word, ':');
    complete_at inner = values_behind(at, colon ? colon + 1 : at->word);

    values_solvers(&inner);
    if (!colon && strcmp(at->verb->name, "simulate") == 0) {
        complete_offer(at, "sequential-impulses", NULL); /* it takes no instances */
    }
}

static void values_formats(const complete_at *at)
{
    size_t count = 0;
    const perp_format *const *formats = perp_formats(&count);

    for (size_t k = 0; k < count; k++) {
        complete_offer(at, formats[k]->name, formats[k]->summary);
    }
}

/* Names of a list of JSON objects, which is released. */
static void values_names(const complete_at *at, json_t *list, const char *about)
{
    size_t k = 0;
    json_t *entry = NULL;

    json_array_foreach(list, k, entry)
    {
        const char *name = json_string_value(json_object_get(entry, "name"));
        const char *text =
            about ? json_string_value(json_object_get(entry, about)) : NULL;

        if (name) {
            complete_offer(at, name, text);
        }
    }
    json_decref(list);
}

static void values_suites(const complete_at *at)
{
    values_names(at, suite_list(), "title");
}

/* The titles of scenes are not read: there are too many for an answer at once. */
static json_t *values_no_title(const char *file)
{
    (void)file;
    return json_null();
}

static void values_scenes(const complete_at *at)
{
    values_names(at, data_list("experiments/scenes/*.json", values_no_title), NULL);
}

static void values_joints(const complete_at *at)
{
    for (const perp_joint_type *const *j = perp_joint_types(NULL); *j; j++) {
        complete_offer(at, (*j)->name, (*j)->summary);
    }
}

static void values_lists(const complete_at *at)
{
    values_names(at, list_lists(), "summary");
}

/* The searches of contacts, as perp info prints them. */
static void values_broad(const complete_at *at)
{
    values_names(at, list_entries("broad"), "summary");
}

static void values_narrow(const complete_at *at)
{
    complete_offer(at, "auto", NULL);
    values_names(at, list_entries("narrow"), "summary");
}

/* "NAME=" for each parameter of a scene; nothing where it cannot be read. */
static void values_parameters_of(const complete_at *at, const char *name)
{
    char path[DATA_PATH];
    perp_scene *scene = NULL;
    perp_error err = {0};

    if (scene_find("", name, path, &err) != PERP_OK ||
        scene_load(&scene, path, "", NULL, &err) != PERP_OK) {
        return;
    }
    for (size_t k = 0; k < scene->parameter_count; k++) {
        char text[CLI_NAME + 1];

        snprintf(text, sizeof text, "%s=", scene->parameters[k].name);
        complete_offer(at, text, scene->parameters[k].help);
    }
    perp_scene_free(scene);
}

/* Of the scene that the words before name. */
static void values_parameters(const complete_at *at)
{
    char path[DATA_PATH];

    for (int k = 0; k < at->argc; k++) {
        if (at->argv[k][0] != '-' &&
            (data_is_file(at->argv[k]) || scene_comes_with_perp(at->argv[k], path))) {
            values_parameters_of(at, at->argv[k]);
            return;
        }
    }
}

static void values_families(const complete_at *at)
{
    for (const perp_family *const *f = perp_families(NULL); *f; f++) {
        complete_offer(at, (*f)->name, (*f)->summary);
    }
}

/* Behind "generate:spd:" and each comma, "n=" of each parameter of the family. */
static void values_family(const complete_at *at, const char *name)
{
    char stem[CLI_NAME], option[CLI_NAME + 1];
    const perp_family *family = NULL;

    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(name, ":"), name);
    family = perp_family_find(stem);
    for (const perp_option *o = family ? family->parameters : NULL; o && o->name; o++) {
        snprintf(option, sizeof option, "%s=", o->name);
        complete_offer(at, option, o->help);
    }
}

/* Calls of a kind: "generate:FAMILY", "generate:FAMILY:n=…"; `named` offers the names. */
static void values_call(const complete_at *at, const char *kind,
                        void (*names)(const complete_at *at),
                        void (*parameters)(const complete_at *at, const char *name))
{
    size_t length = strlen(kind);
    const char *colon = NULL, *comma = NULL;
    complete_at behind;

    if (strncmp(at->word, kind, length) != 0) {
        complete_offer(at, kind, NULL);
        return;
    }
    colon = strchr(at->word + length, ':');
    comma = colon ? strrchr(colon, ',') : NULL;
    behind = values_behind(at, comma ? comma + 1 : colon ? colon + 1 : at->word + length);
    if (colon) {
        parameters(&behind, at->word + length);
    } else {
        names(&behind);
    }
}

static void values_scene(const complete_at *at, const char *name)
{
    char stem[CLI_NAME];

    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(name, ":"), name);
    values_parameters_of(at, stem);
    complete_offer_list(at, "step=|when=|by=|iterations=|model=");
}

static void values_files(const complete_at *at)
{
    fprintf(at->out, "%s\n", COMPLETION_FILES);
}

static void values_folders(const complete_at *at)
{
    fprintf(at->out, "%s\n", COMPLETION_FOLDERS);
}

/* A file, or a call that makes an instance. */
static void values_instances(const complete_at *at)
{
    values_call(at, "generate:", values_families, values_family);
    values_call(at, "scene:", values_scenes, values_scene);
    values_files(at);
}

/* How the value of an option is completed; the first row that fits is taken. */
typedef struct values_row {
    const char *verb, *option;            /* NULL: of every verb */
    void (*offer)(const complete_at *at); /* NULL: the words below */
    const char *words;
} values_row;

static const values_row values_rows[] = {
    {"simulate", "set", values_parameters, NULL},
    {"info", "set", values_parameters, NULL},
    {"plot", "set", NULL, ""}, /* a set of the folder, which is not read here */
    {"plot", "against", values_solver, NULL},
    {NULL, "solver", values_solver, NULL},
    {NULL, "format", values_formats, NULL},
    {"paper", "from", values_folders, NULL},
    {NULL, "from", values_formats, NULL},
    {NULL, "to", values_formats, NULL},
    {NULL, "joint", values_joints, NULL},
    {NULL, "schema", NULL, "scene|problem|suite"},
    {NULL, "law", NULL, "coulomb|associated"},
    {NULL, "formulation", NULL, "natural|associated|box|pyramid:4|pyramid:8"},
    {NULL, "warm-start", NULL, POLICY_NAMES},
    {NULL, "history-axis", NULL, CONVERGENCE_AXES},
    {NULL, "start", values_files, "cold|guess"},
    {NULL, "plugin", values_files, NULL},
    {NULL, "instance", values_instances, NULL},
    {NULL, "against", values_folders, NULL},
    {NULL, "kind", NULL, "lcp|mlcp|relay|fc2d|fc3d|gfc2d|gfc3d|rolling|gmp|soclcp"},
    {NULL, "to-kind", NULL, "lcp|mlcp|relay|fc2d|fc3d|gfc2d|gfc3d|rolling|gmp|soclcp"},
    {NULL, "ties", NULL, "open|free"},
    {NULL, "style", NULL, "column|double|slide|screen"},
    {NULL, "terminal", NULL, "pdfcairo|svg|png|cairolatex|tikz"},
    {NULL, "figure", NULL, ""},
    {NULL, "licence", NULL, "CC0-1.0|CC-BY-4.0|Apache-2.0|MIT"},
    {NULL, "urdf-base", NULL, "usual|fixed|floating"},
    {NULL, "broad", values_broad, NULL},
    {NULL, "narrow", values_narrow, NULL},
};

static const values_row *values_find(const cli_verb *verb, const char *option)
{
    for (size_t k = 0; k < sizeof values_rows / sizeof *values_rows; k++) {
        const values_row *row = &values_rows[k];

        if (strcmp(row->option, option) == 0 &&
            (!row->verb || strcmp(row->verb, verb->name) == 0)) {
            return row;
        }
    }
    return NULL;
}

/* A member of the scheme of scenes has a list of choices in its library. */
static bool values_scheme(const complete_at *at, const char *option)
{
    size_t k = 0;

    for (const char *text = NULL; (text = perp_scheme_choice(option, k)); k++) {
        complete_offer(at, text, NULL);
    }
    return k > 0;
}

/* A value that is a number has no words. */
static bool values_number(const char *value)
{
    static const char *const numbers[] = {"N", "X", "S", "K", "T", "MB", "WxH"};

    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (strcmp(numbers[k], value) == 0) {
            return true;
        }
    }
    return false;
}

/* "colour by: body, speed, energy [body]": the words behind the colon, with commas. */
static bool values_help(const complete_at *at, const char *help)
{
    const char *text = help ? strstr(help, ": ") : NULL;
    size_t length = text ? strcspn(text + 2, " ,[;('\"") : 0;

    if (length == 0 || text[2 + length] != ',') {
        return false;
    }
    for (text += 2; length > 0; length = strcspn(text, " ,[;('\"")) {
        char name[CLI_NAME];

        if (length < sizeof name) {
            snprintf(name, sizeof name, "%.*s", (int)length, text);
            complete_offer(at, name, NULL);
        }
        text += length;
        text += *text == ',' ? 1 + (text[1] == ' ') : strlen(text);
    }
    return true;
}

bool complete_value(const complete_at *at, const cli_option *option)
{
    const values_row *row = values_find(at->verb, option->name);

    if (values_number(option->value)) {
        return false;
    }
    if (strcmp(option->name, "model") == 0) {
        complete_offer_list(at,
                            "pyramid:4|pyramid:8"); /* the list has no number of sides */
    }
    if (row) {
        complete_offer_list(at, row->words ? row->words : "");
        if (row->offer) {
            row->offer(at);
        }
        return true;
    }
    if (strncmp(option->value, "FILE", 4) == 0) {
        values_files(at);
    } else if (strcmp(option->value, "DIR") == 0) {
        values_folders(at);
    } else if (strchr(option->value, '|')) {
        complete_offer_list(at, option->value);
    } else {
        return values_scheme(at, option->name) || values_help(at, option->help);
    }
    return true;
}

static const struct {
    const char *verb;
    void (*offer[4])(const complete_at *at);
} values_operands[] = {
    {"compare", {values_suites, values_files}},
    {"solve", {values_instances}},
    {"simulate", {values_scenes, values_files}},
    {"verify", {values_instances}},
    {"view", {values_instances}},
    {"plot", {values_instances}},
    {"convert", {values_instances, values_scenes, values_suites}},
    {"generate", {values_families}},
    {"info", {values_lists, values_solvers, values_scenes, values_instances}},
};

void complete_operand(const complete_at *at)
{
    for (size_t k = 0; k < sizeof values_operands / sizeof *values_operands; k++) {
        if (strcmp(values_operands[k].verb, at->verb->name) == 0) {
            for (size_t i = 0; i < 4 && values_operands[k].offer[i]; i++) {
                values_operands[k].offer[i](at);
            }
            return;
        }
    }
    values_files(at);
}
