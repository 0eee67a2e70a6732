/* SPDX-License-Identifier: Apache-2.0
 * linear/velocity_step.c: Newton's steps in the space of velocities, refined. */
#include <config.h>

#include "base/base.h"
#include "diagonal_blocks.h"
#include "matrix/storages.h"
#include "velocity_step.h"

enum {
    step_dim = 5,     /* rows of the largest block, a rolling contact */
    REFINEMENTS = 30, /* those that converge by half per step are at 1e-9 then */
};

/* Of d, added to C. S has entries of M/proximal then: the solution v loses as many digits, and the
 * refinement converges while these are fewer than 15. */
static const double proximal = 1e-9;
static const double rounding = 1e-14; /* of the rows, where the refinement ends */
static const double slow = 0.5;       /* a refinement that leaves more is the last one */

/* d of rows on which nothing moves is 1: they enter no sum. */
static void step_diagonal(perp_velocity_step *s)
{
    for (size_t i = 0; i < s->space.n; i++) {
        double d = perp_operator_diagonal(s->space.A, i);

        s->d[i] = d > 0.0 ? d : 1.0;
    }
}

perp_status perp_velocity_step_setup(perp_velocity_step *s, const perp_operator *A,
                                     const perp_set *set, perp_workspace *ws,
                                     perp_error *err)
{
    bool symmetric = true;

    *s = (perp_velocity_step){0};
    for (size_t k = 0; k < set->count; k++) {
        symmetric = symmetric && set->blocks[k].dim == 1;
    }
    TRY(perp_velocity_setup(&s->space, A, set, symmetric, ws, err));
    s->d = perp_workspace_reals(ws, s->space.n);
    s->Tinv = perp_workspace_reals(ws, s->space.area);
    s->weight = perp_workspace_reals(ws, s->space.area);
    s->scale = perp_workspace_reals(ws, s->space.n);
    s->rest = perp_workspace_reals(ws, s->space.n);
    s->part = perp_workspace_reals(ws, s->space.n);
    s->x = perp_workspace_reals(ws, s->space.n);
    s->y = perp_workspace_reals(ws, s->space.n);
    s->v = perp_workspace_reals(ws, s->space.nv);
    return perp_workspace_status(ws, err);
}

void perp_velocity_step_close(perp_velocity_step *s)
{
    perp_velocity_close(&s->space);
}

/* T^-1 and T^-1 L of block k, and the scales of its rows. */
static void step_block(perp_velocity_step *s, size_t k)
{
    const double *C = perp_operator_compliance(s->space.A);
    perp_block block = s->space.set->blocks[k];
    unsigned dim = block.dim;
    unsigned area = dim * dim;
    const double *L = s->L + s->space.start[k];
    const double *H = s->H + s->space.start[k];
    double sum[step_dim] = {0};
    double T[step_dim * step_dim];
    double X[2 * step_dim * step_dim] = {0};

    memcpy(X + area, L, area * sizeof *X);
    for (unsigned j = 0; j < dim; j++) {
        double d = s->d[block.first + j];
        double c = C[block.first + j] + s->shift + proximal * d;

        X[j * (dim + 1)] = 1.0;
        for (unsigned i = 0; i < dim; i++) {
            T[i + j * dim] = L[i + j * dim] * c + H[i + j * dim];
            sum[i] += fabs(L[i + j * dim]) * d + fabs(H[i + j * dim]);
        }
    }
    perp_block_divide(dim, T, X, 2 * dim);
    memcpy(s->Tinv + s->space.start[k], X, area * sizeof *X);
    memcpy(s->weight + s->space.start[k], X + area, area * sizeof *X);
    for (unsigned i = 0; i < dim; i++) {
        s->scale[block.first + i] = sum[i] > 0.0 ? 1.0 / sum[i] : 1.0;
    }
}

perp_status perp_velocity_step_factor(perp_velocity_step *s, const double *L,
                                      const double *H, double shift, perp_work *work,
                                      bool *done, perp_error *err)
{
    s->L = L;
    s->H = H;
    s->shift = shift;
    memset(s->y, 0, s->space.n * sizeof *s->y);
    step_diagonal(s);
    for (size_t k = 0; k < s->space.set->count; k++) {
        step_block(s, k);
    }
    *done = perp_all_finite(s->weight, s->space.area) &&
            perp_all_finite(s->Tinv, s->space.area);
    if (!*done) {
        return PERP_OK;
    }
    perp_velocity_set_weight(&s->space, s->weight);
    return perp_velocity_factor(&s->space, work, done, err);
}

/* y := T^-1 (rest - L J v) */
static void step_correction(perp_velocity_step *s)
{
    const perp_velocity *space = &s->space;

    perp_diagonal_blocks_apply(space->set, space->start, s->Tinv, false, s->rest, s->y);
    perp_velocity_forces(space, s->y, s->v);
    perp_velocity_solve_forces(&s->space, s->v);
    perp_velocity_rows(space, s->v, s->x);
    perp_velocity_weigh(space, s->x, s->x);
    for (size_t i = 0; i < space->n; i++) {
        s->y[i] -= s->x[i];
    }
}

/* rest -= (L (A + shift I) + H) y; the largest row of it, in its unit. */
static double step_rest(perp_velocity_step *s)
{
    const perp_velocity *space = &s->space;
    double *Ay = s->x;
    double *part = s->part;
    double most = 0.0;

    perp_operator_apply(space->A, s->y, Ay);
    for (size_t i = 0; i < space->n; i++) {
        Ay[i] += s->shift * s->y[i];
    }
    perp_diagonal_blocks_apply(space->set, space->start, s->L, false, Ay, part);
    perp_diagonal_blocks_apply(space->set, space->start, s->H, false, s->y, Ay);
    for (size_t i = 0; i < space->n; i++) {
        s->rest[i] -= part[i] + Ay[i];
        most = fmax(most, fabs(s->rest[i]) * s->scale[i]);
    }
    return perp_all_finite(s->rest, space->n) ? most : INFINITY;
}

bool perp_velocity_step_solve(perp_velocity_step *s, double most, double *x,
                              perp_work *work)
{
    size_t n = s->space.n;
    double first = 0.0;
    double now = 0.0;
    double before = INFINITY;

    memcpy(s->rest, x, n * sizeof *x);
    memset(x, 0, n * sizeof *x);
    for (size_t i = 0; i < n; i++) {
        first = fmax(first, fabs(s->rest[i]) * s->scale[i]);
    }
    now = first;
    for (size_t t = 0; t < REFINEMENTS && now > rounding * first && now <= slow * before;
         t++) {
        step_correction(s);
        before = now;
        now = step_rest(s);
        work->products += 1.0;
        if (!(now < before)) {
            now = before;
            break;
        }
        for (size_t i = 0; i < n; i++) {
            x[i] += s->y[i];
        }
    }
    return now <= most * first && isfinite(first);
}

size_t perp_velocity_step_failed_row(const perp_velocity_step *s)
{
    size_t row = 0;
    double most = -1.0;

    for (size_t i = 0; i < s->space.n; i++) {
        double size = sqrt(s->d[i]) * fabs(s->y[i]);

        if (size > most) {
            most = size;
            row = i;
        }
    }
    return row;
}
