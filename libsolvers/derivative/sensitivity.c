/* SPDX-License-Identifier: Apache-2.0
 * derivative/gradient.c: the derivative of a solution, forwards and backwards.
 *
 *     dz = P y,     (Q^T A P + D) y + Q^T dr = 0 or complementary,     dr = db + dA z
 *     bbar = wbar - Q (Q^T A P + D)^-T P^T (zbar + A^T wbar),          Abar = bbar z^T
 *
 * Forwards, tied modes go the way that their own problem gives them (tied.c): the
 * derivative in a direction, positively homogeneous in it. Backwards one linear piece is
 * taken, tied modes counted as the option says. Cost of a direction: two triangles of the
 * block, a product with A, and the tied rows' problem. [mangasarian-shiau-1987],
 * [werling-2021] */
#include <config.h>

#include "derivative.h"

struct perp_sensitivity {
    perp_problem p; /* a view of the caller's */
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
        perp_modes_clear(&g->modes);
        perp_piece_clear(&g->free);
        perp_piece_clear(&g->all);
        perp_tied_clear(&g->tied);
        free(g->z);
        free(g->w);
        free(g->B);
        free(g->list);
        free(g->r);
        free(g->column);
        free(g->y);
        free(g);
    }
}

/* The bounds within which the options make sense. */
static perp_status take_options(perp_sensitivity_options *out,
                                const perp_sensitivity_options *options, perp_error *err)
{
    *out = options ? *options : (perp_sensitivity_options){0};
    out->tie = out->tie == 0.0 ? 1e-8 : out->tie;
    out->rank = out->rank == 0.0 ? 1e-12 : out->rank;
    if (!(out->tie > 0.0 && out->tie < 1.0)) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "gradient: the tolerance of ties is %g, expected 0 < tie < 1",
                         out->tie);
    }
    if (!(out->rank > 0.0 && out->rank < 1.0)) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "gradient: the tolerance of rank is %g, expected 0 < rank < 1",
                         out->rank);
    }
    return PERP_OK;
}

/* w, and that z solves the problem; then the modes. */
static perp_status gradient_judge(perp_sensitivity *g, perp_error *err)
{
    perp_judge *judge = NULL;
    perp_measures m = {0};
    perp_status status = perp_judge_new(&judge, &g->p, err);

    if (status != PERP_OK) {
        return status;
    }
    perp_judge_measure(judge, g->z, g->options.tie, &m);
    if (g->n > 0) {
        memcpy(g->w, perp_judge_w(judge), g->n * sizeof *g->w);
    }
    perp_judge_free(judge);
    if (!(m.residual <= g->options.tie)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "gradient: z is no solution, its RES is %.1e, expected at most "
                         "the tolerance of ties, %.1e",
                         m.residual, g->options.tie);
    }
    return perp_modes_find(&g->modes, &g->p, g->z, g->w, g->options.tie, m.beta_b,
                           m.beta_z, err);
}

static perp_status gradient_take(perp_sensitivity *g, const double *z, perp_error *err)
{
    g->z = perp_reals_new(g->n);
    g->w = perp_reals_new(g->n);
    g->r = perp_reals_new(g->n);
    g->column = perp_reals_new(g->n);
    if (!g->z || !g->w || !g->r || !g->column) {
        return perp_fail(err, PERP_ERR_MEMORY, "gradient: no memory for %zu rows", g->n);
    }
    if (g->n > 0) {
        memcpy(g->z, z, g->n * sizeof *z);
    }
    return PERP_OK;
}

/* B and the list of its modes, the free ones first. */
static perp_status gradient_matrix(perp_sensitivity *g, perp_error *err)
{
    size_t count = g->modes.count;
    size_t area = 0;
    size_t next = 0;

    g->list = calloc(count + 1, sizeof *g->list);
    g->y = perp_reals_new(count);
    g->B = perp_mul(count, count, &area) && area < SIZE_MAX / sizeof *g->B
               ? perp_reals_new(area)
               : NULL;
    if (!g->list || !g->y || !g->B) {
        return perp_fail(err, PERP_ERR_MEMORY,
                         "gradient: no memory for a block of %zu equations", count);
    }
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

static perp_status gradient_factor(perp_sensitivity *g, perp_error *err)
{
    size_t count = g->modes.count;
    perp_status status = perp_piece_new(&g->free, &g->modes, g->B, g->list, g->free_count,
                                        &g->options, err);

    if (status == PERP_OK) {
        status = perp_tied_new(&g->tied, &g->modes, g->B, &g->free,
                               g->list + g->free_count, count - g->free_count, err);
    }
    g->chosen = &g->free;
    if (status == PERP_OK && g->options.ties == PERP_TIES_FREE && count > g->free_count) {
        g->chosen = &g->all;
        status =
            perp_piece_new(&g->all, &g->modes, g->B, g->list, count, &g->options, err);
    }
    return status;
}

perp_status perp_sensitivity_new(perp_sensitivity **out, const perp_problem *p,
                                 const double *z, const perp_sensitivity_options *options,
                                 perp_error *err)
{
    perp_sensitivity *g = NULL;
    perp_status status = PERP_OK;

    *out = NULL;
    if (!p->A) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "gradient: a global problem is to be condensed first");
    }
    g = calloc(1, sizeof *g);
    if (!g) {
        return perp_fail(err, PERP_ERR_MEMORY, "gradient: no memory");
    }
    g->n = p->n;
    status = perp_problem_view(&g->p, p, err);
    if (status == PERP_OK) {
        status = perp_problem_ensure_checked(&g->p, err);
    }
    status = status == PERP_OK ? take_options(&g->options, options, err) : status;
    status = status == PERP_OK ? gradient_take(g, z, err) : status;
    status = status == PERP_OK ? gradient_judge(g, err) : status;
    status = status == PERP_OK ? gradient_matrix(g, err) : status;
    status = status == PERP_OK ? gradient_factor(g, err) : status;
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
    perp_status status = PERP_OK;

    if (dA && (dA->rows != g->n || dA->cols != g->n)) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "gradient: dA is %zu x %zu, expected %zu x %zu", dA->rows,
                         dA->cols, g->n, g->n);
    }
    memset(g->r, 0, g->n * sizeof *g->r);
    if (dA) {
        perp_operator_apply(dA, g->z, g->r);
    }
    for (size_t i = 0; i < g->n; i++) {
        g->r[i] += db ? db[i] : 0.0;
        if (!isfinite(g->r[i])) {
            return perp_fail(err, PERP_ERR_DATA,
                             "gradient: the change of row %zu is %g, expected a finite "
                             "number",
                             i, g->r[i]);
        }
    }
    perp_modes_gather(&g->modes, g->modes.Q, g->r, g->y);
    status = perp_tied_solve(&g->tied, &g->modes, &g->free, g->y, err);
    if (status != PERP_OK) {
        return status;
    }
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
static void gradient_solve(perp_sensitivity *g, bool transposed)
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
    gradient_solve(g, true);
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
        gradient_solve(g, false);
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
