/* SPDX-License-Identifier: Apache-2.0
 * perp/residual.h: the residual, one measure for every solver and formulation.
 *
 * Rows of a scalar block (FREE, NONNEG, BOX, FRICTION) have the scale
 *     d_i = A_ii, or max_j |A_ij| where A_ii <= 1e-14 max_j |A_ij|, or 1;   s_i = sqrt(d_i)
 * and a cone one scale for the contact, d = trace(A_kk)/dim. With uhat = w + (mu|w_T|,0,0)
 * for the Coulomb law and uhat = w for the associated one,
 *     e_k    = s_k |z_k - P_K(z_k - uhat_k/d_k)|
 *     RES    = max(0, max_k e_k - 10 eps beta_z) / beta_b
 *     beta_b = max |b_k|/s_k (1 if 0),   beta_z = max(beta_b, max s_k |z_k|).
 * The data are those given, unscaled. NaN or infinity anywhere gives an infinite residual, and
 * so do data out of the range of doubles: beta_b s_k or beta_b/s_k is not a normal number. The
 * allowance 10 eps beta_z for rounding is at most 1e-3 beta_b; where it would be 0.1 beta_b or
 * more, the residual is at least 0.1, so that no diverging iterate counts as solved. For the same
 * reason e_k of a contact is at least 4 eps s_k |z_k| where this exceeds 1e-3 beta_b. The residual
 * is invariant under symmetric diagonal scaling and under a change of units. */
#ifndef PERP_RESIDUAL_H
#define PERP_RESIDUAL_H

#include <perp/problem.h>

PERP_BEGIN_DECLS

/** Spread of a diagnostic over the contacts. */
typedef struct perp_percentiles {
    double max, p50, p90, p99;
} perp_percentiles;

/** Everything that is measured on a point z with w = A z + b. Only `residual` decides. */
typedef struct perp_measures {
    double residual;              /**< RES, under the law of the problem */
    double residual_coulomb;      /**< RES_C: cones judged by Coulomb's law */
    double residual_associated;   /**< RES_CCP: cones judged by the associated law */
    double residual_mean;         /**< sqrt(mean e_k^2)/beta_b, smoother in plots */
    double e_abs, beta_b, beta_z; /**< the parts of the residual */

    double feas_z, feas_w; /**< scalar rows: violation of bounds, of the sign of w */
    double gap, relgap;    /**< scalar rows: complementarity gap, and relative */
    double merit;          /**< Fischer-Burmeister merit of NONNEG rows */
    double bilateral;      /**< FREE rows: max |w_i|/s_i */
    double cone_gap, cone_relgap; /**< cones: sum max(z.uhat, 0), and relative */
    double objective;             /**< 1/2 z.A z + b.z */
    double objective_gap;         /**< upper bound of f(z) - f*, convex problems */

    double error_literature; /**< |z - P_K(z - uhat)|_2/|b|_2: unit step, as published */
    double norm_map, norm_b, norm_z, norm_w; /**< raw 2-norms behind it */

    /* Per contact, in physical units; then each dimensionless: impulses times s, velocities
     * over s, over beta_b (energies over beta_b^2). */
    perp_percentiles penetration; /**< max(-w_N, 0) [m/s] */
    perp_percentiles adhesion;    /**< max(-z_N, 0) [N s] */
    perp_percentiles signorini;   /**< |z_N w_N| [J] */
    perp_percentiles cone;        /**< max(|z_T| - mu z_N, 0) [N s] */
    perp_percentiles dissipation; /**< |mu z_N |w_T| + z_T.w_T| [J] */
    perp_percentiles direction; /**< angle between z_T and -w_T [rad], sliding contacts */
    perp_percentiles lift;      /**< w_N of sliding contacts [m/s] */
    perp_percentiles penetration_rel, adhesion_rel, signorini_rel, cone_rel,
        dissipation_rel;

    size_t contacts_free, contacts_stick, contacts_slide, contacts_undecided;
    double seconds; /**< duration of the measurement */
} perp_measures;

/** Scales and scratch of one problem, so that judging it repeatedly is cheap. It keeps a pointer
 *  to p, which must outlive it. */
typedef struct perp_judge perp_judge;

perp_status perp_judge_new(perp_judge **judge, const perp_problem *p, perp_error *err);
void perp_judge_free(perp_judge *judge); /* NULL is allowed */

/** The residual at z (n). Costs one product with A. */
double perp_judge_residual(perp_judge *judge, const double *z);
/** The velocities w = A z + b (n) of the last call; owned by the judge. */
const double *perp_judge_w(const perp_judge *judge);
/** All measures at z. Contact modes are decided at 100*tolerance. */
void perp_judge_measure(perp_judge *judge, const double *z, double tolerance,
                        perp_measures *m);

/** The residual at z in one call; infinity also when there is no memory, and for a global
 *  problem. */
double perp_residual(const perp_problem *p, const double *z);

/** Row scales s_i (n): one for each scalar row, one for all rows of a contact. */
void perp_row_scales(const perp_problem *p, double *s);

PERP_END_DECLS

#endif
