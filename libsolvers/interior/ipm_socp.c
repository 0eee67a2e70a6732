/* SPDX-License-Identifier: Apache-2.0
 * interior/ipm_socp.c: an interior point method on cones with Nesterov-Todd scaling.
 *
 *     A z + b + shift = G^T v,   s = G z + g,   s, v in Lorentz cones and half lines, s o v -> 0
 *     (A + G^T H G) dz = ...     one factorisation, two solves per step
 *
 * Under the associated law (shift = 0) this is the convex problem on friction cones, disks and
 * bounds: 8 to 20 steps for positive semidefinite A, symmetric (Cholesky) or not (LU)
 * [nesterov-todd-1998; andersen-roos-terlaky-2003; vandenberghe-2010]. Under Coulomb's law the
 * normals are shifted by De Saxce's term mu |w_T| of each step, so that the path leads to Coulomb's
 * problem itself [acary-armand-nguyen-shpakovych-2024]; where it diverges, the shift is fixed for
 * up to 8 paths to convex problems.
 *
 * The scaling loses half of the digits where contacts slide. So from mu = 1e-6 on under Coulomb's
 * law and from 1e-11 on under the associated one (option crossover-mu) prox-newton takes over, one
 * of its steps per iteration; where it fails the path continues and it is tried again later.
 *
 * A step costs one factorisation, two to four solves with up to two refinements each and one
 * product. Memory: two matrices like A and those of prox-newton. A = J M^-1 J^T + C in factors is
 * solved in velocities (linear/velocity.h), which pays when contacts outnumber bodies.
 *
 * A start whose residual is below 0.1 (Coulomb's law) or 1e-6 (associated) is first passed to
 * prox-newton for some steps; under the associated law the path then begins near a start of
 * residual below 1. A path that ends without an answer begins again, cold. Certificate: the
 * direction of growing z (ray.h). */
#include <config.h>

#include "base/base.h"
#include "handover.h"
#include "path.h"

enum {
    REFINE = 2,       /* K is as ill conditioned as mu is small */
    FAILURES = 3,     /* times that Newton's method may fail */
    ROUNDS = 8,       /* of a shift_fixed shift, after which others should try */
    TRIALS = 20,      /* of its steps from a given start; near ones need 1 to 10 */
    SHORT_TRIALS = 5, /* of its steps from a point of a convex path, which take 1 to 5 */
    CORRECTORS = 3,   /* of a step to a convex problem: one in three saves a step */
};

/* Fraction of the step to the boundary: closer to it, det s of sliding contacts cancels. */
static const double step_fraction = 0.99;
static const double newton_eps = 1e-5;
static const double cross_coulomb = 1e-6, cross_associated = 1e-11;
/* Residual of a start that is passed to Newton. */
static const double near_coulomb = 1e-1, near_associated = 1e-6;
static const double warm_start = 1.0; /* residual of a start near which the path begins */
static const double refine_mu =
    1e-7; /* above it solves of convex paths need no refinement */
static const double crossover_again = 1e-2; /* of mu, after Newton's method failed */

typedef struct ipm_socp_state {
    const perp_problem *p;
    perp_path path;
    perp_handover newton;
    double cross_mu, cross_first; /* mu of the next crossover; of the first */
    bool in_crossover;            /* Newton's method is running, */
    bool from_start;              /* and from the given start */
    bool warm;                    /* the path began near the given start */
    bool path_ended;              /* with this outcome, for the reason in r */
    perp_outcome path_outcome;
    size_t path_steps, failures;
    size_t trial;          /* steps of Newton's method since it took over */
    double trial_residual; /* when they were last looked at */
    size_t rounds;         /* paths with a fixed shift */
} ipm_socp_state;

static perp_status ipm_socp_start_crossover(ipm_socp_state *s, perp_result *r,
                                            perp_error *err)
{
    s->in_crossover = true;
    s->trial = 0;
    s->trial_residual = s->path.residual;
    return perp_handover_start(&s->newton, r, err);
}

/* A start that is near a solution is first passed to Newton's method. */
static perp_status ipm_socp_start(ipm_socp_state *s, perp_result *r, perp_error *err)
{
    bool convex = !s->path.shift;
    double residual = INFINITY;

    s->path_steps = s->newton.steps = s->failures = 0;
    s->rounds = 0;
    s->in_crossover = s->path_ended = s->path.shift_fixed = false;
    s->cross_mu = s->cross_first;
    s->warm = false;
    if (perp_largest(r->n, r->z) > 0.0) {
        residual = perp_judge_residual(s->path.judge, r->z);
        s->warm = convex && residual <= warm_start;
    }
    if (s->warm) {
        perp_path_start_near(&s->path, r->z, residual, r);
    } else {
        perp_path_start(&s->path, r->z, 1.0, r);
    }
    s->from_start =
        s->cross_first > 0.0 && residual <= (convex ? near_associated : near_coulomb);
    return s->from_start ? ipm_socp_start_crossover(s, r, err) : PERP_OK;
}

static perp_status ipm_socp_prepare(ipm_socp_state *s, const perp_problem *p,
                                    const perp_options *opt, perp_workspace *ws,
                                    perp_result *r, perp_error *err)
{
    s->p = p;
    s->path.correctors = CORRECTORS;
    TRY(perp_path_setup(&s->path, p, PERP_PATH_SHIFTED, ws, err));
    s->path.step_fraction = step_fraction;
    s->cross_first = perp_options_real(opt, "crossover-mu");
    if (s->cross_first < 0.0) {
        s->cross_first = s->path.shift ? cross_coulomb : cross_associated;
    }
    TRY(perp_velocity_threads(&s->path.kkt.velocity,
                              (size_t)perp_options_integer(opt, "threads"), err));
    return perp_handover_setup(&s->newton, "ipm-socp", p,
                               perp_options_real(opt, "tolerance"), newton_eps,
                               s->cross_first > 0.0, ws, r, err);
}

static perp_status ipm_socp_setup(void *vstate, const perp_problem *p,
                                  const perp_options *opt, perp_workspace *ws,
                                  perp_result *r, perp_error *err)
{
    perp_status status = ipm_socp_prepare(vstate, p, opt, ws, r, err);

    return status == PERP_OK ? ipm_socp_start(vstate, r, err)
                             : perp_fail_in(err, status, "ipm-socp");
}

static perp_status ipm_socp_resume(void *vstate, double shift, perp_result *r,
                                   perp_error *err)
{
    ipm_socp_state *s = vstate;
    perp_status status = perp_path_resume(&s->path, err);

    s->newton.change += shift;
    return status == PERP_OK ? ipm_socp_start(s, r, err) : status;
}

/* The point of the path, projected: its slacks only approach the boundary. */
static void ipm_socp_project(const ipm_socp_state *s, perp_result *r)
{
    memcpy(r->z, s->path.z, r->n * sizeof *r->z);
    perp_set_project_all(s->p->set, r->z);
    r->work.projections += (double)s->p->set->count;
}

/* Where the path with a variable shift fails: paths to convex problems, first without a shift,
 * then with that at the last point of Newton's method, each from a cold start. */
static void ipm_socp_fix_shift(ipm_socp_state *s, perp_result *r)
{
    perp_path_fix_shift(&s->path, s->rounds > 0 ? s->newton.end->z : NULL, r);
    s->rounds++;
    s->failures = 0;
    s->path_ended = false;
    s->cross_mu = s->cross_first;
    r->work.rounds += 1.0;
    perp_path_start(&s->path, r->z, 1.0, r);
}

/* Begin again at z = 0, once, after a path from the start that has ended. */
static void ipm_socp_start_cold(ipm_socp_state *s, perp_result *r)
{
    s->warm = s->path_ended = false;
    s->failures = 0;
    s->cross_mu = s->cross_first;
    r->outcome = PERP_RUNNING;
    r->run.restarted = r->iterations;
    perp_path_start(&s->path, r->z, 1.0, r);
}

/* Newton's method has ended without an answer: continue the path, or another one, or end. */
static perp_status ipm_socp_end_crossover(ipm_socp_state *s, perp_result *r)
{
    s->in_crossover = false;
    if (s->from_start) {
        s->from_start = false;
        return PERP_OK;
    }
    if (s->newton.end->outcome == PERP_RUNNING) { /* stopped */
        s->cross_mu = crossover_again * fmin(s->cross_mu, perp_path_mu(&s->path));
        return PERP_OK;
    }
    if (s->path_ended && s->warm) {
        ipm_socp_start_cold(s, r);
        return PERP_OK;
    }
    if ((s->path_ended || s->failures + 1 >= FAILURES) && s->path.shift &&
        s->rounds < ROUNDS) {
        ipm_socp_fix_shift(s, r);
        return PERP_OK;
    }
    s->failures++;
    s->cross_mu = crossover_again * fmin(s->cross_mu, perp_path_mu(&s->path));
    if (s->path_ended || s->failures >= FAILURES) {
        return perp_result_end(r, s->path_ended ? s->path_outcome : PERP_STALLED,
                               "ipm-socp: the path ends at mu = %.1e; then %.150s",
                               perp_path_mu(&s->path), s->newton.end->reason);
    }
    return PERP_OK;
}

static perp_status ipm_socp_path_step(ipm_socp_state *s, perp_result *r, perp_error *err)
{
    bool early = !s->path.shift && perp_path_mu(&s->path) > refine_mu;
    perp_status status = PERP_OK;

    s->path.refine = early ? 0 : REFINE;
    status = perp_path_step(&s->path, "ipm-socp", r, err);

    if (status != PERP_OK || r->outcome == PERP_INFEASIBLE) {
        return status;
    }
    s->path_steps++;
    ipm_socp_project(s, r);
    perp_handover_log(&s->newton, s->path_steps, r);
    if (!(s->cross_first > 0.0)) {
        if (r->outcome != PERP_RUNNING && s->warm) {
            ipm_socp_start_cold(s, r);
        }
        return PERP_OK;
    }
    s->path_ended = r->outcome != PERP_RUNNING;
    if (s->path_ended) {
        s->path_outcome = r->outcome;
        r->outcome = PERP_RUNNING;
    }
    if (s->path_ended || perp_path_mu(&s->path) <= s->cross_mu) {
        return ipm_socp_start_crossover(s, r, err);
    }
    return PERP_OK;
}

/* Whether Newton's method has had its steps. A path under the associated law goes on safely, so
 * that it waits for a few only, and for more where they bring a tenth of the residual. */
static bool ipm_socp_trial_over(ipm_socp_state *s, const perp_result *r)
{
    double before = s->trial_residual;

    if (s->from_start) {
        return s->trial >= TRIALS;
    }
    if (s->path.shift || s->path_ended || s->trial % SHORT_TRIALS > 0) {
        return false;
    }
    s->trial_residual = perp_judge_residual(s->path.judge, r->z);
    return s->trial_residual > 0.1 * before;
}

static perp_status ipm_socp_iterate(void *vstate, perp_result *r, perp_error *err)
{
    ipm_socp_state *s = vstate;

    if (!s->in_crossover) {
        return ipm_socp_path_step(s, r, err);
    }
    TRY(perp_handover_step(&s->newton, r, err));
    perp_handover_log(&s->newton, s->path_steps, r);
    s->trial++;
    if (r->outcome != PERP_RUNNING) {
        return PERP_OK;
    }
    return s->newton.end->outcome != PERP_RUNNING || ipm_socp_trial_over(s, r)
               ? ipm_socp_end_crossover(s, r)
               : PERP_OK;
}

static void ipm_socp_close(void *vstate)
{
    ipm_socp_state *s = vstate;

    perp_handover_close(&s->newton);
    perp_path_close(&s->path);
}

static const perp_option ipm_socp_options[] = {
    PERP_REAL_CLOSED("crossover-mu", -1.0, -1.0, 1.0,
                     "mu from which prox-newton takes over; 0: never; -1: 1e-6 under "
                     "Coulomb's law, else 1e-11"),
    PERP_VELOCITY_THREADS_OPTION,
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_ipm_socp = {
    .name = "ipm-socp",
    .family = "interior",
    .summary = "interior point method on friction cones, with crossover to prox-newton",
    .reference = "nesterov-todd-1998",
    .algorithm = "primal-dual interior point method with Nesterov-Todd scaling "
                 "[nesterov-todd-1998]; Coulomb's law as in "
                 "[acary-armand-nguyen-shpakovych-2024]",
    .additions = "asymmetric A; repeated correctors [carpenter-1993]; starts near a "
                 "solution; sequence of convex problems after divergence; "
                 "crossover to prox-newton; velocity form for factored A",
    .sets = PERP_SETS(FREE, NONNEG, BOX, CONE, DISK),
    .laws = PERP_LAWS(COULOMB, ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(POSITIVE_SEMIDEFINITE),
    .flags = PERP_FLAGS(USES_START),
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .check_every = 1,
    .max_iterations = 1000,
    .options = ipm_socp_options,
    .state_size = sizeof(ipm_socp_state),
    .setup = ipm_socp_setup,
    .iterate = ipm_socp_iterate,
    .resume = ipm_socp_resume,
    .close = ipm_socp_close,
};
