/* SPDX-License-Identifier: Apache-2.0
 * judge/pair.h: sums of products in pairs of doubles, with bounds that are true. Private.
 *
 * A sum is kept as high + low, where each product and each addition is split into its double and
 * its rounding error [ogita-rump-oishi-2005]; what is lost beyond that is at most
 * count^2 eps^2 of the sum of the magnitudes. */
#ifndef PERP_JUDGE_PAIR_H
#define PERP_JUDGE_PAIR_H

#include <float.h>
#include <math.h>

#include "core/solvers.h"

/** A sum of products in a pair of doubles. */
typedef struct perp_wide {
    double high, low;
} perp_wide;

/** The same with what bounds its error. */
typedef struct perp_pair {
    double high, low;
    double size;  /**< sum of the magnitudes of the products; 0: all are 0 exactly */
    double count; /**< products */
} perp_pair;

/** A double that is not below the exact value of which x is the rounded one. */
static inline double perp_up(double x)
{
    return x + (fabs(x) * DBL_EPSILON + DBL_TRUE_MIN);
}

/** Add a b. */
static inline void perp_wide_add(perp_wide *x, double a, double b)
{
    double product = a * b, lost = fma(a, b, -product);
    double sum = x->high + product, part = sum - x->high;

    x->low += (x->high - (sum - part)) + (product - part) + lost;
    x->high = sum;
}

static inline void perp_pair_add(perp_pair *p, double a, double b)
{
    double product = a * b;
    perp_wide sum = {p->high, p->low};

    perp_wide_add(&sum, a, b);
    p->high = sum.high;
    p->low = sum.low;
    p->size += product == 0.0 && a != 0.0 && b != 0.0 ? DBL_TRUE_MIN : fabs(product);
    p->count += 1.0;
}

/** An upper bound of the exact sum. Products that underflow lose the least double each. */
static inline double perp_pair_high(const perp_pair *p)
{
    double terms = p->count + 2.0;
    double lost = terms * terms * 4.0 * DBL_EPSILON * DBL_EPSILON * p->size +
                  2.0 * terms * DBL_TRUE_MIN;

    return perp_up(p->high + p->low) + perp_up(lost);
}

/** Add y A_ij to the sum of each column j. */
void perp_pair_row(const perp_operator *A, size_t i, double y, perp_pair *sums);

#endif
