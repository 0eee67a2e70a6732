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

#include "core.h"
#include "shapes.h"

enum {
    ALL = 128,   /* so many corners are all tried: climbing would take as long */
    SAMPLE = 32, /* of more: so many, evenly by their numbers, to start from */
};

static double along(const perp_polytope *hull, size_t c, const double d[3])
{
    const double *p = hull->corner + 3 * c;

    return p[0] * d[0] + p[1] * d[1] + p[2] * d[2];
}

static size_t try_each(const perp_polytope *hull, size_t step, const double d[3])
{
    size_t best = 0;
    double most = along(hull, 0, d);

    for (size_t c = step; c < hull->corner_count; c += step) {
        double here = along(hull, c, d);

        if (here > most) {
            most = here;
            best = c;
        }
    }
    return best;
}

static size_t climb(const perp_polytope *hull, const double d[3])
{
    size_t best = try_each(hull, hull->corner_count / SAMPLE, d);
    double most = along(hull, best, d);
    size_t from = hull->corner_count;

    while (from != best) { /* `most` grows each time: it ends */
        from = best;
        for (int32_t k = hull->near_start[from]; k < hull->near_start[from + 1]; k++) {
            size_t next = (size_t)hull->near[k];
            double here = along(hull, next, d);

            if (here > most) {
                most = here;
                best = next;
            }
        }
    }
    return best;
}

#ifdef __SSE2__
/* The greatest of all, then the first that is it: the same bits as one by one. */
static size_t try_lanes(const perp_polytope *hull, const double d[3])
{
    double value[ALL];
    const __m128d dx = _mm_set1_pd(d[0]);
    const __m128d dy = _mm_set1_pd(d[1]);
    const __m128d dz = _mm_set1_pd(d[2]);
    __m128d most[4];
    double two[2];

    for (int k = 0; k < 4; k++) {
        most[k] = _mm_set1_pd(-INFINITY);
    }
    for (size_t c = 0; c < hull->lanes; c += 8) {
        for (size_t k = 0; k < 4; k++) {
            size_t i = c + 2 * k;
            __m128d v = _mm_add_pd(_mm_add_pd(_mm_mul_pd(_mm_loadu_pd(hull->x + i), dx),
                                              _mm_mul_pd(_mm_loadu_pd(hull->y + i), dy)),
                                   _mm_mul_pd(_mm_loadu_pd(hull->z + i), dz));

            _mm_storeu_pd(value + i, v);
            most[k] = _mm_max_pd(v, most[k]);
        }
    }
    most[0] = _mm_max_pd(_mm_max_pd(most[0], most[1]), _mm_max_pd(most[2], most[3]));
    _mm_storeu_pd(two, most[0]);
    most[0] = _mm_set1_pd(two[0] > two[1] ? two[0] : two[1]);
    for (size_t c = 0; c < hull->lanes; c += 2) {
        int equal = _mm_movemask_pd(_mm_cmpeq_pd(_mm_loadu_pd(value + c), most[0]));

        if (equal) {
            return c + !(equal & 1);
        }
    }
    return 0; /* d is not finite */
}
#endif

size_t shape_hull_farthest(const perp_polytope *hull, const double d[3])
{
    if (hull->corner_count > ALL && hull->near) {
        return climb(hull, d);
    }
#ifdef __SSE2__
    if (hull->lanes > 0 && hull->lanes <= ALL) {
        return try_lanes(hull, d);
    }
#endif
    return try_each(hull, 1, d);
}
