/* SPDX-License-Identifier: Apache-2.0
 * step/stabilize_project.c: positions projected on the set that joints, limits and
 * contacts allow.
 *
 * After the step, up to four times: rows at the present poses, A mu = error with
 * complementarity for unilateral rows (step/positions.c), and poses moved by M^-1 J^T mu.
 * This is Newton's method for the nearest allowed poses in the metric of M: an error phi
 * at lengths L leaves an error of phi^2/L. It ends below 1e-12 m or rad, or when neither
 * error shrinks, for example if rows contradict each other. Velocities are unchanged. */
#include <config.h>

#include "step/stepper.h"

enum { PROJECT_ROUNDS = 4 };
/* Rounding of poses of some metres, times a thousand. */
static const double project_enough = 1e-12;

/* Metres and radians are looked at apart: neither hides that the other one shrinks. */
static bool project_is_settled(double error, double before)
{
    return error <= project_enough || !(error < before);
}

static perp_status project_correct(perp_stepper *st, perp_report *report, perp_error *err)
{
    step_errors before = {INFINITY, INFINITY};

    for (int round = 0; round <= PROJECT_ROUNDS; round++) {
        step_errors errors;
        perp_status status = step_collide(st, &st->touching, err);

        if (status == PERP_OK) {
            status = step_position_rows(st, &st->touching, 1.0, false, err);
        }
        if (status != PERP_OK) {
            return status;
        }
        errors = step_position_errors(st);
        if ((project_is_settled(errors.length, before.length) &&
             project_is_settled(errors.angle, before.angle)) ||
            round == PROJECT_ROUNDS) {
            break;
        }
        before = errors;
        status = step_position_solve(st, &st->touching, report, err);
        if (status == PERP_OK) {
            status = step_push(st, err);
        }
        if (status != PERP_OK) {
            return status;
        }
    }
    return PERP_OK;
}

const step_stabilizer step_stabilize_project = {
    .method = PERP_STABILIZE_PROJECT,
    .correct = project_correct,
};
