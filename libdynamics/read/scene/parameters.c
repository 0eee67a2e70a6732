/* SPDX-License-Identifier: Apache-2.0
 * read/scene/parameters.c: named numbers of a scene, and values set from outside.
 *
 * Parameters are read first and in their order, so that one may be an expression of
 * earlier ones. A value set from outside has the dimension of the unit of the default. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/quantity.h"
#include "read/scene/build.h"
#include "read/scene/document.h"
#include "read/scene/members.h"
#include "read/scene/quantity.h"
#include "read/scene/tables.h"

/* What is set from outside. */
typedef struct overrides {
    const perp_scene_set *sets;
    size_t count;
} overrides;

static perp_status parameters_check_name(scene_reader *rd, const scene_at *at)
{
    const char *c = at->key;

    while (isalnum((unsigned char)*c) || *c == '_') {
        c++;
    }
    if (!isalpha((unsigned char)*at->key) || *c || strlen(at->key) >= SCENE_WORD) {
        return scene_fail_key(rd, at, PERP_ERR_FORMAT,
                              " is not a name of a parameter, expected a letter, then up "
                              "to %d letters, digits and _",
                              SCENE_WORD - 2);
    }
    return perp_expression_has(at->key)
               ? scene_fail_key(
                     rd, at, PERP_ERR_FORMAT,
                     " is a function or constant of expressions, expected another name")
               : PERP_OK;
}

/* The SI unit of what a default stands in; "1" of a plain number. */
static perp_status parameters_find_unit(scene_reader *rd, const scene_at *at,
                                        char unit[SCENE_WORD])
{
    const scene_member any = {.name = "value"};
    const char *text = json_string_value(at->value);
    const char *found = "";
    double x = 0.0;
    perp_status status = PERP_OK;

    snprintf(unit, SCENE_WORD, "1");
    if (!text) {
        return PERP_OK;
    }
    status = scene_fill(rd, at, &text);
    if (status == PERP_OK) {
        status = scene_read_number(rd, at, &any, text, &x, &found);
    }
    if (status == PERP_OK && *found && !perp_unit_base(found, unit)) {
        status = scene_fail(rd, at, PERP_ERR_DATA, " is \"%.80s\", expected a known unit",
                            text);
    }
    rd->scratch_used = 0;
    return status;
}

static perp_status parameters_check_value(scene_reader *rd, const scene_at *at,
                                          const perp_scene_parameter *p, double x)
{
    bool unit = strcmp(p->unit, "1") != 0;

    if (!(x >= p->least && x <= p->most)) {
        return scene_fail(
            rd, at, PERP_ERR_DATA, " is %.10g, expected a number %.10g .. %.10g%s%s%s", x,
            p->least, p->most, unit ? " [" : "", unit ? p->unit : "", unit ? "]" : "");
    }
    if (strcmp(p->name, "seed") == 0 && (floor(x) != x || !(fabs(x) < 1e15))) {
        return scene_fail(rd, at, PERP_ERR_DATA, " is %.10g, expected a whole number", x);
    }
    return PERP_OK;
}

/* The value in force, and that of the file, by the unit of the latter. */
static perp_status parameters_read_values(scene_reader *rd, const scene_at *at,
                                          const scene_parameter *given, const char *wish,
                                          perp_scene_parameter *p)
{
    const scene_member m = {.name = p->name,
                            .unit = strcmp(p->unit, "1") == 0 ? NULL : p->unit};
    scene_at wished = *at;
    perp_status status = scene_read_real(rd, at, &m, &p->usual);

    if (status == PERP_OK && given->least.value) {
        status = scene_read_real(rd, &given->least, &m, &p->least);
    }
    if (status == PERP_OK && given->most.value) {
        status = scene_read_real(rd, &given->most, &m, &p->most);
    }
    if (status == PERP_OK) {
        status = parameters_check_value(rd, at, p, p->usual);
    }
    p->value = p->usual;
    if (status != PERP_OK || !wish) {
        return status;
    }
    wished.value = json_string_nocheck(wish);
    if (!wished.value) {
        return perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory for a parameter",
                         rd->file);
    }
    status = scene_read_real(rd, &wished, &m, &p->value);
    if (status == PERP_OK) {
        status = parameters_check_value(rd, &wished, p, p->value);
    }
    json_decref(wished.value);
    return status;
}

static perp_status parameters_read_parameter(scene_reader *rd, const scene_at *at,
                                             const char *wish, perp_scene_parameter *p)
{
    bool plain = !json_is_object(at->value);
    scene_parameter given = {.value = *at};
    perp_status status = PERP_OK;

    TRY(parameters_check_name(rd, at));
    if (!plain) {
        TRY(scene_read_object(rd, at, &scene_table_parameter, &given));
    }
    *p = (perp_scene_parameter){.least = -INFINITY, .most = INFINITY};
    snprintf(p->name, sizeof p->name, "%s", at->key);
    snprintf(p->help, sizeof p->help, "%s", given.help ? given.help : "");
    status = parameters_find_unit(rd, &given.value, p->unit);
    return status == PERP_OK ? parameters_read_values(rd, &given.value, &given, wish, p)
                             : status;
}

/* Every name that is set is that of a parameter. */
static perp_status parameters_check_overrides(scene_reader *rd, json_t *parameters,
                                              const overrides *w)
{
    const char *names[SCENE_PARAMETERS + 1] = {NULL};
    const char *key = NULL;
    json_t *value = NULL;
    size_t count = 0;
    perp_nearest best;

    json_object_foreach(parameters, key, value)
    {
        names[count++] = key;
    }
    for (size_t k = 0; k < w->count; k++) {
        if (count == 0) {
            return perp_fail(rd->err, PERP_ERR_OPTION,
                             "%s: parameter %.60s is set, but the scene has none",
                             rd->file, w->sets[k].name);
        }
        if (!json_object_get(parameters, w->sets[k].name)) {
            return perp_fail(
                rd->err, PERP_ERR_OPTION, "%s: parameter %.60s is not known, %s",
                rd->file, w->sets[k].name, scene_nearest(&best, w->sets[k].name, names));
        }
    }
    return PERP_OK;
}

static const char *parameters_find_override(const overrides *w, const char *name)
{
    for (size_t k = w->count; k-- > 0;) {
        if (strcmp(w->sets[k].name, name) == 0) {
            return w->sets[k].value;
        }
    }
    return NULL;
}

perp_status scene_read_parameters(scene_reader *rd, const scene_at *root,
                                  const perp_scene_set *sets, size_t count)
{
    const overrides w = {sets, count};
    scene_at list = scene_member_at(root, "parameters");
    perp_scene *s = rd->scene;
    const char *key = NULL;
    json_t *value = NULL;
    perp_status status = PERP_OK;

    if (list.value && !json_is_object(list.value)) {
        return scene_unexpected(rd, &list, PERP_ERR_FORMAT, "an object");
    }
    if (json_object_size(list.value) > SCENE_PARAMETERS) {
        return scene_fail(rd, &list, PERP_ERR_DATA, " has %zu, expected at most %d",
                          json_object_size(list.value), SCENE_PARAMETERS);
    }
    status = parameters_check_overrides(rd, list.value, &w);
    if (status != PERP_OK || json_object_size(list.value) == 0) {
        return status;
    }
    s->parameters = calloc(json_object_size(list.value), sizeof *s->parameters);
    if (!s->parameters) {
        return perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory for parameters",
                         rd->file);
    }
    json_object_foreach(list.value, key, value)
    {
        scene_at one = scene_member_at(&list, key);

        status = parameters_read_parameter(rd, &one, parameters_find_override(&w, key),
                                           &s->parameters[s->parameter_count]);
        if (status != PERP_OK) {
            return status;
        }
        s->parameter_count++; /* those below may name it */
    }
    return PERP_OK;
}
