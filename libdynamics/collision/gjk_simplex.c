/* SPDX-License-Identifier: Apache-2.0
 * collision/gjk_simplex.c: the point of a simplex nearest to the origin.
 *
 * The origin is projected on the plane of a triangle by its normal n,
 *
 *     v = n (n.w_0) / n.n,      weight_i = area(v, w_j, w_k) / area(w_0, w_1, w_2),
 *
 * areas by the two coordinates in which the triangle is largest: signed volumes as in
 * [montanari-2017], of differences, so that digits stay where the simplex is small and
 * far off. Where weights are not positive the nearest point lies on one of these
 * sides. */
#include <config.h>

#include "collision/difference.h"

typedef struct candidate {
    double length; /* v.v */
    double v[3];
    double weight[4];
} candidate;

/* Squares of sines below this are rounding. */
static const double flat_square = 1e-26;

static void simplex_keep(candidate *best, double length, const double v[3])
{
    best->length = length;
    vec3_copy(best->v, v);
    for (int k = 0; k < 4; k++) {
        best->weight[k] = 0.0;
    }
}

static void simplex_on_segment(const simplex *s, int i, int j, candidate *best)
{
    const double *p = s->p[i].w;
    const double *q = s->p[j].w;
    double e[3];
    double v[3];
    double along;
    double square;

    vec3_subtract(q, p, e);
    along = -vec3_dot(p, e);
    square = vec3_dot(e, e);
    if (!(along > 0.0)) {
        along = 0.0;
        vec3_copy(v, p);
    } else if (along >= square) {
        along = 1.0;
        vec3_copy(v, q);
    } else {
        along /= square;
        vec3_add(p, along, e, v);
        /* across e again, which rounding of p spoils where v is short */
        vec3_add(v, -vec3_dot(v, e) / square, e, v);
    }
    square = vec3_dot(v, v);
    if (square < best->length) {
        simplex_keep(best, square, v);
        best->weight[i] = 1.0 - along;
        best->weight[j] = along;
    }
}

/* Twice the areas of (v, w_j, w_k) and its turns, seen along axis k of the largest. */
static void simplex_areas(const simplex *s, const int c[3], const double v[3], int axis,
                          double area[3])
{
    int x = (axis + 1) % 3;
    int y = (axis + 2) % 3;
    double dx[3];
    double dy[3];

    for (int k = 0; k < 3; k++) {
        dx[k] = s->p[c[k]].w[x] - v[x];
        dy[k] = s->p[c[k]].w[y] - v[y];
    }
    area[0] = dx[1] * dy[2] - dx[2] * dy[1];
    area[1] = dx[2] * dy[0] - dx[0] * dy[2];
    area[2] = dx[0] * dy[1] - dx[1] * dy[0];
}

static int simplex_largest(const double n[3])
{
    const double a[3] = {fabs(n[0]), fabs(n[1]), fabs(n[2])};

    if (a[0] >= a[1] && a[0] >= a[2]) {
        return 0;
    }
    return a[1] >= a[2] ? 1 : 2;
}

/* True: the nearest point is inside the triangle, not on a side. */
static bool simplex_on_triangle(const simplex *s, int i, int j, int k, candidate *best)
{
    const int c[3] = {i, j, k};
    double e[3];
    double f[3];
    double n[3];
    double v[3];
    double area[3] = {0};
    double square;
    double sum = 0.0;
    int axis;

    vec3_subtract(s->p[j].w, s->p[i].w, e);
    vec3_subtract(s->p[k].w, s->p[i].w, f);
    vec3_cross(e, f, n);
    square = vec3_dot(n, n);
    if (square > flat_square * vec3_dot(e, e) * vec3_dot(f, f)) {
        vec3_scale(vec3_dot(n, s->p[i].w) / square, n, v);
        axis = simplex_largest(n);
        simplex_areas(s, c, v, axis, area);
        if (n[axis] < 0.0) {
            vec3_scale(-1.0, area, area);
        }
        sum = area[0] + area[1] + area[2];
    }
    if (area[0] > 0.0 && area[1] > 0.0 && area[2] > 0.0) {
        square = vec3_dot(v, v);
        if (square < best->length) {
            simplex_keep(best, square, v);
            sum = 1.0 / sum;
            best->weight[i] = area[0] * sum;
            best->weight[j] = area[1] * sum;
            best->weight[k] = area[2] * sum;
        }
        return true;
    }
    for (int l = 0; l < 3; l++) {
        if (!(area[l] > 0.0)) {
            simplex_on_segment(s, c[(l + 1) % 3], c[(l + 2) % 3], best);
        }
    }
    return false;
}

/* True: the origin is inside. */
static bool simplex_on_tetrahedron(const simplex *s, candidate *best)
{
    /* corners of the faces beside 0, 1, 2, 3, outward where the determinant is
     * negative */
    static const int face[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
    double e[3][3];
    double f[3];
    double n[4][3];
    double determinant;
    double square;
    bool flat;
    double height[4];
    bool inside = true;

    for (int k = 0; k < 3; k++) {
        vec3_subtract(s->p[k + 1].w, s->p[0].w, e[k]);
    }
    vec3_cross(e[1], e[2], n[1]);
    vec3_cross(e[2], e[0], n[2]);
    vec3_cross(e[0], e[1], n[3]);
    vec3_subtract(e[2], e[0], f);
    vec3_subtract(e[1], e[0], n[0]);
    vec3_cross(f, n[0], n[0]);
    determinant = vec3_dot(n[3], e[2]);
    square = vec3_dot(e[0], e[0]) * vec3_dot(e[1], e[1]) * vec3_dot(e[2], e[2]);
    flat = !(determinant * determinant > flat_square * square);
    for (int k = 0; k < 4; k++) {
        const int *c = face[k];

        height[k] = -vec3_dot(n[k], s->p[c[0]].w) / determinant;
        if (flat || !(height[k] > 0.0)) {
            inside = false;
            simplex_on_triangle(s, c[0], c[1], c[2], best);
        }
    }
    if (inside) {
        vec3_set(best->v, 0.0, 0.0, 0.0);
        memcpy(best->weight, height, sizeof height);
    }
    return inside;
}

bool simplex_nearest(const simplex *s, bool flat, double weight[4], double v[3])
{
    candidate best = {.length = INFINITY};
    bool inside = false;

    switch (s->count) {
    case 1:
        vec3_copy(best.v, s->p[0].w);
        best.weight[0] = 1.0;
        break;
    case 2:
        simplex_on_segment(s, 0, 1, &best);
        break;
    case 3:
        inside = simplex_on_triangle(s, 0, 1, 2, &best) && flat;
        break;
    default:
        inside = simplex_on_tetrahedron(s, &best);
        break;
    }
    vec3_copy(v, best.v);
    memcpy(weight, best.weight, sizeof best.weight);
    return inside;
}

void simplex_witnesses(const simplex *s, double a[3], double b[3])
{
    vec3_set(a, 0.0, 0.0, 0.0);
    vec3_set(b, 0.0, 0.0, 0.0);
    for (unsigned k = 0; k < s->count; k++) {
        vec3_add(a, s->weight[k], s->p[k].a, a);
        vec3_add(b, s->weight[k], s->p[k].b, b);
    }
}
