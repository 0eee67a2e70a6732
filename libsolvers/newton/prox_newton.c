/* SPDX-License-Identifier: Apache-2.0
 * newton/prox_newton.c: proximal Newton: full Newton steps inside a proximal point loop.
 *
 *     round k:   A_k = A + eps |A| I,   b_k = b - eps |A| z_k
 *                z_{k+1}: full Newton steps on the equation of (A_k, b_k) from z_k
 *                eps <- decay eps
 *
 * The equation is Alart and Curnier's for Coulomb's law and for friction rows, and the natural map
 * for all other blocks (newton/map.c) [alart-curnier-1991; acary-bremond-huber-2018]. The proximal
 * term makes A regular and vanishes at a fixed point for every eps [rockafellar-1976]. A round that
 * fails is repeated from the best point with 10 eps. For A positive semidefinite, symmetric or not,
 * singular or not.
 *
 * A matrix in factors, J M^-1 J^T + C, is not formed: a round solves for velocities of bodies,
 *     r(v) = P(r_k - (w_k + J v)/(eps d)),   M v - J^T (r(v) - r_k) = 0
 * with a matrix that has the sparsity of the graph of bodies (newton/prox_round.h); directions
 * come from its factors or from GMRES with earlier ones (newton/krylov.h) [saad-schultz-1986].
 *
 * A round takes 1 to 10 steps. A step costs a factorisation of the rows that are not at a corner of
 * K, or of that matrix, and three products with A. A start near the solution saves most steps.
 *
 * Where rounds fail on at most 150 stored rows, `modes` sets of modes around the best point are
 * tried (newton/modes.h). Certificate: a direction of growing impulses that A leaves flat. Ends
 * stalled after three failed rounds without half the residual or 30 in all; in factors after 600
 * steps without it. Piles with many grazing contacts and hyperstatic collisions can fail. */
#include <config.h>

#include "base/base.h"
#include "growth.h"
#include "map.h"
#include "modes.h"
#include "prox_velocity.h"
#include "step.h"

enum {
    CYCLE_LENGTH = 4,  /* longest cycle of whole steps that is detected */
    ROUNDS = 30,       /* eps is at its least after 9 of them */
    STEPS = 12,        /* of one round; those that converge take 10 */
    FAILURES = 3,      /* rounds without half the best residual until the end */
    STEPS_MOST = 1000, /* of all rounds */
};

static const double eps_cold = 1e-2;  /* from z = 0 */
static const double eps_warm = 1e-4;  /* from anywhere else */
static const double eps_least = 1e-9; /* below, A_k is nearly singular when A is */
static const double eps_last = 1e-16; /* where A curves a little: see below */
static const double eps_most = 1e-2;
static const double same = 1e-9;         /* residuals of two passes through a cycle */
static const double eps_certify = 1e-12; /* above it the rounds may still converge */
static const double decay_first = 0.1, decay_careful = 0.3;

typedef struct prox_newton_state {
    const perp_problem *p;
    newton_system system;
    perp_judge *judge;   /* of p */
    double *v;           /* n: A_k x + b_k */
    newton_steps *rho;   /* per block */
    double *blocks;      /* diagonal blocks of A, as system.start */
    double *x, *w;       /* n: the point at work, not projected; A x + b */
    double *center;      /* n: z_k */
    double *best, *kept; /* n: the best of all rounds, of this round */
    double *before;      /* n: the center of the round before */
    double best_residual, kept_residual;
    double residual; /* of the center */
    double mark;     /* the best residual when failures were last counted from 0 */
    double tolerance, norm, eps_asked;
    double eps, decay, shift;
    double target;             /* of this round */
    double past[CYCLE_LENGTH]; /* residuals of its last steps */
    size_t round, step, failures;
    newton_modes modes; /* where the rounds fail */
    bool twice, again;  /* a second beginning is wanted; it is made, or is not to be */
    bool by_modes;      /* they have failed */
    prox_velocity velocity; /* the state of all of it where A is in factors */
} prox_newton_state;

/* w := A x + b, and the residual of p there. */
static double prox_newton_judge(prox_newton_state *s, perp_result *r)
{
    double residual = perp_judge_residual(s->judge, s->x);

    r->work.products += 1.0;
    memcpy(s->w, perp_judge_w(s->judge), s->p->n * sizeof *s->w);
    return residual;
}

static void prox_newton_project(prox_newton_state *s, double *z, perp_result *r)
{
    const perp_set *set = s->p->set;

    for (size_t k = 0; k < set->count; k++) { /* friction rows after their normals */
        if (set->blocks[k].kind != PERP_SET_FRICTION) {
            perp_set_project(set, k, z);
        }
    }
    for (size_t k = 0; k < set->count; k++) {
        if (set->blocks[k].kind == PERP_SET_FRICTION) {
            perp_set_project(set, k, z);
        }
    }
    r->work.projections += (double)s->p->set->count;
}

/* Around the center: what the proximal term changes. */
static void prox_newton_start_round(prox_newton_state *s)
{
    const perp_set *set = s->p->set;

    s->shift = s->eps * s->norm;
    s->step = 0;
    s->kept_residual = INFINITY;
    s->target = fmax(0.1 * s->tolerance, fmin(1e-3, 0.1 * s->residual));
    for (size_t k = 0; k < set->count; k++) {
        double d = perp_judge_scale(s->judge, k);

        s->rho[k] = perp_newton_map_steps(&set->blocks[k], s->p->law,
                                          s->blocks + s->system.start[k], s->shift, d);
    }
}

/* The first round, from the point x. */
static void prox_newton_begin(prox_newton_state *s, double eps, perp_result *r)
{
    size_t n = s->p->n;

    s->residual = s->mark = prox_newton_judge(s, r);
    memcpy(s->center, s->x, n * sizeof *s->x);
    memcpy(s->before, s->x, n * sizeof *s->x);
    s->eps = eps;
    s->decay = decay_first;
    s->round = s->failures = 0;
    prox_newton_start_round(s);
}

/* From the start in r->z. */
static void prox_newton_start(prox_newton_state *s, perp_result *r)
{
    double eps = r->run.warm ? eps_warm : eps_cold;

    memcpy(s->x, r->z, s->p->n * sizeof *s->x);
    prox_newton_begin(s, s->eps_asked > 0.0 ? s->eps_asked : eps, r);
    memcpy(s->best, s->x, s->p->n * sizeof *s->x);
    s->best_residual = s->residual;
    s->by_modes = false;
    s->again = !s->twice;
}

static void prox_newton_read_blocks(prox_newton_state *s)
{
    const perp_set *set = s->p->set;

    for (size_t k = 0; k < set->count; k++) {
        perp_operator_diagonal_block(s->p->A, set->blocks[k].first, set->blocks[k].dim,
                                     s->blocks + s->system.start[k]);
    }
}

static perp_status prox_newton_memory(prox_newton_state *s, perp_workspace *ws,
                                      perp_error *err)
{
    const perp_set *set = s->p->set;
    size_t n = s->p->n;
    size_t size = 0;

    for (size_t k = 0; k < set->count; k++) {
        size += (size_t)set->blocks[k].dim * set->blocks[k].dim;
    }
    s->rho = perp_workspace_alloc(ws, set->count, sizeof *s->rho);
    s->blocks = perp_workspace_reals(ws, size);
    s->x = perp_workspace_reals(ws, n);
    s->w = perp_workspace_reals(ws, n);
    s->center = perp_workspace_reals(ws, n);
    s->best = perp_workspace_reals(ws, n);
    s->kept = perp_workspace_reals(ws, n);
    s->before = perp_workspace_reals(ws, n);
    s->v = perp_workspace_reals(ws, n);
    return perp_workspace_status(ws, err);
}

/* The judge of p as it is now. */
static perp_status prox_newton_new_judge(prox_newton_state *s, perp_error *err)
{
    perp_judge_free(s->judge);
    return perp_judge_new(&s->judge, s->p, err);
}

static perp_status prox_newton_setup(void *vstate, const perp_problem *p,
                                     const perp_options *opt, perp_workspace *ws,
                                     perp_result *r, perp_error *err)
{
    prox_newton_state *s = vstate;
    perp_status status = PERP_OK;

    s->p = p;
    s->tolerance = newton_claim(opt);
    s->eps_asked = perp_options_real(opt, "eps");
    s->twice = !(s->eps_asked > 0.0) && perp_options_integer(opt, "modes") > 0;
    if (perp_operator_in_factors(p->A)) {
        status = perp_prox_velocity_setup(&s->velocity, p, s->tolerance, s->eps_asked, ws,
                                          r, err);
        return status == PERP_OK
                   ? perp_velocity_threads(&s->velocity.round.space,
                                           (size_t)perp_options_integer(opt, "threads"),
                                           err)
                   : status;
    }
    status = prox_newton_memory(s, ws, err);
    if (status == PERP_OK && !perp_norm_estimate(p->A, ws, &s->norm, r)) {
        status =
            perp_fail(err, PERP_ERR_MEMORY, "prox-newton: no memory for %zu rows", p->n);
    }
    if (status == PERP_OK) {
        s->norm = s->norm > 0.0 ? s->norm : 1.0;
        status = perp_newton_system_setup(&s->system, p, false, ws, err);
    }
    if (status == PERP_OK) {
        status = prox_newton_new_judge(s, err);
    }
    if (status == PERP_OK) {
        status = perp_newton_modes_setup(
            &s->modes, p, (size_t)perp_options_integer(opt, "modes"), ws, err);
    }
    if (status == PERP_OK) {
        prox_newton_read_blocks(s);
        prox_newton_start(s, r);
    }
    return status;
}

/* One full step on (A_k, b_k) from x; false where there is none. */
static perp_status prox_newton_step(prox_newton_state *s, perp_result *r, bool *done,
                                    perp_error *err)
{
    newton_system *system = &s->system;
    const perp_set *set = s->p->set;
    double *v = s->v;
    perp_status status = PERP_OK;

    for (size_t i = 0; i < s->p->n; i++) {
        v[i] = s->w[i] + s->shift * (s->x[i] - s->center[i]);
    }
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        size_t i = block->first;

        if (block->kind == PERP_SET_FRICTION) {
            size_t normal = system->normal[k];

            perp_newton_map_friction(set, k, normal, s->rho[k].n, s->rho[normal].n, s->x,
                                     v, system->f + i, system->L + system->start[k],
                                     system->H + system->start[k], &system->coupling[k]);
            continue;
        }
        perp_newton_map_block(block, s->p->law, NEWTON_ALART_CURNIER, &s->rho[k],
                              s->x + i, v + i, system->f + i,
                              system->L + system->start[k], system->H + system->start[k]);
    }
    status = perp_newton_solve(system, s->shift, false, r, done, err);
    if (status != PERP_OK || !*done) {
        return status;
    }
    for (size_t i = 0; i < s->p->n; i++) {
        s->x[i] += system->d[i];
    }
    prox_newton_judge(s, r);
    for (size_t i = 0; i < s->p->n; i++) {
        v[i] = s->w[i] + s->shift * (s->x[i] - s->center[i]);
    }
    return PERP_OK;
}

/* The next round starts where this one arrived, or once more at the best point. */
static bool prox_newton_next_round(prox_newton_state *s, double before, bool converged)
{
    size_t size = s->p->n * sizeof *s->x;

    s->round++;
    memcpy(s->before, s->center, size);
    if (s->residual < s->best_residual) {
        s->best_residual = s->residual;
        memcpy(s->best, s->x, size);
    }
    if (converged && s->residual <= 1.5 * before) {
        memcpy(s->center, s->x, size);
        /* A small curvature of A, not 0, lets the rounds crawl until eps is less than it. */
        s->eps =
            fmax(s->decay * s->eps, s->residual > 0.5 * before ? eps_last : eps_least);
        return true;
    }
    memcpy(s->x, s->best, size);
    memcpy(s->center, s->best, size);
    s->residual = s->best_residual;
    s->eps = fmin(10.0 * s->eps, eps_most);
    s->decay = decay_careful;
    s->failures++;
    if (s->best_residual < 0.5 * s->mark) {
        s->mark = s->best_residual;
        s->failures = 0;
    }
    return false;
}

static perp_status prox_newton_close_round(prox_newton_state *s, perp_result *r,
                                           perp_error *err)
{
    perp_status status = PERP_OK;
    double before = s->residual;
    bool converged = s->kept_residual <= s->target;
    bool accepted = false;
    bool over = false;

    memcpy(s->x, isfinite(s->kept_residual) ? s->kept : s->center,
           s->p->n * sizeof *s->x);
    prox_newton_project(s, s->x, r);
    s->residual = prox_newton_judge(s, r);
    memcpy(r->z, s->x, s->p->n * sizeof *r->z);
    r->work.rounds += 1.0;
    if (s->residual <= s->tolerance) {
        return perp_result_end(r, PERP_SOLVED,
                               "prox-newton: solved in round %zu, proximal term %.1e |A|",
                               s->round + 1, s->eps);
    }
    accepted = prox_newton_next_round(s, before, converged);
    over = s->failures >= FAILURES || s->round >= ROUNDS;
    if (over || s->eps <= eps_certify) {
        status = perp_growth_certify(s->p, s->norm, s->center, s->before, s->v, r, err);
    }
    if (status != PERP_OK || r->certificate.kind == PERP_CERTIFICATE_INFEASIBLE) {
        perp_result_end(r, PERP_INFEASIBLE,
                        "prox-newton: impulses grow without bound along the certificate");
        return status;
    }
    if (over && !s->again) {
        s->again = true;
        memset(s->x, 0, s->p->n * sizeof *s->x);
        prox_newton_begin(s, eps_warm, r);
        return PERP_OK;
    }
    if (over) {
        memcpy(r->z, s->best, s->p->n * sizeof *r->z);
        s->by_modes = s->modes.most > 0;
        if (s->by_modes) {
            perp_newton_modes_start(&s->modes, s->judge, s->best, &r->work);
            return PERP_OK;
        }
        return perp_result_end(
            r, PERP_STALLED,
            "prox-newton: residual %.2e after %zu round%s, the last %zu "
            "without half of it",
            s->best_residual, s->round, perp_plural(s->round), s->failures);
    }
    if (!accepted) {
        prox_newton_judge(s, r);
    }
    prox_newton_start_round(s);
    return PERP_OK;
}

/* Whole steps can cycle: the residual of an earlier step returns. */
static bool prox_newton_repeats(prox_newton_state *s, double residual)
{
    bool again = false;

    for (size_t i = 0; i < CYCLE_LENGTH && i + 1 < s->step; i++) {
        again = again || fabs(s->past[i] - residual) <= same * residual;
    }
    s->past[s->step % CYCLE_LENGTH] = residual;
    return again && residual > s->kept_residual;
}

/* One set of modes around the best point of all rounds. */
static perp_status prox_newton_try_modes(prox_newton_state *s, perp_result *r)
{
    bool more = perp_newton_modes_step(&s->modes, s->tolerance, &r->work);

    memcpy(r->z, s->modes.best, s->p->n * sizeof *r->z);
    if (s->modes.residual <= s->tolerance) {
        return perp_result_end(
            r, PERP_SOLVED, "prox-newton: solved by set %zu of modes, after %zu round%s",
            s->modes.tried, s->round, perp_plural(s->round));
    }
    return more ? PERP_OK
                : perp_result_end(r, PERP_STALLED,
                                  "prox-newton: residual %.2e after %zu round%s and %zu "
                                  "set%s of modes",
                                  s->modes.residual, s->round, perp_plural(s->round),
                                  s->modes.tried, perp_plural(s->modes.tried));
}

static perp_status prox_newton_iterate(void *vstate, perp_result *r, perp_error *err)
{
    prox_newton_state *s = vstate;
    bool done = false;
    double residual = INFINITY;

    if (perp_operator_in_factors(s->p->A)) {
        return perp_prox_velocity_iterate(&s->velocity, r, err);
    }
    if (s->by_modes) {
        return prox_newton_try_modes(s, r);
    }
    TRY(prox_newton_step(s, r, &done, err));
    s->step++;
    if (done) {
        residual = perp_judge_residual_from(s->judge, s->shift, s->x, s->v);
        memcpy(r->z, s->x, s->p->n * sizeof *r->z);
        prox_newton_project(s, r->z, r);
    }
    if (residual < s->kept_residual) {
        s->kept_residual = residual;
        memcpy(s->kept, s->x, s->p->n * sizeof *s->kept);
    }
    if (!isfinite(residual) || s->kept_residual <= s->target || s->step >= STEPS ||
        prox_newton_repeats(s, residual)) {
        return prox_newton_close_round(s, r, err);
    }
    return PERP_OK;
}

static perp_status prox_newton_resume(void *vstate, double shift, perp_result *r,
                                      perp_error *err)
{
    prox_newton_state *s = vstate;
    perp_status status = PERP_OK;

    if (perp_operator_in_factors(s->p->A)) {
        return perp_prox_velocity_resume(&s->velocity, r, err);
    }
    status = prox_newton_new_judge(s, err);
    if (shift != 0.0) {
        prox_newton_read_blocks(s);
    }
    if (status == PERP_OK) {
        prox_newton_start(s, r);
    }
    return status;
}

static void prox_newton_close(void *vstate)
{
    prox_newton_state *s = vstate;

    perp_prox_velocity_close(&s->velocity);
    perp_newton_system_close(&s->system);
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
