/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/shape.h: shapes on bodies.
 *
 * A convex shape is a core, which a support function and faces describe, and a ball of a
 * radius around each point of it: a sphere is a point, a capsule a segment. All functions
 * of a type work in the axes of the shape. */
#ifndef PERP_DYNAMICS_SHAPE_H
#define PERP_DYNAMICS_SHAPE_H

#include <perp/dynamics/geometry.h>
#include <perp/dynamics/world.h>

PERP_BEGIN_DECLS

typedef struct perp_shape perp_shape;

/** The part of a core's surface that looks along a direction: a point, a segment, or a
 *  polygon, counter-clockwise seen against that direction. */
enum { PERP_FACE_CORNERS = 128 };
typedef struct perp_face {
    size_t count;                         /**< 1, 2, or the corners of a polygon */
    double corner[3 * PERP_FACE_CORNERS]; /**< axes of the shape */
    uint32_t id[PERP_FACE_CORNERS];       /**< of the corners: names that stay */
    double normal[3];                     /**< unit, of a polygon; else the direction */
} perp_face;

/** What the core of a convex shape is, so that its points are found without a call. */
typedef enum perp_core {
    PERP_CORE_SUPPORT, /**< what `support` says */
    PERP_CORE_POINT,   /**< the origin */
    PERP_CORE_SEGMENT, /**< along z, size[1] long, the origin halfway */
    PERP_CORE_BOX,     /**< of half extents `size` */
    PERP_CORE_HULL,    /**< the polytope */
} perp_core;

/** A type may be one of the registry or the user's own: the library knows it by these
 *  fields alone, which `reach` and `bounds` must be among. */
typedef struct perp_shape_type {
    const char *name;     /**< "sphere" */
    const char *summary;  /**< one line: what `size` means */
    unsigned sizes;       /**< entries of `size` it reads */
    unsigned plane_sizes; /**< the same in two dimensions; 0: as many */
    perp_core core;
    bool from_points;         /**< a hull: of corners or a polytope */
    const char *size_name[3]; /**< "radius", … */
    bool is_polytope;         /**< box, hull: corners, faces and edges touch */
    bool unbounded;           /**< a plane */
    bool is_mesh;             /**< a mesh: a surface of triangles */
    bool has_parts;           /**< a compound */
    /** Mass, centre (axes of the shape) and inertia about it; NULL: none (a plane). */
    perp_status (*inertia)(const perp_shape *shape, double density, double *m,
                           double center[3], double inertia[9], perp_error *err);
    /** The same of the flat shape in a world of two dimensions, density in kg/m^2 and the
     *  inertia that of a lamina (z: about the axis out of the plane); NULL:
     *  there is none. */
    perp_status (*lamina)(const perp_shape *shape, double density, double *m,
                          double center[3], double inertia[9], perp_error *err);
    /** Radius of a sphere about the shape's origin that holds it [m]. */
    double (*reach)(const perp_shape *shape);

    /* Of convex shapes, NULL of others: */

    /** The point of the core farthest along d (not 0, of any length); of equal ones
     *  always the same. */
    void (*support)(const perp_shape *shape, const double d[3], double p[3]);
    /** Radius of the ball around the core [m]; NULL: 0. */
    double (*radius)(const perp_shape *shape);
    /** What of the core looks along the unit direction d: of a flat side the whole of it
     *  when its normal is the one nearest to d and within about 45 degrees. Round sides
     *  and rims give points at names that stay where d moves a little. A face of more
     *  than PERP_FACE_CORNERS corners gives so many of them, spread evenly. NULL: the
     *  point that `support` gives. */
    void (*face)(const perp_shape *shape, const double d[3], perp_face *face);

    /* Of all shapes: */

    /** The tight box around it where it stands (axes R, origin x); in a world of two
     *  dimensions z is 0; of a plane unbounded; of a mesh that around its own box. */
    void (*bounds)(const perp_shape *shape, unsigned dimension, const double R[9],
                   const double x[3], perp_aabb *box);
    /** Smallest t >= 0, at most `most`, with o + t d in the shape (axes of the shape, d
     *  of any length but 0), and the outward normal n there; 0 and -d/|d| where o is
     *  inside; negative: it misses. *part: of a mesh the triangle, of a compound the
     *  part. NULL: every ray misses. */
    double (*cast)(const perp_shape *shape, unsigned dimension, const double o[3],
                   const double d[3], double most, double n[3], size_t *part);
} perp_shape_type;

/** A shape on a body. Zero it, then fill: turn = 0 stands for (1, 0, 0, 0). In a world of
 *  two dimensions a sphere is a disc, a box the rectangle of its first two half extents
 *  (the third is not read), a hull a convex polygon, and of a plane y <= 0 is solid;
 *  a compound has such parts; the other shapes are refused. */
struct perp_shape {
    const perp_shape_type *type;
    int32_t body;
    int32_t material;
    double at[3], turn[4]; /**< pose on the body, from the centre of mass, body axes */
    /** [m] sphere: radius; box: half extents; cylinder, capsule, cone: radius, length
     *  along z, the origin halfway (of a cone the tip is at +length/2); ellipsoid:
     *  semi-axes; plane: none: z <= 0 of its axes is solid. */
    double size[3];
    /** Shapes meet when each has a bit of its group in the mask of the other. 0 and 0
     *  stand for group 1 and a mask of all bits. */
    uint32_t group, mask;

    /* What the caller gives of a hull, and is not kept: */
    size_t corner_count;
    const double *corners; /**< 3 each, axes of the shape */
    /* What the caller gives, and the world holds a reference to or a copy of: */
    perp_polytope *polytope; /**< of a hull: instead of corners, or made of them */
    perp_mesh *mesh;         /**< of a mesh */
    size_t part_count;
    perp_shape *parts; /**< of a compound: convex ones, placed in its axes by at, turn;
                            their bodies, groups, masks are not read */
    /** Made by perp_world_add_shape: how many shapes were added before. Contacts are known
     *  by it from step to step; it stays when shapes are removed, and none has it again. */
    uint32_t id;
};

/** All shape types, *count of them; and the one of that name, or NULL. */
const perp_shape_type *const *perp_shape_types(size_t *count);
const perp_shape_type *perp_shape_type_find(const char *name);
/** Append; *index (may be NULL) is its number. PERP_ERR_DATA: sizes not positive, unknown
 *  body or material, a type without reach, bounds or a surface, corners that span no
 *  volume, an open mesh on a dynamic body, parts that are none or not convex, NaN;
 *  PERP_ERR_MEMORY. The world is then as it was. */
perp_status perp_world_add_shape(perp_world *world, const perp_shape *shape,
                                 int32_t *index, perp_error *err);
/** Mass, inertia and centre of mass of a body from its shapes, of `density` [kg/m^3] (of
 *  two dimensions [kg/m^2]); where shapes overlap both count, a plane has no mass. On
 *  entry the shapes are placed by `at` and `turn` in the axes of the body, whose origin is
 *  at body->r. On return body->mass and inertia (about the centre of mass) are filled,
 *  body->r is the centre of mass, and each `at` is counted from there, as
 *  perp_world_add_shape wants it: nothing has moved. Then add the body, set `body` of the
 *  shapes to its number and add them.
 *
 *  `world` gives the dimension and the materials, and keeps hulls of corners found here
 *  for perp_world_add_shape. PERP_ERR_DATA: no shape with a mass, a density that is not
 *  positive, a shape that perp_world_add_shape would refuse on a dynamic body;
 *  PERP_ERR_MEMORY. Body and shapes are then as they were. */
perp_status perp_body_from_shapes(perp_body *body, perp_world *world, double density,
                                  size_t count, perp_shape *shapes, perp_error *err);
/** Its pose in the world: R (9) and x. */
void perp_shape_pose(const perp_state *state, const perp_shape *shape, double R[9],
                     double x[3]);

PERP_END_DECLS

#endif
