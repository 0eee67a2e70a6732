/* SPDX-License-Identifier: Apache-2.0
 * step/implicit.c: backward Euler; order 1, takes energy out, for stiff springs.
 *
 * Bodies in maximal coordinates are those of step/implicit_bodies.c, whose M* impulses
 * see. Here are worlds in reduced coordinates, the velocities of all bodies and trees at once;
 * impulses see H alone, so that a step with forces and rows is refused.
 *
 *     G(u+) = u+ - u - h M^-1 f(s moved by h u+, u+) = 0,   G' = E - h M^-1 df/du+
 *
 * where df/du+ is df/dv + h df/dx by central differences. The first of Newton's steps
 * from u+ = u is the linearly implicit method (M - h df/dv - h^2 df/dx) du = h (f + h
 * df/dx v); where the others do not settle (forces with kinks) it stays the answer. M is
 * taken at the start of the step. Only bodies that a force of the world touches are
 * unknowns, a dense system of six each; weight and loads do not change in a step. The
 * gyroscopic torque has its stage afterwards, as the body's variant says; `explicit`
 * counts as converged, since here everything is taken at the end of the step.
 *
 * Of trees the velocities nu are unknowns where a force touches one of their bodies or a
 * joint has a spring or damper: nu+ = nu + h dnu/dt(q moved by h nu+, nu+), with inertia
 * and velocity terms of the end, too. Other trees go as by semi-implicit Euler. */
#include <config.h>

#include <float.h>
#include <lapacke.h>
#include <stdlib.h>

#include <perp/dynamics/force.h>

#include "step/integrate.h"

enum { newton_limit = 30 };

typedef struct stage {
    perp_free_motion *motion;
    const perp_world *w;
    perp_state *state;
    const perp_scheme *scheme;
    double *u;       /* 6 a body, then nu: the iterate */
    double *f, *f2;  /* forces, 6 a body, then dnu/dt */
    double *q;       /* coordinates at the end */
    double *inverse; /* 9 a body: inertia at the start */
    double *G, *J;   /* m, m x m by columns */
    size_t *active;  /* places in u that are unknowns, m = count */
    bool *touched;   /* by place in u */
    lapack_int *pivots;
    size_t count;
} stage;

static void stage_touch_body(stage *p, int32_t k)
{
    if (k >= 0) {
        memset(p->touched + 6 * k, 1, 6 * sizeof *p->touched);
    }
}

/* Whether joint k has a spring or a damper. */
static bool implicit_has_spring(const perp_link *link)
{
    bool any = false;

    for (unsigned c = 0; c < link->mobilizer->dof; c++) {
        any = any || link->stiffness[c] != 0.0 || link->damping[c] != 0.0;
    }
    return any;
}

/* All links of a tree where one is touched: told to the root, then to all below. A link
 * is marked by its body. */
static void stage_touch_trees(stage *p)
{
    const perp_reduced *r = p->w->reduced;
    const perp_articulation *tree = r->tree;

    for (size_t i = tree->count; i-- > 0;) {
        const perp_link *link = &tree->links[i];

        if (implicit_has_spring(link)) {
            stage_touch_body(p, r->body[i]);
        }
        if (link->parent >= 0 && p->touched[6 * r->body[i]]) {
            stage_touch_body(p, r->body[link->parent]);
        }
    }
    for (size_t i = 0; i < tree->count; i++) {
        int32_t parent = tree->links[i].parent;

        if (parent >= 0 && p->touched[6 * r->body[parent]]) {
            stage_touch_body(p, r->body[i]);
        }
        memset(p->touched + 6 * p->w->body_count + tree->first[i],
               p->touched[6 * r->body[i]], tree->first[i + 1] - tree->first[i]);
    }
}

/* What forces touch; all when one is the user's. */
static void stage_choose(stage *p)
{
    const perp_world *w = p->w;
    size_t n = 6 * w->body_count;

    for (size_t k = 0; k < w->force_count; k++) {
        const perp_force *force = &w->forces[k];

        if (force->type->bodies == 0) {
            memset(p->touched, 1, n * sizeof *p->touched);
        } else {
            stage_touch_body(p, force->i);
            stage_touch_body(p, force->type->bodies > 1 ? force->j : -1);
        }
    }
    if (w->reduced) {
        stage_touch_trees(p);
    }
    for (size_t c = 0; c < integrate_velocities(w); c++) {
        if (p->touched[c] && (c >= n || integrate_alone(w, c / 6))) {
            p->active[p->count++] = c;
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

/* Changes of all unknowns: h M^-1 f of bodies, h dnu/dt of coordinates. */
static void stage_changes(const stage *p, const double *f, double *out)
{
    size_t n = 6 * p->w->body_count;

    for (size_t a = 0; a < p->count;) {
        size_t c = p->active[a];

        if (c < n) {
            stage_change(p, f, c / 6, out + a);
            a += 6;
        } else {
            out[a] = p->scheme->dt * f[c];
            a++;
        }
    }
}

/* Put body k where the velocity of p->u takes it. */
static void stage_move(const stage *p, size_t k)
{
    memcpy(perp_body_pose(p->state, k), p->motion->s + 7 * k, 7 * sizeof *p->u);
    memcpy(perp_body_velocity(p->state, k), p->u + 6 * k, 6 * sizeof *p->u);
    integrate_drift_body(p->w, p->scheme, k, p->u + 6 * k, p->scheme->dt,
                         perp_body_pose(p->state, k));
    world_refresh_body(p->w, p->state, k);
}

/* The same of all trees. */
static perp_status stage_move_trees(const stage *p, perp_error *err)
{
    size_t n = p->w->body_count;
    size_t m = integrate_coordinates(p->w);

    memcpy(p->q, p->motion->s + 7 * n, m * sizeof *p->q);
    trees_drift(p->state, p->u + 6 * n, p->scheme->dt, p->q);
    return trees_place(p->w, p->state, p->q, p->u + 6 * n, err);
}

/* What place c of p->u moves. */
static perp_status stage_move_place(const stage *p, size_t c, perp_error *err)
{
    if (c >= 6 * p->w->body_count) {
        return stage_move_trees(p, err);
    }
    stage_move(p, c / 6);
    return PERP_OK;
}

/* Forces on bodies, and dnu/dt behind them where trees are unknowns. */
static perp_status stage_forces(const stage *p, double *f, perp_error *err)
{
    size_t n = 6 * p->w->body_count;

    perp_world_forces(p->w, p->state, false, f);
    if (p->count > 0 && p->active[p->count - 1] >= n) {
        return trees_accelerations(p->motion, p->w, p->state, f, f + n, err);
    }
    return PERP_OK;
}

static perp_status stage_residual(const stage *p, perp_error *err)
{
    perp_status status = stage_forces(p, p->f, err);

    stage_changes(p, p->f, p->G);
    for (size_t a = 0; a < p->count; a++) {
        size_t c = p->active[a];

        p->G[a] = p->u[c] - p->motion->u[c] - p->G[a];
    }
    return status;
}

/* Column by column: two evaluations of all forces each. */
static perp_status stage_jacobian(const stage *p, perp_error *err)
{
    size_t m = p->count;
    perp_status status = PERP_OK;

    for (size_t col = 0; status == PERP_OK && col < m; col++) {
        size_t place = p->active[col];
        double *x = &p->u[place];
        double at = *x;
        double step = cbrt(DBL_EPSILON) * fmax(1.0, fabs(at)); /* least error in sum */
        double *J = p->J + m * col;

        *x = at + step;
        status = stage_move_place(p, place, err);
        if (status == PERP_OK) {
            status = stage_forces(p, p->f, err);
        }
        *x = at - step;
        if (status == PERP_OK) {
            status = stage_move_place(p, place, err);
        }
        if (status == PERP_OK) {
            status = stage_forces(p, p->f2, err);
        }
        *x = at;
        if (status == PERP_OK) {
            status = stage_move_place(p, place, err);
        }
        for (size_t c = 0; c < integrate_velocities(p->w); c++) {
            p->f[c] = (p->f[c] - p->f2[c]) / (2.0 * step);
        }
        stage_changes(p, p->f, J);
        for (size_t a = 0; a < m; a++) {
            J[a] = (a == col) - J[a];
        }
    }
    return status;
}

/* u += d on the unknowns; *change = max |d| over max(1e-300, |u|). */
static perp_status stage_advance(const stage *p, double *change, perp_error *err)
{
    double most = 0.0;
    double size = 1e-300;

    for (size_t a = 0; a < p->count; a++) {
        size_t c = p->active[a];

        p->u[c] -= p->G[a];
        most = fmax(most, fabs(p->G[a]));
        size = fmax(size, fabs(p->u[c]));
        if (c < 6 * p->w->body_count && c % 6 == 5) {
            stage_move(p, c / 6);
        }
    }
    *change = most / size;
    return p->w->reduced ? stage_move_trees(p, err) : PERP_OK;
}

static perp_status stage_newton(stage *p, double *first, perp_error *err)
{
    lapack_int m = (lapack_int)p->count;
    size_t n = integrate_velocities(p->w);
    double change = 0.0;

    for (int k = 0; k < newton_limit; k++) {
        double before = change;
        perp_status status = stage_jacobian(p, err);

        if (status == PERP_OK) {
            status = stage_residual(p, err);
        }
        if (status != PERP_OK) {
            return status;
        }
        if (LAPACKE_dgesv(LAPACK_COL_MAJOR, m, 1, p->J, m, p->pivots, p->G, m) != 0) {
            return perp_fail(err, PERP_ERR_DATA,
                             "implicit: the system is singular, expected smaller steps "
                             "than %g s or forces without negative stiffness",
                             p->scheme->dt);
        }
        status = stage_advance(p, &change, err);
        if (status != PERP_OK) {
            return status;
        }
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
    size_t m = p->count;
    double *first = math_alloc(integrate_velocities(p->w), sizeof *first);
    perp_status status = PERP_OK;

    p->G = math_alloc(m, sizeof *p->G);
    p->J = m <= INT32_MAX / 2 ? math_alloc(m * m, sizeof *p->J) : NULL;
    p->pivots = math_alloc(m, sizeof *p->pivots);
    if (!p->G || !p->J || !p->pivots || !first) {
        status = perp_fail(err, PERP_ERR_MEMORY,
                           "implicit: no memory for a dense system of %zu unknowns", m);
    } else {
        p->state->t += p->scheme->dt;
        for (size_t k = 0; k < p->w->body_count; k++) {
            stage_move(p, k);
        }
        status = p->w->reduced ? stage_move_trees(p, err) : PERP_OK;
        status = status == PERP_OK ? stage_newton(p, first, err) : status;
    }
    free(p->G);
    free(p->J);
    free(p->pivots);
    free(first);
    return status;
}

/* What no force touches: u + h M^-1 (weight and load), nu + h dnu/dt. */
static perp_status stage_rest(const stage *p, perp_error *err)
{
    size_t n = 6 * p->w->body_count;
    perp_status status = PERP_OK;

    perp_world_forces(p->w, p->state, false, p->f);
    for (size_t k = 0; k < p->w->body_count; k++) {
        double change[6];

        stage_change(p, p->f, k, change);
        for (size_t c = 0; !p->touched[6 * k] && c < 6; c++) {
            p->u[6 * k + c] += change[c];
        }
    }
    if (p->w->reduced) {
        status =
            trees_middle(p->motion, p->w, p->state, p->scheme->dt, p->f, p->f + n, err);
        for (size_t c = n; c < integrate_velocities(p->w); c++) {
            p->u[c] += p->touched[c] ? 0.0 : p->scheme->dt * p->f[c];
        }
    }
    return status;
}

static perp_status implicit_gyro(const stage *p, perp_error *err)
{
    const perp_world *w = p->w;

    for (size_t k = 0; k < w->body_count; k++) {
        perp_gyro gyro = integrate_gyro(w, p->scheme, k);
        perp_status status = PERP_OK;

        if (integrate_alone(w, k)) {
            status =
                perp_gyro_stage(gyro == PERP_GYRO_EXPLICIT ? PERP_GYRO_CONVERGED : gyro,
                                p->motion->s + 7 * k + 3, w->inertia + 9 * k,
                                p->scheme->dt, p->motion->u + 6 * k + 3, err);
        }
        if (status != PERP_OK) {
            return perp_fail_in(err, status, w->name[k]);
        }
    }
    return PERP_OK;
}

/* Bodies and trees of a world in reduced coordinates. */
static perp_status implicit_trees(const stage *of, perp_error *err)
{
    perp_free_motion *motion = of->motion;
    const perp_world *w = of->w;
    const perp_state *state = of->state;
    size_t n = w->body_count;
    size_t m = integrate_velocities(w);
    stage p = *of;
    perp_status status = PERP_OK;

    p.u = motion->work;
    p.f = p.u + m;
    p.f2 = p.f + m;
    p.q = p.f2 + m;
    p.inverse = p.q + integrate_coordinates(w);
    memcpy(p.u, motion->u, m * sizeof *p.u);
    memcpy(p.inverse, state->inverse_inertia, 9 * n * sizeof *p.inverse);
    p.active = math_alloc(m, sizeof *p.active);
    p.touched = math_alloc(m, sizeof *p.touched);
    if (p.active && p.touched) {
        stage_choose(&p);
        status = stage_rest(&p, err);
        status = status == PERP_OK && p.count > 0 ? stage_solve(&p, err) : status;
        motion->trees_implicit = p.count > 0;
    } else {
        status = perp_fail(err, PERP_ERR_MEMORY, "implicit: no memory for %zu bodies", n);
    }
    free(p.active);
    free(p.touched);
    if (status == PERP_OK) {
        memcpy(motion->u, p.u, m * sizeof *p.u);
    }
    return status;
}

static perp_status implicit_motion(perp_free_motion *motion, const perp_world *w,
                                   perp_state *state, const perp_scheme *scheme,
                                   perp_error *err)
{
    stage p = {.motion = motion, .w = w, .state = state, .scheme = scheme};
    perp_status status = w->reduced ? implicit_trees(&p, err)
                                    : implicit_bodies(motion, w, state, scheme, err);

    return status == PERP_OK ? implicit_gyro(&p, err) : status;
}

const integrator_type integrator_implicit = {
    .positions = false,
    .work = 39,
    .coordinates = 4,
    .motion = implicit_motion,
};
