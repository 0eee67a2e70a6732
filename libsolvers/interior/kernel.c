/* SPDX-License-Identifier: Apache-2.0
 * interior/kernel.c: factor and solve K = A + G^T H G. */
#include <config.h>

#include "kernel.h"

/* FREE rows have no pair: singular ones stay bounded, and Newton's correction of the next
 * iteration leaves nothing of it in the answer. */
static const double free_diagonal = 1e-10;
/* The same in factors, where its inverse is formed and costs the digits that it has. */
static const double free_diagonal_factored = 1e-7;
/* Next to it, other entries of a FIXED row are below rounding. */
static const double stiff = 1e20;
static const double shifts[] = {0.0, 1e-13, 1e-11, 1e-9};

/* C of a factored A as a matrix. */
static perp_status diagonal_part(perp_kernel *k, perp_error *err)
{
    size_t n = k->p->n;
    perp_status status = perp_operator_new_sparse(&k->C, n, n, 1, n, err);

    for (size_t i = 0; status == PERP_OK && i < n; i++) {
        k->C->ptr[i] = i;
        k->C->col[i] = (int32_t)i;
        k->C->x[i] = perp_operator_compliance(k->p->A)[i];
        k->C->ptr[i + 1] = i + 1;
    }
    return status;
}

static perp_status open_factored(perp_kernel *k, perp_workspace *ws, perp_error *err)
{
    perp_status status = diagonal_part(k, err);

    k->kind = PERP_FACTOR_LU;
    if (status == PERP_OK) {
        status = perp_system_new(&k->K, k->C, k->p->set, err);
    }
    if (status == PERP_OK) {
        status = perp_velocity_open(&k->velocity, k->p->A, k->p->set, ws, err);
    }
    return status;
}

perp_status perp_kernel_open(perp_kernel *k, const perp_problem *p, const double *d,
                             const bool *fixed, perp_workspace *ws, perp_error *err)
{
    perp_status status = PERP_OK;

    k->p = p;
    k->d = d;
    k->fixed = fixed;
    k->rest = perp_workspace_reals(ws, p->n);
    k->product = perp_workspace_reals(ws, p->n);
    if (!k->rest || !k->product) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", p->n);
    }
    if (perp_operator_in_factors(p->A)) {
        return open_factored(k, ws, err);
    }
    k->kind = perp_operator_is_symmetric(p->A) ? PERP_FACTOR_CHOLESKY : PERP_FACTOR_LU;
    status = perp_system_new(&k->K, p->A, p->set, err);
    if (status == PERP_OK) {
        status = perp_factor_new(&k->f, k->K, k->kind, err);
    }
    return status;
}

void perp_kernel_close(perp_kernel *k)
{
    perp_velocity_close(&k->velocity);
    perp_operator_free(k->C);
    perp_factor_free(k->f);
    perp_operator_free(k->K);
}

static void count(const perp_kernel *k, perp_work *work)
{
    work->factorizations += 1.0;
    work->flops_factor += perp_factor_flops(k->C ? k->velocity.f : k->f);
}

/* K_ii += part d_i on all rows that are not fixed. */
static void add_diagonal(perp_kernel *k, double part)
{
    for (size_t i = 0; i < k->p->n; i++) {
        double h = part * fmax(k->d[i], perp_operator_diagonal(k->K, i));

        if (!k->fixed[i]) {
            perp_system_add_block(k->K, i, 1, &h);
        }
    }
}

static void load(perp_kernel *k, const perp_slacks *pairs)
{
    const perp_set *set = k->p->set;
    double h = 0.0;

    for (size_t i = 0; k->C && i < k->p->n; i++) {
        k->C->x[i] =
            perp_operator_compliance(k->p->A)[i]; /* a shift of the diagonal goes there */
    }
    if (k->loaded) { /* nothing but diagonal blocks is ever added to A, or changes in it */
        perp_system_load_blocks(k->K, k->C ? k->C : k->p->A, set);
    } else {
        perp_system_load(k->K, k->C ? k->C : k->p->A);
        k->loaded = true;
    }
    perp_slacks_add(pairs, k->K);
    for (size_t b = 0; b < set->count; b++) {
        size_t i = set->blocks[b].first;

        if (set->blocks[b].kind == PERP_SET_FREE) {
            h = (k->C ? free_diagonal_factored : free_diagonal) * k->d[i];
            perp_system_add_block(k->K, i, 1, &h);
        }
    }
    for (size_t i = 0; i < k->p->n; i++) {
        if (k->fixed[i]) {
            h = stiff * k->d[i];
            perp_system_add_block(k->K, i, 1, &h);
        }
    }
}

static perp_status factor_shifted(perp_kernel *k, perp_work *work, bool *done,
                                  perp_error *err)
{
    perp_status status = PERP_OK;

    *done = false;
    for (size_t t = 0; t < sizeof shifts / sizeof *shifts && !*done; t++) {
        if (t > 0) {
            add_diagonal(k, shifts[t] - shifts[t - 1]);
        }
        status = k->C ? perp_velocity_factor(&k->velocity, k->K, done, err)
                      : perp_factor_matrix(k->f, k->K, done, err);
        if (status != PERP_OK) {
            return status;
        }
        count(k, work);
        k->shift = shifts[t];
        k->place = *done || k->C ? 0 : perp_factor_place(k->f);
    }
    return status;
}

perp_status perp_kernel_factor(perp_kernel *k, const perp_slacks *pairs, perp_work *work,
                               bool *done, perp_error *err)
{
    perp_status status = PERP_OK;

    load(k, pairs);
    status = factor_shifted(k, work, done, err);
    if (status != PERP_OK || *done || k->kind == PERP_FACTOR_LU) {
        return status;
    }
    perp_factor_free(k->f); /* once in a solve, and only for an A that was not promised */
    k->f = NULL;
    k->kind = PERP_FACTOR_LU;
    status = perp_factor_new(&k->f, k->K, k->kind, err);
    if (status != PERP_OK) {
        return status;
    }
    load(k, pairs);
    return factor_shifted(k, work, done, err);
}

static void solve(perp_kernel *k, double *x)
{
    if (k->C) {
        perp_velocity_solve(&k->velocity, x);
    } else {
        perp_factor_solve(k->f, x);
    }
}

/* rest := rhs - K x */
static void subtract(perp_kernel *k, const double *rhs, const double *x)
{
    double *rest = k->rest;

    perp_operator_apply(k->K, x, rest);
    for (size_t i = 0; i < k->p->n; i++) {
        rest[i] = rhs[i] - rest[i] + (k->C ? k->C->x[i] * x[i] : 0.0);
    }
    if (k->C) {
        perp_operator_apply(k->p->A, x, k->product);
    }
    for (size_t i = 0; k->C && i < k->p->n; i++) {
        rest[i] -= k->product[i];
    }
}

void perp_kernel_solve(perp_kernel *k, const double *rhs, size_t refine, double *x)
{
    size_t n = k->p->n;

    memcpy(x, rhs, n * sizeof *x);
    solve(k, x);
    for (; refine > 0; refine--) {
        subtract(k, rhs, x);
        solve(k, k->rest);
        for (size_t i = 0; i < n; i++) {
            x[i] += k->rest[i];
        }
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = k->fixed[i] ? 0.0 : x[i];
    }
}

perp_status perp_kernel_factor_block(perp_kernel *k, const size_t *rows, size_t rank,
                                     bool shifted, perp_work *work, bool *done,
                                     perp_error *err)
{
    const perp_operator *A = k->p->A;
    bool same = A->type->storage == k->K->type->storage && !k->K->ptr;
    perp_status status = PERP_OK;

    *done = false;
    if (!same || shifted) { /* of sparse K the pattern is another than that of A */
        perp_system_load(k->K, A);
    }
    if (!shifted) {
        status = perp_factor_block(k->f, same ? A : k->K, rows, rank, done, err);
        count(k, work);
    }
    if (status == PERP_OK && !*done) {
        perp_system_load(k->K, A);
        add_diagonal(k, free_diagonal);
        status = perp_factor_block(k->f, k->K, rows, rank, done, err);
        count(k, work);
    }
    return status;
}
