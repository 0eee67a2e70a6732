/* SPDX-License-Identifier: Apache-2.0
 * core/options.c: values of options, found and checked through their tables. */
#include <config.h>

#include <assert.h>
#include <stdio.h>

#include "core/solvers.h"

const perp_option perp_options_common[] = {
    PERP_REAL_CLOSED("tolerance", 1e-8, 0.0, 1.0,
                     "solved when the residual is at most this"),
    PERP_INTEGER("max-iterations", 0, 0, 1e15, "0: the solver's own limit"),
    PERP_REAL_CLOSED("time-limit", 0.0, 0.0, 1e9,
                     "seconds of the solver's clock; 0: none"),
    PERP_REAL_CLOSED("memory-limit", 0.0, 0.0, 1e9, "MiB of workspace; 0: none"),
    PERP_INTEGER("check-every", 0, 0, 1e9,
                 "iterations between judgements; 0: the solver's"),
    PERP_INTEGER(
        "stall", -1, -1, 1e9,
        "iterations within which the residual must fall by 1 %; 0: never stalled, "
        "-1: the solver's own number"),
    PERP_CHOICE(
        "on-singular", 0, "default|none|prox",
        "fallback at a singular block: the solver's own, none, or prox around it"),
    PERP_SWITCH("scale", 1, "scale by powers of two before solving"),
    PERP_TEXT("formulation", "natural",
              "natural, associated, box, or pyramid:N (N even)"),
    PERP_CHOICE("global", 0, "condensed|factored",
                "a global problem: W formed, or kept as J M^-1 J^T where the solver can"),
    PERP_SWITCH("history", 1, "keep the judgements made on the way"),
    PERP_INTEGER("seed", 1, 0, 9e15, "of whatever a solver draws at random"),
    PERP_OPTION_END,
};

/* The place of an option in `values`, or PERP_OPTION_ROOM. */
static size_t find_slot(const perp_options *opt, const char *name,
                        const perp_option **row)
{
    size_t slot = 0;

    for (size_t t = 0; t < PERP_OPTION_TABLES; t++) {
        const perp_option *o = opt->tables[t];

        for (; o && o->kind != PERP_OPTION_NONE && slot < PERP_OPTION_ROOM; o++, slot++) {
            if (strcmp(o->name, name) == 0) {
                *row = o;
                return slot;
            }
        }
    }
    *row = NULL;
    return PERP_OPTION_ROOM;
}

static const perp_value *find_value(const perp_options *opt, const char *name)
{
    const perp_option *row = NULL;
    size_t slot = find_slot(opt, name, &row);

    assert(row && "the option is in one of the tables");
    return &opt->values[slot];
}

void perp_options_init(perp_options *opt, const perp_solver_type *type,
                       const perp_solver_type *inner)
{
    size_t slot = 0;

    memset(opt, 0, sizeof *opt);
    opt->tables[0] = perp_options_common;
    opt->tables[1] = type ? type->options : NULL;
    opt->tables[2] = inner ? inner->options : NULL;
    opt->inner = inner;
    for (size_t t = 0; t < PERP_OPTION_TABLES; t++) {
        const perp_option *o = opt->tables[t];

        for (; o && o->kind != PERP_OPTION_NONE; o++, slot++) {
            assert(slot < PERP_OPTION_ROOM);
            opt->values[slot].number = o->value;
            if (o->kind == PERP_OPTION_TEXT) {
                snprintf(opt->values[slot].text, PERP_OPTION_TEXT_LENGTH, "%s",
                         o->choices);
            }
        }
    }
}

const perp_option *perp_options_find(const perp_options *opt, const char *name)
{
    const perp_option *row = NULL;

    find_slot(opt, name, &row);
    return row;
}

bool perp_options_given(const perp_options *opt, const char *name)
{
    return find_value(opt, name)->given;
}

/* Index of `text` in "a|b|c", or -1. */
static int choice_index(const char *choices, const char *text)
{
    size_t length = strlen(text);
    const char *at = choices;

    for (int index = 0; at; index++) {
        if (strncmp(at, text, length) == 0 && (at[length] == '|' || at[length] == '\0')) {
            return index;
        }
        at = strchr(at, '|');
        at = at ? at + 1 : NULL;
    }
    return -1;
}

static perp_status set_number(const perp_option *row, perp_value *value, double number,
                              const char *text, perp_error *err)
{
    bool inside = row->open ? row->low < number && number < row->high
                            : row->low <= number && number <= row->high;
    bool whole = row->kind != PERP_OPTION_INTEGER || number == floor(number);

    if (!inside || !whole) {
        return perp_fail(
            err, PERP_ERR_OPTION, "option \"%s\" is %s, expected %s with %g %s x %s %g",
            row->name, text, row->kind == PERP_OPTION_INTEGER ? "an integer" : "a number",
            row->low, row->open ? "<" : "<=", row->open ? "<" : "<=", row->high);
    }
    value->number = number;
    return PERP_OK;
}

/* The option whose name shares most of its letters with `name`, for the message. */
static const char *nearest_option(const perp_options *opt, const char *name)
{
    const char *best = "tolerance";
    size_t least = SIZE_MAX;

    for (size_t t = 0; t < PERP_OPTION_TABLES; t++) {
        for (const perp_option *o = opt->tables[t]; o && o->kind != PERP_OPTION_NONE;
             o++) {
            size_t distance = perp_edit_distance(name, o->name);

            if (distance < least) {
                least = distance;
                best = o->name;
            }
        }
    }
    return best;
}

perp_status perp_options_set(perp_options *opt, const char *name, const char *text,
                             perp_error *err)
{
    const perp_option *row = NULL;
    size_t slot = find_slot(opt, name, &row);
    perp_value *value = &opt->values[slot < PERP_OPTION_ROOM ? slot : 0];
    perp_status status = PERP_OK;
    char *end = NULL;
    double number = 0.0;

    if (!row) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "unknown option \"%s\", the nearest is \"%s\"", name,
                         nearest_option(opt, name));
    }
    switch (row->kind) {
    case PERP_OPTION_REAL:
    case PERP_OPTION_INTEGER:
        number = strtod(text, &end);
        if (end == text || *end || isnan(number)) {
            return perp_fail(err, PERP_ERR_OPTION,
                             "option \"%s\" is \"%s\", expected a number", name, text);
        }
        status = set_number(row, value, number, text, err);
        break;
    case PERP_OPTION_SWITCH:
        number = choice_index("off|on|no|yes|false|true|0|1", text);
        if (number < 0) {
            return perp_fail(err, PERP_ERR_OPTION,
                             "option \"%s\" is \"%s\", expected on or off", name, text);
        }
        value->number = fmod(number, 2.0);
        break;
    case PERP_OPTION_CHOICE:
        number = choice_index(row->choices, text);
        if (number < 0) {
            return perp_fail(err, PERP_ERR_OPTION,
                             "option \"%s\" is \"%s\", expected one of %s", name, text,
                             row->choices);
        }
        value->number = number;
        break;
    case PERP_OPTION_TEXT:
        if (strlen(text) >= PERP_OPTION_TEXT_LENGTH) {
            return perp_fail(err, PERP_ERR_OPTION,
                             "option \"%s\" has %zu characters, expected fewer than %d",
                             name, strlen(text), PERP_OPTION_TEXT_LENGTH);
        }
        memcpy(value->text, text, strlen(text) + 1);
        break;
    case PERP_OPTION_NONE:
        break;
    }
    value->given = value->given || status == PERP_OK;
    return status;
}

perp_status perp_options_set_real(perp_options *opt, const char *name, double value,
                                  perp_error *err)
{
    char text[32];

    snprintf(text, sizeof text, "%.17g", value);
    return perp_options_set(opt, name, text, err);
}

void perp_options_print(const perp_options *opt, const char *name, char *text,
                        size_t length)
{
    const perp_option *row = NULL;
    size_t slot = find_slot(opt, name, &row);
    const perp_value *value = &opt->values[slot < PERP_OPTION_ROOM ? slot : 0];
    const char *choice = row ? row->choices : NULL;

    switch (row ? row->kind : PERP_OPTION_NONE) {
    case PERP_OPTION_REAL:
    case PERP_OPTION_INTEGER:
        snprintf(text, length, "%.17g", value->number);
        break;
    case PERP_OPTION_SWITCH:
        snprintf(text, length, "%s", value->number != 0.0 ? "on" : "off");
        break;
    case PERP_OPTION_CHOICE:
        for (int i = 0; i < (int)value->number; i++) {
            choice = strchr(choice, '|') + 1;
        }
        snprintf(text, length, "%.*s", (int)strcspn(choice, "|"), choice);
        break;
    case PERP_OPTION_TEXT:
        snprintf(text, length, "%s", value->text);
        break;
    case PERP_OPTION_NONE:
        snprintf(text, length, "%s", "");
        break;
    }
}

double perp_options_real(const perp_options *opt, const char *name)
{
    return find_value(opt, name)->number;
}

long perp_options_integer(const perp_options *opt, const char *name)
{
    return (long)find_value(opt, name)->number;
}

bool perp_options_switch(const perp_options *opt, const char *name)
{
    return find_value(opt, name)->number != 0.0;
}

size_t perp_options_choice(const perp_options *opt, const char *name)
{
    return (size_t)find_value(opt, name)->number;
}

const char *perp_options_text(const perp_options *opt, const char *name)
{
    return find_value(opt, name)->text;
}

void perp_options_inherit(perp_options *opt, const perp_options *old)
{
    char text[PERP_OPTION_TEXT_LENGTH];

    opt->interrupt = old->interrupt;
    opt->brief = old->brief;
    for (size_t t = 0; t < PERP_OPTION_TABLES; t++) {
        const perp_option *o = old->tables[t];

        for (; o && o->kind != PERP_OPTION_NONE; o++) {
            if (perp_options_given(old, o->name) && perp_options_find(opt, o->name)) {
                perp_options_print(old, o->name, text, sizeof text);
                perp_options_set(opt, o->name, text, NULL); /* was checked before */
            }
        }
    }
}
