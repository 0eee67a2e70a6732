/* SPDX-License-Identifier: Apache-2.0
 * tests/outer/ds.c: De Saxce's fixed point: single contacts, an
 * unsymmetric and on singular W, with rows that are no contacts, and what it reports. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "instances.h"

TEST(finds_a_golden_solution_of_every_single_contact)
{
    test_friction_models("ds:mpgp", "tolerance=1e-12", PERP_LAW_COULOMB);
}

TEST(mpgp_alone_is_wrapped_on_coulombs_law)
{
    perp_problem *p = test_golden_problem("incline_slip");
    perp_result *r = test_solve(p, "mpgp", "tolerance=1e-10", NULL);
    char told[64];

    test_solved(p, r, 1e-10);
    snprintf(told, sizeof told, "ds: %.0f rounds around mpgp", r->work.rounds);
    CU_ASSERT_FATAL(r->path.count > 0);
    CU_ASSERT_STRING_EQUAL(r->path.step[r->path.count - 1], told);
    CU_ASSERT(r->work.rounds >= 1.0);
    CU_ASSERT(r->work.products >= (double)r->iterations);
}

/* W + W X W with X skew, of 1e-3 max|W|: as gyroscopic terms leave it, in the range of
 * W. */
static void add_skew_part(perp_problem *p, uint64_t seed)
{
    perp_random g = {seed};
    size_t n = p->n;
    double *X = test_reals(n * n);
    double *XW = test_reals(n * n);
    double *N = test_reals(n * n);
    double scale = 0.0;

    perp_operator *W = test_convert(p->A, PERP_STORAGE_DENSE, 1);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            X[i + n * j] = perp_random_uniform(&g, -1.0, 1.0);
            X[j + n * i] = -X[i + n * j];
        }
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < n; k++) {
            for (size_t i = 0; i < n; i++) {
                XW[i + n * j] += X[i + n * k] * W->x[k + j * W->ld];
            }
        }
    }
    for (size_t j = 0; j < n; j++) {
        perp_operator_apply(W, XW + n * j, N + n * j);
    }
    for (size_t k = 0; k < n * n; k++) {
        scale = fmax(scale, fabs(N[k]));
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            double skew = 1e-3 * perp_operator_max(p->A) * N[i + n * j] / scale;

            W->x[i + j * W->ld] += skew;
            W->x[j + i * W->ld] -= skew;
        }
    }
    perp_operator_free(p->A);
    p->A = W;
}

/* The answer for the symmetric part alone has a residual of about the asymmetry: no bias
 * is let in, also where W is singular. */
TEST(keeps_the_skew_part_of_an_unsymmetric_matrix)
{
    const char *const ids[] = {"rand_fc_8", "table_push_slide", "wall_2x2"};

    for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
        perp_problem *p = test_golden_problem(ids[k]);
        perp_problem *symmetric = test_golden_problem(ids[k]);

        add_skew_part(p, 7);
        CU_ASSERT_FALSE(perp_operator_is_symmetric(p->A));
        perp_result *r = test_solve(p, "ds:mpgp", "tolerance=1e-9", NULL);
        test_solved(p, r, 1e-9); /* with the matrix as it is */
        r = test_solve(symmetric, "ds:mpgp", "tolerance=1e-9", NULL);
        CU_ASSERT(perp_residual(p, r->z) > 1e-6);
    }
}

/* Two cones between a joint, a limit, a motor and a disk. */
static perp_problem *with_other_rows(uint64_t seed)
{
    perp_random g = {seed};
    perp_set *set = test_set("free,cone3:0.7,nonneg,-0.1..0.2,cone3:0.2,disk:0.3");

    return test_problem(test_spd(set->n, seed), set, PERP_LAW_COULOMB, &g);
}

TEST(passes_rows_that_are_no_contacts_through)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        perp_problem *p = with_other_rows(seed);
        perp_result *r = test_solve(p, "ds:mpgp", "tolerance=1e-10", NULL);

        if (!test_solved(p, r, 1e-10)) {
            test_note("seed %d", (int)seed);
        }
    }
}

/* Same minimiser with and without the wrapper, whose proximal term has to vanish. */
TEST(leaves_no_trace_under_the_associated_law)
{
    perp_problem *p = test_golden_problem("rand_fc_8");

    p->law = PERP_LAW_ASSOCIATED;
    perp_result *r = test_solve(p, "ds:mpgp", "tolerance=1e-11", NULL);
    perp_result *s = test_solve(p, "mpgp", "tolerance=1e-11", NULL);
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(s->outcome, PERP_SOLVED);
    /* velocities: 1e-11 through a condition number of 1e3 */
    CU_ASSERT(test_distance(p->n, r->w, s->w) <= 1e-8 * test_largest(p->n, p->b));
}

TEST(a_start_near_the_solution_saves_rounds)
{
    perp_problem *p = test_golden_problem("rand_fc_8");
    perp_result *r = test_solve(p, "ds:mpgp", "tolerance=1e-8", NULL);
    double cold = r->work.rounds;
    const perp_solver_type *type = NULL;
    perp_options opt;

    OK(perp_solver_parse("ds:mpgp", &type, &opt, NULL));
    OK(perp_options_set(&opt, "tolerance", "1e-8", NULL));
    OK(perp_solve(type, p, &opt, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->iterations, 0);
    for (size_t i = 0; i < p->n; i++) {
        r->z[i] *= 1.0 + 1e-5;
    }
    OK(perp_solve(type, p, &opt, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT(r->work.rounds < cold);
}

TEST(stops_after_the_rounds_it_was_given_with_its_best_point)
{
    perp_problem *p = test_golden_problem("rand_fc_12");
    perp_result *r = test_solve(p, "ds:mpgp", "rounds=3", NULL);
    double *zero = test_reals(p->n);

    CU_ASSERT_EQUAL(r->outcome, PERP_ITERATION_LIMIT);
    CU_ASSERT_EQUAL(r->work.rounds, 3.0);
    CU_ASSERT(r->residual < perp_residual(p, zero));
    CU_ASSERT_EQUAL(r->residual, perp_residual(p, r->z));
}

TEST(repeats_itself_bit_for_bit)
{
    perp_problem *p = test_golden_problem("wall_2x2");
    perp_result *r = test_solve(p, "ds:mpgp", "tolerance=1e-8", NULL);
    perp_result *s = test_solve(p, "ds:mpgp", "tolerance=1e-8", NULL);

    CU_ASSERT_EQUAL(memcmp(r->z, s->z, p->n * sizeof *r->z), 0);
}
