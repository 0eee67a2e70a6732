/* SPDX-License-Identifier: Apache-2.0
 * solve/plan.h: the reformulations that turn a problem into one that a solver takes.
 * Private. */
#ifndef PERP_SOLVE_PLAN_H
#define PERP_SOLVE_PLAN_H

#include <perp/reform.h>

#include "core/solvers.h"

/** A plan: the path from the problem given to the one that the solver sees, and two
 *  places on the path. The residual is judged on the problem as asked. */
typedef struct perp_plan {
    const perp_solver_type *type; /* with the wrapper that it needs */
    perp_options opt;
    perp_reform_path *path;
    size_t given;        /* the index of the problem as given, after it was made local */
    size_t asked;        /* the index of the problem as asked, after the formulation */
    bool opens;          /* bounds out of reach are open */
    bool closed;         /* as asked by the caller: all bounds stay */
    double *certificate; /* of infeasibility, found while planning; NULL: none */
    size_t certificate_at; /* the index of the problem that it belongs to */
} perp_plan;

/** Choose the path of a plan that is zero but for `closed`. PERP_ERR_UNSUITABLE when there is none. Call perp_plan_close even
 *  after a failure. */
perp_status perp_plan_open(perp_plan *plan, const perp_solver_type *type,
                           const perp_problem *p, const perp_options *opt,
                           perp_error *err);
/** The last step of the path: scaling, unless the solver needs none. `judge` of the problem as
 *  asked. */
perp_status perp_plan_scale(perp_plan *plan, const perp_judge *judge, perp_error *err);
void perp_plan_close(perp_plan *plan);
/** The wrapper to fall back on at a singular block, or NULL: that of the option, or of the solver
 *  type. */
const perp_solver_type *perp_plan_fallback(const perp_plan *plan);

/** Wrap the plan's solver in another and keep the options that were given. */
perp_status perp_plan_wrap(perp_plan *plan, const perp_solver_type *wrapper,
                           perp_error *err);

#endif
