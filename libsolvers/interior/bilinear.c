/* SPDX-License-Identifier: Apache-2.0
 * interior/bilinear.c: predictor, corrector and step length on the path of Coulomb's law. */
#include <config.h>

#include "bilinear.h"

enum { SHORTER = 12 /* times that a step is shortened */ };

static const double sigma_least = 0.1;
static const double boundary = 0.99; /* part of the way to it */
static const double neighbourhood = 0.1;
static const double shorten = 0.8;
static const double short_step = 0.2;

/* Corrector towards sigma m; the length of its step, NaN where it is not finite. */
static double bilinear_correct(perp_path *t, double sigma, double weight)
{
    double step = NAN;

    if (!perp_path_direct(t, 1.0, 1.0, sigma * t->gap, weight)) {
        return NAN;
    }
    step = fmin(1.0, boundary * perp_slacks_max_step(&t->slacks));
    for (size_t k = 0; k < SHORTER; k++) {
        if (perp_slacks_least_gap(&t->slacks, step) >=
            neighbourhood * perp_slacks_mean_gap(&t->slacks, step)) {
            break;
        }
        step *= shorten;
    }
    return step;
}

/* Other correctors where the step of the first is short: the first that is long enough, else
 * again the first. */
static double bilinear_retry(perp_path *t, double sigma, double first)
{
    static const double sigmas[] = {0.3, 1.0};

    for (size_t k = 0; k < 4; k++) {
        double weight = k % 2 == 0 ? first * first : 0.0;
        double step = bilinear_correct(t, sigmas[k / 2], weight);

        if (step >= fmax(short_step, 2.0 * first)) {
            return step;
        }
    }
    return bilinear_correct(t, sigma, 1.0);
}

bool perp_bilinear_step(perp_path *t)
{
    double ratio = 0.0;
    double sigma = 0.0;

    if (!perp_path_predict(t)) {
        return false;
    }
    ratio = perp_path_affine_ratio(t);
    sigma = fmax(sigma_least, ratio * ratio * ratio);
    t->step = bilinear_correct(t, sigma, 1.0);
    if (t->step < short_step) {
        t->step = bilinear_retry(t, sigma, t->step);
    }
    return isfinite(t->step);
}
