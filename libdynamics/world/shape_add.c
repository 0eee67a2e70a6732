/* SPDX-License-Identifier: Apache-2.0
 * world/shape_add.c: adds shapes to bodies; the pose of a shape in the world.
 *
 *     R = R(q_body) R(turn),   x = r + R(q_body) at */
#include <config.h>

#include <stdlib.h>

#include <perp/dynamics/rotation.h>

#include "base/base.h"
#include "world/shapes.h"

void shape_cut(perp_world *w, size_t count)
{
    while (w->shape_count > count) {
        w->shapes_added = w->shapes[--w->shape_count].id;
        shape_release(&w->shapes[w->shape_count]);
    }
    if (count == 0) {
        shape_hulls_forget(w);
    }
}

/* The copy of a shape that the world stores, without its parts; members that its type
 * does not read are zero. */
static perp_status shape_settle(perp_world *w, const perp_shape *from, perp_shape *s,
                                perp_error *err)
{
    *s = (perp_shape){.type = from->type, .body = from->body, .material = from->material};
    vec3_copy(s->at, from->at);
    memcpy(s->turn, from->turn, sizeof s->turn);
    if (math_quat_settle(s->turn) == 0.0) { /* none is given */
        s->turn[0] = 1.0;
    }
    memcpy(s->size, from->size, shape_size_count(w, from) * sizeof *s->size);
    s->colour = from->colour;
    s->group = from->group;
    s->mask = from->mask;
    if (s->group == 0 && s->mask == 0) {
        s->group = 1;
        s->mask = UINT32_MAX;
    }
    if (s->type->is_mesh) {
        s->mesh = from->mesh;
        perp_mesh_hold(s->mesh);
    }
    if (!s->type->from_points) {
        return PERP_OK;
    }
    if (!from->polytope) {
        return shape_hull_make(w, from->corner_count, from->corners, &s->polytope, err);
    }
    s->polytope = from->polytope;
    perp_polytope_hold(s->polytope);
    return PERP_OK;
}

static perp_status shape_settle_parts(perp_world *w, const perp_shape *from,
                                      perp_shape *s, perp_error *err)
{
    perp_status status = PERP_OK;

    s->parts = math_alloc(from->part_count, sizeof *s->parts);
    if (!s->parts) {
        return perp_fail(err, PERP_ERR_MEMORY, "compound: no memory for %zu parts",
                         from->part_count);
    }
    for (size_t k = 0; k < from->part_count && status == PERP_OK; k++) {
        perp_shape *part = &s->parts[k];

        status = shape_settle(w, &from->parts[k], part, err);
        part->body = s->body;
        part->group = s->group;
        part->mask = s->mask;
        s->part_count = k + 1;
    }
    return status;
}

static perp_status shape_append(perp_world *w, const perp_shape *s, perp_error *err)
{
    if (!GROW(w->shapes, w->shape_room, w->shape_count + 1)) {
        return perp_fail(err, PERP_ERR_MEMORY, "world: no memory for shape %zu",
                         w->shape_count);
    }
    w->shapes[w->shape_count] = *s;
    w->shapes[w->shape_count].id = w->shapes_added++;
    w->shape_count++;
    return PERP_OK;
}

/* Add the mass of a shape as the world would store it. */
static perp_status weigh(perp_world *w, const perp_shape *shape, double density,
                         shape_mass *sum, perp_error *err)
{
    perp_shape s = {.type = NULL};
    perp_status status = shape_check_form(w, shape, true, err);

    if (status == PERP_OK) {
        status = shape_settle(w, shape, &s, err);
    }
    if (status == PERP_OK && s.type->has_parts) {
        status = shape_settle_parts(w, shape, &s, err);
    }
    if (status == PERP_OK) {
        status = shape_mass_add(sum, &s, w->dimension == 2, density, err);
    }
    shape_release(&s);
    return status;
}

perp_status perp_body_from_shapes(perp_body *body, perp_world *w, double density,
                                  size_t count, perp_shape *shapes, perp_error *err)
{
    const bool turned = vec3_length(body->q + 1) > 0.0 || body->q[0] != 0.0;
    shape_mass sum = {.m = 0.0};
    double arm[3];
    perp_status status = PERP_OK;

    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        status = shapes[k].type ? weigh(w, &shapes[k], density, &sum, err)
                                : perp_fail(err, PERP_ERR_DATA, "shape %zu: no type", k);
    }
    if (status == PERP_OK && !(sum.m > 0.0)) {
        status = perp_fail(err, PERP_ERR_DATA,
                           "body \"%s\": no mass in its %zu shape%s, expected at least "
                           "one with a volume",
                           body->name ? body->name : "", count, perp_plural(count));
    }
    if (status != PERP_OK) {
        return status;
    }
    body->mass = sum.m;
    memcpy(body->inertia, sum.inertia, sizeof body->inertia);
    vec3_copy(arm, sum.center);
    if (turned) {
        perp_quat_rotate(body->q, sum.center, arm);
    }
    vec3_add(body->r, 1.0, arm, body->r);
    for (size_t k = 0; k < count; k++) {
        vec3_subtract(shapes[k].at, sum.center, shapes[k].at);
    }
    return PERP_OK;
}

/* Append a shape that was checked. */
static perp_status shape_put(perp_world *w, const perp_shape *shape, perp_error *err)
{
    perp_shape s;
    perp_status status = shape_settle(w, shape, &s, err);

    if (status == PERP_OK && s.type->has_parts) {
        status = shape_settle_parts(w, shape, &s, err);
    }
    if (status == PERP_OK) {
        status = shape_append(w, &s, err);
    }
    if (status != PERP_OK) {
        shape_release(&s);
    }
    return status;
}

perp_status perp_world_add_shape(perp_world *w, const perp_shape *shape, int32_t *index,
                                 perp_error *err)
{
    TRY(shape_check(w, shape, err));
    TRY(shape_put(w, shape, err));
    if (index) {
        *index = (int32_t)(w->shape_count - 1);
    }
    return PERP_OK;
}

/* The shapes come first, since they can be taken back. */
static perp_status solid_put(perp_world *w, perp_body *body, double density, size_t count,
                             perp_shape *shapes, int32_t *index, perp_error *err)
{
    if (density != 0.0) {
        TRY(perp_body_from_shapes(body, w, density, count, shapes, err));
    }
    for (size_t k = 0; k < count; k++) {
        shapes[k].body = (int32_t)w->body_count;
        TRY(shape_check_typed(w, &shapes[k], err));
        TRY(shape_check_form(w, &shapes[k], body->motion == PERP_MOTION_DYNAMIC, err));
        TRY(shape_put(w, &shapes[k], err));
    }
    return perp_world_add_body(w, body, index, err);
}

perp_status perp_world_add_solid(perp_world *w, const perp_body *body, double density,
                                 size_t count, const perp_shape *shapes, int32_t *index,
                                 perp_error *err)
{
    const size_t before = w->shape_count;
    perp_body solid = *body;
    perp_shape *copy = math_alloc(count, sizeof *copy);
    perp_status status = PERP_OK;

    if (!copy) {
        return perp_fail(err, PERP_ERR_MEMORY, "world: no memory for %zu shapes", count);
    }
    if (count > 0) {
        memcpy(copy, shapes, count * sizeof *copy);
    }
    status = solid_put(w, &solid, density, count, copy, index, err);
    if (status != PERP_OK) {
        shape_cut(w, before);
    }
    free(copy);
    return status;
}

void perp_shape_pose(const perp_state *state, const perp_shape *shape, double R[9],
                     double x[3])
{
    static const double zero[4] = {0};
    const double *pose = perp_body_pose(state, (size_t)shape->body);
    double q[4];

    memcpy(q, pose + 3, sizeof q);
    if (memcmp(shape->turn, zero, sizeof zero) != 0) {
        perp_quat_multiply(pose + 3, shape->turn, q);
    }
    perp_rotation_matrix(q, R);
    perp_body_point(state, (size_t)shape->body, shape->at, x);
}
