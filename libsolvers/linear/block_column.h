/* SPDX-License-Identifier: Apache-2.0
 * linear/block_column.h: factorisations by columns of blocks. Private. */
#ifndef PERP_LINEAR_BLOCK_COLUMN_H
#define PERP_LINEAR_BLOCK_COLUMN_H

#include "block_kernel.h"
#include "block_order.h"
#include "block_tasks.h"

typedef struct perp_columns {
    const perp_block_order *o;
    const perp_block_kernel *kernel;
    unsigned size;
    double *D;      /* diagonal blocks as linear/block_pivot.h leaves them */
    double *L;      /* blocks below the diagonal, in the order of o->row */
    double *U;      /* LDU: the transposed blocks right of it; otherwise NULL */
    int32_t *pivot; /* LDU: rows of D, size per block */
} perp_columns;

/** Factor column j of S, once the columns of its row of L are ready. at: scratch of one
 *  thread, a number per block. */
perp_block_state perp_column_factor(const perp_columns *f, size_t j,
                                    const perp_block_matrix *S, perp_block_tasks *tasks,
                                    int32_t *at);
/** x := L^-1 x, and x := L^-T x or (D U)^-1 x, for the steps first .. end - 1. */
void perp_columns_forward(const perp_columns *f, double *x, size_t first, size_t end);
void perp_columns_backward(const perp_columns *f, double *x, size_t first, size_t end);
/** Whether det D of LDU is negative. */
bool perp_columns_negative(const perp_columns *f);

#endif
