/* SPDX-License-Identifier: Apache-2.0
 * figures/axis.c: the range of an axis and its ticks.
 *
 * Ticks are chosen here and not by gnuplot, since the layout must know how wide their texts are
 * before anything is drawn. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"
#include "command/cli/take.h"
#include "text.h"

void axis_init(drawn_axis *a, const figure_axis *axis)
{
    *a = (drawn_axis){.axis = axis, .low = INFINITY, .high = -INFINITY};
}

void axis_free(drawn_axis *a)
{
    free(a->ticks);
    a->ticks = NULL;
    a->count = a->room = 0;
}

bool axis_is_log(const figure_axis *axis)
{
    return axis->scale == FIGURE_LOG10 || axis->scale == FIGURE_LOG2;
}

bool axis_shows(const figure_axis *axis, double value)
{
    return isfinite(value) && (value > 0.0 || !axis_is_log(axis));
}

void axis_include(drawn_axis *a, double value)
{
    if (axis_shows(a->axis, value)) {
        a->low = fmin(a->low, value);
        a->high = fmax(a->high, value);
    } else if (isfinite(value)) {
        a->zeros = true;
    }
}

void axis_merge(drawn_axis *a, const drawn_axis *b)
{
    a->low = fmin(a->low, b->low);
    a->high = fmax(a->high, b->high);
    a->baseline = a->baseline || b->baseline;
    a->tight = a->tight && b->tight;
    a->zeros = a->zeros || b->zeros;
}

static void axis_close_log(drawn_axis *a)
{
    double room = a->tight ? 0.01 : 0.05;
    double factor = 1.0;

    if (!(a->low <= a->high)) {
        a->low = 1.0;
        a->high = 10.0;
    }
    if (a->high < 1.5 * a->low) {
        a->low /= 1.5;
        a->high *= 1.5;
    }
    factor = pow(a->high / a->low, room);
    a->low /= factor;
    a->high *= factor;
}

static void axis_close_linear(drawn_axis *a)
{
    double room = 0.0;
    double low = 0.0;
    double high = 0.0;

    if (a->baseline) {
        axis_include(a, 0.0);
    }
    if (!(a->low <= a->high)) {
        a->low = 0.0;
        a->high = 1.0;
    }
    if (a->high - a->low <= 1e-12 * fmax(fabs(a->low), fabs(a->high))) {
        double half = a->low == 0.0 ? 1.0 : 0.1 * fabs(a->low);

        a->low -= half;
        a->high += half;
    }
    room = (a->tight ? 0.0 : 0.05) * (a->high - a->low);
    low = a->low - room;
    high = a->high + room;
    a->low = a->baseline && a->low == 0.0 ? 0.0 : low;
    a->high = a->baseline && a->high == 0.0 ? 0.0 : high;
}

void axis_close(drawn_axis *a)
{
    const figure_axis *axis = a->axis;

    if (axis->scale == FIGURE_CATEGORIES) {
        a->low = -0.5;
        a->high = fmax((double)axis->name_count, 1.0) - 0.5;
        return;
    }
    if (axis_is_log(axis)) {
        axis_close_log(a);
    } else {
        axis_close_linear(a);
    }
    if (axis_shows(axis, axis->low)) {
        a->low = axis->low;
    }
    if (axis_shows(axis, axis->high)) {
        a->high = axis->high;
    }
    if (!(a->low < a->high)) { /* one end is given, and all data lie beyond it */
        a->high = axis_is_log(axis) ? 10.0 * a->low : a->low + 1.0;
    }
}

bool axis_equal(const figure_axis *a, const figure_axis *b)
{
    bool same = strcmp(a->label, b->label) == 0 && strcmp(a->unit, b->unit) == 0 &&
                a->scale == b->scale && a->reversed == b->reversed &&
                a->name_count == b->name_count;

    for (size_t k = 0; same && k < a->name_count; k++) {
        same = strcmp(a->names[k], b->names[k]) == 0;
    }
    return same;
}

static void axis_tick_add(drawn_axis *a, double at, bool minor, const char *text)
{
    axis_tick *tick = NULL;

    TAKE_ROOM(a->ticks, a->room, a->count + 1);
    tick = &a->ticks[a->count++];
    tick->at = at;
    tick->minor = minor;
    snprintf(tick->text, sizeof tick->text, "%s", text);
}

/* "−0.5": with a true minus sign. */
static void axis_number(char text[FIGURE_NAME], double x, int digits)
{
    char raw[FIGURE_NAME - 4];

    figure_number(raw, sizeof raw, fabs(x), digits);
    snprintf(text, FIGURE_NAME, "%s%s", x < 0.0 ? "−" : "", raw);
}

/* A round number, 1, 2, 2.5 or 5 times a power of ten, that is not below x. */
static double axis_round(double x)
{
    static const double rounds[] = {1.0, 2.0, 2.5, 5.0, 10.0};
    double power = pow(10.0, floor(log10(x) + 1e-9));
    size_t k = 0;

    while (k < 4 && rounds[k] * power < x * (1.0 - 1e-9)) {
        k++;
    }
    return rounds[k] * power;
}

static void axis_ticks_linear(drawn_axis *a, double length, bool side_by_side,
                              double factor)
{
    double span = a->high - a->low;
    double step = axis_round(span / fmax(1.0, length / (side_by_side ? 5.5 : 2.8)));
    double first = ceil(a->low / step - 1e-9);

    for (double k = first; k * step <= a->high + 1e-9 * span; k += 1.0) {
        double at = k * step;
        char text[FIGURE_NAME];

        axis_number(text, k == 0.0 ? 0.0 : at / factor, 6);
        axis_tick_add(a, k == 0.0 ? 0.0 : at, false, text);
    }
}

/* Between the decades: small ones without texts, or 1, 2, 5 with texts where decades are few. */
static void axis_ticks_between(drawn_axis *a, double decade, bool texts)
{
    for (int k = 2; k < 10; k++) {
        double at = k * decade;
        char text[FIGURE_NAME] = "";

        if (texts && (k == 2 || k == 5)) {
            figure_number(text, sizeof text, at, 3);
        }
        if (at >= a->low && at <= a->high) {
            axis_tick_add(a, at, *text == '\0', text);
        }
    }
}

/* Powers of the base, as many with texts as there is room for; all as numbers where none is
 * small or large, else all as powers. */
static void axis_ticks_log(drawn_axis *a, int base, double length, bool side_by_side)
{
    int first = (int)ceil(log(a->low) / log(base) - 1e-9);
    int last = (int)floor(log(a->high) / log(base) + 1e-9);
    double smallest = pow(base, first);
    double largest = pow(base, last);
    bool plain = smallest >= 0.001 && largest <= (base == 2 ? 9999.0 : 1000.0);
    double pitch = !side_by_side ? 2.2 : base == 2 ? 3.2 : 4.0;
    int most = (int)fmax(2.0, length / pitch);
    int step = 1;

    while ((last - first) / step + 1 > most) {
        step++;
    }
    for (int k = first - 1; k <= last; k++) {
        double at = pow(base, k);
        char text[FIGURE_NAME] = "";

        if (((k % step) + step) % step == 0 && plain) {
            snprintf(text, sizeof text, "%g", at);
        } else if (((k % step) + step) % step == 0) {
            figure_power(text, sizeof text, base, k);
        }
        if (k >= first) {
            axis_tick_add(a, at, *text == '\0', text);
        }
        if (step == 1 && base == 10) {
            axis_ticks_between(a, at, last - first < 1);
        }
    }
}

static void axis_ticks_categories(drawn_axis *a)
{
    for (size_t k = 0; k < a->axis->name_count; k++) {
        char text[FIGURE_NAME];

        figure_text_fit(text, sizeof text, a->axis->names[k],
                        a->limit > 0.0 ? a->limit : INFINITY);
        axis_tick_add(a, (double)k, false, text);
    }
}

/* 10⁶, 10⁻³ …: what the numbers at the ticks are multiplied by; 1 for usual numbers. */
static double axis_factor(const drawn_axis *a, int *power)
{
    double most = fmax(fabs(a->low), fabs(a->high));

    *power = 0;
    if (a->axis->scale != FIGURE_LINEAR || (most < 1e5 && most >= 1e-2)) {
        return 1.0;
    }
    *power = 3 * (int)floor(log10(most) / 3.0 + 1e-9);
    return pow(10.0, *power);
}

/* "time [10⁻³ s]" */
static void axis_write_label(drawn_axis *a, int power)
{
    char factor[FIGURE_UNIT] = "";
    const char *unit = a->axis->unit;

    if (power != 0) {
        figure_power(factor, sizeof factor, 10, power);
    }
    if (*unit || *factor) {
        snprintf(a->label, sizeof a->label, "%s [%s%s%s]", a->axis->label, factor,
                 *unit && *factor ? " " : "", unit);
    } else {
        snprintf(a->label, sizeof a->label, "%s", a->axis->label);
    }
}

void axis_ticks(drawn_axis *a, double length, bool side_by_side)
{
    const figure_axis *axis = a->axis;
    int power = 0;
    double factor = axis_factor(a, &power);
    int base = axis->scale == FIGURE_LOG2 ? 2 : 10;

    a->count = 0;
    a->second[0] = '\0';
    axis_write_label(a, power);
    if (axis->scale == FIGURE_CATEGORIES) {
        axis_ticks_categories(a);
    } else if (axis_is_log(axis) && a->high / a->low >= (base == 10 ? 4.0 : 2.0)) {
        axis_ticks_log(a, base, length, side_by_side);
    } else {
        axis_ticks_linear(a, length, side_by_side, factor);
    }
}

void axis_wrap(drawn_axis *a, double room)
{
    char *best = NULL;
    double least = figure_text_width(a->label);

    if (least <= room) {
        return;
    }
    for (char *space = strchr(a->label, ' '); space; space = strchr(space + 1, ' ')) {
        double wide = 0.0;

        *space = '\0';
        wide = fmax(figure_text_width(a->label), figure_text_width(space + 1));
        *space = ' ';
        if (wide < least) {
            least = wide;
            best = space;
        }
    }
    if (best) {
        *best = '\0';
        memcpy(a->second, best + 1, strlen(best + 1) + 1);
    }
}

double axis_widest(const drawn_axis *a)
{
    double widest = 0.0;

    for (size_t k = 0; k < a->count; k++) {
        widest = fmax(widest, figure_text_width(a->ticks[k].text));
    }
    return widest;
}

double axis_place(const drawn_axis *a, double value)
{
    double share = axis_is_log(a->axis) ? log(value / a->low) / log(a->high / a->low)
                                        : (value - a->low) / (a->high - a->low);

    return a->axis->reversed ? 1.0 - share : share;
}
