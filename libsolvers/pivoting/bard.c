/* SPDX-License-Identifier: Apache-2.0
 * pivoting/bard.c: principal pivoting on the row that is most wrong.
 *
 *     z_F = -A_FF^-1 (b + A z_LU)_F,  w = A z + b;   the row with the largest violation
 *     exchanges its state; repeat
 *
 * Bard's rule [bard-1974] mostly needs a few pivots per active row, but can cycle. So the sets
 * it had are remembered by a 64-bit hash [zobrist-1970], and when one returns the first
 * violated row is taken instead, as in murty, until fewer rows are violated than ever before:
 * with that it ends for P-matrices too [murty-1988, chapter 4].
 *
 * Cost per pivot: k^2 for the factor of A_FF, k = |F|, and a product with A; memory: n^2/2
 * reals where A is dense and symmetric (L D L^T under update), else the factor of A_FF, made
 * again in each step. The start z gives the first set. A singular block ends it with a vector of its null
 * space, and perp_solve starts again with prox; outside the class the guarded part can cycle,
 * and the certificate holds the sets. The rules to the letter are in linear/active_set.h. */
#include <config.h>

#include "linear/active_set.h"

enum {
    visited_room = 1 << 16, /* half a megabyte of hashes, */
    visited_most = 1 << 15  /* forgotten when half full: probing stays short */
};

/* Violations closer than this part count as equal, and the first is taken. */
#define BARD_TIE 1e-12

typedef struct bard_state {
    active_set a;
    uint64_t *visited; /* visited_room: hashes of sets, 0 where there is none */
    size_t visited_count;
    size_t least; /* |H| so far, at least */
    bool guarded; /* by least index, until |H| < least */
} bard_state;

static perp_status bard_setup(void *vstate, const perp_problem *p,
                              const perp_options *opt, perp_workspace *ws, perp_result *r,
                              perp_error *err)
{
    bard_state *s = vstate;

    (void)opt;
    s->visited = perp_workspace_alloc(ws, visited_room, sizeof *s->visited);
    return perp_active_set_new(&s->a, "bard", p, true, ws, r, err);
}

static void bard_forget(bard_state *s)
{
    memset(s->visited, 0, visited_room * sizeof *s->visited);
    s->visited_count = 0;
}

/* Exclusive or of a random number for each state of each row. */
static uint64_t bard_hash(const active_set *a)
{
    uint64_t hash = 1;

    for (size_t i = 0; i < a->n; i++) {
        perp_random g = {3 * i + a->states[i]};

        hash ^= perp_random_next(&g);
    }
    return hash ? hash : 1;
}

/* Whether the set was visited before; it is from now on. */
static bool bard_visited(bard_state *s)
{
    uint64_t hash = bard_hash(&s->a);
    size_t at = hash % visited_room;

    if (s->visited_count >= visited_most) {
        bard_forget(s);
    }
    for (; s->visited[at]; at = (at + 1) % visited_room) {
        if (s->visited[at] == hash) {
            return true;
        }
    }
    s->visited[at] = hash;
    s->visited_count++;
    return false;
}

static size_t bard_most_violated(const active_set *a)
{
    size_t row = a->H[0];

    for (size_t h = 1; h < a->count; h++) {
        if (a->v[a->H[h]] > a->v[row] * (1.0 + BARD_TIE)) {
            row = a->H[h];
        }
    }
    return row;
}

static perp_status bard_iterate(void *vstate, perp_result *r, perp_error *err)
{
    bard_state *s = vstate;
    active_set *a = &s->a;
    perp_status status = PERP_OK;

    if (!a->started) {
        perp_active_set_at(a, r->z);
        bard_forget(s);
        s->guarded = false;
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
        s->least = a->count;
        s->guarded = false;
    }
    if (!s->guarded && bard_visited(s)) {
        perp_result_log(r, "bard: step %zu is back at a set, least index from here",
                        r->iterations);
        s->guarded = true;
        perp_active_set_forget(a);
    }
    if (s->guarded) {
        status = perp_active_set_watch(a, PERP_RULE_LEAST_INDEX, r, err);
    }
    perp_active_set_exchange(a, s->guarded ? a->H[0] : bard_most_violated(a), r);
    return status;
}

const perp_solver_type perp_solver_bard = {
    .name = "bard",
    .family = "pivoting",
    .summary = "Bard's principal pivoting on the worst row, guarded against cycles",
    .reference = "bard-1974",
    .algorithm = "Bard's principal pivoting on the most violated row [bard-1974]",
    .additions = "bounds on both sides; least index after a repeated active set, "
                 "until fewer rows are violated than before",
    .sets = PERP_SETS(FREE, NONNEG, BOX),
    .storages = PERP_STORAGES(DENSE, CSR),
    .demands = PERP_DEMANDS(POSITIVE_DEFINITE),
    .flags = PERP_FLAGS(USES_START),
    .certificates = PERP_CERTIFICATES(SINGULAR, CYCLE),
    .on_singular = "prox",
    .check_every = 10,
    .state_size = sizeof(bard_state),
    .setup = bard_setup,
    .iterate = bard_iterate,
    .resume = perp_active_set_resume,
    .close = perp_active_set_close,
};
