/* SPDX-License-Identifier: Apache-2.0
 * reduced/coordinates.c: the trees that states of a world in reduced coordinates have, each a set of
 * coordinates of its own for the links of world->reduced. */
#include <config.h>

#include <stdlib.h>

#include "reduced/reduced.h"

void reduced_state_free(perp_state *x)
{
    perp_articulation_free(x->trees);
    free(x->work);
    x->trees = NULL;
    x->work = NULL;
}

static perp_status coordinates_copy(perp_state *to, const perp_state *from,
                                    perp_error *err)
{
    perp_status status = PERP_OK;

    if (from->trees && (!to->trees || to->reduction != from->reduction)) {
        status = reduced_state_trees(to, from->trees, err);
    } else if (from->trees) {
        perp_articulation_follow(to->trees, from->trees);
    } else {
        reduced_state_free(to);
    }
    if (status == PERP_OK) {
        to->reduction = from->reduction;
    }
    return status;
}

static void coordinates_exchange(perp_state *x, perp_state *y)
{
    perp_articulation moved = *x->trees;

    *x->trees = *y->trees;
    *y->trees = moved;
}

static bool coordinates_fit(const perp_state *x, const perp_world *w)
{
    const perp_articulation *tree = w->reduced->tree;

    return x->trees->n == tree->n && x->trees->count == tree->count;
}

static const struct perp_tree_hooks coordinates_hooks = {
    .fit = coordinates_fit,
    .copy = coordinates_copy,
    .exchange = coordinates_exchange,
    .free = reduced_state_free,
    .unreduce = perp_world_unreduce,
    .rotors = reduced_rotor_energy,
};

perp_status reduced_state_trees(perp_state *x, const perp_articulation *tree,
                                perp_error *err)
{
    perp_articulation *made = NULL;
    double *work = math_alloc(6 * tree->count + 3 * tree->n, sizeof *work);
    perp_status status = work
                             ? perp_articulation_copy(&made, tree, err)
                             : perp_fail(err, PERP_ERR_MEMORY,
                                         "state: no memory for %zu coordinates", tree->n);

    if (status != PERP_OK) {
        free(work);
        return status;
    }
    reduced_state_free(x);
    x->trees = made;
    x->work = work;
    x->hooks = &coordinates_hooks;
    return PERP_OK;
}
