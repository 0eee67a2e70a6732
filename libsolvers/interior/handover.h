/* SPDX-License-Identifier: Apache-2.0
 * interior/handover.h: prox-newton from the end of a path, or from a given start. Private.
 *
 * The path of an interior-point method ends where sliding contacts lie on the boundary of their
 * cones and the scaling loses half of the digits; Newton's method ends from there. Each call of
 * perp_handover_step is one of its steps, so that the loop judges them; its work is counted in
 * the result of the caller, and its steps in the caller's line of the solution path. */
#ifndef PERP_INTERIOR_HANDOVER_H
#define PERP_INTERIOR_HANDOVER_H

#include "core/solvers.h"

typedef struct perp_handover {
    const perp_problem *p;
    perp_workspace *ws;
    double tolerance, eps;
    perp_options options;
    perp_result *end; /* of Newton's method */
    perp_run run;
    double change; /* of the diagonal since Newton's method last ran */
    size_t steps;
    const char *name; /* of the caller */
    size_t line;      /* the caller's line of the solution path */
} perp_handover;

/** Begin the caller's line of the solution path. `newton`: prepare Newton's method, so that no
 *  step takes memory. perp_handover_close must be called even after a failure. */
perp_status perp_handover_setup(perp_handover *h, const char *name, const perp_problem *p,
                                double tolerance, double eps, bool newton,
                                perp_workspace *ws, perp_result *r, perp_error *err);
void perp_handover_close(perp_handover *h);

/** Start Newton's method at r->z. */
perp_status perp_handover_start(perp_handover *h, perp_result *r, perp_error *err);
/** One step; r->z is its point and h->end->outcome says whether it ended. Ends r, too, where it
 *  solved the problem or has a certificate that there is no solution. */
perp_status perp_handover_step(perp_handover *h, perp_result *r, perp_error *err);

/** Write the caller's line: its own steps and those of Newton's method. */
void perp_handover_log(const perp_handover *h, size_t path_steps, perp_result *r);

#endif
