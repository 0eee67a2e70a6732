/* SPDX-License-Identifier: Apache-2.0
 * codes/siconos_problems.c: problems of perp as those of Siconos.
 *
 * Both mean w = M z + q with -w in N_K(z), normal first: signs and orders agree. Dense matrices go
 * by columns. An MLCP has its free rows first; they are moved there and back. A global problem
 * reads M v = q + H r, u = H^T v + b. Contacts in blocks are read by Siconos from the text that
 * perp writes. Memory lasts until the program ends. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interop/codes/siconos.h"

/* Exported by the library; their headers are not installed. */
SecondOrderConeLinearComplementarityProblem *
secondOrderConeLinearComplementarityProblem_new(int n, int nc, NumericsMatrix *M,
                                                double *q, unsigned int *coneIndex,
                                                double *tau);
GenericMechanicalProblem *genericMechanical_newFromFile(FILE *file);
int soclcp_driver(SecondOrderConeLinearComplementarityProblem *p, double *r, double *v,
                  SolverOptions *options);
int gmp_driver(GenericMechanicalProblem *p, double *reaction, double *velocity,
               SolverOptions *options);

static siconos_end refuse(siconos_run *run, const char *why)
{
    snprintf(run->answer->message, sizeof run->answer->message, "%s", why);
    return SICONOS_UNSUITABLE;
}

static siconos_end no_memory(siconos_run *run)
{
    code_no_memory(run->answer, run->task->p->n);
    return SICONOS_FAILED;
}

/* What Siconos reads of the text that perp writes: A in blocks. */
static FILE *text_of(const perp_problem *p, const char *kind)
{
    char *bytes = NULL; /* read until the program ends */
    size_t size = 0;

    return perp_problem_write_memory(p, "siconos", kind, &bytes, &size, NULL) == PERP_OK
               ? fmemopen(bytes, size, "r")
               : NULL;
}

/* A, dense; NULL without memory. */
static NumericsMatrix *dense_matrix(const perp_problem *p)
{
    double *A = NULL;
    NumericsMatrix *M = NULL;

    if (p->n <= INT32_MAX && code_dense(p, &A, NULL) == PERP_OK) {
        M = NM_new();
        NM_fill(M, NM_DENSE, (int)p->n, (int)p->n, A);
    }
    return M;
}

static double *copy_of(const double *x, size_t n)
{
    double *y = perp_reals_new(n);

    if (y) {
        memcpy(y, x, n * sizeof *y);
    }
    return y;
}

/* mu, or the rolling coefficients, of each block. */
static double *coefficients(const perp_set *set, bool of_rolling)
{
    double *mu = perp_reals_new(set->count);

    for (size_t k = 0; mu && k < set->count; k++) {
        mu[k] = of_rolling ? set->blocks[k].mu_rolling : set->blocks[k].mu;
    }
    return mu;
}

/* Whether all blocks are of this kind and size. */
static bool only_blocks(const perp_problem *p, perp_set_kind kind, unsigned dim)
{
    for (size_t k = 0; k < p->set->count; k++) {
        if (p->set->blocks[k].kind != kind || p->set->blocks[k].dim != dim) {
            return false;
        }
    }
    return true;
}

/* The time of the driver's call alone. */
static void start_clock(siconos_run *run)
{
    run->answer->seconds = code_seconds();
}

static siconos_end stop_clock(siconos_run *run, int info)
{
    run->answer->seconds = code_seconds() - run->answer->seconds;
    run->info = info;
    return SICONOS_SOLVED;
}

siconos_end siconos_lcp(siconos_run *run)
{
    const perp_problem *p = run->task->p;
    LinearComplementarityProblem *lcp = newLCP();
    FILE *text = NULL;

    if (run->id == SICONOS_LCP_NSGS_SBM) {
        text = text_of(p, "lcp");
        if (!text) {
            return no_memory(run);
        }
        linearComplementarity_newFromFile(lcp, text);
    } else {
        lcp->size = (int)p->n;
        lcp->M = dense_matrix(p);
        lcp->q = copy_of(p->b, p->n);
        if (!lcp->M || !lcp->q) {
            return no_memory(run);
        }
    }
    start_clock(run);
    return stop_clock(
        run, linearComplementarity_driver(lcp, run->answer->z, run->w, run->options));
}

siconos_end siconos_relay(siconos_run *run)
{
    const perp_problem *p = run->task->p;
    RelayProblem *relay = relayProblem_new();

    relay->size = (int)p->n;
    relay->M = dense_matrix(p);
    relay->q = copy_of(p->b, p->n);
    relay->lb = perp_reals_new(p->n);
    relay->ub = perp_reals_new(p->n);
    if (!relay->M || !relay->q || !relay->lb || !relay->ub) {
        return no_memory(run);
    }
    code_bounds(p, relay->lb, relay->ub, NULL, NULL);
    for (size_t i = 0; i < p->n; i++) {
        if (!isfinite(relay->lb[i]) || !isfinite(relay->ub[i])) {
            return refuse(run, "a relay problem has two finite bounds in each row");
        }
    }
    start_clock(run);
    return stop_clock(run, relay_driver(relay, run->answer->z, run->w, run->options));
}

/* Where the rows of p go in an MLCP: the free rows first. Returns their number. */
static size_t free_first(const perp_problem *p, size_t *row)
{
    size_t count = 0;

    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < p->n; k++) {
            if ((p->set->blocks[k].kind == PERP_SET_FREE) == (pass == 0)) {
                row[count++] = k;
            }
        }
    }
    return perp_set_count(p->set, PERP_SET_FREE);
}

/* A, B, C and D of M = [A C; D B], and a, b of q = (a, b): by columns, too. */
static bool mlcp_fill_parts(MixedLinearComplementarityProblem *x, const double *M)
{
    size_t n = (size_t)x->n, m = (size_t)x->m;

    x->isStorageType2 = 1;
    x->A = perp_reals_new(n * n);
    x->B = perp_reals_new(m * m);
    x->C = perp_reals_new(n * m);
    x->D = perp_reals_new(m * n);
    x->a = copy_of(x->q, n);
    x->b = copy_of(x->q + n, m);
    if (!x->A || !x->B || !x->C || !x->D || !x->a || !x->b) {
        return false;
    }
    for (size_t j = 0; j < n + m; j++) {
        double *upper = j < n ? x->A + j * n : x->C + (j - n) * n;
        double *lower = j < n ? x->D + j * m : x->B + (j - n) * m;

        memcpy(upper, M + j * (n + m), n * sizeof *M);
        memcpy(lower, M + j * (n + m) + n, m * sizeof *M);
    }
    return true;
}

/* Both forms, since each solver of Siconos reads one of them. */
static bool mlcp_fill(MixedLinearComplementarityProblem *x, const perp_problem *p,
                      const size_t *row, size_t n)
{
    NumericsMatrix *M = dense_matrix(p);
    double *permuted = perp_reals_new(p->n * p->n);

    x->n = (int)n;
    x->m = (int)(p->n - n);
    x->isStorageType1 = 1;
    x->blocksRows = calloc(3, sizeof(int));
    x->blocksIsComp = calloc(2, sizeof(int));
    x->q = perp_reals_new(p->n);
    x->M = NM_new();
    if (!M || !permuted || !x->blocksRows || !x->blocksIsComp || !x->q || !x->M) {
        return false;
    }
    for (size_t i = 0; i < p->n; i++) {
        x->q[i] = p->b[row[i]];
        for (size_t j = 0; j < p->n; j++) {
            permuted[i + j * p->n] = M->matrix0[row[i] + row[j] * p->n];
        }
    }
    NM_fill(x->M, NM_DENSE, (int)p->n, (int)p->n, permuted);
    x->blocksRows[1] = n > 0 ? x->n : x->m;
    x->blocksRows[2] = (int)p->n;
    x->blocksIsComp[0] = n == 0;
    x->blocksIsComp[1] = 1;
    return mlcp_fill_parts(x, permuted);
}

siconos_end siconos_mlcp(siconos_run *run)
{
    const perp_problem *p = run->task->p;
    MixedLinearComplementarityProblem *x = mixedLinearComplementarity_new();
    size_t *row = calloc(p->n + 1, sizeof *row);
    double *z = perp_reals_new(p->n);

    if (!row || !z || !mlcp_fill(x, p, row, free_first(p, row))) {
        return no_memory(run);
    }
    for (size_t i = 0; i < p->n; i++) {
        z[i] = run->answer->z[row[i]];
    }
    start_clock(run);
    mlcp_driver_init(x, run->options);
    stop_clock(run, mlcp_driver(x, z, run->w, run->options));
    for (size_t i = 0; i < p->n; i++) {
        run->answer->z[row[i]] = z[i];
    }
    return SICONOS_SOLVED;
}

/* A in blocks. */
static NumericsMatrix *block_matrix(const perp_problem *p)
{
    FILE *text = text_of(p, NULL);
    FrictionContactProblem *f = text ? frictionContact_newFromFile(text) : NULL;

    return f ? f->M : NULL;
}

siconos_end siconos_contacts(siconos_run *run)
{
    const perp_problem *p = run->task->p;
    bool plane = run->id < SICONOS_FRICTION_3D_NSGS;
    FrictionContactProblem *f = frictionContactProblem_new();

    if (!only_blocks(p, PERP_SET_CONE, plane ? 2 : 3)) {
        return refuse(run, plane ? "expected contacts in a plane"
                                 : "expected contacts in space");
    }
    f->dimension = plane ? 2 : 3;
    f->numberOfContacts = (int)p->set->count;
    f->M = perp_operator_storage(p->A) == PERP_STORAGE_BSR ? block_matrix(p)
                                                           : dense_matrix(p);
    f->q = copy_of(p->b, p->n);
    f->mu = coefficients(p->set, false);
    if (!f->M || !f->q || !f->mu) {
        return no_memory(run);
    }
    start_clock(run);
    return stop_clock(run, plane ? fc2d_driver(f, run->answer->z, run->w, run->options)
                                 : fc3d_driver(f, run->answer->z, run->w, run->options));
}

siconos_end siconos_rolling(siconos_run *run)
{
    const perp_problem *p = run->task->p;
    RollingFrictionContactProblem *f = rollingFrictionContactProblem_new();

    f->dimension = 5;
    f->numberOfContacts = (int)p->set->count;
    f->M = dense_matrix(p);
    f->q = copy_of(p->b, p->n);
    f->mu = coefficients(p->set, false);
    f->mu_r = coefficients(p->set, true);
    if (!f->M || !f->q || !f->mu || !f->mu_r) {
        return no_memory(run);
    }
    start_clock(run);
    return stop_clock(run, rolling_fc3d_driver(f, run->answer->z, run->w, run->options));
}

typedef struct entries {
    NumericsMatrix *M;
    size_t row;
} entries;

static void add_entry(void *context, size_t j, double a)
{
    entries *e = context;

    if (a != 0.0) {
        NM_entry(e->M, (int)e->row, (int)j, a);
    }
}

/* Triplets, which all solvers of global problems take. */
static NumericsMatrix *sparse_matrix(const perp_operator *A)
{
    const size_t rows = perp_operator_rows(A);
    entries e = {.M = NM_create(NM_SPARSE, (int)rows, (int)perp_operator_cols(A))};

    NM_triplet_alloc(e.M, 1);
    e.M->matrix2->origin = NSM_TRIPLET;
    for (e.row = 0; e.row < rows; e.row++) {
        perp_operator_row_visit(A, e.row, add_entry, &e);
    }
    return e.M;
}

static siconos_end global_rolling(siconos_run *run, double *v)
{
    const perp_problem *p = run->task->p;
    GlobalRollingFrictionContactProblem *g = globalRollingFrictionContactProblem_new();

    if (!only_blocks(p, PERP_SET_ROLLING, 5)) {
        return refuse(run, "expected rolling contacts");
    }
    g->dimension = 5;
    g->numberOfContacts = (int)p->set->count;
    g->M = sparse_matrix(p->global->M);
    g->H = sparse_matrix(p->global->H);
    g->q = copy_of(p->global->f, perp_operator_rows(p->global->M));
    g->b = copy_of(p->b, p->n);
    g->mu = coefficients(p->set, false);
    g->mu_r = coefficients(p->set, true);
    if (!g->q || !g->b || !g->mu || !g->mu_r) {
        return no_memory(run);
    }
    start_clock(run);
    return stop_clock(run,
                      g_rolling_fc3d_driver(g, run->answer->z, run->w, v, run->options));
}

siconos_end siconos_global(siconos_run *run)
{
    const perp_problem *p = run->task->p;
    GlobalFrictionContactProblem *g = globalFrictionContactProblem_new();
    double *v = p->global ? perp_reals_new(perp_operator_rows(p->global->M)) : NULL;

    if (!p->global) {
        return refuse(run, "expected a global problem");
    }
    if (!v) {
        return no_memory(run);
    }
    if (run->id == SICONOS_GLOBAL_ROLLING_FRICTION_3D_NSGS_WR) {
        return global_rolling(run, v);
    }
    if (!only_blocks(p, PERP_SET_CONE, 3)) {
        return refuse(run, "expected contacts in space");
    }
    g->dimension = 3;
    g->numberOfContacts = (int)p->set->count;
    g->M = sparse_matrix(p->global->M);
    g->H = sparse_matrix(p->global->H);
    g->q = copy_of(p->global->f, perp_operator_rows(p->global->M));
    g->b = copy_of(p->b, p->n);
    g->mu = coefficients(p->set, false);
    if (!g->q || !g->b || !g->mu) {
        return no_memory(run);
    }
    start_clock(run);
    return stop_clock(run, gfc3d_driver(g, run->answer->z, run->w, v, run->options));
}

/* Cones of three rows: Siconos projects onto no others. */
siconos_end siconos_soclcp(siconos_run *run)
{
    const perp_problem *p = run->task->p;
    SecondOrderConeLinearComplementarityProblem *x = NULL;
    unsigned int *index = NULL;
    NumericsMatrix *M = NULL;
    double *q = NULL, *tau = NULL;

    if (!only_blocks(p, PERP_SET_CONE, 3)) {
        return refuse(run, "expected contacts in space");
    }
    index = calloc(p->set->count + 1, sizeof *index);
    M = dense_matrix(p);
    q = copy_of(p->b, p->n);
    tau = coefficients(p->set, false);
    if (!index || !M || !q || !tau) {
        free(index);
        return no_memory(run);
    }
    for (size_t k = 0; k < p->set->count; k++) {
        index[k + 1] = index[k] + 3;
    }
    x = secondOrderConeLinearComplementarityProblem_new((int)p->n, (int)p->set->count, M,
                                                        q, index, tau);
    start_clock(run);
    return stop_clock(run, soclcp_driver(x, run->answer->z, run->w, run->options));
}

/* Free rows, rows z >= 0 and contacts in space, by the text form. */
siconos_end siconos_generic(siconos_run *run)
{
    GenericMechanicalProblem *x = NULL;
    FILE *text = text_of(run->task->p, "gmp");

    if (!text) {
        return refuse(run, "expected free rows, rows z >= 0 and contacts in space");
    }
    x = genericMechanical_newFromFile(text);
    if (!x) {
        return no_memory(run);
    }
    start_clock(run);
    return stop_clock(run, gmp_driver(x, run->answer->z, run->w, run->options));
}
