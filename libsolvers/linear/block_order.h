/* SPDX-License-Identifier: Apache-2.0
 * linear/block_order.h: the order in which the blocks of a symmetric pattern are eliminated, and
 * the pattern of its factor L. Private.
 *
 * A step is the elimination of one block. Steps are postordered: the steps of a subtree of the
 * elimination tree are consecutive and end with its root. */
#ifndef PERP_LINEAR_BLOCK_ORDER_H
#define PERP_LINEAR_BLOCK_ORDER_H

#include "block_factor.h"

/** Where one entry of S goes: to block row `row` of the column that lists it. */
typedef struct perp_block_target {
    size_t entry;
    int32_t row;  /* a step */
    bool flipped; /* S holds the transposed place */
} perp_block_target;

typedef struct perp_block_order {
    size_t blocks;
    int32_t *order;     /* blocks: the block row of S that a step eliminates */
    int32_t *step;      /* blocks: the step that eliminates a block row */
    int32_t *parent;    /* blocks: in the elimination tree; -1 at a root */
    size_t *ptr;        /* blocks + 1: the columns of L, without the diagonal */
    int32_t *row;       /* steps > column, ascending */
    size_t *row_ptr;    /* blocks + 1: the rows of L, without the diagonal */
    int32_t *col;       /* steps < row, ascending */
    int32_t *place;     /* of each in its column: entry ptr[col] + place */
    size_t *target_ptr; /* blocks + 1: the entries of S in each column of L */
    perp_block_target *target;
    double flops; /* of a Cholesky factorisation */
} perp_block_order;

/** Order and analyse the pattern of S, whose numbers are not read. The memory is of ws. */
perp_status perp_block_order_find(perp_block_order *o, const perp_block_matrix *S,
                                  perp_workspace *ws, perp_error *err);

/** Flops of a Cholesky factorisation from which nested dissection is tried as well. */
#define PERP_BLOCK_DISSECT 1e9

/** An order by nested dissection, in scratch of ws. *done is false where METIS is missing. */
perp_status perp_block_dissect(const perp_block_matrix *S, int32_t *order,
                               perp_workspace *ws, bool *done, perp_error *err);

#endif
