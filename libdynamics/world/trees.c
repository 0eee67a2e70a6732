/* SPDX-License-Identifier: Apache-2.0
 * world/trees.c: the trees of a world in reduced coordinates. Each state has coordinates of
 * its own for the links of world->reduced. */
#include <config.h>

#include <stdlib.h>

#include "articulation/articulated.h"
#include "base/base.h"
#include "world/trees.h"

void world_reduced_free(perp_reduced *r)
{
    reduced_own *own = r ? reduced_mine(r) : NULL;

    if (!r) {
        return;
    }
    perp_articulation_free(r->tree);
    free(r->link);
    free(r->body);
    free(r->hangs_on);
    free(r->joint_link);
    if (own) {
        free(own->joint);
        free(own->turned);
        free(own->parent);
        free(own->axes);
    }
    free(own);
    free(r);
}

void perp_world_unreduce(perp_world *world)
{
    if (world->start) {
        world_trees_free(world->start);
    }
    world_reduced_free(world->reduced);
    world->reduced = NULL;
}

void world_trees_free(perp_state *x)
{
    perp_articulation_free(x->trees);
    free(x->work);
    x->trees = NULL;
    x->work = NULL;
}

perp_status world_trees_new(perp_state *x, const perp_articulation *tree, perp_error *err)
{
    perp_articulation *made = NULL;
    double *work = math_alloc(6 * tree->count + 3 * tree->n, sizeof *work);
    perp_status status = work
                             ? articulated_copy(&made, tree, err)
                             : perp_fail(err, PERP_ERR_MEMORY,
                                         "state: no memory for %zu coordinates", tree->n);

    if (status != PERP_OK) {
        free(work);
        return status;
    }
    world_trees_free(x);
    x->trees = made;
    x->work = work;
    return PERP_OK;
}

perp_status world_trees_copy(perp_state *to, const perp_state *from, perp_error *err)
{
    perp_status status = PERP_OK;

    if (from->trees && (!to->trees || to->reduction != from->reduction)) {
        status = world_trees_new(to, from->trees, err);
    } else if (from->trees) {
        articulated_follow(to->trees, from->trees);
    } else {
        world_trees_free(to);
    }
    if (status == PERP_OK) {
        to->reduction = from->reduction;
    }
    return status;
}
