/* SPDX-License-Identifier: Apache-2.0
 * tests/linear/block_factor.c: block factorisations solve what LAPACK solves, on any graph, and
 * name the block that cannot be eliminated. */
#include <config.h>

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "scarce.h"

static const perp_block_factor_kind kinds[] = {PERP_BLOCK_CHOLESKY, PERP_BLOCK_LDU};
static perp_block_factor_way way = PERP_BLOCK_BY_COLUMNS; /* of all factors */

static size_t all_graphs(graph *g)
{
    g[0] = blocks_chain(17);
    g[1] = blocks_star(15);
    g[2] = blocks_grid(6, 6);
    g[3] = blocks_islands();
    g[4] = blocks_chain(1);
    g[5] = blocks_chain(0);
    g[6] = blocks_drawn(40, 0.1, 5);
    g[7] = blocks_drawn(12, 0.7, 6);
    g[8] = blocks_lattice(4);
    return 9;
}

/* Errors of a Cholesky factorisation are small against sqrt(s_ii s_jj),
 * |S x - b|_i <= c eps sqrt(s_ii) sum_j sqrt(s_jj) |x_j|, c some n for n rows. Here
 * the same holds for LDU, times the growth of its numbers, since the symmetric part of S is
 * positive definite. */
static double solve_error(const double *A, size_t n, const double *x, const double *b)
{
    double worst = 0.0;
    double sum = 0.0;

    for (size_t j = 0; j < n; j++) {
        sum += sqrt(A[j + j * n]) * fabs(x[j]);
    }
    for (size_t i = 0; i < n; i++) {
        double r = -b[i];

        for (size_t j = 0; j < n; j++) {
            r += A[i + j * n] * x[j];
        }
        worst = fmax(worst, fabs(r) / (sqrt(A[i + i * n]) * sum));
    }
    return worst / ((double)n * DBL_EPSILON);
}

/* Factor S and solve for x; whether the factorisation was done. */
static bool factor_and_solve(const perp_block_matrix *S, perp_block_factor_kind kind,
                             double *x)
{
    perp_workspace *ws = blocks_workspace();
    perp_block_factor *f = NULL;
    bool done = false;

    OK(perp_block_factor_new_by(&f, S, way, ws, NULL));
    OK(perp_block_factor_matrix(f, S, kind, &done, NULL));
    CU_ASSERT((double)perp_workspace_bytes(ws) >=
              sizeof(double) * perp_block_factor_fill(f, kind));
    CU_ASSERT_EQUAL(done, perp_block_factor_failed(f) == SIZE_MAX);
    if (done) {
        perp_block_factor_solve(f, x);
    }
    perp_block_factor_close(f);
    blocks_discard(ws);
    return done;
}

/* The error of the dense solution is the one of the reference; 1 is n eps. */
static void check_matrix(const perp_block_matrix *S, perp_block_factor_kind kind)
{
    size_t n = S->blocks * S->size;
    double *A = blocks_dense(S);
    double *x = blocks_right_side(n, 3);

    CU_ASSERT(factor_and_solve(S, kind, x));
    CU_ASSERT(n == 0 ||
              solve_error(A, n, x, x + n) <= (kind == PERP_BLOCK_CHOLESKY ? 1.0 : 20.0));
}

TEST(every_graph_is_solved_in_both_kinds_and_sizes)
{
    graph g[9];
    size_t count = all_graphs(g);

    for (size_t k = 0; k < count; k++) {
        test_note("%s of %zu blocks", g[k].name, g[k].blocks);
        for (unsigned size = 3; size <= 6; size += 3) {
            for (int unsymmetric = 0; unsymmetric < 2; unsymmetric++) {
                for (double decades = 0.0; decades <= 12.0; decades += 6.0) {
                    perp_block_matrix S = blocks_pattern(&g[k], size, unsymmetric);

                    blocks_fill_matrix(&S, decades, k + 11);
                    check_matrix(&S, PERP_BLOCK_LDU);
                    if (!unsymmetric) {
                        check_matrix(&S, PERP_BLOCK_CHOLESKY);
                    }
                    blocks_discard_matrix(&S);
                }
            }
        }
    }
}

/* Condition at most some 1e3 without decades: both answers err by some 1e3 n eps = 5e-11. */
TEST(answers_are_those_of_dense_lapack)
{
    for (unsigned size = 3; size <= 6; size += 3) {
        for (int unsymmetric = 0; unsymmetric < 2; unsymmetric++) {
            graph g = blocks_grid(6, 6);
            perp_block_matrix S = blocks_pattern(&g, size, unsymmetric);
            size_t n = S.blocks * size;
            double *x = blocks_right_side(n, 4);
            double *y = blocks_right_side(n, 4);
            lapack_int rows[PERP_BLOCK_MOST * most_blocks];
            double worst = 0.0;

            blocks_fill_matrix(&S, 0.0, 21);
            double *A = blocks_dense(&S);
            CU_ASSERT(factor_and_solve(
                &S, unsymmetric ? PERP_BLOCK_LDU : PERP_BLOCK_CHOLESKY, x));
            CU_ASSERT_EQUAL(LAPACKE_dgesv(LAPACK_COL_MAJOR, (lapack_int)n, 1, A,
                                          (lapack_int)n, rows, y, (lapack_int)n),
                            0);
            for (size_t i = 0; i < n; i++) {
                worst = fmax(worst, fabs(x[i] - y[i]));
            }
            CU_ASSERT(worst <= 5e-11);
            blocks_discard_matrix(&S);
        }
    }
}

/* Of the diagonal blocks Cholesky reads the lower triangle only. */
TEST(cholesky_reads_lower_triangles_alone)
{
    graph g = blocks_grid(4, 5);
    perp_block_matrix S = blocks_pattern(&g, 6, false);
    double *x = blocks_right_side(120, 5);
    double *y = blocks_right_side(120, 5);

    blocks_fill_matrix(&S, 3.0, 31);
    CU_ASSERT(factor_and_solve(&S, PERP_BLOCK_CHOLESKY, x));
    for (size_t i = 0; i < S.blocks; i++) {
        double *D = S.lower + blocks_entry_of(&S, i, i) * 36;

        for (unsigned k = 0; k < 36; k++) {
            D[k] = k % 6 < k / 6 ? NAN : D[k];
        }
    }
    CU_ASSERT(factor_and_solve(&S, PERP_BLOCK_CHOLESKY, y));
    CU_ASSERT_EQUAL(memcmp(x, y, 120 * sizeof *x), 0);
    blocks_discard_matrix(&S);
}

/* Numbers that are 0 belong to the pattern: other numbers there are solved without a new
 * analysis, and the result has the bits of a new one. */
TEST(zeros_stay_in_the_pattern)
{
    graph g = blocks_drawn(40, 0.1, 8);
    perp_block_matrix S = blocks_pattern(&g, 6, true);
    perp_workspace *ws = blocks_workspace();
    perp_block_factor *f = NULL;
    size_t numbers = S.ptr[S.blocks] * 36;
    double *x = blocks_right_side(240, 6);
    double *y = blocks_right_side(240, 6);
    bool done = false;

    for (size_t i = 0; i < S.blocks; i++) { /* nothing but identity blocks */
        for (unsigned k = 0; k < 6; k++) {
            S.lower[blocks_entry_of(&S, i, i) * 36 + 7 * (size_t)k] = 2.0;
        }
    }
    OK(perp_block_factor_new_by(&f, &S, way, ws, NULL));
    for (size_t k = 0; k < 2; k++) {
        OK(perp_block_factor_matrix(f, &S, kinds[k], &done, NULL));
        CU_ASSERT(done);
        perp_block_factor_solve(f, x);
        for (size_t i = 0; i < 240; i++) {
            CU_ASSERT_DOUBLE_EQUAL(x[i], 0.5 * x[240 + i], DBL_EPSILON);
            x[i] = x[240 + i];
        }
    }
    memset(S.lower, 0, numbers * sizeof *S.lower);
    memset(S.upper, 0, numbers * sizeof *S.upper);
    blocks_fill_matrix(&S, 2.0, 41);
    OK(perp_block_factor_matrix(f, &S, PERP_BLOCK_LDU, &done, NULL));
    CU_ASSERT(done);
    perp_block_factor_solve(f, x);
    CU_ASSERT(factor_and_solve(&S, PERP_BLOCK_LDU, y));
    CU_ASSERT_EQUAL(memcmp(x, y, 240 * sizeof *x), 0);
    perp_block_factor_close(f);
    blocks_discard(ws);
    blocks_discard_matrix(&S);
}

/* Diagonal blocks that need exchanges of rows: the identity with its columns in turn, of which
 * half the diagonal is 0. */
TEST(ldu_exchanges_rows_within_blocks)
{
    graph g = blocks_chain(9);
    perp_block_matrix S = blocks_pattern(&g, 6, true);
    double *x = blocks_right_side(54, 7);
    double worst = 0.0;

    for (size_t e = 0; e < S.ptr[S.blocks]; e++) {
        for (size_t k = 0; k < 36; k++) {
            S.lower[e * 36 + k] = (k % 6 + 1) % 6 == k / 6 ? 1.0 : 0.0;
            S.upper[e * 36 + k] = 0.25 * S.lower[e * 36 + k];
        }
    }
    double *A = blocks_dense(&S);
    CU_ASSERT(factor_and_solve(&S, PERP_BLOCK_LDU, x));
    for (size_t i = 0; i < 54; i++) {
        double r = -x[54 + i];

        for (size_t j = 0; j < 54; j++) {
            r += A[i + j * 54] * x[j];
        }
        worst = fmax(worst, fabs(r));
    }
    CU_ASSERT(worst <= 1e-13); /* numbers of some 10, nine steps */
    blocks_discard_matrix(&S);
}

/* A chain makes no fill: one block below each but the last. */
TEST(costs_of_a_chain_are_those_worked_by_hand)
{
    graph g = blocks_chain(10);
    perp_block_matrix S = blocks_pattern(&g, 3, false);
    perp_workspace *ws = blocks_workspace();
    perp_block_factor *f = NULL;

    OK(perp_block_factor_new_by(&f, &S, way, ws, NULL));
    CU_ASSERT_EQUAL(perp_block_factor_fill(f, PERP_BLOCK_CHOLESKY), 10 * 6 + 9 * 9);
    CU_ASSERT_EQUAL(perp_block_factor_fill(f, PERP_BLOCK_LDU), 10 * 9 + 2 * 9 * 9);
    CU_ASSERT_DOUBLE_EQUAL(perp_block_factor_flops(f, PERP_BLOCK_CHOLESKY),
                           27 * (9 * (1 + 1 + 1.0 / 3) + 1.0 / 3), 1e-9);
    CU_ASSERT_EQUAL(perp_block_factor_flops(f, PERP_BLOCK_LDU),
                    2 * perp_block_factor_flops(f, PERP_BLOCK_CHOLESKY));
    perp_block_factor_close(f);
    blocks_discard(ws);
    blocks_discard_matrix(&S);
}

/* The block that fails, or SIZE_MAX. Then S with `number` made good is factored by the same
 * object: a failure leaves nothing behind. */
static size_t failed_block(perp_block_matrix *S, perp_block_factor_kind kind,
                           double *number, double good)
{
    perp_workspace *ws = blocks_workspace();
    perp_block_factor *f = NULL;
    double bad = *number;
    bool done = true;

    OK(perp_block_factor_new_by(&f, S, way, ws, NULL));
    CU_ASSERT_EQUAL(perp_block_factor_failed(f), SIZE_MAX);
    OK(perp_block_factor_matrix(f, S, kind, &done, NULL));
    size_t failed = perp_block_factor_failed(f);
    CU_ASSERT_EQUAL(done, failed == SIZE_MAX);
    *number = good;
    OK(perp_block_factor_matrix(f, S, kind, &done, NULL));
    CU_ASSERT(done);
    CU_ASSERT_EQUAL(perp_block_factor_failed(f), SIZE_MAX);
    *number = bad;
    perp_block_factor_close(f);
    blocks_discard(ws);
    return failed;
}

TEST(an_indefinite_block_is_named)
{
    for (size_t i = 0; i < 9; i++) {
        graph g = blocks_chain(9);
        perp_block_matrix S = blocks_pattern(&g, 6, false);
        double *corner = S.lower + blocks_entry_of(&S, i, i) * 36 + 35;

        blocks_fill_matrix(&S, 0.0, 51);
        double good = *corner;
        *corner = -1000.0;
        CU_ASSERT_EQUAL(failed_block(&S, PERP_BLOCK_CHOLESKY, corner, good), i);
        CU_ASSERT_EQUAL(failed_block(&S, PERP_BLOCK_LDU, corner, good), SIZE_MAX);
        blocks_discard_matrix(&S);
    }
}

/* Without mass two blocks and what joins them have rank 3. */
TEST(singular_matrices_are_not_factored)
{
    for (size_t k = 0; k < 2; k++) {
        graph g = blocks_chain(2);
        perp_block_matrix S = blocks_pattern(&g, 6, false);
        double zero[36 * 3] = {0};

        CU_ASSERT_FALSE(factor_and_solve(&S, kinds[k], zero)); /* S = 0 */
        blocks_fill_matrix(&S, 0.0, 61);
        for (size_t i = 0; i < 2; i++) {
            for (size_t j = 0; j < 6; j++) {
                S.lower[blocks_entry_of(&S, i, i) * 36 + 7 * j] -= 1.0;
            }
        }
        CU_ASSERT_FALSE(factor_and_solve(&S, kinds[k], zero));
        blocks_discard_matrix(&S);
        S = blocks_pattern(&g, 6, false);
        blocks_fill_matrix(&S, 0.0, 61);
        for (size_t j = 0; j < 6; j++) {
            S.lower[blocks_entry_of(&S, 1, 1) * 36 + 6 * j + 2] = 0.0;
            S.lower[blocks_entry_of(&S, 1, 1) * 36 + 12 + j] = 0.0;
            S.lower[blocks_entry_of(&S, 1, 0) * 36 + 6 * j + 2] = 0.0;
        }
        size_t failed = failed_block(&S, kinds[k],
                                     &S.lower[blocks_entry_of(&S, 1, 1) * 36 + 14], 1.0);
        CU_ASSERT_EQUAL(failed, 1); /* its third row is 0 */
        blocks_discard_matrix(&S);
    }
}

/* NaN or infinity in any entry: on the diagonal, below it, and above it for LDU. */
TEST(numbers_that_are_not_finite_are_found)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    graph g = blocks_grid(3, 4);
    perp_block_matrix S = blocks_pattern(&g, 3, true);

    blocks_fill_matrix(&S, 0.0, 71);
    for (size_t e = 0; e < S.ptr[S.blocks]; e++) {
        for (size_t k = 0; k < 6; k++) {
            size_t at = e * 9 + (k % 2 ? 1 : 4); /* in the lower triangle */
            perp_block_factor_kind kind = kinds[k / 3];
            double good = S.lower[at];

            S.lower[at] = bad[k % 3];
            CU_ASSERT(failed_block(&S, kind, &S.lower[at], good) < S.blocks);
            S.lower[at] = good;
            good = S.upper[at];
            S.upper[at] = bad[k % 3];
            CU_ASSERT(kind == PERP_BLOCK_CHOLESKY || good == 0.0 ||
                      failed_block(&S, kind, &S.upper[at], good) < S.blocks);
            S.upper[at] = good;
        }
    }
    blocks_discard_matrix(&S);
}

TEST(the_same_numbers_give_the_same_bits)
{
    graph g = blocks_drawn(40, 0.1, 9);

    for (size_t k = 0; k < 2; k++) {
        perp_block_matrix S = blocks_pattern(&g, 6, k == 1);
        double *x = blocks_right_side(240, 8);
        double *y = blocks_right_side(240, 8);

        blocks_fill_matrix(&S, 8.0, 81);
        CU_ASSERT(factor_and_solve(&S, kinds[k], x));
        CU_ASSERT(factor_and_solve(&S, kinds[k], y));
        CU_ASSERT_EQUAL(memcmp(x, y, 240 * sizeof *x), 0);
        blocks_discard_matrix(&S);
    }
}

static perp_status factor_both(void *context, perp_error *err)
{
    const perp_block_matrix *S = context;
    perp_workspace *ws = NULL;
    perp_block_factor *f = NULL;
    perp_status status = perp_workspace_new(&ws, 0, err);
    bool done = false;

    if (status == PERP_OK) {
        status = perp_block_factor_new_by(&f, S, way, ws, err);
        CU_ASSERT(status == PERP_OK || !f);
    }
    for (size_t k = 0; k < 2 && status == PERP_OK; k++) {
        status = perp_block_factor_matrix(f, S, kinds[k], &done, err);
        CU_ASSERT_EQUAL(done, status == PERP_OK);
    }
    perp_block_factor_close(f);
    if (ws) {
        blocks_discard(ws);
    }
    return status;
}

TEST(every_failed_allocation_is_reported)
{
    graph g = blocks_grid(4, 5);
    perp_block_matrix S = blocks_pattern(&g, 6, false);

    blocks_fill_matrix(&S, 0.0, 91);
    scarce_everywhere(factor_both, &S, "a block factorisation");
    blocks_discard_matrix(&S);
}

/* Refused at the analysis, at the first numbers, or not at all. */
TEST(the_memory_limit_holds_for_factors)
{
    graph g = blocks_grid(6, 6);
    perp_block_matrix S = blocks_pattern(&g, 6, false);
    size_t refused = 0;
    bool done = false;

    blocks_fill_matrix(&S, 0.0, 95);
    for (size_t limit = 1000; !done; limit *= 2) {
        perp_block_factor *f = NULL;
        perp_error err = {0};
        perp_workspace *ws = test_new_workspace(limit);
        perp_status status = perp_block_factor_new_by(&f, &S, way, ws, &err);

        if (status == PERP_OK) {
            status = perp_block_factor_matrix(f, &S, PERP_BLOCK_CHOLESKY, &done, &err);
        }
        refused += status == PERP_ERR_MEMORY;
        CU_ASSERT(status == PERP_OK || strstr(err.text, "allowed"));
        perp_block_factor_close(f);
        blocks_discard(ws);
    }
    CU_ASSERT(refused >= 2);
    blocks_discard_matrix(&S);
}

/* Dense panels solve and refuse the same. */
TEST(supernodes_do_the_same)
{
    way = PERP_BLOCK_BY_SUPERNODES;
    every_graph_is_solved_in_both_kinds_and_sizes();
    answers_are_those_of_dense_lapack();
    cholesky_reads_lower_triangles_alone();
    zeros_stay_in_the_pattern();
    ldu_exchanges_rows_within_blocks();
    an_indefinite_block_is_named();
    singular_matrices_are_not_factored();
    numbers_that_are_not_finite_are_found();
    the_same_numbers_give_the_same_bits();
    every_failed_allocation_is_reported();
    the_memory_limit_holds_for_factors();
    way = PERP_BLOCK_BY_COLUMNS;
}
