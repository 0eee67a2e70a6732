/* SPDX-License-Identifier: Apache-2.0
 * external/engine.h: what the solvers of physics engines have in common: dense, scalar rows,
 * bounds of friction rows by the row of the normal. Private to the codes ode, bullet, dart. */
#ifndef PERP_EXTERNAL_ENGINE_H
#define PERP_EXTERNAL_ENGINE_H

#include "external/external.h"

/** Principal pivoting with bounds; it reads one triangle of A. */
#define PERP_ENGINE_DANTZIG                                                              \
    PERP_EXTERNAL_CALLS, .reference = "cottle-dantzig-1968",                             \
                         .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION),                 \
                         .laws = PERP_LAWS(COULOMB, ASSOCIATED),                         \
                         .storages = PERP_STORAGES(DENSE),                               \
                         .demands = PERP_DEMANDS(SYMMETRIC, POSITIVE_DEFINITE),          \
                         .flags = PERP_FLAGS(SCALES_WITH_ROWS, FREEZES_FRICTION),        \
                         .options = perp_external_options

/** Projected Gauss-Seidel. */
#define PERP_ENGINE_PGS                                                                  \
    PERP_EXTERNAL_CALLS,                                                                 \
        .reference = "cryer-1971", .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION),       \
        .laws = PERP_LAWS(COULOMB, ASSOCIATED), .storages = PERP_STORAGES(DENSE),        \
        .demands = PERP_DEMANDS(POSITIVE_DIAGONAL),                                      \
        .flags = PERP_FLAGS(USES_START, SCALES_WITH_ROWS),                               \
        .options = perp_external_options

/** Lemke's method, without bounds. */
#define PERP_ENGINE_LEMKE                                                                \
    PERP_EXTERNAL_CALLS, .reference = "", .sets = PERP_SETS(NONNEG),                     \
                         .laws = PERP_LAWS(COULOMB, ASSOCIATED),                         \
                         .storages = PERP_STORAGES(DENSE),                               \
                         .options = perp_external_options

#endif
