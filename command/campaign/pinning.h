/* SPDX-License-Identifier: Apache-2.0
 * runner/pinning.h: which processors the runs of a campaign are bound to, so that their times do
 * not depend on what the kernel moves where. */
#ifndef PERP_RUNNER_PINNING_H
#define PERP_RUNNER_PINNING_H

#include "command/campaign/suite.h"
#include "command/cores/cores.h"

/** The processors of each job. Those that are in use by another campaign are left out. */
typedef struct pinning {
    perp_cores *jobs;
    size_t count, each; /* jobs; processors per job */
    int *claims;        /* open as long as the processors are ours */
    size_t claim_count;
    bool wanted, pinned; /* pinned: every job has its processors */
    bool shared;         /* two jobs are on one core */
    size_t free;         /* processors that were to be had */
} pinning;

/** Processors that a run of the plan needs at most: its threads or ranks, those of BLAS. */
size_t pinning_each(const suite_run *runs, size_t count);
/** Choose `each` processors for each job; none when they are not `wanted` or too few. */
void pinning_open(pinning *p, size_t jobs, size_t each, bool wanted);
/** The same for one job whose processors were chosen by another process. */
void pinning_adopt(pinning *p, const perp_cores *cores, bool wanted);
void pinning_close(pinning *p); /* no-op when it is zero */
/** Why times are not comparable, for a warning; "" when they are as good as wanted. */
void pinning_doubt(const pinning *p, char *text, size_t length);
/** "2 runs at a time, each on a processor of its own": how times are taken. */
void pinning_describe(const pinning *p, char *text, size_t length);

#endif
