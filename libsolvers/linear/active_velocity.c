/* SPDX-License-Identifier: Apache-2.0
 * linear/active_velocity.c: the blocks A_FF of active sets of a matrix in factors.
 *
 *     A_FF x_F = w_F,  x_LU = 0   as   (L A + H) x = L w,   L = 1 and H = 0 on F, else L = 0, H = 1
 *
 * A singular block, as several contacts of two bodies have, is solved where w_F is in its range. */
#include <config.h>

#include "linear/active_set.h"

/* Of w_F, in units of the rows, that rounding may leave of a singular block. */
static const double range = 1e-9;

perp_status perp_active_velocity_setup(active_set *a, perp_workspace *ws, perp_error *err)
{
    a->L = perp_workspace_reals(ws, a->n);
    a->inactive = perp_workspace_reals(ws, a->n);
    return perp_velocity_step_setup(&a->velocity, a->p->A, a->p->set, ws, err);
}

perp_status perp_active_velocity_factor(active_set *a, perp_result *r, bool *done,
                                        perp_error *err)
{
    for (size_t i = 0; i < a->n; i++) {
        a->L[i] = a->states[i] == PERP_STATE_FREE ? 1.0 : 0.0;
        a->inactive[i] = 1.0 - a->L[i];
    }
    return perp_velocity_step_factor(&a->velocity, a->L, a->inactive, 0.0, &r->work, done,
                                     err);
}

bool perp_active_velocity_correct(active_set *a, perp_result *r)
{
    for (size_t i = 0; i < a->n; i++) {
        a->x[i] = a->L[i] * a->w[i];
    }
    if (!perp_velocity_step_solve(&a->velocity, range, a->x, &r->work)) {
        return false;
    }
    for (size_t i = 0; i < a->n; i++) {
        a->z[i] -= a->x[i];
    }
    return true;
}
