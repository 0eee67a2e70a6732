/* SPDX-License-Identifier: Apache-2.0
 * world/shape_check.c: checks of shapes that are added to a world. */
#include <config.h>

#include <perp/dynamics/rotation.h>

#include "base/base.h"
#include "world/shapes.h"

/* Accepts a unit quaternion printed with seven digits. */
static const double unit_tolerance = 1e-6;

size_t shape_size_count(const perp_world *w, const perp_shape *shape)
{
    const perp_shape_type *type = shape->type;

    return w->dimension == 2 && type->plane_sizes ? type->plane_sizes : type->sizes;
}

static perp_status check_place(const perp_world *w, const perp_shape *s, perp_error *err)
{
    static const double zero[4] = {0};
    const char *name = s->type->name;
    double turn[4];
    double length = 1.0;

    if (!math_finite(s->at, 3) || !math_finite(s->turn, 4)) {
        return perp_fail(err, PERP_ERR_DATA, "%s: position on the body is not finite",
                         name);
    }
    if (memcmp(s->turn, zero, sizeof zero) != 0) {
        memcpy(turn, s->turn, sizeof turn);
        length = perp_quat_normalize(turn);
    }
    if (fabs(length - 1.0) > unit_tolerance) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "%s: the length of the quaternion is %g, expected 1 (within 1e-6)", name,
            length);
    }
    if (w->dimension == 2 && !s->type->lamina && !s->type->unbounded) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: not supported in two dimensions, expected one of: sphere, "
                         "box, hull, plane, compound",
                         name);
    }
    if (w->dimension == 2 &&
        (s->at[2] != 0.0 || s->turn[1] != 0.0 || s->turn[2] != 0.0)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: pose out of the plane, expected a position in it and a "
                         "rotation about z in two dimensions",
                         name);
    }
    return PERP_OK;
}

/* Check the corners or the polytope of a hull. */
static perp_status check_hull(const perp_world *w, const perp_shape *s, perp_error *err)
{
    size_t least = w->dimension == 2 ? 3 : 4;

    if (s->polytope) {
        bool flat = s->polytope->face_start[1] == 2; /* sides have two corners */

        return flat == (w->dimension == 2)
                   ? PERP_OK
                   : perp_fail(err, PERP_ERR_DATA,
                               "hull: a poly%s, expected a poly%s in %u dimensions",
                               flat ? "gon" : "hedron", flat ? "hedron" : "gon",
                               w->dimension);
    }
    if (s->corner_count < least || !s->corners) {
        return perp_fail(err, PERP_ERR_DATA, "hull: %zu corner%s, expected at least %zu",
                         s->corners ? s->corner_count : 0,
                         perp_plural(s->corners ? s->corner_count : 0), least);
    }
    if (s->corner_count > INT32_MAX / 3) {
        return perp_fail(err, PERP_ERR_DATA, "hull: %zu corner%s are too many",
                         s->corner_count, perp_plural(s->corner_count));
    }
    for (size_t k = 0; k < s->corner_count; k++) {
        if (!math_finite(s->corners + 3 * k, w->dimension)) {
            return perp_fail(err, PERP_ERR_DATA, "hull: corner %zu is not finite", k);
        }
    }
    return PERP_OK;
}

static perp_status check_mesh(const perp_shape *s, bool moves, perp_error *err)
{
    if (!s->mesh) {
        return perp_fail(err, PERP_ERR_DATA, "mesh: no surface");
    }
    return moves && s->mesh->fault[0] != '\0'
               ? perp_fail(err, PERP_ERR_DATA, "mesh: %s on a dynamic body",
                           s->mesh->fault)
               : PERP_OK;
}

/* Check the functions that every search needs. */
static perp_status check_type(const perp_shape_type *type, perp_error *err)
{
    if (!type->reach || !type->bounds) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: its type has no %s, expected a function", type->name,
                         type->reach ? "bounds" : "reach");
    }
    if (!type->support && !type->unbounded && !type->is_mesh && !type->has_parts) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: its type has no support, expected a convex shape",
                         type->name);
    }
    return PERP_OK;
}

/* All but the body and the parts. */
static perp_status check_alone(const perp_world *w, const perp_shape *s, perp_error *err)
{
    const char *name = s->type->name;

    if (s->material < 0 || (size_t)s->material >= w->material_count) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "%s: material is number %d, expected one of %zu materials, from 0", name,
            (int)s->material, w->material_count);
    }
    if (s->colour != 0 && (s->colour & ~UINT32_C(0xffffff)) != PERP_COLOUR) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: its colour is 0x%x, expected 0 or 0x1000000 and six digits "
                         "of red, green, blue",
                         name, (unsigned)s->colour);
    }
    TRY(check_type(s->type, err));
    TRY(shape_check_sizes(s, shape_size_count(w, s), err));
    TRY(check_place(w, s, err));
    if (s->type->from_points) {
        TRY(check_hull(w, s, err));
    }
    return PERP_OK;
}

static perp_status check_parts(const perp_world *w, const perp_shape *s, perp_error *err)
{
    perp_status status = PERP_OK;

    if (s->part_count == 0 || !s->parts) {
        return perp_fail(err, PERP_ERR_DATA, "compound: no parts, expected at least one");
    }
    if (s->part_count > INT32_MAX) {
        return perp_fail(err, PERP_ERR_DATA, "compound: %zu parts are too many",
                         s->part_count);
    }
    for (size_t k = 0; k < s->part_count && status == PERP_OK; k++) {
        const perp_shape *part = &s->parts[k];
        perp_error cause = {0};

        if (!part->type || !part->type->support) {
            return perp_fail(err, PERP_ERR_DATA,
                             "compound: part %zu is %s%s, expected a convex shape", k,
                             part->type ? "a " : "without a type",
                             part->type ? part->type->name : "");
        }
        status = check_alone(w, part, &cause);
        if (status != PERP_OK) {
            perp_fail(err, status, "compound: part %zu: %s", k, cause.text);
        }
    }
    return status;
}

perp_status shape_check_form(const perp_world *w, const perp_shape *s, bool moves,
                             perp_error *err)
{
    perp_status status = check_alone(w, s, err);

    if (status == PERP_OK && s->type->is_mesh) {
        status = check_mesh(s, moves, err);
    }
    return status == PERP_OK && s->type->has_parts ? check_parts(w, s, err) : status;
}

perp_status shape_check_typed(const perp_world *w, const perp_shape *s, perp_error *err)
{
    return s->type ? PERP_OK
                   : perp_fail(err, PERP_ERR_DATA, "shape %zu: no type", w->shape_count);
}

perp_status shape_check(const perp_world *w, const perp_shape *s, perp_error *err)
{
    TRY(shape_check_typed(w, s, err));
    if (s->body < 0 || (size_t)s->body >= w->body_count) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: body is number %d, expected one of %zu bod%s, from 0",
                         s->type->name, (int)s->body, w->body_count,
                         perp_plural_y(w->body_count));
    }
    return shape_check_form(w, s, world_moves(w, s->body), err);
}
