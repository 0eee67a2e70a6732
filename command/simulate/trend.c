/* SPDX-License-Identifier: Apache-2.0
 * simulate/trend.c: the slope of the least-squares line through the points of a run,
 *
 *     (n sum t y - sum t sum y) / (n sum t^2 - (sum t)^2),
 *
 * with t from the first point, so that late runs lose no digits. */
#include <config.h>

#include <math.h>

#include "command/simulate/trend.h"

void sim_trend_add(sim_trend *x, double t, double y)
{
    if (x->n == 0.0) {
        x->from = t;
    }
    t -= x->from;
    x->n += 1.0;
    x->t += t;
    x->y += y;
    x->tt += t * t;
    x->ty += t * y;
}

double sim_trend_slope(const sim_trend *x)
{
    double spread = x->n * x->tt - x->t * x->t;

    return spread > 0.0 ? (x->n * x->ty - x->t * x->y) / spread : NAN;
}
