/* SPDX-License-Identifier: Apache-2.0
 * gradient/apgd.c: accelerated projected gradient descent with an adaptive step and restarts.
 *
 *     min f(x) = 1/2 x.A x + b.x  over  x in K
 *
 *     x+ = P_K(y - (A y + b)/L);   L doubles until (x+ - y).A (x+ - y) <= L |x+ - y|^2
 *     theta+ from theta+^2 = (1 - theta+) theta^2;   beta = theta (1 - theta)/(theta^2 + theta+)
 *     y = x+ + beta (x+ - x);   but y = x+, theta+ = 1 where (A y + b).(x+ - x) > 0
 *     L *= 0.9
 *
 * Nesterov's method as made for contacts of granular matter [mazhar-2015]. A y is formed from
 * A x+ and A x by linearity, so a step costs one product with A, and one more for each
 * doubling of L (about one in seven steps), where the paper needs two; memory: 6 n reals. The error
 * in f falls as 1/k^2 for symmetric positive semidefinite A, with restarts linearly where A is
 * definite. Robust also where spg is not; about twice its products elsewhere. The
 * residual is not monotone. A start near the solution saves steps.
 *
 * Where f is unbounded below the iterates diverge; perp_solve tries their direction as a
 * certificate. */
#include <config.h>

#include "project.h"
#include "vectors.h"

enum {
    DOUBLINGS = 60 /* of L in one step: the curvature is then not finite */
};

static const double relax = 0.9;   /* of L after each step */
static const double least = 1e-12; /* part of the first L: it must not decay to 0 */

typedef struct apgd_state {
    const perp_problem *p;
    perp_projection projection;
    double L, theta;
    double L_least;
    double *y, *Ay, *Ax; /* at the extrapolated point and at x = r->z */
    double *next, *Anext;
    double *step; /* next - y, then next - x */
} apgd_state;

/* A times `x`, counted. */
static void apgd_product(const apgd_state *s, const double *x, double *Ax, perp_result *r)
{
    perp_operator_apply(s->p->A, x, Ax);
    r->work.products += 1.0;
}

static void apgd_start(apgd_state *s, perp_result *r)
{
    size_t n = s->p->n;

    perp_projection_apply(&s->projection, r->z);
    apgd_product(s, r->z, s->Ax, r);
    memcpy(s->y, r->z, n * sizeof *s->y);
    memcpy(s->Ay, s->Ax, n * sizeof *s->Ay);
    s->theta = 1.0;
}

/* |A 1|/|1|: no larger than |A|; the doublings find the rest. */
static double apgd_first_curvature(apgd_state *s, perp_result *r)
{
    size_t n = s->p->n;

    for (size_t i = 0; i < n; i++) {
        s->next[i] = 1.0;
    }
    apgd_product(s, s->next, s->Anext, r);
    return sqrt(vec_dot(n, s->Anext, s->Anext) / (double)(n ? n : 1));
}

static perp_status apgd_setup(void *vstate, const perp_problem *p,
                              const perp_options *opt, perp_workspace *ws, perp_result *r,
                              perp_error *err)
{
    apgd_state *s = vstate;
    double **vectors[] = {&s->y, &s->Ay, &s->Ax, &s->next, &s->Anext, &s->step};
    perp_status status = PERP_OK;
    (void)opt;

    s->p = p;
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        *vectors[k] = perp_workspace_reals(ws, p->n);
    }
    status = perp_workspace_status(ws, err);
    if (status != PERP_OK) {
        return status;
    }
    if (!perp_projection_init(&s->projection, p->set, ws)) {
        return perp_fail(err, PERP_ERR_MEMORY, "apgd: no memory for %zu rows", p->n);
    }
    s->L = apgd_first_curvature(s, r);
    if (!(s->L > 0.0)) {
        s->L = 1.0; /* A 1 = 0: any positive number, doubled as needed */
    }
    s->L_least = least * s->L;
    apgd_start(s, r);
    return PERP_OK;
}

static perp_status apgd_resume(void *vstate, double shift, perp_result *r,
                               perp_error *err)
{
    apgd_state *s = vstate;
    (void)err; /* nothing is taken */

    s->L += fmax(shift, 0.0);
    perp_projection_refresh(&s->projection);
    apgd_start(s, r);
    return PERP_OK;
}

/* The rounding error of d.A d, formed from A next and A y: 16 ulps of them. */
static double apgd_rounding(const apgd_state *s, double dd)
{
    return 16.0 * DBL_EPSILON * sqrt(dd * vec_dot(s->p->n, s->Ay, s->Ay));
}

/* next := P_K(y - g/L) with an L that bounds the curvature towards it; |next - y|^2. */
static double apgd_project(apgd_state *s, perp_result *r)
{
    size_t n = s->p->n;
    const double *b = s->p->b;

    for (int j = 0; j < DOUBLINGS; j++) {
        double step = 1.0 / s->L;
        double dd = 0.0;
        double dAd = 0.0;

        for (size_t i = 0; i < n; i++) {
            s->next[i] = s->y[i] - step * (s->Ay[i] + b[i]);
        }
        perp_projection_apply(&s->projection, s->next);
        r->work.projections += (double)s->p->set->count;
        apgd_product(s, s->next, s->Anext, r);
        dd = vec_differences(n, s->next, s->y, s->Anext, s->Ay, &dAd);
        if (dAd <= s->L * dd || dAd <= s->L * dd + apgd_rounding(s, dd)) {
            return dd;
        }
        if (!isfinite(dAd)) {
            break;
        }
        s->L *= 2.0;
    }
    return INFINITY;
}

/* The next point y: extrapolated, or the new point itself when the last step went uphill. */
static void apgd_extrapolate(apgd_state *s, perp_result *r)
{
    size_t n = s->p->n;
    double theta2 = s->theta * s->theta;
    double theta = 0.5 * (s->theta * sqrt(theta2 + 4.0) - theta2);
    double beta = s->theta * (1.0 - s->theta) / (theta2 + theta);
    double uphill = 0.0;

    for (size_t i = 0; i < n; i++) {
        s->step[i] = s->next[i] - r->z[i];
        uphill += (s->Ay[i] + s->p->b[i]) * s->step[i];
    }
    if (uphill > 0.0) {
        beta = 0.0;
        theta = 1.0;
    }
    for (size_t i = 0; i < n; i++) {
        s->y[i] = s->next[i] + beta * s->step[i];
        s->Ay[i] = s->Anext[i] + beta * (s->Anext[i] - s->Ax[i]);
    }
    s->theta = theta;
}

static perp_status apgd_iterate(void *vstate, perp_result *r, perp_error *err)
{
    apgd_state *s = vstate;
    double *product = NULL;
    double moved = apgd_project(s, r);
    (void)err; /* a step cannot fail */

    if (!isfinite(moved)) {
        return perp_result_end(r, PERP_STALLED, "apgd: the gradient is not finite");
    }
    if (moved == 0.0 && s->theta == 1.0) {
        return perp_result_end(r, PERP_SOLVED, "apgd: the projected gradient is zero");
    }
    apgd_extrapolate(s, r);
    memcpy(r->z, s->next, s->p->n * sizeof *r->z);
    product = s->Ax;
    s->Ax = s->Anext;
    s->Anext = product;
    s->L = fmax(s->L * relax, s->L_least);
    return PERP_OK;
}

static const perp_option apgd_options[] = {
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_apgd = {
    .name = "apgd",
    .family = "gradient",
    .summary = "accelerated projected gradient (Nesterov) with restarts",
    .reference = "mazhar-2015",
    .algorithm = "accelerated projected gradient descent [mazhar-2015]",
    .additions = "A y by linearity, so that a step costs one product",
    .sets = PERP_SETS(FREE, NONNEG, BOX, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(SYMMETRIC, POSITIVE_SEMIDEFINITE),
    .flags = PERP_FLAGS(USES_START, RESUME_READS_SET),
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .check_every = 10,
    .options = apgd_options,
    .state_size = sizeof(apgd_state),
    .setup = apgd_setup,
    .iterate = apgd_iterate,
    .resume = apgd_resume, /* no close: all its memory is in the workspace */
};
