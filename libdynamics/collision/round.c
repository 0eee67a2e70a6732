/* SPDX-License-Identifier: Apache-2.0
 * collision/round.c: contacts of spheres and capsules with each other, and of spheres with
 * boxes and hulls: the closest points x, y of their cores, at distance d, and
 *
 *     n = (y - x)/d,   gap = d - p - q,   p and q the radii about them. */
#include <config.h>

#include <math.h>

#include <perp/dynamics/rotation.h>

#include "collision/patch.h"
#include "collision/solid.h"

/* Segments whose directions differ by less than this sine are parallel: their closest
 * points are a continuum, and rounding would choose among them. */
static const double parallel_sine = 1e-9;

/* Points of two axes that are nearer than this share of the sizes coincide: their
 * difference is rounding, and has no direction. */
static const double coincident = 1e-15;

/* A point nearer to the surface of a hull than this share of its size is on it, and the
 * normal that of the face. */
static const double on_surface = 2e-14;

static double round_clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

static void axis_of(const placed *s, double u[3])
{
    vec3_set(u, s->at.R[2], s->at.R[5], s->at.R[8]);
}

void query_ends(const placed *s, double p[3], double q[3])
{
    double u[3];

    axis_of(s, u);
    vec3_add(s->at.x, -0.5 * s->at.shape->size[1], u, p);
    vec3_add(s->at.x, 0.5 * s->at.shape->size[1], u, q);
}

double query_direction(const contact_query *m, const double x[3], const double y[3],
                       double n[3])
{
    double length = 0.0;

    vec3_subtract(y, x, n);
    length = vec3_normalize(n);
    if (!(length > 0.0)) {
        vec3_set(n, 0.0, m->dimension == 2, m->dimension == 3);
    }
    return length;
}

/* Points no farther apart than this, of shapes where these stand, coincide. */
static double round_one_place(const contact_query *m)
{
    return coincident * (m->a->reach + m->b->reach + vec3_length(m->a->at.x));
}

/* With the normal known: the witnesses x + p n and y - q n, the contact between them. */
static void round_add_spheres(contact_query *m, const double n[3], const double x[3],
                              double p, const double y[3], double q, uint64_t feature)
{
    double one[3];
    double two[3];
    double apart[3];

    vec3_add(x, p, n, one);
    vec3_add(y, -q, n, two);
    vec3_subtract(two, one, apart);
    vec3_add(one, 1.0, two, one);
    vec3_scale(0.5, one, one);
    query_add(m, one, n, vec3_dot(apart, n), feature);
}

void query_balls(contact_query *m, const double x[3], double p, const double y[3],
                 double q, uint64_t feature)
{
    double n[3];

    query_direction(m, x, y, n);
    round_add_spheres(m, n, x, p, y, q, feature);
}

void sphere_sphere(contact_query *m)
{
    query_balls(m, m->a->at.x, m->a->at.shape->size[0], m->b->at.x,
                m->b->at.shape->size[0], 1);
}

/* n := one unit vector across the unit vector u. */
static void round_across_axis(const double u[3], double n[3])
{
    double t[3];

    perp_tangents(u, n, t);
}

/* Whether a point of the axis of a capsule is none of its ends. */
static bool round_between_ends(const placed *s, const double x[3])
{
    double u[3];
    double d[3];

    axis_of(s, u);
    vec3_subtract(x, s->at.x, d);
    return fabs(vec3_dot(u, d)) < (0.5 - parallel_sine) * s->at.shape->size[1];
}

/* Where x is none of the ends, what of n is along the axis is rounding. */
static void round_across_inside(const placed *s, const double x[3], double n[3])
{
    double u[3];

    if (round_between_ends(s, x)) {
        axis_of(s, u);
        vec3_add(n, -vec3_dot(n, u), u, n);
        vec3_normalize(n);
    }
}

void sphere_capsule(contact_query *m)
{
    double from[3];
    double to[3];
    double along[3];
    double y[3];
    double n[3];
    double length = m->b->at.shape->size[1];

    query_ends(m->b, from, to);
    vec3_subtract(to, from, along);
    vec3_subtract(m->a->at.x, from, y);
    vec3_add(from, round_clamp(vec3_dot(y, along) / (length * length), 0.0, 1.0), along,
             y);
    if (query_direction(m, m->a->at.x, y, n) <= round_one_place(m)) {
        axis_of(m->b, along);
        round_across_axis(along, n);
    }
    round_across_inside(m->b, y, n);
    round_add_spheres(m, n, m->a->at.x, m->a->at.shape->size[0], y,
                      m->b->at.shape->size[0], 1);
}

/* Outside the nearest point of the box; inside, or on it, through the nearest face. */
void sphere_box(contact_query *m)
{
    const placed *box = m->b;
    const double *h = box->at.shape->size;
    double local[3];
    double near[3];
    double n[3] = {0.0, 0.0, 0.0};
    double depth = INFINITY;
    int face = 0;

    vec3_subtract(m->a->at.x, box->at.x, local);
    mat3_apply_transposed(box->at.R, local, local);
    for (int k = 0; k < (int)m->dimension; k++) {
        if (h[k] - fabs(local[k]) < depth) {
            depth = h[k] - fabs(local[k]);
            face = k;
        }
    }
    for (int k = 0; k < 3; k++) {
        near[k] = round_clamp(local[k], -h[k], h[k]);
    }
    if (depth >= 0.0) {
        near[face] = copysign(h[face], local[face]);
        n[face] = -copysign(1.0, local[face]);
    } else {
        query_direction(m, local, near, n);
    }
    mat3_apply(box->at.R, near, near);
    mat3_apply(box->at.R, n, n);
    vec3_add(near, 1.0, box->at.x, near);
    round_add_spheres(m, n, m->a->at.x, m->a->at.shape->size[0], near, 0.0, 1);
}

/* In the axes of the hull: inside through the nearest plane of a face; outside the
 * nearest point of all faces that look at the centre. */
void sphere_hull(contact_query *m)
{
    const perp_placed *at = &m->b->at;
    solid hull;
    double x[3];
    double near[3] = {0.0, 0.0, 0.0};
    double n[3] = {0.0, 0.0, 0.0};
    double off[3] = {0.0, 0.0, 0.0};
    double highest = -INFINITY;
    double best = INFINITY;

    solid_place(&hull, at->shape, m->dimension, NULL, NULL, NULL);
    vec3_subtract(m->a->at.x, at->x, x);
    mat3_apply_transposed(at->R, x, x);
    for (size_t f = 0; f < hull.faces; f++) {
        double d[3];
        double y[3];
        double way[3];
        double height = 0.0;
        double distance = 0.0;

        vec3_subtract(x, solid_corner(&hull, solid_face_corner(&hull, f, 0)), d);
        height = vec3_dot(hull.normal + 3 * f, d);
        if (height > highest) {
            highest = height;
            vec3_scale(-1.0, hull.normal + 3 * f, n);
            if (highest <= 0.0) {
                vec3_add(x, height, n, near);
            }
        }
        if (height > 0.0 && height < best) {
            distance = solid_nearest(&hull, f, x, y, way);
            if (distance < best) {
                best = distance;
                vec3_copy(near, y);
                vec3_copy(off, way);
            }
        }
    }
    if (highest > 0.0 && best > on_surface * m->b->reach) {
        vec3_scale(-1.0, off, n);
    }
    mat3_apply(at->R, near, near);
    mat3_apply(at->R, n, n);
    vec3_add(near, 1.0, at->x, near);
    round_add_spheres(m, n, m->a->at.x, m->a->at.shape->size[0], near, 0.0, 1);
}

/* s, t in [0, 1] of least |p + s d - (q + t e)|, r = p - q; of parallel ones the middle
 * of the overlap, or where they do not overlap the ends that are nearest
 * [ericson-2005]. */
static void round_closest(const double d[3], const double e[3], const double r[3],
                          double *s, double *t)
{
    double a = vec3_dot(d, d);
    double b = vec3_dot(d, e);
    double c = vec3_dot(d, r);
    double f = vec3_dot(e, e);
    double g = vec3_dot(e, r);
    double cross[3];
    double area = 0.0;

    vec3_cross(d, e, cross);
    area = vec3_dot(cross, cross);
    if (area <= parallel_sine * parallel_sine * a * f) {
        double one = round_clamp(-c / a, 0.0, 1.0);
        double two = round_clamp((b - c) / a, 0.0, 1.0);

        *s = 0.5 * (one + two);
        *t = round_clamp((b * *s + g) / f, 0.0, 1.0);
        return;
    }
    *s = round_clamp((b * g - c * f) / area, 0.0, 1.0);
    *t = (b * *s + g) / f;
    if (*t < 0.0 || *t > 1.0) {
        *t = round_clamp(*t, 0.0, 1.0);
        *s = round_clamp((*t * b - c) / a, 0.0, 1.0);
    }
}

void query_segments(const double p[3], const double p_end[3], const double q[3],
                    const double q_end[3], double x[3], double y[3])
{
    double d[3];
    double e[3];
    double r[3];
    double s = 0.0;
    double t = 0.0;

    vec3_subtract(p_end, p, d);
    vec3_subtract(q_end, q, e);
    vec3_subtract(p, q, r);
    round_closest(d, e, r, &s, &t);
    vec3_add(p, s, d, x);
    vec3_add(q, t, e, y);
}

/* Side by side within the sine below which query_manifold takes them so. */
static bool side_by_side(const placed *a, const placed *b)
{
    double u[3];
    double v[3];
    double across[3];

    axis_of(a, u);
    axis_of(b, v);
    vec3_cross(u, v, across);
    return vec3_length(across) <= patch_side_by_side;
}

/* n, from x to y at a small distance, is made exactly across the axes between whose ends
 * x and y are: where these nearly meet it is rounding. */
static void round_straighten(const contact_query *m, const double x[3], const double y[3],
                             double apart, double n[3])
{
    double size = m->a->reach + m->b->reach;
    double u[3];
    double v[3];
    double across[3];
    double sine = 0.0;

    axis_of(m->a, u);
    axis_of(m->b, v);
    vec3_cross(u, v, across);
    sine = vec3_normalize(across);
    if (apart <= round_one_place(m) && sine <= parallel_sine) {
        round_across_axis(u, n);
    } else if (apart <= round_one_place(m) ||
               (sine * size > apart && round_between_ends(m->a, x) &&
                round_between_ends(m->b, y))) {
        vec3_scale(vec3_dot(across, n) < 0.0 ? -1.0 : 1.0, across, n);
    } else {
        round_across_inside(m->a, x, n);
        round_across_inside(m->b, y, n);
    }
}

/* One contact, and of capsules side by side both ends of where they overlap. */
void capsule_capsule(contact_query *m)
{
    double p[3];
    double p_end[3];
    double q[3];
    double q_end[3];
    perp_proximity near = {.converged = true};
    double *x = near.p_a;
    double *y = near.p_b;
    double *n = near.normal;
    double apart = 0.0;

    query_ends(m->a, p, p_end);
    query_ends(m->b, q, q_end);
    query_segments(p, p_end, q, q_end, x, y);
    apart = query_direction(m, x, y, n);
    round_straighten(m, x, y, apart, n);
    if (m->nearest || !side_by_side(m->a, m->b)) {
        round_add_spheres(m, n, x, m->a->at.shape->size[0], y, m->b->at.shape->size[0],
                          1);
        return;
    }
    vec3_add(x, m->a->at.shape->size[0], n, x);
    vec3_add(y, -m->b->at.shape->size[0], n, y);
    near.gap = apart - m->a->at.shape->size[0] - m->b->at.shape->size[0];
    query_manifold(m, &near);
}
