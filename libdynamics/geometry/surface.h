/* SPDX-License-Identifier: Apache-2.0
 * geometry/surface.h: surfaces as loops of corners, from facets of Qhull to the faces of
 * a polytope and the triangles of a mesh. Private. */
#ifndef PERP_GEOMETRY_SURFACE_H
#define PERP_GEOMETRY_SURFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <perp/dynamics/geometry.h>

/** Loop f has the corners corner[start[f]] up to corner[start[f + 1]], counter-clockwise
 *  from outside. Place k of `corner` is also the side from that corner to the next. */
typedef struct surface {
    size_t count;
    int32_t *start, *corner;
} surface;

static inline size_t surface_uses(const surface *s)
{
    return (size_t)s->start[s->count];
}

/** The place after k in its loop, which goes from place `start` to before `end`. */
static inline int32_t surface_next(int32_t k, int32_t start, int32_t end)
{
    return k + 1 < end ? k + 1 : start;
}

/** Allocate loops and their corners; false: no memory, nothing allocated. */
bool surface_alloc(surface *s, size_t count, size_t uses);
void surface_free(surface *s);

/** Write to `beyond`, for each place k of `s`, the place of the same side in the opposite
 *  direction, -1 if there is not exactly one; to `alike` (may be NULL) that of the only other
 *  one in the same direction, or -1. `crowded`: a loop with a side shared by three or more
 *  loops, or -1. PERP_ERR_MEMORY. */
perp_status surface_pair(const surface *s, int32_t *beyond, int32_t *alike,
                         int32_t *crowded, perp_error *err);

/** first[k] is the lowest number of the points that coincide exactly with point k. False
 *  without memory. */
bool points_first(size_t n, const double *points, int32_t *first);

/** For each place of `s` its loop. */
void surface_owners(const surface *s, int32_t *owner);

/** Facets of the convex hull of n < 2^27 points of size about 1 around 0, with facets
 *  that are coplanar up to rounding merged. */
perp_status qhull_facets(size_t n, double *points, surface *facets, perp_error *err);

/** Facets within `tolerance` of the plane of the largest among them become one face;
 *  corners of only two faces are left out; faces start at their lowest corner and ascend.
 *  `whole` is false, and there are no faces, if they would lose their corners. */
perp_status faces_merge(const surface *facets, size_t n, const double *points,
                        double tolerance, surface *faces, bool *whole, perp_error *err);

/** The vector area sum p_k x p_k+1 / 2 of a loop of places, relative to its first corner,
 *  normalized; returns its length. */
double faces_normal(const surface *s, size_t f, const double *points, double normal[3]);

/** Mass, centre and inertia about it of a polytope in space. */
perp_status polytope_inertia(const perp_polytope *hull, double density, double *m,
                             double center[3], double inertia[9], perp_error *err);

#endif
