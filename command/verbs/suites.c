/* SPDX-License-Identifier: Apache-2.0
 * verbs/suites.c: suites by name: a file, or one that comes with perp. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/unread.h"
#include "command/verbs/suites.h"

static const char *const forms[] = {"experiments/suites/%s.json",
                                    "experiments/%s/suite.json"};

static json_t *suite_title(const char *file)
{
    json_t *suite = json_load_file(file, 0, NULL);
    const char *title = json_string_value(json_object_get(suite, "title"));
    json_t *text = json_string(title ? title : "");

    json_decref(suite);
    return text;
}

json_t *suite_list(void)
{
    json_t *all = data_list("experiments/suites/*.json", suite_title);
    json_t *studies = data_list("experiments/*/suite.json", suite_title);

    json_array_extend(all, studies);
    json_decref(studies);
    return all;
}

static perp_status suite_fail_find(const char *verb, const char *name, perp_error *err)
{
    json_t *all = suite_list();
    perp_nearest best;

    perp_nearest_start(&best, name);
    for (size_t k = 0; k < json_array_size(all); k++) {
        const char *known =
            json_string_value(json_object_get(json_array_get(all, k), "name"));

        perp_nearest_offer(&best, known ? known : "");
    }
    perp_fail(err, PERP_ERR_READ, "perp %s: no suite \"%s\", %s; see perp info suites",
              verb, name, perp_nearest_advice(&best));
    json_decref(all);
    return PERP_ERR_READ;
}

perp_status suite_find(const char *verb, const char *name, char path[DATA_PATH],
                       perp_error *err)
{
    char file[DATA_PATH];
    perp_error inner = {0};

    snprintf(path, DATA_PATH, "%s", name);
    if (data_is_file(name) || strchr(name, '.') || strchr(name, '/')) {
        return PERP_OK;
    }
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        snprintf(file, sizeof file, forms[k], name);
        if (data_find(file, path, &inner) == PERP_OK && data_is_file(path)) {
            return PERP_OK;
        }
    }
    return suite_fail_find(verb, name, err);
}

bool suite_detect(const char *name)
{
    char path[DATA_PATH];
    json_error_t why;
    json_t *root = NULL;
    bool found = false;

    if (suite_find("", name, path, NULL) != PERP_OK || !data_is_file(path)) {
        return false;
    }
    root = json_load_file(path, 0, &why);
    if (!root && json_error_code(&why) == json_error_cannot_open_file) {
        perp_unread_note(path);
    }
    found = json_is_array(json_object_get(root, "sets")) &&
            !json_object_get(root, "format") && !json_object_get(root, "b");
    json_decref(root);
    return found;
}
