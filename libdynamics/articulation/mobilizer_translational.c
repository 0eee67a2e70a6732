/* SPDX-License-Identifier: Apache-2.0
 * articulation/mobilizer_translational.c: all moves, no turn.
 *
 *     Q = trans(q),   S = [0; E],   dS/dt = 0                                 [wang-2019]
 */
#include <config.h>

#include "articulation/mobilizers.h"

static void translational_place(const double *axes, const double *q, perp_frame *Q)
{
    (void)axes;
    perp_frame_identity(Q);
    vec3_copy(Q->p, q);
}

static void translational_motion(const double *axes, const double *q, const double *qd,
                                 double *S, double *Sdot)
{
    (void)axes;
    (void)q;
    (void)qd;
    memset(S, 0, 18 * sizeof *S);
    for (int k = 0; k < 3; k++) {
        S[6 * k + 3 + k] = 1.0;
    }
    if (Sdot) {
        memset(Sdot, 0, 18 * sizeof *Sdot);
    }
}

static void translational_coordinates(const double *axes, const perp_frame *Q, double *q)
{
    (void)axes;
    vec3_copy(q, Q->p);
}

const perp_mobilizer mobilizer_translational = {
    .name = "translational",
    .summary = "all translations, no rotation",
    .reference = "wang-2019",
    .dof = 3,
    .unit = {"m", "m", "m"},
    .place = translational_place,
    .motion = translational_motion,
    .coordinates = translational_coordinates,
};
