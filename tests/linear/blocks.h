/* SPDX-License-Identifier: Apache-2.0
 * tests/linear/blocks.h: graphs of blocks and matrices on them. */
#ifndef PERP_TEST_BLOCKS_H
#define PERP_TEST_BLOCKS_H

#include "linear/block_factor.h"
#include "support.h"

enum { most_blocks = 64, most_edges = 6400 };

/* Pairs of touching blocks, i > j. */
typedef struct graph {
    const char *name;
    size_t blocks, edges;
    int32_t pair[most_edges][2];
} graph;

graph blocks_chain(size_t n);
graph blocks_star(size_t n);
graph blocks_grid(size_t rows, size_t columns);
graph blocks_lattice(size_t side);
/** So many lattices that do not touch. */
graph blocks_lattices(size_t count, size_t side);
/** Rings of three blocks, and blocks that touch nothing. */
graph blocks_islands(void);
/** Each pair touches with this probability. */
graph blocks_drawn(size_t n, double share, uint64_t seed);

/** The pattern of a graph, all numbers 0. */
perp_block_matrix blocks_pattern(const graph *g, unsigned size, bool unsymmetric);
void blocks_discard_matrix(perp_block_matrix *S);
/** The entry of block (i, j), i >= j, which is in the pattern. */
size_t blocks_entry_of(const perp_block_matrix *S, size_t i, size_t j);
/** S = I + sum over the edges of (J_i, J_j)^T D (J_i, J_j), rows J drawn, D diagonal and
 *  log-uniform over `decades` to both sides of 1, plus half of that skew where S is
 *  unsymmetric. */
void blocks_fill_matrix(perp_block_matrix *S, double decades, uint64_t seed);
/** The dense matrix, column-major. */
double *blocks_dense(const perp_block_matrix *S);
/** n numbers, and a copy of them behind. */
double *blocks_right_side(size_t n, uint64_t seed);

perp_workspace *blocks_workspace(void);
/** All that was charged must have been discharged. */
void blocks_discard(perp_workspace *ws);

#endif
