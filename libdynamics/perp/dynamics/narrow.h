/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/narrow.h: the narrow phase: distance, depth and witnesses of two shapes.
 *
 * Of a pair (a, b): the unit normal n from a to b, witnesses p_a on a and p_b on b, and
 * gap = n.(p_b - p_a), positive apart, negative where they overlap; then p_a is the point
 * of a deepest in b and vice versa, and moving b by -gap n makes them touch.
 *
 * A mesh is a surface seen from outside: a shape behind a triangle, or with its origin
 * behind it once they overlap, does not meet that triangle, and one that meets none is
 * INFINITY away, without a normal. The depth of `mpr` is that along its portal, and its
 * witnesses need not lie on the shapes. */
#ifndef PERP_DYNAMICS_NARROW_H
#define PERP_DYNAMICS_NARROW_H

#include <perp/dynamics/shape.h>

PERP_BEGIN_DECLS

/** A shape in the world. */
typedef struct perp_placed {
    const perp_shape *shape;
    double R[9], x[3]; /**< axes of the shape, row by row, and its origin */
} perp_placed;

/** How near two convex shapes are. */
typedef struct perp_proximity {
    bool overlap; /**< gap <= 0: touching counts */
    double gap;   /**< [m]; infinite when a search with a limit saw that it is beyond */
    double normal[3], p_a[3], p_b[3];
    bool converged;   /**< false: `gap` is a bound from below, the rest the best known */
    double tolerance; /**< |gap - exact| is at most this [m] (as estimated) */
    unsigned iterations;
    const char *ran; /**< what found it: "gjk", "epa", "sat", "analytic", "mpr" */
} perp_proximity;

/** What a search may cost. Zero: the usual ones. */
typedef struct perp_narrow_settings {
    unsigned dimension;  /**< of the world: 0 or 3, or 2 */
    unsigned iterations; /**< of GJK, EPA and MPR, each; 0: 256 */
    double beyond; /**< [m]; > 0: a gap known to be greater may be answered by a bound */
} perp_narrow_settings;

struct perp_contact_query;

/** A way to find contacts of pairs that it takes. */
typedef struct perp_narrow_type {
    const char *name;      /**< "gjk" */
    const char *summary;   /**< one line */
    const char *reference; /**< a key of paper/references.bib */
    bool (*takes)(const perp_shape_type *a, const perp_shape_type *b, unsigned dimension);
    /** Fill *out but for `overlap`, which follows from the gap. */
    void (*measure)(const perp_placed *a, const perp_placed *b,
                    const perp_narrow_settings *settings, perp_proximity *out);
    /** Tell all contacts of a pair; private to the library. */
    void (*meet)(struct perp_contact_query *contact_query);
} perp_narrow_type;

/** All types in order of preference, *count of them (count may be NULL), NULL behind the
 *  last: contacts of a pair are usually found by the first that takes it. And the one of that name, or
 *  NULL. */
const perp_narrow_type *const *perp_narrow_types(size_t *count);
const perp_narrow_type *perp_narrow_find(const char *name);
/** The one to use: `wanted` where it takes the pair, else the first that does; NULL:
 *  none does. wanted may be NULL. */
const perp_narrow_type *perp_narrow_choose(const perp_narrow_type *wanted,
                                           const perp_shape_type *a,
                                           const perp_shape_type *b, unsigned dimension);

/** Distance or depth of two shapes: by `type`, or (NULL) by the fastest exact search:
 *  closed forms, else GJK and EPA, of boxes and hulls by their features where rounding
 *  keeps those from an answer and settings do not limit the iterations. settings may be
 *  NULL. PERP_ERR_UNSUITABLE: no type takes the pair, or this one does not. */
perp_status perp_proximity_find(const perp_narrow_type *type, const perp_placed *a,
                                const perp_placed *b,
                                const perp_narrow_settings *settings, perp_proximity *out,
                                perp_error *err);

/** The last simplex of a search, to start the next one of the same pair: it is then
 *  shorter and finds the same within its tolerance. Zero it before its first use. */
typedef struct perp_gjk_cache {
    unsigned count;         /**< points; 0: none */
    double direction[4][3]; /**< axes of a: where each was the support */
    int32_t corner[4][2];   /**< of boxes and hulls: which corners these were; else -1 */
} perp_gjk_cache;

/** GJK [gilbert-1988]: distance of two convex shapes, or that they overlap (then gap is
 *  <= 0 and depth not known: perp_epa). cache may be NULL. */
void perp_gjk(const perp_placed *a, const perp_placed *b, perp_gjk_cache *cache,
              const perp_narrow_settings *settings, perp_proximity *out);
/** Depth of two convex shapes that overlap, by expanding a polytope [vandenbergen-2001];
 *  of shapes that do not it is their distance. */
void perp_epa(const perp_placed *a, const perp_placed *b,
              const perp_narrow_settings *settings, perp_proximity *out);
/** The same by Minkowski portal refinement of libccd [snethen-2008]: a depth along the
 *  ray of the centres, not the least one. */
void perp_mpr(const perp_placed *a, const perp_placed *b,
              const perp_narrow_settings *settings, perp_proximity *out);

PERP_END_DECLS

#endif
