/* SPDX-License-Identifier: Apache-2.0
 * outer/staggered.c: staggered projections of normal and friction impulses.
 *
 *     x_N = argmin over z_N >= 0        1/2 z_N.A_NN z_N + (b_N + A_NT z_T).z_N
 *     z_N <- z_N + theta (x_N - z_N)
 *     x_T = argmin over |z_T,i| <= R_i  1/2 z_T.A_TT z_T + (b_T + A_TN z_N).z_T
 *     z_T <- z_T + theta (x_T - z_T)    R_i = mu_i z_N,i
 *
 * The two projections, in the metric of the kinetic energy, of contact and of friction
 * (maximal dissipation) whose common fixed point is Coulomb's law [kaufman-2008]. The rounds
 * are those of panagiotopoulos, but each problem is solved only to the accuracy that a round can
 * use, from its last point, and the impulses themselves are relaxed by theta, which is halved
 * where the rounds cycle. So a round costs a few products: a half to a third of the products of
 * panagiotopoulos in as many rounds. Both are slow where friction carries the normals (arches,
 * 200 to 300 rounds) and may not converge on stacks of boxes, where tresca or ds are better.
 *
 * Cost per round: a few steps of the inner solvers, two products with A and one with each part.
 * Memory and inner solvers: as panagiotopoulos. A start near the solution saves rounds. The
 * direction of growing impulses is tried as a certificate. */
#include <config.h>

#include "frozen.h"

static perp_status staggered_setup(void *state, const perp_problem *p,
                                   const perp_options *opt, perp_workspace *ws,
                                   perp_result *r, perp_error *err)
{
    const frozen_style style = {
        .name = "staggered", .parts = 2, .kappa_least = 0.02, .relaxes_point = true};

    return perp_frozen_setup(state, &style, p, opt, ws, r, err);
}

static const perp_option staggered_options[] = {
    PERP_ROUNDS_OPTIONS(1000, 0.1, 1e-3),
    PERP_REAL_CLOSED("relaxation", 1.0, 0x1p-6, 1.0,
                     "part of the change that a round applies; halved when rounds cycle"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_staggered = {
    .name = "staggered",
    .family = "outer",
    .summary = "staggered projections of normal and friction impulses, relaxed",
    .reference = "kaufman-2008",
    .algorithm = "staggered projections [kaufman-2008]",
    .additions = "inexact inner solutions; relaxation of the impulses; "
                 "asymmetric A by its symmetric part",
    .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(COULOMB),
    .storages = PERP_STORAGES(DENSE, CSR, BSR),
    .demands = PERP_DEMANDS(POSITIVE_SEMIDEFINITE),
    .flags = PERP_FLAGS(WRAPPER, INNER_SYMMETRIC_PART, INNER_OTHER_SETS, USES_START),
    .inner = "mpgp",
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .check_every = 10,
    .max_iterations = 100000,
    .options = staggered_options,
    .state_size = sizeof(frozen_state),
    .setup = staggered_setup,
    .iterate = perp_frozen_iterate,
    .close = perp_frozen_close,
};
