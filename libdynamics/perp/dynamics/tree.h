/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/tree.h: a binary tree of axis-aligned boxes, for overlaps and rays.
 *
 * The box of an inner node is the union of its children. The order in which leaves are
 * visited depends on the tree. */
#ifndef PERP_DYNAMICS_TREE_H
#define PERP_DYNAMICS_TREE_H

#include <perp/dynamics/geometry.h>

PERP_BEGIN_DECLS

/** The tree and its memory. */
typedef struct perp_tree perp_tree;

/** Create an empty tree. PERP_ERR_MEMORY. */
perp_status perp_tree_new(perp_tree **tree, perp_error *err);
void perp_tree_free(perp_tree *tree); /* NULL is allowed (no-op) */
/** Replace the tree by one of n boxes, numbered from 0, with median splits along the
 *  longest axis. PERP_ERR_ARGUMENT: a box that is empty or not finite; PERP_ERR_MEMORY:
 *  the tree is then empty. */
perp_status perp_tree_build(perp_tree *tree, size_t n, const perp_aabb *boxes,
                            perp_error *err);

/** Called for leaf `number`; returning false ends the query. */
typedef bool perp_tree_visit(void *context, uint32_t number);
/** Called once for each two leaves a < b that overlap; returning false ends the query. */
typedef bool perp_tree_visit_pair(void *context, uint32_t a, uint32_t b);
/** Called for a leaf whose box the ray enters at `t`. Returns the largest t of interest
 *  from now on: `most` to continue unchanged, less to prune, negative to end. */
typedef double perp_tree_visit_ray(void *context, uint32_t number, double t, double most);

/** Leaves whose boxes overlap `box`, until `visit` returns false. */
void perp_tree_query(const perp_tree *tree, const perp_aabb *box, perp_tree_visit *visit,
                     void *context);
/** Pairs of leaves whose boxes overlap, until `visit` returns false. */
void perp_tree_pairs(const perp_tree *tree, perp_tree_visit_pair *visit, void *context);
/** Visit the leaves along origin + t direction, 0 <= t <= most, nearer nodes first. */
void perp_tree_cast(const perp_tree *tree, const double origin[3],
                    const double direction[3], double most, perp_tree_visit_ray *visit,
                    void *context);

PERP_END_DECLS

#endif
