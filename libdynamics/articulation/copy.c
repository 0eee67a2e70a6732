/* SPDX-License-Identifier: Apache-2.0
 * articulation/copy.c: another set of coordinates for the same links. */
#include <config.h>

#include <stdlib.h>

#include "articulation/articulated.h"

perp_status articulated_copy(perp_articulation **tree, const perp_articulation *from,
                             perp_error *err)
{
    const articulated_own *other = articulated_of(from);
    perp_articulation *made = calloc(1, sizeof *made);
    articulated_own *own = calloc(1, sizeof *own);

    *tree = NULL;
    if (made && own) {
        *made = *from;
        made->q = made->qd = made->base_u = made->u = NULL;
        made->base = made->E = NULL;
        made->own = own;
        *own = (articulated_own){.constants = other->constants,
                                 .runs = other->runs,
                                 .armature = other->armature,
                                 .names = other->names,
                                 .blocks = other->blocks,
                                 .borrows = true};
        if (articulated_moving(made, from->count, from->n, own->blocks)) {
            articulated_follow(made, from);
            *tree = made;
            return PERP_OK;
        }
        perp_articulation_free(made);
    } else {
        free(made);
        free(own);
    }
    return perp_fail(err, PERP_ERR_MEMORY, "articulation: no memory for %zu links",
                     from->count);
}

void articulated_follow(perp_articulation *tree, const perp_articulation *from)
{
    articulated_own *own = articulated_of(tree);
    const articulated_own *other = articulated_of(from);
    const size_t n = from->n;
    const size_t count = from->count;

    memcpy(tree->q, from->q, n * sizeof *tree->q);
    memcpy(tree->qd, from->qd, n * sizeof *tree->qd);
    vec3_copy(tree->gravity, from->gravity);
    memcpy(tree->base, from->base, count * sizeof *tree->base);
    memcpy(tree->base_u, from->base_u, 6 * count * sizeof *tree->base_u);
    tree->switch_chart = from->switch_chart;
    memcpy(tree->E, from->E, count * sizeof *tree->E);
    memcpy(tree->u, from->u, 6 * count * sizeof *tree->u);
    memcpy(own->links, other->links, count * sizeof *own->links);
    memcpy(own->S, other->S, 6 * n * sizeof *own->S);
    memcpy(own->T, other->T, 6 * n * sizeof *own->T);
    own->turned = other->turned;
    own->factored = false;
}
