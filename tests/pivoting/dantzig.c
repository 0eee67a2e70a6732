/* SPDX-License-Identifier: Apache-2.0
 * tests/pivoting/dantzig.c: principal pivoting against enumeration, warm, indefinite, with frozen
 * friction. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "answers.h"
#include "instances.h"

/* Pivoting ends in a fresh factorisation: RES is rounding, some 10 eps per unit of
 * growth. */
static const double exact = 1e-12;

/* Gaussian elimination with pivots; small and plain, as an oracle should be. */
static bool eliminate(size_t k, double *M, double *x)
{
    for (size_t c = 0; c < k; c++) {
        size_t best = c;

        for (size_t i = c + 1; i < k; i++) {
            best = fabs(M[i * k + c]) > fabs(M[best * k + c]) ? i : best;
        }
        if (M[best * k + c] == 0.0) {
            return false;
        }
        for (size_t j = 0; j < k; j++) {
            double t = M[c * k + j];

            M[c * k + j] = M[best * k + j];
            M[best * k + j] = t;
        }
        double t = x[c];

        x[c] = x[best];
        x[best] = t;
        for (size_t i = c + 1; i < k; i++) {
            double factor = M[i * k + c] / M[c * k + c];

            for (size_t j = c; j < k; j++) {
                M[i * k + j] -= factor * M[c * k + j];
            }
            x[i] -= factor * x[c];
        }
    }
    for (size_t c = k; c-- > 0;) {
        for (size_t j = c + 1; j < k; j++) {
            x[c] -= M[c * k + j] * x[j];
        }
        x[c] /= M[c * k + c];
    }
    return true;
}

/* The point of one of the 3^n choices: each row at its low or high bound, or w = 0. */
static bool point_of(const perp_problem *p, size_t choice, double *z)
{
    size_t in[8];
    double M[64];
    double x[8];
    size_t k = 0;

    for (size_t i = 0; i < p->n; i++, choice /= 3) {
        const perp_block *block = &p->set->blocks[i];

        z[i] = choice % 3 == 0 ? block->lo : block->hi;
        if (choice % 3 == 2) {
            z[i] = 0.0;
            in[k++] = i;
        } else if (!isfinite(z[i])) {
            return false;
        }
    }
    for (size_t j = 0; j < k; j++) {
        x[j] = -p->b[in[j]] - perp_operator_row_dot(p->A, in[j], z);
        for (size_t i = 0; i < k; i++) {
            M[j * k + i] = perp_operator_entry(p->A, in[j], in[i]);
        }
    }
    if (!eliminate(k, M, x)) {
        return false;
    }
    for (size_t j = 0; j < k; j++) {
        z[in[j]] = x[j];
    }
    return true;
}

/* 60 problems of up to 6 rows: the one choice of sets whose point is a solution. */
TEST(agrees_with_enumeration)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        size_t n = 1 + (size_t)(seed % 6);
        perp_problem *p = test_boxed(n, seed);
        perp_result *r =
            test_solve(p, "dantzig", seed % 2 ? "crash=off" : "crash=on", NULL);
        double best = INFINITY;
        double z[8];
        double found[8];
        size_t choices = 1;

        for (size_t i = 0; i < n; i++) {
            choices *= 3;
        }
        for (size_t choice = 0; choice < choices; choice++) {
            double residual = point_of(p, choice, z) ? perp_residual(p, z) : INFINITY;

            if (residual < best) {
                best = residual;
                memcpy(found, z, sizeof z);
            }
        }
        CU_ASSERT(best <= exact);
        test_solved(p, r, exact);
        for (size_t i = 0; i < n; i++) {
            CU_ASSERT_DOUBLE_EQUAL(r->z[i], found[i], 1e-13); /* condition < 3 */
        }
    }
}

/* A with a diagonal above the sum of its row: sweeps contract, and end at the set. */
TEST(sweeps_guess_the_set_of_a_dominant_matrix)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        perp_problem *p = test_boxed(30, seed);
        double most = 0.0;

        for (size_t i = 0; i < p->n; i++) {
            double row = 0.0;

            for (size_t j = 0; j < p->n; j++) {
                row += fabs(perp_operator_entry(p->A, i, j));
            }
            most = fmax(most, row);
        }
        perp_operator_add_diagonal(p->A, most);
        for (size_t i = 0; i < p->n; i++) { /* impulses as large as before */
            p->b[i] *= most;
        }
        perp_result *r = test_solve(p, "dantzig", "crash=on", NULL);
        test_solved(p, r, exact);
        CU_ASSERT_EQUAL(r->work.pivots, 0);
        r = test_solve(p, "dantzig", "crash=off", NULL);
        CU_ASSERT(r->work.pivots > 5); /* else there is nothing to guess */
    }
}

/* Indefinite but solved by z = (1, 1): no outcome may say that there is no solution. */
TEST(an_indefinite_matrix_is_not_misjudged)
{
    const double A[][4] = {{0, 1, 1, 0}, {-1, 2, 2, -1}, {1, 2, 2, 1}, {-1, 0, 0, 1}};
    const double b[][2] = {{-1, -1}, {-1, -1}, {-3, -3}, {1, -1}};
    int proofs = 0;

    for (int k = 0; k < 4; k++) {
        perp_problem *p = test_lcp(2, A[k], b[k]);

        for (int crash = 0; crash < 2; crash++) {
            perp_result *r =
                test_solve(p, "dantzig", crash ? "crash=on" : "crash=off", NULL);

            CU_ASSERT(r->outcome == PERP_SINGULAR_BLOCK || r->outcome == PERP_SOLVED ||
                      r->outcome == PERP_STALLED);
            CU_ASSERT_NOT_EQUAL(r->reason[0], '\0');
            CU_ASSERT(r->outcome != PERP_SOLVED || perp_residual(p, r->z) <= 1e-8);
            if (r->certificate.kind != PERP_CERTIFICATE_NONE) {
                CU_ASSERT(perp_certificate_check(&r->certificate, p, NULL, 0));
                proofs++;
            }
        }
    }
    CU_ASSERT(proofs > 0); /* a refused pivot comes with its block */
}

/* Near the solution the sets are guessed right: one iterate, no pivot. */
TEST(a_warm_start_with_the_right_sets_pivots_no_more)
{
    perp_problem *p = test_boxed(40, 3);
    perp_result *cold = test_solve(p, "dantzig", "crash=off", NULL);
    double z[40];

    test_solved(p, cold, exact);
    CU_ASSERT(cold->work.pivots > 5); /* else there is nothing to save */
    for (size_t i = 0; i < p->n; i++) {
        const perp_block *block = &p->set->blocks[i];
        bool inside = block->lo < cold->z[i] && cold->z[i] < block->hi;

        z[i] = cold->z[i] + (inside ? 1e-7 : 0.0);
    }
    CU_ASSERT(perp_residual(p, z) > 1e-8); /* not a solution yet */
    perp_result *warm = test_solve_from(p, z, "dantzig", NULL);
    test_solved(p, warm, exact);
    CU_ASSERT_EQUAL(warm->iterations, 1);
    CU_ASSERT_EQUAL(warm->work.pivots, 0);
    for (size_t i = 0; i < p->n; i++) {
        CU_ASSERT_DOUBLE_EQUAL(warm->z[i], cold->z[i], 1e-13);
    }
}

/* From a useless start the pivots arrive all the same. */
TEST(any_start_leads_to_the_solution)
{
    perp_problem *p = test_boxed(30, 9);
    perp_result *cold = test_solve(p, "dantzig", NULL);
    perp_random g = {77};

    for (int turn = 0; turn < 10; turn++) {
        double z[30];

        for (size_t i = 0; i < p->n; i++) {
            z[i] = perp_random_uniform(&g, -3.0, 3.0);
        }
        perp_result *r = test_solve_from(p, z, "dantzig", NULL);
        test_solved(p, r, exact);
        for (size_t i = 0; i < p->n; i++) {
            CU_ASSERT_DOUBLE_EQUAL(r->z[i], cold->z[i], 1e-12);
        }
    }
}

/* Rows in reverse order: the answer in reverse order; and c b gives c z, pivot for
 * pivot. */
TEST(permuting_and_scaling_map_the_answer)
{
    const size_t n = 25;
    perp_problem *p = test_boxed(n, 14);
    perp_problem *q = test_copy(p);

    for (size_t i = 0; i < n; i++) {
        size_t k = n - 1 - i;

        q->b[i] = p->b[k];
        q->set->blocks[i] = p->set->blocks[k];
        q->set->blocks[i].first = i;
        for (size_t j = 0; j < n; j++) {
            q->A->x[i + j * q->A->ld] = perp_operator_entry(p->A, k, n - 1 - j);
        }
    }
    perp_result *r = test_solve(p, "dantzig", "crash=off", NULL);
    perp_result *turned = test_solve(q, "dantzig", "crash=off", NULL);
    test_solved(p, r, exact);
    test_solved(q, turned, exact);
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_DOUBLE_EQUAL(r->z[i], turned->z[n - 1 - i], 1e-13);
    }
    for (size_t i = 0; i < n; i++) {
        p->b[i] *= 1024.0;
        p->set->blocks[i].lo *= 1024.0;
        p->set->blocks[i].hi *= 1024.0;
    }
    turned = test_solve(p, "dantzig", "crash=off", NULL);
    CU_ASSERT_EQUAL(turned->work.pivots, r->work.pivots);
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_EQUAL(turned->z[i], 1024.0 * r->z[i]); /* a power of two is exact */
    }
}

/* Many pivots: panel, factor and bookkeeping over hundreds of events in and out. */
TEST(hundreds_of_pivots_end_exact)
{
    const size_t n = 120;
    perp_operator *A = test_spd(n, 31);
    perp_random g = {32};
    double *b = test_reals(n);

    /* Closer to singular, so that rows come and go. */
    perp_operator_add_diagonal(A, -0.999);
    perp_set *set = test_new_set(n);
    for (size_t i = 0; i < n; i++) {
        b[i] = perp_random_uniform(&g, -1.0, 1.0);
        perp_set_add_box(set, -0.5, i % 3 ? 0.5 : INFINITY);
    }
    perp_problem *p = test_new_problem(A, b, set, PERP_LAW_COULOMB);
    perp_result *r = test_solve(p, "dantzig", "crash=off", "order=index", NULL);
    test_solved(p, r, exact);
    CU_ASSERT(r->work.pivots > 200);
    CU_ASSERT_EQUAL(r->iterations,
                    (size_t)r->work.pivots + 1); /* a pivot is an iterate */
    perp_result *by_violation = test_solve(p, "dantzig", "crash=off", NULL);
    test_solved(p, by_violation, exact);
    CU_ASSERT(by_violation->work.pivots < r->work.pivots);
    for (size_t i = 0; i < n; i++) { /* one solution, whichever order; condition 1e5 */
        CU_ASSERT_DOUBLE_EQUAL(by_violation->z[i], r->z[i], 1e-9);
    }
}

TEST(limits_are_honoured_between_pivots)
{
    perp_problem *p = test_boxed(40, 3);
    perp_result *r =
        test_solve(p, "dantzig", "crash=off", "max-iterations=3", "tolerance=0", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_ITERATION_LIMIT);
    CU_ASSERT_EQUAL(r->iterations, 3);
    CU_ASSERT(isfinite(perp_residual(p, r->z)));
}

/* The stored single passes are exact up to the condition of the blocks. */
TEST(golden_answers_of_frozen_friction)
{
    for (int k = 0; k < 6; k++) {
        char name[32];
        const json_t *z = NULL;

        snprintf(name, sizeof name, "findex_%d", k / 2);
        json_t *root = test_golden_entry(name);
        perp_problem *p = test_golden_problem(name);
        perp_result *r = test_solve(p, "dantzig", k % 2 ? "crash=on" : "crash=off", NULL);
        z = json_object_get(json_object_get(json_object_get(root, "expect"), "one_pass"),
                            "z");
        CU_ASSERT_EQUAL_FATAL(json_array_size(z), r->n);
        for (size_t i = 0; i < r->n; i++) {
            CU_ASSERT_DOUBLE_EQUAL(r->z[i], json_number_value(json_array_get(z, i)),
                                   1e-14);
        }
        json_decref(root);
    }
}
