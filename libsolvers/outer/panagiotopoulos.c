/* SPDX-License-Identifier: Apache-2.0
 * outer/panagiotopoulos.c: normal and tangential problems by turns, each solved to the end.
 *
 *     z_N+ = argmin over z_N >= 0       1/2 z_N.A_NN z_N + (b_N + A_NT z_T).z_N
 *     z_T+ = argmin over |z_T,i| <= R_i 1/2 z_T.A_TT z_T + (b_T + A_TN z_N+).z_T,
 *            R_i = mu_i z_N,i+
 *
 * Two problems of a third and two thirds of the rows [panagiotopoulos-1975]: a complementarity
 * problem that any solver of NONNEG rows takes, and a program with disks (frozen.h). In 2D
 * both have bounds only, so pivoting solvers serve too. Converges where normals and tangents
 * of different contacts are weakly coupled; the rate is that of block Gauss-Seidel between
 * them, times mu. Where it circles, R is damped. Joints, limits and motors go with the
 * normals. A singular A gets ds's vanishing proximal term, an unsymmetric one ds's skew part.
 *
 * Costs a round: both inner solutions, two products with A and one with each part; memory:
 * both parts of A, 6 n reals and the inner solvers'. Inside serves any solver that takes
 * NONNEG rows and disks, for both parts: mpgp (the default), kprgp, spg, apgd, admm, ipm-socp,
 * pgs and the other sweeps; in the plane, where boxes do, dantzig and bpp as well. A start near the solution saves rounds.
 * Growing impulses are tried as a certificate. */
#include <config.h>

#include "frozen.h"

static perp_status panagiotopoulos_setup(void *state, const perp_problem *p,
                                         const perp_options *opt, perp_workspace *ws,
                                         perp_result *r, perp_error *err)
{
    const frozen_style style = {.name = "panagiotopoulos", .parts = 2};

    return perp_frozen_setup(state, &style, p, opt, ws, r, err);
}

/* No kappa: each problem is solved to a fifth of the tolerance. */
static const perp_option panagiotopoulos_options[] = {
    PERP_INTEGER("rounds", 500, 1, 1e6, "at most this many rounds"),
    PERP_REAL_CLOSED("proximal", 1e-3, 0.0, 1.0,
                     "first proximal term, times |A|; it decays"),
    FROZEN_RELAXATION(1.0),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_panagiotopoulos = {
    .name = "panagiotopoulos",
    .summary = "Coulomb's law by normal and tangential problems in turn",
    .reference = "panagiotopoulos-1975",
    .storages = PERP_STORAGES(DENSE, CSR, BSR),
    .options = panagiotopoulos_options,
    .setup = panagiotopoulos_setup,
    FROZEN_TYPE,
};
