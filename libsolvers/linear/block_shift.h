/* SPDX-License-Identifier: Apache-2.0
 * linear/block_shift.h: matrices K = L (A + D) with block diagonal L and D, to be factored.
 * Private.
 *
 * K is a copy of A in which every diagonal block of a set is stored, so that D is added and L
 * multiplied in place. Its memory belongs to the workspace: perp_operator_free is not for it. */
#ifndef PERP_LINEAR_BLOCK_SHIFT_H
#define PERP_LINEAR_BLOCK_SHIFT_H

#include "core/solvers.h"

/** A zero matrix with the pattern of A, all diagonal blocks of the set (NULL: the diagonal) and,
 *  in friction rows, the column of the normal: dense where A is dense or too full to gain from sparsity, else CSR. */
perp_status perp_block_shift_new(perp_operator **K, const perp_operator *A,
                                 const perp_set *set, perp_workspace *ws,
                                 perp_error *err);
/** Zero matrices whose memory belongs to the workspace; the status is asked by the caller.
 *  Of a CSR matrix the caller fills ptr and col. NULL without memory. */
perp_operator *perp_workspace_dense(size_t rows, size_t cols, perp_workspace *ws);
perp_operator *perp_workspace_csr(size_t rows, size_t cols, size_t entries,
                                  perp_workspace *ws);

/** K := A. */
void perp_block_shift_load(perp_operator *K, const perp_operator *A);
/** The same for a K that equals A outside of the diagonal blocks of the set (or NULL). */
void perp_block_shift_load_blocks(perp_operator *K, const perp_operator *A,
                                  const perp_set *set);
/** K[first.., first..] += D, dim x dim column-major. */
void perp_block_shift_add(perp_operator *K, size_t first, size_t dim, const double *D);
/** K[i, j] += a, where (i, j) is an entry of A, or i is a friction row and j its normal. */
void perp_block_shift_add_entry(perp_operator *K, size_t i, size_t j, double a);
/** K[first.., :] := L K[first.., :], L dim x dim column-major. */
void perp_block_shift_scale_rows(perp_operator *K, size_t first, size_t dim,
                                 const double *L);

#endif
