/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/geometry.h: convex polytopes, closed and open surfaces of triangles, and
 * boxes. No world is needed.
 *
 * Lengths are in [m]; a point is three numbers, with z = 0 in the plane. Polytopes and
 * meshes are reference-counted: _new and _read return one reference, _hold adds one,
 * _free releases one. The counts are not atomic: two threads must not change them at the
 * same time. */
#ifndef PERP_DYNAMICS_GEOMETRY_H
#define PERP_DYNAMICS_GEOMETRY_H

#include <math.h>

#include <perp/base.h>

PERP_BEGIN_DECLS

/** A convex polyhedron, or a convex polygon in the plane z = 0 (its faces are its sides,
 *  with two corners each, and direction_count is 0). Read only. */
typedef struct perp_polytope {
    size_t corner_count, face_count, edge_count, direction_count;
    double *corner;       /**< 3 each; without points inside or on edges and without
                           *   duplicates */
    double *normal;       /**< 3 per face: unit, outward */
    double *area;         /**< per face [m^2]; lengths [m] for a polygon */
    double *height;       /**< per face: the largest normal.p of its corners p */
    int32_t *face_start;  /**< face_count + 1: start of face f in face_corner */
    int32_t *face_corner; /**< counter-clockwise from outside */
    int32_t *edge;        /**< 2 corners each, the lower first */
    int32_t *edge_face;   /**< the 2 adjacent faces; the first runs from the lower to the
                           *   higher corner */
    double *direction;    /**< 3 each: unit directions of edges, one for all parallel
                           *   edges */
    int32_t *near_start;  /**< corner_count + 1: start of the neighbours of a corner in
                           *   `near` */
    int32_t *near;        /**< corners at the other ends of its edges, ascending */
    size_t lanes;         /**< corner_count rounded up to a multiple of 8 */
    double *x, *y, *z;    /**< `lanes` each: the corners, then copies of the first one */
    double center[3];     /**< centre of mass */
    double reach;         /**< largest distance of a corner from the origin */
    double extent;        /**< largest distance of a corner from the centre */
    size_t references;    /**< private */
} perp_polytope;

/** Create the convex hull of n points by Qhull; coplanar facets are merged into one face.
 *  PERP_ERR_DATA: fewer than four points, points in one plane up to rounding, a number
 *  that is not finite; PERP_ERR_MEMORY. */
perp_status perp_polytope_new(perp_polytope **hull, size_t n, const double *points,
                              perp_error *err);
/** Create the convex polygon around n points of the plane; their z is not read. */
perp_status perp_polygon_new(perp_polytope **polygon, size_t n, const double *points,
                             perp_error *err);
void perp_polytope_hold(perp_polytope *hull);
void perp_polytope_free(perp_polytope *hull); /* NULL is allowed (no-op) */

struct perp_tree;

/** Triangles, counter-clockwise from outside. Read only. */
typedef struct perp_mesh {
    size_t point_count, triangle_count;
    double *point;   /**< 3 each */
    int32_t *corner; /**< 3 per triangle, then those of `sliver_count` triangles without
                      *   area, which connect the sides of others */
    double *normal;  /**< 3 per triangle: unit */
    int32_t *beyond; /**< 3 per triangle: neighbour at side k, which starts at corner k;
                      *   -1: none */
    bool *convex;    /**< 3 per triangle: side k is a convex edge or a border, so normals
                      *   of contacts may tilt over it */
    bool closed;     /**< each side has one neighbour with the opposite direction */
    double lo[3], hi[3];
    struct perp_tree *tree; /**< tree of the boxes of the triangles */
    int32_t
        *use_start; /**< point_count + 1: start of the triangles of a point in `use` */
    int32_t *use;   /**< the triangles with this corner, ascending */
    size_t sharp_count;
    int32_t *sharp;  /**< points where convex edges or borders of two directions end: the
                             *   corners of the mesh and of its convex hull, ascending */
    bool *counts;    /**< per triangle: its shell bounds the solid; false: it lies
                             *   within the solid of others */
    char fault[256]; /**< why it bounds no solid; "": it does */
    size_t sliver_count; /**< see `corner` */
    size_t thin_count;   /**< triangles without area, which are left out */
    size_t first_thin;   /**< the number of the first of them, as given */
    size_t references;   /**< private */
} perp_mesh;

/** Create a mesh with copies of the data. Points that coincide exactly are merged, unused
 *  points and triangles without area are left out. PERP_ERR_DATA: no triangle with an area,
 *  a corner out of range, three triangles at one side, a point that is not finite;
 *  PERP_ERR_MEMORY.
 *
 *  A closed mesh bounds a solid: each shell (connected triangles) that is wound outwards
 *  bounds solid, unless it lies within solid; one wound inwards bounds a cavity of the solid
 *  that it lies in. `fault` names a triangle that is wound against its neighbours, and a
 *  shell that is wound inwards outside of all solid or partly so. */
perp_status perp_mesh_new(perp_mesh **mesh, size_t points, const double *point,
                          size_t triangles, const int32_t *corner, perp_error *err);
/** Read a mesh from a Wavefront OBJ file (statements v and f; others are skipped; faces
 *  with more than three corners become fans of triangles) or an STL file (text or
 *  binary). The content determines the format. All points are multiplied by `scale`.
 *  PERP_ERR_READ; PERP_ERR_FORMAT with FILE:LINE:COLUMN (for binary files the byte);
 *  PERP_ERR_DATA as in perp_mesh_new; PERP_ERR_MEMORY. */
perp_status perp_mesh_read(perp_mesh **mesh, const char *path, double scale,
                           perp_error *err);
/** The same from `length` bytes; `name` replaces the file in messages. */
perp_status perp_mesh_parse(perp_mesh **mesh, const char *text, size_t length,
                            const char *name, double scale, perp_error *err);
/** Read all points of such a file, *n of them, for hulls; the caller frees them with
 *  free(). The file may have no faces; an STL file has three points per triangle. The
 *  statuses are those above. */
perp_status perp_points_read(size_t *n, double **points, const char *path, double scale,
                             perp_error *err);
void perp_mesh_hold(perp_mesh *mesh);
void perp_mesh_free(perp_mesh *mesh); /* NULL is allowed (no-op) */

/** A closed axis-aligned box. Empty: lo = INFINITY, hi = -INFINITY. */
typedef struct perp_aabb {
    double lo[3], hi[3];
} perp_aabb;

/** Whether two boxes have a common point; touching counts. */
static inline bool perp_aabb_overlap(const perp_aabb *a, const perp_aabb *b)
{
    return a->lo[0] <= b->hi[0] && b->lo[0] <= a->hi[0] && a->lo[1] <= b->hi[1] &&
           b->lo[1] <= a->hi[1] && a->lo[2] <= b->hi[2] && b->lo[2] <= a->hi[2];
}

/** The axis-aligned box around n > 0 points, 3 each. */
static inline void perp_aabb_of_points(size_t n, const double *points, perp_aabb *out)
{
    for (size_t d = 0; d < 3; d++) {
        out->lo[d] = INFINITY;
        out->hi[d] = -INFINITY;
        for (size_t k = d; k < 3 * n; k += 3) {
            out->lo[d] = fmin(out->lo[d], points[k]);
            out->hi[d] = fmax(out->hi[d], points[k]);
        }
    }
}

PERP_END_DECLS

#endif
