/* SPDX-License-Identifier: Apache-2.0
 * collision/axes.c: the axis along which two boxes or hulls are farthest apart.
 *
 * Along a unit axis n they are apart by s(n) = min_b n.p - max_a n.p, a bound of their
 * distance from below; the greatest s, where it is negative, is minus their depth, and is
 * attained at a normal of a face or on u x v of edges u of a and v of b
 * [gottschalk-1996]. The latter matter only where the arcs of the two edges on the sphere
 * of normals, from one face beside the edge to the other, cross [gregorius-2013]: the
 * normals f, f' beside v lie on both sides of u, and those e, e' beside u on both sides
 * of v,
 *
 *     (f.u)(f'.u) <= 0,   (e.v)(e'.v) <= 0,
 *
 * and n = +-u x v, directed out of a, points into b. These tests have a tolerance for
 * rounding, and an axis that is better than all before is measured on all corners.
 *
 * Most edges are rejected by a bound: on the arc of an edge at x, n = (l e + m e')/|l e +
 * m e'| with l, m >= 0 and l + m >= |l e + m e'|, and for any point q of the other
 *
 *     s(n) <= n.(q - x) <= max(e.(q - x), e'.(q - x)) where that is negative, else that
 *     over the cosine of half the arc;
 *
 * q is a corner that the search of faces found low along e, and along e'. */
#include <config.h>

#include "collision/sat.h"

/* In shares of the size: a normal this little to one side of an edge may be on the
 * other. */
static const double same_side = 1e-9;
/* At smaller sines n is made orthogonal to u once more: rounding, 1e-16 over the sine,
 * then turns it about u alone, where it hardly counts. */
static const double small_sine = 1e-3;

/* How far corner c of q is over a face of p. */
static inline double axes_over_face(const solid *p, size_t face, const solid *q,
                                    int32_t c)
{
    return vec3_dot(p->normal + 3 * face, solid_corner(q, c)) - p->height[face];
}

/* A face from which q is likely to be farthest: that over which a corner is farthest that
 * is low seen from the middle of p to that of q. */
static size_t axes_likely_face(const solid *p, const solid *q, sat_low *low)
{
    double *over = low->over;
    const double *x = NULL;
    double most = -INFINITY;
    double d[3];
    size_t best = 0;

    vec3_subtract(q->middle, p->middle, d);
    low->first = solid_lowest(q, d);
    x = solid_corner(q, low->first);
    for (size_t f = 0; f < p->faces; f++) {
        over[f] = vec3_dot(p->normal + 3 * f, x) - p->height[f];
    }
    for (size_t f = 0; f < p->faces; f++) {
        if (over[f] > most) {
            most = over[f];
            best = f;
        }
    }
    return best;
}

/* Faces over which the first corner is not below `floor`, in the place of edges; the
 * other ones are marked. No branches, which would be guessed wrongly for many. */
static size_t axes_keep_faces(const solid *p, double floor, sat_low *low, int32_t *kept)
{
    const double *over = low->over;
    size_t count = 0;

    for (size_t f = 0; f < p->faces; f++) {
        low->corner[f] = -1;
        kept[count] = (int32_t)f;
        count += !(over[f] < floor);
    }
    return count;
}

/* A face over which a corner known before is no farther than the best face's is not
 * searched: the likely face makes that bound good from the start. */
sat_axis sat_best_face(const solid *p, const solid *q, double place, sat_low *low)
{
    size_t likely = axes_likely_face(p, q, low);
    int32_t known = solid_lowest(q, p->normal + 3 * likely);
    double floor = axes_over_face(p, likely, q, known) - 2.0 * place;
    sat_axis best = {.apart = -INFINITY};
    int32_t *kept = low->corner + p->faces;
    size_t count = axes_keep_faces(p, floor, low, kept);

    for (size_t k = 0; k < count; k++) {
        size_t f = (size_t)kept[k];

        low->corner[f] = known;
        low->over[f] = axes_over_face(p, f, q, known);
        if (low->over[f] < floor) {
            continue;
        }
        low->corner[f] = solid_lowest(q, p->normal + 3 * f);
        low->over[f] = axes_over_face(p, f, q, low->corner[f]);
        if (!(low->over[f] <= best.apart + place)) { /* NaN is kept */
            best.apart = low->over[f];
            best.face = f;
            known = low->corner[f];
            floor = best.apart > floor ? best.apart : floor;
        }
    }
    vec3_copy(best.n, p->normal + 3 * best.face);
    return best;
}

static inline double axes_larger(double x, double y)
{
    return x > y ? x : y;
}

/* Between faces f and g of p, along all normals of their edge, no more apart than the
 * first bound, by the corner that is low over f; where that is positive, over the cosine
 * of half the arc. */
static double axes_over_edge(const solid *p, const solid *q, size_t f, size_t g,
                             const sat_low *low)
{
    int32_t c = low->corner[f] < 0 ? low->first : low->corner[f];

    return axes_larger(low->over[f], axes_over_face(p, g, q, c));
}

/* Edges that are not between two faces which are both below the best one by the first
 * corner. No branches here either. */
static size_t axes_edges_of_kept(const solid *p, const int32_t *corner, int32_t *kept)
{
    const int32_t *face = p->edge_face;
    size_t edges = p->edges;
    size_t count = 0;

    for (size_t e = 0; e < edges; e++) {
        kept[count] = (int32_t)e;
        count += (corner[face[2 * e]] & corner[face[2 * e + 1]]) >= 0;
    }
    return count;
}

/* The edges of p along a normal of which it may be apart by more than `floor`. */
static size_t axes_keep_edges(const solid *p, const solid *q, double floor,
                              const sat_low *low, int32_t *kept)
{
    size_t some = axes_edges_of_kept(p, low->corner, kept);
    size_t count = 0;

    for (size_t k = 0; k < some; k++) {
        size_t e = (size_t)kept[k];
        size_t f = (size_t)p->edge_face[2 * e];
        size_t g = (size_t)p->edge_face[2 * e + 1];
        double one = axes_over_edge(p, q, f, g, low);
        double two = axes_over_edge(p, q, g, f, low);
        double most = one < two ? one : two;
        double bound = floor;

        if (most > 0.0) {
            double cosine = vec3_dot(p->normal + 3 * f, p->normal + 3 * g);

            bound = floor * sqrt(axes_larger(0.0, 0.5 + 0.5 * cosine));
        }
        kept[count] = (int32_t)e;
        count += !(most <= bound);
    }
    return count;
}

/* Whether x and y, of lengths about `length`, are on one side of 0. */
static bool axes_one_side(double x, double y, double length)
{
    double most = same_side * length;

    return (x > most && y > most) || (x < -most && y < -most);
}

static void axes_edge_of(const solid *s, size_t e, double d[3])
{
    vec3_subtract(solid_corner(s, s->edge[2 * e + 1]), solid_corner(s, s->edge[2 * e]),
                  d);
}

/* n := +-u x v of unit length out of a; false when the sine is too small or n does not
 * look into b. */
static bool axes_cross_edges(const sat_pair *p, size_t e, size_t f, const double u[3],
                             const double v[3], double sine, double n[3])
{
    const double *x = solid_corner(&p->a, p->a.edge[2 * e]);
    const double *y = solid_corner(&p->b, p->b.edge[2 * f]);
    double square = vec3_dot(u, u);
    double both = sqrt(square * vec3_dot(v, v));
    double length = 0.0;
    double d[3];

    vec3_cross(u, v, n);
    length = vec3_normalize(n);
    if (!(length >= sine * both)) {
        return false;
    }
    if (length < small_sine * both) {
        vec3_add(n, -vec3_dot(n, u) / square, u, n);
        vec3_normalize(n);
    }
    vec3_subtract(x, p->a.middle, d);
    if (vec3_dot(n, d) < 0.0) {
        vec3_scale(-1.0, n, n);
    }
    vec3_subtract(y, p->b.middle, d);
    return vec3_dot(n, d) < 0.0;
}

/* Edge e of a, along u, against edge f of b. */
static void axes_try_edges(const sat_pair *p, size_t e, const double u[3], size_t f,
                           double sine, sat_axis *best)
{
    const int32_t *a_face = p->a.edge_face + 2 * e;
    const int32_t *b_face = p->b.edge_face + 2 * f;
    double v[3];
    double n[3];
    double d[3];

    if (axes_one_side(vec3_dot(p->b.normal + 3 * (size_t)b_face[0], u),
                      vec3_dot(p->b.normal + 3 * (size_t)b_face[1], u), p->size)) {
        return;
    }
    axes_edge_of(&p->b, f, v);
    if (axes_one_side(vec3_dot(p->a.normal + 3 * (size_t)a_face[0], v),
                      vec3_dot(p->a.normal + 3 * (size_t)a_face[1], v), p->size) ||
        !axes_cross_edges(p, e, f, u, v, sine, n)) {
        return;
    }
    vec3_subtract(solid_corner(&p->b, p->b.edge[2 * f]),
                  solid_corner(&p->a, p->a.edge[2 * e]), d);
    if (vec3_dot(n, d) > best->apart) {
        double apart = solid_low(&p->b, n) - solid_high(&p->a, n);

        if (apart > best->apart) {
            best->apart = apart;
            vec3_copy(best->n, n);
        }
    }
}

sat_axis sat_best_edges(const sat_pair *p, double floor, double sine)
{
    sat_axis best = {.apart = floor};
    int32_t *a_kept = p->low_b.corner + p->a.faces;
    int32_t *b_kept = p->low_a.corner + p->b.faces;
    size_t a_count = axes_keep_edges(&p->a, &p->b, floor, &p->low_b, a_kept);
    size_t b_count = axes_keep_edges(&p->b, &p->a, floor, &p->low_a, b_kept);

    for (size_t k = 0; k < a_count; k++) {
        size_t e = (size_t)a_kept[k];
        double u[3];

        axes_edge_of(&p->a, e, u);
        for (size_t l = 0; l < b_count; l++) {
            axes_try_edges(p, e, u, (size_t)b_kept[l], sine, &best);
        }
    }
    return best;
}
