/* SPDX-License-Identifier: Apache-2.0
 * core/result.h: how the loop and solvers write a result. Private. */
#ifndef PERP_CORE_RESULT_H
#define PERP_CORE_RESULT_H

#include <perp/result.h>

/** perp_result_restart of a result that is not initialised, with these arrays. */
void perp_result_begin(perp_result *r, size_t n, double *z, double *w,
                       perp_history_sample *history);
/** *to := *from, as many steps as there are. */
void perp_solution_path_copy(perp_solution_path *to, const perp_solution_path *from);

/** A result whose history is NULL: for solves within a solve, whose judgements are not recorded. */
perp_status perp_result_new_without_history(perp_result **r, size_t n, perp_error *err);

/** Flops: two per entry of A and product, and those of factorisations and pivots. Local problems
 *  and projections are not counted. The same on every machine. */
double perp_work_flops(const perp_work *work, const perp_operator *A);
/** End because no step is possible at a row. */
perp_status perp_result_refuse(perp_result *r, perp_outcome outcome, size_t row,
                               const char *why);
/* perp_result_certify of each kind. */

/** y (n): a direction as perp_certificate_infeasible() accepts it. */
perp_status perp_result_certify_infeasible(perp_result *r, const double *y,
                                           perp_error *err);
/** The secondary ray (z, z0) + t (dz, dz0) of Lemke's path with covering vector d. */
perp_status perp_result_certify_ray(perp_result *r, const double *z, double z0,
                                    const double *dz, double dz0, const double *cover,
                                    perp_error *err);
/** x (n, 0 outside a block F) with A_FF x = 0 or x.A x <= 0. */
perp_status perp_result_certify_singular(perp_result *r, const double *x,
                                         perp_error *err);
/** `steps` active sets (steps x n states), each following from the one before by the rule,
 *  the first from the last. */
perp_status perp_result_certify_cycle(perp_result *r, perp_rule rule, size_t steps,
                                      const unsigned char *states, perp_error *err);

#endif
