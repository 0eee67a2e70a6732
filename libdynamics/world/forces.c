/* SPDX-License-Identifier: Apache-2.0
 * world/forces.c: the registry of force types, and checks of a force that is added to a
 * world. */
#include <config.h>

#include <string.h>

#include "base/base.h"
#include "world/forces.h"

/* clang-format off */
static const perp_force_type *const registry[] = {
    &force_spring,
    &force_torsion_spring,
    &force_damper,
    &force_drag,
    &force_constant,
    &force_user,
    NULL,
};
/* clang-format on */

const perp_force_type *const *perp_force_types(size_t *count)
{
    if (count) {
        *count = sizeof registry / sizeof *registry - 1;
    }
    return registry;
}

const perp_force_type *perp_force_type_find(const char *name)
{
    for (size_t k = 0; registry[k]; k++) {
        if (strcmp(registry[k]->name, name) == 0) {
            return registry[k];
        }
    }
    return NULL;
}

const char *force_name(const perp_force *force)
{
    return force->name[0] ? force->name : force->type->name;
}

perp_status force_check_signs(const perp_force *force, int count, perp_error *err)
{
    for (int k = 0; k < count; k++) {
        const char *text = force->type->parameters[k]; /* "stiffness [N/m]" */
        int length = (int)(strstr(text, " [") - text);

        if (force->value[k] < 0.0) {
            return perp_fail(
                err, PERP_ERR_DATA, "force \"%s\": %.*s is %g, expected a number >= 0%s",
                force_name(force), length, text, force->value[k], text + length);
        }
    }
    return PERP_OK;
}

perp_status force_check_axis(const perp_force *force, perp_error *err)
{
    if (vec3_length(force->axis) > 0.0) {
        return PERP_OK;
    }
    return perp_fail(err, PERP_ERR_DATA,
                     "force \"%s\": axis has length 0, expected a direction",
                     force_name(force));
}

void force_add_at(const perp_state *state, int32_t k, const double F[3],
                  const double p[3], double *f)
{
    double *fk = f + 6 * (size_t)k;
    double arm[3];
    double torque[3];

    vec3_subtract(p, perp_body_pose(state, (size_t)k), arm);
    vec3_cross(arm, F, torque);
    vec3_add(fk, 1.0, F, fk);
    vec3_add(fk + 3, 1.0, torque, fk + 3);
}

void force_point_velocity(const perp_state *state, int32_t k, const double p[3],
                          double v[3])
{
    const double *u = perp_body_velocity(state, (size_t)k);
    double arm[3];

    vec3_subtract(p, perp_body_pose(state, (size_t)k), arm);
    vec3_cross(u + 3, arm, v);
    vec3_add(v, 1.0, u, v);
}

void force_add_square(double *A, size_t n, double f, const double *x)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            A[n * i + j] += f * (x[i] * x[j]);
        }
    }
}

void force_relative(size_t c, const double a_i[3], const double a_j[3], double row[12])
{
    double e[3] = {0.0, 0.0, 0.0};

    e[c] = 1.0;
    vec3_scale(-1.0, e, row);
    vec3_cross(e, a_i, row + 3);
    vec3_copy(row + 6, e);
    vec3_cross(a_j, e, row + 9);
}

void force_add_turn(double *A, size_t n, size_t at, double f, const double F[3],
                    const double a[3])
{
    const double along = vec3_dot(F, a);

    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) {
            A[n * (at + i) + at + j] +=
                f * (0.5 * (F[i] * a[j] + a[i] * F[j]) - (i == j ? along : 0.0));
        }
    }
}

/* One of the two bodies: `which` is 'i' or 'j'. */
static perp_status forces_check_body(const perp_world *w, const perp_force *force,
                                     char which, int32_t k, perp_error *err)
{
    if (k >= 0 && (size_t)k < w->body_count) {
        return PERP_OK;
    }
    return perp_fail(err, PERP_ERR_DATA,
                     "force \"%s\": body %c is number %d, expected 0 .. %d",
                     force_name(force), which, (int)k, (int)w->body_count - 1);
}

static perp_status forces_check_bodies(const perp_world *w, const perp_force *force,
                                       perp_error *err)
{
    perp_status status = PERP_OK;

    if (force->type->bodies > 0) {
        status = forces_check_body(w, force, 'i', force->i, err);
    }
    if (status == PERP_OK && force->type->bodies > 1) {
        status = forces_check_body(w, force, 'j', force->j, err);
        if (status == PERP_OK && force->i == force->j) {
            status = perp_fail(
                err, PERP_ERR_DATA,
                "force \"%s\": from body \"%s\" to itself, expected two different bodies",
                force_name(force), w->name[force->i]);
        }
    }
    return status;
}

static perp_status forces_check_numbers(const perp_force *force, perp_error *err)
{
    const char *const *names = force->type->parameters;

    for (int k = 0; names[k]; k++) {
        if (!isfinite(force->value[k])) {
            return perp_fail(err, PERP_ERR_DATA,
                             "force \"%s\": %s is %g, expected a finite number",
                             force_name(force), names[k], force->value[k]);
        }
    }
    if (!math_finite(force->anchor_i, 3) || !math_finite(force->anchor_j, 3)) {
        return perp_fail(err, PERP_ERR_DATA, "force \"%s\": an anchor is not finite",
                         force_name(force));
    }
    if (!math_finite(force->axis, 3)) {
        return perp_fail(err, PERP_ERR_DATA, "force \"%s\": axis is not finite",
                         force_name(force));
    }
    return PERP_OK;
}

bool perp_force_is_conservative(const perp_force *force)
{
    const perp_force_type *type = force->type;

    for (size_t k = 0; k < PERP_FORCE_PARAMETERS; k++) {
        if (type->dissipative >> k & 1u && force->value[k] != 0.0) {
            return false;
        }
    }
    return type->energy != NULL;
}

perp_status perp_world_add_force(perp_world *w, const perp_force *force, perp_error *err)
{
    perp_force *copy = NULL;

    if (!memchr(force->name, '\0', sizeof force->name)) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "force \"%.*s\": name is longer than %zu bytes or not terminated",
            (int)sizeof force->name, force->name, sizeof force->name - 1);
    }
    if (!force->type) {
        return perp_fail(err, PERP_ERR_DATA, "force \"%s\": no type", force->name);
    }
    TRY(forces_check_bodies(w, force, err));
    TRY(forces_check_numbers(force, err));
    if (force->type->check) {
        TRY(force->type->check(force, err));
    }
    if (!GROW(w->forces, w->force_room, w->force_count + 1)) {
        return perp_fail(err, PERP_ERR_MEMORY, "world: no memory for force \"%s\"",
                         force_name(force));
    }
    copy = &w->forces[w->force_count++];
    *copy = *force;
    vec3_settle(copy->axis);
    return PERP_OK;
}
