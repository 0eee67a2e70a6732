/* SPDX-License-Identifier: Apache-2.0
 * verbs/paper.c: the numbers and figures of a paper, made from stored runs, or compared with the
 * locked ones. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "command/cli/data.h"
#include "command/paper/paper.h"
#include "command/verbs/list.h"
#include "command/verbs/paper_new.h"
#include "command/verbs/verbs.h"

static const cli_option paper_options[] = {
    {"from", 0, "DIR", "folder with a folder of runs for each study"},
    {"check", 0, NULL, "compare with the locked results, and change nothing"},
    {"new", 0, NULL, "make the folder of a new paper"},
    {"studies", 0, NULL, "print the studies, one per line: name, suite"},
    CLI_OPTION_END,
};

static void paper_print_studies(const paper *p)
{
    for (size_t k = 0; k < p->study_count; k++) {
        output_print(stdout, OUTPUT_PLAIN, "%s %s\n", p->studies[k].name,
                     p->studies[k].suite);
    }
}

/* Make the results; with --check beside the runs, where they are compared with the locked ones. */
static perp_status paper_make(paper *p, const char *from, bool check, size_t *differences,
                              perp_error *err)
{
    char locked[DATA_PATH + 8], fresh[DATA_PATH + 16];
    perp_status status = paper_compute(p, from, err);

    snprintf(locked, sizeof locked, "%s%s", p->folder, p->results);
    snprintf(fresh, sizeof fresh, "%s/paper-check", from);
    if (status == PERP_OK) {
        status = paper_write(p, check ? fresh : locked, err);
    }
    if (status == PERP_OK && check) {
        status = paper_check(p, fresh, locked, stdout, differences, err);
    } else if (status == PERP_OK) {
        output_print(stdout, OUTPUT_PLAIN, "%s: %zu number%s, figures of %zu studies\n",
                     locked, p->number_count, perp_plural(p->number_count),
                     p->study_count);
    }
    return status;
}

static int paper_run(const cli_args *args, perp_error *err)
{
    const char *from = cli_args_value(args, "from");
    bool check = cli_args_given(args, "check");
    size_t differences = 0;
    paper *p = NULL;
    perp_status status = PERP_OK;

    if (cli_args_given(args, "new")) {
        return paper_new(args, err);
    }
    status = paper_read(&p, args->word[0], err);

    if (status == PERP_OK) {
        p->list = list_entries;
    }
    if (status == PERP_OK && cli_args_given(args, "studies")) {
        paper_print_studies(p);
    } else if (status == PERP_OK && (!from || !*from || strlen(from) >= DATA_PATH - 64)) {
        status = perp_fail(err, PERP_ERR_OPTION,
                           "perp paper: --from DIR is missing, expected the folder with "
                           "the runs of the studies");
    } else if (status == PERP_OK) {
        status = paper_make(p, from, check, &differences, err);
    }
    paper_free(p);
    return status != PERP_OK ? CLI_BAD_INPUT : differences ? CLI_NOT_SOLVED : CLI_DONE;
}

const cli_verb verb_paper = {
    .name = "paper",
    .summary = "begin a paper; make or check its numbers and figures",
    .usage = "PAPER.json --from DIR [--check] | --new DIR",
    .more = "DIR/NAME holds the runs of the study NAME, as perp compare writes them. "
            "The results (numbers.tex, numbers.csv, figures, lock.json) go to the "
            "folder that PAPER.json names. With --check they are compared with those "
            "that are there; the exit status is 1 when a number, a curve or a problem "
            "differs by more than its tolerance.\n"
            "--new makes the folder DIR with a suite to compare, a Makefile, a LaTeX "
            "skeleton and the list of its numbers. make results runs the suite and "
            "writes numbers, figures and a lock file; make builds the PDF; make check "
            "compares new results with the lock.\n",
    .words = "FILE|DIR",
    .usual = "from|check|studies|new",
    .options = paper_options,
    .least = 1,
    .most = 1,
    .run = paper_run,
};
