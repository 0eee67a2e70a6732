/* SPDX-License-Identifier: Apache-2.0
 * simulate/series.h: a run over time in at most two hundred samples, for figures of several
 * runs: errors of energy and momentum, drift of joints, penetration. */
#ifndef PERP_SIMULATE_SERIES_H
#define PERP_SIMULATE_SERIES_H

#include <jansson.h>

#include <perp/dynamics/step.h>

enum { SIM_SERIES_MOST = 200 };

/** A sample stands for all steps since the one before it. */
typedef struct sim_sample {
    double t;      /**< end of its last step [s] */
    double energy; /**< E - E0 after that step [J] */
    double work;   /**< of what gives or takes energy, until then [J] */
    double drift, angle, penetration; /**< largest in its steps [m, rad, m] */
    double momentum;                  /**< largest |P - P0 - sum m g t| [kg m/s] */
    double angular;                   /**< largest |L - L0| [kg m^2/s] */
} sim_sample;

typedef struct sim_series {
    size_t steps;                   /**< expected */
    size_t end;                     /**< last step of the present sample */
    size_t count;                   /**< samples, the present one included */
    double energy;                  /**< at the start [J] */
    double weight[3];               /**< sum of m g [N] */
    double momentum[3], angular[3]; /**< at the start */
    double momentum_scale;          /**< largest |P| and |sum m g t| */
    double angular_scale;           /**< largest |L| */
    sim_sample sample[SIM_SERIES_MOST];
} sim_series;

/** The last step of a sample that starts after step `from`: samples are single steps at first,
 *  then grow in proportion to the time passed, up to a hundredth of the run, so that both
 *  logarithmic and linear axes of time are covered. */
size_t sim_series_end(size_t from, size_t steps);

/** Before the first of `steps` steps. */
void sim_series_start(sim_series *s, const perp_world *world, const perp_state *state,
                      size_t steps);
/** Add a step; `work` as in sim_sample. */
void sim_series_add(sim_series *s, const perp_report *report, double work);

/** {"t": [...], "energy": [...], "drift": [...], "angle": [...], "penetration": [...],
 *  "momentum": [...], "angular_momentum": [...]}: energy is (E - E0 - work)/scale, with
 *  `conservative` (E - E0)/scale, and null where the scale is 0 or the work not known (NAN);
 *  momenta are divided by the largest |P| or |sum m g t|, and |L|. A new reference. */
json_t *sim_series_json(const sim_series *s, bool conservative, double scale);

#endif
