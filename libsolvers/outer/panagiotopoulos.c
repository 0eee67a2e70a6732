/* SPDX-License-Identifier: Apache-2.0
 * outer/panagiotopoulos.c: normal and tangential problems alternately, each solved exactly.
 *
 *     z_N+ = argmin over z_N >= 0       1/2 z_N.A_NN z_N + (b_N + A_NT z_T).z_N
 *     z_T+ = argmin over |z_T,i| <= R_i 1/2 z_T.A_TT z_T + (b_T + A_TN z_N+).z_T,
 *            R_i = mu_i z_N,i+
 *
 * Two problems of a third and two thirds of the rows [panagiotopoulos-1975]: a complementarity
 * problem for any solver of NONNEG rows, and a program with disks (frozen.h). In 2D both have
 * bounds only, so that pivoting solvers can be used too. Converges where normals and tangents
 * of different contacts are weakly coupled; the rate is that of block Gauss-Seidel between
 * them, times mu. Where it cycles, R is damped. Joints, limits and motors belong to the
 * normals. A singular A gets the decaying proximal term of ds; the skew part of an unsymmetric
 * A is treated as in ds.
 *
 * Cost per round: both inner solutions, two products with A and one with each part. Memory: both
 * parts of A, 6 n reals, and the memory of the inner solvers. Inner solvers: any that accepts
 * NONNEG rows and disks, for both parts: mpgp (the default), kprgp, spg, apgd, admm, ipm-socp,
 * pgs and the other sweeps; in the plane, where boxes suffice, dantzig and bpp as well. A start
 * near the solution saves rounds. The direction of growing impulses is tried as a certificate. */
#include <config.h>

#include "frozen.h"

static perp_status panagiotopoulos_setup(void *state, const perp_problem *p,
                                         const perp_options *opt, perp_workspace *ws,
                                         perp_result *r, perp_error *err)
{
    const frozen_style style = {.name = "panagiotopoulos", .parts = 2};

    return perp_frozen_setup(state, &style, p, opt, ws, r, err);
}

/* Without kappa each problem is solved to a fifth of the tolerance. */
static const perp_option panagiotopoulos_options[] = {
    PERP_INTEGER("rounds", 500, 1, 1e6, "limit of the number of rounds"),
    PERP_REAL_CLOSED("proximal", 1e-3, 0.0, 1.0,
                     "first proximal term, relative to |A|; it decays"),
    PERP_REAL_CLOSED("relaxation", 1.0, 0x1p-6, 1.0,
                     "part of the change that a round applies; halved when rounds cycle"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_panagiotopoulos = {
    .name = "panagiotopoulos",
    .family = "outer",
    .summary = "Coulomb's law by alternating normal and tangential problems",
    .reference = "panagiotopoulos-1975",
    .algorithm = "the alternation of normal and tangential problems of "
                 "[panagiotopoulos-1975]",
    .additions = "damping; vanishing proximal term; asymmetric A by its "
                 "symmetric part",
    .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(COULOMB),
    .storages = PERP_STORAGES(DENSE, CSR, BSR),
    .demands = PERP_DEMANDS(POSITIVE_SEMIDEFINITE),
    .flags = PERP_FLAGS(WRAPPER, INNER_SYMMETRIC_PART, INNER_OTHER_SETS, USES_START),
    .inner = "mpgp",
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .check_every = 10,
    .max_iterations = 100000,
    .options = panagiotopoulos_options,
    .state_size = sizeof(frozen_state),
    .setup = panagiotopoulos_setup,
    .iterate = perp_frozen_iterate,
    .close = perp_frozen_close,
};
