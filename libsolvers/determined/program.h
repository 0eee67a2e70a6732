/* SPDX-License-Identifier: Apache-2.0
 * determined/program.h: linear programs over bounds and second-order cones. Private.
 *
 *     min c.y + y.Q y/2    G^T y = h,  y in K       Q diagonal, or 0
 *     max h.u - y.Q y/2    c + Q y - G u in K*      u: velocities
 *
 * Mehrotra's predictor and corrector with the slacks of interior/slacks.h. A step solves for the
 * velocities,
 *
 *     dy = R k - H (rd - G du),   R = (I + P Q)^-1,   H = R P,   (delta I + G^T H G) du = G^T-part
 *
 * by one factorisation (linear/velocity.h); G is multiplied by delta^-1/2, so that I is added. K has FREE,
 * NONNEG, BOX, CONE and DISK blocks; rows of G are of length about 1, and |h| of 1. */
#ifndef PERP_DETERMINED_PROGRAM_H
#define PERP_DETERMINED_PROGRAM_H

#include "interior/slacks.h"
#include "linear/velocity.h"

/** delta^1/2: the rows that the program keeps are those given, divided by it. */
#define PERP_PROGRAM_SCALE 1e-4

typedef struct perp_program {
    perp_workspace *ws;
    perp_operator *G; /* n rows */
    const perp_set *K;
    const double *y0; /* n: a point that solves the equations */
    size_t n;
    perp_velocity space;
    perp_slacks slacks;
    double *h;               /* nv */
    double *scale;           /* n: ones */
    double *P, *R, *H, *W;   /* blocks as space.H; W = weight H */
    double weight;           /* delta is divided by it where S has no factorisation */
    double *y, *dy, *k;      /* n */
    double *rd, *x;          /* n */
    double *u, *du, *rp, *f; /* nv */
    double gap, primal, dual;
    double start; /* slacks and multipliers of the first point */
    size_t steps; /* of all programs so far */
    perp_work work;
} perp_program;

/** G (n rows in CSR) is copied, K and y0 (n), which solves the equations, are
 *  borrowed. */
perp_status perp_program_setup(perp_program *g, const perp_arrays *G, const perp_set *K,
                               const double *y0, perp_error *err);
void perp_program_close(perp_program *g); /* a zeroed one is allowed (no-op) */

/** Minimise for c and the diagonal of Q (n; NULL: 0); g->y becomes the point. *bound is the value that the
 *  dual point proves; with Q it is 0. -INFINITY: the program has no least value, or none was found. */
perp_status perp_program_run(perp_program *g, const double *c, const double *Q,
                             double *bound, perp_error *err);
/** u[column[a]] := the dual velocity of column a of G. */
void perp_program_velocities(const perp_program *g, const size_t *column, double *u);
/** The least value of (c - G u).y over K, with y up to `largest` where c - G u is outside K* by
 *  rounding; -INFINITY where it is outside by more. */
double perp_program_support(const perp_program *g, const double *c, double largest);

#endif
