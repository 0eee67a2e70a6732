/* SPDX-License-Identifier: Apache-2.0
 * tests/support/random_tree.h: trees of bodies: those of golden files, and random ones. */
#ifndef PERP_TEST_TREES_H
#define PERP_TEST_TREES_H

#include <stdlib.h>

#include <perp/dynamics/articulation.h>

#include "answers.h"
#include "dynamics.h"

/** A golden tree in its state, updated. f: its forces turned into world axes, (f, tau),
 *  6 a link, and tau, n; the caller frees both. */
perp_articulation *golden_tree(const golden_case *c, double **f, double **tau);

typedef enum tree_shape { TREE_CHAIN, TREE_BUSHY } tree_shape;

typedef struct tree_how {
    size_t count;
    tree_shape shape;      /* each on the last, or on one drawn from all before */
    const char *mobilizer; /* of all; NULL: drawn from all types */
    bool floating;         /* the first is free */
    bool moving;           /* what it hangs on moves */
    bool passive;          /* springs, dampers, armature */
    uint64_t seed;
} tree_how;

/** Random frames, inertias, gravity, q and qd; updated. */
perp_articulation *random_tree(const tree_how *how);
/** Check trees of 1 to 200 links, chains and bushy ones, of all types and of one, on
 *  bases that stand, float and move, with springs and without; the one at work is
 *  noted. */
void each_tree(void (*check)(perp_articulation *tree));
/** A link with unit mass, inertia and frames, axes z and x, without springs. */
perp_link plain_link(const char *name, int32_t parent, const char *mobilizer);
/** Zeroed numbers; asserts. n numbers drawn from [-1, 1). */
double *reals(size_t n);
double *drawn(size_t n, uint64_t seed);
double dot(const double *x, const double *y, size_t n);
/** y := M x for the links' twists in their own axes, angular part first. */
void apply_mass(const perp_articulation *tree, const double *x, double *y);
/** Move a tree's state to another and update; asserts. */
void put_state(perp_articulation *tree, const double *q, const double *qd);

#endif
