/* SPDX-License-Identifier: Apache-2.0
 * newton/prox_matrix.c: the rounds of prox-newton on a stored A.
 *
 *     f(x, v) = 0,   v = A_k x + b_k = A x + b + eps |A| (x - z_k)
 *
 * by full steps, without a line search. A round that fails is repeated from the best point with
 * 10 eps. A step costs a factorisation of the rows that are not at a corner of K. */
#include <config.h>

#include "base/base.h"
#include "map.h"
#include "prox_newton.h"
#include "step.h"

enum { CYCLE_LENGTH = 4 }; /* longest cycle of whole steps that is detected */

static const double eps_cold = 1e-2;  /* from z = 0 */
static const double eps_warm = 1e-4;  /* from anywhere else */
static const double eps_least = 1e-9; /* below, A_k is nearly singular when A is */
static const double eps_last = 1e-16; /* where A curves a little: see below */
static const double eps_most = 1e-2;
static const double same = 1e-9; /* residuals of two passes through a cycle */
static const double decay_first = 0.1, decay_careful = 0.3;

typedef struct prox_matrix {
    newton_system system;
    newton_steps *rho;         /* per block */
    double *blocks;            /* diagonal blocks of A, as system.start */
    double shift;              /* eps |A| */
    double past[CYCLE_LENGTH]; /* errors of the last steps */
} prox_matrix;

static perp_status matrix_setup(prox_newton *s, const perp_options *opt,
                                perp_workspace *ws, perp_result *r, perp_error *err)
{
    const perp_set *set = s->p->set;
    prox_matrix *at = s->state = perp_workspace_alloc(ws, 1, sizeof *at);
    size_t size = 0;

    (void)opt;
    for (size_t k = 0; k < set->count; k++) {
        size += (size_t)set->blocks[k].dim * set->blocks[k].dim;
    }
    s->x = perp_workspace_reals(ws, s->p->n);
    TRY(perp_workspace_status(ws, err));
    at->rho = perp_workspace_alloc(ws, set->count, sizeof *at->rho);
    at->blocks = perp_workspace_reals(ws, size);
    TRY(perp_workspace_status(ws, err));
    if (!perp_norm_estimate(s->p->A, ws, &s->norm, r)) {
        return perp_fail(err, PERP_ERR_MEMORY, "prox-newton: no memory for %zu rows",
                         s->p->n);
    }
    s->norm = s->norm > 0.0 ? s->norm : 1.0;
    return perp_newton_system_setup(&at->system, s->p, false, ws, err);
}

static void matrix_begin(prox_newton *s, bool warm, perp_result *r)
{
    const perp_set *set = s->p->set;
    prox_matrix *at = s->state;

    for (size_t k = 0; k < set->count; k++) {
        perp_operator_diagonal_block(s->p->A, set->blocks[k].first, set->blocks[k].dim,
                                     at->blocks + at->system.start[k]);
    }
    s->residual = perp_prox_judge(s, s->center, r);
    s->eps = s->eps_asked > 0.0 ? s->eps_asked : warm ? eps_warm : eps_cold;
    s->decay = decay_first;
}

static void matrix_start_round(prox_newton *s, bool follows, perp_result *r)
{
    const perp_set *set = s->p->set;
    prox_matrix *at = s->state;

    (void)follows, (void)r;
    memcpy(s->x, s->center, s->p->n * sizeof *s->x);
    at->shift = s->eps * s->norm;
    for (size_t k = 0; k < set->count; k++) {
        at->rho[k] = perp_newton_map_steps(&set->blocks[k], s->p->law,
                                           at->blocks + at->system.start[k], at->shift,
                                           perp_judge_scale(s->judge, k));
    }
}

/* v of the point x, which was judged last. */
static double *matrix_velocity(prox_newton *s)
{
    const prox_matrix *at = s->state;
    const double *w = perp_judge_w(s->judge);

    for (size_t i = 0; i < s->p->n; i++) {
        s->scratch[i] = w[i] + at->shift * (s->x[i] - s->center[i]);
    }
    return s->scratch;
}

static perp_status matrix_step(prox_newton *s, perp_result *r, bool *done,
                               perp_error *err)
{
    prox_matrix *at = s->state;
    newton_system *system = &at->system;
    const perp_set *set = s->p->set;
    const newton_steps *rho = at->rho;
    double *v = matrix_velocity(s);

    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        size_t i = block->first, start = system->start[k];

        if (block->kind == PERP_SET_FRICTION) {
            size_t normal = system->normal[k];

            perp_newton_map_friction(set, k, normal, rho[k].n, rho[normal].n, s->x, v,
                                     system->f + i, system->L + start, system->H + start,
                                     &system->coupling[k]);
            continue;
        }
        perp_newton_map_block(block, s->p->law, NEWTON_ALART_CURNIER, &rho[k], s->x + i,
                              v + i, system->f + i, system->L + start, system->H + start);
    }
    TRY(perp_newton_solve(system, at->shift, false, r, done, err));
    if (!*done) {
        return PERP_OK;
    }
    for (size_t i = 0; i < s->p->n; i++) {
        s->x[i] += system->d[i];
    }
    perp_prox_judge(s, s->x, r);
    s->error = perp_judge_residual_from(s->judge, at->shift, s->x, matrix_velocity(s));
    memcpy(r->z, s->x, s->p->n * sizeof *r->z);
    perp_newton_map_project_set(set, r->z);
    r->work.projections += (double)set->count;
    return PERP_OK;
}

/* Whole steps can cycle: the error of an earlier step returns. */
static bool matrix_stuck(prox_newton *s)
{
    prox_matrix *at = s->state;
    bool again = false;

    if (!isfinite(s->error)) {
        return true;
    }
    for (size_t i = 0; i < CYCLE_LENGTH && i + 1 < s->step; i++) {
        again = again || fabs(at->past[i] - s->error) <= same * s->error;
    }
    at->past[s->step % CYCLE_LENGTH] = s->error;
    return again && s->error > s->kept_error;
}

static bool matrix_advance(prox_newton *s, double before, perp_result *r)
{
    memcpy(s->center, s->kept, s->p->n * sizeof *s->center);
    memcpy(r->z, s->kept, s->p->n * sizeof *r->z);
    /* A small curvature of A, not 0, lets the rounds crawl until eps is less than it. */
    s->eps = fmax(s->decay * s->eps, s->residual > 0.5 * before ? eps_last : eps_least);
    return false;
}

static void matrix_retreat(prox_newton *s, double before, perp_result *r)
{
    (void)before;
    memcpy(s->center, s->best, s->p->n * sizeof *s->center);
    memcpy(r->z, s->kept, s->p->n * sizeof *r->z);
    s->residual = perp_prox_judge(s, s->center, r);
    s->eps = fmin(10.0 * s->eps, eps_most);
    s->decay = decay_careful;
    s->idle++;
    perp_prox_count(s);
}

static void matrix_close(prox_newton *s)
{
    perp_newton_system_close(&((prox_matrix *)s->state)->system);
}

const prox_system perp_prox_matrix = {
    .unit = " |A|",
    .idle = "round",
    .idle_most = 3,
    .rounds = 30, /* eps is at its least after 9 of them */
    .steps = 12,  /* those that converge take 10 */
    .eps_certify = 1e-12,
    .setup = matrix_setup,
    .begin = matrix_begin,
    .start_round = matrix_start_round,
    .step = matrix_step,
    .stuck = matrix_stuck,
    .advance = matrix_advance,
    .retreat = matrix_retreat,
    .close = matrix_close,
};
