/* SPDX-License-Identifier: Apache-2.0
 * integrate/implicit.c: backward Euler; order 1, takes energy out, for stiff springs.
 *
 *     G(u+) = u+ - u - h M^-1 f(s moved by h u+, u+) = 0,   G' = E - h M^-1 df/du+
 *
 * where df/du+ is df/dv + h df/dx by central differences. The first of Newton's steps
 * from u+ = u is the linearly implicit method (M - h df/dv - h^2 df/dx) du = h (f + h
 * df/dx v); where the others do not settle (forces with kinks) it stays the answer. M is
 * taken at the start of the step. Only bodies that a force of the world touches are
 * unknowns, a dense system of six each; weight and loads do not change in a step. The
 * gyroscopic torque has its stage afterwards, as the body's variant says; `explicit`
 * counts as converged, since here everything is taken at the end of the step. */
#include <config.h>

#include <float.h>
#include <lapacke.h>
#include <stdlib.h>

#include <perp/dynamics/force.h>

#include "integrate.h"

enum { newton_limit = 30 };

typedef struct stage {
    perp_flow *flow;
    perp_world *w;
    const perp_scheme *scheme;
    double *u;       /* 6 a body: the iterate */
    double *f, *f2;  /* 6 a body */
    double *inverse; /* 9 a body: inertia at the start */
    double *G, *J;   /* m, m x m by columns */
    size_t *active;  /* bodies that are unknowns, m = 6 count */
    bool *touched;   /* by body */
    lapack_int *pivots;
    size_t count;
} stage;

/* Bodies that forces touch; all when one is the user's. */
static void stage_choose(stage *p)
{
    const perp_world *w = p->w;

    for (size_t k = 0; k < w->force_count; k++) {
        const perp_force *force = &w->forces[k];

        if (force->type->bodies == 0) {
            memset(p->touched, 1, w->body_count * sizeof *p->touched);
        } else {
            p->touched[force->i] = true;
            if (force->type->bodies > 1) {
                p->touched[force->j] = true;
            }
        }
    }
    for (size_t k = 0; k < w->body_count; k++) {
        if (p->touched[k] && w->motion[k] == PERP_MOTION_DYNAMIC) {
            p->active[p->count++] = k;
        }
    }
}

/* h M^-1 f of body k into out. */
static void stage_change(const stage *p, const double *f, size_t k, double out[6])
{
    double h = p->scheme->dt;

    vec3_scale(h * p->w->inverse_mass[k], f + 6 * k, out);
    mat3_apply(p->inverse + 9 * k, f + 6 * k + 3, out + 3);
    vec3_scale(h, out + 3, out + 3);
    if (p->w->dimension == 2) {
        out[2] = 0.0;
    }
}

/* Put body k where the velocity of p->u takes it. */
static void stage_move(const stage *p, size_t k)
{
    memcpy(perp_body_pose(p->w, k), p->flow->s + 7 * k, 7 * sizeof *p->u);
    memcpy(perp_body_velocity(p->w, k), p->u + 6 * k, 6 * sizeof *p->u);
    integrate_drift_body(p->w, p->scheme, k, p->u + 6 * k, p->scheme->dt,
                         perp_body_pose(p->w, k));
    core_refresh_body(p->w, k);
}

static void stage_residual(const stage *p)
{
    perp_world_forces(p->w, false, p->f);
    for (size_t a = 0; a < p->count; a++) {
        size_t k = p->active[a];
        double change[6];

        stage_change(p, p->f, k, change);
        for (size_t c = 0; c < 6; c++) {
            p->G[6 * a + c] = p->u[6 * k + c] - p->flow->u[6 * k + c] - change[c];
        }
    }
}

/* Column by column: two evaluations of all forces each. */
static void stage_jacobian(const stage *p)
{
    size_t m = 6 * p->count;

    for (size_t col = 0; col < m; col++) {
        size_t k = p->active[col / 6];
        double *x = &p->u[6 * k + col % 6];
        double at = *x;
        double step = cbrt(DBL_EPSILON) * fmax(1.0, fabs(at)); /* least error in sum */
        double *J = p->J + m * col;

        *x = at + step;
        stage_move(p, k);
        perp_world_forces(p->w, false, p->f);
        *x = at - step;
        stage_move(p, k);
        perp_world_forces(p->w, false, p->f2);
        *x = at;
        stage_move(p, k);
        for (size_t c = 0; c < 6 * p->w->body_count; c++) {
            p->f[c] = (p->f[c] - p->f2[c]) / (2.0 * step);
        }
        for (size_t a = 0; a < p->count; a++) {
            stage_change(p, p->f, p->active[a], J + 6 * a);
            for (size_t c = 0; c < 6; c++) {
                J[6 * a + c] = (6 * a + c == col) - J[6 * a + c];
            }
        }
    }
}

/* u += d on the unknowns; returns max |d| over max(1e-300, |u|). */
static double stage_advance(const stage *p)
{
    double most = 0.0;
    double size = 1e-300;

    for (size_t a = 0; a < p->count; a++) {
        size_t k = p->active[a];

        for (size_t c = 0; c < 6; c++) {
            p->u[6 * k + c] -= p->G[6 * a + c];
            most = fmax(most, fabs(p->G[6 * a + c]));
            size = fmax(size, fabs(p->u[6 * k + c]));
        }
        stage_move(p, k);
    }
    return most / size;
}

static perp_status stage_newton(stage *p, double *first, perp_error *err)
{
    lapack_int m = (lapack_int)(6 * p->count);
    size_t n = 6 * p->w->body_count;
    double change = 0.0;

    for (int k = 0; k < newton_limit; k++) {
        double before = change;

        stage_jacobian(p);
        stage_residual(p);
        if (LAPACKE_dgesv(LAPACK_COL_MAJOR, m, 1, p->J, m, p->pivots, p->G, m) != 0) {
            return perp_fail(
                err, PERP_ERR_DATA,
                "implicit: a singular system, expected smaller steps than %g "
                "s or forces without negative stiffness",
                p->scheme->dt);
        }
        change = stage_advance(p);
        if (k == 0) {
            memcpy(first, p->u, n * sizeof *first);
        }
        /* rounding, or as near to it as differences let come */
        if (change <= 1e-13 || (k > 1 && change < 1e-8 && change >= 0.5 * before)) {
            return PERP_OK;
        }
    }
    memcpy(p->u, first, n * sizeof *first);
    return PERP_OK;
}

static perp_status stage_solve(stage *p, perp_error *err)
{
    size_t n = p->w->body_count;
    size_t m = 6 * p->count;
    double *first = core_take(6 * n, sizeof *first);
    perp_status status = PERP_OK;

    p->G = core_take(m, sizeof *p->G);
    p->J = m <= INT32_MAX / 2 ? core_take(m * m, sizeof *p->J) : NULL;
    p->pivots = core_take(m, sizeof *p->pivots);
    if (!p->G || !p->J || !p->pivots || !first) {
        status = perp_fail(err, PERP_ERR_MEMORY,
                           "implicit: no memory for a dense system of %zu unknowns", m);
    } else {
        p->w->t += p->scheme->dt;
        for (size_t k = 0; k < n; k++) {
            stage_move(p, k);
        }
        status = stage_newton(p, first, err);
    }
    free(p->G);
    free(p->J);
    free(p->pivots);
    free(first);
    return status;
}

/* Bodies that no force touches: u + h M^-1 (weight and load). */
static void stage_rest(const stage *p)
{
    perp_world_forces(p->w, false, p->f);
    for (size_t k = 0; k < p->w->body_count; k++) {
        double change[6];

        stage_change(p, p->f, k, change);
        for (size_t c = 0; !p->touched[k] && c < 6; c++) {
            p->u[6 * k + c] += change[c];
        }
    }
}

static perp_status implicit_gyro(const stage *p, perp_error *err)
{
    const perp_world *w = p->w;

    for (size_t k = 0; k < w->body_count; k++) {
        perp_gyro gyro = integrate_gyro(w, p->scheme, k);
        perp_status status = PERP_OK;

        if (w->motion[k] == PERP_MOTION_DYNAMIC) {
            status =
                perp_gyro_stage(gyro == PERP_GYRO_EXPLICIT ? PERP_GYRO_CONVERGED : gyro,
                                p->flow->s + 7 * k + 3, w->inertia + 9 * k, p->scheme->dt,
                                p->flow->u + 6 * k + 3, err);
        }
        if (status != PERP_OK) {
            return perp_fail_in(err, status, w->name[k]);
        }
    }
    return PERP_OK;
}

static perp_status implicit_flow(perp_flow *flow, perp_world *w,
                                 const perp_scheme *scheme, perp_error *err)
{
    size_t n = w->body_count;
    stage p = {.flow = flow, .w = w, .scheme = scheme};
    perp_status status = PERP_OK;

    p.u = flow->work;
    p.f = p.u + 6 * n;
    p.f2 = p.f + 6 * n;
    p.inverse = p.f2 + 6 * n;
    memcpy(p.u, w->u, 6 * n * sizeof *p.u);
    memcpy(p.inverse, w->inverse_inertia, 9 * n * sizeof *p.inverse);
    p.active = core_take(n, sizeof *p.active);
    p.touched = core_take(n, sizeof *p.touched);
    if (p.active && p.touched) {
        stage_choose(&p);
        stage_rest(&p);
        status = p.count > 0 ? stage_solve(&p, err) : PERP_OK;
    } else {
        status = perp_fail(err, PERP_ERR_MEMORY, "implicit: no memory for %zu bodies", n);
    }
    free(p.active);
    free(p.touched);
    if (status == PERP_OK) {
        memcpy(flow->u, p.u, 6 * n * sizeof *p.u);
        status = implicit_gyro(&p, err);
    }
    return status;
}

/* Newton's method on x+ - x - h (v + h a(x+)) = 0 with derivative 1 - h^2 a'(x+). */
static void implicit_scalar(const perp_oscillator *o, double h, size_t steps, double *x,
                            double *v)
{
    for (size_t k = 0; k < steps; k++) {
        double at = *x;

        for (int i = 0; i < newton_limit; i++) {
            double d = cbrt(DBL_EPSILON) * fmax(1.0, fabs(at));
            double slope =
                o->slope
                    ? o->slope(o->context, at)
                    : (o->a(o->context, at + d) - o->a(o->context, at - d)) / (2.0 * d);
            double G = at - *x - h * (*v + h * o->a(o->context, at));
            double change = G / (1.0 - h * h * slope);

            at -= change;
            if (fabs(change) <= 4.0 * DBL_EPSILON * fmax(1.0, fabs(at))) {
                break;
            }
        }
        *v += h * o->a(o->context, at);
        *x = at;
    }
}

const integrator_type integrator_implicit = {
    .positions = false,
    .work = 27,
    .flow = implicit_flow,
    .scalar = implicit_scalar,
};
