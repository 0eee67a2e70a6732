/* SPDX-License-Identifier: Apache-2.0
 * splitting/psor.c: projected successive over-relaxation.
 *
 *     for i = 1..n:   z_i <- clip( z_i - omega (A z + b)_i / A_ii, lo_i, hi_i ),  omega = 1.3
 *
 * The sweeps of pgs with longer steps; contacts take z_k + omega (local - z_k), projected on
 * their cone. Converges for symmetric positive definite A and 0 < omega < 2 [cryer-1971]; for
 * an H-matrix only up to 2/(1 + rho(|J|)), where J is Jacobi's matrix: on the tridiagonal
 * (1, 4, -2) the iterates diverge with a factor of 1.5. The default of 1.3 suits the M-matrices
 * of obstacle and bearing problems, where psor takes half the sweeps of pgs or fewer.
 *
 * Cost, memory, orders, warm start, certificates and the stall rule: as pgs. */
#include <config.h>

#include "core/solver_used.h"
#include "sweep.h"

static perp_status psor_setup(void *state, const perp_problem *p, const perp_options *opt,
                              perp_workspace *ws, perp_result *r, perp_error *err)
{
    sweep *s = state;

    s->blocks.proximal = LOCAL_PROXIMAL;
    return perp_sweep_setup(s, perp_solver_psor.name, p, opt, ws, r, err);
}

static const perp_option psor_options[] = {
    PERP_REAL_OPEN("relaxation", 1.3, 0.0, 2.0, "factor omega; above 1: over-relaxed"),
    PERP_SWEEP_ORDER_OPTION,
    PERP_SWEEP_THREADS_OPTION,
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_psor = {
    .name = "psor",
    .summary = "projected successive over-relaxation",
    .reference = "cryer-1971",
    .algorithm = "projected successive over-relaxation [cryer-1971]",
    .additions = "as pgs",
    PERP_SWEEP_TYPE,
    .options = psor_options,
    .state_size = sizeof(sweep),
    .setup = psor_setup,
    .iterate = perp_sweep_iterate,
    .resume = perp_sweep_resume,
};
