/* SPDX-License-Identifier: Apache-2.0
 * tests/newton/factors.c: ac, fb and minmap take with W in factors the steps that they take with
 * W stored, and more where W is singular. */
#include <config.h>

#include <math.h>

#include "answers.h"
#include "couples.h"
#include "instances.h"

static const double asked = 1e-10;

static perp_result *solve_in_factors(const perp_problem *p, const char *name,
                                     const char *option)
{
    perp_result *r = test_solve(p, name, "tolerance=1e-10", option, NULL);

    CU_ASSERT(!test_ran(r, "stored as"));
    return r;
}

/* The same steps and the same answer; W has a condition below 1e6 here, so that 10 digits
 * remain of 16. */
static void same_steps(const perp_problem *p, const char *name, const char *note)
{
    perp_problem *q = test_stored(p, PERP_STORAGE_CSR, 1);
    perp_result *x = test_solve(q, name, "tolerance=1e-10", NULL);
    perp_result *r = solve_in_factors(p, name, NULL);

    CU_ASSERT_EQUAL(r->outcome, x->outcome);
    CU_ASSERT_EQUAL(r->iterations, x->iterations);
    if (r->iterations != x->iterations || r->outcome != x->outcome) {
        test_note("%s, %s: %zu steps, %zu with W stored: %s", name, note, r->iterations,
                  x->iterations, r->reason);
    }
    CU_ASSERT(test_distance(p->n, r->z, x->z) <= 1e-10 * test_largest(p->n, x->z));
}

TEST(ac_takes_the_steps_of_the_stored_matrix_on_all_kinds_of_rows)
{
    for (uint64_t seed = 0; seed < 24; seed++) {
        static couples s;
        perp_problem *p = couples_of_all_kinds(&s, seed);

        same_steps(p, "ac", seed % 2 ? "associated" : "coulomb");
    }
}

/* NONNEG rows and boxes on drawn bodies with compliance. */
static perp_problem *bounds_on_bodies(couples *s, uint64_t seed)
{
    const unsigned dims[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
    perp_random g = {seed};

    couples_draw(s, COUPLES_DRAWN, dims, seed);
    for (size_t i = 0; dims[i] > 0; i++) {
        s->C[i] = 0.1;
    }
    perp_operator *A = test_new_pairs(&s->pairs);
    perp_set *set = test_new_set(16);
    for (size_t i = 0; dims[i] > 0; i++) {
        if (i % 4 == 0) {
            perp_set_add_free(set);
        } else if (i % 4 == 1) {
            perp_set_add_box(set, -0.2, 0.3);
        } else {
            perp_set_add_nonneg(set);
        }
    }
    return test_problem(A, set, PERP_LAW_COULOMB, &g);
}

TEST(fb_and_minmap_take_the_steps_of_the_stored_matrix)
{
    for (uint64_t seed = 0; seed < 16; seed++) {
        static couples s;
        perp_problem *p = bounds_on_bodies(&s, seed);

        same_steps(p, "fb", "bounds");
        same_steps(p, "minmap", "bounds");
    }
}

/* Symmetric ones by J = Q Lambda^1/2, M = I, others by A = A I, where S has no symmetry. */
TEST(fb_and_minmap_solve_golden_lcps_in_factors)
{
    static const struct {
        const char *id;
        bool symmetric;
    } known[] = {{"obstacle1d_31", true}, {"fathi_8", true}, {"ahn_16", false}};

    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        perp_problem *p = test_golden_problem(known[k].id);

        if (known[k].symmetric) {
            test_store_as_factors(p);
        } else {
            test_store_as_unsymmetric_factors(p);
        }
        same_steps(p, "fb", known[k].id);
        same_steps(p, "minmap", known[k].id);
    }
}

/* Two legs on the same spot, W = [1 1; 1 1]: b = (-1, -1) is in its range, and the legs share the
 * load; b = (-1, -2) is not, and the second leg carries all. */
TEST(a_singular_block_is_solved_where_the_rows_agree)
{
    const char *const names[] = {"minmap", "fb", "ac"};
    const double M[] = {1, 1, 1, 1};
    const double q[] = {-1, -1}, apart[] = {-1, -2};
    perp_problem *p = NULL;
    perp_result *r = NULL;

    for (size_t k = 0; k < 3; k++) {
        p = test_lcp(2, M, q);
        test_store_as_factors(p);
        r = solve_in_factors(p, names[k], "on-singular=none");
        test_solved(p, r, asked);
        CU_ASSERT_DOUBLE_EQUAL(r->z[0], 0.5,
                               1e-7); /* of the null space 9 digits are known */
        CU_ASSERT_DOUBLE_EQUAL(r->z[1], 0.5, 1e-7);
    }
    p = test_lcp(2, M, apart);
    test_store_as_factors(p);
    r = solve_in_factors(p, "fb", NULL);
    test_solved(p, r, asked);
    CU_ASSERT_DOUBLE_EQUAL(r->z[1], 2.0, 1e-9);
}

static void singular_with_certificate(const perp_problem *p, const char *name)
{
    perp_result *r = solve_in_factors(p, name, "on-singular=none");
    char why[200] = "none";

    CU_ASSERT_EQUAL(r->outcome, PERP_SINGULAR_BLOCK);
    CU_ASSERT_EQUAL(r->certificate.kind, PERP_CERTIFICATE_SINGULAR);
    CU_ASSERT(r->singular_row < p->n);
    if (!perp_certificate_check(&r->certificate, p, why, sizeof why)) {
        test_note("%s: %s", name, why);
        CU_FAIL("the certificate proves nothing");
    }
}

/* FREE rows x + y = 1 and x + y = 2 have no solution; M = 0 moves nothing. */
TEST(a_singular_block_has_its_certificate_in_factors)
{
    perp_problem *p = test_lcp(2, (double[]){1, 1, 1, 1}, (double[]){-1, -2});
    perp_set *set = test_new_uniform(PERP_SET_FREE, 2);

    test_give_set(p, set);
    test_store_as_factors(p);
    singular_with_certificate(p, "minmap");
    singular_with_certificate(p, "ac");
    p = test_golden_problem("infeasible_zero");
    test_store_as_factors(p);
    singular_with_certificate(p, "minmap");
    singular_with_certificate(p, "ac");
}

enum { TALL = 1000 };

/* Spheres of mass 1 above each other that fall with the speeds 1 + k/1000: contact k of spheres
 * k - 1 and k passes on the momentum of all above it, z_k = sum of (1 + j/1000) over j >= k. */
typedef struct column {
    double J[12 * TALL], mass[TALL], inertia[9 * TALL], z[TALL];
    int32_t body[2 * TALL];
} column;

static perp_problem *column_of(column *c, size_t bodies)
{
    perp_pairs pairs = {.rows = bodies,
                        .bodies = bodies,
                        .body = c->body,
                        .J = c->J,
                        .inverse_mass = c->mass,
                        .inverse_inertia = c->inertia};
    double *b = test_reals(bodies), above = 0.0;

    for (size_t k = bodies; k-- > 0;) {
        c->mass[k] = 1.0;
        for (size_t a = 0; a < 3; a++) {
            c->inertia[9 * k + 4 * a] = 2.5;
        }
        c->body[2 * k] = (int32_t)k - 1;
        c->body[2 * k + 1] = (int32_t)k;
        c->J[12 * k + 2] = -1.0;
        c->J[12 * k + 8] = 1.0;
        b[k] = k == 0 ? -1.0 : -1e-3;
        above += 1.0 + 1e-3 * (double)k;
        c->z[k] = above;
    }
    perp_set *set = test_new_uniform(PERP_SET_NONNEG, bodies);
    perp_operator *A = test_new_pairs(&pairs);
    return test_new_problem(A, b, set, PERP_LAW_COULOMB);
}

/* W of the tallest column has a condition of 4e5. */
TEST(a_step_costs_as_much_per_body_at_any_height)
{
    const char *const names[] = {"minmap", "fb", "ac"};

    for (size_t i = 0; i < 3; i++) {
        double most = INFINITY; /* flops per pair */

        for (size_t bodies = 10; bodies <= TALL; bodies *= 10) {
            static column c;
            perp_problem *p = column_of(&c, bodies);
            perp_result *r = solve_in_factors(p, names[i], NULL);
            double step = r->work.flops_factor / (double)r->work.factorizations;

            test_solved(p, r, asked);
            CU_ASSERT(test_distance(bodies, r->z, c.z) <= 1e-8 * c.z[0]);
            /* a column of n spheres has n - 1 pairs, and an end that weighs less the taller it is */
            CU_ASSERT(step > 0.0 && step <= most * (double)(bodies - 1));
            most = step / (double)(bodies - 1);
        }
    }
}
