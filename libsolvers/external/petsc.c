/* SPDX-License-Identifier: Apache-2.0
 * external/petsc.c: the solvers of complementarity problems of PETSc and its TAO. */
#include <config.h>

#include "external/distributed.h"

static const perp_option petsc_options[] = {
    PERP_EXTERNAL_OPTIONS,
    PERP_DISTRIBUTED_RANKS,
    PERP_CHOICE("linear", 0, "auto|lu|amg|ilu",
                "linear systems: auto is lu on one process up to 20000 rows, else amg, "
                "multigrid with CG or GMRES; ilu is GMRES with ILU(0)"),
    PERP_OPTION_END,
};

static const perp_solver_type petsc_types[] = {
    /* clang-format off */
    PERP_DISTRIBUTED_METHODS(PERP_DISTRIBUTED_TYPE, "petsc",
                             "PETSc's LU or Krylov methods with multigrid",
                             petsc_options)
    {0},
    /* clang-format on */
};

const perp_code perp_code_petsc = {
    .name = "petsc",
    .title = "PETSc, with TAO",
    .program = "perp-petsc",
    .package = "libpetsc-real-dev",
    .types = petsc_types,
};
