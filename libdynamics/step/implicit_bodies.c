/* SPDX-License-Identifier: Apache-2.0
 * step/implicit_bodies.c: backward Euler of bodies in maximal coordinates.
 *
 *     M (u+ - u) = h f(s moved by h u+, u+),   M* = M - h df/du - h^2 df/dx
 *
 * Newton's method: M* du = h f - M (u+ - u). Each force gives its part of M* by its
 * derivative, where its type has none by differences of that force alone; bodies that forces
 * couple are a dense group (problem/effective.h), all others take u + h M^-1 (weight and load).
 * M is that of the start of the step. The first step from u+ = u is the linearly implicit
 * method (M - h df/du - h^2 df/dx) du = h (f + h df/dx v); where the others do not settle
 * (forces with kinks) it stays the answer, and M* is that of the start.
 *
 * M* of the answer is what impulses p see: du+/dp = M*^-1. Weight, loads and the gyroscopic
 * stage, which comes afterwards, have no part in it. */
#include <config.h>

#include <float.h>
#include <stdlib.h>

#include <perp/dynamics/force.h>

#include "base/base.h"
#include "problem/effective.h"
#include "step/integrate.h"

enum { newton_limit = 30, widest = 12 };

/* What is asymmetric by less, of the largest entry, is rounding of differences: they have an
 * error of eps^(2/3) = 4e-11 of the forces. */
static const double difference_error = 1e-8;

typedef struct bodies_stage {
    perp_free_motion *motion;
    const perp_world *w;
    perp_state *state;
    const perp_scheme *scheme;
    perp_effective_mass *mass;
    double *u;         /* 6 a body: the iterate */
    double *f, *f2;    /* forces, 6 a body */
    double *r, *first; /* residual and change; the first iterate */
    double *inertia;   /* 9 a body: at the start */
} bodies_stage;

/* Put body k where its velocity in p->u takes it. */
static void bodies_move(const bodies_stage *p, size_t k)
{
    memcpy(perp_body_pose(p->state, k), p->motion->s + 7 * k, 7 * sizeof *p->u);
    memcpy(perp_body_velocity(p->state, k), p->u + 6 * k, 6 * sizeof *p->u);
    integrate_drift_body(p->w, p->scheme, k, p->u + 6 * k, p->scheme->dt,
                         perp_body_pose(p->state, k));
    world_refresh_body(p->w, p->state, k);
}

/* Whether velocity c of a body is one in this dimension. */
static bool bodies_has(const perp_world *w, size_t c)
{
    return w->dimension == 3 || c < 2 || c == 5;
}

/* M* = M; velocities out of the plane have the mass 1 and no force. */
static void bodies_masses(const bodies_stage *p)
{
    const perp_effective_mass *m = p->mass;

    memset(m->matrix, 0, m->start[m->groups] * sizeof *m->matrix);
    for (size_t k = 0; k < m->bodies; k++) {
        for (size_t c = 0; m->group[k] >= 0 && c < 36; c++) {
            const size_t a = c / 6;
            const size_t b = c % 6;
            double x = a == b ? p->w->mass[k] : 0.0;

            if (!bodies_has(p->w, a) || !bodies_has(p->w, b)) {
                x = a == b;
            } else if (a > 2 && b > 2) {
                x = p->inertia[9 * k + 3 * (a - 3) + (b - 3)];
            }
            *effective_entry(m, k, a, k, b) = x;
        }
    }
}

/* M* of velocities (i, a) and (j, b) += x. */
static void bodies_add(const bodies_stage *p, size_t i, size_t a, size_t j, size_t b,
                       double x)
{
    if (p->mass->group[i] >= 0 && p->mass->group[j] >= 0 && bodies_has(p->w, a) &&
        bodies_has(p->w, b)) {
        *effective_entry(p->mass, i, a, j, b) += x;
    }
}

/* The part of a force that knows its derivative. */
static void bodies_derive(const bodies_stage *p, const perp_force *force)
{
    const double h = p->scheme->dt;
    const size_t n = 6 * (size_t)force->type->bodies;
    const size_t body[2] = {(size_t)force->i, (size_t)force->j};
    double K[widest * widest] = {0};
    double D[widest * widest] = {0};

    force->type->derivative(force, p->w, p->state, K, D);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            bodies_add(p, body[i / 6], i % 6, body[j / 6], j % 6,
                       -h * (D[n * i + j] + h * K[n * i + j]));
        }
    }
}

/* What the force does at velocity x in place `at` of p->u. */
static void bodies_force_at(const bodies_stage *p, const perp_force *force, size_t at,
                            double x, double *f)
{
    p->u[at] = x;
    bodies_move(p, at / 6);
    memset(f, 0, 6 * p->w->body_count * sizeof *f);
    force->type->apply(force, p->w, p->state, f);
}

/* The columns of body j by central differences along its velocities, with which it moves. */
static void bodies_difference(const bodies_stage *p, const perp_force *force, size_t j)
{
    const double h = p->scheme->dt;

    for (size_t at = 6 * j; at < 6 * j + 6; at++) {
        const double x = p->u[at];
        const double step =
            cbrt(DBL_EPSILON) * fmax(1.0, fabs(x)); /* least error in sum */

        bodies_force_at(p, force, at, x + step, p->f);
        bodies_force_at(p, force, at, x - step, p->f2);
        p->u[at] = x;
        for (size_t c = 0; c < 6 * p->w->body_count; c++) {
            if (p->f[c] != p->f2[c]) {
                bodies_add(p, c / 6, c % 6, j, at - 6 * j,
                           -h * ((p->f[c] - p->f2[c]) / (2.0 * step)));
            }
        }
    }
    bodies_move(p, j);
}

/* The part of a force without derivative: all of its bodies may depend on each other. */
static void bodies_differences(const bodies_stage *p, const perp_force *force)
{
    for (size_t j = 0; j < p->w->body_count; j++) {
        const bool acts = force->type->bodies == 0 || (int32_t)j == force->i ||
                          (force->type->bodies > 1 && (int32_t)j == force->j);

        if (acts && p->mass->group[j] >= 0) {
            bodies_difference(p, force, j);
        }
    }
}

/* Groups that are symmetric but for the rounding of differences become so. */
static void bodies_settle(const bodies_stage *p)
{
    for (size_t g = 0; g < p->mass->groups; g++) {
        const size_t n = effective_size(p->mass, g);
        double *M = p->mass->matrix + p->mass->start[g];
        double largest = 0.0;
        double apart = 0.0;

        for (size_t e = 0; e < n * n; e++) {
            largest = fmax(largest, fabs(M[e]));
            apart = fmax(apart, fabs(M[e] - M[e / n + (e % n) * n]));
        }
        for (size_t e = 0; apart <= difference_error * largest && e < n * n; e++) {
            const size_t mirror = e / n + (e % n) * n;

            M[e] = M[mirror] = 0.5 * (M[e] + M[mirror]);
        }
    }
}

/* M* at p->u, where bodies are, factored. */
static perp_status bodies_mass(const bodies_stage *p, perp_error *err)
{
    bodies_masses(p);
    for (size_t k = 0; k < p->w->force_count; k++) {
        const perp_force *force = &p->w->forces[k];

        if (force->type->derivative && force->type->bodies > 0) {
            bodies_derive(p, force);
        } else {
            bodies_differences(p, force);
        }
    }
    bodies_settle(p);
    return effective_factor(p->mass)
               ? PERP_OK
               : perp_fail(err, PERP_ERR_DATA,
                           "implicit: the system is singular, expected smaller steps "
                           "than %g s or forces without negative stiffness",
                           p->scheme->dt);
}

/* r = h f - M (u+ - u) of bodies in groups. */
static void bodies_residual(const bodies_stage *p)
{
    const double h = p->scheme->dt;

    perp_world_forces(p->w, p->state, false, p->f);
    for (size_t k = 0; k < p->w->body_count; k++) {
        double *r = p->r + 6 * k;
        double change[6];
        double momentum[6];

        for (size_t c = 0; c < 6; c++) {
            change[c] = p->u[6 * k + c] - p->motion->u[6 * k + c];
        }
        vec3_scale(p->w->mass[k], change, momentum);
        mat3_apply(p->inertia + 9 * k, change + 3, momentum + 3);
        for (size_t c = 0; c < 6; c++) {
            r[c] = bodies_has(p->w, c) ? h * p->f[6 * k + c] - momentum[c] : 0.0;
        }
    }
}

/* u += the solution of M* du = r; max |du| over max(1e-300, |u|). */
static double bodies_advance(const bodies_stage *p)
{
    double most = 0.0;
    double size = 1e-300;

    effective_solve(p->mass, p->r);
    for (size_t k = 0; k < p->w->body_count; k++) {
        for (size_t c = 6 * k; p->mass->group[k] >= 0 && c < 6 * k + 6; c++) {
            p->u[c] += p->r[c];
            most = fmax(most, fabs(p->r[c]));
            size = fmax(size, fabs(p->u[c]));
        }
        if (p->mass->group[k] >= 0) {
            bodies_move(p, k);
        }
    }
    return most / size;
}

/* All bodies where p->u takes them. */
static void bodies_move_all(const bodies_stage *p)
{
    for (size_t k = 0; k < p->w->body_count; k++) {
        bodies_move(p, k);
    }
}

/* The linearly implicit method: the first of Newton's steps, and M* of the start. */
static perp_status bodies_linear(const bodies_stage *p, perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < p->w->body_count; k++) {
        if (p->mass->group[k] >= 0) {
            memcpy(p->u + 6 * k, p->motion->u + 6 * k, 6 * sizeof *p->u);
        }
    }
    bodies_move_all(p);
    status = bodies_mass(p, err);
    memcpy(p->u, p->first, 6 * p->w->body_count * sizeof *p->u);
    return status;
}

static perp_status bodies_newton(const bodies_stage *p, perp_error *err)
{
    const size_t bytes = 6 * p->w->body_count * sizeof *p->u;
    double change = INFINITY;
    bool settled = false;

    for (int k = 0; k < newton_limit && !settled; k++) {
        const double before = change;
        perp_status status = bodies_mass(p, err);

        if (status != PERP_OK) {
            return status;
        }
        bodies_residual(p);
        change = bodies_advance(p);
        if (k == 0) {
            memcpy(p->first, p->u, bytes);
        }
        /* rounding, or as near to it as differences let come */
        settled = change <= 1e-13 || (k > 1 && change < 1e-8 && change >= 0.5 * before);
    }
    return settled ? bodies_mass(p, err) : bodies_linear(p, err);
}

/* u + h M^-1 (weight and load) of bodies in no group. */
static void bodies_rest(const bodies_stage *p)
{
    perp_world_forces(p->w, p->state, false, p->f);
    perp_world_accelerations(p->w, p->state, p->f, p->f);
    for (size_t k = 0; k < p->w->body_count; k++) {
        for (size_t c = 6 * k; c < 6 * k + 6; c++) {
            if (integrate_alone(p->w, k) && !(p->mass && p->mass->group[k] >= 0)) {
                p->u[c] += p->scheme->dt * p->f[c];
            }
        }
    }
}

perp_status implicit_bodies(perp_free_motion *motion, const perp_world *w,
                            perp_state *state, const perp_scheme *scheme, perp_error *err)
{
    const size_t n = 6 * w->body_count;
    bodies_stage p = {.motion = motion, .w = w, .state = state, .scheme = scheme};
    perp_status status = PERP_OK;

    TRY(effective_new(&p.mass, w, err));
    p.u = motion->work;
    p.f = p.u + n;
    p.f2 = p.f + n;
    p.r = p.f2 + n;
    p.first = p.r + n;
    p.inertia = p.first + n;
    memcpy(p.u, motion->u, n * sizeof *p.u);
    bodies_rest(&p);
    if (p.mass) {
        for (size_t k = 0; k < w->body_count; k++) {
            perp_world_inertia(w, state, k, p.inertia + 9 * k);
        }
        state->t += scheme->dt;
        bodies_move_all(&p);
        status = bodies_newton(&p, err);
    }
    memcpy(motion->u, p.u, n * sizeof *p.u);
    motion->mass = p.mass;
    return status;
}
