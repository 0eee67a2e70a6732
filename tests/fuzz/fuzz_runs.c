/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_runs.c: any bytes as runs.jsonl. Resumed, it loses at most its last
 * line, takes a record and opens again with nothing torn; its tables and its page can be
 * made. */
#include <config.h>

#include <ftw.h>

#include "experiments/report/page_data.h"
#include "experiments/report/statistics.h"
#include "experiments/report/summary.h"
#include "experiments/runner/journal.h"
#include "fuzz_files.h"

static int drop(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

static void resume(const char *path)
{
    journal j;
    perp_error err = {0};
    bool opened = journal_open(&j, path, true, &err) == PERP_OK;

    if (!opened && !err.text[0]) {
        abort();
    }
    if (opened && journal_append(&j,
                                 json_pack("{s:s, s:s, s:s}", "schema", "perp-run/1",
                                           "key", "0123456789abcdef", "label", "fuzz"),
                                 &err) != PERP_OK) {
        abort();
    }
    journal_close(&j);
    if (opened) {
        if (journal_open(&j, path, true, &err) != PERP_OK || j.torn != 0 ||
            !journal_has(&j, "0123456789abcdef")) {
            abort();
        }
        journal_close(&j);
    }
}

static void report(const char *folder)
{
    stored_runs s;
    json_t *page = NULL;
    json_t *details = NULL;
    contradictions found = {0};
    perp_error err = {0};

    if (runs_read(&s, folder, &err) != PERP_OK) {
        if (!err.text[0]) {
            abort();
        }
        return;
    }
    for (size_t i = 0; i < s.count; i++) {
        (void)run_ending(&s.runs[i]);
        (void)run_cost(&s.runs[i]);
    }
    if (contradictions_find(&found, &s, &err) != PERP_OK ||
        write_tables(&s, folder, true, &err) != PERP_OK ||
        write_summary(&s, &found, folder, &err) != PERP_OK ||
        page_data_make(&s, NULL, &page, &details, &err) != PERP_OK) {
        abort();
    }
    json_decref(page);
    json_decref(details);
    contradictions_free(&found);
    runs_free(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[128];
    char path[160];

    fuzz_path(folder, "runs");
    snprintf(path, sizeof path, "%s/runs.jsonl", folder);
    mkdir(folder, 0700);
    fuzz_put(path, data, size);
    report(folder);
    resume(path);
    nftw(folder, drop, 8, FTW_DEPTH | FTW_PHYS);
    return 0;
}
