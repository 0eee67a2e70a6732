/* SPDX-License-Identifier: Apache-2.0
 * verbs/scenes.h: scenes: find, read and describe them. */
#ifndef PERP_VERBS_SCENES_H
#define PERP_VERBS_SCENES_H

#include <jansson.h>

#include <perp/dynamics/scene.h>

#include "command/cli/args.h"
#include "command/cli/data.h"

/** A row of the options of a verb that reads scenes. */
#define SCENE_SET_OPTION                                                                 \
    {                                                                                    \
        "set", 0, "NAME=VALUE",                                                          \
            "new value of a parameter of the scene, with or without a unit; may be "     \
            "repeated"                                                                   \
    }
/** Find and read a scene, with the parameters of --set. *text, unless `text` is NULL, is
 *  the file as read, on the heap. */
perp_status scene_open(const cli_args *args, const char *name, perp_scene **scene,
                       char **text, perp_error *err);

/** True when the word names a scene that comes with perp, or a file that is a scene or a
 *  robot. */
bool scene_detect(const char *word);
/** `perp info SCENE`. */
perp_status scene_info(const cli_args *args, const char *name, perp_error *err);
/** `perp info --schema scene`. */
void scene_info_schema(void);

#endif
