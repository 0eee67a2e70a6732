/* SPDX-License-Identifier: Apache-2.0
 * narrow/sat.h: what the search of separating axes shares: boxes and hulls side by side
 * in one frame, axes, closest features, and names of what touches. Private.
 *
 * The frame of a pair is that of shape a: its axes, its origin. */
#ifndef PERP_NARROW_SAT_H
#define PERP_NARROW_SAT_H

#include "narrow/meeting.h"

/** In shares of the sum of the reaches: positions that rounding may exchange, of corners
 *  within a face, of axes equally good, of contacts that are one. */
#define SAT_SAME_PLACE 1e-9
/** In shares of the smaller reach: an edge against an edge must be better than faces by
 *  more, or noise would choose between four contacts and one. */
#define SAT_EDGE_ADVANTAGE 1e-6
/** Faces within 8 degrees of each other are taken as face to face: then the gaps along
 *  one normal are right to the square of the angle, whichever features touch. */
#define SAT_FACE_TO_FACE 0.99

/** Corner c of a, or of b; it does not matter against which face. */
static inline uint64_t sat_corner(bool of_b, size_t c)
{
    return meet_feature(of_b ? 2 : 1, c, 0);
}

static inline uint64_t sat_edge(size_t c, size_t d)
{
    return ((uint64_t)(c < d ? c : d) << 32) | (uint64_t)(c < d ? d : c);
}

/** The edge between corners a and a_end of a against that of b. */
static inline uint64_t sat_edges(size_t a, size_t a_end, size_t b, size_t b_end)
{
    return meet_feature(3, sat_edge(a, a_end), sat_edge(b, b_end));
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

#endif
