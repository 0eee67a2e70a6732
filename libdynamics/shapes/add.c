/* SPDX-License-Identifier: Apache-2.0
 * shapes/add.c: a shape is checked and put on a body; its pose in the world.
 *
 *     R = R(q_body) R(turn),   x = r + R(q_body) at */
#include <config.h>

#include <stdlib.h>

#include <perp/dynamics/rotation.h>

#include "core.h"
#include "shapes.h"

/* A unit quaternion printed with seven digits is still taken. */
static const double unit_tolerance = 1e-6;

perp_status shape_check_sizes(const perp_shape *shape, size_t n, perp_error *err)
{
    for (size_t k = 0; k < n; k++) {
        if (!(shape->size[k] > 0.0 && isfinite(shape->size[k]))) {
            return perp_fail(
                err, PERP_ERR_DATA, "%s: %s is %g, expected a positive number [m]",
                shape->type->name, shape->type->size_name[k], shape->size[k]);
        }
    }
    return PERP_OK;
}

perp_status shape_weigh(const perp_shape *shape, size_t n, double density, double volume,
                        double *m, perp_error *err)
{
    perp_status status = shape_check_sizes(shape, n, err);

    if (status != PERP_OK) {
        return status;
    }
    if (!(density > 0.0 && isfinite(density))) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: density is %g, expected a positive number",
                         shape->type->name, density);
    }
    *m = density * volume;
    return PERP_OK;
}

/* How many sizes are read in a world of this dimension. */
static size_t size_count(const perp_world *w, const perp_shape *shape)
{
    return w->dimension == 2 && shape->type == &shape_box ? 2 : shape->type->sizes;
}

static perp_status check_plane(const perp_shape *s, perp_error *err)
{
    const perp_shape_type *type = s->type;

    if (!type->lamina && !type->unbounded) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: it has no place in two dimensions, expected one of: "
                         "sphere, box, plane",
                         type->name);
    }
    if (s->at[2] != 0.0 || s->turn[1] != 0.0 || s->turn[2] != 0.0) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: placed or turned out of the plane, expected a place in it "
                         "and a turn about z in two dimensions",
                         type->name);
    }
    return PERP_OK;
}

static perp_status check_corners(const perp_shape *s, perp_error *err)
{
    if (s->corner_count < 4 || !s->corners) {
        return perp_fail(err, PERP_ERR_DATA, "hull: %zu corners, expected at least 4",
                         s->corners ? s->corner_count : 0);
    }
    if (s->corner_count > INT32_MAX / 3) {
        return perp_fail(err, PERP_ERR_DATA, "hull: %zu corners are too many",
                         s->corner_count);
    }
    for (size_t k = 0; k < 3 * s->corner_count; k++) {
        if (!isfinite(s->corners[k])) {
            return perp_fail(err, PERP_ERR_DATA, "hull: corner %zu is not finite", k / 3);
        }
    }
    return PERP_OK;
}

static perp_status check_shape(const perp_world *w, const perp_shape *s, perp_error *err)
{
    const char *name = s->type->name;
    perp_status status = PERP_OK;

    if (s->body < 0 || (size_t)s->body >= w->body_count) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: on body %d, expected the number of one of %zu", name,
                         (int)s->body, w->body_count);
    }
    if (s->material < 0 || (size_t)s->material >= w->material_count) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: of material %d, expected the number of one of %zu", name,
                         (int)s->material, w->material_count);
    }
    if (!core_finite(s->at, 3) || !core_finite(s->turn, 4)) {
        return perp_fail(err, PERP_ERR_DATA, "%s: its place on the body is not finite",
                         name);
    }
    status = shape_check_sizes(s, size_count(w, s), err);
    if (status == PERP_OK && w->dimension == 2) {
        status = check_plane(s, err);
    }
    if (status == PERP_OK && s->type == &shape_hull && !s->polytope) {
        status = check_corners(s, err);
    }
    return status;
}

/* A unit turn, (1, 0, 0, 0) from nothing. */
static perp_status settle_turn(perp_shape *s, perp_error *err)
{
    static const double zero[4] = {0};
    double length = 1.0;

    if (memcmp(s->turn, zero, sizeof zero) == 0) {
        s->turn[0] = 1.0;
    }
    length = core_quat_settle(s->turn);
    if (fabs(length - 1.0) > unit_tolerance) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: the length of its turn is %g, expected 1 (within 1e-6)",
                         s->type->name, length);
    }
    return PERP_OK;
}

static perp_status settle_hull(perp_shape *s, const perp_shape *from, perp_error *err)
{
    if (from->polytope) {
        s->polytope = from->polytope;
        perp_polytope_hold(s->polytope);
        return PERP_OK;
    }
    return perp_polytope_new(&s->polytope, from->corner_count, from->corners, err);
}

static perp_status append(perp_world *w, perp_shape *s, perp_error *err)
{
    void *array = w->shapes;

    if (!core_grow(&array, sizeof *w->shapes, w->shape_room, &w->shape_room,
                   w->shape_count + 1)) {
        return perp_fail(err, PERP_ERR_MEMORY, "world: no memory for shape %zu",
                         w->shape_count);
    }
    w->shapes = array;
    w->shapes[w->shape_count] = *s;
    w->shape_count++;
    return PERP_OK;
}

/* The shape as the world keeps it; what its type does not read is zero. */
static perp_status settle(const perp_world *w, const perp_shape *from, perp_shape *s,
                          perp_error *err)
{
    perp_status status = check_shape(w, from, err);

    memset(s, 0, sizeof *s);
    if (status != PERP_OK) {
        return status;
    }
    s->type = from->type;
    s->body = from->body;
    s->material = from->material;
    vec3_copy(s->at, from->at);
    memcpy(s->turn, from->turn, sizeof s->turn);
    memcpy(s->size, from->size, size_count(w, from) * sizeof *s->size);
    status = settle_turn(s, err);
    if (status == PERP_OK && s->type == &shape_hull) {
        status = settle_hull(s, from, err);
    }
    return status;
}

perp_status perp_world_add_shape(perp_world *w, const perp_shape *shape, int32_t *index,
                                 perp_error *err)
{
    perp_shape s;
    perp_status status = PERP_OK;

    if (!shape->type) {
        return perp_fail(err, PERP_ERR_DATA, "shape %zu: it has no type", w->shape_count);
    }
    status = settle(w, shape, &s, err);
    if (status == PERP_OK) {
        status = append(w, &s, err);
        if (status != PERP_OK) {
            perp_polytope_free(s.polytope);
        }
    }
    if (status == PERP_OK && index) {
        *index = (int32_t)(w->shape_count - 1);
    }
    return status;
}

void perp_shape_pose(const perp_world *w, const perp_shape *shape, double R[9],
                     double x[3])
{
    static const double zero[4] = {0};
    const double *pose = perp_body_pose(w, (size_t)shape->body);
    double q[4];

    memcpy(q, pose + 3, sizeof q);
    if (memcmp(shape->turn, zero, sizeof zero) != 0) {
        perp_quat_multiply(pose + 3, shape->turn, q);
    }
    perp_rotation_matrix(q, R);
    perp_world_point(w, (size_t)shape->body, shape->at, x);
}
