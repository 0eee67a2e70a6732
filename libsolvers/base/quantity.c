/* SPDX-License-Identifier: Apache-2.0
 * base/quantity.c: a number with a unit. */
#include <config.h>

#include <math.h>
#include <string.h>

#include <jansson.h>

#include "base/base.h"
#include "base/quantity.h"

perp_status perp_quantity_number(const char *text, size_t length, double *x)
{
    json_error_t fault;
    json_t *value =
        json_loadb(text, length, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, &fault);
    perp_status status = PERP_OK;

    if (!value && json_error_code(&fault) == json_error_out_of_memory) {
        status = PERP_ERR_MEMORY;
    } else if (!json_is_number(value)) {
        status = PERP_ERR_FORMAT;
    }
    *x = json_number_value(value);
    json_decref(value);
    return status;
}

perp_status perp_quantity_split(const char *text, double *x, const char **unit)
{
    const char *p = text + strspn(text, " ");
    size_t length = strspn(p, "+-.0123456789eE");
    double over = 1.0;
    perp_status status = perp_quantity_number(p, length, x);

    p += length;
    if (status == PERP_OK && *p == '/') {
        length = strspn(++p, "+-.0123456789eE");
        status = perp_quantity_number(p, length, &over);
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
    status = perp_quantity_split(text, x, unit);
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
    if (*unit && !perp_unit_factor(unit, si, &factor)) {
        perp_unit_list(si, list, sizeof list);
        return perp_fail(err, PERP_ERR_DATA,
                         strcmp(si, "1") == 0
                             ? " is \"%.80s\", expected a number without a unit"
                             : " is \"%.80s\", expected a unit of: %s",
                         text, list);
    }
    *x *= factor;
    return PERP_OK;
}

perp_status perp_quantity_parse(const char *text, double *x, char si[PERP_UNIT_LENGTH],
                                perp_error *err)
{
    const char *unit = NULL;
    double factor = 1.0;
    perp_status status = quantity_split(text, x, &unit, err);

    si[0] = '\0';
    if (status != PERP_OK || !*unit) {
        return status;
    }
    if (!perp_unit_base(unit, si) || !perp_unit_factor(unit, si, &factor)) {
        return perp_fail(err, PERP_ERR_DATA, " is \"%.80s\", expected a known unit",
                         text);
    }
    if (strcmp(si, "1") == 0) {
        si[0] = '\0';
    }
    *x *= factor;
    return PERP_OK;
}
