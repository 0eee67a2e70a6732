/* SPDX-License-Identifier: Apache-2.0
 * external/ode.c: the solver of the Open Dynamics Engine. */
#include <config.h>

#include "external/external.h"

static const perp_solver_type ode_types[] = {
    {
        PERP_EXTERNAL_CALLS,
        .name = "ode:dantzig",
        .summary = "ODE: the LCP solver of dWorldStep",
        .reference = "cottle-dantzig-1968",
        .algorithm =
            "ODE's form of the principal pivoting of Dantzig with bounds "
            "[cottle-dantzig-1968]; friction rows keep the first bounds they get",
        .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION),
        .laws = PERP_LAWS(COULOMB, ASSOCIATED),
        .storages = PERP_STORAGES(DENSE),
        .demands = PERP_DEMANDS(SYMMETRIC, POSITIVE_DEFINITE), /* reads one triangle */
        .flags = PERP_FLAGS(SCALES_WITH_ROWS, FREEZES_FRICTION),
        .options = perp_external_options,
    },
    {0},
};

const perp_code perp_code_ode = {
    .name = "ode",
    .title = "Open Dynamics Engine",
    .program = "perp-ode",
    .package = "libode-dev",
    .types = ode_types,
};
