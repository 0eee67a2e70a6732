/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/scene.h: a world, its scheme and what is known of its answer, from JSON.
 *
 * JSON with // and block comments; a quantity is a number in SI units or a text with a
 * unit, "12 cm", "30 deg", "2 kN", checked against what the place wants; all but a few
 * members have defaults. The members are rows of one table, from which checks, messages
 * and the schema are made. A message names file, line, column, path, what was found and
 * what was expected, and for an unknown member the nearest known one. */
#ifndef PERP_DYNAMICS_SCENE_H
#define PERP_DYNAMICS_SCENE_H

#include <perp/dynamics/force.h>
#include <perp/dynamics/joint.h>
#include <perp/dynamics/scheme.h>
#include <perp/dynamics/shape.h>

PERP_BEGIN_DECLS

typedef struct perp_scene {
    char *name;        /**< the stem of the file, or what the scene calls itself */
    char *title;       /**< one line */
    char *description; /**< what it shows; may be "" */
    char *answer;      /**< what is known of its answer, and from where; may be "" */
    perp_world *world;
    perp_scheme scheme;
    double time;     /**< how long it runs unless told otherwise [s] */
    char solver[64]; /**< recommended; "auto" */
} perp_scene;

/** From a file; *scene, freed with perp_scene_free, is NULL after a failure.
 *  PERP_ERR_READ: no such file; PERP_ERR_FORMAT: not JSON, an unknown or missing member,
 *  a value of another kind; PERP_ERR_DATA: a value out of range, a unit of something
 *  else, a body that is none, and what perp_world_add_… refuses; PERP_ERR_MEMORY. */
perp_status perp_scene_read(perp_scene **scene, const char *path, perp_error *err);
/** From text of `length` bytes; `name` stands for the file in messages. */
perp_status perp_scene_parse(perp_scene **scene, const char *text, size_t length,
                             const char *name, perp_error *err);
void perp_scene_free(perp_scene *scene); /* takes NULL */

/** The JSON schema (draft 2020-12) as text; malloc, the caller frees it; NULL:
 *  no memory. */
char *perp_scene_schema(void);

PERP_END_DECLS

#endif
