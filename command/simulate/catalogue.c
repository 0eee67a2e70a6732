/* SPDX-License-Identifier: Apache-2.0
 * simulate/catalogue.c: the scenes that come with perp, and how scenes are named. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/urdf.h>

#include "base/base.h"
#include "base/file.h"
#include "base/setting.h"
#include "command/cli/take.h"
#include "command/simulate/catalogue.h"

/* Of a scene that cannot be read: why. */
static json_t *scene_title(const char *file)
{
    perp_scene *scene = NULL;
    perp_error err = {0};
    json_t *text = NULL;

    perp_scene_read(&scene, file, &err);
    text = json_string(scene ? scene->title : err.text);
    perp_scene_free(scene);
    return text;
}

json_t *scene_list(void)
{
    return data_list("experiments/scenes/*.json", scene_title);
}

bool scene_comes_with_perp(const char *name, char path[DATA_PATH])
{
    char file[DATA_PATH];
    perp_error inner = {0};

    return !strchr(name, '/') &&
           snprintf(file, sizeof file, "experiments/scenes/%s.json", name) < DATA_PATH &&
           data_find(file, path, &inner) == PERP_OK && data_is_file(path);
}

perp_status scene_find(const char *folder, const char *name, char path[DATA_PATH],
                       perp_error *err)
{
    json_t *scenes = NULL;
    perp_nearest best;

    if (snprintf(path, DATA_PATH, "%s%s", name[0] == '/' ? "" : folder, name) >=
        DATA_PATH) {
        return perp_fail(err, PERP_ERR_READ, "%.80s...: too long a name", name);
    }
    if (data_is_file(path) || strchr(name, '/') || strchr(name, '.') ||
        scene_comes_with_perp(name, path)) {
        return PERP_OK;
    }
    scenes = scene_list();
    perp_nearest_start(&best, name);
    for (size_t k = 0; k < json_array_size(scenes); k++) {
        perp_nearest_offer(
            &best, json_string_value(json_object_get(json_array_get(scenes, k), "name")));
    }
    perp_fail(err, PERP_ERR_READ, "no scene \"%s\", %s; see perp info scenes", name,
              perp_nearest_advice(&best));
    json_decref(scenes);
    return PERP_ERR_READ;
}

const char *scene_parameters(const char *call)
{
    const char *colon = strchr(call + data_folder_length(call), ':');

    return colon ? colon + 1 : call + strlen(call);
}

perp_status scene_sets_read(scene_sets *sets, const char *text, perp_error *err)
{
    const char *rest = NULL;
    perp_setting s;

    *sets = (scene_sets){.text = take_text(text)};
    rest = text;
    while (perp_setting_next(&s, &rest, ",")) {
        char *name = sets->text + (s.name - text);
        char *value = sets->text + (s.value - text);

        if (s.name_length == 0 || s.item_length >= SCENE_SET ||
            sets->count == SCENE_SETS) {
            return perp_fail(err, PERP_ERR_OPTION,
                             "found \"%.*s\", expected NAME=VALUE, at most %d of them",
                             s.item_length < 80 ? (int)s.item_length : 80, s.item,
                             SCENE_SETS);
        }
        name[s.name_length] = '\0';
        value[s.value_length] = '\0';
        sets->set[sets->count++] = (perp_scene_set){name, value};
    }
    return PERP_OK;
}

void scene_sets_clear(scene_sets *sets)
{
    free(sets->text);
    *sets = (scene_sets){.text = NULL};
}

perp_status scene_load(perp_scene **scene, const char *path, const char *parameters,
                       char **text, perp_error *err)
{
    scene_sets sets = {.text = NULL};
    char *read = NULL;
    size_t length = 0;
    perp_status status = scene_sets_read(&sets, parameters, err);

    *scene = NULL;
    if (status == PERP_OK) {
        status = perp_file_slurp(path, &read, &length, err);
    }
    if (status == PERP_OK && perp_urdf_detect(read, length)) {
        status =
            perp_urdf_scene(scene, read, length, path, NULL, sets.set, sets.count, err);
    } else if (status == PERP_OK) {
        status =
            perp_scene_parse_with(scene, read, length, path, sets.set, sets.count, err);
    }
    scene_sets_clear(&sets);
    if (status == PERP_OK && text) {
        *text = read;
    } else {
        free(read);
    }
    return status;
}
