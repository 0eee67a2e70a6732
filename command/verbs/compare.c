/* SPDX-License-Identifier: Apache-2.0
 * verbs/compare.c: every solver of a suite on every instance and scene, with a report at
 * the end. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "base/file.h"
#include "command/campaign/runner.h"
#include "command/cli/data.h"
#include "command/cli/plugin.h"
#include "command/cli/replace.h"
#include "command/results/orders.h"
#include "command/results/runs.h"
#include "command/verbs/against.h"
#include "command/verbs/compare_merge.h"
#include "command/verbs/dry_run.h"
#include "command/verbs/slurm.h"
#include "command/verbs/suites.h"
#include "command/verbs/verbs.h"

static const cli_option compare_options[] = {
    {"output", 'o', "DIR",
     "folder of the results [SUITE.results in the current folder, or the first of "
     "SUITE-2.results, SUITE-3.results ... that does not exist; with --resume the last]"},
    {"jobs", 'j', "N", "number of runs at the same time [1]"},
    {"no-pin", 0, NULL, "do not bind runs to processors"},
    {"resume", 0, NULL, "continue a stopped campaign"},
    {"force", 0, NULL,
     "replace the results in DIR: the new ones are made in DIR.new and take their place "
     "at the end"},
    {"part", 0, "K/N", "only part K of N: every N-th subject, from the K-th"},
    {"print-slurm", 0, NULL,
     "print an array job of -j parts for sbatch, and run nothing"},
    {"quiet", 'q', NULL, "show no progress"},
    {"only", 0, "SET/SOLVER/INSTANCE",
     "make these runs only; each part is a glob, and may be left out; repeatable"},
    {"dry-run", 0, NULL, "print the runs and an estimate of their time, and make none"},
    {"quick", 0, NULL, "run the suite at its quick size"},
    PLUGIN_OPTION,
    {"no-report", 0, NULL, "make no tables, figures and report"},
    {"against", 0, "DIR",
     "then compare with these results; exit status 1 on a regression"},
    {"merge", 0, NULL, "join the results in the folders DIR..., and run nothing"},
    {"times", 0, NULL, "with --against: compare times of different machines, too"},
    CLI_OPTION_END,
};

#define HEX4 "[0-9a-f][0-9a-f][0-9a-f][0-9a-f]"
static const char *const compare_files[] = {"runs.jsonl",
                                            "instances.jsonl",
                                            "suite.json",
                                            "summary.txt",
                                            "report.html",
                                            "against.csv",
                                            "tables/*.csv",
                                            "tables/*.tex",
                                            "captures/*-" HEX4 HEX4 HEX4 HEX4 ".hdf5",
                                            REPLACE_LEFT,
                                            NULL};
static const replace_kind compare_kind = {"compare", "runs.jsonl", compare_files};

static perp_status compare_copy(const suite *s, const char *dir, perp_error *err)
{
    char path[DATA_PATH + 16];
    perp_file_out out = {0};

    snprintf(path, sizeof path, "%s/suite.json", dir);
    TRY(perp_file_create(&out, path, err));
    fputs(s->text, out.f);
    return perp_file_commit(&out, err);
}

/* Problems that runs take from steps of scenes are kept with the results, unless the user
 * has a folder for them. */
static void compare_keep_captures(const char *dir)
{
    char path[DATA_PATH + 16];

    snprintf(path, sizeof path, "%s/captures", dir);
    setenv("PERP_CAPTURES", path, 0);
}

/* How the command line wants the runs to be made. */
static perp_status compare_request(const cli_args *args, ranks *world,
                                   runner_request *request, perp_error *err)
{
    const char *part = cli_args_value(args, "part");
    double jobs = 1.0, most = cli_args_given(args, "print-slurm") ? 10000 : 256;
    perp_status status = cli_args_whole(args, "jobs", 1, 1, most, &jobs, err);
    char rest = '\0';

    request->jobs = (size_t)jobs;
    request->pin = !cli_args_given(args, "no-pin");
    request->quiet = cli_args_given(args, "quiet");
    request->ranks = world;
    if (status == PERP_OK && world->count > 1 && cli_args_given(args, "jobs")) {
        status =
            perp_fail(err, PERP_ERR_OPTION,
                      "perp compare: mpiexec has started %d ranks, each of which makes "
                      "one run at a time; leave out -j",
                      world->count);
    }
    if (status == PERP_OK && part &&
        (sscanf(part, "%zu/%zu%c", &request->part, &request->parts, &rest) != 2 ||
         strchr(part, '-') || request->part < 1 || request->part > request->parts)) {
        status = perp_fail(
            err, PERP_ERR_OPTION,
            "perp compare: --part is \"%s\", expected K/N with K from 1 to N", part);
    }
    request->part -= request->parts > 0; /* the runner counts from 0 */
    return status;
}

static perp_status compare_campaign(const runner_request *request, const char *dir,
                                    bool resume, bool *interrupted, perp_error *err)
{
    journal j = {.file = -1};
    instances known = {.file = -1};
    char path[DATA_PATH + 16];
    perp_status status = data_make_folder(dir, err);

    snprintf(path, sizeof path, "%s/runs.jsonl", dir);
    if (status == PERP_OK) {
        status = journal_open(&j, path, resume, err);
    }
    if (status == PERP_OK && j.torn) {
        output_print(stderr, OUTPUT_PLAIN,
                     "perp compare: %s: a torn last line of %zu bytes was cut off\n",
                     path, j.torn);
    }
    if (status == PERP_OK) {
        status = compare_copy(request->suite, dir, err);
    }
    if (status == PERP_OK) {
        snprintf(path, sizeof path, "%s/instances.jsonl", dir);
        status = instances_open(&known, path, err);
    }
    if (status == PERP_OK) {
        runner_request here = *request;

        here.journal = &j;
        here.instances = &known;
        status = runner_run(&here, interrupted, err);
    }
    instances_close(&known);
    journal_close(&j);
    return status;
}

/* Read the suite and pick the runs. */
static perp_status compare_read(const cli_args *args, suite **s, perp_error *err)
{
    const suite_size size = cli_args_given(args, "quick") ? SUITE_QUICK : SUITE_FULL;
    const char *pattern = NULL;
    char path[DATA_PATH];
    size_t at = 0;
    perp_error inner = {0};
    perp_status status = suite_find("compare", args->word[0], path, err);

    if (status == PERP_OK) {
        status = suite_read(s, path, size, err);
    }
    if (status == PERP_OK) {
        (*s)->asked = args->word[0];
        status = figure_orders_check(path, (*s)->text, err);
    }
    while (status == PERP_OK && (pattern = cli_args_next(args, "only", &at)) != NULL) {
        if (suite_only(*s, pattern, &inner) != PERP_OK) {
            status = perp_fail(err, inner.status, "perp compare: %s", inner.text);
        }
    }
    return status;
}

static int compare_dry_run(const cli_args *args, const char *dir, perp_error *err)
{
    suite *s = NULL;
    double jobs = 1.0;
    perp_status status = cli_args_whole(args, "jobs", 1, 1, 256, &jobs, err);

    if (status == PERP_OK) {
        status = compare_read(args, &s, err);
    }
    if (status == PERP_OK) {
        status = dry_run(s, dir, jobs, err);
    }
    suite_free(s);
    return status == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
}

/* Where the runs are made: DIR, or DIR.new, which replaces it. */
static perp_status compare_folder(const cli_args *args, const char *dir,
                                  char work[DATA_PATH], perp_error *err)
{
    if (cli_args_given(args, "force")) {
        return replace_name(dir, work, err);
    }
    snprintf(work, DATA_PATH, "%s", dir);
    return PERP_OK;
}

/* The campaign, which replaces the results in DIR with --force; an exit status. */
static int compare_made(const cli_args *args, const runner_request *request,
                        const char *dir, replace *replacing, perp_error *err)
{
    const bool force = cli_args_given(args, "force");
    char work[DATA_PATH];
    bool interrupted = false;
    perp_status status =
        force ? replace_start(replacing, dir, &compare_kind, err) : PERP_OK;

    if (status == PERP_OK) {
        status = compare_folder(args, dir, work, err);
    }
    if (status == PERP_OK) {
        status = compare_campaign(request, work, cli_args_given(args, "resume"),
                                  &interrupted, err);
    }
    if (status == PERP_OK && interrupted) {
        if (force) {
            fprintf(stderr,
                    "perp compare: %s is as it was; what was made is in %s: continue it "
                    "with --resume -o %s\n",
                    dir, work, work);
        }
        return CLI_INTERRUPTED;
    }
    if (status == PERP_OK && force) {
        status = replace_finish(replacing, err);
    }
    return status == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
}

/* The campaign, its report and the comparison with other results; an exit status. */
static int compare_here(const cli_args *args, const runner_request *request,
                        const char *dir, perp_error *err)
{
    replace replacing = {0};
    int code = compare_made(args, request, dir, &replacing, err);

    replace_close(&replacing); /* the report locks the folder itself */
    return code == CLI_DONE ? against_finish(args, dir, err) : code;
}

/* NAME.results, NAME-2.results, ...: the first that does not exist; for --resume the one before, for
 * --force the first of all. */
static void compare_name(const cli_args *args, char dir[DATA_PATH])
{
    const char *word = args->word[0], *slash = strrchr(word, '/');
    const char *name = slash ? slash + 1 : word;
    int length = (int)strcspn(name, ".");
    char last[DATA_PATH];

    if (slash &&
        strcmp(name, "suite.json") == 0) { /* a study has the name of its folder */
        for (name = slash; name > word && name[-1] != '/';) {
            name--;
        }
        length = (int)(slash - name);
    }
    snprintf(dir, DATA_PATH, "%.*s.results", length, name);
    snprintf(last, sizeof last, "%s", dir);
    for (size_t k = 2; access(dir, F_OK) == 0 && !cli_args_given(args, "force"); k++) {
        snprintf(last, sizeof last, "%s", dir);
        snprintf(dir, DATA_PATH, "%.*s-%zu.results", length, name, k);
    }
    if (cli_args_given(args, "resume")) {
        snprintf(dir, DATA_PATH, "%s", last);
    }
}

static int compare_run(const cli_args *args, perp_error *err)
{
    const char *dir = cli_args_value(args, "output");
    const char *executable = getenv("PERP_EXECUTABLE");
    char self[DATA_PATH], work[DATA_PATH], named[DATA_PATH];
    runner_request request = {.out = stdout};
    suite *s = NULL;
    ranks world;
    int code = CLI_BAD_INPUT;

    if (cli_args_given(args, "merge")) {
        return compare_merge(args, err);
    }
    if (args->word_count > 1) {
        perp_fail(err, PERP_ERR_OPTION,
                  "perp compare: unexpected \"%s\", expected one suite, or --merge",
                  args->word[1]);
        return CLI_BAD_INPUT;
    }
    if (runs_are_in(args->word[0])) {
        return against_stored(args, args->word[0], err);
    }
    if (cli_args_given(args, "dry-run")) {
        return compare_dry_run(args, dir, err);
    }
    if (cli_args_given(args, "print-slurm") && !dir) {
        dir = "results";
    }
    if (!dir) {
        compare_name(args, named);
        dir = named;
    }
    if (!*dir || strlen(dir) >= DATA_PATH - 64) {
        perp_fail(err, PERP_ERR_OPTION, "perp compare: -o %.80s: expected a folder", dir);
        return CLI_BAD_INPUT;
    }
    if (cli_args_given(args, "force") && cli_args_given(args, "resume")) {
        perp_fail(err, PERP_ERR_OPTION, "perp compare: --force and --resume together");
        return CLI_BAD_INPUT;
    }
    if (against_check(args, dir, err) != PERP_OK ||
        compare_folder(args, dir, work, err) != PERP_OK) {
        return CLI_BAD_INPUT;
    }
    ranks_find(&world);
    if (world.count > 1 && dir == named) {
        perp_fail(err, PERP_ERR_OPTION, "perp compare: -o DIR is missing for mpiexec");
        return CLI_BAD_INPUT;
    }
    if (compare_request(args, &world, &request, err) != PERP_OK ||
        compare_read(args, &s, err) != PERP_OK) {
        suite_free(s);
        s = NULL; /* another rank still has to say so */
    }
    data_executable(self);
    request.suite = s;
    request.executable = executable && *executable ? executable : self;
    if (s && cli_args_given(args, "print-slurm")) {
        code = slurm_print(args, s, dir, err) == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
        suite_free(s);
        return code;
    }
    /* Runs side by side do not share cores, unless the user says so. */
    setenv("OPENBLAS_NUM_THREADS", "1", 0);
    compare_keep_captures(work);
    if (world.rank > 0) {
        perp_error failure = *err;

        *err = (perp_error){0};
        ranks_serve(&world, s, request.executable, &failure, err);
    } else if (s) {
        code = compare_here(args, &request, dir, err);
    }
    ranks_close(&world);
    suite_free(s);
    return code;
}

const cli_verb verb_compare = {
    .name = "compare",
    .summary = "run every solver of a suite on every instance and scene, and report",
    .usage = "SUITE [-o DIR] [-j N] [--resume] [--quick] [--only RUNS] [--against OLD] | "
             "DIR --against OLD | --merge DIR... -o DIR",
    .more = "SUITE is a file, or the name of one that comes with perp (perp info "
            "suites); docs/suites.md describes every key. DIR/runs.jsonl contains one "
            "line per finished run; a run is a process of its own with limits of time "
            "and memory. Ctrl-C ends a comparison, and --resume continues it. Exit "
            "status: 0 done, 1 a regression (--against), 2 bad usage or input, or a "
            "contradiction of two runs, 130 interrupted.\n"
            "A group has instances, sequences (see perp solve), or scenes (see perp "
            "simulate). Problems of steps of scenes (scene:..., see perp solve) are "
            "kept in DIR/captures, or in the folder that the variable PERP_CAPTURES "
            "names. A run has 60 s and 4096 MB where the suite has no \"limits\"; a "
            "scene has the 60 s for all of its steps. These limits alone end a run of "
            "an instance or a sequence: a solver has a stall rule or a limit of "
            "iterations only where its options in the suite give one. Another code "
            "that misses the tolerance by its norm is called for a smaller one.\n"
            "SIGINT once: no further run starts, those in flight end and are "
            "recorded; twice, or SIGTERM: those in flight end at once and are not "
            "recorded. SIGUSR1 acts like the first SIGINT. Each of the -j runs is "
            "pinned to a processor of its own, where there are enough. mpiexec -n N "
            "perp compare SUITE -o DIR makes runs on N ranks (docs/campaigns.md).\n"
            "--force removes results that are there only after all new runs were "
            "made; a campaign that is interrupted or killed stays in DIR.new, and DIR "
            "as it was. A folder with a file that is not of perp compare is not "
            "replaced.\n"
            "A problem that one run solves and another certifies to have no solution, "
            "against what its radius and margin exclude, is an error of perp: exit "
            "status 2 (docs/results.md).\n"
            "With --against the runs are matched with those of OLD by group, "
            "instance, solver and tolerance: what broke, healed, became faster or "
            "slower beyond noise is printed, and is in DIR/against.csv and the "
            "report. DIR --against OLD compares two stored results; no solver is run.\n"
            "--merge joins folders of results, such as those of an array job: their "
            "runs, instances and captured problems, and the suite of the first one. "
            "Of runs with the same question the first one is kept.\n",
    .words = "SUITE|FILE",
    .usual = "output|jobs|resume|force|quick|only|dry-run|against|merge|quiet",
    .options = compare_options,
    .least = 1,
    .most = CLI_WORD_ROOM,
    .run = compare_run,
};
