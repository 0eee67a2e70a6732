/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/narrow.h: the narrow phase: distance, depth and witnesses of two shapes.
 *
 * The result for a pair (a, b) is the unit normal n from a to b, witnesses p_a on a and
 * p_b on b, and gap = n.(p_b - p_a), which is positive if the shapes are apart and
 * negative if they overlap. In an overlap p_a is the point of a deepest in b and vice
 * versa, and moving b by -gap n makes the shapes touch.
 *
 * A mesh is a surface with an outer side: a shape on the inner side of a triangle, or
 * with its origin on the inner side if they overlap, has no contact with this triangle.
 * Two meshes have contacts by their convex corners and edges: apart their distance, in an overlap
 * the depth of one of these, which is that of the solids for most shallow ones. Without any contact the gap is INFINITY and there is no normal. The depth of `mpr` is
 * measured along its portal, and its witnesses need not lie on the shapes. */
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
    double gap;   /**< [m]; INFINITY if a search with a limit found that the gap exceeds
                   *   it */
    double normal[3], p_a[3], p_b[3];
    bool converged;   /**< false: `gap` is a lower bound, the other data are the best
                       *   known */
    double tolerance; /**< |gap - exact| is at most this [m] (as estimated) */
    unsigned iterations;
    const char *ran; /**< algorithm that found it: "gjk", "epa", "sat", "analytic",
                      *   "mpr" */
} perp_proximity;

/** Limits of a search. Zero: the defaults. */
typedef struct perp_narrow_settings {
    unsigned dimension;  /**< dimension of the world: 0 or 3, or 2 */
    unsigned iterations; /**< largest number of iterations of GJK, EPA and MPR, each; 0:
                          *   256 */
    double beyond;       /**< [m]; > 0: the search may return a lower bound of a gap that
                          *   exceeds this one */
} perp_narrow_settings;

struct perp_contact_query;

/** An algorithm that finds contacts of the pairs of types that it supports. */
typedef struct perp_narrow_type {
    const char *name;      /**< "gjk" */
    const char *summary;   /**< one line */
    const char *reference; /**< a key of paper/references.bib */
    bool (*takes)(const perp_shape_type *a, const perp_shape_type *b, unsigned dimension);
    /** Fill *out except `overlap`, which follows from the gap. */
    void (*measure)(const perp_placed *a, const perp_placed *b,
                    const perp_narrow_settings *settings, perp_proximity *out);
    /** Add all contacts of a pair; private to the library. */
    void (*meet)(struct perp_contact_query *contact_query);
} perp_narrow_type;

/** All types, *count of them (count may be NULL), terminated by NULL. They are in order
 *  of preference: by default the first type that supports a pair finds its contacts. The
 *  type with this name, or NULL. */
const perp_narrow_type *const *perp_narrow_types(size_t *count);
const perp_narrow_type *perp_narrow_find(const char *name);
/** The type to use: `wanted` (may be NULL) if it supports the pair, else the first that
 *  does; NULL if no type does. */
const perp_narrow_type *perp_narrow_choose(const perp_narrow_type *wanted,
                                           const perp_shape_type *a,
                                           const perp_shape_type *b, unsigned dimension);

/** Distance or depth of two shapes by `type`. NULL: the fastest exact search, which is a
 *  closed form, else GJK and EPA; for boxes and hulls the search of their features if
 *  rounding prevents an answer and the settings do not limit the iterations. settings may
 *  be NULL. PERP_ERR_UNSUITABLE: the type, or every type, does not support the pair. */
perp_status perp_proximity_find(const perp_narrow_type *type, const perp_placed *a,
                                const perp_placed *b,
                                const perp_narrow_settings *settings, perp_proximity *out,
                                perp_error *err);

/** The last simplex of a search, from which the next search of the same pair starts: it
 *  takes fewer iterations, with the same result within its tolerance. Zero the struct
 *  before its first use. */
typedef struct perp_gjk_cache {
    unsigned count;         /**< points; 0: none */
    double direction[4][3]; /**< search direction of each point, in axes of a */
    int32_t corner[4][2];   /**< corner numbers of the points for boxes and hulls; else
                             *   -1 */
} perp_gjk_cache;

/** Distance of two convex shapes by GJK [gilbert-1988]. If they overlap, gap is <= 0 and
 *  the depth is unknown: call perp_epa. cache may be NULL. */
void perp_gjk(const perp_placed *a, const perp_placed *b, perp_gjk_cache *cache,
              const perp_narrow_settings *settings, perp_proximity *out);
/** Depth of two convex shapes that overlap, by an expanding polytope [vandenbergen-2001];
 *  for shapes that do not overlap, their distance. */
void perp_epa(const perp_placed *a, const perp_placed *b,
              const perp_narrow_settings *settings, perp_proximity *out);
/** The same by Minkowski portal refinement of libccd [snethen-2008]: the depth along the
 *  ray of the centres, which is not the smallest depth. */
void perp_mpr(const perp_placed *a, const perp_placed *b,
              const perp_narrow_settings *settings, perp_proximity *out);

PERP_END_DECLS

#endif
