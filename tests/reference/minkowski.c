/* SPDX-License-Identifier: Apache-2.0
 * tests/reference/minkowski.c: A (+) B = {a + b} and A (-) B = {a - b} of convex sets.
 *
 * In the plane the edges of the sum are those of both in the order of their angles, from
 * the sum of the lowest corners [ericson-2005]: O(na + nb). In space it is the hull of
 * all sums of corners. */
#include <config.h>

#include <stdlib.h>

#include "math/math.h"
#include "reference.h"

/* Sine of a turn that is none: rounding of edges that were parallel. */
static const double no_turn = 1e-12;

/* A polygon times a sign, walked from its lowest corner, of these the leftmost. */
typedef struct walk {
    size_t n, at, first;
    const double *corner;
    double sign;
    size_t done; /* edges */
} walk;

static void walk_point(const walk *w, size_t k, double x[2])
{
    x[0] = w->sign * w->corner[2 * (k % w->n)];
    x[1] = w->sign * w->corner[2 * (k % w->n) + 1];
}

static walk walk_begin(size_t n, const double *corner, double sign)
{
    walk w = {.n = n, .corner = corner, .sign = sign};
    double low[2];

    walk_point(&w, 0, low);
    for (size_t k = 1; k < n; k++) {
        double x[2];

        walk_point(&w, k, x);
        if (x[1] < low[1] || (x[1] == low[1] && x[0] < low[0])) {
            w.first = k;
            low[0] = x[0];
            low[1] = x[1];
        }
    }
    w.at = w.first;
    return w;
}

static void walk_edge(const walk *w, double e[2])
{
    double x[2];

    walk_point(w, w->at, x);
    walk_point(w, w->at + 1, e);
    e[0] -= x[0];
    e[1] -= x[1];
}

static double minkowski_cross2(const double a[2], const double b[2])
{
    return a[0] * b[1] - a[1] * b[0];
}

/* Whether e comes before f, by angles from 0 to 2 pi. */
static bool minkowski_comes_before(const double e[2], const double f[2])
{
    bool e_late = e[1] < 0.0 || (e[1] == 0.0 && e[0] < 0.0);
    bool f_late = f[1] < 0.0 || (f[1] == 0.0 && f[0] < 0.0);

    return e_late != f_late ? f_late : minkowski_cross2(e, f) >= 0.0;
}

/* Leave corners out where the boundary goes straight on, and those that repeat. */
static size_t minkowski_straighten(size_t n, double *x)
{
    size_t kept = 0;

    for (size_t k = 0; k < n; k++) {
        const double *before = x + 2 * (kept > 0 ? kept - 1 : n - 1);
        const double *next = x + 2 * ((k + 1) % n);
        const double *at = x + 2 * k;
        const double in[2] = {at[0] - before[0], at[1] - before[1]};
        const double on[2] = {next[0] - at[0], next[1] - at[1]};
        bool still = on[0] == 0.0 && on[1] == 0.0;
        double size = hypot(in[0], in[1]) * hypot(on[0], on[1]);
        bool straight = size > 0.0 && minkowski_cross2(in, on) <= no_turn * size &&
                        in[0] * on[0] + in[1] * on[1] > 0.0;

        if (!straight && !(still && n > 1 && k + 1 < n)) {
            x[2 * kept] = at[0];
            x[2 * kept + 1] = at[1];
            kept++;
        }
    }
    return kept;
}

static size_t minkowski_merge(walk a, walk b, double *out)
{
    size_t count = 0;
    double x[2];
    double y[2];

    while (a.done < a.n || b.done < b.n) {
        double e[2];
        double f[2];

        walk_point(&a, a.at, x);
        walk_point(&b, b.at, y);
        out[2 * count] = x[0] + y[0];
        out[2 * count + 1] = x[1] + y[1];
        count++;
        walk_edge(&a, e);
        walk_edge(&b, f);
        if (b.done == b.n || (a.done < a.n && minkowski_comes_before(e, f))) {
            a.at++;
            a.done++;
        } else {
            b.at++;
            b.done++;
        }
    }
    return minkowski_straighten(count, out);
}

size_t perp_minkowski_sum_2d(size_t na, const double *a, size_t nb, const double *b,
                             double *out)
{
    return na > 0 && nb > 0
               ? minkowski_merge(walk_begin(na, a, 1.0), walk_begin(nb, b, 1.0), out)
               : 0;
}

size_t perp_minkowski_difference_2d(size_t na, const double *a, size_t nb,
                                    const double *b, double *out)
{
    return na > 0 && nb > 0
               ? minkowski_merge(walk_begin(na, a, 1.0), walk_begin(nb, b, -1.0), out)
               : 0;
}

/* A polygon has sides where a polyhedron has faces. */
static bool minkowski_is_flat(const perp_polytope *h)
{
    return h->face_start[1] == 2;
}

static perp_status hull_of_sums(perp_polytope **out, const perp_polytope *a,
                                const perp_polytope *b, double sign, perp_error *err)
{
    size_t n = a->corner_count * b->corner_count; /* each below 2^27 */
    double *sums = NULL;
    perp_status status = PERP_OK;

    *out = NULL;
    if (minkowski_is_flat(a) != minkowski_is_flat(b)) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "minkowski: a polygon and a polyhedron, expected two polygons "
                         "or two polyhedra");
    }
    sums = math_alloc(n, 3 * sizeof *sums);
    if (!sums) {
        return perp_fail(err, PERP_ERR_MEMORY, "minkowski: no memory for %zu sums", n);
    }
    for (size_t k = 0; k < n; k++) {
        vec3_add(a->corner + 3 * (k / b->corner_count), sign,
                 b->corner + 3 * (k % b->corner_count), sums + 3 * k);
    }
    status = minkowski_is_flat(a) ? perp_polygon_new(out, n, sums, err)
                                  : perp_polytope_new(out, n, sums, err);
    free(sums);
    return status;
}

perp_status perp_minkowski_sum(perp_polytope **out, const perp_polytope *a,
                               const perp_polytope *b, perp_error *err)
{
    return hull_of_sums(out, a, b, 1.0, err);
}

perp_status perp_minkowski_difference(perp_polytope **out, const perp_polytope *a,
                                      const perp_polytope *b, perp_error *err)
{
    return hull_of_sums(out, a, b, -1.0, err);
}

double perp_polytope_outside(const perp_polytope *hull, const double p[3])
{
    double most = -INFINITY;

    for (size_t f = 0; f < hull->face_count; f++) {
        double d[3];

        vec3_subtract(
            p, hull->corner + 3 * (size_t)hull->face_corner[hull->face_start[f]], d);
        most = fmax(most, vec3_dot(hull->normal + 3 * f, d));
    }
    return most;
}
