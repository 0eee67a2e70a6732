/* SPDX-License-Identifier: Apache-2.0
 * tests/linear/block_large.c: large block factorisations: nested dissection, supernodes, threads. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "scarce.h"

static const perp_block_factor_kind kinds[] = {PERP_BLOCK_CHOLESKY, PERP_BLOCK_LDU};
static perp_block_factor_way way = PERP_BLOCK_BY_COLUMNS; /* of all factors in threads */

/* 12^3 blocks need more than 1e9 flops, whatever their order: nested dissection is tried, and
 * supernodes are the choice. S has a condition of some 100, so that x errs by some 100 eps in
 * its numbers of size 1. */
TEST(a_large_lattice_has_the_same_answer_both_ways)
{
    graph *g = malloc(sizeof *g);
    perp_block_matrix S;
    size_t n = 1728 * 6;
    double *x[3] = {blocks_right_side(n, 9), blocks_right_side(n, 9),
                    blocks_right_side(n, 9)};
    double flops[3];
    double worst = 0.0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    *g = blocks_lattice(12);
    S = blocks_pattern(g, 6, false);
    blocks_fill_matrix(&S, 0.0, 101);
    for (int k = 0; k < 3; k++) {
        perp_workspace *ws = blocks_workspace();
        perp_block_factor *f = NULL;
        bool done = false;

        CU_ASSERT_EQUAL_FATAL(
            k == 0 ? perp_block_factor_new_by(&f, &S, PERP_BLOCK_BY_COLUMNS, ws, NULL)
                   : perp_block_factor_new(&f, &S, ws, NULL),
            PERP_OK);
        flops[k] = perp_block_factor_flops(f, PERP_BLOCK_CHOLESKY);
        OK(perp_block_factor_matrix(f, &S, kinds[0], &done, NULL));
        CU_ASSERT(done);
        perp_block_factor_solve(f, x[k]);
        perp_block_factor_close(f);
        blocks_discard(ws);
    }
    CU_ASSERT(flops[0] > 1e9 && flops[1] == flops[0] && flops[2] == flops[0]);
    CU_ASSERT_EQUAL(memcmp(x[1], x[2], n * sizeof **x), 0);
    for (size_t i = 0; i < n; i++) {
        worst = fmax(worst, fabs(x[0][i] - x[1][i]));
    }
    CU_ASSERT(worst > 0.0 && worst <= 1e-12);
    for (int k = 0; k < 3; k++) {
        free(x[k]);
    }
    blocks_discard_matrix(&S);
    free(g);
}

/* Factor and solve by so many threads; the block that failed, or SIZE_MAX. */
static size_t solve_in_threads(const perp_block_matrix *S, perp_block_factor_kind kind,
                               size_t threads, double *x)
{
    perp_workspace *ws = blocks_workspace();
    perp_block_factor *f = NULL;
    size_t failed = SIZE_MAX;
    bool done = false;

    OK(perp_block_factor_new_by(&f, S, way, ws, NULL));
    CU_ASSERT(perp_block_factor_flops(f, PERP_BLOCK_CHOLESKY) >
              1e8); /* of one thread else */
    OK(perp_block_factor_threads(f, threads, NULL));
    for (size_t repeat = 0; repeat < 3; repeat++) {
        OK(perp_block_factor_matrix(f, S, kind, &done, NULL));
        failed = perp_block_factor_failed(f);
        CU_ASSERT_EQUAL(done, failed == SIZE_MAX);
    }
    if (done) {
        perp_block_factor_solve(f, x);
    }
    perp_block_factor_close(f);
    blocks_discard(ws);
    return failed;
}

/* One lattice, whose tree is cut, and islands; then the same with two blocks that fail, of
 * which the first one eliminated is named. */
static void check_threads(const graph *g)
{
    perp_block_matrix S = blocks_pattern(g, 6, false);
    size_t n = S.blocks * 6;

    blocks_fill_matrix(&S, 2.0, 111);
    for (size_t k = 0; k < 2; k++) {
        double *x = blocks_right_side(n, 12);

        CU_ASSERT_EQUAL(solve_in_threads(&S, kinds[k], 1, x), SIZE_MAX);
        for (size_t threads = 2; threads <= 5; threads++) {
            double *y = blocks_right_side(n, 12);

            CU_ASSERT_EQUAL(solve_in_threads(&S, kinds[k], threads, y), SIZE_MAX);
            CU_ASSERT_EQUAL(memcmp(x, y, n * sizeof *x), 0);
        }
    }
    S.lower[blocks_entry_of(&S, 7, 7) * 36] = NAN;
    S.lower[blocks_entry_of(&S, S.blocks / 2, S.blocks / 2) * 36] = NAN;
    for (size_t k = 0; k < 2; k++) {
        size_t failed = solve_in_threads(&S, kinds[k], 1, NULL);

        CU_ASSERT(failed < S.blocks);
        for (size_t threads = 2; threads <= 4; threads++) {
            CU_ASSERT_EQUAL(solve_in_threads(&S, kinds[k], threads, NULL), failed);
        }
    }
    blocks_discard_matrix(&S);
}

TEST(any_number_of_threads_gives_the_same_bits)
{
    graph *g = malloc(sizeof *g);

    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    for (size_t k = 0; k < 2; k++) {
        way = k == 0 ? PERP_BLOCK_BY_COLUMNS : PERP_BLOCK_BY_SUPERNODES;
        *g = blocks_lattice(9);
        check_threads(g);
        *g = blocks_lattices(6, 7); /* 1.2e6 numbers: solved in threads */
        check_threads(g);
    }
    way = PERP_BLOCK_BY_COLUMNS;
    free(g);
}

static perp_status factor_in_threads(void *context, perp_error *err)
{
    perp_workspace *ws = NULL;
    perp_block_factor *f = NULL;
    perp_status status = perp_workspace_new(&ws, 0, err);
    bool done = false;

    if (status == PERP_OK) {
        status = perp_block_factor_new_by(&f, context, way, ws, err);
    }
    if (status == PERP_OK) {
        status = perp_block_factor_threads(f, 2, err);
    }
    if (status == PERP_OK) {
        status = perp_block_factor_matrix(f, context, PERP_BLOCK_LDU, &done, err);
    }
    perp_block_factor_close(f);
    if (ws) {
        blocks_discard(ws);
    }
    return status;
}

TEST(threads_report_failed_allocations)
{
    graph *g = malloc(sizeof *g);
    perp_block_matrix S;

    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    *g = blocks_lattice(8);
    S = blocks_pattern(g, 6, false);
    blocks_fill_matrix(&S, 0.0, 121);
    for (size_t k = 0; k < 2; k++) {
        way = k == 0 ? PERP_BLOCK_BY_COLUMNS : PERP_BLOCK_BY_SUPERNODES;
        scarce_everywhere(factor_in_threads, &S, "a block factorisation in threads");
    }
    way = PERP_BLOCK_BY_COLUMNS;
    blocks_discard_matrix(&S);
    free(g);
}
