/* SPDX-License-Identifier: Apache-2.0
 * tests/reference/simplex.h: small linear programs by the textbook, to compare with. */
#ifndef PERP_TEST_SIMPLEX_H
#define PERP_TEST_SIMPLEX_H

#include <stddef.h>

/** min c.x with E x = h, x >= 0; E is rows x cols, by rows. -INFINITY where c.x has no least value, NAN
 *  where no x is feasible. */
double simplex_least(size_t rows, size_t cols, const double *E, const double *h,
                     const double *c);

#endif
