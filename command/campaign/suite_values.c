/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_values.c: the values of something that varies. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/scene.h>

#include "base/json.h"
#include "command/campaign/suite_values.h"

/* x with the fewest digits that are within `error` of it. */
static double values_round(double x, double error)
{
    for (int digits = 1; digits <= 17; digits++) {
        char text[40];
        double rounded = 0.0;

        snprintf(text, sizeof text, "%.*g", digits, x);
        rounded = strtod(text, NULL);
        if (fabs(rounded - x) <= error) {
            return rounded;
        }
    }
    return x;
}

/* A whole number is an integer, as if it had been typed. */
static json_t *values_number(double x)
{
    const double most = 1e15;

    return x == floor(x) && fabs(x) < most ? json_integer((json_int_t)x) : json_real(x);
}

/* Value k of n from `from` to `to`. */
static double values_between(bool logarithmic, double from, double to, long k, long n)
{
    double share = n > 1 ? (double)k / (double)(n - 1) : 0.0;

    if (k == 0 || k == n - 1) {
        return k == 0 ? from : to;
    }
    return logarithmic ? from * pow(to / from, share) : from + (to - from) * share;
}

/* "log 1 1e6 7", "lin 0 2 5" */
static perp_status values_spaced(const document *d, const char *text, json_t *values,
                                 perp_error *err)
{
    bool logarithmic = strncmp(text, "log", 3) == 0;
    char *end = NULL;
    double from = strtod(text + 3, &end);
    double to = strtod(end, &end);
    long n = strtol(end, &end, 10);

    if (*end || n < 2 || n > SUITE_VALUES || !isfinite(from) || !isfinite(to) ||
        from == to || (logarithmic && !(from > 0.0 && to > 0.0))) {
        return document_fail(d, err,
                             "found \"%.80s\", expected \"%s FROM TO COUNT\" with "
                             "different%s ends and a count of 2 .. %d",
                             text, logarithmic ? "log" : "lin",
                             logarithmic ? " positive" : "", SUITE_VALUES);
    }
    for (long k = 0; k < n; k++) {
        double x = values_between(logarithmic, from, to, k, n);
        double next = values_between(logarithmic, from, to, k + (k + 1 < n ? 1 : -1), n);

        x = k == 0 || k == n - 1 ? x : values_round(x, 1e-3 * fabs(next - x));
        json_array_append_new(values, values_number(x));
    }
    return PERP_OK;
}

/* "1..20" */
static perp_status values_whole(const document *d, const char *text, json_t *values,
                                perp_error *err)
{
    char *end = NULL;
    long from = strtol(text, &end, 10);
    const char *dots = end;
    long to = strncmp(dots, "..", 2) == 0 ? strtol(dots + 2, &end, 10) : from - 1;

    if (dots == text || *end || end == dots + 2 || to < from ||
        (unsigned long)to - (unsigned long)from >= SUITE_VALUES) {
        return document_fail(
            d, err,
            "found \"%.80s\", expected a range such as 1..9 of at most %d numbers", text,
            SUITE_VALUES);
    }
    for (long k = from; k <= to; k++) {
        json_array_append_new(values, json_integer(k));
    }
    return PERP_OK;
}

perp_status suite_values_read(const document *d, json_t **values, bool *listed,
                              perp_error *err)
{
    const char *text = json_string_value(d->value);
    perp_status status = PERP_OK;

    *listed = json_is_array(d->value);
    *values = *listed ? json_incref((json_t *)(uintptr_t)d->value) : json_array();
    if (text && (strncmp(text, "log ", 4) == 0 || strncmp(text, "lin ", 4) == 0)) {
        status = values_spaced(d, text, *values, err);
    } else if (text && strstr(text, "..")) {
        status = values_whole(d, text, *values, err);
    } else if (!*listed) {
        json_array_append(*values, (json_t *)(uintptr_t)d->value);
    }
    if (status == PERP_OK && json_array_size(*values) == 0) {
        status = document_fail(d, err, "an empty list, expected values");
    }
    if (status != PERP_OK) {
        json_decref(*values);
        *values = NULL;
    }
    return status;
}

/* A number with or without a unit, in SI units. */
static bool value_quantity(const char *text, double *x, char unit[COLUMN_UNIT])
{
    return *text && strchr("+-.0123456789", *text) &&
           perp_quantity_parse(text, x, unit, NULL) == PERP_OK;
}

perp_status suite_value_read(const document *d, suite_column *column, perp_error *err)
{
    const char *text = json_string_value(d->value);
    double x = 0.0;
    perp_status status = document_print(d, column->text, sizeof column->text, err);

    column->unit[0] = '\0';
    column->value = NULL;
    if (status != PERP_OK) {
        return status;
    }
    if (text && value_quantity(text, &x, column->unit)) {
        char *blank = strchr(column->text, ' ');

        if (blank) { /* between number and unit */
            memmove(blank, blank + strspn(blank, " "),
                    strlen(blank + strspn(blank, " ")) + 1);
        }
        column->value = json_real(x);
    } else {
        column->value = json_incref((json_t *)(uintptr_t)d->value);
    }
    return PERP_OK;
}
