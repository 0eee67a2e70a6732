/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/scene.h: scenes as JSON files: a world, its scheme and its known result.
 *
 * JSON with // and block comments; a quantity is a number in SI units or a text with a
 * unit, "12 cm", "30 deg", "2 kN", whose dimension is checked; most members have
 * defaults. Texts may contain expressions, "{2*radius}", with parameters that may be set
 * from outside, indices of repetition and random numbers. The members are rows of one
 * table, from which checks, messages and the schema are made. A message has file, line,
 * column, path, the value found and the value expected, and for an unknown member the
 * nearest known one. */
#ifndef PERP_DYNAMICS_SCENE_H
#define PERP_DYNAMICS_SCENE_H

#include <perp/dynamics/collide.h>
#include <perp/dynamics/force.h>
#include <perp/dynamics/joint.h>
#include <perp/dynamics/reduce.h>
#include <perp/dynamics/scheme.h>
#include <perp/dynamics/shape.h>
#include <perp/quantity.h>

PERP_BEGIN_DECLS

/** perp_scheme_set from a text that may have a unit: "dt" from "1/60 s", "margin" from
 *  "1 cm". PERP_ERR_OPTION also for a unit of another dimension. */
perp_status perp_scheme_set_quantity(perp_scheme *scheme, const char *name,
                                     const char *text, perp_error *err);

/** A named number of a scene, for expressions in its texts. */
typedef struct perp_scene_parameter {
    char name[48];
    double value;       /**< value in use */
    double usual;       /**< value in the file */
    double least, most; /**< allowed range; -INFINITY, INFINITY: no bounds */
    char unit[48];      /**< SI unit of these numbers; "1": no unit */
    char help[128];     /**< one line; may be "" */
} perp_scene_parameter;

/** A value of a parameter, written as in the file: "2000", "1.5 cm". */
typedef struct perp_scene_set {
    const char *name, *value;
} perp_scene_set;

/** Coordinates of bodies with joints: maximal, or reduced <perp/dynamics/reduce.h>. */
#define PERP_COORDINATES_LIST(X)                                                         \
    X(PERP_COORDINATES_MAXIMAL, "maximal")                                               \
    X(PERP_COORDINATES_REDUCED, "reduced")

typedef enum perp_coordinates {
#define PERP_ENUM(name, text) name,
    PERP_COORDINATES_LIST(PERP_ENUM)
#undef PERP_ENUM
} perp_coordinates;

extern const char *const perp_coordinates_names[]; /**< terminated by NULL */
/** Texts of perp_reduction.euler: "exponential", "euler", NULL. */
extern const char *const perp_rotations_names[];

/** A scene as read: its world, scheme and what its author says of it. */
typedef struct perp_scene {
    char *name;        /**< name of the scene, or the stem of the file */
    char *title;       /**< one line */
    char *description; /**< purpose; may be "" */
    char *answer;      /**< known result with its source; may be "" */
    perp_world *world;
    perp_scheme scheme;
    double time;                      /**< default duration of a run [s] */
    perp_coordinates coordinates;     /**< coordinates of a run; the world itself is in
                                       *   maximal coordinates */
    perp_reduction reduction;         /**< options of reduced coordinates */
    char solver[64];                  /**< recommended solver; "auto" */
    perp_scene_parameter *parameters; /**< in the order of the file */
    size_t parameter_count;
    char **notes; /**< one line each: ignored elements of robots, changes of velocities at
                   *   the start */
    size_t note_count;
} perp_scene;

/** Read a scene from a file. Free *scene with perp_scene_free; it is NULL after a
 *  failure. PERP_ERR_READ: the file cannot be read; PERP_ERR_FORMAT: not JSON, an unknown
 *  or missing member, a value of the wrong kind; PERP_ERR_DATA: a value out of range, a
 *  unit of the wrong dimension, an unknown body, data that perp_world_add_… refuses;
 *  PERP_ERR_MEMORY. */
perp_status perp_scene_read(perp_scene **scene, const char *path, perp_error *err);
/** The same from a text of `length` bytes; `name` replaces the file in messages. */
perp_status perp_scene_parse(perp_scene **scene, const char *text, size_t length,
                             const char *name, perp_error *err);
/** The same with other values of parameters than those of the file; the last value for a
 *  name counts. PERP_ERR_OPTION: an unknown parameter. */
perp_status perp_scene_read_with(perp_scene **scene, const char *path,
                                 const perp_scene_set *sets, size_t count,
                                 perp_error *err);
perp_status perp_scene_parse_with(perp_scene **scene, const char *text, size_t length,
                                  const char *name, const perp_scene_set *sets,
                                  size_t count, perp_error *err);
void perp_scene_free(perp_scene *scene); /* NULL is allowed (no-op) */

/** Write a scene to a file, completely or not at all: its world, scheme and texts (NULL
 *  or "": none), with the poses and velocities of `state` (NULL: world->start). For a
 *  world built in C, zero a scene and set its world and scheme. Reading the file restores
 *  with the same bits and numbers all bodies, shapes, materials, joints and forces, and
 *  poses, velocities, loads and coordinates of joints; coordinates of trees follow from
 *  the poses. Not written are the time, which starts at 0, the number of threads, and the
 *  names of parameters.
 *
 *  PERP_ERR_UNSUITABLE: a user-defined type of shape, joint or force or one that calls a
 *  function, a changed material "default", trees of perp_reduction.free_bodies, a scene
 *  beyond the limits of the reader; PERP_ERR_DATA: a number that is not finite, a text
 *  that is not UTF-8; PERP_ERR_WRITE, PERP_ERR_MEMORY. */
perp_status perp_scene_write(const perp_scene *scene, const perp_state *state,
                             const char *path, perp_error *err);
/** The same as a text, which the caller frees with free(); NULL after a failure. */
perp_status perp_scene_print(const perp_scene *scene, const perp_state *state,
                             char **text, perp_error *err);
/** Print a scene, as JSON text, that reproduces an unresolved pair: its two shapes at
 *  their present poses, under the scheme of the search (NULL: the default). The bodies
 *  are named a and b; the description has their original names. Text and statuses as in
 *  perp_scene_print. */
perp_status perp_unresolved_print(const perp_world *world, const perp_state *state,
                                  const perp_scheme *scheme, const perp_unresolved *pair,
                                  char **text, perp_error *err);

/** The JSON schema (draft 2020-12) of scenes as text, which the caller frees with free();
 *  NULL: no memory. */
char *perp_scene_schema(void);

PERP_END_DECLS

#endif
