/* SPDX-License-Identifier: Apache-2.0
 * splitting/local_associated.c: one contact that slides under the associated law.
 *
 *     r = rho (1, mu e),   u = W r + q = sigma (mu, -e),   |e| = 1, rho > 0, sigma >= 0
 *
 * For a given r_n = rho the tangents solve the equation of slip on a disk of fixed radius,
 * and what is left,
 *
 *     F(rho) = u_n - mu |u_t|
 *
 * increases strictly for every W with a positive definite symmetric part, symmetric or not
 * (add the two tangential inequalities to strong monotonicity): Newton's method on F inside
 * a bracket finds the neighbourhood of the answer from anywhere, and Newton's method on
 * (rho, sigma, e) at once ends at rounding. About 14 evaluations of the curve a contact. */
#include <config.h>

#include "local_cone.h"

#include <float.h>
#include <math.h>

#include "local_newton.h"

/* Steps in rho, of which a positive W takes a few; steps of the polish, mostly 2 to 4. */
enum { STEPS_MAX = 100, POLISH_MAX = 8 };

/* Relative change of rho from which the polish is tried: it mostly converges from there, and
 * where it does not the search goes on a thousand times closer. */
static const double polish_from = 1e-1;

/* The associated law on the boundary of the cone: the tangents for r_n = rho, F and dF. */
static double associated_gap(const local_cone *k, const local_curve *disk,
                             const double *q, double rho, double *s, double *r,
                             double *slope)
{
    const double *W = k->W, *nt = W + 3; /* W_nt = (W[3], W[6]), W_tn = (W[1], W[2]) */
    double mu = disk->mu;
    double c[2] = {q[1] + W[1] * rho, q[2] + W[2] * rho};
    double p[2], d[2], rate = 0.0, inv_det;

    if (local_curve_stick(disk, rho, c, r)) {
        *s = 0.0;
    } else {
        *s = perp_local_curve_slip(disk, rho, c, *s, r);
    }
    inv_det = 1.0 / ((disk->S11 + *s) * (disk->S22 + *s) - disk->S12 * disk->S21);
    local_curve_solve(disk, *s, inv_det, W + 1, p);
    if (*s > 0.0) {
        double rd;

        local_curve_solve(disk, *s, inv_det, r + 1, d);
        rd = r[1] * d[0] + r[2] * d[1];
        rate = (mu * mu * rho - (r[1] * p[0] + r[2] * p[1])) / rd;
        p[0] += rate * d[0];
        p[1] += rate * d[1];
    }
    *slope = W[0] + nt[0] * p[0] + nt[3] * p[1] - mu * mu * (*s + rate * rho);
    r[0] = rho;
    return q[0] + W[0] * rho + nt[0] * r[1] + nt[3] * r[2] - mu * mu * *s * rho;
}

/* A sliding contact under the associated law: r = rho (1, mu e), u = sigma (mu, -e). */
typedef struct sliding {
    double rho, sigma;
    double e[2]; /* |e| = 1 */
} sliding;

static void sliding_impulse(const sliding *x, double mu, double *r)
{
    r[0] = x->rho;
    r[1] = mu * x->rho * x->e[0];
    r[2] = mu * x->rho * x->e[1];
}

/* f := sigma (mu, -e) - W r - q and the derivatives of -f by rho, sigma and a turn of e.
 * Returns |f|; `noise` is what rounding alone leaves of it. */
static double sliding_system(const local_cone *k, const double *q, const sliding *x,
                             double M[3][3], double *f, double *noise)
{
    const double *W = k->W;
    double mu = k->curve.mu, size = 0.0;
    double lever = mu * x->rho;
    double side[3] = {mu, -x->e[0], -x->e[1]};
    double r[3];

    sliding_impulse(x, mu, r);
    *noise = 0.0;
    for (int i = 0; i < 3; i++) {
        double bound = fabs(q[i]) + fabs(W[i] * r[0]) + fabs(W[i + 3] * r[1]) +
                       fabs(W[i + 6] * r[2]);

        f[i] =
            x->sigma * side[i] - q[i] - W[i] * r[0] - W[i + 3] * r[1] - W[i + 6] * r[2];
        M[0][i] = W[i] + mu * (W[i + 3] * x->e[0] + W[i + 6] * x->e[1]);
        M[1][i] = -side[i];
        M[2][i] = lever * (W[i + 6] * x->e[0] - W[i + 3] * x->e[1]);
        size = fmax(size, fabs(f[i]));
        *noise = fmax(*noise, 4.0 * DBL_EPSILON * bound);
    }
    M[2][1] -= x->sigma * x->e[1];
    M[2][2] += x->sigma * x->e[0];
    return size;
}

/* x += step, e turned and kept of length one. False where that leaves the boundary. */
static bool sliding_move(sliding *x, const double *step)
{
    double e0 = x->e[0] - step[2] * x->e[1];
    double e1 = x->e[1] + step[2] * x->e[0];
    double length = sqrt(e0 * e0 + e1 * e1);

    x->rho += step[0];
    x->sigma += step[1];
    x->e[0] = e0 / length;
    x->e[1] = e1 / length;
    return x->rho > 0.0 && x->sigma >= 0.0;
}

/* Newton's method on all three unknowns at once. With an ill-conditioned W a search in one
 * unknown sees noise of sqrt(cond W) roundings; here only that of u itself is left. True
 * when it is reached. */
static bool associated_polish(const local_cone *k, const double *q, double s, double *r)
{
    double length = sqrt(r[1] * r[1] + r[2] * r[2]);
    sliding x = {r[0], s * length, {r[1] / length, r[2] / length}};
    double best = INFINITY, noise = 0.0;

    if (!(length > 0.0)) {
        return false;
    }
    for (int i = 0; i < POLISH_MAX; i++) {
        double M[3][3], f[3];
        double size = sliding_system(k, q, &x, M, f, &noise);

        if (size < best) {
            best = size;
            sliding_impulse(&x, k->curve.mu, r);
        }
        if (best <= noise || !perp_local_eliminate(3, &M[0][0], f) ||
            !sliding_move(&x, f)) {
            break;
        }
    }
    return best <= noise;
}

void perp_local_associated_slip(const local_cone *k, const double *q, double *s,
                                double *r)
{
    const double *W = k->W;
    double mu = k->curve.mu, t = sqrt(q[1] * q[1] + q[2] * q[2]);
    double e[2] = {t > 0.0 ? -q[1] / t : 1.0, t > 0.0 ? -q[2] / t : 0.0};
    double We = e[0] * (W[3] + W[1]) + e[1] * (W[6] + W[2]);
    double eWe = e[0] * (W[4] * e[0] + (W[5] + W[7]) * e[1]) + e[1] * e[1] * W[8];
    double lo = 0.0, hi = INFINITY, enough = polish_from;
    double rho = (mu * t - q[0]) / (W[0] + mu * (We + mu * eWe)); /* along -q_t */
    local_curve disk = {
        .S11 = W[4], .S12 = W[7], .S21 = W[5], .S22 = W[8], .nt = {0.0, 0.0}, .mu = mu};

    perp_local_curve_finish(&disk, k->curve.stride);
    if (!(rho > 0.0)) {
        rho = fabs(mu * t - q[0]) * k->inv_nn;
    }
    for (int i = 0; i < STEPS_MAX; i++) {
        double slope = 0.0;
        double gap = associated_gap(k, &disk, q, rho, s, r, &slope);
        double next = rho - gap / slope;

        lo = gap < 0.0 ? rho : lo;
        hi = gap < 0.0 ? hi : rho;
        if (!(slope > 0.0 && next > lo && next < hi)) {
            if (gap == 0.0) {
                break;
            }
            next = isfinite(hi) ? 0.5 * (lo + hi) : 4.0 * rho;
        }
        if (fabs(next - rho) <= enough * rho) {
            if (associated_polish(k, q, *s, r)) {
                return;
            }
            enough *= 1e-3;
        }
        rho = next;
    }
    associated_polish(k, q, *s, r);
}
