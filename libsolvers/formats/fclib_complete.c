/* SPDX-License-Identifier: Apache-2.0
 * formats/fclib_complete.c: velocities that a point lacks, since readers of FCLIB expect them:
 *
 *     local    w = A z + b
 *     global   M v = f + H r + G l,    w = H^T v + b_u
 *
 * Where M is singular, v stays unknown. */
#include <config.h>

#include "fclib.h"
#include "linear/factor.h"

/* v := f + H r + G l. */
static perp_status complete_impulses(const perp_problem *p, const double *z, double *v,
                                     perp_error *err)
{
    const perp_global *g = p->global;
    const size_t n_v = g->M->rows;
    double *part = perp_reals_new(n_v);

    if (!part) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu velocities", n_v);
    }
    memcpy(v, g->f, n_v * sizeof *v);
    perp_operator_apply(g->H, z, part);
    for (size_t i = 0; i < n_v; i++) {
        v[i] += part[i];
    }
    if (g->G) {
        perp_operator_apply(g->G, z + g->H->cols, part);
    }
    for (size_t i = 0; g->G && i < n_v; i++) {
        v[i] += part[i];
    }
    free(part);
    return PERP_OK;
}

/* v := M^-1 v; *done is false where M is singular. */
static perp_status complete_divide(const perp_operator *M, double *v, bool *done,
                                   perp_error *err)
{
    perp_workspace *ws = NULL;
    perp_operator *rows = NULL;
    perp_factor *factor = NULL;
    perp_status status = perp_workspace_new(&ws, 0, err);

    if (status == PERP_OK) {
        status = perp_operator_convert(&rows, M, PERP_STORAGE_CSR, 1, err);
    }
    if (status == PERP_OK) {
        status = perp_factor_new(&factor, rows, PERP_FACTOR_LU, ws, err);
    }
    if (status == PERP_OK) {
        status = perp_factor_matrix(factor, rows, done, err);
    }
    if (status == PERP_OK && *done) {
        perp_factor_solve(factor, v);
    }
    perp_factor_close(factor);
    perp_operator_free(rows);
    perp_workspace_free(ws);
    return status;
}

static perp_status complete_v(perp_point *point, const perp_problem *p, perp_error *err)
{
    const size_t n_v = p->global->M->rows;
    bool done = true;
    perp_status status = PERP_OK;

    point->v = perp_reals_new(n_v);
    if (!point->v) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu velocities", n_v);
    }
    status = complete_impulses(p, point->z, point->v, err);
    if (status == PERP_OK && n_v > 0) {
        status = complete_divide(p->global->M, point->v, &done, err);
    }
    if (!done) {
        free(point->v);
        point->v = NULL;
    }
    return status;
}

static perp_status complete_w(perp_point *point, const perp_problem *p, bool local,
                              perp_error *err)
{
    point->w = perp_reals_new(p->n);
    if (!point->w) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", p->n);
    }
    if (local) {
        perp_operator_apply(p->A, point->z, point->w);
    } else {
        perp_operator_apply_transposed(p->global->H, point->v, point->w);
    }
    for (size_t i = 0; i < p->n; i++) {
        point->w[i] += p->b[i];
    }
    return PERP_OK;
}

perp_status perp_fclib_complete(perp_point *full, const perp_problem *p,
                                const perp_point *point, bool local, perp_error *err)
{
    perp_point made = {.z = point->z};
    perp_status status = PERP_OK;

    if (!local && !point->v) {
        status = complete_v(&made, p, err);
    }
    full->z = point->z;
    full->v = point->v ? point->v : made.v;
    made.v = full->v;
    if (status == PERP_OK && !point->w && (local || made.v)) {
        status = complete_w(&made, p, local, err);
    }
    full->w = point->w ? point->w : made.w;
    return status;
}

void perp_fclib_complete_free(perp_point *full, const perp_point *point)
{
    if (full->v != point->v) {
        free(full->v);
    }
    if (full->w != point->w) {
        free(full->w);
    }
}
