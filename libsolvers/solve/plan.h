/* SPDX-License-Identifier: Apache-2.0
 * solve/plan.h: the path from a problem as given to one that a solver takes. Private. */
#ifndef PERP_CORE_PLAN_H
#define PERP_CORE_PLAN_H

#include <perp/reform.h>

#include "core/solvers.h"

enum { PERP_PLAN_MAX = 8 };

/** The path: problems[0] is the one given, problems[count] the one the solver sees. */
typedef struct perp_plan {
    const perp_solver_type *type; /* with the wrapper it needs */
    perp_options opt;
    const perp_problem *problems[PERP_PLAN_MAX + 1];
    perp_reform *steps[PERP_PLAN_MAX];
    double *points[PERP_PLAN_MAX + 1]; /* one point of each problem, for the way back */
    size_t count;
    size_t base;   /* the problem given, condensed if it was global */
    size_t asked;  /* the problem as asked: after what changes the physics */
    double *proof; /* found while planning: a certificate of problems[proof_at] */
    size_t proof_at;
} perp_plan;

/** Make the path. PERP_ERR_UNSUITABLE when there is none. perp_plan_close is owed anyway. */
perp_status perp_plan_open(perp_plan *plan, const perp_solver_type *type,
                           const perp_problem *p, const perp_options *opt,
                           perp_error *err);
void perp_plan_close(perp_plan *plan);

/** Wrap the plan's solver in another, keeping the options that were given. */
void perp_plan_wrap(perp_plan *plan, const perp_solver_type *wrapper);

/** Carry points[from] forward to points[count], or points[count] back to points[to]. */
void perp_plan_map(perp_plan *plan);
void perp_plan_unmap(perp_plan *plan, size_t to);

/** Carry a certificate of problems[from] (in y, long enough for every problem on the path)
 *  back to problems[to]; false when some step cannot. */
bool perp_plan_certificate(const perp_plan *plan, size_t from, size_t to, double *y,
                           double *scratch);
/** Rows of the largest problem on the path. */
size_t perp_plan_rows(const perp_plan *plan);

#endif
