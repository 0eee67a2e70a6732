/* SPDX-License-Identifier: Apache-2.0
 * external/ode.c: the solver of the Open Dynamics Engine. */
#include <config.h>

#include "external/engine.h"

static const perp_solver_type ode_types[] = {
    {
        PERP_ENGINE_DANTZIG,
        .name = "ode:dantzig",
        .summary = "ODE: the LCP solver of dWorldStep",
        .algorithm =
            "ODE's form of the principal pivoting of Dantzig with bounds "
            "[cottle-dantzig-1968]; friction rows keep the first bounds they get",
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
