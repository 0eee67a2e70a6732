/* SPDX-License-Identifier: Apache-2.0
 * simulate/trend.h: how fast something grows over the second half of a run. */
#ifndef PERP_SIMULATE_TREND_H
#define PERP_SIMULATE_TREND_H

/** Sums of a least-squares line; numbers only, as in sim_summary. Zero it first. */
typedef struct sim_trend {
    double from; /**< time of the first point */
    double n, t, y, tt, ty;
} sim_trend;

/** A point (t, y), t [s]. */
void sim_trend_add(sim_trend *x, double t, double y);
/** Slope of the line [unit of y / s]; NAN of fewer than two points. */
double sim_trend_slope(const sim_trend *x);

#endif
