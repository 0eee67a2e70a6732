/* SPDX-License-Identifier: Apache-2.0
 * newton/prox_velocity.c: the rounds of prox-newton on a matrix in factors.
 *
 * Below some proximal term Newton's method fails, on problems of Coulomb's law with few contacts
 * at rest: the more, the larger that term. A round that fails is repeated with a larger one, and
 * for some rounds no smaller one is tried. Under this law the residual of the rounds can rise
 * before it falls, so that they go on from where they are and not from the best point. */
#include <config.h>

#include "base/base.h"
#include "map.h"
#include "prox_newton.h"
#include "prox_round.h"

enum {
    PATIENCE = 6, /* steps after which the error of a round must have halved */
    SETTLED = 4,  /* rounds that converge after a failure until eps may fall again */
};

static const double eps_cold = 0.3;
static const double eps_warm = 100.0; /* times the residual of the start, where less */
static const double eps_warm_least = 1e-4;
static const double eps_least = 1e-9;
static const double eps_most = 1.0;
/* Near a solution of a symmetric problem: the rounding of w, over eps, stays below the tolerance.
 * At most eps_near. */
static const double near_residual = 1e-6, rounding = 3e-16, eps_near = 1e-5;
static const double decay_careful = 0.3;                /* at most, after a failure */
static const double rise_first = 3.0, rise_next = 10.0; /* of eps after failures */
static const double rise_floor = 1.5;
static const double slow = 0.5; /* residual after a round, in parts of that before */
static const double drift_most = 64.0;
static const double drift_loss =
    1.02; /* residual after a drift, in parts of that before */

typedef struct prox_velocity {
    prox_round round;
    double shown;     /* residual of r->z, from the velocities of the steps */
    double first;     /* error at the start of this round */
    double floor;     /* least eps */
    size_t converged; /* rounds since the last that failed */
    size_t failures;  /* rounds in a row */
} prox_velocity;

static perp_status velocity_setup(prox_newton *s, const perp_options *opt,
                                  perp_workspace *ws, perp_result *r, perp_error *err)
{
    prox_velocity *at = s->state = perp_workspace_alloc(ws, 1, sizeof *at);

    (void)r;
    TRY(perp_workspace_status(ws, err));
    TRY(perp_prox_round_setup(&at->round, s->p, ws, err));
    return perp_velocity_threads(&at->round.space,
                                 (size_t)perp_options_integer(opt, "threads"), err);
}

/* From 0 where the start is no better. */
static void velocity_begin(prox_newton *s, bool warm, perp_result *r)
{
    prox_velocity *at = s->state;
    size_t size = s->p->n * sizeof *r->z;
    double cold = 0.0;

    (void)warm;
    memset(s->before, 0, size);
    cold = perp_judge_residual_from(s->judge, 0.0, s->before, s->p->b);
    perp_newton_map_project_set(s->p->set, s->center);
    s->residual = perp_prox_judge(s, s->center, r);
    if (!(s->residual < cold)) {
        memset(s->center, 0, size);
        perp_newton_map_project_set(s->p->set, s->center);
        s->residual = perp_prox_judge(s, s->center, r);
        r->run.restarted = r->iterations;
    }
    memcpy(r->z, s->center, size);
    s->eps = fmin(eps_cold, fmax(eps_warm_least, eps_warm * s->residual));
    s->eps = s->eps_asked > 0.0 ? s->eps_asked : s->eps;
    s->decay = s->norm = 0.0;
    at->shown = s->residual;
    at->floor = eps_least;
    at->converged = at->failures = 0;
    at->round.krylov.factored = false;
}

static void velocity_start_round(prox_newton *s, bool follows, perp_result *r)
{
    prox_velocity *at = s->state;

    perp_prox_round_start(&at->round, s->judge, s->center, perp_judge_w(s->judge), s->eps,
                          follows, &r->work);
    at->first = s->kept_error = at->round.error;
    memcpy(s->kept, at->round.at.r, s->p->n * sizeof *s->kept);
}

static perp_status velocity_step(prox_newton *s, perp_result *r, bool *done,
                                 perp_error *err)
{
    prox_velocity *at = s->state;

    *done = true;
    if (s->kept_error > s->target) {
        TRY(perp_prox_round_step(&at->round, &r->work, done, err));
    }
    s->idle++;
    s->x = at->round.at.r;
    s->error = at->round.error;
    if (*done && at->round.residual < at->shown) {
        at->shown = at->round.residual;
        memcpy(r->z, s->x, s->p->n * sizeof *r->z);
        perp_newton_map_project_set(s->p->set, r->z);
    }
    return PERP_OK;
}

static bool velocity_stuck(prox_newton *s)
{
    const prox_velocity *at = s->state;

    return at->round.residual <= s->tolerance ||
           (s->step >= PATIENCE && !(s->kept_error <= 0.5 * at->first));
}

/* Where the residual hardly falls, impulses drift from round to round along directions in which
 * A is nearly flat, until a contact changes its status: the same way 2, 4, ... times as far,
 * while the residual stays. True where it stays to the end: there may be no solution. */
static bool velocity_drift(prox_newton *s, double before, perp_result *r)
{
    size_t n = s->p->n;
    double most = drift_loss * s->residual, t = 2.0;

    memcpy(s->center, s->kept, n * sizeof *s->center);
    if (s->residual <= slow * before) {
        return false;
    }
    for (; t <= drift_most; t *= 2.0) {
        double residual = 0.0;

        for (size_t i = 0; i < n; i++) {
            s->scratch[i] = s->before[i] + t * (s->kept[i] - s->before[i]);
        }
        perp_newton_map_project_set(s->p->set, s->scratch);
        residual = perp_prox_judge(s, s->scratch, r);
        if (!(residual <= most)) {
            break;
        }
        memcpy(s->center, s->scratch, n * sizeof *s->center);
    }
    s->residual = perp_prox_judge(s, s->center, r);
    perp_prox_keep_best(s, s->center);
    perp_prox_count(s);
    return t > drift_most;
}

/* Of eps after a round that has converged. */
static double velocity_decay(size_t steps)
{
    if (steps <= 1) {
        return 1e-3;
    }
    return steps <= 3 ? 0.1 : steps <= 6 ? 0.3 : steps <= 8 ? 0.5 : 1.0;
}

/* The next center: where this round arrived, or beyond (velocity_drift). */
static bool velocity_advance(prox_newton *s, double before, perp_result *r)
{
    prox_velocity *at = s->state;
    double decay = velocity_decay(s->step);
    bool grows = false;

    perp_prox_count(s);
    grows = velocity_drift(s, before, r);
    at->converged++;
    if (at->converged > SETTLED) {
        at->floor = eps_least;
    }
    if (at->round.symmetric && s->residual <= near_residual) {
        at->floor = fmax(at->floor, fmin(eps_near, rounding / s->tolerance));
    }
    s->eps = fmax(at->floor, fmax(decay, s->decay) * s->eps);
    at->failures = 0;
    return grows;
}

/* The next center: the present one, unless the round has improved it all the same. The best point
 * only under the associated law: under Coulomb's law the residual need not fall from round to
 * round, and from there they would go the same way again. */
static void velocity_retreat(prox_newton *s, double before, perp_result *r)
{
    prox_velocity *at = s->state;
    const double *from = s->residual < before ? s->kept : s->center;

    from = s->p->law == PERP_LAW_ASSOCIATED ? s->best : from;
    perp_prox_count(s);
    if (from != s->center) {
        memcpy(s->center, from, s->p->n * sizeof *s->center);
    }
    s->residual = perp_prox_judge(s, s->center, r);
    at->floor = rise_floor * s->eps;
    s->eps = fmin(eps_most, (at->failures > 0 ? rise_next : rise_first) * s->eps);
    s->decay = decay_careful;
    at->converged = 0;
    at->failures++;
}

static void velocity_close(prox_newton *s)
{
    perp_prox_round_close(&((prox_velocity *)s->state)->round);
}

const prox_system perp_prox_velocity = {
    .unit = "",
    .idle = "step",
    .idle_most = 600,
    .rounds = SIZE_MAX,
    .steps = 15,
    .eps_certify = 1e-8,
    .setup = velocity_setup,
    .begin = velocity_begin,
    .start_round = velocity_start_round,
    .step = velocity_step,
    .stuck = velocity_stuck,
    .advance = velocity_advance,
    .retreat = velocity_retreat,
    .close = velocity_close,
};
