/* SPDX-License-Identifier: Apache-2.0
 * external/bullet.c: the LCP solvers of Bullet Physics, in double precision. */
#include <config.h>

#include "external/external.h"

static const perp_solver_type bullet_types[] = {
    {
        PERP_EXTERNAL_CALLS,
        .name = "bullet:dantzig",
        .summary = "Bullet: btDantzigSolver",
        .reference = "cottle-dantzig-1968",
        .algorithm =
            "Bullet's copy of the solver of ODE, principal pivoting with bounds "
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
        .name = "bullet:lemke",
        .summary = "Bullet: btLemkeSolver without bounds",
        .reference = "",
        .algorithm = "the lexicographic form of Lemke's algorithm by Lloyd (2005), on a "
                     "dense tableau",
        .sets = PERP_SETS(NONNEG), /* its form for bounds inverts A */
        .laws = PERP_LAWS(COULOMB, ASSOCIATED),
        .storages = PERP_STORAGES(DENSE),
        .options = perp_external_options,
    },
    {
        PERP_EXTERNAL_CALLS,
        .name = "bullet:pgs",
        .summary = "Bullet: btSolveProjectedGaussSeidel",
        .reference = "cryer-1971",
        .algorithm =
            "projected Gauss-Seidel [cryer-1971]; its program ends the sweeps by "
            "the residual of perp, since Bullet has no such rule",
        .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION),
        .laws = PERP_LAWS(COULOMB, ASSOCIATED),
        .storages = PERP_STORAGES(DENSE),
        .demands = PERP_DEMANDS(POSITIVE_DIAGONAL),
        .flags = PERP_FLAGS(USES_START, SCALES_WITH_ROWS),
        .options = perp_external_options,
    },
    {0},
};

const perp_code perp_code_bullet = {
    .name = "bullet",
    .title = "Bullet Physics",
    .program = "perp-bullet",
    .package = "libbullet-dev",
    .types = bullet_types,
};
