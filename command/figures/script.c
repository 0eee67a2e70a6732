/* SPDX-License-Identifier: Apache-2.0
 * figures/script.c: a figure as a script of gnuplot: the page, axes, labels, the key. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pages.h"
#include "script.h"
#include "text.h"

#define INK  "#303030"
#define GRID "#dcdcdc"

/* Viridis [van-der-walt-2015]: steps of lightness that the eye sees as equal. */
static const char palette[] =
    "set palette defined (0 '#440154', 1 '#482878', 2 '#3e4989', 3 '#31688e', 4 "
    "'#26828e', 5 '#1f9e89', 6 '#35b779', 7 '#6ece58', 8 '#b5de2b', 9 '#fde725')\n";

static double screen_x(const script *s, double x)
{
    return x / s->d->width;
}

static double screen_y(const script *s, double y)
{
    return y / s->d->height;
}

/* A text at a place of the page; `options` say how it is aligned and coloured. */
static void script_label(script *s, const char *text, double x, double y,
                         const char *options)
{
    fputs("set label ", s->gp);
    script_text(s, text);
    fprintf(s->gp, " at screen %.5f,%.5f %s front\n", screen_x(s, x), screen_y(s, y),
            options);
}

void script_darker(char out[8], const char *colour)
{
    unsigned long rgb = strtoul(colour + 1, NULL, 16);
    unsigned red = (unsigned)(rgb >> 16 & 0xFF) * 4 / 5;
    unsigned green = (unsigned)(rgb >> 8 & 0xFF) * 4 / 5;
    unsigned blue = (unsigned)(rgb & 0xFF) * 4 / 5;

    snprintf(out, 8, "#%02x%02x%02x", red & 0xFF, green & 0xFF, blue & 0xFF);
}

/* set xtics ('10^{-2}' 0.01, …); without texts where the axis shows none. */
static void script_ticks(script *s, const char *letter, const drawn_axis *a, bool marks,
                         bool texts, const char *options)
{
    const char *between = "";

    if (!marks) {
        fprintf(s->gp, "set %stics scale 0 nomirror (", letter);
    } else {
        fprintf(s->gp, "set %stics out scale 0.5,%s nomirror %s (", letter,
                strcmp(letter, "cb") == 0 ? "0" : "0.25", options);
    }
    for (size_t k = 0; k < a->count; k++) {
        const axis_tick *tick = &a->ticks[k];

        if (!marks && tick->minor) {
            continue;
        }
        fputs(between, s->gp);
        figure_text_write(s->gp, texts ? tick->text : "", s->d->setting->terminal->latex,
                          true);
        fprintf(s->gp, " %.10g%s", tick->at, tick->minor ? " 1" : "");
        between = ", ";
    }
    fputs(")\n", s->gp);
}

static void script_range(script *s, const char *letter, const drawn_axis *a)
{
    bool back = a->axis->reversed;

    fprintf(s->gp, axis_is_log(a->axis) ? "set logscale %s 10\n" : "unset logscale %s\n",
            letter);
    fprintf(s->gp, "set %srange [%.10g:%.10g]\n", letter, back ? a->high : a->low,
            back ? a->low : a->high);
}

/* A band has the range of its only value, or of its rows. */
static void script_band_range(script *s, const char *letter, double low, double high)
{
    fprintf(s->gp, "unset logscale %s\nset %srange [%g:%g]\n", letter, letter, low, high);
}

static figure_box panel_part(const drawn_panel *p, script_band x, script_band y)
{
    figure_box box = p->main;

    if (x == BAND_ZERO) {
        box.right = p->box.left + p->zero_x;
        box.left = p->box.left;
    }
    if (y == BAND_ZERO) {
        box.top = p->box.bottom + p->zero_y;
        box.bottom = p->box.bottom;
    } else if (y == BAND_FAILED) {
        box.bottom = p->box.top - p->failed;
        box.top = p->box.top;
    }
    return box;
}

/* Axes, ticks and borders of a part: texts stand on the outer ones only. */
static void script_axes(script *s, const drawn_panel *p, script_band x, script_band y)
{
    bool bare = p->panel->equal && !p->x.label[0] && !p->y.label[0];
    bool left = (x == BAND_ZERO || p->zero_x <= 0.0) && y != BAND_FAILED && !bare;
    bool bottom = (y == BAND_ZERO || p->zero_y <= 0.0) && y != BAND_FAILED && !bare;
    double rows = fmax((double)p->failing, 1.0);

    fprintf(s->gp, "set border %d lw 0.6 lc rgb '" INK "'\n", bottom + 2 * left);
    if (x == BAND_MAIN) {
        script_range(s, "x", &p->x);
        script_ticks(s, "x", &p->x, bottom, bottom && p->x_texts,
                     p->slanted ? "rotate by 40 right" : "offset 0,0.35");
    } else {
        script_band_range(s, "x", -1.0, 1.0);
        fprintf(s->gp, "set xtics out scale 0 nomirror offset 0,0.35 ('%s' 0)\n",
                bottom && p->x_texts ? "0" : "");
    }
    if (y == BAND_MAIN) {
        script_range(s, "y", &p->y);
        script_ticks(s, "y", &p->y, left, left && p->y_texts, "offset 0.35,0");
    } else if (y == BAND_ZERO) {
        script_band_range(s, "y", -1.0, 1.0);
        fprintf(s->gp, "set ytics out scale 0 nomirror offset 0.35,0 ('%s' 0)\n",
                left && p->y_texts ? "0" : "");
    } else {
        script_band_range(s, "y", rows, 0.0);
        fprintf(s->gp, "set ytics scale 0 nomirror offset 0.35,0 ('%s' %g)\n",
                p->y_texts && (x == BAND_ZERO || p->zero_x <= 0.0) ? "failed" : "",
                0.5 * rows);
    }
    fputs(bare || p->grids[0].count > 0 ? "unset grid\n"
                                        : "set grid xtics ytics back lt 1 lc rgb '" GRID
                                          "' lw 0.5 dt 1\n",
          s->gp);
    if (bare) {
        fputs("unset xtics\nunset ytics\n", s->gp);
    }
}

static void script_part(script *s, const drawn_panel *p, script_band x, script_band y)
{
    figure_box box = panel_part(p, x, y);

    fprintf(s->gp,
            "set lmargin at screen %.5f; set rmargin at screen %.5f\n"
            "set bmargin at screen %.5f; set tmargin at screen %.5f\n",
            screen_x(s, box.left), screen_x(s, box.right), screen_y(s, box.bottom),
            screen_y(s, box.top));
    script_axes(s, p, x, y);
    if (y == BAND_FAILED || y == BAND_ZERO || x == BAND_ZERO) {
        fputs("set object 1 rectangle from graph 0,0 to graph 1,1 behind fc rgb "
              "'#f1f1f1' fs solid noborder\n",
              s->gp);
    }
    script_plot(s, p, x, y);
    fputs("unset object\nunset label\nunset arrow\n", s->gp);
}

/* The label of an axis in the middle of `from` and `to`, in one line or two. */
static void script_axis_label(script *s, const drawn_axis *a, bool upright, double from,
                              double to, double aside)
{
    double middle = 0.5 * (from + to);
    double room = fmax((to - from) / s->d->letter, 6.0) + 2.0;
    char text[sizeof a->label];

    for (int line = 0; line < (a->second[0] ? 2 : 1); line++) {
        double shift =
            (upright ? a->second[0] ? 1.0 - line : 0.0 : line) * 1.2 * s->d->letter;

        figure_text_fit(text, sizeof text, line ? a->second : a->label, room);
        script_label(
            s, text, upright ? aside - shift : middle, upright ? middle : aside - shift,
            upright ? "center rotate by 90 tc rgb '" INK "'" : "center tc rgb '" INK "'");
    }
}

/* Labels of the axes, those that serve all panels with the first and last of them; the title. */
static void script_axis_labels(script *s, const drawn_panel *p)
{
    const drawn_figure *d = s->d;
    const drawn_panel *first = &d->panels[0];
    const drawn_panel *last = &d->panels[d->count - 1];
    const drawn_panel *end = &d->panels[d->columns - 1];
    char text[FIGURE_TEXT];

    if (p->x_label && p->x.label[0] && (!d->same_x || p == last)) {
        script_axis_label(s, &p->x, false, d->same_x ? first->box.left : p->box.left,
                          d->same_x ? end->box.right : p->box.right,
                          p->box.bottom - (panel_x_texts(p) + 0.65) * d->letter);
    }
    if (p->y_label && p->y.label[0] && (!d->same_y || p == first)) {
        double texts = panel_y_texts(p);

        for (size_t k = 0; d->same_y && k < d->count; k += d->columns) {
            texts = fmax(texts, panel_y_texts(&d->panels[k]));
        }
        script_axis_label(s, &p->y, true, d->same_y ? last->box.bottom : p->box.bottom,
                          p->box.top, p->box.left - (texts + 0.6) * d->letter);
    }
    if (p->title[0]) {
        figure_text_fit(text, sizeof text, p->title,
                        (p->box.right - p->box.left) / d->letter + 2.0);
        script_label(s, text, p->box.left, p->box.top + 0.75 * d->letter,
                     "left tc rgb '#000000'");
    }
}

static void script_ends(script *s, const drawn_panel *p)
{
    for (size_t k = 0; k < p->label_count; k++) {
        const end_label *label = &p->labels[k];
        const char *colour = script_look(s, label->series).colour;
        char options[64], dark[8];

        script_darker(dark, colour);
        snprintf(options, sizeof options, "left tc rgb '%s'", dark);
        script_label(s, label->series->name, label->x, label->y, options);
        if (label->leader) {
            fprintf(s->gp,
                    "set arrow from screen %.5f,%.5f to screen %.5f,%.5f nohead front lw "
                    "0.4 lc rgb '%s'\n",
                    screen_x(s, label->from_x), screen_y(s, label->from_y),
                    screen_x(s, label->x - 0.15 * s->d->letter), screen_y(s, label->y),
                    colour);
        }
    }
}

/* Notes stay inside their panel. */
static void script_notes(script *s, const drawn_panel *p)
{
    double letter = s->d->letter;

    for (size_t k = 0; k < p->panel->note_count; k++) {
        const figure_note *note = &p->panel->notes[k];
        double wide = figure_text_width(note->text) * letter;
        double x = axis_shows(p->x.axis, note->x) ? layout_x(p, note->x) : p->main.left;
        double y = axis_shows(p->y.axis, note->y) ? layout_y(p, note->y) : p->main.bottom;

        x = fmax(p->main.left + 0.3 * letter, fmin(x, p->main.right - wide));
        y = fmax(p->main.bottom + 0.7 * letter, fmin(y, p->main.top - 0.7 * letter));
        script_label(s, note->text, x, y, "left tc rgb '" INK "'");
    }
}

/* The scale of a heat map. */
static void script_colours(script *s, const drawn_panel *p)
{
    const figure_box *box = &p->colours;

    if (p->grids[0].count == 0) {
        fputs("unset colorbox\n", s->gp);
        return;
    }
    fputs(palette, s->gp);
    script_range(s, "cb", &p->value);
    script_ticks(s, "cb", &p->value, true, true, "offset -0.5,0");
    fprintf(s->gp,
            "set colorbox user origin screen %.5f,%.5f size screen %.5f,%.5f noborder\n",
            screen_x(s, box->left), screen_y(s, box->bottom),
            screen_x(s, box->right - box->left), screen_y(s, box->top - box->bottom));
    if (p->value.label[0]) {
        script_label(
            s, p->value.label, box->right + (axis_widest(&p->value) + 1.5) * s->d->letter,
            0.5 * (box->bottom + box->top), "center rotate by 90 tc rgb '" INK "'");
    }
}

static void script_panel(script *s, const drawn_panel *p)
{
    fputc('\n', s->gp);
    s->alone = panel_is_alone(p->panel);
    script_axis_labels(s, p);
    script_ends(s, p);
    script_notes(s, p);
    script_colours(s, p);
    script_part(s, p, BAND_MAIN, BAND_MAIN);
    fputs("unset colorbox\n", s->gp);
    for (int x = 0; x < 2; x++) {
        if (x == 1 && p->zero_x <= 0.0) {
            continue;
        }
        if (p->failed > 0.0) {
            script_part(s, p, x ? BAND_ZERO : BAND_MAIN, BAND_FAILED);
        }
        if (p->zero_y > 0.0) {
            script_part(s, p, x ? BAND_ZERO : BAND_MAIN, BAND_ZERO);
        }
        if (x == 1) {
            script_part(s, p, BAND_ZERO, BAND_MAIN);
        }
    }
}

static bool series_is_filled(const figure_series *s)
{
    return s->form == FIGURE_BARS || s->form == FIGURE_BOXES || s->form == FIGURE_AREA ||
           s->form == FIGURE_DOTS || s->form == FIGURE_CELLS;
}

/* The line without a name that joins the points of a series; NULL: there is none. */
static const figure_series *script_joins(const script *s, const figure_series *points)
{
    for (size_t p = 0; p < s->d->figure->count; p++) {
        const figure_panel *panel = s->d->figure->panels[p];

        for (size_t k = 0; k < panel->count; k++) {
            const figure_series *line = panel->series[k];

            if (line->form == FIGURE_LINE && !line->name[0] && !line->muted &&
                strcmp(line->owner, points->owner) == 0) {
                return line;
            }
        }
    }
    return NULL;
}

/* A sample of the series, its line and its marker, and its name. */
static void script_key_entry(script *s, const figure_series *series, double x, double y)
{
    double letter = s->d->letter;
    const figure_series *line =
        series->form == FIGURE_POINTS ? script_joins(s, series) : series;
    char text[FIGURE_NAME];

    if (series_is_filled(series)) {
        fprintf(s->gp,
                "set object rectangle from screen %.5f,%.5f to screen %.5f,%.5f front fc "
                "rgb '%s' fs solid 0.85 noborder\n",
                screen_x(s, x + 0.6 * letter), screen_y(s, y - 0.35 * letter),
                screen_x(s, x + 2.2 * letter), screen_y(s, y + 0.35 * letter),
                script_look(s, series).colour);
    } else if (line) {
        fprintf(s->gp,
                "set arrow from screen %.5f,%.5f to screen %.5f,%.5f nohead front ",
                screen_x(s, x), screen_y(s, y), screen_x(s, x + 2.2 * letter),
                screen_y(s, y));
        script_line(s, line, series->form == FIGURE_GUIDE ? 0.7 : 1.2);
        fputc('\n', s->gp);
    }
    if (series->form == FIGURE_POINTS || series->form == FIGURE_CURVE ||
        series->form == FIGURE_STEPS) {
        fprintf(s->gp, "set label '' at screen %.5f,%.5f front point ",
                screen_x(s, x + 1.1 * letter), screen_y(s, y));
        script_marker(s, series);
        fputc('\n', s->gp);
    }
    figure_text_fit(text, sizeof text, series->name, s->d->key.pitch / letter - 2.6);
    script_label(s, text, x + 2.6 * letter, y, "left tc rgb '" INK "'");
}

static void script_key(script *s)
{
    const drawn_key *key = &s->d->key;
    double left = 0.5 * (s->d->width - (double)key->columns * key->pitch);

    for (size_t k = 0; k < key->count; k++) {
        size_t row = k / key->columns;

        script_key_entry(s, key->entries[k],
                         left + key->pitch * (double)(k % key->columns) +
                             0.5 * s->d->letter,
                         key->box.top - (0.625 + 1.25 * (double)row) * s->d->letter);
    }
}

void script_write(const drawn_figure *d, const figure_style_table *style, FILE *gp,
                  FILE *dat)
{
    script s = {.d = d, .style = style, .gp = gp, .dat = dat};
    const figure_terminal *t = d->setting->terminal;

    fprintf(gp, "# %s: drawn by perp; draw again with: gnuplot %s.gp\n", d->figure->name,
            d->figure->name);
    fprintf(dat, "# %s.dat: data of %s.gp, which loads them\n\n", d->figure->name,
            d->figure->name);
    fputs("set encoding utf8\n", gp);
    pages_write_terminal(gp, d);
    fprintf(gp, "set output '%s%s'\nload '%s.dat'\n", d->figure->name, t->extension,
            d->figure->name);
    fputs("unset key\nset multiplot\n", gp);
    script_key(&s);
    if (d->setting->titles && d->figure->title[0]) {
        char text[FIGURE_TEXT];

        figure_text_fit(text, sizeof text, d->figure->title, d->width / d->letter - 1.0);
        script_label(&s, text, 0.5 * d->width, d->height - 0.9 * d->letter,
                     "center tc rgb '#000000'");
    }
    for (size_t k = 0; k < d->count; k++) {
        script_panel(&s, &d->panels[k]);
    }
    fputs("\nunset multiplot\nunset output\n", gp);
}
