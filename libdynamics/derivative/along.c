/* SPDX-License-Identifier: Apache-2.0
 * derivative/along.c: the change of a step along a direction (dq, dqd, dtau).
 *
 *     r1 = dID + dpassive - d(J_r^T z)/dt    at constant (nu+ - nu)/dt and z: the
 *     tangent,
 *                                            velocity terms at v = nu + dt/2 of a guess
 *     x  = H^-1 (dtau - r1),   g = N^-1 dnu + dt x
 *     dr = J_r g + dJ_r u+ + J_r du+ - dbias,     u+ = J(q) nu+ at constant nu+
 *     dz by the active set of the solution,    dnu+ = dnu + N (dt x + H^-1 J_r^T dz)
 *
 * and dq+, dqd+ joint by joint. Auxiliary rows of the pyramid do not change. Cost: two
 * contact searches, three recursions, the triangles of the active set. [werling-2021] */
#include <config.h>

#include <stdlib.h>

#include "base/base.h"
#include "derivative/step.h"
#include "problem/parts.h"

/* dr of each row: needs the rates g in drate. */
static void rows_change(perp_step_gradient *g)
{
    const perp_rows *rows = &g->system.rows;

    memset(g->dr, 0, g->system.problem.n * sizeof *g->dr);
    for (size_t k = 0; k < rows->block_count; k++) {
        const perp_row_block *b = &rows->blocks[k];
        size_t body[2];

        system_bodies(b, g->world, &g->contacts, &body[0], &body[1]);
        for (size_t r = b->first; r < b->first + b->dim; r++) {
            double sum = -g->dbias[r];

            for (size_t side = 0; side < 2; side++) {
                const size_t at = 12 * r + 6 * side;
                const int32_t link = perp_world_link(g->world, body[side]);
                const double *u = g->u_plus + 6 * body[side];

                for (size_t c = 0; c < 6; c++) {
                    sum += g->dJ[at + c] * u[c];
                    sum += link < 0 ? 0.0 : g->J[at + c] * g->du[6 * link + (int)c];
                }
            }
            for (size_t i = 0; i < g->n; i++) {
                sum += g->Jr[r * g->n + i] * g->drate[i];
            }
            g->dr[r] = sum;
        }
    }
}

/* dz of dr: one-sided, or of the chosen piece. */
static perp_status along_impulses_change(perp_step_gradient *g, bool piece,
                                         perp_error *err)
{
    const size_t n = g->system.problem.n;

    if (!piece) {
        return perp_sensitivity_forward(g->gradient, g->dr, NULL, g->dz, NULL, err);
    }
    memset(g->dz, 0, n * sizeof *g->dz);
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++) {
            g->dz[i] += g->dz_db[i + n * j] * g->dr[j];
        }
    }
    return PERP_OK;
}

/* drate += H^-1 J_r^T dz. */
static void along_respond(perp_step_gradient *g)
{
    memset(g->dtau, 0, g->n * sizeof *g->dtau);
    for (size_t r = 0; r < g->m; r++) {
        for (size_t i = 0; i < g->n; i++) {
            g->dtau[i] += g->Jr[r * g->n + i] * g->dz[r];
        }
    }
    perp_articulation_solve_mass(g->tree, g->dtau, NULL, g->x, NULL);
    for (size_t i = 0; i < g->n; i++) {
        g->drate[i] += g->x[i];
    }
}

static perp_status along_singular(const perp_link *link, perp_error *err)
{
    return perp_fail(err, PERP_ERR_DATA, "joint \"%s\": %s at its singularity",
                     link->joint, link->mobilizer->name);
}

/* dnu of the state; drate := N^-1 dnu. */
static perp_status along_velocities_change(perp_step_gradient *g, const double *dq,
                                           const double *dqd, perp_error *err)
{
    for (size_t k = 0; k < g->tree->count; k++) {
        const perp_link *link = &g->tree->links[k];
        const size_t at = g->tree->first[k];

        if (link->mobilizer->dof == 0) {
            continue;
        }
        joint_quasi_along(link, g->q + at, dq + at, dqd + at, g->qd + at, g->dnu + at);
        memcpy(g->drate + at, g->dnu + at, link->mobilizer->dof * sizeof *g->dnu);
        if (!joint_rates(link, g->q + at, g->drate + at)) {
            return along_singular(link, err);
        }
    }
    return PERP_OK;
}

/* dq+ and dqd+ of the rates in drate. */
static perp_status along_states_change(perp_step_gradient *g, const double *dq,
                                       double *dq_plus, double *dqd_plus, perp_error *err)
{
    for (size_t k = 0; k < g->tree->count; k++) {
        const perp_link *link = &g->tree->links[k];
        const size_t at = g->tree->first[k];

        if (link->mobilizer->dof == 0) {
            continue;
        }
        joint_quasi(link, g->q + at, g->drate + at); /* dnu+ */
        if (!joint_step_along(link, g->q + at, g->nu_plus + at, g->scheme.dt,
                              g->switch_chart, dq + at, g->drate + at, dq_plus + at,
                              dqd_plus + at)) {
            return along_singular(link, err);
        }
    }
    return PERP_OK;
}

/* v := the change of velocities at which velocity terms are taken: df without impulses.
 * */
static perp_status along_guesses_change(perp_step_gradient *g, const double *dq,
                                        const double *dtau, perp_error *err)
{
    memcpy(g->v, g->dnu, g->n * sizeof *g->v);
    for (int k = 0; k < g->passes; k++) {
        perp_status status =
            tangent_along(&g->guess[k], dq, g->v, g->df, g->dtau, NULL, err);

        if (status != PERP_OK) {
            return status;
        }
        for (size_t i = 0; i < g->n; i++) {
            g->dtau[i] = dtau[i] - g->dtau[i];
        }
        perp_articulation_solve_mass(g->tree, g->dtau, NULL, g->x, NULL);
        perp_articulation_quasi(g->tree, g->x, g->x);
        for (size_t i = 0; i < g->n; i++) {
            g->v[i] = g->dnu[i] + 0.5 * g->scheme.dt * g->x[i];
        }
    }
    return PERP_OK;
}

static perp_status along_change(perp_step_gradient *g, const double *dq,
                                const double *dqd, const double *dtau, bool piece,
                                double *dq_plus, double *dqd_plus, perp_error *err)
{
    perp_status status = PERP_OK;

    TRY(along_velocities_change(g, dq, dqd, err));
    TRY(step_gradient_rows(g, dq, dqd, g->df, err));
    TRY(along_guesses_change(g, dq, dtau, err));
    step_gradient_impulses(g, g->dJ, g->df);
    TRY(tangent_along(&g->now, dq, g->v, g->df, g->dtau, NULL, err));
    TRY(tangent_along(&g->end, dq, NULL, NULL, NULL, g->du, err));
    for (size_t i = 0; i < g->n; i++) {
        g->dtau[i] = dtau[i] - g->dtau[i];
    }
    perp_articulation_solve_mass(g->tree, g->dtau, NULL, g->x, NULL);
    for (size_t i = 0; i < g->n; i++) {
        g->drate[i] += g->scheme.dt * g->x[i];
    }
    if (g->m > 0) {
        rows_change(g);
        status = along_impulses_change(g, piece, err);
    }
    if (status == PERP_OK && g->m > 0) {
        along_respond(g);
    }
    return status == PERP_OK ? along_states_change(g, dq, dq_plus, dqd_plus, err)
                             : status;
}

perp_status perp_step_gradient_forward(perp_step_gradient *g, const double *dq,
                                       const double *dqd, const double *dtau,
                                       double *dq_plus, double *dqd_plus, perp_error *err)
{
    return along_change(g, dq ? dq : g->zero, dqd ? dqd : g->zero, dtau ? dtau : g->zero,
                        false, dq_plus, dqd_plus, err);
}

perp_status perp_step_gradient_matrix(perp_step_gradient *g, double *D, perp_error *err)
{
    const size_t n = g->n;
    const size_t m = g->system.problem.n;
    double *unit = math_alloc(n, sizeof *unit);
    perp_status status = PERP_OK;

    if (m > 0 && !g->dz_db && m <= SIZE_MAX / sizeof(double) / m) {
        g->dz_db = math_alloc(m * m, sizeof *g->dz_db);
        if (g->dz_db) {
            perp_sensitivity_matrix(g->gradient, g->dz_db);
        }
    }
    if (!unit || (m > 0 && !g->dz_db)) {
        status = perp_fail(err, PERP_ERR_MEMORY, "gradient: no memory for %zu rows", m);
    }
    for (size_t j = 0; status == PERP_OK && j < 3 * n; j++) {
        const double *in[3] = {g->zero, g->zero, g->zero};

        unit[j % n] = 1.0;
        in[j / n] = unit;
        status = along_change(g, in[0], in[1], in[2], true, D + 2 * n * j,
                              D + 2 * n * j + n, err);
        unit[j % n] = 0.0;
    }
    free(unit);
    return status;
}
