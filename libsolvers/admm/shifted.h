/* SPDX-License-Identifier: Apache-2.0
 * admm/shifted.h: systems (A + D) x = c that differ in the diagonal D > 0. Private.
 *
 * A as it is, never its triangle unless it is symmetric: dense or sparse Cholesky or LU; of a
 * factored A = J G^T + C the velocity form
 *
 *     (I + G^T E^-1 J) v = G^T E^-1 c,  x = E^-1 (c - J v),  E = C + D
 *
 * whose size is the number of velocities; or, of a small symmetric A and a uniform D, the
 * spectrum A = Q T Q^T, with which each D costs nothing. The factors of the last few D are
 * kept, since steps that are adapted come back to where they were. */
#ifndef PERP_ADMM_SHIFTED_H
#define PERP_ADMM_SHIFTED_H

#include "linear/factor.h"
#include "matrix/storages.h"

enum { SHIFTED_SLOTS = 4 }; /* D whose factors are kept */

typedef struct shifted_slot {
    perp_factor *factor;
    double key;  /* of the D it holds; NaN: none */
    size_t used; /* when it was last asked for */
} shifted_slot;

typedef struct shifted {
    const perp_operator *A;
    size_t n, nv;               /* nv: velocities of a factored A, else 0 */
    perp_operator *sparse;      /* A with rows stored sparse, where A has them in pairs */
    const perp_factored *parts; /* of A, or of that */
    perp_operator *P;           /* factored A: pattern and numbers of I + G^T E^-1 J */
    perp_operator *K;           /* what is factored */
    double *E, *v;              /* n, nv: of a factored A */
    double *Q, *T, *c;          /* spectrum: n x n, n, n; else NULL */
    double tau;                 /* spectrum: D = tau I */
    shifted_slot slot[SHIFTED_SLOTS];
    size_t slots, clock;
    const shifted_slot *now;
} shifted;

/** For A as it is stored; `spectrum` needs a symmetric A. All memory is taken here. */
perp_status perp_shifted_open(shifted *s, const perp_operator *A, perp_factor_kind kind,
                              bool spectrum, perp_error *err);
void perp_shifted_close(shifted *s); /* harmless on a zeroed one */
/** From now on solve with D = diag(d) (n, > 0, all the same for a spectrum). `key` stands for
 *  these numbers: where they are known by it, nothing is factored. Work goes to r. *done is
 *  false where A + D has no factors. */
perp_status perp_shifted_set(shifted *s, double key, const double *d, perp_result *r,
                             bool *done, perp_error *err);
/** A's diagonal has grown by `shift`: what was factored is of no more use. */
void perp_shifted_moved(shifted *s, double shift);
/** x := (A + D)^-1 x */
void perp_shifted_solve(shifted *s, double *x);
/** The penalty of each row beside that of the others: 1, and a thousandth on rows without
 *  bounds, where z follows x and a penalty only holds x back (with 1, and worse with 1000,
 *  circuits were not solved at all). Whether all are 1. */
bool perp_shifted_weights(const perp_set *set, double *weight);
/** Least and largest eigenvalue of the symmetric part of A, by LAPACK on a dense copy. */
perp_status perp_shifted_extremes(const perp_operator *A, double *least, double *most,
                                  perp_error *err);

#endif
