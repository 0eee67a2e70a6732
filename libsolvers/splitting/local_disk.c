/* SPDX-License-Identifier: Apache-2.0
 * splitting/local_disk.c: tangents within a radius, solved to rounding.
 *
 *     stick  W t = -q            if |t| <= R
 *     slip   (W + s I) t = -q    with s > 0 such that |t| = R
 *
 * which is the curve of a contact (splitting/local_curve.c) whose normal impulse stands at
 * R and whose friction is 1. */
#include <config.h>

#include "local_disk.h"

#include <math.h>
#include <string.h>

void perp_local_disk_init(local_disk *d, const double *W, unsigned ld, double shift)
{
    double size = 0.0;

    memset(d, 0, sizeof *d);
    for (unsigned j = 0; j < 2; j++) {
        for (unsigned i = 0; i < 2; i++) {
            d->W[i + 2 * j] = W[i + j * ld] + (i == j ? shift : 0.0);
        }
    }
    /* |W|_2^2 <= |W|_1 |W|_inf */
    size = fmax(fabs(d->W[0]) + fabs(d->W[2]), fabs(d->W[1]) + fabs(d->W[3])) *
           fmax(fabs(d->W[0]) + fabs(d->W[1]), fabs(d->W[2]) + fabs(d->W[3]));
    d->step = size > 0.0 ? 1.0 / sqrt(size) : 0.0;
    d->curve.S11 = d->W[0];
    d->curve.S21 = d->W[1];
    d->curve.S12 = d->W[2];
    d->curve.S22 = d->W[3];
    d->curve.mu = 1.0;
    perp_local_curve_finish(&d->curve, 0.5 * (d->W[0] + d->W[3]));
}

void perp_local_disk_solve(const local_disk *d, double radius, const double *q,
                           double *guess, double *t)
{
    double r[3] = {radius, 0.0, 0.0};

    if (radius > 0.0 && (q[0] != 0.0 || q[1] != 0.0) &&
        !local_curve_stick(&d->curve, radius, q, r)) {
        *guess = perp_local_curve_slip(&d->curve, radius, q, *guess, r);
    }
    if (isfinite(r[1] + r[2])) {
        t[0] = r[1];
        t[1] = r[2];
    } else { /* W is not positive: at least stay in the disk */
        t[0] = t[1] = *guess = 0.0;
    }
}

void perp_local_disk_project(const local_disk *d, double radius, const double *u,
                             double *t)
{
    double length = 0.0;

    t[0] -= d->step * u[0];
    t[1] -= d->step * u[1];
    length = sqrt(t[0] * t[0] + t[1] * t[1]);
    if (length > radius) {
        t[0] *= radius / length;
        t[1] *= radius / length;
    }
}
