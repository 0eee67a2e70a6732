/* SPDX-License-Identifier: Apache-2.0
 * derivative/sensitivity.c: the derivative of a solution, forward and adjoint.
 *
 *     dz = P y,     (Q^T A P + D) y + Q^T dr = 0 or complementary,     dr = db + dA z
 *     bbar = wbar - Q (Q^T A P + D)^-T P^T (zbar + A^T wbar),          Abar = bbar z^T
 *
 * Forward, the tied modes solve a problem of their own (tied.c): the directional derivative,
 * positively homogeneous in the direction. The adjoint uses one linear piece, in which the
 * option `ties` decides on the tied modes. Cost of a direction: two triangular solves with the
 * block, a product with A, and the problem of the tied rows. [mangasarian-shiau-1987],
 * [werling-2021] */
#include <config.h>

#include "base/base.h"
#include "derivative.h"
#include "judge/judge.h"

struct perp_sensitivity {
    perp_problem p;     /* a view of the caller's */
    perp_workspace *ws; /* all arrays below */
    size_t n;
    double *z, *w; /* n each */
    perp_sensitivity_options options;
    perp_modes modes;
    double *B;    /* modes^2 */
    size_t *list; /* modes: free, then tied; each ascending */
    size_t free_count;
    perp_piece free;    /* of the free modes */
    perp_piece all;     /* of the free and the tied ones, where `ties` asks for it */
    perp_piece *chosen; /* one of these */
    perp_tied tied;
    double *r, *column; /* n each */
    double *y;          /* modes */
};

void perp_sensitivity_free(perp_sensitivity *g)
{
    if (g) {
        perp_problem_view_free(&g->p);
        perp_tied_close(&g->tied);
        perp_workspace_free(g->ws);
        free(g);
    }
}

/* Defaults for zeros, and the admissible ranges. */
static perp_status sensitivity_options(perp_sensitivity_options *out,
                                       const perp_sensitivity_options *options,
                                       perp_error *err)
{
    *out = options ? *options : (perp_sensitivity_options){0};
    out->tie = out->tie == 0.0 ? 1e-8 : out->tie;
    out->rank = out->rank == 0.0 ? 1e-12 : out->rank;
    if (!(out->tie > 0.0 && out->tie < 1.0)) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "sensitivity: the tolerance of ties is %g, expected 0 < tie < 1",
                         out->tie);
    }
    if (!(out->rank > 0.0 && out->rank < 1.0)) {
        return perp_fail(
            err, PERP_ERR_ARGUMENT,
            "sensitivity: the tolerance of rank is %g, expected 0 < rank < 1", out->rank);
    }
    return PERP_OK;
}

/* w, and that z solves the problem; then the modes. */
static perp_status sensitivity_judge(perp_sensitivity *g, perp_error *err)
{
    perp_judge *judge = NULL;
    perp_measures m = {0};

    TRY(perp_judge_new(&judge, &g->p, err));
    perp_judge_measure(judge, g->z, g->options.tie, &m);
    if (g->n > 0) {
        memcpy(g->w, perp_judge_w(judge), g->n * sizeof *g->w);
    }
    perp_judge_free(judge);
    if (!(m.residual <= g->options.tie)) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "sensitivity: z is no solution, its residual is %.1e, expected at "
            "most "
            "the tolerance of ties, %.1e",
            m.residual, g->options.tie);
    }
    return perp_modes_find(&g->modes, &g->p, g->z, g->w, g->options.tie, m.beta_b,
                           m.beta_z, g->ws, err);
}

static perp_status sensitivity_set_point(perp_sensitivity *g, const double *z,
                                         perp_error *err)
{
    perp_status status = PERP_OK;

    TRY(perp_workspace_new(&g->ws, 0, err));
    g->z = perp_workspace_reals(g->ws, g->n);
    g->w = perp_workspace_reals(g->ws, g->n);
    g->r = perp_workspace_reals(g->ws, g->n);
    g->column = perp_workspace_reals(g->ws, g->n);
    status = perp_workspace_status(g->ws, err);
    if (status == PERP_OK && g->n > 0) {
        memcpy(g->z, z, g->n * sizeof *z);
    }
    return status;
}

/* B and the list of its modes, the free ones first. */
static perp_status sensitivity_matrix(perp_sensitivity *g, perp_error *err)
{
    size_t count = g->modes.count;
    size_t next = 0;

    g->list = perp_workspace_sizes(g->ws, count);
    g->y = perp_workspace_reals(g->ws, count);
    g->B = perp_workspace_alloc(g->ws, count, count * sizeof *g->B);
    TRY(perp_workspace_status(g->ws, err));
    perp_modes_matrix(&g->modes, g->B);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < count; k++) {
            if ((g->modes.mode[k].kind == PERP_MODE_FREE) == (pass == 0)) {
                g->list[next++] = k;
            }
        }
        g->free_count = pass == 0 ? next : g->free_count;
    }
    return PERP_OK;
}

static perp_status sensitivity_factor(perp_sensitivity *g, perp_error *err)
{
    size_t count = g->modes.count;
    perp_status status = perp_piece_factor(&g->free, &g->modes, g->B, g->list,
                                           g->free_count, &g->options, g->ws, err);

    if (status == PERP_OK) {
        status =
            perp_tied_setup(&g->tied, &g->modes, g->B, &g->free, g->list + g->free_count,
                            count - g->free_count, g->ws, err);
    }
    g->chosen = &g->free;
    if (status == PERP_OK && g->options.ties == PERP_TIES_FREE && count > g->free_count) {
        g->chosen = &g->all;
        status = perp_piece_factor(&g->all, &g->modes, g->B, g->list, count, &g->options,
                                   g->ws, err);
    }
    return status;
}

perp_status perp_sensitivity_new(perp_sensitivity **out, const perp_problem *p,
                                 const double *z, const perp_sensitivity_options *options,
                                 perp_error *err)
{
    if (perp_check_arguments(out && p, "perp_sensitivity_new", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_sensitivity *g = NULL;
    perp_status status = PERP_OK;

    *out = NULL;
    if (!p->A) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "sensitivity: expected a local problem, found a global one; "
                         "condense it first");
    }
    g = calloc(1, sizeof *g);
    if (!g) {
        return perp_fail(err, PERP_ERR_MEMORY, "sensitivity: no memory");
    }
    g->n = p->n;
    status = perp_problem_view(&g->p, p, err);
    if (status == PERP_OK) {
        status = perp_problem_ensure_checked(&g->p, err);
    }
    if (status == PERP_OK) {
        status = sensitivity_options(&g->options, options, err);
    }
    if (status == PERP_OK) {
        status = sensitivity_set_point(g, z, err);
    }
    if (status == PERP_OK) {
        status = sensitivity_judge(g, err);
    }
    if (status == PERP_OK) {
        status = sensitivity_matrix(g, err);
    }
    if (status == PERP_OK) {
        status = sensitivity_factor(g, err);
    }
    if (status != PERP_OK) {
        perp_sensitivity_free(g);
        return status;
    }
    *out = g;
    return PERP_OK;
}

perp_status perp_sensitivity_forward(perp_sensitivity *g, const double *db,
                                     const perp_operator *dA, double *dz, double *dw,
                                     perp_error *err)
{
    if (perp_check_arguments(g, "perp_sensitivity_forward", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    if (dA && (dA->rows != g->n || dA->cols != g->n)) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "sensitivity: dA is %zu x %zu, expected %zu x %zu", dA->rows,
                         dA->cols, g->n, g->n);
    }
    memset(g->r, 0, g->n * sizeof *g->r);
    if (dA) {
        perp_operator_apply(dA, g->z, g->r);
    }
    for (size_t i = 0; i < g->n; i++) {
        g->r[i] += db ? db[i] : 0.0;
        if (!isfinite(g->r[i])) {
            return perp_fail(
                err, PERP_ERR_DATA,
                "sensitivity: the change of row %zu is %g, expected a finite "
                "number",
                i, g->r[i]);
        }
    }
    perp_modes_gather(&g->modes, g->modes.Q, g->r, g->y);
    TRY(perp_tied_solve(&g->tied, &g->modes, &g->free, g->y, err));
    perp_modes_scatter(&g->modes, g->modes.P, g->y, dz);
    if (dw) {
        perp_operator_apply(g->p.A, dz, dw);
        for (size_t i = 0; i < g->n; i++) {
            dw[i] += g->r[i];
        }
    }
    return PERP_OK;
}

/* y := -B^-1 y or -B^-T y of the chosen piece, 0 in the other modes. */
static void sensitivity_solve(perp_sensitivity *g, bool transposed)
{
    perp_piece *piece = g->chosen;
    double *x = piece->work + piece->m;

    for (size_t k = 0; k < piece->m; k++) {
        x[k] = -g->y[piece->modes[k]];
    }
    perp_piece_solve(piece, transposed, x);
    memset(g->y, 0, g->modes.count * sizeof *g->y);
    for (size_t k = 0; k < piece->m; k++) {
        g->y[piece->modes[k]] = x[k];
    }
}

void perp_sensitivity_adjoint(perp_sensitivity *g, const double *zbar, const double *wbar,
                              double *bbar)
{
    memset(g->r, 0, g->n * sizeof *g->r);
    if (wbar) {
        perp_operator_apply_transposed(g->p.A, wbar, g->r);
    }
    for (size_t i = 0; zbar && i < g->n; i++) {
        g->r[i] += zbar[i];
    }
    perp_modes_gather(&g->modes, g->modes.P, g->r, g->y);
    sensitivity_solve(g, true);
    perp_modes_scatter(&g->modes, g->modes.Q, g->y, bbar);
    for (size_t i = 0; wbar && i < g->n; i++) {
        bbar[i] += wbar[i];
    }
}

void perp_sensitivity_matrix(perp_sensitivity *g, double *dz_db)
{
    for (size_t j = 0; j < g->n; j++) {
        memset(g->column, 0, g->n * sizeof *g->column);
        g->column[j] = 1.0;
        perp_modes_gather(&g->modes, g->modes.Q, g->column, g->y);
        sensitivity_solve(g, false);
        perp_modes_scatter(&g->modes, g->modes.P, g->y, dz_db + j * g->n);
    }
}

perp_active perp_sensitivity_state(const perp_sensitivity *g, size_t row)
{
    return g->modes.state[row];
}

size_t perp_sensitivity_count(const perp_sensitivity *g, perp_active state)
{
    size_t count = 0;

    for (size_t i = 0; i < g->n; i++) {
        count += g->modes.state[i] == state;
    }
    return count;
}

size_t perp_sensitivity_rank(const perp_sensitivity *g, size_t *directions)
{
    if (directions) {
        *directions = g->chosen->m;
    }
    return g->chosen->rank;
}
