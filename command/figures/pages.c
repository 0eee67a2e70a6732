/* SPDX-License-Identifier: Apache-2.0
 * figures/pages.c: the pages and terminals that figures are made for. */
#include <config.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "pages.h"

const figure_page figure_pages[] = {
    {"column", "one column of a journal, 84 mm", "pdfcairo", 84.0, 8.0},
    {"double", "both columns of a journal, 174 mm", "pdfcairo", 174.0, 8.0},
    {"slide", "a slide, 254 mm with large letters", "pdfcairo", 254.0, 16.0},
    {"screen", "a page of a browser, 640 pixels", "svg", 640.0 * 25.4 / 96.0, 10.0},
    {NULL, NULL, NULL, 0.0, 0.0},
};

/* Points of cairo are 6 pt wide, those of SVG grow with the letters (0: 0.75 of a letter). */
const figure_terminal figure_terminals[] = {
    {"pdfcairo", ".pdf", "", false, "pdfcairo", 6.0, 0.275},
    {"svg", ".svg", "", false, "svg", 0.0, 0.5},
    {"png", ".png", "", false, "pngcairo", 6.0, 0.25},
    {"cairolatex", ".tex", "cairolatex", true, "cairolatex", 6.0, 0.275},
    {"tikz", ".tex", "tikz", true, "tikz", 3.2, 1.0},
    {NULL, NULL, NULL, false, NULL, 0.0, 0.0},
};

/* Dots of a PNG per inch. */
#define PNG_DPI 300.0

static const figure_page *page_find(const char *name)
{
    const figure_page *page = figure_pages;

    while (page->name && strcmp(page->name, name) != 0) {
        page++;
    }
    return page->name ? page : NULL;
}

static const figure_terminal *terminal_find(const char *name)
{
    const figure_terminal *t = figure_terminals;

    while (t->name && strcmp(t->name, name) != 0 && strcmp(t->driver, name) != 0) {
        t++;
    }
    return t->name ? t : NULL;
}

/* Points per unit, 0 for an unknown one; without a unit inches. */
static double unit_points(const char *unit)
{
    static const struct {
        const char *name;
        double points;
    } units[] = {{"", 72.0},          {"in", 72.0}, {"mm", 72.0 / 25.4},
                 {"cm", 72.0 / 2.54}, {"pt", 1.0},  {"px", 0.75}};

    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        if (strcmp(units[k].name, unit) == 0) {
            return units[k].points;
        }
    }
    return 0.0;
}

/* "84mmx60mm", "84x60mm", "3.4x2.6" */
static perp_status pages_read_size(figure_setting *s, const char *size, perp_error *err)
{
    char *end = NULL;
    char units[2][4] = {"", ""};
    double sides[2] = {0.0, 0.0};
    bool good = true;

    for (int k = 0; k < 2 && good; k++) {
        size_t n = 0;

        sides[k] = strtod(k == 0 ? size : end, &end);
        while (isalpha((unsigned char)*end) && *end != 'x' && n < 3) {
            units[k][n++] = *end++;
        }
        if (n == 1 && units[k][0] == 'p' && *end == 'x') { /* px, not p times … */
            units[k][1] = *end++;
        }
        good = *end == (k == 0 ? 'x' : '\0');
        end += good && k == 0;
    }
    memcpy(units[0], units[0][0] ? units[0] : units[1], sizeof units[0]);
    memcpy(units[1], units[1][0] ? units[1] : units[0], sizeof units[1]);
    s->width = sides[0] * unit_points(units[0]);
    s->height = sides[1] * unit_points(units[1]);
    if (!good || !(s->width >= 36.0) || !(s->height >= 36.0) || !(s->width <= 2880.0) ||
        !(s->height <= 2880.0)) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "size is \"%s\", expected WIDTHxHEIGHT in mm, cm, in, pt or px, "
                         "such as 84mmx60mm, each from 0.5 to 40 inches",
                         size);
    }
    return PERP_OK;
}

static perp_status pages_read_font(figure_setting *s, const char *font, perp_error *err)
{
    const char *comma = strrchr(font, ',');
    size_t length = comma ? (size_t)(comma - font) : strlen(font);
    char *end = NULL;
    bool good = length < sizeof s->face;

    if (comma) {
        s->points = strtod(comma + 1, &end);
        good = good && end != comma + 1 && *end == '\0' && s->points >= 3.0 &&
               s->points <= 72.0;
    }
    for (size_t k = 0; k < length && good; k++) {
        good = isalnum((unsigned char)font[k]) || strchr(" .-_", font[k]);
        s->face[k] = font[k];
        s->face[k + 1 < sizeof s->face ? k + 1 : k] = '\0';
    }
    return good ? PERP_OK
                : perp_fail(err, PERP_ERR_OPTION,
                            "font is \"%s\", expected NAME,SIZE with a size from 3 to 72",
                            font);
}

static perp_status pages_unknown(const char *what, const char *name, bool page,
                                 perp_error *err)
{
    char list[256] = "";

    for (size_t k = 0; page ? figure_pages[k].name : figure_terminals[k].name; k++) {
        size_t used = strlen(list);

        snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "",
                 page ? figure_pages[k].name : figure_terminals[k].name);
    }
    return perp_fail(err, PERP_ERR_OPTION, "unknown %s \"%s\", expected one of: %s", what,
                     name, list);
}

perp_status pages_resolve(figure_setting *s, const figure_request *request,
                          perp_error *err)
{
    static const figure_request none;
    const figure_request *r = request ? request : &none;
    perp_status status = PERP_OK;

    *s = (figure_setting){.page = page_find(r->page ? r->page : "screen"),
                          .face = "Helvetica",
                          .titles = r->titles,
                          .scripts = r->scripts,
                          .data = r->data};
    if (!s->page) {
        return pages_unknown("page", r->page, true, err);
    }
    s->terminal = terminal_find(r->terminal ? r->terminal : s->page->terminal);
    s->points = s->page->points;
    if (!s->terminal) {
        return pages_unknown("terminal", r->terminal, false, err);
    }
    if (r->size) {
        status = pages_read_size(s, r->size, err);
    }
    if (status == PERP_OK && r->font) {
        status = pages_read_font(s, r->font, err);
    }
    return status;
}

perp_status figure_request_check(const figure_request *request, perp_error *err)
{
    figure_setting setting;

    return pages_resolve(&setting, request, err);
}

/* Letters have the size of the setting. A line width of 1 is 1 pt in every terminal where letters
 * have 8 pt, and grows with them. */
void pages_write_terminal(FILE *gp, const drawn_figure *d)
{
    const figure_terminal *t = d->setting->terminal;
    double wide = d->width / 72.0;
    double high = d->height / 72.0;
    double line = d->letter / 8.0;

    fprintf(gp, "set terminal %s ", t->driver);
    if (strcmp(t->name, "svg") == 0) {
        fprintf(gp,
                "enhanced size %.0f,%.0f font '%s,%.2f' linewidth %.3f background "
                "'#ffffff' name '",
                96.0 * wide, 96.0 * high, d->setting->face, d->letter * 96.0 / 72.0,
                line * 96.0 / 72.0);
        for (const char *c = d->figure->name; *c; c++) {
            fputc(isalnum((unsigned char)*c) ? *c : '_', gp);
        }
        fputs("'\n", gp);
    } else if (strcmp(t->name, "png") == 0) {
        fprintf(gp,
                "enhanced size %.0f,%.0f font '%s,%g' fontscale %.3f linewidth %.3f "
                "pointscale %.3f\n",
                PNG_DPI * wide, PNG_DPI * high, d->setting->face, d->letter,
                PNG_DPI / 96.0, line * PNG_DPI / 72.0, PNG_DPI / 72.0);
    } else if (strcmp(t->name, "cairolatex") == 0) {
        fprintf(gp, "pdf size %.4fin,%.4fin linewidth %.3f colortext\n", wide, high,
                4.0 * line);
    } else if (strcmp(t->name, "tikz") == 0) {
        fprintf(gp, "size %.4fin,%.4fin font ',%g' linewidth %.3f\n", wide, high,
                d->letter, 2.5 * line);
    } else {
        fprintf(
            gp,
            "enhanced size %.4fin,%.4fin font '%s,%g' fontscale 0.75 linewidth %.3f\n",
            wide, high, d->setting->face, d->letter, 2.0 * line);
    }
}
