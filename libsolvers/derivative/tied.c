/* SPDX-License-Identifier: Apache-2.0
 * derivative/tied.c: the derivative of the tied rows in one direction.
 *
 *     S y_T + c,   S = B_TT - B_TF B_FF^-1 B_FT,   c = r_T - B_TF B_FF^-1 r_F
 *     y_F = -B_FF^-1 (r_F + B_FT y_T)
 *
 * with r = Q^T dr. The solution of this problem, y_T >= 0 _|_ S y_T + c >= 0, in which friction
 * rows and opening cones remain friction rows and cones, is the directional derivative
 * [facchinei-pang-2003, chapter 5]. It is solved by `auto`. */
#include <config.h>

#include <cblas.h>

#include "base/base.h"
#include "derivative.h"

/* The problem is small and needs an exact solution, which pivoting solvers reach. */
#define TIED_TOLERANCE "1e-12"

void perp_tied_close(perp_tied *tied)
{
    perp_problem_free(tied->problem);
    perp_result_free(tied->result);
    *tied = (perp_tied){0};
}

static size_t tied_index(const perp_tied *tied, size_t mode)
{
    size_t k = 0;

    while (tied->modes[k] != mode) {
        k++;
    }
    return k;
}

/* K of the tied modes. Scales of a friction row and its normal may differ, and with them
 * the coefficient; the rows of a cone share theirs. */
static void tied_set(const perp_tied *tied, const perp_modes *modes, perp_set *set)
{
    for (size_t i = 0; i < tied->m; i++) {
        const perp_mode *mode = &modes->mode[tied->modes[i]];

        switch (mode->kind) {
        case PERP_MODE_CONE:
            perp_set_add_cone(set, mode->dim, mode->mu);
            break;
        case PERP_MODE_FRICTION:
            perp_set_add_friction(set, mode->mu * mode->s / modes->mode[mode->normal].s,
                                  tied_index(tied, mode->normal));
            break;
        case PERP_MODE_TIED:
            perp_set_add_nonneg(set);
            break;
        case PERP_MODE_TANGENT: /* part of a cone, added above */
        case PERP_MODE_FREE:    /* is not tied */
            break;
        }
    }
}

/* S, and to_free := B_FF^-1 B_FT. */
static void tied_complement(perp_tied *tied, const perp_modes *modes, perp_piece *free,
                            perp_operator *S)
{
    size_t n = modes->count;

    for (size_t j = 0; j < tied->m; j++) {
        const double *column = tied->B + tied->modes[j] * n;
        double *x = tied->to_free + j * free->m;

        for (size_t k = 0; k < free->m; k++) {
            x[k] = column[free->modes[k]];
        }
        perp_piece_solve(free, false, x);
        for (size_t i = 0; i < tied->m; i++) {
            double sum = column[tied->modes[i]];

            for (size_t k = 0; k < free->m; k++) {
                sum -= tied->B[tied->modes[i] + free->modes[k] * n] * x[k];
            }
            S->x[i + j * S->ld] = sum;
        }
    }
}

static perp_status tied_problem(perp_tied *tied, const perp_modes *modes,
                                perp_piece *free_piece, perp_error *err)
{
    perp_operator *S = NULL;
    perp_set *set = NULL;
    double *b = perp_reals_new(tied->m);
    perp_status status =
        b ? perp_operator_new_dense(&S, tied->m, tied->m, err)
          : perp_fail(err, PERP_ERR_MEMORY, "sensitivity: no memory for %zu tied rows",
                      tied->m);

    if (status == PERP_OK) {
        status = perp_set_new(&set, tied->m, err);
    }
    if (status != PERP_OK) {
        perp_operator_free(S);
        free(b);
        return status;
    }
    tied_complement(tied, modes, free_piece, S);
    tied_set(tied, modes, set);
    return perp_problem_new_take(&tied->problem, S, b, set, modes->p->law, err);
}

perp_status perp_tied_setup(perp_tied *tied, const perp_modes *modes, const double *B,
                            perp_piece *free_piece, const size_t *list, size_t m,
                            perp_workspace *ws, perp_error *err)
{
    *tied = (perp_tied){.m = m, .B = B};
    if (m == 0) {
        return PERP_OK;
    }
    tied->modes = perp_workspace_sizes(ws, m);
    tied->to_free = perp_workspace_alloc(ws, m, free_piece->m * sizeof *tied->to_free);
    TRY(perp_workspace_status(ws, err));
    memcpy(tied->modes, list, m * sizeof *list);
    TRY(tied_problem(tied, modes, free_piece, err));
    TRY(perp_result_new(&tied->result, m, err));
    TRY(perp_solver_parse("auto", &tied->solver, &tied->options, err));
    return perp_options_set(&tied->options, "tolerance", TIED_TOLERANCE, err);
}

/* y_T of the right-hand side y, whose free part is B_FF^-1 r_F already. */
static perp_status tied_direction(perp_tied *tied, const perp_modes *modes,
                                  const perp_piece *free_piece, const double *y,
                                  perp_error *err)
{
    for (size_t i = 0; i < tied->m; i++) {
        double sum = y[tied->modes[i]];

        for (size_t k = 0; k < free_piece->m; k++) {
            size_t mode = free_piece->modes[k];

            sum -= tied->B[tied->modes[i] + mode * modes->count] * y[mode];
        }
        tied->problem->b[i] = sum;
    }
    memset(tied->result->z, 0, tied->m * sizeof *tied->result->z);
    perp_result_restart(tied->result);
    TRY(perp_solve(tied->solver, tied->problem, &tied->options, tied->result, err));
    if (tied->result->outcome != PERP_SOLVED) {
        TRY(perp_fail(err, PERP_ERR_DATA,
                      "sensitivity: no derivative of the %zu tied rows in this "
                      "direction was found: %s",
                      tied->m, tied->result->reason));
    }
    return PERP_OK;
}

perp_status perp_tied_solve(perp_tied *tied, const perp_modes *modes,
                            perp_piece *free_piece, double *y, perp_error *err)
{
    perp_status status = PERP_OK;
    double *x = free_piece->work + free_piece->m; /* the solver uses the first m alone */

    for (size_t k = 0; k < free_piece->m; k++) {
        x[k] = y[free_piece->modes[k]];
    }
    perp_piece_solve(free_piece, false, x);
    for (size_t k = 0; k < free_piece->m; k++) {
        y[free_piece->modes[k]] = x[k];
    }
    if (tied->m > 0) {
        status = tied_direction(tied, modes, free_piece, y, err);
    }
    for (size_t i = 0; status == PERP_OK && i < tied->m; i++) {
        double y_i = tied->result->z[i];

        y[tied->modes[i]] = y_i;
        for (size_t k = 0; k < free_piece->m; k++) {
            y[free_piece->modes[k]] += tied->to_free[k + i * free_piece->m] * y_i;
        }
    }
    for (size_t k = 0; k < free_piece->m; k++) {
        y[free_piece->modes[k]] = -y[free_piece->modes[k]];
    }
    return status;
}
