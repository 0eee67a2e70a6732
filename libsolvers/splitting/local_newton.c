/* SPDX-License-Identifier: Apache-2.0
 * splitting/local_newton.c: one contact by damped Newton steps on the equations of Alart and
 * Curnier [alart-curnier-1991],
 *
 *     n = max(0, x_n),   t = P(x_t; mu max(0, x_n)),   x = r - rho u,   u = W r + q
 *
 * with t the tangents, and once more with the rolling moments where there are any; P projects
 * on a disk (in the plane: an interval) of that radius. Steps are halved until the equations
 * hold better. Mostly 2 to 5 steps of (2/3) dim^3 + 4 dim^2 flops; may fail, then the caller
 * has another way. */
#include <config.h>

#include "local_newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Quadratic convergence needs a handful; what takes more than 20 is circling. */
enum { STEPS_MAX = 20, HALVINGS_MAX = 6 };

/* Rounding of the equations, in parts of what they are made of. */
static const double enough = 1e-15, acceptable = 2e-14;

/* The equations at a point, and their matrix. */
typedef struct system {
    double f[LOCAL_DIM_MAX];
    double M[LOCAL_DIM_MAX * LOCAL_DIM_MAX];
    double size; /* max |f| */
} system;

typedef struct contact {
    unsigned dim;
    const double *W, *q;
    double mu[2];
    double rho[3]; /* of the normal, the tangents, the moments */
} contact;

bool perp_local_eliminate(unsigned n, double *M, double *x)
{
    for (unsigned k = 0; k < n; k++) {
        unsigned p = k;
        double swap = 0.0;

        for (unsigned i = k + 1; i < n; i++) {
            p = fabs(M[i + k * n]) > fabs(M[p + k * n]) ? i : p;
        }
        if (!(fabs(M[p + k * n]) > 0.0)) {
            return false;
        }
        for (unsigned j = k; j < n && p != k; j++) {
            swap = M[k + j * n];
            M[k + j * n] = M[p + j * n];
            M[p + j * n] = swap;
        }
        swap = x[k];
        x[k] = x[p];
        x[p] = swap;
        for (unsigned i = k + 1; i < n; i++) {
            double l = M[i + k * n] / M[k + k * n];

            for (unsigned j = k + 1; j < n; j++) {
                M[i + j * n] -= l * M[k + j * n];
            }
            x[i] -= l * x[k];
        }
    }
    for (unsigned k = n; k-- > 0;) {
        for (unsigned j = k + 1; j < n; j++) {
            x[k] -= M[k + j * n] * x[j];
        }
        x[k] /= M[k + k * n];
    }
    return true;
}

/* Row i of M := scale times row i of W. */
static void local_newton_row(const contact *c, unsigned i, double scale, system *s)
{
    for (unsigned j = 0; j < c->dim; j++) {
        s->M[i + j * c->dim] = scale * c->W[i + j * c->dim];
    }
}

static void local_newton_unit_row(const contact *c, unsigned i, system *s)
{
    local_newton_row(c, i, 0.0, s);
    s->M[i + i * c->dim] = 1.0;
}

/* The rows first, ... of one disk; part 0: tangents, 1: moments; x_n > 0 or the radius is 0. */
static void local_newton_disk_rows(const contact *c, unsigned part, const double *r,
                                   const double *u, double x_n, system *s)
{
    unsigned dim = c->dim, first = 1 + 2 * part, count = dim == 2 ? 1 : 2;
    double rho = c->rho[1 + part], mu = c->mu[part], radius = mu * fmax(x_n, 0.0);
    double x[2] = {0.0, 0.0}, e[2], length, ratio;

    for (unsigned i = 0; i < count; i++) {
        x[i] = r[first + i] - rho * u[first + i];
    }
    length = count == 1 ? fabs(x[0]) : sqrt(x[0] * x[0] + x[1] * x[1]);
    for (unsigned i = 0; i < count; i++) {
        if (length <= radius) {
            s->f[first + i] = rho * u[first + i];
            local_newton_row(c, first + i, rho, s);
        } else if (radius == 0.0) {
            s->f[first + i] = r[first + i];
            local_newton_unit_row(c, first + i, s);
        }
    }
    if (length <= radius || radius == 0.0) {
        return;
    }
    ratio = radius / length;
    e[0] = x[0] / length;
    e[1] = x[1] / length;
    for (unsigned i = 0; i < count; i++) {
        unsigned row = first + i;

        s->f[row] = r[row] - radius * e[i];
        for (unsigned j = 0; j < dim; j++) {
            double along = 0.0;

            for (unsigned k = 0; k < count; k++) {
                double turn = (i == k ? 1.0 : 0.0) - e[i] * e[k];
                double dx =
                    (first + k == j ? 1.0 : 0.0) - rho * c->W[first + k + j * dim];

                along += turn * dx;
            }
            s->M[row + j * dim] =
                (row == j ? 1.0 : 0.0) - ratio * along -
                mu * e[i] * ((j == 0 ? 1.0 : 0.0) - c->rho[0] * c->W[j * dim]);
        }
    }
}

static void local_newton_equations(const contact *c, const double *r, system *s)
{
    double u[LOCAL_DIM_MAX] = {0.0}, x_n;

    for (unsigned i = 0; i < c->dim; i++) {
        u[i] = c->q[i];
        for (unsigned j = 0; j < c->dim; j++) {
            u[i] += c->W[i + j * c->dim] * r[j];
        }
    }
    x_n = r[0] - c->rho[0] * u[0];
    if (x_n > 0.0) {
        s->f[0] = c->rho[0] * u[0];
        local_newton_row(c, 0, c->rho[0], s);
    } else {
        s->f[0] = r[0];
        local_newton_unit_row(c, 0, s);
    }
    for (unsigned part = 0; part < (c->dim == 5 ? 2u : 1u); part++) {
        local_newton_disk_rows(c, part, r, u, x_n, s);
    }
    s->size = 0.0;
    for (unsigned i = 0; i < c->dim; i++) {
        /* fmax would drop a NaN */
        s->size = fabs(s->f[i]) <= s->size ? s->size : fabs(s->f[i]);
    }
}

static bool local_newton_prepare(contact *c)
{
    unsigned dim = c->dim;

    for (unsigned part = 0; part < 3; part++) {
        unsigned from = part == 0 ? 0 : 2 * part - 1;
        unsigned to = part == 0 ? 1 : from + (dim == 2 ? 1 : 2);
        double trace = 0.0;

        for (unsigned i = from; i < to && i < dim; i++) {
            trace += c->W[i + i * dim] / (double)(to - from);
        }
        c->rho[part] = 1.0 / trace;
        if (from < dim && !(trace > 0.0 && isfinite(c->rho[part]))) {
            return false;
        }
    }
    return true;
}

/* What |f| is compared with: the impulse, and the one that would undo q. */
static double local_newton_magnitude(const contact *c, const double *r)
{
    double size = 0.0;

    for (unsigned i = 0; i < c->dim; i++) {
        size = fmax(size, fabs(r[i]) + c->rho[(i + 1) / 2] * fabs(c->q[i]));
    }
    return size;
}

bool perp_local_newton(unsigned dim, const double *W, const double mu[2], const double *q,
                       double *r)
{
    contact c = {.dim = dim, .W = W, .q = q, .mu = {mu[0], mu[1]}};
    system s, trial;
    double x[LOCAL_DIM_MAX], y[LOCAL_DIM_MAX], step = 1.0;

    if (!local_newton_prepare(&c)) {
        return false;
    }
    memcpy(x, r, dim * sizeof *x);
    local_newton_equations(&c, x, &s);
    for (int k = 0; k < STEPS_MAX && !(s.size <= enough * local_newton_magnitude(&c, x));
         k++) {
        if (!perp_local_eliminate(dim, s.M, s.f)) {
            return false;
        }
        step = 1.0;
        for (int half = 0; half <= HALVINGS_MAX; half++, step *= 0.5) {
            for (unsigned i = 0; i < dim; i++) {
                y[i] = x[i] - step * s.f[i];
            }
            local_newton_equations(&c, y, &trial);
            if (trial.size < s.size) {
                break;
            }
        }
        if (!(trial.size < s.size)) {
            break; /* at rounding, or stuck: the last word is below */
        }
        memcpy(x, y, dim * sizeof *x);
        s = trial;
    }
    if (!(s.size <= acceptable * local_newton_magnitude(&c, x))) {
        return false;
    }
    memcpy(r, x, dim * sizeof *r);
    return true;
}
