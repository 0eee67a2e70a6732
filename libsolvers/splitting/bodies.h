/* SPDX-License-Identifier: Apache-2.0
 * splitting/bodies.h: sweeps over rows that act on two bodies (perp_operator_new_pairs), each
 * block a record that stands where the sweep comes by, each body a cache line. Private. */
#ifndef PERP_SPLITTING_BODIES_H
#define PERP_SPLITTING_BODIES_H

#include "blocks.h"

/** Where a block is, and whom it moves. */
typedef struct bodies_place {
    size_t at;       /* of its record */
    int32_t body[2]; /* `still` for what never moves */
    int32_t
        first; /* its first row; of arms: where its impulse is, in `own` if there is one */
    bool arms; /* a contact written by its arms; else rows, left to local_blocks */
} bodies_place;

/** A body: what moves it and how it moves. */
typedef struct body_state {
    double v[3], inverse_mass;
    double w[3], inverse_inertia; /* where it is the same about all axes, else -1 */
} body_state;

typedef struct bodies {
    const perp_problem *p;
    const perp_block *blocks; /* by place */
    size_t count;
    double proximal;
    int32_t still;
    body_state *state;     /* one more than bodies, which stays 0 */
    const double *inertia; /* 9 a body: of A, or a copy in the order of state */
    bodies_place *places;
    double *record;           /* 12 a row, or 32 a contact with arms */
    double *own;              /* impulses of arms in the order of places, or NULL: in z */
    int32_t *source;          /* n: where in `own` a contact's impulse is, else -1 */
    unsigned char *elsewhere; /* count: places that local_blocks need not prepare */
} bodies;

/** Take memory and write the records of blocks by place; `l` has p, at, count, way and
 *  proximal. `apart`: places are in another order than z, and passes are made by perp_bodies_pass
 *  alone; impulses and bodies are then kept in that order too, since each that stands anywhere
 *  costs a page of memory to find. Whether A is of such rows at all and they can be swept so:
 *  *taken; where not, nothing is taken. */
perp_status perp_bodies_setup(bodies *q, local_blocks *l, bool apart, perp_workspace *ws,
                              bool *taken, perp_error *err);
/** After local_blocks_setup: what it left out. */
void perp_bodies_set_weights(const bodies *q, local_blocks *l);
/** b changed, and where `matrix` is set the diagonal of A. */
void perp_bodies_refresh(bodies *q, local_blocks *l, bool matrix);
/** Whether the rows of each block of p act on the same two bodies, so that it can be done. */
bool perp_bodies_apply_to(const perp_problem *p);
/** Velocities from z. */
void perp_bodies_velocities(bodies *q, const double *z);

/** Solve the block at a place; as local_blocks_step. */
bool perp_bodies_step(const bodies *q, const local_blocks *l, size_t place, double *z,
                      double *change);
/** All blocks in turn, in the order of `sequence` if there is one, until one refuses: that
 *  place, or SIZE_MAX. */
size_t perp_bodies_pass(const bodies *q, const local_blocks *l, const size_t *sequence,
                        bool back, double *z, double *change);

#endif
