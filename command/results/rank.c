/* SPDX-License-Identifier: Apache-2.0
 * report/rank.c: tests of paired differences, and the correction for several tests.
 *
 * Wilcoxon's signed-rank test: the magnitudes of n differences are ranked 1..n, and W is the sum
 * of the ranks of the positive ones. If no sign is preferred, each of the 2^n choices of signs
 * is equally probable. Up to RANK_EXACT pairs these are counted by their W (twice the ranks are
 * integers when ties share a mean rank); beyond, W is normal with mean n(n+1)/4 and variance
 * (n(n+1)(2n+1) - sum (t^3 - t)/2)/24, t the numbers of equal magnitudes, and 1/2 is taken off
 * the distance for continuity. */
#include <config.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "command/cli/take.h"
#include "command/results/rank.h"

/* Magnitudes in ascending order, their ranks and the correction for ties. */
typedef struct rank_work {
    double *magnitude, *sign;
    double *rank;
    double tied; /* sum of t^3 - t */
} rank_work;

static void rank_assign(rank_work *w, size_t count)
{
    w->tied = 0.0;
    gsl_sort2(w->magnitude, 1, w->sign, 1, count);
    for (size_t first = 0, end = 0; first < count; first = end) {
        double t = 0.0;

        while (end < count && w->magnitude[end] == w->magnitude[first]) {
            end++;
        }
        t = (double)(end - first);
        w->tied += t * t * t - t;
        for (size_t k = first; k < end; k++) {
            w->rank[k] = 0.5 * ((double)first + 1.0 + (double)end);
        }
    }
}

/* Probability of a sum of ranks as far from its mean as the one found, by counting the choices of
 * signs for every doubled sum; `ways` has n(n+1) + 1 entries, all 0. */
static double rank_count(const rank_work *w, size_t count, double statistic, double *ways)
{
    size_t most = count * (count + 1); /* the sum of all doubled ranks */
    double far = fabs(2.0 * statistic - 0.5 * (double)most);
    double extreme = 0.0;

    ways[0] = 1.0;
    for (size_t k = 0; k < count; k++) {
        size_t twice = (size_t)(2.0 * w->rank[k]);

        for (size_t sum = most; sum >= twice; sum--) {
            ways[sum] += ways[sum - twice];
        }
    }
    for (size_t sum = 0; sum <= most; sum++) {
        extreme += fabs((double)sum - 0.5 * (double)most) >= far ? ways[sum] : 0.0;
    }
    return fmin(ldexp(extreme, -(int)count), 1.0);
}

static double rank_normal(const rank_work *w, size_t count, double statistic)
{
    double n = (double)count;
    double variance = (n * (n + 1.0) * (2.0 * n + 1.0) - 0.5 * w->tied) / 24.0;
    double distance = fabs(statistic - 0.25 * n * (n + 1.0)) - 0.5;

    return 2.0 * gsl_cdf_ugaussian_Q(fmax(distance, 0.0) / sqrt(variance));
}

/* Keep what is not 0; returns how many. */
static size_t rank_split(rank_work *w, const double *differences, size_t count)
{
    size_t pairs = 0;

    for (size_t i = 0; i < count; i++) {
        if (differences[i] != 0.0) {
            w->magnitude[pairs] = fabs(differences[i]);
            w->sign[pairs++] = differences[i];
        }
    }
    return pairs;
}

void rank_signed(rank_test *out, const double *differences, size_t count)
{
    enum { WAYS = RANK_EXACT * (RANK_EXACT + 1) + 1 };
    double *scratch = take(3 * count + WAYS, sizeof *scratch);
    rank_work w = {.magnitude = scratch};

    *out = (rank_test){.p = 1.0, .exact = true};
    w.sign = scratch + count;
    w.rank = w.sign + count;
    out->pairs = rank_split(&w, differences, count);
    rank_assign(&w, out->pairs);
    for (size_t k = 0; k < out->pairs; k++) {
        out->positive += w.sign[k] > 0.0;
        out->statistic += w.sign[k] > 0.0 ? w.rank[k] : 0.0;
    }
    out->exact = out->pairs <= RANK_EXACT;
    if (out->pairs) {
        out->p = out->exact ? rank_count(&w, out->pairs, out->statistic, w.rank + count)
                            : rank_normal(&w, out->pairs, out->statistic);
    }
    free(scratch);
}

rank_test rank_sign_counted(size_t positive, size_t pairs)
{
    size_t fewer = positive < pairs - positive ? positive : pairs - positive;
    rank_test out = {.pairs = pairs,
                     .positive = positive,
                     .statistic = (double)positive,
                     .p = 1.0,
                     .exact = true};

    if (pairs) {
        out.p =
            fmin(2.0 * gsl_cdf_binomial_P((unsigned)fewer, 0.5, (unsigned)pairs), 1.0);
    }
    return out;
}

rank_test rank_sign(const double *differences, size_t count)
{
    size_t pairs = 0, positive = 0;

    for (size_t i = 0; i < count; i++) {
        pairs += differences[i] != 0.0;
        positive += differences[i] > 0.0;
    }
    return rank_sign_counted(positive, pairs);
}

void rank_holm(double *p, size_t count)
{
    size_t *order = take(count + 1, sizeof *order);
    double *made = take(count + 1, sizeof *made);
    size_t tests = 0;
    double least = 0.0;

    for (size_t k = 0; k < count; k++) { /* those that were not made at the end */
        made[k] = isnan(p[k]) ? INFINITY : p[k];
        tests += !isnan(p[k]);
    }
    gsl_sort_index(order, made, 1, count);
    for (size_t k = 0; k < tests; k++) {
        least = fmax(least, fmin((double)(tests - k) * p[order[k]], 1.0));
        p[order[k]] = least;
    }
    free(order);
    free(made);
}
