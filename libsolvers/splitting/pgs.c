/* SPDX-License-Identifier: Apache-2.0
 * splitting/pgs.c: projected Gauss-Seidel.
 *
 *     for i = 1..n:   z_i <- clip( z_i - omega (A z + b)_i / A_ii, lo_i, hi_i )
 *
 * and contacts, rolling contacts and disks by the exact solution of each block
 * (splitting/blocks.c). Bounds of friction rows follow the normal impulse as it stands, so
 * that no outer loop is needed.
 *
 * Converges for symmetric positive definite A and 0 < omega < 2 [cryer-1971], also where A is
 * semidefinite and a solution exists, and for H-matrices with positive diagonal and
 * omega <= 1 [mangasarian-1977]; on others it may circle for ever, as on
 * [1 2 0; 0 1 2; 2 0 1]. The rate falls as the ratio of the masses on top of each other.
 *
 * Cost: one product with A a sweep, in factored form without forming A; memory: 5 reals a row,
 * coloured or local order: A once more; rows that act on two bodies: 12 more, in any order.
 * Warm start: any point serves, and a near one saves sweeps.
 *
 * Orders: as given; forth and back by turns, which carries news up and down a stack; drawn
 * anew for each sweep, from the seed; by colours, where blocks of a colour do not touch each
 * other, so that several threads may sweep them and no bit depends on how many; local, along a
 * walk through the bodies (blocks of A, velocities), so that what a block needs is in the cache
 * however contacts are stored. That one is taken unasked where more than 20000 blocks act on
 * two bodies each and these jump from one block to the next; what ran says so.
 *
 * Ends stalled when RES falls by less than 1 % in 2000 sweeps. Certificates: a row that must
 * move without a positive diagonal entry, and the direction in which the iterates run away
 * when that proves that there is no solution. */
#include <config.h>

#include "plain.h"

static perp_status pgs_setup(void *state, const perp_problem *p, const perp_options *opt,
                             perp_workspace *ws, perp_result *r, perp_error *err)
{
    return perp_plain_setup(state, false, &perp_solver_pgs, p, opt, ws, r, err);
}

static const perp_option pgs_options[] = {
    SWEEP_OPTIONS(1.0, "factor omega; 1 is Gauss-Seidel"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_pgs = {
    .name = "pgs",
    .family = "splitting",
    .summary = "projected Gauss-Seidel",
    .reference = "cryer-1971",
    SWEEP_TAKES,
    PLAIN_STEPS,
    .options = pgs_options,
    .setup = pgs_setup,
};
