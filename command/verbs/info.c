/* SPDX-License-Identifier: Apache-2.0
 * verbs/info.c: the content of a file, or the page of a solver. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/file.h"
#include "command/cli/answer.h"
#include "command/cli/data.h"
#include "command/cli/page.h"
#include "command/cli/plugin.h"
#include "command/cli/sparkline.h"
#include "command/cli/take.h"
#include "command/simulate/robots.h"
#include "command/verbs/entry.h"
#include "command/verbs/facts.h"
#include "command/verbs/list.h"
#include "command/verbs/parts.h"
#include "command/verbs/scenes.h"
#include "command/verbs/verbs.h"

static const cli_option info_options[] = {
    VERB_READ_OPTIONS,
    VERB_PROBLEM_OPTIONS,
    {"solver", 's', "SOLVER",
     "print the page of this solver instead; its options: perp info options"},
    PLUGIN_OPTION,
    SCENE_SET_OPTION,
    ROBOT_OPTIONS,
    {"joint", 0, "JOINT", "describe this type of joint instead"},
    {"schema", 0, "scene|problem|suite", "print the JSON schema of such files instead"},
    {"markdown", 0, NULL,
     "print the page of a solver as Markdown; without a solver, the table of all"},
    {"spectrum", 0, "N",
     "rows up to which rank, singular values and definiteness of an instance are "
     "computed: "
     "about N^3 operations [1000]"},
    {"draw", 0, NULL, "draw pattern and spectrum of an instance into a pipe too"},
    {"json", 0, NULL, "print JSON"},
    CLI_OPTION_END,
};

static perp_status info_solver(const cli_args *args, const char *name, perp_error *err)
{
    const perp_solver_type *type = NULL;
    perp_options opt;

    TRY(plugin_parse(name, &type, &opt, err));
    if (cli_args_given(args, "json")) {
        return output_json(stdout, list_solver_json(type), false, err);
    }
    if (cli_args_given(args, "markdown")) {
        page_markdown(stdout, type);
    } else {
        page_text(stdout, type, opt.inner);
    }
    return PERP_OK;
}

/* True for a word that is the name of a solver, and not of a file. */
static bool info_is_solver(const char *word)
{
    const perp_solver_type *type = NULL;
    perp_options opt;

    return access(word, F_OK) != 0 && plugin_parse(word, &type, &opt, NULL) == PERP_OK;
}

/* The rows of each item, drawn on a terminal. */
static perp_status info_draw_rows(const perp_sequence *s, perp_error *err)
{
    enum { INDENT = 12, MOST = 60 };
    size_t count = perp_sequence_count(s), room = output_width(stdout) - INDENT;
    double *rows = take_reals(count + 1);
    perp_status status = PERP_OK;

    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        perp_sequence_item item;

        status = perp_sequence_get(s, k, &item, err);
        if (status == PERP_OK) {
            rows[k] = (double)item.problem->n;
            perp_sequence_item_clear(&item);
        }
    }
    if (status == PERP_OK) {
        output_print(stdout, OUTPUT_PLAIN, "%-*s", INDENT, "rows");
        sparkline_print(stdout, rows, count, room < MOST ? room : MOST,
                        output_has_unicode(stdout));
        putchar('\n');
    }
    free(rows);
    return status;
}

static perp_status info_print_sequence(const perp_sequence *s, const char *summary,
                                       perp_error *err)
{
    const char *name = perp_sequence_name(s);
    char text[256 + 2];

    output_print(stdout, OUTPUT_STRONG, "%s", name);
    snprintf(text, sizeof text, ": %s", summary);
    output_text(stdout, 12, strlen(name), text);
    return perp_sequence_count(s) > 1 && output_is_terminal(stdout)
               ? info_draw_rows(s, err)
               : PERP_OK;
}

/* A sequence as a whole; --item describes one step. */
static perp_status info_sequence(const cli_args *args, perp_error *err)
{
    perp_sequence *s = NULL;
    char text[256];
    perp_status status = perp_sequence_open(&s, args->word[0], err);

    if (status == PERP_OK) {
        status = perp_sequence_check(s, err);
    }
    if (status == PERP_OK) {
        status = verb_describe_sequence(s, text, sizeof text, err);
    }
    if (status == PERP_OK && cli_args_given(args, "json")) {
        status =
            output_json(stdout,
                        json_pack("{s:s, s:s, s:I, s:s}", "sequence", args->word[0],
                                  "name", perp_sequence_name(s), "count",
                                  (json_int_t)perp_sequence_count(s), "summary", text),
                        false, err);
    } else if (status == PERP_OK) {
        status = info_print_sequence(s, text, err);
    }
    perp_sequence_free(s);
    return status;
}

/* The schema of problems or of suites, a file that comes with perp. */
static perp_status info_schema(const char *what, perp_error *err)
{
    char file[64], path[DATA_PATH];
    char *text = NULL;
    size_t length = 0;
    perp_status status = PERP_OK;

    snprintf(file, sizeof file, "command/schemas/%s.json", what);
    status = data_find(file, path, err);

    if (status == PERP_OK) {
        status = perp_file_slurp(path, &text, &length, err);
    }
    if (status == PERP_OK) {
        fwrite(text, 1, length, stdout);
    }
    free(text);
    return status;
}

/* Describe a solver, a joint, a schema, a scene or another name; false when the words name an
 * instance. */
static bool info_other(const cli_args *args, perp_status *status, perp_error *err)
{
    const char *word = args->word_count == 1 ? args->word[0] : NULL;
    const char *solver = cli_args_value(args, "solver");
    const char *joint = cli_args_value(args, "joint");
    const char *schema = cli_args_value(args, "schema");

    if (word ? list_detect(word) && !data_is_file(word)
             : args->word_count == 0 && !solver && !joint && !schema &&
                   !cli_args_given(args, "markdown")) {
        *status = list_print(args, word, err);
        return true;
    }
    solver = !solver && word && info_is_solver(word) ? word : solver;
    if (solver) {
        *status = info_solver(args, solver, err);
    } else if (joint) {
        *status = parts_info_joint(args, joint, err);
    } else if (schema && strcmp(schema, "scene") == 0) {
        scene_info_schema();
    } else if (schema) {
        *status = info_schema(schema, err);
    } else if (word && !cli_args_given(args, "format") && scene_detect(word)) {
        *status = scene_info(args, word, err);
    } else if (word && access(word, F_OK) != 0 && entry_detect(word)) {
        *status = entry_info(args, word, err);
    } else if (word && access(word, F_OK) != 0 && !strpbrk(word, "/.:")) {
        *status = entry_unknown(word, err);
    } else {
        return false;
    }
    return true;
}

/* An instance: its numbers, and on a terminal its pattern and its spectrum. */
static perp_status info_instance(const cli_args *args, perp_error *err)
{
    instance *in = NULL;
    instance_request request;
    double rows = 0.0;
    facts *f = take(1, sizeof *f);
    perp_status status = verb_request(args, args->word[0], &request, err);

    if (status == PERP_OK) {
        status =
            cli_args_whole(args, "spectrum", FACTS_SPECTRUM_ROWS, 0, 1e6, &rows, err);
    }
    if (status == PERP_OK) {
        status = instance_open(&in, &request, err);
    }
    if (status == PERP_OK) {
        status = facts_gather(f, in, (size_t)rows, err);
    }
    if (status == PERP_OK && cli_args_given(args, "json")) {
        status = output_json(stdout, facts_json(f), false, err);
    } else if (status == PERP_OK) {
        facts_print(stdout, f,
                    cli_args_given(args, "draw") || output_is_terminal(stdout));
    }
    facts_clear(f);
    free(f);
    instance_free(in);
    return status;
}

/* Only scenes have parameters that --set changes. */
static perp_status info_check_set(const cli_args *args, perp_error *err)
{
    const char *word = args->word_count == 1 ? args->word[0] : "this";

    if (!cli_args_given(args, "set") || (args->word_count == 1 && scene_detect(word))) {
        return PERP_OK;
    }
    return perp_fail(err, PERP_ERR_OPTION,
                     "perp info: option --set is for scenes, and %s is not one; the "
                     "parameters of a family stand in its call, as in "
                     "generate:spd:n=12",
                     word);
}

static int info_run(const cli_args *args, perp_error *err)
{
    perp_status status = info_check_set(args, err);

    if (status != PERP_OK) {
        return CLI_BAD_INPUT;
    }
    if (info_other(args, &status, err)) {
        return status == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
    }
    if (args->word_count == 0 && cli_args_given(args, "markdown")) {
        page_index(stdout);
        return CLI_DONE;
    }
    if (!cli_args_given(args, "item") && perp_sequence_detect(args->word[0])) {
        return info_sequence(args, err) == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
    }
    return info_instance(args, err) == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
}

const cli_verb verb_info = {
    .name = "info",
    .summary = "describe a file, a scene, a solver or another name; list what there is",
    .usage = "[FILE, SCENE, SOLVER, LIST or NAME] [--json]",
    .more = "Without a name, the lists are printed: solvers, codes, options, sets, "
            "formats, exports, families, suites, metrics, figures, scenes, joints, "
            "mobilizers, shapes, forces, integrators, broad, narrow. perp info LIST "
            "prints one.\n",
    .words = "LIST|SOLVER|SCENE|INSTANCE",
    .usual = "solver|set|schema|friction|item|spectrum|draw|markdown|json",
    .options = info_options,
    .least = 0,
    .most = 1,
    .run = info_run,
};
