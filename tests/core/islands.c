/* SPDX-License-Identifier: Apache-2.0
 * tests/core/islands.c: parts of a problem without a common body, solved apart by a chain. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "couples.h"
#include "reform/islands.h"
#include "scarce.h"

enum { COPIES = 5, ROWS = COPIES * COUPLES_ROWS, BODIES = COPIES * COUPLES_BODIES };

static const unsigned contacts[] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0};

/* Copies of drawn contacts, each with bodies of its own; the rows of all alternate by contact. */
typedef struct crowd {
    double J[12 * ROWS], C[ROWS], inverse_mass[BODIES], inverse_inertia[9 * BODIES];
    int32_t body[2 * ROWS];
    double b[ROWS];
} crowd;

/* The crowd keeps what the problem borrows. */
static perp_problem *crowd_problem(crowd *s)
{
    perp_pairs pairs = {.rows = ROWS,
                        .J = s->J,
                        .body = s->body,
                        .C = s->C,
                        .bodies = BODIES,
                        .inverse_mass = s->inverse_mass,
                        .inverse_inertia = s->inverse_inertia};
    perp_random g = {77};
    double mu[ROWS / 3];
    double *b = test_reals(ROWS);

    for (size_t copy = 0; copy < COPIES; copy++) {
        couples one;

        couples_draw(&one, COUPLES_ARMS, contacts, 11 + copy);
        memcpy(s->inverse_mass + copy * COUPLES_BODIES, one.inverse_mass,
               sizeof one.inverse_mass);
        memcpy(s->inverse_inertia + 9 * copy * COUPLES_BODIES, one.inverse_inertia,
               sizeof one.inverse_inertia);
        for (size_t i = 0; i < COUPLES_ROWS; i++) {
            size_t row = 3 * (i / 3 * COPIES + copy) + i % 3;

            memcpy(s->J + 12 * row, one.J + 12 * i, 12 * sizeof *s->J);
            s->C[row] = one.C[i];
            for (size_t side = 0; side < 2; side++) {
                int32_t body = one.body[2 * i + side];

                s->body[2 * row + side] =
                    body < 0 ? -1 : body + (int32_t)(copy * COUPLES_BODIES);
            }
        }
    }
    for (size_t i = 0; i < ROWS; i++) {
        mu[i / 3] = 0.6;
        s->b[i] = b[i] = perp_random_uniform(&g, -1.0, 0.3);
    }
    perp_operator *A = test_new_pairs(&pairs);
    perp_set *set = test_new_cones(3, ROWS / 3, mu);
    return test_new_problem(A, b, set, PERP_LAW_COULOMB);
}

TEST(islands_share_no_body_and_have_the_entries_of_the_whole)
{
    static crowd s;
    perp_problem *p = crowd_problem(&s);
    perp_islands at = {0};
    size_t rows = 0;

    OK(perp_islands_find(&at, p, NULL));
    CU_ASSERT(at.count >= COPIES);
    for (size_t k = 0; k < at.count; k++) {
        size_t n = perp_islands_rows(&at, p, k);
        perp_problem *part = NULL;
        double whole[ROWS], index[ROWS];
        double place[ROWS];

        OK(perp_islands_problem(&part, &at, p, k, NULL));
        CU_ASSERT_EQUAL(part->n, n);
        for (size_t i = 0; i < ROWS; i++) {
            index[i] = (double)i;
        }
        perp_islands_gather(&at, p, k, index, place);
        perp_islands_gather(&at, p, k, s.b, whole);
        CU_ASSERT_EQUAL(memcmp(whole, part->b, n * sizeof *whole), 0);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < ROWS; j++) {
                size_t inside = 0;

                while (inside < n && place[inside] != (double)j) {
                    inside++;
                }
                CU_ASSERT_EQUAL(perp_operator_entry(p->A, (size_t)place[i], j),
                                inside < n ? perp_operator_entry(part->A, i, inside)
                                           : 0.0);
            }
        }
        rows += n;
        perp_problem_free(part);
    }
    CU_ASSERT_EQUAL(rows, ROWS);
    perp_islands_clear(&at);
}

TEST(auto_solves_them_apart_as_the_whole)
{
    static crowd s;
    perp_problem *p = crowd_problem(&s);
    perp_result *r = test_solve(p, "auto", "tolerance=1e-10", NULL);
    perp_result *whole = test_solve(p, "nsgs", "tolerance=1e-10", NULL);

    CU_ASSERT(test_solved(p, r, 1e-10));
    CU_ASSERT(test_solved(p, whole, 1e-10));
    CU_ASSERT(test_ran(r, "islands, solved apart"));
    /* compliance of 0.05 and more makes impulses as unique as velocities */
    CU_ASSERT(test_distance(ROWS, r->z, whole->z) <= 1e-7);
    CU_ASSERT(test_distance(ROWS, r->w, whole->w) <= 1e-7);
    CU_ASSERT(r->work.products > 0.0);
    whole = test_solve_from(p, r->z, "auto", "tolerance=1e-8", NULL);
    CU_ASSERT(test_solved(p, whole, 1e-8));
    CU_ASSERT_EQUAL(whole->iterations, 0);
    CU_ASSERT_EQUAL(memcmp(whole->z, r->z, ROWS * sizeof *r->z), 0);
}

TEST(threads_do_not_change_the_bits)
{
    static crowd s;
    perp_problem *p = crowd_problem(&s);
    perp_result *one = test_solve(p, "auto", NULL);
    const char *const threads[] = {"threads=2", "threads=3", "threads=64"};

    for (size_t k = 0; k < 3; k++) {
        perp_result *r = test_solve(p, "auto", threads[k], NULL);

        CU_ASSERT(test_solved(p, r, 1e-8));
        CU_ASSERT_EQUAL(memcmp(r->z, one->z, ROWS * sizeof *r->z), 0);
        CU_ASSERT_EQUAL(r->iterations, one->iterations);
        CU_ASSERT_EQUAL(r->work.products, one->work.products);
    }
}

/* The number of threads is passed on to those solvers of a chain that factor; sweeps keep their
 * order, which one thread has. */
TEST(threads_reach_solvers_that_factor_and_not_sweeps)
{
    static crowd s;
    perp_problem *p = crowd_problem(&s);
    perp_problem *formed = test_stored(p, PERP_STORAGE_BSR, 3);
    const char *const names[] = {"admm-ncp", "prox-newton", "ipm-socp", "ipm-coulomb"};
    perp_result *r = test_solve(formed, "auto", "threads=2", NULL);

    CU_ASSERT(test_solved(formed, r, 1e-8));
    for (size_t k = 0; k < 4; k++) {
        perp_result *one = test_solve(p, names[k], NULL);

        r = test_solve(p, names[k], "threads=3", NULL);
        CU_ASSERT(test_solved(p, r, 1e-8));
        CU_ASSERT_EQUAL(memcmp(r->z, one->z, ROWS * sizeof *r->z), 0);
    }
}

/* A contact of two bodies that cannot move, and no compliance: w = b = (-1, 0, 0). */
TEST(an_island_without_a_solution_certifies_the_whole)
{
    static crowd s;
    perp_problem *p = crowd_problem(&s);

    for (size_t i = 0; i < 3; i++) { /* of the first contact, which is an island then */
        s.body[2 * i] = s.body[2 * i + 1] = -1;
        s.C[i] = 0.0;
    }
    {
        perp_pairs pairs = {.rows = ROWS,
                            .J = s.J,
                            .body = s.body,
                            .C = s.C,
                            .bodies = BODIES,
                            .inverse_mass = s.inverse_mass,
                            .inverse_inertia = s.inverse_inertia};
        double mu[ROWS / 3];
        double *b = test_reals(ROWS);

        memcpy(b, s.b, ROWS * sizeof *b);
        b[0] = -1.0;
        b[1] = b[2] = 0.0;
        for (size_t i = 0; i < ROWS / 3; i++) {
            mu[i] = 0.6;
        }
        perp_operator *A = test_new_pairs(&pairs);
        perp_set *set = test_new_cones(3, ROWS / 3, mu);
        OK(perp_problem_new_take(&p, A, b, set, PERP_LAW_ASSOCIATED, NULL));
    }
    perp_result *r = test_solve(p, "auto", NULL);
    test_infeasible(p, r);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, "island 1 of"));
}

static perp_status solve_all(void *context, perp_error *err)
{
    const perp_problem *p = context;
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_result *r = NULL;
    perp_status status = perp_solver_parse("auto", &type, &opt, err);

    if (status == PERP_OK) {
        status = perp_result_new(&r, p->n, err);
    }
    if (status == PERP_OK) {
        status = perp_solve(type, p, &opt, r, err);
    }
    return status;
}

TEST(missing_memory_is_survived)
{
    static crowd s;
    perp_problem *p = crowd_problem(&s);

    scarce_everywhere(solve_all, p, "islands");
}
