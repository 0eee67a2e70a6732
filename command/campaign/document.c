/* SPDX-License-Identifier: Apache-2.0
 * runner/document.c: JSON read with the place of each fault. */
#include <config.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/number.h"
#include "command/campaign/document.h"

document document_member(const document *d, const char *key)
{
    document m = *d;

    m.value = json_object_get(d->value, key);
    /* A place too long to show is cut. */
    if (!d->whole && snprintf(m.place, sizeof m.place, "%s%s%s", d->place,
                              d->place[0] ? "." : "", key) < 0) {
        m.place[0] = '\0';
    }
    return m;
}

document document_item(const document *d, size_t k)
{
    document m = *d;

    m.value = json_array_get(d->value, k);
    if (!d->whole && snprintf(m.place, sizeof m.place, "%s[%zu]", d->place, k) < 0) {
        m.place[0] = '\0';
    }
    return m;
}

perp_status document_fail(const document *d, perp_error *err, const char *format, ...)
{
    char text[PERP_ERROR_LENGTH];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return perp_fail(err, PERP_ERR_FORMAT, "%s: %s%s%s", d->file, d->place,
                     d->place[0] ? ": " : "", text);
}

static const char *document_type(const json_t *value)
{
    static const char *const names[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array",
        [JSON_STRING] = "a string",  [JSON_INTEGER] = "a number",
        [JSON_REAL] = "a number",    [JSON_TRUE] = "true",
        [JSON_FALSE] = "false",      [JSON_NULL] = "null",
    };

    return value ? names[json_typeof(value)] : "nothing";
}

perp_status document_keys(const document *d, const char *known, perp_error *err)
{
    const char *key = NULL;
    const json_t *value = NULL;

    if (!json_is_object(d->value)) {
        return document_fail(d, err, "found %s, expected an object",
                             document_type(d->value));
    }
    /* jansson iterates over constant objects through a cast of its own. */
    json_object_foreach((json_t *)(uintptr_t)d->value, key, value)
    {
        perp_nearest best;
        char names[512], *save = NULL;

        snprintf(names, sizeof names, "%s", known);
        perp_nearest_start(&best, key);
        for (char *n = strtok_r(names, "|", &save); n; n = strtok_r(NULL, "|", &save)) {
            perp_nearest_offer(&best, n);
        }
        if (best.distance > 0) {
            return document_fail(d, err, "unknown key \"%s\", %s", key,
                                 perp_nearest_advice(&best));
        }
    }
    return PERP_OK;
}

perp_status document_array(const document *d, perp_error *err)
{
    if (!json_is_array(d->value)) {
        return document_fail(d, err, "found %s, expected an array",
                             document_type(d->value));
    }
    return PERP_OK;
}

perp_status document_text(const document *d, const char **text, perp_error *err)
{
    if (!d->value) {
        return PERP_OK;
    }
    if (!json_is_string(d->value)) {
        return document_fail(d, err, "found %s, expected a string",
                             document_type(d->value));
    }
    *text = json_string_value(d->value);
    return PERP_OK;
}

perp_status document_choice(const document *d, const char *choices, const char **text,
                            perp_error *err)
{
    const char *found = NULL, *at = choices;
    perp_status status = document_text(d, &found, err);

    if (status != PERP_OK || !found) {
        return status;
    }
    while (*at) {
        size_t length = strcspn(at, "|");

        if (strlen(found) == length && strncmp(found, at, length) == 0) {
            *text = found;
            return PERP_OK;
        }
        at += length + (at[length] != '\0');
    }
    return document_fail(d, err, "found \"%s\", expected one of %s", found, choices);
}

perp_status document_number(const document *d, double low, double high, double *x,
                            perp_error *err)
{
    double found = json_number_value(d->value);

    if (!d->value) {
        return PERP_OK;
    }
    if (!json_is_number(d->value)) {
        return document_fail(d, err, "found %s, expected a number from %g to %g",
                             document_type(d->value), low, high);
    }
    if (!(found >= low && found <= high)) {
        return document_fail(d, err, "found %g, expected a number from %g to %g", found,
                             low, high);
    }
    *x = found;
    return PERP_OK;
}

perp_status document_integer(const document *d, long low, long high, long *n,
                             perp_error *err)
{
    double x = (double)*n;
    perp_status status = PERP_OK;

    if (d->value && json_is_real(d->value)) {
        return document_fail(d, err, "found %g, expected an integer",
                             json_real_value(d->value));
    }
    status = document_number(d, (double)low, (double)high, &x, err);
    *n = status == PERP_OK ? (long)x : *n;
    return status;
}

perp_status document_switch(const document *d, bool *on, perp_error *err)
{
    if (d->value && !json_is_boolean(d->value)) {
        return document_fail(d, err, "found %s, expected true or false",
                             document_type(d->value));
    }
    *on = d->value ? json_is_true(d->value) : *on;
    return PERP_OK;
}

/* "1e-8" of "1e-08", "1e6" of "1e+06". */
static void document_trim_exponent(char *text)
{
    char *from = strchr(text, 'e');
    char *to = from;

    if (!from) {
        return;
    }
    from++;
    to++;
    if (*from == '-') {
        to++;
    }
    from += strspn(from, "+-0");
    memmove(to, from, strlen(from) + 1);
}

/* The shortest text that reads back as x; up to five characters without an exponent. */
static int document_print_real(double x, char *text, size_t length)
{
    char plain[PERP_NUMBER_LENGTH], scientific[PERP_NUMBER_LENGTH];

    perp_number_format(plain, x);
    document_trim_exponent(plain);
    for (int digits = 0; digits < 17; digits++) {
        snprintf(scientific, sizeof scientific, "%.*e", digits, x);
        if (strtod(scientific, NULL) == x) {
            break;
        }
    }
    document_trim_exponent(scientific);
    return snprintf(text, length, "%s",
                    strlen(plain) > 5 && strlen(scientific) < strlen(plain) ? scientific
                                                                            : plain);
}

perp_status document_print(const document *d, char *text, size_t length, perp_error *err)
{
    int wrote = -1;

    if (json_is_string(d->value)) {
        wrote = snprintf(text, length, "%s", json_string_value(d->value));
    } else if (json_is_integer(d->value)) {
        wrote = snprintf(text, length, "%lld", (long long)json_integer_value(d->value));
    } else if (json_is_real(d->value)) {
        wrote = document_print_real(json_real_value(d->value), text, length);
    } else if (json_is_boolean(d->value)) {
        wrote = snprintf(text, length, "%s", json_is_true(d->value) ? "on" : "off");
    } else {
        return document_fail(d, err, "found %s, expected a number, true, false or a name",
                             document_type(d->value));
    }
    if (wrote < 0 || (size_t)wrote >= length) {
        return document_fail(d, err, "longer than %zu characters", length - 1);
    }
    return PERP_OK;
}

void document_defaults(const document_row *rows, void *out)
{
    for (const document_row *r = rows; r->option.kind != PERP_OPTION_NONE; r++) {
        void *at = (char *)out + r->offset;

        if (r->read) {
            continue;
        }
        switch (r->option.kind) {
        case PERP_OPTION_REAL:
            *(double *)at = r->option.value;
            break;
        case PERP_OPTION_INTEGER:
            *(long *)at = (long)r->option.value;
            break;
        case PERP_OPTION_SWITCH:
            *(bool *)at = r->option.value != 0.0;
            break;
        default:
            *(const char **)at = NULL;
        }
    }
}

perp_status document_read(const document *d, const document_row *rows, void *out,
                          perp_error *err)
{
    perp_status status = PERP_OK;

    for (const document_row *r = rows;
         r->option.kind != PERP_OPTION_NONE && status == PERP_OK; r++) {
        const perp_option *o = &r->option;
        const document m = document_member(d, o->name);
        void *at = (char *)out + r->offset;

        if (r->read) {
            status = r->read(r, &m, out, err);
        } else if (o->kind == PERP_OPTION_REAL) {
            status = document_number(&m, o->low, o->high, at, err);
        } else if (o->kind == PERP_OPTION_INTEGER) {
            status = document_integer(&m, (long)o->low, (long)o->high, at, err);
        } else if (o->kind == PERP_OPTION_SWITCH) {
            status = document_switch(&m, at, err);
        } else if (o->kind == PERP_OPTION_CHOICE) {
            status = document_choice(&m, o->choices, at, err);
        } else {
            status = document_text(&m, at, err);
        }
    }
    return status;
}

void document_row_names(const document_row *rows, char *text, size_t length)
{
    size_t used = 0;

    text[0] = '\0';
    for (const document_row *r = rows;
         r->option.kind != PERP_OPTION_NONE && used < length; r++) {
        used += (size_t)snprintf(text + used, length - used, "%s%s", used ? "|" : "",
                                 r->option.name);
    }
}
