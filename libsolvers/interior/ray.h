/* SPDX-License-Identifier: Apache-2.0
 * interior/ray.h: a certificate of infeasibility from a point that grows without bound.
 * Private.
 *
 * Along y = z/|z| a monotone problem without solution has A y = 0 on the rows F where y is not
 * zero, but only in the limit: z would have to grow by 1e9. So y is first improved by inverse
 * iteration, y_F <- (A_FF + 1e-10 d I)^-1 y_F, which converges to the null space of A_FF. Only
 * what perp_result_certify_direction accepts is reported. */
#ifndef PERP_INTERIOR_RAY_H
#define PERP_INTERIOR_RAY_H

#include "path.h"

/** Try for a certificate at t->z if it has grown since the last attempt, or in any case
 *  (`last`). On success r has it. Uses t->rhs, t->dz and the systems of t. */
perp_status perp_ray_certify(perp_path *t, bool last, perp_result *r, perp_error *err);

#endif
