/* SPDX-License-Identifier: Apache-2.0
 * external/octave.c: solvers of GNU Octave. */
#include <config.h>

#include "external/external.h"

static const perp_solver_type octave_types[] = {
    {
        PERP_EXTERNAL_TYPE,
        .name = "octave:qp",
        .summary = "Octave: min z.Az/2 + b.z within bounds",
        .reference = "",
        .algorithm = "qp of Octave, a null-space active-set method",
        .sets = PERP_SETS(FREE, NONNEG, BOX),
        .laws = PERP_LAWS(COULOMB, ASSOCIATED),
        .storages = PERP_STORAGES(DENSE, CSR),
        .demands = PERP_DEMANDS(SYMMETRIC, POSITIVE_SEMIDEFINITE),
        .options = perp_external_options,
    },
    {
        PERP_EXTERNAL_TYPE,
        .name = "octave:lcp",
        .summary = "Octave: an LCP as a quadratic program over z >= 0",
        .reference = "",
        .algorithm = "pqpnonneg of Octave, the active-set method of Lawson and Hanson "
                     "for positive definite quadratic programs over z >= 0",
        .sets = PERP_SETS(NONNEG),
        .laws = PERP_LAWS(COULOMB, ASSOCIATED),
        .storages = PERP_STORAGES(DENSE, CSR),
        .demands = PERP_DEMANDS(SYMMETRIC, POSITIVE_DEFINITE),
        .options = perp_external_options,
    },
    {0},
};

const perp_code perp_code_octave = {
    .name = "octave",
    .title = "GNU Octave",
    .program = "perp-octave",
    .package = "octave",
    .format = "mat",
    .types = octave_types,
};
