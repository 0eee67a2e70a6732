/* SPDX-License-Identifier: Apache-2.0
 * narrow/axes.c: the axis along which two boxes or hulls are farthest apart.
 *
 * Along a unit axis n they are apart by s(n) = min_b n.p - max_a n.p, a bound of their
 * distance from below; the greatest s, where it is negative, is minus their depth, and is
 * taken on a normal of a face or on u x v of edges u of a and v of b
 * [gottschalk-1996]. The latter matter only where the arcs of the two edges on the sphere
 * of normals, from one face beside the edge to the other, cross [gregorius-2013]: the
 * normals f, f' beside v lie on both sides of u, and those e, e' beside u on both sides
 * of v,
 *
 *     (f.u)(f'.u) <= 0,   (e.v)(e'.v) <= 0,
 *
 * and n = +-u x v, turned out of a, looks into b. Rounding is let through, and what is
 * better than all before is measured on all corners.
 *
 * Most edges are passed over at once: on the arc of an edge at x, n = (l e + m e')/|l e +
 * m e'| with l, m >= 0 and l + m >= |l e + m e'|, and for any point q of the other
 *
 *     s(n) <= n.(q - x) <= max(e.(q - x), e'.(q - x)) where that is negative, else that
 *     over the cosine of half the arc;
 *
 * q is a corner that the faces' search found low along e, and along e'. */
#include <config.h>

#include "narrow/sat.h"

/* In shares of the size: a normal this little to one side of an edge may be on the
 * other. */
static const double same_side = 1e-9;
/* At smaller sines n is made orthogonal to u once more: rounding, 1e-16 over the sine,
 * then turns it about u alone, where it hardly counts. */
static const double small_sine = 1e-3;

/* The height of a face along its normal: that of its highest corner. */
static double face_height(const solid *p, size_t face)
{
    double most = -INFINITY;

    for (int32_t k = 0; k < solid_face_size(p, face); k++) {
        const double *c = solid_corner(p, solid_face_corner(p, face, k));

        most = fmax(most, vec3_dot(p->normal + 3 * face, c));
    }
    return most;
}

/* The corner of p that is lowest along n, the first of equal ones. */
static int32_t lowest(const solid *p, const double n[3], double *height)
{
    size_t best = 0;

    *height = INFINITY;
    for (size_t c = 0; c < p->corners; c++) {
        double x = vec3_dot(n, p->corner + 3 * c);

        best = x < *height ? c : best;
        *height = x < *height ? x : *height;
    }
    return (int32_t)best;
}

sat_axis sat_best_face(const solid *p, const solid *q, double place, int32_t *low)
{
    sat_axis best = {.apart = -INFINITY};

    for (size_t f = 0; f < p->faces; f++) {
        const double *n = p->normal + 3 * f;
        double height = face_height(p, f);
        double apart = 0.0;

        /* no better than by the corner that is lowest below the best one */
        low[f] = f > 0 ? low[best.face] : 0;
        if (f > 0 &&
            vec3_dot(n, solid_corner(q, low[f])) - height <= best.apart + place) {
            continue;
        }
        low[f] = lowest(q, n, &apart);
        apart -= height;
        if (f == 0 || apart > best.apart + place) {
            best.apart = apart;
            best.face = f;
        }
    }
    vec3_copy(best.n, p->normal + 3 * best.face);
    return best;
}

/* Whether along all normals of edge e of p it is apart by no more than `floor` from the
 * corner x of q. */
static bool passed_over(const solid *p, size_t e, const double *x, double floor)
{
    const double *one = p->normal + 3 * (size_t)p->edge_face[2 * e];
    const double *two = p->normal + 3 * (size_t)p->edge_face[2 * e + 1];
    double d[3];
    double most = 0.0;

    vec3_subtract(x, solid_corner(p, p->edge[2 * e]), d);
    most = fmax(vec3_dot(one, d), vec3_dot(two, d));
    return most <= (most <= 0.0
                        ? floor
                        : floor * sqrt(fmax(0.0, 0.5 + 0.5 * vec3_dot(one, two))));
}

/* The edges of p that are not passed over. */
static size_t keep_edges(const solid *p, const solid *q, double floor, const int32_t *low,
                         int32_t *kept)
{
    size_t count = 0;

    for (size_t e = 0; e < p->edges; e++) {
        const double *x = solid_corner(q, low[p->edge_face[2 * e]]);
        const double *y = solid_corner(q, low[p->edge_face[2 * e + 1]]);

        if (!passed_over(p, e, x, floor) && !passed_over(p, e, y, floor)) {
            kept[count++] = (int32_t)e;
        }
    }
    return count;
}

/* Whether x and y, of lengths about `length`, are on one side of 0. */
static bool one_side(double x, double y, double length)
{
    double most = same_side * length;

    return (x > most && y > most) || (x < -most && y < -most);
}

static void edge_of(const solid *s, size_t e, double d[3])
{
    vec3_subtract(solid_corner(s, s->edge[2 * e + 1]), solid_corner(s, s->edge[2 * e]),
                  d);
}

/* n := +-u x v of unit length out of a; false when the sine is too small or n does not
 * look into b. */
static bool cross_edges(const sat_pair *p, size_t e, size_t f, const double u[3],
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
static void try_edges(const sat_pair *p, size_t e, const double u[3], size_t f,
                      double sine, sat_axis *best)
{
    const int32_t *a_face = p->a.edge_face + 2 * e;
    const int32_t *b_face = p->b.edge_face + 2 * f;
    double v[3];
    double n[3];
    double d[3];

    if (one_side(vec3_dot(p->b.normal + 3 * (size_t)b_face[0], u),
                 vec3_dot(p->b.normal + 3 * (size_t)b_face[1], u), p->size)) {
        return;
    }
    edge_of(&p->b, f, v);
    if (one_side(vec3_dot(p->a.normal + 3 * (size_t)a_face[0], v),
                 vec3_dot(p->a.normal + 3 * (size_t)a_face[1], v), p->size) ||
        !cross_edges(p, e, f, u, v, sine, n)) {
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
    int32_t *a_kept = p->low_b + p->a.faces;
    int32_t *b_kept = p->low_a + p->b.faces;
    size_t a_count = keep_edges(&p->a, &p->b, floor, p->low_b, a_kept);
    size_t b_count = keep_edges(&p->b, &p->a, floor, p->low_a, b_kept);

    for (size_t k = 0; k < a_count; k++) {
        size_t e = (size_t)a_kept[k];
        double u[3];

        edge_of(&p->a, e, u);
        for (size_t l = 0; l < b_count; l++) {
            try_edges(p, e, u, (size_t)b_kept[l], sine, &best);
        }
    }
    return best;
}
