/* SPDX-License-Identifier: Apache-2.0
 * determined/program.c: predictor and corrector for linear programs on cones [mehrotra-1992;
 * nesterov-todd-1998]. */
#include <config.h>

#include "linear/diagonal_blocks.h"
#include "matrix/storages.h"
#include "program.h"

enum {
    STEPS = 80,    /* of a program, which takes 8 to 20 */
    REFINE = 0,    /* of a solve for velocities */
    BLOCK_DIM = 3, /* of the largest block */
    IDLE = 12,     /* steps without a smaller error that end a program */
};

static const double root_delta = PERP_PROGRAM_SCALE;
static const double weight_least = 1e-6; /* of H */
static const double free_weight = 1e6;   /* P of a FREE row */
/* Errors of the equations at which a program ends, and its gap: of the change of c.y from y*, or of 1. */
static const double primal_most = 1e-9, dual_most = 1e-9;
static const double gap_most = 1e-6, gap_least = 1e-9;
static const double square_most =
    1e-13; /* the gap with Q, whose point has an error of its root */
/* A program that rounding stops at so many times these errors still has a bound, if a weaker one. */
static const double near_enough = 1e3;
static const double outside = 1e-7;  /* of c - G u from K*, at most */
static const double fraction = 0.99; /* of the step to the boundary */

static perp_status program_alloc(perp_program *g, perp_error *err)
{
    perp_workspace *ws = g->ws;

    g->h = perp_workspace_reals(ws, g->space.nv);
    g->scale = perp_workspace_reals(ws, g->n);
    g->P = perp_workspace_reals(ws, g->space.area);
    g->R = perp_workspace_reals(ws, g->space.area);
    g->H = perp_workspace_reals(ws, g->space.area);
    g->W = perp_workspace_reals(ws, g->space.area);
    g->y = perp_workspace_reals(ws, g->n);
    g->dy = perp_workspace_reals(ws, g->n);
    g->k = perp_workspace_reals(ws, g->n);
    g->rd = perp_workspace_reals(ws, g->n);
    g->x = perp_workspace_reals(ws, g->n);
    g->u = perp_workspace_reals(ws, g->space.nv);
    g->du = perp_workspace_reals(ws, g->space.nv);
    g->rp = perp_workspace_reals(ws, g->space.nv);
    g->f = perp_workspace_reals(ws, g->space.nv);
    perp_slacks_alloc(&g->slacks, g->K, ws);
    return perp_workspace_status(ws, err);
}

/* G delta^-1/2, in factors with M = I: S is then symmetric. */
static perp_status program_rows(perp_program *g, const perp_arrays *G, perp_error *err)
{
    perp_operator *rows = NULL;
    perp_operator *unit = NULL;
    perp_arrays at = {0};
    perp_status status = perp_operator_new_from_csr(&rows, G->rows, G->cols, G->ptr,
                                                    G->col, G->x, PERP_COPY, err);

    if (status == PERP_OK) {
        status = perp_operator_new_sparse(&unit, G->cols, G->cols, 1, G->cols, err);
    }
    if (status == PERP_OK) {
        at = perp_operator_arrays(rows);
        for (size_t e = 0; e < at.count; e++) {
            at.x[e] /= root_delta;
        }
        at = perp_operator_arrays(unit);
        for (size_t a = 0; a < G->cols; a++) {
            at.ptr[a + 1] = a + 1;
            at.col[a] = (int32_t)a;
            at.x[a] = 1.0;
        }
        status = perp_operator_new_factored(&g->G, rows, unit, NULL, err);
    }
    perp_operator_free(rows);
    perp_operator_free(unit);
    return status;
}

perp_status perp_program_setup(perp_program *g, const perp_arrays *G, const perp_set *K,
                               const double *y0, perp_error *err)
{
    *g = (perp_program){.K = K, .y0 = y0, .n = G->rows, .start = 1.0};
    TRY(perp_workspace_new(&g->ws, 0, err));
    TRY(program_rows(g, G, err));
    TRY(perp_velocity_setup(&g->space, g->G, K, true, g->ws, err));
    TRY(program_alloc(g, err));
    for (size_t i = 0; i < g->n; i++) {
        g->scale[i] = 1.0;
    }
    perp_slacks_assign(&g->slacks, K);
    perp_velocity_forces(&g->space, y0, g->h);
    return PERP_OK;
}

void perp_program_close(perp_program *g)
{
    perp_velocity_close(&g->space);
    perp_operator_free(g->G);
    perp_workspace_free(g->ws);
    *g = (perp_program){0};
}

/* R := (I + P Q)^-1 and H := R P. */
static void program_weigh(perp_program *g, const double *Q)
{
    const perp_set *K = g->K;

    perp_slacks_weight(&g->slacks, K, g->P, g->space.start);
    for (size_t k = 0; k < K->count; k++) {
        unsigned dim = K->blocks[k].dim;
        size_t start = g->space.start[k];
        size_t first = K->blocks[k].first;
        double B[BLOCK_DIM * BLOCK_DIM];
        double X[2 * BLOCK_DIM * BLOCK_DIM] = {0};

        if (K->blocks[k].kind == PERP_SET_FREE) {
            g->P[start] = free_weight;
        }
        for (unsigned i = 0; i < dim * dim; i++) {
            bool diagonal = i % (dim + 1) == 0;

            X[i] = g->P[start + i];
            X[dim * dim + i] = diagonal;
            B[i] = (Q ? Q[first + i / dim] * X[i] : 0.0) + diagonal;
        }
        if (Q) {
            perp_block_divide(dim, B, X, 2 * dim);
        }
        for (unsigned j = 0; j < dim; j++) { /* symmetric to the bit */
            for (unsigned i = 0; i < j; i++) {
                X[i + j * dim] = X[j + i * dim];
            }
        }
        memcpy(g->H + start, X, dim * dim * sizeof *X);
        memcpy(g->R + start, X + dim * dim, dim * dim * sizeof *X);
    }
}

/* rd := c + Q y - G u - E^T v, rp := h - G^T y, and the errors and the gap. */
static double program_evaluate(perp_program *g, const double *c, const double *Q)
{
    double gap = 0.0;
    double change = 0.0;
    double goal = 0.0;
    double error = 0.0;

    perp_velocity_rows(&g->space, g->u, g->rd);
    for (size_t i = 0; i < g->n; i++) {
        g->rd[i] = c[i] + (Q ? Q[i] * g->y[i] : 0.0) - g->rd[i];
        change += c[i] * (g->y[i] - g->y0[i]);
    }
    perp_slacks_subtract_multipliers(&g->slacks, g->rd);
    for (size_t i = 0; i < g->n; i++) {
        g->rd[i] = g->slacks.fixed[i] ? 0.0 : g->rd[i];
    }
    perp_velocity_forces(&g->space, g->y, g->rp);
    for (size_t i = 0; i < g->space.nv; i++) {
        g->rp[i] = g->h[i] - g->rp[i];
    }
    g->gap = perp_slacks_mean_gap(&g->slacks, 0.0);
    goal = Q ? square_most : fmax(gap_most * fabs(change), gap_least);
    gap = g->gap * (double)g->slacks.count / goal;
    g->primal = root_delta * perp_largest(g->space.nv, g->rp);
    g->dual = perp_largest(g->n, g->rd);
    error = fmax(g->primal / primal_most, g->dual / dual_most);
    return fmax(error, gap);
}

/* du, dy and the slacks' directions from their g and q, with the residuals as they are. */
static bool program_solve(perp_program *g, const double *Q)
{
    perp_velocity *s = &g->space;

    perp_slacks_impulse(&g->slacks, g->P, s->start, g->n, g->k);
    perp_diagonal_blocks_apply(g->K, s->start, g->R, false, g->k, g->x);
    memset(g->du, 0, s->nv * sizeof *g->du);
    for (size_t t = 0; t <= 1 + REFINE; t++) {
        perp_velocity_rows(s, g->du, g->dy); /* dy := R k - H (rd - G du) */
        for (size_t i = 0; i < g->n; i++) {
            g->k[i] = g->rd[i] - g->dy[i];
        }
        perp_diagonal_blocks_apply(g->K, s->start, g->H, false, g->k, g->dy);
        for (size_t i = 0; i < g->n; i++) {
            g->dy[i] = g->x[i] - g->dy[i];
        }
        if (t == 1 + REFINE) {
            break;
        }
        perp_velocity_forces(s, g->dy, g->f);
        for (size_t i = 0; i < s->nv; i++) {
            g->f[i] = g->weight * (g->rp[i] - g->f[i]);
        }
        perp_velocity_solve_forces(s, g->f);
        for (size_t i = 0; i < s->nv; i++) {
            g->du[i] += g->f[i];
        }
    }
    for (size_t i = 0; i < g->n; i++) {
        g->k[i] += Q ? Q[i] * g->dy[i] : 0.0; /* E^T dv */
    }
    perp_slacks_direction_from(&g->slacks, g->dy, g->k);
    return perp_all_finite(g->dy, g->n);
}

/* Factor delta/weight I + G^T H G, with the largest weight for which it has a factorisation. */
static perp_status program_factor(perp_program *g, bool *done, perp_error *err)
{
    *done = false;
    for (g->weight = 1.0; !*done && g->weight >= weight_least; g->weight *= 0.01) {
        for (size_t i = 0; i < g->space.area; i++) {
            g->W[i] = g->weight * g->H[i];
        }
        perp_velocity_set_weight(&g->space, g->W);
        TRY(perp_velocity_factor(&g->space, &g->work, done, err));
        if (*done) {
            break;
        }
    }
    return PERP_OK;
}

/* One predictor and corrector; false where there is no step. */
static perp_status program_step(perp_program *g, const double *Q, bool *done,
                                perp_error *err)
{
    double step = 0.0;
    double ratio = 0.0;

    *done = false;
    if (!perp_slacks_update_scaling(&g->slacks)) {
        return PERP_OK;
    }
    program_weigh(g, Q);
    TRY(program_factor(g, done, err));
    if (!*done) {
        return PERP_OK;
    }
    *done = false;
    perp_slacks_predictor(&g->slacks);
    if (!program_solve(g, Q)) {
        return PERP_OK;
    }
    perp_slacks_keep_products(&g->slacks);
    step = fmin(1.0, perp_slacks_max_step(&g->slacks));
    ratio = fmax(perp_slacks_mean_gap(&g->slacks, step), 0.0) / g->gap;
    perp_slacks_corrector(&g->slacks, 1.0, ratio * ratio * ratio * g->gap, 1.0);
    if (!program_solve(g, Q)) {
        return PERP_OK;
    }
    step = fmin(1.0, fraction * perp_slacks_max_step(&g->slacks));
    if (!(step > 1e-10)) {
        return PERP_OK;
    }
    for (size_t i = 0; i < g->n; i++) {
        g->y[i] += step * g->dy[i];
    }
    for (size_t i = 0; i < g->space.nv; i++) {
        g->u[i] += step * g->du[i];
    }
    perp_slacks_step(&g->slacks, step);
    g->steps++;
    *done = true;
    return PERP_OK;
}

/* How far x is outside the dual cone of a block, and the least value of x.y over what is not a cone. */
static double block_support(const perp_block *block, const double *x, double *value)
{
    double tail = 0.0;

    switch (block->kind) {
    case PERP_SET_NONNEG:
        return fmax(0.0, -x[0]);
    case PERP_SET_BOX:
        if (isfinite(x[0] > 0.0 ? block->lo : block->hi)) {
            *value += x[0] * (x[0] > 0.0 ? block->lo : block->hi);
            return 0.0;
        }
        return fabs(x[0]);
    case PERP_SET_CONE:
        tail = perp_tangent_norm(x + 1, block->dim - 1);
        return fmax(0.0, block->mu * tail - x[0]);
    case PERP_SET_DISK:
        *value -= block->radius * perp_tangent_norm(x, 2);
        return 0.0;
    default: /* FREE */
        return fabs(x[0]);
    }
}

double perp_program_support(const perp_program *g, const double *c, double largest)
{
    double value = 0.0;
    double size = perp_largest(g->n, c);

    perp_velocity_rows(&g->space, g->u, g->x);
    for (size_t i = 0; i < g->n; i++) {
        g->x[i] = c[i] - g->x[i];
    }
    for (size_t k = 0; k < g->K->count; k++) {
        const perp_block *block = &g->K->blocks[k];
        double beyond = block_support(block, g->x + block->first, &value);

        if (beyond > outside * size) {
            return -INFINITY;
        }
        value -= beyond * largest;
    }
    return value;
}

/* Whether the last point is near enough with the gap of a program without Q. */
static bool program_near(const perp_program *g)
{
    double gap = g->gap * (double)g->slacks.count;

    return g->primal <= near_enough * primal_most && g->dual <= near_enough * dual_most &&
           gap <= near_enough * gap_least;
}

perp_status perp_program_run(perp_program *g, const double *c, const double *Q,
                             double *bound, perp_error *err)
{
    double best = INFINITY;
    size_t idle = 0;
    bool done = true;

    *bound = -INFINITY;
    memset(g->y, 0, g->n * sizeof *g->y);
    memset(g->u, 0, g->space.nv * sizeof *g->u);
    memset(g->rd, 0, g->n * sizeof *g->rd);
    perp_set_project_all(g->K, g->y);
    perp_slacks_initialise(&g->slacks, g->K, g->scale, g->start, g->y, g->rd);
    for (size_t t = 0; t < STEPS && done && idle < IDLE; t++) {
        double error = program_evaluate(g, c, Q);

        idle = error < 0.7 * best ? 0 : idle + 1;
        best = fmin(best, error);
        if (error <= 1.0) {
            break;
        }
        TRY(program_step(g, Q, &done, err));
    }
    if (best <= near_enough || program_near(g)) {
        *bound =
            Q ? 0.0
              : perp_program_support(g, c, 10.0 * fmax(1.0, perp_largest(g->n, g->y)));
        for (size_t i = 0; i < g->space.nv && !Q; i++) {
            *bound += g->h[i] * g->u[i];
        }
    }
    return PERP_OK;
}

void perp_program_velocities(const perp_program *g, const size_t *column, double *u)
{
    for (size_t i = 0; i < g->space.nv; i++) {
        if (g->space.index[i] >= 0) {
            u[column[g->space.index[i]]] = g->u[i] / root_delta;
        }
    }
}
