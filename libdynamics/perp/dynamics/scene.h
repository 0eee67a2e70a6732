/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/scene.h: a world, its scheme and what is known of its answer, from JSON
 * and to it.
 *
 * JSON with // and block comments; a quantity is a number in SI units or a text with a
 * unit, "12 cm", "30 deg", "2 kN", checked against what the place wants; all but a few
 * members have defaults. Texts hold expressions, "{2*radius}", of parameters that may be
 * set from outside, indices of repetition and random numbers. The members are rows of one
 * table, from which checks, messages and the schema are made. A message names file, line,
 * column, path, what was found and what was expected, and for an unknown member the
 * nearest known one. */
#ifndef PERP_DYNAMICS_SCENE_H
#define PERP_DYNAMICS_SCENE_H

#include <perp/dynamics/collide.h>
#include <perp/dynamics/force.h>
#include <perp/dynamics/joint.h>
#include <perp/dynamics/reduce.h>
#include <perp/dynamics/scheme.h>
#include <perp/dynamics/shape.h>
#include <perp/random.h>

PERP_BEGIN_DECLS

/** A number that a scene calls by a name; expressions of its texts use it. */
typedef struct perp_scene_parameter {
    char name[48];
    double value;       /**< in force */
    double usual;       /**< what the scene says */
    double least, most; /**< what it may be; -INFINITY, INFINITY: anything */
    char unit[48];      /**< SI, of all these; "1": none */
    char help[128];     /**< one line; may be "" */
} perp_scene_parameter;

/** A value for a parameter, as it would stand in the file: "2000", "1.5 cm". */
typedef struct perp_scene_set {
    const char *name, *value;
} perp_scene_set;

/** Coordinates of bodies that joints hold: their own, or <perp/dynamics/reduce.h>. */
#define PERP_COORDINATES_LIST(X)                                                         \
    X(PERP_COORDINATES_MAXIMAL, "maximal")                                               \
    X(PERP_COORDINATES_REDUCED, "reduced")

typedef enum perp_coordinates {
#define PERP_ENUM(name, text) name,
    PERP_COORDINATES_LIST(PERP_ENUM)
#undef PERP_ENUM
} perp_coordinates;

extern const char *const perp_coordinates_names[]; /**< ended by NULL */
/** "exponential", "euler", NULL: perp_reduction.euler, in words. */
extern const char *const perp_rotations_names[];

/** A scene as read: its world, scheme and what its author says of it. */
typedef struct perp_scene {
    char *name;        /**< the stem of the file, or what the scene calls itself */
    char *title;       /**< one line */
    char *description; /**< what it shows; may be "" */
    char *answer;      /**< what is known of its answer, and from where; may be "" */
    perp_world *world;
    perp_scheme scheme;
    double time;                      /**< how long it runs unless told otherwise [s] */
    perp_coordinates coordinates;     /**< to run in; the world is in maximal ones */
    perp_reduction reduction;         /**< how, where they are reduced */
    char solver[64];                  /**< recommended; "auto" */
    perp_scene_parameter *parameters; /**< in the order of the file */
    size_t parameter_count;
    char **notes; /**< one line each: what was left out of robots, how velocities at
                   *   the start were changed */
    size_t note_count;
} perp_scene;

/** From a file; *scene, freed with perp_scene_free, is NULL after a failure.
 *  PERP_ERR_READ: no such file; PERP_ERR_FORMAT: not JSON, an unknown or missing member,
 *  a value of another kind; PERP_ERR_DATA: a value out of range, a unit of something
 *  else, a body that is none, and what perp_world_add_… refuses; PERP_ERR_MEMORY. */
perp_status perp_scene_read(perp_scene **scene, const char *path, perp_error *err);
/** From text of `length` bytes; `name` stands for the file in messages. */
perp_status perp_scene_parse(perp_scene **scene, const char *text, size_t length,
                             const char *name, perp_error *err);
/** The same with parameters set to other values than those of the file; of two for one
 *  name the last holds. PERP_ERR_OPTION: a name that no parameter has. */
perp_status perp_scene_read_with(perp_scene **scene, const char *path,
                                 const perp_scene_set *sets, size_t count,
                                 perp_error *err);
perp_status perp_scene_parse_with(perp_scene **scene, const char *text, size_t length,
                                  const char *name, const perp_scene_set *sets,
                                  size_t count, perp_error *err);
void perp_scene_free(perp_scene *scene); /* takes NULL */

/** Write a scene to a file, whole or not at all: its world, scheme and texts (NULL or "":
 *  none), in `state`, NULL: as world->start. A scene of a world that was built in C is
 *  zeroed, then given world and scheme. The reader makes the same bits of it: bodies,
 *  shapes, materials, joints, forces, by their numbers, poses, velocities, loads and
 *  coordinates of joints. In reduced coordinates those of the trees follow from the poses.
 *  Not kept are the time, which begins at 0, and threads, and of parameters their names.
 *
 *  PERP_ERR_UNSUITABLE: a type of shape, joint or force that is the user's own or calls a
 *  function, the material "default" changed, trees of perp_reduction.free_bodies, more than a
 *  reader takes; PERP_ERR_DATA: a number that is not finite, a text that is not UTF-8;
 *  PERP_ERR_WRITE, PERP_ERR_MEMORY. */
perp_status perp_scene_write(const perp_scene *scene, const perp_state *state,
                             const char *path, perp_error *err);
/** The same as a text; malloc, the caller frees it; NULL after a failure. */
perp_status perp_scene_print(const perp_scene *scene, const perp_state *state,
                             char **text, perp_error *err);
/** A scene of the two shapes of an unresolved pair alone, where they stand now, under the
 *  scheme of the search (NULL: the usual one), as JSON text, so that it happens again.
 *  Its bodies are called a and b; what they were called is in the description. The text
 *  and the statuses are those of perp_scene_print. */
perp_status perp_unresolved_print(const perp_world *world, const perp_state *state,
                                  const perp_scheme *scheme, const perp_unresolved *pair,
                                  char **text, perp_error *err);

/** The JSON schema (draft 2020-12) as text; malloc, the caller frees it; NULL:
 *  no memory. */
char *perp_scene_schema(void);

/** The names that an expression may use. */
typedef struct perp_expression_names {
    void *context;
    /** The value of the known name at the start of `text`; returns its length, 0: none. */
    size_t (*find)(void *context, const char *text, double *value);
    /** The k-th known name, for messages; NULL after the last. */
    const char *(*known)(void *context, size_t k);
    /** The stream of a call of random() or normal(): the shared one of this number, or (NULL)
     *  that of the place of the call. May be NULL: then there are no such functions. */
    perp_random (*random)(void *context, const int64_t *number);
} perp_expression_names;

/** Evaluate the expression at *at, a part of `text`, up to the character `close`: '\0' or '}'.
 *  Numbers, names, pi, functions, + - * / % ^, < <= > >= == !=, && || !, parentheses, with the
 *  precedence of C; a truth value is 1 or 0, and every number but 0 and NaN is true.
 *  *at: behind `close`. PERP_ERR_FORMAT: "column 5: unknown name …", counted in `text` from 1.
 *  The value may be infinite or NaN. */
perp_status perp_expression_evaluate(const perp_expression_names *names, const char *text,
                                     const char **at, char close, double *value,
                                     perp_error *err);

PERP_END_DECLS

#endif
