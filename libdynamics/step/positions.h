/* SPDX-License-Identifier: Apache-2.0
 * step/positions.h: correction of position errors. Private. */
#ifndef PERP_STEP_POSITIONS_H
#define PERP_STEP_POSITIONS_H

#include "step/stepper.h"

/** Write rows of positions to st->positions.rows: joints, limits and contacts at the
 *  present poses, without velocities or friction, for `share` of the errors in dt, without
 *  the part that soft rows carry. The motion of unilateral and soft rows (`moving`) within dt
 *  is subtracted. */
perp_status step_position_rows(perp_stepper *st, const perp_contacts *contacts,
                               double share, bool moving, perp_error *err);
/** The largest errors of these rows, for lengths [m] and angles [rad]. */
typedef struct step_errors {
    double length, angle;
} step_errors;
step_errors step_position_errors(const perp_stepper *st);
/** Solve these rows for bodies.u_pseudo, which is zero if there is nothing to correct. */
perp_status step_position_solve(perp_stepper *st, const perp_contacts *contacts,
                                perp_report *report, perp_error *err);
/** Move poses by bodies.u_pseudo for dt, and refresh derived data. */
perp_status step_push(perp_stepper *st, perp_error *err);

/** Correction of position errors (step/stabilize.c): called when u+ (bodies.u_plus) is known
 *  and the poses are those before the step; whether the method moves poses; and called
 *  after the positions were moved, if it does. */
perp_status step_stabilize_prepare(perp_stepper *st, perp_report *report,
                                   perp_error *err);
bool step_stabilize_moves(const perp_scheme *scheme);
perp_status step_stabilize_correct(perp_stepper *st, perp_report *report,
                                   perp_error *err);

#endif
