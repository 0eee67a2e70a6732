/* SPDX-License-Identifier: Apache-2.0
 * tests/derivative/differences.h: what derivatives of a solution are held against:
 * differences of solutions to rounding. */
#ifndef PERP_TEST_DIFFERENCES_H
#define PERP_TEST_DIFFERENCES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

/** A drawn direction: db, and dA in every entry. */
typedef struct direction {
    double *db;
    perp_operator *dA;
} direction;

direction direction_draw(size_t n, perp_random *g);
void direction_free(direction *d);
/** db += d t, A += dA t. A is dense. */
void direction_move(perp_problem *p, const direction *d, double t);

/** A dense operator positive definite but asymmetric: B B^T/n + I plus a skew part. */
perp_operator *asymmetric(size_t n, uint64_t seed);
/** The solution by `solver`, asserted to a residual <= 1e-12; n numbers. */
double *solved(const perp_problem *p, const char *solver);
/** The derivative of a solved problem, asserted. */
perp_sensitivity *sensitivity_of(const perp_problem *p, const double *z,
                                 const perp_sensitivity_options *options);
/** Whether the derivatives at p moved by -h and h have the same active set as here. */
bool same_piece(const perp_problem *p, const perp_sensitivity *g, const direction *d,
                double h, const char *solver);
/** (z(p + t d) - z(p - s d))/(t + s), n numbers; s = 0: one-sided. */
double *difference(const perp_problem *p, const direction *d, double t, double s,
                   const char *solver);
/** max |x - y| <= tolerance max(1, |y|), printed where it is not. */
bool agrees(const double *x, const double *y, size_t n, double tolerance);

#endif
