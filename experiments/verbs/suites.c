/* SPDX-License-Identifier: Apache-2.0
 * verbs/suites.c: suites by name: a file, or one that comes with perp. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "experiments/verbs/suites.h"

perp_status suite_find(const char *verb, const char *name, char path[DATA_PATH],
                       perp_error *err)
{
    char file[DATA_PATH];
    perp_error inner = {0};

    snprintf(path, DATA_PATH, "%s", name);
    if (data_is_file(name) || strchr(name, '/') || strchr(name, '.')) {
        return PERP_OK;
    }
    snprintf(file, sizeof file, "suites/%s.json", name);
    if (data_find(file, path, &inner) != PERP_OK) {
        return perp_fail(err, PERP_ERR_READ,
                         "perp %s: no suite \"%s\", see perp list suites", verb, name);
    }
    return PERP_OK;
}

bool suite_detect(const char *name)
{
    char path[DATA_PATH];
    json_t *root = NULL;
    bool found = false;

    if (suite_find("", name, path, NULL) != PERP_OK || !data_is_file(path)) {
        return false;
    }
    root = json_load_file(path, 0, NULL);
    found =
        json_is_array(json_object_get(root, "sets")) && !json_object_get(root, "format");
    json_decref(root);
    return found;
}
