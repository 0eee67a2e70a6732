/* SPDX-License-Identifier: Apache-2.0
 * tests/support/stepped.h: a solver stepped by hand, as a wrapper does; a slow method that is
 * hard to get wrong. */
#ifndef PERP_TEST_STEPPED_H
#define PERP_TEST_STEPPED_H

#include "core/solvers.h"
#include "support.h"

typedef struct stepped {
    perp_options opt;
    perp_workspace *ws;
    perp_result *r;
    perp_run run;
} stepped;

/** From z, or from 0 when that is NULL. */
void stepped_open(stepped *t, const perp_solver_type *type, const perp_problem *p,
                  const double *z);
/** So many iterations, or fewer where it ends. */
void stepped_steps(stepped *t, size_t steps);
void stepped_close(stepped *t);

/** z_{j+1} = P_K(z_j - w/|A|), to be freed. */
double *test_slow_reference(const perp_problem *p, size_t steps);

#endif
