/* SPDX-License-Identifier: Apache-2.0
 * tests/pivoting/friction_path.c: friction rows coupled to their normals, by the path of the
 * bounds and by the other methods that solve them. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "instances.h"

static const double exact = 1e-12; /* the last system is solved by a new factorisation */

/* The methods that solve coupled box friction, with what they need to be exact. */
static const struct {
    const char *name, *option;
    double close; /* of answers that are worked out by hand */
} coupled[] = {
    {"friction-path", NULL, 1e-15},
    {"tresca:dantzig", "tolerance=1e-14", 1e-13},
    {"prox-newton", "tolerance=1e-14", 1e-13},
    {"auto", "tolerance=1e-14", 1e-13},
};

enum { COUPLED = sizeof coupled / sizeof *coupled };

/* Contacts of `dim` rows (normal, tangents) with friction index. */
static perp_problem *contacts(size_t dim, size_t nc, const double *rows, const double *b,
                              const double *mu)
{
    perp_problem *p = test_lcp(dim * nc, rows, b);
    perp_set *set = test_new_set(dim * nc);

    for (size_t i = 0; i < dim * nc; i++) {
        if (i % dim == 0) {
            perp_set_add_nonneg(set);
        } else {
            perp_set_add_friction(set, mu[i / dim], i / dim * dim);
        }
    }
    test_give_set(p, set);
    return p;
}

static void compare(const json_t *expected, const perp_result *r, double tolerance)
{
    CU_ASSERT_EQUAL_FATAL(json_array_size(expected), r->n);
    for (size_t i = 0; i < r->n; i++) {
        CU_ASSERT_DOUBLE_EQUAL(r->z[i], json_number_value(json_array_get(expected, i)),
                               tolerance);
    }
}

/* The stored coupled answers are fixed points to 5e-13. */
TEST(golden_answers)
{
    for (int k = 0; k < 3; k++) {
        char name[32];
        const json_t *outer = NULL;

        snprintf(name, sizeof name, "findex_%d", k);
        json_t *root = test_golden_entry(name);
        perp_problem *p = test_golden_problem(name);
        outer = json_object_get(json_object_get(root, "expect"), "outer");
        for (int m = 0; m < COUPLED; m++) {
            perp_result *r = test_solve(p, coupled[m].name, coupled[m].option, NULL);

            test_solved(p, r, exact);
            if (json_is_true(json_object_get(outer, "converged"))) {
                compare(json_object_get(outer, "z"), r, 5e-12);
            }
        }
        json_decref(root);
    }
}

/* nc contacts (n, t1, t2) between random rows of `bodies` bodies of 6 velocities:
 * W = J J^T + shift I, singular without the shift when 3 nc > 6 bodies. */
static perp_problem *random_contacts(size_t nc, size_t bodies, double mu_most,
                                     double shift, uint64_t seed)
{
    const size_t n = 3 * nc;
    const size_t m = 6 * bodies;
    perp_random g = {seed};
    double *J = test_reals(n * m);
    double *W = test_reals(n * n);
    double *b = test_reals(n);
    double *mu = test_reals(nc);

    for (size_t c = 0; c < nc; c++) {
        size_t body = (size_t)perp_random_integer(&g, 0, (long)bodies - 1);
        size_t other = (size_t)perp_random_integer(&g, 0, (long)bodies - 1);

        mu[c] = perp_random_uniform(&g, 0.1, mu_most);
        for (size_t i = 3 * c; i < 3 * c + 3; i++) {
            b[i] = perp_random_uniform(&g, -1.0, i % 3 ? 1.0 : 0.3);
            for (size_t v = 0; v < 6; v++) {
                J[i * m + 6 * body + v] = perp_random_uniform(&g, -1.0, 1.0);
                if (other != body) {
                    J[i * m + 6 * other + v] = perp_random_uniform(&g, -1.0, 1.0);
                }
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = i == j ? shift : 0.0;

            for (size_t v = 0; v < m; v++) {
                sum += J[i * m + v] * J[j * m + v];
            }
            W[i * n + j] = W[j * n + i] = sum;
        }
    }
    return contacts(3, nc, W, b, mu);
}

/* Some of them have circles of Tresca's rounds and of Newton's steps; the path has none. */
TEST(random_contacts_of_full_rank)
{
    size_t by_newton = 0, by_rounds = 0;

    for (uint64_t seed = 1; seed <= 60; seed++) {
        perp_problem *p = random_contacts(4 + (size_t)(seed % 12), 20, 0.9, 1e-8, seed);
        perp_result *r = test_solve(p, "friction-path", NULL);

        if (!test_solved(p, r, exact)) {
            test_note("seed %d", (int)seed);
        }
        r = test_solve(p, "prox-newton", "tolerance=1e-12", NULL);
        by_newton += r->outcome == PERP_SOLVED;
        r = test_solve(p, "tresca:dantzig", "tolerance=1e-12", NULL);
        by_rounds += r->outcome == PERP_SOLVED;
    }
    CU_ASSERT(by_newton >= 58);
    CU_ASSERT(by_rounds >= 55);
}

/* Rows of the bodies' motion that b leaves: W z + b = 0 has a solution for some z. */
static void make_consistent(perp_problem *p, uint64_t seed)
{
    perp_random g = {seed};
    double *x = test_reals(p->n);

    for (size_t i = 0; i < p->n; i++) {
        x[i] = perp_random_uniform(&g, -1.0, 1.0);
    }
    perp_operator_apply(p->A, x, p->b);
}

/* More contacts than the bodies have freedom: W is singular, impulses are not unique. */
TEST(hyperstatic_contacts_go_through_prox)
{
    size_t wrapped = 0;

    for (uint64_t seed = 1; seed <= 40; seed++) {
        perp_problem *p = random_contacts(10, 2, 0.9, 0.0, seed);

        make_consistent(p, seed);
        perp_result *r = test_solve(p, "friction-path", "tolerance=1e-12", NULL);
        if (!test_solved(p, r, exact)) {
            test_note("seed %d, by the path", (int)seed);
        }
        wrapped += test_ran(r, "prox: eps");
        r = test_solve(p, "auto", "tolerance=1e-12", NULL);
        if (!test_solved(p, r, exact)) {
            test_note("seed %d, by auto", (int)seed);
        }
    }
    CU_ASSERT(wrapped > 0);
}

/* Large mu, where rounds need not contract. */
TEST(the_path_of_the_bounds_ends_at_a_solution)
{
    for (uint64_t seed = 100; seed < 160; seed++) {
        perp_problem *p = random_contacts(8, 4, 3.0, 1e-6, seed);
        perp_result *r = test_solve(p, "friction-path", NULL);

        if (!test_solved(p, r, exact)) {
            test_note("seed %d", (int)seed);
        }
    }
}

/* Near the solution the sets are known: hardly an event is left of the path. */
TEST(a_start_near_the_solution_saves_the_path)
{
    perp_problem *p = random_contacts(10, 12, 0.7, 1e-3, 8);
    perp_result *cold = test_solve(p, "friction-path", NULL);
    double z[30];

    test_solved(p, cold, exact);
    CU_ASSERT(cold->work.pivots > 5.0);
    for (size_t i = 0; i < p->n; i++) {
        z[i] = cold->z[i] * (1.0 + 1e-6);
    }
    CU_ASSERT(perp_residual(p, z) > 1e-8);
    perp_result *warm = test_solve_from(p, z, "friction-path", NULL);
    test_solved(p, warm, exact);
    CU_ASSERT(warm->work.pivots <= 2.0);
}

/* A start that says nothing: its path may be lost, and that of the bounds begins at z = 0. */
TEST(any_start_leads_to_a_solution)
{
    perp_random g = {5};

    for (uint64_t seed = 200; seed < 220; seed++) {
        perp_problem *p = random_contacts(8, 4, 1.5, 1e-3, seed);
        double z[24];

        for (size_t i = 0; i < p->n; i++) {
            z[i] = perp_random_uniform(&g, -10.0, 10.0);
        }
        perp_result *r = test_solve_from(p, z, "friction-path", NULL);
        if (!test_solved(p, r, exact)) {
            test_note("seed %d", (int)seed);
        }
    }
}
