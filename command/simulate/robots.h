/* SPDX-License-Identifier: Apache-2.0
 * simulate/robots.h: read URDF files as scenes. */
#ifndef PERP_SIMULATE_ROBOTS_H
#define PERP_SIMULATE_ROBOTS_H

#include <perp/dynamics/urdf.h>

#include "command/cli/args.h"

/** Rows of the options of a verb that reads scenes. */
#define ROBOT_OPTIONS                                                                    \
    {"urdf-base", 0, "usual|fixed|floating",                                             \
     "root link of a URDF file; usual: fixed if it is called world or has no mass "      \
     "[usual]"},                                                                         \
        {"urdf-unknown", 0, "refuse|ignore",                                             \
         "unsupported elements of a URDF file that change the mechanics [refuse]"},      \
        {"urdf-meshes", 0, "surface|hull",                                               \
         "collision shape of the meshes of a URDF file [surface]"},                      \
        {"urdf-package", 0, "DIR",                                                       \
         "folder in which package://NAME/... is searched; may be repeated"},             \
        {"urdf-merge-fixed", 0, NULL,                                                    \
         "merge links of a URDF file that a fixed joint connects into one body"},        \
    {                                                                                    \
        "urdf-no-self-collision", 0, NULL,                                               \
            "ignore contacts between links of a URDF file"                               \
    }

/** True when a text is a robot. */
bool robot_detect(const char *file, const char *text, size_t length);
/** The scene of a robot. */
perp_status robot_open(const cli_args *args, const char *file, const char *text,
                       size_t length, const perp_scene_set *sets, size_t count,
                       perp_scene **scene, perp_error *err);
/** Where the scene or robot of `text`, read from `file`, was: its absolute path, if it reads other files, else
 *  NULL. On the heap. */
char *robot_place(const char *file, const char *text);
/** The options of robots that were given, "--urdf-base=fixed" and so on, each with a newline; folders are
 *  absolute. On the heap. */
char *robot_words(const cli_args *args);
/** PERP_ERR_OPTION when an option of robots was given; `file` is not a robot. */
perp_status robot_refuse_options(const cli_args *args, const char *file, perp_error *err);

#endif
