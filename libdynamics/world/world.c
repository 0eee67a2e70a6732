/* SPDX-License-Identifier: Apache-2.0
 * world/world.c: a world and what is added to it: bodies and materials. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/inertia.h>
#include <perp/dynamics/rotation.h>

#include "base/base.h"
#include "world/shapes.h"
#include "world/trees.h"

#define PERP_TEXT_OF(name, text) text,
const char *const perp_gyro_names[] = {PERP_GYRO_LIST(PERP_TEXT_OF) NULL};
const char *const perp_combine_names[] = {PERP_COMBINE_LIST(PERP_TEXT_OF) NULL};
#undef PERP_TEXT_OF

/* Accepts a unit quaternion printed with seven digits. */
static const double unit_tolerance = 1e-6;

static perp_status world_defaults(perp_world *w, perp_error *err)
{
    perp_material plain = perp_material_default();

    snprintf(plain.name, sizeof plain.name, "default");
    w->gravity[w->dimension - 1] = -9.81;
    return perp_world_add_material(w, &plain, NULL, err);
}

perp_status perp_world_new(perp_world **world, unsigned dimension, perp_error *err)
{
    perp_world *w = NULL;
    perp_status status = PERP_OK;

    *world = NULL;
    if (dimension != 2 && dimension != 3) {
        return perp_fail(err, PERP_ERR_ARGUMENT, "world: dimension %u, expected 2 or 3",
                         dimension);
    }
    w = calloc(1, sizeof *w);
    if (!w) {
        return perp_fail(err, PERP_ERR_MEMORY, "world: no memory");
    }
    w->dimension = dimension;
    w->start = calloc(1, sizeof *w->start);
    status = w->start ? world_defaults(w, err)
                      : perp_fail(err, PERP_ERR_MEMORY, "world: no memory");
    if (status != PERP_OK) {
        perp_world_free(w);
        return status;
    }
    *world = w;
    return PERP_OK;
}

void perp_world_free(perp_world *w)
{
    if (!w) {
        return;
    }
    perp_world_unreduce(w);
    for (size_t k = 0; k < w->body_count; k++) {
        free(w->name[k]);
    }
    shape_cut(w, 0);
    free(w->name);
    world_names_free(w);
    free(w->motion);
    free(w->disabled);
    free(w->gyro);
    free(w->gravity_scale);
    free(w->friction_frame);
    free(w->axis_joint);
    free(w->mass);
    free(w->inertia);
    free(w->inverse_mass);
    perp_state_free(w->start);
    free(w->materials);
    free(w->shapes);
    free(w->joints);
    free(w->forces);
    free(w);
}

static void world_axis_on(perp_world *world, int32_t body, size_t joint, bool spins)
{
    int32_t *has = &world->axis_joint[body];

    if (*has < 0 || (spins && !world->joints[*has].type->spins)) {
        *has = (int32_t)joint;
    }
}

void world_joint_axis(perp_world *world, size_t k)
{
    const perp_joint *joint = &world->joints[k];
    const perp_joint_type *type = joint->type;
    bool turns = false;

    for (unsigned a = 0; a < type->axes; a++) {
        turns = turns || type->axis_unit[a] == PERP_AXIS_ANGLE;
    }
    if (turns && joint->j >= 0 && (type->needs & PERP_JOINT_AXIS_J)) {
        world_axis_on(world, joint->j, k, type->spins);
    }
    if (turns && joint->i >= 0 && (type->needs & PERP_JOINT_AXIS_I)) {
        world_axis_on(world, joint->i, k, false);
    }
}

void world_axes_refresh(perp_world *w)
{
    for (size_t k = 0; k < w->body_count; k++) {
        w->axis_joint[k] = -1;
    }
    for (size_t j = 0; j < w->joint_count; j++) {
        world_joint_axis(w, j);
    }
}

void world_keep_bodies(perp_world *w, const int32_t *number)
{
    size_t left = 0;

    for (size_t k = 0; k < w->body_count; k++) {
        if (number[k] < 0) {
            free(w->name[k]);
            continue;
        }
        w->name[left] = w->name[k];
        w->motion[left] = w->motion[k];
        w->disabled[left] = w->disabled[k];
        w->gyro[left] = w->gyro[k];
        w->gravity_scale[left] = w->gravity_scale[k];
        vec3_copy(w->friction_frame + 3 * left, w->friction_frame + 3 * k);
        w->mass[left] = w->mass[k];
        memmove(w->inertia + 9 * left, w->inertia + 9 * k, 9 * sizeof *w->inertia);
        w->inverse_mass[left] = w->inverse_mass[k];
        left++;
    }
    w->body_count = left;
}

void world_cut(perp_world *w, size_t bodies, size_t shapes, size_t joints)
{
    bool cut = w->body_count > bodies;
    bool fewer = w->joint_count > joints;

    shape_cut(w, shapes);
    w->joint_count = joints;
    world_keep_gears(w, NULL, joints);
    while (w->body_count > bodies) {
        free(w->name[--w->body_count]);
    }
    w->start->body_count = w->body_count;
    w->start->joint_count = w->joint_count;
    world_axes_refresh(w);
    if (cut) {
        world_names_refresh(w, WORLD_BODIES);
    }
    if (fewer) {
        world_names_refresh(w, WORLD_JOINTS);
    }
}

/* Reserve one more body in every array. */
static bool world_room(perp_world *w)
{
    const size_t count = w->body_count + 1;
    const math_column columns[] = {
        COLUMN(w->name, 1),          COLUMN(w->motion, 1),
        COLUMN(w->disabled, 1),      COLUMN(w->gyro, 1),
        COLUMN(w->gravity_scale, 1), COLUMN(w->friction_frame, 3),
        COLUMN(w->axis_joint, 1),    COLUMN(w->mass, 1),
        COLUMN(w->inertia, 9),       COLUMN(w->inverse_mass, 1),
    };

    return math_grow(columns, sizeof columns / sizeof *columns, &w->body_room, count) &&
           world_state_room(w->start, count, w->joint_count);
}

static perp_status body_fail(const perp_body *b, perp_error *err, const char *what,
                             double found, const char *expected)
{
    return perp_fail(err, PERP_ERR_DATA, "body \"%s\": %s is %g, expected %s", b->name,
                     what, found, expected);
}

/* In the plane: no component along z, rotation about z only. */
static perp_status body_check_plane(const perp_body *b, const double q[4],
                                    perp_error *err)
{
    if (b->r[2] != 0.0 || b->v[2] != 0.0) {
        return body_fail(b, err, "a component along z",
                         b->r[2] != 0.0 ? b->r[2] : b->v[2], "0 in two dimensions");
    }
    if (q[1] != 0.0 || q[2] != 0.0 || b->w[0] != 0.0 || b->w[1] != 0.0) {
        return perp_fail(err, PERP_ERR_DATA,
                         "body \"%s\": orientation or angular velocity out of the plane, "
                         "expected a rotation about z in two dimensions",
                         b->name);
    }
    if (vec3_length(b->friction_frame) > 0.0) {
        return perp_fail(err, PERP_ERR_DATA,
                         "body \"%s\": a friction frame is given, expected none in two "
                         "dimensions, where a contact has one direction of friction",
                         b->name);
    }
    return PERP_OK;
}

static perp_status body_check_pose(const perp_body *b, double q[4], perp_error *err)
{
    static const double zero[4] = {0};
    double length = 1.0;

    if (!math_finite(b->r, 3) || !math_finite(b->q, 4) || !math_finite(b->v, 3) ||
        !math_finite(b->w, 3)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "body \"%s\": a pose or velocity is not finite", b->name);
    }
    if (!isfinite(vec3_length(b->friction_frame))) {
        return perp_fail(err, PERP_ERR_DATA,
                         "body \"%s\": the friction frame is not finite", b->name);
    }
    memcpy(q, b->q, 4 * sizeof *q);
    if (memcmp(q, zero, sizeof zero) == 0) {
        q[0] = 1.0;
    }
    length = math_quat_settle(q);
    if (fabs(length - 1.0) > unit_tolerance) {
        return body_fail(b, err, "the length of the quaternion", length,
                         "1 (within 1e-6)");
    }
    return PERP_OK;
}

/* Check for a positive number with a finite inverse. */
static perp_status body_check_number(const perp_body *b, const char *what, double x,
                                     const char *unit, perp_error *err)
{
    char expected[64];

    if (x > 0.0 && isfinite(x) && isfinite(1.0 / x)) {
        return PERP_OK;
    }
    snprintf(expected, sizeof expected, "a positive number%s [%s]",
             x > 0.0 && isfinite(x) ? " with a finite inverse" : "", unit);
    return body_fail(b, err, what, x, expected);
}

/* Whether the inverse inertia, computed with the determinant, is finite and not zero. */
static bool body_inverts(const double I[9])
{
    const double inverse = 1.0 / mat3_determinant(I);

    return inverse > 0.0 && isfinite(inverse);
}

static perp_status body_check(const perp_world *w, const perp_body *b, double q[4],
                              perp_error *err)
{
    perp_status status = PERP_OK;

    if (!b->name || !b->name[0]) {
        return perp_fail(err, PERP_ERR_DATA, "body: no name");
    }
    if (perp_world_find_body(w, b->name) >= 0) {
        return perp_fail(err, PERP_ERR_DATA, "body \"%s\": another body has this name",
                         b->name);
    }
    status = body_check_pose(b, q, err);
    if (status == PERP_OK && w->dimension == 2) {
        status = body_check_plane(b, q, err);
    }
    if (status != PERP_OK || b->motion != PERP_MOTION_DYNAMIC) {
        return status;
    }
    status = body_check_number(b, "mass", b->mass, "kg", err);
    if (status != PERP_OK || w->dimension == 2) {
        return status == PERP_OK
                   ? body_check_number(b, "inertia about z", b->inertia[8], "kg m^2", err)
                   : status;
    }
    status = perp_inertia_check(b->inertia, err);
    if (status == PERP_OK && !body_inverts(b->inertia)) {
        return body_fail(b, err, "the determinant of the inertia",
                         mat3_determinant(b->inertia), "a number with a finite inverse");
    }
    if (status != PERP_OK) {
        char context[96];

        snprintf(context, sizeof context, "body \"%.64s\"", b->name);
        return perp_fail_in(err, status, context);
    }
    return PERP_OK;
}

perp_status perp_world_add_body(perp_world *w, const perp_body *b, int32_t *index,
                                perp_error *err)
{
    double q[4];
    size_t k = w->body_count;
    perp_status status = body_check(w, b, q, err);
    bool dynamic = b->motion == PERP_MOTION_DYNAMIC;
    char *name = NULL;

    if (status != PERP_OK) {
        return status;
    }
    name = math_text(b->name);
    if (!name || !world_room(w) || !world_names_room(w, WORLD_BODIES)) {
        free(name);
        return perp_fail(err, PERP_ERR_MEMORY, "world: no memory for body %zu", k);
    }
    w->name[k] = name;
    world_names_add(w, WORLD_BODIES, k);
    w->motion[k] = b->motion;
    w->disabled[k] = b->disabled;
    w->gyro[k] = b->gyro;
    w->gravity_scale[k] = b->no_gravity ? 0.0 : 1.0;
    vec3_copy(w->friction_frame + 3 * k, b->friction_frame);
    vec3_settle(w->friction_frame + 3 * k);
    w->axis_joint[k] = -1;
    w->mass[k] = dynamic ? b->mass : 0.0;
    w->inverse_mass[k] = dynamic ? 1.0 / b->mass : 0.0;
    memset(w->inertia + 9 * k, 0, 9 * sizeof *w->inertia);
    if (dynamic && w->dimension == 2) {
        w->inertia[9 * k + 8] = b->inertia[8];
    } else if (dynamic) {
        memcpy(w->inertia + 9 * k, b->inertia, 9 * sizeof *w->inertia);
    }
    vec3_copy(perp_body_pose(w->start, k), b->r);
    memcpy(perp_body_pose(w->start, k) + 3, q, sizeof q);
    memset(perp_body_velocity(w->start, k), 0, 6 * sizeof *w->start->u);
    if (b->motion != PERP_MOTION_STATIC) {
        vec3_copy(perp_body_velocity(w->start, k), b->v);
        vec3_copy(perp_body_velocity(w->start, k) + 3, b->w);
    }
    memset(w->start->load + 6 * k, 0, 6 * sizeof *w->start->load);
    w->start->body_count = ++w->body_count;
    world_refresh_body(w, w->start, k);
    if (index) {
        *index = (int32_t)k;
    }
    return PERP_OK;
}

perp_material perp_material_default(void)
{
    return (perp_material){.mu = 0.5};
}

static perp_status material_check(const perp_world *w, const perp_material *m,
                                  perp_error *err)
{
    if (!memchr(m->name, '\0', sizeof m->name)) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "material \"%.*s\": name is longer than %zu bytes or not terminated",
            (int)sizeof m->name, m->name, sizeof m->name - 1);
    }
    if (perp_world_find_material(w, m->name) == 0) {
        return perp_fail(err, PERP_ERR_DATA,
                         "material \"%s\" exists in every world, with friction %g: "
                         "expected another name, which shapes then refer to",
                         m->name, w->materials[0].mu);
    }
    if (!m->name[0] || perp_world_find_material(w, m->name) > 0) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "material \"%s\": name is empty or in use, expected a unique name", m->name);
    }
    if (!(m->mu >= 0.0 && isfinite(m->mu))) {
        return perp_fail(err, PERP_ERR_DATA,
                         "material \"%s\": mu is %g, expected a number >= 0", m->name,
                         m->mu);
    }
    if (!(m->restitution >= 0.0 && m->restitution <= 1.0)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "material \"%s\": restitution is %g, expected 0 .. 1", m->name,
                         m->restitution);
    }
    if (!(m->mu_rolling >= 0.0 && isfinite(m->mu_rolling))) {
        return perp_fail(err, PERP_ERR_DATA,
                         "material \"%s\": rolling friction is %g, expected a length "
                         ">= 0 [m]",
                         m->name, m->mu_rolling);
    }
    if (!world_erp_valid(m->erp)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "material \"%s\": erp is %g, expected 0 (that of the scheme) .. "
                         "1, or PERP_ERP_NONE",
                         m->name, m->erp);
    }
    if (!(m->cfm >= 0.0 && isfinite(m->cfm))) {
        return perp_fail(err, PERP_ERR_DATA,
                         "material \"%s\": cfm is %g, expected a number >= 0 [(m/s)/N]",
                         m->name, m->cfm);
    }
    return PERP_OK;
}

perp_status perp_world_add_material(perp_world *w, const perp_material *material,
                                    int32_t *index, perp_error *err)
{
    TRY(material_check(w, material, err));
    if (!world_names_room(w, WORLD_MATERIALS) ||
        !GROW(w->materials, w->material_room, w->material_count + 1)) {
        return perp_fail(err, PERP_ERR_MEMORY, "world: no memory for a material");
    }
    w->materials[w->material_count] = *material;
    world_names_add(w, WORLD_MATERIALS, w->material_count);
    if (index) {
        *index = (int32_t)w->material_count;
    }
    w->material_count++;
    return PERP_OK;
}

static double world_combine(perp_combine rule, double a, double b)
{
    switch (rule) {
    case PERP_COMBINE_GEOMETRIC_MEAN:
        return sqrt(a * b);
    case PERP_COMBINE_MIN:
        return fmin(a, b);
    case PERP_COMBINE_MAX:
        return fmax(a, b);
    case PERP_COMBINE_AVERAGE:
        return 0.5 * (a + b);
    case PERP_COMBINE_PRODUCT:
    default:
        return a * b;
    }
}

void perp_world_combine(const perp_world *w, int32_t a, int32_t b, perp_material *out)
{
    const perp_material *one = &w->materials[a];
    const perp_material *two = &w->materials[b];

    memset(out, 0, sizeof *out);
    out->mu = world_combine(w->combine_mu, one->mu, two->mu);
    out->restitution =
        world_combine(w->combine_restitution, one->restitution, two->restitution);
    /* a product of two lengths is not a length */
    out->mu_rolling =
        world_combine(w->combine_mu == PERP_COMBINE_PRODUCT ? PERP_COMBINE_GEOMETRIC_MEAN
                                                            : w->combine_mu,
                      one->mu_rolling, two->mu_rolling);
    out->cfm = one->cfm + two->cfm; /* two springs in series */
    /* erp of the scheme if one of them has 0 */
    if (one->erp != 0.0 && two->erp != 0.0) {
        const double erp = world_combine(w->combine_erp, world_erp(one->erp, 0.0),
                                         world_erp(two->erp, 0.0));

        out->erp = erp > 0.0 ? erp : PERP_ERP_NONE;
    }
}
