/* SPDX-License-Identifier: Apache-2.0
 * collision/difference.h: the Minkowski difference M = A (-) B = {a - b} of the cores of two
 * shapes, in the axes of a, and the search of its point nearest to the origin. Private.
 *
 * The distance of the cores is that of M from the origin; they overlap where M holds the
 * origin. Of any unit n, min_B n.x - max_A n.x = -h(n) with h(n) = max_M n.x is a lower
 * bound of their signed distance; the greatest such bound is that distance. */
#ifndef PERP_COLLISION_DIFFERENCE_H
#define PERP_COLLISION_DIFFERENCE_H

#include <float.h>

#include <perp/dynamics/narrow.h>

#include "world/world.h"

typedef struct world_side {
    perp_core kind;
    const perp_placed *placed;
    double half[3]; /**< of a box; half[2] of a segment */
    double radius;  /**< of the ball around the core */
    double size;    /**< the core lies within it of the shape's origin */
} world_side;

typedef struct difference {
    world_side a, b;
    double R[9], t[3]; /**< x in axes of a = R (x in axes of b) + t */
    double size;       /**< of both cores [m] */
    double noise;      /**< rounding of a point of M [m], no less */
    bool flat;         /**< in the plane: third numbers are 0 */
    bool corners;      /**< both cores are hulls of few corners */
} difference;

/** A point w = a - b of M, where it comes from (all in the axes of a): the corners, or
 *  -1, and the direction it is the farthest along. */
typedef struct difference_point {
    double w[3], a[3], b[3];
    double along[3]; /**< only where M is not of corners */
    int32_t corner[2];
} difference_point;

typedef struct simplex {
    unsigned count;
    difference_point p[4];
    double weight[4]; /**< of the nearest point: positive, of sum 1 */
} simplex;

/** What a search found: overlap, or the nearest point v of M and its simplex. */
typedef struct nearest_point {
    simplex s;
    bool overlap;   /**< within rounding */
    bool converged; /**< else a bound is all there is */
    bool stalled;   /**< rounding ended it: the origin is about on the surface of M */
    bool finite;    /**< false: NaN or infinity came along */
    double v[3];
    bool beyond;      /**< the limit: a bound was enough */
    double distance;  /**< |v| [m]; 0 where they overlap; else the bound */
    double tolerance; /**< of it [m] */
    double bound;     /**< min_B n.x - max_A n.x of the best n [m] */
    double n[3]; /**< unit, from a to b, axes of a; where they overlap the last one */
    unsigned iterations;
} nearest_point;

void difference_set(difference *m, const perp_placed *a, const perp_placed *b,
                    const perp_narrow_settings *settings);
/** The farthest point p of a core along d, in its axes, and its number, or -1. */
int32_t world_support(const world_side *c, const double d[3], double p[3]);
/** The point of M farthest along d (any length but 0). */
void difference_support(const difference *m, const double d[3], difference_point *p);
/** That of the corners; false where there is none of such numbers. */
bool difference_corners(const difference *m, const int32_t corner[2],
                        difference_point *p);

/** The point v of the simplex nearest to the origin and its weights, 0 of points that
 *  do not take part. True where the origin is inside. */
bool simplex_nearest(const simplex *s, bool flat, double weight[4], double v[3]);
/** Its points a and b of the two cores, by the weights. */
void simplex_witnesses(const simplex *s, double a[3], double b[3]);

/** GJK. beyond [m] of the cores; INFINITY: to the end. */
void difference_nearest(const difference *m, perp_gjk_cache *cache, unsigned iterations,
                        double beyond, nearest_point *out);

/** Unit normal n and witnesses a, b on the cores (all in the axes of a) as the answer in
 *  the world, at that signed distance of the cores, radii added. */
void difference_report(const difference *m, const double n[3], const double a[3],
                       const double b[3], double distance, perp_proximity *out);
/** The answer of GJK, of cores that overlap without a depth. */
void difference_report_nearest(const difference *m, const nearest_point *at,
                               perp_proximity *out);

/** Points of M are added to *count of them until they span a volume, or in the plane an
 *  area. False: M has none; n, that was about across it, then is. */
bool difference_span(const difference *m, difference_point *p, unsigned *count,
                     double n[3]);
/** Of an M without volume, across n, where the origin is in it; else the answer of
 *  GJK. */
void difference_report_flat(const difference *m, const nearest_point *at,
                            const double n[3], perp_proximity *out);

/** Depth of cores that overlap, or nearly so, from the end of GJK. */
void difference_expand(const difference *m, const nearest_point *at, unsigned iterations,
                       perp_proximity *out);
/** The same in the plane. */
void difference_expand_plane(const difference *m, const nearest_point *at,
                             unsigned iterations, perp_proximity *out);

/** Searches that were given none end here. */
enum { NARROW_ITERATIONS = 256 };
static inline unsigned narrow_iterations(const perp_narrow_settings *s)
{
    return s && s->iterations ? s->iterations : NARROW_ITERATIONS;
}

/* Smooth cores are searched to this of their size; a depth that iterations or room end
 * before is said to have converged when it is known to the second of these. */
static const double narrow_smooth = 1e-10;
static const double narrow_rough = 1e-6;

#endif
