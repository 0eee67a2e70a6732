/* SPDX-License-Identifier: Apache-2.0
 * newton/step.c: Newton's linear systems, condensed and factored, or by least squares.
 *
 * The step of blocks at a corner of K (L = 0) follows from H alone; only the other rows are
 * factored. The least-squares problem of Levenberg and Marquardt is solved by conjugate
 * gradients on the normal equations, which need products with A and its transpose but no
 * matrix; every iterate is a direction of descent for |f|. */
#include <config.h>

#include "base/base.h"
#include "linear/diagonal_blocks.h"
#include "step.h"

/* Most products of one Levenberg-Marquardt step, and the reduction of the gradient at which it
 * ends earlier. The direction is a fallback: more accuracy is not worth its cost. */
enum { GRADIENT_STEPS = 200 };
static const double gradient_reduction = 1e-10;
/* Of f that a step in factors may leave where J is singular: |f| falls all the same. */
static const double inexact = 1e-3;
/* Of the largest entry of a null vector, in units of its row: below is rounding. */
static const double null_rounding = 1e-6;

/* Where the derivatives of each block stand, and the blocks of the normals: s->rows serves as
 * the block of each row. */
static void system_index(newton_system *s)
{
    const perp_set *set = s->p->set;
    size_t size = 0;

    for (size_t k = 0; k < set->count; k++) {
        s->start[k] = size;
        s->rows[set->blocks[k].first] = k;
        size += (size_t)set->blocks[k].dim * set->blocks[k].dim;
    }
    for (size_t k = 0; s->normal && k < set->count; k++) {
        s->normal[k] = s->rows[set->blocks[k].normal];
    }
}

perp_status perp_newton_system_setup(newton_system *s, const perp_problem *p,
                                     bool symmetric, perp_workspace *ws, perp_error *err)
{
    const perp_set *set = p->set;
    size_t size = 0;

    s->p = p;
    for (size_t k = 0; k < set->count; k++) {
        size += (size_t)set->blocks[k].dim * set->blocks[k].dim;
    }
    s->start = perp_workspace_sizes(ws, set->count);
    s->L = perp_workspace_reals(ws, size);
    s->H = perp_workspace_reals(ws, size);
    s->f = perp_workspace_reals(ws, p->n);
    s->d = perp_workspace_reals(ws, p->n);
    s->x = perp_workspace_reals(ws, p->n);
    s->y = perp_workspace_reals(ws, p->n);
    s->s = perp_workspace_reals(ws, p->n);
    s->t = perp_workspace_reals(ws, p->n);
    s->u = perp_workspace_reals(ws, p->n);
    s->rows = perp_workspace_sizes(ws, p->n);
    if (perp_set_count(set, PERP_SET_FRICTION) > 0) {
        s->normal = perp_workspace_sizes(ws, set->count);
        s->coupling = perp_workspace_reals(ws, set->count);
    }
    TRY(perp_workspace_status(ws, err));
    system_index(s);
    if (perp_operator_in_factors(p->A)) {
        return perp_velocity_step_setup(&s->velocity, p->A, set, ws, err);
    }
    TRY(perp_shifted_setup(&s->matrix, p->A, set, PERP_FACTOR_LU, ws, err));
    if (symmetric) {
        TRY(perp_shifted_set_kind(&s->matrix, PERP_FACTOR_CHOLESKY, err));
    }
    return PERP_OK;
}

void perp_newton_system_close(newton_system *s)
{
    perp_shifted_close(&s->matrix);
    perp_velocity_step_close(&s->velocity);
}

static bool system_in_factors(const newton_system *s)
{
    return s->velocity.d != NULL;
}

size_t perp_newton_failed_row(const newton_system *s)
{
    return system_in_factors(s) ? perp_velocity_step_failed_row(&s->velocity)
                                : perp_shifted_failed_row(&s->matrix);
}

static bool system_is_corner(const newton_system *s, size_t k)
{
    const double *L = s->L + s->start[k];
    size_t size = (size_t)s->p->set->blocks[k].dim * s->p->set->blocks[k].dim;

    for (size_t i = 0; i < size; i++) {
        if (L[i] != 0.0) {
            return false;
        }
    }
    return !s->coupling || s->coupling[k] == 0.0;
}

/* y += the entries of H outside its diagonal blocks times x, or their transpose. */
static void system_couple(const newton_system *s, bool transposed, const double *x,
                          double *y)
{
    for (size_t k = 0; s->coupling && k < s->p->set->count; k++) {
        const perp_block *block = &s->p->set->blocks[k];
        size_t row = transposed ? block->normal : block->first;
        size_t column = transposed ? block->first : block->normal;

        if (s->coupling[k] != 0.0) {
            y[row] += s->coupling[k] * x[column];
        }
    }
}

void perp_newton_apply(newton_system *s, const double *x, double *y)
{
    perp_operator_apply(s->p->A, x, s->x);
    perp_diagonal_blocks_apply(s->p->set, s->start, s->L, false, s->x, y);
    perp_diagonal_blocks_apply(s->p->set, s->start, s->H, false, x, s->x);
    for (size_t i = 0; i < s->p->n; i++) {
        y[i] += s->x[i];
    }
    system_couple(s, false, x, y);
}

void perp_newton_apply_transposed(newton_system *s, const double *x, double *y)
{
    perp_diagonal_blocks_apply(s->p->set, s->start, s->L, true, x, s->x);
    perp_operator_apply_transposed(s->p->A, s->x, y);
    perp_diagonal_blocks_apply(s->p->set, s->start, s->H, true, x, s->x);
    for (size_t i = 0; i < s->p->n; i++) {
        y[i] += s->x[i];
    }
    system_couple(s, true, x, y);
}

/* J := L (A + shift I) + H. */
static void system_fill(newton_system *s, double shift)
{
    const perp_set *set = s->p->set;

    perp_shifted_load(&s->matrix);
    for (size_t i = 0; shift != 0.0 && i < s->p->n; i++) {
        perp_shifted_add(&s->matrix, i, shift);
    }
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];

        perp_shifted_scale_rows(&s->matrix, block->first, block->dim, s->L + s->start[k]);
        perp_shifted_add_block(&s->matrix, block->first, block->dim, s->H + s->start[k]);
        if (s->coupling && s->coupling[k] != 0.0) {
            perp_shifted_add_entry(&s->matrix, block->first, block->normal,
                                   s->coupling[k]);
        }
    }
}

/* The steps of the corners, the rows that remain, and in y the change of these rows by the steps
 * of the corners. */
static void system_condense(newton_system *s, perp_result *r)
{
    const perp_set *set = s->p->set;
    bool moved = false;

    s->kept = 0;
    memset(s->d, 0, s->p->n * sizeof *s->d);
    memset(s->y, 0, s->p->n * sizeof *s->y);
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        bool corner = system_is_corner(s, k);

        for (unsigned i = 0; i < block->dim; i++) {
            if (corner) {
                s->d[block->first + i] =
                    -s->f[block->first + i] / s->H[s->start[k] + i + i * block->dim];
                moved = moved || s->d[block->first + i] != 0.0;
            } else {
                s->rows[s->kept++] = block->first + i;
            }
        }
    }
    if (moved) { /* the shift couples no row with another */
        perp_operator_apply(s->p->A, s->d, s->x);
        perp_diagonal_blocks_apply(s->p->set, s->start, s->L, false, s->x, s->y);
        system_couple(s, false, s->d, s->y);
        r->work.products += 1.0;
    }
}

static perp_status system_factor(newton_system *s, perp_factor_kind kind, perp_result *r,
                                 bool *done, perp_error *err)
{
    TRY(perp_shifted_set_kind(&s->matrix, kind, err));
    return perp_shifted_factor_block(&s->matrix, s->rows, s->kept, &r->work, done, err);
}

static perp_status system_solve_in_factors(newton_system *s, perp_result *r, bool *done,
                                           perp_error *err)
{
    perp_status status = perp_velocity_step_factor(&s->velocity, s->L, s->H, s->shift,
                                                   &r->work, done, err);

    if (status != PERP_OK || !*done) {
        return status;
    }
    for (size_t i = 0; i < s->p->n; i++) {
        s->d[i] = -s->f[i];
    }
    *done = perp_velocity_step_solve(&s->velocity, inexact, s->d, &r->work);
    return PERP_OK;
}

perp_status perp_newton_solve(newton_system *s, double shift, bool symmetric,
                              perp_result *r, bool *done, perp_error *err)
{
    perp_status status = PERP_OK;

    *done = true;
    s->shift = shift;
    if (system_in_factors(s)) {
        return system_solve_in_factors(s, r, done, err);
    }
    system_condense(s, r);
    if (s->kept > 0) {
        *done = false;
        system_fill(s, shift);
        if (symmetric) {
            status = system_factor(s, PERP_FACTOR_CHOLESKY, r, done, err);
        }
        if (status == PERP_OK && !*done) {
            status = system_factor(s, PERP_FACTOR_LU, r, done, err);
        }
        if (status != PERP_OK || !*done) {
            return status;
        }
        for (size_t i = 0; i < s->kept; i++) {
            s->x[i] = -s->f[s->rows[i]] - s->y[s->rows[i]];
        }
        perp_shifted_solve(&s->matrix, s->x);
        for (size_t i = 0; i < s->kept; i++) {
            s->d[s->rows[i]] = s->x[i];
        }
    }
    *done = perp_all_finite(s->d, s->p->n);
    return status;
}

static double system_dot(const newton_system *s, const double *x, const double *y)
{
    double sum = 0.0;

    for (size_t i = 0; i < s->p->n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* Conjugate gradients for (J^T J + lambda I) d = -J^T f from d = 0. `residual` is -f - J d, g
 * the negative gradient -J^T f - (J^T J + lambda I) d, p the direction. */
bool perp_newton_levenberg(newton_system *s, double lambda, perp_result *r)
{
    size_t n = s->p->n;
    double *residual = s->s, *q = s->y, *g = s->t, *p = s->u;
    double first = 0.0;
    double gamma = 0.0;

    memset(s->d, 0, n * sizeof *s->d);
    for (size_t i = 0; i < n; i++) {
        residual[i] = -s->f[i];
    }
    perp_newton_apply_transposed(s, residual, g);
    memcpy(p, g, n * sizeof *p);
    first = gamma = system_dot(s, g, g);
    for (size_t step = 0; step < GRADIENT_STEPS && step < 2 * n; step++) {
        double alpha = 0.0;
        double before = gamma;

        if (!(gamma > gradient_reduction * gradient_reduction * first)) {
            break;
        }
        perp_newton_apply(s, p, q);
        alpha = system_dot(s, q, q);
        if (step == 0) { /* |J|^2, estimated along the gradient */
            lambda *= alpha / gamma;
        }
        alpha = gamma / (alpha + lambda * system_dot(s, p, p));
        for (size_t i = 0; i < n; i++) {
            s->d[i] += alpha * p[i];
            residual[i] -= alpha * q[i];
        }
        perp_newton_apply_transposed(s, residual, g);
        r->work.products += 2.0;
        for (size_t i = 0; i < n; i++) {
            g[i] -= lambda * s->d[i];
        }
        gamma = system_dot(s, g, g);
        for (size_t i = 0; i < n; i++) {
            p[i] = g[i] + gamma / before * p[i];
        }
    }
    return first > 0.0 && perp_all_finite(s->d, n);
}

/* x := what the last refinement in factors repeats, on the rows that are no corner. */
static void system_null_vector(newton_system *s)
{
    const double *y = s->velocity.y;
    double most = 0.0;

    for (size_t i = 0; i < s->p->n; i++) {
        most = fmax(most, sqrt(s->velocity.d[i]) * fabs(y[i]));
    }
    for (size_t k = 0; k < s->p->set->count; k++) {
        perp_block block = s->p->set->blocks[k];
        bool corner = system_is_corner(s, k);

        for (size_t i = block.first; i < block.first + block.dim; i++) {
            bool large = sqrt(s->velocity.d[i]) * fabs(y[i]) > null_rounding * most;

            s->x[i] = large && !corner ? y[i] : 0.0;
        }
    }
}

perp_status perp_newton_certify_singular(newton_system *s, perp_result *r,
                                         perp_error *err)
{
    char why[1];

    if (system_in_factors(s)) {
        system_null_vector(s);
    } else if (!perp_shifted_null_vector(&s->matrix, s->x)) {
        return PERP_OK;
    }
    TRY(perp_result_certify_singular(r, s->x, err));
    if (!perp_certificate_check(&r->certificate, s->p, why, sizeof why)) {
        perp_certificate_clear(&r->certificate);
    }
    return PERP_OK;
}
