/* SPDX-License-Identifier: Apache-2.0
 * command/results/page.c: report.html, one page that needs no other file. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "command/cli/take.h"
#include "command/results/files.h"
#include "command/results/page.h"
#include "command/results/page_data.h"
#include "web/web.h"

/* Digits of the numbers of the two blocks: those of the CSV files, and enough for options and
 * certificates. */
enum { PAGE_REPORT_DIGITS = 9, PAGE_DETAIL_DIGITS = 15 };

static const char *const page_styles[] = {
    "web/base.css",           "web/report/report.css",  "web/report/tables.css",
    "web/report/screens.css", "web/report/figures.css", NULL};
static const char *const page_scripts[] = {"web/vendor/d3.min.js",
                                           "web/base.js",
                                           "web/report/model.js",
                                           "web/report/pairs.js",
                                           "web/report/draw_axes.js",
                                           "web/report/draw_panel.js",
                                           "web/report/draw.js",
                                           "web/report/draw_save.js",
                                           "web/report/figures_data.js",
                                           "web/report/figures.js",
                                           "web/report/figures_studies.js",
                                           "web/report/own.js",
                                           "web/report/tables.js",
                                           "web/report/sections.js",
                                           "web/report/runs.js",
                                           "web/report/changes.js",
                                           "web/report/controls.js",
                                           "web/report/page.js",
                                           NULL};

/* The block of a value; its text is on the heap. */
static web_block page_block(const char *id, const json_t *json, size_t digits)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(digits));

    return (web_block){.id = id, .bytes = text, .size = strlen(text)};
}

static perp_status page_print(FILE *f, const json_t *report, const json_t *details,
                              perp_error *err)
{
    const web_block blocks[] = {page_block("report", report, PAGE_REPORT_DIGITS),
                                page_block("details", details, PAGE_DETAIL_DIGITS)};
    const char *title = member_text(report, "title");
    char *name = take_format("%s%sperp", title, *title ? " - " : "");
    perp_status status = web_page_print(f,
                                        &(web_page){.title = name,
                                                    .body = "web/report/report.html",
                                                    .styles = page_styles,
                                                    .scripts = page_scripts,
                                                    .blocks = blocks,
                                                    .block_count = 2},
                                        err);

    free(name);
    for (size_t k = 0; k < 2; k++) {
        free((void *)(uintptr_t)blocks[k].bytes);
    }
    return status;
}

perp_status write_page(const stored_runs *s, const against *changes, const char *dir,
                       perp_error *err)
{
    perp_file_out o;
    json_t *report = NULL, *details = NULL;
    perp_status status = page_data_make(s, changes, &report, &details, err);

    if (status == PERP_OK) {
        status = report_open(&o, err, "%s/report.html", dir);
        if (status == PERP_OK) {
            status = report_close(&o, page_print(o.f, report, details, err), err);
        }
    }
    json_decref(report);
    json_decref(details);
    return status;
}
