/* SPDX-License-Identifier: Apache-2.0
 * shapes/collide.h: two shapes that may meet, and how their contacts are told. Private.
 *
 * A pair function finds all contacts of `a` against `b` with a gap of at most the margin.
 * It tells each by meet_tell with a unit normal from a to b; where the order of shapes is
 * the other one, the normal is negated there. */
#ifndef PERP_SHAPES_COLLIDE_H
#define PERP_SHAPES_COLLIDE_H

#include <perp/dynamics/shape.h>

#include "core.h"

/** A shape in the world. Corners, normals, directions in world axes, 3 each. */
typedef struct placed {
    const perp_shape *shape;
    size_t number;
    double R[9], x[3];
    double reach; /**< INFINITY: unbounded */
    /* of boxes and hulls */
    size_t corners, faces, directions;
    double *corner, *normal, *area;
    double *direction; /**< of edges, each once though many are parallel */
    const int32_t *face_start, *face_corner;
} placed;

/** How many numbers the corners, normals, areas and directions of all shapes take; and
 *  put all shapes in the world, with those numbers in memory of that size. */
size_t place_numbers(const perp_world *world);
void place_all(const perp_world *world, placed *all, double *numbers);

typedef struct meeting {
    const perp_world *world;
    double margin;
    const placed *a, *b;
    bool swapped;   /**< a is the higher of the two shapes */
    size_t first;   /**< where the contacts of this pair begin */
    bool no_memory; /**< a contact could not be stored */
    perp_contacts *contacts;
} meeting;

typedef void pair_call(meeting *m);

/** A feature from parts: never the same for other parts, but by chance of 2^-64. */
uint64_t meet_feature(uint64_t kind, uint64_t a, uint64_t b);
/** A contact, unless its gap is beyond the margin or NaN. */
void meet_tell(meeting *m, const double point[3], const double normal[3], double gap,
               uint64_t feature);
/** n := from x to y, of unit length, and their distance; where they coincide, up. */
double meet_direction(const meeting *m, const double x[3], const double y[3],
                      double n[3]);
/** Balls of radii p and q about x of a and y of b. */
void meet_balls(meeting *m, const double x[3], double p, const double y[3], double q,
                uint64_t feature);
/** The ends of the axis of a capsule. */
void meet_ends(const placed *s, double p[3], double q[3]);

/** The closest points of two segments, the middle of where parallel ones overlap. */
void meet_segments(const double p[3], const double p_end[3], const double q[3],
                   const double q_end[3], double x[3], double y[3]);

/* planes.c: a is the plane. */
pair_call plane_sphere, plane_capsule, plane_cylinder, plane_ellipsoid, plane_corners;
/* round.c */
pair_call sphere_sphere, sphere_capsule, sphere_box, sphere_hull, capsule_capsule;
/* facets.c: boxes and hulls. */
pair_call facets_facets;

#endif
