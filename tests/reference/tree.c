/* SPDX-License-Identifier: Apache-2.0
 * tests/reference/tree.c: what holds in every node of a tree of boxes. */
#include <config.h>

#include "geometry/nodes.h"
#include "reference.h"

size_t perp_tree_count(const perp_tree *tree)
{
    return tree->count;
}

size_t perp_tree_height(const perp_tree *tree)
{
    return tree->count == 0 ? 0 : tree->node[0].height;
}

/* Of node k and all below it; *leaves counts them. */
static bool node_is_sound(const perp_tree *t, uint32_t k, size_t *leaves)
{
    const tree_node *n = &t->node[k];
    const tree_node *a = &t->node[n->child[0]];
    const tree_node *b = &t->node[n->child[1]];

    if (n->height == 0) {
        ++*leaves;
        return n->child[0] < t->count;
    }
    for (int d = 0; d < 3; d++) {
        if (n->box.lo[d] != fmin(a->box.lo[d], b->box.lo[d]) ||
            n->box.hi[d] != fmax(a->box.hi[d], b->box.hi[d])) {
            return false;
        }
    }
    return n->height == 1 + (a->height > b->height ? a->height : b->height) &&
           node_is_sound(t, n->child[0], leaves) && node_is_sound(t, n->child[1], leaves);
}

bool perp_tree_sound(const perp_tree *tree)
{
    size_t leaves = 0;

    return tree->count == 0 || (node_is_sound(tree, 0, &leaves) && leaves == tree->count);
}
