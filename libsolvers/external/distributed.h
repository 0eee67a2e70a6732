/* SPDX-License-Identifier: Apache-2.0
 * external/distributed.h: the methods of PETSc, which the codes petsc and mumps share. The rows
 * of A are spread over processes. */
#ifndef PERP_EXTERNAL_DISTRIBUTED_H
#define PERP_EXTERNAL_DISTRIBUTED_H

#include "external/external.h"

/** The methods: X(code, method, summary, reference, algorithm, linear, table), where `linear`
 *  says how linear systems are solved. */
#define PERP_DISTRIBUTED_METHODS(X, code, linear, table)                                 \
    X(code, "vinewtonrsls", "Newton in the space of the rows that are not at a bound",   \
      "",                                                                                \
      "SNESVINEWTONRSLS of PETSc, reduced-space active sets of Benson and Munson "       \
      "(2006)",                                                                          \
      linear, table)                                                                     \
    X(code, "vinewtonssls", "semismooth Newton", "deluca-facchinei-kanzow-1996",         \
      "SNESVINEWTONSSLS of PETSc, semismooth Newton on the function of Fischer and "     \
      "Burmeister [deluca-facchinei-kanzow-1996]",                                       \
      linear, table)                                                                     \
    X(code, "tao-ssils", "semismooth Newton with an infeasible line search",             \
      "deluca-facchinei-kanzow-1996",                                                    \
      "TAOSSILS of PETSc, semismooth Newton [deluca-facchinei-kanzow-1996]", linear,     \
      table)                                                                             \
    X(code, "tao-asils", "semismooth Newton on active sets, infeasible line search",     \
      "deluca-facchinei-kanzow-1996",                                                    \
      "TAOASILS of PETSc, semismooth Newton [deluca-facchinei-kanzow-1996] with linear " \
      "systems of the rows that are not at a bound",                                     \
      linear, table)

/** A type. The tolerances are those of norms over all rows, so that these must be of equal
 *  size: no SCALES_WITH_ROWS. */
#define PERP_DISTRIBUTED_TYPE(code, method, text, key, published, linear, table)         \
    {                                                                                    \
        PERP_EXTERNAL_CALLS,                                                             \
        .name = code ":" method,                                                         \
        .summary = "PETSc: " text,                                                       \
        .reference = key,                                                                \
        .algorithm = published "; linear systems by " linear,                            \
        .sets = PERP_SETS(FREE, NONNEG, BOX),                                            \
        .laws = PERP_LAWS(COULOMB, ASSOCIATED),                                          \
        .storages = PERP_STORAGES(CSR),                                                  \
        .flags = PERP_FLAGS(USES_START),                                                 \
        .options = (table),                                                              \
    },

#define PERP_DISTRIBUTED_RANKS                                                           \
    PERP_INTEGER("ranks", 1, 1, 100000,                                                  \
                 "processes that mpiexec starts, each with a part of the rows")

#endif
