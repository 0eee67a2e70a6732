/* SPDX-License-Identifier: Apache-2.0
 * read/reader.h: reading of scenes: a document, tables of its members, and the world
 * built from them. Private.
 *
 * Each kind of object has one table, which is used for reading, checks, nearest names and
 * the schema. A table fills a plain struct; members that are objects or lists are stored
 * as positions in the document and read later. */
#ifndef PERP_READ_READER_H
#define PERP_READ_READER_H

#include <jansson.h>
#include <perp/dynamics/scene.h>
#include <perp/random.h>

#include "base/base.h"
#include "base/quantity.h"
#include "world/shapes.h"

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

/* quantities.c: numbers with units. */

/* perp_quantity_split with a message. */
perp_status scene_read_number(scene_reader *rd, const scene_at *at, const scene_member *m,
                              const char *text, double *x, const char **unit);

perp_status scene_read_real(scene_reader *rd, const scene_at *at, const scene_member *m,
                            double *x);

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

/* repeat.c: copies. */

/* What a list holds. */
typedef enum scene_items {
    SCENE_ONCE, /* items that are not repeated */
    SCENE_BODIES,
    SCENE_ROBOTS,
    SCENE_SHAPES,
    SCENE_JOINTS,
    SCENE_GEARS,
    SCENE_FORCES,
} scene_items;

/* `build` for every copy of the item at `at`, whose "repeat" is at `repeat`. */
typedef perp_status scene_build(scene_reader *rd, const scene_at *at);
perp_status scene_repeat(scene_reader *rd, const scene_at *at, scene_items items,
                         scene_build *build);
/* The number of levels of a "repeat"; 0: it is not one. */
size_t scene_repeat_levels(const scene_at *repeat);
/* The name of the index of the level `depth` of `levels`. */
void scene_index_name(const scene_at *level, size_t depth, size_t levels,
                      char name[SCENE_WORD]);
/* A text with its expressions replaced by their values: the text itself, or
 * rd->scratch. */
perp_status scene_fill(scene_reader *rd, const scene_at *at, const char **text);
/* The same for a name or a title, where braces are ordinary characters if the scene has
 * no parameters and nothing is repeated. */
perp_status scene_expand(scene_reader *rd, const scene_at *at, const char **text);
/* A whole number, or an expression. */
perp_status scene_read_integer(scene_reader *rd, const scene_at *at, long low, long high,
                               long *x);
/* Transform a point, a direction or an orientation to the present copy, in place. */
void scene_place_point(const scene_reader *rd, double p[3]);
void scene_place_direction(const scene_reader *rd, double a[3]);
void scene_place_rotation(const scene_reader *rd, double q[4]);

/* repeat_count.c: refuse the "repeat" of the item at `at` if it makes more than the
 * limits allow; otherwise its copies are counted in rd->turns. */

perp_status scene_repeat_check(scene_reader *rd, const scene_at *at, scene_items items);

/* computed.c: numbers that a scene computes. */

/* Evaluate the expression at *p up to `close`, and move *p after it; messages show the
 * text; *draws: number of random numbers drawn in it so far. The value is finite. */
perp_status scene_evaluate(scene_reader *rd, const scene_at *at, const char *text,
                           const char **p, char close, unsigned *draws, double *x);
/* Print integers without a decimal point, other numbers with the fewest digits that read
 * back the same. */
void scene_print(double x, char text[SCENE_DIGITS]);

/* random.c: random numbers, each from its position and the present indices. */

/* A stream for one call at a position, and a stream that is the same at every
 * position. */
perp_random scene_random_place(const scene_reader *rd, const scene_at *at, unsigned call);
perp_random scene_random_shared(const scene_reader *rd, int64_t number);
void scene_random_rotation(const scene_reader *rd, const scene_at *at, double q[4]);

/* parameters.c: named numbers with defaults. */

perp_status scene_read_parameters(scene_reader *rd, const scene_at *root,
                                  const perp_scene_set *sets, size_t count);

/* members.c: the tables. */

typedef struct scene_document {
    const char *name, *title, *description, *answer;
    double time, gravity[3];
    const char *solver;
    int coordinates, rotations, switch_chart, start; /* places in their lists */
    scene_at parameters;
    scene_at dimension, scheme, combine, materials, ground, bodies, shapes, robots,
        joints, gears, forces;
} scene_document;

typedef struct scene_parameter {
    scene_at value, least, most;
    const char *help;
} scene_parameter;

typedef struct scene_scheme {
    perp_scheme scheme;
    int gyro;   /* 1 + its index in the list; 0: the flags of the bodies */
    int broad;  /* place in the registry */
    int narrow; /* 1 + its index; 0: the default */
    scene_at reduce;
} scene_scheme;

typedef struct scene_combine {
    int friction, restitution, erp;
} scene_combine;

typedef struct scene_material {
    const char *name;
    double friction, restitution, rolling, erp, cfm;
} scene_material;

typedef struct scene_ground {
    const char *material;
    uint32_t colour;
    double normal[3], offset;
} scene_ground;

typedef struct scene_body {
    const char *name;
    int motion, gyro;
    bool disabled;
    double gravity, mass, density, inertia[9];
    double position[3], rotation[4], velocity[3], spin[3], friction_frame[3];
    uint32_t colour;
    scene_at shapes, load, repeat;
} scene_body;

typedef struct scene_load {
    double force[3], torque[3];
} scene_load;

typedef struct scene_shape {
    int type;
    double at[3], rotation[4];
    double named[3]; /* sizes by their names */
    const char *material, *file, *body;
    uint32_t colour;
    double scale;
    scene_at size, corners, points, triangles, parts, groups, meets, repeat;
} scene_shape;

typedef struct scene_joint {
    int type;
    const char *name;
    scene_at bodies, anchors, directions, rest, limits, motor, spring, armature, axes,
        repeat;
    double at[3], axis[3], axis2[3], angle, length;
    bool exact, collide, disabled;
    double erp, cfm, stiffness, damping;
    double angular_cfm, angular_stiffness, angular_damping;
} scene_joint;

typedef struct scene_rest {
    double position[3], rotation[4];
} scene_rest;

typedef struct scene_axis {
    scene_at limits, motor, spring, armature;
    double value;
} scene_axis;

typedef struct scene_limits {
    double lower, upper, restitution, cfm;
} scene_limits;

typedef struct scene_motor {
    int kind;
    double target, max_force, max_rate, cfm;
} scene_motor;

typedef struct scene_spring {
    double stiffness, damping, rest;
} scene_spring;

typedef struct scene_gear {
    const char *joint, *follows;
    scene_at axis, follows_axis, repeat;
    double ratio, offset, cfm, stiffness, damping;
} scene_gear;

typedef struct scene_robot {
    const char *name, *file, *material, *package;
    double position[3], rotation[4];
    int base, unknown, meshes;
    bool merge_fixed, apart;
    scene_at joints, repeat;
} scene_robot;

typedef struct scene_drive {
    scene_at start, limits, motor, spring, armature;
} scene_drive;

typedef struct scene_force {
    int type;
    const char *name;
    scene_at bodies, anchors, repeat;
    double axis[3];
    double value[PERP_FORCE_PARAMETERS];
} scene_force;

typedef struct scene_copies {
    scene_at count;
    double step[3];
    scene_at turn;
    const char *index;
} scene_copies;

typedef struct scene_turn {
    double axis[3], angle, about[3];
} scene_turn;

/* The k-th additional member of shape or force type t; false after the last. `type` is
 * NULL after the last type. */
bool scene_shape_extra(size_t t, size_t k, scene_extra *extra);
bool scene_force_extra(size_t t, size_t k, scene_extra *extra);
/* The k-th type that is allowed in a file: types that call a user's function are not. */
const perp_joint_type *scene_joint_type(size_t k);
const perp_force_type *scene_force_type(size_t k);

extern const scene_table scene_table_document, scene_table_scheme, scene_table_combine,
    scene_table_material, scene_table_ground, scene_table_body, scene_table_load,
    scene_table_shape, scene_table_joint, scene_table_axis, scene_table_limits,
    scene_table_motor, scene_table_spring, scene_table_force, scene_table_copies,
    scene_table_turn, scene_table_parameter, scene_table_robot, scene_table_drive,
    scene_table_rest, scene_table_gear;

/* solids.c: shapes of a body. */

/* While it is built; hulls, surfaces and parts belong to this list. */
typedef struct scene_solids {
    size_t count, room, item_room;
    bool parts;       /* of a compound */
    bool free;        /* one that names its body */
    int32_t material; /* of those that name none */
    perp_shape *at;
    size_t *item; /* index of the shape of the document that each is a copy of */
} scene_solids;

perp_status scene_solids_read(scene_reader *rd, const scene_at *at, scene_solids *list);
void scene_solids_clear(scene_solids *list);
/* A shape on a body that it names. */
perp_status scene_build_shape(scene_reader *rd, const scene_at *at);
/* Their total mass properties at density 1, in the axes of the body. */
perp_status scene_solids_mass(scene_reader *rd, const scene_at *at,
                              const scene_solids *list, shape_mass *sum);
/* forms.c: corners, files, parts and groups of a shape. */

perp_status scene_form_read(scene_reader *rd, const scene_at *at, const scene_shape *s,
                            perp_shape *shape);
/* Release its hull, mesh and parts. */
void scene_form_clear(perp_shape *shape);
void scene_files_clear(scene_reader *rd);
/* The path, relative to the folder of the scene unless it begins with a slash; the caller
 * frees it; NULL: no memory. */
char *scene_path_of(const scene_reader *rd, const char *name);

/* The material named by the member of `at`; NULL: the default one. */
/** The erp of a joint or material: NAN (missing) means that of the scheme, 0 no
 *  correction. */
static inline double scene_erp(double given)
{
    return isnan(given) ? 0.0 : given > 0.0 ? given : PERP_ERP_NONE;
}
perp_status scene_find_material(scene_reader *rd, const scene_at *at, const char *name,
                                int32_t *index);

/* bodies.c, robots.c, links.c: what is built; one copy each. */

perp_status scene_build_body(scene_reader *rd, const scene_at *at);
perp_status scene_build_ground(scene_reader *rd, const scene_at *at);
perp_status scene_build_robot(scene_reader *rd, const scene_at *at);
perp_status scene_build_joint(scene_reader *rd, const scene_at *at);
perp_status scene_build_gear(scene_reader *rd, const scene_at *at);
perp_status scene_build_force(scene_reader *rd, const scene_at *at);
/* Settings of a free axis: limits, motor, spring, armature. */
perp_status scene_read_axis(scene_reader *rd, const scene_axis *a, perp_axis_unit unit,
                            perp_axis *axis);
/* The number of the body named by the text at `at`; the first use of "world" creates that
 * body. */
perp_status scene_find_body(scene_reader *rd, const scene_at *at, int32_t *index);
perp_status scene_world_body(scene_reader *rd, const scene_at *at, int32_t *index);

#endif
