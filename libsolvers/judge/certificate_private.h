/* SPDX-License-Identifier: Apache-2.0
 * judge/certificate_private.h: what the checks of certificates share. Private. */
#ifndef PERP_JUDGE_CERTIFICATE_PRIVATE_H
#define PERP_JUDGE_CERTIFICATE_PRIVATE_H

#include "core/solvers.h"

/** Returns `verdict` and prints the sentence that explains it into `why` (NULL is allowed). */
bool perp_certificate_verdict(bool verdict, char *why, size_t length, const char *format,
                              ...) PERP_PRINTF(4, 5);

/** Whether the active sets of c follow from one another by its rule. */
bool perp_certificate_check_cycle(const perp_certificate *c, const perp_problem *p,
                                  char *why, size_t length);

/** Call add with each part D_i A_ij D_j/2 of D (A + A^T)/2 D: at row i, column j, and at row j,
 *  column i. D (n): powers of two. */
void perp_certificate_halves(const perp_operator *A, const double *D,
                             void (*add)(void *context, size_t i, size_t j, double half),
                             void *context);

/** Whether A is positive definite for certain; s (n): row scales. false: not known. */
bool perp_certificate_definite(const perp_operator *A, const double *s);

/** The same of D A D in pairs of doubles, up to 200 rows; D (n): powers of two. */
bool perp_certificate_definite_pairs(const perp_operator *A, const double *D);

/** Whether A is an H-matrix with a positive diagonal for certain. false: not known. */
bool perp_certificate_dominant(const perp_operator *A, const double *s);

#endif
