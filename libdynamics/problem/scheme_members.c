/* SPDX-License-Identifier: Apache-2.0
 * problem/scheme_members.c: the members of a scheme by name: their texts, set, printed, checked. */
#include <config.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/scheme.h>

#include "base/base.h"
#include "problem/parts.h"

typedef enum scheme_kind {
    SCHEME_POSITIVE,
    SCHEME_NOT_NEGATIVE,
    SCHEME_SHARE,
    SCHEME_SPEED, /* the last that is a number */
    SCHEME_CHOICE,
    SCHEME_SWITCH,
    SCHEME_COUNT,
    SCHEME_MODEL,
    SCHEME_GYRO,
    SCHEME_STORAGE,
    SCHEME_BROAD,
    SCHEME_NARROW,
} scheme_kind;

typedef struct scheme_row {
    const char *name;
    scheme_kind kind;
    size_t offset;
    const char *const *names; /* of CHOICE */
    const char *unit;
} scheme_row;

#define NAMES(kind, member)   NAMES_##kind(member)
#define NAMES_CHOICE(member)  perp_##member##_names
#define NAMES_POSITIVE(x)     NULL
#define NAMES_NOT_NEGATIVE(x) NULL
#define NAMES_SHARE(x)        NULL
#define NAMES_SPEED(x)        NULL
#define NAMES_SWITCH(x)       NULL
#define NAMES_COUNT(x)        NULL
#define NAMES_MODEL(x)        NULL
#define NAMES_GYRO(x)         NULL
#define NAMES_STORAGE(x)      NULL
#define NAMES_BROAD(x)        NULL
#define NAMES_NARROW(x)       NULL
#define ROW(kind, member, list, name, unit, help)                                        \
    {name, SCHEME_##kind, offsetof(perp_scheme, member), NAMES(kind, member), unit},

static const scheme_row rows[] = {PERP_SCHEME_LIST(ROW)};

enum { ROWS = sizeof rows / sizeof *rows };

static const char *const storage_names[] = {"dense", "csr", "bsr", "factored", NULL};
static const char *const switch_names[] = {"off", "on", NULL};
static const char pyramid[] = "pyramid:";

/* The choices are enums: one size and one representation for all. */
_Static_assert(sizeof(perp_integrator) == sizeof(unsigned), "an enum is an unsigned");

static const scheme_row *scheme_find(const char *name)
{
    for (size_t k = 0; k < ROWS; k++) {
        if (strcmp(rows[k].name, name) == 0) {
            return &rows[k];
        }
    }
    return NULL;
}

static const char *scheme_text(const scheme_row *row, size_t k)
{
    switch (row->kind) {
    case SCHEME_CHOICE:
        return row->names[k];
    case SCHEME_SWITCH:
        return switch_names[k];
    case SCHEME_MODEL:
        return perp_model_names[k];
    case SCHEME_GYRO:
        return k == 0 ? "own" : perp_gyro_names[k - 1];
    case SCHEME_STORAGE:
        return storage_names[k];
    case SCHEME_BROAD: {
        const perp_broad_type *type = perp_broad_types(NULL)[k];

        return type ? type->name : NULL;
    }
    case SCHEME_NARROW: {
        const perp_narrow_type *type = k == 0 ? NULL : perp_narrow_types(NULL)[k - 1];

        return k == 0 ? "auto" : type ? type->name : NULL;
    }
    default:
        return NULL;
    }
}

const char *perp_scheme_choice(const char *name, size_t k)
{
    const scheme_row *row = scheme_find(name);

    return row ? scheme_text(row, k) : NULL;
}

/* What is expected of a number, with its unit. */
static void scheme_expected(const scheme_row *row, char *text, size_t length)
{
    static const char *const words[] = {
        [SCHEME_POSITIVE] = "a positive number",
        [SCHEME_NOT_NEGATIVE] = "a number >= 0",
        [SCHEME_SHARE] = "a number 0 .. 1",
        [SCHEME_SPEED] = "a positive number or infinity",
    };

    snprintf(text, length, row->unit[0] ? "%s [%s]" : "%s", words[row->kind], row->unit);
}

/* Is the number in its range? NaN is not. */
static bool scheme_inside(const scheme_row *row, double x)
{
    const double above = 2.3e-308; /* the smallest normal number: positive */
    const double most = 1e300;

    switch (row->kind) {
    case SCHEME_POSITIVE:
        return x >= above && x <= most;
    case SCHEME_SHARE:
        return x >= 0.0 && x <= 1.0;
    case SCHEME_SPEED:
        return x >= above;
    default:
        return x >= 0.0 && x <= most;
    }
}

static perp_status scheme_set_number(const scheme_row *row, const char *text, double *x,
                                     perp_error *err)
{
    char *end = NULL, expected[96];
    double number = strtod(text, &end);

    if (end == text || *end || !scheme_inside(row, number)) {
        scheme_expected(row, expected, sizeof expected);
        return perp_fail(err, PERP_ERR_OPTION, "%s is \"%s\", expected %s", row->name,
                         text, expected);
    }
    *x = number;
    return PERP_OK;
}

static perp_status scheme_set_count(const scheme_row *row, const char *text, unsigned *n,
                                    perp_error *err)
{
    char *end = NULL;
    double number = strtod(text, &end);

    if (end == text || *end || !(number >= 0.0 && number <= 1e6) ||
        number != floor(number)) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "%s is \"%s\", expected a whole number 0 .. 1000000", row->name,
                         text);
    }
    *n = (unsigned)number;
    return PERP_OK;
}

/* The place of the text in the list of the member. */
static perp_status scheme_place(const scheme_row *row, const char *text, size_t *place,
                                perp_error *err)
{
    perp_nearest best;
    const char *known = NULL;

    perp_nearest_start(&best, text);
    for (size_t k = 0; (known = scheme_text(row, k)) != NULL; k++) {
        if (strcmp(known, text) == 0) {
            *place = k;
            return PERP_OK;
        }
        perp_nearest_offer(&best, known);
    }
    return perp_fail(err, PERP_ERR_OPTION, "%s is \"%s\", %s", row->name, text,
                     perp_nearest_advice(&best));
}

static void scheme_set_place(const scheme_row *row, perp_scheme *scheme, size_t k)
{
    switch (row->kind) {
    case SCHEME_SWITCH:
        scheme->speculative = k > 0;
        break;
    case SCHEME_MODEL:
        scheme->model = (perp_model)k;
        break;
    case SCHEME_GYRO:
        scheme->override_gyro = k > 0;
        scheme->gyro = k > 0 ? (perp_gyro)(k - 1) : scheme->gyro;
        break;
    case SCHEME_STORAGE:
        scheme->storage = (perp_storage)(1u << k); /* the order of the bits */
        break;
    case SCHEME_BROAD:
        scheme->broad = perp_broad_types(NULL)[k];
        break;
    case SCHEME_NARROW:
        scheme->narrow = k > 0 ? perp_narrow_types(NULL)[k - 1] : NULL;
        break;
    default:
        *(unsigned *)(void *)((char *)scheme + row->offset) = (unsigned)k;
    }
}

perp_status perp_scheme_set(perp_scheme *scheme, const char *name, const char *text,
                            perp_error *err)
{
    const scheme_row *row = scheme_find(name);
    void *at = (char *)scheme + (row ? row->offset : 0);
    size_t place = 0;
    perp_status status = PERP_OK;

    if (!row) {
        return perp_fail(err, PERP_ERR_OPTION, "\"%s\" is not a member of a scheme",
                         name);
    }
    if (row->kind <= SCHEME_SPEED) {
        return scheme_set_number(row, text, at, err);
    }
    if (row->kind == SCHEME_COUNT) {
        return scheme_set_count(row, text, at, err);
    }
    if (row->kind == SCHEME_MODEL && strncmp(text, pyramid, strlen(pyramid)) == 0) {
        char *end = NULL;
        unsigned long eta = strtoul(text + strlen(pyramid), &end, 10);

        scheme->model = PERP_MODEL_PYRAMID;
        scheme->eta =
            *end || eta > 1000 ? 0 : (unsigned)eta; /* 0: refused by the check */
        return PERP_OK;
    }
    status = scheme_place(row, text, &place, err);
    if (status == PERP_OK) {
        scheme_set_place(row, scheme, place);
    }
    return status;
}

/* The place in the list of the member of what it is. */
static size_t scheme_get_place(const scheme_row *row, const perp_scheme *scheme)
{
    const char *type = scheme->broad ? scheme->broad->name : NULL;
    size_t k = 0;

    switch (row->kind) {
    case SCHEME_SWITCH:
        return scheme->speculative;
    case SCHEME_MODEL:
        return scheme->model;
    case SCHEME_GYRO:
        return scheme->override_gyro ? (size_t)scheme->gyro + 1 : 0;
    case SCHEME_STORAGE:
        while (k < 3 && scheme->storage != (perp_storage)(1u << k)) {
            k++;
        }
        return k;
    case SCHEME_NARROW:
        type = scheme->narrow ? scheme->narrow->name : NULL;
        /* fall through */
    case SCHEME_BROAD:
        while (type && scheme_text(row, k) && strcmp(scheme_text(row, k), type) != 0) {
            k++;
        }
        return k;
    default:
        return *(const unsigned *)(const void *)((const char *)scheme + row->offset);
    }
}

void perp_scheme_print(const perp_scheme *scheme, const char *name, char *text,
                       size_t length)
{
    const scheme_row *row = scheme_find(name);
    const void *at = (const char *)scheme + (row ? row->offset : 0);

    if (!row) {
        snprintf(text, length, "%s", "");
    } else if (row->kind <= SCHEME_SPEED) {
        snprintf(text, length, "%.17g", *(const double *)at);
    } else if (row->kind == SCHEME_COUNT) {
        snprintf(text, length, "%u", *(const unsigned *)at);
    } else if (row->kind == SCHEME_MODEL && scheme->model == PERP_MODEL_PYRAMID) {
        snprintf(text, length, "%s%u", pyramid, scheme->eta);
    } else {
        const char *known = scheme_text(row, scheme_get_place(row, scheme));

        snprintf(text, length, "%s", known ? known : "");
    }
}

enum { REDUCE_LEAST = 4 /* points that hold a face against turning */ };

perp_status perp_scheme_check(const perp_scheme *s, perp_error *err)
{
    for (size_t k = 0; k < ROWS; k++) {
        const scheme_row *row = &rows[k];
        const void *at = (const char *)s + row->offset;

        if (row->kind <= SCHEME_SPEED && !scheme_inside(row, *(const double *)at)) {
            char expected[96];

            scheme_expected(row, expected, sizeof expected);
            return perp_fail(err, PERP_ERR_OPTION, "scheme: %s is %g, expected %s",
                             row->name, *(const double *)at, expected);
        }
    }
    if (s->reduce > 0 && s->reduce < REDUCE_LEAST) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "scheme: reduce is %u, expected 0 or at least %d contacts",
                         s->reduce, REDUCE_LEAST);
    }
    if (s->threads > PERP_SCHEME_THREADS) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "scheme: threads is %u, expected at most %d", s->threads,
                         PERP_SCHEME_THREADS);
    }
    if (s->model == PERP_MODEL_PYRAMID &&
        (s->eta < 4 || s->eta % 2 != 0 || s->eta > 64)) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "scheme: pyramid of %u directions, expected an even number from "
                         "4 to 64",
                         s->eta);
    }
    return PERP_OK;
}
