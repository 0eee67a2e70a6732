/* SPDX-License-Identifier: Apache-2.0
 * figures/finish.c: what gnuplot wrote, made fit for use. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "finish.h"
#include "gnuplot.h"

/* A text and what replaces it, everywhere. */
typedef struct finish_change {
    const char *from, *to;
} finish_change;

static void finish_copy(FILE *out, const char *text, const finish_change *changes,
                        size_t count)
{
    while (*text) {
        size_t k = 0;

        while (k < count &&
               strncmp(text, changes[k].from, strlen(changes[k].from)) != 0) {
            k++;
        }
        if (k < count) {
            fputs(changes[k].to, out);
            text += strlen(changes[k].from);
        } else {
            fputc(*text++, out);
        }
    }
}

static perp_status finish_rewrite(const char *path, const finish_change *changes,
                                  size_t count, perp_error *err)
{
    perp_file_out o;
    char *text = NULL;
    size_t length = 0;
    perp_status status = perp_file_slurp(path, &text, &length, err);

    if (status == PERP_OK) {
        status = perp_file_create(&o, path, err);
    }
    if (status == PERP_OK) {
        finish_copy(o.f, text, changes, count);
        status = perp_file_commit(&o, err);
    }
    free(text);
    return status;
}

/* The picture is found below \perpfigures, which is "." unless the document says otherwise; the
 * letters have the size of the page, whatever that of the document is there. */
static perp_status finish_latex(const figure_setting *s, const char *path,
                                const char *name, perp_error *err)
{
    char from[FIGURE_NAME + 8], to[FIGURE_NAME + 32], start[200];
    finish_change changes[] = {{"\\begingroup\n", start}, {from, to}};

    snprintf(from, sizeof from, "]{%s}", name);
    snprintf(to, sizeof to, "]{\\perpfigures/%s}", name);
    snprintf(start, sizeof start,
             "\\providecommand\\perpfigures{.}%%\n\\begingroup\n"
             "  \\fontsize{%g}{%g}\\selectfont\n",
             s->points, 1.2 * s->points);
    return finish_rewrite(path, changes, 2, err);
}

/* Several SVG may stand in one page: names of parts begin with that of the figure. */
static perp_status finish_svg(const figure_setting *s, const char *path, const char *name,
                              perp_error *err)
{
    char id[FIGURE_NAME + 16], reference[FIGURE_NAME + 16], box[FIGURE_NAME + 16];
    char font[96], fonts[128];
    finish_change changes[] = {
        {"id='gp", id},
        {"'#gp", reference},
        {"id='textbox'", box},
        {font, fonts},
        {"]]>", "]]&gt;"}}; /* of a name: the end of a section that is none */

    snprintf(id, sizeof id, "id='%s_gp", name);
    snprintf(reference, sizeof reference, "'#%s_gp", name);
    snprintf(box, sizeof box, "id='%s_box'", name);
    snprintf(font, sizeof font, "font-family=\"%s\"", s->face);
    snprintf(fonts, sizeof fonts, "font-family=\"%s, Arial, sans-serif\"", s->face);
    return finish_rewrite(path, changes, 5, err);
}

/* The picture is as large as its first path says, whatever reaches beyond it. */
static perp_status finish_tikz(const char *path, perp_error *err)
{
    static const finish_change changes[] = {
        {"\\path (0.000,0.000) rectangle", "\\useasboundingbox (0.000,0.000) rectangle"}};

    return finish_rewrite(path, changes, 1, err);
}

perp_status finish_file(const figure_setting *setting, const char *folder,
                        const char *name, perp_error *err)
{
    const figure_terminal *t = setting->terminal;
    char path[PERP_FILE_PATH_LENGTH], obstacle[GNUPLOT_OBSTACLE];

    snprintf(path, sizeof path, "%s/%s%s", folder, name, t->extension);
    if (!gnuplot_wrote_whole(path)) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: gnuplot did not write it to the end%s",
                         path, gnuplot_obstacle(folder, obstacle));
    }
    if (strcmp(t->name, "cairolatex") == 0) {
        return finish_latex(setting, path, name, err);
    }
    if (strcmp(t->name, "tikz") == 0) {
        return finish_tikz(path, err);
    }
    if (strcmp(t->name, "svg") == 0) {
        return finish_svg(setting, path, name, err);
    }
    return PERP_OK;
}
