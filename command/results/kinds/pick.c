/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/pick.c: what kinds of figures share: runs, values, medians, names. */
#include <config.h>

#include <ctype.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/results/kinds/pick.h"

const char *run_owner(const stored_run *run)
{
    return *run->policy && *run->solver_label ? run->solver_label : run->label;
}

bool run_is_warm(const stored_run *run)
{
    return *run->policy && strcmp(run->policy, "cold") != 0;
}

/* An order that is about starts: it takes those at or near the solution, too. */
static bool pick_asks_for_starts(const figure_order *order)
{
    static const char *const about[] = {"noise", "policy", "start"};
    bool asks = false;

    for (size_t k = 0; k < sizeof about / sizeof *about; k++) {
        asks = asks || strcmp(order->x, about[k]) == 0 ||
               strcmp(order->by, about[k]) == 0 || strstr(order->where, about[k]);
    }
    return asks;
}

/* Does the run belong to the source, when that is no table? Starts at or near the solution are
 * compared in tables of their own, unless the order asks for them. */
static bool pick_belongs(const stored_run *run, const figure_source *source,
                         const figure_order *order)
{
    bool real = pick_asks_for_starts(order) || (strcmp(run->policy, "oracle") != 0 &&
                                                strcmp(run->policy, "perturbed") != 0);
    bool here = !source->set || strcmp(run->set, source->set) == 0;
    bool asked = isnan(order->tolerance) || run->tolerance == order->tolerance;

    return real && here && asked && (!*order->set || strcmp(run->set, order->set) == 0);
}

bool pick_next_field(const char **fields, char field[FIELD_TEXT])
{
    const bool any = **fields != '\0';
    const size_t length = strcspn(*fields, "+");

    snprintf(field, FIELD_TEXT, "%.*s", (int)length, *fields);
    *fields += length + ((*fields)[length] == '+');
    return any;
}

/* Does the record of a run that counts lack one of the fields "a+b"? */
static bool pick_lacks_field(const stored_run *run, const char *fields)
{
    bool lacks = false;
    char field[FIELD_TEXT];

    while (!lacks && pick_next_field(&fields, field)) {
        lacks = (field_is_cost(field) ? run->solved : strcmp(run->status, "ok") == 0) &&
                isnan(run_field_number(run, field));
    }
    return lacks;
}

static bool pick_lacks(const stored_run *run, const figure_order *order)
{
    const figure_kind *kind = figure_kind_find(order->kind);
    const char *numbers = kind && kind->numbers ? kind->numbers : "";

    return (strchr(numbers, 'x') && pick_lacks_field(run, order->x)) ||
           (strchr(numbers, 'y') && pick_lacks_field(run, order->y)) ||
           (strchr(numbers, 'z') && pick_lacks_field(run, order->z));
}

static void pick_add(run_pick *p, const stored_run *run, const figure_order *order)
{
    if (!run_fulfils(run, order->where)) {
        return;
    }
    if (run->applicable && pick_lacks(run, order)) {
        p->lacking++;
    } else if (run->applicable) {
        p->runs[p->count++] = run;
    } else {
        p->inapplicable++;
    }
}

void pick_runs(run_pick *p, const figure_source *source, const figure_order *order)
{
    const run_table *t = source->table;
    size_t most = t ? t->instances.count * t->labels.count : source->runs->count;

    *p = (run_pick){.runs = take(most + 1, sizeof *p->runs)};
    for (size_t k = 0; k < most; k++) {
        const stored_run *run = t ? t->cell[k] : &source->runs->runs[k];

        if (run && (t || pick_belongs(run, source, order))) {
            pick_add(p, run, order);
        }
    }
}

void pick_free(run_pick *p)
{
    free(p->runs);
    memset(p, 0, sizeof *p);
}

/* Take the word that is the value of the field out of a label: "auto reduced" of the field
 * coordinates becomes "auto". */
static void label_without(char *label, const stored_run *run, const char *field)
{
    char word[FIELD_TEXT];
    char *at = NULL;
    size_t length = 0;

    if (!field || !*field || strcmp(field, "solver") == 0) {
        return;
    }
    run_field_text(run, field, word);
    length = strlen(word);
    at = length ? strstr(label, word) : NULL;
    if (at && (at == label || at[-1] == ' ') && strchr(" ", at[length]) &&
        strlen(label) > length) {
        size_t from =
            at > label ? (size_t)(at - 1 - label) : 0; /* with the blank before */
        size_t to = (size_t)(at - label) + length + (at == label);

        memmove(label + from, label + to, strlen(label + to) + 1);
    }
}

/* The label of a run without what the fields x and panels already say. */
static void pick_label(pick_value *v, const stored_run *run, const char *x,
                       const char *panels)
{
    const char *fields[] = {x, panels};
    bool options = (x && strncmp(x, "solver.", 7) == 0) ||
                   (panels && strncmp(panels, "solver.", 7) == 0);
    const char *owner = run_owner(run);

    if (options && *run->solver_label) {
        owner = run->solver_label;
        snprintf(v->text, sizeof v->text, "%s%s%s", run->solver_label,
                 *run->policy ? " " : "", run->policy);
    } else {
        snprintf(v->text, sizeof v->text, "%s", run->label);
    }
    snprintf(v->owner, sizeof v->owner, "%s", owner);
    for (size_t k = 0; k < 2; k++) {
        label_without(v->text, run, fields[k]);
        label_without(v->owner, run, fields[k]);
    }
    v->warm = run_is_warm(run);
}

/* A short sign of a field, for "μ = 0.3". */
static const char *field_sign(const char *field)
{
    static const char *const signs[][2] = {
        {"mu", "μ"}, {"friction", "μ"}, {"eta", "η"}, {"omega", "ω"}, {"rho", "ρ"}};
    const char *dot = strrchr(field, '.');
    const char *last = dot ? dot + 1 : field;

    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
        if (strcmp(signs[k][0], last) == 0) {
            return signs[k][1];
        }
    }
    return last;
}

void pick_value_of(pick_value *v, const stored_runs *s, const stored_run *run,
                   const char *field, const char *x, const char *panels)
{
    memset(v, 0, sizeof *v);
    v->number = NAN;
    if (!*field || strcmp(field, "solver") == 0 || strcmp(field, "label") == 0) {
        pick_label(v, run, x, panels);
        return;
    }
    v->number = run_field_number(run, field);
    if (isfinite(v->number)) {
        const char *unit = field_unit(s, field);
        char number[48];

        snprintf(v->text, sizeof v->text, "%s = %s%s%s", field_sign(field),
                 figure_number(number, sizeof number, v->number, 6), *unit ? " " : "",
                 unit);
    } else {
        char text[FIELD_TEXT];

        snprintf(v->text, sizeof v->text, "%.*s", (int)sizeof v->text - 1,
                 run_field_text(run, field, text));
    }
    snprintf(v->owner, sizeof v->owner, "%s", v->text);
}

size_t pick_values_find(const pick_values *list, const char *text)
{
    for (size_t k = 0; k < list->count; k++) {
        if (strcmp(list->values[k].text, text) == 0) {
            return k;
        }
    }
    return SIZE_MAX;
}

size_t pick_values_add(pick_values *list, const pick_value *v)
{
    size_t place = pick_values_find(list, v->text);

    if (place != SIZE_MAX) {
        return place;
    }
    TAKE_ROOM(list->values, list->room, list->count + 1);
    list->values[list->count] = *v;
    return list->count++;
}

static int by_number(const void *a, const void *b)
{
    double x = ((const pick_value *)a)->number, y = ((const pick_value *)b)->number;

    return (x > y) - (x < y);
}

void pick_values_sort(pick_values *list)
{
    for (size_t k = 0; k < list->count; k++) {
        if (isnan(list->values[k].number)) {
            return;
        }
    }
    if (list->count) {
        qsort(list->values, list->count, sizeof *list->values, by_number);
    }
}

void pick_values_free(pick_values *list)
{
    free(list->values);
    memset(list, 0, sizeof *list);
}

/* By interpolation between neighbours; gsl has no infinite ones. */
static double quantile_of(const double *sorted, size_t count, double f)
{
    double at = f * (double)(count - 1);
    size_t below = (size_t)at;
    double part = at - (double)below;

    return part == 0.0 ? sorted[below]
                       : (1.0 - part) * sorted[below] + part * sorted[below + 1];
}

quartiles quartiles_of(double *x, size_t count)
{
    quartiles q = {NAN, NAN, NAN};

    if (count > 0) {
        gsl_sort(x, 1, count);
        q.median = quantile_of(x, count, 0.5);
        q.median = isfinite(q.median) ? q.median : x[(count - 1) / 2];
    }
    if (count >= 3) {
        q.low = quantile_of(x, count, 0.25);
        q.high = quantile_of(x, count, 0.75);
    }
    return q;
}

figure *pick_figure(figure_book *book, const char *kind, const figure_source *source,
                    const figure_order *order, const char *extra)
{
    bool named = *order->name;
    bool one_set = named && *order->set;
    bool one_tolerance =
        named && (!isnan(order->tolerance) || source->runs->tolerance_count == 1);
    char name[FIGURE_NAME], tolerance[32] = "";

    if (source->table && !one_tolerance) {
        snprintf(tolerance, sizeof tolerance, "_%.0e", source->table->tolerance);
        if (strtod(tolerance + 1, NULL) != source->table->tolerance) {
            snprintf(tolerance, sizeof tolerance, "_%.6e", source->table->tolerance);
        }
    }
    snprintf(name, FIGURE_NAME, "%.40s%s%.30s%s%s%.30s", named ? order->name : kind,
             source->set && !one_set ? "_" : "",
             source->set && !one_set ? source->set : "", tolerance, *extra ? "_" : "",
             extra);
    return figure_add(book, kind, name);
}

figure_series *pick_series(figure_panel *p, figure_form form, const char *name,
                           const stored_run *run)
{
    figure_series *series = figure_add_series(p, form, name);

    figure_series_of(series, run_owner(run), run_is_warm(run));
    return series;
}

figure_series *pick_value_series(figure_panel *p, figure_form form, const char *name,
                                 const pick_value *v)
{
    figure_series *series = figure_add_series(p, form, name);

    figure_series_of(series, v->owner, v->warm);
    return series;
}

/* How many different instances there are. */
static size_t pick_instances(const run_pick *p)
{
    size_t count = 0;

    for (size_t i = 0; i < p->count; i++) {
        size_t k = 0;

        while (k < i && strcmp(p->runs[k]->instance, p->runs[i]->instance) != 0) {
            k++;
        }
        count += k == i;
    }
    return count;
}

char *pick_scope(char text[FIGURE_TEXT], const figure_source *source, const run_pick *p)
{
    char tolerance[64] = "", lacking[64] = "", number[48];
    size_t problems = pick_instances(p);

    if (source->table) {
        snprintf(tolerance, sizeof tolerance, ", tolerance %s",
                 figure_number(number, sizeof number, source->table->tolerance, 3));
    }
    if (p->lacking > 0) {
        snprintf(lacking, sizeof lacking, ", without %zu run%s that lack%s a field",
                 p->lacking, perp_plural(p->lacking), p->lacking == 1 ? "s" : "");
    }
    snprintf(text, FIGURE_TEXT, "%s%.40s, %zu problem%s%.40s%.40s",
             source->set ? "set " : "", source->set ? source->set : "all sets", problems,
             perp_plural(problems), tolerance, lacking);
    return text;
}

char *pick_capital(char *text)
{
    text[0] = (char)toupper((unsigned char)text[0]);
    return text;
}

char *pick_failures(char text[2 * FIGURE_TEXT], size_t failed, size_t runs,
                    const char *where)
{
    if (failed == 0) {
        snprintf(text, 2 * FIGURE_TEXT, " None of %zu run%s failed.", runs,
                 perp_plural(runs));
    } else {
        snprintf(text, 2 * FIGURE_TEXT,
                 " %zu of %zu run%s failed or were not solved to the tolerance: crosses "
                 "and counts in the strip above the plot%s%s.",
                 failed, runs, perp_plural(runs), *where ? "; " : "", where);
    }
    return text;
}

char *pick_lacking(char text[FIGURE_TEXT], size_t lacking, const char *field)
{
    text[0] = '\0';
    if (lacking > 0) {
        snprintf(text, FIGURE_TEXT, " %zu solved run%s no number as %.80s: left out.",
                 lacking, lacking == 1 ? " has" : "s have", field);
    }
    return text;
}

char *pick_left_out(char text[2 * FIGURE_TEXT], const run_pick *p)
{
    const bool one = p->inapplicable == 1;

    text[0] = '\0';
    if (p->inapplicable > 0) {
        snprintf(text, 2 * FIGURE_TEXT,
                 " %zu run%s of solvers that do not take the problem (not applicable) %s "
                 "left out.",
                 p->inapplicable, one ? "" : "s", one ? "is" : "are");
    }
    snprintf(text + strlen(text), 2 * FIGURE_TEXT - strlen(text), "%s", p->times);
    return text;
}

void pick_axis(figure_axis *a, const stored_runs *s, const char *field,
               figure_scale scale)
{
    figure_axis_set(a, field_label(field), field_unit(s, field), scale);
}

figure_scale pick_scale(const double *x, size_t count, bool zeros)
{
    double least = INFINITY, most = 0.0;
    bool zero = false;

    for (size_t k = 0; k < count; k++) {
        if (x[k] < 0.0) {
            return FIGURE_LINEAR;
        }
        if (x[k] == 0.0) {
            zero = true;
        } else if (isfinite(x[k])) {
            least = fmin(least, x[k]);
            most = fmax(most, x[k]);
        }
    }
    if (zero && !zeros) {
        return FIGURE_LINEAR;
    }
    return most > (zero ? 100.0 : 10.0) * least ? FIGURE_LOG10 : FIGURE_LINEAR;
}

figure_scale pick_scale_x(const char *field, const double *x, size_t count)
{
    static const char *const sizes[] = {"n",         "contacts", "contacts_mean",
                                        "rows_mean", "bodies",   "links"};
    bool size = false;
    double least = INFINITY, most = 0.0;

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size = size || strcmp(field, sizes[k]) == 0;
    }
    for (size_t k = 0; k < count; k++) {
        least = fmin(least, x[k]); /* fmin and fmax ignore a NAN */
        most = fmax(most, x[k]);
    }
    return size && least > 0.0 && most >= 2.0 * least ? FIGURE_LOG10
                                                      : pick_scale(x, count, false);
}

bool field_is_cost(const char *field)
{
    static const char *const costs[] = {
        "seconds",       "iterations",      "work.",
        "bytes",         "step_seconds",    "wall_seconds",
        "setup_seconds", "prepare_seconds", "judge_seconds"};

    for (size_t k = 0; k < sizeof costs / sizeof *costs; k++) {
        if (strncmp(field, costs[k], strlen(costs[k])) == 0) {
            return true;
        }
    }
    return false;
}
