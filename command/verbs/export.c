/* SPDX-License-Identifier: Apache-2.0
 * verbs/export.c: the problems of a scene, a stored run, a suite or a file as a folder that
 * can be published. */
#include <config.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/sequence.h>

#include "base/base.h"
#include "command/cli/plugin.h"
#include "command/export/export.h"
#include "command/simulate/robots.h"
#include "command/simulate/settings.h"
#include "command/verbs/scenes.h"
#include "command/verbs/suites.h"
#include "command/verbs/verbs.h"

static const cli_option export_options[] = {
    {"output", 'o', "DIR", "new folder of the problems"},
    {"to", 0, "FORMAT", "format of the files, see perp list formats [fclib]"},
    {"when", 0, "WHEN",
     "steps of a run: every N-th, or where a condition holds: 'residual>1e-6', "
     "'contacts>50 && step%10==0' [1]"},
    PLUGIN_OPTION,
    {"global", 0, NULL, "steps of a scene: M, H and f in place of W and q"},
    VERB_PROBLEM_OPTIONS,
    {"condense", 0, NULL, "the local form of global problems"},
    {"title", 0, "TEXT", "heading of the page [the name of the source]"},
    {"licence", 0, "NAME", "licence of what perp computes, for the index"},
    {"spectrum", 0, "N", "rank and condition of problems of at most N rows [1000]"},
    SCENE_SET_OPTION,
    ROBOT_OPTIONS,
    SIM_SETTINGS_OPTIONS,
    {"quiet", 'q', NULL, "print nothing"},
    CLI_OPTION_END,
};

static volatile int export_stop;

static void export_signalled(int number)
{
    (void)number;
    export_stop = 1;
}

/* "perp export stack -o DIR", as typed. */
static void export_command(const cli_args *args, char *text, size_t room)
{
    size_t used = (size_t)snprintf(text, room, "perp export %s", args->word[0]);

    for (size_t k = 0; k < args->given_count && used < room; k++) {
        const cli_given *g = &args->given[k];
        const char *value = g->value ? g->value : "";
        bool quote = strpbrk(value, " '\"&|<>*?;()$") != NULL;

        used += (size_t)snprintf(text + used, room - used, " --%s%s%s%s%s",
                                 export_options[g->row].name, *value ? "=" : "",
                                 quote ? "'" : "", value, quote ? "'" : "");
    }
    for (size_t k = 0; k < args->setting_count && used < room; k++) {
        used += (size_t)snprintf(text + used, room - used, " --%s=%s",
                                 args->setting[k].name, args->setting[k].value);
    }
}

static perp_status export_scene_word(const export_orders *o, const cli_args *args,
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

static perp_status export_suite_word(const export_orders *o, const char *word,
                                     perp_error *err)
{
    suite *s = NULL;
    char path[DATA_PATH];
    perp_status status = suite_find("export", word, path, err);

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
static perp_status export_word(const export_orders *o, const cli_args *args,
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
        return export_scene_word(o, args, err);
    }
    if (suite_detect(word)) {
        return export_suite_word(o, word, err);
    }
    return !instance_is_call(word) && perp_sequence_detect(word)
               ? export_sequence(o, word, name, err)
               : export_instance(o, word, &read, name, err);
}

/* Options of a run say nothing of problems that are there already. */
static perp_status export_check(const cli_args *args, perp_error *err)
{
    static const char *const of_steps[] = {"when", "global"};
    const char *word = args->word[0];
    bool scene = scene_detect(word), run = export_is_trajectory(word);

    for (size_t k = 0; k < sizeof of_steps / sizeof *of_steps; k++) {
        if (cli_args_given(args, of_steps[k]) && !scene && !run && !suite_detect(word)) {
            return perp_fail(
                err, PERP_ERR_OPTION,
                "perp export: option --%s is for steps of a scene, and %s is "
                "none",
                of_steps[k], word);
        }
    }
    if (!scene && args->setting_count > 0) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp export: option --%s is for a scene, and %s is none",
                         args->setting[0].name, word);
    }
    return cli_args_given(args, "output")
               ? PERP_OK
               : perp_fail(err, PERP_ERR_OPTION, "perp export: -o DIR is missing");
}

static void export_tell(const cli_args *args, const collection *c)
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
            "perp export: the format cannot hold %zu of %zu problem%s; index.csv "
            "has the reasons\n",
            refused, count, perp_plural(count));
    }
}

static perp_status export_make(const cli_args *args, const collection_orders *orders,
                               int *code, perp_error *err)
{
    const char *when = cli_args_value(args, "when");
    export_orders o = {.when = when ? when : "1",
                       .global = cli_args_given(args, "global"),
                       .condense = cli_args_given(args, "condense"),
                       .law = cli_args_value(args, "law"),
                       .formulation = cli_args_value(args, "formulation"),
                       .stop = &export_stop};
    perp_status status = collection_open(&o.to, orders, err);

    if (status == PERP_OK) {
        status = export_word(&o, args, err);
    }
    if (status == PERP_OK && export_stop) {
        *code = CLI_INTERRUPTED;
    } else if (status == PERP_OK && collection_count(o.to) == 0) {
        status = perp_fail(err, PERP_ERR_DATA,
                           "%s: no problem: --when %s holds in no step "
                           "with rows",
                           args->word[0], o.when);
    } else if (status == PERP_OK) {
        status = collection_install(o.to, err);
        if (status == PERP_OK) {
            export_tell(args, o.to);
            *code = collection_refused(o.to) ? CLI_NOT_SOLVED : CLI_DONE;
        }
    }
    collection_free(o.to);
    return status;
}

static int export_run_verb(const cli_args *args, perp_error *err)
{
    const struct sigaction action = {.sa_handler = export_signalled,
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
    perp_status status = export_check(args, err);

    export_command(args, command, sizeof command);
    if (status == PERP_OK) {
        status = cli_args_whole(args, "spectrum", most, 0.0, 20000.0, &most, err);
    }
    if (status == PERP_OK) {
        orders.most_rows = (size_t)most;
        sigaction(SIGINT, &action, NULL);
        status = export_make(args, &orders, &code, err);
    }
    return status == PERP_OK ? code : CLI_BAD_INPUT;
}

const cli_verb verb_export = {
    .name = "export",
    .summary = "write all problems of a scene, a run or a suite as a data set",
    .usage = "SCENE, RUN, SUITE or FILE -o DIR [--to FORMAT] [--when WHEN]",
    .more =
        "DIR gets a file per problem, index.csv (name, kind, n, contacts, rank, "
        "condition,\n"
        "hash, source, licence) and README.md, which explains them. RUN is a folder of "
        "perp\n"
        "simulate: it is run again, and each step must have its stored residual to the "
        "bit.\n"
        "A scene of a suite is run once, by the first solver of its set. WHEN is as for\n"
        "perp simulate --capture. A problem that the format cannot hold has a row "
        "without\n"
        "a file, with the reason. Exit status: 0 all written; 1 not all; 2 bad usage or\n"
        "input; 130 interrupted, nothing is written.\n",
    .options = export_options,
    .least = 1,
    .most = 1,
    .settings = true,
    .solver = true,
    .numbers = true,
    .run = export_run_verb,
};
