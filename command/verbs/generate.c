/* SPDX-License-Identifier: Apache-2.0
 * verbs/generate.c: write an instance or a sequence of a family to a file. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "command/campaign/call.h"
#include "command/verbs/verbs.h"

static const cli_option generate_options[] = {
    {"output", 'o', "FILE", "file to write; - is standard output"},
    {"format", 0, "FORMAT", "format of the file, if its extension does not determine it"},
    {"sequence", 0, NULL, "write a sequence, as one file FILE.hdf5"},
    {"instance", 0, "INSTANCE",
     "instance of the sequence parametric: a file or generate:FAMILY"},
    {"to-kind", 0, "KIND", "kind of problem to write, if the format has several"},
    {"quiet", 'q', NULL, "print nothing"},
    CLI_OPTION_END,
};

/* "--n 100 --seed 3" of the family spd is the call "spd:n=100,seed=3". */
static perp_status generate_call(const cli_args *args, char *call, size_t room,
                                 perp_error *err)
{
    const char *where = cli_args_value(args, "instance");
    size_t length = (size_t)snprintf(call, room, "%s", args->word[0]);

    for (size_t k = 0; k < args->setting_count && length < room; k++) {
        length += (size_t)snprintf(call + length, room - length, "%c%s=%s",
                                   k || strchr(args->word[0], ':') ? ',' : ':',
                                   args->setting[k].name, args->setting[k].value);
    }
    if (where && length < room) { /* it ends the call */
        length += (size_t)snprintf(call + length, room - length, "%cinstance=%s",
                                   strchr(call, ':') ? ',' : ':', where);
    }
    if (length >= room) {
        return perp_fail(err, PERP_ERR_OPTION, "perp generate: too many parameters");
    }
    return PERP_OK;
}

static perp_status generate_sequence(const cli_args *args, const char *call,
                                     const char *output, perp_error *err)
{
    perp_sequence *s = NULL;
    char text[256];
    perp_status status = call_make_sequence(&s, call, err);

    if (status == PERP_OK) {
        status = perp_sequence_write(s, output, err);
    }
    if (status == PERP_OK && !cli_args_given(args, "quiet")) {
        status = verb_describe_sequence(s, text, sizeof text, err);
        output_print(stdout, OUTPUT_PLAIN, "%s: %s\n", output, text);
    }
    perp_sequence_free(s);
    return status;
}

static int generate_run(const cli_args *args, perp_error *err)
{
    const char *output = cli_args_value(args, "output");
    const char *format = cli_args_value(args, "format");
    char call[4096], text[256];
    bool sequence = cli_args_given(args, "sequence");
    const perp_format *known = NULL;
    perp_problem *p = NULL;
    perp_status status = PERP_OK;

    if (!output) {
        status = perp_fail(err, PERP_ERR_OPTION, "perp generate: -o FILE is missing");
    } else if (format) {
        status = perp_format_named(&known, format, err);
    }
    if (status == PERP_OK) {
        status = generate_call(args, call, sizeof call, err);
    }
    if (status == PERP_OK && sequence) {
        status = generate_sequence(args, call, output, err);
        return status == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
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
        output_print(stdout, OUTPUT_PLAIN, "%s: %s\n", output, text);
        verb_print_left_out(args, p, output, format);
    }
    perp_problem_free(p);
    return status == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
}

const cli_verb verb_generate = {
    .name = "generate",
    .summary =
        "write an instance or a sequence of a family, of any size and from any seed",
    .usage = "FAMILY [--sequence] [--PARAMETER VALUE]... -o FILE",
    .more = "perp info families prints the families and their parameters.\n"
            "Parameters of sequences: --steps N; wall: --force, --slide; other "
            "families: --grow PARAMETER, which increases with each step, or --change "
            "X --direction SEED, a drift of b. The sequence `parametric` is any "
            "--instance with a drift of b.\n",
    .words = "FAMILY",
    .usual = "output|format|sequence|instance|to-kind|quiet",
    .options = generate_options,
    .least = 1,
    .most = 1,
    .settings = true,
    .numbers = true,
    .run = generate_run,
};
