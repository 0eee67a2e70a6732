/* SPDX-License-Identifier: Apache-2.0
 * tests/gradient/helpers.h: objectives, a slow method that is hard to get wrong, and
 * solvers stepped by hand as a wrapper does. */
#ifndef PERP_TEST_GRADIENT_HELPERS_H
#define PERP_TEST_GRADIENT_HELPERS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "core/solvers.h"
#include "instances.h"

/* A golden contact problem under the associated law. */
static inline perp_problem *helper_associated(const char *id)
{
    perp_problem *p = test_golden_problem(id);

    p->law = PERP_LAW_ASSOCIATED;
    return p;
}

static inline double helper_objective(const perp_problem *p, const double *z)
{
    double f = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        f += z[i] * (0.5 * perp_operator_row_dot(p->A, i, z) + p->b[i]);
    }
    return f;
}

/* z_{j+1} = P_K(z_j - g/|A|): slow, but hard to get wrong. */
static inline double *helper_slow_reference(const perp_problem *p, size_t steps)
{
    double *z = perp_reals_new(p->n);
    double *w = perp_reals_new(p->n);
    double *work = perp_reals_new(2 * p->n);
    double norm = 0.0;

    CU_ASSERT_FATAL(z && w && work);
    norm = perp_operator_norm_estimate(p->A, work);
    for (size_t j = 0; j < steps; j++) {
        perp_operator_apply(p->A, z, w);
        for (size_t i = 0; i < p->n; i++) {
            z[i] -= (w[i] + p->b[i]) / norm;
        }
        for (size_t k = 0; k < p->set->count; k++) {
            perp_set_project(p->set, k, z);
        }
    }
    free(w);
    free(work);
    return z;
}

/* A solver stepped by hand, as a wrapper does. */
typedef struct stepped {
    perp_options opt;
    perp_workspace *ws;
    perp_result *r;
    perp_run run;
} stepped;

static inline void stepped_open(stepped *t, const perp_solver_type *type,
                                const perp_problem *p)
{
    memset(t, 0, sizeof *t);
    perp_options_init(&t->opt, type, NULL);
    CU_ASSERT_EQUAL_FATAL(perp_workspace_new(&t->ws, 0, NULL), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_result_new(&t->r, p->n, NULL), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_run_start(&t->run, type, p, &t->opt, t->ws, t->r, NULL),
                          PERP_OK);
}

static inline void stepped_steps(stepped *t, size_t steps)
{
    for (size_t j = 0; j < steps && t->r->outcome == PERP_RUNNING; j++) {
        CU_ASSERT_EQUAL(perp_run_step(&t->run, NULL), PERP_OK);
    }
}

static inline void stepped_close(stepped *t)
{
    perp_run_end(&t->run);
    perp_workspace_free(t->ws);
    perp_result_free(t->r);
}

#endif
