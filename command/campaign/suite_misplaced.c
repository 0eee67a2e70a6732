/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_misplaced.c: keys of a suite that belong elsewhere, with the place for them. */
#include <config.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "command/campaign/subject.h"
#include "command/campaign/suite_parts.h"
#include "command/campaign/suite_vary.h"
#include "command/cli/plugin.h"

/* Is the key among "a|b|c"? */
static bool misplaced_is_in(const char *list, const char *key)
{
    size_t length = strlen(key);
    const char *at = list;

    while (length > 0 && (at = strstr(at, key)) != NULL) {
        if ((at == list || at[-1] == '|') && (at[length] == '|' || !at[length])) {
            return true;
        }
        at += length;
    }
    return false;
}

static bool misplaced_is_rule(const char *key)
{
    char rules[512];

    suite_rule_names(rules, sizeof rules);
    return misplaced_is_in(rules, key);
}

static bool misplaced_is_list(const char *key)
{
    for (size_t k = 0; subjects[k]; k++) {
        if (strcmp(subjects[k]->list, key) == 0) {
            return true;
        }
    }
    return strcmp(key, "solvers") == 0;
}

/* Does an entry of the set take a parameter of this name? */
static bool misplaced_is_parameter(const document *set, const char *folder,
                                   const char *key)
{
    bool found = false;

    for (size_t k = 0; subjects[k] && !found; k++) {
        const json_t *list = json_object_get(set->value, subjects[k]->list);
        const suite_reader r = {.type = subjects[k], .folder = folder};

        for (size_t i = 0; i < json_array_size(list) && !found; i++) {
            const json_t *item = json_array_get(list, i);
            const char *scene = json_string_value(json_object_get(item, "scene"));
            const char *family = json_string_value(json_object_get(item, "generate"));
            char call[SUITE_CALL];
            json_t *parameters = NULL;

            snprintf(call, sizeof call, "%s%s",
                     family                             ? "generate:"
                     : scene && subjects[k]->one_answer ? "scene:"
                                                        : "",
                     family                 ? family
                     : scene                ? scene
                     : json_is_string(item) ? json_string_value(item)
                                            : "");
            parameters = suite_is_call(&r, call) ? r.type->parameters(&r, call) : NULL;
            found = json_object_get(parameters, key) != NULL;
            json_decref(parameters);
        }
    }
    return found;
}

/* The solver of the set that has an option of this name, or NULL. */
static const char *misplaced_solver(const document *set, const char *key)
{
    const json_t *solvers = json_object_get(set->value, "solvers");

    for (size_t k = 0; k < json_array_size(solvers); k++) {
        const json_t *item = json_array_get(solvers, k);
        const char *name = json_string_value(
            json_is_object(item) ? json_object_get(item, "solver") : item);
        perp_options opt;

        if (name && plugin_parse(name, NULL, &opt, NULL) == PERP_OK &&
            perp_options_find(&opt, key)) {
            return name;
        }
    }
    return NULL;
}

/* Where a key belongs that does not belong into the set or the suite. */
static perp_status misplaced_of_set(const document *d, const char *folder,
                                    const char *key, perp_error *err)
{
    const char *solver = misplaced_solver(d, key);

    if (misplaced_is_list(key)) {
        return document_fail(d, err, "\"%s\" belongs into an object of \"sets\"", key);
    }
    if (suite_is_scheme(key)) {
        return document_fail(d, err, "\"%s\" belongs into \"scheme\"", key);
    }
    if (misplaced_is_parameter(d, folder, key)) {
        return document_fail(d, err,
                             "\"%s\" is a parameter of entries: put it into \"vary\", or "
                             "into the object of an entry",
                             key);
    }
    return solver ? document_fail(d, err,
                                  "\"%s\" is an option of %s: put it into \"options\" of "
                                  "the object of the solver",
                                  key, solver)
                  : PERP_OK;
}

static perp_status misplaced_of_part(const document *d, const perp_options *opt,
                                     const char *key, perp_error *err)
{
    if (misplaced_is_rule(key)) {
        return document_fail(
            d, err, "\"%s\" is a rule: put it into the set, next to \"solvers\"", key);
    }
    if (opt && perp_options_find(opt, key)) {
        return document_fail(d, err, "\"%s\" is an option of %s: put it into \"options\"",
                             key, opt->solver ? opt->solver->name : "the solver");
    }
    return suite_is_scheme(key)
               ? document_fail(d, err, "\"%s\" belongs into \"scheme\" of the set", key)
               : PERP_OK;
}

perp_status suite_misplaced(const document *d, perp_error *err)
{
    const char *key = NULL;
    json_t *value = NULL;
    perp_status status = PERP_OK;

    json_object_foreach((json_t *)(uintptr_t)d->value, key, value)
    {
        status = status == PERP_OK ? misplaced_of_part(d, NULL, key, err) : status;
    }
    return status;
}

perp_status suite_keys(const document *d, const char *known, const char *folder,
                       const perp_options *opt, perp_error *err)
{
    const char *key = NULL;
    json_t *value = NULL;
    perp_status status = PERP_OK;

    json_object_foreach((json_t *)(uintptr_t)d->value, key, value)
    {
        if (status == PERP_OK && misplaced_is_in("law|formulation", key)) {
            status = document_fail(d, err, "\"%s\" is now \"friction\"", key);
        }
        if (status == PERP_OK && !misplaced_is_in(known, key)) {
            status = folder ? misplaced_of_set(d, folder, key, err)
                            : misplaced_of_part(d, opt, key, err);
        }
    }
    return status == PERP_OK ? document_keys(d, known, err) : status;
}
