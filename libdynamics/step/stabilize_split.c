/* SPDX-License-Identifier: Apache-2.0
 * step/stabilize_split.c: position errors corrected by pseudo-velocities.
 *
 * In addition to the problem of velocities, a problem of positions (step/positions.c)
 * with the poses and rows of the same step gives velocities u_push that remove the share
 * erp of each error, minus the motion of unilateral rows at u+. They move the poses at
 * the end of the step and do not change velocities or kinetic energy. */
#include <config.h>

#include "base/base.h"
#include "step/stepper.h"

static perp_status split_prepare(perp_stepper *st, perp_report *report, perp_error *err)
{
    TRY(step_position_rows(st, &st->contacts, st->scheme.erp, true, err));
    return step_position_solve(st, &st->contacts, report, err);
}

static perp_status split_correct(perp_stepper *st, perp_report *report, perp_error *err)
{
    (void)report;
    return step_push(st, err);
}

const step_stabilizer step_stabilize_split = {
    .method = PERP_STABILIZE_SPLIT,
    .prepare = split_prepare,
    .correct = split_correct,
};
