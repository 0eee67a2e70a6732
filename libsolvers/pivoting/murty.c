/* SPDX-License-Identifier: Apache-2.0
 * pivoting/murty.c: principal pivoting with the least index.
 *
 *     z_F = -A_FF^-1 (b + A z_LU)_F,  w = A z + b;   the first row that violates its state
 *     exchanges it; repeat
 *
 * For P-matrices it ends after at most 2^n - 1 pivots, degenerate or not, from any set
 * [murty-1974]; there are matrices that take them all. No ratio test, no feasible path: every
 * set is a start, so the start z gives the first one and a near start saves pivots.
 *
 * Cost per pivot: k^2 for the factor of A_FF, k = |F|, and a product with A; memory: n^2/2
 * reals where A is dense and symmetric (L D L^T under update), else the factor of A_FF, made
 * again in each step. A singular block ends it with a vector of its null space, and perp_solve starts again
 * with prox; outside the class it can cycle, and the certificate holds the sets. The rule to
 * the letter is in linear/active_set.h. */
#include <config.h>

#include "linear/active_set.h"

typedef struct murty_state {
    active_set a;
} murty_state;

static perp_status murty_setup(void *vstate, const perp_problem *p,
                               const perp_options *opt, perp_workspace *ws,
                               perp_result *r, perp_error *err)
{
    murty_state *s = vstate;

    (void)opt;
    return perp_active_set_new(&s->a, "murty", p, true, ws, r, err);
}

static perp_status murty_iterate(void *vstate, perp_result *r, perp_error *err)
{
    murty_state *s = vstate;
    active_set *a = &s->a;
    perp_status status = PERP_OK;

    if (!a->started) {
        perp_active_set_at(a, r->z);
    }
    status = perp_active_set_solve(a, r, err);
    if (status == PERP_OK && r->outcome == PERP_RUNNING && a->count == 0) {
        status = perp_active_set_finish(a, r, err);
    }
    if (status != PERP_OK || r->outcome != PERP_RUNNING) {
        return status;
    }
    status = perp_active_set_watch(a, PERP_RULE_LEAST_INDEX, r, err);
    perp_active_set_exchange(a, a->H[0], r);
    return status;
}

const perp_solver_type perp_solver_murty = {
    .name = "murty",
    .family = "pivoting",
    .summary = "Murty's principal pivoting with the least index",
    .reference = "murty-1974",
    .algorithm = "Murty's least-index principal pivoting method [murty-1974]",
    .additions = "bounds on both sides; start from the active set of a point",
    .sets = PERP_SETS(FREE, NONNEG, BOX),
    .storages = PERP_STORAGES(DENSE, CSR),
    .demands = PERP_DEMANDS(POSITIVE_DEFINITE),
    .flags = PERP_FLAGS(USES_START),
    .certificates = PERP_CERTIFICATES(SINGULAR, CYCLE),
    .on_singular = "prox",
    .check_every = 10,
    .state_size = sizeof(murty_state),
    .setup = murty_setup,
    .iterate = murty_iterate,
    .resume = perp_active_set_resume,
    .close = perp_active_set_close,
};
