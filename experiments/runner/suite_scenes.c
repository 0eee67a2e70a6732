/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_scenes.c: the scenes of a set: names or files, each with parameters. */
#include <config.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/runner/line.h"
#include "experiments/runner/suite_parts.h"
#include "experiments/simulate/settings.h"

/* The options of a run that perp simulate checks, checked as it does. */
static const cli_option step_options[] = {SIM_SETTINGS_OPTIONS, CLI_OPTION_END};
static const cli_verb step_verb = {.name = "simulate", .options = step_options};

/* The settings of a scene under the rules of its set. */
static perp_status scenes_check_steps(const suite_rules *rules, const char *integrator,
                                      const perp_scene *scene, perp_error *err)
{
    run_line *line = calloc(1, sizeof *line);
    cli_args *args = calloc(1, sizeof *args);
    sim_settings settings;
    perp_status status = PERP_OK;

    if (!line || !args) {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for the settings of a scene");
    } else {
        line_make_steps(line, rules, integrator);
        /* The words are read, not written to. */
        status = cli_args_read(args, &step_verb, (int)line->count - 1,
                               (char **)(uintptr_t)line->word, err);
        status = status ? status : sim_settings_read(&settings, args, scene, err);
    }
    free(line);
    free(args);
    return status;
}

/* Can the scene be read, and run as the set says? *coordinates: its own. */
static perp_status scenes_check(const suite_rules *rules, const char *path,
                                const char *parameters, const char **coordinates,
                                perp_error *err)
{
    perp_scene *scene = NULL;
    perp_status status = scene_load(&scene, path, parameters, NULL, err);

    if (status != PERP_OK) {
        return status;
    }
    *coordinates = perp_coordinates_names[scene->coordinates];
    for (size_t k = 0; k == 0 || (k < rules->integrators && status == PERP_OK); k++) {
        status = scenes_check_steps(
            rules, rules->integrators ? rules->integrator[k] : NULL, scene, err);
    }
    perp_scene_free(scene);
    return status;
}

/* "chain:links=50" */
static perp_status scenes_add(suite_set *set, const char *folder, const document *d,
                              const char *call, perp_error *err)
{
    const char *parameters = scene_parameters(call);
    size_t length = (size_t)(parameters - call) - (*parameters != '\0');
    const perp_read_options read = {0};
    char name[DATA_PATH], path[DATA_PATH], called[INSTANCE_NAME];
    const char *coordinates = NULL;
    perp_error inner = {0};
    suite_instance *in = NULL;
    perp_status status = PERP_OK;
    size_t used = 0;

    snprintf(name, sizeof name, "%.*s", (int)length, call);
    status = scene_find(folder, name, path, &inner);
    status = status ? status
                    : scenes_check(&set->rules, path, parameters, &coordinates, &inner);
    if (status == PERP_ERR_MEMORY) {
        return perp_fail(err, status, "%s", inner.text);
    }
    if (status != PERP_OK) {
        return document_fail(d, err, "%s", inner.text);
    }
    instance_name(path, 0, called);
    used = strlen(called);
    snprintf(called + used, sizeof called - used, "%s%s", *parameters ? ":" : "",
             parameters);
    if (suite_add_instance(set, d, call, path, &read, called, err) != PERP_OK) {
        return err->status;
    }
    in = &set->instances[set->instance_count - 1];
    in->scene = true;
    in->coordinates = coordinates;
    in->sets = scene_parameters(in->path);
    return PERP_OK;
}

perp_status suite_read_scenes(suite_set *set, const char *folder, const document *d,
                              perp_error *err)
{
    size_t before = set->instance_count;

    if (document_array(d, err) != PERP_OK) {
        return err->status;
    }
    for (size_t k = 0; k < json_array_size(d->value); k++) {
        document item = document_item(d, k);
        const char *call = "";

        if (json_object_get(item.value, "scene")) {
            if (suite_sweep_calls(set, folder, &item, "scene", scenes_add, err) !=
                PERP_OK) {
                return err->status;
            }
        } else if (document_text(&item, &call, err) != PERP_OK ||
                   scenes_add(set, folder, &item, call, err) != PERP_OK) {
            return err->status;
        }
    }
    return set->instance_count > before ? PERP_OK
                                        : document_fail(d, err, "found no scene");
}
