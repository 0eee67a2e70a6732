/* SPDX-License-Identifier: Apache-2.0
 * tests/linear/block_update.c: an update of a block factorisation has the bits of a new one. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "scarce.h"

static const perp_block_factor_kind kinds[] = {PERP_BLOCK_CHOLESKY, PERP_BLOCK_LDU};
static const perp_block_factor_way ways[] = {PERP_BLOCK_BY_COLUMNS,
                                             PERP_BLOCK_BY_SUPERNODES};

/* Mark a share of the block rows and change what S has between them: numbers within -1 .. 1 off
 * the diagonal, and on it as much as keeps S definite. */
static void change(perp_block_matrix *S, bool *changed, double share, perp_random *g)
{
    size_t area = (size_t)S->size * S->size;

    for (size_t i = 0; i < S->blocks; i++) {
        changed[i] = perp_random_unit(g) < share;
    }
    for (size_t i = 0; i < S->blocks; i++) {
        for (size_t e = S->ptr[i]; changed[i] && e + 1 < S->ptr[i + 1]; e++) {
            size_t j = (size_t)S->col[e];
            double *D[] = {S->lower + (S->ptr[i + 1] - 1) * area,
                           S->lower + (S->ptr[j + 1] - 1) * area};

            for (size_t k = 0; changed[j] && k < area; k++) {
                S->lower[e * area + k] += perp_random_uniform(g, -1.0, 1.0);
                if (S->upper) {
                    S->upper[e * area + k] += perp_random_uniform(g, -1.0, 1.0);
                }
            }
            for (size_t k = 0; changed[j] && k < 2 * S->size; k++) {
                D[k % 2][k / 2 * (S->size + 1)] += S->size;
            }
        }
        for (size_t k = 0; changed[i] && k < S->size; k++) {
            S->lower[(S->ptr[i + 1] - 1) * area + k * (S->size + 1)] +=
                perp_random_unit(g);
        }
    }
}

/* The bits of S^-1 b by f and by a factorisation of its own. */
static void check_solution(perp_block_factor *f, const perp_block_matrix *S,
                           perp_block_factor_kind kind, perp_block_factor_way way)
{
    size_t n = S->blocks * S->size;
    double *x = blocks_right_side(n, 3);
    double *y = blocks_right_side(n, 3);
    perp_workspace *ws = blocks_workspace();
    perp_block_factor *own = NULL;
    bool done = false;

    OK(perp_block_factor_new_by(&own, S, way, ws, NULL));
    OK(perp_block_factor_matrix(own, S, kind, &done, NULL));
    CU_ASSERT(done);
    CU_ASSERT_DOUBLE_EQUAL(perp_block_factor_spent(own),
                           perp_block_factor_flops(own, kind),
                           1e-12 * perp_block_factor_flops(own, kind));
    perp_block_factor_solve(f, x);
    perp_block_factor_solve(own, y);
    CU_ASSERT_EQUAL(memcmp(x, y, n * sizeof *x), 0);
    perp_block_factor_close(own);
    blocks_discard(ws);
}

/* Changes of a tenth of the blocks, of none, of half of them and of all. */
static void check_updates(const graph *g, perp_block_factor_kind kind,
                          perp_block_factor_way way, size_t threads)
{
    static const double shares[] = {0.1, 0.1, 0.0, 0.5, 1.0, 0.1};
    perp_block_matrix S = blocks_pattern(g, 6, kind == PERP_BLOCK_LDU);
    perp_workspace *ws = blocks_workspace();
    perp_block_factor *f = NULL;
    perp_random random = {g->edges};
    bool *changed = test_alloc(g->blocks + 1, sizeof *changed);
    bool done = false;

    blocks_fill_matrix(&S, 3.0, 17);
    OK(perp_block_factor_new_by(&f, &S, way, ws, NULL));
    OK(perp_block_factor_threads(f, threads, NULL));
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
        change(&S, changed, shares[k], &random);
        OK(perp_block_factor_update(f, &S, kind, changed, &done, NULL));
        CU_ASSERT(done);
        CU_ASSERT(k == 0 || shares[k] > 0.0 || perp_block_factor_spent(f) == 0.0);
        check_solution(f, &S, kind, way);
    }
    perp_block_factor_close(f);
    blocks_discard(ws);
    blocks_discard_matrix(&S);
}

TEST(an_update_has_the_bits_of_a_factorisation)
{
    for (size_t k = 0; k < 4; k++) {
        perp_block_factor_kind kind = kinds[k % 2];
        perp_block_factor_way way = ways[k / 2];

        for (uint64_t seed = 0; seed < 8; seed++) {
            graph g = blocks_drawn(50, 0.02 + 0.02 * (double)seed, seed);

            check_updates(&g, kind, way, 1);
        }
        check_updates(&(graph){.name = "none"}, kind, way, 1);
    }
}

TEST(threads_update_to_the_same_bits)
{
    graph *g = malloc(sizeof *g);

    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    *g = blocks_lattice(9); /* more than 1e8 flops: fewer are left to one thread */
    for (size_t k = 0; k < 4; k++) {
        check_updates(g, kinds[k % 2], ways[k / 2], 3);
    }
    free(g);
}

/* Flops of updates of one block each, the least and the most of them in parts of a
 * factorisation. */
static void spent_on_single_blocks(const graph *g, double *least, double *most)
{
    perp_block_matrix S = blocks_pattern(g, 3, false);
    perp_workspace *ws = blocks_workspace();
    perp_block_factor *f = NULL;
    bool done = false;

    *least = INFINITY;
    *most = 0.0;
    blocks_fill_matrix(&S, 0.0, 23);
    OK(perp_block_factor_new(&f, &S, ws, NULL));
    OK(perp_block_factor_matrix(f, &S, kinds[0], &done, NULL));
    for (size_t i = 0; i < g->blocks; i++) {
        bool changed[most_blocks] = {false};

        changed[i] = true;
        OK(perp_block_factor_update(f, &S, kinds[0], changed, &done, NULL));
        CU_ASSERT(done);
        *least = fmin(*least, perp_block_factor_spent(f));
        *most = fmax(*most, perp_block_factor_spent(f));
    }
    *most /= perp_block_factor_flops(f, kinds[0]);
    perp_block_factor_close(f);
    blocks_discard(ws);
    blocks_discard_matrix(&S);
}

/* A block that touches none costs s^3/3. The root of a chain has one child or two, of which it
 * subtracts one product each; no path of a tree with two branches has all of its columns. */
TEST(an_update_costs_the_path_to_the_root)
{
    graph apart = {.name = "apart", .blocks = 8};
    graph chain = blocks_chain(10);
    double least = 0.0;
    double most = 0.0;

    spent_on_single_blocks(&apart, &least, &most);
    CU_ASSERT_DOUBLE_EQUAL(least, 27.0 / 3.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(most, 1.0 / 8.0, 1e-12);
    spent_on_single_blocks(&chain, &least, &most);
    CU_ASSERT(least >= 27.0 * (1.0 + 1.0 / 3.0) * (1.0 - 1e-12));
    CU_ASSERT(least <= 27.0 * (2.0 + 1.0 / 3.0) * (1.0 + 1e-12));
    CU_ASSERT(most <= 1.0 + 1e-12);
}

/* What a failure leaves behind is not built upon, nor what another kind has left. */
TEST(a_failure_and_another_kind_compute_all)
{
    graph g = blocks_grid(5, 6);
    bool changed[30] = {false};

    for (size_t k = 0; k < 4; k++) {
        perp_block_factor_kind kind = kinds[k % 2];
        perp_block_matrix S = blocks_pattern(&g, 6, false);
        double *corner = S.lower + blocks_entry_of(&S, 13, 13) * 36;
        perp_workspace *ws = blocks_workspace();
        perp_block_factor *f = NULL;
        bool done = false;

        blocks_fill_matrix(&S, 2.0, 31);
        double good = *corner;
        changed[13] = true;
        OK(perp_block_factor_new_by(&f, &S, ways[k / 2], ws, NULL));
        OK(perp_block_factor_matrix(f, &S, kind, &done, NULL));
        *corner = NAN;
        OK(perp_block_factor_update(f, &S, kind, changed, &done, NULL));
        CU_ASSERT_FALSE(done);
        CU_ASSERT_EQUAL(perp_block_factor_failed(f), 13);
        *corner = good;
        changed[13] = false;
        OK(perp_block_factor_update(f, &S, kind, changed, &done, NULL));
        CU_ASSERT(done);
        check_solution(f, &S, kind, ways[k / 2]);
        kind = kinds[1 - k % 2];
        OK(perp_block_factor_update(f, &S, kind, changed, &done, NULL));
        check_solution(f, &S, kind, ways[k / 2]);
        perp_block_factor_close(f);
        blocks_discard(ws);
        blocks_discard_matrix(&S);
    }
}

/* The first update takes memory as a factorisation does; LDU after Cholesky takes more. */
static perp_status update_both(void *context, perp_error *err)
{
    const perp_block_matrix *S = context;
    bool changed[20] = {true};
    perp_workspace *ws = NULL;
    perp_block_factor *f = NULL;
    perp_status status = perp_workspace_new(&ws, 0, err);
    bool done = false;

    if (status == PERP_OK) {
        status = perp_block_factor_new(&f, S, ws, err);
    }
    for (size_t k = 0; k < 4 && status == PERP_OK; k++) {
        status = perp_block_factor_update(f, S, kinds[k / 2], changed, &done, err);
        CU_ASSERT_EQUAL(done, status == PERP_OK);
    }
    perp_block_factor_close(f);
    if (ws) {
        blocks_discard(ws);
    }
    return status;
}

TEST(failed_allocations_of_updates_are_reported)
{
    graph g = blocks_grid(4, 5);
    perp_block_matrix S = blocks_pattern(&g, 6, false);

    blocks_fill_matrix(&S, 0.0, 91);
    scarce_everywhere(update_both, &S, "an update of a block factorisation");
    blocks_discard_matrix(&S);
}
