/* SPDX-License-Identifier: Apache-2.0
 * articulation/mobilizer_fixed.c: nothing moves: Q = E, and S has no columns. */
#include <config.h>

#include "articulation/mobilizers.h"

static void fixed_place(const double *axes, const double *q, perp_frame *Q)
{
    (void)axes;
    (void)q;
    perp_frame_identity(Q);
}

static void fixed_motion(const double *axes, const double *q, const double *qd, double *S,
                         double *Sdot)
{
    (void)axes;
    (void)q;
    (void)qd;
    (void)S;
    (void)Sdot;
}

static void fixed_coordinates(const double *axes, const perp_frame *Q, double *q)
{
    (void)axes;
    (void)Q;
    (void)q;
}

const perp_mobilizer mobilizer_fixed = {
    .name = "fixed",
    .summary = "no rotation, no translation",
    .reference = "featherstone-2008",
    .place = fixed_place,
    .motion = fixed_motion,
    .coordinates = fixed_coordinates,
};
