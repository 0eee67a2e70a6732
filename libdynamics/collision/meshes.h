/* SPDX-License-Identifier: Apache-2.0
 * collision/meshes.h: two meshes that meet, seen in the axes of the first. Private. */
#ifndef PERP_COLLISION_MESHES_H
#define PERP_COLLISION_MESHES_H

#include "collision/triangle.h"

/** In shares of a triangle's longest side or of an edge: closer than this to an end is on
 *  it. */
static const double meshes_on_side = 1e-7;
/** The sine of 8 degrees, by which directions may lean beyond those of a feature. */
static const double meshes_leaning = 0.14;
/** Cosine of what rounding makes of a right angle. */
static const double meshes_behind = 1e-9;
/** Cosine to a surface that a ray grazes. */
static const double meshes_grazing = 1e-3;

/** One of the two meshes; R and x lead from its axes to those of the first. */
typedef struct sheet {
    const perp_mesh *mesh;
    const placed *at;
    double R[9], x[3];
} sheet;

typedef struct sheet_edge {
    double end[2][3]; /**< axes of the first */
    double length;
    uint64_t id; /**< of its corners */
} sheet_edge;

typedef enum touch_kind {
    TOUCH_CORNER_OF_A = 11, /**< over or in a triangle of b */
    TOUCH_CORNER_OF_B,
    TOUCH_EDGES,
    TOUCH_CORNER_EDGE, /**< apart */
    TOUCH_CORNER_CORNER,
} touch_kind;

/** A contact. */
typedef struct touch {
    double n[3], middle[3], gap; /**< axes of a, n from a to b */
    uint64_t feature;
    touch_kind kind;
    int32_t triangle;     /**< that a corner is over or in */
    double corner[3];     /**< the corner */
    double edge[2][2][3]; /**< the ends of the edges of a and of b */
} touch;

typedef struct meeting {
    contact_query *m;
    sheet side[2];
    double margin; /**< gaps beyond it do not count */
    double place;  /**< contacts closer than this are at one place */
    double deep;   /**< how deep edges are looked for */
    double
        shallow; /**< an overlap at which what goes through a triangle ends behind it */
    double nothing; /**< a distance that is none */
    touch *at;
    size_t count, room;
} meeting;

/** Sheet of a mesh, in the axes of `first`. */
void sheet_place(sheet *s, const placed *at, const placed *first);
/** x := point p of the mesh. */
void sheet_point(const sheet *s, int32_t p, double x[3]);
/** own := a point in its own axes. */
void sheet_back(const sheet *s, const double x[3], double own[3]);
/** The box in its own axes of two points, wider by r. */
void sheet_box(const sheet *s, const double p[3], const double q[3], double r,
               perp_aabb *box);
/** Whether triangle t is the one by which its corner k, or its convex side k, counts. */
bool sheet_owns_corner(const perp_mesh *m, size_t t, size_t k);
bool sheet_owns_edge(const perp_mesh *m, size_t t, size_t k);
/** Whether a convex side ends at the corner. */
bool sheet_juts(const perp_mesh *m, int32_t p);
/** Whether no neighbour of corner p lies beyond it against n, but for `slack`, a sine. */
bool sheet_faces(const sheet *s, int32_t p, const double n[3], double slack);
/** Side k of triangle t. */
void sheet_find_edge(const sheet *s, size_t t, size_t k, sheet_edge *e);
/** Whether n, outwards and across the side, is between the normals of its triangles. */
bool sheet_edge_has(const sheet *s, size_t t, size_t k, const double n[3], double slack);
/** The normal of a triangle; sums of those at a corner and at a side. */
void sheet_normal(const sheet *s, size_t t, double n[3]);
void sheet_corner_normal(const sheet *s, int32_t p, double n[3]);
void sheet_edge_normal(const sheet *s, size_t t, size_t k, double n[3]);
/** The first triangle on the way from x along the unit vector d and how far it is; negative:
 *  none. */
double sheet_cast(const sheet *s, const double x[3], const double d[3], double most,
                  size_t *triangle);
/** Whether a way leads through no surface between its ends. */
bool sheet_is_clear(const sheet *s, const double x[3], const double d[3], double length);
/** Whether a way from x, which is within, comes out of the surface about at its end; `out`
 *  looks out of the solid about there. */
bool sheet_is_left(const sheet *s, const double x[3], const double d[3], double length,
                   const double out[3]);

/** Whether triangle t is crossed between p and q. */
bool sheet_is_pierced(const sheet *s, size_t t, const double p[3], const double q[3]);

/** One more contact of this gap, all else of which is to be set; NULL without memory. */
touch *meeting_add(meeting *g, double gap);
/** Whether a triangle is among these, which ascend. */
bool near_has(const numbers *near, int32_t triangle);
/** Contacts of corners of one of the two, which these triangles have. In meshes_corners.c. */
void meeting_corners(meeting *g, int own, const numbers *near);
/** Contacts of edges of b, which these triangles have. In meshes_edges.c. */
void meeting_edges(meeting *g, const numbers *near);
/** The shares of two edges where their lines are nearest, and n across both, unit; false:
 *  they are parallel. */
bool crossing_find(double p[2][3], double q[2][3], double share[2], double n[3]);

#endif
