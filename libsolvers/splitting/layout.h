/* SPDX-License-Identifier: Apache-2.0
 * splitting/layout.h: blocks and their rows of A in the order in which they are swept, so
 * that memory is read from front to back. Private. */
#ifndef PERP_SPLITTING_LAYOUT_H
#define PERP_SPLITTING_LAYOUT_H

#include "matrix/storages.h"

typedef struct layout {
    const perp_problem *p;
    const size_t *order;       /* block of each place; NULL: as in the set */
    const perp_block *blocks;  /* by place; their `first` speaks of z */
    const perp_operator *rows; /* A, or a copy of its rows by place */
    const size_t *row;         /* first row of each place in `rows`; NULL: its `first` */
    const double *b;           /* rows of b as those of `rows` */
    double *b_copy;            /* n, or NULL */
    perp_operator copy, J, G;  /* what a copy is made of */
    perp_factored parts;
} layout;

/** `order` (one entry a block, or NULL) must outlive the layout. Sparse and factored rows are
 *  copied, dense ones, blocks across contacts and rows of two bodies are read where they are. */
perp_status perp_layout_setup(layout *l, const perp_problem *p, const size_t *order,
                              perp_workspace *ws, perp_error *err);
/** Which velocities of a factored A ever change: marks columns of M^-1 J^T that are not 0, not
 *  those of bodies that cannot move. */
void perp_layout_moving(const perp_operator *A, unsigned char *moves);
/** b changed, and where `matrix` is set the diagonal of A. */
void perp_layout_refresh(layout *l, bool matrix);

static inline size_t layout_row(const layout *l, size_t place)
{
    return l->row ? l->row[place] : l->blocks[place].first;
}

#endif
