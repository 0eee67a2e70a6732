/* SPDX-License-Identifier: Apache-2.0
 * figures/layout.c: where everything of a figure is. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "layout.h"
#include "text.h"

/* The rules of draw.h; widths are in letters. */
#define LEAST_SHARE 0.66
enum { MOST_DIRECT = 6 };

/* Has the series an end where a name can stand? Clouds of points have none. */
static bool series_has_end(const figure_panel *p, const figure_series *s)
{
    if (s->form == FIGURE_POINTS) {
        return ends_is_near(s) || panel_named(p, false) == 1;
    }
    return s->form <= FIGURE_STEPS || s->form == FIGURE_AREA || s->form == FIGURE_GUIDE;
}

double layout_x(const drawn_panel *p, double x)
{
    return p->main.left + axis_place(&p->x, x) * (p->main.right - p->main.left);
}

double layout_y(const drawn_panel *p, double y)
{
    return p->main.bottom + axis_place(&p->y, y) * (p->main.top - p->main.bottom);
}

static bool panels_name_the_same(const figure_panel *a, const figure_panel *b)
{
    bool same = panel_named(a, true) == panel_named(b, true);

    for (size_t s = 0, t = 0; same && s < a->count; s++) {
        if (!series_is_named(a, a->series[s])) {
            continue;
        }
        while (!series_is_named(b, b->series[t])) {
            t++;
        }
        same = strcmp(a->series[s]->name, b->series[t++]->name) == 0;
    }
    return same;
}

/* Are all named series of the panel single points, whose names stand next to them? */
static bool panel_is_near(const drawn_panel *p)
{
    bool near = true;

    for (size_t s = 0; s < p->panel->count; s++) {
        near = near && (!series_is_named(p->panel, p->panel->series[s]) ||
                        ends_is_near(p->panel->series[s]));
    }
    return near;
}

/* Labels of ends are left out where the panel right of it has the same. */
static bool panel_has_labels(const drawn_figure *d, const drawn_panel *p)
{
    size_t next = (size_t)(p - d->panels) + 1;
    bool same = next < d->count && p->column + 1 < d->columns &&
                panels_name_the_same(p->panel, d->panels[next].panel);

    return !p->focus && (!same || panel_is_near(p));
}

/* Width of the margin that the labels of a panel need, in points. */
static double panel_label_width(const drawn_figure *d, const drawn_panel *p)
{
    double widest = 0.0;

    for (size_t s = 0; s < p->panel->count; s++) {
        if (series_is_named(p->panel, p->panel->series[s])) {
            widest = fmax(widest, figure_text_width(p->panel->series[s]->name));
        }
    }
    return panel_has_labels(d, p) && !panel_is_near(p) ? widest * d->letter : 0.0;
}

/* Are series labelled at their ends, or in a key? */
static void layout_choose(drawn_figure *d)
{
    double widest = 0.0;
    size_t most = 0;

    d->direct = true;
    for (size_t k = 0; k < d->count; k++) {
        const figure_panel *p = d->panels[k].panel;
        size_t named = panel_named(p, false);

        most = named > most ? named : most;
        widest = fmax(widest, panel_label_width(d, &d->panels[k]));
        for (size_t s = 0; s < p->count; s++) {
            d->direct = d->direct && (series_has_end(p, p->series[s]) ||
                                      !series_is_named(p, p->series[s]));
        }
    }
    d->direct = d->direct && most <= MOST_DIRECT &&
                widest <= (d->columns == 1 ? 0.4 : 0.35) * d->width / (double)d->columns;
}

/* Sizes around the panels of a row or column. */
typedef struct layout_margins {
    double *left, *right, *top, *bottom;
} layout_margins;

static double axis_lines(const drawn_axis *a)
{
    return a->label[0] ? a->second[0] ? 2.0 : 1.0 : 0.0;
}

/* Letters between the plot and the label of y: ticks and their texts. */
double panel_y_texts(const drawn_panel *p)
{
    double texts = axis_widest(&p->y);

    if (p->failed > 0.0) {
        texts = fmax(texts, figure_text_width("failed"));
    }
    return texts > 0.0 ? texts + 1.0 : 0.0;
}

/* The same below it; slanted texts reach down by sin 40° of their width. */
double panel_x_texts(const drawn_panel *p)
{
    double texts = axis_widest(&p->x);

    return texts <= 0.0 ? 0.0 : p->slanted ? 0.65 * texts + 1.3 : 1.6;
}

/* Left of the panel: ticks, their texts, the label. */
static double panel_left(const drawn_figure *d, const drawn_panel *p)
{
    double first = 0.0;
    double left = 0.5 * d->letter;

    if (p->y_texts) {
        left = (panel_y_texts(p) + (p->y_label ? 1.4 * axis_lines(&p->y) : 0.0) + 0.3) *
               d->letter;
    }
    if (p->slanted && p->x_texts && p->x.count > 0) {
        first = axis_place(&p->x, p->x.ticks[0].at) * (p->box.right - p->box.left);
        left = fmax(left, (0.77 * axis_widest(&p->x) + 0.8) * d->letter - first);
    }
    return left;
}

/* Right of it: labels of ends, the scale of a heat map, half the text of the last tick. */
static double panel_right(const drawn_figure *d, const drawn_panel *p)
{
    double right = 0.6 * d->letter;
    double labels = d->direct ? panel_label_width(d, p) : 0.0;

    if (!p->slanted && p->x.count > 0 && p->x_texts) {
        const axis_tick *last = &p->x.ticks[p->x.count - 1];
        double over = figure_text_width(last->text) * 0.5 * d->letter -
                      (1.0 - axis_place(&p->x, last->at)) * (p->box.right - p->box.left);

        right = fmax(right, over + 0.2 * d->letter);
    }
    if (labels > 0.0) {
        right = fmax(right, labels + 1.2 * d->letter);
    }
    if (p->grids[0].count > 0) {
        right =
            (2.6 + axis_widest(&p->value) + (p->value.label[0] ? 1.5 : 0.0)) * d->letter;
    }
    return right;
}

static double panel_bottom(const drawn_figure *d, const drawn_panel *p)
{
    if (!p->x_texts) {
        return 0.5 * d->letter;
    }
    return (panel_x_texts(p) + (p->x_label ? 1.3 * axis_lines(&p->x) : 0.0) + 0.3) *
           d->letter;
}

static double panel_top(const drawn_figure *d, const drawn_panel *p)
{
    return (p->title[0] ? 1.5 : 0.7) * d->letter;
}

static void layout_measure(const drawn_figure *d, const layout_margins *m)
{
    for (size_t k = 0; k < d->columns; k++) {
        m->left[k] = m->right[k] = 0.0;
    }
    for (size_t k = 0; k < d->rows; k++) {
        m->top[k] = m->bottom[k] = 0.0;
    }
    for (size_t k = 0; k < d->count; k++) {
        const drawn_panel *p = &d->panels[k];

        m->left[p->column] = fmax(m->left[p->column], panel_left(d, p));
        m->right[p->column] = fmax(m->right[p->column], panel_right(d, p));
        m->top[p->row] = fmax(m->top[p->row], panel_top(d, p));
        m->bottom[p->row] = fmax(m->bottom[p->row], panel_bottom(d, p));
    }
}

/* Height of the panels of all rows, from their width and from what stands around them. */
static double layout_panel_height(const drawn_figure *d, double wide, double around)
{
    double rows = (double)d->rows;
    double outer = d->width / (double)d->columns;
    double aspect = d->columns > 1 ? 0.78 : outer > 40.0 * d->letter ? 0.5 : 0.66;
    double high = aspect * outer - around / rows;

    if (d->setting->height > 0.0) {
        return fmax(d->setting->height - (around - d->key.box.top) / rows,
                    2.0 * d->letter);
    }
    if (d->count > 0 && d->panels[0].focus) {
        high = 0.62 * wide;
    }
    for (size_t k = 0; k < d->count; k++) {
        const drawn_panel *p = &d->panels[k];

        if (p->panel->equal) {
            double ratio = (p->y.high - p->y.low) / (p->x.high - p->x.low);

            high = fmin(wide * ratio, 1.2 * wide);
        } else if (p->y.axis->scale == FIGURE_CATEGORIES) {
            high = fmax(high, 1.35 * d->letter * (double)p->y.axis->name_count);
        }
    }
    high = fmax(high, around * LEAST_SHARE / (1.0 - LEAST_SHARE) / rows);
    return fmax(high, (5.0 * d->key.box.top - around) / rows);
}

/* Inside the box: bands at the borders, gaps, the plot. An equal panel is as wide as its units
 * ask for, in the middle. */
static void panel_divide(const drawn_figure *d, drawn_panel *p)
{
    double gap = 0.25 * d->letter;

    if (p->panel->equal) {
        double high = p->box.top - p->box.bottom;
        double wide = p->box.right - p->box.left;
        double ratio = (p->x.high - p->x.low) / (p->y.high - p->y.low);
        double less = fmax(0.0, wide - high * ratio);

        p->box.left += 0.5 * less;
        p->box.right -= 0.5 * less;
        if (wide < high * ratio) {
            p->box.bottom += 0.5 * (high - wide / ratio);
            p->box.top -= 0.5 * (high - wide / ratio);
        }
    }
    p->main = p->box;
    p->main.top -= p->failed > 0.0 ? p->failed + gap : 0.0;
    p->main.left += p->zero_x > 0.0 ? p->zero_x + gap : 0.0;
    p->main.bottom += p->zero_y > 0.0 ? p->zero_y + gap : 0.0;
    p->colours = (figure_box){p->box.right + 0.8 * d->letter, p->main.bottom,
                              p->box.right + 1.6 * d->letter, p->main.top};
}

static void layout_place(drawn_figure *d, const layout_margins *m)
{
    double title = d->setting->titles && d->figure->title[0] ? 1.6 * d->letter : 0.0;
    double around = d->key.box.top + title;
    double wide = d->width;
    double high = 0.0;
    double top = 0.0;

    for (size_t k = 0; k < d->columns; k++) {
        wide -= m->left[k] + m->right[k];
    }
    for (size_t k = 0; k < d->rows; k++) {
        around += m->top[k] + m->bottom[k];
    }
    wide = fmax(wide / (double)d->columns, 2.0 * d->letter);
    high = layout_panel_height(d, wide, around);
    d->height = around + high * (double)d->rows;
    top = d->height - title;
    for (size_t row = 0, k = 0; row < d->rows; row++) {
        double left = 0.0;

        top -= m->top[row];
        for (size_t column = 0; column < d->columns && k < d->count; column++, k++) {
            left += m->left[column];
            d->panels[k].box = (figure_box){left, top - high, left + wide, top};
            left += wide + m->right[column];
            panel_divide(d, &d->panels[k]);
        }
        top -= high + m->bottom[row];
    }
}

/* Ticks for the present size of the panels. */
static void layout_ticks(drawn_figure *d)
{
    for (size_t k = 0; k < d->count; k++) {
        drawn_panel *p = &d->panels[k];
        double wide = (p->main.right - p->main.left) / d->letter;
        double high = (p->main.top - p->main.bottom) / d->letter;

        p->y.limit = 0.35 * d->width / d->letter / (double)d->columns;
        p->x.limit = 12.0;
        axis_ticks(&p->x, wide, true);
        axis_ticks(&p->y, high, false);
        high = (p->box.top - p->box.bottom) / d->letter;
        axis_wrap(&p->x, fmax(6.0, d->same_x ? d->width / d->letter - 8.0 : wide));
        axis_wrap(&p->y, fmax(6.0, d->same_y ? high * (double)d->rows : high));
        if (p->grids[0].count > 0) {
            axis_ticks(&p->value, high, false);
        }
        p->slanted = p->x.axis->scale == FIGURE_CATEGORIES &&
                     (axis_widest(&p->x) + 0.8) * (double)p->x.count > wide;
    }
}

void layout_new(drawn_figure *d, const figure *f, const figure_setting *setting)
{
    layout_margins m = {0};
    double *margins = NULL;

    *d = (drawn_figure){.figure = f, .setting = setting, .letter = setting->points};
    d->width = setting->page->width * 72.0 / 25.4;
    panels_new(d);
    margins = take(2 * (d->columns + d->rows), sizeof *margins);
    m = (layout_margins){margins, margins + d->columns, margins + 2 * d->columns,
                         margins + 2 * d->columns + d->rows};
    layout_choose(d);
    key_new(d);
    /* Ticks depend on sizes, and sizes on the texts of ticks: three rounds are enough. */
    for (int round = 0; round < 3; round++) {
        layout_measure(d, &m);
        layout_place(d, &m);
        layout_ticks(d);
    }
    layout_measure(d, &m);
    layout_place(d, &m);
    for (size_t k = 0; d->direct && k < d->count; k++) {
        if (panel_has_labels(d, &d->panels[k])) {
            ends_place(d, &d->panels[k]);
        }
    }
    free(margins);
}

double layout_share(const drawn_figure *d)
{
    double share = 0.0;

    for (size_t k = 0; k < d->count; k += d->columns) {
        share += (d->panels[k].box.top - d->panels[k].box.bottom) / d->height;
    }
    return share;
}

void layout_free(drawn_figure *d)
{
    for (size_t k = 0; k < d->count; k++) {
        drawn_panel *p = &d->panels[k];

        axis_free(&p->x);
        axis_free(&p->y);
        axis_free(&p->value);
        area_stack_free(&p->stack);
        cell_grid_free(&p->grids[0]);
        cell_grid_free(&p->grids[1]);
        free(p->labels);
    }
    free(d->panels);
    free(d->key.entries);
    *d = (drawn_figure){0};
}
