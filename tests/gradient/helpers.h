/* SPDX-License-Identifier: Apache-2.0
 * tests/gradient/helpers.h: what all tests of gradients use. */
#ifndef PERP_TEST_GRADIENT_HELPERS_H
#define PERP_TEST_GRADIENT_HELPERS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "core/solvers.h"
#include "instances.h"
#include "stepped.h"

static inline double helper_objective(const perp_problem *p, const double *z)
{
    double f = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        f += z[i] * (0.5 * perp_operator_row_dot(p->A, i, z) + p->b[i]);
    }
    return f;
}

#endif
