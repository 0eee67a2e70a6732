/* SPDX-License-Identifier: Apache-2.0
 * external/mumps.c: the solvers of PETSc with linear systems factored by MUMPS, over all
 * processes. */
#include <config.h>

#include "external/distributed.h"

static const perp_option mumps_options[] = {
    PERP_EXTERNAL_OPTIONS,
    PERP_DISTRIBUTED_RANKS,
    PERP_OPTION_END,
};

static const perp_solver_type mumps_types[] = {
    /* clang-format off */
    PERP_DISTRIBUTED_METHODS(PERP_DISTRIBUTED_TYPE, "mumps",
                             "the distributed LU of MUMPS", mumps_options)
    {0},
    /* clang-format on */
};

const perp_code perp_code_mumps = {
    .name = "mumps",
    .title = "MUMPS, in PETSc",
    .program = "perp-mumps",
    .package = "libpetsc-real-dev libmumps-dev",
    .types = mumps_types,
};
