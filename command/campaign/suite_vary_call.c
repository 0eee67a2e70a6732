/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_vary_call.c: parameters of generators and scenes that vary, put into their
 * calls. */
#include <config.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "command/campaign/subject.h"
#include "command/campaign/suite_vary.h"
#include "command/simulate/recipe.h"

static void vary_offer(suite_vary *v, const json_t *parameters)
{
    const char *name = NULL;
    json_t *unit = NULL;

    json_object_foreach((json_t *)(uintptr_t)parameters, name, unit)
    {
        size_t used = strlen(v->offered);
        const char *at = strstr(v->offered, name);
        size_t length = strlen(name);

        while (at &&
               (strchr(", ", at[length]) == NULL || (at > v->offered && at[-1] != ' '))) {
            at = strstr(at + 1, name);
        }
        if (!at && used + length + 3 < VARY_OFFERED) {
            snprintf(v->offered + used, VARY_OFFERED - used, "%s%s", used ? ", " : "",
                     name);
        }
    }
}

/* Where the parameters of a call begin: behind "stack:", "generate:stack:", "scene:stack:". */
static const char *vary_parameters(const char *call)
{
    const char *colon = NULL;

    if (instance_is_call(call)) {
        colon = strchr(strchr(call, ':') + 1, ':');
        return colon ? colon + 1 : call + strlen(call);
    }
    return scene_parameters(recipe_is_call(call) ? recipe_call(call) : call);
}

static bool vary_is_given(const char *parameters, const char *name)
{
    const char *at = parameters;
    size_t length = strlen(name);

    for (at = strstr(at, name); at; at = strstr(at + 1, name)) {
        if (at[length] == '=' && (at == parameters || at[-1] == ',')) {
            return true;
        }
    }
    return false;
}

/* Insert ",mu=0.1" behind the parameters, or before "instance=WHERE", which ends a call. */
static perp_status vary_insert(const document *d, char *call, const char *name,
                               const char *text, perp_error *err)
{
    const char *parameters = vary_parameters(call);
    const char *where = strstr(parameters, "instance=");
    size_t place = where ? (size_t)(where - call) : strlen(call);
    char rest[SUITE_CALL];
    int wrote = 0;

    snprintf(rest, sizeof rest, "%s", call + place);
    wrote = snprintf(call + place, SUITE_CALL - place, "%s%s=%s%s%s",
                     where         ? ""
                     : *parameters ? ","
                                   : ":",
                     name, text, where ? "," : "", rest);
    return wrote >= 0 && (size_t)wrote < SUITE_CALL - place
               ? PERP_OK
               : document_fail(d, err, "too many parameters");
}

static perp_status vary_add_parameter(const suite_reader *r, vary_axis *axis,
                                      const document *d, const char *unit, char *call,
                                      suite_columns *columns, perp_error *err)
{
    document value = suite_vary_value(r->vary, axis);
    suite_column column = {.named = false};
    perp_status status = PERP_OK;

    if (vary_is_given(vary_parameters(call), axis->name)) {
        return document_fail(d, err, "\"%s\" is given here and in %s, expected one place",
                             axis->name, axis->list.place);
    }
    axis->used = true;
    snprintf(column.name, sizeof column.name, "%s", axis->name);
    status = suite_value_read(&value, &column, err);
    if (status == PERP_OK) {
        status = vary_insert(d, call, axis->name, column.text, err);
    }
    if (status == PERP_OK) {
        snprintf(column.unit, sizeof column.unit, "%s", unit);
        suite_columns_add(columns, &column);
    }
    json_decref(column.value);
    return status;
}

perp_status suite_vary_call(const suite_reader *r, const document *d, const char *call,
                            const suite_columns *columns, char *made,
                            suite_columns *made_columns, perp_error *err)
{
    json_t *parameters = NULL;
    perp_status status = PERP_OK;

    suite_columns_copy(made_columns, columns);
    snprintf(made, SUITE_CALL, "%s", call);
    if (strlen(call) >= SUITE_CALL) {
        return document_fail(d, err, "too many parameters");
    }
    for (size_t k = 0; k < r->vary->count && status == PERP_OK; k++) {
        vary_axis *axis = &r->vary->axis[k];
        const char *unit = NULL;

        if (!suite_vary_is_parameter(axis)) {
            continue;
        }
        if (!parameters) {
            parameters = r->type->parameters(r, call);
            vary_offer(r->vary, parameters);
        }
        unit = json_string_value(json_object_get(parameters, axis->name));
        if (unit) {
            status = vary_add_parameter(r, axis, d, unit, made, made_columns, err);
        }
    }
    json_decref(parameters);
    return status;
}

bool suite_is_call(const suite_reader *r, const char *text)
{
    return instance_is_call(text) || recipe_is_call(text) ||
           strcmp(r->type->list, "scenes") == 0;
}

perp_status suite_vary_fail(const suite_reader *r, const document *d, const char *message,
                            perp_error *err)
{
    for (size_t k = 0; k < r->vary->count; k++) {
        const vary_axis *axis = &r->vary->axis[k];

        if (axis->used && suite_vary_is_parameter(axis) && strstr(message, axis->name)) {
            document at = suite_vary_value(r->vary, axis);

            return document_fail(&at, err, "%s", message);
        }
    }
    return document_fail(d, err, "%s", message);
}
