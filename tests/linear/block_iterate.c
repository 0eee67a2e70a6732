/* SPDX-License-Identifier: Apache-2.0
 * tests/linear/block_iterate.c: conjugate gradients agree with the factorisation. */
#include <config.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "linear/block_iterate.h"
#include "scarce.h"

/* x := S^-1 x by Cholesky. */
static void solve_by_factor(const perp_block_matrix *S, double *x)
{
    perp_workspace *ws = blocks_workspace();
    perp_block_factor *f = NULL;
    bool done = false;

    CU_ASSERT_EQUAL_FATAL(perp_block_factor_new(&f, S, ws, NULL), PERP_OK);
    CU_ASSERT_EQUAL(perp_block_factor_matrix(f, S, PERP_BLOCK_CHOLESKY, &done, NULL),
                    PERP_OK);
    CU_ASSERT_FATAL(done);
    perp_block_factor_solve(f, x);
    perp_block_factor_close(f);
    blocks_discard(ws);
}

/* The smallest eigenvalue of S is at least 1, that of its mass: |x - S^-1 b| <= |b - S x|. */
static void check_matrix(const perp_block_matrix *S, size_t most)
{
    size_t n = S->blocks * S->size;
    perp_workspace *ws = blocks_workspace();
    perp_block_iterate *c = NULL;
    double *x = blocks_right_side(n, 3);
    double *y = blocks_right_side(n, 3);
    double distance = 0.0;
    double size = 0.0;
    perp_block_iterate_end end;

    CU_ASSERT_EQUAL_FATAL(perp_block_iterate_new(&c, S, ws, NULL), PERP_OK);
    CU_ASSERT(perp_block_iterate_matrix(c, S));
    end = perp_block_iterate_solve(c, x, 1e-10, most);
    CU_ASSERT(end.residual <= 2e-10 && end.iterations < most);
    CU_ASSERT(n == 0 || end.iterations > 0);
    solve_by_factor(S, y);
    for (size_t i = 0; i < n; i++) {
        distance = hypot(distance, x[i] - y[i]);
        size = hypot(size, x[n + i]);
    }
    CU_ASSERT(distance <= 4e-10 * size);
    perp_block_iterate_close(c);
    blocks_discard(ws);
    free(x);
    free(y);
}

static void gradients_agree_with_the_factorisation(void)
{
    graph *g = malloc(6 * sizeof *g);

    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    g[0] = blocks_grid(7, 8);
    g[1] = blocks_lattice(5);
    g[2] = blocks_islands();
    g[3] = blocks_drawn(40, 0.3, 5);
    g[4] = blocks_chain(1);
    g[5] = blocks_chain(0);
    for (size_t k = 0; k < 6; k++) {
        for (unsigned size = 3; size <= 6; size += 3) {
            for (double decades = 0.0; decades <= 2.0; decades += 1.0) {
                perp_block_matrix S = blocks_pattern(&g[k], size, false);

                test_note("graph %zu, blocks of %u, %g decades", k, size, decades);
                blocks_fill_matrix(&S, decades, 7);
                check_matrix(&S, 400);
                blocks_discard_matrix(&S);
            }
        }
    }
    free(g);
}

/* Without fill the preconditioner is complete: one iteration, and one for its rounding. */
static void a_chain_takes_one_iteration(void)
{
    graph g = blocks_chain(30);
    perp_block_matrix S = blocks_pattern(&g, 6, false);

    blocks_fill_matrix(&S, 1.0, 9);
    check_matrix(&S, 3);
    blocks_discard_matrix(&S);
}

/* Positive definite, and [kershaw-1978] an example whose incomplete factorisation breaks down:
 * 3 -2 0 2; -2 3 -2 0; 0 -2 3 -2; 2 0 -2 3 in each of the places of the blocks. */
static void a_breakdown_is_shifted(void)
{
    graph g = blocks_chain(4);
    perp_block_matrix S;
    perp_workspace *ws = blocks_workspace();
    perp_block_iterate *c = NULL;
    perp_block_iterate_end end;
    double *x = blocks_right_side(12, 4);

    g.pair[g.edges][0] = 3;
    g.pair[g.edges++][1] = 0;
    S = blocks_pattern(&g, 3, false);
    for (size_t e = 0; e < S.ptr[4]; e++) {
        for (size_t k = 0; k < 3; k++) {
            S.lower[9 * e + 4 * k] = -2.0;
        }
    }
    for (size_t k = 0; k < 3; k++) {
        S.lower[9 * blocks_entry_of(&S, 3, 0) + 4 * k] = 2.0;
        for (size_t i = 0; i < 4; i++) {
            S.lower[9 * blocks_entry_of(&S, i, i) + 4 * k] = 3.0;
        }
    }
    CU_ASSERT_EQUAL_FATAL(perp_block_iterate_new(&c, &S, ws, NULL), PERP_OK);
    CU_ASSERT(perp_block_iterate_matrix(c, &S));
    CU_ASSERT(perp_block_iterate_shift(c) > 0.0);
    end = perp_block_iterate_solve(c, x, 1e-12, 100);
    CU_ASSERT(end.residual <= 1e-11);
    perp_block_iterate_close(c);
    blocks_discard(ws);
    blocks_discard_matrix(&S);
    free(x);
}

static void matrices_without_a_preconditioner_are_refused(void)
{
    static const double bad[] = {NAN, INFINITY, -5.0, 0.0};
    graph g = blocks_grid(3, 3);
    perp_block_matrix S = blocks_pattern(&g, 6, false);
    perp_workspace *ws = blocks_workspace();
    perp_block_iterate *c = NULL;
    double *corner = S.lower + 36 * blocks_entry_of(&S, 4, 4);
    double good = 0.0;

    blocks_fill_matrix(&S, 0.0, 11);
    good = *corner;
    CU_ASSERT_EQUAL_FATAL(perp_block_iterate_new(&c, &S, ws, NULL), PERP_OK);
    for (size_t k = 0; k < 4; k++) {
        *corner = bad[k];
        CU_ASSERT_FALSE(perp_block_iterate_matrix(c, &S));
        *corner = good;
        CU_ASSERT(perp_block_iterate_matrix(c, &S));
    }
    perp_block_iterate_close(c);
    blocks_discard(ws);
    blocks_discard_matrix(&S);
}

static perp_status make(void *context, perp_error *err)
{
    perp_workspace *ws = NULL;
    perp_block_iterate *c = NULL;
    perp_status status = perp_workspace_new(&ws, 0, err);

    if (status == PERP_OK) {
        status = perp_block_iterate_new(&c, context, ws, err);
        CU_ASSERT(status == PERP_OK || !c);
    }
    perp_block_iterate_close(c);
    if (ws) {
        blocks_discard(ws);
    }
    return status;
}

static void every_failed_allocation_is_reported(void)
{
    graph g = blocks_grid(3, 3);
    perp_block_matrix S = blocks_pattern(&g, 6, false);

    scarce_everywhere(make, &S, "conjugate gradients on blocks");
    blocks_discard_matrix(&S);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(gradients_agree_with_the_factorisation),
        TEST(a_chain_takes_one_iteration),
        TEST(a_breakdown_is_shifted),
        TEST(matrices_without_a_preconditioner_are_refused),
        TEST(every_failed_allocation_is_reported),
        TEST_END,
    };

    return test_run(argc, argv, "block_iterate", cases);
}
