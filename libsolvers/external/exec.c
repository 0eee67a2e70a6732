/* SPDX-License-Identifier: Apache-2.0
 * external/exec.c: exec:COMMAND, any program in any language. docs/exec.md is its manual. */
#include <config.h>

#include "external/external.h"

static const perp_option exec_options[] = {
    PERP_EXTERNAL_OPTIONS,
    PERP_TEXT("instance-format", "npz",
              "format of the instance file, see perp info formats"),
    PERP_LIST("laws", 3, "coulomb|associated", "laws of friction that the program takes"),
    PERP_LIST("sets", 127, "free|nonneg|box|friction|cone|rolling|disk",
              "sets that the program takes"),
    PERP_OPTION_END,
};

static const perp_solver_type exec_types[] = {
    {
        PERP_EXTERNAL_TYPE,
        .name = "exec",
        .summary = "any program that reads an instance file and writes a solution file",
        .reference = "",
        .algorithm = "the algorithm of the program",
        .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION, CONE, ROLLING, DISK),
        .laws = PERP_LAWS(COULOMB, ASSOCIATED),
        .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
        .options = exec_options,
    },
    {0},
};

const perp_code perp_code_exec = {
    .name = "exec",
    .title = "a command of the user",
    .types = exec_types,
};
