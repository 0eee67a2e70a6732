/* SPDX-License-Identifier: Apache-2.0
 * tests/support/stepped.c: solvers stepped by hand, and a slow one. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "stepped.h"

void stepped_open(stepped *t, const perp_solver_type *type, const perp_problem *p,
                  const double *z)
{
    memset(t, 0, sizeof *t);
    perp_options_init(&t->opt, type, NULL, NULL);
    OK(perp_workspace_new(&t->ws, 0, NULL));
    OK(perp_result_new(&t->r, p->n, NULL));
    if (z) {
        memcpy(t->r->z, z, p->n * sizeof *z);
    }
    OK(perp_run_start(&t->run, type, p, &t->opt, t->ws, t->r, NULL));
}

void stepped_steps(stepped *t, size_t steps)
{
    for (size_t j = 0; j < steps && t->r->outcome == PERP_RUNNING; j++) {
        OK(perp_run_step(&t->run, NULL));
    }
}

void stepped_close(stepped *t)
{
    perp_run_end(&t->run);
}

double *test_slow_reference(const perp_problem *p, size_t steps)
{
    double *z = test_reals(p->n);
    double *w = test_reals(p->n);
    double *work = test_reals(2 * p->n);
    double norm = 0.0;

    CU_ASSERT_FATAL(z && w && work);
    norm = perp_operator_norm_estimate(p->A, work);
    for (size_t j = 0; j < steps; j++) {
        test_w(p, z, w);
        for (size_t i = 0; i < p->n; i++) {
            z[i] -= w[i] / norm;
        }
        for (size_t k = 0; k < p->set->count; k++) {
            perp_set_project(p->set, k, z);
        }
    }
    return z;
}
