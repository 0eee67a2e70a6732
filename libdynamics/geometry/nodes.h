/* SPDX-License-Identifier: Apache-2.0
 * geometry/nodes.h: nodes of the tree of boxes. Private.
 *
 * Nodes are entries of one array and refer to each other by index. Medians halve the leaves,
 * so a tree of n leaves has the height ceil(log2 n), and a stack needs at most TREE_DEPTH
 * places. */
#ifndef PERP_GEOMETRY_NODES_H
#define PERP_GEOMETRY_NODES_H

#include <perp/dynamics/tree.h>

#include "math/math.h"

enum { TREE_DEPTH = 34 /* 2^31 leaves */ };

typedef struct tree_node {
    perp_aabb box;     /* contains the children */
    uint32_t child[2]; /* child[0] of a leaf is its number */
    uint32_t height;   /* of a leaf 0 */
} tree_node;

struct perp_tree {
    size_t count;    /* leaves */
    size_t used;     /* nodes; the first one is the root */
    size_t room;     /* nodes there is memory for */
    tree_node *node; /* room */
};

#endif
