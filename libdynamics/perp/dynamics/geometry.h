/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/geometry.h: convex polytopes, closed and open surfaces of triangles, and
 * boxes. No world is needed.
 *
 * Lengths in [m]; points are three numbers each, in the plane z = 0. Polytopes and meshes
 * are counted: _new and _read give one reference, _hold one more, _free gives one back.
 * Not for two threads at once. */
#ifndef PERP_DYNAMICS_GEOMETRY_H
#define PERP_DYNAMICS_GEOMETRY_H

#include <perp/base.h>

PERP_BEGIN_DECLS

/** A convex polyhedron, or a convex polygon in the plane z = 0 (faces are then its sides,
 *  of two corners, and there are no directions). Read only. */
typedef struct perp_polytope {
    size_t corner_count, face_count, edge_count, direction_count;
    double *corner;       /**< 3 each; points inside, on edges and twice are left out */
    double *normal;       /**< 3 a face: unit, outward */
    double *area;         /**< a face [m^2]; of a polygon lengths [m] */
    double *height;       /**< a face: the greatest normal.p of its corners p */
    int32_t *face_start;  /**< face_count + 1: where face f begins in face_corner */
    int32_t *face_corner; /**< counter-clockwise from outside */
    int32_t *edge;        /**< 2 corners each, the lower first */
    int32_t *edge_face;   /**< the 2 faces beside it; the first runs it upwards */
    double *direction; /**< 3 each: unit, of edges, each once though many are parallel */
    int32_t *near_start; /**< corner_count + 1: where the neighbours of a corner begin */
    int32_t *near;       /**< corners at the other ends of its edges, ascending */
    size_t lanes;        /**< corner_count rounded up to a multiple of 8 */
    double *x, *y, *z;   /**< lanes each: corners again, the first one in what is over */
    double center[3];    /**< of mass */
    double reach;        /**< greatest distance of a corner from the origin */
    double extent;       /**< greatest distance of a corner from the centre */
    size_t references;   /**< private */
} perp_polytope;

/** The convex hull of n points, found by Qhull; facets in one plane are one face.
 *  PERP_ERR_DATA: fewer than four points, all in a plane (of points that rounding could
 *  have moved there), not finite; PERP_ERR_MEMORY. */
perp_status perp_polytope_new(perp_polytope **hull, size_t n, const double *points,
                              perp_error *err);
/** The convex polygon around n points of the plane; their third numbers are not read. */
perp_status perp_polygon_new(perp_polytope **polygon, size_t n, const double *points,
                             perp_error *err);
void perp_polytope_hold(perp_polytope *hull);
void perp_polytope_free(perp_polytope *hull); /* takes NULL */

struct perp_tree;

/** Triangles, counter-clockwise from outside. Read only. */
typedef struct perp_mesh {
    size_t point_count, triangle_count;
    double *point;   /**< 3 each */
    int32_t *corner; /**< 3 a triangle */
    double *normal;  /**< 3 a triangle: unit */
    int32_t *beyond; /**< 3 a triangle: that beyond side k, from corner k; -1: none */
    bool *convex;    /**< 3 a triangle: side k is a ridge or a border: neighbours bend
                            away from outside there, so contacts may lean over it */
    bool closed;     /**< each side has one neighbour that runs it the other way */
    double lo[3], hi[3];
    struct perp_tree *tree; /**< of the triangles' boxes */
    size_t references;      /**< private */
} perp_mesh;

/** Copies. Points that coincide exactly are made one, those that no triangle has are left
 *  out. PERP_ERR_DATA: no triangle, a
 *  corner out of range, a triangle without area (its number is told), three triangles on
 *  a side, a point that is not finite; PERP_ERR_MEMORY. */
perp_status perp_mesh_new(perp_mesh **mesh, size_t points, const double *point,
                          size_t triangles, const int32_t *corner, perp_error *err);
/** From a file of Wavefront OBJ (v, f; other statements are skipped; faces of more than
 *  three corners are cut into a fan) or STL (text or binary), told apart by what is in
 *  it; all its points times `scale`. PERP_ERR_READ, PERP_ERR_FORMAT with FILE:LINE:COLUMN
 *  (of binary files the byte), PERP_ERR_DATA, PERP_ERR_MEMORY. */
perp_status perp_mesh_read(perp_mesh **mesh, const char *path, double scale,
                           perp_error *err);
/** From `length` bytes; `name` stands for the file in messages. */
perp_status perp_mesh_parse(perp_mesh **mesh, const char *text, size_t length,
                            const char *name, double scale, perp_error *err);
/** All points of such a file, *n of them, to be freed by free(): for hulls. It may be
 *  without faces; of STL they are three a triangle. The statuses are those above. */
perp_status perp_points_read(size_t *n, double **points, const char *path, double scale,
                             perp_error *err);
void perp_mesh_hold(perp_mesh *mesh);
void perp_mesh_free(perp_mesh *mesh); /* takes NULL */

/** A closed box along the axes. Empty: lo = INFINITY, hi = -INFINITY. */
typedef struct perp_aabb {
    double lo[3], hi[3];
} perp_aabb;

/** An oriented box: centre, axes (columns of R, row by row), half extents. */
typedef struct perp_obb {
    double x[3], R[9], half[3];
} perp_obb;

/** Whether two boxes have a point in common: touching counts. */
static inline bool perp_aabb_overlap(const perp_aabb *a, const perp_aabb *b)
{
    return a->lo[0] <= b->hi[0] && b->lo[0] <= a->hi[0] && a->lo[1] <= b->hi[1] &&
           b->lo[1] <= a->hi[1] && a->lo[2] <= b->hi[2] && b->lo[2] <= a->hi[2];
}

/** The tight box along the axes around an oriented box: half extents |R| h. */
void perp_aabb_of_obb(const perp_obb *box, perp_aabb *out);
/** The box along the axes around n > 0 points, 3 each. */
void perp_aabb_of_points(size_t n, const double *points, perp_aabb *out);

PERP_END_DECLS

#endif
