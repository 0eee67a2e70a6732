/* SPDX-License-Identifier: Apache-2.0
 * verbs/paper_new.c: perp paper --new: the folder of a new paper: suite, Makefile, LaTeX, the file of its numbers. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "command/cli/data.h"
#include "command/verbs/paper_new.h"
#include "command/verbs/verbs.h"

/* The files of command/paper/new that a paper begins with. */
static const char *const paper_new_files[] = {
    "Makefile", "README.md", "paper.json", "paper.tex", "references.bib", "suite.json",
};
enum { PAPER_NEW_FILES = sizeof paper_new_files / sizeof *paper_new_files };

static perp_status paper_new_copy(const char *dir, const char *name, perp_error *err)
{
    char shown[128], from[DATA_PATH], to[DATA_PATH + 64], *text = NULL;
    size_t length = 0;
    perp_file_out o = {0};
    perp_status status = PERP_OK;

    snprintf(shown, sizeof shown, "experiments/paper/template/%s", name);
    snprintf(to, sizeof to, "%s/%s", dir, name);
    status = data_find(shown, from, err);
    if (status == PERP_OK) {
        status = perp_file_slurp(from, &text, &length, err);
    }
    if (status == PERP_OK) {
        status = perp_file_create(&o, to, err);
    }
    if (status == PERP_OK) {
        fwrite(text, 1, length, o.f);
        status = perp_file_commit(&o, err);
    }
    free(text);
    return status;
}

/* After a failure: what was made so far, and only that. */
static void paper_new_remove(const char *dir, size_t files)
{
    char path[DATA_PATH + 64];

    for (size_t k = 0; k < files; k++) {
        snprintf(path, sizeof path, "%s/%s", dir, paper_new_files[k]);
        unlink(path);
    }
    rmdir(dir);
}

int paper_new(const cli_args *args, perp_error *err)
{
    const char *dir = args->word[0];
    perp_status status = PERP_OK;
    size_t made = 0;

    if (strlen(dir) >= DATA_PATH - 64) {
        status = perp_fail(err, PERP_ERR_OPTION, "the name of the folder is too long");
    } else if (mkdir(dir, 0777) != 0) {
        status = perp_fail(err, PERP_ERR_WRITE, "%s: %s; expected a folder that is new",
                           dir, strerror(errno));
    } else {
        for (; made < PAPER_NEW_FILES && status == PERP_OK; made++) {
            status = paper_new_copy(dir, paper_new_files[made], err);
        }
        if (status != PERP_OK) {
            paper_new_remove(dir, made);
        }
    }
    if (status != PERP_OK) {
        return CLI_BAD_INPUT;
    }
    output_print(stdout, OUTPUT_PLAIN,
                 "%s: now edit suite.json, paper.json and paper.tex there, then run\n"
                 "    make -C %s results\n    make -C %s\n",
                 dir, dir, dir);
    return CLI_DONE;
}
