/* SPDX-License-Identifier: Apache-2.0
 * geometry/tree.c: a binary tree of axis-aligned boxes with insertion and removal
 * [ericson-2005, chapter 6].
 *
 * A leaf is inserted next to the leaf that is found by descending from the root to the
 * child whose surface would grow least (the chance that a random line meets a box is in
 * proportion to its surface [goldsmith-salmon-1987]). On the path back to the root, an unbalanced
 * node is rotated as in a tree of Adelson-Velsky and Landis; grandchildren have no order,
 * so one rotation is enough, and of two equally high ones the one that makes the smaller
 * box moves down. Insertion, removal and a move out of the enlarged box cost O(log n), a
 * move within it O(1).
 *
 * A tree that was built (tree_build.c) answers several times as fast as one that grew. */
#include <config.h>

#include <stdlib.h>

#include <perp/dynamics/textbook.h>

#include "geometry/nodes.h"

perp_status perp_tree_new(perp_tree **tree, double fat, perp_error *err)
{
    perp_tree *t = NULL;

    *tree = NULL;
    if (!(fat >= 0.0) || !isfinite(fat)) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "tree: fat is %g, expected a length >= 0 [m]", fat);
    }
    t = calloc(1, sizeof *t);
    if (!t) {
        return perp_fail(err, PERP_ERR_MEMORY, "tree: no memory");
    }
    t->fat = fat;
    tree_empty(t);
    *tree = t;
    return PERP_OK;
}

void perp_tree_free(perp_tree *tree)
{
    if (tree) {
        free(tree->node);
        free(tree->given);
        free(tree->place);
        free(tree);
    }
}

void tree_empty(perp_tree *t)
{
    t->count = t->built = t->used = 0;
    t->root = t->spare = TREE_NONE;
    if (t->place) {
        memset(t->place, 0xff, t->places * sizeof *t->place); /* node: TREE_NONE */
    }
}

bool tree_reserve(perp_tree *t, size_t leaves)
{
    size_t nodes = 2 * leaves;
    size_t room = 0;
    void *node = t->node;
    void *given = t->given;

    if (nodes > t->room) {
        if (!math_grow(&node, sizeof *t->node, t->room, &room, nodes)) {
            return false;
        }
        t->node = node; /* wider than `room` says until the other is, too */
        if (!math_grow(&given, sizeof *t->given, t->room, &room, nodes)) {
            return false;
        }
        t->given = given;
        t->room = room;
    }
    return tree_numbers_reserve(t, leaves);
}

bool tree_box_is_finite(const perp_aabb *box)
{
    for (int k = 0; k < 3; k++) {
        if (!isfinite(box->lo[k]) || !isfinite(box->hi[k]) || box->lo[k] > box->hi[k]) {
            return false;
        }
    }
    return true;
}

static uint32_t tree_take(perp_tree *t)
{
    uint32_t k = t->spare;

    if (k == TREE_NONE) {
        return (uint32_t)t->used++;
    }
    t->spare = t->node[k].parent;
    return k;
}

static void tree_give(perp_tree *t, uint32_t k)
{
    t->node[k].parent = t->spare;
    t->spare = k;
}

/* Half the surface [m^2], and for boxes without any, half the sum of the edges: boxes on
 * a line are told apart, too. */
typedef struct tree_size {
    double surface, length;
} tree_size;

static tree_size tree_size_of(const perp_aabb *box)
{
    double x = box->hi[0] - box->lo[0];
    double y = box->hi[1] - box->lo[1];
    double z = box->hi[2] - box->lo[2];

    return (tree_size){.surface = x * y + y * z + z * x, .length = x + y + z};
}

static bool tree_smaller(tree_size a, tree_size b)
{
    return a.surface < b.surface || (a.surface == b.surface && a.length < b.length);
}

/* What node k adds to its size, to hold `box`; a leaf becomes a new node of that size. */
static tree_size tree_growth(const perp_tree *t, uint32_t k, const perp_aabb *box)
{
    perp_aabb both;
    tree_size size, old = {0.0, 0.0};

    tree_union(&t->node[k].box, box, &both);
    size = tree_size_of(&both);
    if (!tree_is_leaf(t, k)) {
        old = tree_size_of(&t->node[k].box);
    }
    return (tree_size){size.surface - old.surface, size.length - old.length};
}

/* Put `now` in the place that `old` has below the parent, or at the root. */
static void tree_replace(perp_tree *t, uint32_t parent, uint32_t old, uint32_t now)
{
    if (parent == TREE_NONE) {
        t->root = now;
    } else {
        t->node[parent].child[t->node[parent].child[1] == old] = now;
    }
    t->node[now].parent = parent;
}

/* Which child of `up` goes down below `a`, beside `low`: the lower one, or of two as high
 * the one that makes the smaller box. */
static int tree_lower(const perp_tree *t, uint32_t up, uint32_t low)
{
    const uint32_t *c = t->node[up].child;
    perp_aabb box[2];

    if (t->node[c[0]].height != t->node[c[1]].height) {
        return t->node[c[1]].height < t->node[c[0]].height;
    }
    tree_union(&t->node[c[0]].box, &t->node[low].box, &box[0]);
    tree_union(&t->node[c[1]].box, &t->node[low].box, &box[1]);
    return tree_smaller(tree_size_of(&box[1]), tree_size_of(&box[0]));
}

/* Where one child of `a` is higher than the other by more than may be it takes the place
 * of `a`, which goes below it. Returns the node that is there then. */
static uint32_t tree_turn(perp_tree *t, uint32_t a)
{
    const uint32_t *c = t->node[a].child;
    uint32_t h0 = t->node[c[0]].height;
    uint32_t h1 = t->node[c[1]].height;
    int high = h1 > h0;
    uint32_t up = c[high];
    uint32_t low = c[!high];
    uint32_t down = 0;
    int side = 0;

    if (tree_balanced(h0, h1)) {
        return a;
    }
    side = tree_lower(t, up, low);
    down = t->node[up].child[side];
    tree_replace(t, t->node[a].parent, a, up);
    t->node[up].child[side] = a;
    t->node[a].parent = up;
    t->node[a].child[high] = down;
    t->node[down].parent = a;
    tree_refresh(t, a);
    return up;
}

/* Boxes, heights and balance from node k up to the root. */
static void tree_mend(perp_tree *t, uint32_t k)
{
    while (k != TREE_NONE) {
        k = tree_turn(t, k);
        tree_refresh(t, k);
        k = t->node[k].parent;
    }
}

/* Put the leaf, whose box is there, into the tree. */
static void tree_link(perp_tree *t, uint32_t leaf)
{
    const perp_aabb *box = &t->node[leaf].box;
    uint32_t beside = t->root;
    uint32_t parent = 0;

    if (beside == TREE_NONE) {
        t->root = leaf;
        t->node[leaf].parent = TREE_NONE;
        return;
    }
    while (!tree_is_leaf(t, beside)) {
        const uint32_t *c = t->node[beside].child;

        beside = c[tree_smaller(tree_growth(t, c[1], box), tree_growth(t, c[0], box))];
    }
    parent = tree_take(t);
    tree_replace(t, t->node[beside].parent, beside, parent);
    t->node[parent].child[0] = beside;
    t->node[parent].child[1] = leaf;
    t->node[beside].parent = t->node[leaf].parent = parent;
    tree_mend(t, parent);
}

/* Take the leaf out of the tree; its node stays the caller's. */
static void tree_unlink(perp_tree *t, uint32_t leaf)
{
    uint32_t parent = t->node[leaf].parent;
    uint32_t above = 0;

    if (parent == TREE_NONE) {
        t->root = TREE_NONE;
        return;
    }
    above = t->node[parent].parent;
    tree_replace(t, above, parent,
                 t->node[parent].child[t->node[parent].child[0] == leaf]);
    tree_give(t, parent);
    tree_mend(t, above);
}

static void tree_fatten(const perp_tree *t, const perp_aabb *box, perp_aabb *out)
{
    for (int k = 0; k < 3; k++) {
        out->lo[k] = box->lo[k] - t->fat;
        out->hi[k] = box->hi[k] + t->fat;
    }
}

perp_status perp_tree_insert(perp_tree *tree, uint32_t number, const perp_aabb *box,
                             perp_error *err)
{
    uint32_t leaf = 0;

    if (!tree_box_is_finite(box)) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "tree: the box of leaf %u is empty or not finite", number);
    }
    if (tree_number_find(tree, number) != TREE_NONE) {
        return perp_fail(err, PERP_ERR_ARGUMENT, "tree: leaf %u exists already", number);
    }
    if (tree->count >= TREE_NONE / 2 || !tree_reserve(tree, tree->count + 1)) {
        return perp_fail(err, PERP_ERR_MEMORY, "tree: no memory for %zu leaves",
                         tree->count + 1);
    }
    leaf = tree_take(tree);
    tree->node[leaf] = (tree_node){.child = {number, TREE_NONE}, .height = 0};
    tree->given[leaf] = *box;
    tree_fatten(tree, box, &tree->node[leaf].box);
    tree_link(tree, leaf);
    tree_number_add(tree, number, leaf);
    tree->count++;
    return PERP_OK;
}

void perp_tree_remove(perp_tree *tree, uint32_t number)
{
    uint32_t leaf = tree_number_find(tree, number);

    if (leaf != TREE_NONE) {
        tree_unlink(tree, leaf);
        tree_give(tree, leaf);
        tree_number_remove(tree, number);
        tree->count--;
    }
}

bool perp_tree_move(perp_tree *tree, uint32_t number, const perp_aabb *box)
{
    uint32_t leaf = tree_number_find(tree, number);

    if (leaf == TREE_NONE || !tree_box_is_finite(box)) {
        return false;
    }
    tree->given[leaf] = *box;
    if (tree_holds(&tree->node[leaf].box, box)) {
        return false;
    }
    tree_unlink(tree, leaf);
    tree_fatten(tree, box, &tree->node[leaf].box);
    tree_link(tree, leaf);
    return true;
}

size_t perp_tree_count(const perp_tree *tree)
{
    return tree->count;
}

size_t perp_tree_height(const perp_tree *tree)
{
    return tree->root == TREE_NONE ? 0 : tree->node[tree->root].height;
}

/* Of node k and all below it; *leaves counts them. */
static bool tree_node_is_sound(const perp_tree *t, uint32_t k, uint32_t parent,
                               size_t *leaves)
{
    const tree_node *n = &t->node[k];
    uint32_t h[2];

    if (n->parent != parent) {
        return false;
    }
    if (tree_is_leaf(t, k)) {
        ++*leaves;
        return n->height == 0 && tree_holds(&n->box, &t->given[k]) &&
               tree_number_find(t, n->child[0]) == k;
    }
    for (int c = 0; c < 2; c++) {
        h[c] = t->node[n->child[c]].height;
        if (!tree_holds(&n->box, &t->node[n->child[c]].box)) {
            return false;
        }
    }
    return tree_balanced(h[0], h[1]) && n->height == tree_above(h[0], h[1]) &&
           tree_node_is_sound(t, n->child[0], k, leaves) &&
           tree_node_is_sound(t, n->child[1], k, leaves);
}

bool perp_tree_sound(const perp_tree *tree)
{
    size_t leaves = 0;

    return tree->root == TREE_NONE
               ? tree->count == 0
               : tree_node_is_sound(tree, tree->root, TREE_NONE, &leaves) &&
                     leaves == tree->count;
}
