/* SPDX-License-Identifier: Apache-2.0
 * splitting/local_curve.c: the slipping impulse of one contact.
 *
 *     phi(s) = mu r_n/|r_t| - 1 = 0   on   (S + s I) r_t = -c,  r_n = a - nt.r_t
 *
 * phi is negative at s = 0, where sticking failed, and grows without bound; it is nearly
 * linear, and linear for a diagonal block with equal tangents, so that Newton's method kept
 * inside a bracket needs a handful of evaluations of 50 flops, two divisions and a root. Any
 * root is a solution with r_n >= 0: no choice of a sheet as with the quartic of
 * [bonnefon-daviet-2011]. */
#include <config.h>

#include "local_curve.h"

#include <math.h>

/* Newton's step is the last when second-order terms are below 1e-16 of r. */
static const double last_step = 1e-8;

/* A positive W takes 2 to 6 steps; bisection alone ends a bracket in 60. */
enum { STEPS_MAX = 100 };

/* ab - cd with one rounding to speak of: 1/det S must not lose what S still holds. */
static double determinant(double a, double b, double c, double d)
{
    double cd = c * d;

    return fma(a, b, -cd) - fma(c, d, -cd);
}

/* Where s starts and ends, from the eigenvalues of S. */
void perp_local_curve_finish(local_curve *m, double stride)
{
    double det = determinant(m->S11, m->S22, m->S12, m->S21);
    double half = 0.5 * (m->S11 + m->S22);

    m->stride = stride > 0.0 ? stride : 1.0;
    m->inv_det = 0.0;
    m->low = m->first = 0.0;
    if (half > 0.0 && det > 0.0) {
        m->inv_det = 1.0 / det;
    } else {
        double d = 0.5 * (m->S11 - m->S22);
        double disc = d * d + m->S12 * m->S21;

        m->low = fmax(0.0, sqrt(fmax(disc, 0.0)) - half);
        m->first = m->low + m->stride;
    }
}

/* The next s when Newton's is of no use. */
static double curve_bisect(const local_curve *m, double s, double lo, double hi)
{
    return isfinite(hi) ? 0.5 * (lo + hi) : fmax(4.0 * s, m->low + m->stride);
}

/* Bring a point that rounding left outside the cone onto it, changing the smaller of the two
 * relative to its own rounding: r_n is a small difference of large terms when mu is large. */
static void curve_close(double mu, double length, double *r)
{
    if (length <= mu * r[0]) {
        return;
    }
    if (mu > 1.0 || !(r[0] > 0.0)) {
        r[0] = length / mu;
    } else {
        r[1] *= mu * r[0] / length;
        r[2] *= mu * r[0] / length;
    }
}

/* The s > low with |r_t| = mu r_n, given that at `low` it is larger. */
double perp_local_curve_slip(const local_curve *m, double a, const double *c,
                             double guess, double *r)
{
    double lo = m->low, hi = INFINITY;
    double s = guess > lo ? guess : m->first;
    double size = fabs(m->S12) + fabs(m->S21) + m->S11 + m->S22;

    for (int k = 0; k < STEPS_MAX; k++) {
        double inv_det = 1.0 / ((m->S11 + s) * (m->S22 + s) - m->S12 * m->S21);
        double d[2], squared, gap, dn, slope, step, next;

        local_curve_refine(m, s, inv_det, c, r + 1);
        r[0] = a - m->nt[0] * r[1] - m->nt[1] * r[2];
        squared = r[1] * r[1] + r[2] * r[2];
        gap = m->mu * r[0] - sqrt(squared);
        local_curve_solve(m, s, inv_det, r + 1, d);
        dn = -m->nt[0] * d[0] - m->nt[1] * d[1];
        slope = m->mu * (dn * squared - r[0] * (r[1] * d[0] + r[2] * d[1]));
        step = -gap * squared / slope;

        /* |(S + s I)^-1 step| bounds the relative change of r_t: follow it to first order. */
        if (slope > 0.0 && fabs(step) * (size + 2.0 * s) * inv_det <= last_step) {
            s += step;
            r[0] += step * dn;
            r[1] += step * d[0];
            r[2] += step * d[1];
            break;
        }
        lo = gap < 0.0 ? s : lo;
        hi = gap < 0.0 ? hi : s;
        next = s + step;
        if (!(slope > 0.0 && next > lo && next < hi)) {
            next = curve_bisect(m, s, lo, hi);
        }
        if (next == s) {
            break;
        }
        s = next;
    }
    curve_close(m->mu, sqrt(r[1] * r[1] + r[2] * r[2]), r);
    return s;
}
