/* SPDX-License-Identifier: Apache-2.0
 * geometry/nodes.h: common data and functions of the tree of boxes. Private.
 *
 * Nodes are entries of one array and refer to each other by index. The heights of two
 * siblings differ by TREE_LEAN at most. So a tree of the height h has at least N(h)
 * leaves,
 *
 *     N(h) = N(h - 1) + N(h - 1 - TREE_LEAN),   N(0 .. 4) = 1 .. 5,   N(h) > 1.38^h,
 *
 * after any insertions and removals: a tree of n leaves is at most 2.16 log2 n high, and
 * stacks need at most TREE_DEPTH places. Trees of Adelson-Velsky and Landis have a lean
 * of 1; with 3 rotations are rare, and for boxes inserted one by one twice as many pairs
 * are found in a given time, because rotations ignore which boxes are close. */
#ifndef PERP_GEOMETRY_NODES_H
#define PERP_GEOMETRY_NODES_H

#include <perp/dynamics/tree.h>

#include "math/math.h"

#define TREE_NONE UINT32_MAX

enum { TREE_LEAN = 3, TREE_DEPTH = 80 /* 2.16 * 31 = 67, with ease */ };

typedef struct tree_node {
    perp_aabb box;     /* contains the children; for a leaf its enlarged box */
    uint32_t parent;   /* TREE_NONE for the root; the next spare node for a spare one */
    uint32_t child[2]; /* for a leaf its number and TREE_NONE */
    uint32_t height;   /* of a leaf 0 */
} tree_node;

/* Hash table of leaves by number: linear probing, half of the places empty. */
typedef struct tree_place {
    uint32_t number, node; /* node TREE_NONE: empty */
} tree_place;

struct perp_tree {
    double fat;
    size_t count;     /* leaves */
    size_t built;     /* leaves 0 .. built - 1 were made by perp_tree_build */
    size_t used;      /* nodes in the tree or spare */
    size_t room;      /* nodes there is memory for */
    tree_node *node;  /* room */
    perp_aabb *given; /* for a leaf its box as given */
    uint32_t root;    /* TREE_NONE: empty */
    uint32_t spare;   /* the first of the spare nodes */
    size_t places;    /* a power of two, or 0 */
    tree_place *place;
};

static inline bool tree_is_leaf(const perp_tree *t, uint32_t k)
{
    return t->node[k].child[1] == TREE_NONE;
}

/* Whether b lies in a. */
static inline bool tree_holds(const perp_aabb *a, const perp_aabb *b)
{
    return a->lo[0] <= b->lo[0] && b->hi[0] <= a->hi[0] && a->lo[1] <= b->lo[1] &&
           b->hi[1] <= a->hi[1] && a->lo[2] <= b->lo[2] && b->hi[2] <= a->hi[2];
}

static inline void tree_union(const perp_aabb *a, const perp_aabb *b, perp_aabb *out)
{
    for (int k = 0; k < 3; k++) {
        out->lo[k] = a->lo[k] < b->lo[k] ? a->lo[k] : b->lo[k];
        out->hi[k] = a->hi[k] > b->hi[k] ? a->hi[k] : b->hi[k];
    }
}

/* Whether nodes of these heights may be siblings, and the height of their parent. */
static inline bool tree_balanced(uint32_t a, uint32_t b)
{
    return a <= b + TREE_LEAN && b <= a + TREE_LEAN;
}

static inline uint32_t tree_above(uint32_t a, uint32_t b)
{
    return 1 + (a > b ? a : b);
}

/* Box and height of an inner node from its children. */
static inline void tree_refresh(perp_tree *t, uint32_t k)
{
    tree_node *n = &t->node[k];
    const tree_node *a = &t->node[n->child[0]];
    const tree_node *b = &t->node[n->child[1]];

    tree_union(&a->box, &b->box, &n->box);
    n->height = tree_above(a->height, b->height);
}

/* Neither NaN nor empty nor unbounded. */
bool tree_box_is_finite(const perp_aabb *box);
/* Remove all nodes; memory stays. */
void tree_empty(perp_tree *t);
/* Reserve memory for this many leaves; false: no memory, nothing changed. */
bool tree_reserve(perp_tree *t, size_t leaves);

/* The node of a number, or TREE_NONE. */
uint32_t tree_number_find(const perp_tree *t, uint32_t number);
/* Insert a new number; its place was reserved. */
void tree_number_add(perp_tree *t, uint32_t number, uint32_t node);
void tree_number_remove(perp_tree *t, uint32_t number);
bool tree_numbers_reserve(perp_tree *t, size_t count);

#endif
