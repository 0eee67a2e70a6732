/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/page.c: report.html, one page that needs nothing beside it. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coordinates.h"
#include "runs.h"
#include "warm.h"

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

/* Click on a head: sort by that column, numbers as numbers, again: the other way. */
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

void print_html(FILE *f, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", f);
            break;
        case '<':
            fputs("&lt;", f);
            break;
        case '>':
            fputs("&gt;", f);
            break;
        case '"':
            fputs("&quot;", f);
            break;
        default:
            fputc(*text, f);
        }
    }
}

void cell_text(FILE *f, const char *text)
{
    fputs("<td>", f);
    print_html(f, text);
    fputs("</td>", f);
}

void cell_number(FILE *f, const char *format, double x)
{
    if (isfinite(x)) {
        fprintf(f, "<td class=\"n\" data-v=\"%.17g\">", x);
        fprintf(f, format, x);
        fputs("</td>", f);
    } else {
        fputs("<td class=\"n\" data-v=\"1e999\">–</td>", f);
    }
}

/* The svg element of a file, without what stands before it and without the groups that
 * gnuplot opened and closed with nothing in them, which are a third of its bytes. */
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

    table_file_name(name, kind, t, instance);
    snprintf(path, sizeof path, "%s/figures/%s.svg", dir, name);
    if (access(path, R_OK) == 0) {
        fprintf(f, "<figure class=\"%s\">", kind);
        inline_svg(f, path);
        fputs("</figure>\n", f);
    }
}

/* What is said and drawn of a set at one tolerance. */
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
    fputs("</div>\n<details><summary>Residual on the way, instance by instance</summary>"
          "<div class=\"figures\">\n",
          f);
    for (size_t i = 0; i < t->instances.count; i++) {
        figure(f, dir, "residual", t, t->instances.names[i]);
    }
    fputs("</div></details>\n", f);
}

static perp_status statistics_table(FILE *f, const run_table *t, perp_error *err)
{
    solver_statistics *of = calloc(t->labels.count, sizeof *of);
    double shift = 0.0;
    perp_status status = of ? statistics_of(t, of, &shift, err)
                            : perp_fail(err, PERP_ERR_MEMORY, "no memory for statistics");

    if (status != PERP_OK) {
        free(of);
        return status;
    }
    fprintf(
        f,
        "<h3>Residual at most %g: %zu problems</h3>\n<table><thead><tr><th>solver</th>"
        "<th>solved</th><th>solved its model</th><th>won</th><th>mean [s]</th>"
        "<th>ratio</th><th>median iterations</th></tr></thead><tbody>\n",
        t->tolerance, t->instances.count);
    for (size_t s = 0; s < t->labels.count; s++) {
        fputs("<tr>", f);
        cell_text(f, t->labels.names[s]);
        cell_number(f, "%.0f", (double)of[s].solved);
        cell_number(f, "%.0f", (double)of[s].model_solved);
        cell_number(f, "%.0f", (double)of[s].won);
        cell_number(f, "%.3g", of[s].mean);
        cell_number(f, "%.2f", of[s].ratio);
        cell_number(f, "%.0f", of[s].median_iterations);
        fputs("</tr>\n", f);
    }
    fprintf(f,
            "</tbody></table>\n<p>Means are shifted by %.2g s; a failure counts with its "
            "time limit.</p>\n",
            shift);
    free(of);
    return PERP_OK;
}

static void certificate_of(FILE *f, const stored_run *run)
{
    const json_t *c = json_object_get(run->json, "certificate");
    const char *kind = json_string_value(json_object_get(c, "kind"));
    const char *says = json_string_value(json_object_get(c, "says"));
    char *text = NULL;

    if (!json_is_object(c)) {
        return;
    }
    fputs("<details><summary>certificate: ", f);
    print_html(f, kind ? kind : "direction");
    fprintf(f, ", %s",
            json_is_true(json_object_get(c, "verified")) ? "verified" : "NOT verified");
    if (says) {
        fputs(": ", f);
        print_html(f, says);
    }
    fputs("</summary><code>", f);
    text = json_dumps(c, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    print_html(f, text ? text : "");
    free(text);
    fputs("</code></details>", f);
}

/* What ran, joined by arrows. */
static void cell_ran(FILE *f, const stored_run *run)
{
    const json_t *ran = json_object_get(run->json, "path");

    fputs("<td>", f);
    for (size_t i = 0; i < json_array_size(ran); i++) {
        fputs(i ? " → " : "", f);
        print_html(f, json_string_value(json_array_get(ran, i))
                          ? json_string_value(json_array_get(ran, i))
                          : "");
    }
    fputs("</td>", f);
}

static void failures_table(FILE *f, const stored_runs *s, const char *set)
{
    bool any = false;

    for (size_t i = 0; i < s->count && !any; i++) {
        any = !s->runs[i].solved && strcmp(s->runs[i].set, set) == 0;
    }
    if (!any) {
        fputs("<p>No run failed.</p>\n", f);
        return;
    }
    fputs("<details><summary>Each failure, and "
          "why</summary><table><thead><tr><th>instance</th>"
          "<th>solver</th><th>tolerance</th><th>ending</th><th>residual</th><th>why</th>"
          "<th>what ran</th></tr></thead><tbody>\n",
          f);
    for (size_t i = 0; i < s->count; i++) {
        const stored_run *r = &s->runs[i];

        if (r->solved || strcmp(r->set, set) != 0) {
            continue;
        }
        fputs("<tr>", f);
        cell_text(f, r->instance);
        cell_text(f, r->label);
        cell_number(f, "%g", r->tolerance);
        cell_text(f, run_ending(r));
        cell_number(f, "%.2e", r->residual_given);
        fputs("<td>", f);
        print_html(f, r->reason);
        certificate_of(f, r);
        fputs("</td>", f);
        cell_ran(f, r);
        fputs("</tr>\n", f);
    }
    fputs("</tbody></table></details>\n", f);
}

static void runs_table(FILE *f, const stored_runs *s, const char *set)
{
    fputs("<details><summary>Each "
          "run</summary><table><thead><tr><th>instance</th><th>n</th>"
          "<th>contacts</th><th>solver</th><th>tolerance</th><th>ending</"
          "th><th>residual</th>"
          "<th>time [s]</th><th>iterations</th><th>products</th><th>what "
          "ran</th></tr></thead>"
          "<tbody>\n",
          f);
    for (size_t i = 0; i < s->count; i++) {
        const stored_run *r = &s->runs[i];

        if (strcmp(r->set, set) != 0) {
            continue;
        }
        fputs("<tr>", f);
        cell_text(f, r->instance);
        cell_number(f, "%.0f", r->n);
        cell_number(f, "%.0f", r->contacts);
        cell_text(f, r->label);
        cell_number(f, "%g", r->tolerance);
        cell_text(f, run_ending(r));
        cell_number(f, "%.2e", r->residual_given);
        cell_number(f, "%.3g", r->seconds);
        cell_number(f, "%.0f", r->iterations);
        cell_number(f, "%.0f", r->products);
        cell_ran(f, r);
        fputs("</tr>\n", f);
    }
    fputs("</tbody></table></details>\n", f);
}

static perp_status page_set(FILE *f, const stored_runs *s, const char *dir,
                            const char *set, perp_error *err)
{
    perp_status status = PERP_OK;

    fputs("<h2>", f);
    print_html(f, set);
    fputs("</h2>\n", f);
    for (size_t k = 0; k < s->tolerance_count && status == PERP_OK; k++) {
        run_table t;

        status = table_make(&t, s, set, s->tolerances[k], err);
        if (status == PERP_OK && t.instances.count) {
            status = statistics_table(f, &t, err);
            status = status == PERP_OK ? warm_page(f, s, &t, err) : status;
            coordinates_page(f, &t);
            page_figures(f, dir, &t);
        }
        table_free(&t);
    }
    failures_table(f, s, set);
    runs_table(f, s, set);
    return status;
}

static void print_machine(FILE *f, const stored_runs *s)
{
    const json_t *machine = json_object_get(s->runs[s->count - 1].json, "machine");
    const char *key = NULL;
    json_t *value = NULL;

    fputs("<h2>How it was run</h2>\n<table><tbody>\n", f);
    json_object_foreach((json_t *)(uintptr_t)machine, key, value)
    {
        char *text = json_dumps(value, JSON_ENCODE_ANY);

        fputs("<tr>", f);
        cell_text(f, key);
        cell_text(f,
                  json_is_string(value) ? json_string_value(value) : (text ? text : ""));
        fputs("</tr>\n", f);
        free(text);
    }
    fputs("</tbody></table>\n", f);
}

perp_status write_page(const stored_runs *s, const char *dir, perp_error *err)
{
    part_file p;
    perp_status status = part_open(&p, err, "%s/report.html", dir);

    if (status != PERP_OK) {
        return status;
    }
    fputs(page_head, p.f);
    fprintf(
        p.f,
        "<p>%zu runs. A run is solved when the common residual, recomputed from the "
        "instance, is at most the tolerance. Failures stay in every table and figure. "
        "Click on the head of a column to sort by it.</p>\n",
        s->count);
    for (size_t i = 0; i < s->sets.count && status == PERP_OK; i++) {
        status = page_set(p.f, s, dir, s->sets.names[i], err);
    }
    print_machine(p.f, s);
    fputs(page_script, p.f);
    return part_end(&p, status, err);
}
