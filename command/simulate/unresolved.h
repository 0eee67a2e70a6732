/* SPDX-License-Identifier: Apache-2.0
 * simulate/unresolved.h: pairs of shapes whose contact search did not converge. */
#ifndef PERP_SIMULATE_UNRESOLVED_H
#define PERP_SIMULATE_UNRESOLVED_H

#include <perp/dynamics/step.h>

#include "command/simulate/summary.h"

/** Of a run; what is beyond is counted. */
enum { SIM_UNRESOLVED_FILES = 100 };

/** A scene DIR/unresolved-STEP-A-B.json of each pair of the step just made, where A and B
 *  are numbers of shapes, with what of the scheme finds contacts; s counts. */
perp_status sim_unresolved_write(const char *dir, size_t step, const perp_world *world,
                                 const perp_state *state, const perp_scheme *scheme,
                                 const perp_collide_report *report, sim_summary *s,
                                 perp_error *err);

#endif
