/* SPDX-License-Identifier: Apache-2.0
 * core/solver_used.h: the solvers that another file calls by their type, or whose own file names it
 * above the constant. Private. A solver that is added to the list is not needed here. */
#ifndef PERP_CORE_SOLVER_USED_H
#define PERP_CORE_SOLVER_USED_H

#include <perp/solver_type.h>

extern const perp_solver_type perp_solver_anderson, perp_solver_auto,
    perp_solver_enumerate, perp_solver_keller, perp_solver_nncg, perp_solver_nsgs,
    perp_solver_nsgs_newton, perp_solver_pgs, perp_solver_prox_newton, perp_solver_psor,
    perp_solver_spgs;

#endif
