/* SPDX-License-Identifier: Apache-2.0
 * splitting/local_rolling.c: one contact with rolling friction.
 *
 * Coulomb's law by Newton's method on all five equations (splitting/local_newton.c), mostly in
 * 2 to 5 steps from where the last sweep left it. Where that fails, normal, tangents and
 * moments in turn, each exactly:
 *
 *     n <- max(0, n - u_n/W_nn),   t <- disk(W_tt; mu n),   m <- disk(W_mm; mu_r n)
 *
 * The associated law by accelerated projected steps. Neither of the latter needs to end at
 * rounding: the next sweep goes on from there. Rolling friction as a cone:
 * [acary-bourrier-2021]. */
#include <config.h>

#include "core/set.h"
#include "local_rolling.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <perp/set.h>

#include "local_newton.h"

enum { DIM = 5, TURNS_MAX = 50, STEPS_MAX = 50 };

void perp_local_rolling_init(local_rolling *k, double mu, double mu_rolling, perp_law law,
                             const double *D, double shift)
{
    double guess[2] = {k->guess[0], k->guess[1]};
    double row[DIM] = {0.0}, rows = 0.0, columns = 0.0;

    memset(k, 0, sizeof *k);
    memcpy(k->guess, guess, sizeof guess);
    k->law = law;
    k->mu[0] = mu;
    k->mu[1] = mu_rolling;
    for (unsigned j = 0; j < DIM; j++) {
        double column = 0.0;

        for (unsigned i = 0; i < DIM; i++) {
            k->W[i + j * DIM] = D[i + j * DIM] + (i == j ? shift : 0.0);
            row[i] += fabs(k->W[i + j * DIM]);
            column += fabs(k->W[i + j * DIM]);
        }
        columns = fmax(columns, column);
    }
    if (!(D[0] > 0.0)) {
        return;
    }
    for (unsigned i = 0; i < DIM; i++) {
        rows = fmax(rows, row[i]);
    }
    k->inv_nn = 1.0 / k->W[0];
    k->step = 1.0 / sqrt(rows * columns); /* |W|_2^2 <= |W|_1 |W|_inf */
    for (unsigned part = 0; part < 2; part++) {
        unsigned first = 1 + 2 * part;

        perp_local_disk_init(&k->disk[part], k->W + first + first * DIM, DIM, 0.0);
    }
}

/* u += W[:, first..] dr */
static void local_rolling_add(const local_rolling *k, unsigned first, unsigned count,
                              const double *dr, double *u)
{
    for (unsigned j = 0; j < count; j++) {
        for (unsigned i = 0; i < DIM; i++) {
            u[i] += k->W[i + (first + j) * DIM] * dr[j];
        }
    }
}

/* Normal, tangents, moments in turn. */
static void local_rolling_alternate(local_rolling *k, const double *q, double *r)
{
    double u[DIM];

    memcpy(u, q, sizeof u);
    local_rolling_add(k, 0, DIM, r, u);
    for (int turn = 0; turn < TURNS_MAX; turn++) {
        double n = fmax(0.0, r[0] - u[0] * k->inv_nn);
        double dn = n - r[0], moved = fabs(dn);

        r[0] = n;
        local_rolling_add(k, 0, 1, &dn, u);
        for (unsigned part = 0; part < 2; part++) {
            unsigned first = 1 + 2 * part;
            const double *W = k->disk[part].W;
            double *t = r + first, old[2] = {t[0], t[1]}, own[2], d[2];

            own[0] = u[first] - (W[0] * t[0] + W[2] * t[1]);
            own[1] = u[first + 1] - (W[1] * t[0] + W[3] * t[1]);
            perp_local_disk_solve(&k->disk[part], k->mu[part] * n, own, &k->guess[part],
                                  t);
            d[0] = t[0] - old[0];
            d[1] = t[1] - old[1];
            local_rolling_add(k, first, 2, d, u);
            moved = fmax(moved, fmax(fabs(d[0]), fabs(d[1])));
        }
        if (moved <= DBL_EPSILON * n) {
            return;
        }
    }
}

/* Nesterov's steps, restarted where they go uphill. */
static void local_rolling_accelerate(const local_rolling *k, const double *q, double *r)
{
    double y[DIM], theta = 1.0;

    memcpy(y, r, sizeof y);
    for (int step = 0; step < STEPS_MAX; step++) {
        double u[DIM], x[DIM], next = 0.5 * (1.0 + sqrt(1.0 + 4.0 * theta * theta));
        double back = 0.0, moved = 0.0;

        memcpy(u, q, sizeof u);
        local_rolling_add(k, 0, DIM, y, u);
        for (unsigned i = 0; i < DIM; i++) {
            x[i] = y[i] - k->step * u[i];
        }
        perp_project_rolling(k->mu[0], k->mu[1], x);
        for (unsigned i = 0; i < DIM; i++) {
            back += (y[i] - x[i]) * (x[i] - r[i]);
            moved = fmax(moved, fabs(x[i] - r[i]));
        }
        if (back > 0.0) {
            theta = next = 1.0;
        }
        for (unsigned i = 0; i < DIM; i++) {
            y[i] = x[i] + (theta - 1.0) / next * (x[i] - r[i]);
            r[i] = x[i];
        }
        theta = next;
        if (moved <= DBL_EPSILON * r[0]) {
            return;
        }
    }
}

bool perp_local_rolling_solve(local_rolling *k, const double *u, double *r)
{
    bool associated = k->law == PERP_LAW_ASSOCIATED;
    double q[DIM], x[DIM], pull = 0.0;

    memcpy(q, u, sizeof q);
    for (unsigned i = 0; i < DIM; i++) {
        x[i] = -r[i];
    }
    local_rolling_add(k, 0, DIM, x, q);
    if (associated) {
        pull = k->mu[0] * hypot(q[1], q[2]) + k->mu[1] * hypot(q[3], q[4]);
    }
    if (q[0] >= pull) {
        memset(r, 0, DIM * sizeof *r);
        return true;
    }
    if (k->inv_nn == 0.0) {
        return false;
    }
    memcpy(x, r, sizeof x);
    if (associated) {
        local_rolling_accelerate(k, q, x);
    } else if (!perp_local_newton(DIM, k->W, k->mu, q, x)) {
        local_rolling_alternate(k, q, x);
    }
    perp_project_rolling(k->mu[0], k->mu[1], x);
    if (!isfinite(x[0] + x[1] + x[2] + x[3] + x[4])) {
        memset(x, 0, sizeof x); /* W is not positive: at least stay in the cone */
        x[0] = fmax(0.0, -q[0] * k->inv_nn);
    }
    memcpy(r, x, sizeof x);
    return true;
}

/* mu |u_t| + mu_r |u_m|, where the law adds it to u_n. */
static double local_rolling_lift(const local_rolling *k, const double *u)
{
    return k->mu[0] * sqrt(u[1] * u[1] + u[2] * u[2]) +
           k->mu[1] * sqrt(u[3] * u[3] + u[4] * u[4]);
}

void perp_local_rolling_project(const local_rolling *k, const double *u, double *r)
{
    r[0] -=
        k->step * (u[0] + (k->law == PERP_LAW_COULOMB ? local_rolling_lift(k, u) : 0.0));
    for (unsigned i = 1; i < DIM; i++) {
        r[i] -= k->step * u[i];
    }
    perp_project_rolling(k->mu[0], k->mu[1], r);
}

void perp_local_rolling_two_step(const local_rolling *k, const double *u, double *r)
{
    double lower = k->law == PERP_LAW_ASSOCIATED ? local_rolling_lift(k, u) : 0.0;
    double dn = fmax(0.0, r[0] - (u[0] - lower) * k->inv_nn) - r[0], now[DIM];

    memcpy(now, u, sizeof now);
    local_rolling_add(k, 0, 1, &dn, now);
    r[0] += dn;
    for (unsigned part = 0; part < 2; part++) {
        unsigned first = 1 + 2 * part;

        perp_local_disk_project(&k->disk[part], k->mu[part] * r[0], now + first,
                                r + first);
    }
}
