/* SPDX-License-Identifier: Apache-2.0
 * splitting/psor.c: projected successive over-relaxation.
 *
 *     for i = 1..n:   z_i <- clip( z_i - omega (A z + b)_i / A_ii, lo_i, hi_i ),  omega = 1.3
 *
 * The sweeps of pgs, each step made longer; contacts take z_k + omega (local - z_k), projected
 * on their cone. Converges for symmetric positive definite A and 0 < omega < 2 [cryer-1971];
 * for an H-matrix only up to 2/(1 + rho(|J|)), J being Jacobi's matrix: on the tridiagonal
 * (1, 4, -2) a factor of 1.5 drives the iterates apart. 1.3 suits the M-matrices of obstacle
 * and bearing problems, where it takes half the sweeps of pgs or less.
 *
 * Cost, memory, orders, warm start, certificates and the end of it: as pgs. */
#include <config.h>

#include "plain.h"

static perp_status psor_setup(void *state, const perp_problem *p, const perp_options *opt,
                              perp_workspace *ws, perp_result *r, perp_error *err)
{
    return perp_plain_setup(state, false, &perp_solver_psor, p, opt, ws, r, err);
}

static const perp_option psor_options[] = {
    SWEEP_OPTIONS(1.3, "factor omega; above 1: over-relaxed"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_psor = {
    .name = "psor",
    .family = "splitting",
    .summary = "projected successive over-relaxation",
    .reference = "cryer-1971",
    SWEEP_TAKES,
    PLAIN_STEPS,
    .options = psor_options,
    .setup = psor_setup,
};
