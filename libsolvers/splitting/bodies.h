/* SPDX-License-Identifier: Apache-2.0
 * splitting/bodies.h: sweeps over rows that act on two bodies (perp_operator_new_pairs), each
 * block a record that stands where the sweep comes by. Private.
 *
 *     M^-1 = L L^T,  K = J L,   u = K y + C z + b,   y += K^T dz
 *
 * y = L^-1 v stands for the velocities, so that neither masses nor inertias are read. */
#ifndef PERP_SPLITTING_BODIES_H
#define PERP_SPLITTING_BODIES_H

#include "blocks.h"

/** Where a block is, and whom it moves. */
typedef struct bodies_place {
    size_t at;       /* of its record */
    int32_t body[2]; /* `still` for what never moves */
    int32_t first;   /* its first row */
    bool cone;       /* solved from its record; else by local_blocks */
} bodies_place;

typedef struct bodies {
    const perp_problem *p;
    const perp_block *blocks; /* by place */
    size_t count;
    double proximal;
    int32_t still;
    double *y; /* 8 a body, a cache line: y, 0, 0; one more that stays 0 */
    bodies_place *places;
    double *record;           /* 12 a row: K; of a cone 16 more */
    unsigned char *elsewhere; /* count: places that local_blocks need not prepare */
} bodies;

/** Take memory and write the records of blocks by place; `l` has p, at, count, way and
 *  proximal. Whether A is of such rows at all and they can be swept so: *taken; where not,
 *  nothing is taken. */
perp_status bodies_setup(bodies *q, local_blocks *l, perp_workspace *ws, bool *taken,
                         perp_error *err);
/** After local_blocks_setup: what it left out. */
void bodies_weigh(const bodies *q, local_blocks *l);
/** b changed, and where `matrix` is set the diagonal of A. */
void bodies_refresh(bodies *q, local_blocks *l, bool matrix);
/** y from z. */
void bodies_draw(bodies *q, const double *z);

/** Solve the block at a place; as local_blocks_step. */
bool bodies_step(const bodies *q, const local_blocks *l, size_t place, double *z,
                 double *change);
/** All blocks in turn, in the order of `sequence` if there is one, until one refuses: that
 *  place, or SIZE_MAX. */
size_t bodies_pass(const bodies *q, const local_blocks *l, const size_t *sequence,
                   bool back, double *z, double *change);

#endif
