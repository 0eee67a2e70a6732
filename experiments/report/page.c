/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/page.c: report.html, one page that needs no other file. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    "figure svg,figure img{max-width:100%;height:auto}figcaption{max-width:48rem;"
    "font-size:13px;color:#444}details{margin:.5rem 0}code{font-size:12px}\n"
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

/* Where a page is written, and its figures. */
typedef struct page_output {
    FILE *f;
    const char *dir;
    json_t *figures; /* the list of figures/figures.json; NULL: none */
    size_t embedded; /* figures so far, and their bytes */
    size_t bytes;
} page_output;

/* Bytes of figures in the page; others stay files beside it. */
enum { PAGE_BYTES = 6000000 };

/* A line of SVG whose names are made those of figure `number`: every figure that gnuplot draws
 * has the same ones. */
static void svg_line(FILE *f, const char *line, size_t number)
{
    static const char *const before[] = {"id=\"", "id='", "href=\"#", "href='#", "url(#"};

    while (*line) {
        size_t k = 0;
        size_t count = sizeof before / sizeof *before;

        while (k < count && strncmp(line, before[k], strlen(before[k])) != 0) {
            k++;
        }
        if (k < count) {
            fprintf(f, "%sf%zu-", before[k], number);
            line += strlen(before[k]);
        } else {
            fputc(*line++, f);
        }
    }
}

/* The svg element of a file, without the prologue and without the empty groups that
 * gnuplot writes, which are a third of its bytes. */
static void inline_svg(FILE *f, FILE *svg, size_t number)
{
    char line[8192];
    char opened[1024] = "";
    bool inside = false;

    while (fgets(line, sizeof line, svg)) {
        const char *start = inside ? line : strstr(line, "<svg");

        if (!start) {
            continue;
        }
        inside = true;
        if (opened[0] && strcmp(line, "</g>\n") == 0) {
            opened[0] = '\0';
            continue;
        }
        svg_line(f, opened, number);
        opened[0] = '\0';
        if (strncmp(line, "<g fill", 7) == 0 && strlen(line) < sizeof opened &&
            strcspn(line, ">") + 2 == strlen(line)) {
            strcpy(opened, line);
        } else {
            svg_line(f, start, number);
        }
    }
}

/* A figure that was drawn as SVG: in the page, or by its name when the page is full. */
static void page_figure(page_output *page, const json_t *entry)
{
    const char *file = member_text(entry, "file");
    const char *caption = member_text(entry, "caption");
    char path[PERP_FILE_PATH_LENGTH];
    struct stat st;
    FILE *svg = NULL;

    snprintf(path, sizeof path, "%s/figures/%s", page->dir, file);
    svg = perp_path_ends(file, ".svg") ? fopen(path, "r") : NULL;
    if (!svg || fstat(fileno(svg), &st) != 0) {
        return;
    }
    fputs("<figure class=\"", page->f);
    table_escape(page->f, TABLE_AS_HTML, member_text(entry, "kind"));
    fputs("\">", page->f);
    if (page->bytes + (size_t)st.st_size <= PAGE_BYTES) {
        page->bytes += (size_t)st.st_size;
        inline_svg(page->f, svg, ++page->embedded);
    } else {
        fputs("<img loading=\"lazy\" alt=\"\" src=\"figures/", page->f);
        table_escape(page->f, TABLE_AS_HTML, file);
        fputs("\">", page->f);
    }
    fclose(svg);
    if (*caption) {
        fputs("<figcaption>", page->f);
        table_escape(page->f, TABLE_AS_HTML, caption);
        fputs("</figcaption>", page->f);
    }
    fputs("</figure>\n", page->f);
}

/* The figures of a set at one tolerance; NAN: those of all tolerances. The set "" is the whole
 * report. */
static void page_figures(page_output *page, const char *set, double tolerance)
{
    size_t shown = 0;

    for (size_t k = 0; k < json_array_size(page->figures); k++) {
        const json_t *entry = json_array_get(page->figures, k);
        double at = member_number(entry, "tolerance", NAN);

        if (strcmp(member_text(entry, "set"), set) == 0 &&
            (at == tolerance || (isnan(at) && isnan(tolerance)))) {
            fputs(shown++ ? "" : "<div class=\"figures\">\n", page->f);
            page_figure(page, entry);
        }
    }
    fputs(shown ? "</div>\n" : "", page->f);
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

static perp_status page_table(void *context, const stored_runs *s, const run_table *t,
                              perp_error *err)
{
    page_output *page = context;
    perp_status status = PERP_OK;

    for (size_t k = 0; report_sections[k] && status == PERP_OK; k++) {
        status = section_print(report_sections[k], page->f, TABLE_AS_HTML, s, t, err);
    }
    page_figures(page, t->set, t->tolerance);
    return status;
}

static perp_status page_set(page_output *page, const stored_runs *s, const char *set,
                            perp_error *err)
{
    perp_status status = PERP_OK;

    fputs("<h2 id=\"set-", page->f);
    table_escape(page->f, TABLE_AS_HTML, set);
    fputs("\">", page->f);
    table_escape(page->f, TABLE_AS_HTML, set);
    fputs("</h2>\n", page->f);
    page_figures(page, set, NAN);
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

/* What the page begins with: a sentence, the sets, the figures of all of them. */
static void page_start(page_output *page, const stored_runs *s, const against *changes)
{
    fputs(page_head, page->f);
    fprintf(
        page->f,
        "<p>%zu run%s. A run is solved when its <a href=\"#residual\">residual</a>, "
        "recomputed from the instance, is at most the tolerance. Failures stay in "
        "every table and figure. A click on the heading of a column sorts by it.</p>\n",
        s->count, s->count == 1 ? "" : "s");
    noise_print(page->f, TABLE_AS_HTML, s);
    fputs(changes ? "<p><a href=\"#against\">Changes</a>; sets: " : "<p>Sets: ", page->f);
    for (size_t i = 0; i < s->sets.count; i++) {
        fputs(i ? ", <a href=\"#set-" : "<a href=\"#set-", page->f);
        table_escape(page->f, TABLE_AS_HTML, s->sets.names[i]);
        fputs("\">", page->f);
        table_escape(page->f, TABLE_AS_HTML, s->sets.names[i]);
        fputs("</a>", page->f);
    }
    fputs("</p>\n", page->f);
    page_figures(page, "", NAN);
}

perp_status write_page(const stored_runs *s, const against *changes, const char *dir,
                       perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_file_out o;
    page_output page = {.dir = dir};
    perp_status status = report_open(&o, err, "%s/report.html", dir);

    if (status != PERP_OK) {
        return status;
    }
    page.f = o.f;
    snprintf(path, sizeof path, "%s/figures/figures.json", dir);
    page.figures = json_load_file(path, 0, NULL);
    page_start(&page, s, changes);
    status = changes ? against_page(changes, o.f, err) : PERP_OK;
    for (size_t i = 0; i < s->sets.count && status == PERP_OK; i++) {
        status = page_set(&page, s, s->sets.names[i], err);
    }
    fputs(RESIDUAL_DEFINITION_HTML, o.f);
    if (status == PERP_OK) {
        status = machine_table(o.f, s, err);
    }
    fputs(page_script, o.f);
    json_decref(page.figures);
    return report_close(&o, status, err);
}
