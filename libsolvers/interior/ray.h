/* SPDX-License-Identifier: Apache-2.0
 * interior/ray.h: a proof that there is no solution, from a point that runs away.
 *
 * Along y = z/|z| a monotone problem without solution has A y = 0 on the rows F where y is not
 * zero, in the limit only: z would have to grow by 1e9. So y is improved first by inverse
 * iteration, y_F <- (A_FF + 1e-10 d I)^-1 y_F, which leaves of it what A_FF maps to zero.
 * Nothing is claimed that perp_result_certify_direction does not accept. Private. */
#ifndef PERP_INTERIOR_RAY_H
#define PERP_INTERIOR_RAY_H

#include "path.h"

/** Look for a proof at t->z if it has grown since the last time, or in any case (`last`). On
 *  success r has the certificate. Uses t->rhs, t->dz and the kernel. */
perp_status perp_ray_prove(perp_path *t, bool last, perp_result *r, perp_error *err);

#endif
