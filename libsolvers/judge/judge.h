/* SPDX-License-Identifier: Apache-2.0
 * judge/judge.h: what solvers use of a judge: its scales, residuals from velocities that they
 * already have, and certificates from a direction. Solvers do not write into a judge. Private. */
#ifndef PERP_JUDGE_JUDGE_H
#define PERP_JUDGE_JUDGE_H

#include "core/solvers.h"

/** perp_judge_new in the memory of a workspace; perp_judge_free is then a no-op. */
perp_status perp_judge_new_in(perp_judge **judge, const perp_problem *p,
                              perp_workspace *ws, perp_error *err);
/** Residuals are computed by up to so many threads from now on, to the same bits, where p has many
 *  rows on two bodies. The memory is of ws, and so is the team. */
perp_status perp_judge_share(perp_judge *judge, size_t threads, perp_workspace *ws,
                             perp_error *err);
/** A judge whose residuals are relative to a given beta > 0 instead of that of p: residuals
 *  of related problems are then comparable. */
perp_status perp_judge_new_with_beta(perp_judge **judge, const perp_problem *p,
                                     double beta, perp_error *err);
/** Whether beta is 0 at z0 = P_K(0), which then solves p; z (n) becomes z0. */
bool perp_judge_start_solves(const perp_judge *judge, double *z);

/** The scale d_k of a block; the scale of its rows is s_k = sqrt(d_k). */
double perp_judge_scale(const perp_judge *judge, size_t block);
/** s_k, the scale of the rows of a block: those of perp_row_scales. */
double perp_judge_root(const perp_judge *judge, size_t block);

/** The residual at z (n) without a product: w (n) are the velocities at z of the judged problem,
 *  or of one that differs from it in b and by `shift` on the diagonal of A. */
double perp_judge_residual_from(const perp_judge *judge, double shift, const double *z,
                                const double *w);

/** The residual of block k alone at the point of the last perp_judge_residual, without its
 *  allowance for rounding; that of all is the largest of them. */
double perp_judge_block_residual(const perp_judge *judge, size_t k, const double *z);

/** |z_k - P_K(z_k - uhat_k/d)|_2 of one block of the full vectors z and w. */
double perp_natural_map(const perp_block *block, perp_law law, double d, const double *z,
                        const double *w);

/** De Saxce's term mu |w_T| (+ mu_r |w_R|) of a cone from its own w; 0 for other blocks. */
double perp_de_saxce_shift(const perp_block *block, const double *w);

/** Project a direction y (n) on the recession cone of K, in place. True when it then certifies
 *  that p has no solution, and A has no curvature along it. Costs two products with A. */
bool perp_certificate_direction(const perp_problem *p, double *y);

/** The same for a running solver: y becomes the certificate of r where it is one, and the
 *  products are counted. */
perp_status perp_result_certify_direction(perp_result *r, const perp_problem *p,
                                          double *y, perp_error *err);

/** y := z - y, the change since a point y. True when it is finite and more than `least` of
 *  max |z|. */
bool perp_growth_direction(size_t n, const double *z, double *y, double least);

/** The velocities w = A z + b (n) of the last call; owned by the judge. */
const double *perp_judge_w(const perp_judge *judge);

/** R such that p has no solution with max s_k |z_k| < R, shown by y (n); INFINITY: no solution at
 *  all; 0: y shows nothing [cottle-pang-stone-2009, section 3.1].
 *  y_i >= 0 on NONNEG rows, free on FREE rows, 0 on two-sided ones, y_k in K on cones of the
 *  associated law; R follows from
 *      max over z in K of (A^T y).z + b.y < 0.
 *  All roundings are bounded and counted against y: R is exact for the doubles of A and b. It is
 *  0 where A is certainly positive definite, or, for bounds, an H-matrix with a positive diagonal,
 *  since then a solution exists. */
double perp_certificate_radius(const perp_problem *p, const double *y);
/** Whether that radius is at least PERP_RADIUS beta_b (perp/residual.h): that of all points
 *  which the judge can accept. */
bool perp_certificate_infeasible(const perp_problem *p, const double *y);

#endif
