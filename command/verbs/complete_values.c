/* SPDX-License-Identifier: Apache-2.0
 * verbs/complete_values.c: names that complete a word: of solvers, formats, suites, scenes,
 * families and their parameters. */
#include <config.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/joint.h>
#include <perp/external.h>

#include "command/cli/completion.h"
#include "command/cli/plugin.h"
#include "command/generate/families.h"
#include "command/simulate/catalogue.h"
#include "command/verbs/complete.h"
#include "command/verbs/list.h"
#include "command/verbs/suites.h"
#include "command/verbs/verbs.h"
#include "command/verbs/view_files.h"

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
    complete_offer_list(at, "step=|when=|by=|iterations=|friction=");
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

static void values_marks(const complete_at *at)
{
    const char *comma = strrchr(at->word, ',');
    complete_at behind = values_behind(at, comma ? comma + 1 : at->word);

    complete_offer_list(&behind, "none|" VIEW_MARKS);
}

static void values_kinds(const complete_at *at)
{
    complete_offer_list(at, "lcp|mlcp|relay|fc2d|fc3d|gfc2d|gfc3d|rolling|gmp|soclcp");
}

static void values_licences(const complete_at *at)
{
    complete_offer_list(at, "CC0-1.0|CC-BY-4.0|Apache-2.0|MIT");
}

/* Kinds of values that have candidates. */
static const struct {
    const char *kind;
    void (*offer)(const complete_at *at);
} values[] = {
    {"SOLVER", values_solver},      {"FORMAT", values_formats},
    {"SUITE", values_suites},       {"SCENE", values_scenes},
    {"JOINT", values_joints},       {"LIST", values_lists},
    {"BROAD", values_broad},        {"NARROW", values_narrow},
    {"FAMILY", values_families},    {"NAME=VALUE", values_parameters},
    {"INSTANCE", values_instances}, {"KIND", values_kinds},
    {"MARKS", values_marks},        {"LICENCE", values_licences},
    {"FILE", values_files},         {"FILE/DIR", values_files},
    {"DIR", values_folders},
};

/* "pyramid:N" with the usual numbers. */
static void values_word(const complete_at *at, const char *word)
{
    const size_t stem = strlen(word);
    char text[CLI_NAME + 2];

    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        if (strcmp(values[k].kind, word) == 0) {
            values[k].offer(at);
            return;
        }
    }
    if (stem > 2 && strcmp(word + stem - 2, ":N") == 0) {
        for (const char *n = "48"; *n; n++) {
            snprintf(text, sizeof text, "%.*s%c", (int)stem - 1, word, *n);
            complete_offer(at, text, NULL);
        }
    } else if (!isupper((unsigned char)*word)) {
        complete_offer(at, word, NULL);
    }
}

void complete_value(const complete_at *at, const char *kind)
{
    char word[CLI_NAME];

    while (cli_choice_next(&kind, word)) {
        values_word(at, word);
    }
}
