/* SPDX-License-Identifier: Apache-2.0
 * paper/paper.c: the file of a paper read and checked; its results written. */
#include <config.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/file.h"
#include "command/cli/data.h"
#include "command/cli/output.h"
#include "command/cli/take.h"
#include "command/figures/draw.h"
#include "command/paper/paper.h"
#include "command/results/figures.h"
#include "command/results/files.h"
#include "command/results/table.h"

#define STUDY(member) offsetof(paper_study, member)
static const document_row study_rows[] = {
    {PERP_TEXT("name", NULL, "of the folder of its runs and figures"), STUDY(name), NULL},
    {PERP_TEXT("suite", NULL, "what perp compare runs"), STUDY(suite), NULL},
    {PERP_TEXT("page", NULL, "page of its figures"), STUDY(page), NULL},
    {PERP_OPTION_END, 0, NULL},
};
#undef STUDY

#define NUMBER(member) offsetof(paper_number, member)
static const document_row number_rows[] = {
    {PERP_TEXT("name", NULL, "by which the text calls it"), NUMBER(name), NULL},
    {PERP_TEXT("study", NULL, "whose runs it is taken from"), NUMBER(study), NULL},
    {PERP_TEXT("value", NULL, "field of a run"), NUMBER(value), NULL},
    {PERP_TEXT("where", NULL, "only of these runs"), NUMBER(where), NULL},
    {PERP_TEXT("statistic", NULL, "what is made of the values"), NUMBER(statistic), NULL},
    {PERP_TEXT("against", NULL, "field on the other axis of a slope"), NUMBER(against),
     NULL},
    {PERP_TEXT("over", NULL, "earlier number that divides it"), NUMBER(over), NULL},
    {PERP_INTEGER("digits", 2, 1, 15, "significant digits"), NUMBER(digits), NULL},
    {PERP_REAL_CLOSED("scale", 1.0, 1e-300, 1e300, "factor"), NUMBER(scale), NULL},
    {PERP_REAL_CLOSED("tolerance", 1e-3, 0.0, 1e6, "relative"), NUMBER(tolerance), NULL},
    {PERP_SWITCH("time", 0, "measured by a clock"), NUMBER(time), NULL},
    {PERP_OPTION_END, 0, NULL},
};
#undef NUMBER

#define PAPER(member) offsetof(paper, member)
static const document_row paper_rows[] = {
    {PERP_TEXT("results", NULL, "folder of the results"), PAPER(results), NULL},
    {PERP_REAL_CLOSED("times", 3.0, 1.0, 1e6, "factor between times"), PAPER(times),
     NULL},
    {PERP_REAL_CLOSED("curves", 1e-6, 0.0, 1e6, "relative difference of curves"),
     PAPER(curves), NULL},
    {PERP_OPTION_END, 0, NULL},
};
#undef PAPER

/* Letters, digits and '-': safe in LaTeX, in a shell and as a folder. */
static perp_status paper_check_name(const document *d, const char *name, perp_error *err)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "0123456789-";

    return name && *name && !name[strspn(name, safe)]
               ? PERP_OK
               : document_fail(d, err, "expected a name of letters, digits and '-'");
}

static perp_status paper_keys(const document *d, const document_row *rows,
                              const char *more, perp_error *err)
{
    char names[512];
    size_t used = (size_t)snprintf(names, sizeof names, "%s", more);

    document_row_names(rows, names + used, sizeof names - used);
    return document_keys(d, names, err);
}

static perp_status paper_read_study(paper *p, size_t k, const document *d,
                                    perp_error *err)
{
    paper_study *s = &p->studies[k];
    const document name = document_member(d, "name"), suite = document_member(d, "suite");
    perp_status status = paper_keys(d, study_rows, "", err);

    s->page = "column";
    if (status == PERP_OK) {
        status = document_read(d, study_rows, s, err);
    }
    if (status == PERP_OK) {
        status = paper_check_name(&name, s->name, err);
    }
    if (status == PERP_OK && (!s->suite || !*s->suite)) {
        status = document_fail(&suite, err, "expected a suite");
    }
    for (size_t j = 0; status == PERP_OK && j < k; j++) {
        if (strcmp(p->studies[j].name, s->name) == 0) {
            status = document_fail(
                &name, err, "\"%s\" is the name of studies[%zu] as well", s->name, j);
        }
    }
    return status;
}

/* The members of a number that refer to something else in the file. */
static perp_status paper_check_number(const paper *p, size_t k, const document *d,
                                      perp_error *err)
{
    const paper_number *n = &p->numbers[k];
    const document study = document_member(d, "study"), over = document_member(d, "over");
    const document value = document_member(d, "value");
    const document against = document_member(d, "against");
    bool listed = strcmp(n->statistic, "listed") == 0;
    bool found = listed;

    for (size_t j = 0; n->study && j < p->study_count; j++) {
        found = found || strcmp(p->studies[j].name, n->study) == 0;
    }
    if (!found || (listed && n->study)) {
        return document_fail(&study, err,
                             listed ? "a number that is listed has no study"
                                    : "expected the name of a study");
    }
    if (!n->value || !*n->value) {
        return document_fail(&value, err, "expected the name of a field");
    }
    if ((strcmp(n->statistic, "slope") == 0) != (n->against != NULL)) {
        return document_fail(&against, err,
                             "expected the other axis of a slope, and of nothing else");
    }
    found = !n->over;
    for (size_t j = 0; n->over && j < k; j++) {
        found = found || strcmp(p->numbers[j].name, n->over) == 0;
    }
    return found ? PERP_OK : document_fail(&over, err, "expected an earlier number");
}

static perp_status paper_read_number(paper *p, size_t k, const document *d,
                                     perp_error *err)
{
    paper_number *n = &p->numbers[k];
    const document name = document_member(d, "name");
    const document statistic = document_member(d, "statistic");
    perp_status status = paper_keys(d, number_rows, "", err);

    document_defaults(number_rows, n);
    n->where = "";
    if (status == PERP_OK) {
        status = document_read(d, number_rows, n, err);
    }
    if (status == PERP_OK) {
        status = paper_check_name(&name, n->name, err);
    }
    if (status == PERP_OK && !n->statistic) {
        status = document_fail(&statistic, err, "expected one of %s", paper_statistics);
    }
    if (status == PERP_OK) {
        status = document_choice(&statistic, paper_statistics, &n->statistic, err);
    }
    for (size_t j = 0; status == PERP_OK && j < k; j++) {
        if (strcmp(p->numbers[j].name, n->name) == 0) {
            status = document_fail(
                &name, err, "\"%s\" is the name of numbers[%zu] as well", n->name, j);
        }
    }
    return status == PERP_OK ? paper_check_number(p, k, d, err) : status;
}

typedef perp_status paper_read_item(paper *p, size_t k, const document *d,
                                    perp_error *err);

/* The items of a list, which get room of `size` bytes each. */
static perp_status paper_read_list(paper *p, const document *list, void **items,
                                   size_t *count, size_t size, paper_read_item *read,
                                   perp_error *err)
{
    perp_status status = PERP_OK;

    TRY(document_array(list, err));
    *count = json_array_size(list->value);
    *items = take(*count + 1, size);
    for (size_t k = 0; k < *count && status == PERP_OK; k++) {
        const document item = document_item(list, k);

        status = read(p, k, &item, err);
    }
    return status;
}

static perp_status paper_read_root(paper *p, const document *d, perp_error *err)
{
    const document studies = document_member(d, "studies");
    const document numbers = document_member(d, "numbers");
    perp_status status = paper_keys(d, paper_rows, "title|studies|numbers|", err);

    document_defaults(paper_rows, p);
    p->results = "results";
    if (status == PERP_OK) {
        status = document_read(d, paper_rows, p, err);
    }
    if (status == PERP_OK) {
        status = paper_read_list(p, &studies, (void **)&p->studies, &p->study_count,
                                 sizeof *p->studies, paper_read_study, err);
    }
    if (status == PERP_OK && numbers.value) {
        status = paper_read_list(p, &numbers, (void **)&p->numbers, &p->number_count,
                                 sizeof *p->numbers, paper_read_number, err);
    }
    return status;
}

static perp_status paper_load(paper *p, perp_error *err)
{
    document root = {.file = p->path};
    char *text = NULL;
    size_t length = 0;
    json_error_t where;

    TRY(perp_file_slurp(p->path, &text, &length, err));
    p->json = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
    free(text);
    if (!p->json) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s:%d:%d: %s", p->path, where.line,
                         where.column, where.text);
    }
    root.value = p->json;
    return paper_read_root(p, &root, err);
}

perp_status paper_read(paper **out, const char *path, perp_error *err)
{
    paper *p = take(1, sizeof *p);
    perp_status status = PERP_OK;

    *out = NULL;
    p->folder = take_part(path, data_folder_length(path));
    p->path = path;
    status = paper_load(p, err);
    if (status != PERP_OK) {
        paper_free(p);
        return status;
    }
    *out = p;
    return PERP_OK;
}

void paper_free(paper *p)
{
    if (!p) {
        return;
    }
    for (size_t k = 0; k < p->study_count; k++) {
        runs_free(&p->studies[k].runs);
        figure_orders_free(&p->studies[k].orders);
    }
    free(p->studies);
    free(p->numbers);
    json_decref(p->json);
    free(p->folder);
    free(p);
}

perp_status paper_compute(paper *p, const char *from, perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < p->study_count && status == PERP_OK; k++) {
        char folder[PERP_FILE_PATH_LENGTH];

        snprintf(folder, sizeof folder, "%s/%s", from, p->studies[k].name);
        status = runs_read(&p->studies[k].runs, folder, err);
        if (status == PERP_OK) {
            status = figure_orders_stored(&p->studies[k].orders, folder, err);
        }
    }
    return status == PERP_OK ? paper_numbers_compute(p, err) : status;
}

/* figures.json of a folder; NULL: it cannot be read. */
static json_t *paper_figures(const char *folder, perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH + 64];
    perp_source from = {.name = path};
    json_t *list = NULL;

    snprintf(path, sizeof path, "%s/figures.json", folder);
    if (perp_source_load(&from, err) == PERP_OK) {
        list = json_loadb(from.bytes, from.size, 0, NULL);
        if (!list) {
            perp_fail(err, PERP_ERR_FORMAT, "%s: found no JSON", path);
        }
    }
    perp_source_release(&from);
    return list;
}

/* Remove the figures that an earlier call made, which this one may not make. */
static void paper_remove_figures(const char *folder)
{
    static const char *const endings[] = {"pdf", "csv", "txt"};
    json_t *list = paper_figures(folder, NULL);

    for (size_t k = 0; k < json_array_size(list); k++) {
        const json_t *entry = json_array_get(list, k);
        const char *name = json_string_value(json_object_get(entry, "name"));

        for (size_t e = 0; name && !strchr(name, '/') && e < 3; e++) {
            char path[PERP_FILE_PATH_LENGTH + 64];

            snprintf(path, sizeof path, "%s/%s.%s", folder, name, endings[e]);
            unlink(path);
        }
    }
    json_decref(list);
}

/* The captions of the figures that figures.json lists: \perpcaption{STUDY/NAME}. */
static perp_status paper_write_captions(const char *study, const char *folder, FILE *out,
                                        perp_error *err)
{
    json_t *list = paper_figures(folder, err);

    if (!list) {
        return err->status;
    }
    for (size_t k = 0; k < json_array_size(list); k++) {
        const json_t *entry = json_array_get(list, k);
        const char *name = json_string_value(json_object_get(entry, "name"));
        const char *caption = json_string_value(json_object_get(entry, "caption"));

        fprintf(out, "\\expandafter\\def\\csname perpcaption@%s/%s\\endcsname{", study,
                name ? name : "");
        table_escape(out, TABLE_AS_TEX, caption ? caption : "");
        fputs("}\n", out);
    }
    json_decref(list);
    return PERP_OK;
}

/* The figures of a study into a folder of its own. */
static perp_status paper_write_study(const paper_study *s, const char *folder, FILE *out,
                                     perp_error *err)
{
    const figure_request request = {.page = s->page, .data = true};
    char path[PERP_FILE_PATH_LENGTH];
    perp_status status = PERP_OK;

    snprintf(path, sizeof path, "%s/%s", folder, s->name);
    paper_remove_figures(path);
    status = figures_make(&s->runs, &s->orders, &request, path, err);
    if (status == PERP_ERR_DATA) { /* an order finds nothing at a reduced size */
        output_print(stderr, OUTPUT_PLAIN, "perp paper: %s\n", err->text);
        *err = (perp_error){0};
        status = PERP_OK;
    }
    return status == PERP_OK ? paper_write_captions(s->name, path, out, err) : status;
}

/* The figures of all studies, and captions.tex. */
static perp_status paper_write_figures(const paper *p, const char *folder,
                                       perp_error *err)
{
    perp_file_out o;
    perp_status status = PERP_OK;

    TRY(report_open(&o, err, "%s/captions.tex", folder));
    fputs("% Made by perp paper; do not edit. In the text: "
          "\\caption{\\perpcaption{STUDY/NAME}}.\n"
          "\\providecommand\\perpcaption[1]{\\ifcsname perpcaption@#1\\endcsname"
          "\\csname perpcaption@#1\\endcsname\\else"
          "\\errmessage{The results have no figure #1}\\fi}\n",
          o.f);
    for (size_t k = 0; k < p->study_count && status == PERP_OK; k++) {
        status = paper_write_study(&p->studies[k], folder, o.f, err);
    }
    return report_close(&o, status, err);
}

perp_status paper_write(const paper *p, const char *folder, perp_error *err)
{
    perp_status status = data_make_folder(folder, err);

    if (status == PERP_OK) {
        status = paper_numbers_write(p, folder, err);
    }
    if (status == PERP_OK) {
        status = paper_write_figures(p, folder, err);
    }
    /* The lock is last: results with a lock are whole. */
    return status == PERP_OK ? paper_lock_write(p, folder, err) : status;
}
