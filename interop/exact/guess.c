/* SPDX-License-Identifier: Apache-2.0
 * exact/guess.c: the active set that a point shows.
 *
 * A row is on its lower bound where s (z - lo) <= w/s, on the upper one where s (hi - z) <= -w/s, and
 * free otherwise, as the natural map has it. Both sides times s are compared in whole numbers:
 * products of doubles may underflow to 0, which would put a row on the wrong bound. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_sort_double.h>

#include "base/base.h"
#include "interop/exact/integers.h"

bool integers_holds(const exact_integers *k, const exact_point *x, size_t i)
{
    int above = isfinite(k->low[i]) ? integers_above(k, x, i) : 1;
    int below = isfinite(k->high[i]) ? integers_below(k, x, i) : 1;
    int w = fmpz_sgn(x->W + i);

    return above >= 0 && below >= 0 && (w <= 0 || above == 0) && (w >= 0 || below == 0);
}

/* Whether s^2 gap <= w, with gap = `gap`/2^scale and w = W/(2^scale 2^shift_i). */
static bool guess_reaches(const exact_integers *k, size_t i, const fmpz_t gap,
                          const fmpz_t W)
{
    int64_t m = 0;
    slong e = 0;
    fmpz_t left, right;
    bool reaches = false;

    integers_split(k->s[i], &m, &e);
    e = 2 * e + k->shift[i];
    fmpz_init(left);
    fmpz_init_set(right, W);
    fmpz_mul_si(left, gap, m);
    fmpz_mul_si(left, left, m);
    if (e >= 0) {
        fmpz_mul_2exp(left, left, (flint_bitcnt_t)e);
    } else {
        fmpz_mul_2exp(right, right, (flint_bitcnt_t)-e);
    }
    reaches = fmpz_cmp(left, right) <= 0;
    fmpz_clear(left);
    fmpz_clear(right);
    return reaches;
}

/* Where w > 0 the upper bound is no state of a solution, and the lower one none where w < 0. A z on or
 * beyond a bound is otherwise of that bound. */
static unsigned char guess_state(const exact_integers *k, const exact_point *x, size_t i)
{
    bool low = isfinite(k->low[i]), high = isfinite(k->high[i]);
    int w = fmpz_sgn(x->W + i);
    unsigned char state = PERP_STATE_FREE;
    fmpz_t above, below, size; /* of w */

    fmpz_init(above);
    fmpz_init(below);
    fmpz_init(size);
    fmpz_sub(above, x->X + i, k->lo + i);
    fmpz_sub(below, k->hi + i, x->X + i);
    fmpz_abs(size, x->W + i);
    if (k->low[i] == k->high[i] || (low && w > 0 && guess_reaches(k, i, above, size))) {
        state = PERP_STATE_LOWER;
    } else if (high && w < 0 && guess_reaches(k, i, below, size)) {
        state = PERP_STATE_UPPER;
    } else if (low && fmpz_sgn(above) <= 0) {
        state = PERP_STATE_LOWER;
    } else if (high && fmpz_sgn(below) <= 0) {
        state = PERP_STATE_UPPER;
    }
    fmpz_clear(above);
    fmpz_clear(below);
    fmpz_clear(size);
    return state;
}

/* Rows by slack, the largest first. It is an order alone, so that doubles will do. */
static void guess_sort(const double *slack, size_t *order, size_t n)
{
    gsl_sort_index(order, slack, 1, n);
    for (size_t i = 0; i < n / 2; i++) {
        size_t least = order[i];

        order[i] = order[n - 1 - i];
        order[n - 1 - i] = least;
    }
}

bool integers_guess(const exact_integers *k, const exact_point *z, unsigned char *states,
                    size_t *order)
{
    double *slack = perp_reals_new(k->n);

    if (!slack) {
        return false;
    }
    for (size_t i = 0; i < k->n; i++) {
        double x = integers_x(z, i);

        states[i] = guess_state(k, z, i);
        slack[i] = k->s[i] * fmin(x - k->low[i], k->high[i] - x);
    }
    guess_sort(slack, order, k->n);
    free(slack);
    return true;
}

void integers_guess_bounds(const exact_integers *k, const exact_point *z, double most,
                           unsigned char *states)
{
    for (size_t i = 0; i < k->n; i++) {
        double x = integers_x(z, i), s = log2(k->s[i]);
        int w = fmpz_sgn(z->W + i);

        if (states[i] != PERP_STATE_FREE) {
            continue;
        }
        if (w >= 0 && s + log2(fabs(x - k->low[i])) <= most) {
            states[i] = PERP_STATE_LOWER;
        } else if (w <= 0 && s + log2(fabs(k->high[i] - x)) <= most) {
            states[i] = PERP_STATE_UPPER;
        }
    }
}
