/* SPDX-License-Identifier: Apache-2.0
 * splitting/nncg.c: nonsmooth nonlinear conjugate gradients around a sweep.
 *
 *     z_k+1 <- S(y_k),   g <- y_k - z_k+1,   beta <- |g|^2/|g_before|^2  (Fletcher-Reeves)
 *     beta <= 1:   y_k+1 <- z_k+1 + beta p,  p <- beta p - g
 *     beta > 1:    y_k+1 <- z_k+1,           p <- -g             restart
 *
 * S is one sweep of pgs; its step takes the place of the gradient of the function that the sweeps
 * minimise [silcowitz-niebe-erleben-2010]. Norms are weighted by A_ii, so that they do not depend
 * on units. The result is always the end of a sweep, hence in the set.
 *
 * For symmetric positive semidefinite A, without a proof of convergence: mostly it needs half to
 * nine tenths of the sweeps of pgs, a third on ill-conditioned problems, and more where pgs is
 * fast. When the least |g| has not decreased in 100 iterations, plain sweeps continue from the
 * best point; the solution path reports it.
 *
 * Cost per iteration: one sweep and four reals per row. Memory: 5 reals per row in addition to
 * pgs. Contacts of one pair of bodies are solved together as in nsgs. Orders, warm start,
 * certificates and stall: as pgs. */
#include <config.h>

#include "base/base.h"
#include "core/solver_used.h"
#include "extrapolate.h"

typedef struct nncg_state {
    extrapolation points;
    double *p;       /* n: conjugate direction */
    double squared;  /* |g|^2 of the last iterate; infinite: none yet */
    bool plain_only; /* it continues by plain sweeps */
} nncg_state;

static void nncg_start(nncg_state *s, const perp_result *r)
{
    perp_extrapolation_start(&s->points, r);
    memset(s->p, 0, s->points.n * sizeof *s->p);
    s->squared = INFINITY;
    s->plain_only = false;
}

static perp_status nncg_setup(void *vstate, const perp_problem *p,
                              const perp_options *opt, perp_workspace *ws, perp_result *r,
                              perp_error *err)
{
    nncg_state *s = vstate;

    TRY(perp_extrapolation_setup(&s->points, perp_solver_nncg.name, p, opt, ws, r, err));
    s->p = perp_workspace_reals(ws, p->n);
    if (!s->p) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for directions of %zu rows",
                         p->n);
    }
    nncg_start(s, r);
    return PERP_OK;
}

/* From the sweep y -> z to the next point y. */
static void nncg_update_direction(nncg_state *s, const double *z, double squared)
{
    double *y = s->points.y;
    double beta = squared / s->squared;
    bool restart = !(beta <= 1.0); /* also at first, and when |g| is 0 or NaN */

    for (size_t i = 0; i < s->points.n; i++) {
        double g = y[i] - z[i];

        if (restart) {
            y[i] = z[i];
            s->p[i] = -g;
        } else {
            y[i] = z[i] + beta * s->p[i];
            s->p[i] = beta * s->p[i] - g;
        }
    }
    s->squared = squared;
}

static void nncg_fall_back(nncg_state *s, perp_result *r)
{
    perp_result_log(r, "nncg: plain sweeps from iterate %zu on, the best was %zu",
                    r->iterations, s->points.found);
    s->plain_only = true;
    perp_extrapolation_return(&s->points, r);
}

static perp_status nncg_iterate(void *vstate, perp_result *r, perp_error *err)
{
    nncg_state *s = vstate;
    perp_status status = PERP_OK;
    double squared = 0.0;
    bool lost = false;

    if (s->plain_only) {
        return perp_sweep_iterate(&s->points.sweep, r, err);
    }
    status = perp_extrapolation_sweep(&s->points, &squared, &lost, r, err);
    if (status != PERP_OK || r->outcome != PERP_RUNNING) {
        return status;
    }
    if (lost) {
        nncg_fall_back(s, r);
    } else {
        nncg_update_direction(s, r->z, squared);
    }
    return PERP_OK;
}

static perp_status nncg_resume(void *vstate, double shift, perp_result *r,
                               perp_error *err)
{
    nncg_state *s = vstate;
    perp_status status = perp_extrapolation_resume(&s->points, shift, r, err);

    nncg_start(s, r);
    return status;
}

static const perp_option nncg_options[] = {
    PERP_REAL_OPEN("relaxation", 1.0, 0.0, 2.0,
                   "factor omega of the sweeps; 1 is Gauss-Seidel"),
    PERP_SWEEP_ORDER_OPTION,
    PERP_SWEEP_THREADS_OPTION,
    PERP_SWEEP_PATCHES_OPTION,
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_nncg = {
    .name = "nncg",
    .family = "splitting",
    .summary = "nonsmooth conjugate gradients around a Gauss-Seidel sweep",
    .reference = "silcowitz-niebe-erleben-2010",
    .algorithm = "nonsmooth nonlinear conjugate gradients "
                 "[silcowitz-niebe-erleben-2010]",
    .additions = "norms weighted by the diagonal of A; plain sweeps after "
                 "iterations without progress",
    .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(COULOMB, ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(POSITIVE_DIAGONAL),
    .flags = PERP_FLAGS(USES_START, SCALES_WITH_ROWS),
    .certificates = PERP_CERTIFICATES(SINGULAR, INFEASIBLE),
    .check_every = 10,
    .max_iterations = 100000,
    .stall = 2000,
    .options = nncg_options,
    .state_size = sizeof(nncg_state),
    .setup = nncg_setup,
    .iterate = nncg_iterate,
    .resume = nncg_resume,
};
