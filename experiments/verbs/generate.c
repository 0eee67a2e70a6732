/* SPDX-License-Identifier: Apache-2.0
 * verbs/generate.c: an instance of a family, written to a file. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "experiments/runner/call.h"
#include "experiments/verbs/verbs.h"

static const cli_option generate_options[] = {
    {"output", 'o', "FILE", "where to write it"},
    {"format", 0, "NAME", "in which format, where its extension does not tell"},
    {"to-kind", 0, "KIND", "as what, where the format has several kinds"},
    {"quiet", 'q', NULL, "tell nothing"},
    CLI_OPTION_END,
};

/* "--n 100 --seed 3" of the family spd is the call "spd:n=100,seed=3". */
static perp_status generate_call(const cli_args *args, char *call, size_t room,
                                 perp_error *err)
{
    size_t length = (size_t)snprintf(call, room, "%s", args->word[0]);

    for (size_t k = 0; k < args->setting_count && length < room; k++) {
        length += (size_t)snprintf(call + length, room - length, "%c%s=%s",
                                   k || strchr(args->word[0], ':') ? ',' : ':',
                                   args->setting[k].name, args->setting[k].value);
    }
    if (length >= room) {
        return perp_fail(err, PERP_ERR_OPTION, "perp generate: too many parameters");
    }
    return PERP_OK;
}

static int generate_run(const cli_args *args, perp_error *err)
{
    const char *output = cli_args_value(args, "output");
    const char *format = cli_args_value(args, "format");
    char call[512], text[256];
    perp_problem *p = NULL;
    perp_status status = PERP_OK;

    if (!output) {
        status = perp_fail(err, PERP_ERR_OPTION, "perp generate: -o FILE is missing");
    } else if (format && !perp_format_find(format)) {
        status = perp_fail(err, PERP_ERR_OPTION,
                           "perp generate: unknown format \"%s\", see perp list formats",
                           format);
    } else {
        status = generate_call(args, call, sizeof call, err);
    }
    if (status == PERP_OK) {
        status = call_make(&p, call, err);
    }
    if (status == PERP_OK) {
        status =
            perp_problem_write(p, output, format, cli_args_value(args, "to-kind"), err);
    }
    if (status == PERP_OK && !cli_args_given(args, "quiet")) {
        verb_describe(p, text, sizeof text);
        printf("%s: %s\n", output, text);
    }
    perp_problem_free(p);
    return status == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
}

const cli_verb verb_generate = {
    .name = "generate",
    .summary = "write an instance of a family, to any size and from any seed",
    .usage = "FAMILY [--PARAMETER VALUE]... -o FILE",
    .more = "perp list families shows the families and their parameters.\n",
    .options = generate_options,
    .least = 1,
    .most = 1,
    .settings = true,
    .run = generate_run,
};
