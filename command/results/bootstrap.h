/* SPDX-License-Identifier: Apache-2.0
 * report/bootstrap.h: intervals of medians and shifted geometric means by resampling.
 *
 * The samples are drawn again with replacement, BOOTSTRAP_SAMPLES times, from a generator with a
 * fixed seed: the same data give the same interval [efron-tibshirani-1993]. Medians have the
 * percentile interval, means the corrected one (BCa). */
#ifndef PERP_REPORT_BOOTSTRAP_H
#define PERP_REPORT_BOOTSTRAP_H

#include <stddef.h>

#include <perp/base.h>

enum { BOOTSTRAP_SAMPLES = 1000 };
/** The share of intervals that contain the value. */
#define BOOTSTRAP_LEVEL 0.95

/** A statistic with its interval. With fewer than two samples low and high are NAN; without
 *  any, value too. Equal samples have an interval of length 0. */
typedef struct bootstrap_interval {
    double value, low, high;
} bootstrap_interval;

/** exp(mean ln(x + shift)) - shift; NAN without samples. All x are at least 0. */
double shifted_mean(const double *x, size_t count, double shift);

void bootstrap_median(bootstrap_interval *out, const double *x, size_t count);
void bootstrap_shifted_mean(bootstrap_interval *out, const double *x, size_t count,
                            double shift);
/** The ratio of the shifted means of x and y, whose samples are pairs: x[i] and y[i] are of
 *  one problem. */
void bootstrap_mean_ratio(bootstrap_interval *out, const double *x, const double *y,
                          size_t count, double shift);
/** The ratio of the medians of two independent samples: repeats of one run, today and then. */
void bootstrap_median_ratio(bootstrap_interval *out, const double *x, size_t x_count,
                            const double *y, size_t y_count);

#endif
