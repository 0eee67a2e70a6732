/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/trees.c: hundreds of random worlds with trees, in both coordinates.
 *
 *     trees COUNT [SEED [CASE]]     without arguments: a test of 60, speaks TAP
 *
 * Wrong is: A, b or the velocities that impulses make not those of maximal coordinates
 * with the rows of joints eliminated; velocities after a solution that differ; algorithms
 * of articulated bodies that disagree; poses or velocities that do not survive
 * gather, scatter, leaving and coming back, or another chart; a step that fails, is not
 * finite, whose ledger does not close, or after which an eliminated joint is apart; a run
 * that was saved and goes on with other bits. Exit status 1 if there was one. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "trees.h"

enum { TEST_COUNT = 60 };

static void run_case(uint64_t seed, torture_cases *cases)
{
    forest_trial t = {.seed = seed, .index = cases->index, .at = (growth *)cases};

    torture_check_case(&t);
    if (t.fault[0]) {
        torture_cases_wrong(cases, seed, t.told.what, t.fault);
    }
}

int main(int argc, char **argv)
{
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : TEST_COUNT;
    uint64_t seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    growth *at = torture_shared(sizeof *at);

    if (!at) {
        fputs("trees: no memory\n", stderr);
        return 2;
    }
    at->cases.index = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
    torture_cases_run(&at->cases, seed, argc > 3 ? at->cases.index + 1 : count, run_case);
    if (argc < 2) {
        printf("%s 1 - torture: trees of %d random worlds are the same in both "
               "coordinates\n1..1\n",
               at->cases.wrong ? "not ok" : "ok", TEST_COUNT);
    } else {
        printf(
            "%zu worlds, %zu links with %zu coordinates, %zu joints with rows, %zu rows "
            "of %zu contacts and the rest, %zu other charts, %zu solved in both "
            "coordinates (%zu apart by more than 1e-8) and %zu not, %zu steps and %zu "
            "runs that ended: %zu wrong\n",
            at->cases.index, at->links, at->coordinates, at->loops, at->rows,
            at->contacts, at->charts, at->solved, at->apart, at->unsolved, at->steps,
            at->failed, at->cases.wrong);
    }
    return at->cases.wrong > 0;
}
