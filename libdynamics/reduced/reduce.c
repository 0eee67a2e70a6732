/* SPDX-License-Identifier: Apache-2.0
 * reduced/reduce.c: a world in reduced coordinates. */
#include <config.h>

#include <stdlib.h>

#include "reduced/reduced.h"

static int32_t *reduce_no_links(size_t count)
{
    int32_t *link = math_alloc(count, sizeof *link);

    for (size_t k = 0; link && k < count; k++) {
        link[k] = -1;
    }
    return link;
}

/* Allocate all arrays; a body has at most one link. */
static bool reduced_room(perp_reduced *r, const perp_world *world)
{
    const size_t bodies = r->bodies = world->body_count;
    reduced_own *own = r->own = calloc(1, sizeof *own);

    r->joints = world->joint_count;
    r->link = reduce_no_links(bodies);
    r->joint_link = reduce_no_links(r->joints);
    r->body = reduce_no_links(bodies);
    r->hangs_on = reduce_no_links(bodies);
    if (own) {
        own->joint = reduce_no_links(bodies);
        own->parent = reduce_no_links(bodies);
        own->turned = math_alloc(bodies, sizeof *own->turned);
        own->axes = math_alloc(r->joints, sizeof *own->axes);
    }
    return own && r->link && r->joint_link && r->body && r->hangs_on && own->joint &&
           own->parent && own->turned && own->axes;
}

static perp_status reduced_grow(perp_reduced *r, const perp_world *world, perp_error *err)
{
    size_t count = 0;
    perp_status status = PERP_OK;

    if (!reduced_room(r, world)) {
        return perp_fail(err, PERP_ERR_MEMORY, "reduce: no memory for %zu bodies",
                         world->body_count);
    }
    status = reduced_forest(r, world, &count, err);
    if (status == PERP_OK && count == 0) {
        return perp_fail(
            err, PERP_ERR_UNSUITABLE,
            "reduce: no joint can be eliminated: reduced coordinates need a "
            "hard spherical, revolute, prismatic, cylindrical, universal, wheel, "
            "planar or fixed joint");
    }
    if (status == PERP_OK) {
        status = reduced_tree(r, world, count, err);
    }
    return status;
}

perp_status perp_world_reduce(perp_world *world, const perp_reduction *how,
                              perp_error *err)
{
    perp_state *start = world->start;
    perp_reduced *r = NULL;
    perp_status status = PERP_OK;

    if (world->reduced) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "reduce: the world is in reduced coordinates already");
    }
    r = calloc(1, sizeof *r);
    if (!r) {
        return perp_fail(err, PERP_ERR_MEMORY, "reduce: no memory");
    }
    if (how) {
        r->how = *how;
    }
    status = reduced_grow(r, world, err);
    if (status == PERP_OK) {
        status = world_trees_new(start, r->tree, err);
    }
    if (status == PERP_OK) {
        world->reduced = r;
        status = reduced_get(world, start, true, err);
    }
    if (status != PERP_OK) {
        world->reduced = NULL;
        world_trees_free(start);
        world_reduced_free(r);
        return status;
    }
    start->reduction = ++world->reductions;
    reduced_put(world, start);
    return PERP_OK;
}

perp_status perp_world_forward_kinematics(const perp_world *world, perp_state *state,
                                          perp_error *err)
{
    perp_status status = PERP_OK;

    if (!world->reduced) {
        return PERP_OK;
    }
    reduced_base(world, state);
    status = perp_articulation_update(state->trees, err);
    if (status == PERP_OK) {
        reduced_put(world, state);
    }
    return status;
}

perp_status perp_world_fit_coordinates(const perp_world *world, perp_state *state,
                                       perp_error *err)
{
    perp_status status = PERP_OK;

    if (!world->reduced) {
        return PERP_OK;
    }
    status = reduced_get(world, state, false, err);
    if (status == PERP_OK) {
        reduced_put(world, state);
    }
    return status;
}

int32_t perp_world_link(const perp_world *world, size_t body)
{
    const perp_reduced *r = world->reduced;

    return r && body < r->bodies ? r->link[body] : -1;
}
