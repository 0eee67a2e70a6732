/* SPDX-License-Identifier: Apache-2.0
 * splitting/local_curve.h: the curve on which slipping impulses lie.
 *
 *     (S + s I) r_t = -c,   r_n = a - nt.r_t,   s = |u_t|/|r_t| >= 0
 *
 * At s = 0 the contact sticks; slip is the s with |r_t| = mu r_n. Private. */
#ifndef PERP_SPLITTING_LOCAL_CURVE_H
#define PERP_SPLITTING_LOCAL_CURVE_H

#include <stdbool.h>

/** What does not change along the curve. */
typedef struct local_curve {
    double S11, S12, S21, S22;
    double nt[2];   /* what a tangential impulse takes from the normal one */
    double mu;      /* slope of the cone */
    double inv_det; /* 1/det S, or 0 where S is not positive: no sticking */
    double low;     /* S + s I is positive for s > low >= 0 */
    double first;   /* where the search for s starts when there is no guess */
    double stride;  /* first step of the search away from `low` */
} local_curve;

/** Complete a curve whose S, nt and mu are set. */
void perp_local_curve_finish(local_curve *m, double stride);

/* x := -(S + s I)^-1 c by the adjugate. */
static inline void local_curve_solve(const local_curve *m, double s, double inv_det,
                                     const double *c, double *x)
{
    x[0] = (m->S12 * c[1] - (m->S22 + s) * c[0]) * inv_det;
    x[1] = (m->S21 * c[0] - (m->S11 + s) * c[1]) * inv_det;
}

/* The same, once refined. The adjugate alone leaves a residual of cond(S) roundings, which
 * then stands in the velocity; 12 flops more leave one rounding. */
static inline void local_curve_refine(const local_curve *m, double s, double inv_det,
                                      const double *c, double *x)
{
    double rest[2], dx[2];

    local_curve_solve(m, s, inv_det, c, x);
    rest[0] = c[0] + (m->S11 + s) * x[0] + m->S12 * x[1];
    rest[1] = c[1] + m->S21 * x[0] + (m->S22 + s) * x[1];
    local_curve_solve(m, s, inv_det, rest, dx);
    x[0] += dx[0];
    x[1] += dx[1];
}

/* Sticking: u = 0 in all directions. False where the cone does not allow it. */
static inline bool local_curve_stick(const local_curve *m, double a, const double *c,
                                     double *r)
{
    if (m->inv_det == 0.0) {
        return false;
    }
    local_curve_refine(m, 0.0, m->inv_det, c, r + 1);
    r[0] = a - m->nt[0] * r[1] - m->nt[1] * r[2];
    return r[0] >= 0.0 && r[1] * r[1] + r[2] * r[2] <= m->mu * m->mu * (r[0] * r[0]);
}

/** The slipping impulse: r (3) with |r_t| = mu r_n. `guess` is the s of a neighbour, or 0.
 *  Requires that sticking failed. Returns s. */
double perp_local_curve_slip(const local_curve *m, double a, const double *c,
                             double guess, double *r);

#endif
