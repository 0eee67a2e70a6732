/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/page.c: report.html, one page that needs no other file. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "definition.h"
#include "files.h"
#include "noise.h"
#include "page.h"
#include "summary.h"

static const char page_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>perp: comparison</title>\n<style>\n"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 "
    "1rem;"
    "color:#1a1a1a}\n"
    "h1,h2,h3{line-height:1.2}h2{margin-top:2.5rem;border-top:1px solid "
    "#ccc;padding-top:1rem}\n"
    "table{border-collapse:collapse;margin:1rem 0;font-size:13px}\n"
    "th,td{padding:.25rem .6rem;border-bottom:1px solid #e2e2e2;text-align:left;"
    "vertical-align:top}\n"
    "th{cursor:pointer;border-bottom:2px solid #444;white-space:nowrap}\n"
    "td.n{text-align:right;font-variant-numeric:tabular-nums}\n"
    ".figures{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0}\n"
    "figure svg{width:23.5rem;height:auto}figure.residual "
    "svg{width:47rem}figure.coordinates "
    "svg{width:70.5rem;max-width:100%}details{margin:.5rem 0}code{font-size:12px}\n"
    "</style></head><body>\n<h1>Comparison of solvers</h1>\n";

/* A click on a heading sorts by that column, numbers as numbers; a second click reverses
 * the order. */
static const char page_script[] =
    "<script>\nfor(const th of document.querySelectorAll('th'))th.onclick=()=>{\n"
    "const "
    "t=th.closest('table'),k=[...th.parentNode.children].indexOf(th),b=t.tBodies[0];\n"
    "const up=th.dataset.up!=='1';th.dataset.up=up?'1':'0';\n"
    "const v=r=>{const s=r.children[k].dataset.v??r.children[k].textContent;"
    "const x=Number(s);return s===''||isNaN(x)?s:x};\n"
    "[...b.rows].sort((p,q)=>{const x=v(p),y=v(q);const c=typeof x===typeof "
    "y?(x>y)-(x<y):"
    "(typeof x==='string')-(typeof y==='string');return "
    "up?c:-c}).forEach(r=>b.append(r));};\n"
    "</script>\n</body></html>\n";

/* The svg element of a file, without the prologue and without the empty groups that
 * gnuplot writes, which are a third of its bytes. */
static void inline_svg(FILE *f, const char *path)
{
    char line[8192];
    char opened[1024] = "";
    bool inside = false;
    FILE *svg = fopen(path, "r");

    while (svg && fgets(line, sizeof line, svg)) {
        const char *start = inside ? line : strstr(line, "<svg");

        if (!start) {
            continue;
        }
        inside = true;
        if (opened[0] && strcmp(line, "</g>\n") == 0) {
            opened[0] = '\0';
            continue;
        }
        fputs(opened, f);
        opened[0] = '\0';
        if (strncmp(line, "<g fill", 7) == 0 && strlen(line) < sizeof opened &&
            strcspn(line, ">") + 2 == strlen(line)) {
            strcpy(opened, line);
        } else {
            fputs(start, f);
        }
    }
    if (svg) {
        fclose(svg);
    }
}

/* The figure of a kind, if it was drawn as SVG. */
static void figure(FILE *f, const char *dir, const char *kind, const run_table *t,
                   const char *instance)
{
    char name[FILE_NAME], path[2048];

    run_table_file(name, kind, t, instance);
    snprintf(path, sizeof path, "%s/figures/%s.svg", dir, name);
    if (access(path, R_OK) == 0) {
        fprintf(f, "<figure class=\"%s\">", kind);
        inline_svg(f, path);
        fputs("</figure>\n", f);
    }
}

/* The figures of a set at one tolerance. */
static void page_figures(FILE *f, const char *dir, const run_table *t)
{
    static const char *const kinds[] = {"profile", "share", "scaling", "coordinates"};

    fputs("<div class=\"figures\">\n", f);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        figure(f, dir, kinds[k], t, NULL);
    }
    for (size_t i = 0; i < t->instances.count; i++) {
        figure(f, dir, "warm", t, t->instances.names[i]);
    }
    fputs("</div>\n<details><summary>Residual during the iterations, instance by instance"
          "</summary>"
          "<div class=\"figures\">\n",
          f);
    for (size_t i = 0; i < t->instances.count; i++) {
        figure(f, dir, "residual", t, t->instances.names[i]);
    }
    fputs("</div></details>\n", f);
}

/* The certificate of a run as an element that opens on a click; nothing without one. */
static void certificate_element(FILE *f, const stored_run *run)
{
    const json_t *c = json_object_get(run->json, "certificate");
    const char *kind = json_string_value(json_object_get(c, "kind"));
    const char *says = json_string_value(json_object_get(c, "says"));
    char *text = NULL;

    if (!json_is_object(c)) {
        return;
    }
    fputs("<details><summary>certificate: ", f);
    table_escape(f, TABLE_AS_HTML, kind ? kind : "direction");
    fprintf(f, ", %s",
            json_is_true(json_object_get(c, "verified")) ? "verified" : "NOT verified");
    if (says) {
        fputs(": ", f);
        table_escape(f, TABLE_AS_HTML, says);
    }
    fputs("</summary><code>", f);
    text = json_dumps(c, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    table_escape(f, TABLE_AS_HTML, text ? text : "");
    free(text);
    fputs("</code></details>", f);
}

static void reason_text(const table_column *column, const void *row, FILE *f)
{
    const stored_run *run = row;

    (void)column;
    table_escape(f, TABLE_AS_HTML, run->reason);
    certificate_element(f, run);
}

/* The steps of the solution path, joined by arrows. */
static void path_text(const table_column *column, const void *row, FILE *f)
{
    const json_t *path = json_object_get(((const stored_run *)row)->json, "path");

    (void)column;
    for (size_t i = 0; i < json_array_size(path); i++) {
        const char *step = json_string_value(json_array_get(path, i));

        fprintf(f, "%s%s", i ? " → " : "", step ? step : "");
    }
}

static const table_column failure_columns[] = {
    {TABLE_STRING_AT(NULL, "instance", stored_run, instance)},
    {TABLE_STRING_AT(NULL, "solver", stored_run, label)},
    {TABLE_REAL_AT(NULL, "tolerance", "%g", stored_run, tolerance)},
    {TABLE_STRING_AT(NULL, "status", stored_run, ending)},
    {TABLE_REAL_AT(NULL, "residual", "%.2e", stored_run, residual_given),
     .anchor = "residual"},
    {.heading = "reason", .text = reason_text, .markup = true},
    {.heading = "path", .text = path_text},
    TABLE_COLUMN_END,
};

static const table_column run_columns[] = {
    {TABLE_STRING_AT(NULL, "instance", stored_run, instance)},
    {TABLE_REAL_AT(NULL, "n", "%.0f", stored_run, n)},
    {TABLE_REAL_AT(NULL, "contacts", "%.0f", stored_run, contacts)},
    {TABLE_STRING_AT(NULL, "solver", stored_run, label)},
    {TABLE_REAL_AT(NULL, "tolerance", "%g", stored_run, tolerance)},
    {TABLE_STRING_AT(NULL, "status", stored_run, ending)},
    {TABLE_REAL_AT(NULL, "residual", "%.2e", stored_run, residual_given),
     .anchor = "residual"},
    {TABLE_REAL_AT(NULL, "time [s]", "%.3g", stored_run, seconds)},
    {TABLE_REAL_AT(NULL, "iterations", "%.0f", stored_run, iterations)},
    {TABLE_REAL_AT(NULL, "products", "%.0f", stored_run, products)},
    {.heading = "path", .text = path_text},
    TABLE_COLUMN_END,
};

/* The runs of a set, or its failures, in an element that opens on a click. */
static perp_status runs_element(FILE *f, const stored_runs *s, const char *set,
                                bool failures, perp_error *err)
{
    table t;
    size_t count = 0;
    perp_status status = PERP_OK;

    for (size_t i = 0; i < s->count; i++) {
        count += strcmp(s->runs[i].set, set) == 0 && (!failures || !s->runs[i].solved);
    }
    if (count == 0) {
        fputs("<p>No run failed.</p>\n", f);
        return PERP_OK;
    }
    fprintf(f, "<details><summary>%s</summary>",
            failures ? "Each failure and its reason" : "Each run");
    table_start(&t, TABLE_AS_HTML, f, failures ? failure_columns : run_columns);
    for (size_t i = 0; i < s->count; i++) {
        const stored_run *run = &s->runs[i];

        if (strcmp(run->set, set) == 0 && (!failures || !run->solved)) {
            table_row(&t, run);
        }
    }
    status = table_end(&t, err);
    fputs("</details>\n", f);
    return status;
}

/* Where a page is written, and from which folder its figures are read. */
typedef struct page_output {
    FILE *f;
    const char *dir;
} page_output;

static perp_status page_table(void *context, const stored_runs *s, const run_table *t,
                              perp_error *err)
{
    const page_output *page = context;
    perp_status status = PERP_OK;

    for (size_t k = 0; report_sections[k] && status == PERP_OK; k++) {
        status = section_print(report_sections[k], page->f, TABLE_AS_HTML, s, t, err);
    }
    if (t->instances.count) {
        page_figures(page->f, page->dir, t);
    }
    return status;
}

static perp_status page_set(page_output *page, const stored_runs *s, const char *set,
                            perp_error *err)
{
    perp_status status = PERP_OK;

    fputs("<h2>", page->f);
    table_escape(page->f, TABLE_AS_HTML, set);
    fputs("</h2>\n", page->f);
    status = runs_visit(s, set, page_table, page, err);
    if (status == PERP_OK) {
        status = runs_element(page->f, s, set, true, err);
    }
    return status == PERP_OK ? runs_element(page->f, s, set, false, err) : status;
}

/* A property of the machine, as a text. */
typedef struct machine_row {
    const char *key;
    const char *text;
} machine_row;

static const table_column machine_columns[] = {
    {TABLE_STRING_AT(NULL, "property", machine_row, key)},
    {TABLE_STRING_AT(NULL, "value", machine_row, text)},
    TABLE_COLUMN_END,
};

static perp_status machine_table(FILE *f, const stored_runs *s, perp_error *err)
{
    const json_t *machine = json_object_get(s->runs[s->count - 1].json, "machine");
    const char *key = NULL;
    json_t *value = NULL;
    table t;

    fputs("<h2>Machine</h2>\n", f);
    table_start(&t, TABLE_AS_HTML, f, machine_columns);
    json_object_foreach((json_t *)(uintptr_t)machine, key, value)
    {
        char *text = json_dumps(value, JSON_ENCODE_ANY);
        const machine_row row = {key,
                                 json_is_string(value) ? json_string_value(value) : text};

        table_row(&t, &row);
        free(text);
    }
    return table_end(&t, err);
}

perp_status write_page(const stored_runs *s, const char *dir, perp_error *err)
{
    perp_file_out o;
    page_output page = {.dir = dir};
    perp_status status = report_open(&o, err, "%s/report.html", dir);

    if (status != PERP_OK) {
        return status;
    }
    page.f = o.f;
    fputs(page_head, o.f);
    fprintf(
        o.f,
        "<p>%zu run%s. A run is solved when its <a href=\"#residual\">residual</a>, "
        "recomputed from the instance, is at most the tolerance. Failures stay in "
        "every table and figure. A click on the heading of a column sorts by it.</p>\n",
        s->count, s->count == 1 ? "" : "s");
    noise_print(o.f, TABLE_AS_HTML, s);
    for (size_t i = 0; i < s->sets.count && status == PERP_OK; i++) {
        status = page_set(&page, s, s->sets.names[i], err);
    }
    fputs(RESIDUAL_DEFINITION_HTML, o.f);
    if (status == PERP_OK) {
        status = machine_table(o.f, s, err);
    }
    fputs(page_script, o.f);
    return report_close(&o, status, err);
}
