/* SPDX-License-Identifier: Apache-2.0
 * splitting/spgs.c: symmetric projected Gauss-Seidel.
 *
 *     for i = 1..n, n..1:   z_i <- clip( z_i - omega (A z + b)_i / A_ii, lo_i, hi_i )
 *
 * Each iteration sweeps forward and backward, so that information propagates through a chain of
 * blocks in both directions, and the result prefers neither of its ends. Converges where pgs
 * does [mangasarian-1977]; mostly in about half as many iterations, each of which costs two
 * products with A.
 *
 * Memory, orders, warm start, certificates and the stall rule: as pgs. */
#include <config.h>

#include "core/solver_used.h"
#include "sweep.h"

static perp_status spgs_setup(void *state, const perp_problem *p, const perp_options *opt,
                              perp_workspace *ws, perp_result *r, perp_error *err)
{
    sweep *s = state;

    s->symmetric = true;
    s->blocks.proximal = LOCAL_PROXIMAL;
    return perp_sweep_setup(s, perp_solver_spgs.name, p, opt, ws, r, err);
}

static const perp_option spgs_options[] = {
    PERP_REAL_OPEN("relaxation", 1.0, 0.0, 2.0, "factor omega; 1 is Gauss-Seidel"),
    PERP_SWEEP_ORDER_OPTION,
    PERP_SWEEP_THREADS_OPTION,
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_spgs = {
    .name = "spgs",
    .summary = "symmetric projected Gauss-Seidel: forward and backward sweeps",
    .reference = "mangasarian-1977",
    .algorithm = "symmetric projected Gauss-Seidel [mangasarian-1977]",
    .additions = "as pgs",
    PERP_SWEEP_TYPE,
    .options = spgs_options,
    .state_size = sizeof(sweep),
    .setup = spgs_setup,
    .iterate = perp_sweep_iterate,
    .resume = perp_sweep_resume,
};
