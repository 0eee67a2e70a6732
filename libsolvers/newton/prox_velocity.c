/* SPDX-License-Identifier: Apache-2.0
 * newton/prox_velocity.c: the rounds of prox-newton of matrices in factors.
 *
 * Below some proximal term Newton's method fails, on problems of Coulomb's law with few contacts
 * at rest: the more, the larger that term. A round that fails is repeated with a larger one, and
 * for some rounds no smaller one is tried. Under this law the residual of the rounds rises at
 * times before it falls, so that they go on from where they are and not from the best point. */
#include <config.h>

#include "base/base.h"
#include "growth.h"
#include "prox_velocity.h"

enum {
    STEPS = 15,      /* of one round */
    PATIENCE = 6,    /* steps after which the error of a round must have halved */
    SETTLED = 4,     /* rounds that converge after a failure until eps may fall again */
    FRUITLESS = 600, /* steps without half the best residual until the end */
};

static const double eps_cold = 0.3;
static const double eps_warm = 100.0; /* times the residual of the start, where less */
static const double eps_warm_least = 1e-4;
static const double eps_least = 1e-9;
static const double eps_most = 1.0;
/* Near a solution of a symmetric problem: the rounding of w, over eps, stays below the tolerance.
 * At most eps_near. */
static const double near_residual = 1e-6, rounding = 3e-16, eps_near = 1e-5;
static const double eps_certify = 1e-8;  /* above it the rounds may still converge */
static const double decay_careful = 0.3; /* at most, after a failure */
static const double rise_first = 3.0, rise_next = 10.0; /* of eps after failures */
static const double rise_floor = 1.5;
static const double slow = 0.5; /* residual after a round, in parts of that before */
static const double drift_most = 64.0;
static const double drift_loss =
    1.02; /* residual after a drift, in parts of that before */

/* r := its projection on K; friction rows after their normals. */
static void velocity_project(const perp_set *set, double *r)
{
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < set->count; k++) {
            if ((set->blocks[k].kind == PERP_SET_FRICTION) == (pass == 1)) {
                perp_set_project(set, k, r);
            }
        }
    }
}

static double velocity_judge(prox_velocity *s, const double *z, perp_result *r)
{
    r->work.products += 1.0;
    return perp_judge_residual(s->judge, z);
}

/* A center of residual s->residual, with velocities in the judge. */
static void velocity_start_round(prox_velocity *s, bool follows, perp_result *r)
{
    s->step = 0;
    s->target = fmax(0.1 * s->tolerance, fmin(1e-3, 0.1 * s->residual));
    perp_prox_round_start(&s->round, s->judge, s->center, perp_judge_w(s->judge), s->eps,
                          follows, &r->work);
    s->first = s->kept_error = s->round.error;
    memcpy(s->kept, s->round.at.r, s->p->n * sizeof *s->kept);
}

/* From the start in r->z, or from 0 where that is no worse. */
static void velocity_start(prox_velocity *s, perp_result *r)
{
    size_t size = s->p->n * sizeof *r->z;
    double cold = 0.0;

    memset(s->before, 0, size);
    cold = perp_judge_residual_from(s->judge, 0.0, s->before, s->p->b);
    memcpy(s->center, r->z, size);
    velocity_project(s->p->set, s->center);
    s->residual = velocity_judge(s, s->center, r);
    if (!(s->residual < cold)) {
        memset(s->center, 0, size);
        velocity_project(s->p->set, s->center);
        s->residual = velocity_judge(s, s->center, r);
        r->run.restarted = r->iterations;
    }
    memcpy(s->best, s->center, size);
    memcpy(s->before, s->center, size);
    memcpy(r->z, s->center, size);
    s->best_residual = s->mark = s->shown = s->residual;
    s->eps = fmin(eps_cold, fmax(eps_warm_least, eps_warm * s->residual));
    s->eps = s->eps_asked > 0.0 ? s->eps_asked : s->eps;
    s->floor = eps_least;
    s->decay = 0.0;
    s->rounds = s->converged = s->failures = s->fruitless = 0;
    velocity_start_round(s, false, r);
}

perp_status perp_prox_velocity_setup(prox_velocity *s, const perp_problem *p,
                                     double tolerance, double eps, perp_workspace *ws,
                                     perp_result *r, perp_error *err)
{
    size_t n = p->n;

    s->p = p;
    s->tolerance = tolerance;
    s->eps_asked = eps;
    s->center = perp_workspace_reals(ws, n);
    s->before = perp_workspace_reals(ws, n);
    s->best = perp_workspace_reals(ws, n);
    s->kept = perp_workspace_reals(ws, n);
    s->scratch = perp_workspace_reals(ws, 2 * n);
    TRY(perp_workspace_status(ws, err));
    TRY(perp_prox_round_setup(&s->round, p, ws, err));
    return perp_prox_velocity_resume(s, r, err);
}

perp_status perp_prox_velocity_resume(prox_velocity *s, perp_result *r, perp_error *err)
{
    perp_status status = PERP_OK;

    s->round.krylov.factored = false;
    perp_judge_free(s->judge);
    status = perp_judge_new(&s->judge, s->p, err);
    if (status == PERP_OK) {
        velocity_start(s, r);
    }
    return status;
}

void perp_prox_velocity_close(prox_velocity *s)
{
    perp_prox_round_close(&s->round);
    perp_judge_free(s->judge);
}

static void velocity_note_best(prox_velocity *s, const double *z)
{
    if (s->residual < s->best_residual) {
        s->best_residual = s->residual;
        memcpy(s->best, z, s->p->n * sizeof *z);
    }
    if (s->best_residual < 0.5 * s->mark) {
        s->mark = s->best_residual;
        s->fruitless = 0;
    }
}

/* Where the residual hardly falls, impulses drift from round to round along directions in which
 * A is nearly flat, until a contact changes its status: the same way 2, 4, ... times as far,
 * while the residual stays. True where it stays to the end: there may be no solution. */
static bool velocity_drift(prox_velocity *s, double before, perp_result *r)
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
        velocity_project(s->p->set, s->scratch);
        residual = velocity_judge(s, s->scratch, r);
        if (!(residual <= most)) {
            break;
        }
        memcpy(s->center, s->scratch, n * sizeof *s->center);
    }
    s->residual = velocity_judge(s, s->center, r);
    velocity_note_best(s, s->center);
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
static bool velocity_advance(prox_velocity *s, double before, perp_result *r)
{
    double decay = velocity_decay(s->step);
    bool grows = velocity_drift(s, before, r);

    s->converged++;
    if (s->converged > SETTLED) {
        s->floor = eps_least;
    }
    if (s->round.symmetric && s->residual <= near_residual) {
        s->floor = fmax(s->floor, fmin(eps_near, rounding / s->tolerance));
    }
    s->eps = fmax(s->floor, fmax(decay, s->decay) * s->eps);
    s->failures = 0;
    return grows;
}

/* The next center: the present one, unless the round has improved it all the same. The best point
 * only under the associated law: under Coulomb's law the residual need not fall from round to
 * round, and from there they would go the same way again. */
static void velocity_retreat(prox_velocity *s, double before, perp_result *r)
{
    const double *from = s->residual < before ? s->kept : s->center;

    from = s->p->law == PERP_LAW_ASSOCIATED ? s->best : from;
    if (from != s->center) {
        memcpy(s->center, from, s->p->n * sizeof *s->center);
    }
    s->residual = velocity_judge(s, s->center, r);
    s->floor = rise_floor * s->eps;
    s->eps = fmin(eps_most, (s->failures > 0 ? rise_next : rise_first) * s->eps);
    s->decay = decay_careful;
    s->converged = 0;
    s->failures++;
}

/* The end without a solution, with a certificate where there is one. */
static perp_status velocity_try_certificate(prox_velocity *s, perp_result *r,
                                            perp_error *err)
{
    double norm = perp_operator_norm_estimate(s->p->A, s->scratch);
    perp_status status = PERP_OK;

    r->work.products += 12.0;
    status = perp_growth_certify(s->p, norm, s->center, s->before, s->scratch, r, err);
    if (status == PERP_OK && r->certificate.kind == PERP_CERTIFICATE_INFEASIBLE) {
        perp_result_end(r, PERP_INFEASIBLE,
                        "prox-newton: impulses grow without bound along the certificate");
    }
    return status;
}

static perp_status velocity_close_round(prox_velocity *s, perp_result *r, perp_error *err)
{
    size_t size = s->p->n * sizeof *r->z;
    perp_status status = PERP_OK;
    double before = s->residual;
    bool converged = s->kept_error <= s->target, grows = false;

    velocity_project(s->p->set, s->kept);
    s->residual = velocity_judge(s, s->kept, r);
    r->work.rounds += 1.0;
    s->rounds++;
    if (s->residual <= s->tolerance) {
        memcpy(r->z, s->kept, size);
        return perp_result_end(r, PERP_SOLVED,
                               "prox-newton: solved in round %zu, proximal term %.1e",
                               s->rounds, s->eps);
    }
    memcpy(s->before, s->center, size);
    velocity_note_best(s, s->kept);
    converged = converged && s->residual <= 1.5 * before;
    if (converged) {
        grows = velocity_advance(s, before, r);
    } else {
        velocity_retreat(s, before, r);
    }
    if (s->fruitless >= FRUITLESS || s->eps <= eps_certify || grows) {
        status = velocity_try_certificate(s, r, err);
    }
    if (status != PERP_OK || r->outcome != PERP_RUNNING) {
        return status;
    }
    if (s->fruitless >= FRUITLESS) {
        memcpy(r->z, s->best, size);
        return perp_result_end(r, PERP_STALLED,
                               "prox-newton: residual %.2e after %zu round%s, the last "
                               "%zu step%s without half of it",
                               s->best_residual, s->rounds, perp_plural(s->rounds),
                               s->fruitless, perp_plural(s->fruitless));
    }
    velocity_start_round(s, converged, r);
    if (grows) { /* the error of a round is what its direction misses of a certificate */
        s->target = 0.1 * s->tolerance;
    }
    return PERP_OK;
}

/* Whether the round ends here. */
static bool velocity_round_over(const prox_velocity *s, bool done)
{
    return !done || s->round.residual <= s->tolerance || s->kept_error <= s->target ||
           s->step >= STEPS ||
           (s->step >= PATIENCE && !(s->kept_error <= 0.5 * s->first));
}

perp_status perp_prox_velocity_iterate(prox_velocity *s, perp_result *r, perp_error *err)
{
    size_t size = s->p->n * sizeof *r->z;
    bool done = true;
    perp_status status = PERP_OK;

    if (s->kept_error > s->target) {
        status = perp_prox_round_step(&s->round, &r->work, &done, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    s->step++;
    s->fruitless++;
    if (done && s->round.error < s->kept_error) {
        s->kept_error = s->round.error;
        memcpy(s->kept, s->round.at.r, size);
    }
    if (done && s->round.residual < s->shown) {
        s->shown = s->round.residual;
        memcpy(r->z, s->round.at.r, size);
        velocity_project(s->p->set, r->z);
    }
    return velocity_round_over(s, done) ? velocity_close_round(s, r, err) : PERP_OK;
}
