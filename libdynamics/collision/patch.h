/* SPDX-License-Identifier: Apache-2.0
 * collision/patch.h: two contact patches, seen along the normal of their contact, and the
 * contacts that they have in common. Private.
 *
 * A search (axes of boxes, separating axes, GJK and EPA, closed forms) gives the normal n
 * from a to b and of each shape the patch that faces the other along n: a point, a segment
 * or a convex polygon of corners (x, y) across n and heights along n. patch_clip makes the
 * contacts: one at each corner of what both outlines have in common, halfway between both
 * surfaces, of
 *
 *     gap = (h_b(x, y) - r_b) - (h_a(x, y) + r_a),   r the radii of the balls about the cores.
 *
 * Its feature is a corner or a pair of edges, which does not depend on the face that was
 * chosen for a reference. */
#ifndef PERP_COLLISION_PATCH_H
#define PERP_COLLISION_PATCH_H

#include "collision/query.h"

/** What of a shape faces the other. Corners go once around a polygon. */
typedef struct patch {
    size_t count;
    double x[PERP_FACE_CORNERS], y[PERP_FACE_CORNERS], height[PERP_FACE_CORNERS];
    uint32_t id[PERP_FACE_CORNERS];
    /* Of a polygon: a point is u x + v y - c within side k, from corner k to the next; */
    double u[PERP_FACE_CORNERS], v[PERP_FACE_CORNERS], c[PERP_FACE_CORNERS];
    double slope[2]; /* and the slope of its height. */
    double radius;
} patch;

typedef struct patch_pair {
    contact_query *query;
    double origin[3], s[3], t[3], n[3]; /* (x, y, height) in the world */
    double place;                       /* positions closer than this are one */
    double least;                       /* gap of the contacts made */
    patch a, b;
} patch_pair;

/** Features: a corner of a or of b, whatever it touches; an edge of each; else. */
enum { PATCH_CORNER_OF_A = 1, PATCH_CORNER_OF_B, PATCH_EDGES, PATCH_NEAREST };

static inline uint64_t patch_corner(bool of_b, uint32_t id)
{
    return query_feature(of_b ? PATCH_CORNER_OF_B : PATCH_CORNER_OF_A, id, 0);
}

static inline uint64_t patch_edge_id(uint32_t c, uint32_t d)
{
    return (uint64_t)(c < d ? c : d) << 32 | (c < d ? d : c);
}

/** An edge in the axes of a. */
typedef struct patch_edge {
    double from[3], to[3];
    uint32_t id[2]; /* of its corners */
} patch_edge;

/** The frame of the unit normal n at an origin; in the plane t is zero. */
void patch_frame(patch_pair *p, const double n[3], const double origin[3]);
/** Corner k is the point at x. */
void patch_put(const patch_pair *p, patch *f, size_t k, const double x[3], uint32_t id);
/** The sides and the slope of a polygon of this normal, whose corners go counter-clockwise
 *  about n where `winding` is 1, clockwise where it is -1. */
void patch_close(const patch_pair *p, patch *f, double winding, const double normal[3]);
/** The contacts in common, first corners of a, then those of b, then crossings in the
 *  order of their sides. One patch that is a point, or segments that are not side by
 *  side, have none. */
void patch_clip(patch_pair *p);
/** One contact between an edge of a and one of b, n across both, in the axes of a. Its
 *  gap; INFINITY where they do not cross. */
double patch_cross_edges(contact_query *m, const double n[3], const patch_edge *a,
                         const patch_edge *b, double place);
/** Segments of a smaller sine lie side by side, and both ends of where they overlap
 *  touch. */
extern const double patch_side_by_side;

#endif
