/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_runs.c: any bytes as the files of a folder of results. Resumed, runs.jsonl loses
 * at most its last line, takes a record and opens again with nothing torn; its tables and its page
 * can be made; joined with itself, it has the same runs. */
#include <config.h>

#include "base/file.h"
#include "command/campaign/journal.h"
#include "command/export/provenance.h"
#include "command/results/orders.h"
#include "command/results/page_data.h"
#include "command/results/statistics.h"
#include "command/results/summary.h"
#include "command/verbs/scenes.h"
#include "command/verbs/suites.h"
#include "command/verbs/verbs.h"
#include "fuzz_folder.h"

static const char *const names[] = {"runs.jsonl", "suite.json", "instances.jsonl",
                                    "SOURCE.md", NULL};
static const fuzz_folder results = {.names = names};

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
    contradictions_find(&found, &s);
    if (write_tables(&s, folder, true, &err) != PERP_OK ||
        write_summary(&s, &found, folder, &err) != PERP_OK) {
        abort();
    }
    /* It reads the descriptions of the instances, too. */
    if (page_data_make(&s, NULL, &page, &details, &err) != PERP_OK && !err.text[0]) {
        abort();
    }
    json_decref(page);
    json_decref(details);
    contradictions_free(&found);
    runs_free(&s);
}

/* A folder joined with itself has each run once. */
static void join(char *folder)
{
    char output[160];
    char *words[] = {(char[]){"--merge"}, folder, folder, (char[]){"-o"}, output};
    stored_runs one, both;
    cli_args args;
    perp_error err = {0};
    int ended = CLI_DONE;

    snprintf(output, sizeof output, "%s-joined", folder);
    if (cli_args_read(&args, &verb_compare, 5, words, &err) != PERP_OK) {
        abort();
    }
    ended = verb_compare.run(&args, &err);
    if (ended != CLI_DONE && (!err.text[0] || access(output, F_OK) == 0)) {
        abort();
    }
    if (ended == CLI_DONE && runs_read(&both, output, &err) == PERP_OK) {
        if (runs_read(&one, folder, &err) == PERP_OK) {
            if (one.count != both.count) {
                abort();
            }
            runs_free(&one);
        }
        runs_free(&both);
    }
    perp_folder_remove_all(output);
}

/* The readers of single files: a suite or scene by its head, figures of a study, a licence. */
static void look(const char *folder)
{
    char path[FUZZ_PATH];
    figure_orders orders = {0};
    provenance from = {0};
    perp_error err = {0};

    fuzz_in_folder(path, folder, "suite.json");
    (void)scene_detect(path);
    (void)suite_detect(path);
    if (figure_orders_stored(&orders, folder, &err) != PERP_OK && !err.text[0]) {
        abort();
    }
    figure_orders_free(&orders);
    fuzz_in_folder(path, folder, "runs.jsonl");
    provenance_find(path, &from);
    provenance_clear(&from);
}

FUZZ(runs)
{
    char folder[128];
    char path[FUZZ_PATH];

    fuzz_path(folder, "runs");
    fuzz_in_folder(path, folder, "runs.jsonl");
    mkdir(folder, 0700);
    fuzz_put_folder(folder, &results, data, size);
    look(folder);
    report(folder);
    join(folder);
    resume(path);
    perp_folder_remove_all(folder);
    return 0;
}
