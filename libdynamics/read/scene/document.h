/* SPDX-License-Identifier: Apache-2.0
 * read/scene/document.h: the document of a scene, places in it, messages. Private. */
#ifndef PERP_READ_SCENE_DOCUMENT_H
#define PERP_READ_SCENE_DOCUMENT_H

#include <jansson.h>
#include <perp/dynamics/scene.h>

#include "base/base.h"
#include "base/quantity.h"

enum {
    SCENE_BYTES = 64 << 20, /* of a file; a scene of a million bodies is repeated ones */
    SCENE_ITEMS = 1000000,  /* of bodies, of shapes, of joints, of forces, each */
    SCENE_TURNS = 2000000,  /* copies of all repetitions, including those without items */
    SCENE_LEVELS = 3,       /* of repetition of an item, and as many of a shape in it */
    SCENE_SCRATCH = 8192,   /* bytes of texts of one item with their indices */
    SCENE_MEMBERS = 32,     /* members of an object, including those of its type */
    SCENE_EXTRAS = 4,       /* that a type brings */
    SCENE_WORD = 48,        /* a name of an index, a unit, a parameter */
    SCENE_PARAMETERS = 64,  /* of a scene */
    SCENE_DIGITS = 32,      /* bytes of a number as a text */
};

/* A value of the document and its path. */
typedef struct scene_at {
    const struct scene_at *up; /* NULL: the document */
    json_t *value;             /* borrowed; NULL: missing */
    const char *key;           /* key of a member; NULL: an element */
    size_t index;              /* of an element */
} scene_at;

/* An index of repetition at its present value, and the motion of its copies. */
typedef struct scene_index {
    char name[SCENE_WORD];
    long value;
    double step[3];
    double axis[3], angle, about[3];
} scene_index;

typedef struct scene_reader {
    const char *file;
    const char *text; /* as it was written */
    const char *bare; /* the text with comments blanked, with the same byte positions */
    size_t length;
    perp_error *err;
    perp_scene *scene;
    perp_world *world; /* that of the scene */
    json_t *bodies;    /* names to numbers */
    double *origins;   /* 3 per body: centre of mass in the axes of the scene */
    size_t origin_room;
    unsigned unit;                        /* which unit of "m|rad" applies */
    size_t turns;                         /* of repetitions so far */
    size_t level_count, level_first;      /* levels from `first` on move the item */
    scene_index levels[3 * SCENE_LEVELS]; /* outer first: body, shape, part */
    struct scene_solids *solids;          /* of the present body or compound */
    unsigned robots_apart;                /* that have a group of their own */
    struct scene_file *files;             /* that shapes were read from */
    size_t file_count, file_room;
    char scratch[SCENE_SCRATCH];
    size_t scratch_used;
} scene_reader;

/* document.c: text, places in it, messages. */

/* `bare` := `text` with comments blanked, both of `length` bytes. */
perp_status scene_blank_comments(char *bare, const char *text, size_t length,
                                 const char *file, perp_error *err);
/* Parse rd->bare; *root belongs to the caller. */
perp_status scene_decode(scene_reader *rd, json_t **root);
/* Fail with "FILE:LINE:COLUMN: PATH" and the text, at the value of `at`, or at its
 * key. */
perp_status scene_fail(scene_reader *rd, const scene_at *at, perp_status status,
                       const char *format, ...) PERP_PRINTF(4, 5);
/* The same as a note of the scene, which is read all the same; once for each place. */
perp_status scene_warn(scene_reader *rd, const scene_at *at, const char *format, ...)
    PERP_PRINTF(3, 4);
/* Append a line to the notes of the scene. */
perp_status scene_note(scene_reader *rd, const char *text);
perp_status scene_fail_key(scene_reader *rd, const scene_at *at, perp_status status,
                           const char *format, ...) PERP_PRINTF(4, 5);
/* Fail with " is FOUND, expected EXPECTED". */
perp_status scene_unexpected(scene_reader *rd, const scene_at *at, perp_status status,
                             const char *expected);
/* Prefix an error from another module with position and path. */
perp_status scene_fail_in(scene_reader *rd, const scene_at *at, perp_status status,
                          const perp_error *cause);
scene_at scene_member_at(const scene_at *object, const char *key);
scene_at scene_element_at(const scene_at *array, size_t index);

#endif
