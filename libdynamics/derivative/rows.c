/* SPDX-License-Identifier: Apache-2.0
 * derivative/rows.c: how rows, their biases and the world's forces change with the state.
 *
 * A copy of the state is put at (q, qd) +- t (dq, dqd), contacts are searched there, rows written,
 * and those of a block found again by its key: J by central differences. A bias has kinks
 * (at gap 0 its slope goes from -1/dt to -erp/dt): where the slopes of the two sides
 * differ by more than what curvature makes in 2 t, that of the side of the direction
 * counts. A block that one side alone knows has one-sided differences, one that neither
 * knows stands still. */
#include <config.h>

#include "base/base.h"
#include "derivative/step.h"
#include "problem/parts.h"

/* Truncation t^2 and rounding eps/t, both relative: some 1e-10. */
static const double displacement = 1e-6;
/* Slopes that differ by this much of their size, and of 1/dt, are two: curvatures up to
 * 100/m make 1e-4/dt, a gap that opens or closes makes (1 - erp)/dt. */
static const double kink_part = 1e-3;
static const double kink_least = 1e-4;

void step_gradient_links(const perp_step_gradient *g, const double *bodies, double *links)
{
    const perp_reduced *r = g->world->reduced;

    for (size_t k = 0; k < g->tree->count; k++) {
        memcpy(links + 6 * k, bodies + 6 * r->body[k], 6 * sizeof *links);
    }
}

void step_gradient_J(const perp_rows *rows, size_t first, size_t count, double *J)
{
    double made[12];

    for (size_t r = first; r < first + count; r++, J += 12) {
        memcpy(J, perp_rows_row(rows, r, made), sizeof made);
    }
}

void step_gradient_impulses(const perp_step_gradient *g, const double *J, double *f)
{
    for (size_t e = 0; e < 2 * g->m; e++) {
        const int32_t body = perp_rows_bodies(&g->system.rows, e / 2)[e % 2];
        const int32_t link = body < 0 ? -1 : perp_world_link(g->world, (size_t)body);
        const double z = g->result->z[e / 2] / g->scheme.dt;

        for (int c = 0; link >= 0 && c < 6; c++) {
            f[6 * link + c] += z * J[6 * e + (size_t)c];
        }
    }
}

/* Where a block of the step is among the displaced rows; most often at the same place. */
static const perp_row_block *rows_find_block(const perp_step_gradient *g, size_t k)
{
    const perp_row_block *b = &g->system.rows.blocks[k];
    const perp_rows *rows = &g->rows;

    for (size_t i = 0; i < rows->block_count; i++) {
        const perp_row_block *c = &rows->blocks[(k + i) % rows->block_count];

        if (c->key == b->key && c->role == b->role && c->dim == b->dim) {
            return c;
        }
    }
    return NULL;
}

static perp_status rows_find_contacts(perp_step_gradient *g, perp_error *err)
{
    const perp_collide_settings settings = collide_settings_of(&g->scheme);

    return perp_collider_run(g->collider, g->world, g->beside, &settings, &g->moved, err);
}

static bool rows_is_zero(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (x[i] != 0.0) {
            return false;
        }
    }
    return true;
}

/* Rows and forces at (q, qd) + t (dq, dqd), where g->beside is left. Contacts are where they
 * were if only velocities change. */
static perp_status rows_shift_to(perp_step_gradient *g, double t, const double *dq,
                                 const double *dqd, step_shift *out, perp_error *err)
{
    const perp_world *w = g->world;
    perp_state *state = g->beside;
    const bool still = rows_is_zero(dq, g->n);
    perp_status status = PERP_OK;

    for (size_t i = 0; i < g->n; i++) {
        state->trees->q[i] = g->q[i] + t * dq[i];
        state->trees->qd[i] = g->qd[i] + t * dqd[i];
    }
    status = perp_articulation_update(state->trees, err);
    if (status == PERP_OK) {
        reduced_put_bodies(w, state);
        perp_world_forces(w, state, false, out->f);
        status = still ? PERP_OK : rows_find_contacts(g, err);
    }
    if (status == PERP_OK) {
        status = perp_rows_write(&g->rows, w, state, still ? &g->contacts : &g->moved,
                                 &g->scheme, err);
    }
    for (size_t k = 0; status == PERP_OK && k < g->system.rows.block_count; k++) {
        const perp_row_block *to = &g->system.rows.blocks[k];
        const perp_row_block *from = rows_find_block(g, k);

        out->found[k] = from != NULL;
        if (from) {
            step_gradient_J(&g->rows, from->first, to->dim, out->J + 12 * to->first);
            memcpy(out->bias + to->first, g->rows.bias + from->first,
                   to->dim * sizeof *out->bias);
        }
    }
    return status;
}

/* (a - b)/t of count numbers. */
static void rows_slope(const double *a, const double *b, size_t count, double t,
                       double *out)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = (a[i] - b[i]) / t;
    }
}

static void rows_bias_slope(const perp_step_gradient *g, size_t r, double t, double size)
{
    const double here = g->system.rows.bias[r];
    const double after = (g->ahead.bias[r] - here) / t;
    const double before = (here - g->behind.bias[r]) / t;
    const double smooth =
        kink_part * (fabs(after) + fabs(before)) + kink_least * size / g->scheme.dt;

    g->dbias[r] = fabs(after - before) <= smooth ? 0.5 * (after + before) : after;
}

/* dJ and dbias of one block. */
static void block_slopes(perp_step_gradient *g, size_t k, double t, double size)
{
    const perp_row_block *b = &g->system.rows.blocks[k];
    const size_t at = 12 * b->first;
    const size_t count = 12 * (size_t)b->dim;
    const bool after = g->ahead.found[k];
    const bool before = g->behind.found[k];
    const double *J = after ? g->ahead.J : g->J;
    const double *J_before = before ? g->behind.J : g->J;
    const double *bias = after ? g->ahead.bias : g->system.rows.bias;
    const double *bias_before = before ? g->behind.bias : g->system.rows.bias;

    if (!after && !before) {
        memset(g->dJ + at, 0, count * sizeof *g->dJ);
        memset(g->dbias + b->first, 0, b->dim * sizeof *g->dbias);
        return;
    }
    rows_slope(J + at, J_before + at, count, after && before ? 2.0 * t : t, g->dJ + at);
    for (size_t r = b->first; r < b->first + b->dim; r++) {
        if (after && before) {
            rows_bias_slope(g, r, t, size);
        } else {
            rows_slope(bias + r, bias_before + r, 1, t, g->dbias + r);
        }
    }
}

static double rows_size_of(const double *x, size_t n)
{
    double size = 0.0;

    for (size_t i = 0; i < n; i++) {
        size = fmax(size, fabs(x[i]));
    }
    return size;
}

perp_status step_gradient_rows(perp_step_gradient *g, const double *dq, const double *dqd,
                               double *df, perp_error *err)
{
    const perp_world *w = g->world;
    double size = fmax(rows_size_of(dq, g->n), rows_size_of(dqd, g->n));
    double t = displacement / size;

    if (size == 0.0) {
        memset(g->dJ, 0, 12 * g->m * sizeof *g->dJ);
        memset(g->dbias, 0, g->m * sizeof *g->dbias);
        memset(df, 0, 6 * g->tree->count * sizeof *df);
        return PERP_OK;
    }
    TRY(rows_shift_to(g, t, dq, dqd, &g->ahead, err));
    TRY(rows_shift_to(g, -t, dq, dqd, &g->behind, err));
    rows_slope(g->ahead.f, g->behind.f, 6 * w->body_count, 2.0 * t, g->ahead.f);
    step_gradient_links(g, g->ahead.f, df);
    for (size_t k = 0; k < g->system.rows.block_count; k++) {
        block_slopes(g, k, t, size);
    }
    return PERP_OK;
}
