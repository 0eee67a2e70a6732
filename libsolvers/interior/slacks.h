/* SPDX-License-Identifier: Apache-2.0
 * interior/slacks.h: slack s and multiplier v of every bound and cone, which interior-point
 * methods keep strictly inside. Private.
 *
 *     s = G z + g in a cone,  v in the same cone,  w = A z + b = E^T v,  s o v = 0
 *
 *     LOWER     s = z - lo             half line
 *     UPPER     s = hi - z             half line
 *     CONE      s = (mu z_N, z_T)      Lorentz cone |s_1| <= s_0
 *     DISK      s = (radius, z_T)      the same; s_0 is constant
 *     FRICTION  s = (mu z_N, z_T)      the same; v_0 has no part in w
 *
 * E = G but for FRICTION, where E omits the head: v = (lambda, w_T) with an unknown lambda, which
 * is |w_T| at a solution. With a LOWER on z_N it is Coulomb's law of one contact in which every
 * nonlinear equation is bilinear; under the associated law a contact is one CONE. A rolling
 * contact has two FRICTION, for its tangents and its moments.
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
    PERP_SLACK_FRICTION,
} perp_slack_kind;

typedef struct perp_slack {
    perp_slack_kind kind;
    unsigned dim;        /* of s: 1, or 2 and 3 */
    size_t block;        /* of the set */
    size_t first;        /* row of z of LOWER, UPPER; normal of CONE, FRICTION */
    size_t tail;         /* first tangent of CONE, DISK, FRICTION */
    double mu;           /* CONE, FRICTION: coefficient of friction */
    double bound;        /* LOWER, UPPER: lo, hi; DISK: radius */
    double s[3], v[3];   /* strictly inside */
    double ds[3], dv[3]; /* the last direction */
    double product[3];   /* (W ds) o (W^-1 dv) of the predictor */
    double w[3], eta;    /* scaling point: W = eta (w w^T + ...) */
    double lambda[3];    /* W s */
    double g[3], q[3];   /* dv for ds = 0; ds for dv = 0 */
} perp_slack;

typedef struct perp_slacks {
    size_t count;
    perp_slack *slack;
    bool bilinear; /* contacts are LOWER and FRICTION, not CONE */
    bool *fixed;   /* per row */
} perp_slacks;

/** The number of slacks of a set, at most. */
size_t perp_slacks_most(const perp_set *set);
/** Take memory for the slacks of a set; the caller asks for the status of the workspace. */
void perp_slacks_alloc(perp_slacks *q, const perp_set *set, perp_workspace *ws);
/** Slacks and fixed rows of the set as it is now. perp_slacks_initialise must follow. */
void perp_slacks_assign(perp_slacks *q, const perp_set *set);

/** Starting point: z moved inside, its slacks at least least/scale_i, its multipliers those of
 *  w moved to at least least*scale_i; the scales of the rows as perp_row_scales has them. */
void perp_slacks_initialise(perp_slacks *q, const perp_set *set, const double *scale,
                            double least, double *z, const double *w);

/** The slacks of each CONE on the central path at m, s o v = m e, where s - v/d is what it is for
 *  z0 and its velocities w; z follows. Others stay as they are. */
void perp_slacks_center_cones(perp_slacks *q, const double *d, double m, const double *z0,
                              const double *w, double *z);

/** w -= E^T v */
void perp_slacks_subtract_multipliers(const perp_slacks *q, double *w);
/** Mean of s.v after a step of length t along the last direction; 0 without slacks. */
double perp_slacks_mean_gap(const perp_slacks *q, double t);
/** The least eigenvalue of all W s o W^-1 v after such a step, s v on half lines; infinity
 *  without slacks, negative outside. */
double perp_slacks_least_gap(const perp_slacks *q, double t);
/** The scaling at (s, v); false where rounding has put a point on the boundary. */
bool perp_slacks_update_scaling(perp_slacks *q);
/** K += E^T H G */
void perp_slacks_add_scaling(const perp_slacks *q, perp_shifted *K);
/** g and q of the affine (predictor) direction. */
void perp_slacks_predictor(perp_slacks *q);
/** Keep the second-order terms of the last direction, the predictor. */
void perp_slacks_keep_products(perp_slacks *q);
/** g and q of the direction in which s o v changes by target e - own s o v, less `weight` of the
 *  second-order terms that were kept: a corrector for own = 1. */
void perp_slacks_corrector(perp_slacks *q, double own, double target, double weight);
/** rhs += E^T g */
void perp_slacks_add_rhs(const perp_slacks *q, double *rhs);
/** ds and dv from dz. */
void perp_slacks_direction(perp_slacks *q, const double *dz);
/** The largest step along the last direction that stays in the cones, or infinity. */
double perp_slacks_max_step(const perp_slacks *q);
/** s += t ds, v += t dv */
void perp_slacks_step(perp_slacks *q, double t);

/* The same without E^T H G, which loses all digits of its inverse as s o v -> 0 (slacks_weight.c):
 * dz = k - P y with P = (E^T H G)^-1 and y = E^T dv. */

/** P: from start[k] on dim x dim numbers for block k of the set, column-major; 0 on FIXED and FREE
 *  rows. */
void perp_slacks_weight(const perp_slacks *q, const perp_set *set, double *P,
                        const size_t *start);
/** k: dz (n) for y = 0. */
void perp_slacks_impulse(const perp_slacks *q, const double *P, const size_t *start,
                         size_t n, double *k);
/** ds and dv from dz and y. */
void perp_slacks_direction_from(perp_slacks *q, const double *dz, const double *y);

/** a := W ds and b := W^-1 dv of one slack, 3 numbers each. */
void perp_slack_scale(const perp_slack *c, const double *ds, const double *dv, double *a,
                      double *b);
/** y := G x for the rows of one slack, without the constant part of s. */
void perp_slack_gather(const perp_slack *c, const double *x, double *y);

#endif
