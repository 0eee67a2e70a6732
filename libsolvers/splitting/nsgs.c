/* SPDX-License-Identifier: Apache-2.0
 * splitting/nsgs.c: nonsmooth Gauss-Seidel over contacts.
 *
 *     for each contact k:   z_k <- local( A_kk + p tr(A_kk) I, q_k ),
 *                           q_k = b_k + sum over j != k of A_kj z_j - p tr(A_kk) z_k
 *
 * where local() solves the friction problem of one contact, Coulomb's law without an outer loop or
 * the associated law, by default exactly: cones by one equation in the slip (local_cone.c), rolling
 * contacts by Newton's method (local_rolling.c), disks (local_disk.c). Cheaper local methods need
 * more sweeps: `projection`, `two-step`, `newton` on the equations of Alart and Curnier. Other rows
 * are swept as in pgs. A need not be symmetric [jean-1999; acary-bremond-huber-2018;
 * alart-curnier-1991].
 *
 * Three or more successive contacts of one pair of bodies, rows on two bodies under Coulomb's law,
 * are solved together where all of them stick (patches.c): a stack of 10 boxes needs 700 sweeps
 * to 1e-8 instead of 50 000.
 *
 * Convergence is proved for the associated law with a symmetric positive definite A. Under
 * Coulomb's law the method is robust in practice, slow at high mass ratios and in tall stacks, and
 * it can cycle near a solution: when 500 sweeps have found no smaller residual and the steps do
 * not shrink, omega is 0.7 for the rest. Ends stalled when the residual falls by less than 1 % in
 * 5000 sweeps. Warm start, orders and certificates: as pgs.
 *
 * Cost per sweep: one product with A and about 100 flops per contact. Memory per contact: 35 reals,
 * in coloured or local order A once more; of rows on two bodies 40, in local order 59. */
#include <config.h>

#include "base/base.h"
#include "core/solver_used.h"
#include "sweep.h"

/* Sweeps that cycle do so for millions of sweeps. 0.7 needs up to twice the sweeps of omega = 1
 * where that converges, so it is used only in this case. */
static const double cycling_omega = 0.7;

/* Sweeps without a smaller residual before under-relaxation, and half windows over which the
 * mean step is compared. With steps that shrink by less than 0.1 % in 250 sweeps eight digits
 * would take five million. */
enum { PATIENCE = 500, HALF = 250 };
static const double shrinks = 0.999;

typedef struct nsgs_state {
    sweep sweep;
    bool may_relax;       /* under-relaxation has not been used yet */
    size_t patience;      /* PATIENCE, or more where judgements are rarer */
    size_t since;         /* iteration of the last start, resume or change of omega */
    size_t count;         /* sweeps in `sum` */
    double sum;           /* of the steps of the current half window */
    double before, after; /* mean step of the last two half windows */
} nsgs_state;

static void nsgs_start_window(nsgs_state *s, const perp_result *r)
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

    s->sweep.blocks.method = (local_method)perp_options_choice(opt, "local");
    s->sweep.blocks.proximal = perp_options_real(opt, "proximal");
    s->patience = 2 * every > PATIENCE ? 2 * every : PATIENCE;
    s->may_relax = perp_options_switch(opt, "auto-relaxation") &&
                   perp_options_real(opt, "relaxation") > cycling_omega;
    s->sweep.patches = perp_options_switch(opt, "patches");
    TRY(perp_sweep_setup(&s->sweep, perp_solver_nsgs.name, p, opt, ws, r, err));
    nsgs_start_window(s, r);
    return PERP_OK;
}

/* The sweeps cycle where no smaller residual is found for some time and the steps do not shrink:
 * then under-relax the rest. Inside a wrapper the residual is not judged, and this rule is off. */
static void nsgs_under_relax(nsgs_state *s, perp_result *r)
{
    size_t best = r->run.best_iteration > s->since ? r->run.best_iteration : s->since;
    size_t idle = r->iterations - best;

    if (!s->may_relax || !isfinite(r->run.best_residual) || idle < s->patience ||
        s->after < shrinks * s->before) {
        return;
    }
    perp_result_log(r,
                    "nsgs: relaxation %g from sweep %zu on: no smaller residual in %zu",
                    cycling_omega, r->iterations, idle);
    s->may_relax = false;
    s->sweep.blocks.omega = cycling_omega;
    r->run.restarted = r->iterations;
    nsgs_start_window(s, r);
}

static perp_status nsgs_iterate(void *vstate, perp_result *r, perp_error *err)
{
    nsgs_state *s = vstate;

    TRY(perp_sweep_iterate(&s->sweep, r, err));
    if (r->outcome != PERP_RUNNING) {
        return PERP_OK;
    }
    s->sum += sqrt(s->sweep.change);
    if (++s->count == HALF) {
        s->before = s->after;
        s->after = s->sum / HALF;
        s->sum = 0.0;
        s->count = 0;
        nsgs_under_relax(s, r);
    }
    return PERP_OK;
}

static perp_status nsgs_resume(void *vstate, double shift, perp_result *r,
                               perp_error *err)
{
    nsgs_state *s = vstate;

    (void)err;
    perp_sweep_refresh(&s->sweep, shift);
    nsgs_start_window(s, r);
    return PERP_OK;
}

static const perp_option nsgs_options[] = {
    PERP_REAL_OPEN("relaxation", 1.0, 0.0, 2.0,
                   "factor omega; below 1 convergence is more robust"),
    PERP_SWEEP_ORDER_OPTION,
    PERP_SWEEP_THREADS_OPTION,
    PERP_SWEEP_PATCHES_OPTION,
    PERP_CHOICE(
        "local", LOCAL_EXACT, "exact|projection|two-step|newton",
        "solution of one contact: exact, one projected step, normal then tangents, or "
        "damped Newton steps"),
    PERP_REAL_CLOSED("proximal", LOCAL_PROXIMAL, 0.0, 1.0,
                     "local proximal term, relative to the trace of the block"),
    PERP_SWITCH("auto-relaxation", 1,
                "reduce the relaxation to 0.7 when the sweeps cycle"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_nsgs = {
    .name = "nsgs",
    .family = "splitting",
    .summary = "nonsmooth Gauss-Seidel over contacts with an exact local solver",
    .reference = "jean-1999",
    .algorithm = "nonsmooth Gauss-Seidel [jean-1999] [acary-bremond-huber-2018]",
    .additions = "exact local solver by one equation in the slip; "
                 "under-relaxation after sweeps without progress; optional "
                 "proximal term",
    .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(COULOMB, ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(POSITIVE_DIAGONAL),
    .flags = PERP_FLAGS(USES_START, SCALES_WITH_ROWS),
    .certificates = PERP_CERTIFICATES(SINGULAR, INFEASIBLE),
    .check_every = 10,
    .check_first = 1,
    .stall = 5000,
    .max_iterations =
        1000000, /* hard scenes need many; the time limit usually ends them */
    .options = nsgs_options,
    .state_size = sizeof(nsgs_state),
    .setup = nsgs_setup,
    .iterate = nsgs_iterate,
    .resume = nsgs_resume,
};
