/* SPDX-License-Identifier: Apache-2.0
 * linear/spectrum.h: eigenvalues of the symmetric part of a matrix, and systems A + tau I
 * solved through them. Private.
 *
 *     (A + A^T)/2 = Q T Q^T,    (A + tau I)^-1 = Q (T + tau)^-1 Q^T for a symmetric A */
#ifndef PERP_LINEAR_SPECTRUM_H
#define PERP_LINEAR_SPECTRUM_H

#include "core/solvers.h"

typedef struct perp_spectrum {
    size_t n;
    double *Q; /* n x n, ld n */
    double *T; /* n: eigenvalues, ascending */
    double *c; /* n */
} perp_spectrum;

/** Decompose A: some 9 n^3 flops by LAPACK's dsyevd; n^2 reals, and 2 n^2 until it returns. */
perp_status perp_spectrum_setup(perp_spectrum *s, const perp_operator *A,
                                perp_workspace *ws, perp_error *err);
/** x := (A + tau I)^-1 x, 4 n^2 flops. */
void perp_spectrum_solve(perp_spectrum *s, double tau, double *x);
/** Least and largest eigenvalue of the symmetric part of A; 0 for n = 0. */
perp_status perp_spectrum_extremes(const perp_operator *A, double *least, double *most,
                                   perp_workspace *ws, perp_error *err);

#endif
