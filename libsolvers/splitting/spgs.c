/* SPDX-License-Identifier: Apache-2.0
 * splitting/spgs.c: symmetric projected Gauss-Seidel.
 *
 *     for i = 1..n, n..1:   z_i <- clip( z_i - omega (A z + b)_i / A_ii, lo_i, hi_i )
 *
 * Each iterate sweeps there and back, so that news travels through a chain of blocks in both
 * directions at once, and what comes out does not prefer one end of it. Converges where pgs
 * does [mangasarian-1977]; mostly in about half as many iterates, each of which costs two
 * products with A.
 *
 * Memory, orders, warm start, certificates and the end of it: as pgs. */
#include <config.h>

#include "plain.h"

static perp_status spgs_setup(void *state, const perp_problem *p, const perp_options *opt,
                              perp_workspace *ws, perp_result *r, perp_error *err)
{
    return perp_plain_setup(state, true, &perp_solver_spgs, p, opt, ws, r, err);
}

static const perp_option spgs_options[] = {
    SWEEP_OPTIONS(1.0, "factor omega; 1 is Gauss-Seidel"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_spgs = {
    .name = "spgs",
    .family = "splitting",
    .summary = "symmetric projected Gauss-Seidel, there and back",
    .reference = "mangasarian-1977",
    SWEEP_TAKES,
    PLAIN_STEPS,
    .options = spgs_options,
    .setup = spgs_setup,
};
