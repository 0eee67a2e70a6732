/* SPDX-License-Identifier: Apache-2.0
 * interior/path.c: predictor and corrector [mehrotra-1992; wright-1997, chapter 10]. */
#include <config.h>

#include "ray.h"

enum {
    CRAWLING = 5, /* tiny steps in a row before giving up */
    IDLE = 25,    /* steps without progress: the slowest, of degenerate rows, halve mu */
};

static const double tiny_step = 1e-8;
static const double grown_first = 1e4; /* |z|/beta from which on a proof is looked for */

static perp_status path_memory(perp_path *t, perp_workspace *ws, perp_error *err)
{
    const perp_problem *p = t->p;
    bool coulomb = p->law == PERP_LAW_COULOMB && perp_set_count(p->set, PERP_SET_CONE);
    double **vectors[] = {&t->d, &t->scale, &t->z, &t->dz, &t->rd, &t->rhs, &t->shift};
    size_t count = sizeof vectors / sizeof *vectors - (coulomb ? 0 : 1);

    for (size_t k = 0; k < count; k++) {
        *vectors[k] = perp_workspace_reals(ws, p->n);
        if (!*vectors[k]) {
            return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", p->n);
        }
    }
    t->rows = perp_workspace_sizes(ws, p->n);
    if (!t->rows || !perp_slacks_init(&t->pairs, p->set, ws)) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu pairs", p->n);
    }
    return PERP_OK;
}

perp_status perp_path_resume(perp_path *t, perp_error *err)
{
    perp_status status = PERP_OK;

    perp_judge_free(t->judge);
    t->judge = NULL;
    perp_slacks_read(&t->pairs, t->p->set);
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

perp_status perp_path_open(perp_path *t, const perp_problem *p, perp_workspace *ws,
                           perp_error *err)
{
    perp_status status = PERP_OK;

    t->p = p;
    status = path_memory(t, ws, err);
    if (status == PERP_OK) {
        status = perp_path_resume(t, err);
    }
    if (status == PERP_OK) {
        status = perp_kernel_open(&t->kernel, p, t->d, t->pairs.fixed, ws, err);
    }
    return status;
}

void perp_path_close(perp_path *t)
{
    perp_kernel_close(&t->kernel);
    perp_judge_free(t->judge);
}

double perp_path_mu(const perp_path *t)
{
    return t->gap / (t->beta * t->beta);
}

/* De Saxce's term from the velocities that were judged last. */
static void path_shift(perp_path *t)
{
    const perp_set *set = t->p->set;
    const double *w = perp_judge_w(t->judge);

    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];

        t->shift[block->first] = perp_de_saxce_shift(block, w + block->first);
    }
}

void perp_path_hold(perp_path *t, const double *z, perp_result *r)
{
    t->held = true;
    if (!z) {
        memset(t->shift, 0, t->p->n * sizeof *t->shift);
        return;
    }
    perp_judge_residual(t->judge, z);
    r->work.products += 1.0;
    path_shift(t);
}

/* Where the path stands: one product with A. */
static void path_look(perp_path *t, perp_result *r)
{
    const perp_problem *p = t->p;
    const double *w = NULL;

    t->residual = perp_judge_residual(t->judge, t->z);
    r->work.products += 1.0;
    w = perp_judge_w(t->judge);
    if (t->shift && !t->held) {
        path_shift(t);
    }
    for (size_t i = 0; i < p->n; i++) {
        t->rd[i] = w[i] + (t->shift ? t->shift[i] : 0.0);
    }
    perp_slacks_subtract(&t->pairs, t->rd);
    t->infeasible = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        t->rd[i] = t->pairs.fixed[i] ? 0.0 : t->rd[i];
        t->infeasible = fmax(t->infeasible, fabs(t->rd[i]) / t->scale[i]);
    }
    t->gap = perp_slacks_gap(&t->pairs, 0.0);
}

void perp_path_start(perp_path *t, const double *z0, double least, perp_result *r)
{
    const perp_problem *p = t->p;
    const double *w = NULL;
    double beta = 0.0;

    memset(t->z, 0, p->n * sizeof *t->z);
    for (size_t k = 0; k < p->set->count; k++) {
        perp_set_project(p->set, k, t->z); /* bounds need not allow 0 */
    }
    perp_judge_residual(t->judge, t->z);
    w = perp_judge_w(t->judge);
    for (size_t i = 0; i < p->n; i++) {
        beta = fmax(beta, fabs(w[i]) / t->scale[i]);
    }
    t->beta = beta > 0.0 ? beta : 1.0;
    if (least <
        1.0) { /* a start with multipliers of its own; else all of them are beta */
        memcpy(t->z, z0, p->n * sizeof *t->z);
        perp_judge_residual(t->judge, t->z);
        memcpy(t->rhs, w, p->n * sizeof *t->rhs);
    } else {
        memset(t->rhs, 0, p->n * sizeof *t->rhs);
    }
    r->work.products += least < 1.0 ? 2.0 : 1.0;
    perp_slacks_start(&t->pairs, p->set, t->scale, least * t->beta, t->z, t->rhs);
    t->crawled = t->idle = 0;
    t->least = INFINITY;
    t->grown = grown_first * t->beta;
    path_look(t, r);
}

/* dz of the right-hand side, then ds and dv; false when it is not finite. */
static bool path_direct(perp_path *t)
{
    for (size_t i = 0; i < t->p->n; i++) {
        t->rhs[i] = t->pairs.fixed[i] ? 0.0 : t->rhs[i];
    }
    perp_kernel_solve(&t->kernel, t->rhs, t->refine, t->dz);
    perp_slacks_direct(&t->pairs, t->dz);
    return perp_all_finite(t->dz, t->p->n);
}

static void path_rhs(perp_path *t)
{
    for (size_t i = 0; i < t->p->n; i++) {
        t->rhs[i] = -t->rd[i];
    }
}

/* Both directions; t->step is how far the second one goes. */
static bool path_aim(perp_path *t)
{
    double room = 0.0;
    double part = t->back_off;
    double ratio = 0.0;

    path_rhs(t);
    perp_slacks_predict(&t->pairs, t->rhs);
    if (!path_direct(t)) {
        return false;
    }
    room = fmin(1.0, perp_slacks_room(&t->pairs));
    ratio = t->gap > 0.0 ? fmax(perp_slacks_gap(&t->pairs, room), 0.0) / t->gap : 0.0;
    path_rhs(t);
    perp_slacks_correct(&t->pairs, ratio * ratio * ratio * t->gap, t->rhs);
    if (!path_direct(t)) {
        return false;
    }
    if (part == 0.0) {
        part = fmin(0.99995, fmax(0.9, 1.0 - perp_path_mu(t)));
    }
    t->step = fmin(1.0, part * perp_slacks_room(&t->pairs));
    return isfinite(t->step);
}

perp_status perp_path_step(perp_path *t, const char *name, perp_result *r,
                           perp_error *err)
{
    bool done = perp_slacks_scale(&t->pairs);
    bool stuck = false;
    perp_status status = PERP_OK;

    if (!done) {
        return perp_result_end(r, PERP_STALLED,
                               "%s: at mu = %.1e a pair meets its boundary by rounding",
                               name, perp_path_mu(t));
    }
    status = perp_kernel_factor(&t->kernel, &t->pairs, &r->work, &done, err);
    if (status != PERP_OK) {
        return status;
    }
    if (!done) {
        r->singular_row = t->kernel.place;
        return perp_result_end(r, PERP_SINGULAR_BLOCK,
                               "%s: A plus the scaling is singular at row %zu, mu = %.1e",
                               name, r->singular_row, perp_path_mu(t));
    }
    if (!path_aim(t)) {
        return perp_result_end(r, PERP_STALLED,
                               "%s: the direction is not finite at mu = %.1e", name,
                               perp_path_mu(t));
    }
    for (size_t i = 0; i < t->p->n; i++) {
        t->z[i] += t->step * t->dz[i];
    }
    perp_slacks_move(&t->pairs, t->step);
    path_look(t, r);
    t->crawled = t->step < tiny_step ? t->crawled + 1 : 0;
    t->idle++;
    if (fmax(perp_path_mu(t), t->infeasible / t->beta) < 0.5 * t->least) {
        t->least = fmax(perp_path_mu(t), t->infeasible / t->beta);
        t->idle = 0;
    }
    stuck = t->crawled >= CRAWLING || t->idle >= IDLE;
    status = perp_ray_prove(t, stuck, r, err);
    if (status != PERP_OK) {
        return status;
    }
    if (r->certificate.kind == PERP_CERTIFICATE_INFEASIBLE) {
        return perp_result_end(r, PERP_INFEASIBLE,
                               "%s: z grows indefinitely along the certificate", name);
    }
    if (stuck) {
        return perp_result_end(r, PERP_STALLED,
                               "%s: stuck at mu = %.1e, |A z + b - v| = %.1e: the "
                               "problem has no interior or A is not monotone",
                               name, perp_path_mu(t), t->infeasible / t->beta);
    }
    return PERP_OK;
}
