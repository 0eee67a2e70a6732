/* SPDX-License-Identifier: Apache-2.0
 * splitting/layout.h: blocks and their rows of A in the order in which they are swept, so
 * that memory is read sequentially. Private. */
#ifndef PERP_SPLITTING_LAYOUT_H
#define PERP_SPLITTING_LAYOUT_H

#include "matrix/storages.h"

typedef struct layout {
    const perp_problem *p;
    const size_t *order;       /* block of each position; NULL: as in the set */
    const perp_block *blocks;  /* by position; their `first` is a row of z */
    const perp_operator *rows; /* A, or a copy of its rows by position */
    const size_t *row; /* first row of each position in `rows`; NULL: its `first` */
    const double *b;   /* b in the order of `rows` */
    double *b_copy;    /* n, or NULL */
    perp_operator copy, J, G; /* the parts of a copy */
    perp_factored parts;
} layout;

/** `order` (one entry per block, or NULL) must outlive the layout. Sparse and factored rows are
 *  copied; dense ones, blocks across contacts and rows on two bodies are not. */
perp_status perp_layout_setup(layout *l, const perp_problem *p, const size_t *order,
                              perp_workspace *ws, perp_error *err);
/** Mark the velocities of a factored A that can change: the nonzero columns of M^-1 J^T. */
void perp_layout_moving(const perp_operator *A, unsigned char *moves);
/** b changed, and where `matrix` is set the diagonal of A. */
void perp_layout_refresh(layout *l, bool matrix);

static inline size_t layout_row(const layout *l, size_t position)
{
    return l->row ? l->row[position] : l->blocks[position].first;
}

#endif
