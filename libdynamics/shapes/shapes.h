/* SPDX-License-Identifier: Apache-2.0
 * shapes/shapes.h: the shape types of the registry and their common functions.
 * Private. */
#ifndef PERP_SHAPES_SHAPES_H
#define PERP_SHAPES_SHAPES_H

#include <perp/dynamics/shape.h>

#include "math/math.h"

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

/** The intersection of a ray with a convex set: t from `in` to `out`, empty if in > out.
 *  It is cut in turn by the pieces whose intersection is the set. */
typedef struct shape_span {
    double in, out;
    int side; /**< the piece whose border the ray enters through; -1: none */
} shape_span;

/** PERP_ERR_DATA unless the first n sizes are positive and finite. */
perp_status shape_check_sizes(const perp_shape *shape, size_t n, perp_error *err);
/** The same, and the density too; then *m := density times `volume` [m^3, or m^2]. */
perp_status shape_weigh(const perp_shape *shape, size_t n, double density, double volume,
                        double *m, perp_error *err);

/** Sum of mass, centre of mass and inertia of shapes, in common axes. Zero it first. */
typedef struct shape_mass {
    double m, center[3], inertia[9];
} shape_mass;
/** Add a shape at its pose `at`, `turn`, in the plane (`flat`) its lamina. Shapes without
 *  mass add nothing. */
perp_status shape_mass_add(shape_mass *sum, const perp_shape *shape, bool flat,
                           double density, perp_error *err);
/** R(turn); zero means no rotation. */
void shape_turn(const perp_shape *shape, double R[9]);

/** Release what a shape owns. */
void shape_release(perp_shape *shape);

/** The length of d perpendicular to z, for d of any length. */
static inline double shape_across(const double d[3])
{
    double square = d[0] * d[0] + d[1] * d[1];

    /* within: no square was lost to underflow or overflow */
    return square > 1e-280 && square < 1e280 ? sqrt(square) : hypot(d[0], d[1]);
}
/** The part of the shape that faces d: face() of its type, or a point. */
void shape_face(const perp_shape *shape, const double d[3], perp_face *face);
/** Faces of a point, named `id`, and of a segment from p to q, named id and id + 1, that
 *  face d. */
void shape_face_point(perp_face *face, const double p[3], uint32_t id, const double d[3]);
void shape_face_segment(perp_face *face, const double p[3], const double q[3],
                        uint32_t id, const double d[3]);
enum {
    SHAPE_RIM = 24, /**< points of the rim of a flat end, fixed to the shape */
    SHAPE_END_NAMES = SHAPE_RIM + 1 /**< names of an end */
};
/** The flat end at z of a round shape, whose normal is z or, where z < 0, -z: SHAPE_RIM points of
 *  the rim, named from id on, and the one farthest along d, named id + SHAPE_RIM. */
void shape_face_end(perp_face *face, double radius, double z, uint32_t id,
                    const double d[3]);
/** Below this angle [rad] between axis and d an end has no point of its own farthest along d,
 *  because rounding would decide which it is. The others are within 1e-6 radii of it. */
extern const double shape_flat_tilt;
/** The unit vector across z nearest to d; where d is steeper than that, x. */
void shape_lean(const double d[3], double lean[3]);
/** A face counts as facing d if d.normal is at least this: within 45 degrees. */
extern const double shape_looks;

/** The corner of a hull farthest along d; the lowest number of equal ones (for large
 *  hulls always the same one). */
size_t shape_hull_farthest(const perp_polytope *hull, const double d[3]);
/** The least and the greatest d.p of its corners p. */
void shape_hull_range(const perp_polytope *hull, const double d[3], double *lo,
                      double *hi);

/** The box with these half extents about x, flat if the dimension is 2. */
void shape_bounds_about(const double x[3], const double half[3], unsigned dimension,
                        perp_aabb *box);

/** All of the ray. */
shape_span shape_ray_all(void);
/** Cut by a piece that contains the ray from `in` to `out`, with side number `side`. */
void shape_ray_cut(shape_span *span, double in, double out, int side);
/** Cut by lo <= x <= hi of one coordinate; sides `side` at hi and side + 1 at lo. */
void shape_ray_slab(shape_span *span, double o, double d, double lo, double hi, int side);
/** Cut by the half-space of n.d t <= height. */
void shape_ray_below(shape_span *span, double rate, double height, int side);
/** Cut by |x| <= radius of the first n coordinates: a cylinder or ball. */
void shape_ray_round(shape_span *span, size_t n, const double *o, const double *d,
                     double radius, int side);
/** The return value of a type's `cast` for a span. If it is > 0, a point on the border,
 *  the caller sets the normal; if o is inside, n is set here. */
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
