/* SPDX-License-Identifier: Apache-2.0
 * tests/linear/pair.h: a matrix in two storages, and a workspace that is left empty. */
#ifndef PERP_TEST_PAIR_H
#define PERP_TEST_PAIR_H

#include "core/solvers.h"
#include "support.h"

enum { PAIR_ROWS = 40 };

/** Tridiagonal with some entries far off, symmetric or not, dense and in CSR. Diagonally dominant by
 *  1 in rows and columns, so that the condition is at most about 40. */
void two_storages_make(perp_operator *A[2], bool symmetric, uint64_t seed);

perp_workspace *pair_workspace(void);
/** All that was charged must have been discharged. */
void pair_discard(perp_workspace *ws);

#endif
