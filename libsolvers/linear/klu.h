/* SPDX-License-Identifier: Apache-2.0
 * linear/klu.h: a KLU factorisation whose memory is counted in a workspace. Private.
 *
 *     columns of a square matrix, order by blocks and minimum degree, P A Q = L U
 *
 * The only place that calls KLU's allocating functions [davis-natarajan-2010]. */
#ifndef PERP_LINEAR_KLU_H
#define PERP_LINEAR_KLU_H

#include <suitesparse/klu.h>

#include "core/solvers.h"

typedef struct perp_klu {
    size_t n;
    perp_workspace *ws;
    size_t charged; /* bytes of KLU that the workspace counts */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric; /* NULL: not factored */
} perp_klu;

/** Analyse the pattern of n > 0 columns. perp_klu_close must be called even after a failure. */
perp_status perp_klu_analyse(perp_klu *f, size_t n, int *ptr, int *row,
                             perp_workspace *ws, perp_error *err);
/** Factor numbers on that pattern. *done is false where the matrix is singular. */
perp_status perp_klu_factor(perp_klu *f, int *ptr, int *row, double *x, bool *done,
                            perp_error *err);
void perp_klu_close(perp_klu *f); /* a zeroed one is allowed (no-op) */

#endif
