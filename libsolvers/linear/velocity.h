/* SPDX-License-Identifier: Apache-2.0
 * linear/velocity.h: systems with W = J M^-1 J^T + C, solved in the space of velocities. Private.
 *
 *     S = M + L^T H J                            H block diagonal, one block per block of K
 *     (W + D) x = r:   H = (C + D)^-1,   S v = L^T H r,   x = H (r - J v)
 *
 * S has one block per body and one for each pair of bodies that touch, however many contacts
 * they have; W is never formed. The pattern of S follows from J and the blocks alone and never
 * from the numbers in H, so that one symbolic analysis serves all H. Nothing is divided by H,
 * which may be singular.
 *
 * L = J, and S is symmetric when H is, where M is known: for rows on two bodies, and for a
 * factored matrix that was made from M^-1. Otherwise M = I and L = G = J M^-T. Rows that were
 * scaled differently from both sides give L other factors than J.
 *
 * S is factored whatever its fill. Conjugate gradients with a block IC(0) factorisation were measured
 * in its place. For a lattice of 46^3 spheres a factor has 8 GB and needs 9e12 flops, an iteration 1e8.
 * Weights H over 0, 4 and 6 decades need 260, 250 and 1400 iterations to 1e-5 (22^3: 140, 230, 1170,
 * where a factor costs as much as 950 and a solve by it as 15). A solver that factors once and solves
 * often (admm-ncp) loses by that; the Newton steps of ipm-socp and prox-newton need 6 decades and more
 * before 1e-5. So ten of them cost 10^4 iterations, each as dear as a step of apgd, and 2500 to 4500
 * steps of apgd reach 1e-8 for 10^5 spheres.
 *
 * Velocities here are those of blocks of 6 (or 3) per body that some row touches, in `velocity`
 * order; a body of fewer velocities is filled up with velocities that are always zero. */
#ifndef PERP_LINEAR_VELOCITY_H
#define PERP_LINEAR_VELOCITY_H

#include "block_factor.h"
#include "block_kernel.h"

typedef struct perp_velocity {
    const perp_operator *A; /* J M^-1 J^T + C */
    const perp_set *set;    /* its blocks are those of H */
    perp_workspace *ws;
    size_t n, nv;   /* rows; velocities = S.blocks * S.size */
    int32_t *index; /* nv: the velocity of A, or -1 where one was filled in */
    /* block k of K acts on the bodies body[touch[k]..touch[k+1]-1]; for each of them, J has
     * dim x size numbers row by row, from row_start[k] on, and each pair of them an entry of S,
     * from pair[k] on: (0,0), (1,0), (1,1), (2,0), ... */
    size_t *touch, *row_start, *pair;
    int32_t *body;
    int32_t *entry;
    double *J, *L;    /* L may be J */
    double *M, *Minv; /* diagonal blocks, column-major; NULL: I */
    size_t *start;    /* per block of K: its part of H and D */
    size_t area;      /* numbers in H */
    double *H;        /* blocks, dim x dim column-major, in order */
    bool symmetric;   /* H and S are */
    perp_block_matrix S;
    perp_block_factor *factor;
    const perp_block_kernel *kernel;
    double *filled_H;          /* of S, */
    bool filled, filled_upper; /* which holds it, above the diagonal as well */
    bool *stale;               /* entries of S that another H concerns */
    bool *changed;             /* blocks of S that do since it was factored */
    double *v;                 /* nv: scratch */
} perp_velocity;

/** Take memory and find the pattern of S for a matrix in factors. With `symmetric` all H will be
 *  symmetric, which needs half the memory. perp_velocity_close must be called even after a
 *  failure. Blocks of K have at most 5 rows. */
perp_status perp_velocity_setup(perp_velocity *s, const perp_operator *A,
                                const perp_set *set, bool symmetric, perp_workspace *ws,
                                perp_error *err);
void perp_velocity_close(perp_velocity *s); /* a zeroed one is allowed (no-op) */

/** Row of the option table of a solver that factors S. */
#define PERP_VELOCITY_THREADS_OPTION                                                     \
    PERP_INTEGER("threads", 1, 1, 256,                                                   \
                 "number of threads that share a factorisation in factors")
/** Factor by up to n threads; the bits do not depend on n. Once, after the setup. */
perp_status perp_velocity_threads(perp_velocity *s, size_t n, perp_error *err);

/** H := (C + D)^-1 from the blocks of D, dim x dim column-major in order. False where a block
 *  is not positive definite. */
bool perp_velocity_set(perp_velocity *s, const double *D);
/** The same for D = diag(d). */
bool perp_velocity_set_diagonal(perp_velocity *s, const double *d);
/** H as given, which may be singular. C has no part in it. */
void perp_velocity_set_weight(perp_velocity *s, const double *H);

/** Fill S for the present H and factor it: Cholesky where it is symmetric, else LDU. *done is
 *  false where it has no factorisation. Where H differs from the last one for some contacts alone,
 *  only what they concern is computed, to the same bits. */
perp_status perp_velocity_factor(perp_velocity *s, perp_work *work, bool *done,
                                 perp_error *err);
/** x := (W + D)^-1 x, of n rows, for the present H and factors. */
void perp_velocity_solve(perp_velocity *s, double *x);
/** f := S^-1 f, of nv. */
void perp_velocity_solve_forces(perp_velocity *s, double *f);

/** y := J v; n from nv. */
void perp_velocity_rows(const perp_velocity *s, const double *v, double *y);
/** f := L^T x; nv from n. */
void perp_velocity_forces(const perp_velocity *s, const double *x, double *f);
/** y := H x; y may be x. */
void perp_velocity_weigh(const perp_velocity *s, const double *x, double *y);
/** f := M v; f may not be v. */
void perp_velocity_mass(const perp_velocity *s, const double *v, double *f);
/** v := M^-1 f; v may not be f. */
void perp_velocity_divide(const perp_velocity *s, const double *f, double *v);

#endif
