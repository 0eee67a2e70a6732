/* SPDX-License-Identifier: Apache-2.0
 * read/quantity.c: a number with a unit, outside a scene: an option, a column of a suite. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "read/reader.h"

#define QUANTITY_MEMBER(kind, member, list, name, unit, help) {name, unit},
static const struct {
    const char *name, *unit;
} members[] = {PERP_SCHEME_LIST(QUANTITY_MEMBER)};

perp_status scene_split_quantity(const char *text, double *x, const char **unit)
{
    const char *p = text + strspn(text, " ");
    size_t length = strspn(p, "+-.0123456789eE");
    double over = 1.0;
    perp_status status = scene_number(p, length, x);

    p += length;
    if (status == PERP_OK && *p == '/') {
        length = strspn(++p, "+-.0123456789eE");
        status = scene_number(p, length, &over);
        p += length;
    }
    *x = *x / over;
    *unit = p + strspn(p, " ");
    return status;
}

static perp_status quantity_split(const char *text, double *x, const char **unit,
                                  perp_error *err)
{
    perp_status status = PERP_OK;

    *unit = "";
    if (strcmp(text, "infinity") == 0 || strcmp(text, "infinite") == 0 ||
        strcmp(text, "inf") == 0) {
        *x = INFINITY;
        return PERP_OK;
    }
    status = scene_split_quantity(text, x, unit);
    if (status == PERP_ERR_MEMORY) {
        return perp_fail(err, status, ": no memory for a number");
    }
    return status == PERP_OK
               ? PERP_OK
               : perp_fail(err, PERP_ERR_DATA,
                           " is \"%.80s\", expected a number, or one with a unit", text);
}

perp_status perp_quantity_read(const char *text, const char *si, double *x,
                               perp_error *err)
{
    const char *unit = NULL;
    double factor = 1.0;
    char list[160];

    TRY(quantity_split(text, x, &unit, err));
    if (*unit && !scene_unit_factor(unit, si, &factor)) {
        scene_unit_list(si, list, sizeof list);
        return perp_fail(err, PERP_ERR_DATA,
                         strcmp(si, "1") == 0
                             ? " is \"%.80s\", expected a number without a unit"
                             : " is \"%.80s\", expected a unit of: %s",
                         text, list);
    }
    *x *= factor;
    return PERP_OK;
}

perp_status perp_quantity_parse(const char *text, double *x, char si[SCENE_WORD],
                                perp_error *err)
{
    const char *unit = NULL;
    double factor = 1.0;
    perp_status status = quantity_split(text, x, &unit, err);

    si[0] = '\0';
    if (status != PERP_OK || !*unit) {
        return status;
    }
    if (!scene_unit_base(unit, si) || !scene_unit_factor(unit, si, &factor)) {
        return perp_fail(err, PERP_ERR_DATA, " is \"%.80s\", expected a known unit",
                         text);
    }
    if (strcmp(si, "1") == 0) {
        si[0] = '\0';
    }
    *x *= factor;
    return PERP_OK;
}

perp_status perp_scheme_set_quantity(perp_scheme *scheme, const char *name,
                                     const char *text, perp_error *err)
{
    perp_error inner = {0};
    char digits[32];
    double x = 0.0;

    for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
        if (strcmp(members[k].name, name) != 0 || !*members[k].unit) {
            continue;
        }
        if (perp_quantity_read(text, members[k].unit, &x, &inner) != PERP_OK) {
            return perp_fail(
                err, inner.status == PERP_ERR_DATA ? PERP_ERR_OPTION : inner.status,
                "%s%s", name, inner.text);
        }
        snprintf(digits, sizeof digits, "%.17g", x);
        text = digits;
    }
    return perp_scheme_set(scheme, name, text, err);
}
