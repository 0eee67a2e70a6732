/* SPDX-License-Identifier: Apache-2.0
 * tests/linear/blocks.c: graphs of blocks and matrices on them. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "blocks.h"

static void add_edge(graph *g, size_t i, size_t j)
{
    CU_ASSERT_FATAL(g->edges < most_edges);
    g->pair[g->edges][0] = (int32_t)(i > j ? i : j);
    g->pair[g->edges++][1] = (int32_t)(i > j ? j : i);
}

graph blocks_chain(size_t n)
{
    graph g = {.name = "chain", .blocks = n};

    for (size_t i = 1; i < n; i++) {
        add_edge(&g, i, i - 1);
    }
    return g;
}

graph blocks_star(size_t n)
{
    graph g = {.name = "star", .blocks = n};

    for (size_t i = 0; i < n; i++) {
        if (i != n / 2) {
            add_edge(&g, i, n / 2);
        }
    }
    return g;
}

graph blocks_grid(size_t rows, size_t columns)
{
    graph g = {.name = "grid", .blocks = rows * columns};

    for (size_t i = 0; i < g.blocks; i++) {
        if (i % columns) {
            add_edge(&g, i, i - 1);
        }
        if (i >= columns) {
            add_edge(&g, i, i - columns);
        }
    }
    return g;
}

graph blocks_lattice(size_t side)
{
    graph g = {.name = "lattice", .blocks = side * side * side};

    for (size_t i = 0; i < g.blocks; i++) {
        for (size_t step = 1; step < g.blocks; step *= side) {
            if (i / step % side) {
                add_edge(&g, i, i - step);
            }
        }
    }
    return g;
}

graph blocks_islands(void)
{
    graph g = {.name = "islands", .blocks = 20};

    for (size_t i = 0; i + 2 < 16; i += 4) {
        add_edge(&g, i + 1, i);
        add_edge(&g, i + 2, i);
        add_edge(&g, i + 2, i + 1);
    }
    return g;
}

graph blocks_drawn(size_t n, double share, uint64_t seed)
{
    graph g = {.name = "random", .blocks = n};
    perp_random r = {seed};

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            if (perp_random_unit(&r) < share && g.edges < most_edges) {
                add_edge(&g, i, j);
            }
        }
    }
    return g;
}

graph blocks_lattices(size_t count, size_t side)
{
    graph one = blocks_lattice(side);
    graph g = {.name = "lattices", .blocks = count * one.blocks};

    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < one.edges; k++) {
            add_edge(&g, i * one.blocks + (size_t)one.pair[k][0],
                     i * one.blocks + (size_t)one.pair[k][1]);
        }
    }
    return g;
}

static int by_column(const void *a, const void *b)
{
    return *(const int32_t *)a - *(const int32_t *)b;
}

perp_block_matrix blocks_pattern(const graph *g, unsigned size, bool unsymmetric)
{
    perp_block_matrix S = {.blocks = g->blocks, .size = size};
    size_t entries = g->blocks + g->edges;
    size_t count = 0;

    S.ptr = calloc(g->blocks + 1, sizeof *S.ptr);
    S.col = calloc(entries + 1, sizeof *S.col);
    S.lower = calloc(entries * size * size + 1, sizeof *S.lower);
    S.upper = unsymmetric ? calloc(entries * size * size + 1, sizeof *S.upper) : NULL;
    CU_ASSERT_FATAL(S.ptr && S.col && S.lower && (S.upper || !unsymmetric));
    for (size_t i = 0; i < g->blocks; i++) {
        for (size_t k = 0; k < g->edges; k++) {
            if ((size_t)g->pair[k][0] == i) {
                S.col[count++] = g->pair[k][1];
            }
        }
        qsort(S.col + S.ptr[i], count - S.ptr[i], sizeof *S.col, by_column);
        S.col[count++] = (int32_t)i;
        S.ptr[i + 1] = count;
    }
    return S;
}

void blocks_discard_matrix(perp_block_matrix *S)
{
    free(S->ptr);
    free(S->col);
    free(S->lower);
    free(S->upper);
}

size_t blocks_entry_of(const perp_block_matrix *S, size_t i, size_t j)
{
    size_t e = S->ptr[i];

    while ((size_t)S->col[e] != j) {
        e++;
    }
    return e;
}

/* b := b + a X^T D Y, for rows X and Y of 3 x size and D of 3 x 3. */
static void add_product(unsigned size, double *b, double a, const double *X,
                        const double *D, const double *Y)
{
    for (unsigned i = 0; i < size; i++) {
        for (unsigned j = 0; j < size; j++) {
            for (unsigned k = 0; k < 9; k++) {
                b[i + size * j] += a * X[k % 3 + 3 * i] * D[k] * Y[k / 3 + 3 * j];
            }
        }
    }
}

void blocks_fill_matrix(perp_block_matrix *S, double decades, uint64_t seed)
{
    perp_random g = {seed};
    size_t area = (size_t)S->size * S->size;

    for (size_t i = 0; i < S->blocks; i++) {
        for (unsigned k = 0; k < S->size; k++) {
            S->lower[blocks_entry_of(S, i, i) * area + k * (S->size + 1)] = 1.0;
        }
    }
    for (size_t i = 0; i < S->blocks; i++) {
        for (size_t e = S->ptr[i]; e + 1 < S->ptr[i + 1]; e++) {
            size_t j = (size_t)S->col[e];
            double scale = pow(10.0, perp_random_uniform(&g, -decades, decades));
            double skew = S->upper ? 0.5 * scale : 0.0;
            double J[2][3 * PERP_BLOCK_MOST];
            double D[9] = {scale, skew, 0, -skew, scale, skew, 0, -skew, scale};

            for (unsigned k = 0; k < 6 * S->size; k++) {
                J[k % 2][k / 2] = perp_random_uniform(&g, -1, 1);
            }
            add_product(S->size, S->lower + blocks_entry_of(S, i, i) * area, 1, J[0], D,
                        J[0]);
            add_product(S->size, S->lower + blocks_entry_of(S, j, j) * area, 1, J[1], D,
                        J[1]);
            add_product(S->size, S->lower + e * area, 1, J[0], D, J[1]);
            if (S->upper) {
                add_product(S->size, S->upper + e * area, 1, J[1], D, J[0]);
            }
        }
    }
}

double *blocks_dense(const perp_block_matrix *S)
{
    size_t s = S->size;
    size_t n = S->blocks * s;
    double *A = test_alloc(n * n + 1, sizeof *A);

    for (size_t i = 0; i < S->blocks; i++) {
        for (size_t e = S->ptr[i]; e < S->ptr[i + 1]; e++) {
            size_t j = (size_t)S->col[e];

            for (size_t k = 0; k < s * s; k++) {
                size_t row = i * s + k % s;
                size_t col = j * s + k / s;

                A[row + col * n] = S->lower[e * s * s + k];
                if (i != j) { /* block (j, i) */
                    A[j * s + k % s + (i * s + k / s) * n] =
                        S->upper ? S->upper[e * s * s + k]
                                 : S->lower[e * s * s + k / s + s * (k % s)];
                }
            }
        }
    }
    return A;
}

perp_workspace *blocks_workspace(void)
{
    return test_new_workspace(0);
}

void blocks_discard(perp_workspace *ws)
{
    CU_ASSERT_EQUAL(perp_workspace_bytes(ws), 0);
}

double *blocks_right_side(size_t n, uint64_t seed)
{
    perp_random g = {seed};
    double *b = test_alloc(2 * n + 1, sizeof *b); /* a copy behind it */

    for (size_t i = 0; i < n; i++) {
        b[i] = b[n + i] = perp_random_uniform(&g, -1, 1);
    }
    return b;
}
