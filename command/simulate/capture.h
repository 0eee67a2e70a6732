/* SPDX-License-Identifier: Apache-2.0
 * simulate/capture.h: write the problems of some steps, with the identities of their
 * contacts. */
#ifndef PERP_SIMULATE_CAPTURE_H
#define PERP_SIMULATE_CAPTURE_H

#include <perp/dynamics/step.h>

#include "command/simulate/condition.h"

typedef struct sim_capture {
    condition when;
    const char **names; /* step, t, failed, the metrics, NULL */
    double *values;
    char *folder; /* of the captured problems */
    char *name;   /* of the scene */
    size_t count; /* problems in the folder */
} sim_capture;

/** Prepare to evaluate `when` alone, a condition or a number of steps, borrowed.
 *  PERP_ERR_OPTION when it is wrong. Call sim_capture_close even after a failure. */
perp_status sim_capture_when(sim_capture *c, const char *when, perp_error *err);
/** Does the condition hold in the step of this report? */
bool sim_capture_holds(const sim_capture *c, const perp_report *report);

/** Prepare: `when` is a condition or a number of steps. Nothing is written yet.
 *  PERP_ERR_OPTION when the condition is wrong. Call sim_capture_close even after a failure. */
perp_status sim_capture_open(sim_capture *c, const char *when, const char *dir,
                             const char *name, perp_error *err);
/** Keep what an earlier run captured up to time t, and remove the later problems. */
perp_status sim_capture_resume(sim_capture *c, double t, perp_error *err);
/** Write the problem of the step, dt [s] long, if the condition holds. A step without rows has
 *  none. */
perp_status sim_capture_step(sim_capture *c, const perp_report *report, double dt,
                             const perp_stepper *stepper, const perp_world *world,
                             perp_error *err);
/** Complete the origin of an exported problem: the source (copied), step, time, length of the
 *  step and hash. */
void sim_capture_origin(perp_problem *p, const char *source, const perp_report *report,
                        double dt);
/** Number of problems in the folder. */
size_t sim_capture_count(const sim_capture *c);
/** A zeroed struct is allowed (no-op). */
void sim_capture_close(sim_capture *c);

#endif
