/* SPDX-License-Identifier: Apache-2.0
 * solve/registry.h: solvers by name, and their defaults. Private. */
#ifndef PERP_SOLVE_REGISTRY_H
#define PERP_SOLVE_REGISTRY_H

#include "core/solvers.h"

/** Defaults for a solver, which need not be registered. A wrapper gets its default inner
 *  solver from the built-in ones; PERP_ERR_OPTION when it is not among them. */
perp_status perp_options_init_default(perp_options *opt, const perp_solver_type *type,
                                      perp_error *err);

/** The solver of that name ("pgs", not "ds:mpgp"), or NULL. */
const perp_solver_type *perp_solver_registry_find(const perp_solver_registry *registry,
                                                  const char *name);

#endif
