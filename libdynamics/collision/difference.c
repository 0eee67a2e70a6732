/* SPDX-License-Identifier: Apache-2.0
 * collision/difference.c: support points of M = A (-) B in the axes of a,
 *
 *     S(d) = S_A(d) - R S_B(-R^T d) - t,
 *
 * where b stands at (R, t) in these. Points, segments, boxes and hulls are scanned here,
 * without a call; of equal corners the first one is taken. */
#include <config.h>

#include "collision/difference.h"
#include "shapes/shapes.h"

static void side_set(world_side *c, const perp_placed *at, bool flat)
{
    const perp_shape *s = at->shape;

    *c = (world_side){.kind = s->type->core,
                      .placed = at,
                      .radius = s->type->radius ? s->type->radius(s) : 0.0};
    switch (c->kind) {
    case PERP_CORE_POINT:
        break;
    case PERP_CORE_SEGMENT:
        c->half[2] = c->size = 0.5 * s->size[1];
        break;
    case PERP_CORE_BOX:
        vec3_set(c->half, s->size[0], s->size[1], flat ? 0.0 : s->size[2]);
        c->size = c->half[0] + c->half[1] + c->half[2];
        break;
    case PERP_CORE_HULL:
        c->size = s->polytope->reach;
        break;
    case PERP_CORE_SUPPORT:
        c->size = s->type->reach(s);
        break;
    }
}

void difference_set(difference *m, const perp_placed *a, const perp_placed *b,
                    const perp_narrow_settings *settings)
{
    double x[3];

    m->flat = settings && settings->dimension == 2;
    side_set(&m->a, a, m->flat);
    side_set(&m->b, b, m->flat);
    m->corners = m->a.kind != PERP_CORE_SUPPORT && m->b.kind != PERP_CORE_SUPPORT;
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            m->R[3 * i + j] =
                a->R[i] * b->R[j] + a->R[3 + i] * b->R[3 + j] + a->R[6 + i] * b->R[6 + j];
        }
    }
    vec3_subtract(b->x, a->x, x);
    mat3_apply_transposed(a->R, x, m->t);
    if (m->flat) {
        m->t[2] = 0.0;
    }
    m->size = m->a.size + m->b.size;
    /* each number of a point is a sum of about eight terms no larger than these */
    m->noise =
        4.0 * DBL_EPSILON * (m->size + fabs(m->t[0]) + fabs(m->t[1]) + fabs(m->t[2]));
}

static void difference_corner_of(const world_side *c, int32_t k, double p[3])
{
    const double *h = c->half;

    if (c->kind == PERP_CORE_HULL) {
        const perp_polytope *hull = c->placed->shape->polytope;

        vec3_set(p, hull->x[k], hull->y[k], hull->z[k]);
    } else {
        vec3_set(p, k & 1 ? h[0] : -h[0], k & 2 ? h[1] : -h[1], k & 4 ? h[2] : -h[2]);
    }
}

int32_t world_support(const world_side *c, const double d[3], double p[3])
{
    int32_t corner = 0;

    switch (c->kind) {
    case PERP_CORE_HULL:
        corner = (int32_t)shape_hull_farthest(c->placed->shape->polytope, d);
        break;
    case PERP_CORE_BOX:
        corner = (d[0] >= 0.0) | (d[1] >= 0.0) << 1 | (d[2] >= 0.0) << 2;
        break;
    case PERP_CORE_SEGMENT:
        corner = (d[2] >= 0.0) << 2;
        break;
    case PERP_CORE_POINT:
        break;
    case PERP_CORE_SUPPORT:
        c->placed->shape->type->support(c->placed->shape, d, p);
        return -1;
    }
    difference_corner_of(c, corner, p);
    return corner;
}

static void difference_finish(const difference *m, difference_point *p)
{
    mat3_apply(m->R, p->b, p->b);
    vec3_add(p->b, 1.0, m->t, p->b);
    vec3_subtract(p->a, p->b, p->w);
}

void difference_support(const difference *m, const double d[3], difference_point *p)
{
    double back[3];

    mat3_apply_transposed(m->R, d, back);
    vec3_scale(-1.0, back, back);
    p->corner[0] = world_support(&m->a, d, p->a);
    p->corner[1] = world_support(&m->b, back, p->b);
    vec3_copy(p->along, d);
    difference_finish(m, p);
}

static bool difference_has_corner(const world_side *c, int32_t k)
{
    if (k < 0 || c->kind == PERP_CORE_SUPPORT) {
        return false;
    }
    return c->kind == PERP_CORE_HULL
               ? (size_t)k < c->placed->shape->polytope->corner_count
               : k < 8;
}

bool difference_corners(const difference *m, const int32_t corner[2], difference_point *p)
{
    if (!difference_has_corner(&m->a, corner[0]) ||
        !difference_has_corner(&m->b, corner[1])) {
        return false;
    }
    difference_corner_of(&m->a, corner[0], p->a);
    difference_corner_of(&m->b, corner[1], p->b);
    p->corner[0] = corner[0];
    p->corner[1] = corner[1];
    vec3_set(p->along, 0.0, 0.0, 0.0);
    difference_finish(m, p);
    return true;
}

static void difference_to_world(const perp_placed *at, const double x[3], double out[3])
{
    double turned[3];

    mat3_apply(at->R, x, turned);
    vec3_add(at->x, 1.0, turned, out);
}

void difference_report(const difference *m, const double n[3], const double a[3],
                       const double b[3], double distance, perp_proximity *out)
{
    const perp_placed *at = m->a.placed;

    mat3_apply(at->R, n, out->normal);
    difference_to_world(at, a, out->p_a);
    difference_to_world(at, b, out->p_b);
    vec3_add(out->p_a, m->a.radius, out->normal, out->p_a);
    vec3_add(out->p_b, -m->b.radius, out->normal, out->p_b);
    out->gap = distance - (m->a.radius + m->b.radius);
    out->overlap = out->gap <= 0.0;
}
