/* SPDX-License-Identifier: Apache-2.0
 * linear/velocity_mass.c: M from M^-1, body by body.
 *
 * M^-1 of a body is positive definite, by its mass and inertia. It is singular for a body that
 * cannot move in some directions: with Q the projection on its range, M := (M^-1)^+ + I - Q and
 * J := J Q, which leaves W as it is. */
#include <config.h>

#include <lapacke.h>

#include "velocity_private.h"

/* Eigenvalues of M^-1 below this part of the largest are zero. Masses in other units than
 * inertias may differ by many decades. */
static const double mass_zero = 1e-14;

/* M := (M^-1)^-1 by Cholesky; false where it is singular. */
static bool mass_invert(unsigned size, const double *Minv, double *M)
{
    memcpy(M, Minv, (size_t)size * size * sizeof *M);
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (int)size, M, (int)size) != 0 ||
        LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', (int)size, M, (int)size) != 0) {
        return false;
    }
    for (unsigned j = 1; j < size; j++) {
        for (unsigned i = 0; i < j; i++) {
            M[i + j * size] = M[j + i * size];
        }
    }
    return true;
}

/* M := sum q q^T / max(lambda, 1 where lambda = 0) over the eigenvectors q of M^-1. */
static bool mass_pseudo_inverse(unsigned size, const double *Minv, double *M)
{
    double Q[PERP_BLOCK_MOST * PERP_BLOCK_MOST];
    double lambda[PERP_BLOCK_MOST];
    double work[8 * PERP_BLOCK_MOST];

    memcpy(Q, Minv, (size_t)size * size * sizeof *Q);
    if (LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'L', (int)size, Q, (int)size, lambda,
                           work, (int)(sizeof work / sizeof *work)) != 0) {
        return false;
    }
    memset(M, 0, (size_t)size * size * sizeof *M);
    for (unsigned k = 0; k < size; k++) {
        bool moves = lambda[k] > mass_zero * lambda[size - 1];
        double mass = moves ? 1.0 / lambda[k] : 1.0;

        for (unsigned j = 0; j < size; j++) {
            for (unsigned i = 0; i < size; i++) {
                M[i + j * size] += mass * Q[i + k * size] * Q[j + k * size];
            }
        }
    }
    return true;
}

/* The rows of block k of K on a body of some infinite mass: J := J (M^-1 M). */
static void mass_project_rows(perp_velocity *s, size_t k, size_t at, double *rows)
{
    size_t size = s->S.size;
    size_t dim = s->set->blocks[k].dim;
    const double *M = s->M + (size_t)s->body[at] * size * size;
    const double *Minv = s->Minv + (size_t)s->body[at] * size * size;
    double *row = rows + s->row_start[k] + (at - s->touch[k]) * dim * size;

    for (size_t r = 0; r < dim; r++, row += size) {
        double momentum[PERP_BLOCK_MOST] = {0};

        for (size_t j = 0; j < size; j++) {
            for (size_t i = 0; i < size; i++) {
                momentum[i] += Minv[i + j * size] * row[j];
            }
        }
        memset(row, 0, size * sizeof *row);
        for (size_t j = 0; j < size; j++) {
            for (size_t i = 0; i < size; i++) {
                row[i] += M[i + j * size] * momentum[j];
            }
        }
    }
}

static void mass_project(perp_velocity *s, const int *singular)
{
    for (size_t k = 0; k < s->set->count; k++) {
        for (size_t at = s->touch[k]; at < s->touch[k + 1]; at++) {
            if (singular[s->body[at]]) {
                mass_project_rows(s, k, at, s->J);
            }
            if (singular[s->body[at]] && s->L != s->J) {
                mass_project_rows(s, k, at, s->L);
            }
        }
    }
}

perp_status perp_velocity_invert_masses(perp_velocity *s, perp_error *err)
{
    unsigned size = s->S.size;
    size_t square = (size_t)size * size;
    size_t mark = perp_workspace_mark(s->ws);
    int *singular = perp_workspace_ints(s->ws, s->S.blocks);
    bool any = false;
    perp_status status = perp_workspace_status(s->ws, err);

    for (size_t k = 0; status == PERP_OK && k < s->S.blocks; k++) {
        double *Minv = s->Minv + k * square;

        for (unsigned i = 0; i < size; i++) { /* velocities that were filled in */
            Minv[i * (size + 1)] += s->index[k * size + i] < 0 ? 1.0 : 0.0;
        }
        if (!mass_invert(size, Minv, s->M + k * square)) {
            any = true;
            singular[k] = 1;
            if (!mass_pseudo_inverse(size, Minv, s->M + k * square)) {
                status = perp_fail(err, PERP_ERR_DATA,
                                   "masses: no eigenvalues of the inverse mass matrix");
            }
        }
    }
    if (status == PERP_OK && any) {
        mass_project(s, singular);
    }
    perp_workspace_release(s->ws, mark);
    return status;
}
