/* SPDX-License-Identifier: Apache-2.0
 * pivoting/dantzig_friction.c: |z_i| <= mu z_normal solved together with z_normal.
 *
 * With bounds h for the friction rows the boxed problem has one solution z(h), found by
 * pivots; the coupled problem asks for the fixed point h = mu z_normal(h). Each round
 *     - solves the boxed problem, warm from the sets of the round before;
 *     - keeps the sets and solves the coupled linear system they stand for, in which a row
 *       at its bound has z_i = +-mu z_normal: unsymmetric, dense LU. It is a Newton step of
 *       the piecewise linear fixed-point map, exact once the sets are right; a few
 *       semismooth steps from there correct the sets [qi-sun-1993];
 *     - takes the next bounds from the Newton point while the gap |h - mu z_normal| shrinks
 *       well, else from the plain fixed point, halved when the gap grows.
 * Neither step has a convergence theory for large mu. When the rounds do not settle, the
 * proximal Newton steps of dantzig_newton.c take over, and then the path of
 * dantzig_path.c. */
#include <config.h>

#include <cblas.h>
#include <lapacke.h>

#include "dantzig.h"

enum { NEWTON_STEPS = 8 };

double dantzig_friction_bound(const dantzig *s, size_t i, const double *z)
{
    double lo = 0.0;
    double hi = 0.0;

    perp_block_bounds(&s->p->set->blocks[i], z, &lo, &hi);
    return hi;
}

/* The side on which row i slips in `trial`: -1, 1, or 0 for a row that does not. */
static double slip_sign(const dantzig *s, size_t i)
{
    if (!dantzig_is_friction(s, i) || s->trial[i] == ROW_IN || s->trial[i] == ROW_FIXED) {
        return 0.0;
    }
    return s->trial[i] == ROW_LOW ? -1.0 : 1.0;
}

void dantzig_line_constants(dantzig *s, double *z0, double *z1)
{
    for (size_t i = 0; i < s->n; i++) {
        z0[i] = s->trial[i] == ROW_HIGH ? s->hi[i] : s->lo[i];
        z0[i] = s->trial[i] == ROW_IN ? 0.0 : z0[i];
        z1[i] = 0.0;
    }
    for (size_t i = 0; i < s->n; i++) {
        if (dantzig_is_friction(s, i) && s->trial[i] != ROW_IN) {
            const perp_block *block = &s->p->set->blocks[i];

            z0[i] = slip_sign(s, i) * block->mu * fmax(z0[block->normal], 0.0);
            z1[i] = slip_sign(s, i) * block->mu * s->open[i];
        }
    }
}

/* C into s->in, and its size. */
static size_t line_rows(dantzig *s)
{
    size_t k = 0;

    for (size_t i = 0; i < s->n; i++) {
        if (s->trial[i] == ROW_IN) {
            s->in[k] = i;
            s->place[i] = k++;
        }
    }
    return k;
}

/* K = A_C,C, and for each row that slips with its normal in C, +-mu A_C,i added to the
 * column of the normal. */
static void line_matrix(dantzig *s, size_t k)
{
    double *K = s->panel;

    for (size_t j = 0; j < k; j++) {
        const double *a = s->A + s->in[j] * s->ld;

        for (size_t i = 0; i < k; i++) {
            K[i + j * k] = a[s->in[i]];
        }
        K[j + j * k] += s->shift;
    }
    for (size_t i = 0; i < s->n; i++) {
        const perp_block *block = &s->p->set->blocks[i];
        double sign = slip_sign(s, i);

        if (sign != 0.0 && s->trial[block->normal] == ROW_IN) {
            const double *a = s->A + i * s->ld;
            double *column = K + s->place[block->normal] * k;

            for (size_t j = 0; j < k; j++) {
                column[j] += sign * block->mu * a[s->in[j]];
            }
        }
    }
}

/* z_C := -K^-1 (b + A z)_C, and rows that slip on it. */
static void line_solve(dantzig *s, size_t k, double *z)
{
    double *x = s->dw;

    for (size_t j = 0; j < k; j++) {
        size_t i = s->in[j];

        x[j] = -dantzig_row_times(s, i, z);
        x[j] -= s->p->b[i] - s->shift * s->center[i];
    }
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', (int)k, 1, s->panel, (int)k, s->pivoting,
                        x, (int)k);
    for (size_t j = 0; j < k; j++) {
        z[s->in[j]] = x[j];
    }
    for (size_t i = 0; i < s->n; i++) {
        const perp_block *block = &s->p->set->blocks[i];
        double sign = slip_sign(s, i);

        if (sign != 0.0 && s->trial[block->normal] == ROW_IN) {
            z[i] += sign * block->mu * z[block->normal];
        }
    }
}

bool dantzig_line(dantzig *s, perp_result *r, double *z)
{
    const size_t k = line_rows(s);

    dantzig_line_constants(s, z, s->dz_slot);
    line_matrix(s, k);
    r->work.factorizations++;
    r->work.flops_factor += 2.0 / 3.0 * (double)k * (double)k * (double)k;
    if (k && LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, (int)k, (int)k, s->panel, (int)k,
                                 s->pivoting) != 0) {
        return false;
    }
    if (k) {
        line_solve(s, k, z);
        dantzig_count(s, r, k, s->n + k);
    }
    return perp_all_finite(z, s->n);
}

/* States of the boxed solution; rows fixed at no friction slip against their w. */
static void trial_from_box(dantzig *s)
{
    for (size_t i = 0; i < s->n; i++) {
        s->trial[i] = s->state[i];
        if (dantzig_is_friction(s, i) && s->state[i] == ROW_FIXED &&
            s->p->set->blocks[i].mu > 0.0) {
            s->trial[i] = s->w0[i] < 0.0 ? ROW_HIGH : ROW_LOW;
        }
    }
}

/* Semismooth steps from the sets of the boxed solution. The first point is left in s->z1 if
 * it is usable; true when a point is a solution: then it is s->z. */
static bool newton(dantzig *s, perp_result *r, bool *usable)
{
    double best = INFINITY;

    *usable = false;
    trial_from_box(s);
    for (int step = 0; step < NEWTON_STEPS; step++) {
        double error = 0.0;

        if (!dantzig_line(s, r, s->z0)) {
            return false;
        }
        error = dantzig_error(s, r, s->z0, s->w0, true);
        if (!*usable) {
            *usable = true;
            memcpy(s->z1, s->z0, s->n * sizeof *s->z1);
        }
        if (error <= SETTLED) {
            memcpy(s->z, s->z0, s->n * sizeof *s->z);
            return true;
        }
        if (error > 4.0 * best || !dantzig_trial(s, s->z0, s->w0)) {
            return false;
        }
        best = fmin(best, error);
    }
    return false;
}

/* Bounds for the next round, h + part (mu z_normal - h), and rows that were at a bound
 * follow it. */
static void next_bounds(dantzig *s, const double *z, double part)
{
    for (size_t i = 0; i < s->n; i++) {
        if (dantzig_is_friction(s, i)) {
            s->h[i] += part * (dantzig_friction_bound(s, i, z) - s->h[i]);
            s->lo[i] = -s->h[i];
            s->hi[i] = s->h[i];
            s->z[i] = s->state[i] == ROW_LOW    ? s->lo[i]
                      : s->state[i] == ROW_HIGH ? s->hi[i]
                                                : s->z[i];
        }
    }
}

static double bounds_gap(const dantzig *s)
{
    double gap = 0.0;

    for (size_t i = 0; i < s->n; i++) {
        if (dantzig_is_friction(s, i)) {
            double bound = dantzig_friction_bound(s, i, s->z);

            gap = fmax(gap, s->scale[i] * fabs(s->h[i] - bound));
        }
    }
    return gap / s->beta_b;
}

perp_status dantzig_couple(dantzig *s, perp_result *r)
{
    double gap = bounds_gap(s);
    double error = dantzig_error(s, r, s->z, s->w0, true);
    bool usable = false;

    s->rounds++;
    r->work.rounds++;
    s->freeze = false;
    if (error <= SETTLED) {
        return dantzig_finish(s, r);
    }
    if (newton(s, r, &usable)) {
        s->fresh = true;
        return dantzig_finish(s, r);
    }
    if (s->rounds >= s->most_rounds) {
        return s->newton ? dantzig_newton(s, r) : dantzig_open(s, r);
    }
    if (usable && gap < 0.5 * s->gap) {
        next_bounds(s, s->z1, 1.0);
    } else {
        next_bounds(s, s->z, gap > s->gap ? 0.5 : 1.0);
    }
    s->gap = gap;
    dantzig_start(s, r);
    return PERP_OK;
}
