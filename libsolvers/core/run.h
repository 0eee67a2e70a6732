/* SPDX-License-Identifier: Apache-2.0
 * core/run.h: one solver at work, and what it takes. Private. */
#ifndef PERP_CORE_RUN_H
#define PERP_CORE_RUN_H

#include <perp/solver_type.h>

/** One solver at work on one problem, stepped by its owner: perp_solve, or a wrapper.
 *  Iterations are counted here, and the name of the solver is put before what it says;
 *  judging and limits are the owner's. */
typedef struct perp_run {
    const perp_solver_type *type;
    const perp_problem *p;
    const perp_options *opt;
    perp_workspace *ws;
    size_t mark; /* of the workspace, before setup */
    void *state;
    perp_result *r;
} perp_run;

/** Set up. Call perp_run_end even after a failure. All pointers must outlive the run. */
perp_status perp_run_start(perp_run *run, const perp_solver_type *type,
                           const perp_problem *p, const perp_options *opt,
                           perp_workspace *ws, perp_result *r, perp_error *err);
/** One iteration. */
perp_status perp_run_step(perp_run *run, perp_error *err);
/** After a change of b, and of the diagonal by `shift`: resume, or close and set up again. The
 *  outcome is then PERP_RUNNING. */
perp_status perp_run_resume(perp_run *run, double shift, perp_error *err);
/** Close and release. A zeroed run is allowed (no-op). */
void perp_run_end(perp_run *run);

/** The sets and the laws that a solver takes: those of its type, or fewer where its options
 *  `sets` and `laws` say so. Bits as in perp_set_mask and perp_law_mask. */
unsigned perp_solver_sets(const perp_solver_type *type, const perp_options *opt);
unsigned perp_solver_laws(const perp_solver_type *type, const perp_options *opt);
/** PERP_ERR_UNSUITABLE where the cones of p obey a law that the solver does not take. */
perp_status perp_solver_check_law(const perp_solver_type *type, const perp_options *opt,
                                  const perp_problem *p, perp_error *err);

#endif
