/* SPDX-License-Identifier: Apache-2.0
 * splitting/local_disk.h: tangents within a radius: friction with a known bound.
 *
 *     find t, |t| <= R, with -(W t + q) in the normal cone of the disk at t
 *
 * W is 2x2 with a positive definite symmetric part and is not taken for symmetric. Private. */
#ifndef PERP_SPLITTING_LOCAL_DISK_H
#define PERP_SPLITTING_LOCAL_DISK_H

#include "local_curve.h"

typedef struct local_disk {
    double W[4];       /* column-major, the shift included */
    double step;       /* 1/|W|, |W| from above; 0 where W is 0 */
    local_curve curve; /* of slope 1 under a normal impulse R */
} local_disk;

/** Prepare from W (column-major, leading dimension ld), adding `shift` to its diagonal. */
void perp_local_disk_init(local_disk *d, const double *W, unsigned ld, double shift);

/** The tangents t (2) within `radius`, to rounding; `guess` is |u|/|t| of a neighbour. */
void perp_local_disk_solve(const local_disk *d, double radius, const double *q,
                           double *guess, double *t);

/** One projected step at velocity u. */
void perp_local_disk_project(const local_disk *d, double radius, const double *u,
                             double *t);

#endif
