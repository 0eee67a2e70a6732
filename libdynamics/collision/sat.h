/* SPDX-License-Identifier: Apache-2.0
 * collision/sat.h: what the search of separating axes shares: boxes and hulls side by side
 * in one frame, axes, closest features, and names of what touches. Private.
 *
 * The frame of a pair is that of shape a: its axes, its origin. */
#ifndef PERP_COLLISION_SAT_H
#define PERP_COLLISION_SAT_H

#include "collision/query.h"
#include "collision/solid.h"

/** In shares of the sum of the reaches: positions that rounding may exchange, of corners
 *  within a face, of axes equally good, of contacts that are one. */
#define SAT_SAME_PLACE 1e-9
/** In shares of the smaller reach: an edge against an edge must be better than faces by
 *  more, or noise would choose between four contacts and one. */
#define SAT_EDGE_ADVANTAGE 1e-6
/** Faces within 8 degrees of each other are taken as face to face: then the gaps along
 *  one normal are right to the square of the angle, whichever features touch. */
#define SAT_FACE_TO_FACE 0.99
/** In shares of the smaller reach: that square; where edges are better than flush faces
 *  by more, it is elsewhere that they touch. */
#define SAT_FLUSH_LOSS 0.01

/** Whether the reference face is that of b: of two as far from the other shape the larger
 *  one, then that of the lower shape. */
static inline bool sat_reference_is_b(const contact_query *m, double apart_a,
                                      double apart_b, double area_a, double area_b,
                                      double place)
{
    if (fabs(apart_a - apart_b) > place) {
        return apart_b > apart_a;
    }
    if (fabs(area_a - area_b) > SAT_SAME_PLACE * (area_a + area_b)) {
        return area_b > area_a;
    }
    return m->b->number < m->a->number;
}

/** Where b stands seen from a: R = R_a^T R_b, t = R_a^T (x_b - x_a). */
static inline void sat_frame(const perp_placed *a, const perp_placed *b, double R[9],
                             double t[3])
{
    vec3_subtract(b->x, a->x, t);
    mat3_apply_transposed(a->R, t, t);
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++) {
            R[3 * k + l] =
                a->R[k] * b->R[l] + a->R[3 + k] * b->R[3 + l] + a->R[6 + k] * b->R[6 + l];
        }
    }
}

/** Of each face of one a corner of the other that is low along its normal, or -1 for the
 *  first corner that was known, which is less than the best face's over it; room for as
 *  many edges is behind them. And how far these corners are over the faces, in the room of
 *  `height`, until that is used. */
typedef struct sat_low {
    int32_t *corner;
    double *over;
    int32_t first;
} sat_low;

/** A pair of them. */
typedef struct sat_pair {
    solid a, b;
    double size;          /* sum of the reaches */
    double place;         /* positions closer than this are one */
    double *moving;       /* the corners of b, which may be shifted */
    double *height;       /* room for as many numbers as both have corners */
    sat_low low_b, low_a; /* of b over the faces of a, of a over those of b */
    double R[9];          /* axes of b */
} sat_pair;

size_t sat_numbers(const perp_shape *a, const perp_shape *b);
void sat_place(sat_pair *p, const perp_placed *a, const perp_placed *b,
               unsigned dimension, double *numbers);

/** Along a unit axis n the pair is apart by min_b n.p - max_a n.p. */
typedef struct sat_axis {
    double apart;
    double n[3];
    size_t face;
} sat_axis;

/** The face of one from which the other is farthest apart, of those that are equal but
 *  for `place` the first. The normal is outward. axes.c */
sat_axis sat_best_face(const solid *p, const solid *q, double place, sat_low *low);
/** The crossed edges, of a sine of at least `sine`, along which they are farthest apart,
 *  if that is more than `floor`; after both searches of faces. */
sat_axis sat_best_edges(const sat_pair *p, double floor, double sine);

/** The closest points, of a pair apart, or that touches, by about n.p: x on a, y on b,
 *  and the unit normal from x to y. Their distance. closest.c */
double sat_closest(const sat_pair *p, const double n[3], double x[3], double y[3],
                   double normal[3]);

/** n.d of closest points of edges with the offset d, which is along n where they cross;
 *  else INFINITY. */
static inline double sat_gap_across(const double n[3], const double d[3], double place)
{
    double gap = vec3_dot(n, d);

    return vec3_length(d) <= fabs(gap) + place ? gap : INFINITY;
}

/** Contacts of a pair that is at least `bound` apart told a least gap, of points on both
 *  or of faces, between them; INFINITY: none that holds. Where that is neither the bound
 *  nor the distance, but for noise, they are dropped, and those of the closest or deepest
 *  points told. Noise is more of faces that are flush, whose edges would else turn the
 *  normal aside. sat.c */
void sat_check_apart(contact_query *m, double bound, double gap, bool flush);

#endif
