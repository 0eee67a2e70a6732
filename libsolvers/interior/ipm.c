/* SPDX-License-Identifier: Apache-2.0
 * interior/ipm.c: Mehrotra's predictor and corrector for complementarity with bounds.
 *
 *     A z + b = v_l - v_u,   s_l = z - lo,  s_u = hi - z,   s, v > 0,   s_i v_i = m -> 0
 *     (A + diag(v_l/s_l + v_u/s_u)) dz = ...   once factored, solved twice a step
 *
 * Works for monotone A (positive semidefinite, of any symmetry) and for most P and P* ones:
 * 4 to 13 steps whatever the size, up to 30 where rows are degenerate [mehrotra-1992;
 * wright-1997; kojima-megiddo-noma-yoshise-1991]. FREE rows are equations with 1e-10 on their
 * diagonal. Cholesky where A is symmetric, LU else; CSR stays sparse. One factorisation, two
 * solves and one product a step; memory: two matrices like A, 12 reals a row, 25 a bound.
 *
 * Ends by a crossover: from mu = 1e-6 on the active set is read from the point and the free
 * rows are solved exactly (crossover.h), so that answers have exact zeros and machine
 * precision. A start that is given is first tried for its active set: near a solution that
 * is all. Otherwise it is moved inside to max(z, d), max(w, d) and followed from there.
 *
 * Where z grows for ever its direction, improved by inverse iteration, is tried as certificate
 * of infeasibility (ray.h). A problem without
 * interior, or an A that is not monotone, may end in tiny steps or a singular system, and
 * says so. */
#include <config.h>

#include "crossover.h"

static const double crossover_mu = 1e-6;
static const double crossover_again = 1e-2; /* of mu, after a set that was not yet it */
/* RES of a start from which its active set is worth a factorisation. */
static const double near_start = 1e-1;
/* Part of beta that slacks and multipliers of a given start have at least. */
static const double warm_least = 1e-3;

typedef struct ipm_state {
    perp_path path;
    perp_crossover crossover;
    double tolerance;
    double cross_mu; /* below it a crossover is tried */
    bool cross;      /* option */
    bool warm;       /* r->z is a start to be tried */
    double *trial;
} ipm_state;

static void ipm_begin(ipm_state *s, perp_result *r)
{
    s->warm = r->warm;
    s->cross_mu = crossover_mu;
    perp_path_start(&s->path, r->z, s->warm ? warm_least : 1.0, r);
}

static perp_status ipm_setup(void *vstate, const perp_problem *p, const perp_options *opt,
                             perp_workspace *ws, perp_result *r, perp_error *err)
{
    ipm_state *s = vstate;
    perp_status status = perp_path_open(&s->path, p, ws, err);

    if (status != PERP_OK) {
        return perp_fail_in(err, status, "ipm");
    }
    s->tolerance = perp_options_real(opt, "tolerance");
    s->cross = perp_options_switch(opt, "crossover");
    s->trial = perp_workspace_reals(ws, p->n);
    if (!s->trial || !perp_crossover_init(&s->crossover, p->n, ws)) {
        return perp_fail(err, PERP_ERR_MEMORY, "ipm: no memory for %zu rows", p->n);
    }
    perp_result_log(r, "ipm");
    ipm_begin(s, r);
    return PERP_OK;
}

static perp_status ipm_resume(void *vstate, double shift, perp_result *r, perp_error *err)
{
    ipm_state *s = vstate;
    perp_status status = perp_path_resume(&s->path, err);

    (void)shift; /* is read from A */
    if (status == PERP_OK) {
        ipm_begin(s, r);
    }
    return status;
}

/* Steps on the active set that is read from r->z, of this RES. */
static perp_status ipm_cross(ipm_state *s, double residual, perp_result *r,
                             perp_error *err)
{
    perp_status status = PERP_OK;

    memcpy(s->trial, r->z, r->n * sizeof *r->z);
    status =
        perp_crossover_run(&s->crossover, &s->path, s->trial, &residual, &r->work, err);
    if (status != PERP_OK || s->crossover.steps == 0) {
        return status;
    }
    memcpy(r->z, s->trial, r->n * sizeof *r->z);
    if (residual <= s->tolerance) {
        perp_result_log(r, "crossover: %zu step%s on an active set of %zu rows",
                        s->crossover.steps, s->crossover.steps == 1 ? "" : "s",
                        s->crossover.rank);
        return perp_result_end(r, PERP_SOLVED, "ipm: solved at mu = %.1e",
                               perp_path_mu(&s->path));
    }
    return PERP_OK;
}

static perp_status ipm_iterate(void *vstate, perp_result *r, perp_error *err)
{
    ipm_state *s = vstate;
    perp_path *t = &s->path;
    double residual = 0.0;
    perp_status status = PERP_OK;

    if (s->warm && s->cross) {
        s->warm = false;
        residual = perp_judge_residual(t->judge, r->z);
        r->work.products += 1.0;
        if (residual <= near_start) {
            status = ipm_cross(s, residual, r, err);
            if (status != PERP_OK || r->outcome != PERP_RUNNING) {
                return status;
            }
        }
    }
    status = perp_path_step(t, "ipm", r, err);
    if (status != PERP_OK || r->outcome == PERP_INFEASIBLE) {
        return status;
    }
    memcpy(r->z, t->z, r->n * sizeof *r->z);
    if (r->outcome != PERP_RUNNING) { /* the judge may have seen a crossover since */
        perp_judge_residual(t->judge, t->z);
        r->work.products += 1.0;
    }
    if (s->cross && (perp_path_mu(t) <= s->cross_mu || t->residual <= s->tolerance ||
                     r->outcome != PERP_RUNNING)) {
        s->cross_mu = crossover_again * perp_path_mu(t);
        return ipm_cross(s, t->residual, r, err);
    }
    return PERP_OK;
}

static void ipm_close(void *vstate)
{
    ipm_state *s = vstate;

    perp_path_close(&s->path);
}

static const perp_option ipm_options[] = {
    PERP_SWITCH("crossover", 1, "end by exact steps on the active set"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_ipm = {
    .name = "ipm",
    .family = "interior",
    .summary = "Mehrotra's interior point method for LCP and bounds, with crossover",
    .reference = "mehrotra-1992",
    .sets = PERP_SETS(FREE, NONNEG, BOX),
    .storages = PERP_STORAGES(DENSE, CSR, BSR),
    .demands = PERP_DEMANDS(POSITIVE_SEMIDEFINITE),
    .flags = PERP_FLAGS(USES_START, RESUME_READS_SET),
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .check_every = 1,
    .max_iterations = 200,
    .options = ipm_options,
    .state_size = sizeof(ipm_state),
    .setup = ipm_setup,
    .iterate = ipm_iterate,
    .resume = ipm_resume,
    .close = ipm_close,
};
