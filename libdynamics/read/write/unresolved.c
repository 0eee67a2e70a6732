/* SPDX-License-Identifier: Apache-2.0
 * read/write/unresolved.c: an unresolved pair of shapes as a scene of its own: a world of
 * the two bodies is made and written, with the whole mesh or compound. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include <perp/dynamics/scene.h>

#include "world/world.h"

/* The rules and materials of the world; its default one, which a scene cannot change, by
 * another name in front of them. */
static perp_status copy_surfaces(perp_world *to, const perp_world *from, perp_error *err)
{
    perp_status status = PERP_OK;

    vec3_copy(to->gravity, from->gravity);
    to->combine_mu = from->combine_mu;
    to->combine_restitution = from->combine_restitution;
    to->combine_erp = from->combine_erp;
    for (size_t k = 0; k < from->material_count && status == PERP_OK; k++) {
        perp_material material = from->materials[k];

        snprintf(material.name, sizeof material.name, "material %zu", k);
        status = perp_world_add_material(to, &material, NULL, err);
    }
    return status;
}

/* The body of a shape with it alone, and with nothing of its parts but what they say. */
static perp_status copy_body(perp_world *to, const perp_world *from,
                             const perp_state *state, const perp_shape *shape,
                             const char *name, perp_error *err)
{
    size_t k = (size_t)shape->body;
    perp_body body = {.name = name, .motion = from->motion[k], .mass = from->mass[k]};
    perp_shape copy = *shape;
    perp_shape *parts = math_alloc(shape->part_count + 1, sizeof *parts);
    perp_status status = PERP_OK;

    if (!parts) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a pair of shapes");
    }
    memcpy(body.inertia, from->inertia + 9 * k, sizeof body.inertia);
    vec3_copy(body.r, perp_body_pose(state, k));
    memcpy(body.q, perp_body_pose(state, k) + 3, sizeof body.q);
    vec3_copy(body.v, perp_body_velocity(state, k));
    vec3_copy(body.w, perp_body_velocity(state, k) + 3);
    status = perp_world_add_body(to, &body, &copy.body, err);
    copy.material++;
    copy.parts = parts;
    for (size_t i = 0; i < shape->part_count; i++) {
        parts[i] = shape->parts[i];
        parts[i].material++;
    }
    if (status == PERP_OK) {
        status = perp_world_add_shape(to, &copy, NULL, err);
    }
    free(parts);
    return status;
}

static void unresolved_describe(const perp_world *w, const perp_state *state,
                                const perp_unresolved *pair, char *text, size_t length)
{
    const perp_shape *a = &w->shapes[pair->shape_a];
    const perp_shape *b = &w->shapes[pair->shape_b];

    snprintf(
        text, length,
        "At t = %.9g s %s did not converge for shape %zu (%s on \"%.64s\", part %zu) and "
        "shape %zu (%s on \"%.64s\", part %zu): their gap is at least %.9g m.",
        state->t, pair->ran ? pair->ran : "a search", pair->shape_a, a->type->name,
        w->name[a->body], pair->part_a, pair->shape_b, b->type->name, w->name[b->body],
        pair->part_b, pair->gap);
}

perp_status perp_unresolved_print(const perp_world *world, const perp_state *state,
                                  const perp_scheme *scheme, const perp_unresolved *pair,
                                  char **text, perp_error *err)
{
    char title[] = "An unresolved pair of shapes";
    char description[512];
    perp_scene scene = {.title = title, .description = description};
    perp_status status = perp_world_new(&scene.world, world->dimension, err);

    *text = NULL;
    perp_scheme_default(&scene.scheme);
    if (scheme) {
        scene.scheme = *scheme;
    }
    unresolved_describe(world, state, pair, description, sizeof description);
    if (status == PERP_OK) {
        status = copy_surfaces(scene.world, world, err);
    }
    if (status == PERP_OK) {
        status =
            copy_body(scene.world, world, state, &world->shapes[pair->shape_a], "a", err);
    }
    if (status == PERP_OK) {
        status =
            copy_body(scene.world, world, state, &world->shapes[pair->shape_b], "b", err);
    }
    if (status == PERP_OK) {
        status = perp_scene_print(&scene, NULL, text, err);
    }
    perp_world_free(scene.world);
    return status;
}
