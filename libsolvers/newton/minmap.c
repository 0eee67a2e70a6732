/* SPDX-License-Identifier: Apache-2.0
 * newton/minmap.c: Newton's method on the min map, the primal-dual active set method.
 *
 *     L where z_i - w_i/d_i <= lo,  U where >= hi,  F elsewhere
 *     A_FF z_F = -(b + A z_LU)_F,  w = A z + b;   repeat
 *
 * Each step is a full Newton step for z - P_K(z - w/d) = 0, which is piecewise linear; so it
 * ends after finitely many steps or comes back to a set it had before. It ends for M-matrices,
 * where the sets grow monotonically, and from near a solution with regular blocks
 * [hintermueller-ito-kunisch-2003], [fischer-kanzow-1996]; mostly after 1 to 7 steps. There is no
 * safeguard: bpp is this method with one.
 *
 * Cost per step: a factorisation of A_FF and two products with A; memory: n^2 reals dense, the
 * factor sparse. A matrix in factors, J M^-1 J^T + C, is not formed: A_FF is solved through
 * S = M + J_F^T (C + 1e-9 d)_FF^-1 J_F, d the diagonal of A, with refinement, and a singular block
 * is passed where the rows of F agree. A warm start near the solution needs one step. A set that returns ends it
 * with the cycle as certificate, a singular block with a vector of its null space. A row whose
 * violation is within rounding keeps its state; the rule to the letter is in
 * linear/active_set.h. */
#include <config.h>

#include "linear/active_set.h"

typedef struct minmap_state {
    active_set a;
} minmap_state;

static perp_status minmap_setup(void *vstate, const perp_problem *p,
                                const perp_options *opt, perp_workspace *ws,
                                perp_result *r, perp_error *err)
{
    minmap_state *s = vstate;

    (void)opt;
    return perp_active_set_new(&s->a, "minmap", p, false, ws, r, err);
}

/* From bound to bound in one step where z - w/d is beyond the other one. */
static bool minmap_crosses(const active_set *a, size_t i)
{
    double step = a->w[i] / (a->s[i] * a->s[i]);

    return a->states[i] == PERP_STATE_LOWER   ? a->lo[i] - step >= a->hi[i]
           : a->states[i] == PERP_STATE_UPPER ? a->hi[i] - step <= a->lo[i]
                                              : false;
}

static void minmap_next(active_set *a, perp_result *r)
{
    for (size_t h = 0; h < a->count; h++) {
        size_t i = a->H[h];

        if (minmap_crosses(a, i)) {
            a->states[i] =
                a->states[i] == PERP_STATE_LOWER ? PERP_STATE_UPPER : PERP_STATE_LOWER;
            r->work.pivots++;
        } else {
            perp_active_set_exchange(a, i, r);
        }
    }
    for (size_t i = 0; i < a->n; i++) {
        if (a->lo[i] == a->hi[i]) {
            a->states[i] = a->w[i] >= 0.0 ? PERP_STATE_LOWER : PERP_STATE_UPPER;
        }
    }
}

static perp_status minmap_iterate(void *vstate, perp_result *r, perp_error *err)
{
    minmap_state *s = vstate;
    active_set *a = &s->a;
    perp_status status = PERP_OK;

    if (!a->started) {
        perp_active_set_guess(a, r->z, r);
    }
    status = perp_active_set_solve(a, r, err);
    if (status != PERP_OK || r->outcome != PERP_RUNNING) {
        return status;
    }
    if (a->count == 0) {
        return perp_active_set_finish(a, r, err);
    }
    status = perp_active_set_watch(a, PERP_RULE_MINMAP, r, err);
    minmap_next(a, r);
    return status;
}

const perp_solver_type perp_solver_minmap = {
    .name = "minmap",
    .family = "newton",
    .summary = "Newton's method on the min map: the primal-dual active set method",
    .reference = "hintermueller-ito-kunisch-2003",
    .algorithm = "Newton's method on the min map, the primal-dual active set "
                 "method [hintermueller-ito-kunisch-2003]",
    .additions = "bounds on both sides; rows within rounding keep their state; a "
                 "returning active set is a certificate",
    .sets = PERP_SETS(FREE, NONNEG, BOX),
    .storages = PERP_STORAGES(DENSE, CSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(POSITIVE_DEFINITE),
    .flags = PERP_FLAGS(USES_START, SCALES_IF_SYMMETRIC),
    .certificates = PERP_CERTIFICATES(SINGULAR, CYCLE),
    .check_every = 1,
    .state_size = sizeof(minmap_state),
    .setup = minmap_setup,
    .iterate = minmap_iterate,
    .resume = perp_active_set_resume,
    .close = perp_active_set_close,
};
