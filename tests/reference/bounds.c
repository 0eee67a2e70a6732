/* SPDX-License-Identifier: Apache-2.0
 * tests/reference/bounds.c: whether two bounding volumes have a common point, and the
 * axis-aligned box of an oriented one.
 *
 * Oriented boxes are disjoint when on one of 15 axes L, normals of both and crosses of
 * their edges, |L.(c_B - c_A)| > sum_k a_k |L.A_k| + sum_k b_k |L.B_k| [gottschalk-1996].
 * Segments come closest at an end of one of them or at the feet of the common
 * perpendicular of their lines [ericson-2005]. */
#include <config.h>

#include "math/math.h"
#include "reference.h"

/* Edges whose cross is shorter are parallel: then faces separate, and the cross is
 * rounding. */
static const double parallel_sine = 1e-8;

bool perp_sphere_overlap(const perp_sphere *a, const perp_sphere *b)
{
    double d[3];

    vec3_subtract(b->x, a->x, d);
    return vec3_length(d) <= a->radius + b->radius;
}

typedef struct box_pair {
    double C[9];  /* A_i . B_j */
    double t[3];  /* c_B - c_A in the axes of A */
    double aC[9]; /* |C| */
    const double *a, *b;
} box_pair;

/* Normals of both. */
static bool bounds_faces_separate(const box_pair *p)
{
    for (int k = 0; k < 3; k++) {
        double reach_b = vec3_dot(p->aC + 3 * k, p->b);
        double reach_a =
            p->a[0] * p->aC[k] + p->a[1] * p->aC[3 + k] + p->a[2] * p->aC[6 + k];
        double away = p->t[0] * p->C[k] + p->t[1] * p->C[3 + k] + p->t[2] * p->C[6 + k];

        if (fabs(p->t[k]) > p->a[k] + reach_b || fabs(away) > reach_a + p->b[k]) {
            return true;
        }
    }
    return false;
}

/* A_i x B_j, of length |sin| of the angle between them. */
static bool bounds_edges_separate(const box_pair *p, int i, int j)
{
    int i1 = (i + 1) % 3;
    int i2 = (i + 2) % 3;
    int j1 = (j + 1) % 3;
    int j2 = (j + 2) % 3;
    double away = p->t[i2] * p->C[3 * i1 + j] - p->t[i1] * p->C[3 * i2 + j];
    double reach_a = p->a[i1] * p->aC[3 * i2 + j] + p->a[i2] * p->aC[3 * i1 + j];
    double reach_b = p->b[j1] * p->aC[3 * i + j2] + p->b[j2] * p->aC[3 * i + j1];

    return hypot(p->C[3 * i1 + j], p->C[3 * i2 + j]) >= parallel_sine &&
           fabs(away) > reach_a + reach_b;
}

bool perp_obb_overlap(const perp_obb *a, const perp_obb *b)
{
    box_pair p = {.a = a->half, .b = b->half};

    vec3_subtract(b->x, a->x, p.t);
    mat3_apply_transposed(a->R, p.t, p.t);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            p.C[3 * i + j] =
                a->R[i] * b->R[j] + a->R[3 + i] * b->R[3 + j] + a->R[6 + i] * b->R[6 + j];
            p.aC[3 * i + j] = fabs(p.C[3 * i + j]);
        }
    }
    if (bounds_faces_separate(&p)) {
        return false;
    }
    for (int k = 0; k < 9; k++) {
        if (bounds_edges_separate(&p, k / 3, k % 3)) {
            return false;
        }
    }
    return true;
}

static double bounds_point_to_segment(const double x[3], const perp_capsule *c)
{
    double d[3];
    double r[3];
    double length = 0.0;
    double s = 0.0;

    vec3_subtract(c->q, c->p, d);
    vec3_subtract(x, c->p, r);
    length = vec3_dot(d, d);
    if (length > 0.0) {
        s = fmin(fmax(vec3_dot(r, d) / length, 0.0), 1.0);
    }
    vec3_add(r, -s, d, r);
    return vec3_length(r);
}

/* The distance of their lines where its feet are on both segments, else infinity. */
static double bounds_line_to_line(const perp_capsule *a, const perp_capsule *b)
{
    double d[3];
    double e[3];
    double r[3];
    double n[3];
    double cross[3];
    double area = 0.0;
    double s = 0.0;
    double t = 0.0;

    vec3_subtract(a->q, a->p, d);
    vec3_subtract(b->q, b->p, e);
    vec3_subtract(b->p, a->p, r);
    vec3_cross(d, e, n);
    area = vec3_dot(n, n);
    if (!(area > 0.0)) {
        return INFINITY;
    }
    vec3_cross(r, e, cross);
    s = vec3_dot(cross, n) / area;
    vec3_cross(r, d, cross);
    t = vec3_dot(cross, n) / area;
    return s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0
               ? fabs(vec3_dot(r, n)) / sqrt(area)
               : INFINITY;
}

bool perp_capsule_overlap(const perp_capsule *a, const perp_capsule *b)
{
    double ends =
        fmin(fmin(bounds_point_to_segment(a->p, b), bounds_point_to_segment(a->q, b)),
             fmin(bounds_point_to_segment(b->p, a), bounds_point_to_segment(b->q, a)));

    return fmin(ends, bounds_line_to_line(a, b)) <= a->radius + b->radius;
}

void perp_aabb_of_obb(const perp_obb *box, perp_aabb *out)
{
    for (int k = 0; k < 3; k++) {
        const double *row = box->R + 3 * k;
        double half = fabs(row[0]) * box->half[0] + fabs(row[1]) * box->half[1] +
                      fabs(row[2]) * box->half[2];

        out->lo[k] = box->x[k] - half;
        out->hi[k] = box->x[k] + half;
    }
}
