/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/factor.c: block factorisations of body graphs, in units of LDL of the same
 * matrix and of a dense factorisation of as many flops, and updates of them. */
#include <config.h>

#include <lapacke.h>
#include <stdio.h>

#include "experiments/bench/measure.h"
#include "libsolvers/linear/block_factor.h"
#include "libsolvers/linear/factor.h"

/* A body graph with its numbers. */
typedef struct body_graph {
    size_t bodies, pairs;
    int32_t (*pair)[2]; /* i > j */
} body_graph;

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);

    if (!memory) {
        exit(2);
    }
    return memory;
}

static void join(body_graph *g, size_t i, size_t j)
{
    g->pair[g->pairs][0] = (int32_t)(i > j ? i : j);
    g->pair[g->pairs++][1] = (int32_t)(i > j ? j : i);
}

/* Boxes in a triangle, each on two of the row below. */
static body_graph pyramid(size_t rows)
{
    body_graph g = {.bodies = rows * (rows + 1) / 2};
    size_t first = 0;

    g.pair = zeroed(2 * g.bodies, sizeof *g.pair);
    for (size_t width = rows; width > 1; width--) {
        for (size_t i = 0; i + 1 < width; i++) {
            join(&g, first + width + i, first + i);
            join(&g, first + width + i, first + i + 1);
        }
        first += width;
    }
    return g;
}

/* Spheres with six neighbours. */
static body_graph lattice(size_t side)
{
    body_graph g = {.bodies = side * side * side};

    g.pair = zeroed(3 * g.bodies, sizeof *g.pair);
    for (size_t i = 0; i < g.bodies; i++) {
        for (size_t step = 1; step < g.bodies; step *= side) {
            if (i / step % side) {
                join(&g, i, i - step);
            }
        }
    }
    return g;
}

static int by_row(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;

    return x[0] != y[0] ? x[0] - y[0] : x[1] - y[1];
}

/* Numbers drawn, dominated by the diagonal; the pattern alone decides the cost. */
static perp_block_matrix make_matrix(body_graph *g)
{
    perp_block_matrix S = {.blocks = g->bodies, .size = 6};
    size_t entries = g->bodies + g->pairs;
    perp_random random = {5};
    size_t e = 0;

    qsort(g->pair, g->pairs, sizeof *g->pair, by_row);
    S.ptr = zeroed(g->bodies + 1, sizeof *S.ptr);
    S.col = zeroed(entries, sizeof *S.col);
    S.lower = zeroed(36 * entries, sizeof *S.lower);
    for (size_t i = 0, k = 0; i < g->bodies; i++) {
        for (; k < g->pairs && (size_t)g->pair[k][0] == i; k++) {
            S.col[e++] = g->pair[k][1];
        }
        S.col[e++] = (int32_t)i;
        S.ptr[i + 1] = e;
    }
    for (size_t k = 0; k < 36 * entries; k++) {
        S.lower[k] = perp_random_uniform(&random, -1.0, 1.0);
    }
    for (size_t i = 0; i < g->bodies; i++) {
        for (size_t k = 0; k < 6; k++) {
            S.lower[36 * (S.ptr[i + 1] - 1) + 7 * k] = 100.0;
        }
    }
    return S;
}

/* The same matrix in CSR; of diagonal blocks the lower triangle. */
static perp_operator *expand(const perp_block_matrix *S)
{
    perp_triplets t;
    perp_operator *A = NULL;
    perp_error err = {0};

    perp_triplets_init(&t, 6 * S->blocks, 6 * S->blocks, 72 * S->ptr[S->blocks]);
    for (size_t i = 0; i < S->blocks; i++) {
        for (size_t e = S->ptr[i]; e < S->ptr[i + 1]; e++) {
            for (size_t k = 0; k < 36; k++) {
                size_t row = 6 * i + k % 6;
                size_t col = 6 * (size_t)S->col[e] + k / 6;

                if (col <= row) {
                    perp_triplets_add(&t, row, col, S->lower[36 * e + k]);
                }
                if (col < row) {
                    perp_triplets_add(&t, col, row, S->lower[36 * e + k]);
                }
            }
        }
    }
    if (perp_triplets_finish(&A, &t, &err) != PERP_OK) {
        give_up("factor", &err);
    }
    perp_triplets_free(&t);
    return A;
}

/* Least seconds of a factorisation and of a solve. */
typedef struct times {
    double factor, solve;
} times;

static times time_blocks(perp_block_factor *f, const perp_block_matrix *S,
                         perp_block_factor_kind kind)
{
    times t = {INFINITY, INFINITY};
    double *x = filled(6 * S->blocks);

    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double begin = work_clock();
        double middle = 0.0;
        bool done = false;

        if (perp_block_factor_matrix(f, S, kind, &done, NULL) != PERP_OK || !done) {
            exit(2);
        }
        middle = work_clock();
        perp_block_factor_solve(f, x);
        t.factor = fmin(t.factor, middle - begin);
        t.solve = fmin(t.solve, work_clock() - middle);
    }
    free(x);
    return t;
}

/* Least seconds of an update of one body, the one in the middle. */
static double time_update(perp_block_factor *f, const perp_block_matrix *S)
{
    bool *changed = zeroed(S->blocks, sizeof *changed);
    double best = INFINITY;

    changed[S->blocks / 2] = true;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double begin = work_clock();
        bool done = false;

        if (perp_block_factor_update(f, S, PERP_BLOCK_LDU, changed, &done, NULL) !=
                PERP_OK ||
            !done) {
            exit(2);
        }
        best = fmin(best, work_clock() - begin);
    }
    free(changed);
    return best;
}

/* Least seconds of the busier of two threads in a factorisation, and of all in *work. */
static double time_team(perp_block_factor *f, const perp_block_matrix *S, double *work)
{
    double best = INFINITY;

    *work = INFINITY;
    if (perp_block_factor_threads(f, 2, NULL) != PERP_OK) {
        exit(2);
    }
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double own = work_clock(), all = all_clock();
        bool done = false;

        if (perp_block_factor_matrix(f, S, PERP_BLOCK_CHOLESKY, &done, NULL) != PERP_OK ||
            !done) {
            exit(2);
        }
        own = work_clock() - own;
        all = all_clock() - all;
        best = fmin(best, fmax(own, all - own));
        *work = fmin(*work, all);
    }
    return best;
}

static times time_ldl(const perp_operator *A, perp_workspace *ws)
{
    times t = {INFINITY, INFINITY};
    perp_factor *f = NULL;
    perp_error err = {0};
    double *x = filled(perp_operator_rows(A));

    if (perp_factor_new(&f, A, PERP_FACTOR_CHOLESKY, ws, &err) != PERP_OK) {
        give_up("factor", &err);
    }
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double begin = work_clock();
        double middle = 0.0;
        bool done = false;

        if (perp_factor_matrix(f, A, &done, NULL) != PERP_OK || !done) {
            exit(2);
        }
        middle = work_clock();
        perp_factor_solve(f, x);
        t.factor = fmin(t.factor, middle - begin);
        t.solve = fmin(t.solve, work_clock() - middle);
    }
    perp_factor_close(f);
    free(x);
    return t;
}

/* A dense Cholesky factorisation of as many flops. */
static double time_dense(double flops)
{
    size_t n = (size_t)ceil(cbrt(3.0 * flops));
    double *A = filled(n * n);
    double *L = filled(n * n);
    double best = INFINITY;

    for (size_t i = 0; i < n; i++) {
        A[i + i * n] += 2.0 * (double)n;
    }
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double begin = 0.0;

        memcpy(L, A, n * n * sizeof *A);
        begin = work_clock();
        if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (int)n, L, (int)n) != 0) {
            exit(2);
        }
        best = fmin(best, work_clock() - begin);
    }
    free(A);
    free(L);
    return best;
}

/* Bounds: of Cholesky in dense factorisations, and of it and a solve in those of LDL. */
static void bench_graph(const char *name, body_graph g, double dense, double factor,
                        double solve)
{
    perp_block_matrix S = make_matrix(&g);
    perp_operator *A = expand(&S);
    perp_workspace *ws = NULL;
    perp_block_factor *f = NULL;
    perp_error err = {0};
    char what[128];
    times cholesky, ldu, ldl;
    double flops = 0.0;
    double update = 0.0;

    if (perp_workspace_new(&ws, 0, &err) != PERP_OK ||
        perp_block_factor_new(&f, &S, ws, &err) != PERP_OK) {
        give_up("factor", &err);
    }
    flops = perp_block_factor_flops(f, PERP_BLOCK_CHOLESKY);
    cholesky = time_blocks(f, &S, PERP_BLOCK_CHOLESKY);
    ldu = time_blocks(f, &S, PERP_BLOCK_LDU);
    update = time_update(f, &S);
    ldl = time_ldl(A, ws);
    snprintf(what, sizeof what, "%s: cholesky / dpotrf", name);
    report(what, cholesky.factor, time_dense(flops), dense);
    printf("    %zu bodies, %.1f GF/s, %.3g numbers in L\n", g.bodies,
           1e-9 * flops / cholesky.factor,
           perp_block_factor_fill(f, PERP_BLOCK_CHOLESKY));
    snprintf(what, sizeof what, "%s: cholesky / ldl", name);
    report(what, cholesky.factor, ldl.factor, factor);
    snprintf(what, sizeof what, "%s: solve / ldl solve", name);
    report(what, cholesky.solve, ldl.solve, solve);
    snprintf(what, sizeof what, "%s: ldu / cholesky", name);
    report(what, ldu.factor, cholesky.factor, 2.2);
    snprintf(what, sizeof what, "%s: update of a body / ldu", name);
    report(what, update, ldu.factor, 0.95);
    if (flops > 1e8) { /* smaller ones are not shared */
        double work = 0.0, busiest = time_team(f, &S, &work);

        snprintf(what, sizeof what, "%s: cholesky, busier of 2 threads / 1", name);
        report(what, busiest, cholesky.factor, 1.0 / 1.5);
        printf("    %.2f of the work\n", work / cholesky.factor);
    }
    perp_block_factor_close(f);
    perp_workspace_free(ws);
    perp_operator_free(A);
    free(S.ptr);
    free(S.col);
    free(S.lower);
    free(g.pair);
}

void bench_factor(void)
{
    bench_graph("pyramid of 105", pyramid(14), 3.0, 0.3, 0.6);
    bench_graph("pyramid of 990", pyramid(44), 2.0, 0.2, 0.6);
    bench_graph("pyramid of 5050", pyramid(100), 2.0, 0.15, 0.6);
    bench_graph("lattice of 1000", lattice(10), 2.0, 0.15, 0.6);
    bench_graph("lattice of 2744", lattice(14), 2.5, 0.15, 0.6);
}
