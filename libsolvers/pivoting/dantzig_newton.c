/* SPDX-License-Identifier: Apache-2.0
 * pivoting/dantzig_newton.c: coupled friction by full Newton steps on its active sets.
 *
 *     trial    from z - w/d:  rows in their box have w = 0, rows beyond are at their bound,
 *              slipping rows at +-mu z_normal, the radius of the test being that of the
 *              normal's own z - w/d [alart-curnier-1991]
 *     step     z := the solution of the linear system of the trial, without line search
 *     pass     steps on A + eps I, b - eps c until its residual is a tenth of that of c;
 *              then c := z and eps := eps / 10  [rockafellar-1976]
 *
 * Where A is singular the block of a trial may be, too; eps takes that away, and vanishes
 * from the answer. A step may raise the residual and yet change the sets for the better: a
 * line search would stop there. Sweeps of projected Gauss-Seidel bring the point near
 * first. Passes that do not get on are begun again elsewhere, after sweeps or at z = 0: the
 * points they visit differ, and from one that is near enough full steps arrive. Nothing
 * promises that one of them is: some piles of 800 rows are not solved so. A step costs the
 * LU of the rows with w = 0. */
#include <config.h>

#include "dantzig.h"

enum {
    STEPS = 12,   /* most in a pass; most passes take 1 to 10 */
    PASSES = 120, /* most from one set of sweeps */
    FAILURES = 4, /* passes in a row that did not halve the residual */
    SWEEPS = 50,  /* in an iterate */
};

/* Turns: whether they begin at the best point, where they are, or at z = 0; how many times
 * SWEEPS sweeps come first; eps over the norm of A, and what it is multiplied by after a
 * pass that served. Which of them arrives differs from pile to pile. */
enum turn_place { BEST, HERE, ZERO };
static const struct {
    enum turn_place place;
    size_t sweeps;
    double eps, fall;
} turns[] = {
    {BEST, 1, 1e-4, 0.1},   {BEST, 4, 1e-4, 0.1},  {BEST, 16, 1e-4, 0.1},
    {BEST, 64, 1e-4, 0.1},  {HERE, 1, 1e-4, 0.1},  {HERE, 64, 1e-4, 0.1},
    {ZERO, 0, 1e-1, 0.5},   {HERE, 64, 1e-4, 0.1}, {ZERO, 1, 1e-3, 0.1},
    {HERE, 64, 1e-4, 0.1},  {ZERO, 0, 1e-2, 0.1},  {HERE, 64, 1e-4, 0.1},
    {BEST, 256, 1e-4, 0.1},
};

enum { KINDS = sizeof turns / sizeof *turns };

/* eps moves between these; what it is multiplied by after a pass that did not serve, and
 * from then on after one that did: where sets change in great numbers eps must stay a
 * while. */
static const double eps_least = 1e-9, eps_most = 1e-2, eps_raise = 5.0, fall_after = 0.7;

/* A pass has converged when its residual is below this part of that at its centre, and
 * below `loose`. It has served when it did and did not raise the residual by more. */
static const double part = 0.1, loose = 1e-3, rise = 1.5;

/* The point that the natural map projects. */
static double mapped(const dantzig *s, size_t i, const double *z, const double *w)
{
    return z[i] - w[i] / (s->scale[i] * s->scale[i] + s->shift);
}

bool dantzig_trial(dantzig *s, const double *z, const double *w)
{
    bool changed = false;

    for (size_t i = 0; i < s->n; i++) {
        const perp_block *block = &s->p->set->blocks[i];
        double x = mapped(s, i, z, w);
        double lo = s->lo[i];
        double hi = s->hi[i];
        int state = ROW_IN;

        if (s->trial[i] == ROW_FIXED) {
            continue;
        }
        if (dantzig_is_friction(s, i)) {
            double normal = mapped(s, block->normal, z, w);

            hi = block->mu * fmax(fmin(normal, s->hi[block->normal]), 0.0);
            lo = -hi;
        }
        state = x < lo ? ROW_LOW : (x > hi ? ROW_HIGH : ROW_IN);
        if (hi <= lo) {
            state = w[i] < 0.0 ? ROW_HIGH : ROW_LOW;
        }
        changed = changed || state != s->trial[i];
        s->trial[i] = state;
    }
    return changed;
}

static perp_status newton_step(dantzig *s, perp_result *r);

/* RES of the problem without eps at z; it is the best point if it is less than before. */
static double newton_judge(dantzig *s, perp_result *r, const double *z)
{
    const double shift = s->shift;
    double error = 0.0;

    s->shift = 0.0;
    error = dantzig_error(s, r, z, s->w0, true);
    s->shift = shift;
    if (error < s->best_error) {
        s->best_error = error;
        memcpy(s->best, z, s->n * sizeof *s->best);
    }
    return error;
}

/* A pass from `center`, where RES is `error`. */
static void pass_begin(dantzig *s, double error)
{
    s->center_error = error;
    s->pass_error = INFINITY;
    s->newton_steps = 0;
    s->shift = s->eps * s->norm;
    memcpy(s->z, s->center, s->n * sizeof *s->z);
    s->step = newton_step;
}

/* Each row on its own interval, the normals first. */
static void project(dantzig *s, double *z)
{
    for (size_t q = 0; q < s->n; q++) {
        perp_set_project(s->p->set, s->order[q], z);
    }
}

/* The best point is the answer. */
static perp_status newton_end(dantzig *s, perp_result *r)
{
    s->shift = 0.0;
    memcpy(s->z, s->best, s->n * sizeof *s->z);
    s->fresh = true;
    return dantzig_finish(s, r);
}

/* Passes from z, as this turn has them. */
static void passes_begin(dantzig *s, perp_result *r)
{
    memcpy(s->center, s->z, s->n * sizeof *s->center);
    s->eps = turns[s->turn].eps;
    s->fall = turns[s->turn].fall;
    s->passes = s->failures = 0;
    if (turns[s->turn++].place != BEST) {
        s->best_error = INFINITY;
    }
    pass_begin(s, newton_judge(s, r, s->z));
    s->mark = s->best_error;
}

static perp_status newton_sweep(dantzig *s, perp_result *r)
{
    for (size_t k = 0; k < SWEEPS && s->sweeps_left > 0; k++) {
        dantzig_sweep(s, r, true);
        s->sweeps_left--;
    }
    if (s->sweeps_left == 0) {
        passes_begin(s, r);
    }
    return PERP_OK;
}

/* The next turn; after the last, the path. One that does not begin at the best point has a
 * best point of its own: from that of all it would take the same way again. */
static perp_status turn_begin(dantzig *s, perp_result *r)
{
    s->shift = 0.0;
    if (s->turn == KINDS) {
        return dantzig_open(s, r);
    }
    if (turns[s->turn].place == BEST) {
        memcpy(s->z, s->best, s->n * sizeof *s->z);
    } else if (turns[s->turn].place == ZERO) {
        memset(s->z, 0, s->n * sizeof *s->z);
        project(s, s->z);
    }
    s->sweeps_left = turns[s->turn].sweeps * SWEEPS;
    s->step = newton_sweep;
    return PERP_OK;
}

/* A pass is over: its best point is in z1. */
static perp_status pass_end(dantzig *s, perp_result *r, bool converged)
{
    double error = 0.0;

    project(s, s->z1);
    error = newton_judge(s, r, s->z1);
    r->work.rounds++;
    if (s->best_error <= SETTLED ||
        (s->best_error <= s->tolerance && !(error < 0.5 * s->center_error))) {
        return newton_end(s, r);
    }
    if (converged && error <= rise * s->center_error) {
        memcpy(s->center, s->z1, s->n * sizeof *s->center);
        s->eps = fmax(s->fall * s->eps, eps_least);
    } else {
        memcpy(s->center, s->best, s->n * sizeof *s->center);
        error = s->best_error;
        s->eps = fmin(eps_raise * s->eps, eps_most);
        s->fall = fall_after;
        s->failures = s->best_error < 0.5 * s->mark ? 0 : s->failures + 1;
        s->mark = s->best_error;
    }
    if (s->failures == FAILURES || ++s->passes == PASSES) {
        return turn_begin(s, r);
    }
    pass_begin(s, error);
    return PERP_OK;
}

/* The path of this pass has ended at z. */
static perp_status pass_arrived(dantzig *s, perp_result *r)
{
    memcpy(s->z1, s->z, s->n * sizeof *s->z1);
    s->pass_error = dantzig_error(s, r, s->z, s->w0, true);
    return pass_end(s, r, true);
}

static perp_status pass_abandoned(dantzig *s, perp_result *r)
{
    memcpy(s->z1, s->center, s->n * sizeof *s->z1);
    return pass_end(s, r, false);
}

/* Full steps do not settle: the path from the centre. */
static perp_status pass_follow(dantzig *s, perp_result *r)
{
    memcpy(s->z, s->center, s->n * sizeof *s->z);
    return dantzig_lean(s, r, 0.1 * s->center_error, pass_arrived, pass_abandoned);
}

/* One full step from z. */
static perp_status newton_step(dantzig *s, perp_result *r)
{
    const double target = fmax(0.1 * SETTLED, fmin(loose, part * s->center_error));
    bool changed = true;
    double error = 0.0;

    dantzig_error(s, r, s->z, s->w0, true);
    changed = dantzig_trial(s, s->z, s->w0);
    if ((!changed && s->newton_steps > 0) || s->newton_steps == STEPS) {
        return pass_follow(s, r);
    }
    s->newton_steps++;
    if (!dantzig_line(s, r, s->z0)) {
        return pass_follow(s, r);
    }
    memcpy(s->z, s->z0, s->n * sizeof *s->z);
    error = dantzig_error(s, r, s->z, s->w0, true);
    if (error < s->pass_error || s->newton_steps == 1) {
        s->pass_error = error;
        memcpy(s->z1, s->z, s->n * sizeof *s->z1);
    }
    return error <= target ? pass_end(s, r, true) : PERP_OK;
}

perp_status dantzig_newton(dantzig *s, perp_result *r)
{
    if (!s->told_newton) {
        s->told_newton = true;
        perp_result_log(r,
                        "dantzig: no fixed point in %zu rounds; sweeps and proximal "
                        "Newton steps on the coupled sets",
                        s->rounds);
    }
    for (size_t i = 0; i < s->n; i++) { /* rows without friction stay where they are */
        s->trial[i] =
            s->lo[i] == s->hi[i] && !dantzig_is_friction(s, i) ? ROW_FIXED : ROW_IN;
        if (dantzig_is_friction(s, i) && s->p->set->blocks[i].mu == 0.0) {
            s->trial[i] = ROW_FIXED;
        }
    }
    if (!(s->norm > 0.0)) {
        s->norm = perp_operator_norm_estimate(s->p->A, s->panel);
    }
    s->best_error = INFINITY;
    newton_judge(s, r, s->z);
    s->turn = 0;
    return turn_begin(s, r);
}
