/* SPDX-License-Identifier: Apache-2.0
 * splitting/nncg.c: nonsmooth nonlinear conjugate gradients around a sweep.
 *
 *     z_k+1 <- S(y_k),   g <- y_k - z_k+1,   beta <- |g|^2/|g_before|^2  (Fletcher-Reeves)
 *     beta <= 1:   y_k+1 <- z_k+1 + beta p,  p <- beta p - g
 *     beta > 1:    y_k+1 <- z_k+1,           p <- -g             begun anew
 *
 * S is one sweep of pgs; the step it makes stands for the gradient of what the sweeps
 * minimise [silcowitz-niebe-erleben-2010]. Norms are weighted by A_ii, so that units do not
 * matter. What is returned has always just been swept, hence lies in the set.
 *
 * For symmetric positive semidefinite A, without promise: it mostly takes half to nine tenths
 * of the sweeps of pgs, a third on ill-conditioned ones, and more where pgs is fast. Where the
 * least |g| has not fallen in 100 iterates it has lost its way: plain sweeps then go on from
 * the best point, and what ran says so.
 *
 * Cost: one sweep and four reals a row each; memory: 5 reals a row beyond pgs. Orders, warm
 * start, certificates and the end of it: as pgs. */
#include <config.h>

#include "plain.h"

/* Where it works |g| falls every few iterates; on a bad stretch it was seen to wait for 60. */
enum { PATIENCE = 100 };

typedef struct nncg_state {
    plain plain; /* the sweeps, and what they do after a fall back */
    size_t n;
    double *weight;  /* n: mean diagonal of the block */
    double *y;       /* n: point to sweep next */
    double *p;       /* n: conjugate direction */
    double *best;    /* n: where |g| was least */
    double squared;  /* |g|^2 of the last iterate; infinite: none yet */
    double least;    /* |g|^2 at `best` */
    size_t found;    /* iteration of `best` */
    bool plain_only; /* it has fallen back */
} nncg_state;

static void nncg_begin(nncg_state *s, const perp_result *r)
{
    memcpy(s->y, r->z, s->n * sizeof *s->y);
    memcpy(s->best, r->z, s->n * sizeof *s->best);
    memset(s->p, 0, s->n * sizeof *s->p);
    s->squared = s->least = INFINITY;
    s->found = r->iterations;
    s->plain_only = false;
}

static void nncg_weigh(nncg_state *s)
{
    const local_blocks *blocks = &s->plain.sweep.blocks;

    for (size_t place = 0; place < blocks->count; place++) {
        const perp_block *block = &blocks->at[place];

        for (unsigned i = 0; i < block->dim; i++) {
            s->weight[block->first + i] = blocks->weight[place];
        }
    }
}

static perp_status nncg_setup(void *vstate, const perp_problem *p,
                              const perp_options *opt, perp_workspace *ws, perp_result *r,
                              perp_error *err)
{
    nncg_state *s = vstate;
    perp_status status =
        perp_plain_setup(&s->plain, false, &perp_solver_nncg, p, opt, ws, r, err);

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
    nncg_weigh(s);
    nncg_begin(s, r);
    return PERP_OK;
}

/* From the sweep y -> z to the next point y. */
static void nncg_direct(nncg_state *s, const double *z, double squared)
{
    double beta = squared / s->squared;
    bool anew = !(beta <= 1.0); /* also at first, and when |g| is 0 or NaN */

    for (size_t i = 0; i < s->n; i++) {
        double g = s->y[i] - z[i];

        if (anew) {
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
    perp_sweep_moved(&s->plain.sweep);
    r->restarted = r->iterations;
}

static perp_status nncg_iterate(void *vstate, perp_result *r, perp_error *err)
{
    nncg_state *s = vstate;
    perp_status status = PERP_OK;
    double squared = 0.0;

    if (s->plain_only) {
        return perp_plain_iterate(&s->plain, r, err);
    }
    memcpy(r->z, s->y, s->n * sizeof *s->y);
    perp_sweep_moved(&s->plain.sweep);
    status = perp_plain_iterate(&s->plain, r, err);
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
        nncg_direct(s, r->z, squared);
    }
    return PERP_OK;
}

static perp_status nncg_resume(void *vstate, double shift, perp_result *r,
                               perp_error *err)
{
    nncg_state *s = vstate;
    perp_status status = perp_plain_resume(&s->plain, shift, r, err);

    nncg_weigh(s);
    nncg_begin(s, r);
    return status;
}

static void nncg_close(void *vstate)
{
    nncg_state *s = vstate;

    perp_plain_close(&s->plain);
}

static const perp_option nncg_options[] = {
    SWEEP_OPTIONS(1.0, "factor omega of the sweeps; 1 is Gauss-Seidel"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_nncg = {
    .name = "nncg",
    .family = "splitting",
    .summary = "nonsmooth conjugate gradients around a Gauss-Seidel sweep",
    .reference = "silcowitz-niebe-erleben-2010",
    SWEEP_TAKES,
    .max_iterations = PLAIN_ITERATIONS,
    .stall = PLAIN_STALL,
    .options = nncg_options,
    .state_size = sizeof(nncg_state),
    .setup = nncg_setup,
    .iterate = nncg_iterate,
    .resume = nncg_resume,
    .close = nncg_close,
};
