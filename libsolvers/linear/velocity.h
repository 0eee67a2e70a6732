/* SPDX-License-Identifier: Apache-2.0
 * linear/velocity.h: systems with K = J M^-1 J^T + E, E block diagonal and positive definite,
 * solved in the space of velocities. Private.
 *
 *     S = I + G^T E^-1 J,   G = J M^-T row by row
 *     K x = r:   S v = G^T E^-1 r,   x = E^-1 (r - J v)
 *
 * S has one row per velocity, fewer than K once contacts outnumber bodies, and an entry where a
 * block of rows joins two velocities; W = J M^-1 J^T is never formed. The pattern of S follows
 * from J and the blocks alone and never from the numbers in E, so that one symbolic analysis
 * serves all E. S is the velocity form M + J^T E^-1 J, multiplied by M^-1 from the left.
 *
 * Where E is small K is nearly singular and so is the difference r - J v: a caller that needs
 * more digits refines. */
#ifndef PERP_LINEAR_VELOCITY_H
#define PERP_LINEAR_VELOCITY_H

#include "factor.h"

typedef struct perp_velocity {
    const perp_operator *A; /* J M^-1 J^T + C */
    const perp_set *set;    /* blocks of E; NULL: one block per row */
    perp_workspace *ws;     /* counts the copy */
    perp_operator
        *expanded;  /* A with rows stored sparse, where A has rows of two bodies */
    size_t charged; /* bytes of the copy */
    const perp_operator *J; /* n x nv, CSR, of A or of the copy */
    size_t nv;
    size_t *Gt_ptr; /* nv + 1: G by columns */
    int32_t *Gt_row;
    double *Gt_x;
    int32_t *block;  /* n: the block of a row */
    size_t *start;   /* per block: its part of `inverse` */
    double *inverse; /* blocks of E^-1, dim x dim column-major, in order */
    perp_operator *S;
    double *row; /* nv: a row of S as it is summed */
    double *v;   /* nv */
    double *x;   /* n */
} perp_velocity;

/** Take memory and find the pattern of S for a factored A. perp_velocity_close must be called
 *  even after a failure. Blocks of E have at most 5 rows. */
perp_status perp_velocity_setup(perp_velocity *s, const perp_operator *A,
                                const perp_set *set, perp_workspace *ws, perp_error *err);
void perp_velocity_close(perp_velocity *s); /* a zeroed one is allowed (no-op) */

/** E := C + D from the blocks of D, dim x dim column-major in order (without a set: n reals).
 *  False where a block of E is not positive definite. */
bool perp_velocity_set(perp_velocity *s, const double *D);
/** s->S := I + G^T E^-1 J for the present E, to be factored. */
void perp_velocity_fill(perp_velocity *s);
/** x := K^-1 x for the present E and a factorisation of its S. */
void perp_velocity_solve(perp_velocity *s, perp_factor *S, double *x);

#endif
