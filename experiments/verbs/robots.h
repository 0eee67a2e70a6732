/* SPDX-License-Identifier: Apache-2.0
 * verbs/robots.h: URDF files as scenes. */
#ifndef PERP_VERBS_ROBOTS_H
#define PERP_VERBS_ROBOTS_H

#include <perp/dynamics/urdf.h>

#include "experiments/cli/args.h"

/** Rows of the table of a verb that reads scenes. */
#define ROBOT_OPTIONS                                                                    \
    {"urdf-base", 0, "NAME",                                                             \
     "root link of a URDF file: usual (fixed when it is called world or has no mass), "  \
     "fixed, floating"},                                                                 \
        {"urdf-unknown", 0, "NAME",                                                      \
         "what changes the mechanics and is not known there: refuse, ignore [refuse]"},  \
        {"urdf-meshes", 0, "NAME",                                                       \
         "what a mesh there collides as: surface, hull [surface]"},                      \
        {"urdf-package", 0, "DIR",                                                       \
         "where package://NAME/... is looked for; for several, again"},                  \
        {"urdf-merge-fixed", 0, NULL, "links with a fixed joint there are one body"},    \
    {                                                                                    \
        "urdf-no-self-collision", 0, NULL, "links there do not touch each other"         \
    }

/** Whether a text is a robot. */
bool robot_detect(const char *file, const char *text, size_t length);
/** Its scene. */
perp_status robot_open(const cli_args *args, const char *file, const char *text,
                       size_t length, const perp_scene_set *sets, size_t count,
                       perp_scene **scene, perp_error *err);
/** Options of robots with a scene that is none: PERP_ERR_OPTION names one. */
perp_status robot_no_options(const cli_args *args, const char *file, perp_error *err);

#endif
