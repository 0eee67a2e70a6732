/* SPDX-License-Identifier: Apache-2.0
 * figures/ends.c: names of series at their ends, moved apart where they would overlap. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "command/cli/take.h"
#include "layout.h"
#include "text.h"

/* The last point that is shown; false: there is none. */
static bool ends_find(const drawn_panel *p, const figure_series *s, double *x, double *y)
{
    bool found = false;
    double furthest = -INFINITY;

    for (size_t k = 0; k < s->count; k++) {
        const figure_point *point = &s->points[k];

        if (!axis_shows(p->x.axis, point->x) || !axis_shows(p->y.axis, point->y) ||
            layout_x(p, point->x) < furthest) {
            continue;
        }
        furthest = layout_x(p, point->x);
        *x = fmin(furthest, p->main.right);
        *y = fmax(fmin(layout_y(p, point->y), p->main.top), p->main.bottom);
        found = true;
    }
    return found;
}

/* Areas are labelled in the middle of their right edges. */
static bool ends_find_area(const drawn_panel *p, size_t area, double *x, double *y)
{
    const area_stack *stack = &p->stack;
    size_t last = stack->count - 1;
    size_t at = area * stack->count + last;
    double above[2] = {0.0, 0.0};
    double below[2] = {0.0, 0.0};
    bool up = false;

    if (stack->count == 0) {
        return false;
    }
    above[1] = stack->above[at];
    below[1] = stack->below[at];
    above[0] = area ? stack->above[at - stack->count] : 0.0;
    below[0] = area ? stack->below[at - stack->count] : 0.0;
    up = above[1] - above[0] >= below[0] - below[1];
    *x = p->main.right;
    *y = layout_y(p, up ? 0.5 * (above[0] + above[1]) : 0.5 * (below[0] + below[1]));
    return true;
}

/* Labels ascend as their ends do. */
static int by_height(const void *a, const void *b)
{
    double x = ((const end_label *)a)->from_y;
    double y = ((const end_label *)b)->from_y;

    return (x > y) - (x < y);
}

/* The same, but ends far from the margin come lower: their lines pass below the other curves. */
static int by_height_and_place(const void *a, const void *b)
{
    const end_label *first = a;
    const end_label *second = b;
    double x = first->from_y + 0.12 * first->from_x;
    double y = second->from_y + 0.12 * second->from_x;

    return (x > y) - (x < y);
}

/* Move the labels, which ascend, as little as it takes to have `pitch` between neighbours and to
 * stay inside: y[k] - k pitch must not descend. Neighbours that do are merged into groups, each at
 * the mean of its members; x has the sizes of the groups for a while, y their sums. */
static void ends_spread(end_label *labels, size_t count, double pitch, double low,
                        double high)
{
    double highest = fmax(low, high - pitch * (double)(count ? count - 1 : 0));
    size_t groups = 0;

    for (size_t k = 0; k < count; k++) {
        labels[groups].x = 1.0;
        labels[groups].y = labels[k].from_y - pitch * (double)k;
        groups++;
        while (groups > 1 && labels[groups - 2].y / labels[groups - 2].x >
                                 labels[groups - 1].y / labels[groups - 1].x) {
            labels[groups - 2].y += labels[groups - 1].y;
            labels[groups - 2].x += labels[groups - 1].x;
            groups--;
        }
    }
    for (size_t k = count; groups-- > 0;) {
        double mean = fmax(low, fmin(highest, labels[groups].y / labels[groups].x));

        for (size_t size = (size_t)labels[groups].x; size > 0; size--) {
            k--;
            labels[k].y = mean + pitch * (double)k;
        }
    }
}

bool ends_is_near(const figure_series *s)
{
    return s->form == FIGURE_POINTS && s->count == 1;
}

/* How much a label at its place covers: other ends, labels before it, what is not the plot. */
static double ends_cost(const drawn_panel *p, size_t own, double letter)
{
    const end_label *label = &p->labels[own];
    double right = label->x + label->width;
    double cost = 0.0;

    if (label->x < p->main.left || right > p->box.right + 0.5 * letter ||
        label->y - 0.6 * letter < p->main.bottom ||
        label->y + 0.6 * letter > p->main.top) {
        cost += 3.0;
    }
    for (size_t k = 0; k < p->label_count; k++) {
        const end_label *other = &p->labels[k];

        if (k != own && other->from_x > label->x - 0.3 * letter &&
            other->from_x < right + 0.3 * letter &&
            fabs(other->from_y - label->y) < 0.8 * letter) {
            cost += 1.0;
        }
        if (k < own && other->x < right && other->x + other->width > label->x &&
            fabs(other->y - label->y) < 1.1 * letter) {
            cost += 2.0;
        }
    }
    return cost;
}

/* A single point has its label next to it: the first place that covers least. */
static void ends_place_near(drawn_panel *p, size_t own, double letter)
{
    end_label *label = &p->labels[own];
    double half = 0.5 * label->width;
    double w = label->width + 0.6 * letter;
    const double places[][2] = {{0.6 * letter, 0.0},    {-w, 0.0},
                                {-half, letter},        {-half, -letter},
                                {0.4 * letter, letter}, {0.4 * letter, -letter},
                                {-w, letter},           {-w, -letter}};
    double least = INFINITY;
    size_t best = 0;

    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        double cost = 0.0;

        label->x = label->from_x + places[k][0];
        label->y = label->from_y + places[k][1];
        cost = ends_cost(p, own, letter);
        if (cost < least) {
            least = cost;
            best = k;
        }
    }
    label->x = label->from_x + places[best][0];
    label->y = label->from_y + places[best][1];
    label->leader = false;
}

static bool ends_are_near(const drawn_panel *p)
{
    bool near = p->label_count > 0;

    for (size_t k = 0; k < p->label_count; k++) {
        near = near && ends_is_near(p->labels[k].series);
    }
    return near;
}

/* On which side of the line from a to b is the point? */
static double ends_side(const double a[2], const double b[2], const double point[2])
{
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]);
}

/* How often the lines to the labels cross curves of others. */
static size_t ends_crossings(const drawn_panel *p)
{
    size_t crossings = 0;

    for (size_t k = 0; k < p->label_count; k++) {
        const end_label *label = &p->labels[k];
        const double from[2] = {label->from_x, label->from_y};
        const double to[2] = {label->x, label->y};

        for (size_t s = 0; s < p->panel->count; s++) {
            const figure_series *series = p->panel->series[s];
            bool curve = series->form <= FIGURE_STEPS && series->form != FIGURE_POINTS;

            for (size_t i = 1; curve && series != label->series && i < series->count;
                 i++) {
                const figure_point *b = &series->points[i - 1];
                const double start[2] = {layout_x(p, b[0].x), layout_y(p, b[0].y)};
                const double end[2] = {layout_x(p, b[1].x), layout_y(p, b[1].y)};

                crossings +=
                    ends_side(from, to, start) * ends_side(from, to, end) < 0.0 &&
                    ends_side(start, end, from) * ends_side(start, end, to) < 0.0;
            }
        }
    }
    return crossings;
}

/* Labels in the margin, in the given order of their ends. */
static void ends_place_far(const drawn_figure *d, drawn_panel *p,
                           int (*order)(const void *a, const void *b))
{
    qsort(p->labels, p->label_count, sizeof *p->labels, order);
    ends_spread(p->labels, p->label_count, 1.15 * d->letter, p->box.bottom, p->box.top);
    for (size_t k = 0; k < p->label_count; k++) {
        end_label *label = &p->labels[k];

        label->x = p->box.right + 0.8 * d->letter;
        label->leader = fabs(label->y - label->from_y) > 0.1 * d->letter ||
                        label->from_x < p->main.right - 0.3 * d->letter;
    }
}

void ends_place(drawn_figure *d, drawn_panel *p)
{
    size_t crossings = 0;

    free(p->labels);
    p->label_count = 0;
    p->labels = take(p->panel->count + 1, sizeof *p->labels);
    for (size_t s = 0, area = 0; s < p->panel->count; s++) {
        const figure_series *series = p->panel->series[s];
        end_label *label = &p->labels[p->label_count];
        bool found = series->form == FIGURE_AREA
                         ? ends_find_area(p, area, &label->from_x, &label->from_y)
                         : ends_find(p, series, &label->from_x, &label->from_y);

        area += series->form == FIGURE_AREA;
        if (found && series_is_named(p->panel, series)) {
            label->series = series;
            label->width = figure_text_width(series->name) * d->letter;
            p->label_count++;
        }
    }
    if (ends_are_near(p)) {
        for (size_t k = 0; k < p->label_count; k++) {
            ends_place_near(p, k, d->letter);
        }
        return;
    }
    ends_place_far(d, p, by_height_and_place);
    crossings = ends_crossings(p);
    ends_place_far(d, p, by_height);
    if (ends_crossings(p) > crossings) {
        ends_place_far(d, p, by_height_and_place);
    }
}
