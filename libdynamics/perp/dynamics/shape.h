/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/shape.h: shapes on bodies, and the contacts where they meet.
 *
 * A contact lies at one point p between bodies i and j, with a unit normal from i to j
 * and a gap [m], negative where they penetrate; p -+ gap/2 normal are the points where it
 * touches i and j. Contacts of pairs for which a closed form exists are made here: any
 * shape but a plane against a plane; spheres against spheres, capsules, boxes and hulls;
 * capsules against capsules; boxes and hulls against each other. */
#ifndef PERP_DYNAMICS_SHAPE_H
#define PERP_DYNAMICS_SHAPE_H

#include <perp/dynamics/world.h>

PERP_BEGIN_DECLS

typedef struct perp_shape perp_shape;

typedef struct perp_shape_type {
    const char *name;         /**< "sphere" */
    const char *summary;      /**< one line: what `size` means */
    unsigned sizes;           /**< entries of `size` it reads */
    const char *size_name[3]; /**< "radius", … */
    bool has_corners;         /**< box, hull: corners, faces and edges touch */
    bool unbounded;           /**< a plane */
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
} perp_shape_type;

/** A shape on a body. Zero it, then fill: turn = 0 stands for (1, 0, 0, 0). In a world of
 *  two dimensions a sphere is a disc, a box the rectangle of its first two half extents
 *  (the third is not read), and of a plane y <= 0 is solid;
 *  the other shapes are refused. */
struct perp_shape {
    const perp_shape_type *type;
    int32_t body;
    int32_t material;
    double at[3], turn[4]; /**< pose on the body, from the centre of mass, body axes */
    /** [m] sphere: radius; box: half extents; cylinder, capsule: radius, length;
     *  ellipsoid: semi-axes; plane: none: z <= 0 of its axes is solid. */
    double size[3];
    size_t corner_count;
    double *corners; /**< hull: 3 each, axes of the shape; owned by the world */
    size_t face_count;
    int32_t *face_start;  /**< hull: face_count + 1, where face f begins in face_corner */
    int32_t *face_corner; /**< counter-clockwise from outside */
};

/** All shape types, *count of them; and the one of that name, or NULL. */
const perp_shape_type *const *perp_shape_types(size_t *count);
const perp_shape_type *perp_shape_type_find(const char *name);
/** Append; copies corners, but for points of a hull that are none, and finds its faces.
 *  *index (may be NULL) is its number. PERP_ERR_DATA: sizes not positive, unknown body or
 *  material, fewer than four corners or flat, NaN; PERP_ERR_MEMORY. The world is then as
 *  it was. */
perp_status perp_world_add_shape(perp_world *world, const perp_shape *shape,
                                 int32_t *index, perp_error *err);
/** Its pose in the world: R (9) and x. */
void perp_shape_pose(const perp_world *world, const perp_shape *shape, double R[9],
                     double x[3]);

/** One point of contact; it may be filled by hand as well. */
typedef struct perp_contact {
    int32_t i, j;                            /**< bodies */
    double point[3];                         /**< world [m] */
    double normal[3];                        /**< unit, world, from i to j */
    double gap;                              /**< [m] */
    double mu, restitution, mu_rolling, erp; /**< combined; erp < 0: the scheme's */
    uint64_t key; /**< the same while the same features touch; never 0 */
} perp_contact;

/** A growing list of them. Zero it before its first use. */
typedef struct perp_contacts {
    size_t count, room;
    perp_contact *at;
} perp_contacts;

void perp_contacts_clear(perp_contacts *contacts); /* frees and zeroes */
/** One more at the end, zeroed, or NULL without memory. */
perp_contact *perp_contacts_add(perp_contacts *contacts);

/** All contacts with a gap of at most `margin` [m] >= 0, replacing those in `contacts`,
 *  in the order of shapes. Bodies joined by a joint touch only where it says so; two
 *  bodies that impulses cannot move never do. PERP_ERR_UNSUITABLE: two shapes without a
 *  closed form that may touch, since the spheres about them come within the margin;
 *  PERP_ERR_ARGUMENT: a margin that is none; PERP_ERR_MEMORY. */
perp_status perp_collide(const perp_world *world, double margin, perp_contacts *contacts,
                         perp_error *err);

PERP_END_DECLS

#endif
