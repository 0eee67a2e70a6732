/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_suite.c: any bytes as a suite, in a folder that holds one instance. A
 * suite that was read has a plan, and no two of its runs have one key. */
#include <config.h>

#include "command/campaign/suite.h"
#include "fuzz_files.h"

static int by_key(const void *a, const void *b)
{
    return strcmp(((const suite_run *)a)->key, ((const suite_run *)b)->key);
}

static void plan(const suite *s)
{
    suite_run *runs = NULL;
    size_t count = 0;

    if (suite_plan(s, &runs, &count, NULL) == PERP_OK) {
        qsort(runs, count, sizeof *runs, by_key);
        for (size_t i = 1; i < count; i++) {
            if (strcmp(runs[i - 1].key, runs[i].key) == 0) {
                abort();
            }
        }
    }
    free(runs);
}

FUZZ(suite)
{
    char folder[128];
    char path[160];
    char problem[160];
    suite *s = NULL;
    perp_error err = {0};

    fuzz_path(folder, "suite");
    snprintf(path, sizeof path, "%s/suite.json", folder);
    snprintf(problem, sizeof problem, "%s/a.dat", folder);
    mkdir(folder, 0700);
    fuzz_put(path, data, size);
    fuzz_put(problem, data, 0);
    if ((suite_read(&s, path, SUITE_FULL, &err) == PERP_OK) != (s != NULL) ||
        (!s && !err.text[0])) {
        abort();
    }
    if (s) {
        plan(s);
    }
    suite_free(s);
    unlink(path);
    unlink(problem);
    rmdir(folder);
    return 0;
}
