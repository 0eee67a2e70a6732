/* SPDX-License-Identifier: Apache-2.0
 * tests/support/convex.h: convex solids as the tests know them, written anew, and the
 * distance or depth of two found by search over directions:
 *
 *     gap = max over unit n of  min over b of n.p - max over a of n.p,
 *
 * of shapes apart their distance, else minus their depth. For programs that list
 * convex.c and climb.c. */
#ifndef PERP_TEST_CONVEX_H
#define PERP_TEST_CONVEX_H

#include "contact_queries.h"

enum { CONVEX_CORNERS = 16, CONVEX_PLANES = 64 };

/** A shape in the world, and what the search reads of it. */
typedef struct convex {
    perp_shape shape;
    perp_placed at; /* its shape is set by convex_at */
    double turn[4];
    unsigned dimension;
    size_t corner_count, plane_count; /* of a hull */
    double corner[3 * CONVEX_CORNERS];
    double plane[4 * CONVEX_PLANES]; /* outward unit normal, distance from the origin */
} convex;

/** Kinds of convex solids, NULL behind the last. In the plane the second list. */
extern const char *const convex_kinds[];
extern const char *const convex_flat_kinds[];

/** A solid of a kind at the origin, its sizes drawn within a factor of 4 up to `size`. A
 *  hull takes memory: convex_free. */
void convex_draw(convex *s, const char *kind, unsigned dimension, double size,
                 perp_random *g);
/** One of sizes given. */
void convex_make(convex *s, const char *kind, unsigned dimension, double a, double b,
                 double c);
void convex_free(convex *s);
/** Where it stands, turned by the unit quaternion q (NULL: not). */
void convex_put(convex *s, const double x[3], const double q[4]);
/** Turned and moved as a whole: x := q x + by. */
void convex_move(convex *s, const double q[4], const double by[3]);
/** Both carried by one random motion, within +-far, in the plane where they lie in it;
 *  q, which may be NULL: how it turns. */
void convex_carry(convex *a, convex *b, double far, perp_random *g, double q[4]);
/** At a random pose, x within +-spread. */
void convex_scatter(convex *s, double spread, perp_random *g);
/** What a narrow phase takes. */
const perp_placed *convex_at(convex *s);
double convex_reach(const convex *s);
/** Of both together. */
double convex_reaches(const convex *a, const convex *b);
/** Draw pairs of each kind with each, as large as 1, so many, within +-spread of the
 *  origin, the second ones within +-far, and visit them. */
typedef struct convex_draws {
    unsigned dimension;
    int draws;
    double spread, far;
    uint64_t seed;
} convex_draws;
void convex_each_pair(const convex_draws *draws,
                      void (*visit)(convex *a, convex *b, perp_random *g));
/** On a new body of a world. */
void convex_add(perp_world *world, const char *name, double mass, const convex *s);

/** How far p is out of the solid [m], negative inside; near the surface its distance. */
double convex_outside(const convex *s, const double p[3]);
/** How far b is from a along the unit vector n; negative: they overlap there. */
double convex_apart(const convex *a, const convex *b, const double n[3]);
/** The same, and the point p_b - p_a that is lowest along n, of the solids without the
 *  balls around them. a may be a plane, n its normal. */
double convex_lowest(const convex *a, const convex *b, const double n[3], double w[3]);
/** The largest of it over all directions, found from a net of them. */
double convex_gap(const convex *a, const convex *b, double n[3]);

#endif
