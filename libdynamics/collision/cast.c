/* SPDX-License-Identifier: Apache-2.0
 * collision/cast.c: rays against all shapes of a world: a tree of their boxes, each shape
 * whose box the ray enters, and the unbounded ones one by one.
 *
 * The tree is built again when a pose or a shape changed since the last ray, which costs
 * n log n; else a ray costs one look at all poses and what lies along it. Boxes are a
 * little larger than the shapes, so that the nearest hit is the one that a search of all
 * shapes finds, of equal ones the lowest number. */
#include <config.h>

#include <stdlib.h>

#include "base/base.h"
#include "collision/collider.h"

/* Of a coordinate: more than rounding of poses, boxes and slabs takes away. */
static const double grown = 1e-12;

/* A ray under way. */
typedef struct flight {
    const collide_rays *rays;
    unsigned dimension;
    const double *origin, *direction;
    perp_ray_hit best; /* the nearest one */
    bool found;
    bool all; /* every hit is kept */
    perp_ray_hit *hits;
    size_t count, room;
    bool no_memory;
} flight;

void collide_rays_clear(collide_rays *r)
{
    perp_tree_free(r->tree);
    free(r->block);
    free(r->s);
    memset(r, 0, sizeof *r);
}

/* Arrays in one block, wider entries first. */
static bool cast_reserve_shapes(collide_rays *r, size_t count)
{
    const size_t each = sizeof *r->at + sizeof *r->boxes + sizeof *r->shapes +
                        sizeof *r->leaf + sizeof *r->unbounded;
    size_t room = count + count / 2 + 8;
    char *block = NULL;

    if (r->block && count <= r->room) {
        return true;
    }
    block = count <= SIZE_MAX / 4 ? math_alloc(room, each) : NULL;
    if (!block) {
        return false;
    }
    free(r->block);
    r->block = (double *)(void *)block;
    r->room = room;
    r->at = (perp_placed *)(void *)block;
    r->boxes = (perp_aabb *)(void *)(r->at + room);
    r->shapes = (perp_shape *)(void *)(r->boxes + room);
    r->leaf = (uint32_t *)(void *)(r->shapes + room);
    r->unbounded = r->leaf + room;
    return true;
}

static bool cast_reserve(collide_rays *r, const perp_world *w)
{
    return GROW(r->s, r->s_room, 7 * w->body_count) &&
           cast_reserve_shapes(r, w->shape_count);
}

/* Whether nothing moved or changed since the tree was made. */
static bool cast_still_holds(const collide_rays *r, const perp_world *w,
                             const perp_state *state)
{
    return r->valid && r->shape_count == w->shape_count &&
           r->body_count == w->body_count &&
           (w->body_count == 0 || /* then there may be no lists */
            memcmp(r->s, state->s, 7 * w->body_count * sizeof *r->s) == 0) &&
           (w->shape_count == 0 ||
            memcmp(r->shapes, w->shapes, w->shape_count * sizeof *r->shapes) == 0);
}

/* Shape k, where its place is one, into the list that it belongs to. */
static void cast_place_shape(collide_rays *r, const perp_world *w,
                             const perp_state *state, size_t k)
{
    perp_placed *at = &r->at[k];
    perp_aabb *box = &r->boxes[r->bounded];

    collide_stand(w, state, k, at);
    if (!math_finite(at->R, 9) || !math_finite(at->x, 3)) {
        return;
    }
    if (at->shape->type->unbounded) {
        r->unbounded[r->unbounded_count++] = (uint32_t)k;
        return;
    }
    at->shape->type->bounds(at->shape, w->dimension, at->R, at->x, box);
    for (int x = 0; x < 3; x++) {
        double by = grown * fmax(fabs(box->lo[x]), fabs(box->hi[x]));

        box->lo[x] -= by;
        box->hi[x] += by;
    }
    if (math_finite(box->lo, 3) && math_finite(box->hi, 3)) {
        r->leaf[r->bounded++] = (uint32_t)k;
    }
}

static perp_status cast_make_tree(collide_rays *r, const perp_world *w,
                                  const perp_state *state, perp_error *err)
{
    perp_status status = r->tree ? PERP_OK : perp_tree_new(&r->tree, err);

    r->valid = false;
    if (status == PERP_OK && (w->shape_count > UINT32_MAX || !cast_reserve(r, w))) {
        status = perp_fail(err, PERP_ERR_MEMORY, "cast: no memory for %zu shapes",
                           w->shape_count);
    }
    if (status != PERP_OK) {
        return status;
    }
    r->bounded = r->unbounded_count = 0;
    for (size_t k = 0; k < w->shape_count; k++) {
        cast_place_shape(r, w, state, k);
    }
    status = perp_tree_build(r->tree, r->bounded, r->boxes, err);
    if (status == PERP_OK) {
        if (w->body_count > 0) { /* else there may be no list */
            memcpy(r->s, state->s, 7 * w->body_count * sizeof *r->s);
        }
        if (w->shape_count > 0) {
            memcpy(r->shapes, w->shapes, w->shape_count * sizeof *r->shapes);
        }
        r->shape_count = w->shape_count;
        r->body_count = w->body_count;
        r->valid = true;
    }
    return status;
}

static perp_status cast_check(const double origin[3], const double direction[3],
                              double most, perp_error *err)
{
    if (!math_finite(origin, 3) || !math_finite(direction, 3) ||
        !(vec3_dot(direction, direction) > 0.0) || !(most >= 0.0)) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "cast: from (%g, %g, %g) along (%g, %g, %g) up to %g, expected "
                         "a point, a direction that is not 0 and a number >= 0",
                         origin[0], origin[1], origin[2], direction[0], direction[1],
                         direction[2], most);
    }
    return PERP_OK;
}

static void cast_keep(flight *f, const perp_ray_hit *hit)
{
    if (!GROW(f->hits, f->room, f->count + 1)) {
        f->no_memory = true;
        return;
    }
    f->hits[f->count++] = *hit;
}

/* One shape; returns how far the ray is still of interest. */
static double cast_try_shape(flight *f, uint32_t shape, double most)
{
    perp_ray_hit hit = {0};

    if (!perp_ray_cast(&f->rays->at[shape], f->dimension, f->origin, f->direction, most,
                       &hit)) {
        return most;
    }
    hit.shape = shape;
    if (f->all) {
        cast_keep(f, &hit);
        return f->no_memory ? -1.0 : most;
    }
    if (!f->found || hit.t < f->best.t || (hit.t == f->best.t && shape < f->best.shape)) {
        f->best = hit;
        f->found = true;
    }
    return f->best.t;
}

static double cast_visit(void *context, uint32_t number, double t, double most)
{
    flight *f = context;

    (void)t;
    return cast_try_shape(f, f->rays->leaf[number], most);
}

static perp_status cast_fly(perp_collider *c, const perp_world *w,
                            const perp_state *state, double most, flight *f,
                            perp_error *err)
{
    collide_rays *r = &c->rays;

    TRY(cast_check(f->origin, f->direction, most, err));
    if (!cast_still_holds(r, w, state)) {
        TRY(cast_make_tree(r, w, state, err));
    }
    f->rays = r;
    f->dimension = w->dimension;
    for (size_t k = 0; k < r->unbounded_count && !f->no_memory; k++) {
        most = cast_try_shape(f, r->unbounded[k], most);
    }
    if (!f->no_memory) {
        perp_tree_cast(r->tree, f->origin, f->direction, most, cast_visit, f);
    }
    return f->no_memory ? perp_fail(err, PERP_ERR_MEMORY, "cast: no memory for %zu hits",
                                    f->count + 1)
                        : PERP_OK;
}

perp_status perp_collider_cast(perp_collider *c, const perp_world *w,
                               const perp_state *state, const double origin[3],
                               const double direction[3], double most, bool *found,
                               perp_ray_hit *hit, perp_error *err)
{
    flight f = {.origin = origin, .direction = direction};
    perp_status status = cast_fly(c, w, state, most, &f, err);

    *found = status == PERP_OK && f.found;
    if (*found) {
        *hit = f.best;
    }
    return status;
}

static int cast_compare(const void *a, const void *b)
{
    const perp_ray_hit *x = a;
    const perp_ray_hit *y = b;

    if (x->t != y->t) {
        return x->t < y->t ? -1 : 1;
    }
    return (x->shape > y->shape) - (x->shape < y->shape);
}

perp_status perp_collider_cast_all(perp_collider *c, const perp_world *w,
                                   const perp_state *state, const double origin[3],
                                   const double direction[3], double most, size_t *count,
                                   perp_ray_hit **hits, perp_error *err)
{
    flight f = {.origin = origin, .direction = direction, .all = true};
    perp_status status = cast_fly(c, w, state, most, &f, err);

    if (status == PERP_OK && f.count > 0) {
        qsort(f.hits, f.count, sizeof *f.hits, cast_compare);
    }
    *count = status == PERP_OK ? f.count : 0;
    *hits = f.hits;
    if (status != PERP_OK) {
        free(f.hits);
        *hits = NULL;
    }
    return status;
}
