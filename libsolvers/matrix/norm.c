/* SPDX-License-Identifier: Apache-2.0
 * matrix/norm.c: the norm of A as solvers estimate it in their setup. */
#include <config.h>

#include "core/solvers.h"

bool perp_norm_estimate(const perp_operator *A, perp_workspace *ws, double *norm,
                        perp_result *r)
{
    size_t mark = perp_workspace_mark(ws);
    size_t size = 0;
    double *scratch = NULL;

    if (!perp_mul(A->rows, 2, &size) || !(scratch = perp_workspace_reals(ws, size))) {
        return false;
    }
    *norm = perp_operator_norm_estimate(A, scratch);
    r->work.products += 12.0; /* of the estimate */
    perp_workspace_release(ws, mark);
    return true;
}
