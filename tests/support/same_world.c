/* SPDX-License-Identifier: Apache-2.0
 * tests/support/same_world.c: worlds, states and scenes compared bit by bit. */
#include <config.h>

#include <string.h>

#include "same_world.h"

/* Told once a scene: what differs. */
static bool same(const char *scene, const char *what, const void *a, const void *b,
                 size_t bytes)
{
    bool equal = bytes == 0 || memcmp(a, b, bytes) == 0;

    if (!equal) {
        test_note("%s: %s differs", scene, what);
    }
    return equal;
}

#define SAME(what, a, b, count) same(name, what, a, b, (count) * sizeof *(a))

static bool same_polytopes(const char *name, const perp_polytope *a,
                           const perp_polytope *b)
{
    if (!a || !b) {
        return a == b;
    }
    return SAME("corners of a hull", a->corner, b->corner, 3 * a->corner_count) &&
           a->face_count == b->face_count && a->edge_count == b->edge_count &&
           SAME("normals of a hull", a->normal, b->normal, 3 * a->face_count) &&
           SAME("faces of a hull", a->face_corner, b->face_corner,
                (size_t)a->face_start[a->face_count]) &&
           SAME("edges of a hull", a->edge, b->edge, 2 * a->edge_count) &&
           SAME("centre of a hull", a->center, b->center, 3);
}

static bool same_meshes(const char *name, const perp_mesh *a, const perp_mesh *b)
{
    if (!a || !b) {
        return a == b;
    }
    return a->point_count == b->point_count && a->triangle_count == b->triangle_count &&
           SAME("points of a mesh", a->point, b->point, 3 * a->point_count) &&
           SAME("triangles of a mesh", a->corner, b->corner, 3 * a->triangle_count);
}

static bool same_shapes(const char *name, const perp_shape *a, const perp_shape *b)
{
    bool good = a->type == b->type && a->body == b->body && a->material == b->material &&
                a->group == b->group && a->mask == b->mask && a->colour == b->colour &&
                a->part_count == b->part_count && SAME("at", a->at, b->at, 3) &&
                SAME("turn", a->turn, b->turn, 4) && SAME("size", a->size, b->size, 3) &&
                same_polytopes(name, a->polytope, b->polytope) &&
                same_meshes(name, a->mesh, b->mesh);

    for (size_t k = 0; k < a->part_count && good; k++) {
        good = same_shapes(name, &a->parts[k], &b->parts[k]);
    }
    return good;
}

static bool same_axes(const char *name, const perp_axis *a, const perp_axis *b)
{
    return a->has_lower == b->has_lower && a->has_upper == b->has_upper &&
           a->motor == b->motor && SAME("lower", &a->lower, &b->lower, 1) &&
           SAME("upper", &a->upper, &b->upper, 1) &&
           SAME("restitution", &a->restitution, &b->restitution, 1) &&
           SAME("target", &a->target, &b->target, 1) &&
           SAME("max_force", &a->max_force, &b->max_force, 1) &&
           SAME("max_rate", &a->max_rate, &b->max_rate, 1) &&
           SAME("cfm of limits", &a->limit_cfm, &b->limit_cfm, 1) &&
           SAME("cfm of the motor", &a->motor_cfm, &b->motor_cfm, 1) &&
           SAME("stiffness", &a->stiffness, &b->stiffness, 1) &&
           SAME("damping", &a->damping, &b->damping, 1) &&
           SAME("rest", &a->rest, &b->rest, 1) &&
           SAME("armature", &a->armature, &b->armature, 1);
}

/* What its type reads. */
static bool same_joints(const char *name, const perp_joint *a, const perp_joint *b)
{
    unsigned data = a->type->needs;
    bool good =
        a->type == b->type && strcmp(a->name, b->name) == 0 && a->i == b->i &&
        a->j == b->j && a->exact == b->exact && a->collide == b->collide &&
        a->disabled == b->disabled &&
        (!(data & PERP_JOINT_ANCHORS) || (SAME("anchor", a->anchor_i, b->anchor_i, 3) &&
                                          SAME("anchor", a->anchor_j, b->anchor_j, 3))) &&
        (!(data & PERP_JOINT_AXIS_I) || SAME("axis", a->axis_i, b->axis_i, 3)) &&
        (!(data & PERP_JOINT_AXIS_J) || SAME("axis", a->axis_j, b->axis_j, 3)) &&
        (!(data & PERP_JOINT_REST) || (SAME("rest", a->rest_i, b->rest_i, 3) &&
                                       SAME("q_rest", a->q_rest, b->q_rest, 4))) &&
        (!(data & PERP_JOINT_ANGLE) || SAME("theta", &a->theta, &b->theta, 1)) &&
        (!(data & PERP_JOINT_LENGTH) || SAME("length", &a->length, &b->length, 1)) &&
        SAME("erp", &a->erp, &b->erp, 1) && SAME("cfm", &a->cfm, &b->cfm, 1) &&
        SAME("softness of angles", &a->angular_cfm, &b->angular_cfm, 3) &&
        SAME("stiffness", &a->stiffness, &b->stiffness, 1) &&
        SAME("damping", &a->damping, &b->damping, 1);

    for (size_t k = 0; k < PERP_JOINT_AXES && good; k++) {
        good = same_axes(name, &a->axes[k], &b->axes[k]);
    }
    return good;
}

static bool same_forces(const char *name, const perp_force *a, const perp_force *b)
{
    return a->type == b->type && strcmp(a->name, b->name) == 0 && a->i == b->i &&
           (a->type->bodies == 1 || a->j == b->j) &&
           SAME("anchor", a->anchor_i, b->anchor_i, 3) &&
           SAME("anchor", a->anchor_j, b->anchor_j, 3) &&
           SAME("axis", a->axis, b->axis, 3) &&
           SAME("value", a->value, b->value, PERP_FORCE_PARAMETERS);
}

static bool same_materials(const perp_material *a, const perp_material *b)
{
    return strcmp(a->name, b->name) == 0 && a->mu == b->mu &&
           a->restitution == b->restitution && a->mu_rolling == b->mu_rolling &&
           a->erp == b->erp && a->cfm == b->cfm;
}

bool same_states(const char *name, const perp_state *a, const perp_state *b)
{
    return a->body_count == b->body_count && a->joint_count == b->joint_count &&
           SAME("poses", a->s, b->s, 7 * a->body_count) &&
           SAME("velocities", a->u, b->u, 6 * a->body_count) &&
           SAME("loads", a->load, b->load, 6 * a->body_count) &&
           SAME("coordinates of joints", a->axes, b->axes,
                PERP_JOINT_AXES * a->joint_count);
}

bool same_worlds(const char *name, const perp_world *a, const perp_world *b)
{
    const size_t n = a->body_count;
    bool good =
        a->dimension == b->dimension && n == b->body_count &&
        a->material_count == b->material_count && a->shape_count == b->shape_count &&
        a->joint_count == b->joint_count && a->force_count == b->force_count &&
        a->combine_mu == b->combine_mu &&
        a->combine_restitution == b->combine_restitution &&
        a->combine_erp == b->combine_erp &&
        (n == 0 || memcmp(a->disabled, b->disabled, n * sizeof *a->disabled) == 0) &&
        SAME("gravity", a->gravity, b->gravity, 3) &&
        SAME("motion", a->motion, b->motion, n) && SAME("gyro", a->gyro, b->gyro, n) &&
        SAME("mass", a->mass, b->mass, n) &&
        SAME("inertia", a->inertia, b->inertia, 9 * n);

    for (size_t k = 0; k < n && good; k++) {
        good = strcmp(a->name[k], b->name[k]) == 0;
    }
    for (size_t k = 0; k < a->material_count && good; k++) {
        good = same_materials(&a->materials[k], &b->materials[k]);
    }
    for (size_t k = 0; k < a->shape_count && good; k++) {
        good = same_shapes(name, &a->shapes[k], &b->shapes[k]);
    }
    for (size_t k = 0; k < a->joint_count && good; k++) {
        good = same_joints(name, &a->joints[k], &b->joints[k]);
    }
    for (size_t k = 0; k < a->force_count && good; k++) {
        good = same_forces(name, &a->forces[k], &b->forces[k]);
    }
    return good;
}

#define MEMBER_NAME(kind, member, list, name, unit, help) name,

bool same_schemes(const perp_scheme *a, const perp_scheme *b)
{
    static const char *const members[] = {PERP_SCHEME_LIST(MEMBER_NAME)};
    bool good = a->dt == b->dt && a->erp == b->erp && a->slop == b->slop;

    for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
        char x[64], y[64];

        perp_scheme_print(a, members[k], x, sizeof x);
        perp_scheme_print(b, members[k], y, sizeof y);
        good = good && strcmp(x, y) == 0;
    }
    return good;
}

bool same_scenes(const char *name, const perp_scene *a, const perp_scene *b)
{
    return same_worlds(name, a->world, b->world) &&
           same_states(name, a->world->start, b->world->start) &&
           same_schemes(&a->scheme, &b->scheme) && strcmp(a->name, b->name) == 0 &&
           strcmp(a->title, b->title) == 0 &&
           strcmp(a->description, b->description) == 0 &&
           strcmp(a->answer, b->answer) == 0 && strcmp(a->solver, b->solver) == 0 &&
           a->time == b->time && a->coordinates == b->coordinates &&
           a->reduction.euler == b->reduction.euler &&
           a->reduction.no_chart_switch == b->reduction.no_chart_switch;
}
