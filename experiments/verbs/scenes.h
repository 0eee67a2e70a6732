/* SPDX-License-Identifier: Apache-2.0
 * verbs/scenes.h: scenes, and what the verbs tell of them and their parts. */
#ifndef PERP_VERBS_SCENES_H
#define PERP_VERBS_SCENES_H

#include <jansson.h>

#include <perp/dynamics/scene.h>

#include "experiments/cli/args.h"
#include "experiments/cli/data.h"

/** A row of the table of a verb that reads scenes. */
#define SCENE_SET_OPTION                                                                 \
    {                                                                                    \
        "set", 0, "NAME=VALUE",                                                          \
            "give a parameter of the scene another value, with a unit perhaps; for "     \
            "several, again"                                                             \
    }
/** Find and read it, its parameters as --set has them; *text (may be NULL: not wanted) is what was read, on the heap. */
perp_status scene_open(const cli_args *args, const char *name, perp_scene **scene,
                       char **text, perp_error *err);

/** `perp info SCENE`: is this word a scene, and what does it hold? */
bool scene_detect(const char *word);
perp_status scene_info(const cli_args *args, const char *name, perp_error *err);
/** `perp info --schema scene`. */
perp_status scene_info_schema(const char *what, perp_error *err);
/** `perp info --joint NAME`. */
perp_status scene_info_joint(const cli_args *args, const char *name, perp_error *err);

/** `perp list joints|mobilizers|shapes|forces|integrators|broad|narrow|metrics`: a table,
 *  or JSON. */
perp_status scene_list_joints(const cli_args *args, perp_error *err);
perp_status scene_list_mobilizers(const cli_args *args, perp_error *err);
perp_status scene_list_shapes(const cli_args *args, perp_error *err);
perp_status scene_list_forces(const cli_args *args, perp_error *err);
perp_status scene_list_integrators(const cli_args *args, perp_error *err);
perp_status scene_list_broad(const cli_args *args, perp_error *err);
perp_status scene_list_narrow(const cli_args *args, perp_error *err);
perp_status scene_list_metrics(const cli_args *args, perp_error *err);
json_t *scene_list_joints_json(const cli_args *args, perp_error *err);
json_t *scene_list_mobilizers_json(const cli_args *args, perp_error *err);
json_t *scene_list_shapes_json(const cli_args *args, perp_error *err);
json_t *scene_list_forces_json(const cli_args *args, perp_error *err);
json_t *scene_list_integrators_json(const cli_args *args, perp_error *err);
json_t *scene_list_broad_json(const cli_args *args, perp_error *err);
json_t *scene_list_narrow_json(const cli_args *args, perp_error *err);
json_t *scene_list_metrics_json(const cli_args *args, perp_error *err);

#endif
