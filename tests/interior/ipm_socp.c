/* SPDX-License-Identifier: Apache-2.0
 * tests/interior/ipm_socp.c: the interior point method on cones: beside other rows, in
 * factors, warm, and where it hands over. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "instances.h"

TEST(agrees_with_the_golden_contacts_of_one_block)
{
    test_friction_models("ipm-socp", "tolerance=1e-12", PERP_LAW_ASSOCIATED);
}

/* Cones of 2 and 3 rows, one without friction, a disk, bounds and a joint around one SPD
 * A. */
static perp_problem *all_kinds(uint64_t seed)
{
    perp_random g = {seed};
    perp_set *set = NULL;

    set =
        test_set("cone3:0.7,free,cone2:0.2,cone3:0.0,nonneg,disk:0.1,-0.2..0.1,0.3..0.3");
    return test_problem(test_spd(14, seed), set, PERP_LAW_ASSOCIATED, &g);
}

/* The convex problem has one solution, which conjugate gradients find, too. */
TEST(agrees_with_gradients_on_rows_of_all_kinds)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        perp_problem *p = all_kinds(seed);
        perp_result *r = test_solve(p, "ipm-socp", "tolerance=1e-12", NULL);
        perp_result *other = test_solve(p, "mpgp", "tolerance=1e-12", NULL);

        test_solved(p, r, 1e-12);
        CU_ASSERT(r->iterations <= 25);
        /* eigenvalues from 1 to 10: (1 + L) residuals of each */
        CU_ASSERT(test_distance(p->n, r->z, other->z) <= 1e-10);
    }
}

/* More contacts than bodies: rows at random between two of four bodies, b = J v, so that
 * there is a solution. The last row is a joint. */
static perp_problem *pile(perp_random *g)
{
    enum { BODIES = 4, SPEEDS = 6 * BODIES, CONTACTS = 16, ROWS = 3 * CONTACTS + 1 };
    double v[SPEEDS];
    perp_operator *J = test_new_dense(ROWS, SPEEDS);
    perp_operator *Minv = test_new_dense(SPEEDS, SPEEDS);
    perp_set *set = test_new_set(CONTACTS + 1);

    for (size_t k = 0; k < SPEEDS; k++) {
        v[k] = perp_random_uniform(g, -1.0, 1.0);
        Minv->x[k + k * Minv->ld] = perp_random_uniform(g, 0.5, 2.0);
    }
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t k = 0; k < 12; k++) {
            size_t body = (i / 3 + k / 6) % BODIES;

            J->x[i + (6 * body + k % 6) * J->ld] = perp_random_uniform(g, -1.0, 1.0);
        }
    }
    for (size_t c = 0; c < CONTACTS; c++) {
        perp_set_add_cone(set, 3, 0.1 * (double)(1 + c % 8));
    }
    perp_set_add_free(set);
    perp_operator *A = test_new_factored(J, Minv, NULL);
    perp_problem *p = test_problem(A, set, PERP_LAW_ASSOCIATED, g);
    perp_operator_apply(J, v, p->b);
    return p;
}

/* In factors the same path among the velocities, and W never formed on it. */
TEST(works_on_factors_as_on_the_matrix)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        perp_random g = {seed};
        perp_problem *p = pile(&g);
        perp_problem *formed = test_stored(p, PERP_STORAGE_CSR, 1);

        for (int cross = 0; cross < 2; cross++) {
            const char *mu = cross ? "crossover-mu=1e-6" : "crossover-mu=0";
            const char *tolerance = cross ? "tolerance=1e-10" : "tolerance=1e-5";
            perp_result *r = test_solve(p, "ipm-socp", tolerance, mu, NULL);
            perp_result *other = test_solve(formed, "ipm-socp", tolerance, mu, NULL);

            test_solved(p, r, cross ? 1e-10 : 1e-5);
            test_note("seed %llu: %zu steps, formed %zu", (unsigned long long)seed,
                      r->iterations, other->iterations);
            /* the path by rounding; Newton's method in velocities is another one, whose
             * steps cost a part of those on the matrix */
            CU_ASSERT(r->iterations <= other->iterations + (cross ? 8 : 3));
            /* velocities are unique: to the tolerance through a condition below 1e3 */
            CU_ASSERT(test_distance(p->n, r->w, other->w) <= (cross ? 1e-7 : 1e-2));
            CU_ASSERT_FALSE(test_ran(r, "multiplied out"));
        }
    }
}

TEST(starts_warm)
{
    perp_problem *p = test_golden_problem("wall_2x2");
    perp_result *cold = test_solve(p, "ipm-socp", "tolerance=1e-10", NULL);
    double *z = test_reals(p->n);

    memcpy(z, cold->z, p->n * sizeof *z);
    perp_result *warm = test_solve_from(p, z, "ipm-socp", "tolerance=1e-10", NULL);
    CU_ASSERT_EQUAL(warm->iterations, 0);
    for (size_t i = 0; i < p->n; i++) {
        z[i] *= 1.0 + 1e-3 * (double)(i % 3);
    }
    warm = test_solve_from(p, z, "ipm-socp", "tolerance=1e-10", NULL);
    test_solved(p, warm, 1e-10);
    CU_ASSERT(warm->iterations < cold->iterations);
    for (size_t i = 0; i < p->n; i++) {
        z[i] = 1e3 * (double)(i % 7) - 2e3; /* nowhere near: still solved */
    }
    warm = test_solve_from(p, z, "ipm-socp", "tolerance=1e-10", NULL);
    test_solved(p, warm, 1e-10);
}

static bool same_bits(const perp_result *a, const perp_result *b)
{
    return a->iterations == b->iterations && memcmp(a->z, b->z, a->n * sizeof *a->z) == 0;
}

/* The path begins near a start: fewer steps to the same velocities, which gradients find, too. A
 * start that is worse than none changes nothing. */
TEST(begins_near_a_start_under_the_associated_law)
{
    size_t first = 0;
    size_t next = 0;

    for (uint64_t seed = 1; seed <= 5; seed++) {
        perp_random g = {seed};
        perp_problem *p = pile(&g);
        perp_result *cold = test_solve(p, "ipm-socp", "tolerance=1e-9", NULL);
        perp_result *gradients = test_solve(p, "apgd", "tolerance=1e-9", NULL);
        double *z = test_reals(p->n);

        for (size_t i = 0; i < p->n; i++) {
            z[i] = cold->z[i] * (1.0 + 1e-3 * perp_random_uniform(&g, -1.0, 1.0));
        }
        perp_result *warm = test_solve_from(p, z, "ipm-socp", "tolerance=1e-9", NULL);
        test_solved(p, warm, 1e-9);
        test_solved(p, gradients, 1e-9);
        test_note("seed %llu: cold %zu steps, warm %zu", (unsigned long long)seed,
                  cold->iterations, warm->iterations);
        /* velocities are unique: to the tolerance through a condition below 1e3 */
        CU_ASSERT(test_distance(p->n, warm->w, gradients->w) <= 1e-6);
        first += cold->iterations;
        next += warm->iterations;
        for (size_t i = 0; i < p->n; i++) {
            z[i] = 1e3 * (double)(i % 7) - 2e3;
        }
        warm = test_solve_from(p, z, "ipm-socp", "tolerance=1e-9", NULL);
        CU_ASSERT(same_bits(warm, cold));
    }
    CU_ASSERT(next < first);
}

/* By default 1e-11 under the associated law, 1e-6 under Coulomb's. */
TEST(hands_over_at_a_mu_that_depends_on_the_law)
{
    const char *mu[] = {"crossover-mu=1e-6", "crossover-mu=1e-11"};
    perp_problem *p = test_golden_problem("wall_2x2");

    for (int law = 0; law < 2; law++) {

        p->law = law == 0 ? PERP_LAW_COULOMB : PERP_LAW_ASSOCIATED;
        perp_result *usual = test_solve(p, "ipm-socp", "tolerance=1e-10", NULL);
        perp_result *named = test_solve(p, "ipm-socp", "tolerance=1e-10", mu[law], NULL);
        perp_result *other =
            test_solve(p, "ipm-socp", "tolerance=1e-10", mu[1 - law], NULL);
        test_solved(p, usual, 1e-10);
        CU_ASSERT(same_bits(usual, named));
        CU_ASSERT_FALSE(same_bits(usual, other));
    }
}

/* W of rank 2 in 6 rows and any b: most have no solution, some only in the limit. */
TEST(claims_no_solution_only_with_a_proof)
{
    size_t proven = 0;

    for (uint64_t seed = 1; seed <= 20; seed++) {
        perp_random g = {seed};
        double B[12], rows[36], b[6];
        const double mu[] = {0.5, 0.5};

        for (size_t k = 0; k < 12; k++) {
            B[k] = perp_random_uniform(&g, -1.0, 1.0);
        }
        for (size_t i = 0; i < 6; i++) {
            b[i] = perp_random_uniform(&g, -1.0, 1.0);
            for (size_t j = 0; j < 6; j++) {
                rows[6 * i + j] = B[i] * B[j] + B[6 + i] * B[6 + j];
            }
        }
        perp_problem *p = test_cones(3, 2, rows, b, mu);
        p->law = PERP_LAW_ASSOCIATED;
        perp_result *r = test_solve(p, "ipm-socp", NULL);
        if (r->outcome == PERP_INFEASIBLE) {
            test_infeasible(p, r);
            CU_ASSERT(perp_residual(p, r->z) > 1e-8);
            proven++;
        } else {
            CU_ASSERT_NOT_EQUAL(r->certificate.kind, PERP_CERTIFICATE_INFEASIBLE);
            CU_ASSERT(r->outcome == PERP_SOLVED || strlen(r->reason) > 0);
        }
    }
    CU_ASSERT(proven > 0);
    test_note("%zu of 20 proven", proven);
}
