/* SPDX-License-Identifier: Apache-2.0
 * collision/planes.c: contacts of shapes with a plane, which is `a`. With its normal n and a
 * point x on it, a point p of the other shape has
 *
 *     gap = n.(p - x),   witnesses p and p - gap n,
 *     the contact halfway between them. */
#include <config.h>

#include <math.h>

#include "collision/query.h"
#include "collision/solid.h"
#include "shapes/shapes.h"

/* Heights that differ by less, in shares of the reach, are one: corners of a flat end
 * that leans by up to shape_flat_tilt lie 3e-5 radii above the lowest point of its
 * rim. */
static const double same_height = 3e-5;

/* The outward normal: z of its axes, y in the plane. */
static void plane_normal(const contact_query *m, double n[3])
{
    unsigned up = m->dimension == 2 ? 1 : 2;

    vec3_set(n, m->a->at.R[up], m->a->at.R[3 + up], m->a->at.R[6 + up]);
}

static void planes_add_point(contact_query *m, const double n[3], const double p[3],
                             uint64_t feature)
{
    double from[3];
    double middle[3];
    double gap = 0.0;

    vec3_subtract(p, m->a->at.x, from);
    gap = vec3_dot(n, from);
    vec3_add(p, -0.5 * gap, n, middle);
    query_add(m, middle, n, gap, feature);
}

void plane_sphere(contact_query *m)
{
    double n[3];
    double p[3];

    plane_normal(m, n);
    vec3_add(m->b->at.x, -m->b->at.shape->size[0], n, p);
    planes_add_point(m, n, p, 1);
}

void plane_capsule(contact_query *m)
{
    double n[3];
    double p[3];
    double q[3];

    plane_normal(m, n);
    query_ends(m->b, p, q);
    vec3_add(p, -m->b->at.shape->size[0], n, p);
    vec3_add(q, -m->b->at.shape->size[0], n, q);
    planes_add_point(m, n, p, 1);
    planes_add_point(m, n, q, 2);
}

/* The point of least n.p: p = x - R D^2 R^T n/|D R^T n|, D of the semi-axes. */
void plane_ellipsoid(contact_query *m)
{
    const double *semi = m->b->at.shape->size;
    double n[3];
    double p[3];
    double length = 0.0;

    plane_normal(m, n);
    mat3_apply_transposed(m->b->at.R, n, p);
    for (int k = 0; k < 3; k++) {
        p[k] *= semi[k];
    }
    length = vec3_normalize(p);
    for (int k = 0; k < 3 && length > 0.0; k++) {
        p[k] *= -semi[k];
    }
    mat3_apply(m->b->at.R, p, p);
    vec3_add(m->b->at.x, 1.0, p, p);
    planes_add_point(m, n, p, 1);
}

/* A corner in the axes of b. */
static void plane_corner(contact_query *m, const double n[3], const double corner[3],
                         uint64_t feature)
{
    double p[3];

    mat3_apply(m->b->at.R, corner, p);
    vec3_add(p, 1.0, m->b->at.x, p);
    planes_add_point(m, n, p, feature);
}

void plane_corners(contact_query *m)
{
    double room[SOLID_BOX_NUMBERS];
    double n[3];
    solid b;

    solid_place(&b, m->b->at.shape, m->dimension, NULL, NULL, room);
    plane_normal(m, n);
    for (size_t c = 0; c < b.corners; c++) {
        plane_corner(m, n, b.corner + 3 * c, c + 1);
    }
}

/* The lowest point of a mesh is a corner of its hull, and what lies between corners of a flat
 * side or a straight edge needs no contact. */
void plane_mesh(contact_query *m)
{
    const perp_mesh *mesh = m->b->at.shape->mesh;
    double n[3];

    plane_normal(m, n);
    for (size_t c = 0; c < mesh->sharp_count; c++) {
        size_t p = (size_t)mesh->sharp[c];

        plane_corner(m, n, mesh->point + 3 * p, p + 1);
    }
}

/* Of any convex shape the corners of what looks at the plane, with the lowest point where
 * none of these is as low. */
void plane_convex(contact_query *m)
{
    const placed *b = m->b;
    const perp_shape *shape = b->at.shape;
    double radius = shape->type->radius ? shape->type->radius(shape) : 0.0;
    double least = INFINITY;
    double n[3];
    double d[3];
    double p[3];
    perp_face face;

    plane_normal(m, n);
    vec3_scale(-1.0, n, d);
    mat3_apply_transposed(b->at.R, d, d);
    shape_face(shape, d, &face);
    for (size_t k = 0; k < face.count; k++) {
        least = fmin(least, -vec3_dot(face.corner + 3 * k, d));
        mat3_apply(b->at.R, face.corner + 3 * k, p);
        vec3_add(p, 1.0, b->at.x, p);
        vec3_add(p, -radius, n, p);
        planes_add_point(m, n, p, query_feature(1, face.id[k], 0));
    }
    shape->type->support(shape, d, p);
    if (-vec3_dot(p, d) < least - (m->nearest ? 0.0 : same_height * b->reach)) {
        mat3_apply(b->at.R, p, p);
        vec3_add(p, 1.0, b->at.x, p);
        vec3_add(p, -radius, n, p);
        planes_add_point(m, n, p, query_feature(2, 0, 0));
    }
}

/* Of each rim the lowest point, the highest and the two between, at quarter turns; of a cylinder
 * that stands steep its end, unless for a measure. All are points of the cylinder, so each gap is
 * exact; the margin takes those that are near. */
void plane_cylinder(contact_query *m)
{
    const placed *b = m->b;
    const double radius = b->at.shape->size[0];
    double n[3];
    double low[3];

    plane_normal(m, n);
    mat3_apply_transposed(b->at.R, n, low);
    if (!m->nearest && fabs(low[2]) > shape_looks) {
        plane_convex(m);
        return;
    }
    vec3_set(low, -low[0], -low[1], 0.0);
    if (vec3_normalize(low) == 0.0) {
        vec3_set(low, 1.0, 0.0, 0.0);
    }
    const double rim[4][2] = {
        {low[0], low[1]}, {-low[1], low[0]}, {-low[0], -low[1]}, {low[1], -low[0]}};

    for (int k = 0; k < 8; k++) {
        double p[3] = {radius * rim[k % 4][0], radius * rim[k % 4][1],
                       (k < 4 ? -0.5 : 0.5) * b->at.shape->size[1]};

        mat3_apply(b->at.R, p, p);
        vec3_add(p, 1.0, b->at.x, p);
        planes_add_point(m, n, p, (uint64_t)(k + 1));
    }
}
