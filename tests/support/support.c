/* SPDX-License-Identifier: Apache-2.0
 * tests/support/support.c: notes, small problems, places of the data. */
#include <config.h>

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support.h"

void test_ok(perp_status status, const char *call, const char *file, unsigned line)
{
    char text[400];

    snprintf(text, sizeof text, "%s: %s", perp_status_text(status), call);
    CU_assertImplementation(status == PERP_OK, line, text, file, "", CU_TRUE);
}

void test_note(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputs("#   ", stdout);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
}

static const char *place(const char *variable, const char *fallback)
{
    const char *path = getenv(variable);

    return path && *path ? path : fallback;
}

const char *test_golden(void)
{
    return place("PERP_TEST_DATA", "tests/golden");
}

const char *test_datasets(void)
{
    return place("PERP_DATASETS", "datasets");
}

const char *test_source(void)
{
    return place("PERP_SOURCE", ".");
}

const char *test_scratch(const char *name)
{
    static char path[4][1024];
    static unsigned turn;
    char *p = path[turn++ % 4];

    snprintf(p, sizeof path[0], "%s/tests/scratch", place("PERP_BUILD", "."));
    mkdir(p, 0777);
    snprintf(p, sizeof path[0], "%s/tests/scratch/%ld-%s", place("PERP_BUILD", "."),
             (long)getpid(), name);
    return p;
}

perp_problem *test_lcp(size_t n, const double *rows, const double *q)
{
    perp_problem *p = NULL;
    perp_operator *A = NULL;
    perp_set *set = NULL;
    double *b = perp_reals_new(n);

    CU_ASSERT_PTR_NOT_NULL_FATAL(b);
    OK(perp_operator_new_dense(&A, n, n, NULL));
    OK(perp_set_new_uniform(&set, PERP_SET_NONNEG, n, NULL));
    for (size_t i = 0; i < n; i++) {
        b[i] = q[i];
        for (size_t j = 0; j < n; j++) {
            A->x[i + j * A->ld] = rows[i * n + j];
        }
    }
    OK(perp_problem_new_take(&p, A, b, set, PERP_LAW_COULOMB, NULL));
    return p;
}

perp_problem *test_cones(size_t dim, size_t nc, const double *rows, const double *b,
                         const double *mu)
{
    size_t n = dim * nc;
    perp_problem *p = test_lcp(n, rows, b);
    perp_set *set = NULL;

    OK(perp_set_new_cones(&set, (unsigned)dim, nc, mu, NULL));
    test_give_set(p, set);
    return p;
}

perp_problem *test_problem(perp_operator *A, perp_set *set, perp_law law, perp_random *g)
{
    perp_problem *p = NULL;
    double *b = perp_reals_new(A->rows);

    CU_ASSERT_PTR_NOT_NULL_FATAL(b);
    for (size_t i = 0; i < A->rows; i++) {
        b[i] = perp_random_uniform(g, -1.0, 1.0);
    }
    OK(perp_problem_new_take(&p, A, b, set, law, NULL));
    return p;
}

perp_problem *test_boxed(size_t n, uint64_t seed)
{
    perp_operator *A = test_spd(n, seed);
    perp_random g = {seed};
    double *b = perp_reals_new(n);
    perp_set *set = NULL;
    perp_problem *p = NULL;

    CU_ASSERT_PTR_NOT_NULL_FATAL(b);
    OK(perp_set_new(&set, n, NULL));
    for (size_t i = 0; i < n; i++) {
        double lo = perp_random_uniform(&g, -2.0, 0.5);

        b[i] = perp_random_uniform(&g, -2.0, 2.0);
        switch (perp_random_integer(&g, 0, 5)) {
        case 0:
            perp_set_add_free(set);
            break;
        case 1:
            perp_set_add_nonneg(set);
            break;
        case 2:
            perp_set_add_box(set, -INFINITY, lo);
            break;
        case 3:
            perp_set_add_box(set, lo, lo);
            break;
        default:
            perp_set_add_box(set, lo, lo + perp_random_uniform(&g, 0.0, 2.0));
        }
    }
    OK(perp_problem_new_take(&p, A, b, set, PERP_LAW_COULOMB, NULL));
    return p;
}

void test_give_set(perp_problem *p, perp_set *set)
{
    perp_set_free(p->set);
    p->set = set;
}

void test_store(perp_problem *p, perp_storage storage, size_t edge)
{
    perp_operator *A = NULL;

    OK(perp_operator_convert(&A, p->A, storage, edge, NULL));
    perp_operator_free(p->A);
    p->A = A;
}

perp_problem *test_stored(const perp_problem *p, perp_storage storage, size_t edge)
{
    perp_problem *copy = NULL;

    OK(perp_problem_copy(&copy, p, NULL));
    test_store(copy, storage, edge);
    return copy;
}

perp_operator *test_spd(size_t n, uint64_t seed)
{
    perp_random g = {seed};
    perp_operator *A = NULL;
    double *B = test_reals(n * n);

    OK(perp_operator_new_dense(&A, n, n, NULL));
    for (size_t k = 0; k < n * n; k++) {
        B[k] = perp_random_uniform(&g, -1.0, 1.0);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double dot = i == j ? 1.0 : 0.0;

            for (size_t k = 0; k < n; k++) {
                dot += B[i * n + k] * B[j * n + k] / (double)n;
            }
            A->x[i + j * A->ld] = dot;
            A->x[j + i * A->ld] = dot;
        }
    }
    return A;
}

static void set_options(perp_options *opt, va_list settings)
{
    const char *setting = NULL;
    perp_error err = {0};

    while ((setting = va_arg(settings, const char *))) {
        char key[64];
        const char *equals = strchr(setting, '=');

        CU_ASSERT_PTR_NOT_NULL_FATAL(equals);
        snprintf(key, sizeof key, "%.*s", (int)(equals - setting), setting);
        if (perp_options_set(opt, key, equals + 1, &err) != PERP_OK) {
            test_note("%s", err.text);
        }
        OK(err.status);
    }
}

static perp_result *solve(const perp_problem *p, const double *z, const char *name,
                          va_list settings)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_result *r = NULL;
    perp_error err = {0};

    if (perp_solver_parse(name, &type, &opt, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(type);
    set_options(&opt, settings);
    OK(perp_result_new(&r, p->n, NULL));
    if (z) {
        memcpy(r->z, z, p->n * sizeof *z);
    }
    if (perp_solve(type, p, &opt, r, &err) != PERP_OK) {
        test_note("%s: %s", name, err.text);
    }
    OK(err.status);
    return r;
}

perp_result *test_solve(const perp_problem *p, const char *name, ...)
{
    perp_result *r = NULL;
    va_list settings;

    va_start(settings, name);
    r = solve(p, NULL, name, settings);
    va_end(settings);
    return r;
}

perp_result *test_solve_from(const perp_problem *p, const double *z, const char *name,
                             ...)
{
    perp_result *r = NULL;
    va_list settings;

    va_start(settings, name);
    r = solve(p, z, name, settings);
    va_end(settings);
    return r;
}

void test_store_as_factors(perp_problem *p)
{
    size_t n = p->n;
    double *Q = test_reals(n * n), *lambda = test_reals(n);
    perp_operator *J = NULL, *one = NULL, *A = NULL;

    CU_ASSERT_FATAL(Q != NULL && lambda != NULL);
    for (size_t i = 0; i < n * n; i++) {
        Q[i] = perp_operator_entry(p->A, i % n, i / n);
    }
    CU_ASSERT_EQUAL_FATAL(
        LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', (int)n, Q, (int)n, lambda), 0);
    for (size_t i = 0; i < n * n; i++) {
        Q[i] *= sqrt(fmax(lambda[i / n], 0.0));
    }
    OK(perp_operator_new_from_dense(&J, n, n, Q, n, PERP_COPY, NULL));
    OK(perp_operator_new_dense(&one, n, n, NULL));
    for (size_t i = 0; i < n; i++) {
        one->x[i + i * one->ld] = 1.0;
    }
    OK(perp_operator_new_factored(&A, J, one, NULL, NULL));
    perp_operator_free(p->A);
    p->A = A;
}

void test_store_as_unsymmetric_factors(perp_problem *p)
{
    perp_operator *part[2] = {NULL, NULL}, *A = NULL;
    perp_arrays rows;

    for (size_t k = 0; k < 2; k++) {
        OK(perp_operator_new_sparse(&part[k], p->n, p->n, 1, p->n * p->n, NULL));
        for (size_t i = 0; i < p->n * p->n; i++) {
            size_t row = i / p->n, col = i % p->n;

            part[k]->ptr[row + 1] = (row + 1) * p->n;
            part[k]->col[i] = (int32_t)col;
            part[k]->x[i] = k == 0       ? perp_operator_entry(p->A, row, col)
                            : row == col ? 1.0
                                         : 0.0;
        }
    }
    rows = perp_operator_arrays(part[0]);
    OK(perp_operator_new_factors(&A, &rows, part[1]->x, NULL, NULL));
    perp_operator_free(p->A);
    p->A = A;
}
