/* SPDX-License-Identifier: Apache-2.0
 * simulate/summary.h: totals of a run. */
#ifndef PERP_SIMULATE_SUMMARY_H
#define PERP_SIMULATE_SUMMARY_H

#include <stdio.h>

#include <jansson.h>

#include <perp/dynamics/step.h>

#include "command/simulate/momentum.h"
#include "command/simulate/settings.h"
#include "command/simulate/surprises.h"
#include "command/simulate/trend.h"

typedef struct sim_orders sim_orders; /**< see run.h */

/** Numbers only, which a checkpoint keeps: a run that goes on sums on. */
typedef struct sim_summary {
    double steps, solved, t;
    double short_dt; /**< length of the last step [s] where it is shortened; 0: dt */
    double start_kinetic, start_potential, start_stored;
    double kinetic, potential, stored;
    double ledger[PERP_LEDGER_PARTS];
    double creation; /**< work of impulses in the steps in which it was positive [J] */
    double excess;   /**< most energy above the start, forces and joints taken off [J] */
    sim_momentum momentum;
    double penetration, penetration_step; /**< deepest, and where */
    double depth, pressed;                /**< of contacts that carry: summed; how many */
    double drift_length, drift_angle;
    sim_trend drift_lengths, drift_angles; /**< root mean squares, second half */
    double residual, residual_step;        /**< worst */
    double contacts, rows;                 /**< most */
    double iterations, products, factorizations, pivots, projections, rounds;
    double solve_seconds, seconds;      /**< solving; all */
    double failed_step, failed_outcome; /**< the first; 0: none */
    double frames, captured;
    double unresolved, unresolved_files; /**< pairs of steps, and scenes of them */
    double words; /**< numbers behind the state of a checkpoint: see words.h */
} sim_summary;

enum { SIM_SUMMARY_SIZE = sizeof(sim_summary) / sizeof(double) };

/** How a run ended. */
typedef struct sim_end {
    bool interrupted;
    bool early; /**< a step could not be made: `why` */
    bool late;  /**< the limit of time came first */
    char why[PERP_ERROR_LENGTH];
    char reason[256];       /**< of the first step that was not solved */
    perp_solution_path ran; /**< path of the last step that had rows */
    size_t resumed;         /**< steps that were there */
    sim_surprises surprises;
} sim_end;

/** At the start of a run. */
void sim_summary_start(sim_summary *s, const perp_world *world, const perp_state *state);
/** After a step of the march. */
void sim_summary_add(sim_summary *s, const sim_march *m, const perp_report *report);

/** Joints that pull as well as push and are no coordinates: they keep rows. */
size_t sim_joints_with_rows(const perp_world *world);
/** "7, of 5 links; 1 joint keeps its rows": of a world in reduced coordinates. */
void sim_reduced_text(const perp_world *world, char *text, size_t length);
/** The table for a person. */
void sim_summary_print(FILE *out, const sim_summary *s, const sim_end *end,
                       const sim_orders *orders);
/** The same as one object. */
json_t *sim_summary_json(const sim_summary *s, const sim_end *end,
                         const sim_settings *settings, const char *scene,
                         const char *dir);

#endif
