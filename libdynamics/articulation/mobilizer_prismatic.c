/* SPDX-License-Identifier: Apache-2.0
 * articulation/mobilizer_prismatic.c: a move along a fixed axis a.
 *
 *     Q = trans(a q),   S = (0; a),   dS/dt = 0                       [featherstone-2008]
 */
#include <config.h>

#include "articulation/mobilizers.h"

static void prismatic_place(const double *axes, const double *q, perp_frame *Q)
{
    perp_frame_identity(Q);
    vec3_scale(q[0], axes, Q->p);
}

static void prismatic_motion(const double *axes, const double *q, const double *qd,
                             double *S, double *Sdot)
{
    (void)q;
    (void)qd;
    vec3_set(S, 0.0, 0.0, 0.0);
    vec3_copy(S + 3, axes);
    if (Sdot) {
        memset(Sdot, 0, 6 * sizeof *Sdot);
    }
}

static void prismatic_coordinates(const double *axes, const perp_frame *Q, double *q)
{
    q[0] = vec3_dot(axes, Q->p);
}

const perp_mobilizer mobilizer_prismatic = {
    .name = "prismatic",
    .summary = "a translation along an axis",
    .reference = "featherstone-2008",
    .dof = 1,
    .axes = 1,
    .unit = {"m"},
    .place = prismatic_place,
    .motion = prismatic_motion,
    .coordinates = prismatic_coordinates,
};
