/* SPDX-License-Identifier: Apache-2.0
 * tests/reform/helpers.h: random problems, arrays of golden files, and a solver that needs no
 * solver: an LCP by trying all active sets. */
#ifndef PERP_TEST_REFORM_HELPERS_H
#define PERP_TEST_REFORM_HELPERS_H

#include <float.h>
#include <jansson.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

/* A problem from parts; b is drawn from [-1, 1). */
static inline perp_problem *helper_problem(perp_operator *A, perp_set *set, perp_law law,
                                           perp_random *g)
{
    perp_problem *p = NULL;
    double *b = perp_reals_new(A->rows);

    CU_ASSERT_PTR_NOT_NULL_FATAL(b);
    for (size_t i = 0; i < A->rows; i++) {
        b[i] = perp_random_uniform(g, -1.0, 1.0);
    }
    CU_ASSERT_EQUAL_FATAL(perp_problem_new_from(&p, A, b, set, law, NULL), PERP_OK);
    return p;
}

/* The same problem with A stored otherwise. */
static inline perp_problem *helper_stored(const perp_problem *p, perp_storage storage,
                                          size_t edge)
{
    perp_problem *q = NULL;
    perp_operator *A = NULL;

    CU_ASSERT_EQUAL_FATAL(perp_problem_copy(&q, p, NULL), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_operator_convert(&A, p->A, storage, edge, NULL), PERP_OK);
    perp_operator_free(q->A);
    q->A = A;
    return q;
}

/* w := A z + b */
static inline void helper_w(const perp_problem *p, const double *z, double *w)
{
    perp_operator_apply(p->A, z, w);
    for (size_t i = 0; i < p->n; i++) {
        w[i] += p->b[i];
    }
}

/* Numbers of a golden solver instance, at "a" or "a/b"; fails the test without them. */
static inline double *helper_golden(const char *id, const char *key, size_t *count)
{
    char path[1024];
    char head[64];
    const char *slash = strchr(key, '/');
    json_error_t error;
    json_t *root = NULL;
    const json_t *at = NULL;
    double *x = NULL;

    snprintf(path, sizeof path, "%s/solvers/%s.json", test_golden(), id);
    root = json_load_file(path, 0, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    snprintf(head, sizeof head, "%.*s", slash ? (int)(slash - key) : (int)strlen(key),
             key);
    at = json_object_get(root, head);
    at = slash ? json_object_get(at, slash + 1) : at;
    *count = json_array_size(at);
    CU_ASSERT_FATAL(*count > 0);
    x = perp_reals_new(*count);
    CU_ASSERT_PTR_NOT_NULL_FATAL(x);
    for (size_t i = 0; i < *count; i++) {
        x[i] = json_number_value(json_array_get(at, i));
    }
    json_decref(root);
    return x;
}

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
