/* SPDX-License-Identifier: Apache-2.0
 * interior/kkt.c: factor and solve K = A + E^T H G. */
#include <config.h>

#include "base/base.h"
#include "kkt_velocity.h"

/* FREE rows have no slack: singular ones stay bounded, and the correction of the next iteration
 * removes the error of the regularisation. */
static const double free_diagonal = 1e-10;
/* Next to it, other entries of a FIXED row are below rounding. */
static const double fixed_diagonal = 1e20;
static const double shifts[] = {0.0, 1e-13, 1e-11, 1e-9};

perp_status perp_ipm_kkt_setup(perp_ipm_kkt *k, const perp_problem *p, const double *d,
                               const perp_slacks *slacks, perp_workspace *ws,
                               perp_error *err)
{
    bool symmetric = !slacks->bilinear && perp_operator_is_symmetric(p->A);

    k->p = p;
    k->d = d;
    k->fixed = slacks->fixed;
    k->rest = perp_workspace_reals(ws, p->n);
    if (perp_operator_in_factors(p->A)) {
        return perp_ipm_kkt_setup_velocity(k, symmetric, ws, err);
    }
    return perp_shifted_setup(&k->K, p->A, p->set,
                              symmetric ? PERP_FACTOR_CHOLESKY : PERP_FACTOR_LU, ws, err);
}

void perp_ipm_kkt_close(perp_ipm_kkt *k)
{
    perp_shifted_close(&k->K);
    perp_velocity_close(&k->velocity);
}

bool perp_ipm_kkt_has_blocks(const perp_ipm_kkt *k)
{
    return k->velocity.A == NULL;
}

/* K_ii += part d_i on all rows that are not fixed. */
static void kkt_add_diagonal(perp_ipm_kkt *k, double part)
{
    for (size_t i = 0; i < k->p->n; i++) {
        if (!k->fixed[i]) {
            perp_shifted_add(&k->K, i,
                             part * fmax(k->d[i], perp_shifted_diagonal(&k->K, i)));
        }
    }
}

static void kkt_load(perp_ipm_kkt *k, const perp_slacks *slacks)
{
    const perp_set *set = k->p->set;

    perp_shifted_load(&k->K);
    perp_slacks_add_scaling(slacks, &k->K);
    for (size_t b = 0; b < set->count; b++) {
        size_t i = set->blocks[b].first;

        if (set->blocks[b].kind == PERP_SET_FREE) {
            perp_shifted_add(&k->K, i, free_diagonal * k->d[i]);
        }
    }
    for (size_t i = 0; i < k->p->n; i++) {
        if (k->fixed[i]) {
            perp_shifted_add(&k->K, i, fixed_diagonal * k->d[i]);
        }
    }
}

static perp_status kkt_factor_shifted(perp_ipm_kkt *k, perp_work *work, bool *done,
                                      perp_error *err)
{
    perp_status status = PERP_OK;

    *done = false;
    for (size_t t = 0; t < sizeof shifts / sizeof *shifts && !*done; t++) {
        if (t > 0) {
            kkt_add_diagonal(k, shifts[t] - shifts[t - 1]);
        }
        status = perp_shifted_factor(&k->K, work, done, err);
        if (status != PERP_OK) {
            return status;
        }
        k->shift = shifts[t];
        k->failed_row = perp_shifted_failed_row(&k->K);
    }
    k->failed_row = k->failed_row == PERP_PIVOT_NONE ? 0 : k->failed_row;
    return PERP_OK;
}

perp_status perp_ipm_kkt_factor(perp_ipm_kkt *k, const perp_slacks *slacks,
                                perp_work *work, bool *done, perp_error *err)
{
    perp_status status = PERP_OK;

    if (!perp_ipm_kkt_has_blocks(k)) {
        return perp_ipm_kkt_factor_velocity(k, slacks, work, done, err);
    }
    kkt_load(k, slacks);
    status = kkt_factor_shifted(k, work, done, err);
    if (status != PERP_OK || *done || k->K.kind == PERP_FACTOR_LU) {
        return status;
    }
    /* once per solve, and only for an A that is not positive semidefinite */
    TRY(perp_shifted_set_kind(&k->K, PERP_FACTOR_LU, err));
    kkt_load(k, slacks);
    return kkt_factor_shifted(k, work, done, err);
}

bool perp_ipm_kkt_negative(const perp_ipm_kkt *k)
{
    return perp_ipm_kkt_has_blocks(k) ? perp_shifted_negative(&k->K)
                                      : perp_block_factor_negative(k->velocity.factor);
}

void perp_ipm_kkt_solve(perp_ipm_kkt *k, const double *rhs, size_t refine, double *x)
{
    size_t n = k->p->n;

    memcpy(x, rhs, n * sizeof *x);
    perp_shifted_solve(&k->K, x);
    for (; refine > 0; refine--) {
        perp_shifted_apply(&k->K, x, k->rest);
        for (size_t i = 0; i < n; i++) {
            k->rest[i] = rhs[i] - k->rest[i];
        }
        perp_shifted_solve(&k->K, k->rest);
        for (size_t i = 0; i < n; i++) {
            x[i] += k->rest[i];
        }
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = k->fixed[i] ? 0.0 : x[i];
    }
}

perp_status perp_ipm_kkt_factor_block(perp_ipm_kkt *k, const size_t *rows, size_t rank,
                                      bool shifted, perp_work *work, bool *done,
                                      perp_error *err)
{
    perp_status status = PERP_OK;

    *done = false;
    perp_shifted_load(&k->K);
    if (!shifted) {
        status = perp_shifted_factor_block(&k->K, rows, rank, work, done, err);
    }
    if (status == PERP_OK && !*done) {
        kkt_add_diagonal(k, free_diagonal);
        status = perp_shifted_factor_block(&k->K, rows, rank, work, done, err);
    }
    return status;
}

void perp_ipm_kkt_solve_block(perp_ipm_kkt *k, double *x)
{
    perp_shifted_solve(&k->K, x);
}
