/* SPDX-License-Identifier: Apache-2.0
 * geometry/polygon.c: the convex polygon around points of the plane.
 *
 * Points in order of x, then y; the lower and the upper chain of left turns
 * [andrew-1979]; then corners within rounding of the line between their neighbours are
 * left out. Corners go counter-clockwise, from the first of the points that is one; side
 * f runs from corner f to the next, its normal (dy, -dx)/|d| outwards. */
#include <config.h>

#include <float.h>
#include <stdlib.h>

#include "base/base.h"
#include "geometry/parts.h"
#include "math/math.h"

/* Share of the size by which a corner may lie off the line of its neighbours that counts
 * as on it: corners written with seven digits and then turned. */
static const double line_tolerance = 1e-7;

/* Rounding of coordinates far from the origin, in units of the last place. */
static const double far_roundings = 4.0;

typedef struct flat_point {
    double x, y;
    int32_t index;
} flat_point;

static int flat_compare(const void *a, const void *b)
{
    const flat_point *p = a;
    const flat_point *q = b;

    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    if (p->y != q->y) {
        return p->y < q->y ? -1 : 1;
    }
    return p->index < q->index ? -1 : p->index > q->index;
}

/* Twice the area of the triangle a, b, c: positive for a left turn. */
static double polygon_turn(const flat_point *a, const flat_point *b, const flat_point *c)
{
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/* Of points that coincide the first; how many are left. */
static size_t polygon_drop_twins(flat_point *p, size_t n)
{
    size_t kept = 0;

    for (size_t k = 0; k < n; k++) {
        if (kept == 0 || p[k].x != p[kept - 1].x || p[k].y != p[kept - 1].y) {
            p[kept++] = p[k];
        }
    }
    return kept;
}

/* The corners counter-clockwise, from the leftmost; `chain` has room for n + 1. */
static size_t chain_points(const flat_point *p, size_t n, flat_point *chain)
{
    size_t count = 0;

    for (int upper = 0; upper < 2; upper++) {
        size_t least = upper ? count : 1; /* the lower chain stays as it is */

        for (size_t k = (size_t)upper; k < n; k++) { /* upper: the last one is there */
            const flat_point *next = upper ? &p[n - 1 - k] : &p[k];

            while (count > least &&
                   polygon_turn(&chain[count - 2], &chain[count - 1], next) <= 0.0) {
                count--;
            }
            chain[count++] = *next;
        }
    }
    return count > 1 ? count - 1 : count; /* the first one comes again */
}

/* Leave corners near the line of their neighbours out, again until none is. */
static size_t polygon_drop_straight(flat_point *chain, size_t count, double tolerance)
{
    for (size_t before = count + 1; count >= 3 && count < before;) {
        size_t kept = 0;

        before = count;
        for (size_t k = 0; k < before; k++) {
            const flat_point *a = kept > 0 ? &chain[kept - 1] : &chain[before - 1];
            const flat_point *c = k + 1 < before ? &chain[k + 1] : &chain[0];
            double length = hypot(c->x - a->x, c->y - a->y);

            if (polygon_turn(a, &chain[k], c) > tolerance * length) {
                chain[kept++] = chain[k];
            }
        }
        count = kept;
    }
    return count;
}

static void polygon_fill(perp_polytope *h, const flat_point *chain, size_t first)
{
    size_t n = h->corner_count;

    for (size_t c = 0; c < n; c++) {
        const flat_point *a = &chain[(first + c) % n];
        const flat_point *b = &chain[(first + c + 1) % n];
        double *normal = h->normal + 3 * c;
        int32_t before = (int32_t)((c + n - 1) % n);
        int32_t after = (int32_t)((c + 1) % n);

        vec3_set(h->corner + 3 * c, a->x, a->y, 0.0);
        vec3_set(normal, b->y - a->y, a->x - b->x, 0.0);
        h->area[c] = vec3_normalize(normal);
        h->face_corner[2 * c] = (int32_t)c;
        h->face_corner[2 * c + 1] = after;
        h->face_start[c + 1] = (int32_t)(2 * c + 2);
        h->near[2 * c] = before < after ? before : after;
        h->near[2 * c + 1] = before < after ? after : before;
        h->near_start[c + 1] = (int32_t)(2 * c + 2);
    }
    parts_lanes(h);
    parts_heights(h);
    parts_center(h);
    parts_reach(h);
}

static double polygon_tolerance(const flat_point *p, size_t n)
{
    double low = INFINITY;
    double high = -INFINITY;
    double size = p[n - 1].x - p[0].x;
    double far = fmax(fabs(p[0].x), fabs(p[n - 1].x));

    for (size_t k = 0; k < n; k++) {
        low = fmin(low, p[k].y);
        high = fmax(high, p[k].y);
        far = fmax(far, fabs(p[k].y));
    }
    size = fmax(size, high - low);
    return fmax(line_tolerance * size, far_roundings * DBL_EPSILON * far);
}

perp_status perp_polygon_new(perp_polytope **polygon, size_t n, const double *points,
                             perp_error *err)
{
    flat_point *p = NULL;
    flat_point *chain = NULL;
    size_t count = 0;
    size_t first = 0;
    perp_status status = PERP_OK;

    *polygon = NULL;
    if (n < 3 || n > INT32_MAX / 4) {
        return perp_fail(err, PERP_ERR_DATA,
                         "polygon: %zu point%s, expected from three to 2^29", n,
                         perp_plural(n));
    }
    p = math_alloc(n, sizeof *p);
    chain = math_alloc(2 * n, sizeof *chain);
    if (!p || !chain) {
        status = perp_fail(err, PERP_ERR_MEMORY, "polygon: no memory for %zu points", n);
        goto done;
    }
    for (size_t k = 0; k < n; k++) {
        p[k] = (flat_point){points[3 * k], points[3 * k + 1], (int32_t)k};
        if (!isfinite(p[k].x) || !isfinite(p[k].y)) {
            status = perp_fail(err, PERP_ERR_DATA, "polygon: point %zu is not finite", k);
            goto done;
        }
    }
    qsort(p, n, sizeof *p, flat_compare);
    count = polygon_drop_twins(p, n);
    count = polygon_drop_straight(chain, chain_points(p, count, chain),
                                  polygon_tolerance(p, count));
    if (count < 3) {
        status = perp_fail(err, PERP_ERR_DATA,
                           "polygon: %zu point%s span no area, expected points that do "
                           "not lie on one line",
                           n, perp_plural(n));
        goto done;
    }
    for (size_t c = 1; c < count; c++) {
        first = chain[c].index < chain[first].index ? c : first;
    }
    *polygon = parts_alloc(count, count, 2 * count, 0);
    if (*polygon) {
        polygon_fill(*polygon, chain, first);
    } else {
        status =
            perp_fail(err, PERP_ERR_MEMORY, "polygon: no memory for %zu corners", count);
    }
done:
    free(p);
    free(chain);
    return status;
}
