/* SPDX-License-Identifier: Apache-2.0
 * splitting/nsgs.c: nonsmooth Gauss-Seidel over contacts.
 *
 *     for each contact k:   z_k <- local( A_kk + p tr(A_kk) I, q_k ),
 *                           q_k = b_k + sum over j != k of A_kj z_j - p tr(A_kk) z_k
 *
 * where local() solves the contact's own problem with friction: Coulomb's law without an outer
 * loop, or the associated law. Exactly by default: cones in the plane and in space by one
 * equation in the slip (splitting/local_cone.c), rolling contacts by Newton's method
 * (splitting/local_rolling.c), disks of known radius (splitting/local_disk.c). Cheaper ways
 * take more sweeps: `projection` one projected step, `two-step` normal then tangents;
 * `newton` takes damped steps on the equations of Alart and Curnier, exact where they fail.
 * Other rows beside the contacts are swept as in pgs. A is not taken for symmetric.
 *
 * Convergence is proved for the associated law with a symmetric positive definite A; for
 * Coulomb's law it is robust in practice, slow at high mass ratios and in tall stacks, and it
 * can circle for ever near a solution. Out of a circle leads under-relaxation: when 500
 * sweeps bring no new best RES and the steps do not shrink, omega falls to 0.7 for the rest;
 * after 5000 more without a new best it ends stalled. A local proximal term p of 0.01 instead
 * of 1e-12 is another way out.
 *
 * Cost: one product with A and about 100 flops a contact, in factored form without forming A;
 * memory: 35 reals a contact, coloured or local order: A once more; of rows that act on two
 * bodies (perp_operator_new_pairs) 54, in local order 73. Warm start, orders and certificates:
 * as pgs.
 * References: [jean-1999], [acary-bremond-huber-2018], [alart-curnier-1991]. */
#include <config.h>

#include "sweep.h"

/* Where sweeps circle they do so for millions, and 0.7 is within a factor 2 of omega = 1
 * where that converges: it is a remedy, not a default. */
static const double remedy = 0.7;

/* Sweeps without a new best before the remedy; and the two halves over which the mean step
 * is compared. Shrinking less than 0.1 % in 250 sweeps would take five million for eight
 * digits. */
enum { PATIENCE = 500, HALF = 250 };
static const double shrinks = 0.999;

typedef struct nsgs_state {
    sweep sweep;
    bool may_relax;       /* the remedy is still to be tried */
    size_t patience;      /* PATIENCE, or more where judgements are rarer */
    size_t since;         /* iteration of the last start, resume or remedy */
    size_t count;         /* sweeps in `sum` */
    double sum;           /* of the steps of the half window at work */
    double before, after; /* mean step of the last two half windows */
} nsgs_state;

static void nsgs_watch(nsgs_state *s, const perp_result *r)
{
    s->since = r->iterations;
    s->count = 0;
    s->sum = 0.0;
    s->before = s->after = INFINITY;
}

static perp_status nsgs_setup(void *vstate, const perp_problem *p,
                              const perp_options *opt, perp_workspace *ws, perp_result *r,
                              perp_error *err)
{
    nsgs_state *s = vstate;
    size_t every = perp_sweep_check_every(opt, &perp_solver_nsgs);

    perp_status status = PERP_OK;

    s->sweep.blocks.way = (local_way)perp_options_choice(opt, "local");
    s->sweep.blocks.proximal = perp_options_real(opt, "proximal");
    s->patience = 2 * every > PATIENCE ? 2 * every : PATIENCE;
    s->may_relax = perp_options_switch(opt, "auto-relaxation") &&
                   perp_options_real(opt, "relaxation") > remedy;
    status = perp_sweep_setup(&s->sweep, perp_solver_nsgs.name, p, opt, ws, r, err);
    if (status == PERP_OK) {
        nsgs_watch(s, r);
    }
    return status;
}

/* Do the sweeps circle: no new best residual for a while, and steps that do not shrink? Then the
 * rest is under-relaxed. Within a wrapper nobody judges, and this is not known. */
static void nsgs_remedy(nsgs_state *s, perp_result *r)
{
    size_t best = r->best_iteration > s->since ? r->best_iteration : s->since;
    size_t idle = r->iterations - best;

    if (!s->may_relax || !isfinite(r->best_residual) || idle < s->patience ||
        s->after < shrinks * s->before) {
        return;
    }
    perp_result_log(r, "nsgs: relaxation %g from sweep %zu on: no new best in %zu",
                    remedy, r->iterations, idle);
    s->may_relax = false;
    s->sweep.blocks.omega = remedy;
    r->restarted = r->iterations;
    nsgs_watch(s, r);
}

static perp_status nsgs_iterate(void *vstate, perp_result *r, perp_error *err)
{
    nsgs_state *s = vstate;
    perp_status status = perp_sweep_run(&s->sweep, r, err);

    if (status != PERP_OK || r->outcome != PERP_RUNNING) {
        return status;
    }
    s->sum += sqrt(s->sweep.change);
    if (++s->count == HALF) {
        s->before = s->after;
        s->after = s->sum / HALF;
        s->sum = 0.0;
        s->count = 0;
        nsgs_remedy(s, r);
    }
    return PERP_OK;
}

static void nsgs_close(void *vstate)
{
    nsgs_state *s = vstate;

    perp_sweep_close(&s->sweep);
}

static perp_status nsgs_resume(void *vstate, double shift, perp_result *r,
                               perp_error *err)
{
    nsgs_state *s = vstate;

    (void)err;
    perp_sweep_refresh(&s->sweep, shift);
    nsgs_watch(s, r);
    return PERP_OK;
}

static const perp_option nsgs_options[] = {
    SWEEP_OPTIONS(1.0, "factor omega; below 1 it rather converges"),
    PERP_CHOICE("local", LOCAL_EXACT, "exact|projection|two-step|newton",
                "contact: solved exactly, one projected step, normal then tangents, "
                "damped Newton steps"),
    PERP_REAL_CLOSED("proximal", LOCAL_PROXIMAL, 0.0, 1.0,
                     "local proximal term, as a part of the trace of the block"),
    PERP_SWITCH("auto-relaxation", 1, "relaxation 0.7 when the sweeps circle"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_nsgs = {
    .name = "nsgs",
    .family = "splitting",
    .summary = "nonsmooth Gauss-Seidel over contacts with an exact local solver",
    .reference = "jean-1999",
    SWEEP_TAKES,
    .stall = 5000,
    .max_iterations = 1000000, /* hard scenes need some; the time limit mostly decides */
    .options = nsgs_options,
    .state_size = sizeof(nsgs_state),
    .setup = nsgs_setup,
    .iterate = nsgs_iterate,
    .resume = nsgs_resume,
    .close = nsgs_close,
};
