/* SPDX-License-Identifier: Apache-2.0
 * step/solve.h: problems of a step and their solution. Private. */
#ifndef PERP_STEP_SOLVE_H
#define PERP_STEP_SOLVE_H

#include "step/stepper.h"

/** A problem to solve, with its rows and starting velocities for sequential impulses.
 *  Without rows (NULL) the sweeps are those of Gauss-Seidel. */
typedef struct step_task {
    const perp_system *system;
    const perp_problem *problem;
    const perp_contacts *contacts;
    const double *u;      /* b of the problem is J u - bias */
    const perp_state *at; /* where M is taken */
} step_task;

/** Solve from the start in (*result)->z, by the solver or by sequential impulses; outcome
 *  and work are added to the report. n > 0. PERP_ERR_NOT_SOLVED: it was interrupted. */
perp_status step_solve(perp_stepper *st, const step_task *task, perp_result *result,
                       perp_report *report, perp_error *err);
/** *result := a result for n rows with z = 0, created again only if n changed; NULL for n
 *  = 0. */
perp_status step_result(perp_result **result, size_t n, perp_error *err);
/** Velocities after the impulses of an impact, or of the smooth part of a step:
 *  bodies.u_plus and st->result; rows.z_compression: the starting impulses of the next
 *  step. Fills the parts of the ledger due to rows. */
perp_status step_impulses(perp_stepper *st, const step_formulation *f, bool impact,
                          perp_report *report, perp_error *err);
/** Solve again with forces along the motion that the impulses allow, where that matters. */
perp_status step_refine(perp_stepper *st, const step_formulation *f, perp_report *report,
                        perp_error *err);
/** The second half of Poisson's law, in an impact (step/poisson.c). */
perp_status step_expand(perp_stepper *st, perp_report *report, perp_error *err);

/** Solve it, and give the state the velocities after it; its impulses to st->impact. */
perp_status step_jump(perp_stepper *st, const step_formulation *f, perp_report *report,
                      perp_error *err);

/** Set the starting impulses of the next problem; returns the number of blocks that were
 *  found in st->memory. */
size_t step_memory_start(perp_stepper *st, const perp_system *system, double *z);
/** After a step that was not solved (step/damp.c): damp the stored impulses; slow down
 *  the correction of penetrations in the next step. The damping of starts for a number of
 *  sweeps per step. */
void step_memory_damp(perp_stepper *st);
void step_soften(perp_stepper *st);
double step_damping(const perp_scheme *scheme, long sweeps);

#endif
