/* SPDX-License-Identifier: Apache-2.0
 * verbs/dataset.c: perp convert -o DIR: the problems of a scene, a stored run, a suite or a file as a folder that
 * can be published. */
#include <config.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/sequence.h>

#include "base/base.h"
#include "command/export/export.h"
#include "command/verbs/dataset.h"
#include "command/verbs/scenes.h"
#include "command/verbs/suites.h"
#include "command/verbs/verbs.h"

static volatile int dataset_stop;

static void dataset_signalled(int number)
{
    (void)number;
    dataset_stop = 1;
}

/* "perp convert stack -o DIR", as typed. */
static void dataset_command(const cli_args *args, char *text, size_t room)
{
    size_t used = (size_t)snprintf(text, room, "perp convert %s", args->word[0]);

    for (size_t k = 0; k < args->given_count && used < room; k++) {
        const cli_given *g = &args->given[k];
        const char *value = g->value ? g->value : "";
        bool quote = strpbrk(value, " '\"&|<>*?;()$") != NULL;

        used += (size_t)snprintf(text + used, room - used, " --%s%s%s%s%s",
                                 args->verb->options[g->row].name, *value ? "=" : "",
                                 quote ? "'" : "", value, quote ? "'" : "");
    }
    for (size_t k = 0; k < args->setting_count && used < room; k++) {
        used += (size_t)snprintf(text + used, room - used, " --%s=%s",
                                 args->setting[k].name, args->setting[k].value);
    }
}

static perp_status dataset_scene_word(const export_orders *o, const cli_args *args,
                                      perp_error *err)
{
    perp_scene *scene = NULL;
    perp_status status = scene_open(args, args->word[0], &scene, NULL, err);

    if (status == PERP_OK) {
        status = export_scene(o, scene, args, scene->name, err);
    }
    perp_scene_free(scene);
    return status;
}

static perp_status dataset_suite_word(const export_orders *o, const char *word,
                                      perp_error *err)
{
    suite *s = NULL;
    char path[DATA_PATH];
    perp_status status = suite_find("convert", word, path, err);

    if (status == PERP_OK) {
        status = suite_read(&s, path, SUITE_FULL, err);
    }
    if (status == PERP_OK) {
        status = export_suite(o, s, err);
    }
    suite_free(s);
    return status;
}

/* By what the word is: a run, a scene, a sequence, an instance, else a suite. */
static perp_status dataset_word(const export_orders *o, const cli_args *args,
                                perp_error *err)
{
    const char *word = args->word[0];
    const perp_read_options read = {0};
    char name[INSTANCE_NAME];

    instance_name(word, 0, name);
    if (export_is_trajectory(word)) {
        return export_trajectory(o, word, err);
    }
    if (scene_detect(word)) {
        return dataset_scene_word(o, args, err);
    }
    if (suite_detect(word)) {
        return dataset_suite_word(o, word, err);
    }
    return !instance_is_call(word) && perp_sequence_detect(word)
               ? export_sequence(o, word, name, err)
               : export_instance(o, word, &read, name, err);
}

/* Options of a run say nothing of problems that are there already. */
static perp_status dataset_check(const cli_args *args, perp_error *err)
{
    static const char *const of_steps[] = {"when", "global"};
    const char *word = args->word[0];
    bool scene = scene_detect(word), run = export_is_trajectory(word);

    for (size_t k = 0; k < sizeof of_steps / sizeof *of_steps; k++) {
        if (cli_args_given(args, of_steps[k]) && !scene && !run && !suite_detect(word)) {
            return perp_fail(
                err, PERP_ERR_OPTION,
                "perp convert: option --%s is for steps of a scene, and %s is "
                "none",
                of_steps[k], word);
        }
    }
    if (!scene && args->setting_count > 0) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp convert: option --%s is for a scene, and %s is none",
                         args->setting[0].name, word);
    }
    return cli_args_refuse(args, "from|kind|to-kind|item|step|symmetric-upper|every",
                           "does not go with -o DIR, which gets all problems", err);
}

static void dataset_tell(const cli_args *args, const collection *c)
{
    size_t count = collection_count(c), refused = collection_refused(c);

    if (!cli_args_given(args, "quiet")) {
        output_print(stdout, OUTPUT_PLAIN, "%s: %zu problem%s, index.csv, README.md\n",
                     cli_args_value(args, "output"), count - refused,
                     count - refused == 1 ? "" : "s");
    }
    if (refused > 0) {
        fflush(stdout);
        output_print(
            stderr, OUTPUT_BAD,
            "perp convert: the format cannot hold %zu of %zu problem%s; index.csv "
            "has the reasons\n",
            refused, count, perp_plural(count));
    }
}

static perp_status dataset_write(const cli_args *args, const collection_orders *orders,
                                 int *code, perp_error *err)
{
    const char *when = cli_args_value(args, "when");
    export_orders o = {
        .when = when ? when : "1",
        .global = cli_args_given(args, "global"),
        .condense = cli_args_given(args, "condense"),
        .friction = scene_detect(args->word[0]) ? NULL : cli_args_value(args, "friction"),
        .stop = &dataset_stop};
    perp_status status = collection_open(&o.to, orders, err);

    if (status == PERP_OK) {
        status = dataset_word(&o, args, err);
    }
    if (status == PERP_OK && dataset_stop) {
        *code = CLI_INTERRUPTED;
    } else if (status == PERP_OK && collection_count(o.to) == 0) {
        status = perp_fail(err, PERP_ERR_DATA,
                           "%s: no problem: --when %s holds in no step "
                           "with rows",
                           args->word[0], o.when);
    } else if (status == PERP_OK) {
        status = collection_install(o.to, err);
        if (status == PERP_OK) {
            dataset_tell(args, o.to);
            *code = collection_refused(o.to) ? CLI_NOT_SOLVED : CLI_DONE;
        }
    }
    collection_free(o.to);
    return status;
}

int dataset_make(const cli_args *args, perp_error *err)
{
    const struct sigaction action = {.sa_handler = dataset_signalled,
                                     .sa_flags = SA_RESETHAND};
    const char *to = cli_args_value(args, "to"), *title = cli_args_value(args, "title");
    char command[2 * DATA_PATH];
    double most = 1000.0;
    int code = CLI_BAD_INPUT;
    collection_orders orders = {.dir = cli_args_value(args, "output"),
                                .format = to ? to : "fclib",
                                .title = title ? title : args->word[0],
                                .command = command,
                                .licence = cli_args_value(args, "licence")};
    perp_status status = dataset_check(args, err);

    dataset_command(args, command, sizeof command);
    if (status == PERP_OK) {
        status = cli_args_whole(args, "spectrum", most, 0.0, 20000.0, &most, err);
    }
    if (status == PERP_OK) {
        orders.most_rows = (size_t)most;
        sigaction(SIGINT, &action, NULL);
        status = dataset_write(args, &orders, &code, err);
    }
    return status == PERP_OK ? code : CLI_BAD_INPUT;
}
