/* SPDX-License-Identifier: Apache-2.0
 * tests/linear/block_factor.c: block factorisations solve what LAPACK solves, on any graph, and
 * name the block that cannot be eliminated. */
#include <config.h>

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linear/block_factor.h"
#include "scarce.h"

enum { most_blocks = 64, most_edges = 4800 };

static const perp_block_factor_kind kinds[] = {PERP_BLOCK_CHOLESKY, PERP_BLOCK_LDU};
static perp_block_factor_way way = PERP_BLOCK_BY_COLUMNS; /* of all factors */

/* Pairs of touching blocks, i > j. */
typedef struct graph {
    const char *name;
    size_t blocks, edges;
    int32_t pair[most_edges][2];
} graph;

static void add_edge(graph *g, size_t i, size_t j)
{
    CU_ASSERT_FATAL(g->edges < most_edges);
    g->pair[g->edges][0] = (int32_t)(i > j ? i : j);
    g->pair[g->edges++][1] = (int32_t)(i > j ? j : i);
}

static graph chain(size_t n)
{
    graph g = {.name = "chain", .blocks = n};

    for (size_t i = 1; i < n; i++) {
        add_edge(&g, i, i - 1);
    }
    return g;
}

static graph star(size_t n)
{
    graph g = {.name = "star", .blocks = n};

    for (size_t i = 0; i < n; i++) {
        if (i != n / 2) {
            add_edge(&g, i, n / 2);
        }
    }
    return g;
}

static graph grid(size_t rows, size_t columns)
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

static graph lattice(size_t side)
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

/* Rings of three blocks, and blocks that touch nothing. */
static graph islands(void)
{
    graph g = {.name = "islands", .blocks = 20};

    for (size_t i = 0; i + 2 < 16; i += 4) {
        add_edge(&g, i + 1, i);
        add_edge(&g, i + 2, i);
        add_edge(&g, i + 2, i + 1);
    }
    return g;
}

static graph drawn(size_t n, double share, uint64_t seed)
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

static size_t all_graphs(graph *g)
{
    g[0] = chain(17);
    g[1] = star(15);
    g[2] = grid(6, 6);
    g[3] = islands();
    g[4] = chain(1);
    g[5] = chain(0);
    g[6] = drawn(40, 0.1, 5);
    g[7] = drawn(12, 0.7, 6);
    g[8] = lattice(4);
    return 9;
}

static int by_column(const void *a, const void *b)
{
    return *(const int32_t *)a - *(const int32_t *)b;
}

/* The pattern of a graph, all numbers 0. */
static perp_block_matrix pattern(const graph *g, unsigned size, bool unsymmetric)
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

static void discard_matrix(perp_block_matrix *S)
{
    free(S->ptr);
    free(S->col);
    free(S->lower);
    free(S->upper);
}

static size_t entry_of(const perp_block_matrix *S, size_t i, size_t j)
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

/* S = I + sum over the edges of (J_i, J_j)^T D (J_i, J_j), rows J drawn, D diagonal and
 * log-uniform over `decades` to both sides of 1, plus half of that skew where S is
 * unsymmetric. */
static void fill_matrix(perp_block_matrix *S, double decades, uint64_t seed)
{
    perp_random g = {seed};
    size_t area = (size_t)S->size * S->size;

    for (size_t i = 0; i < S->blocks; i++) {
        for (unsigned k = 0; k < S->size; k++) {
            S->lower[entry_of(S, i, i) * area + k * (S->size + 1)] = 1.0;
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
            add_product(S->size, S->lower + entry_of(S, i, i) * area, 1, J[0], D, J[0]);
            add_product(S->size, S->lower + entry_of(S, j, j) * area, 1, J[1], D, J[1]);
            add_product(S->size, S->lower + e * area, 1, J[0], D, J[1]);
            if (S->upper) {
                add_product(S->size, S->upper + e * area, 1, J[1], D, J[0]);
            }
        }
    }
}

/* The dense matrix, column-major. */
static double *dense(const perp_block_matrix *S)
{
    size_t s = S->size;
    size_t n = S->blocks * s;
    double *A = calloc(n * n + 1, sizeof *A);

    CU_ASSERT_PTR_NOT_NULL_FATAL(A);
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

static perp_workspace *workspace(void)
{
    perp_workspace *ws = NULL;

    CU_ASSERT_EQUAL_FATAL(perp_workspace_new(&ws, 0, NULL), PERP_OK);
    return ws;
}

/* All that was charged must have been discharged. */
static void discard(perp_workspace *ws)
{
    CU_ASSERT_EQUAL(perp_workspace_bytes(ws), 0);
    perp_workspace_free(ws);
}

/* Factor S and solve for x; whether the factorisation was done. */
static bool factor_and_solve(const perp_block_matrix *S, perp_block_factor_kind kind,
                             double *x)
{
    perp_workspace *ws = workspace();
    perp_block_factor *f = NULL;
    bool done = false;

    CU_ASSERT_EQUAL_FATAL(perp_block_factor_new_by(&f, S, way, ws, NULL), PERP_OK);
    CU_ASSERT_EQUAL(perp_block_factor_matrix(f, S, kind, &done, NULL), PERP_OK);
    CU_ASSERT((double)perp_workspace_bytes(ws) >=
              sizeof(double) * perp_block_factor_fill(f, kind));
    CU_ASSERT_EQUAL(done, perp_block_factor_failed(f) == SIZE_MAX);
    if (done) {
        perp_block_factor_solve(f, x);
    }
    perp_block_factor_close(f);
    discard(ws);
    return done;
}

static double *right_side(size_t n, uint64_t seed)
{
    perp_random g = {seed};
    double *b = calloc(2 * n + 1, sizeof *b); /* a copy behind it */

    CU_ASSERT_PTR_NOT_NULL_FATAL(b);
    for (size_t i = 0; i < n; i++) {
        b[i] = b[n + i] = perp_random_uniform(&g, -1, 1);
    }
    return b;
}

/* The error of the dense solution is the one of the reference; 1 is n eps. */
static void check_matrix(const perp_block_matrix *S, perp_block_factor_kind kind)
{
    size_t n = S->blocks * S->size;
    double *A = dense(S);
    double *x = right_side(n, 3);

    CU_ASSERT(factor_and_solve(S, kind, x));
    CU_ASSERT(n == 0 ||
              solve_error(A, n, x, x + n) <= (kind == PERP_BLOCK_CHOLESKY ? 1.0 : 20.0));
    free(A);
    free(x);
}

static void every_graph_is_solved_in_both_kinds_and_sizes(void)
{
    graph g[9];
    size_t count = all_graphs(g);

    for (size_t k = 0; k < count; k++) {
        test_note("%s of %zu blocks", g[k].name, g[k].blocks);
        for (unsigned size = 3; size <= 6; size += 3) {
            for (int unsymmetric = 0; unsymmetric < 2; unsymmetric++) {
                for (double decades = 0.0; decades <= 12.0; decades += 6.0) {
                    perp_block_matrix S = pattern(&g[k], size, unsymmetric);

                    fill_matrix(&S, decades, k + 11);
                    check_matrix(&S, PERP_BLOCK_LDU);
                    if (!unsymmetric) {
                        check_matrix(&S, PERP_BLOCK_CHOLESKY);
                    }
                    discard_matrix(&S);
                }
            }
        }
    }
}

/* Condition at most some 1e3 without decades: both answers err by some 1e3 n eps = 5e-11. */
static void answers_are_those_of_dense_lapack(void)
{
    for (unsigned size = 3; size <= 6; size += 3) {
        for (int unsymmetric = 0; unsymmetric < 2; unsymmetric++) {
            graph g = grid(6, 6);
            perp_block_matrix S = pattern(&g, size, unsymmetric);
            size_t n = S.blocks * size;
            double *A = NULL;
            double *x = right_side(n, 4);
            double *y = right_side(n, 4);
            lapack_int rows[PERP_BLOCK_MOST * most_blocks];
            double worst = 0.0;

            fill_matrix(&S, 0.0, 21);
            A = dense(&S);
            CU_ASSERT(factor_and_solve(
                &S, unsymmetric ? PERP_BLOCK_LDU : PERP_BLOCK_CHOLESKY, x));
            CU_ASSERT_EQUAL(LAPACKE_dgesv(LAPACK_COL_MAJOR, (lapack_int)n, 1, A,
                                          (lapack_int)n, rows, y, (lapack_int)n),
                            0);
            for (size_t i = 0; i < n; i++) {
                worst = fmax(worst, fabs(x[i] - y[i]));
            }
            CU_ASSERT(worst <= 5e-11);
            free(A);
            free(x);
            free(y);
            discard_matrix(&S);
        }
    }
}

/* Of the diagonal blocks Cholesky reads the lower triangle only. */
static void cholesky_reads_lower_triangles_alone(void)
{
    graph g = grid(4, 5);
    perp_block_matrix S = pattern(&g, 6, false);
    double *x = right_side(120, 5);
    double *y = right_side(120, 5);

    fill_matrix(&S, 3.0, 31);
    CU_ASSERT(factor_and_solve(&S, PERP_BLOCK_CHOLESKY, x));
    for (size_t i = 0; i < S.blocks; i++) {
        double *D = S.lower + entry_of(&S, i, i) * 36;

        for (unsigned k = 0; k < 36; k++) {
            D[k] = k % 6 < k / 6 ? NAN : D[k];
        }
    }
    CU_ASSERT(factor_and_solve(&S, PERP_BLOCK_CHOLESKY, y));
    CU_ASSERT_EQUAL(memcmp(x, y, 120 * sizeof *x), 0);
    free(x);
    free(y);
    discard_matrix(&S);
}

/* Numbers that are 0 belong to the pattern: other numbers there are solved without a new
 * analysis, and the result has the bits of a new one. */
static void zeros_stay_in_the_pattern(void)
{
    graph g = drawn(40, 0.1, 8);
    perp_block_matrix S = pattern(&g, 6, true);
    perp_workspace *ws = workspace();
    perp_block_factor *f = NULL;
    size_t numbers = S.ptr[S.blocks] * 36;
    double *x = right_side(240, 6);
    double *y = right_side(240, 6);
    bool done = false;

    for (size_t i = 0; i < S.blocks; i++) { /* nothing but identity blocks */
        for (unsigned k = 0; k < 6; k++) {
            S.lower[entry_of(&S, i, i) * 36 + 7 * (size_t)k] = 2.0;
        }
    }
    CU_ASSERT_EQUAL_FATAL(perp_block_factor_new_by(&f, &S, way, ws, NULL), PERP_OK);
    for (size_t k = 0; k < 2; k++) {
        CU_ASSERT_EQUAL(perp_block_factor_matrix(f, &S, kinds[k], &done, NULL), PERP_OK);
        CU_ASSERT(done);
        perp_block_factor_solve(f, x);
        for (size_t i = 0; i < 240; i++) {
            CU_ASSERT_DOUBLE_EQUAL(x[i], 0.5 * x[240 + i], DBL_EPSILON);
            x[i] = x[240 + i];
        }
    }
    memset(S.lower, 0, numbers * sizeof *S.lower);
    memset(S.upper, 0, numbers * sizeof *S.upper);
    fill_matrix(&S, 2.0, 41);
    CU_ASSERT_EQUAL(perp_block_factor_matrix(f, &S, PERP_BLOCK_LDU, &done, NULL),
                    PERP_OK);
    CU_ASSERT(done);
    perp_block_factor_solve(f, x);
    CU_ASSERT(factor_and_solve(&S, PERP_BLOCK_LDU, y));
    CU_ASSERT_EQUAL(memcmp(x, y, 240 * sizeof *x), 0);
    perp_block_factor_close(f);
    discard(ws);
    free(x);
    free(y);
    discard_matrix(&S);
}

/* Diagonal blocks that need exchanges of rows: the identity with its columns in turn, of which
 * half the diagonal is 0. */
static void ldu_exchanges_rows_within_blocks(void)
{
    graph g = chain(9);
    perp_block_matrix S = pattern(&g, 6, true);
    double *x = right_side(54, 7);
    double *A = NULL;
    double worst = 0.0;

    for (size_t e = 0; e < S.ptr[S.blocks]; e++) {
        for (size_t k = 0; k < 36; k++) {
            S.lower[e * 36 + k] = (k % 6 + 1) % 6 == k / 6 ? 1.0 : 0.0;
            S.upper[e * 36 + k] = 0.25 * S.lower[e * 36 + k];
        }
    }
    A = dense(&S);
    CU_ASSERT(factor_and_solve(&S, PERP_BLOCK_LDU, x));
    for (size_t i = 0; i < 54; i++) {
        double r = -x[54 + i];

        for (size_t j = 0; j < 54; j++) {
            r += A[i + j * 54] * x[j];
        }
        worst = fmax(worst, fabs(r));
    }
    CU_ASSERT(worst <= 1e-13); /* numbers of some 10, nine steps */
    free(A);
    free(x);
    discard_matrix(&S);
}

/* A chain makes no fill: one block below each but the last. */
static void costs_of_a_chain_are_those_worked_by_hand(void)
{
    graph g = chain(10);
    perp_block_matrix S = pattern(&g, 3, false);
    perp_workspace *ws = workspace();
    perp_block_factor *f = NULL;

    CU_ASSERT_EQUAL_FATAL(perp_block_factor_new_by(&f, &S, way, ws, NULL), PERP_OK);
    CU_ASSERT_EQUAL(perp_block_factor_fill(f, PERP_BLOCK_CHOLESKY), 10 * 6 + 9 * 9);
    CU_ASSERT_EQUAL(perp_block_factor_fill(f, PERP_BLOCK_LDU), 10 * 9 + 2 * 9 * 9);
    CU_ASSERT_DOUBLE_EQUAL(perp_block_factor_flops(f, PERP_BLOCK_CHOLESKY),
                           27 * (9 * (1 + 1 + 1.0 / 3) + 1.0 / 3), 1e-9);
    CU_ASSERT_EQUAL(perp_block_factor_flops(f, PERP_BLOCK_LDU),
                    2 * perp_block_factor_flops(f, PERP_BLOCK_CHOLESKY));
    perp_block_factor_close(f);
    discard(ws);
    discard_matrix(&S);
}

/* The block that fails, or SIZE_MAX. Then S with `number` made good is factored by the same
 * object: a failure leaves nothing behind. */
static size_t failed_block(perp_block_matrix *S, perp_block_factor_kind kind,
                           double *number, double good)
{
    perp_workspace *ws = workspace();
    perp_block_factor *f = NULL;
    size_t failed = 0;
    double bad = *number;
    bool done = true;

    CU_ASSERT_EQUAL_FATAL(perp_block_factor_new_by(&f, S, way, ws, NULL), PERP_OK);
    CU_ASSERT_EQUAL(perp_block_factor_failed(f), SIZE_MAX);
    CU_ASSERT_EQUAL(perp_block_factor_matrix(f, S, kind, &done, NULL), PERP_OK);
    failed = perp_block_factor_failed(f);
    CU_ASSERT_EQUAL(done, failed == SIZE_MAX);
    *number = good;
    CU_ASSERT_EQUAL(perp_block_factor_matrix(f, S, kind, &done, NULL), PERP_OK);
    CU_ASSERT(done);
    CU_ASSERT_EQUAL(perp_block_factor_failed(f), SIZE_MAX);
    *number = bad;
    perp_block_factor_close(f);
    discard(ws);
    return failed;
}

static void an_indefinite_block_is_named(void)
{
    for (size_t i = 0; i < 9; i++) {
        graph g = chain(9);
        perp_block_matrix S = pattern(&g, 6, false);
        double *corner = S.lower + entry_of(&S, i, i) * 36 + 35;
        double good = 0.0;

        fill_matrix(&S, 0.0, 51);
        good = *corner;
        *corner = -1000.0;
        CU_ASSERT_EQUAL(failed_block(&S, PERP_BLOCK_CHOLESKY, corner, good), i);
        CU_ASSERT_EQUAL(failed_block(&S, PERP_BLOCK_LDU, corner, good), SIZE_MAX);
        discard_matrix(&S);
    }
}

/* Without mass two blocks and what joins them have rank 3. */
static void singular_matrices_are_not_factored(void)
{
    for (size_t k = 0; k < 2; k++) {
        graph g = chain(2);
        perp_block_matrix S = pattern(&g, 6, false);
        size_t failed = 0;
        double zero[36 * 3] = {0};

        CU_ASSERT_FALSE(factor_and_solve(&S, kinds[k], zero)); /* S = 0 */
        fill_matrix(&S, 0.0, 61);
        for (size_t i = 0; i < 2; i++) {
            for (size_t j = 0; j < 6; j++) {
                S.lower[entry_of(&S, i, i) * 36 + 7 * j] -= 1.0;
            }
        }
        CU_ASSERT_FALSE(factor_and_solve(&S, kinds[k], zero));
        discard_matrix(&S);
        S = pattern(&g, 6, false);
        fill_matrix(&S, 0.0, 61);
        for (size_t j = 0; j < 6; j++) {
            S.lower[entry_of(&S, 1, 1) * 36 + 6 * j + 2] = 0.0;
            S.lower[entry_of(&S, 1, 1) * 36 + 12 + j] = 0.0;
            S.lower[entry_of(&S, 1, 0) * 36 + 6 * j + 2] = 0.0;
        }
        failed = failed_block(&S, kinds[k], &S.lower[entry_of(&S, 1, 1) * 36 + 14], 1.0);
        CU_ASSERT_EQUAL(failed, 1); /* its third row is 0 */
        discard_matrix(&S);
    }
}

/* NaN or infinity in any entry: on the diagonal, below it, and above it for LDU. */
static void numbers_that_are_not_finite_are_found(void)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    graph g = grid(3, 4);
    perp_block_matrix S = pattern(&g, 3, true);

    fill_matrix(&S, 0.0, 71);
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
    discard_matrix(&S);
}

static void the_same_numbers_give_the_same_bits(void)
{
    graph g = drawn(40, 0.1, 9);

    for (size_t k = 0; k < 2; k++) {
        perp_block_matrix S = pattern(&g, 6, k == 1);
        double *x = right_side(240, 8);
        double *y = right_side(240, 8);

        fill_matrix(&S, 8.0, 81);
        CU_ASSERT(factor_and_solve(&S, kinds[k], x));
        CU_ASSERT(factor_and_solve(&S, kinds[k], y));
        CU_ASSERT_EQUAL(memcmp(x, y, 240 * sizeof *x), 0);
        free(x);
        free(y);
        discard_matrix(&S);
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
        discard(ws);
    }
    return status;
}

static void every_failed_allocation_is_reported(void)
{
    graph g = grid(4, 5);
    perp_block_matrix S = pattern(&g, 6, false);

    fill_matrix(&S, 0.0, 91);
    scarce_everywhere(factor_both, &S, "a block factorisation");
    discard_matrix(&S);
}

/* Refused at the analysis, at the first numbers, or not at all. */
static void the_memory_limit_holds_for_factors(void)
{
    graph g = grid(6, 6);
    perp_block_matrix S = pattern(&g, 6, false);
    size_t refused = 0;
    bool done = false;

    fill_matrix(&S, 0.0, 95);
    for (size_t limit = 1000; !done; limit *= 2) {
        perp_workspace *ws = NULL;
        perp_block_factor *f = NULL;
        perp_error err = {0};
        perp_status status = PERP_OK;

        CU_ASSERT_EQUAL_FATAL(perp_workspace_new(&ws, limit, NULL), PERP_OK);
        status = perp_block_factor_new_by(&f, &S, way, ws, &err);
        if (status == PERP_OK) {
            status = perp_block_factor_matrix(f, &S, PERP_BLOCK_CHOLESKY, &done, &err);
        }
        refused += status == PERP_ERR_MEMORY;
        CU_ASSERT(status == PERP_OK || strstr(err.text, "allowed"));
        perp_block_factor_close(f);
        discard(ws);
    }
    CU_ASSERT(refused >= 2);
    discard_matrix(&S);
}

/* Dense panels solve and refuse the same. */
static void supernodes_do_the_same(void)
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

/* 12^3 blocks need more than 1e9 flops, whatever their order: nested dissection is tried, and
 * supernodes are the choice. S has a condition of some 100, so that x errs by some 100 eps in
 * its numbers of size 1. */
static void a_large_lattice_has_the_same_answer_both_ways(void)
{
    graph *g = malloc(sizeof *g);
    perp_block_matrix S;
    size_t n = 1728 * 6;
    double *x[3] = {right_side(n, 9), right_side(n, 9), right_side(n, 9)};
    double flops[3];
    double worst = 0.0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    *g = lattice(12);
    S = pattern(g, 6, false);
    fill_matrix(&S, 0.0, 101);
    for (int k = 0; k < 3; k++) {
        perp_workspace *ws = workspace();
        perp_block_factor *f = NULL;
        bool done = false;

        CU_ASSERT_EQUAL_FATAL(
            k == 0 ? perp_block_factor_new_by(&f, &S, PERP_BLOCK_BY_COLUMNS, ws, NULL)
                   : perp_block_factor_new(&f, &S, ws, NULL),
            PERP_OK);
        flops[k] = perp_block_factor_flops(f, PERP_BLOCK_CHOLESKY);
        CU_ASSERT_EQUAL(perp_block_factor_matrix(f, &S, kinds[0], &done, NULL), PERP_OK);
        CU_ASSERT(done);
        perp_block_factor_solve(f, x[k]);
        perp_block_factor_close(f);
        discard(ws);
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
    discard_matrix(&S);
    free(g);
}

static graph lattices(size_t count, size_t side)
{
    graph one = lattice(side);
    graph g = {.name = "lattices", .blocks = count * one.blocks};

    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < one.edges; k++) {
            add_edge(&g, i * one.blocks + (size_t)one.pair[k][0],
                     i * one.blocks + (size_t)one.pair[k][1]);
        }
    }
    return g;
}

/* Factor and solve by so many threads; the block that failed, or SIZE_MAX. */
static size_t solve_in_threads(const perp_block_matrix *S, perp_block_factor_kind kind,
                               size_t threads, double *x)
{
    perp_workspace *ws = workspace();
    perp_block_factor *f = NULL;
    size_t failed = SIZE_MAX;
    bool done = false;

    CU_ASSERT_EQUAL_FATAL(perp_block_factor_new_by(&f, S, way, ws, NULL), PERP_OK);
    CU_ASSERT(perp_block_factor_flops(f, kind) > 2e6); /* else one thread does it all */
    CU_ASSERT_EQUAL_FATAL(perp_block_factor_threads(f, threads, NULL), PERP_OK);
    for (size_t repeat = 0; repeat < 3; repeat++) {
        CU_ASSERT_EQUAL(perp_block_factor_matrix(f, S, kind, &done, NULL), PERP_OK);
        failed = perp_block_factor_failed(f);
        CU_ASSERT_EQUAL(done, failed == SIZE_MAX);
    }
    if (done) {
        perp_block_factor_solve(f, x);
    }
    perp_block_factor_close(f);
    discard(ws);
    return failed;
}

/* One lattice, whose tree is cut, and islands; then the same with two blocks that fail, of
 * which the first one eliminated is named. */
static void check_threads(const graph *g)
{
    perp_block_matrix S = pattern(g, 6, false);
    size_t n = S.blocks * 6;

    fill_matrix(&S, 2.0, 111);
    for (size_t k = 0; k < 2; k++) {
        double *x = right_side(n, 12);

        CU_ASSERT_EQUAL(solve_in_threads(&S, kinds[k], 1, x), SIZE_MAX);
        for (size_t threads = 2; threads <= 5; threads++) {
            double *y = right_side(n, 12);

            CU_ASSERT_EQUAL(solve_in_threads(&S, kinds[k], threads, y), SIZE_MAX);
            CU_ASSERT_EQUAL(memcmp(x, y, n * sizeof *x), 0);
            free(y);
        }
        free(x);
    }
    S.lower[entry_of(&S, 7, 7) * 36] = NAN;
    S.lower[entry_of(&S, S.blocks / 2, S.blocks / 2) * 36] = NAN;
    for (size_t k = 0; k < 2; k++) {
        size_t failed = solve_in_threads(&S, kinds[k], 1, NULL);

        CU_ASSERT(failed < S.blocks);
        for (size_t threads = 2; threads <= 4; threads++) {
            CU_ASSERT_EQUAL(solve_in_threads(&S, kinds[k], threads, NULL), failed);
        }
    }
    discard_matrix(&S);
}

static void any_number_of_threads_gives_the_same_bits(void)
{
    graph *g = malloc(sizeof *g);

    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    for (size_t k = 0; k < 2; k++) {
        way = k == 0 ? PERP_BLOCK_BY_COLUMNS : PERP_BLOCK_BY_SUPERNODES;
        *g = lattice(7);
        check_threads(g);
        *g = lattices(12, 4);
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
        discard(ws);
    }
    return status;
}

static void threads_report_failed_allocations(void)
{
    graph *g = malloc(sizeof *g);
    perp_block_matrix S;

    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    *g = lattice(5);
    S = pattern(g, 6, false);
    fill_matrix(&S, 0.0, 121);
    for (size_t k = 0; k < 2; k++) {
        way = k == 0 ? PERP_BLOCK_BY_COLUMNS : PERP_BLOCK_BY_SUPERNODES;
        scarce_everywhere(factor_in_threads, &S, "a block factorisation in threads");
    }
    way = PERP_BLOCK_BY_COLUMNS;
    discard_matrix(&S);
    free(g);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(every_graph_is_solved_in_both_kinds_and_sizes),
        TEST(answers_are_those_of_dense_lapack),
        TEST(cholesky_reads_lower_triangles_alone),
        TEST(zeros_stay_in_the_pattern),
        TEST(ldu_exchanges_rows_within_blocks),
        TEST(costs_of_a_chain_are_those_worked_by_hand),
        TEST(an_indefinite_block_is_named),
        TEST(singular_matrices_are_not_factored),
        TEST(numbers_that_are_not_finite_are_found),
        TEST(the_same_numbers_give_the_same_bits),
        TEST(every_failed_allocation_is_reported),
        TEST(the_memory_limit_holds_for_factors),
        TEST(supernodes_do_the_same),
        TEST(a_large_lattice_has_the_same_answer_both_ways),
        TEST(any_number_of_threads_gives_the_same_bits),
        TEST(threads_report_failed_allocations),
        TEST_END,
    };

    return test_run(argc, argv, "block_factor", cases);
}
