/* SPDX-License-Identifier: Apache-2.0
 * tests/external/runs.h: commands on a small problem, each in a folder that must be gone
 * afterwards.
 *
 * A = [2 1; 1 2], b = (-1, 1): z = (1/2, 0), w = (0, 3/2). */
#ifndef PERP_TEST_RUNS_H
#define PERP_TEST_RUNS_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support.h"

static const double A[4] = {2, 1, 1, 2};
static const double b[2] = {-1, 1};

#define WRITE(json) "echo '" json "' >$PERP_SOLUTION"

/* A folder for the folders of the runs, which must be empty after each. */
static inline const char *runs_folder(void)
{
    static char folder[4096];

    if (!*folder) {
        snprintf(folder, sizeof folder, "%s", test_scratch("runs"));
        mkdir(folder, 0777);
        setenv("TMPDIR", folder, 1);
    }
    return folder;
}

static inline size_t runs_left(void)
{
    DIR *d = opendir(runs_folder());
    size_t count = 0;

    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        count += e->d_name[0] != '.';
    }
    closedir(d);
    return count;
}

static inline perp_status try_with(const perp_problem *p, const char *command,
                                   const char *settings, perp_result **r, perp_error *err)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_status status = perp_solver_parse("exec:x", &type, &opt, err);

    if (status == PERP_OK) {
        status = perp_options_parse(&opt, settings, err);
    }
    if (status == PERP_OK && !*r) {
        status = perp_result_new(r, p->n, err);
    }
    if (status == PERP_OK) {
        snprintf(opt.command, sizeof opt.command, "%s", command);
        status = perp_solve(type, p, &opt, *r, err);
    }
    return status;
}

/* Run a command on the problem of this file; it must leave no folder. */
static inline perp_result *run_command(const char *command, const char *settings)
{
    perp_result *r = NULL;
    perp_error err = {0};
    perp_status status = PERP_OK;

    runs_folder();
    status = try_with(test_lcp(2, A, b), command, settings, &r, &err);
    if (status != PERP_OK) {
        test_note("%s: %s", command, err.text);
    }
    OK(status);
    CU_ASSERT_EQUAL(runs_left(), 0);
    return r;
}

/* A command that ends in `outcome`, with these words in its reason. */
static inline perp_result *expect(const char *command, const char *settings,
                                  perp_outcome outcome, const char *words)
{
    perp_result *r = run_command(command, settings);

    if (r->outcome != outcome || !strstr(r->reason, words)) {
        test_note("%s: %s: %s", command, perp_outcome_text(r->outcome), r->reason);
    }
    CU_ASSERT_EQUAL(r->outcome, outcome);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, words));
    CU_ASSERT(r->foreign.ran);
    return r;
}

#endif
