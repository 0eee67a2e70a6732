/* SPDX-License-Identifier: Apache-2.0
 * simulate/measures.h: what a comparison of runs needs beside the totals of a summary:
 * time per step, means, drift at the end, errors of energy, how steps ended. */
#ifndef PERP_SIMULATE_MEASURES_H
#define PERP_SIMULATE_MEASURES_H

#include <jansson.h>

#include "command/simulate/march.h"
#include "command/simulate/series.h"

enum { SIM_FINAL = 8 }; /* bodies whose poses at the end are kept */
enum { SIM_OUTCOMES = PERP_INTERRUPTED + 1 };

/** Collected over a run. */
typedef struct sim_measures {
    double *seconds; /**< of each step, as many as the settings have */
    size_t steps;
    double contacts, rows;            /**< summed */
    double drift_length, drift_angle; /**< at the end [m, rad] */
    size_t outcome[SIM_OUTCOMES];     /**< how many steps ended so */
    double joints_stored;             /**< in springs of joints, before it [J] */
    double work;                      /**< of what gives or takes energy, so far [J] */
    double change, error;             /**< largest |E - E0| and |E - E0 - work| [J] */
    double *start;                    /**< positions at the start, 3 per body [m] */
    double left;                      /**< E - E0 - work now [J] */
    sim_trend changes, lefts;         /**< E - E0, and that, over the second half */
    double scale;                     /**< most energy that moved [J] */
    double fall;                      /**< what weights give in a step of free fall [J] */
    bool conservative;                /**< E would stay */
    sim_series series;
    bool unknown; /**< work of a moved body on a tree that hangs on it: no row has it */
} sim_measures;

/** Before the first step. Clear it also after a failure. */
void sim_measures_open(sim_measures *x, const sim_march *m);
void sim_measures_clear(sim_measures *x); /* no-op when it is zero */
/** A sim_observer whose context is a sim_measures. */
perp_status sim_measures_observe(void *x, const sim_march *m, const perp_report *report,
                                 perp_error *err);

/** The summary with these, as one object, for perp compare. Its error of energy is the
 *  largest |E - E0| where nothing gives or takes energy (no contact, limit, motor,
 *  damper, load, body that is moved), elsewhere |E - E0 - work|; null where the work is
 *  not known; `relative` is it over the larger one of `scale` and
 *  the energy of one step of free fall, `drift` what is left at the end, `rate` the
 *  slope over the second half [W]. `final` has poses at the end, so that runs with other
 *  steps can be compared. A new reference. */
json_t *sim_measures_json(const sim_measures *x, const sim_march *m);

#endif
