/* SPDX-License-Identifier: Apache-2.0
 * external/bullet.c: the LCP solvers of Bullet Physics, in double precision. */
#include <config.h>

#include "external/engine.h"

static const perp_solver_type bullet_types[] = {
    {
        PERP_ENGINE_DANTZIG,
        .name = "bullet:dantzig",
        .summary = "Bullet: btDantzigSolver",
        .algorithm =
            "Bullet's copy of the solver of ODE, principal pivoting with bounds "
            "[cottle-dantzig-1968]; friction rows keep the first bounds they get",
    },
    {
        PERP_ENGINE_LEMKE,
        .name = "bullet:lemke",
        .summary = "Bullet: btLemkeSolver without bounds",
        .algorithm = "the lexicographic form of Lemke's algorithm by Lloyd (2005), on a "
                     "dense tableau",
    },
    {
        PERP_ENGINE_PGS,
        .name = "bullet:pgs",
        .summary = "Bullet: btSolveProjectedGaussSeidel",
        .algorithm =
            "projected Gauss-Seidel [cryer-1971]; its program ends the sweeps by "
            "the residual of perp, since Bullet has no such rule",
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
