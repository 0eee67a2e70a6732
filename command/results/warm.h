/* SPDX-License-Identifier: Apache-2.0
 * command/results/warm.h: the effect of warm starts on sequences.
 *
 * A warm-start policy is compared with the policy cold, step by step: iterations and time over
 * the steps that both solved. A start hurt a step where it took more iterations than cold, or
 * failed where cold solved. */
#ifndef PERP_REPORT_WARM_H
#define PERP_REPORT_WARM_H

#include <stdio.h>

#include "section.h"

/** The table of solvers and policies. */
extern const report_section warm_section;
/** tables/steps.csv, every step of every run; nothing without sequences. */
perp_status warm_steps(const stored_runs *s, const char *dir, perp_error *err);

/** The run of the same solver on the same sequence with the policy cold, or NULL. */
const stored_run *warm_cold_of(const stored_runs *s, const stored_run *run);
/** Step i of a run of a sequence: was it solved? Its iterations, NAN where there are none. */
bool warm_step(const stored_run *run, size_t i, double *iterations);

#endif
