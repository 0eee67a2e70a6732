/* SPDX-License-Identifier: Apache-2.0
 * tests/support/step_differences.h: worlds to step again and again from other states, and
 * derivatives of these steps against differences. */
#ifndef PERP_TEST_DYNAMICS_DERIVATIVES_H
#define PERP_TEST_DYNAMICS_DERIVATIVES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "random_forest.h"
#include "world_run.h"

/** Central differences of steps over 1e-5: third derivatives of 1e2 times the first make
 *  1e-8, solutions to 1e-12 some 1e-7; rows are differentiated over 1e-6 to 1e-9. */
static const double step_differences = 1e-6;

typedef struct stage {
    perp_world *world;
    perp_scheme scheme;
    const char *solver;
    double *s, *u, *q, *qd, *load; /* where it begins */
} stage;

/** The world (taken over) in reduced coordinates, single bodies among them, to be stepped
 *  by 0.01 s under a model, pyramids of 4, Baumgarte's correction. */
stage stage_of(perp_world *world, perp_model model, const char *solver);
/** The same, reduced otherwise. */
stage stage_by(perp_world *world, const perp_reduction *how, perp_model model,
               const char *solver);
void stage_end(stage *st);
size_t stage_size(const stage *st);
/** The state again, moved by t along (dq, dqd); either may be NULL. */
void stage_put(const stage *st, double t, const double *dq, const double *dqd);
/** out := (q+, qd+) of a step from there by perp_stepper_step, under a load times t. */
void stage_step(const stage *st, double t, const double *dq, const double *dqd,
                const double *load, double *out);
/** out := differences of (q+, qd+): central, or one-sided of second order. */
void stage_differences(const stage *st, bool one_sided, const double *dq,
                       const double *dqd, const double *load, double *out);
perp_step_gradient *stage_gradient(const stage *st, const perp_sensitivity_options *how);
/** The whole matrix against differences along each coordinate, rate and load; counts of
 *  rows by what they do are added to `states`. */
void stage_check(const stage *st, const perp_sensitivity_options *how,
                 size_t states[PERP_ACTIVE_STATES]);
/** x agrees with y within tolerance max(1, |y|), else it is printed. */
bool stage_same(const char *what, size_t number, const double *x, const double *y,
                size_t n, double tolerance);

#endif
