/* SPDX-License-Identifier: Apache-2.0
 * splitting/blocks.h: the blocks of a set, each prepared to be solved for itself. Private.
 *
 * The position of a block is its number in the set, or its place in the order of the sweep. */
#ifndef PERP_SPLITTING_BLOCKS_H
#define PERP_SPLITTING_BLOCKS_H

#include "core/solvers.h"
#include "local_cone.h"
#include "local_newton.h"
#include "local_rolling.h"

/** The local method of a contact. */
typedef enum local_method {
    LOCAL_EXACT,
    LOCAL_PROJECTION,
    LOCAL_TWO_STEP,
    LOCAL_NEWTON
} local_method;

/** Local proximal term of a contact, relative to the trace of its block: it makes the local
 *  problem of a singular block well posed and does not change fixed points. */
#define LOCAL_PROXIMAL 1e-12

typedef struct local_blocks {
    const perp_problem *p;
    const perp_block *at; /* count: the blocks, by position */
    size_t count;
    const unsigned char
        *elsewhere; /* count: contacts that splitting/bodies.h solves, or NULL */
    local_method method;
    double proximal; /* local proximal term, relative to the trace */
    double omega;    /* z <- (1 - omega) z + omega local(z) */
    double *inv;     /* count: 1/A_ii of scalar blocks, 0 where A_ii <= 0 */
    double *weight;  /* count: mean diagonal of the block, for `change` */
    size_t *slot; /* count: index of a block of several rows in the array of its kind */
    local_cone *cones;
    local_rolling *rollings;
    local_disk *disks;
    double *guess, *disk_guess; /* of cones, of disks: |u_t|/|r_t| at the last slip */
} local_blocks;

/** Take memory and prepare all blocks; p, at, count, way, proximal and omega are set. */
perp_status perp_local_blocks_setup(local_blocks *l, perp_workspace *ws, perp_error *err);
/** The diagonal of A changed: prepare the blocks again. */
void perp_local_blocks_refresh(local_blocks *l);

/** Solve the block at a position for itself.
 *
 *  @param u       its velocity (A z + b), as many as it has rows
 *  @param z       n: its own rows are updated, the normal of a FRICTION row is read
 *  @param dz      out: by how much
 *  @param change  weight |dz|^2 is added: an energy
 *  @return false where a row must move and its diagonal entry is not positive */
bool perp_local_blocks_step(const local_blocks *l, size_t position, const double *u,
                            double *z, double *dz, double *change);

/** End r because a row must move and its diagonal entry is not positive; the certificate is the
 *  unit vector of the row. */
perp_status perp_refuse_diagonal(perp_result *r, size_t row, perp_error *err);

#endif
