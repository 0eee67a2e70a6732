/* SPDX-License-Identifier: Apache-2.0
 * external/glpk.c: the solver of GLPK, a code for linear and integer programs. */
#include <config.h>

#include "external/external.h"

static const perp_solver_type glpk_types[] = {
    {
        PERP_EXTERNAL_TYPE,
        .name = "glpk:milp",
        .summary = "GLPK: a small LCP as a mixed-integer linear program",
        .reference = "",
        .algorithm =
            "the mixed-integer program of Pardalos and Rosen (1988), solved by branch "
            "and bound, then by the simplex method with its binaries fixed",
        .sets = PERP_SETS(FREE, NONNEG, BOX),
        .laws = PERP_LAWS(COULOMB, ASSOCIATED),
        .storages = PERP_STORAGES(DENSE, CSR),
        .options = perp_external_options,
    },
    {0},
};

const perp_code perp_code_glpk = {
    .name = "glpk",
    .title = "GNU Linear Programming Kit",
    .program = "perp-glpk",
    .package = "libglpk-dev",
    .types = glpk_types,
};
