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

#include "sweep.h"

/* Where the method converges |g| decreases every few iterations; at worst 60 were observed. */
enum { PATIENCE = 100 };

typedef struct nncg_state {
    sweep sweep;
    size_t n;
    double *weight;  /* n: mean diagonal of the block */
    double *y;       /* n: point to sweep next */
    double *p;       /* n: conjugate direction */
    double *best;    /* n: where |g| was least */
    double squared;  /* |g|^2 of the last iterate; infinite: none yet */
    double least;    /* |g|^2 at `best` */
    size_t found;    /* iteration of `best` */
    bool plain_only; /* it continues by plain sweeps */
} nncg_state;

static void nncg_start(nncg_state *s, const perp_result *r)
{
    memcpy(s->y, r->z, s->n * sizeof *s->y);
    memcpy(s->best, r->z, s->n * sizeof *s->best);
    memset(s->p, 0, s->n * sizeof *s->p);
    s->squared = s->least = INFINITY;
    s->found = r->iterations;
    s->plain_only = false;
}

static perp_status nncg_setup(void *vstate, const perp_problem *p,
                              const perp_options *opt, perp_workspace *ws, perp_result *r,
                              perp_error *err)
{
    nncg_state *s = vstate;
    perp_status status = PERP_OK;

    s->sweep.blocks.proximal = LOCAL_PROXIMAL;
    s->sweep.patches = perp_options_switch(opt, "patches");
    status = perp_sweep_setup(&s->sweep, perp_solver_nncg.name, p, opt, ws, r, err);
    if (status != PERP_OK) {
        return status;
    }
    s->n = p->n;
    s->weight = perp_workspace_reals(ws, p->n);
    s->y = perp_workspace_reals(ws, p->n);
    s->p = perp_workspace_reals(ws, p->n);
    s->best = perp_workspace_reals(ws, p->n);
    if (!s->weight || !s->y || !s->p || !s->best) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for directions of %zu rows",
                         p->n);
    }
    perp_sweep_weights(&s->sweep, s->weight);
    nncg_start(s, r);
    return PERP_OK;
}

/* From the sweep y -> z to the next point y. */
static void nncg_update_direction(nncg_state *s, const double *z, double squared)
{
    double beta = squared / s->squared;
    bool restart = !(beta <= 1.0); /* also at first, and when |g| is 0 or NaN */

    for (size_t i = 0; i < s->n; i++) {
        double g = s->y[i] - z[i];

        if (restart) {
            s->y[i] = z[i];
            s->p[i] = -g;
        } else {
            s->y[i] = z[i] + beta * s->p[i];
            s->p[i] = beta * s->p[i] - g;
        }
    }
    s->squared = squared;
}

static void nncg_fall_back(nncg_state *s, perp_result *r)
{
    perp_result_log(r, "nncg: plain sweeps from iterate %zu on, the best was %zu",
                    r->iterations, s->found);
    s->plain_only = true;
    memcpy(r->z, s->best, s->n * sizeof *s->best);
    perp_sweep_moved(&s->sweep);
    r->restarted = r->iterations;
}

static perp_status nncg_iterate(void *vstate, perp_result *r, perp_error *err)
{
    nncg_state *s = vstate;
    perp_status status = PERP_OK;
    double squared = 0.0;

    if (s->plain_only) {
        return perp_sweep_iterate(&s->sweep, r, err);
    }
    memcpy(r->z, s->y, s->n * sizeof *s->y);
    perp_sweep_moved(&s->sweep);
    status = perp_sweep_iterate(&s->sweep, r, err);
    if (status != PERP_OK || r->outcome != PERP_RUNNING) {
        return status;
    }
    for (size_t i = 0; i < s->n; i++) {
        double g = s->y[i] - r->z[i];

        squared += s->weight[i] * g * g;
    }
    if (squared < s->least) {
        s->least = squared;
        s->found = r->iterations;
        memcpy(s->best, r->z, s->n * sizeof *s->best);
    }
    if (r->iterations - s->found >= PATIENCE) {
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
    perp_status status = perp_sweep_resume(&s->sweep, shift, r, err);

    perp_sweep_weights(&s->sweep, s->weight);
    nncg_start(s, r);
    return status;
}

static void nncg_close(void *vstate)
{
    nncg_state *s = vstate;

    perp_sweep_close(&s->sweep);
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
    .flags = PERP_FLAGS(USES_START),
    .certificates = PERP_CERTIFICATES(SINGULAR, INFEASIBLE),
    .check_every = 10,
    .max_iterations = 100000,
    .stall = 2000,
    .options = nncg_options,
    .state_size = sizeof(nncg_state),
    .setup = nncg_setup,
    .iterate = nncg_iterate,
    .resume = nncg_resume,
    .close = nncg_close,
};
