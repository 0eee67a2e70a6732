/* SPDX-License-Identifier: Apache-2.0
 * collision/placed.c: poses of shapes in the world, and their boxes for the broad phase.
 *
 * A box is the tight axis-aligned box, grown on every side by
 *
 *     margin/2 + dt (|v| + |w| l + dt |g|)
 *
 * with the velocities v, w of its body, the largest distance l of its points from the
 * centre of mass, the speculative time dt, and g for bodies that it moves. The margin of
 * a pair grows likewise: points p_a, p_b where two surfaces are nearest approach at
 *
 *     n.(v_a(p_a) - v_b(p_b)) <= |v_b - v_a| + |w_a| l_a + |w_b| l_b
 *
 * and, since n.(w x n) = 0, at no more than the field of one body at points of the other,
 *
 *     |v_b - v_a - w_a x (r_b - r_a)| + |w_b - w_a| l_b
 *
 * which also holds where a is unbounded. So within dt no gap beyond the margin closes
 * while velocities change by gravity alone. The pair's growth is never above that of its
 * boxes. */
#include <config.h>

#include <stdlib.h>

#include <perp/dynamics/rotation.h>

#include "base/base.h"
#include "collision/collider.h"

/* Of a coordinate: what rounding of a pose and a box may hide, so that shapes that touch
 * have boxes that do. A dozen products of numbers of that size. */
static const double rounding = 1e-14;

void collide_parts_clear(collide_parts *p)
{
    free(p->block);
    memset(p, 0, sizeof *p);
}

/* Arrays in one block, wider entries first. */
static perp_status placed_reserve(collide_parts *p, size_t count, perp_error *err)
{
    const size_t each = sizeof *p->at + sizeof *p->boxes + sizeof *p->lever +
                        sizeof *p->immovable + sizeof *p->kind;
    size_t room = count + count / 2 + 8;
    char *block = NULL;

    p->count = 0;
    if (p->block && count <= p->room) {
        return PERP_OK;
    }
    block = count <= SIZE_MAX / 4 ? math_alloc(room, each) : NULL;
    if (!block) {
        return perp_fail(err, PERP_ERR_MEMORY, "collide: no memory for %zu shapes",
                         count);
    }
    free(p->block);
    p->block = (double *)(void *)block;
    p->room = room;
    p->at = (placed *)(void *)block;
    p->boxes = (perp_aabb *)(void *)(p->at + room);
    p->lever = (double *)(void *)(p->boxes + room);
    p->immovable = (bool *)(void *)(p->lever + room);
    p->kind = (uint8_t *)(p->immovable + room);
    return PERP_OK;
}

static uint8_t placed_kind_of(const perp_shape_type *type)
{
    const perp_shape_type *const *types = perp_shape_types(NULL);
    uint8_t k = 0;

    while (k < COLLIDE_KINDS && types[k] && types[k] != type) {
        k++;
    }
    return k < COLLIDE_KINDS && types[k] ? k : COLLIDE_KINDS;
}

void collide_stand(const perp_world *world, const perp_state *state, size_t number,
                   perp_placed *out)
{
    out->shape = &world->shapes[number];
    perp_shape_pose(state, out->shape, out->R, out->x);
}

/* A part of a compound that stands at `whole`. */
static void placed_stand_part(const perp_placed *whole, const perp_shape *part,
                              perp_placed *out)
{
    static const double zero[4] = {0};
    double R[9];

    out->shape = part;
    memcpy(out->R, whole->R, sizeof out->R);
    if (memcmp(part->turn, zero, sizeof zero) != 0) {
        perp_rotation_matrix(part->turn, R);
        mat3_multiply(whole->R, R, out->R);
    }
    mat3_apply(whole->R, part->at, out->x);
    vec3_add(whole->x, 1.0, out->x, out->x);
}

void collide_place_part(const perp_world *world, const perp_state *state, size_t number,
                        size_t part, perp_placed *out)
{
    const perp_shape *shape = &world->shapes[number];
    perp_placed whole;

    collide_stand(world, state, number, &whole);
    if (shape->type->has_parts) {
        placed_stand_part(&whole, &shape->parts[part], out);
    } else {
        *out = whole;
    }
}

/* Half of the growth of a pair that is this body's share. */
static double placed_growth(const perp_world *w, const perp_state *state,
                            const perp_collide_settings *settings, int32_t body,
                            double lever)
{
    const double *u = perp_body_velocity(state, (size_t)body);
    double speed = vec3_length(u) + vec3_length(u + 3) * lever;

    if (world_moves(w, body)) {
        speed += settings->speculative * vec3_length(w->gravity);
    }
    return settings->speculative * speed;
}

static void placed_grow(perp_aabb *box, double by)
{
    for (int k = 0; k < 3; k++) {
        box->lo[k] -= by + rounding * fabs(box->lo[k]);
        box->hi[k] += by + rounding * fabs(box->hi[k]);
    }
}

/* One more part, its place already in p->at[p->count].at. */
static void placed_add_part(collide_parts *p, const perp_world *w,
                            const perp_state *state, const perp_shape *shape,
                            const perp_collide_settings *settings, size_t number,
                            size_t part)
{
    placed *at = &p->at[p->count];
    const perp_shape_type *type = at->at.shape->type;
    perp_aabb *box = &p->boxes[p->count];
    double by = 0.5 * settings->margin;
    double arm[3];

    at->number = number;
    at->id = shape->id;
    at->part = part;
    at->body = shape->body;
    at->material = at->at.shape->material;
    at->reach = type->reach(at->at.shape);
    p->kind[p->count] = placed_kind_of(type);
    p->immovable[p->count] = !world_moves(w, shape->body);
    p->lever[p->count] = at->reach;
    type->bounds(at->at.shape, w->dimension, at->at.R, at->at.x, box);
    if (isfinite(at->reach)) {
        vec3_subtract(at->at.x, perp_body_pose(state, (size_t)shape->body), arm);
        p->lever[p->count] += vec3_length(arm);
        by += settings->speculative > 0.0
                  ? placed_growth(w, state, settings, shape->body, p->lever[p->count])
                  : 0.0;
    }
    placed_grow(box, by);
    p->count++;
}

static size_t placed_count_parts(const perp_world *w)
{
    size_t count = 0;

    for (size_t k = 0; k < w->shape_count; k++) {
        count += w->shapes[k].type->has_parts ? w->shapes[k].part_count : 1;
    }
    return count;
}

perp_status collide_place(perp_collider *c, const perp_world *w, const perp_state *state,
                          const perp_collide_settings *settings, perp_error *err)
{
    collide_parts *p = &c->parts;

    TRY(placed_reserve(p, placed_count_parts(w), err));
    p->compounds = false;
    for (size_t k = 0; k < w->shape_count; k++) {
        const perp_shape *shape = &w->shapes[k];

        if (!shape->type->has_parts) {
            collide_stand(w, state, k, &p->at[p->count].at);
            placed_add_part(p, w, state, shape, settings, k, 0);
        } else {
            perp_placed whole;

            collide_stand(w, state, k, &whole);
            p->compounds = true;
            for (size_t part = 0; part < shape->part_count; part++) {
                placed_stand_part(&whole, &shape->parts[part], &p->at[p->count].at);
                placed_add_part(p, w, state, shape, settings, k, part);
            }
        }
    }
    return PERP_OK;
}

/* How fast surfaces of b and a may approach, b with a finite lever. */
static double placed_approach(const perp_state *state, int32_t a, double lever_a,
                              int32_t b, double lever_b)
{
    const double *u_a = perp_body_velocity(state, (size_t)a);
    const double *u_b = perp_body_velocity(state, (size_t)b);
    double v[3];
    double spin[3];
    double arm[3];

    vec3_subtract(u_b, u_a, v);
    if (isfinite(lever_a)) {
        return vec3_length(v) + vec3_length(u_a + 3) * lever_a +
               vec3_length(u_b + 3) * lever_b;
    }
    vec3_subtract(perp_body_pose(state, (size_t)b), perp_body_pose(state, (size_t)a),
                  arm);
    vec3_cross(u_a + 3, arm, arm);
    vec3_subtract(v, arm, v);
    vec3_subtract(u_b + 3, u_a + 3, spin);
    return vec3_length(v) + vec3_length(spin) * lever_b;
}

/* The same of any two parts; 0 where both are unbounded, which never meet. */
static double placed_approach_of(const collide_parts *p, const perp_state *state,
                                 size_t i, size_t j)
{
    size_t a = isfinite(p->lever[j]) ? i : j;
    size_t b = isfinite(p->lever[j]) ? j : i;

    return isfinite(p->lever[b]) ? placed_approach(state, p->at[a].body, p->lever[a],
                                                   p->at[b].body, p->lever[b])
                                 : 0.0;
}

double collide_closing(const collide_parts *p, const perp_state *state,
                       const perp_collide_settings *settings, size_t i, size_t j)
{
    return settings->closing * placed_approach_of(p, state, i, j);
}

double collide_margin(const collide_parts *p, const perp_world *w,
                      const perp_state *state, const perp_collide_settings *settings,
                      size_t i, size_t j)
{
    double dt = settings->speculative;
    double speed = 0.0;

    if (!(dt > 0.0) || !(isfinite(p->lever[i]) || isfinite(p->lever[j]))) {
        return settings->margin;
    }
    speed = placed_approach_of(p, state, i, j);
    if (p->immovable[i] != p->immovable[j]) {
        speed += dt * vec3_length(w->gravity);
    }
    return settings->margin + dt * speed;
}
