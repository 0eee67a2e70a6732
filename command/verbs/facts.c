/* SPDX-License-Identifier: Apache-2.0
 * verbs/facts.c: the numbers of an instance: blocks, entries, pattern, symmetry, spectrum. */
#include <config.h>

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/verbs/facts.h"

static void facts_widen(double range[2], double x)
{
    range[0] = fmin(range[0], x); /* fmin passes over NaN */
    range[1] = fmax(range[1], x);
}

/* A row while its entries are visited. */
typedef struct facts_row {
    facts *f;
    size_t row, rows;
    double diagonal, rest;
} facts_row;

static void facts_entry(void *context, size_t j, double a)
{
    facts_row *r = context;
    facts *f = r->f;
    size_t i = r->row, away = i > j ? i - j : j - i;

    if (a == 0.0) {
        return;
    }
    f->nonzeros++;
    f->bandwidth = away > f->bandwidth ? away : f->bandwidth;
    f->lower = f->lower && j <= i;
    f->upper = f->upper && j >= i;
    facts_widen(f->entries, fabs(a));
    f->dot[i * f->dots / r->rows * f->dots + j * f->dots / r->rows] = 1;
    if (i == j) {
        r->diagonal = a;
    } else {
        r->rest += fabs(a);
    }
}

static void facts_entries(facts *f, const perp_problem *p)
{
    facts_row r = {.f = f, .rows = p->n};

    f->dots = p->n < FACTS_DOTS ? p->n : FACTS_DOTS;
    f->lower = f->upper = true;
    for (r.row = 0; r.row < p->n; r.row++) {
        r.diagonal = r.rest = 0.0;
        perp_operator_row_visit(p->A, r.row, facts_entry, &r);
        facts_widen(f->diagonal, r.diagonal);
        f->undominated += !(r.diagonal > r.rest * (1.0 + (double)p->n * DBL_EPSILON));
        if (p->b[r.row] != 0.0) {
            facts_widen(f->b, fabs(p->b[r.row]));
        }
        if (!(r.diagonal > 0.0) && f->p == FACTS_P_NOT_KNOWN) {
            f->p = FACTS_NOT_P_DIAGONAL;
            f->row = r.row;
        }
    }
}

static void facts_blocks(facts *f, const perp_problem *p)
{
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *b = &p->set->blocks[k];

        if (b->kind & (PERP_SET_CONE | PERP_SET_ROLLING | PERP_SET_FRICTION)) {
            facts_widen(f->mu, b->mu);
        }
        for (size_t bit = 0; bit < 8; bit++) {
            f->blocks[bit] += b->kind == 1u << bit;
        }
    }
}

/* The rank counts singular values above 1e-10 of the largest, as published tables do. */
static perp_status facts_rank(facts *f, perp_error *err)
{
    const perp_problem *p = f->in->problem;
    perp_status status = spectrum_of(p, f->limit, &f->spectrum, &f->ranked, err);

    f->ranked = f->ranked && status == PERP_OK && p->n > 0;
    f->condition = NAN;
    if (f->ranked) {
        const double *sigma = f->spectrum.sigma;

        while (f->rank < p->n && sigma[f->rank] > 1e-10 * sigma[0]) {
            f->rank++;
        }
        f->condition = f->rank ? sigma[0] / sigma[f->rank - 1] : NAN;
    }
    return status;
}

/* S - c I is factored, c = 2 (n + 1) eps trace(S): where this succeeds, S is positive definite
 * whatever was rounded. `x` is overwritten. */
static bool facts_cholesky(double *x, size_t n)
{
    double trace = 0.0, shift = 0.0;

    for (size_t i = 0; i < n; i++) {
        trace += x[i + i * n];
    }
    shift = 2.0 * (double)(n + 1) * DBL_EPSILON * trace;
    for (size_t i = 0; i < n; i++) {
        x[i + i * n] -= shift;
    }
    return trace > 0.0 &&
           LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (lapack_int)n, x, (lapack_int)n) == 0;
}

/* S by columns, from a dense A. */
static void facts_symmetric(const perp_operator *A, double *x)
{
    const perp_arrays a = perp_operator_arrays(A);
    const size_t n = a.rows;

    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++) {
            x[i + j * n] = 0.5 * a.x[i + j * a.ld] + 0.5 * a.x[j + i * a.ld];
        }
    }
}

static perp_status facts_eigenvalues(facts *f, double *x, size_t n, perp_error *err)
{
    double *lambda = take_reals(n + 1);
    lapack_int info = 0;
    double size = 0.0;

    info = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'N', 'L', (lapack_int)n, x, (lapack_int)n,
                          lambda);
    if (info == 0) {
        size = fmax(fabs(lambda[0]), fabs(lambda[n - 1]));
        f->eigenvalue = lambda[0];
        f->definite = lambda[0] < -(double)n * DBL_EPSILON * size ? FACTS_INDEFINITE
                                                                  : FACTS_SEMIDEFINITE;
    }
    free(lambda);
    if (info == LAPACK_WORK_MEMORY_ERROR) {
        take_missing(0);
    }
    return info == 0
               ? PERP_OK
               : perp_fail(err, PERP_ERR_LIBRARY,
                           "dsyevd: the eigenvalues of %zu rows do not converge", n);
}

/* [tsatsomeros-li-2000]: A is a P-matrix if and only if a_11 > 0 and both the rest of A and
 * its Schur complement are. */
double facts_least_pivot(const double *x, size_t n, double least)
{
    double rest[2][FACTS_MINOR_ROWS * FACTS_MINOR_ROWS];
    size_t m = n - 1;
    double pivot = x[0];

    if (m == 0 || !(pivot > least)) {
        return pivot;
    }
    for (size_t j = 0; j < m; j++) {
        for (size_t i = 0; i < m; i++) {
            double a = x[i + 1 + (j + 1) * n];

            rest[0][i + j * m] = a;
            rest[1][i + j * m] = a - x[i + 1] * x[(j + 1) * n] / x[0];
        }
    }
    for (size_t k = 0; k < 2 && pivot > least; k++) {
        pivot = fmin(pivot, facts_least_pivot(rest[k], m, least));
    }
    return pivot;
}

/* Of a dense A of few rows; a pivot that rounding may have made is not decided. */
static facts_p facts_minors(const facts *f, const perp_operator *dense, double *x)
{
    const perp_arrays a = perp_operator_arrays(dense);
    size_t n = f->in->problem->n;
    double least = 1e-10 * f->entries[1], pivot = 0.0;

    for (size_t j = 0; j < n; j++) {
        memcpy(x + j * n, a.x + j * a.ld, n * sizeof *x);
    }
    pivot = facts_least_pivot(x, n, least);
    return pivot > least    ? FACTS_P_MINORS
           : pivot < -least ? FACTS_NOT_P_MINOR
                            : FACTS_P_NOT_KNOWN;
}

/* Whether all principal minors are positive, by the first reason that applies. */
static void facts_find_p(facts *f, const perp_operator *dense, double *x)
{
    size_t n = f->in->problem->n;

    if (f->p != FACTS_P_NOT_KNOWN || n == 0) {
        return;
    }
    if (f->definite == FACTS_DEFINITE) {
        f->p = FACTS_P_DEFINITE;
    } else if (f->lower || f->upper) {
        f->p = FACTS_P_TRIANGULAR;
    } else if (f->undominated == 0) {
        f->p = FACTS_P_DOMINANT;
    } else if (dense && n <= FACTS_MINOR_ROWS) {
        f->p = facts_minors(f, dense, x);
    }
}

/* Definiteness and minors, where A is small enough to be stored densely. */
static perp_status facts_properties(facts *f, perp_error *err)
{
    const perp_problem *p = f->in->problem;
    size_t n = p->n;
    perp_operator *dense = NULL;
    double *x = NULL;
    perp_status status = PERP_OK;

    if (n == 0 || n > f->limit) {
        facts_find_p(f, NULL, NULL);
        return PERP_OK;
    }
    x = take(n, n * sizeof *x);
    status = perp_operator_convert(&dense, p->A, PERP_STORAGE_DENSE, 1, err);
    if (status == PERP_OK) {
        facts_symmetric(dense, x);
        if (facts_cholesky(x, n)) {
            f->definite = FACTS_DEFINITE;
        } else {
            facts_symmetric(dense, x);
            status = facts_eigenvalues(f, x, n, err);
        }
    }
    if (status == PERP_OK) {
        facts_find_p(f, dense, x);
    }
    perp_operator_free(dense);
    free(x);
    return status;
}

perp_status facts_gather(facts *f, const instance *in, size_t limit, perp_error *err)
{
    const perp_problem *p = in->problem;
    perp_status status = PERP_OK;

    *f = (facts){.in = in,
                 .mu = {NAN, NAN},
                 .diagonal = {NAN, NAN},
                 .entries = {NAN, NAN},
                 .b = {NAN, NAN},
                 .limit = limit,
                 .condition = NAN,
                 .eigenvalue = NAN};
    f->asymmetry = perp_operator_asymmetry(p->A);
    facts_blocks(f, p);
    facts_entries(f, p);
    status = facts_rank(f, err);
    return status == PERP_OK ? facts_properties(f, err) : status;
}

void facts_clear(facts *f)
{
    spectrum_clear(&f->spectrum);
}
