/* SPDX-License-Identifier: Apache-2.0
 * collision/sheet.c: one of two meshes that may overlap: its convex corners and edges,
 * their normals, and rays through it. */
#include <config.h>

#include "collision/meshes.h"
#include "collision/patch.h"

/* A way out of a surface ends within this share of it, beside it by the second; what lies
 * on both ends of a way that is to be clear, within the third, does not count. */
static const double ray_window = 0.5;
static const double ray_aside = 0.2;
static const double ray_end = 1e-3;

void sheet_place(sheet *s, const placed *at, const placed *first)
{
    double back[9];
    double d[3];

    s->mesh = at->at.shape->mesh;
    s->at = at;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            back[3 * i + j] = first->at.R[3 * j + i];
        }
    }
    mat3_multiply(back, at->at.R, s->R);
    vec3_subtract(at->at.x, first->at.x, d);
    mat3_apply(back, d, s->x);
    if (at == first) {
        const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

        memcpy(s->R, one, sizeof one);
    }
}

void sheet_point(const sheet *s, int32_t p, double x[3])
{
    mat3_apply(s->R, s->mesh->point + 3 * (size_t)p, x);
    vec3_add(x, 1.0, s->x, x);
}

/* From the axes of the first to its own. */
void sheet_back(const sheet *s, const double x[3], double own[3])
{
    vec3_subtract(x, s->x, own);
    mat3_apply_transposed(s->R, own, own);
}

/* The box in its own axes of two points, wider by r. */
void sheet_box(const sheet *s, const double p[3], const double q[3], double r,
               perp_aabb *box)
{
    double a[3];
    double b[3];

    sheet_back(s, p, a);
    sheet_back(s, q, b);
    for (int k = 0; k < 3; k++) {
        box->lo[k] = fmin(a[k], b[k]) - r;
        box->hi[k] = fmax(a[k], b[k]) + r;
    }
}

bool sheet_owns_corner(const perp_mesh *m, size_t t, size_t k)
{
    return (size_t)m->use[m->use_start[m->corner[3 * t + k]]] == t;
}

/* Of the two triangles at a convex edge the lower has it. */
bool sheet_owns_edge(const perp_mesh *m, size_t t, size_t k)
{
    int32_t beyond = m->beyond[3 * t + k];

    return m->convex[3 * t + k] && (beyond < 0 || (int32_t)t < beyond);
}

/* Whether a convex edge ends at the corner. */
bool sheet_juts(const perp_mesh *m, int32_t p)
{
    for (int32_t u = m->use_start[p]; u < m->use_start[p + 1]; u++) {
        size_t t = (size_t)m->use[u];

        for (size_t k = 0; k < 3; k++) {
            if (m->convex[3 * t + k] &&
                (m->corner[3 * t + k] == p || m->corner[3 * t + (k + 1) % 3] == p)) {
                return true;
            }
        }
    }
    return false;
}

/* Whether no neighbour of corner p lies beyond it against n, but for `slack`, a sine. */
bool sheet_faces(const sheet *s, int32_t p, const double n[3], double slack)
{
    const perp_mesh *m = s->mesh;
    const double *x = m->point + 3 * (size_t)p;
    double own[3];

    mat3_apply_transposed(s->R, n, own);
    for (int32_t u = m->use_start[p]; u < m->use_start[p + 1]; u++) {
        const int32_t *c = m->corner + 3 * (size_t)m->use[u];

        for (int k = 0; k < 3; k++) {
            double d[3];

            vec3_subtract(m->point + 3 * (size_t)c[k], x, d);
            if (vec3_dot(own, d) < -slack * vec3_length(d)) {
                return false;
            }
        }
        /* an open surface is not met from behind */
        if (!m->closed &&
            vec3_dot(own, m->normal + 3 * (size_t)m->use[u]) > meshes_behind) {
            return false;
        }
    }
    return true;
}

void sheet_find_edge(const sheet *s, size_t t, size_t k, sheet_edge *e)
{
    int32_t p = s->mesh->corner[3 * t + k];
    int32_t q = s->mesh->corner[3 * t + (k + 1) % 3];
    double d[3];

    sheet_point(s, p, e->end[0]);
    sheet_point(s, q, e->end[1]);
    vec3_subtract(e->end[1], e->end[0], d);
    e->length = vec3_length(d);
    e->id = patch_edge_id((uint32_t)p, (uint32_t)q);
}

/* Whether n, outwards and across the edge, is between the normals of its triangles. */
bool sheet_edge_has(const sheet *s, size_t t, size_t k, const double n[3], double slack)
{
    const perp_mesh *m = s->mesh;
    int32_t beyond = m->beyond[3 * t + k];
    double own[3];
    double o[3];

    mat3_apply_transposed(s->R, n, own);
    mesh_outward(m, t, (int)k, o);
    if (vec3_dot(own, o) < -slack) {
        return false;
    }
    if (beyond < 0) {
        return vec3_dot(own, m->normal + 3 * t) >= -meshes_behind;
    }
    mesh_outward(m, (size_t)beyond, mesh_side_back(m, (size_t)beyond, t), o);
    return vec3_dot(own, o) >= -slack;
}

/* The first triangle on the way from x along d and how far it is; negative: none. */
double sheet_cast(const sheet *s, const double x[3], const double d[3], double most,
                  size_t *triangle)
{
    const perp_shape *shape = s->at->at.shape;
    double o[3];
    double own[3];
    double n[3];

    sheet_back(s, x, o);
    mat3_apply_transposed(s->R, d, own);
    return shape->type->cast(shape, 3, o, own, most, n, triangle);
}

void sheet_normal(const sheet *s, size_t t, double n[3])
{
    mat3_apply(s->R, s->mesh->normal + 3 * t, n);
}

/* n := the sum of the normals at a corner. */
void sheet_corner_normal(const sheet *s, int32_t p, double n[3])
{
    const perp_mesh *m = s->mesh;

    vec3_set(n, 0.0, 0.0, 0.0);
    for (int32_t u = m->use_start[p]; u < m->use_start[p + 1]; u++) {
        vec3_add(n, 1.0, m->normal + 3 * (size_t)m->use[u], n);
    }
    mat3_apply(s->R, n, n);
}

/* The same at side k of triangle t. */
void sheet_edge_normal(const sheet *s, size_t t, size_t k, double n[3])
{
    int32_t beyond = s->mesh->beyond[3 * t + k];

    vec3_copy(n, s->mesh->normal + 3 * t);
    if (beyond >= 0) {
        vec3_add(n, 1.0, s->mesh->normal + 3 * (size_t)beyond, n);
    }
    mat3_apply(s->R, n, n);
}

/* Whether a way leads through no surface between its ends. */
bool sheet_is_clear(const sheet *s, const double x[3], const double d[3], double length)
{
    double from[3];
    double n[3];
    size_t t = 0;

    vec3_add(x, ray_end * length, d, from);
    if (sheet_cast(s, from, d, (1.0 - 2.0 * ray_end) * length, &t) < 0.0) {
        return true;
    }
    sheet_normal(s, t, n);
    return fabs(vec3_dot(n, d)) < meshes_grazing;
}

/* Whether a way from x comes out about at its end. */
static bool sheet_comes_out(const sheet *s, const double x[3], const double d[3],
                            double length)
{
    size_t t = 0;
    double way = sheet_cast(s, x, d, (1.0 + ray_window) * length, &t);
    double n[3];

    if (way < (1.0 - ray_window) * length) {
        return false;
    }
    sheet_normal(s, t, n);
    return vec3_dot(n, d) > meshes_grazing;
}

/* Where the way runs along a side, a ray aside from it, into the solid, shows the same.
 * */
bool sheet_is_left(const sheet *s, const double x[3], const double d[3], double length,
                   const double out[3])
{
    double across[3];
    double from[3];

    if (sheet_comes_out(s, x, d, length)) {
        return true;
    }
    vec3_add(out, -vec3_dot(out, d), d, across);
    vec3_scale(-1.0, across, across);
    if (vec3_normalize(across) == 0.0) {
        return false;
    }
    vec3_add(x, ray_aside * length, across, from);
    return sheet_is_clear(s, x, across, ray_aside * length) &&
           sheet_comes_out(s, from, d, length);
}

bool sheet_is_pierced(const sheet *s, size_t t, const double p[3], const double q[3])
{
    const perp_mesh *m = s->mesh;
    double from[3];
    double d[3];
    double x[9];
    double height[2];
    bool above = false;
    bool below = false;

    sheet_back(s, p, from);
    sheet_back(s, q, d);
    vec3_subtract(d, from, d);
    for (size_t k = 0; k < 3; k++) {
        vec3_subtract(m->point + 3 * (size_t)m->corner[3 * t + k], from, x + 3 * k);
    }
    height[0] = -vec3_dot(x, m->normal + 3 * t);
    height[1] = height[0] + vec3_dot(d, m->normal + 3 * t);
    for (size_t k = 0; k < 3; k++) {
        double cross[3];
        double volume = 0.0;

        vec3_cross(x + 3 * k, x + 3 * ((k + 1) % 3), cross);
        volume = vec3_dot(cross, d);
        above = above || volume > 0.0;
        below = below || volume < 0.0;
    }
    return !(above && below) && height[0] * height[1] < 0.0;
}
