/* SPDX-License-Identifier: Apache-2.0
 * step/stabilize.c: the methods that correct positions.
 *
 * Baumgarte: rows have erp phi/dt in their bias [baumgarte-1972]: an error shrinks by the
 * factor 1 - erp per step if the rows are satisfied. The bodies keep the correcting
 * velocity, which may add energy of the order of m (erp phi/dt)^2/2. The rows contain the
 * whole method.
 *
 * Split: in addition to the problem of velocities, a problem of positions
 * (step/positions.c) with the poses and rows of the same step gives velocities u_push that
 * remove the share erp of each error, minus the motion of unilateral rows at u+. They move
 * the poses at the end of the step and do not change velocities or kinetic energy.
 *
 * Project: after the step, up to four times: rows at the present poses, A mu = error with
 * complementarity for unilateral rows, and poses moved by M^-1 J^T mu. This is Newton's
 * method for the nearest allowed poses in the metric of M: an error phi at lengths L
 * leaves an error of phi^2/L. It ends below 1e-12 m or rad, or when neither error shrinks,
 * for example if rows contradict each other. Velocities are unchanged.
 *
 * None: position errors stay, and grow with the errors of velocities. */
#include <config.h>

#include "base/base.h"
#include "step/positions.h"

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

        TRY(step_collide(st, &st->touching, err));
        TRY(step_position_rows(st, &st->touching, 1.0, false, err));
        errors = step_position_errors(st);
        if ((project_is_settled(errors.length, before.length) &&
             project_is_settled(errors.angle, before.angle)) ||
            round == PROJECT_ROUNDS) {
            break;
        }
        before = errors;
        TRY(step_position_solve(st, &st->touching, report, err));
        TRY(step_push(st, err));
    }
    return PERP_OK;
}

perp_status step_stabilize_prepare(perp_stepper *st, perp_report *report, perp_error *err)
{
    if (st->scheme.stabilize != PERP_STABILIZE_SPLIT) {
        return PERP_OK;
    }
    TRY(step_position_rows(st, &st->contacts, st->scheme.erp, true, err));
    return step_position_solve(st, &st->contacts, report, err);
}

bool step_stabilize_moves(const perp_scheme *scheme)
{
    return scheme->stabilize == PERP_STABILIZE_SPLIT ||
           scheme->stabilize == PERP_STABILIZE_PROJECT;
}

perp_status step_stabilize_correct(perp_stepper *st, perp_report *report, perp_error *err)
{
    return st->scheme.stabilize == PERP_STABILIZE_SPLIT
               ? step_push(st, err)
               : project_correct(st, report, err);
}
