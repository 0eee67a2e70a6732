/* SPDX-License-Identifier: Apache-2.0
 * perp/judge.h: a judge of one problem, for many points, and the scales of its rows. The measures
 * are those of <perp/residual.h>. */
#ifndef PERP_JUDGE_H
#define PERP_JUDGE_H

#include <perp/residual.h>

PERP_BEGIN_DECLS

/** Scales and scratch of one problem, so that judging it repeatedly is cheap. It keeps a pointer
 *  to p, which must outlive it. */
typedef struct perp_judge perp_judge;

/** A judge of p. PERP_ERR_ARGUMENT, PERP_ERR_MEMORY: *judge is NULL. */
perp_status perp_judge_new(perp_judge **judge, const perp_problem *p, perp_error *err);
void perp_judge_free(perp_judge *judge); /* NULL is allowed */

/** The residual at z (n). Costs one product with A. */
double perp_judge_residual(perp_judge *judge, const double *z);
/** beta at z0 = P_K(0), the least that it is at any point; 1 where that is 0. */
double perp_judge_beta(const perp_judge *judge);
/** All measures at z. Contact modes are decided at 100*tolerance. */
void perp_judge_measure(perp_judge *judge, const double *z, double tolerance,
                        perp_measures *m);

/** Row scales s_i (n): one for each scalar row, one for all rows of a contact. PERP_ERR_MEMORY. */
perp_status perp_row_scales(const perp_problem *p, double *s, perp_error *err);
/** Those of residual_literature, which takes the largest entry of a row without a diagonal. */
perp_status perp_row_scales_literature(const perp_problem *p, double *s, perp_error *err);

PERP_END_DECLS

#endif
