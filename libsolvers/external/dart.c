/* SPDX-License-Identifier: Apache-2.0
 * external/dart.c: the LCP solvers of DART, the Dynamic Animation and Robotics Toolkit. */
#include <config.h>

#include "external/engine.h"

static const perp_solver_type dart_types[] = {
    {
        PERP_ENGINE_DANTZIG,
        .name = "dart:dantzig",
        .summary = "DART: DantzigBoxedLcpSolver",
        .algorithm =
            "DART's copy of the solver of ODE, principal pivoting with bounds "
            "[cottle-dantzig-1968]; friction rows keep the first bounds they get",
    },
    {
        PERP_ENGINE_PGS,
        .name = "dart:pgs",
        .summary = "DART: PgsBoxedLcpSolver",
        .algorithm =
            "projected Gauss-Seidel [cryer-1971]; its program ends the sweeps by "
            "the residual of perp, not by the change of z",
    },
    {
        PERP_ENGINE_LEMKE,
        .name = "dart:lemke",
        .summary = "DART: dart::lcpsolver::Lemke",
        .algorithm = "Lemke's algorithm with a factorisation of the basis per pivot, "
                     "after the Matlab code of Miranda and Fackler (2002)",
    },
    {0},
};

const perp_code perp_code_dart = {
    .name = "dart",
    .title = "DART, the Dynamic Animation and Robotics Toolkit",
    .program = "perp-dart",
    .package = "libdart-dev",
    .types = dart_types,
};
