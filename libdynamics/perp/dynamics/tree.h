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

typedef struct perp_tree perp_tree;

/** Empty; leaves that are inserted are fattened by `fat` [m] >= 0 a side. */
perp_status perp_tree_new(perp_tree **tree, double fat, perp_error *err);
void perp_tree_free(perp_tree *tree); /* takes NULL */
/** All n boxes at once, numbered from 0, in place of what was there: median splits along
 *  the longest axis. Boxes must be finite. PERP_ERR_MEMORY leaves the tree empty. */
perp_status perp_tree_build(perp_tree *tree, size_t n, const perp_aabb *boxes,
                            perp_error *err);
/** One more leaf. PERP_ERR_ARGUMENT: the number is there already, a box that is none. */
perp_status perp_tree_insert(perp_tree *tree, uint32_t number, const perp_aabb *box,
                             perp_error *err);
/** Nothing where there is no such leaf. */
void perp_tree_remove(perp_tree *tree, uint32_t number);
/** The leaf has a new box: in place while the fat one holds it (the nodes above stay),
 *  else it is put in again. Returns whether it was. */
bool perp_tree_move(perp_tree *tree, uint32_t number, const perp_aabb *box);
/** New boxes for all leaves that perp_tree_build made, nodes above made anew, the shape
 *  of the tree kept. */
void perp_tree_refit(perp_tree *tree, const perp_aabb *boxes);
size_t perp_tree_count(const perp_tree *tree);
size_t perp_tree_height(const perp_tree *tree);
/** Whether every node holds its children and every leaf its box. */
bool perp_tree_sound(const perp_tree *tree);

/** Told of leaf `number`; false ends the query. */
typedef bool perp_tree_visit(void *context, uint32_t number);
/** Told of two leaves that overlap, a of the first tree and b of the second (within one
 *  tree a < b, each pair once). */
typedef bool perp_tree_visit_pair(void *context, uint32_t a, uint32_t b);
/** Told of a leaf whose box the ray enters at `t`; returns the largest t that is still of
 *  interest: `most` to go on as before, less to prune, negative to end. */
typedef double perp_tree_visit_ray(void *context, uint32_t number, double t, double most);

void perp_tree_query(const perp_tree *tree, const perp_aabb *box, perp_tree_visit *visit,
                     void *context);
void perp_tree_pairs(const perp_tree *tree, perp_tree_visit_pair *visit, void *context);
void perp_tree_meet(const perp_tree *a, const perp_tree *b, perp_tree_visit_pair *visit,
                    void *context);
/** Leaves along origin + t direction, 0 <= t <= most, nearer nodes first. */
void perp_tree_cast(const perp_tree *tree, const double origin[3],
                    const double direction[3], double most, perp_tree_visit_ray *visit,
                    void *context);

PERP_END_DECLS

#endif
