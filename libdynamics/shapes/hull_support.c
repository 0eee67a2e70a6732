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
    ALL = 80,    /* so many corners are all tried: climbing would take as long */
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
/* d.p of corners i and i + 1. */
static inline __m128d two_along(const perp_polytope *hull, size_t i, const double d[3])
{
    __m128d x = _mm_mul_pd(_mm_loadu_pd(hull->x + i), _mm_set1_pd(d[0]));
    __m128d y = _mm_mul_pd(_mm_loadu_pd(hull->y + i), _mm_set1_pd(d[1]));
    __m128d z = _mm_mul_pd(_mm_loadu_pd(hull->z + i), _mm_set1_pd(d[2]));

    return _mm_add_pd(_mm_add_pd(x, y), z);
}

/* b where `which`, else a. */
static inline __m128i choose(__m128i which, __m128i a, __m128i b)
{
    return _mm_or_si128(_mm_and_si128(which, b), _mm_andnot_si128(which, a));
}

/* Of two corners in every eight the farthest so far, and in which eight they were first. */
typedef struct lane {
    __m128d most;
    __m128i eight;
} lane;

static inline void lane_go(const perp_polytope *hull, size_t i, const double d[3],
                           __m128i eight, lane *l)
{
    __m128d v = two_along(hull, i, d);

    l->eight = choose(_mm_castpd_si128(_mm_cmpgt_pd(v, l->most)), l->eight, eight);
    l->most = _mm_max_pd(v, l->most);
}

/* The number of a corner where it is the farthest of all, else one beyond all. */
static inline __m128i lane_end(lane l, int first, __m128d most)
{
    __m128i corner = _mm_add_epi64(l.eight, _mm_set_epi64x(first + 1, first));

    return choose(_mm_castpd_si128(_mm_cmpeq_pd(l.most, most)),
                  _mm_set1_epi64x(INT32_MAX), corner);
}

static inline __m128i lower(__m128i a, __m128i b)
{
    return choose(_mm_cmplt_epi32(b, a), a, b);
}

/* The first of the greatest: the same bits as one by one. Eight at a time, without a
 * branch that depends on them: a wrong guess would cost as much as all of it. */
static size_t try_lanes(const perp_polytope *hull, const double d[3])
{
    lane a = {two_along(hull, 0, d), _mm_setzero_si128()};
    lane b = {two_along(hull, 2, d), _mm_setzero_si128()};
    lane c = {two_along(hull, 4, d), _mm_setzero_si128()};
    lane e = {two_along(hull, 6, d), _mm_setzero_si128()};
    __m128d most;
    __m128i corner;
    size_t first = 0;

    for (size_t i = 8; i < hull->lanes; i += 8) {
        const __m128i eight = _mm_set1_epi64x((int64_t)i);

        lane_go(hull, i, d, eight, &a);
        lane_go(hull, i + 2, d, eight, &b);
        lane_go(hull, i + 4, d, eight, &c);
        lane_go(hull, i + 6, d, eight, &e);
    }
    most = _mm_max_pd(_mm_max_pd(a.most, b.most), _mm_max_pd(c.most, e.most));
    most = _mm_max_pd(most, _mm_shuffle_pd(most, most, 1));
    corner = lower(lower(lane_end(a, 0, most), lane_end(b, 2, most)),
                   lower(lane_end(c, 4, most), lane_end(e, 6, most)));
    corner = lower(corner, _mm_shuffle_epi32(corner, 0x4e));
    first = (size_t)_mm_cvtsi128_si32(corner);
    return first < hull->lanes ? first : 0; /* 0: d is not finite */
}

static void range_of_lanes(const perp_polytope *hull, const double d[3], double *lo,
                           double *hi)
{
    __m128d least[2] = {_mm_set1_pd(INFINITY), _mm_set1_pd(INFINITY)};
    __m128d most[2] = {_mm_set1_pd(-INFINITY), _mm_set1_pd(-INFINITY)};
    double two[4];

    for (size_t c = 0; c < hull->lanes; c += 4) {
        for (size_t k = 0; k < 2; k++) {
            __m128d v = two_along(hull, c + 2 * k, d);

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
        return climb(hull, d);
    }
#ifdef __SSE2__
    if (hull->lanes <= ALL) {
        return try_lanes(hull, d);
    }
#endif
    return try_each(hull, 1, d);
}

void shape_hull_range(const perp_polytope *hull, const double d[3], double *lo,
                      double *hi)
{
    const double back[3] = {-d[0], -d[1], -d[2]};

#ifdef __SSE2__
    if (hull->lanes <= ALL) {
        range_of_lanes(hull, d, lo, hi);
        return;
    }
#endif
    *hi = along(hull, shape_hull_farthest(hull, d), d);
    *lo = along(hull, shape_hull_farthest(hull, back), d);
}
