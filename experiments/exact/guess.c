/* SPDX-License-Identifier: Apache-2.0
 * exact/guess.c: the active set that a point shows.
 *
 * A row is free where s (z - lo) > w/s and s (hi - z) > -w/s, and on the nearer bound otherwise. Both
 * sides times s are compared in whole numbers: products of doubles may underflow to 0, which would
 * put a row on the wrong bound. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_sort_double.h>

#include "base/base.h"
#include "experiments/exact/integers.h"

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

/* A z on a bound stays there, whatever w is. */
static unsigned char guess_state(const exact_integers *k, const exact_point *x, size_t i)
{
    bool low = isfinite(k->low[i]), high = isfinite(k->high[i]);
    unsigned char state = PERP_STATE_FREE;
    fmpz_t above, below, up, down; /* up, down: max(w, 0), max(-w, 0) */

    fmpz_init(above);
    fmpz_init(below);
    fmpz_init(up);
    fmpz_init(down);
    fmpz_sub(above, x->X + i, k->lo + i);
    fmpz_sub(below, k->hi + i, x->X + i);
    fmpz_abs(fmpz_sgn(x->W + i) > 0 ? up : down, x->W + i);
    if (k->low[i] == k->high[i] || (low && (!high || fmpz_cmp(above, below) <= 0) &&
                                    guess_reaches(k, i, above, up))) {
        state = PERP_STATE_LOWER;
    } else if (high && guess_reaches(k, i, below, down)) {
        state = PERP_STATE_UPPER;
    }
    fmpz_clear(above);
    fmpz_clear(below);
    fmpz_clear(up);
    fmpz_clear(down);
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
