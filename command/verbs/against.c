/* SPDX-License-Identifier: Apache-2.0
 * verbs/against.c: the end of perp compare: the report, and what has changed against other
 * results. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "command/cli/output.h"
#include "command/results/report.h"
#include "command/verbs/against.h"

static bool is_same_folder(const char *a, const char *b)
{
    char *x = realpath(a, NULL);
    char *y = realpath(b, NULL);
    bool same = x && y && strcmp(x, y) == 0;

    free(x);
    free(y);
    return same;
}

perp_status against_check(const cli_args *args, const char *dir, perp_error *err)
{
    const char *before = cli_args_value(args, "against");

    if (!before && cli_args_given(args, "times")) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp compare: --times is of no use without --against OLD");
    }
    if (before && !runs_are_in(before)) {
        return perp_fail(
            err, PERP_ERR_READ,
            "perp compare: --against %s: no results of perp compare are there "
            "(no runs.jsonl)",
            before);
    }
    if (before && is_same_folder(dir, before)) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp compare: --against %s: these are the same results",
                         before);
    }
    return PERP_OK;
}

static perp_status against_report(const cli_args *args, const char *dir,
                                  const against *changes, perp_error *err)
{
    const bool quiet = cli_args_given(args, "quiet");
    const report_request request = {.against = changes, .ranking = quiet ? NULL : stdout};
    perp_status status = PERP_OK;

    if (cli_args_given(args, "no-report")) {
        return PERP_OK;
    }
    status = report_join(&dir, 1, dir, &request, err);
    if (status == PERP_ERR_DATA) { /* of a figure; all runs and other figures are there */
        output_print(stderr, OUTPUT_PLAIN, "perp compare: %s\n", err->text);
        status = PERP_OK;
    }
    if (status == PERP_OK && !quiet) {
        output_print(stdout, OUTPUT_PLAIN, "\n%s/report.html shows every run\n", dir);
    }
    return status;
}

int against_finish(const cli_args *args, const char *dir, perp_error *err)
{
    const char *before = cli_args_value(args, "against");
    bool regressed = false;
    against a;
    perp_status status = PERP_OK;

    if (!before) {
        return against_report(args, dir, NULL, err) == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
    }
    status = against_make(&a, dir, before, cli_args_given(args, "times"), err);
    if (status == PERP_OK) {
        status = against_write(&a, dir, err);
    }
    if (status == PERP_OK) {
        against_print(&a, stdout);
        regressed = against_regressed(&a);
    }
    if (status == PERP_OK) {
        status = against_report(args, dir, &a, err);
    }
    against_free(&a);
    return status != PERP_OK ? CLI_BAD_INPUT : regressed ? CLI_NOT_SOLVED : CLI_DONE;
}

int against_stored(const cli_args *args, const char *dir, perp_error *err)
{
    static const char *const known[] = {"against", "times", "no-report", "quiet"};
    const cli_option *options = args->verb->options;

    for (size_t k = 0; options[k].name; k++) {
        bool useful = false;

        for (size_t j = 0; j < sizeof known / sizeof *known; j++) {
            useful = useful || strcmp(options[k].name, known[j]) == 0;
        }
        if (args->value[k] && !useful) {
            perp_fail(
                err, PERP_ERR_OPTION,
                "perp compare: %s holds results, of which nothing is run: --%s is of "
                "no use",
                dir, options[k].name);
            return CLI_BAD_INPUT;
        }
    }
    if (!cli_args_given(args, "against")) {
        perp_fail(err, PERP_ERR_OPTION,
                  "perp compare: %s holds results: expected --against OLD, or a suite",
                  dir);
        return CLI_BAD_INPUT;
    }
    return against_check(args, dir, err) == PERP_OK ? against_finish(args, dir, err)
                                                    : CLI_BAD_INPUT;
}
