/* SPDX-License-Identifier: Apache-2.0
 * read/write/writer.h: writing of scenes: a world fills the structs of the tables of members,
 * and the same tables convert these to JSON. Private.
 *
 * Members with default values are left out. The first failure is stored; later calls
 * accept NULL values, and nothing is written. */
#ifndef PERP_READ_WRITE_WRITER_H
#define PERP_READ_WRITE_WRITER_H

#include "read/scene/tables.h"

typedef struct scene_writer {
    const perp_scene *scene;
    const perp_world *world;
    const perp_state *state;
    perp_error *err;
    perp_status status;
    char where[128];    /* present item, for messages: body "a" */
    size_t body_shapes; /* shapes before this one are written with their bodies */
} scene_writer;

/* written.c: JSON by tables. Each value is a new reference, NULL after a failure. */

/* Store the error "WHERE: ..." unless there is an earlier one. Returns NULL. */
json_t *scene_refuse(scene_writer *wr, perp_status status, const char *format, ...)
    PERP_PRINTF(3, 4);
/* The same for lack of memory if `value` is NULL. Returns value. */
json_t *scene_made(scene_writer *wr, json_t *value);
/* Append the value to the array, or set it for the key; takes ownership. */
void scene_append(scene_writer *wr, json_t *array, json_t *value);
void scene_put(scene_writer *wr, json_t *object, const char *key, json_t *value);
/* An array of `count` numbers; and of `count` vectors of three. */
json_t *scene_reals(scene_writer *wr, const double *x, size_t count);
json_t *scene_points(scene_writer *wr, const double *x, size_t count);
json_t *scene_string(scene_writer *wr, const char *text);
/* The object of a struct of the table: all members that differ from their defaults. Takes
 * ownership of the values of its places. */
json_t *scene_object(scene_writer *wr, const scene_table *table, void *from);

/* shapes.c: the shapes of a body, or shapes that name their body. */
json_t *scene_write_shapes(scene_writer *wr, size_t first, size_t end, bool named);

/* links.c */
json_t *scene_write_joint(scene_writer *wr, size_t index);
json_t *scene_write_gear(scene_writer *wr, const perp_joint *joint, unsigned axis);
json_t *scene_write_force(scene_writer *wr, const perp_force *force);

#endif
