/* SPDX-License-Identifier: Apache-2.0
 * read/urdf/urdf.h: reading of robots: elements, links and joints, their tree, and the
 * world built from them. Private.
 *
 * All memory of a reader is in one workspace. Poses and numbers are those of the file
 * until build.c adds them to a world. */
#ifndef PERP_READ_URDF_URDF_H
#define PERP_READ_URDF_URDF_H

#include <perp/dynamics/urdf.h>
#include <perp/workspace.h>

#include "world/world.h"

enum {
    URDF_BYTES = 16 << 20,  /* of a file; large robots have 1 MB */
    URDF_ELEMENTS = 500000, /* of XML */
    URDF_CHUNK = 32 << 10,  /* size of the blocks of the workspace */
};

typedef struct urdf_attribute {
    const char *name, *value;
} urdf_attribute;

typedef struct urdf_element {
    const char *name; /* with its prefix: "xacro:macro" */
    size_t line;      /* where its tag ends */
    size_t attribute_count;
    urdf_attribute *attribute;
    struct urdf_element *up, *first, *last, *next; /* children are a list */
} urdf_element;

typedef struct urdf_pose {
    double r[3], q[4];
} urdf_pose;

/* A shape, on its link. */
typedef struct urdf_solid {
    const urdf_element *at; /* box, mesh, … */
    size_t link;
    urdf_pose pose;
    const perp_shape_type *type;
    double size[3];
    const char *file; /* of a mesh */
    double scale[3];
    uint32_t colour;
} urdf_solid;

typedef enum urdf_moves {
    URDF_FIXED,
    URDF_TURNS,
    URDF_SLIDES,
    URDF_PLANAR,
    URDF_FREE,
} urdf_moves;

typedef struct urdf_joint {
    const urdf_element *at;
    const char *name;
    urdf_moves moves;
    urdf_pose origin;
    const urdf_element *parent_at, *child_at;
    size_t parent, child; /* links */
    double axis[3];       /* unit, axes of the child */
    bool limited;
    double lower, upper;
    double effort, velocity; /* INFINITY: not given */
    double damping, friction;
    const urdf_element *mimic; /* NULL: none */
    size_t follows;            /* its joint, or `none` */
    double multiplier, offset;
    double value;  /* where it starts */
    size_t beside; /* the next joint of the same parent, or `none` */
    bool merged;
    int32_t joint; /* of the world, or -1 */
} urdf_joint;

typedef struct urdf_link {
    const urdf_element *at;
    const char *name;
    double mass;                  /* 0: none */
    double center[3], inertia[9]; /* axes of the link, about the centre */
    size_t up;                    /* the joint that carries it, or `none`: the root */
    size_t first, last;           /* joints to its children */
    size_t group;                 /* link that gives its body the name */
    bool rigid;                   /* of that link: a static body */
    urdf_pose pose;               /* pose of its frame in the world, joints at zero */
    int32_t body;
    urdf_pose on_body; /* its frame relative to that of the body */
    uint32_t colour;   /* of its first <visual> that has one; 0: none */
} urdf_link;

static const size_t urdf_none = SIZE_MAX;

typedef struct urdf_reader {
    const char *file;
    const perp_urdf_options *opt;
    perp_error *err;
    perp_workspace *ws;
    char *chunk; /* free bytes of the last block */
    size_t chunk_left;
    const char *name; /* of the robot */
    size_t link_count, joint_count, solid_count, ignored_count;
    urdf_link *links;
    urdf_joint *joints;
    urdf_solid *solids;
    size_t material_count;
    struct urdf_name *materials; /* sorted; numbers of `colours` */
    uint32_t *colours;
    size_t root;
    size_t *order; /* links, parents before children */
    size_t ignored_room, mesh_count, mesh_room;
    char **ignored;           /* on the heap */
    struct urdf_mesh *meshes; /* on the heap: files that were read already */
    perp_world *world;
} urdf_reader;

/* document.c: XML. */

/* Zeroed memory of the workspace; NULL: no memory. */
void *urdf_alloc(urdf_reader *rd, size_t count, size_t size);
perp_status urdf_no_memory(urdf_reader *rd);
/* The elements of a text; no document types, so no entities but the five of XML. */
perp_status urdf_decode(urdf_reader *rd, const char *text, size_t length,
                        urdf_element **root);

/* values.c: messages, attributes, numbers. */

/* Fail with "FILE:LINE: joint "x": " and the text. */
perp_status urdf_fail(urdf_reader *rd, const urdf_element *at, perp_status status,
                      const char *format, ...) PERP_PRINTF(4, 5);
/* Prefix an error from another module in the same way. */
perp_status urdf_fail_in(urdf_reader *rd, const urdf_element *at, perp_status status,
                         const perp_error *cause);
/* Refuse an unknown element that changes the mechanics, or ignore it with a note.
 * `instead`: the consequence, such as "left out". */
perp_status urdf_unknown(urdf_reader *rd, const urdf_element *at, const char *instead,
                         const char *format, ...) PERP_PRINTF(4, 5);

/* Keep a note "FILE:LINE: joint "x": " and the text. */
perp_status urdf_note(urdf_reader *rd, const urdf_element *at, const char *format, ...)
    PERP_PRINTF(3, 4);
/* Keep a note on numbers [rad] of more than a turn, which are degrees, more likely. An
 * axis may turn more than once (`several`): there only a whole number of at most two
 * turns is one. */
perp_status urdf_check_angles(urdf_reader *rd, const urdf_element *e, const char *name,
                              size_t count, const double *x, bool several);

/* An attribute, or NULL. */
const char *urdf_text(const urdf_element *e, const char *name);
/* A required attribute that must not be empty. */
perp_status urdf_need_text(urdf_reader *rd, const urdf_element *e, const char *name,
                           const char *expected, const char **text);
/* Read `count` numbers to x, which is unchanged if the attribute is missing. */
perp_status urdf_reals(urdf_reader *rd, const urdf_element *e, const char *name,
                       size_t count, const char *expected, double *x);
/* The same for a required attribute. */
perp_status urdf_need_reals(urdf_reader *rd, const urdf_element *e, const char *name,
                            size_t count, const char *expected, double *x);
/* Fail with "NAME of ELEMENT is "VALUE", expected …". */
perp_status urdf_unexpected(urdf_reader *rd, const urdf_element *e, const char *name,
                            const char *expected);
/* The first child with this name, or NULL. */
const urdf_element *urdf_child(const urdf_element *e, const char *name);
perp_status urdf_need_child(urdf_reader *rd, const urdf_element *e, const char *name,
                            const urdf_element **child);
/* The pose of the child `origin`; the identity if it is missing. */
perp_status urdf_origin(urdf_reader *rd, const urdf_element *e, urdf_pose *pose);

/* rules.c: known elements and attributes by their parents. */

/* Check an element and its content for unknown and duplicate elements and attributes. */
perp_status urdf_check(urdf_reader *rd, const urdf_element *e);

/* links.c, joints.c: links and joints from their elements. */

perp_status urdf_read_links(urdf_reader *rd, const urdf_element *robot);
perp_status urdf_read_joints(urdf_reader *rd, const urdf_element *robot);
/* Numbers of items sorted by their names, in the workspace. */
typedef struct urdf_name {
    const char *name;
    size_t index;
} urdf_name;
/* Sort; *twice: an index with the name of an earlier one, *first, or `none`. */
void urdf_names_sort(urdf_name *names, size_t count, size_t *first, size_t *twice);
size_t urdf_names_find(const urdf_name *names, size_t count, const char *name);

/* pose.c: a b, and a rotated by an angle about one of its axes. */

void urdf_pose_multiply(const urdf_pose *a, const urdf_pose *b, urdf_pose *ab);
/* a^-1 b. */
void urdf_pose_between(const urdf_pose *a, const urdf_pose *b, urdf_pose *out);
/* The pose of the child of a joint relative to its origin at the coordinate `value`. */
void urdf_pose_moved(const urdf_joint *j, double value, urdf_pose *out);

/* colours.c: what links are drawn in. */

/* The materials that have a name and a colour. */
perp_status urdf_read_colours(urdf_reader *rd, const urdf_element *robot);
/* The colour (perp_shape.colour) of the material of a <visual> or <collision>; 0: none.
 * */
uint32_t urdf_colour(const urdf_reader *rd, const urdf_element *e);

/* tree.c: parents of links, and links that form one body. */

perp_status urdf_order_links(urdf_reader *rd);

/* meshes.c: shapes from files. */

/* Set polytope or mesh, to which the reader keeps a reference. */
perp_status urdf_mesh_find(urdf_reader *rd, const urdf_solid *solid, perp_shape *shape);
void urdf_meshes_clear(urdf_reader *rd);

/* build.c: adding the robot to the world. */

perp_status urdf_build(urdf_reader *rd);

#endif
