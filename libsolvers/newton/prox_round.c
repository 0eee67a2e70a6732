/* SPDX-License-Identifier: Apache-2.0
 * newton/prox_round.c: Newton's method for one round in velocities.
 *
 * Where S is symmetric, F is the gradient of a convex function of v, and the line search looks
 * for a zero of its derivative phi'(t) = F(v + t dv).dv, which needs projections only. Else
 * F.M^-1 F shall fall. */
#include <config.h>

#include "base/base.h"
#include "map.h"
#include "matrix/storages.h"
#include "prox_round.h"

enum {
    HALVINGS = 10, /* of a step: 2^-10 is the shortest */
    SEARCHES = 12, /* evaluations of phi' */
};

static const double armijo = 1e-3;    /* of F.M^-1 F that a part t must remove, times t */
static const double slope_most = 0.5; /* |phi'| after a step, in parts of that before */
static const double stiff = 10.0;     /* error above which directions must be exact */
static const double fall = 0.9;   /* less with factors of an earlier S: factor again */
static const double chord = 0.09; /* fall of F.M^-1 F for which factors serve again */

static void round_point_memory(prox_point *x, size_t n, size_t nv, perp_workspace *ws)
{
    x->v = perp_workspace_reals(ws, nv);
    x->Jv = perp_workspace_reals(ws, n);
    x->r = perp_workspace_reals(ws, n);
    x->F = perp_workspace_reals(ws, nv);
    x->a = perp_workspace_reals(ws, nv);
}

static bool round_is_cone(const perp_block *block)
{
    return block->kind == PERP_SET_CONE || block->kind == PERP_SET_ROLLING;
}

/* Whether block k is a friction row of the normal that is block `head`. */
static bool round_joins(const perp_set *set, size_t head, size_t k)
{
    return set->blocks[k].kind == PERP_SET_FRICTION && k - head < NEWTON_ROWS_MOST &&
           set->blocks[k].normal == set->blocks[head].first;
}

static perp_status round_make_groups(prox_round *s, const perp_set *set,
                                     perp_workspace *ws, perp_error *err)
{
    s->groups.n = set->n;
    s->groups.blocks = perp_workspace_alloc(ws, set->count, sizeof *s->groups.blocks);
    s->head = perp_workspace_sizes(ws, set->count + 1);
    TRY(perp_workspace_status(ws, err));
    for (size_t k = 0; k < set->count;) {
        perp_block *group = &s->groups.blocks[s->groups.count];

        *group = set->blocks[k];
        s->head[s->groups.count++] = k;
        for (k++; k < set->count && group->dim == k - s->head[s->groups.count - 1] &&
                  round_joins(set, s->head[s->groups.count - 1], k);
             k++) {
            group->dim++;
            s->symmetric = false;
        }
    }
    s->head[s->groups.count] = set->count;
    return PERP_OK;
}

perp_status perp_prox_round_setup(prox_round *s, const perp_problem *p,
                                  perp_workspace *ws, perp_error *err)
{
    size_t n = p->n;
    size_t nv = 0;
    bool exact = false; /* inexact directions leave an error in joints */

    s->p = p;
    s->symmetric = true;
    for (size_t k = 0; k < p->set->count && p->law == PERP_LAW_COULOMB; k++) {
        s->symmetric = s->symmetric && !round_is_cone(&p->set->blocks[k]);
    }
    TRY(round_make_groups(s, p->set, ws, err));
    TRY(perp_velocity_setup(&s->space, p->A, &s->groups, s->symmetric, ws, err));
    nv = s->space.nv;
    exact = s->symmetric || (perp_set_kinds(p->set) & PERP_SET_FREE);
    perp_krylov_alloc(&s->krylov, &s->space, exact, ws);
    s->blocks = perp_workspace_alloc(ws, p->set->count, sizeof *s->blocks);
    s->root = perp_workspace_reals(ws, n);
    s->start = perp_workspace_reals(ws, n);
    s->velocity = perp_workspace_reals(ws, n);
    s->D = perp_workspace_reals(ws, s->space.area);
    s->H = perp_workspace_reals(ws, s->space.area);
    s->dv = perp_workspace_reals(ws, nv);
    s->Jdv = perp_workspace_reals(ws, n);
    s->x = perp_workspace_reals(ws, n);
    s->f = perp_workspace_reals(ws, nv);
    round_point_memory(&s->at, n, nv, ws);
    round_point_memory(&s->trial, n, nv, ws);
    return perp_workspace_status(ws, err);
}

void perp_prox_round_close(prox_round *s)
{
    perp_velocity_close(&s->space);
}

/* Q^1/2 of block k: eps d, or C where that is more, the same for all rows of a part. */
static void round_metric(prox_round *s, size_t k, double eps)
{
    const perp_block *block = &s->p->set->blocks[k];
    const double *C = perp_operator_compliance(s->p->A) + block->first;
    double *root = s->root + block->first;
    unsigned end = round_is_cone(block) ? 1 : block->dim;

    for (unsigned i = 0; i < block->dim;
         end = block->dim < 3 || i >= 3 ? block->dim : 3) {
        double most = eps * perp_judge_scale(s->judge, k);

        for (unsigned j = i; j < end; j++) {
            most = fmax(most, C[j]);
        }
        for (; i < end; i++) {
            root[i] = sqrt(most);
        }
    }
}

/* Block k of K for the impulses Q^1/2 r. A friction row that does not follow its normal has the
 * bounds of the normal at c. */
static void round_block(prox_round *s, size_t k)
{
    const perp_block *block = &s->p->set->blocks[k];
    const double *root = s->root + block->first;
    perp_block *scaled = &s->blocks[k];

    *scaled = *block;
    if (block->kind == PERP_SET_BOX) {
        scaled->lo *= root[0];
        scaled->hi *= root[0];
    } else if (block->kind == PERP_SET_FRICTION) {
        scaled->kind = PERP_SET_BOX;
        scaled->hi = block->mu * fmax(s->center[block->normal], 0.0) * root[0];
        scaled->lo = -scaled->hi;
    } else if (block->kind == PERP_SET_DISK) {
        scaled->radius *= root[0];
    } else if (round_is_cone(block)) {
        scaled->mu *= root[1] / root[0];
    }
    if (block->kind == PERP_SET_ROLLING) {
        scaled->mu_rolling *= root[3] / root[0];
    }
}

/* x := P(y) and D = P' of a normal and its friction rows, which are clipped at mu times the
 * impulse of the normal. */
static void round_project_friction(const prox_round *s, size_t g, const double *y,
                                   double *x, double *D)
{
    const perp_block *normal = &s->blocks[s->head[g]];
    const double *root = s->root + normal->first;
    unsigned dim = s->groups.blocks[g].dim;
    double slope = 0.0;

    perp_newton_map_project(normal, s->p->law, y, x, &slope);
    memset(D, 0, (size_t)dim * dim * sizeof *D);
    D[0] = slope;
    for (unsigned i = 1; i < dim; i++) {
        double mu = normal[i].mu * root[i] / root[0];
        double bound = mu * fmax(x[0], 0.0);

        if (fabs(y[i]) < bound) {
            x[i] = y[i];
            D[i + i * dim] = 1.0;
        } else {
            x[i] = copysign(bound, y[i]);
            D[i] = x[0] > 0.0 ? copysign(mu, y[i]) * slope : 0.0;
        }
    }
}

/* r := r(v) from J v; D too where it is not NULL. */
static void round_project(const prox_round *s, const double *Jv, double *r, double *D)
{
    for (size_t g = 0; g < s->groups.count; g++) {
        size_t first = s->groups.blocks[g].first;
        unsigned dim = s->groups.blocks[g].dim;
        const double *root = s->root + first;
        double unused[NEWTON_BLOCK_MOST];
        double y[NEWTON_ROWS_MOST];
        double *to = D ? D + s->space.start[g] : unused;

        for (unsigned i = 0; i < dim; i++) {
            y[i] = s->start[first + i] - Jv[first + i] / root[i];
        }
        if (s->head[g + 1] - s->head[g] > 1) {
            round_project_friction(s, g, y, r + first, to);
        } else {
            perp_newton_map_project(&s->blocks[s->head[g]], s->p->law, y, r + first, to);
        }
        for (unsigned i = 0; i < dim; i++) {
            r[first + i] /= root[i];
        }
    }
}

/* H from D, which is symmetric but for rounding where S is. */
static void round_weigh(prox_round *s)
{
    for (size_t g = 0; g < s->groups.count; g++) {
        const double *root = s->root + s->groups.blocks[g].first;
        const double *D = s->D + s->space.start[g];
        double *H = s->H + s->space.start[g];
        unsigned dim = s->groups.blocks[g].dim;

        for (unsigned j = 0; j < dim; j++) {
            for (unsigned i = 0; i < dim; i++) {
                double d = D[i + j * dim];

                d = s->symmetric ? 0.5 * (d + D[j + i * dim]) : d;
                H[i + j * dim] = d / (root[i] * root[j]);
            }
        }
    }
    perp_velocity_set_weight(&s->space, s->H);
}

/* F and the merit of a point that has v, J v and r. */
static void round_force(prox_round *s, prox_point *x, perp_work *work)
{
    x->merit = 0.0;
    for (size_t i = 0; i < s->p->n; i++) {
        s->x[i] = x->r[i] - s->center[i];
    }
    perp_velocity_forces(&s->space, s->x, s->f);
    perp_velocity_mass(&s->space, x->v, x->F);
    for (size_t i = 0; i < s->space.nv; i++) {
        x->F[i] -= s->f[i];
    }
    perp_velocity_divide(&s->space, x->F, x->a);
    for (size_t i = 0; i < s->space.nv; i++) {
        x->merit += x->F[i] * x->a[i];
    }
    work->products += 0.5;
    work->projections += (double)s->p->set->count;
}

/* The trial point at t of the step. */
static void round_try(prox_round *s, double t, perp_work *work)
{
    for (size_t i = 0; i < s->space.nv; i++) {
        s->trial.v[i] = s->at.v[i] + t * s->dv[i];
    }
    for (size_t i = 0; i < s->p->n; i++) {
        s->trial.Jv[i] = s->at.Jv[i] + t * s->Jdv[i];
    }
    round_project(s, s->trial.Jv, s->trial.r, NULL);
    round_force(s, &s->trial, work);
}

/* error and residual of the present point: with e = J M^-1 F, its impulses r have the velocities
 * u_c + J v + C (r - c) - e. */
static void round_measure(prox_round *s, perp_work *work)
{
    const double *C = perp_operator_compliance(s->p->A);
    const perp_set *set = s->p->set;
    double *e = s->x;

    perp_velocity_rows(&s->space, s->at.a, e);
    s->error = 0.0;
    for (size_t k = 0; k < set->count; k++) {
        double square = 0.0;

        for (unsigned i = 0; i < set->blocks[k].dim; i++) {
            double ei = e[set->blocks[k].first + i];

            square += ei * ei;
        }
        s->error = fmax(s->error, square / perp_judge_scale(s->judge, k));
    }
    s->error = sqrt(s->error) / perp_judge_beta(s->judge);
    for (size_t i = 0; i < s->p->n; i++) {
        e[i] = s->velocity[i] + s->at.Jv[i] + C[i] * (s->at.r[i] - s->center[i]) - e[i];
    }
    s->residual = isfinite(s->at.merit)
                      ? perp_judge_residual_from(s->judge, 0.0, s->at.r, e)
                      : INFINITY;
    work->products += 0.5;
}

void perp_prox_round_start(prox_round *s, const perp_judge *judge, const double *center,
                           const double *w, double eps, bool follows, perp_work *work)
{
    const perp_set *set = s->p->set;
    size_t n = s->p->n;

    if (follows) {
        round_project(s, s->at.Jv, s->trial.r, s->D);
    }
    s->predict = follows;
    s->reuse = false;
    s->judge = judge;
    s->center = center;
    memcpy(s->velocity, w, n * sizeof *w);
    for (size_t k = 0; k < set->count; k++) {
        round_metric(s, k, eps);
        round_block(s, k);
    }
    for (size_t i = 0; i < n; i++) {
        s->start[i] = s->root[i] * center[i] - w[i] / s->root[i];
    }
    memset(s->at.v, 0, s->space.nv * sizeof *s->at.v);
    memset(s->at.Jv, 0, n * sizeof *s->at.Jv);
    round_project(s, s->at.Jv, s->at.r, NULL);
    round_force(s, &s->at, work);
    round_measure(s, work);
}

/* dv := -S^-1 dv, and J dv. */
static perp_status round_direction(prox_round *s, perp_work *work, bool *done,
                                   perp_error *err)
{
    for (size_t i = 0; i < s->space.nv; i++) {
        s->dv[i] = -s->dv[i];
    }
    s->krylov.factored = s->krylov.factored && s->error <= stiff;
    TRY(perp_krylov_direct(&s->krylov, s->dv, work, done, err));
    if (*done) {
        perp_velocity_rows(&s->space, s->dv, s->Jdv);
    }
    return PERP_OK;
}

/* phi'(t) = F.dv at t, where L^T (r - c).dv = (r - c).J dv. */
static double round_slope(prox_round *s, double t, double first, double second)
{
    double sum = first + t * second;

    for (size_t i = 0; i < s->p->n; i++) {
        s->trial.Jv[i] = s->at.Jv[i] + t * s->Jdv[i];
    }
    round_project(s, s->trial.Jv, s->trial.r, NULL);
    for (size_t i = 0; i < s->p->n; i++) {
        sum -= (s->trial.r[i] - s->center[i]) * s->Jdv[i];
    }
    return sum;
}

/* A zero of phi' by false position, with half the slope of an end that stays. */
static double round_search_slope(prox_round *s)
{
    double first = 0.0;  /* M v.dv */
    double second = 0.0; /* M dv.dv */
    double slope = 0.0;  /* phi'(0) */
    double a = 0.0;
    double b = 1.0;
    double at_a = 0.0;
    double at_b = 0.0;

    perp_velocity_mass(&s->space, s->dv, s->f);
    for (size_t i = 0; i < s->space.nv; i++) {
        first += s->at.v[i] * s->f[i];
        second += s->dv[i] * s->f[i];
        slope += s->at.F[i] * s->dv[i];
    }
    at_a = slope;
    at_b = round_slope(s, b, first, second);
    if (at_b <= slope_most * fabs(slope)) { /* phi' ascends: not below slope either */
        return 1.0;
    }
    for (size_t i = 0; i < SEARCHES; i++) {
        double t = (a * at_b - b * at_a) / (at_b - at_a);
        double at_t = round_slope(s, t, first, second);

        if (!(fabs(at_t) > slope_most * fabs(slope)) || !(t > a && t < b)) {
            return t;
        }
        if (at_t < 0.0) {
            a = t;
            at_a = at_t;
            at_b *= 0.5;
        } else {
            b = t;
            at_b = at_t;
            at_a *= 0.5;
        }
    }
    return 0.5 * (a + b);
}

/* The step that lets the merit fall enough, or the best one. The trial point is there. */
static void round_search_merit(prox_round *s, perp_work *work)
{
    double best = 1.0;
    double best_merit = INFINITY;
    double t = 1.0;

    for (size_t i = 0; i <= HALVINGS; i++, t *= 0.5) {
        round_try(s, t, work);
        if (s->trial.merit <= (1.0 - armijo * t) * s->at.merit) {
            return;
        }
        if (s->trial.merit < best_merit) {
            best_merit = s->trial.merit;
            best = t;
        }
    }
    round_try(s, best, work);
}

/* The trial point becomes the present one. */
static void round_accept(prox_round *s, perp_work *work)
{
    prox_point old = s->at;

    s->reuse = !s->krylov.stale && s->trial.merit <= chord * old.merit;
    s->krylov.factored = !s->krylov.stale || s->trial.merit <= fall * old.merit;
    s->at = s->trial;
    s->trial = old;
    round_measure(s, work);
}

/* A smaller proximal term moves y = c - Q^-1 u_c far beyond the impulses of the last round, and
 * the P' there are wrong. With those of the last round r(v) is c - H (u_c + J v). */
static perp_status round_predict(prox_round *s, perp_work *work, perp_error *err)
{
    bool done = false;
    perp_status status = PERP_OK;

    round_weigh(s);
    perp_velocity_weigh(&s->space, s->velocity, s->x);
    perp_velocity_forces(&s->space, s->x, s->dv);
    status = round_direction(s, work, &done, err);
    if (status != PERP_OK || !done) {
        return status;
    }
    round_try(s, 1.0, work);
    if (s->trial.merit < s->at.merit) {
        round_accept(s, work);
    }
    return PERP_OK;
}

/* A step with the last factors; false where it does not pay. */
static bool round_chord(prox_round *s, perp_work *work)
{
    if (!s->reuse) {
        return false;
    }
    for (size_t i = 0; i < s->space.nv; i++) {
        s->dv[i] = -s->at.F[i];
    }
    perp_velocity_solve_forces(&s->space, s->dv);
    perp_velocity_rows(&s->space, s->dv, s->Jdv);
    round_try(s, 1.0, work);
    if (!(s->trial.merit <= chord * s->at.merit)) {
        return false;
    }
    round_accept(s, work);
    return true;
}

perp_status perp_prox_round_step(prox_round *s, perp_work *work, bool *done,
                                 perp_error *err)
{
    perp_status status = PERP_OK;

    *done = true;
    if (s->predict) {
        s->predict = false;
        return round_predict(s, work, err);
    }
    if (round_chord(s, work)) {
        return PERP_OK;
    }
    round_project(s, s->at.Jv, s->trial.r, s->D);
    round_weigh(s);
    memcpy(s->dv, s->at.F, s->space.nv * sizeof *s->dv);
    status = round_direction(s, work, done, err);
    if (status != PERP_OK || !*done) {
        return status;
    }
    if (s->symmetric && s->space.L == s->space.J) {
        round_try(s, round_search_slope(s), work);
    } else {
        round_search_merit(s, work);
    }
    round_accept(s, work);
    return PERP_OK;
}
