/* SPDX-License-Identifier: Apache-2.0
 * interior/kernel.c: factor and solve K = A + G^T H G. */
#include <config.h>

#include "kernel.h"

/* FREE rows have no pair: singular ones stay bounded, and Newton's correction of the next
 * iteration leaves nothing of it in the answer. */
static const double free_diagonal = 1e-10;
/* Next to it, other entries of a FIXED row are below rounding. */
static const double stiff = 1e20;
static const double shifts[] = {0.0, 1e-13, 1e-11, 1e-9};

perp_status perp_kernel_open(perp_kernel *k, const perp_problem *p, const double *d,
                             const bool *fixed, perp_workspace *ws, perp_error *err)
{
    perp_status status = PERP_OK;

    k->p = p;
    k->d = d;
    k->fixed = fixed;
    k->kind = perp_operator_is_symmetric(p->A) ? PERP_FACTOR_CHOLESKY : PERP_FACTOR_LU;
    k->rest = perp_workspace_reals(ws, p->n);
    if (!k->rest) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", p->n);
    }
    status = perp_system_new(&k->K, p->A, p->set, err);
    if (status == PERP_OK) {
        status = perp_factor_new(&k->f, k->K, k->kind, err);
    }
    return status;
}

void perp_kernel_close(perp_kernel *k)
{
    perp_factor_free(k->f);
    perp_operator_free(k->K);
}

static void count(const perp_kernel *k, perp_work *work)
{
    work->factorizations += 1.0;
    work->flops_factor += perp_factor_flops(k->f);
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

static void load(perp_kernel *k, const perp_pairs *pairs)
{
    const perp_set *set = k->p->set;
    double h = 0.0;

    perp_system_load(k->K, k->p->A);
    perp_pairs_add(pairs, k->K);
    for (size_t b = 0; b < set->count; b++) {
        size_t i = set->blocks[b].first;

        if (set->blocks[b].kind == PERP_SET_FREE) {
            h = free_diagonal * k->d[i];
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
        status = perp_factor_matrix(k->f, k->K, done, err);
        if (status != PERP_OK) {
            return status;
        }
        count(k, work);
        k->shift = shifts[t];
        k->place = *done ? 0 : perp_factor_place(k->f);
    }
    return status;
}

perp_status perp_kernel_factor(perp_kernel *k, const perp_pairs *pairs, perp_work *work,
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

void perp_kernel_solve(perp_kernel *k, const double *rhs, size_t refine, double *x)
{
    size_t n = k->p->n;

    memcpy(x, rhs, n * sizeof *x);
    perp_factor_solve(k->f, x);
    for (; refine > 0; refine--) {
        perp_operator_apply(k->K, x, k->rest);
        for (size_t i = 0; i < n; i++) {
            k->rest[i] = rhs[i] - k->rest[i];
        }
        perp_factor_solve(k->f, k->rest);
        for (size_t i = 0; i < n; i++) {
            x[i] += k->rest[i];
        }
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = k->fixed[i] ? 0.0 : x[i];
    }
}

perp_status perp_kernel_factor_block(perp_kernel *k, const size_t *rows, size_t rank,
                                     perp_work *work, bool *done, perp_error *err)
{
    const perp_operator *A = k->p->A;
    bool same = A->type->storage == k->K->type->storage && !k->K->ptr;
    perp_status status = PERP_OK;

    if (!same) { /* of sparse K the pattern is another than that of A */
        perp_system_load(k->K, A);
    }
    status = perp_factor_block(k->f, same ? A : k->K, rows, rank, done, err);
    count(k, work);
    if (status == PERP_OK && !*done) {
        perp_system_load(k->K, A);
        add_diagonal(k, free_diagonal);
        status = perp_factor_block(k->f, k->K, rows, rank, done, err);
        count(k, work);
    }
    return status;
}
