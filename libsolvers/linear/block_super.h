/* SPDX-License-Identifier: Apache-2.0
 * linear/block_super.h: supernodes, which are runs of steps with nearly the same rows below, and
 * the factorisations of their dense panels. Private.
 *
 * A panel has the rows of its own steps and then those below them, column-major:
 *
 *     [ diagonal ]   w s rows        w steps, r rows below, blocks of s x s
 *     [ below    ]   r s rows        all of w s columns
 *
 * Each supernode is factored once those in its list of updates are. */
#ifndef PERP_LINEAR_BLOCK_SUPER_H
#define PERP_LINEAR_BLOCK_SUPER_H

#include <lapacke.h>

#include "block_order.h"
#include "block_tasks.h"

/** A supernode with rows among the steps of a later one. */
typedef struct perp_super_update {
    int32_t from;
    size_t begin; /* the first of these rows, among those below its panel */
} perp_super_update;

typedef struct perp_supernodes {
    const perp_block_order *o;
    unsigned size; /* s */
    size_t count;
    int32_t *first;     /* count + 1: steps */
    int32_t *parent;    /* count: the supernode of the first row below, or -1 */
    int32_t *of;        /* steps: the supernode of each */
    size_t *panel;      /* count + 1: where each panel begins, in numbers */
    size_t *update_ptr; /* count + 1 */
    perp_super_update *update;
    size_t product; /* numbers of the largest product of two panels */
    size_t height;  /* rows of the highest panel */
} perp_supernodes;

/** Partition the steps of an order, which must outlive the partition. The memory is of ws. */
perp_status perp_supernodes_find(perp_supernodes *p, const perp_block_order *o,
                                 unsigned size, perp_workspace *ws, perp_error *err);

/** The numbers of the factors. */
typedef struct perp_panels {
    double *L;         /* LDU: on the diagonal the factors of P R D */
    double *U;         /* LDU: transposed, below the diagonal; otherwise NULL */
    lapack_int *pivot; /* LDU: steps s */
    double *scale;     /* LDU: steps s, the powers of two R */
} perp_panels;

/** Scratch of one thread. */
typedef struct perp_panel_scratch {
    double *product; /* as the supernodes say */
    double *before;  /* height: what pivots are compared with; rows of a solve */
    int32_t *at;     /* steps: the block row of the present panel that a step is */
} perp_panel_scratch;

perp_status perp_panel_scratch_take(perp_panel_scratch *w, const perp_supernodes *p,
                                    perp_workspace *ws, perp_error *err);
/** Factor the panel of supernode k of S, once those in its list of updates are ready. *step is
 *  the one whose pivot failed. */
perp_block_state perp_panel_factor(const perp_supernodes *p, const perp_panels *n,
                                   size_t k, const perp_block_matrix *S,
                                   perp_block_tasks *tasks, perp_panel_scratch *w,
                                   size_t *step);
/** x := L^-1 x, and x := L^-T x or (D U)^-1 x, for the supernodes first .. end - 1. */
void perp_panels_forward(const perp_supernodes *p, const perp_panels *n, double *x,
                         size_t first, size_t end, perp_panel_scratch *w);
void perp_panels_backward(const perp_supernodes *p, const perp_panels *n, double *x,
                          size_t first, size_t end, perp_panel_scratch *w);
/** Whether det D of LDU is negative. */
bool perp_panels_negative(const perp_supernodes *p, const perp_panels *n);

#endif
