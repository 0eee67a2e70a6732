/* SPDX-License-Identifier: Apache-2.0
 * interior/ipm.c: Mehrotra's predictor and corrector for complementarity with bounds.
 *
 *     A z + b = v_l - v_u,   s_l = z - lo,  s_u = hi - z,   s, v > 0,   s_i v_i = m -> 0
 *     (A + diag(v_l/s_l + v_u/s_u)) dz = ...   one factorisation, two solves per step
 *
 * Works for monotone A (positive semidefinite, symmetric or not) and for most P and P* matrices:
 * 4 to 13 steps independent of size, up to 30 where rows are degenerate [mehrotra-1992;
 * wright-1997; kojima-megiddo-noma-yoshise-1991]. FREE rows are equations with 1e-10 on their
 * diagonal. Systems are factored by Cholesky where A is symmetric, else by LU; CSR stays sparse.
 * A step costs one factorisation, two solves and one product. Memory: two matrices like A, 12
 * reals per row, 25 per bound.
 *
 * The last phase is a crossover: from mu = 1e-6 on the active set is read from the point and the
 * free rows are solved exactly (crossover.h), so that answers have exact zeros and machine
 * precision. The active set of a given start is tried first, which suffices near a solution.
 * Otherwise the start is moved inside to max(z, d), max(w, d) and the path begins there.
 *
 * Where z grows without bound its direction, improved by inverse iteration, is tried as a
 * certificate of infeasibility (ray.h). On a problem without interior, or where A is not
 * monotone, the method may end in tiny steps or a singular system, which the reason reports. */
#include <config.h>

#include "base/base.h"
#include "crossover.h"

static const double crossover_mu = 1e-6;
static const double crossover_again =
    1e-2; /* of mu, after a set that was not the right one */
/* Residual of a start below which its active set is worth a factorisation. */
static const double near_start = 1e-1;
/* Least slacks and multipliers of a given start, relative to beta. */
static const double warm_least = 1e-3;

typedef struct ipm_state {
    perp_path path;
    perp_crossover crossover;
    double tolerance;
    double cross_mu; /* below it a crossover is tried */
    bool cross;      /* option */
    bool warm;       /* the active set of the start is still to be tried */
    double *trial;
} ipm_state;

static void ipm_start(ipm_state *s, perp_result *r)
{
    s->warm = r->run.warm;
    s->cross_mu = crossover_mu;
    perp_path_start(&s->path, r->z, s->warm ? warm_least : 1.0, r);
}

static perp_status ipm_setup(void *vstate, const perp_problem *p, const perp_options *opt,
                             perp_workspace *ws, perp_result *r, perp_error *err)
{
    ipm_state *s = vstate;
    perp_status status = perp_path_setup(&s->path, p, PERP_PATH_SHIFTED, ws, err);

    if (status != PERP_OK) {
        return perp_fail_in(err, status, "ipm");
    }
    s->tolerance = perp_options_real(opt, "tolerance");
    s->cross = perp_options_switch(opt, "crossover");
    s->trial = perp_workspace_reals(ws, p->n);
    perp_crossover_alloc(&s->crossover, p->n, ws);
    status = perp_workspace_status(ws, err);
    if (status != PERP_OK) {
        return perp_fail_in(err, status, "ipm");
    }
    perp_result_log(r, "ipm");
    ipm_start(s, r);
    return PERP_OK;
}

static perp_status ipm_resume(void *vstate, double shift, perp_result *r, perp_error *err)
{
    ipm_state *s = vstate;

    (void)shift; /* A has it already */
    TRY(perp_path_resume(&s->path, err));
    ipm_start(s, r);
    return PERP_OK;
}

/* Steps on the active set that is read from r->z, whose residual is given. */
static perp_status ipm_crossover(ipm_state *s, double residual, perp_result *r,
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
            status = ipm_crossover(s, residual, r, err);
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
    if (r->outcome != PERP_RUNNING) { /* the judge may have judged the crossover last */
        perp_judge_residual(t->judge, t->z);
        r->work.products += 1.0;
    }
    if (s->cross && (perp_path_mu(t) <= s->cross_mu || t->residual <= s->tolerance ||
                     r->outcome != PERP_RUNNING)) {
        s->cross_mu = crossover_again * perp_path_mu(t);
        return ipm_crossover(s, t->residual, r, err);
    }
    return PERP_OK;
}

static void ipm_close(void *vstate)
{
    ipm_state *s = vstate;

    perp_path_close(&s->path);
}

static const perp_option ipm_options[] = {
    PERP_SWITCH("crossover", 1, "end with exact steps on the active set"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_ipm = {
    .name = "ipm",
    .family = "interior",
    .summary = "Mehrotra's interior point method for LCP and bounds, with crossover",
    .reference = "mehrotra-1992",
    .algorithm = "Mehrotra's predictor-corrector interior point method "
                 "[mehrotra-1992] [wright-1997]",
    .additions = "any monotone A; crossover to the exact solution of the active "
                 "set; start from an active set",
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
