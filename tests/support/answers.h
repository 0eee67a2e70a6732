/* SPDX-License-Identifier: Apache-2.0
 * tests/support/answers.h: how tests look at answers: vectors compared, residuals formed
 * anew, what a solver says about its run, memory that ends too early. */
#ifndef PERP_TEST_ANSWERS_H
#define PERP_TEST_ANSWERS_H

#include "support.h"

/** max |x_i|, and max |x_i - y_i|; NaN where one of them is. */
double test_largest(size_t n, const double *x);
double test_distance(size_t n, const double *x, const double *y);
/** w := A z + b */
void test_w(const perp_problem *p, const double *z, double *w);

/** Asserts that r is called solved and that its residual, computed again from z, is
 *  within the tolerance; otherwise tells what it is and returns false. */
bool test_solved(const perp_problem *p, const perp_result *r, double tolerance);
/** Asserts that there is no solution and that the certificate proves it. */
void test_infeasible(const perp_problem *p, const perp_result *r);
/** Whether a step in the protocol of r has these words. */
bool test_ran(const perp_result *r, const char *words);

/** Start the solver with ever more memory until that is enough. Each refusal must say
 *  these words and leave nothing behind. How much was enough, in bytes. */
size_t test_memory_needed(const perp_problem *p, const perp_solver_type *type,
                          const perp_options *opt, const char *words);

/** max |A_ij - B_ij| by entries. */
double test_gap(const perp_operator *A, const perp_operator *B);
/** Asserts that row i of A is visited in the order of its columns, with the bits of its
 *  entries, leaves no entry of W (dense) out, and is that of W to `tolerance`. */
void test_row_agrees(const perp_operator *A, const perp_operator *W, size_t i,
                     double tolerance);

#endif
