/* SPDX-License-Identifier: Apache-2.0
 * base/json.c: members and arrays of a JSON document, each message with its place. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/json.h"
#include "base/text.h"

const char *perp_json_kind(const json_t *value)
{
    if (!value) {
        return "missing";
    }
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a text";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    case JSON_NULL:
        break;
    }
    return "null";
}

void perp_json_hush(json_error_t *fault, const char *text, size_t length)
{
    size_t at = 0;
    char *near = strstr(fault->text, " near '");

    while (at < length && strchr(" \t\r\n", text[at]) && text[at]) {
        at++;
    }
    if (near && !(at < length && (text[at] == '{' || text[at] == '['))) {
        *near = '\0';
    }
}

perp_status perp_json_load(json_t **root, perp_source *from, perp_error *err)
{
    json_error_t fault;
    perp_status status = perp_source_load(from, err);

    *root = NULL;
    if (status != PERP_OK) {
        return status;
    }
    *root = json_loadb(from->bytes ? from->bytes : "", from->size,
                       JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &fault);
    if (!*root && json_error_code(&fault) == json_error_out_of_memory) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory to parse it", from->name);
    }
    if (!*root) {
        perp_json_hush(&fault, from->bytes ? from->bytes : "", from->size);
        return perp_fail(err, PERP_ERR_FORMAT, "%s:%d:%d: %s, expected JSON", from->name,
                         fault.line, fault.column, fault.text);
    }
    if (!json_is_object(*root)) {
        status = perp_fail(err, PERP_ERR_FORMAT, "%s: it is %s, expected an object",
                           from->name, perp_json_kind(*root));
        json_decref(*root);
        *root = NULL;
    }
    return status;
}

perp_status perp_json_get(json_t **value, const json_t *object, const char *file,
                          const char *at, const char *key, perp_error *err)
{
    *value = json_object_get(object, key);
    if (!*value) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: %s%s is missing", file, at, key);
    }
    return PERP_OK;
}

perp_status perp_json_text(const char **text, const json_t *object, const char *file,
                           const char *at, const char *key, perp_error *err)
{
    const json_t *value = json_object_get(object, key);

    *text = NULL;
    if (value && !json_is_string(value)) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: %s%s is %s, expected a text", file,
                         at, key, perp_json_kind(value));
    }
    *text = json_string_value(value); /* NULL for NULL */
    return PERP_OK;
}

/* Whether the list has the name; without a name every word of it is offered as the nearest. */
static bool json_list_has(const char *const *names, const char *name, perp_nearest *best)
{
    for (; names && *names; names++) {
        const size_t length = strlen(*names);

        if (strcmp(name, *names) == 0 ||
            ((*names)[length - 1] == '_' && strncmp(name, *names, length) == 0)) {
            return true;
        }
        perp_nearest_offer(best, *names);
    }
    return false;
}

perp_status perp_json_expect_members(const json_t *object, const char *const *names,
                                     const char *const *more, const char *file,
                                     const char *at, perp_error *err)
{
    const char *name = NULL;
    json_t *value = NULL;

    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        perp_nearest best;

        perp_nearest_start(&best, name);
        if (!json_list_has(more, name, &best) && !json_list_has(names, name, &best)) {
            return perp_fail(err, PERP_ERR_FORMAT, "%s: unknown member \"%s%.60s\", %s",
                             file, at, name, perp_nearest_advice(&best));
        }
    }
    return PERP_OK;
}

perp_status perp_json_choice(bool *second, const json_t *object, const char *file,
                             const char *at, const char *key, const char *first,
                             const char *other, perp_error *err)
{
    const char *word = NULL;
    perp_status status = perp_json_text(&word, object, file, at, key, err);

    *second = word && strcmp(word, other) == 0;
    if (status == PERP_OK && word && !*second && strcmp(word, first) != 0) {
        status = perp_fail(err, PERP_ERR_FORMAT,
                           "%s: %s%s is \"%s\", expected \"%s\" or \"%s\"", file, at, key,
                           word, first, other);
    }
    return status;
}

perp_status perp_json_size(size_t *size, const json_t *object, const char *file,
                           const char *at, const char *key, size_t fallback,
                           perp_error *err)
{
    const double exact = 0x1p53; /* whole numbers below are all doubles */
    const json_t *value = json_object_get(object, key);
    double x = 0.0;

    *size = fallback;
    if (!value) {
        return PERP_OK;
    }
    if (!json_is_number(value)) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: %s%s is %s, expected a count", file,
                         at, key, perp_json_kind(value));
    }
    x = json_number_value(value);
    if (!(x >= 0.0 && x < exact && x == floor(x))) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: %s%s is %g, expected a whole number from 0", file, at, key,
                         x);
    }
    *size = (size_t)x;
    return PERP_OK;
}

perp_status perp_json_real(double *real, const json_t *object, const char *file,
                           const char *at, const char *key, perp_error *err)
{
    json_t *value = NULL;

    TRY(perp_json_get(&value, object, file, at, key, err));
    if (!json_is_number(value)) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: %s%s is %s, expected a number", file,
                         at, key, perp_json_kind(value));
    }
    *real = json_number_value(value);
    return PERP_OK;
}

/* An array of `count`, or the value alone when count is 1. */
static perp_status json_array_of(size_t count, const json_t *value, const char *file,
                                 const char *place, perp_error *err)
{
    if (json_is_array(value) && json_array_size(value) != count) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: %s has %zu entries, expected %zu",
                         file, place, json_array_size(value), count);
    }
    if (!json_is_array(value) && count != 1) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: %s is %s, expected an array of %zu",
                         file, place, perp_json_kind(value), count);
    }
    return PERP_OK;
}

static perp_status json_not_a_number(const json_t *x, const json_t *value, size_t i,
                                     const char *file, const char *place, perp_error *err)
{
    if (json_is_array(value)) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: %s[%zu] is %s, expected a number",
                         file, place, i, perp_json_kind(x));
    }
    return perp_fail(err, PERP_ERR_FORMAT, "%s: %s is %s, expected a number", file, place,
                     perp_json_kind(x));
}

perp_status perp_json_reals(double *reals, size_t count, const json_t *value,
                            const char *file, const char *place, perp_error *err)
{
    TRY(json_array_of(count, value, file, place, err));

    for (size_t i = 0; i < count; i++) {
        const json_t *x = json_is_array(value) ? json_array_get(value, i) : value;

        if (!json_is_number(x)) {
            return json_not_a_number(x, value, i, file, place, err);
        }
        reals[i] = json_number_value(x);
    }
    return PERP_OK;
}

void perp_number_print(char text[PERP_NUMBER_LENGTH], double x)
{
    if (isfinite(x)) {
        perp_number_format(text, x);
    } else {
        strcpy(text, "null");
    }
}

void perp_json_print_text(FILE *f, const char *text)
{
    fputc('"', f);
    for (size_t bytes; *text; text += bytes ? bytes : 1) {
        bytes = perp_text_character(text, NULL);
        if (bytes == 0) { /* not UTF-8 */
            fprintf(f, "\\\\x%02x", (unsigned)(unsigned char)*text);
        } else if (*text == '"' || *text == '\\') {
            fprintf(f, "\\%c", *text);
        } else if ((unsigned char)*text < 0x20 || *text == 0x7f) {
            fprintf(f, "\\u%04x", (unsigned)*text);
        } else {
            fwrite(text, 1, bytes, f);
        }
    }
    fputc('"', f);
}

void perp_json_print_reals(FILE *f, const double *x, size_t count)
{
    char number[PERP_NUMBER_LENGTH];

    fputc('[', f);
    for (size_t i = 0; i < count; i++) {
        perp_number_print(number, x[i]);
        fprintf(f, "%s%s", i ? "," : "", number);
    }
    fputc(']', f);
}

perp_status perp_json_lines_open(perp_json_lines *lines, const char *path,
                                 const char *expected, perp_error *err)
{
    *lines = (perp_json_lines){.path = path, .in = perp_file_open(path, O_RDONLY)};
    return lines->in ? PERP_OK
                     : perp_fail(err, PERP_ERR_READ, "%s: %s%s", path, strerror(errno),
                                 expected);
}

bool perp_json_lines_next(perp_json_lines *lines)
{
    const ssize_t length = getline(&lines->text, &lines->room, lines->in);

    json_decref(lines->json);
    lines->json = NULL;
    if (length <= 0) {
        return false;
    }
    lines->number++;
    lines->length = (size_t)length;
    lines->whole = lines->text[length - 1] == '\n';
    lines->json = json_loadb(lines->text, lines->length, JSON_REJECT_DUPLICATES, NULL);
    return true;
}

perp_status perp_json_lines_close(perp_json_lines *lines, perp_status status,
                                  perp_error *err)
{
    if (status == PERP_OK && perp_file_cut(lines->in)) {
        status = perp_fail(err, PERP_ERR_READ, "%s: %s", lines->path, strerror(errno));
    }
    json_decref(lines->json);
    free(lines->text);
    fclose(lines->in);
    return status;
}
