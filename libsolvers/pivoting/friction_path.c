/* SPDX-License-Identifier: Apache-2.0
 * pivoting/friction_path.c: coupled box friction along the path of opened bounds.
 *
 *     |z_i| <= mu (z_normal + t c_normal),   c > 0,   t from large down to 0
 *
 * For large t no friction row meets its bound: a boxed problem, with one solution when A is
 * symmetric positive definite, which is found by Cottle-Dantzig pivots (dantzig.c). From there
 * the solutions form a piecewise linear path in (z, t), which is followed from event to event
 * as in Lemke's method: a row meets its bound, or its w changes sign. In between t may grow
 * again. For t >= 0 the solutions stay in a bounded set (each minimises 1/2 z.Az + b.z over a
 * box that contains 0, when the other bounds do), and beyond some t there is only one, so the
 * path can neither run to infinity nor return to its beginning: it ends at t = 0, at a solution.
 * This is the argument of [stewart-trinkle-1996] for Lemke's method. It is exact in the absence
 * of ties, against which c differs from contact to contact.
 *
 * From a start z /= 0 another path comes first: that of the problems with b + t r, where r makes z
 * a solution at t = 1, down to t = 0. It is short where the start is near a solution. Where it
 * runs to infinity, is lost, or meets a singular system, the path of the bounds follows.
 *
 * For symmetric positive definite A; a singular system on the path is refused, and perp_solve
 * then starts again with prox. Ends, stalled, where rounding loses the path. Cost per event:
 * updates of a dense inverse of the k rows with w = 0, 10 k^2 + 4 n^2 flops; there are about as
 * many events as friction rows that slip. Memory: 3/2 n^2 + 50 n reals.
 * tresca:dantzig and prox-newton are faster where they converge. */
#include <config.h>

#include "base/base.h"
#include "friction_path.h"
#include "judge/judge.h"

/* A residual above this, and above the tolerance, is more than rounding leaves. */
static const double accurate = 1e-10;

/* In units of the residual at the start: how far its rows are kept from their bounds, and their
 * w from 0, so that the path does not begin at a tie. */
static const double margin = 0.1;

/* The fractional part of (i + 1) times the golden ratio: irregular, against ties. */
static double friction_path_fraction(size_t i)
{
    double x = 0.6180339887498949 * (double)(i + 1);

    return x - floor(x);
}

/* The bounds of the friction rows so wide that none is met, and the coefficients c. */
static void friction_path_open(friction_path *s)
{
    for (size_t i = 0; i < s->n; i++) {
        const perp_block *block = &s->p->set->blocks[i];
        double fraction = friction_path_fraction(block->normal);

        s->offset[i] = 0.0;
        if (friction_path_is_friction(s, i)) {
            s->open[i] =
                s->box.beta / s->box.scale[block->normal] * (1.0 + 0.5 * fraction);
            s->box.hi[i] = block->mu > 0.0 ? INFINITY : 0.0;
            s->box.lo[i] = -s->box.hi[i];
        }
    }
}

/* The boxed problem from z = 0: its free rows are known to be inside. */
static void friction_path_start_boxed(friction_path *s, perp_result *r)
{
    friction_path_open(s);
    s->box.z = r->z;
    for (size_t i = 0; i < s->n; i++) {
        bool is_free = isinf(s->box.lo[i]) && isinf(s->box.hi[i]);

        s->box.state[i] = is_free ? DANTZIG_INSIDE : DANTZIG_PENDING;
        r->z[i] = 0.0;
    }
    perp_dantzig_start(&s->box, r);
    s->phase = FRICTION_PATH_BOXED;
    s->events = 0;
    s->most_events = 200 + 50 * s->n;
}

/* z projected on its set, friction rows after their normals. */
static void friction_path_project(const friction_path *s, double *z)
{
    for (size_t q = 0; q < s->n; q++) {
        perp_set_project(s->p->set, s->box.order[q], z);
    }
}

/* The state of row i at z, and the offset with which it is right there: w = 0 inside, and some
 * w of the right sign at a bound. */
static void friction_path_place_row(friction_path *s, size_t i, const double *z, double w,
                                    double slack)
{
    double lo = 0.0;
    double hi = 0.0;
    double gap = slack / (s->box.scale[i] * s->box.scale[i]);

    perp_block_bounds(&s->p->set->blocks[i], z, &lo, &hi);
    s->open[i] = s->offset[i] = 0.0;
    if (s->box.lo[i] == s->box.hi[i] && !friction_path_is_friction(s, i)) {
        s->state[i] = DANTZIG_FIXED;
    } else if (friction_path_is_friction(s, i) && s->p->set->blocks[i].mu == 0.0) {
        s->state[i] = DANTZIG_FIXED;
    } else if (z[i] > lo + gap && z[i] < hi - gap) {
        s->state[i] = DANTZIG_INSIDE;
        s->offset[i] = -w;
    } else if (isinf(hi) ||
               (isfinite(lo) && (hi > lo ? z[i] - lo < hi - z[i] : w > 0.0))) {
        s->state[i] = DANTZIG_LOW;
        s->offset[i] = fmax(slack - w, 0.0);
    } else {
        s->state[i] = DANTZIG_HIGH;
        s->offset[i] = fmin(-slack - w, 0.0);
    }
}

/* The path from the start r->z, at t = 1. */
static void friction_path_start_warm(friction_path *s, perp_result *r)
{
    double *z = r->z;

    friction_path_project(s, z);
    for (int pass = 0; pass < 2;
         pass++) { /* the states, then the offsets of their point */
        double residual = perp_judge_residual(s->judge, z);
        const double *w = perp_judge_w(s->judge);

        r->work.products += 1.0;
        for (size_t q = 0; q < s->n; q++) {
            size_t i = s->box.order[q];
            double lo = 0.0;
            double hi = 0.0;

            friction_path_place_row(s, i, z, w[i],
                                    margin * residual * s->box.scale[i] * s->box.beta *
                                        (1.0 + friction_path_fraction(i)));
            perp_block_bounds(&s->p->set->blocks[i], z, &lo, &hi);
            z[i] = s->state[i] == DANTZIG_LOW    ? lo
                   : s->state[i] == DANTZIG_HIGH ? hi
                                                 : z[i];
        }
    }
    s->phase = FRICTION_PATH_WARM;
    s->t = 1.0;
    s->direction = -1.0;
    s->changed = s->n;
    s->renew = true;
    s->events = 0;
    s->most_events = 50 + s->n / 2;
}

/* From r->z, or where that is 0, from open bounds. */
static perp_status friction_path_start(friction_path *s, perp_result *r, perp_error *err)
{
    perp_status status = perp_dantzig_read_bounds(&s->box, err);
    bool cold = true;

    if (status != PERP_OK) {
        return status;
    }
    for (size_t i = 0; i < s->n; i++) {
        cold = cold && r->z[i] == 0.0;
    }
    if (cold) {
        friction_path_start_boxed(s, r);
    } else {
        friction_path_start_warm(s, r);
    }
    return PERP_OK;
}

static perp_status friction_path_setup(void *vstate, const perp_problem *p,
                                       const perp_options *opt, perp_workspace *ws,
                                       perp_result *r, perp_error *err)
{
    friction_path *s = vstate;
    size_t n = p->n;
    size_t work = 0;
    double **reals[] = {&s->open, &s->offset, &s->z0,     &s->z1,    &s->w0,
                        &s->w1,   &s->row,    &s->column, &s->row_G, &s->G_column};
    perp_status status = PERP_OK;

    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        *reals[i] = perp_workspace_reals(ws, n);
    }
    s->state = perp_workspace_alloc(ws, n, sizeof *s->state);
    s->exchanges = perp_workspace_alloc(ws, n, sizeof *s->exchanges);
    s->work = perp_workspace_reals(
        ws, perp_mul(n, FRICTION_PATH_BLOCK, &work) ? work : SIZE_MAX);
    status = perp_dantzig_setup(&s->box, p, ws, err);
    if (status == PERP_OK) {
        status = perp_judge_new(&s->judge, p, err);
    }
    if (status != PERP_OK) {
        return perp_fail_in(err, status, "friction-path");
    }
    s->p = p;
    s->A = s->box.A;
    s->n = n;
    s->ld = s->box.ld;
    s->in = s->box.in;
    s->place = s->box.place;
    s->G = s->box.panel;
    s->G_ld = s->box.panel_ld;
    s->box.by_violation = true;
    s->tolerance = perp_options_real(opt, "tolerance");
    return friction_path_start(s, r, err);
}

/* The boxed problem is solved: t is where the first friction row meets its bound. */
static void friction_path_start_closing(friction_path *s, perp_result *r)
{
    s->t = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const perp_block *block = &s->p->set->blocks[i];

        s->state[i] = s->box.state[i];
        if (friction_path_is_friction(s, i) && block->mu > 0.0) {
            double wanted = fabs(r->z[i]) / block->mu - r->z[block->normal];

            s->t = fmax(s->t, wanted / s->open[i]);
        }
    }
    s->t *= 1.0 + 1e-6; /* a little before the first event, so that none is missed */
    s->direction = -1.0;
    s->changed = s->n;
    s->renew = true;
    s->phase = FRICTION_PATH_CLOSING;
}

/* The distance of row i from its bound `side`, or of its w from 0 outside C, is a + t slope. */
static void friction_path_distance(const friction_path *s, size_t i,
                                   perp_dantzig_state side, double *a, double *slope)
{
    const perp_block *block = &s->p->set->blocks[i];
    double sign = side == DANTZIG_LOW ? 1.0 : -1.0;

    if (s->state[i] != DANTZIG_INSIDE) {
        *a = sign * s->w0[i];
        *slope = sign * s->w1[i];
        return;
    }
    *a = sign * s->z0[i];
    *slope = sign * s->z1[i];
    if (friction_path_is_friction(s, i)) {
        *a += block->mu * s->z0[block->normal];
        *slope += block->mu * (s->z1[block->normal] + s->open[i]);
    } else {
        *a -= sign * (side == DANTZIG_LOW ? s->box.lo[i] : s->box.hi[i]);
    }
}

/* The next event in the direction of t: its row and side, and the step of t; n when t reaches 0
 * or infinity before. */
static size_t friction_path_ratio_test(const friction_path *s, double *step,
                                       perp_dantzig_state *side)
{
    size_t row = s->n;

    *step = s->direction < 0.0 ? s->t : INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        for (int high = 0; high < 2; high++) {
            perp_dantzig_state at = high ? DANTZIG_HIGH : DANTZIG_LOW;
            double a = 0.0;
            double slope = 0.0;
            double distance = 0.0;

            if (s->state[i] != DANTZIG_INSIDE && s->state[i] != at) {
                continue;
            }
            friction_path_distance(s, i, at, &a, &slope);
            if (!isfinite(a) || slope * s->direction >= 0.0) {
                continue;
            }
            distance = fmax(0.0, (a + s->t * slope) / fabs(slope));
            if (distance < *step) {
                *step = distance;
                *side = at;
                row = i;
            }
        }
    }
    return row;
}

/* The present piece of the path, from an accurate G. */
static bool friction_path_piece(friction_path *s, perp_result *r)
{
    if (!s->renew && perp_friction_kernel_line(s, r)) {
        return true;
    }
    s->renew = false;
    return perp_friction_kernel_factor(s, r) && perp_friction_kernel_line(s, r);
}

/* The new piece leads away from the bound of the row that changed last. */
static void friction_path_update_direction(friction_path *s)
{
    double a = 0.0;
    double slope = 0.0;

    if (s->changed < s->n) {
        friction_path_distance(s, s->changed, s->side, &a, &slope);
        if (slope * s->direction < 0.0) {
            s->direction = -s->direction;
        }
    }
}

/* The path is lost: that of the bounds follows that of the start. */
static perp_status friction_path_lose(friction_path *s, perp_result *r, const char *why)
{
    if (s->phase == FRICTION_PATH_WARM) {
        friction_path_start_boxed(s, r);
        return PERP_OK;
    }
    return perp_result_end(r, PERP_STALLED, "the path %s after %zu event%s", why,
                           s->events, perp_plural(s->events));
}

/* t = 0 at z. Solved by a new G, where that is better. */
static perp_status friction_path_finish(friction_path *s, perp_result *r)
{
    double residual = perp_judge_residual(s->judge, r->z);
    double refined = INFINITY;

    r->work.products += 1.0;
    if (residual > 0.0 && perp_friction_kernel_factor(s, r) &&
        perp_friction_kernel_line(s, r)) {
        refined = perp_judge_residual(s->judge, s->z0);
        r->work.products += 1.0;
    }
    if (refined < residual) {
        memcpy(r->z, s->z0, s->n * sizeof *r->z);
        residual = refined;
    }
    if (residual <= fmax(s->tolerance, accurate)) {
        return perp_result_end(r, PERP_SOLVED, "the path ended after %zu event%s",
                               s->events, perp_plural(s->events));
    }
    return friction_path_lose(s, r, "ended at an inaccurate point");
}

/* One event of the path. */
static perp_status friction_path_step(friction_path *s, perp_result *r)
{
    double step = 0.0;
    perp_dantzig_state side = DANTZIG_LOW;
    size_t row = s->n;

    if (!friction_path_piece(s, r)) {
        if (s->phase == FRICTION_PATH_WARM) {
            return friction_path_lose(s, r, "");
        }
        return perp_result_refuse(r, PERP_SINGULAR_BLOCK,
                                  s->changed < s->n ? s->changed : 0,
                                  "a singular system on the path of the bounds");
    }
    if (s->events >= s->most_events) {
        return friction_path_lose(s, r, "has not ended");
    }
    s->events++;
    friction_path_update_direction(s);
    row = friction_path_ratio_test(s, &step, &side);
    if (row == s->n && s->direction > 0.0) {
        return friction_path_lose(s, r, "runs to infinity");
    }
    s->t = row == s->n ? 0.0 : s->t + s->direction * step;
    for (size_t i = 0; i < s->n; i++) {
        r->z[i] = s->z0[i] + s->t * s->z1[i];
    }
    if (row == s->n) {
        return friction_path_finish(s, r);
    }
    r->work.pivots++;
    s->changed = row;
    s->side = side;
    s->renew = !perp_friction_kernel_change(
        s, r, row, s->state[row] == DANTZIG_INSIDE ? side : DANTZIG_INSIDE);
    return PERP_OK;
}

static perp_status friction_path_iterate(void *vstate, perp_result *r, perp_error *err)
{
    friction_path *s = vstate;
    bool settled = false;
    perp_status status = PERP_OK;

    if (s->phase != FRICTION_PATH_BOXED) {
        return friction_path_step(s, r);
    }
    s->box.z = r->z;
    status = perp_dantzig_pivot(&s->box, r, &settled, err);
    if (status == PERP_OK && settled) {
        friction_path_start_closing(s, r);
    }
    return status;
}

static perp_status friction_path_resume(void *vstate, double shift, perp_result *r,
                                        perp_error *err)
{
    friction_path *s = vstate;
    perp_status status = PERP_OK;

    (void)shift; /* both the boxed problem and the path factor again */
    perp_judge_free(s->judge);
    s->judge = NULL;
    status = perp_judge_new(&s->judge, s->p, err);
    return status == PERP_OK ? friction_path_start(s, r, err) : status;
}

static void friction_path_close(void *vstate)
{
    friction_path *s = vstate;

    perp_judge_free(s->judge);
}

static const perp_option friction_path_options[] = {PERP_OPTION_END};

const perp_solver_type perp_solver_friction_path = {
    .name = "friction-path",
    .family = "pivoting",
    .summary = "box friction along the path of bounds that are opened and closed again",
    .reference = "stewart-trinkle-1996",
    .algorithm = "a parametric pivoting path as in Lemke's method, with the "
                 "argument of [stewart-trinkle-1996]",
    .additions = "the parameter opens the bounds of the friction rows: a "
                 "construction of this project",
    .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION),
    .storages = PERP_STORAGES(DENSE),
    .demands = PERP_DEMANDS(SYMMETRIC, POSITIVE_DEFINITE),
    .on_singular = "prox",
    .flags = PERP_FLAGS(USES_START),
    .certificates = PERP_CERTIFICATES(INFEASIBLE, SINGULAR),
    .options = friction_path_options,
    .state_size = sizeof(friction_path),
    .setup = friction_path_setup,
    .iterate = friction_path_iterate,
    .resume = friction_path_resume,
    .close = friction_path_close,
};
