/* SPDX-License-Identifier: Apache-2.0
 * command/results/figures.c: the figures of stored runs: collected, given their looks, drawn,
 * and listed in figures.json. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "base/file.h"
#include "command/results/collect.h"
#include "command/results/figures.h"
#include "command/results/looks.h"

/* Looks are given to the solvers of all runs first, and then to whatever else a figure shows: a
 * solver looks the same in each figure of a report. */
static void figures_style(figure_style_table *style, const stored_runs *s,
                          const figure_book *book)
{
    if (s) {
        looks_of_runs(style, s);
    }
    for (size_t k = 0; k < book->count; k++) {
        for (size_t p = 0; p < book->figures[k]->count; p++) {
            const figure_panel *panel = book->figures[k]->panels[p];

            for (size_t c = 0; c < panel->count; c++) {
                const figure_series *series = panel->series[c];
                const char *name = *series->owner ? series->owner : series->name;

                if (*name) {
                    figure_style_add(style, name);
                }
            }
        }
    }
}

static const figure_terminal *figures_terminal(const figure_request *request)
{
    const char *name = request ? request->terminal : NULL;
    const char *page = request && request->page ? request->page : "screen";

    for (size_t k = 0; !name && figure_pages[k].name; k++) {
        name = strcmp(figure_pages[k].name, page) == 0 ? figure_pages[k].terminal : NULL;
    }
    for (size_t k = 0; name && figure_terminals[k].name; k++) {
        if (strcmp(figure_terminals[k].name, name) == 0) {
            return &figure_terminals[k];
        }
    }
    return NULL;
}

static json_t *figures_entry(const figure *f, const figure_origin *from,
                             const figure_terminal *terminal)
{
    const char *below = terminal ? terminal->folder : "";
    char file[2 * FIGURE_NAME];

    snprintf(file, sizeof file, "%s%s%s%s", below, *below ? "/" : "", f->name,
             terminal ? terminal->extension : "");
    return json_pack("{s:s, s:s, s:s, s:o, s:s, s:s, s:s}", "name", f->name, "kind",
                     f->kind, "set", from->set, "tolerance",
                     isnan(from->tolerance) ? json_null() : json_real(from->tolerance),
                     "file", file, "title", f->title, "caption",
                     f->caption ? f->caption : "");
}

/* figures.json, for the page. */
static perp_status figures_list(const figure_collection *c, const figure_request *request,
                                const char *folder, perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    const figure_terminal *terminal = figures_terminal(request);
    json_t *list = json_array();
    perp_file_out o;
    perp_status status = PERP_OK;

    for (size_t k = 0; k < c->book.count; k++) {
        json_array_append_new(
            list, figures_entry(c->book.figures[k], &c->origins[k], terminal));
    }
    snprintf(path, sizeof path, "%s/figures.json", folder);
    status = perp_file_create(&o, path, err);
    if (status == PERP_OK && json_dumpf(list, o.f, JSON_INDENT(1)) != 0) {
        perp_file_abandon(&o);
        status = perp_fail(err, PERP_ERR_WRITE, "%s: cannot be written", path);
    } else if (status == PERP_OK) {
        fputc('\n', o.f);
        status = perp_file_commit(&o, err);
    }
    json_decref(list);
    return status;
}

/* Draw what was collected with `collected`, which is PERP_ERR_DATA where an order misses its
 * data. */
static perp_status figures_draw(figure_collection *c, const stored_runs *s,
                                const figure_request *request, const char *folder,
                                perp_status collected, perp_error *err)
{
    figure_style_table style = {0};
    perp_error drawing = {0};
    perp_status status = collected == PERP_ERR_DATA ? PERP_OK : collected;

    if (status != PERP_OK) {
        figure_collection_free(c);
        return status;
    }
    figures_style(&style, s, &c->book);
    status = figure_draw(&c->book, &style, request, folder, &drawing);
    if (status == PERP_OK) {
        status = figures_list(c, request, folder, &drawing);
    }
    figure_style_free(&style);
    figure_collection_free(c);
    if (status != PERP_OK && err) {
        *err = drawing; /* graver than an order without data */
    }
    return status == PERP_OK ? collected : status;
}

perp_status figures_make(const stored_runs *s, const figure_orders *orders,
                         const figure_request *request, const char *folder,
                         perp_error *err)
{
    static const figure_request usual;
    figure_collection c;
    perp_status status = PERP_OK;

    TRY(figure_request_check(request ? request : &usual, err));
    status = collect_runs(&c, s, orders, err);
    return figures_draw(&c, s, request ? request : &usual, folder, status, err);
}

perp_status figures_make_path(const char *path, const figure_orders *orders,
                              const figure_request *request, const char *folder,
                              perp_error *err)
{
    static const figure_request usual;
    figure_collection c;
    perp_status status = PERP_OK;

    TRY(figure_request_check(request ? request : &usual, err));
    status = collect_path(&c, path, orders, err);
    return figures_draw(&c, NULL, request ? request : &usual, folder, status, err);
}
