/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/urdf.h: robots from files of the Unified Robot Description Format.
 *
 * A link becomes a body, a joint a joint, collision shapes become shapes, in the order of
 * a walk from the root link down, joints of a link in the order of the file. A body frame
 * lies at the centre of mass and has the axes of its link; a revolute or prismatic joint has the link
 * that the file calls parent as body i and the child as j, so that its coordinate is the
 * position of the joint. All in SI units, as in the file. docs/urdf.md has the whole.
 *
 * A message says FILE:LINE, link or joint, what was found and what was expected. */
#ifndef PERP_DYNAMICS_URDF_H
#define PERP_DYNAMICS_URDF_H

#include <perp/dynamics/scene.h>

PERP_BEGIN_DECLS

/** What has no meaning here and changes the mechanics: mimic, joint types, geometries and
 *  mesh formats that are not known, elements and attributes that are not known. */
typedef enum perp_urdf_unknown {
    PERP_URDF_REFUSE, /**< PERP_ERR_UNSUITABLE, with its name */
    PERP_URDF_IGNORE, /**< left out, a joint made a fixed one, and told in `ignored` */
} perp_urdf_unknown;

/** What the root link is. */
typedef enum perp_urdf_base {
    PERP_URDF_BASE_USUAL, /**< fixed when it is called "world" or has no mass */
    PERP_URDF_BASE_FIXED, /**< a static body */
    PERP_URDF_BASE_FLOATING,
} perp_urdf_base;

/** What a mesh collides as. */
typedef enum perp_urdf_meshes {
    PERP_URDF_MESHES_SURFACE, /**< its triangles; on a moving body they must be closed */
    PERP_URDF_MESHES_HULL,    /**< the convex hull of its points */
} perp_urdf_meshes;

/** Where a joint starts. */
typedef struct perp_urdf_position {
    const char *joint;
    double value; /**< [rad] or [m], within its limits */
} perp_urdf_position;

/** Zero is the usual way. Nothing is kept after a call. */
typedef struct perp_urdf_options {
    perp_urdf_unknown unknown;
    perp_urdf_base base;
    perp_urdf_meshes meshes;
    bool merge_fixed; /**< links with a fixed joint between them are one body, all of
                           them; else where one of the two has no mass */
    /** No shape of the robot touches another one of it: all have `group` (one bit; 0: bit
     *  31) and every mask but that. Else those of links with a joint between them
     *  only. */
    bool no_self_collision;
    uint32_t group;
    int32_t material;         /**< of all its shapes */
    const char *prefix;       /**< put before names of bodies and joints; NULL: "" */
    double at[3], turn[4];    /**< pose of the root link; turn 0: (1, 0, 0, 0) */
    const char *const *roots; /**< folders in which package://NAME/… is looked for */
    size_t root_count;
    const perp_urdf_position *positions; /**< of two for one joint the last holds */
    size_t position_count;
} perp_urdf_options;

/** A link of the file, and where it is in the world. */
typedef struct perp_urdf_link {
    char *name;            /**< as in the file */
    int32_t body;          /**< several links may be one */
    double at[3], turn[4]; /**< its frame, from that of the body */
} perp_urdf_link;

/** A joint of the file, its limits, and which joint of the world it is. */
typedef struct perp_urdf_joint {
    char *name;
    int32_t joint;       /**< -1: the two links are one body, or free of each other */
    double effort;       /**< [N m] or [N]; INFINITY: not given */
    double velocity;     /**< [rad/s] or [m/s]; INFINITY: not given */
    double lower, upper; /**< [rad] or [m]; -INFINITY, INFINITY: none; NAN: it has no
                              single coordinate */
    double value;        /**< where it starts [rad] or [m] */
} perp_urdf_joint;

/** What the file calls things, and what they are in the world. */
typedef struct perp_urdf {
    char *name; /**< of the robot */
    size_t link_count;
    perp_urdf_link *links; /**< in the order of the file */
    size_t joint_count;
    perp_urdf_joint *joints; /**< in the order of the file */
    size_t ignored_count;
    char **ignored; /**< one line each: what was left out */
} perp_urdf;

/** Add the robot of a file to a world of three dimensions; *robot (may be NULL) is freed
 *  with perp_urdf_free; it is NULL after a failure, and the world as it was. opt may be
 *  NULL. PERP_ERR_READ: no such file; PERP_ERR_FORMAT: no XML, with a document type,
 *  larger than 16 MB, an element or attribute missing or twice, no number;
 *  PERP_ERR_DATA: numbers out of range, links that are none or have two parents, cycles,
 *  several roots, a link that moves and has no mass, and what perp_world_add_… refuses;
 *  PERP_ERR_UNSUITABLE: see perp_urdf_unknown; PERP_ERR_OPTION: a position of a joint
 *  that has none or beyond its limits; PERP_ERR_ARGUMENT: a world in the plane or
 *  in reduced coordinates; PERP_ERR_MEMORY. */
perp_status perp_urdf_read(perp_world *world, const char *path,
                           const perp_urdf_options *opt, perp_urdf **robot,
                           perp_error *err);
/** From `length` bytes; `name` stands for the file in messages, and meshes are looked for
 *  in its folder. */
perp_status perp_urdf_parse(perp_world *world, const char *text, size_t length,
                            const char *name, const perp_urdf_options *opt,
                            perp_urdf **robot, perp_error *err);
void perp_urdf_free(perp_urdf *robot); /* takes NULL */

/** Whether a text is XML whose root is `robot`, as far as its beginning tells. */
bool perp_urdf_detect(const char *text, size_t length);

/** A scene of one robot under standard gravity, with the usual scheme; each joint with
 *  one coordinate that is not locked is a parameter, its start, which sets may change.
 *  What was left out is in its notes. */
perp_status perp_urdf_scene(perp_scene **scene, const char *text, size_t length,
                            const char *name, const perp_urdf_options *opt,
                            const perp_scene_set *sets, size_t count, perp_error *err);

PERP_END_DECLS

#endif
