/* SPDX-License-Identifier: Apache-2.0
 * core/options.c: values of options, found and checked in their tables. */
#include <config.h>

#include <stdio.h>

#include "base/base.h"
#include "base/setting.h"
#include "core/solvers.h"

const perp_option perp_options_common[] = {
    PERP_REAL_CLOSED("tolerance", 1e-8, 0.0, 1.0,
                     "largest residual of a point that counts as solved"),
    PERP_INTEGER("max-iterations", 0, 0, 1e15,
                 "largest number of iterations; 0: the solver's own limit"),
    PERP_REAL_CLOSED("time-limit", 0.0, 0.0, 1e9,
                     "seconds on the solver's clock; 0: no limit"),
    PERP_REAL_CLOSED("work-limit", 0.0, 0.0, 1e18,
                     "floating point operations of products with A and of "
                     "factorisations; 0: no limit"),
    PERP_REAL_CLOSED("memory-limit", 0.0, 0.0, 1e9, "MiB of workspace; 0: no limit"),
    PERP_INTEGER("check-every", 0, 0, 1e9,
                 "iterations between judgements; 0: the solver's own number"),
    PERP_INTEGER(
        "stall", -1, -1, 1e9,
        "iterations within which the residual must fall by 1 %; 0: no such rule, "
        "-1: the solver's own number"),
    PERP_CHOICE(
        "end-by", 0, "solver|limits",
        "what ends a solve without an answer: also the stall rule and the iteration "
        "limit "
        "of the solver, or only the limits that are given; another code whose answer "
        "misses the tolerance is then called again with a smaller one while time is "
        "left"),
    PERP_CHOICE(
        "on-singular", 0, "default|none|prox",
        "fallback at a singular block: the solver's own, none, or prox around it"),
    PERP_CHOICE(
        "answer", 0, "best|last",
        "point returned where a limit ends the solve: that of the least residual, "
        "or the last one"),
    PERP_SWITCH("scale", 1, "scale the problem by powers of two before solving"),
    PERP_TEXT(
        "friction", "natural",
        "law of friction to solve with: associated, box, pyramid:N (N even); natural, "
        "coulomb: that of the problem"),
    PERP_CHOICE(
        "global", 2, "condensed|factored|auto",
        "form of W in a global problem: a matrix, J M^-1 J^T where the solver takes "
        "it, or that of both in which solvers are usually faster: factors from 21 "
        "contacts on with at least twice as many rows as velocities, and from 201 "
        "contacts on"),
    PERP_SWITCH("history", 1, "record the judgements of a solve"),
    PERP_INTEGER("seed", 1, 0, 9e15, "seed of the random numbers that a solver draws"),
    PERP_OPTION_END,
};

/* The index of an option in `values`, or PERP_OPTION_ROOM and *row = NULL. */
static size_t options_slot(const perp_options *opt, const char *name,
                           const perp_option **row)
{
    size_t slot = 0;

    *row = NULL;
    for (size_t t = 0; opt && name && t < PERP_OPTION_TABLES; t++) {
        const perp_option *o = opt->tables[t];

        for (; o && o->kind != PERP_OPTION_NONE; o++, slot++) {
            if (o->name[0] == name[0] && strcmp(o->name, name) == 0) {
                *row = o;
                return slot;
            }
        }
    }
    return PERP_OPTION_ROOM;
}

/* NULL for an unknown name. */
static const perp_value *options_value(const perp_options *opt, const char *name)
{
    const perp_option *row = NULL;
    size_t slot = options_slot(opt, name, &row);

    return row ? &opt->values[slot] : NULL;
}

/* The number of options of all tables. */
static size_t options_count(const perp_option *const *tables, size_t count)
{
    size_t options = 0;

    for (size_t t = 0; t < count; t++) {
        for (const perp_option *o = tables[t]; o && o->kind != PERP_OPTION_NONE; o++) {
            options++;
        }
    }
    return options;
}

perp_status perp_options_init_tables(perp_options *opt, const perp_option *const *tables,
                                     size_t count, perp_error *err)
{
    size_t slot = 0;

    TRY(perp_check_arguments(opt && (tables || count == 0), "perp_options_init_tables",
                             err));
    memset(opt, 0, sizeof *opt);
    if (count > PERP_OPTION_TABLES || options_count(tables, count) > PERP_OPTION_ROOM) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "%zu tables with %zu options, expected at most %d with %d",
                         count, options_count(tables, count), PERP_OPTION_TABLES,
                         PERP_OPTION_ROOM);
    }
    for (size_t t = 0; t < count; t++) {
        const perp_option *o = tables[t];

        opt->tables[t] = o;
        for (; o && o->kind != PERP_OPTION_NONE; o++, slot++) {
            opt->values[slot].number = o->value;
            if (o->kind == PERP_OPTION_TEXT) {
                strncpy(opt->values[slot].text, o->choices, PERP_OPTION_TEXT_LENGTH - 1);
            }
        }
    }
    return PERP_OK;
}

perp_status perp_options_init(perp_options *opt, const perp_solver_type *type,
                              const perp_solver_type *inner, perp_error *err)
{
    const perp_option *const tables[PERP_OPTION_TABLES] = {
        perp_options_common, type ? type->options : NULL, inner ? inner->options : NULL};

    TRY(perp_options_init_tables(opt, tables, PERP_OPTION_TABLES, err));
    opt->solver = type;
    opt->inner = inner;
    return PERP_OK;
}

const perp_option *perp_options_find(const perp_options *opt, const char *name)
{
    const perp_option *row = NULL;

    options_slot(opt, name, &row);
    return row;
}

bool perp_options_given(const perp_options *opt, const char *name)
{
    const perp_value *value = options_value(opt, name);

    return value && value->given;
}

/* Index of the first `length` characters of `text` in "a|b|c", or -1. */
static int options_choice_index(const char *choices, const char *text, size_t length)
{
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

/* "b,c" of the choices "a|b|c". */
static perp_status options_set_list(const perp_option *row, perp_value *value,
                                    const char *text, perp_error *err)
{
    unsigned bits = 0;

    for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        int index = options_choice_index(row->choices, at, strcspn(at, ","));

        if (index < 0) {
            return perp_fail(err, PERP_ERR_OPTION,
                             "option \"%s\" has \"%.*s\", expected some of %s, "
                             "separated by commas",
                             row->name, (int)strcspn(at, ","), at, row->choices);
        }
        bits |= 1u << index;
    }
    value->number = bits;
    return PERP_OK;
}

/* `text`: the number as it was given, or NULL. */
static perp_status options_set_number(const perp_option *row, perp_value *value,
                                      double number, const char *text, perp_error *err)
{
    char own[32];
    bool inside = row->open ? row->low < number && number < row->high
                            : row->low <= number && number <= row->high;
    bool whole = row->kind != PERP_OPTION_INTEGER || number == floor(number);

    if (!inside || !whole) {
        snprintf(own, sizeof own, "%.17g", number);
        text = text ? text : own;
        return perp_fail(
            err, PERP_ERR_OPTION, "option \"%s\" is %s, expected %s with %g %s x %s %g",
            row->name, text, row->kind == PERP_OPTION_INTEGER ? "an integer" : "a number",
            row->low, row->open ? "<" : "<=", row->open ? "<" : "<=", row->high);
    }
    value->number = number;
    value->given = true;
    return PERP_OK;
}

static perp_status options_fail_unknown(const perp_options *opt, const char *name,
                                        perp_error *err)
{
    perp_nearest best;

    perp_nearest_start(&best, name);
    for (size_t t = 0; t < PERP_OPTION_TABLES; t++) {
        const perp_option *o = opt->tables[t];

        for (; o && o->kind != PERP_OPTION_NONE; o++) {
            perp_nearest_offer(&best, o->name);
        }
    }
    return perp_fail(err, PERP_ERR_OPTION, "unknown option \"%s\", %s", name,
                     perp_nearest_advice(&best));
}

/* Set a row to the value that `text` says. */
static perp_status options_set_row(const perp_option *row, perp_value *value,
                                   const char *text, perp_error *err)
{
    char *end = NULL;
    double number = 0.0;
    perp_status status = PERP_OK;

    switch (row->kind) {
    case PERP_OPTION_REAL:
    case PERP_OPTION_INTEGER:
        number = strtod(text, &end);
        if (end == text || *end || isnan(number)) {
            return perp_fail(err, PERP_ERR_OPTION,
                             "option \"%s\" is \"%s\", expected a number", row->name,
                             text);
        }
        return options_set_number(row, value, number, text, err);
    case PERP_OPTION_SWITCH:
        number = options_choice_index("off|on|no|yes|false|true|0|1", text, strlen(text));
        if (number < 0) {
            return perp_fail(err, PERP_ERR_OPTION,
                             "option \"%s\" is \"%s\", expected on or off", row->name,
                             text);
        }
        value->number = fmod(number, 2.0);
        break;
    case PERP_OPTION_CHOICE:
        number = options_choice_index(row->choices, text, strlen(text));
        if (number < 0) {
            return perp_fail(err, PERP_ERR_OPTION,
                             "option \"%s\" is \"%s\", expected one of %s", row->name,
                             text, row->choices);
        }
        value->number = number;
        break;
    case PERP_OPTION_TEXT:
        if (strlen(text) >= PERP_OPTION_TEXT_LENGTH) {
            return perp_fail(err, PERP_ERR_OPTION,
                             "option \"%s\" has %zu characters, expected fewer than %d",
                             row->name, strlen(text), PERP_OPTION_TEXT_LENGTH);
        }
        memcpy(value->text, text, strlen(text) + 1);
        break;
    case PERP_OPTION_LIST:
        status = options_set_list(row, value, text, err);
        break;
    case PERP_OPTION_NONE:
        break;
    }
    value->given = status == PERP_OK;
    return status;
}

perp_status perp_options_set(perp_options *opt, const char *name, const char *text,
                             perp_error *err)
{
    const perp_option *row = NULL;
    size_t slot = 0;

    TRY(perp_check_arguments(opt && name && text, "perp_options_set", err));
    slot = options_slot(opt, name, &row);
    return row ? options_set_row(row, &opt->values[slot], text, err)
               : options_fail_unknown(opt, name, err);
}

perp_status perp_options_set_real(perp_options *opt, const char *name, double value,
                                  perp_error *err)
{
    const perp_option *row = NULL;
    size_t slot = 0;

    TRY(perp_check_arguments(opt && name, "perp_options_set_real", err));
    slot = options_slot(opt, name, &row);
    if (!row) {
        return options_fail_unknown(opt, name, err);
    }
    if (row->kind != PERP_OPTION_REAL && row->kind != PERP_OPTION_INTEGER) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "option \"%s\" takes no number, and was set to one", name);
    }
    if (isnan(value)) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "option \"%s\" is \"nan\", expected a number", name);
    }
    return options_set_number(row, &opt->values[slot], value, NULL, err);
}

/* A list goes on after a comma, up to the next NAME=VALUE. */
static void options_parse_list(perp_setting *s, const char **rest)
{
    perp_setting next;
    const char *after = *rest;

    while ((*rest)[-1] == ',' && perp_setting_next(&next, &after, ", ") &&
           next.name_length == 0) {
        s->value_length = (size_t)(next.item + next.item_length - s->value);
        *rest = after;
    }
}

perp_status perp_options_parse(perp_options *opt, const char *text, perp_error *err)
{
    if (perp_check_arguments(opt && text, "perp_options_parse", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    char name[PERP_OPTION_TEXT_LENGTH], value[2 * PERP_OPTION_TEXT_LENGTH];
    perp_setting s;
    perp_status status = PERP_OK;

    while (status == PERP_OK && perp_setting_next(&s, &text, ", ")) {
        const perp_option *row = NULL;

        snprintf(name, sizeof name, "%.*s", (int)s.name_length, s.name);
        options_slot(opt, name, &row);
        if (row && row->kind == PERP_OPTION_LIST) {
            options_parse_list(&s, &text);
        }
        if (s.name_length == 0 || s.name_length >= sizeof name ||
            s.value_length >= sizeof value) {
            return perp_fail(err, PERP_ERR_OPTION, "found \"%.*s\", expected name=value",
                             s.item_length < 80 ? (int)s.item_length : 80, s.item);
        }
        memcpy(value, s.value, s.value_length);
        value[s.value_length] = '\0';
        status = perp_options_set(opt, name, value, err);
    }
    return status;
}

static void options_print_list(const perp_option *row, unsigned bits, char *text,
                               size_t length)
{
    size_t end = 0;

    snprintf(text, length, "%s", "");
    for (const char *at = row->choices; at && end < length; bits >>= 1) {
        int name = (int)strcspn(at, "|");

        if (bits & 1u) {
            end += (size_t)snprintf(text + end, length - end, "%s%.*s", end ? "," : "",
                                    name, at);
        }
        at = at[name] ? at + name + 1 : NULL;
    }
}

void perp_options_print(const perp_options *opt, const char *name, char *text,
                        size_t length)
{
    const perp_option *row = NULL;
    size_t slot = options_slot(opt, name, &row);
    const perp_value *value = row ? &opt->values[slot] : NULL;
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
    case PERP_OPTION_LIST:
        options_print_list(row, (unsigned)value->number, text, length);
        break;
    case PERP_OPTION_NONE:
        snprintf(text, length, "%s", "");
        break;
    }
}

double perp_options_real(const perp_options *opt, const char *name)
{
    const perp_value *value = options_value(opt, name);

    return value ? value->number : (double)NAN;
}

long perp_options_integer(const perp_options *opt, const char *name)
{
    const perp_value *value = options_value(opt, name);

    return value ? (long)value->number : 0;
}

bool perp_options_switch(const perp_options *opt, const char *name)
{
    return perp_options_integer(opt, name) != 0;
}

size_t perp_options_choice(const perp_options *opt, const char *name)
{
    return (size_t)perp_options_integer(opt, name);
}

unsigned perp_options_list(const perp_options *opt, const char *name)
{
    const perp_value *value = options_value(opt, name);

    return value ? (unsigned)value->number : 0u;
}

const char *perp_options_text(const perp_options *opt, const char *name)
{
    const perp_value *value = options_value(opt, name);

    return value ? value->text : NULL;
}

bool perp_options_end_by_limits(const perp_options *opt)
{
    return perp_options_choice(opt, "end-by") == 1 &&
           (perp_options_real(opt, "time-limit") > 0.0 ||
            perp_options_real(opt, "work-limit") > 0.0);
}

size_t perp_options_cap(const perp_options *opt, const char *name)
{
    return perp_options_end_by_limits(opt) && !perp_options_given(opt, name)
               ? SIZE_MAX
               : (size_t)perp_options_integer(opt, name);
}

void perp_options_inherit(perp_options *opt, const perp_options *old)
{
    char text[PERP_OPTION_TEXT_LENGTH];
    size_t slot = 0;

    opt->registry = old->registry;
    if (old->command[0]) { /* else that of a step of a chain stays */
        memcpy(opt->command, old->command, sizeof opt->command);
    }
    opt->interrupt = old->interrupt;
    opt->progress = old->progress;
    opt->progress_context = old->progress_context;
    opt->brief = old->brief;
    for (size_t t = 0; t < PERP_OPTION_TABLES; t++) {
        const perp_option *o = old->tables[t];

        for (; o && o->kind != PERP_OPTION_NONE; o++, slot++) {
            const perp_option *row = NULL;
            size_t to = old->values[slot].given ? options_slot(opt, o->name, &row) : 0;

            if (row == o) {
                opt->values[to] = old->values[slot];
            } else if (row) {
                perp_options_print(old, o->name, text, sizeof text);
                perp_options_set(opt, o->name, text, NULL); /* was checked before */
            }
        }
    }
}
