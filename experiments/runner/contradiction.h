/* SPDX-License-Identifier: Apache-2.0
 * runner/contradiction.h: a solution and a direction of infeasibility of one problem. */
#ifndef PERP_RUNNER_CONTRADICTION_H
#define PERP_RUNNER_CONTRADICTION_H

#include <perp/perp.h>

/** What a point that counts as solved and a direction that is verified say together. */
typedef enum contradiction_kind {
    CONTRADICTION_NONE,   /**< the direction denies no point as large as this one */
    CONTRADICTION_WITHIN, /**< both hold: the tolerance is wider than what is missing */
    CONTRADICTION_ERROR,  /**< both cannot be: an error of perp */
} contradiction_kind;

/** z (n) solves p up to e_abs, its largest e_k (perp_measures); y (n) denies solutions.
 *
 *  There is a z' near z that solves exactly the problem with b + r in place of b, where
 *      |r_i| <= e_abs (c s_i + sum_j |A_ij| t_j),   c = 1 + mu + mu_R in the rows of a contact,
 *  t_j = 1/s_j, and mu/s_N more in a friction row of the normal N.
 *  y and z contradict each other where y denies the solutions of the problem with b_i raised by
 *  that bound in the direction of y_i, and z is within the radius. PERP_ERR_MEMORY. */
perp_status contradiction_find(const perp_problem *p, const double *z, double e_abs,
                               const double *y, contradiction_kind *kind,
                               perp_error *err);

#endif
