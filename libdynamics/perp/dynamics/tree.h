/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/tree.h: a binary tree of boxes along the axes: overlaps and rays.
 *
 * Every inner node is the union of its children. A leaf has a number of the caller's
 * choice and a box that may be fatter than what it stands for; queries test against the
 * box as it was given. Leaves are visited in an order that depends on the tree. */
#ifndef PERP_DYNAMICS_TREE_H
#define PERP_DYNAMICS_TREE_H

#include <perp/dynamics/geometry.h>

PERP_BEGIN_DECLS

/** The tree and its memory. */
typedef struct perp_tree perp_tree;

/** Empty; leaves that are inserted are fattened by `fat` [m] >= 0 a side. */
perp_status perp_tree_new(perp_tree **tree, double fat, perp_error *err);
void perp_tree_free(perp_tree *tree); /* takes NULL */
/** All n boxes at once, numbered from 0, in place of what was there: median splits along
 *  the longest axis. Boxes must be finite. PERP_ERR_MEMORY leaves the tree empty. */
perp_status perp_tree_build(perp_tree *tree, size_t n, const perp_aabb *boxes,
                            perp_error *err);

/** Told of leaf `number`; false ends the query. */
typedef bool perp_tree_visit(void *context, uint32_t number);
/** Told of two leaves that overlap, a of the first tree and b of the second (within one
 *  tree a < b, each pair once). */
typedef bool perp_tree_visit_pair(void *context, uint32_t a, uint32_t b);
/** Told of a leaf whose box the ray enters at `t`; returns the largest t that is still of
 *  interest: `most` to go on as before, less to prune, negative to end. */
typedef double perp_tree_visit_ray(void *context, uint32_t number, double t, double most);

/** Leaves whose boxes overlap `box`, until `visit` returns false. */
void perp_tree_query(const perp_tree *tree, const perp_aabb *box, perp_tree_visit *visit,
                     void *context);
/** Pairs of leaves whose boxes overlap, until `visit` returns false. */
void perp_tree_pairs(const perp_tree *tree, perp_tree_visit_pair *visit, void *context);
/** Leaves along origin + t direction, 0 <= t <= most, nearer nodes first. */
void perp_tree_cast(const perp_tree *tree, const double origin[3],
                    const double direction[3], double most, perp_tree_visit_ray *visit,
                    void *context);

PERP_END_DECLS

#endif
