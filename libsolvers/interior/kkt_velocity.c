/* SPDX-License-Identifier: Apache-2.0
 * interior/kkt_velocity.c: the systems of an interior-point step in the space of velocities. */
#include <config.h>

#include "base/base.h"
#include "kkt_velocity.h"
#include "linear/diagonal_blocks.h"
#include "matrix/storages.h"

enum { kkt_dim = 5 /* rows of the largest block, a rolling contact */ };

/* P of a FREE row, over d_i: its error is removed by the next step, and as many digits of M v =
 * L^T dz are lost. */
static const double free_weight = 1e7;
/* Parts of d_i that are added to C where S has no factorisation. */
static const double shifts[] = {0.0, 1e-13, 1e-11, 1e-9};

perp_status perp_ipm_kkt_setup_velocity(perp_ipm_kkt *k, bool symmetric,
                                        perp_workspace *ws, perp_error *err)
{
    TRY(perp_velocity_setup(&k->velocity, k->p->A, k->p->set, symmetric, ws, err));
    k->symmetric = symmetric;
    k->P = perp_workspace_reals(ws, k->velocity.area);
    k->R = perp_workspace_reals(ws, k->velocity.area);
    k->H = perp_workspace_reals(ws, k->velocity.area);
    k->v = perp_workspace_reals(ws, k->velocity.nv);
    k->f = perp_workspace_reals(ws, k->velocity.nv);
    k->dv = perp_workspace_reals(ws, k->velocity.nv);
    return perp_workspace_status(ws, err);
}

/* R := (I + P C)^-1 and H := R P of one block; C with `shift` d. */
static void kkt_update_block(perp_ipm_kkt *k, size_t b, double shift)
{
    const double *C = perp_operator_compliance(k->p->A);
    perp_block block = k->p->set->blocks[b];
    unsigned dim = block.dim;
    unsigned area = dim * dim;
    const double *P = k->P + k->velocity.start[b];
    double *H = k->H + k->velocity.start[b];
    double *R = k->R + k->velocity.start[b];
    double B[kkt_dim * kkt_dim];
    double X[2 * kkt_dim * kkt_dim] = {0};
    bool compliant = false;

    memcpy(X, P, area * sizeof *X);
    for (unsigned j = 0; j < dim; j++) {
        double c = C[block.first + j] + shift * k->d[block.first + j];

        compliant = compliant || c != 0.0;
        for (unsigned i = 0; i < dim; i++) {
            B[i + j * dim] = (i == j ? 1.0 : 0.0) + P[i + j * dim] * c;
        }
        X[area + j * (dim + 1)] = 1.0;
    }
    if (compliant) {
        perp_block_divide(dim, B, X, 2 * dim);
    }
    for (unsigned j = 0; j < dim && k->symmetric; j++) { /* to the bit */
        for (unsigned i = 0; i < j; i++) {
            X[i + j * dim] = X[j + i * dim];
        }
    }
    memcpy(H, X, area * sizeof *H);
    memcpy(R, X + area, area * sizeof *R);
}

perp_status perp_ipm_kkt_factor_velocity(perp_ipm_kkt *k, const perp_slacks *slacks,
                                         perp_work *work, bool *done, perp_error *err)
{
    const perp_set *set = k->p->set;
    perp_status status = PERP_OK;

    *done = false;
    perp_slacks_weight(slacks, set, k->P, k->velocity.start);
    for (size_t b = 0; b < set->count; b++) {
        if (set->blocks[b].kind == PERP_SET_FREE) {
            k->P[k->velocity.start[b]] = free_weight / k->d[set->blocks[b].first];
        }
    }
    for (size_t t = 0; t < sizeof shifts / sizeof *shifts && !*done; t++) {
        for (size_t b = 0; b < set->count; b++) {
            kkt_update_block(k, b, shifts[t]);
        }
        perp_velocity_set_weight(&k->velocity, k->H);
        status = perp_velocity_factor(&k->velocity, work, done, err);
        if (status != PERP_OK) {
            return status;
        }
        k->shift = shifts[t];
    }
    return PERP_OK;
}

/* x := R x */
static void kkt_apply_R(const perp_ipm_kkt *k, double *x)
{
    for (size_t b = 0; b < k->p->set->count; b++) {
        perp_block block = k->p->set->blocks[b];
        const double *R = k->R + k->velocity.start[b];
        double sum[kkt_dim] = {0};

        for (unsigned j = 0; j < block.dim; j++) {
            for (unsigned i = 0; i < block.dim; i++) {
                sum[i] += R[i + j * block.dim] * x[block.first + j];
            }
        }
        memcpy(x + block.first, sum, block.dim * sizeof *x);
    }
}

/* rest := rd + J v;  dz := R k - H rest */
static void kkt_impulses(perp_ipm_kkt *k, const double *Rk, const double *rd, double *dz)
{
    perp_velocity_rows(&k->velocity, k->v, k->rest);
    for (size_t i = 0; i < k->p->n; i++) {
        k->rest[i] += rd[i];
    }
    perp_velocity_weigh(&k->velocity, k->rest, dz);
    for (size_t i = 0; i < k->p->n; i++) {
        dz[i] = Rk[i] - dz[i];
    }
}

void perp_ipm_kkt_solve_velocity(perp_ipm_kkt *k, double *impulse, const double *rd,
                                 size_t refine, double *dz, double *y)
{
    const double *C = perp_operator_compliance(k->p->A);
    perp_velocity *s = &k->velocity;

    kkt_apply_R(k, impulse);
    memset(k->v, 0, s->nv * sizeof *k->v);
    kkt_impulses(k, impulse, rd, dz);
    for (size_t t = 0; t <= refine; t++) {
        perp_velocity_forces(s, dz, k->f);
        perp_velocity_mass(s, k->v, k->dv);
        for (size_t a = 0; a < s->nv; a++) {
            k->dv[a] = k->f[a] - k->dv[a];
        }
        perp_velocity_solve_forces(s, k->dv);
        for (size_t a = 0; a < s->nv; a++) {
            k->v[a] += k->dv[a];
        }
        kkt_impulses(k, impulse, rd, dz);
    }
    for (size_t i = 0; i < k->p->n; i++) {
        y[i] = k->rest[i] + C[i] * dz[i];
    }
}
