/* SPDX-License-Identifier: Apache-2.0
 * solve/islands.h: the islands of a problem, each solved by a chain apart. Private. */
#ifndef PERP_SOLVE_ISLANDS_H
#define PERP_SOLVE_ISLANDS_H

#include "core/solvers.h"

/** perp_chain_solve of a sealed problem that falls into islands: *done is false, and r is as it
 *  was, where it is one island, or too small for a division to pay. */
perp_status perp_islands_solve(const perp_solver_type *type, const perp_problem *p,
                               const perp_options *opt, perp_result *r, bool *done,
                               perp_error *err);

#endif
