/* SPDX-License-Identifier: Apache-2.0
 * report/bootstrap.c: intervals of medians and shifted geometric means by resampling.
 *
 * A percentile interval is the range of the middle 95 % of the resampled statistics. The
 * corrected interval (BCa) chooses other percentiles,
 *
 *     Phi(z0 + (z0 + q) / (1 - a (z0 + q))),   q the normal quantiles of 2.5 % and 97.5 %,
 *
 * where z0 is the normal quantile of the share of resampled statistics below the statistic
 * and a the skewness of the statistic when one sample is left out, divided by 6
 * [efron-tibshirani-1993]. Of more than BOOTSTRAP_GROUPS samples a group is left out at a time,
 * so that the work grows in proportion to the samples. The median has no such a: it is not
 * smooth. */
#include <config.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "command/cli/take.h"
#include "command/results/bootstrap.h"

enum { BOOTSTRAP_GROUPS = 500 };

/* Two arrays of samples; of pairs both have count[0] entries, and one draw serves both. */
typedef struct bootstrap_data {
    const double *x[2];
    size_t count[2];
    bool pairs;
    double shift;
} bootstrap_data;

/* A statistic of the arrays a and b, which it may sort. */
typedef double bootstrap_statistic(const bootstrap_data *d, double *a, double *b);

typedef struct bootstrap_work {
    bootstrap_statistic *statistic;
    const bootstrap_data *data;
    double *sample[2]; /* as drawn */
    double *values;    /* BOOTSTRAP_SAMPLES statistics */
} bootstrap_work;

static double mean_of(const double *x, size_t count)
{
    return count ? gsl_stats_mean(x, 1, count) : NAN;
}

double shifted_mean(const double *x, size_t count, double shift)
{
    double sum = 0.0;

    for (size_t i = 0; i < count; i++) {
        sum += log(x[i] + shift);
    }
    return count ? exp(sum / (double)count) - shift : NAN;
}

/* The samples are ln(x + shift), so that no logarithm is computed twice. */
static double statistic_mean(const bootstrap_data *d, double *a, double *b)
{
    (void)b;
    return exp(mean_of(a, d->count[0])) - d->shift;
}

static double statistic_mean_ratio(const bootstrap_data *d, double *a, double *b)
{
    return statistic_mean(d, a, NULL) / statistic_mean(d, b, NULL);
}

static double statistic_median(const bootstrap_data *d, double *a, double *b)
{
    (void)b;
    return d->count[0] ? gsl_stats_median(a, 1, d->count[0]) : NAN;
}

static double statistic_median_ratio(const bootstrap_data *d, double *a, double *b)
{
    return gsl_stats_median(a, 1, d->count[0]) / gsl_stats_median(b, 1, d->count[1]);
}

/* The statistic of the data themselves, without samples left, left + step, … (none: SIZE_MAX). */
static double bootstrap_once(const bootstrap_work *w, size_t left, size_t step)
{
    bootstrap_data less = *w->data;

    for (size_t k = 0; k < 2; k++) {
        less.count[k] = 0;
        for (size_t i = 0; i < w->data->count[k]; i++) {
            if (i % step != left) {
                w->sample[k][less.count[k]++] = w->data->x[k][i];
            }
        }
    }
    return w->statistic(&less, w->sample[0], w->sample[1]);
}

static void bootstrap_draw(const bootstrap_work *w, gsl_rng *rng)
{
    const bootstrap_data *d = w->data;

    for (size_t k = 0; k < BOOTSTRAP_SAMPLES; k++) {
        for (size_t a = 0; a < (d->pairs ? 1 : 2); a++) {
            for (size_t i = 0; i < d->count[a]; i++) {
                size_t j = gsl_rng_uniform_int(rng, d->count[a]);

                w->sample[a][i] = d->x[a][j];
                if (d->pairs) {
                    w->sample[1][i] = d->x[1][j];
                }
            }
        }
        w->values[k] = w->statistic(d, w->sample[0], w->sample[1]);
    }
    gsl_sort(w->values, 1, BOOTSTRAP_SAMPLES);
}

/* Skewness of the statistic under leaving out one sample (pair) at a time, or a group, over 6. */
static double bootstrap_acceleration(const bootstrap_work *w)
{
    size_t count = w->data->count[0];
    size_t groups = count < BOOTSTRAP_GROUPS ? count : BOOTSTRAP_GROUPS;
    double without[BOOTSTRAP_GROUPS];
    double mean = 0.0, squares = 0.0, cubes = 0.0;

    for (size_t g = 0; g < groups; g++) {
        without[g] = bootstrap_once(w, g, groups);
        mean += without[g] / (double)groups;
    }
    for (size_t g = 0; g < groups; g++) {
        double d = mean - without[g];

        squares += d * d;
        cubes += d * d * d;
    }
    return squares > 0.0 && isfinite(squares) ? cubes / (6.0 * pow(squares, 1.5)) : 0.0;
}

/* The share of the resampled statistics below the statistic, as a normal quantile. */
static double bootstrap_bias(const bootstrap_work *w, double value)
{
    double below = 0.0;

    for (size_t k = 0; k < BOOTSTRAP_SAMPLES; k++) {
        below += w->values[k] < value ? 1.0 : w->values[k] == value ? 0.5 : 0.0;
    }
    below = fmin(fmax(below, 0.5), BOOTSTRAP_SAMPLES - 0.5);
    return gsl_cdf_ugaussian_Pinv(below / BOOTSTRAP_SAMPLES);
}

static double bootstrap_corrected(double share, double bias, double acceleration)
{
    double q = bias + gsl_cdf_ugaussian_Pinv(share);
    double slope = 1.0 - acceleration * q;

    return slope > 0.0 ? gsl_cdf_ugaussian_P(bias + q / slope) : share;
}

static void bootstrap_fill(bootstrap_interval *out, const bootstrap_work *w, bool correct,
                           gsl_rng *rng)
{
    double tail = 0.5 * (1.0 - BOOTSTRAP_LEVEL);
    double low = tail, high = 1.0 - tail;

    bootstrap_draw(w, rng);
    if (correct) {
        double bias = bootstrap_bias(w, out->value);
        double acceleration = bootstrap_acceleration(w);

        low = bootstrap_corrected(low, bias, acceleration);
        high = bootstrap_corrected(high, bias, acceleration);
    }
    out->low = gsl_stats_quantile_from_sorted_data(w->values, 1, BOOTSTRAP_SAMPLES, low);
    out->high =
        gsl_stats_quantile_from_sorted_data(w->values, 1, BOOTSTRAP_SAMPLES, high);
}

static void bootstrap_run(bootstrap_interval *out, const bootstrap_data *d,
                          bootstrap_statistic *statistic, bool correct)
{
    size_t room = d->count[0] + d->count[1];
    double *scratch = take(1, (room + BOOTSTRAP_SAMPLES) * sizeof *scratch);
    /* gsl_rng_alloc would end the program without memory. */
    gsl_rng rng = {.type = gsl_rng_taus2, .state = take(1, gsl_rng_taus2->size)};
    bootstrap_work w = {.statistic = statistic, .data = d};

    *out = (bootstrap_interval){NAN, NAN, NAN};
    if (d->count[0] > 0 && (!d->x[1] || d->count[1] > 0)) {
        w.values = scratch;
        w.sample[0] = scratch + BOOTSTRAP_SAMPLES;
        w.sample[1] = w.sample[0] + d->count[0];
        gsl_rng_set(&rng, 1);
        out->value = bootstrap_once(&w, SIZE_MAX, 1);
        if (isfinite(out->value) && room > (d->x[1] ? 2 : 1)) {
            bootstrap_fill(out, &w, correct, &rng);
        }
    }
    free(scratch);
    free(rng.state);
}

void bootstrap_median(bootstrap_interval *out, const double *x, size_t count)
{
    const bootstrap_data d = {.x = {x, NULL}, .count = {count, 0}};

    bootstrap_run(out, &d, statistic_median, false);
}

void bootstrap_median_ratio(bootstrap_interval *out, const double *x, size_t x_count,
                            const double *y, size_t y_count)
{
    const bootstrap_data d = {.x = {x, y}, .count = {x_count, y_count}};

    bootstrap_run(out, &d, statistic_median_ratio, false);
}

/* The logarithms of x and of y (NULL: of x alone) on the heap. */
static double *bootstrap_logs(const double *x, const double *y, size_t count,
                              double shift)
{
    double *logs = take(2 * count + 1, sizeof *logs);

    for (size_t i = 0; i < count; i++) {
        logs[i] = log(x[i] + shift);
        logs[count + i] = y ? log(y[i] + shift) : 0.0;
    }
    return logs;
}

void bootstrap_shifted_mean(bootstrap_interval *out, const double *x, size_t count,
                            double shift)
{
    double *logs = bootstrap_logs(x, NULL, count, shift);
    const bootstrap_data d = {.x = {logs, NULL}, .count = {count, 0}, .shift = shift};

    bootstrap_run(out, &d, statistic_mean, true);
    free(logs);
}

void bootstrap_mean_ratio(bootstrap_interval *out, const double *x, const double *y,
                          size_t count, double shift)
{
    double *logs = bootstrap_logs(x, y, count, shift);
    const bootstrap_data d = {.x = {logs, logs + count},
                              .count = {count, count},
                              .pairs = true,
                              .shift = shift};

    bootstrap_run(out, &d, statistic_mean_ratio, true);
    free(logs);
}
