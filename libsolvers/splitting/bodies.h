/* SPDX-License-Identifier: Apache-2.0
 * splitting/bodies.h: sweeps over rows that act on two bodies (perp_operator_new_pairs), with one record
 * per block in the order of the sweep and one cache line per body. Private. */
#ifndef PERP_SPLITTING_BODIES_H
#define PERP_SPLITTING_BODIES_H

#include "blocks.h"

/** The record of a block and the bodies that it moves. */
typedef struct bodies_position {
    size_t at;       /* offset of its record, of arms */
    int32_t body[2]; /* `still` for bodies that never move */
    int32_t
        first; /* its first row; of arms: where its impulse is, in `own` if there is one */
    bool arms; /* a contact stored by its lever arms; else rows, solved by local_blocks */
} bodies_position;

/** Velocity and inertia of a body. */
typedef struct body_state {
    double v[3], inverse_mass;
    double w[3], inverse_inertia; /* if equal about all axes, else -1 */
} body_state;

typedef struct bodies {
    const perp_problem *p;
    const perp_block *blocks; /* by position */
    size_t count;
    double proximal;
    int32_t still;
    body_state *state;     /* one more than bodies, always 0 */
    const double *inertia; /* 9 per body: of A, or a copy in the order of state */
    bodies_position *positions;
    double *record;  /* 32 per contact with arms */
    double *own;     /* impulses of arms in the order of positions, or NULL: in z */
    int32_t *source; /* n: where in `own` a contact's impulse is, else -1 */
    struct contact_patch *patches; /* contacts solved together (splitting/patches.h) */
    size_t patch_count;
    int32_t
        *patch; /* count: number of the patch that ends here, from 1, or 0; NULL: none */
    unsigned char *elsewhere; /* count: positions that local_blocks need not prepare */
} bodies;

/** Take memory and write the records of the blocks by position; `l` has p, at, count, method and
 *  proximal. `apart`: positions differ from the order of z, and sweeps are made by
 *  perp_bodies_pass only; impulses and bodies are then stored by position too, since random access
 *  to either would cost a page of memory per block. *used: whether A has such rows and they can be
 *  swept so; if not, no memory is taken. */
perp_status perp_bodies_setup(bodies *q, local_blocks *l, bool apart, perp_workspace *ws,
                              bool *used, perp_error *err);
/** After perp_local_blocks_setup: the weights of contacts with arms. */
void perp_bodies_set_weights(const bodies *q, local_blocks *l);
/** b changed, and where `matrix` is set the diagonal of A. */
void perp_bodies_refresh(bodies *q, local_blocks *l, bool matrix);
/** Whether the rows of each block of p act on the same two bodies, as the records require. */
bool perp_bodies_apply_to(const perp_problem *p);
/** Compute the velocities of the bodies from z. */
void perp_bodies_velocities(bodies *q, const double *z);

/** Solve the blocks from .. to-1, which were not set up `apart`, one after the other until one
 *  cannot move: its position, or `to`. */
size_t perp_bodies_run(const bodies *q, const local_blocks *l, size_t from, size_t to,
                       double *z, double *change);
/** All blocks one after the other, in the order of `sequence` if there is one, until one cannot
 *  move: its position, or SIZE_MAX. */
size_t perp_bodies_pass(const bodies *q, const local_blocks *l, const size_t *sequence,
                        bool back, double *z, double *change);

#endif
