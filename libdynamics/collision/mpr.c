/* SPDX-License-Identifier: Apache-2.0
 * collision/mpr.c: overlap and a depth of two convex shapes by libccd's Minkowski portal
 * refinement [snethen-2008].
 *
 * A portal, a triangle of points of M = A (-) B, is refined where the ray from a point
 * inside M through the origin leaves it, until it lies on the surface of M. Its point
 * nearest to the origin, depth times n, is the result. It is not always the least depth.
 * Where it is on an edge of the portal, moving b by it may not separate the shapes: the
 * overlap along n, from one pair of supports, is then greater than the depth and replaces
 * it, and the pair counts as unresolved. The witnesses are at half the depth on either
 * side of the contact of libccd. Shapes that do not overlap have their distance by GJK;
 * where libccd gives no direction, as where they just touch or portals do not end, the
 * depth is that of EPA.
 *
 * libccd receives whole shapes in the axes of a, in units of their size, since its
 * tolerances are absolute; in the plane one shape gets a height. */
#include <config.h>

#include <ccd/ccd.h>

#include "collision/difference.h"
#include "collision/query.h"

typedef struct portal {
    difference m;
    double unit;      /* [m] */
    unsigned allowed; /* supports of a; behind these no numbers are told, which ends it */
    unsigned *calls;
} portal;

/* Half the height of a in the plane, in units: no way out. */
static const double height = 8.0;

static void mpr_support(const portal *s, bool second, const ccd_vec3_t *direction,
                        ccd_vec3_t *point)
{
    const world_side *c = second ? &s->m.b : &s->m.a;
    double d[3] = {direction->v[0], direction->v[1], direction->v[2]};
    double p[3];

    if (s->m.flat) {
        d[2] = 0.0;
    }
    if (second) {
        mat3_apply_transposed(s->m.R, d, d);
    }
    world_support(c, d, p);
    vec3_normalize(d);
    vec3_add(p, c->radius, d, p);
    if (second) {
        mat3_apply(s->m.R, p, p);
        vec3_add(p, 1.0, s->m.t, p);
    }
    vec3_scale(1.0 / s->unit, p, p);
    ccdVec3Set(point, p[0], p[1], p[2]);
}

static void mpr_support_a(const void *object, const ccd_vec3_t *direction,
                          ccd_vec3_t *point)
{
    const portal *s = object;

    if ((*s->calls)++ >= s->allowed) {
        ccdVec3Set(point, NAN, NAN, NAN);
        return;
    }
    mpr_support(s, false, direction, point);
    if (s->m.flat) {
        point->v[2] = direction->v[2] >= 0.0 ? height : -height;
    }
}

static void mpr_support_b(const void *object, const ccd_vec3_t *direction,
                          ccd_vec3_t *point)
{
    mpr_support(object, true, direction, point);
}

static void mpr_middle(const world_side *c, double x[3])
{
    vec3_set(x, 0.0, 0.0, 0.0);
    if (c->kind == PERP_CORE_HULL) {
        vec3_copy(x, c->placed->shape->polytope->center);
    }
}

static void mpr_center_a(const void *object, ccd_vec3_t *center)
{
    const portal *s = object;
    double x[3];

    mpr_middle(&s->m.a, x);
    vec3_scale(1.0 / s->unit, x, x);
    ccdVec3Set(center, x[0], x[1], x[2]);
}

static void mpr_center_b(const void *object, ccd_vec3_t *center)
{
    const portal *s = object;
    double x[3];

    mpr_middle(&s->m.b, x);
    mat3_apply(s->m.R, x, x);
    vec3_add(x, 1.0, s->m.t, x);
    vec3_scale(1.0 / s->unit, x, x);
    ccdVec3Set(center, x[0], x[1], x[2]);
}

/* What libccd finds of shapes that overlap: the depth [m], a unit direction, the middle
 * of the witnesses [m]; 0: nothing. */
static double mpr_direction_out(const portal *s, unsigned iterations, double n[3],
                                double x[3])
{
    ccd_t ccd;
    ccd_vec3_t direction;
    ccd_vec3_t position;
    ccd_real_t depth = 0.0;

    CCD_INIT(&ccd);
    ccd.support1 = mpr_support_a;
    ccd.support2 = mpr_support_b;
    ccd.center1 = mpr_center_a;
    ccd.center2 = mpr_center_b;
    ccd.max_iterations = iterations;
    ccd.mpr_tolerance = narrow_smooth;
    ccdVec3Set(&direction, 0.0, 0.0, 0.0);
    ccdVec3Set(&position, 0.0, 0.0, 0.0);
    if (ccdMPRPenetration(s, s, &ccd, &depth, &direction, &position) != 0) {
        return 0.0;
    }
    vec3_set(n, direction.v[0], direction.v[1], s->m.flat ? 0.0 : direction.v[2]);
    vec3_set(x, position.v[0], position.v[1], s->m.flat ? 0.0 : position.v[2]);
    vec3_scale(s->unit, x, x);
    depth *= vec3_normalize(n); /* 1, or the share in the plane: walls stand on it */
    return math_finite(n, 3) ? s->unit * depth : 0.0;
}

void perp_mpr(const perp_placed *a, const perp_placed *b,
              const perp_narrow_settings *settings, perp_proximity *out)
{
    unsigned iterations = narrow_iterations(settings);
    unsigned calls = 0;
    portal s = {.allowed = iterations, .calls = &calls};
    double n[3];
    double x[3];
    double p_a[3];
    double p_b[3];
    double depth = 0.0;
    double along = 0.0;
    double slack = 0.0;
    difference_point far;

    difference_set(&s.m, a, b, settings);
    s.unit = s.m.size + s.m.a.radius + s.m.b.radius;
    if (math_finite(s.m.R, 9) && math_finite(s.m.t, 3)) {
        depth = mpr_direction_out(&s, iterations, n, x);
    }
    if (!(depth > 0.0)) {
        perp_epa(a, b, settings, out);
        return;
    }
    difference_support(&s.m, n, &far);
    along = vec3_dot(far.w, n) + s.m.a.radius + s.m.b.radius;
    slack = 0.01 * depth + narrow_rough * s.unit;
    /* the least depth is anywhere between touching and this */
    *out = (perp_proximity){
        .converged = along <= depth + slack, .iterations = calls, .ran = "mpr"};
    depth = out->converged ? depth : along;
    out->tolerance = depth + narrow_rough * s.unit;
    vec3_add(x, 0.5 * depth - s.m.a.radius, n, p_a);
    vec3_add(x, -0.5 * depth + s.m.b.radius, n, p_b);
    difference_report(&s.m, n, p_a, p_b, s.m.a.radius + s.m.b.radius - depth, out);
}

static void mpr_contacts(contact_query *m)
{
    query_convex(m, perp_mpr);
}

const perp_narrow_type narrow_mpr = {
    .name = "mpr",
    .summary = "convex shapes, for comparison alone: depths by libccd, which are not the "
               "least; where its normal does "
               "not separate them the pair is unresolved",
    .reference = "snethen-2008",
    .takes = narrow_takes_convex,
    .measure = perp_mpr,
    .meet = mpr_contacts,
};
