/* SPDX-License-Identifier: Apache-2.0
 * interior/path.c: predictor and corrector [mehrotra-1992; wright-1997, chapter 10]. */
#include <config.h>

#include "arc.h"
#include "base/base.h"
#include "bilinear.h"
#include "ray.h"

enum {
    TINY_STEPS = 5, /* tiny steps in a row that end the path */
    IDLE_STEPS =
        25 /* steps in which mu and the infeasibility do not halve; on degenerate rows
                       mu halves per step */
};

static const double tiny_step = 1e-8;
static const double long_step = 0.95; /* after which no corrector follows */
/* mu of a start, in parts of its residual; the least residual that counts. */
static const double near_mu = 0.05, near_least = 1e-8;
/* |z|/beta from which on a certificate of infeasibility is tried. */
static const double growth_first = 1e4;

static perp_status path_alloc(perp_path *t, perp_workspace *ws, perp_error *err)
{
    const perp_problem *p = t->p;
    bool shifted = !t->slacks.bilinear && p->law == PERP_LAW_COULOMB &&
                   perp_set_count(p->set, PERP_SET_CONE);

    t->d = perp_workspace_reals(ws, p->n);
    t->scale = perp_workspace_reals(ws, p->n);
    t->z = perp_workspace_reals(ws, p->n);
    t->dz = perp_workspace_reals(ws, p->n);
    t->rd = perp_workspace_reals(ws, p->n);
    t->rhs = perp_workspace_reals(ws, p->n);
    t->dw = perp_workspace_reals(ws, p->n);
    t->shift = shifted ? perp_workspace_reals(ws, p->n) : NULL;
    t->rows = perp_workspace_sizes(ws, p->n);
    perp_slacks_alloc(&t->slacks, p->set, ws);
    if (t->correctors > 1) {
        t->kept = perp_workspace_reals(ws, p->n + 6 * perp_slacks_most(p->set));
    }
    return perp_workspace_status(ws, err);
}

perp_status perp_path_resume(perp_path *t, perp_error *err)
{
    perp_status status = PERP_OK;

    perp_judge_free(t->judge);
    t->judge = NULL;
    perp_slacks_assign(&t->slacks, t->p->set);
    status = perp_judge_new(&t->judge, t->p, err);
    for (size_t k = 0; status == PERP_OK && k < t->p->set->count; k++) {
        const perp_block *block = &t->p->set->blocks[k];

        for (unsigned i = 0; i < block->dim; i++) {
            t->d[block->first + i] = perp_judge_scale(t->judge, k);
            t->scale[block->first + i] = sqrt(perp_judge_scale(t->judge, k));
        }
    }
    return status;
}

perp_status perp_path_setup(perp_path *t, const perp_problem *p, perp_path_law law,
                            perp_workspace *ws, perp_error *err)
{
    t->p = p;
    t->slacks.bilinear = law == PERP_PATH_BILINEAR;
    TRY(path_alloc(t, ws, err));
    TRY(perp_path_resume(t, err));
    return perp_ipm_kkt_setup(&t->kkt, p, t->d, &t->slacks, ws, err);
}

void perp_path_close(perp_path *t)
{
    perp_ipm_kkt_close(&t->kkt);
    perp_judge_free(t->judge);
}

double perp_path_mu(const perp_path *t)
{
    return t->gap / (t->beta * t->beta);
}

/* De Saxce's term of the velocities at the point that was judged last. */
static void path_update_shift(perp_path *t)
{
    const perp_set *set = t->p->set;
    const double *w = perp_judge_w(t->judge);

    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];

        t->shift[block->first] = perp_de_saxce_shift(block, w + block->first);
    }
}

void perp_path_fix_shift(perp_path *t, const double *z, perp_result *r)
{
    t->shift_fixed = true;
    if (!z) {
        memset(t->shift, 0, t->p->n * sizeof *t->shift);
        return;
    }
    perp_judge_residual(t->judge, z);
    r->work.products += 1.0;
    path_update_shift(t);
}

/* Residuals, gap and De Saxce's term at the present point: one product with A. */
static void path_evaluate(perp_path *t, perp_result *r)
{
    const perp_problem *p = t->p;
    const double *w = NULL;

    t->residual = perp_judge_residual(t->judge, t->z);
    r->work.products += 1.0;
    w = perp_judge_w(t->judge);
    if (t->shift && !t->shift_fixed) {
        path_update_shift(t);
    }
    for (size_t i = 0; i < p->n; i++) {
        t->rd[i] = w[i] + (t->shift ? t->shift[i] : 0.0);
    }
    perp_slacks_subtract_multipliers(&t->slacks, t->rd);
    t->infeasibility = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        t->rd[i] = t->slacks.fixed[i] ? 0.0 : t->rd[i];
        t->infeasibility = fmax(t->infeasibility, fabs(t->rd[i]) / t->scale[i]);
    }
    t->gap = perp_slacks_mean_gap(&t->slacks, 0.0);
}

static void path_begin(perp_path *t, perp_result *r)
{
    t->tiny_steps = t->idle_steps = 0;
    t->best = INFINITY;
    t->growth = growth_first * t->beta;
    path_evaluate(t, r);
}

void perp_path_start(perp_path *t, const double *z0, double least, perp_result *r)
{
    const perp_problem *p = t->p;
    const double *w = NULL;
    double beta = 0.0;

    memset(t->z, 0, p->n * sizeof *t->z);
    perp_set_project_all(p->set, t->z); /* 0 may lie outside the bounds */
    perp_judge_residual(t->judge, t->z);
    w = perp_judge_w(t->judge);
    for (size_t i = 0; i < p->n; i++) {
        beta = fmax(beta, fabs(w[i]) / t->scale[i]);
    }
    t->beta = beta > 0.0 ? beta : 1.0;
    if (least < 1.0) { /* multipliers from z0; else all of them are beta */
        memcpy(t->z, z0, p->n * sizeof *t->z);
        perp_judge_residual(t->judge, t->z);
        memcpy(t->rhs, w, p->n * sizeof *t->rhs);
    } else {
        memset(t->rhs, 0, p->n * sizeof *t->rhs);
    }
    r->work.products += least < 1.0 ? 2.0 : 1.0;
    perp_slacks_initialise(&t->slacks, p->set, t->scale, least * t->beta, t->z, t->rhs);
    path_begin(t, r);
}

void perp_path_start_near(perp_path *t, const double *z0, double residual, perp_result *r)
{
    double m = near_mu * fmin(1.0, fmax(near_least, residual));

    perp_path_start(t, z0, sqrt(m), r);
    perp_judge_residual(t->judge, z0);
    r->work.products += 1.0;
    perp_slacks_center_cones(&t->slacks, t->d, m * t->beta * t->beta, z0,
                             perp_judge_w(t->judge), t->z);
    path_begin(t, r);
}

/* dz from g and q of the slacks, with `own` of the residual rd, then ds and dv; false where they
 * are not finite. */
static bool path_solve(perp_path *t, double own)
{
    if (!perp_ipm_kkt_has_blocks(&t->kkt)) {
        for (size_t i = 0; i < t->p->n; i++) {
            t->dw[i] = own * t->rd[i];
        }
        perp_slacks_impulse(&t->slacks, t->kkt.P, t->kkt.velocity.start, t->p->n, t->rhs);
        perp_ipm_kkt_solve_velocity(&t->kkt, t->rhs, t->dw, t->refine, t->dz, t->dw);
        perp_slacks_direction_from(&t->slacks, t->dz, t->dw);
        return perp_all_finite(t->dz, t->p->n);
    }
    for (size_t i = 0; i < t->p->n; i++) {
        t->rhs[i] = -own * t->rd[i];
    }
    perp_slacks_add_rhs(&t->slacks, t->rhs);
    for (size_t i = 0; i < t->p->n; i++) {
        t->rhs[i] = t->slacks.fixed[i] ? 0.0 : t->rhs[i];
    }
    perp_ipm_kkt_solve(&t->kkt, t->rhs, t->refine, t->dz);
    perp_slacks_direction(&t->slacks, t->dz);
    return perp_all_finite(t->dz, t->p->n);
}

bool perp_path_predict(perp_path *t)
{
    perp_slacks_predictor(&t->slacks);
    if (!path_solve(t, 1.0)) {
        return false;
    }
    perp_slacks_keep_products(&t->slacks);
    return true;
}

bool perp_path_direct(perp_path *t, double rest, double own, double target, double weight)
{
    perp_slacks_corrector(&t->slacks, own, target, weight);
    return path_solve(t, rest);
}

double perp_path_affine_ratio(const perp_path *t)
{
    double affine = fmin(1.0, perp_slacks_max_step(&t->slacks));

    return t->gap > 0.0 ? fmax(perp_slacks_mean_gap(&t->slacks, affine), 0.0) / t->gap
                        : 0.0;
}

/* The step length of the last direction. */
static double path_length(const perp_path *t)
{
    double fraction = t->step_fraction;

    if (fraction == 0.0) {
        fraction = fmin(0.99995, fmax(0.9, 1.0 - perp_path_mu(t)));
    }
    return fmin(1.0, fraction * perp_slacks_max_step(&t->slacks));
}

/* t->kept := the last direction. */
static void path_keep(perp_path *t)
{
    double *to = t->kept + t->p->n;

    memcpy(t->kept, t->dz, t->p->n * sizeof *t->kept);
    for (size_t k = 0; k < t->slacks.count; k++, to += 6) {
        memcpy(to, t->slacks.slack[k].ds, 3 * sizeof *to);
        memcpy(to + 3, t->slacks.slack[k].dv, 3 * sizeof *to);
    }
}

static void path_restore(perp_path *t)
{
    const double *from = t->kept + t->p->n;

    memcpy(t->dz, t->kept, t->p->n * sizeof *t->dz);
    for (size_t k = 0; k < t->slacks.count; k++, from += 6) {
        memcpy(t->slacks.slack[k].ds, from, 3 * sizeof *from);
        memcpy(t->slacks.slack[k].dv, from + 3, 3 * sizeof *from);
    }
}

/* Correctors after the first one, whose step is t->step: the direction with the longest step. */
static void path_correct_again(perp_path *t, double target)
{
    double longest = t->step;

    path_keep(t);
    for (size_t k = 1; k < t->correctors && longest < long_step; k++) {
        perp_slacks_keep_products(&t->slacks);
        t->step = perp_path_direct(t, 1.0, 1.0, target, 1.0) ? path_length(t) : NAN;
        if (t->step > longest) {
            longest = t->step;
            path_keep(t);
        }
    }
    path_restore(t);
    t->step = longest;
}

/* Predictor, sigma = ratio^3, corrector; t->step is the step length of the corrector. More than
 * one only where the problem is convex. */
static bool path_predict_correct(perp_path *t)
{
    double target = 0.0;
    double ratio = 0.0;

    if (!perp_path_predict(t)) {
        return false;
    }
    ratio = perp_path_affine_ratio(t);
    target = ratio * ratio * ratio * t->gap;
    if (!perp_path_direct(t, 1.0, 1.0, target, 1.0)) {
        return false;
    }
    t->step = path_length(t);
    if (t->correctors > 1 && t->step < long_step && (!t->shift || t->shift_fixed)) {
        path_correct_again(t, target);
    }
    return isfinite(t->step);
}

/* The direction in z and in the slacks, and its length t->step. */
static bool path_direction(perp_path *t)
{
    if (t->arc) {
        return perp_arc_step(t->arc, t);
    }
    return t->slacks.bilinear ? perp_bilinear_step(t) : path_predict_correct(t);
}

/* The new point, and whether the path makes no progress there. */
static bool path_advance(perp_path *t, perp_result *r)
{
    double progress = 0.0;

    for (size_t i = 0; i < t->p->n; i++) {
        t->z[i] += t->step * t->dz[i];
    }
    perp_slacks_step(&t->slacks, t->step);
    path_evaluate(t, r);
    t->tiny_steps = t->step < tiny_step ? t->tiny_steps + 1 : 0;
    t->idle_steps++;
    progress = fmax(perp_path_mu(t), t->infeasibility / t->beta);
    if (progress < 0.5 * t->best) {
        t->best = progress;
        t->idle_steps = 0;
    }
    return t->tiny_steps >= TINY_STEPS || (t->idle_steps >= IDLE_STEPS && !t->arc);
}

perp_status perp_path_step(perp_path *t, const char *name, perp_result *r,
                           perp_error *err)
{
    bool done = perp_slacks_update_scaling(&t->slacks);
    bool stalled = false;

    if (!done) {
        return perp_result_end(r, PERP_STALLED,
                               "%s: at mu = %.1e a slack or multiplier reaches the "
                               "boundary by rounding",
                               name, perp_path_mu(t));
    }
    TRY(perp_ipm_kkt_factor(&t->kkt, &t->slacks, &r->work, &done, err));
    if (!done) {
        r->singular_row = t->kkt.failed_row;
        return perp_result_end(r, PERP_SINGULAR_BLOCK,
                               "%s: A plus the scaling is singular at row %zu, mu = %.1e",
                               name, r->singular_row, perp_path_mu(t));
    }
    if (!path_direction(t)) {
        return perp_result_end(r, PERP_STALLED,
                               "%s: the direction is not finite at mu = %.1e", name,
                               perp_path_mu(t));
    }
    stalled = path_advance(t, r);
    TRY(perp_ray_certify(t, stalled, r, err));
    if (r->certificate.kind == PERP_CERTIFICATE_INFEASIBLE) {
        return perp_result_end(r, PERP_INFEASIBLE,
                               "%s: z grows without bound along the certificate", name);
    }
    if (stalled) {
        return perp_result_end(r, PERP_STALLED,
                               "%s: no progress at mu = %.1e, |A z + b - v| = %.1e: the "
                               "problem has no interior or A is not monotone",
                               name, perp_path_mu(t), t->infeasibility / t->beta);
    }
    return PERP_OK;
}
