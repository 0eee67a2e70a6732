/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/shape.h: the form of shapes; <perp/dynamics/world.h> puts them on bodies.
 *
 * A convex shape is the Minkowski sum of a core, described by a support function and
 * faces, and a ball: the core of a sphere is a point, that of a capsule a segment. All
 * functions of a type use the axes of the shape. */
#ifndef PERP_DYNAMICS_SHAPE_H
#define PERP_DYNAMICS_SHAPE_H

#include <perp/dynamics/geometry.h>

PERP_BEGIN_DECLS

typedef struct perp_shape perp_shape;

/** The part of the surface of a core that faces a direction: a point, a segment, or a
 *  polygon, counter-clockwise seen against that direction. */
enum { PERP_FACE_CORNERS = 128 };
typedef struct perp_face {
    size_t count;                         /**< 1, 2, or the corners of a polygon */
    double corner[3 * PERP_FACE_CORNERS]; /**< axes of the shape */
    uint32_t id[PERP_FACE_CORNERS];       /**< identities of the corners, constant over
                                           *   time */
    double normal[3];                     /**< unit normal of a polygon; else the
                                           *   direction */
} perp_face;

/** Kind of the core of a convex shape, so that its points are computed without a function
 *  call. */
typedef enum perp_core {
    PERP_CORE_SUPPORT, /**< described by `support` */
    PERP_CORE_POINT,   /**< the origin */
    PERP_CORE_SEGMENT, /**< along z, size[1] long, the origin halfway */
    PERP_CORE_BOX,     /**< box with half extents `size` */
    PERP_CORE_HULL,    /**< the polytope */
} perp_core;

/** A type may be one of the registry or defined by the user; the library uses these
 *  fields only. `reach` and `bounds` are required. */
typedef struct perp_shape_type {
    const char *name;     /**< "sphere" */
    const char *summary;  /**< one line, with the meaning of `size` */
    unsigned sizes;       /**< number of entries of `size` */
    unsigned plane_sizes; /**< the same in two dimensions; 0: `sizes` */
    perp_core core;
    bool from_points;         /**< a hull: given by corners or a polytope */
    const char *size_name[3]; /**< "radius", … */
    bool is_polytope;         /**< box, hull: contacts of corners, faces and edges */
    bool unbounded;           /**< a plane */
    bool is_mesh;             /**< a mesh: a surface of triangles */
    bool has_parts;           /**< a compound */
    /** Mass, centre of mass (axes of the shape) and inertia about it; NULL: no mass (a
     *  plane). */
    perp_status (*inertia)(const perp_shape *shape, double density, double *m,
                           double center[3], double inertia[9], perp_error *err);
    /** The same for the flat shape in a world of two dimensions, with a density in kg/m^2
     *  and the inertia of a lamina (z: about the axis out of the plane); NULL: not
     *  supported. */
    perp_status (*lamina)(const perp_shape *shape, double density, double *m,
                          double center[3], double inertia[9], perp_error *err);
    /** Radius of a sphere about the origin of the shape that contains it [m]. */
    double (*reach)(const perp_shape *shape);

    /* For convex shapes, NULL for others: */

    /** The point of the core farthest along d (any length but 0); always the same one of
     *  equally far points. */
    void (*support)(const perp_shape *shape, const double d[3], double p[3]);
    /** Radius of the ball around the core [m]; NULL: 0. */
    double (*radius)(const perp_shape *shape);
    /** The part of the core that faces the unit direction d: a whole flat side if its
     *  normal is the nearest to d and within about 45 degrees. Round sides and rims
     *  return points with identities that stay constant under small changes of d. For a
     *  face with more than PERP_FACE_CORNERS corners that many are returned, evenly
     *  spaced. NULL: the point of `support`. */
    void (*face)(const perp_shape *shape, const double d[3], perp_face *face);

    /* For all shapes: */

    /** The tight axis-aligned box around the shape with axes R and origin x; z is 0 in a
     *  world of two dimensions. The box of a plane is unbounded; that of a mesh bounds
     *  its local box. */
    void (*bounds)(const perp_shape *shape, unsigned dimension, const double R[9],
                   const double x[3], perp_aabb *box);
    /** Smallest t >= 0, at most `most`, with o + t d in the shape (axes of the shape, d
     *  of any length but 0), and the outward normal n at this point; t = 0 and n = -d/|d|
     *  if o is inside; negative if the ray misses. *part: triangle of a mesh or part of a
     *  compound. NULL: every ray misses. */
    double (*cast)(const perp_shape *shape, unsigned dimension, const double o[3],
                   const double d[3], double most, double n[3], size_t *part);
} perp_shape_type;

/** A shape on a body. Zero the struct, then fill it: turn = 0 means (1, 0, 0, 0). In a
 *  world of two dimensions a sphere is a disc, a box a rectangle with the first two half
 *  extents (the third is not read), a hull a convex polygon, and a plane is solid at y <=
 *  0; the parts of a compound are such shapes; other shapes are refused. */
struct perp_shape {
    const perp_shape_type *type;
    int32_t body;
    int32_t material;
    double at[3], turn[4]; /**< pose on the body, from the centre of mass, body axes */
    /** [m] sphere: radius; box: half extents; cylinder, capsule, cone: radius and length
     *  along z, centred at the origin (the tip of a cone is at +length/2); ellipsoid:
     *  semi-axes; plane: no sizes, solid at z <= 0 in its axes. */
    double size[3];
    /** Two shapes may have contacts if the group of each has a common bit with the mask
     *  of the other. 0 and 0 mean group 1 and a mask of all bits. */
    uint32_t group, mask;

    /* Given by the caller for a hull, and not kept: */
    size_t corner_count;
    const double *corners; /**< 3 each, axes of the shape */
    /* Given by the caller; the world keeps a reference or a copy: */
    perp_polytope *polytope; /**< for a hull: instead of corners, or made from them */
    perp_mesh *mesh;         /**< for a mesh */
    size_t part_count;
    perp_shape *parts; /**< for a compound: convex shapes, placed in its axes by at and
                        *   turn; their bodies, groups and masks are not read */
    /** Set by perp_world_add_shape: the number of shapes added before. It identifies contacts
     *  from step to step, is kept when other shapes are removed, and is never reused. */
    uint32_t id;
    /** What it is drawn in: PERP_COLOUR | 0xRRGGBB, or 0: none is given. A part of a compound
     *  without a colour has that of the compound. Motion does not depend on it, and it may be
     *  changed at any time. */
    uint32_t colour;
};

/** The bit of perp_shape.colour that tells black from no colour. */
#define PERP_COLOUR UINT32_C(0x1000000)

/** All shape types, *count of them. The type with this name, or NULL. */
const perp_shape_type *const *perp_shape_types(size_t *count);
const perp_shape_type *perp_shape_type_find(const char *name);

PERP_END_DECLS

#endif
