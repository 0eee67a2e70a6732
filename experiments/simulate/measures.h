/* SPDX-License-Identifier: Apache-2.0
 * simulate/measures.h: what a comparison of runs needs beside the totals of a summary:
 * time per step, means, drift at the end, errors of energy, how steps ended. */
#ifndef PERP_SIMULATE_MEASURES_H
#define PERP_SIMULATE_MEASURES_H

#include <jansson.h>

#include "experiments/simulate/march.h"
#include "experiments/simulate/series.h"

enum { SIM_OUTCOMES = PERP_INTERRUPTED + 1 };

/** Collected over a run. */
typedef struct sim_measures {
    double *seconds; /**< of each step, as many as the settings have */
    size_t steps;
    double contacts, rows;            /**< summed */
    double drift_length, drift_angle; /**< at the end [m, rad] */
    size_t outcome[SIM_OUTCOMES];     /**< how many steps ended so */
    double *u;                        /**< velocities before the next step, 6 per body */
    double joints_stored;             /**< in springs of joints, before it [J] */
    double work;                      /**< of what gives or takes energy, so far [J] */
    double change, error;             /**< largest |E - E0| and |E - E0 - work| [J] */
    double scale;                     /**< most energy that moved [J] */
    bool conservative;                /**< E would stay */
    sim_series series;
    bool unknown; /**< work of a moved body on a tree that hangs on it: no row has it */
} sim_measures;

/** Before the first step. PERP_ERR_MEMORY. Clear it also after a failure. */
perp_status sim_measures_open(sim_measures *x, const sim_march *m, perp_error *err);
void sim_measures_clear(sim_measures *x); /* no-op when it is zero */
/** A sim_observer whose context is a sim_measures. */
perp_status sim_measures_observe(void *x, const sim_march *m, const perp_report *report,
                                 perp_error *err);

/** The summary with these, as one object, for perp compare. Its error of energy is the
 *  largest |E - E0| where nothing gives or takes energy (no contact, limit, motor,
 *  damper, load, body that is moved), elsewhere |E - E0 - work|; null where the work is
 *  not known. A new reference; NULL: no memory. */
json_t *sim_measures_json(const sim_measures *x, const sim_march *m);

#endif
