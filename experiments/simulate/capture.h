/* SPDX-License-Identifier: Apache-2.0
 * simulate/capture.h: store the problems of some steps
 * with the identities of their contacts. */
#ifndef PERP_SIMULATE_CAPTURE_H
#define PERP_SIMULATE_CAPTURE_H

#include <jansson.h>

#include <perp/dynamics/step.h>
#include <perp/formats.h>

#include "experiments/simulate/condition.h"

typedef struct sim_capture {
    condition when;
    const char **names; /* step, t, failed, the metrics, NULL */
    double *values;
    char *folder; /* a sequence, at each flush */
    char *whole;  /* the same as one file, at the end; NULL: not asked for */
    char *name;   /* of the scene */
    const perp_format *format;
    double h;
    json_t *steps; /* entries of its index */
    bool changed;  /* since the last flush */
} sim_capture;

/** Prepare: `when` is a condition or a number of steps, `format` that of the instances,
 *  or "hdf5", or NULL. Nothing is written yet. PERP_ERR_OPTION for what is wrong with
 *  either. Call sim_capture_close even after a failure. */
perp_status sim_capture_open(sim_capture *c, const char *when, const char *format,
                             const char *dir, const char *name, double h,
                             perp_error *err);
/** Continue in a folder that contains captures up to time t; later ones are removed. */
perp_status sim_capture_resume(sim_capture *c, double t, perp_error *err);
/** Write what the step solved if the condition holds.
 *  A step without rows has no problem. */
perp_status sim_capture_step(sim_capture *c, const perp_report *report,
                             const perp_stepper *stepper, const perp_world *world,
                             perp_error *err);
/** Update the index. */
perp_status sim_capture_flush(sim_capture *c, perp_error *err);
/** The index, and the file of the whole if it was asked for. */
perp_status sim_capture_finish(sim_capture *c, perp_error *err);
size_t sim_capture_count(const sim_capture *c);
/** No-op when it is zero. */
void sim_capture_close(sim_capture *c);

#endif
