/* SPDX-License-Identifier: Apache-2.0
 * read/writer.h: how a scene is written: the structs that the tables of its members
 * fill, filled from a world, and by the same tables made JSON. Private.
 *
 * What is as the reader has it by itself is left out. The first failure is kept; all that
 * follows may go on with NULL in place of values, and nothing is written. */
#ifndef PERP_READ_WRITER_H
#define PERP_READ_WRITER_H

#include "read/reader.h"

typedef struct scene_writer {
    const perp_scene *scene;
    const perp_world *world;
    const perp_state *state;
    perp_error *err;
    perp_status status;
    char where[128];    /* what is at work, for messages: body "a" */
    size_t body_shapes; /* shapes before this one are written with their bodies */
} scene_writer;

/* written.c: JSON by tables. Each value is a new reference, NULL after a failure. */

/* "WHERE: ..." is kept unless something failed before. Returns NULL. */
json_t *scene_refuse(scene_writer *wr, perp_status status, const char *format, ...)
    PERP_PRINTF(3, 4);
/* The same of memory, where `value` is NULL. Returns it. */
json_t *scene_made(scene_writer *wr, json_t *value);
/* Take the value; it is the last of the array, or that of the key. */
void scene_append(scene_writer *wr, json_t *array, json_t *value);
void scene_put(scene_writer *wr, json_t *object, const char *key, json_t *value);
/* An array of `count` numbers; and of so many vectors of three. */
json_t *scene_reals(scene_writer *wr, const double *x, size_t count);
json_t *scene_points(scene_writer *wr, const double *x, size_t count);
json_t *scene_string(scene_writer *wr, const char *text);
/* The object of a struct of the table: every member that is not what it is when nothing is
 * given. Takes the values of its places. */
json_t *scene_object(scene_writer *wr, const scene_table *table, void *from);

/* write_shapes.c: bodies' shapes; those of a body, or those that name theirs. */
json_t *scene_write_shapes(scene_writer *wr, size_t first, size_t end, bool named);
/* The name of a material; NULL: the default one. */
const char *scene_write_material(const scene_writer *wr, int32_t material);

/* write_links.c */
json_t *scene_write_joint(scene_writer *wr, size_t index);
json_t *scene_write_force(scene_writer *wr, const perp_force *force);

#endif
