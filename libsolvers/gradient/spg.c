/* SPDX-License-Identifier: Apache-2.0
 * gradient/spg.c: spectral projected gradient with a nonmonotone line search.
 *
 *     min f(x) = 1/2 x.A x + b.x  over  x in K,   g = A x + b
 *
 *     d = P_K(x - a g) - x
 *     lambda: from 1 down, until f(x + lambda d) <= max of the last 10 f + 1e-4 lambda g.d
 *     x += lambda d;   g += lambda A d
 *     a = d.d/d.A d  after odd steps,   d.A d/|A d|^2  after even ones
 *
 * f is quadratic, so the line search costs no product: a step costs one product with A and one
 * projection. Memory: 3 n reals. Handles every closed convex set whose projection is known,
 * including rolling contacts. Converges for symmetric positive semidefinite A to a minimiser where
 * there is one [birgin-martinez-raydan-2000; dai-fletcher-2005]; for contacts the best of the
 * first-order methods on walls and piles [heyn-2013], slow when the condition of A exceeds
 * 1e6. The gradient is recomputed every 25 steps. A start near the solution saves steps.
 *
 * Where f is unbounded below the iterates diverge; perp_solve tries their direction as a
 * certificate. */
#include <config.h>

#include "base/base.h"
#include "project.h"
#include "vectors.h"

enum {
    MEMORY = 10,  /* values of f that the line search compares with */
    REFRESH = 25, /* steps between recomputed gradients */
    HALVINGS = 30 /* of lambda: at 0.5^30 a step is lost in rounding */
};

static const double decrease = 1e-4; /* required of f, relative to its slope */
static const double a_most = 1e12;   /* times 1/|A| */
static const double a_least = 1e-12;
static const double a_flat = 1e10; /* where A d has no component along d */

typedef struct spg_state {
    const perp_problem *p;
    perp_projection projection;
    double norm; /* estimate of |A| */
    double a;
    double *g, *d, *Ad;
    double f[MEMORY]; /* of the last points, minus that of the current one */
    size_t steps, since;
    bool fresh; /* the gradient was recomputed at this point */
} spg_state;

static void spg_gradient(spg_state *s, perp_result *r)
{
    perp_operator_apply(s->p->A, r->z, s->g);
    vec_add(s->p->n, 1.0, s->p->b, s->g);
    r->work.products += 1.0;
    s->since = 0;
    s->fresh = true;
}

static void spg_start(spg_state *s, perp_result *r)
{
    perp_projection_apply(&s->projection, r->z);
    spg_gradient(s, r);
    memset(s->f, 0, sizeof s->f);
    s->steps = 0;
    s->a = s->norm > 0.0 ? 1.0 / s->norm : 1.0;
}

static perp_status spg_setup(void *vstate, const perp_problem *p, const perp_options *opt,
                             perp_workspace *ws, perp_result *r, perp_error *err)
{
    spg_state *s = vstate;
    (void)opt;

    s->p = p;
    s->g = perp_workspace_reals(ws, p->n);
    s->d = perp_workspace_reals(ws, p->n);
    s->Ad = perp_workspace_reals(ws, p->n);
    TRY(perp_workspace_status(ws, err));
    if (!perp_projection_init(&s->projection, p->set, ws) ||
        !perp_norm_estimate(p->A, ws, &s->norm, r)) {
        return perp_fail(err, PERP_ERR_MEMORY, "spg: no memory for %zu rows", p->n);
    }
    spg_start(s, r);
    return PERP_OK;
}

static perp_status spg_resume(void *vstate, double shift, perp_result *r, perp_error *err)
{
    spg_state *s = vstate;
    double a = s->a;
    (void)err; /* nothing is taken */

    s->norm += shift;
    perp_projection_refresh(&s->projection);
    spg_start(s, r);
    s->a = a; /* the spectrum is nearly what it was */
    return PERP_OK;
}

/* The rounding error of a change of f. A projected point is ulps away from the boundary, where
 * the gradient does not vanish: f cannot judge the last digits of x, and steps that change only
 * these are accepted. */
static double spg_rounding(const spg_state *s, const double *x)
{
    size_t n = s->p->n;

    return 16.0 * DBL_EPSILON * sqrt(vec_dot(n, x, x) * vec_dot(n, s->g, s->g));
}

/* The length of the step along d, from the slope and the curvature of f there. */
static double spg_search(spg_state *s, double slope, double curvature, const double *x)
{
    double most = 0.0;
    double lambda = 1.0;
    double all = slope + 0.5 * curvature; /* change of f over the whole step */

    for (size_t j = 0; j < MEMORY; j++) {
        most = fmax(most, s->f[j]);
    }
    if (all <= most + decrease * slope || all <= spg_rounding(s, x)) {
        return 1.0;
    }
    for (int j = 0; j < HALVINGS; j++) {
        double change = 0.0;

        lambda = fmin(fmax(-slope / curvature, 0.1 * lambda), 0.5 * lambda);
        change = lambda * (slope + 0.5 * lambda * curvature);
        if (change <= most + decrease * lambda * slope) {
            break;
        }
    }
    return lambda;
}

/* Differences of f, so that they are precise also where f itself has no digits left. */
static void spg_record(spg_state *s, double change)
{
    for (size_t j = 0; j < MEMORY; j++) {
        s->f[j] -= change;
    }
    s->f[s->steps % MEMORY] = 0.0;
}

/* The next a, from the step that was taken. */
static void spg_update_length(spg_state *s, double dd, double curvature, double AdAd)
{
    double unit = s->norm > 0.0 ? 1.0 / s->norm : 1.0;
    double a = a_flat * unit;

    if (curvature > 0.0) {
        a = s->steps % 2 == 1 ? dd / curvature : curvature / AdAd;
    }
    s->a = fmin(fmax(a, a_least * unit), a_most * unit);
}

/* No descent: with a recomputed gradient x is a minimiser up to rounding. */
static perp_status spg_no_descent(spg_state *s, double dd, perp_result *r)
{
    double unit = s->norm > 0.0 ? 1.0 / s->norm : 1.0;

    if (!isfinite(dd)) {
        return perp_result_end(r, PERP_STALLED, "spg: the gradient is not finite");
    }
    if (s->fresh && s->a == unit) {
        return perp_result_end(r, PERP_SOLVED,
                               "spg: the projected gradient is zero to rounding");
    }
    spg_gradient(s, r);
    s->a = unit;
    return PERP_OK;
}

static perp_status spg_iterate(void *vstate, perp_result *r, perp_error *err)
{
    spg_state *s = vstate;
    size_t n = s->p->n;
    double slope = 0.0;
    double AdAd = 0.0;
    double curvature = 0.0;
    double dd = 0.0;
    double lambda = 0.0;
    (void)err; /* a step cannot fail */

    vec_combine(n, r->z, -s->a, s->g, s->d);
    perp_projection_apply(&s->projection, s->d);
    r->work.projections += (double)s->p->set->count;
    dd = vec_subtract(n, r->z, s->g, s->d, &slope);
    if (!(dd > 0.0 && isfinite(dd)) || !(slope < 0.0 || slope <= spg_rounding(s, r->z))) {
        return spg_no_descent(s, dd, r);
    }
    perp_operator_apply(s->p->A, s->d, s->Ad);
    r->work.products += 1.0;
    curvature = vec_dots(n, s->d, s->Ad, &AdAd);
    lambda = spg_search(s, slope, curvature, r->z);
    vec_add(n, lambda, s->d, r->z);
    s->steps++;
    s->fresh = false;
    if (++s->since >= REFRESH ||
        !(curvature > 0.0)) { /* a long step destroys all digits */
        spg_gradient(s, r);
    } else {
        vec_add(n, lambda, s->Ad, s->g);
    }
    spg_record(s, lambda * (slope + 0.5 * lambda * curvature));
    spg_update_length(s, dd, curvature, AdAd);
    return PERP_OK;
}

static const perp_option spg_options[] = {
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_spg = {
    .name = "spg",
    .family = "gradient",
    .summary = "spectral projected gradient (Barzilai-Borwein), one product per step",
    .reference = "birgin-martinez-raydan-2000",
    .algorithm = "spectral projected gradient [birgin-martinez-raydan-2000] "
                 "[dai-fletcher-2005]",
    .additions = "the two Barzilai-Borwein steps alternate; gradient recomputed "
                 "every 25 steps",
    .sets = PERP_SETS(FREE, NONNEG, BOX, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(SYMMETRIC, POSITIVE_SEMIDEFINITE),
    .flags = PERP_FLAGS(USES_START, RESUME_READS_SET),
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .check_every = 10,
    .options = spg_options,
    .state_size = sizeof(spg_state),
    .setup = spg_setup,
    .iterate = spg_iterate,
    .resume = spg_resume, /* no close: all its memory is in the workspace */
};
