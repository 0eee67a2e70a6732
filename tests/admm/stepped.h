/* SPDX-License-Identifier: Apache-2.0
 * tests/admm/stepped.h: problems and a solver stepped by hand, as a wrapper does. */
#ifndef PERP_TEST_ADMM_STEPPED_H
#define PERP_TEST_ADMM_STEPPED_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "core/solvers.h"
#include "instances.h"

typedef struct stepped {
    perp_options opt;
    perp_workspace *ws;
    perp_result *r;
    perp_run run;
} stepped;

/* From z, or from 0 when that is NULL. */
static inline void stepped_open(stepped *t, const perp_solver_type *type,
                                const perp_problem *p, const double *z)
{
    memset(t, 0, sizeof *t);
    perp_options_init(&t->opt, type, NULL);
    CU_ASSERT_EQUAL_FATAL(perp_workspace_new(&t->ws, 0, NULL), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_result_new(&t->r, p->n, NULL), PERP_OK);
    if (z) {
        memcpy(t->r->z, z, p->n * sizeof *z);
    }
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

/* Rows of every kind at once under the associated law, A random and positive definite. */
static inline perp_problem *of_all_kinds(uint64_t seed)
{
    perp_random g = {seed};
    perp_set *set = NULL;

    CU_ASSERT_EQUAL_FATAL(perp_set_new(&set, 32, NULL), PERP_OK);
    for (size_t k = 0; k < 4; k++) {
        perp_set_add_free(set);
        perp_set_add_nonneg(set);
        perp_set_add_box(set, -0.1, 0.2);
        perp_set_add_box(set, -INFINITY, 0.1);
        perp_set_add_cone(set, 3, perp_random_uniform(&g, 0.0, 1.0));
        perp_set_add_cone(set, 2, perp_random_uniform(&g, 0.0, 1.0));
        perp_set_add_rolling(set, perp_random_uniform(&g, 0.1, 1.0), 0.2);
        perp_set_add_disk(set, 0.3);
    }
    return test_problem(test_spd(set->n, seed), set, PERP_LAW_ASSOCIATED, &g);
}

/* z_{j+1} = P_K(z_j - w/|A|): slow, but hard to get wrong. */
static inline double *slow_reference(const perp_problem *p, size_t steps)
{
    double *z = perp_reals_new(p->n);
    double *w = perp_reals_new(p->n);
    double *work = perp_reals_new(2 * p->n);
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
    free(w);
    free(work);
    return z;
}

/* Two contacts, W = B B^T of rank 2 that no equal push on both normals moves, and b that
 * draws both down: the push grows for ever. */
static inline perp_problem *squeezed(uint64_t seed, perp_law law)
{
    perp_random g = {seed};
    const double mu[] = {0.5, 0.5};
    double B[12];
    double rows[36];
    double b[6];
    perp_problem *p = NULL;

    for (size_t i = 0; i < 12; i++) {
        B[i] = perp_random_uniform(&g, -1.0, 1.0);
    }
    B[3] = -B[0]; /* the normals move oppositely */
    B[9] = -B[6];
    for (size_t i = 0; i < 6; i++) {
        b[i] = i % 3 == 0 ? -1.0 : 0.0;
        for (size_t j = 0; j < 6; j++) {
            rows[6 * i + j] = B[i] * B[j] + B[6 + i] * B[6 + j];
        }
    }
    p = test_cones(3, 2, rows, b, mu);
    p->law = law;
    return p;
}

#endif
