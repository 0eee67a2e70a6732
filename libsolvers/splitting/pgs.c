/* SPDX-License-Identifier: Apache-2.0
 * splitting/pgs.c: projected Gauss-Seidel with over-relaxation.
 *
 *     for i = 1..n:   z_i <- clip( z_i - omega (A z + b)_i / A_ii, lo_i, hi_i )
 *
 * and cones by the exact solution of each contact (splitting/sweep.c). Bounds of friction
 * rows follow the normal impulse as it stands, so that no outer loop is needed.
 *
 * Converges for symmetric positive definite A and 0 < omega < 2 [cryer-1971], and for
 * H-matrices with positive diagonal and omega <= 1; on others it may circle for ever, as on
 * [1 2 0; 0 1 2; 2 0 1]. One sweep costs one product with A; memory: 3 reals a row. */
#include <config.h>

#include "sweep.h"

typedef struct pgs_state {
    sweep sweep;
    size_t every, window; /* sweeps between judgements, and between looks at progress */
    size_t from;          /* iteration at which this window began */
    double least;         /* residual seen in this window */
    double least_before;  /* in all earlier ones */
} pgs_state;

static void pgs_watch(pgs_state *s, const perp_result *r)
{
    s->from = r->iterations;
    s->least = s->least_before = INFINITY;
}

static perp_status pgs_setup(void *vstate, const perp_problem *p, const perp_options *opt,
                             perp_workspace *ws, perp_result *r, perp_error *err)
{
    pgs_state *s = vstate;
    size_t window = (size_t)perp_options_integer(opt, "stall-sweeps");

    s->sweep.local = SWEEP_EXACT;
    s->sweep.proximal = SWEEP_PROXIMAL;
    s->every = sweep_check_every(opt, &perp_solver_pgs);
    s->window = window && window < 2 * s->every ? 2 * s->every : window;
    pgs_watch(s, r);
    return sweep_setup(&s->sweep, p, opt, ws, r, err);
}

/* Stalled: two windows whose least residuals differ by less than 1 %. At 1 % in 2000 sweeps
 * eight digits would take four million; what converges in 1e5 gains 30 % in as many. */
static perp_status pgs_check_progress(pgs_state *s, perp_result *r)
{
    size_t sweeps = r->iterations - s->from;

    if (sweeps > s->every) { /* until then the last judgement is older than the window */
        s->least = fmin(s->least, r->residual);
    }
    if (s->window == 0 || sweeps < s->window || !isfinite(s->least)) {
        return PERP_OK;
    }
    if (s->least > 0.99 * s->least_before) {
        return perp_result_end(
            r, PERP_STALLED, "RES %.2e fell by less than 1 %% in %zu sweeps, least %.2e",
            s->least, s->window, fmin(s->least, s->least_before));
    }
    s->least_before = fmin(s->least, s->least_before);
    s->least = INFINITY;
    s->from = r->iterations;
    return PERP_OK;
}

static perp_status pgs_iterate(void *vstate, perp_result *r, perp_error *err)
{
    pgs_state *s = vstate;
    perp_status status = sweep_run(&s->sweep, r);

    (void)err; /* a sweep cannot fail */
    if (status == PERP_OK && r->outcome == PERP_RUNNING) {
        status = pgs_check_progress(s, r);
    }
    return status;
}

static perp_status pgs_resume(void *vstate, double shift, perp_result *r, perp_error *err)
{
    pgs_state *s = vstate;

    (void)err;
    if (shift != 0.0) {
        sweep_refresh(&s->sweep);
    }
    pgs_watch(s, r);
    return PERP_OK;
}

static const perp_option pgs_options[] = {
    SWEEP_OPTIONS,
    PERP_INTEGER_FROM("stall-sweeps", 2000, 0, 1e9,
                      "stalled when RES falls by less than 1 % in so many; 0: never"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_pgs = {
    .name = "pgs",
    .family = "splitting",
    .summary = "projected Gauss-Seidel with over-relaxation",
    .reference = "cryer-1971",
    SWEEP_TAKES,
    .flags = PERP_STARTS_WARM,
    .max_iterations =
        100000, /* sweeps are cheap: the time limit or the stall rule ends it */
    .options = pgs_options,
    .state_size = sizeof(pgs_state),
    .setup = pgs_setup,
    .iterate = pgs_iterate,
    .resume = pgs_resume,
};
