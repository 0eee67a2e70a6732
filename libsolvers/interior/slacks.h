/* SPDX-License-Identifier: Apache-2.0
 * interior/slacks.h: slack s and multiplier v of every bound and cone, which interior-point
 * methods keep strictly inside. Private.
 *
 *     s = G z + g in a cone,  v in the same cone,  w = A z + b = G^T v,  s o v = 0
 *
 *     LOWER    s = z - lo             half line
 *     UPPER    s = hi - z             half line
 *     CONE     s = (mu z_N, z_T)      Lorentz cone |s_1| <= s_0
 *     DISK     s = (radius, z_T)      the same; s_0 is constant
 *
 * A two-sided box has two slacks, a FREE row none. Rows with a single admissible value (lo = hi,
 * a disk of radius 0, tangents without friction) are FIXED: they have no slack and do not move.
 * With the Nesterov-Todd scaling W of each slack, W s = W^-1 v = lambda and H = W^2
 * [nesterov-todd-1998]; on half lines H = v/s. */
#ifndef PERP_INTERIOR_SLACKS_H
#define PERP_INTERIOR_SLACKS_H

#include "linear/shifted.h"

typedef enum perp_slack_kind {
    PERP_SLACK_LOWER,
    PERP_SLACK_UPPER,
    PERP_SLACK_CONE,
    PERP_SLACK_DISK,
} perp_slack_kind;

typedef struct perp_slack {
    perp_slack_kind kind;
    unsigned dim;        /* of s: 1, or 2 and 3 */
    size_t first;        /* row of z that s begins with; of a DISK its first tangent */
    double mu;           /* CONE: coefficient of friction */
    double bound;        /* LOWER, UPPER: lo, hi; DISK: radius */
    double s[3], v[3];   /* strictly inside */
    double ds[3], dv[3]; /* the last direction */
    double w[3], eta;    /* scaling point: W = eta (w w^T + ...) */
    double lambda[3];    /* W s */
    double g[3];         /* dv for ds = 0 */
} perp_slack;

typedef struct perp_slacks {
    size_t count;
    perp_slack *slack;
    bool *fixed; /* per row */
} perp_slacks;

/** Take memory for the slacks of a set; the caller asks for the status of the workspace. */
void perp_slacks_alloc(perp_slacks *q, const perp_set *set, perp_workspace *ws);
/** Slacks and fixed rows of the set as it is now. perp_slacks_initialise must follow. */
void perp_slacks_assign(perp_slacks *q, const perp_set *set);

/** Starting point: z moved inside, its slacks at least least/scale_i, its multipliers those of
 *  w moved to at least least*scale_i; the scales of the rows as perp_row_scales has them. */
void perp_slacks_initialise(perp_slacks *q, const perp_set *set, const double *scale,
                            double least, double *z, const double *w);

/** w -= G^T v */
void perp_slacks_subtract_multipliers(const perp_slacks *q, double *w);
/** Mean of s.v after a step of length t along the last direction; 0 without slacks. */
double perp_slacks_mean_gap(const perp_slacks *q, double t);
/** The scaling at (s, v); false where rounding has put a point on the boundary. */
bool perp_slacks_update_scaling(perp_slacks *q);
/** K += G^T H G */
void perp_slacks_add_scaling(const perp_slacks *q, perp_shifted *K);
/** rhs += G^T g, g of the affine (predictor) direction. */
void perp_slacks_predictor_rhs(perp_slacks *q, double *rhs);
/** rhs += G^T g, g of the corrector direction towards s o v = target e, with the second-order
 *  term of the last direction. */
void perp_slacks_corrector_rhs(perp_slacks *q, double target, double *rhs);
/** ds and dv from dz. */
void perp_slacks_direction(perp_slacks *q, const double *dz);
/** The largest step along the last direction that stays in the cones, or infinity. */
double perp_slacks_max_step(const perp_slacks *q);
/** s += t ds, v += t dv */
void perp_slacks_step(perp_slacks *q, double t);

#endif
