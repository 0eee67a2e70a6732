/* SPDX-License-Identifier: Apache-2.0
 * command/results/section.c: print a kind of table for every set at every tolerance. */
#include <config.h>

#include <stdlib.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/figures/figure.h"
#include "definition.h"
#include "files.h"
#include "section.h"
#include "table_tex.h"

/* "contact: 7 problems, Coulomb's law, residual <= 1e-08", and what the section adds. */
static void section_heading(const report_section *section, FILE *f, const run_table *t)
{
    char law[RUN_LAW_TEXT];

    output_print(f, OUTPUT_PLAIN, "%s: ", t->set);
    if (section->subject) {
        fputs(section->subject, f);
    } else {
        fprintf(f, "%zu problem%s", t->instances.count, perp_plural(t->instances.count));
    }
    fprintf(f, "%s, %s <= %g", run_table_law(t, law), run_table_measure(t), t->tolerance);
    if (section->caption) {
        section->caption(f, TABLE_AS_TEXT, t);
    }
    fputs("\n", f);
}

/* The rows, with what stands around them. */
static void section_table(const report_section *section, FILE *f, table_format format,
                          const table_frame *frame, const stored_runs *s,
                          const run_table *t)
{
    table out;

    table_start(&out, format, f, section->columns);
    out.indent = 2;
    out.frame = *frame;
    section->rows(&out, s, t);
    table_end(&out);
}

void section_cells(const report_section *section, table *out, const stored_runs *s,
                   const run_table *t)
{
    table_start(out, TABLE_AS_TEXT, NULL, section->columns);
    section->rows(out, s, t);
}

/* The table as LaTeX; `name` is that of its file. */
static void section_latex(const report_section *section, FILE *f, const char *name,
                          const stored_runs *s, const run_table *t)
{
    char law[RUN_LAW_TEXT], caption[400], label[FILE_NAME + 8], tolerance[FIGURE_UNIT];
    char *sentence = NULL;
    size_t length = 0;
    FILE *into = take_stream(&sentence, &length);

    if (section->caption) {
        section->caption(into, TABLE_AS_TEX, t);
    }
    take_stream_end(into);
    const table_frame frame = {
        .caption = caption,
        .label = label,
        .notes = {section->explained ? section->explained : sentence,
                  section->explained ? sentence : NULL},
        .notes_tex = RESIDUAL_DEFINITION_TEX,
        .width = section->width,
    };

    snprintf(label, sizeof label, "tab:%s", name);
    snprintf(caption, sizeof caption, "%s: %.200s, %zu problem%s%s, %s at most %s.",
             section->title, t->set, t->instances.count, perp_plural(t->instances.count),
             run_table_law(t, law), run_table_measure(t),
             figure_number(tolerance, sizeof tolerance, t->tolerance, 2));
    fputs(TABLE_TEX_PACKAGES, f);
    section_table(section, f, TABLE_AS_TEX, &frame, s, t);
    free(sentence);
}

/* A section while all its tables are visited, and where they go. */
typedef struct section_visit {
    const report_section *section;
    FILE *f;
    const char *dir;
    table *rows;
    bool any;
} section_visit;

static perp_status visit_any(void *context, const stored_runs *s, const run_table *t,
                             perp_error *err)
{
    section_visit *v = context;

    (void)err;
    v->any = v->any || v->section->applies(s, t);
    return PERP_OK;
}

static perp_status visit_text(void *context, const stored_runs *s, const run_table *t,
                              perp_error *err)
{
    static const table_frame none;
    const section_visit *v = context;

    (void)err;
    if (!v->section->applies(s, t)) {
        return PERP_OK;
    }
    section_heading(v->section, v->f, t);
    section_table(v->section, v->f, TABLE_AS_TEXT, &none, s, t);
    if (v->section->after) {
        v->section->after(v->f, t);
    }
    fputs("\n", v->f);
    return PERP_OK;
}

static perp_status visit_rows(void *context, const stored_runs *s, const run_table *t,
                              perp_error *err)
{
    const section_visit *v = context;

    (void)err;
    if (v->section->applies(s, t)) {
        v->section->rows(v->rows, s, t);
    }
    return PERP_OK;
}

static perp_status visit_tex(void *context, const stored_runs *s, const run_table *t,
                             perp_error *err)
{
    const section_visit *v = context;
    char name[FILE_NAME];
    perp_file_out o;

    if (!v->section->applies(s, t)) {
        return PERP_OK;
    }
    run_table_file(name, v->section->tex, t, NULL);
    TRY(report_open(&o, err, "%s/tables/%s.tex", v->dir, name));
    section_latex(v->section, o.f, name, s, t);
    return perp_file_commit(&o, err);
}

perp_status section_summary(const report_section *section, FILE *f, const stored_runs *s,
                            perp_error *err)
{
    section_visit v = {.section = section, .f = f};

    TRY(runs_visit(s, NULL, visit_any, &v, err));
    if (v.any) {
        fputs(section->legend ? section->legend : "", f);
        TRY(runs_visit(s, NULL, visit_text, &v, err));
    }
    return PERP_OK;
}

perp_status section_csv(const report_section *section, const char *dir,
                        const stored_runs *s, perp_error *err)
{
    table rows;
    section_visit v = {.section = section, .dir = dir, .rows = &rows};
    perp_file_out o;
    perp_status status = runs_visit(s, NULL, visit_any, &v, err);

    if (status != PERP_OK || !v.any) {
        return status;
    }
    TRY(report_open(&o, err, "%s/tables/%s.csv", dir, section->csv));
    table_start(&rows, TABLE_AS_CSV, o.f, section->columns);
    status = runs_visit(s, NULL, visit_rows, &v, err);
    table_end(&rows);
    return report_close(&o, status, err);
}

perp_status section_tex(const report_section *section, const char *dir,
                        const stored_runs *s, perp_error *err)
{
    section_visit v = {.section = section, .dir = dir};

    return runs_visit(s, NULL, visit_tex, &v, err);
}
