/* SPDX-License-Identifier: Apache-2.0
 * collision/shapes.h: the shape types of the registry,
 * and what their files share. Private. */
#ifndef PERP_COLLISION_SHAPES_H
#define PERP_COLLISION_SHAPES_H

#include <perp/dynamics/shape.h>

#include "math/vec3.h"

extern const perp_shape_type shape_sphere;
extern const perp_shape_type shape_box;
extern const perp_shape_type shape_cylinder;
extern const perp_shape_type shape_capsule;
extern const perp_shape_type shape_cone;
extern const perp_shape_type shape_ellipsoid;
extern const perp_shape_type shape_hull;
extern const perp_shape_type shape_mesh;
extern const perp_shape_type shape_compound;
extern const perp_shape_type shape_plane;

/** What a ray has in common with a convex set: t from `in` to `out`, nothing when in >
 *  out. It is cut by piece after piece of which the set is the intersection. */
typedef struct shape_span {
    double in, out;
    int side; /**< the piece whose border it enters by; -1: none */
} shape_span;

/** PERP_ERR_DATA unless the first n sizes are positive and finite. */
perp_status shape_check_sizes(const perp_shape *shape, size_t n, perp_error *err);
/** The same, and the density too; then *m := density times `volume` [m^3, or m^2]. */
perp_status shape_weigh(const perp_shape *shape, size_t n, double density, double volume,
                        double *m, perp_error *err);

/** Mass, centre and inertia about it, in axes common to what was added. Zero it first. */
typedef struct shape_mass {
    double m, center[3], inertia[9];
} shape_mass;
/** Add a shape where it is placed by its `at` and `turn`, in the plane (`flat`) its
 *  lamina. What has no mass adds none. */
perp_status shape_mass_add(shape_mass *sum, const perp_shape *shape, bool flat,
                           double density, perp_error *err);
/** R(turn); a turn of zero is none. */
void shape_turn(const perp_shape *shape, double R[9]);

/** How many sizes are read in a world of this dimension. */
size_t shape_size_count(const perp_world *world, const perp_shape *shape);
/** PERP_ERR_DATA where perp_world_add_shape refuses it. */
perp_status shape_check(const perp_world *world, const perp_shape *shape,
                        perp_error *err);
/** The same but for its type and body; `moves`: that is one that impulses move. */
perp_status shape_check_form(const perp_world *world, const perp_shape *shape, bool moves,
                             perp_error *err);
/** A reference to the hull of points, in a world of two dimensions the polygon: made, or
 *  one that the world made of the same points not long ago. */
perp_status shape_hull_make(perp_world *world, size_t count, const double *points,
                            perp_polytope **hull, perp_error *err);
void shape_hulls_forget(perp_world *world);
/** Give back what a shape of the world has. */
void shape_release(perp_shape *shape);
/** Take away the shapes behind the first `count`, and all hulls where it is 0: what
 *  world->cut_shapes is set to before a world owns any. */
void shape_cut(perp_world *world, size_t count);

/** The length of d across z, of a d of any length. */
static inline double shape_across(const double d[3])
{
    double square = d[0] * d[0] + d[1] * d[1];

    /* within: no square was lost to underflow or overflow */
    return square > 1e-280 && square < 1e280 ? sqrt(square) : hypot(d[0], d[1]);
}
/** What of the shape looks along d: face() of its type, or a point. */
void shape_face(const perp_shape *shape, const double d[3], perp_face *face);
/** Faces of a point, named `id`, and of a segment from p to q, named id and id + 1, that
 *  look along d. */
void shape_face_point(perp_face *face, const double p[3], uint32_t id, const double d[3]);
void shape_face_segment(perp_face *face, const double p[3], const double q[3],
                        uint32_t id, const double d[3]);
/** The flat end at z of a round shape, whose normal is z or, where z < 0, -z: four points
 *  of the rim, a quarter turn apart, named id to id + 3, from the one farthest along
 *  d. */
void shape_face_end(perp_face *face, double radius, double z, uint32_t id,
                    const double d[3]);
/** What stands steeper than this [rad] has the points of its end fixed to itself, not
 *  where rounding says that the rim is lowest, so that they rest: a point of the rim is
 *  then within 3e-5 radii of the lowest. */
extern const double shape_flat_tilt;
/** The unit vector across z nearest to d; where d is steeper than that, x. */
void shape_lean(const double d[3], double lean[3]);
/** A face looks along d when d.normal is at least this: within 45 degrees. */
extern const double shape_looks;

/** The corner of a hull farthest along d, of equal ones the lowest (of large hulls:
 *  always the same). */
size_t shape_hull_farthest(const perp_polytope *hull, const double d[3]);
/** The least and the greatest d.p of its corners p. */
void shape_hull_range(const perp_polytope *hull, const double d[3], double *lo,
                      double *hi);

/** The box of half extents about x, flat where the dimension is 2. */
void shape_bounds_about(const double x[3], const double half[3], unsigned dimension,
                        perp_aabb *box);

/** All of the ray. */
shape_span shape_ray_all(void);
/** Cut by a piece that it has from `in` to `out`, by side number `side`. */
void shape_ray_cut(shape_span *span, double in, double out, int side);
/** Cut by lo <= x <= hi of one coordinate; sides `side` at hi and side + 1 at lo. */
void shape_ray_slab(shape_span *span, double o, double d, double lo, double hi, int side);
/** Cut by the half-space of n.d t <= height. */
void shape_ray_below(shape_span *span, double rate, double height, int side);
/** Cut by |x| <= radius of the first n coordinates: a cylinder or ball. */
void shape_ray_round(shape_span *span, size_t n, const double *o, const double *d,
                     double radius, int side);
/** What a type's `cast` returns of a span; where that is a point on the border, at > 0,
 *  the caller then sets its normal; where o is inside, n is set here. */
double shape_ray_enter(const shape_span *span, const double d[3], double most,
                       double n[3]);

/** The corners of a box: corner c at (+-h0, +-h1, +-h2), + where bit 0, 1, 2 of c is set;
 *  its faces, +x -x +y -y +z -z, counter-clockwise from outside. */
enum { BOX_CORNERS = 8, BOX_FACES = 6, RECTANGLE_CORNERS = 4 };
extern const int32_t shape_box_start[BOX_FACES + 1];
extern const int32_t shape_box_corner[4 * BOX_FACES];
/** Of the rectangle: the corners 0 1 3 2 of the box by their signs; its sides,
 *  -y +x +y -x. */
extern const int32_t shape_rectangle_start[RECTANGLE_CORNERS + 1];
extern const int32_t shape_rectangle_corner[2 * RECTANGLE_CORNERS];

#endif
