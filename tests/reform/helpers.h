/* SPDX-License-Identifier: Apache-2.0
 * tests/reform/helpers.h: a solver that needs no solver: an LCP by trying all active
 * sets. */
#ifndef PERP_TEST_REFORM_HELPERS_H
#define PERP_TEST_REFORM_HELPERS_H

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "instances.h"

/* z of the active set `active` of an LCP, or false where that is singular. */
static inline bool helper_active_set(const perp_problem *p, unsigned long active,
                                     double *z)
{
    enum { most = 20 };
    double M[most * most];
    double x[most];
    size_t rows[most];
    lapack_int pivots[most];
    lapack_int k = 0;

    for (size_t i = 0; i < p->n; i++) {
        z[i] = 0.0;
        if (active >> i & 1u) {
            x[k] = -p->b[i];
            rows[k++] = i;
        }
    }
    for (lapack_int i = 0; i < k; i++) {
        for (lapack_int j = 0; j < k; j++) {
            M[i + j * k] = perp_operator_entry(p->A, rows[i], rows[j]);
        }
    }
    if (k > 0 && LAPACKE_dgesv(LAPACK_COL_MAJOR, k, 1, M, k, pivots, x, k) != 0) {
        return false;
    }
    for (lapack_int i = 0; i < k; i++) {
        z[rows[i]] = x[i];
    }
    return true;
}

/* The first solution of an LCP of at most 20 rows among all active sets, to RES <= 1e-9;
 * false when there is none. */
static inline bool helper_enumerate(const perp_problem *p, double *z)
{
    CU_ASSERT_FATAL(p->n <= 20);
    for (unsigned long active = 0; active < 1ul << p->n; active++) {
        bool feasible = helper_active_set(p, active, z);

        for (size_t i = 0; feasible && i < p->n; i++) { /* most fall here, cheaply */
            feasible = z[i] >= -1e-6;
        }
        if (feasible && perp_residual(p, z) <= 1e-9) {
            return true;
        }
    }
    return false;
}

#endif
