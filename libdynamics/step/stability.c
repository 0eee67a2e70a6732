/* SPDX-License-Identifier: Apache-2.0
 * step/stability.c: the largest dt at which springs, dampers and drag are stable.
 *
 * A mode x of M^-1 B, B = -df/dx or -df/du, moves by itself to first order,
 *
 *     y'' = -k y - c y',   k = -x.(df/dx) x/(x.M x),   c = -x.(df/du) x/(x.M x)
 *
 * and a step of an integrator maps (y, y') linearly. It is stable as long as the spectral radius
 * of this map is at most 1: for c = 0 k dt^2 <= 4 (semi-implicit, the Verlet methods), 8 (rk4);
 * for k = 0 c dt <= 2, rk4 2.785. The midpoint rule and explicit Euler let every oscillation
 * grow; `growth` bounds that. The two modes are those of the largest k and of the largest c, by
 * power iteration with p = M x. Bodies on joints move less than these forces would let
 * them: here they do not move, so that no bound is too small. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include <perp/dynamics/force.h>
#include <perp/dynamics/joint.h>
#include <perp/random.h>

#include "step/integrate.h"

static const double growth = 1e-3;  /* per step, that counts as stable */
static const double settled = 1e-4; /* of a quotient, from which on it stays */

enum { STABILITY_ITERATIONS = 100 };

/* The derivative that is iterated. */
typedef enum stability_part { STABILITY_STIFFNESS, STABILITY_DAMPING } stability_part;

typedef struct stability {
    const perp_world *w;
    const perp_state *state;
    bool *held;        /* bodies: they do not move here */
    double *x, *p, *q; /* 6 per body: a mode, M x, B x */
} stability;

static double stability_rate(double k, double c, const double y[2])
{
    return -k * y[0] - c * y[1];
}

static void semi_implicit_mode(double k, double c, double h, double y[2])
{
    y[1] += h * stability_rate(k, c, y);
    y[0] += h * y[1];
}

static void explicit_mode(double k, double c, double h, double y[2])
{
    const double a = stability_rate(k, c, y);

    y[0] += h * y[1];
    y[1] += h * a;
}

/* Of all Verlet methods, which differ in rotations only. */
static void verlet_mode(double k, double c, double h, double y[2])
{
    const double a = stability_rate(k, c, y);
    double end[2] = {y[0] + h * (y[1] + 0.5 * h * a), y[1] + h * a};

    y[0] = end[0];
    y[1] += 0.5 * h * (a + stability_rate(k, c, end));
}

static void midpoint_mode(double k, double c, double h, double y[2])
{
    const double half[2] = {y[0] + 0.5 * h * y[1],
                            y[1] + 0.5 * h * stability_rate(k, c, y)};

    y[0] += h * half[1];
    y[1] += h * stability_rate(k, c, half);
}

/* Taylor's polynomial of order 4 of the exponential. */
static void rk4_mode(double k, double c, double h, double y[2])
{
    double term[2] = {y[0], y[1]};

    for (int i = 1; i <= 4; i++) {
        const double next[2] = {h / i * term[1], h / i * stability_rate(k, c, term)};

        term[0] = next[0];
        term[1] = next[1];
        y[0] += term[0];
        y[1] += term[1];
    }
}

/* One step of y'' = -k y - c y'; NULL: stable for every dt. */
typedef void stability_mode(double k, double c, double h, double y[2]);

static stability_mode *const modes[] = {
    [PERP_INTEGRATOR_SEMI_IMPLICIT] = semi_implicit_mode,
    [PERP_INTEGRATOR_EXPLICIT] = explicit_mode,
    [PERP_INTEGRATOR_IMPLICIT] = NULL,
    [PERP_INTEGRATOR_POSITION_VERLET] = verlet_mode,
    [PERP_INTEGRATOR_VELOCITY_VERLET] = verlet_mode,
    [PERP_INTEGRATOR_LEAPFROG] = verlet_mode,
    [PERP_INTEGRATOR_MIDPOINT] = midpoint_mode,
    [PERP_INTEGRATOR_RK4] = rk4_mode,
    [PERP_INTEGRATOR_MOMENTUM] = verlet_mode,
};

static bool mode_is_stable(stability_mode *mode, double k, double c, double h)
{
    double a[2] = {1.0, 0.0};
    double b[2] = {0.0, 1.0};
    double mean = 0.0;
    double det = 0.0;
    double square = 0.0;
    double radius = 0.0;

    mode(k, c, h, a);
    mode(k, c, h, b);
    mean = 0.5 * (a[0] + b[1]);
    det = a[0] * b[1] - a[1] * b[0];
    square = mean * mean - det;
    radius = square > 0.0 ? fabs(mean) + sqrt(square) : sqrt(fabs(det));
    return radius <= 1.0 + growth;
}

/* By bisection between a dt that is unstable and a millionth of it; 0: also that is unstable. */
static double mode_largest(stability_mode *mode, double k, double c, double dt)
{
    double low = 1e-6 * dt;
    double high = dt;

    if (!mode_is_stable(mode, k, c, low)) {
        return 0.0;
    }
    for (int i = 0; i < 50; i++) {
        const double middle = 0.5 * (low + high);

        if (mode_is_stable(mode, k, c, middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* x.B x of one force, B = -K or -D, added to q := q + B x unless q is NULL. */
static double stability_add(const stability *s, const perp_force *f, stability_part part,
                            double *q)
{
    const size_t n = f->type->bodies == 2 ? 12 : 6;
    const size_t at[2] = {6 * (size_t)f->i, n == 12 ? 6 * (size_t)f->j : 0};
    double both[2][144] = {{0.0}};
    double sum = 0.0;

    f->type->derivative(f, s->w, s->state, both[0], both[1]);
    for (size_t i = 0; i < n; i++) {
        double row = 0.0;

        for (size_t j = 0; j < n; j++) {
            row -= both[part][n * i + j] * s->x[at[j / 6] + j % 6];
        }
        sum += s->x[at[i / 6] + i % 6] * row;
        if (q) {
            q[at[i / 6] + i % 6] += row;
        }
    }
    return sum;
}

static bool stability_knows(const perp_force *f)
{
    return f->type->derivative && (f->type->bodies == 1 || f->type->bodies == 2);
}

/* q := B x; returns x.B x. */
static double stability_apply(const stability *s, stability_part part)
{
    double sum = 0.0;

    memset(s->q, 0, 6 * s->w->body_count * sizeof *s->q);
    for (size_t k = 0; k < s->w->force_count; k++) {
        if (stability_knows(&s->w->forces[k])) {
            sum += stability_add(s, &s->w->forces[k], part, s->q);
        }
    }
    return sum;
}

/* x := M^-1 p; returns x.p, which p and x are scaled to have as 1. */
static double stability_solve(const stability *s)
{
    const perp_world *w = s->w;
    double sum = 0.0;

    for (size_t k = 0; k < w->body_count; k++) {
        double *x = s->x + 6 * k;

        memset(x, 0, 6 * sizeof *x);
        if (!s->held[k]) {
            vec3_scale(w->inverse_mass[k], s->p + 6 * k, x);
            x[2] = w->dimension == 2 ? 0.0 : x[2];
            mat3_apply(s->state->inverse_inertia + 9 * k, s->p + 6 * k + 3, x + 3);
        }
        sum += vec3_dot(x, s->p + 6 * k) + vec3_dot(x + 3, s->p + 6 * k + 3);
    }
    for (size_t k = 0; sum > 0.0 && k < 6 * w->body_count; k++) {
        s->x[k] /= sqrt(sum);
        s->p[k] /= sqrt(sum);
    }
    return sum;
}

/* The mode of the largest eigenvalue of M^-1 (B + shift M) into x; returns that of M^-1 B. */
static double stability_iterate(const stability *s, stability_part part, double shift)
{
    perp_random random = {1};
    double value = 0.0;

    for (size_t k = 0; k < 6 * s->w->body_count; k++) {
        s->p[k] = perp_random_uniform(&random, -1.0, 1.0);
    }
    for (int i = 0; i < STABILITY_ITERATIONS && stability_solve(s) > 0.0; i++) {
        const double before = value;

        value = stability_apply(s, part);
        if (i > 8 && fabs(value - before) <= settled * fabs(value + shift)) {
            break;
        }
        for (size_t k = 0; k < 6 * s->w->body_count; k++) {
            s->p[k] = s->q[k] + shift * s->p[k];
        }
    }
    return value;
}

/* The force with the largest part in the mode x. */
static size_t stability_force(const stability *s, stability_part part)
{
    size_t most = 0;
    double largest = -INFINITY;

    for (size_t k = 0; k < s->w->force_count; k++) {
        double share = stability_knows(&s->w->forces[k])
                           ? stability_add(s, &s->w->forces[k], part, NULL)
                           : -INFINITY;

        most = share > largest ? k : most;
        largest = fmax(largest, share);
    }
    return most;
}

/* Lower the known bound to that of the mode of one part, if it is smaller. */
static void stability_bound(const stability *s, stability_part part, stability_mode *mode,
                            double dt, double *least, size_t *force)
{
    double value = stability_iterate(s, part, 0.0);
    double k = 0.0;
    double c = 0.0;

    if (value < 0.0) { /* the largest in size pushes: a spring under pressure, sideways */
        value = stability_iterate(s, part, -value);
    }
    if (!(value > 0.0) || stability_solve(s) <= 0.0) {
        return;
    }
    k = fmax(0.0, stability_apply(s, STABILITY_STIFFNESS));
    c = fmax(0.0, stability_apply(s, STABILITY_DAMPING));
    if (!mode_is_stable(mode, k, c, dt)) {
        const double most = mode_largest(mode, k, c, dt);

        *force = most < *least ? stability_force(s, part) : *force;
        *least = fmin(*least, most);
    }
}

static void stability_hold(const stability *s)
{
    const perp_world *w = s->w;

    for (size_t k = 0; k < w->body_count; k++) {
        s->held[k] = !world_moves(w, (int32_t)k);
    }
    for (size_t k = 0; k < w->joint_count; k++) {
        const perp_joint *joint = &w->joints[k];

        for (int side = 0; side < 2; side++) {
            const int32_t body = side ? joint->j : joint->i;

            if (!joint->disabled && body >= 0) {
                s->held[body] = true;
            }
        }
    }
}

perp_status perp_stable_dt(const perp_world *w, const perp_state *state,
                           const perp_scheme *scheme, double *dt, size_t *force,
                           perp_error *err)
{
    const size_t n = 6 * w->body_count;
    stability s = {.w = w, .state = state};
    stability_mode *mode = NULL;
    double *block = NULL;

    *dt = INFINITY;
    *force = 0;
    if ((size_t)scheme->integrator < sizeof modes / sizeof *modes) {
        mode = modes[scheme->integrator];
    }
    if (!mode || w->force_count == 0) {
        return PERP_OK;
    }
    block = calloc(3 * n + 1, sizeof *block);
    s.held = calloc(w->body_count + 1, sizeof *s.held);
    if (!block || !s.held) {
        free(block);
        free(s.held);
        return perp_fail(err, PERP_ERR_MEMORY, "integrate: no memory for %zu bodies",
                         w->body_count);
    }
    s.x = block;
    s.p = s.x + n;
    s.q = s.p + n;
    stability_hold(&s);
    stability_bound(&s, STABILITY_STIFFNESS, mode, scheme->dt, dt, force);
    stability_bound(&s, STABILITY_DAMPING, mode, scheme->dt, dt, force);
    free(block);
    free(s.held);
    return PERP_OK;
}
