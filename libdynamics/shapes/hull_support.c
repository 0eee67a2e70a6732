/* SPDX-License-Identifier: Apache-2.0
 * shapes/hull_support.c: the corner of a hull farthest along a direction.
 *
 * Of few corners all are tried, x d_0 + y d_1 + z d_2 of two at a time, which costs about
 * a nanosecond a corner. Of many, those of a sample are, and from the best of these it
 * goes to whichever neighbour is farther until there is none: of a convex body no other
 * is farther then. */
#include <config.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "shapes/shapes.h"

enum {
    ALL = 80,    /* so many corners are all tried: climbing would take as long */
    SAMPLE = 32, /* of more: so many, evenly by their numbers, to start from */
};

static double support_along(const perp_polytope *hull, size_t c, const double d[3])
{
    const double *p = hull->corner + 3 * c;

    return p[0] * d[0] + p[1] * d[1] + p[2] * d[2];
}

static size_t support_try_each(const perp_polytope *hull, size_t step, const double d[3])
{
    size_t best = 0;
    double most = support_along(hull, 0, d);

    for (size_t c = step; c < hull->corner_count; c += step) {
        double here = support_along(hull, c, d);

        if (here > most) {
            most = here;
            best = c;
        }
    }
    return best;
}

static size_t support_climb(const perp_polytope *hull, const double d[3])
{
    size_t best = support_try_each(hull, hull->corner_count / SAMPLE, d);
    double most = support_along(hull, best, d);
    size_t from = hull->corner_count;

    while (from != best) { /* `most` grows each time: it ends */
        from = best;
        for (int32_t k = hull->near_start[from]; k < hull->near_start[from + 1]; k++) {
            size_t next = (size_t)hull->near[k];
            double here = support_along(hull, next, d);

            if (here > most) {
                most = here;
                best = next;
            }
        }
    }
    return best;
}

#ifdef __SSE2__
/* d.p of corners i and i + 1. */
static inline __m128d support_two_along(const perp_polytope *hull, size_t i,
                                        const double d[3])
{
    __m128d x = _mm_mul_pd(_mm_loadu_pd(hull->x + i), _mm_set1_pd(d[0]));
    __m128d y = _mm_mul_pd(_mm_loadu_pd(hull->y + i), _mm_set1_pd(d[1]));
    __m128d z = _mm_mul_pd(_mm_loadu_pd(hull->z + i), _mm_set1_pd(d[2]));

    return _mm_add_pd(_mm_add_pd(x, y), z);
}

/* The same, kept as well. */
static inline __m128d support_two_kept(const perp_polytope *hull, size_t i,
                                       const double d[3], double *value)
{
    __m128d v = support_two_along(hull, i, d);

    _mm_storeu_pd(value + i, v);
    return v;
}

/* Bits 0 to 3: which of four are equal. */
static inline uint32_t support_equal(const double *value, __m128d to)
{
    __m128 low = _mm_castpd_ps(_mm_cmpeq_pd(_mm_loadu_pd(value), to));
    __m128 high = _mm_castpd_ps(_mm_cmpeq_pd(_mm_loadu_pd(value + 2), to));

    return (uint32_t)_mm_movemask_ps(_mm_shuffle_ps(low, high, 0x88)); /* halves tell */
}

/* The greatest of all, then the first that is it: the same bits as one by one. Steps of
 * eight are written out: an array of four would stay in memory at -O2, for a third more
 * time. */
static size_t support_try_lanes(const perp_polytope *hull, const double d[3])
{
    double value[ALL];
    __m128d most = _mm_set1_pd(-INFINITY);
    __m128d most_2 = most;
    __m128d most_4 = most;
    __m128d most_6 = most;

    for (size_t c = 0; c < hull->lanes; c += 8) {
        most = _mm_max_pd(support_two_kept(hull, c, d, value), most);
        most_2 = _mm_max_pd(support_two_kept(hull, c + 2, d, value), most_2);
        most_4 = _mm_max_pd(support_two_kept(hull, c + 4, d, value), most_4);
        most_6 = _mm_max_pd(support_two_kept(hull, c + 6, d, value), most_6);
    }
    most = _mm_max_pd(_mm_max_pd(most, most_2), _mm_max_pd(most_4, most_6));
    most = _mm_max_pd(most, _mm_shuffle_pd(most, most, 1));
    for (size_t c = 0; c < hull->lanes; c += 32) {
        size_t end = hull->lanes - c < 32 ? hull->lanes : c + 32;
        uint32_t found = 0;

        /* all are compared: where to stop would be a guess that costs more */
        for (size_t i = c; i < end; i += 8) {
            found |=
                (support_equal(value + i, most) | support_equal(value + i + 4, most) << 4)
                << (i - c);
        }
        if (found) {
            return c + (size_t)__builtin_ctz(found);
        }
    }
    return 0; /* d is not finite */
}

static void support_range_of_lanes(const perp_polytope *hull, const double d[3],
                                   double *lo, double *hi)
{
    __m128d least[2] = {_mm_set1_pd(INFINITY), _mm_set1_pd(INFINITY)};
    __m128d most[2] = {_mm_set1_pd(-INFINITY), _mm_set1_pd(-INFINITY)};
    double two[4];

    for (size_t c = 0; c < hull->lanes; c += 4) {
        for (size_t k = 0; k < 2; k++) {
            __m128d v = support_two_along(hull, c + 2 * k, d);

            least[k] = _mm_min_pd(v, least[k]);
            most[k] = _mm_max_pd(v, most[k]);
        }
    }
    _mm_storeu_pd(two, _mm_min_pd(least[0], least[1]));
    _mm_storeu_pd(two + 2, _mm_max_pd(most[0], most[1]));
    *lo = two[0] < two[1] ? two[0] : two[1];
    *hi = two[2] > two[3] ? two[2] : two[3];
}
#endif

size_t shape_hull_farthest(const perp_polytope *hull, const double d[3])
{
    if (hull->corner_count > ALL) {
        return support_climb(hull, d);
    }
#ifdef __SSE2__
    return support_try_lanes(hull,
                             d); /* ALL is a multiple of 8, so all lanes are tried too */
#else
    return support_try_each(hull, 1, d);
#endif
}

void shape_hull_range(const perp_polytope *hull, const double d[3], double *lo,
                      double *hi)
{
    const double back[3] = {-d[0], -d[1], -d[2]};

#ifdef __SSE2__
    if (hull->lanes <= ALL) {
        support_range_of_lanes(hull, d, lo, hi);
        return;
    }
#endif
    *hi = support_along(hull, shape_hull_farthest(hull, d), d);
    *lo = support_along(hull, shape_hull_farthest(hull, back), d);
}
