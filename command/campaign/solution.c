/* SPDX-License-Identifier: Apache-2.0
 * runner/solution.c: an answer from any tool, read for judging or as a start. */
#include <config.h>

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/formats.h>

#include "base/file.h"
#include "command/campaign/solution.h"
#include "command/cli/take.h"

/* Numbers of a JSON array. */
static perp_status solution_array(const char *path, const char *name, const json_t *array,
                                  double **x, size_t *n, perp_error *err)
{
    if (!json_is_array(array)) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: \"%s\" is not an array of numbers",
                         path, name);
    }
    *n = json_array_size(array);
    *x = take_reals(*n);
    for (size_t i = 0; i < *n; i++) {
        const json_t *item = json_array_get(array, i);

        if (!json_is_number(item)) {
            return perp_fail(err, PERP_ERR_FORMAT, "%s: %s[%zu] is not a number", path,
                             name, i);
        }
        (*x)[i] = json_number_value(item);
    }
    return PERP_OK;
}

static perp_status solution_json(solution *s, const char *path, const char *text,
                                 perp_error *err)
{
    json_error_t where;
    json_t *root = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &where);
    const json_t *certificate = NULL;
    const char *name = NULL;
    perp_status status = PERP_OK;

    if (!root) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s:%d:%d: %s", path, where.line,
                         where.column, where.text);
    }
    if (json_is_array(root)) {
        status = solution_array(path, "array", root, &s->z, &s->n, err);
        json_decref(root);
        return status;
    }
    name = json_object_get(root, "z") ? "z" : json_object_get(root, "r") ? "r" : NULL;
    certificate = json_object_get(root, "certificate");
    certificate = json_is_object(certificate) ? certificate : NULL;
    s->plugins = json_incref(json_object_get(root, "plugins"));
    if (!name && !certificate) {
        status = perp_fail(err, PERP_ERR_FORMAT,
                           "%s: contains no \"z\", \"r\" or \"certificate\"", path);
    }
    if (status == PERP_OK && name) {
        status =
            solution_array(path, name, json_object_get(root, name), &s->z, &s->n, err);
    }
    if (status == PERP_OK && certificate) {
        status = certificates_read(&s->certificate, path, certificate, err);
    }
    json_decref(root);
    return status;
}

perp_status solution_read(solution **out, const char *path, perp_error *err)
{
    solution *s = take(1, sizeof *s);
    char *text = NULL;
    const char *first = NULL;
    size_t length = 0;
    perp_status status = PERP_OK;

    *out = NULL;
    status = perp_file_slurp(path, &text, &length, err);
    if (status != PERP_OK) {
        solution_free(s);
        return status;
    }
    first = text;
    while (isspace((unsigned char)*first)) {
        first++;
    }
    if (*first == '{' || *first == '[') {
        status = solution_json(s, path, text, err);
    } else {
        status = perp_vector_read(&s->z, &s->n, path, err);
    }
    free(text);
    if (status != PERP_OK) {
        solution_free(s);
        return status;
    }
    *out = s;
    return PERP_OK;
}

void solution_free(solution *s)
{
    if (s) {
        free(s->z);
        certificates_clear(&s->certificate);
        json_decref(s->plugins);
        free(s);
    }
}
