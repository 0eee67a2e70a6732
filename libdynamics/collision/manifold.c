/* SPDX-License-Identifier: Apache-2.0
 * collision/manifold.c: all contacts of two convex shapes whose nearest or deepest
 * points, and with them the normal n from a to b, are known.
 *
 * The patches that face each other along n are clipped (patch.h). Since n is the normal
 * at the nearest points, no gap is less than theirs. They are an additional contact where
 * none of the others is as deep, as where one patch is a point or segments cross.
 *
 * A patch that is tilted by more than 8 degrees from n is replaced by its edge or corner.
 * In the plane all patches are points and segments. */
#include <config.h>

#include "collision/patch.h"
#include "shapes/shapes.h"

/* Positions that rounding may exchange, in shares of the smaller and of the larger
 * reach. */
static const double same_place = 1e-9;
static const double rounding = 1e-13;
/* The sine and the cosine of 8 degrees: gaps along one normal are then right to the
 * square of the angle, whichever features touch. */
static const double leaning = 0.14;
static const double facing = 0.99;
/* Corners stand for the rim of a round face: where it leans by up to 1e-4 they may lie
 * 3e-5 radii above the lowest point. */
static const double rim = 3e-5;

/* Keep corners i and j of a patch: a segment, or a point when they are the same. */
static void manifold_keep_corners(patch *f, size_t i, size_t j)
{
    const double x[2] = {f->x[i], f->x[j]};
    const double y[2] = {f->y[i], f->y[j]};
    const double height[2] = {f->height[i], f->height[j]};
    const uint32_t id[2] = {f->id[i], f->id[j]};

    f->count = i == j ? 1 : 2;
    memcpy(f->x, x, sizeof x);
    memcpy(f->y, y, sizeof y);
    memcpy(f->height, height, sizeof height);
    memcpy(f->id, id, sizeof id);
}

/* The rise of a patch from corner i to corner j, as a share of their distance; INFINITY
 * when they coincide. */
static double manifold_rise(const patch *f, size_t i, size_t j)
{
    double up = fabs(f->height[j] - f->height[i]);
    double length = hypot(hypot(f->x[j] - f->x[i], f->y[j] - f->y[i]), up);

    return length > 0.0 ? up / length : INFINITY;
}

/* The edge, else the corner, of a leaning patch that is nearest to the other shape, if
 * the deepest point, at height `top`, is there: the face of a hull that looks most along
 * n need not have it. `sign` is 1 of a, which b is above of, and -1 of b. */
static void manifold_keep_nearest(patch *f, bool is_polytope, double sign, double top,
                                  double place)
{
    size_t best = 0;
    size_t next = 0;
    size_t last = 0;

    for (size_t k = 1; k < f->count; k++) {
        if (sign * f->height[k] > sign * f->height[best]) {
            best = k;
        }
    }
    next = (best + 1) % f->count;
    last = (best + f->count - 1) % f->count;
    if (manifold_rise(f, best, last) < manifold_rise(f, best, next)) {
        next = last;
    }
    if (is_polytope && f->count > 2 && manifold_rise(f, best, next) <= leaning &&
        sign * f->height[best] >= sign * top - place) {
        manifold_keep_corners(f, best, next);
    } else {
        manifold_keep_corners(f, best, best);
    }
}

/* In the plane: the ends of what is seen there. */
static void manifold_keep_ends(patch *f)
{
    size_t low = 0;
    size_t high = 0;

    for (size_t k = 1; k < f->count; k++) {
        low = f->x[k] < f->x[low] ? k : low;
        high = f->x[k] > f->x[high] ? k : high;
    }
    manifold_keep_corners(f, low, high);
}

/* The patch of shape s, `sign` 1 for a and -1 for b, whose corners go the other way. */
static void manifold_find_patch(const patch_pair *p, const perp_proximity *nearest,
                                const placed *s, double sign, patch *f)
{
    const perp_shape *shape = s->at.shape;
    bool flat = p->query->dimension == 2;
    double normal[3];
    double d[3];
    double along = 0.0;
    perp_face face;

    vec3_scale(sign, p->n, d);
    mat3_apply_transposed(s->at.R, d, d);
    shape_face(shape, d, &face);
    f->count = face.count;
    f->radius = shape->type->radius ? shape->type->radius(shape) : 0.0;
    for (size_t k = 0; k < face.count; k++) {
        size_t from = sign > 0.0 ? k : face.count - 1 - k;
        double *x = face.corner + 3 * from;

        x[2] = flat ? 0.0 : x[2];
        mat3_apply(s->at.R, x, x);
        vec3_add(x, 1.0, s->at.x, x);
        patch_put(p, f, k, x, face.id[from]);
    }
    if (flat) {
        manifold_keep_ends(f);
    }
    if (f->count > 2) {
        mat3_apply(s->at.R, face.normal, normal);
        along = vec3_dot(p->n, normal);
        patch_close(p, f, 1.0, normal);
    }
    if (f->count > 2 ? sign * along < facing
                     : f->count == 2 && manifold_rise(f, 0, 1) > leaning) {
        manifold_keep_nearest(f, shape->type->is_polytope, sign,
                              sign > 0.0 ? -f->radius : nearest->gap + f->radius,
                              p->place + nearest->tolerance);
    }
}

/* One number for all corners; of round shapes, which roll over them, none. */
static uint64_t manifold_patch_name(const placed *s, const patch *f)
{
    uint64_t name = 0;

    for (size_t k = 0; k < f->count && s->at.shape->type->is_polytope; k++) {
        name = query_feature(PATCH_NEAREST, name, f->id[k]);
    }
    return name;
}

static void manifold_add_nearest(const patch_pair *p, const perp_proximity *nearest)
{
    contact_query *m = p->query;
    double point[3];

    vec3_add(nearest->p_a, 1.0, nearest->p_b, point);
    vec3_scale(0.5, point, point);
    query_add(m, point, p->n, nearest->gap,
              query_feature(PATCH_NEAREST, manifold_patch_name(m->a, &p->a),
                            manifold_patch_name(m->b, &p->b)));
}

/* How much the deepest contact may lie above the deepest points and stand for them. */
static double manifold_slack_of(const patch_pair *p, double tolerance)
{
    const contact_query *m = p->query;

    if ((p->a.count > 2 && !m->a->at.shape->type->is_polytope) ||
        (p->b.count > 2 && !m->b->at.shape->type->is_polytope)) {
        return p->place + tolerance + rim * fmin(m->a->reach, m->b->reach);
    }
    return p->place + tolerance;
}

void query_manifold(contact_query *m, const perp_proximity *nearest)
{
    patch_pair p;

    if (!(nearest->gap <= m->margin)) {
        return;
    }
    p.query = m;
    p.place = fmax(same_place * fmin(m->a->reach, m->b->reach),
                   rounding * fmax(m->a->reach, m->b->reach));
    patch_frame(&p, nearest->normal, nearest->p_a);
    manifold_find_patch(&p, nearest, m->a, 1.0, &p.a);
    manifold_find_patch(&p, nearest, m->b, -1.0, &p.b);
    if (!nearest->converged || p.a.count == 1 || p.b.count == 1) {
        manifold_add_nearest(&p, nearest);
        return;
    }
    patch_clip(&p);
    if (p.least > nearest->gap + manifold_slack_of(&p, nearest->tolerance)) {
        manifold_add_nearest(&p, nearest);
    }
}
