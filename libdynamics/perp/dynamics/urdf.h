/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/urdf.h: robots from files in the Unified Robot Description Format.
 *
 * Links become bodies, joints become joints and collision shapes become shapes, in
 * depth-first order from the root link, with the joints of a link in the order of the
 * file. A body frame is at the centre of mass and has the axes of its link. A revolute or
 * prismatic joint has the parent link as body i and the child as body j, so that its
 * coordinate is the position of the joint. <mimic> is a gear (perp_world_set_gear). All
 * numbers are in SI units, as in the file.
 * See docs/urdf.md.
 *
 * A message has FILE:LINE, the link or joint, the value found and the value expected. */
#ifndef PERP_DYNAMICS_URDF_H
#define PERP_DYNAMICS_URDF_H

#include <perp/dynamics/scene.h>

PERP_BEGIN_DECLS

/** Treatment of unsupported data that change the mechanics: unknown types of joints,
 *  geometries, mesh formats, elements and attributes. */
typedef enum perp_urdf_unknown {
    PERP_URDF_REFUSE, /**< PERP_ERR_UNSUITABLE; the message has the name */
    PERP_URDF_IGNORE, /**< ignored (a joint becomes fixed) and listed in `ignored` */
} perp_urdf_unknown;

/** Motion of the root link. */
typedef enum perp_urdf_base {
    PERP_URDF_BASE_USUAL, /**< fixed if it is called "world" or has no mass */
    PERP_URDF_BASE_FIXED, /**< a static body */
    PERP_URDF_BASE_FLOATING,
} perp_urdf_base;

/** Collision shape of a mesh. */
typedef enum perp_urdf_meshes {
    PERP_URDF_MESHES_SURFACE, /**< its triangles; must be closed on a dynamic body */
    PERP_URDF_MESHES_HULL,    /**< the convex hull of its points */
} perp_urdf_meshes;

/** Start position of a joint. */
typedef struct perp_urdf_position {
    const char *joint;
    double value; /**< [rad] or [m], within its limits */
} perp_urdf_position;

/** Options. Zero: the defaults. Nothing is kept after a call. */
typedef struct perp_urdf_options {
    perp_urdf_unknown unknown;
    perp_urdf_base base;
    perp_urdf_meshes meshes;
    bool merge_fixed; /**< merge all links with a fixed joint between them into one body;
                       *   false: only if one of the two has no mass */
    /** No contacts between shapes of the robot: all shapes have `group` (one bit; 0: bit
     *  31) and a mask of all other bits. false: no contacts only between links with a
     *  joint between them. */
    bool no_self_collision;
    uint32_t group;
    int32_t material;         /**< material of all its shapes */
    const char *prefix;       /**< prefix of names of bodies and joints; NULL: "" */
    double at[3], turn[4];    /**< pose of the root link; turn 0 means (1, 0, 0, 0) */
    const char *const *roots; /**< folders searched for package://NAME/… */
    size_t root_count;
    const perp_urdf_position *positions; /**< the last one for a joint counts */
    size_t position_count;
} perp_urdf_options;

/** A link of the file, and where it is in the world. */
typedef struct perp_urdf_link {
    char *name;            /**< name in the file */
    int32_t body;          /**< several links may share a body */
    double at[3], turn[4]; /**< link frame relative to the body frame */
} perp_urdf_link;

/** A joint of the file, its limits, and which joint of the world it is. */
typedef struct perp_urdf_joint {
    char *name;
    int32_t joint;       /**< -1: the two links are one body, or the joint is floating */
    double effort;       /**< [N m] or [N]; INFINITY: not given */
    double velocity;     /**< [rad/s] or [m/s]; INFINITY: not given */
    double lower, upper; /**< [rad] or [m]; -INFINITY, INFINITY: no limit; NAN: no single
                          *   coordinate */
    double value;        /**< start position [rad] or [m] */
    bool follows;        /**< another joint, by <mimic> */
} perp_urdf_joint;

/** Names in the file and the corresponding parts of the world. */
typedef struct perp_urdf {
    char *name; /**< name of the robot */
    size_t link_count;
    perp_urdf_link *links; /**< in the order of the file */
    size_t joint_count;
    perp_urdf_joint *joints; /**< in the order of the file */
    size_t ignored_count;
    char **ignored; /**< one line for each ignored element and suspicious angle */
} perp_urdf;

/** Add the robot of a file to a world of three dimensions. opt may be NULL. Free *robot
 *  with perp_urdf_free; robot may be NULL. After a failure *robot is NULL and the world
 *  is unchanged. PERP_ERR_READ: the file cannot be read; PERP_ERR_FORMAT: not XML, a
 *  document type declaration, more than 16 MB, a missing or repeated element or
 *  attribute, a text that is not a number; PERP_ERR_DATA: a number out of range, an
 *  unknown link or joint, a link with two parents, a cycle of links or of <mimic>, several
 *  roots, a link that moves but has no mass, data that perp_world_add_… refuses; PERP_ERR_UNSUITABLE: see
 *  perp_urdf_unknown; PERP_ERR_OPTION: a start position for an unknown joint, for one
 *  without a single coordinate or with <mimic>, or beyond its limits;
 *  PERP_ERR_ARGUMENT: a world in the plane or in reduced coordinates; PERP_ERR_MEMORY. */
perp_status perp_urdf_read(perp_world *world, const char *path,
                           const perp_urdf_options *opt, perp_urdf **robot,
                           perp_error *err);
/** The same from `length` bytes; `name` replaces the file in messages, and its folder is
 *  searched for meshes. */
perp_status perp_urdf_parse(perp_world *world, const char *text, size_t length,
                            const char *name, const perp_urdf_options *opt,
                            perp_urdf **robot, perp_error *err);
void perp_urdf_free(perp_urdf *robot); /* NULL is allowed (no-op) */

/** Whether the beginning of a text is XML with the root element `robot`. */
bool perp_urdf_detect(const char *text, size_t length);

/** Create a scene with one robot, standard gravity and the default scheme. The start of
 *  each joint with one coordinate that is not locked is a parameter, which `sets` may
 *  change. Ignored elements are in the notes. */
perp_status perp_urdf_scene(perp_scene **scene, const char *text, size_t length,
                            const char *name, const perp_urdf_options *opt,
                            const perp_scene_set *sets, size_t count, perp_error *err);

PERP_END_DECLS

#endif
