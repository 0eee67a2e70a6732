/* SPDX-License-Identifier: Apache-2.0
 * simulate/catalogue.h: the scenes that come with perp, and how scenes are named. */
#ifndef PERP_SIMULATE_CATALOGUE_H
#define PERP_SIMULATE_CATALOGUE_H

#include <jansson.h>

#include <perp/dynamics/scene.h>

#include "command/cli/data.h"

enum { SCENE_SETS = 64, SCENE_SET = 96 }; /* how many; characters of one */

/** The scenes of every data folder: [{"name", "title", "file"}, …]. */
json_t *scene_list(void);
/** The path of a scene that comes with perp. */
bool scene_comes_with_perp(const char *name, char path[DATA_PATH]);
/** The path of a scene: `name` itself, from `folder` ("": here) on, when there is such a
 *  file or it can only be one, else that of a scene that comes with perp. PERP_ERR_READ
 *  names the nearest of these. */
perp_status scene_find(const char *folder, const char *name, char path[DATA_PATH],
                       perp_error *err);

/** "links=50,radius=2 cm": parameters of a scene, for perp_scene_read_with. */
typedef struct scene_sets {
    char *text; /**< names and values; freed by scene_sets_clear */
    perp_scene_set set[SCENE_SETS];
    size_t count;
} scene_sets;

/** PERP_ERR_OPTION: what is no NAME=VALUE. Text "" holds none. */
perp_status scene_sets_read(scene_sets *sets, const char *text, perp_error *err);
void scene_sets_clear(scene_sets *sets); /* no-op when it is zero */
/** Read a scene, a robot (URDF) in the usual way, with parameters "links=50,…"; *text
 *  (may be NULL: not wanted) is what was read, on the heap. */
perp_status scene_load(perp_scene **scene, const char *path, const char *parameters,
                       char **text, perp_error *err);
/** "chain:links=50": where the parameters begin, behind the colon; at the end: none. */
const char *scene_parameters(const char *call);

#endif
