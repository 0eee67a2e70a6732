/* SPDX-License-Identifier: Apache-2.0
 * verbs/compare.c: every solver of a suite on every instance and scene, with a report at
 * the end. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "experiments/cli/data.h"
#include "experiments/report/orders.h"
#include "experiments/report/runs.h"
#include "experiments/runner/runner.h"
#include "experiments/verbs/against.h"
#include "experiments/verbs/suites.h"
#include "experiments/verbs/verbs.h"

static const cli_option compare_options[] = {
    {"output", 'o', "DIR", "folder of the results"},
    {"jobs", 'j', "N", "number of runs at the same time [1]"},
    {"resume", 0, NULL, "continue a stopped campaign"},
    {"quiet", 'q', NULL, "show no progress"},
    {"no-report", 0, NULL, "make no tables, figures and report"},
    {"against", 0, "OLD",
     "then compare with these results; exit status 1 on a regression"},
    {"times", 0, NULL, "with --against: compare times of different machines, too"},
    CLI_OPTION_END,
};

static perp_status compare_copy(const suite *s, const char *dir, perp_error *err)
{
    char path[DATA_PATH + 16];
    perp_file_out out = {0};
    perp_status status = PERP_OK;

    snprintf(path, sizeof path, "%s/suite.json", dir);
    status = perp_file_create(&out, path, err);
    if (status != PERP_OK) {
        return status;
    }
    fputs(s->text, out.f);
    return perp_file_commit(&out, err);
}

/* Problems that runs take from steps of scenes are kept with the results, unless the user
 * has a folder for them. */
static void compare_keep_captures(const char *dir)
{
    char path[DATA_PATH];

    snprintf(path, sizeof path, "%s/captures", dir);
    setenv("PERP_CAPTURES", path, 0);
}

static perp_status compare_campaign(const cli_args *args, const suite *s, const char *dir,
                                    bool *interrupted, perp_error *err)
{
    journal j = {.file = -1};
    const char *executable = getenv("PERP_EXECUTABLE");
    char self[DATA_PATH], path[DATA_PATH + 16];
    double jobs = 1.0;
    perp_status status = cli_args_number(args, "jobs", 1, 1, 256, &jobs, err);

    data_executable(self);
    snprintf(path, sizeof path, "%s/runs.jsonl", dir);
    if (status == PERP_OK) {
        status = data_make_folder(dir, err);
    }
    if (status == PERP_OK) {
        status = journal_open(&j, path, cli_args_given(args, "resume"), err);
    }
    if (status == PERP_OK && j.torn) {
        fprintf(stderr, "perp compare: %s: a torn last line of %zu bytes was cut off\n",
                path, j.torn);
    }
    if (status == PERP_OK) {
        status = compare_copy(s, dir, err);
    }
    if (status == PERP_OK) {
        const runner_request request = {
            .suite = s,
            .jobs = (size_t)jobs,
            .executable = executable && *executable ? executable : self,
            .journal = &j,
            .out = stdout,
            .quiet = cli_args_given(args, "quiet"),
        };

        status = runner_run(&request, interrupted, err);
    }
    journal_close(&j);
    return status;
}

static int compare_run(const cli_args *args, perp_error *err)
{
    const char *dir = cli_args_value(args, "output");
    char path[DATA_PATH];
    suite *s = NULL;
    bool interrupted = false;
    perp_status status = PERP_OK;

    if (runs_are_in(args->word[0])) {
        return against_stored(args, args->word[0], err);
    }
    if (!dir || !*dir || strlen(dir) >= DATA_PATH - 64) {
        perp_fail(err, PERP_ERR_OPTION, "perp compare: -o DIR is missing");
        return CLI_BAD_INPUT;
    }
    if (against_check(args, dir, err) != PERP_OK ||
        suite_find("compare", args->word[0], path, err) != PERP_OK ||
        suite_read(&s, path, err) != PERP_OK) {
        return CLI_BAD_INPUT;
    }
    if (figure_orders_check(args->word[0], s->text, err) != PERP_OK) {
        suite_free(s);
        return CLI_BAD_INPUT;
    }
    /* Runs side by side do not share cores, unless the user says so. */
    setenv("OPENBLAS_NUM_THREADS", "1", 0);
    compare_keep_captures(dir);
    status = compare_campaign(args, s, dir, &interrupted, err);
    suite_free(s);
    if (interrupted) {
        return CLI_INTERRUPTED;
    }
    return status == PERP_OK ? against_finish(args, dir, err) : CLI_BAD_INPUT;
}

const cli_verb verb_compare = {
    .name = "compare",
    .summary = "run every solver of a suite on every instance and scene, and report",
    .usage = "SUITE -o DIR [-j N] [--resume] [--against OLD] | DIR --against OLD",
    .more =
        "SUITE is a file, or the name of one that comes with perp (perp list suites).\n"
        "DIR/runs.jsonl contains one line per finished run; a run is a process of its "
        "own "
        "with\n"
        "limits of time and memory. A set has instances, sequences (see perp solve), "
        "or\n"
        "scenes (see perp simulate), which run in every system of \"coordinates\" and "
        "by\n"
        "every one of the \"integrators\"; \"dt\", \"time\", \"steps\" and \"scheme\" "
        "replace\n"
        "the settings of the scene. SIGINT ends cleanly, with exit status 130.\n"
        "Problems of steps of scenes (scene:..., see perp solve) are kept in "
        "DIR/captures,\n"
        "or in the folder that the variable PERP_CAPTURES names.\n"
        "With --against the runs are matched with those of OLD by set, instance, solver "
        "and\n"
        "tolerance: what broke, healed, became faster or slower beyond noise is printed, "
        "and is\n"
        "in DIR/against.csv and the report. DIR --against OLD compares two stored "
        "results; "
        "no\n"
        "solver is run.\n",
    .options = compare_options,
    .least = 1,
    .most = 1,
    .run = compare_run,
};
