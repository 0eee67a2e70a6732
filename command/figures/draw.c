/* SPDX-License-Identifier: Apache-2.0
 * figures/draw.c: all figures of a book, drawn by one gnuplot.
 *
 * Everything is written into a folder of this process, FOLDER/new.tmp-PID-K. When gnuplot has succeeded and each figure ends as its
 * format requires, all files are renamed into FOLDER: a full disk or a kill leaves the old ones. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base.h"
#include "base/file.h"
#include "command/cli/take.h"
#include "draw.h"
#include "finish.h"
#include "gnuplot.h"
#include "script.h"

typedef struct drawing {
    const figure_book *book;
    figure_style_table style;
    figure_setting setting;
    char folder[1024], fresh[1200];
} drawing;

static perp_status draw_folder(const char *path, perp_error *err)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: %s", path, strerror(errno));
    }
    return PERP_OK;
}

static perp_status draw_open(FILE **f, const drawing *d, const char *name,
                             const char *extension, perp_error *err)
{
    char path[2048];

    snprintf(path, sizeof path, "%s/%s%s", d->fresh, name, extension);
    *f = fopen(path, "w");
    return *f ? PERP_OK : perp_fail(err, PERP_ERR_WRITE, "%s: %s", path, strerror(errno));
}

static perp_status draw_close(FILE *f, const drawing *d, const char *name,
                              perp_error *err)
{
    bool bad = ferror(f) != 0;

    bad = fclose(f) != 0 || bad;
    return bad ? perp_fail(err, PERP_ERR_WRITE, "%s/%s: %s", d->fresh, name,
                           strerror(errno))
               : PERP_OK;
}

static perp_status draw_script(const drawing *d, const figure *f, perp_error *err)
{
    drawn_figure layout;
    FILE *gp = NULL;
    FILE *dat = NULL;
    perp_status status = PERP_OK;

    layout_new(&layout, f, &d->setting);
    status = draw_open(&gp, d, f->name, ".gp", err);
    if (status == PERP_OK) {
        status = draw_open(&dat, d, f->name, ".dat", err);
    }
    if (status == PERP_OK) {
        script_write(&layout, &d->style, gp, dat);
    }
    if (dat) {
        perp_status closed = draw_close(dat, d, f->name, err);

        status = status == PERP_OK ? closed : status;
    }
    if (gp) {
        perp_status closed = draw_close(gp, d, f->name, err);

        status = status == PERP_OK ? closed : status;
    }
    layout_free(&layout);
    return status;
}

static perp_status draw_caption(const drawing *d, const figure *f, perp_error *err)
{
    FILE *out = NULL;

    TRY(draw_open(&out, d, f->name, ".txt", err));
    fprintf(out, "%s\n", f->caption ? f->caption : f->title);
    return draw_close(out, d, f->name, err);
}

static perp_status draw_data(const drawing *d, const figure *f, perp_error *err)
{
    FILE *out = NULL;
    perp_status status = draw_open(&out, d, f->name, ".csv", err);

    if (status == PERP_OK) {
        perp_status written = figure_write_csv(f, out, err);

        status = draw_close(out, d, f->name, err);
        status = written == PERP_OK ? status : written;
    }
    return status;
}

/* all.gp, which draws every figure in one process. */
static perp_status draw_all(const drawing *d, perp_error *err)
{
    FILE *all = NULL;
    perp_status status = PERP_OK;

    TRY(draw_open(&all, d, "all", ".gp", err));
    if (strcmp(d->setting.terminal->name, "tikz") == 0) {
        fputs("set terminal tikz createstyle\n", all);
    }
    for (size_t k = 0; k < d->book->count; k++) {
        fprintf(all, "reset session\nload '%s.gp'\n", d->book->figures[k]->name);
    }
    status = draw_close(all, d, "all.gp", err);
    return status == PERP_OK ? gnuplot_draw(d->fresh, "all.gp", err) : status;
}

/* What is not for the user: the script of all, the log, styles for plain TeX and ConTeXt,
 * scripts that were not asked for. */
static bool draw_keeps(const drawing *d, const char *name)
{
    static const char *const own[] = {"all.gp", "gnuplot.log", "gnuplot-lua-tikz.tex",
                                      "t-gnuplot-lua-tikz.tex",
                                      "t-gnuplot-lua-tikz.mkiv"};

    for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
        if (strcmp(own[k], name) == 0) {
            return false;
        }
    }
    return d->setting.scripts ||
           (!perp_path_ends(name, ".gp") && !perp_path_ends(name, ".dat"));
}

/* Move what the user keeps into the folder. */
static perp_status draw_install(const drawing *d, perp_error *err)
{
    char from[2048], to[2048];
    struct dirent **entries = NULL;
    perp_status status = PERP_OK;
    int count = scandir(d->fresh, &entries, NULL, alphasort);

    if (count < 0) {
        return perp_fail(err, PERP_ERR_READ, "%s: %s", d->fresh, strerror(errno));
    }
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;

        snprintf(from, sizeof from, "%s/%s", d->fresh, name);
        snprintf(to, sizeof to, "%s/%s", d->folder, name);
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && status == PERP_OK &&
            draw_keeps(d, name) && rename(from, to) != 0) {
            status = perp_fail(err, PERP_ERR_WRITE, "%s: %s", to, strerror(errno));
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

static perp_status draw_figures(const drawing *d, perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < d->book->count && status == PERP_OK; k++) {
        const figure *f = d->book->figures[k];

        status = draw_script(d, f, err);
        if (status == PERP_OK) {
            status = draw_caption(d, f, err);
        }
        if (status == PERP_OK && d->setting.data) {
            status = draw_data(d, f, err);
        }
    }
    if (status == PERP_OK && d->book->count > 0) {
        status = draw_all(d, err);
    }
    for (size_t k = 0; k < d->book->count && status == PERP_OK; k++) {
        status = finish_file(&d->setting, d->fresh, d->book->figures[k]->name, err);
    }
    return status;
}

/* The looks of the caller, then one for each owner that it did not name. */
static void draw_looks(drawing *d, const figure_style_table *style)
{
    figure_style_copy(&d->style, style);
    for (size_t f = 0; f < d->book->count; f++) {
        for (size_t p = 0; p < d->book->figures[f]->count; p++) {
            const figure_panel *panel = d->book->figures[f]->panels[p];

            for (size_t s = 0; s < panel->count; s++) {
                const figure_series *series = panel->series[s];
                const char *owner = series->owner[0] ? series->owner : series->name;

                if (*owner && series->form != FIGURE_GUIDE && !series->muted) {
                    figure_style_add(&d->style, owner);
                }
            }
        }
    }
}

perp_status figure_draw(const figure_book *book, const figure_style_table *style,
                        const figure_request *request, const char *folder,
                        perp_error *err)
{
    drawing d = {.book = book};
    perp_status status = pages_resolve(&d.setting, request, err);
    char base[sizeof d.folder + 8];
    int length = 0;

    if (status != PERP_OK) {
        return status;
    }
    length =
        snprintf(d.folder, sizeof d.folder, "%s%s%s", folder,
                 d.setting.terminal->folder[0] ? "/" : "", d.setting.terminal->folder);
    if (length < 0 || (size_t)length >= sizeof d.folder) {
        return perp_fail(err, PERP_ERR_WRITE,
                         "%.80s…: the name of the folder is too long", folder);
    }
    status = draw_folder(folder, err);
    if (status == PERP_OK) {
        status = draw_folder(d.folder, err);
    }
    if (status == PERP_OK) {
        snprintf(base, sizeof base, "%s/new", d.folder);
        status = perp_folder_create(d.fresh, sizeof d.fresh, base, "tmp", err);
    }
    if (status == PERP_OK) {
        take_temporary(d.fresh);
        draw_looks(&d, style);
        status = draw_figures(&d, err);
        status = status == PERP_OK ? draw_install(&d, err) : status;
        perp_folder_remove_all(d.fresh);
        take_kept(d.fresh);
    }
    figure_style_free(&d.style);
    return status;
}
