/* SPDX-License-Identifier: Apache-2.0
 * tests/splitting/bodies.c: sweeps over rows of two bodies make the iterates of sweeps
 * over W. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "answers.h"
#include "core/solvers.h"
#include "couples.h"

static const unsigned contacts[] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0};
static const unsigned mixed[] = {3, 1, 5, 3, 1, 1, 3, 2, 3, 2, 3, 1, 5, 3, 1, 1, 0};

/* A problem that borrows from s, with b from the seed. Blocks of mixed rows are of every
 * kind. */
static perp_problem *bodies_problem(couples *s, couples_kind kind, const unsigned *dims,
                                    uint64_t seed)
{
    perp_random g = {seed};

    couples_draw(s, kind, dims, seed);
    perp_operator *A = test_new_pairs(&s->pairs);
    perp_set *set = test_new_set(COUPLES_ROWS);
    for (size_t k = 0; dims[k] > 0; k++) {
        if (dims[k] == 5) {
            perp_set_add_rolling(set, 0.4, 0.1);
        } else if (dims[k] == 2 && k % 2 == 1) {
            perp_set_add_disk(set, 0.3);
        } else if (dims[k] > 1) { /* one without friction */
            perp_set_add_cone(set, dims[k], k == 6 ? 0.0 : 0.2 + 0.1 * (double)(k % 5));
        } else if (k % 4 == 0) {
            perp_set_add_box(set, -0.2, 0.1);
        } else if (k % 4 == 1) {
            perp_set_add_nonneg(set);
        } else if (k % 4 == 2) {
            perp_set_add_free(set);
        } else {
            perp_set_add_friction(set, 0.5, 3);
        }
    }
    perp_problem *p = test_problem(A, set, PERP_LAW_COULOMB, &g);
    for (size_t i = 0; i < p->n; i++) { /* contacts close */
        p->b[i] -= 0.6;
    }
    return p;
}

/* Sweeps of both forms differ by rounding: 1e-12 of the largest impulse is a thousand of
 * them, as many as blocks with a condition number of 1e3 allow. What is returned is the
 * best point; whether its residual is 0 or 1e-17, and ends the solve, is rounding, too. */
static void check_sweeps(const perp_problem *p, perp_storage storage, const char *solver,
                         const char *setting, const char *other)
{
    static const char *const sweeps[] = {"max-iterations=1", "max-iterations=10",
                                         "max-iterations=120"};
    perp_problem *q = test_stored(p, storage, 3);

    for (size_t k = 0; k < 3; k++) {
        perp_result *r =
            test_solve(p, solver, sweeps[k], "tolerance=0", setting, other, NULL);
        perp_result *x =
            test_solve(q, solver, sweeps[k], "tolerance=0", setting, other, NULL);
        double far = test_distance(p->n, r->z, x->z), size = test_largest(p->n, x->z);

        if (!(far <= 1e-12 * size)) {
            test_note("%s, %s, %s, %s: %.1e; %s / %s", solver, setting, other, sweeps[k],
                      far, r->reason, x->reason);
            CU_FAIL("not the iterates of W");
        }
    }
}

TEST(contacts_are_swept_as_over_w)
{
    static const char *const orders[] = {"order=natural", "order=alternating",
                                         "order=shuffled"};

    for (uint64_t seed = 1; seed <= 12; seed++) {
        couples s;
        couples_kind kind = (couples_kind)(seed % 3);
        perp_problem *p = bodies_problem(&s, kind, contacts, seed);

        for (size_t k = 0; k < 3; k++) {
            check_sweeps(p, PERP_STORAGE_BSR, "nsgs", orders[k], "scale=no");
        }
        check_sweeps(p, PERP_STORAGE_DENSE, "nsgs", "relaxation=0.7", "order=natural");
        check_sweeps(p, PERP_STORAGE_DENSE, "nsgs", "relaxation=1.2", "order=natural");
        check_sweeps(p, PERP_STORAGE_DENSE, "nsgs", "local=projection", "order=natural");
        check_sweeps(p, PERP_STORAGE_DENSE, "pgs", "order=natural", "scale=yes");
        check_sweeps(p, PERP_STORAGE_DENSE, "spgs", "order=natural", "scale=yes");
    }
}

TEST(blocks_of_every_kind_are_swept_as_over_w)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        couples s;
        perp_problem *p = bodies_problem(&s, (couples_kind)(seed % 3), mixed, seed);

        OK(perp_problem_check(p, NULL));
        check_sweeps(p, PERP_STORAGE_CSR, "nsgs", "order=natural", "scale=no");
        check_sweeps(p, PERP_STORAGE_CSR, "pgs", "order=natural", "scale=yes");
        p->law = PERP_LAW_ASSOCIATED;
        check_sweeps(p, PERP_STORAGE_CSR, "nsgs", "order=natural", "scale=no");
    }
}

/* The iterates are those of rows to rounding, and the frames are what is swept: others lead
 * elsewhere. */
TEST(frames_that_are_given_are_swept_as_the_rows_are)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        couples s;
        perp_problem *p = bodies_problem(&s, COUPLES_ARMS, contacts, seed);

        couples_frame(&s, 0);
        perp_operator *A = test_new_pairs(&s.pairs);
        perp_problem *q = test_copy(p);
        perp_operator_free(q->A);
        q->A = A;
        for (int wrong = 0; wrong < 2; wrong++) {
            perp_result *r = test_solve(p, "nsgs", "max-iterations=20", "tolerance=0",
                                        "answer=last", NULL);
            perp_result *x = test_solve(q, "nsgs", "max-iterations=20", "tolerance=0",
                                        "answer=last", NULL);
            double far = test_distance(p->n, r->z, x->z);

            if (wrong) {
                CU_ASSERT(far > 1e-3 * test_largest(p->n, r->z));
            } else {
                CU_ASSERT(far <= 1e-12 * test_largest(p->n, r->z));
            }
            CU_ASSERT_EQUAL(x->residual, perp_residual(q, x->z));
            for (size_t k = 9; k < 15; k++) {
                s.frames[k] += 0.5;
            }
        }
    }
}

/* The order of colours is found otherwise than over W: only the answer is the same, and
 * no bit depends on the threads. */
TEST(colours_and_threads_find_the_answer)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        couples s;
        perp_problem *p = bodies_problem(&s, COUPLES_ARMS, contacts, seed);
        perp_result *r = test_solve(p, "nsgs", "order=colored", "threads=2", NULL);
        perp_result *x = test_solve(p, "nsgs", "order=colored", "threads=1", NULL);

        CU_ASSERT(test_solved(p, r, 1e-8));
        CU_ASSERT_EQUAL(memcmp(r->z, x->z, p->n * sizeof *r->z), 0);
    }
}

/* Of singular blocks, whose slip is left to the general way: no compliance, planar
 * bodies. */
TEST(blocks_of_low_rank_are_swept_too)
{
    couples s;
    perp_problem *p = bodies_problem(&s, COUPLES_ARMS, contacts, 5);

    for (size_t k = 0; k < COUPLES_BODIES; k++) { /* bodies that only turn about z */
        double turn = s.inverse_inertia[9 * k + 8];

        memset(s.inverse_inertia + 9 * k, 0, 9 * sizeof(double));
        s.inverse_inertia[9 * k + 8] = turn;
        s.inverse_mass[k] *= k % 2 ? 1.0 : 1e-9;
    }
    s.pairs.C = NULL;
    perp_operator *A = test_new_pairs(&s.pairs);
    perp_operator_free(p->A);
    p->A = A;
    for (size_t i = 0; i < p->n; i++) {
        p->b[i] = s.body[2 * i] < 0 && s.body[2 * i + 1] < 0 ? 0.0 : p->b[i];
    }
    perp_result *r = test_solve(p, "nsgs", "max-iterations=50", NULL);
    for (size_t i = 0; i < p->n; i++) {
        CU_ASSERT(isfinite(r->z[i]));
    }
}

/* A loop around a sweep changes b and the diagonal: the records follow. */
TEST(a_proximal_loop_finds_the_answer)
{
    couples s;
    perp_problem *p = bodies_problem(&s, COUPLES_ARMS, contacts, 7);
    perp_problem *q = test_stored(p, PERP_STORAGE_BSR, 3);
    perp_result *r = test_solve(p, "prox:nsgs", NULL);
    perp_result *x = test_solve(q, "prox:nsgs", NULL);

    CU_ASSERT(test_solved(p, r, 1e-8));
    CU_ASSERT(test_distance(p->n, r->z, x->z) <= 1e-6 * test_largest(p->n, x->z));
    CU_ASSERT_EQUAL(r->iterations, x->iterations);
}
