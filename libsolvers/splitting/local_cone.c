/* SPDX-License-Identifier: Apache-2.0
 * splitting/local_cone.c: one contact with friction, solved to rounding.
 *
 * With the normal eliminated, S = W_tt - W_tn W_nt/W_nn and a = -q_n/W_nn, Coulomb's law says
 *
 *     free   q_n >= 0:                        r = 0
 *     stick  S r_t = -c,  c = q_t + a W_tn:   r_n = a - W_nt r_t/W_nn, if |r_t| <= mu r_n
 *     slip   (S + s I) r_t = -c, s > 0:       |r_t| = mu r_n
 *
 * and the associated law u = 0 or the boundary of both cones. Sticking costs 40 flops with
 * what is kept of W; slip is one equation in s. The problem and other ways to solve it:
 * [acary-bremond-huber-2018]; as a quartic: [bonnefon-daviet-2011]. */
#include <config.h>

#include "core/set.h"
#include "local_cone.h"

#include <math.h>
#include <string.h>

#include <perp/set.h>

static bool local_cone_stick2(const local_curve *m, double a, double c, double *r)
{
    if (m->inv_det == 0.0) {
        return false;
    }
    r[1] = -c * m->inv_det;
    r[0] = a - m->nt[0] * r[1];
    return fabs(r[1]) <= m->mu * r[0];
}

/* In the plane a slipping impulse lies on one of two rays, r = r_n (1, e mu), e = +-1, with
 * u_n = 0 (Coulomb) or u.(1, e mu) = 0 (associated). The right one opposes u_t. */
static void local_cone_slip2(const local_cone *k, const double *q, double first,
                             double *r)
{
    const double *W = k->W;
    double best = INFINITY;

    for (int turn = 0; turn < 2; turn++) {
        double t = (turn == 0 ? first : -first) * k->curve.mu;
        double pull = k->law == PERP_LAW_COULOMB ? q[0] : q[0] + t * q[1];
        double mass = W[0] + t * W[2];
        double rn, wrong;

        if (k->law == PERP_LAW_ASSOCIATED) {
            mass += t * (W[1] + t * W[3]);
        }
        rn = -pull / mass;
        wrong = (q[1] + (W[1] + W[3] * t) * rn) * t;
        if (mass > 0.0 && rn >= 0.0 && wrong < best) {
            best = wrong;
            r[0] = rn;
            r[1] = t * rn;
        }
        if (best <= 0.0) {
            return;
        }
    }
    if (best == INFINITY) { /* W is not positive: at least stay in the cone */
        r[0] = fmax(0.0, -q[0] * k->inv_nn);
        r[1] = first * k->curve.mu * r[0];
    }
}

void perp_local_cone_init(local_cone *k, unsigned dim, double mu, perp_law law,
                          const double *D, double shift)
{
    double *W = k->W;
    double row[3] = {0.0, 0.0, 0.0}, column[3] = {0.0, 0.0, 0.0};
    local_curve *m = &k->curve;

    memset(k, 0, sizeof *k);
    k->dim = dim;
    k->law = law;
    m->mu = mu;
    for (unsigned j = 0; j < dim; j++) {
        for (unsigned i = 0; i < dim; i++) {
            W[i + j * dim] = D[i + j * dim] + (i == j ? shift : 0.0);
            row[i] += fabs(W[i + j * dim]);
            column[j] += fabs(W[i + j * dim]);
        }
    }
    if (!(D[0] > 0.0)) {
        return;
    }

    /* |W|_2^2 <= |W|_1 |W|_inf, for W_tt too */
    k->inv_nn = 1.0 / W[0];
    k->step = 1.0 / sqrt(fmax(row[0], fmax(row[1], row[2])) *
                         fmax(column[0], fmax(column[1], column[2])));
    if (dim == 2) {
        m->S11 = W[3] - W[1] * (W[2] * k->inv_nn);
        m->nt[0] = W[2] * k->inv_nn;
        m->inv_det = m->S11 > 0.0 ? 1.0 / m->S11 : 0.0;
        k->step_tt = W[3] > 0.0 ? 1.0 / W[3] : 0.0;
        return;
    }
    m->nt[0] = W[3] * k->inv_nn;
    m->nt[1] = W[6] * k->inv_nn;
    m->S11 = W[4] - W[1] * m->nt[0];
    m->S21 = W[5] - W[2] * m->nt[0];
    m->S12 = W[7] - W[1] * m->nt[1];
    m->S22 = W[8] - W[2] * m->nt[1];
    perp_local_curve_finish(m, 0.5 * (W[4] + W[8]));
    k->step_tt = fmax(fabs(W[4]) + fabs(W[7]), fabs(W[5]) + fabs(W[8])) *
                 fmax(fabs(W[4]) + fabs(W[5]), fabs(W[7]) + fabs(W[8]));
    k->step_tt = k->step_tt > 0.0 ? 1.0 / sqrt(k->step_tt) : 0.0;
}

void perp_local_cone_offset(const local_cone *k, const double *u, const double *r,
                            double *q)
{
    const double *W = k->W;

    if (k->dim == 3) {
        q[0] = u[0] - (W[0] * r[0] + W[3] * r[1] + W[6] * r[2]);
        q[1] = u[1] - (W[1] * r[0] + W[4] * r[1] + W[7] * r[2]);
        q[2] = u[2] - (W[2] * r[0] + W[5] * r[1] + W[8] * r[2]);
    } else {
        q[0] = u[0] - (W[0] * r[0] + W[2] * r[1]);
        q[1] = u[1] - (W[1] * r[0] + W[3] * r[1]);
    }
}

bool perp_local_cone_solve(const local_cone *k, const double *q, double *guess, double *r)
{
    const local_curve *m = &k->curve;
    bool associated = k->law == PERP_LAW_ASSOCIATED && m->mu > 0.0;
    double qt = !associated ? 0.0 : k->dim == 2 ? fabs(q[1]) : hypot(q[1], q[2]);
    double a = -q[0] * k->inv_nn;
    double c[2];

    if (q[0] >= m->mu * qt) {
        r[0] = r[1] = 0.0;
        r[k->dim - 1] = 0.0;
        return true;
    }
    if (k->inv_nn == 0.0) {
        return false;
    }
    if (m->mu == 0.0) {
        r[0] = a;
        memset(r + 1, 0, (k->dim - 1) * sizeof *r);
        return true;
    }
    c[0] = q[1] + a * k->W[1];
    if (k->dim == 2) {
        if (!local_cone_stick2(m, a, c[0], r)) {
            local_cone_slip2(k, q, c[0] > 0.0 ? -1.0 : 1.0, r);
        }
        return true;
    }
    c[1] = q[2] + a * k->W[2];
    if (local_curve_stick(m, a, c, r)) {
        return true;
    }
    if (associated) {
        perp_local_associated_slip(k, q, guess, r);
    } else {
        *guess = perp_local_curve_slip(m, a, c, *guess, r);
    }
    if (!isfinite(r[0] + r[1] +
                  r[2])) { /* W is not positive: at least stay in the cone */
        r[0] = fmax(0.0, a);
        r[1] = r[2] = *guess = 0.0;
    }
    return true;
}

/* |u_t| times mu, where the law adds it to u_n. */
static double local_cone_lift(const local_cone *k, const double *u)
{
    double t = k->dim == 2 ? fabs(u[1]) : sqrt(u[1] * u[1] + u[2] * u[2]);

    return k->curve.mu * t;
}

void perp_local_cone_project(const local_cone *k, const double *u, double *r)
{
    double raise = k->law == PERP_LAW_COULOMB ? local_cone_lift(k, u) : 0.0;

    r[0] -= k->step * (u[0] + raise);
    for (unsigned i = 1; i < k->dim; i++) {
        r[i] -= k->step * u[i];
    }
    perp_project_cone(k->curve.mu, k->dim, r);
}

void perp_local_cone_two_step(const local_cone *k, const double *u, double *r)
{
    double lower = k->law == PERP_LAW_ASSOCIATED ? local_cone_lift(k, u) : 0.0;
    double rn = fmax(0.0, r[0] - (u[0] - lower) * k->inv_nn);
    double radius = k->curve.mu * rn, squared = 0.0;

    for (unsigned i = 1; i < k->dim; i++) {
        r[i] -= k->step_tt * (u[i] + k->W[i] * (rn - r[0]));
        squared += r[i] * r[i];
    }
    r[0] = rn;
    if (squared > radius * radius) {
        for (unsigned i = 1; i < k->dim; i++) {
            r[i] *= radius / sqrt(squared);
        }
    }
}
