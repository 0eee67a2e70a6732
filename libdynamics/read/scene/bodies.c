/* SPDX-License-Identifier: Apache-2.0
 * read/scene/bodies.c: bodies with their shapes, mass and inertia; the ground.
 *
 * A body is described in axes of its own about an origin of its own. Where its inertia is
 * computed from its shapes, the centre of mass c may be elsewhere: then the frame of the
 * body is moved to it, r = p + R c, and shapes and anchors to a - c. The axes are
 * unchanged. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/inertia.h>
#include <perp/dynamics/rotation.h>

#include "base/base.h"
#include "read/scene/build.h"
#include "read/scene/document.h"
#include "read/scene/members.h"
#include "read/scene/quantity.h"
#include "read/scene/tables.h"
#include "world/shapes.h"
#include "world/world.h"

/* Nothing to compute a mass from: no shape, or planes, which are unbounded. */
static perp_status bodies_no_mass(scene_reader *rd, const scene_at *at,
                                  const scene_body *b, const scene_solids *list,
                                  const scene_at *missing)
{
    const scene_at density = scene_member_at(at, "density");

    if (list->count == 0) {
        return scene_fail(rd, missing, PERP_ERR_FORMAT,
                          " is missing, and the body has no shape to compute it from");
    }
    return isnan(b->density)
               ? scene_fail(rd, missing, PERP_ERR_FORMAT,
                            " is missing, and a %s, the body's only shape, has none to "
                            "compute it from",
                            list->at[0].type->name)
               : scene_fail(rd, &density, PERP_ERR_DATA,
                            " is given, but a %s has no mass; expected another shape, or "
                            "\"motion\": \"static\"",
                            list->at[0].type->name);
}

/* Mass and inertia of a dynamic body, as given or from its shapes; c:
 * the centre of mass. */
static perp_status bodies_find_mass(scene_reader *rd, const scene_at *at,
                                    const scene_body *b, const scene_solids *list,
                                    perp_body *body, double c[3])
{
    bool own = !isnan(b->inertia[0]);
    scene_at missing = scene_member_at(at, isnan(b->mass) ? "mass" : "inertia");
    shape_mass sum = {.m = 0.0};
    perp_status status = PERP_OK;

    if (isnan(b->mass) == isnan(b->density)) {
        return isnan(b->mass)
                   ? scene_fail(rd, &missing, PERP_ERR_FORMAT,
                                " is missing, expected a mass or a density")
                   : scene_fail(rd, at, PERP_ERR_FORMAT,
                                " has a mass and a density, expected one of them");
    }
    if (!own || isnan(b->mass)) {
        status = scene_solids_mass(rd, &b->shapes, list, &sum);
        if (status == PERP_OK && !(sum.m > 0.0)) {
            status = bodies_no_mass(rd, at, b, list, &missing);
        }
    }
    if (status != PERP_OK) {
        return status;
    }
    body->mass = isnan(b->mass) ? b->density * sum.m : b->mass;
    for (size_t k = 0; k < 9; k++) {
        body->inertia[k] = own ? b->inertia[k] : sum.inertia[k] * (body->mass / sum.m);
    }
    if (!own) {
        vec3_copy(c, sum.center);
        c[2] = rd->world->dimension == 2 ? 0.0 : c[2];
    }
    return PERP_OK;
}

/* Put the body into the world, its frame at its centre of mass c. */
static perp_status bodies_add_body(scene_reader *rd, const scene_at *at,
                                   const scene_body *b, perp_body *body,
                                   const double c[3], int32_t *index)
{
    perp_error cause = {0};
    char name[SCENE_WORD];
    double arm[3];
    perp_status status = PERP_OK;

    snprintf(name, sizeof name, "body-%zu", rd->world->body_count);
    body->name = b->name ? b->name : name;
    vec3_copy(body->r, b->position);
    memcpy(body->q, b->rotation, sizeof body->q);
    body->q[0] += body->q[0] == 0.0 && vec3_length(body->q + 1) == 0.0;
    vec3_copy(body->v, b->velocity);
    vec3_copy(body->w, b->spin);
    vec3_copy(body->friction_frame, b->friction_frame);
    scene_place_point(rd, body->r);
    scene_place_rotation(rd, body->q);
    scene_place_direction(rd, body->v);
    scene_place_direction(rd, body->w);
    if (vec3_length(c) > 0.0) { /* or r stays as it is written, -0 as well */
        perp_quat_rotate(body->q, c, arm);
        vec3_add(body->r, 1.0, arm, body->r);
    }
    status = perp_world_add_body(rd->world, body, index, &cause);
    if (status != PERP_OK) {
        return scene_fail_in(rd, at, status, &cause);
    }
    if (!GROW_WIDE(rd->origins, 3, rd->origin_room, rd->world->body_count) ||
        json_object_set_new(rd->bodies, body->name, json_integer(*index)) != 0) {
        return perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory for bodies", rd->file);
    }
    vec3_copy(rd->origins + 3 * (size_t)*index, c);
    rd->world->gravity_scale[*index] = b->gravity;
    return PERP_OK;
}

static perp_status bodies_add_shapes(scene_reader *rd, const scene_at *at,
                                     scene_solids *list, int32_t body, uint32_t colour,
                                     const double c[3])
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < list->count && status == PERP_OK; k++) {
        scene_at one = scene_element_at(at, list->item[k]);
        perp_error cause = {0};

        list->at[k].body = body;
        list->at[k].colour = list->at[k].colour ? list->at[k].colour : colour;
        vec3_subtract(list->at[k].at, c, list->at[k].at);
        status = perp_world_add_shape(rd->world, &list->at[k], NULL, &cause);
        status = scene_fail_in(rd, &one, status, &cause);
    }
    return status;
}

static perp_status bodies_add_load(scene_reader *rd, const scene_at *at, int32_t body)
{
    double *f = rd->world->start->load + 6 * (size_t)body;
    scene_load load;
    perp_status status = scene_read_object(rd, at, &scene_table_load, &load);

    vec3_copy(f, load.force);
    vec3_copy(f + 3, load.torque);
    scene_place_direction(rd, f);
    scene_place_direction(rd, f + 3);
    return status;
}

static perp_status bodies_build(scene_reader *rd, const scene_at *at, const scene_body *b,
                                scene_solids *list)
{
    perp_body body = {.motion = (perp_motion)b->motion,
                      .gyro = (perp_gyro)b->gyro,
                      .disabled = b->disabled};
    double c[3] = {0};
    int32_t index = 0;
    perp_status status = scene_solids_read(rd, &b->shapes, list);

    if (status == PERP_OK && body.motion == PERP_MOTION_DYNAMIC) {
        status = bodies_find_mass(rd, at, b, list, &body, c);
    }
    if (status == PERP_OK) {
        status = bodies_add_body(rd, at, b, &body, c, &index);
    }
    if (status == PERP_OK) {
        status = bodies_add_shapes(rd, &b->shapes, list, index, b->colour, c);
    }
    return status == PERP_OK ? bodies_add_load(rd, &b->load, index) : status;
}

perp_status scene_build_body(scene_reader *rd, const scene_at *at)
{
    scene_body b;
    scene_solids list = {0};
    perp_status status = PERP_OK;

    rd->unit = rd->world->dimension == 2 ? 1 : 0;
    status = scene_read_object(rd, at, &scene_table_body, &b);
    rd->unit = 0;

    if (status == PERP_OK && rd->world->body_count >= SCENE_ITEMS) {
        status = scene_fail(rd, at, PERP_ERR_DATA, ": more than %d bodies", SCENE_ITEMS);
    }
    if (status == PERP_OK) {
        status = bodies_build(rd, at, &b, &list);
    }
    scene_solids_clear(&list);
    return status;
}

/* The static body at the origin, made when something first names it. */
static perp_status bodies_make_world(scene_reader *rd, const scene_at *at, int32_t *index)
{
    const scene_body b = {.name = "world"};
    const double c[3] = {0};
    perp_body body = {.motion = PERP_MOTION_STATIC};
    size_t levels = rd->level_count;
    perp_status status = PERP_OK;

    rd->level_count = 0; /* it stands where it stands, whichever copy names it */
    status = bodies_add_body(rd, at, &b, &body, c, index);
    rd->level_count = levels;
    return status;
}

static perp_status bodies_unknown_body(scene_reader *rd, const scene_at *at,
                                       const char *name)
{
    size_t count = rd->world->body_count;
    const char **names = calloc(count + 2, sizeof *names);
    perp_nearest best;
    perp_status status = PERP_OK;

    if (!names) {
        return perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory for a message",
                         rd->file);
    }
    for (size_t k = 0; k < count; k++) {
        names[k] = rd->world->name[k];
    }
    names[count] = "world";
    status = scene_fail(rd, at, PERP_ERR_DATA, " is \"%.80s\", which is no body; %s",
                        name, scene_nearest(&best, name, names));
    free(names);
    return status;
}

perp_status scene_world_body(scene_reader *rd, const scene_at *at, int32_t *index)
{
    const json_t *known = json_object_get(rd->bodies, "world");

    if (!known) {
        return bodies_make_world(rd, at, index);
    }
    *index = (int32_t)json_integer_value(known);
    return PERP_OK;
}

perp_status scene_find_body(scene_reader *rd, const scene_at *at, int32_t *index)
{
    const char *name = json_string_value(at->value);
    const json_t *known = NULL;

    TRY(name ? scene_expand(rd, at, &name) : PERP_OK);
    if (!name) {
        return scene_unexpected(rd, at, PERP_ERR_FORMAT, "the name of a body");
    }
    known = json_object_get(rd->bodies, name);
    if (known) {
        *index = (int32_t)json_integer_value(known);
        return PERP_OK;
    }
    if (strcmp(name, "world") == 0) {
        return bodies_make_world(rd, at, index);
    }
    return bodies_unknown_body(rd, at, name);
}

/* The shortest turn that brings z, in the plane y, to n; about x or z where it is any. */
static void bodies_turn_up(const double n[3], bool plane, double q[4])
{
    q[0] = 1.0 + n[plane ? 1 : 2];
    vec3_set(q + 1, plane ? 0.0 : -n[1], plane ? 0.0 : n[0], plane ? -n[0] : 0.0);
    if (perp_quat_normalize(q) < 1e-12) {
        q[0] = 0.0;
        vec3_set(q + 1, plane ? 0.0 : 1.0, 0.0, plane ? 1.0 : 0.0);
    }
}

perp_status scene_build_ground(scene_reader *rd, const scene_at *at)
{
    scene_ground g;
    perp_shape shape = {.type = perp_shape_type_find("plane")};
    scene_at normal = scene_member_at(at, "normal");
    perp_error cause = {0};
    perp_status status = PERP_OK;

    TRY(scene_read_object(rd, at, &scene_table_ground, &g));
    shape.colour = g.colour;
    TRY(scene_find_material(rd, at, g.material, &shape.material));
    if (isnan(g.normal[0])) {
        vec3_set(g.normal, 0.0, 0.0, 0.0);
        g.normal[rd->world->dimension - 1] = 1.0;
    }
    if (!(vec3_normalize(g.normal) > 0.0)) {
        return scene_fail(rd, &normal, PERP_ERR_DATA,
                          " has length 0, expected a direction");
    }
    TRY(scene_world_body(rd, at, &shape.body));
    bodies_turn_up(g.normal, rd->world->dimension == 2, shape.turn);
    vec3_scale(g.offset, g.normal, shape.at);
    status = perp_world_add_shape(rd->world, &shape, NULL, &cause);
    return scene_fail_in(rd, at, status, &cause);
}
