/* SPDX-License-Identifier: Apache-2.0
 * interior/pairs.h: slack and multiplier of every bound and cone, which interior-point
 * methods keep positive.
 *
 *     s = G z + g in a cone,  v in the same cone,  w = A z + b = G^T v,  s o v = 0
 *
 *     LOWER    s = z - lo             half line
 *     UPPER    s = hi - z             half line
 *     LORENTZ  s = (mu z_N, z_T)      |s_1| <= s_0
 *     RIM      s = (radius, z_T)      the same; s_0 never changes
 *
 * A two-sided box has two pairs, a FREE row none. Rows that can take one value alone (lo = hi,
 * a disk without radius, tangents without friction) are FIXED: no pair, no motion.
 * With the Nesterov-Todd scaling W of each pair, W s = W^-1 v = lambda and H = W^2
 * [nesterov-todd-1998]; on half lines that is H = v/s. Private. */
#ifndef PERP_INTERIOR_PAIRS_H
#define PERP_INTERIOR_PAIRS_H

#include "linear/factor.h"

typedef enum perp_pair_kind {
    PERP_PAIR_LOWER,
    PERP_PAIR_UPPER,
    PERP_PAIR_LORENTZ,
    PERP_PAIR_RIM,
} perp_pair_kind;

typedef struct perp_pair {
    perp_pair_kind kind;
    unsigned dim;        /* of s: 1, or 2 and 3 */
    size_t first;        /* row of z that s begins with; of a RIM its first tangent */
    double mu;           /* LORENTZ */
    double bound;        /* LOWER, UPPER: lo, hi; RIM: radius */
    double s[3], v[3];   /* strictly inside */
    double ds[3], dv[3]; /* the last direction */
    double w[3], eta;    /* scaling point: W = eta (w w^T + ...) */
    double lambda[3];
    double g[3]; /* what dv would be for ds = 0 */
} perp_pair;

typedef struct perp_slacks {
    size_t count;
    perp_pair *pair;
    bool *fixed; /* per row */
} perp_slacks;

/** Room for the pairs of a set; false when there is no memory. */
bool perp_slacks_init(perp_slacks *q, const perp_set *set, perp_workspace *ws);
/** Pairs and fixed rows of the set as it is now; a start is owed. */
void perp_slacks_read(perp_slacks *q, const perp_set *set);

/** Start: z inside, near `z`, its slacks at least least/scale_i, its multipliers those of w
 *  moved to at least least*scale_i; row scales as perp_row_scales has them. */
void perp_slacks_start(perp_slacks *q, const perp_set *set, const double *scale,
                       double least, double *z, const double *w);

/** w -= G^T v */
void perp_slacks_subtract(const perp_slacks *q, double *w);
/** Mean of s.v after a step of length t along the last direction; 0 without pairs. */
double perp_slacks_gap(const perp_slacks *q, double t);
/** The scaling at (s, v); false when a pair is no longer inside by rounding. */
bool perp_slacks_scale(perp_slacks *q);
/** K += G^T H G */
void perp_slacks_add(const perp_slacks *q, perp_operator *K);
/** rhs += G^T g with g of the affine direction, */
void perp_slacks_predict(perp_slacks *q, double *rhs);
/** or of one towards s o v = target e that corrects the last direction for second order. */
void perp_slacks_correct(perp_slacks *q, double target, double *rhs);
/** ds and dv that belong to dz. */
void perp_slacks_direct(perp_slacks *q, const double *dz);
/** The largest step along the last direction that stays in the cones, or infinity. */
double perp_slacks_room(const perp_slacks *q);
/** s += t ds, v += t dv */
void perp_slacks_move(perp_slacks *q, double t);

#endif
