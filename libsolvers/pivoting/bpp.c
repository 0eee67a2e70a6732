/* SPDX-License-Identifier: Apache-2.0
 * pivoting/bpp.c: block principal pivoting.
 *
 *     solve A_FF z_F = -(b + A z_LU)_F,  w = A z + b;   H: the rows that violate their state
 *     exchange all of H while |H| reaches a new minimum, or for p more steps;
 *     then only its first row, until |H| is below the minimum
 *
 * For P-matrices, and boxes, it ends after finitely many steps, since the single exchanges are
 * Murty's method [kostreva-1978], [judice-pires-1994]; for symmetric positive definite ones
 * mostly after 3 to 8, whatever n. The first states come from z - w/d at the start, as a step of
 * minmap would have them; so a start near the solution often needs a single factorisation.
 *
 * Cost per step: a factorisation of A_FF and two products with A; memory: n^2 reals dense, the
 * factor sparse. A is factored by Cholesky if symmetric, else by LU. A single exchange updates
 * L D L^T of a dense symmetric A_FF, with k^2 operations for k = |F| and n^2/2 reals more. The
 * number of single exchanges can grow exponentially where A is badly conditioned; the option
 * `singles` ends it as stalled before. A singular block ends it with a vector of its null space,
 * and perp_solve starts again with prox. Outside the class the single exchanges can cycle; the
 * certificate holds the sets. How rows are compared, and with what tolerance, stands in
 * linear/active_set.h. */
#include <config.h>

#include "base/base.h"
#include "linear/active_set.h"

typedef struct bpp_state {
    active_set a;
    size_t least;    /* |H| so far, at least */
    size_t patience; /* block exchanges left without a new minimum */
    size_t singles;  /* single exchanges since */
    size_t most_patience, most_singles;
} bpp_state;

static perp_status bpp_setup(void *vstate, const perp_problem *p, const perp_options *opt,
                             perp_workspace *ws, perp_result *r, perp_error *err)
{
    bpp_state *s = vstate;

    s->most_patience = (size_t)perp_options_integer(opt, "patience");
    s->most_singles = (size_t)perp_options_integer(opt, "singles");
    return perp_active_set_new(&s->a, "bpp", p, false, ws, r, err);
}

static void bpp_exchange(bpp_state *s, size_t count, perp_result *r)
{
    for (size_t h = 0; h < count; h++) {
        perp_active_set_exchange(&s->a, s->a.H[h], r);
    }
}

/* Fewer rows than ever violate their state. */
static void bpp_new_minimum(bpp_state *s)
{
    s->least = s->a.count;
    s->patience = s->most_patience;
    s->singles = 0;
    perp_active_set_forget(&s->a);
    perp_active_set_follow_blocks(&s->a);
}

static perp_status bpp_single(bpp_state *s, perp_result *r, perp_error *err)
{
    active_set *a = &s->a;
    perp_status status = PERP_OK;

    if (s->most_singles && s->singles == s->most_singles) {
        return perp_result_end(r, PERP_STALLED,
                               "bpp: %zu row%s still violate their state after %zu block "
                               "exchanges and %zu single ones, %zu at the least",
                               a->count, perp_plural(a->count), s->most_patience,
                               s->singles, s->least);
    }
    s->singles++;
    status = perp_active_set_watch(a, PERP_RULE_LEAST_INDEX, r, err);
    if (status == PERP_OK && r->outcome == PERP_RUNNING) {
        status = perp_active_set_follow_rows(a, err);
    }
    bpp_exchange(s, 1, r);
    return status;
}

static perp_status bpp_iterate(void *vstate, perp_result *r, perp_error *err)
{
    bpp_state *s = vstate;
    active_set *a = &s->a;
    perp_status status = PERP_OK;

    if (!a->started) {
        perp_active_set_follow_blocks(a);
        perp_active_set_guess(a, r->z, r);
        s->least = a->n + 1;
    }
    status = perp_active_set_solve(a, r, err);
    if (status == PERP_OK && r->outcome == PERP_RUNNING && a->count == 0) {
        status = perp_active_set_finish(a, r, err);
    }
    if (status != PERP_OK || r->outcome != PERP_RUNNING) {
        return status;
    }
    if (a->count < s->least) {
        bpp_new_minimum(s);
        bpp_exchange(s, a->count, r);
    } else if (s->patience > 0) {
        s->patience--;
        bpp_exchange(s, a->count, r);
    } else {
        status = bpp_single(s, r, err);
    }
    return status;
}

static const perp_option bpp_options[] = {
    PERP_INTEGER("patience", 10, 0, 1000000,
                 "block exchanges without fewer violations before single ones"),
    PERP_INTEGER("singles", 0, 0, 1000000,
                 "single exchanges without fewer violations before it ends; 0: no limit"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_bpp = {
    .name = "bpp",
    .family = "pivoting",
    .summary = "block principal pivoting of Kostreva, Judice and Pires",
    .reference = "judice-pires-1994",
    .algorithm = "block principal pivoting [kostreva-1978] [judice-pires-1994]",
    .additions = "bounds on both sides; asymmetric A by LU; first active set "
                 "from z - w/d",
    .sets = PERP_SETS(FREE, NONNEG, BOX),
    .storages = PERP_STORAGES(DENSE, CSR),
    .demands = PERP_DEMANDS(POSITIVE_DEFINITE),
    .flags = PERP_FLAGS(USES_START, SCALES_IF_SYMMETRIC),
    .certificates = PERP_CERTIFICATES(SINGULAR, CYCLE),
    .on_singular = "prox",
    .check_every = 1,
    .options = bpp_options,
    .state_size = sizeof(bpp_state),
    .setup = bpp_setup,
    .iterate = bpp_iterate,
    .resume = perp_active_set_resume,
    .close = perp_active_set_close,
};
