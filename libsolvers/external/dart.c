/* SPDX-License-Identifier: Apache-2.0
 * external/dart.c: the LCP solvers of DART, the Dynamic Animation and Robotics Toolkit. */
#include <config.h>

#include "external/external.h"

static const perp_solver_type dart_types[] = {
    {
        PERP_EXTERNAL_CALLS,
        .name = "dart:dantzig",
        .summary = "DART: DantzigBoxedLcpSolver",
        .reference = "cottle-dantzig-1968",
        .algorithm =
            "DART's copy of the solver of ODE, principal pivoting with bounds "
            "[cottle-dantzig-1968]; friction rows keep the first bounds they get",
        .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION),
        .laws = PERP_LAWS(COULOMB, ASSOCIATED),
        .storages = PERP_STORAGES(DENSE),
        .demands = PERP_DEMANDS(SYMMETRIC, POSITIVE_DEFINITE), /* reads one triangle */
        .flags = PERP_FLAGS(SCALES_WITH_ROWS, FREEZES_FRICTION),
        .options = perp_external_options,
    },
    {
        PERP_EXTERNAL_CALLS,
        .name = "dart:pgs",
        .summary = "DART: PgsBoxedLcpSolver",
        .reference = "cryer-1971",
        .algorithm =
            "projected Gauss-Seidel [cryer-1971]; its program ends the sweeps by "
            "the residual of perp, not by the change of z",
        .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION),
        .laws = PERP_LAWS(COULOMB, ASSOCIATED),
        .storages = PERP_STORAGES(DENSE),
        .demands = PERP_DEMANDS(POSITIVE_DIAGONAL),
        .flags = PERP_FLAGS(USES_START, SCALES_WITH_ROWS),
        .options = perp_external_options,
    },
    {
        PERP_EXTERNAL_CALLS,
        .name = "dart:lemke",
        .summary = "DART: dart::lcpsolver::Lemke",
        .reference = "",
        .algorithm = "Lemke's algorithm with a factorisation of the basis per pivot, "
                     "after the Matlab code of Miranda and Fackler (2002)",
        .sets = PERP_SETS(NONNEG),
        .laws = PERP_LAWS(COULOMB, ASSOCIATED),
        .storages = PERP_STORAGES(DENSE),
        .options = perp_external_options,
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
