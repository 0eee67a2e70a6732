/* SPDX-License-Identifier: Apache-2.0
 * newton/prox_newton.c: proximal Newton: full Newton steps inside a proximal point loop.
 *
 *     round k:   A_k = A + eps E,   b_k = b - eps E z_k
 *                z_{k+1}: Newton steps on the equation of (A_k, b_k) from z_k
 *                eps <- decay eps
 *
 * The equation is Alart and Curnier's for Coulomb's law and for friction rows, and the natural map
 * for all other blocks (newton/map.c) [alart-curnier-1991; acary-bremond-huber-2018]. The proximal
 * term makes A regular and vanishes at a fixed point for every eps [rockafellar-1976]. A round that
 * fails is repeated with a larger eps. For A positive semidefinite, symmetric or not, singular or
 * not.
 *
 * A stored A takes full steps with E = |A| I (prox_matrix.c). A = J M^-1 J^T + C in factors is not
 * formed: a round solves for velocities of bodies, with a matrix that has the sparsity of the graph
 * of bodies (prox_velocity.c, prox_round.h); directions come from its factors or from GMRES with
 * earlier ones [saad-schultz-1986].
 *
 * Cost: a round takes 1 to 10 steps; a step a factorisation, and three products with A. A start
 * near the solution saves most steps. Where rounds fail on at most 150 stored rows, `modes` sets of
 * modes around the best point are tried (modes.h). Certificate: a direction of growing impulses
 * that A leaves flat. Ends stalled after three failed rounds without half the residual or 30 in
 * all; in factors after 600 steps without it. Piles with many grazing contacts and hyperstatic
 * collisions can fail. */
#include <config.h>

#include "base/base.h"
#include "growth.h"
#include "map.h"
#include "modes.h"
#include "prox_newton.h"
#include "step.h"

enum { STEPS_MOST = 1000 }; /* of all rounds */

typedef struct prox_newton_state {
    prox_newton rounds;
    newton_modes modes; /* where the rounds fail */
    bool twice, again;  /* a second beginning is wanted; it is made, or is not to be */
    bool by_modes;      /* they have failed */
} prox_newton_state;

double perp_prox_judge(prox_newton *s, const double *z, perp_result *r)
{
    r->work.products += 1.0;
    return perp_judge_residual(s->judge, z);
}

void perp_prox_keep_best(prox_newton *s, const double *z)
{
    if (s->residual < s->best_residual) {
        s->best_residual = s->residual;
        memcpy(s->best, z, s->p->n * sizeof *z);
    }
}

void perp_prox_count(prox_newton *s)
{
    if (s->best_residual < 0.5 * s->mark) {
        s->mark = s->best_residual;
        s->idle = 0;
    }
}

static void prox_newton_start_round(prox_newton *s, bool follows, perp_result *r)
{
    s->step = 0;
    s->target = fmax(0.1 * s->tolerance, fmin(1e-3, 0.1 * s->residual));
    s->kept_error = INFINITY;
    memcpy(s->kept, s->center, s->p->n * sizeof *s->kept);
    s->system->start_round(s, follows, r);
}

/* The first round, from s->center. */
static void prox_newton_begin(prox_newton *s, bool warm, perp_result *r)
{
    s->system->begin(s, warm, r);
    memcpy(s->before, s->center, s->p->n * sizeof *s->before);
    s->mark = s->residual;
    s->round = s->idle = 0;
    prox_newton_start_round(s, false, r);
}

/* From the start in r->z, after a change of b or of the diagonal of A. */
static perp_status prox_newton_resume(void *vstate, double shift, perp_result *r,
                                      perp_error *err)
{
    prox_newton_state *state = vstate;
    prox_newton *s = &state->rounds;
    size_t size = s->p->n * sizeof *r->z;

    (void)shift;
    perp_judge_free(s->judge);
    TRY(perp_judge_new(&s->judge, s->p, err));
    memcpy(s->center, r->z, size);
    prox_newton_begin(s, r->run.warm, r);
    memcpy(s->best, s->center, size);
    s->best_residual = s->residual;
    state->by_modes = false;
    state->again = !state->twice;
    return PERP_OK;
}

static perp_status prox_newton_setup(void *vstate, const perp_problem *p,
                                     const perp_options *opt, perp_workspace *ws,
                                     perp_result *r, perp_error *err)
{
    prox_newton_state *state = vstate;
    prox_newton *s = &state->rounds;
    bool factors = perp_operator_in_factors(p->A);
    size_t modes = factors ? 0 : (size_t)perp_options_integer(opt, "modes");

    s->p = p;
    s->system = factors ? &perp_prox_velocity : &perp_prox_matrix;
    s->tolerance = newton_claim(opt);
    s->eps_asked = perp_options_real(opt, "eps");
    state->twice = !(s->eps_asked > 0.0) && modes > 0;
    s->center = perp_workspace_reals(ws, p->n);
    s->before = perp_workspace_reals(ws, p->n);
    s->best = perp_workspace_reals(ws, p->n);
    s->kept = perp_workspace_reals(ws, p->n);
    s->scratch = perp_workspace_reals(ws, 2 * p->n);
    TRY(perp_workspace_status(ws, err));
    TRY(s->system->setup(s, opt, ws, r, err));
    TRY(perp_newton_modes_setup(&state->modes, p, modes, ws, err));
    return prox_newton_resume(state, 0.0, r, err);
}

/* A certificate that there is no solution, where there is one. */
static perp_status prox_newton_certify(prox_newton *s, perp_result *r, perp_error *err)
{
    if (s->norm == 0.0) {
        s->norm = perp_operator_norm_estimate(s->p->A, s->scratch);
        r->work.products += 12.0;
    }
    TRY(perp_growth_certify(s->p, s->norm, s->center, s->before, s->scratch, r, err));
    return r->certificate.kind != PERP_CERTIFICATE_INFEASIBLE
               ? PERP_OK
               : perp_result_end(r, PERP_INFEASIBLE,
                                 "prox-newton: impulses grow without bound along the "
                                 "certificate");
}

/* The rounds are over: once more from 0, the modes around the best point, or the end. */
static perp_status prox_newton_leave(prox_newton_state *state, perp_result *r)
{
    prox_newton *s = &state->rounds;

    if (!state->again) {
        state->again = true;
        memset(s->center, 0, s->p->n * sizeof *s->center);
        prox_newton_begin(s, true, r);
        return PERP_OK;
    }
    memcpy(r->z, s->best, s->p->n * sizeof *r->z);
    state->by_modes = state->modes.most > 0;
    if (state->by_modes) {
        perp_newton_modes_start(&state->modes, s->judge, s->best, &r->work);
        return PERP_OK;
    }
    return perp_result_end(r, PERP_STALLED,
                           "prox-newton: residual %.2e after %zu round%s, the last %zu "
                           "%s%s without half of it",
                           s->best_residual, s->round, perp_plural(s->round), s->idle,
                           s->system->idle, perp_plural(s->idle));
}

static perp_status prox_newton_close_round(prox_newton_state *state, perp_result *r,
                                           perp_error *err)
{
    prox_newton *s = &state->rounds;
    double before = s->residual;
    bool converged = s->kept_error <= s->target, grows = false, over = false;

    perp_newton_map_project_set(s->p->set, s->kept);
    s->residual = perp_prox_judge(s, s->kept, r);
    r->work.projections += (double)s->p->set->count;
    r->work.rounds += 1.0;
    s->round++;
    if (s->residual <= s->tolerance) {
        memcpy(r->z, s->kept, s->p->n * sizeof *r->z);
        return perp_result_end(r, PERP_SOLVED,
                               "prox-newton: solved in round %zu, proximal term %.1e%s",
                               s->round, s->eps, s->system->unit);
    }
    memcpy(s->before, s->center, s->p->n * sizeof *s->before);
    perp_prox_keep_best(s, s->kept);
    converged = converged && s->residual <= 1.5 * before;
    if (converged) {
        grows = s->system->advance(s, before, r);
    } else {
        s->system->retreat(s, before, r);
    }
    over = s->idle >= s->system->idle_most || s->round >= s->system->rounds;
    if (over || s->eps <= s->system->eps_certify || grows) {
        TRY(prox_newton_certify(s, r, err));
    }
    if (over || r->outcome != PERP_RUNNING) {
        return r->outcome == PERP_RUNNING ? prox_newton_leave(state, r) : PERP_OK;
    }
    prox_newton_start_round(s, converged, r);
    if (grows) { /* the error of a round is what its direction misses of a certificate */
        s->target = 0.1 * s->tolerance;
    }
    return PERP_OK;
}

/* One set of modes around the best point of all rounds. */
static perp_status prox_newton_try_modes(prox_newton_state *state, perp_result *r)
{
    const prox_newton *s = &state->rounds;
    const newton_modes *modes = &state->modes;
    bool more = perp_newton_modes_step(&state->modes, s->tolerance, &r->work);

    memcpy(r->z, modes->best, s->p->n * sizeof *r->z);
    if (modes->residual <= s->tolerance) {
        return perp_result_end(
            r, PERP_SOLVED, "prox-newton: solved by set %zu of modes, after %zu round%s",
            modes->tried, s->round, perp_plural(s->round));
    }
    return more ? PERP_OK
                : perp_result_end(r, PERP_STALLED,
                                  "prox-newton: residual %.2e after %zu round%s and %zu "
                                  "set%s of modes",
                                  modes->residual, s->round, perp_plural(s->round),
                                  modes->tried, perp_plural(modes->tried));
}

static perp_status prox_newton_iterate(void *vstate, perp_result *r, perp_error *err)
{
    prox_newton_state *state = vstate;
    prox_newton *s = &state->rounds;
    bool done = false;

    if (state->by_modes) {
        return prox_newton_try_modes(state, r);
    }
    TRY(s->system->step(s, r, &done, err));
    s->step++;
    if (done && s->error < s->kept_error) {
        s->kept_error = s->error;
        memcpy(s->kept, s->x, s->p->n * sizeof *s->kept);
    }
    return !done || s->kept_error <= s->target || s->step >= s->system->steps ||
                   s->system->stuck(s)
               ? prox_newton_close_round(state, r, err)
               : PERP_OK;
}

static void prox_newton_close(void *vstate)
{
    prox_newton *s = &((prox_newton_state *)vstate)->rounds;

    if (s->state) {
        s->system->close(s);
    }
    perp_judge_free(s->judge);
}

static const perp_option prox_newton_options[] = {
    PERP_REAL_CLOSED("eps", 0.0, 0.0, 1.0,
                     "first proximal term, times |A|; 0: 1e-2 from z = 0, else 1e-4; in "
                     "factors from 0.3 to 1e-4, by the residual"),
    PERP_INTEGER("modes", 0, 0, 10000,
                 "sets of modes to try where the rounds fail, stored A of at most 150 "
                 "rows; 0: none"),
    PERP_VELOCITY_THREADS_OPTION,
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_prox_newton = {
    .name = "prox-newton",
    .family = "newton",
    .summary = "full Newton steps inside a proximal point loop",
    .reference = "alart-curnier-1991",
    .algorithm = "proximal point iterations [rockafellar-1976] around Newton's "
                 "method on the Alart-Curnier equation [alart-curnier-1991]",
    .additions = "full steps; rules for the proximal parameter; friction rows of "
                 "boxes",
    .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(COULOMB, ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(POSITIVE_SEMIDEFINITE),
    .flags = PERP_FLAGS(USES_START),
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .check_every = 1,
    .max_iterations = STEPS_MOST,
    .options = prox_newton_options,
    .state_size = sizeof(prox_newton_state),
    .setup = prox_newton_setup,
    .iterate = prox_newton_iterate,
    .resume = prox_newton_resume,
    .close = prox_newton_close,
};
