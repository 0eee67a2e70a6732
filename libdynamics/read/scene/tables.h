/* SPDX-License-Identifier: Apache-2.0
 * read/scene/tables.h: objects of a scene by tables of their members. Private.
 *
 * Each kind of object has one table, which is used for reading, checks, nearest names and
 * the schema. A table fills a plain struct; members that are objects or lists are stored
 * as positions in the document and read later. */
#ifndef PERP_READ_SCENE_TABLES_H
#define PERP_READ_SCENE_TABLES_H

#include "read/scene/document.h"

typedef enum scene_kind {
    SCENE_REAL,     /* double */
    SCENE_VECTOR,   /* double[3]; two numbers suffice in the plane */
    SCENE_SPIN,     /* double[3]; one number about z suffices in the plane */
    SCENE_INERTIA,  /* double[9] from three or nine numbers, in the plane from one */
    SCENE_ROTATION, /* double[4], zeros when missing */
    SCENE_BOOL,     /* bool */
    SCENE_TEXT,     /* const char *, borrowed; NULL when missing */
    SCENE_COLOUR,   /* uint32_t as in perp_shape, from "#rrggbb" */
    SCENE_CHOICE,   /* int: place in a list of names */
    SCENE_BIT,      /* int: 1 << place */
    SCENE_MODEL,    /* perp_model, and the number of directions after a colon */
    SCENE_OBJECT,   /* scene_at of an object of `table` */
    SCENE_LIST,     /* scene_at of an array of objects of `table` */
    SCENE_EITHER,   /* scene_at of one such object or an array of them */
    SCENE_NAMES,    /* scene_at of an array of texts */
    SCENE_POINTS,   /* scene_at of an array of vectors */
    SCENE_TRIPLES,  /* scene_at of an array of arrays of three whole numbers */
    SCENE_NUMBERS,  /* scene_at of an array of whole numbers */
    SCENE_SIZES,    /* scene_at of one length or an array of them */
    SCENE_INTEGER,  /* scene_at of a whole number or an expression */
    SCENE_QUANTITY, /* scene_at of a number or a text with any unit */
    SCENE_NAMED,    /* scene_at of an object of quantities or of `table`, named freely */
} scene_kind;

typedef enum scene_range {
    SCENE_ANY,
    SCENE_POSITIVE,
    SCENE_NOT_NEGATIVE,
    SCENE_SHARE, /* 0 .. 1 */
    SCENE_LIMIT, /* >= 0, or the text "infinite" */
    SCENE_SPEED, /* > 0, or the text "infinite" */
} scene_range;

typedef struct scene_table scene_table;

/* A member of an object: its place in the struct, its range and its help. */
typedef struct scene_member {
    const char *name;
    scene_kind kind;
    size_t offset;
    const char *unit; /* SI; "m|rad": by the axis, see scene_reader.unit; NULL: 1 */
    scene_range range;
    double fallback; /* default of a number; NAN: stays NAN */
    bool required;
    size_t count; /* most bytes of a text; 0: any */
    const char *const *choices;
    const char *(*choice)(size_t k); /* the same as a function; NULL after the last */
    const scene_table *table;
    const char *help; /* one line */
} scene_member;

/* A member that a type brings, with its texts. */
typedef struct scene_extra {
    scene_member member; /* its texts point into this struct, so it must not be copied */
    char name[SCENE_WORD], unit[SCENE_WORD], help[2 * SCENE_WORD];
    const char *type; /* "sphere"; NULL after the last type */
} scene_extra;

struct scene_table {
    const char *name; /* "body" */
    const char *help; /* one line */
    const scene_member *members;
    size_t count;
    size_t size;                 /* of the struct that is filled */
    void (*defaults)(void *out); /* sets defaults in place of the fallbacks; NULL:
                                  * fallbacks */
    /* Members that types of a registry bring, type by type: the k-th of the t-th.
     * NULL: none */
    bool (*more)(size_t t, size_t k, scene_extra *extra);
};

/* values.c: single values. */

perp_status scene_read_member(scene_reader *rd, const scene_at *at, const scene_member *m,
                              void *out);
const char *scene_choice(const scene_member *m, size_t k); /* NULL behind the last */

/* objects.c: objects by their tables. */

/* Fill `out` with the defaults. */
void scene_defaults(const scene_table *table, void *out);
/* Read the object at `at` (value NULL: defaults only), with `extra` additional
 * members. */
perp_status scene_read_object(scene_reader *rd, const scene_at *at,
                              const scene_table *table, void *out);
/* The additional members of the type named in the object at `at`; returns their
 * number. */
size_t scene_type_members(const scene_at *at, const scene_table *table,
                          scene_extra extra[SCENE_EXTRAS]);
/* The default of such a member. */
void scene_fallback(const scene_member *m, void *out);
/* perp_nearest_advice of the names of a list, which is terminated by NULL; it is in `best`. */
const char *scene_nearest(perp_nearest *best, const char *name, const char *const *names);

#endif
