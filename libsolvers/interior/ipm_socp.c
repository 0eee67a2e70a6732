/* SPDX-License-Identifier: Apache-2.0
 * interior/ipm_socp.c: an interior point method on cones with Nesterov-Todd scaling.
 *
 *     A z + b + shift = G^T v,   s = G z + g,   s, v in Lorentz cones and half lines, s o v -> 0
 *     (A + G^T H G) dz = ...     one factorisation, two solves per step
 *
 * Under the associated law (shift = 0) this is the convex problem on friction cones, disks and
 * bounds: 8 to 20 steps for positive semidefinite A, symmetric (Cholesky) or not (LU)
 * [nesterov-todd-1998; andersen-roos-terlaky-2003; vandenberghe-2010]. Under Coulomb's law the
 * normals are shifted by De Saxce's term mu |w_T| of the velocities of each step: the path then
 * leads to Coulomb's problem itself instead of to a sequence of convex ones
 * [acary-armand-nguyen-shpakovych-2024]. Where that path diverges, the shift is fixed, first at
 * 0 and then at the value of the crossover's point, for up to 8 paths to convex problems.
 *
 * Sliding contacts lie on the boundary of their cones, where the scaling loses half of the
 * digits: the path alone ends at residuals of 1e-7 to 1e-9. So from mu = 1e-6 on (option
 * crossover-mu) prox-newton takes over, started with eps = 1e-5, one of its steps per iteration;
 * where it fails the path continues and prox-newton is tried again later. The solution path
 * reports the steps of both.
 *
 * A step costs one factorisation, two solves with two refinements each and one product. Memory:
 * two matrices like A and those of prox-newton. A factored A = J M^-1 J^T + C is never formed on
 * the path: its systems are solved in the space of velocities (linear/velocity.h), which pays
 * when contacts outnumber bodies; only the crossover multiplies A out, which the solution path
 * reports. The path cannot use a given start, so that a start with a residual below 0.1 is first
 * passed to prox-newton for some steps. Where z grows without bound its direction is tried as a
 * certificate of infeasibility (ray.h). */
#include <config.h>

#include <stdio.h>

#include "path.h"

enum {
    REFINE = 2,   /* K is as ill conditioned as mu is small */
    FAILURES = 3, /* times that Newton's method may fail */
    ROUNDS = 8,   /* of a shift_fixed shift, after which others should try */
    TRIALS = 20,  /* of its steps from a given start; near ones need 1 to 10 */
};

/* Fraction of the step to the boundary: closer to it, det s of sliding contacts cancels. */
static const double step_fraction = 0.99;
static const double newton_eps = 1e-5;
static const double near_start = 1e-1; /* residual of a start that is passed to Newton */
static const double crossover_again = 1e-2; /* of mu, after Newton's method failed */

typedef struct ipm_socp_state {
    const perp_problem *p;
    perp_path path;
    perp_workspace *ws;
    perp_problem formed; /* the problem of Newton's method: p, with W for a factored A */
    perp_operator *W;    /* or NULL */
    size_t charged;      /* bytes of W */
    perp_options newton_options;
    perp_result *newton_result;
    perp_run newton;
    double tolerance;
    double cross_mu, cross_first; /* mu of the next crossover; of the first */
    double change;                /* of the diagonal since Newton's method last ran */
    bool in_crossover;            /* Newton's method is running, */
    bool from_start;              /* and from the given start */
    bool path_ended;              /* with this outcome, for the reason in r */
    perp_outcome path_outcome;
    size_t path_steps, newton_steps, failures;
    size_t rounds; /* paths with a fixed shift */
    size_t line;   /* our line of the solution path */
} ipm_socp_state;

/* Our line of the solution path. */
static void ipm_socp_log(const ipm_socp_state *s, perp_result *r)
{
    char *line = NULL;

    if (s->line >= PERP_PATH_MAX) {
        return;
    }
    line = r->path.step[s->line];
    snprintf(line, PERP_PATH_LENGTH, "ipm-socp: %zu step%s", s->path_steps,
             s->path_steps == 1 ? "" : "s");
    if (s->newton_steps > 0) {
        size_t end = strlen(line);

        snprintf(line + end, PERP_PATH_LENGTH - end, ", crossover: %s, %zu step%s",
                 s->newton.type->name, s->newton_steps, s->newton_steps == 1 ? "" : "s");
    }
}

/* W of a factored A, in the storage that suits its blocks. */
static perp_status ipm_socp_form(ipm_socp_state *s, perp_result *r, perp_error *err)
{
    size_t edge = perp_set_block_size(s->p->set);
    perp_status status = PERP_OK;

    perp_result_log(r, "crossover: A multiplied out, to %s",
                    edge > 1 ? "block CSR" : "CSR");
    status = perp_operator_convert(
        &s->W, s->p->A, edge > 1 ? PERP_STORAGE_BSR : PERP_STORAGE_CSR, edge, err);
    if (status != PERP_OK) {
        return status;
    }
    s->formed.A = s->W;
    s->charged =
        perp_operator_nonzeros(s->W) * sizeof(double) + s->W->count * sizeof *s->W->col;
    if (!perp_workspace_charge(s->ws, s->charged)) {
        s->charged = 0;
        return perp_workspace_status(s->ws, err);
    }
    return PERP_OK;
}

/* Newton's method is set up together with the path, so that no step takes memory; for a factored
 * A, which it does not take, only when it starts, since W is then multiplied out. */
static perp_status ipm_socp_setup_newton(ipm_socp_state *s, perp_result *r,
                                         perp_error *err)
{
    const perp_solver_type *type = &perp_solver_prox_newton;
    perp_status status = perp_result_new(&s->newton_result, s->p->n, err);

    s->formed = *s->p;
    if (status == PERP_OK && perp_operator_in_factors(s->p->A)) {
        status = ipm_socp_form(s, r, err);
    }
    perp_options_init(&s->newton_options, type, NULL);
    if (status == PERP_OK) {
        status =
            perp_options_set_real(&s->newton_options, "tolerance", s->tolerance, err);
    }
    if (status == PERP_OK) {
        status = perp_options_set_real(&s->newton_options, "eps", newton_eps, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    memcpy(s->newton_result->z, r->z, r->n * sizeof *r->z);
    return perp_run_start(&s->newton, type, &s->formed, &s->newton_options, s->ws,
                          s->newton_result, err);
}

static perp_status ipm_socp_start_crossover(ipm_socp_state *s, perp_result *r,
                                            perp_error *err)
{
    double change = s->change;

    s->in_crossover = true;
    s->change = 0.0;
    if (!s->newton.state) {
        return ipm_socp_setup_newton(s, r, err);
    }
    if (s->W && change != 0.0) {
        perp_operator_add_diagonal(s->W, change);
    }
    memcpy(s->newton_result->z, r->z, r->n * sizeof *r->z);
    return perp_run_resume(&s->newton, change, err);
}

/* A start that is near a solution is first passed to Newton's method; the path starts cold. */
static perp_status ipm_socp_start(ipm_socp_state *s, perp_result *r, perp_error *err)
{
    bool near = perp_largest(r->n, r->z) > 0.0 && s->cross_first > 0.0 &&
                perp_judge_residual(s->path.judge, r->z) <= near_start;

    s->path_steps = s->newton_steps = s->failures = 0;
    s->rounds = 0;
    s->in_crossover = s->path_ended = s->path.shift_fixed = false;
    s->cross_mu = s->cross_first;
    perp_path_start(&s->path, r->z, 1.0, r);
    s->from_start = near;
    return s->from_start ? ipm_socp_start_crossover(s, r, err) : PERP_OK;
}

static perp_status ipm_socp_setup(void *vstate, const perp_problem *p,
                                  const perp_options *opt, perp_workspace *ws,
                                  perp_result *r, perp_error *err)
{
    ipm_socp_state *s = vstate;
    perp_status status = perp_path_setup(&s->path, p, ws, err);

    s->p = p;
    s->path.refine = REFINE;
    s->path.step_fraction = step_fraction;
    s->tolerance = perp_options_real(opt, "tolerance");
    s->cross_first = perp_options_real(opt, "crossover-mu");
    s->ws = ws;
    s->line = r->path.count;
    perp_result_log(r, "ipm-socp");
    if (status == PERP_OK && s->cross_first > 0.0 && !perp_operator_in_factors(p->A)) {
        status = ipm_socp_setup_newton(s, r, err);
    }
    if (status != PERP_OK) {
        return perp_fail_in(err, status, "ipm-socp");
    }
    return ipm_socp_start(s, r, err);
}

static perp_status ipm_socp_resume(void *vstate, double shift, perp_result *r,
                                   perp_error *err)
{
    ipm_socp_state *s = vstate;
    perp_status status = perp_path_resume(&s->path, err);

    s->change += shift;
    return status == PERP_OK ? ipm_socp_start(s, r, err) : status;
}

/* Add the work of Newton's method since the last call, but not its rounds: those that are
 * reported are of the path. */
static void ipm_socp_add_work(ipm_socp_state *s, perp_result *r)
{
    s->newton_result->work.rounds = 0.0;
    perp_work_add(&r->work, &s->newton_result->work);
    s->newton_result->work = (perp_work){0};
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
    perp_path_fix_shift(&s->path, s->rounds > 0 ? s->newton_result->z : NULL, r);
    s->rounds++;
    s->failures = 0;
    s->path_ended = false;
    s->cross_mu = s->cross_first;
    r->work.rounds += 1.0;
    perp_path_start(&s->path, r->z, 1.0, r);
}

/* Newton's method has ended: the answer, or a reason to continue the path. */
static perp_status ipm_socp_end_crossover(ipm_socp_state *s, perp_result *r,
                                          perp_error *err)
{
    const perp_result *end = s->newton_result;
    perp_status status = PERP_OK;

    s->in_crossover = false;
    if (end->outcome == PERP_INFEASIBLE &&
        end->certificate.kind == PERP_CERTIFICATE_INFEASIBLE) {
        status = perp_result_certify_infeasible(r, end->certificate.y, err);
        if (status != PERP_OK) {
            return status;
        }
    }
    if (end->outcome == PERP_SOLVED || end->outcome == PERP_INFEASIBLE) {
        return perp_result_end(r, end->outcome, "ipm-socp: %.200s", end->reason);
    }
    if (s->from_start) {
        s->from_start = false;
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
                               perp_path_mu(&s->path), end->reason);
    }
    return PERP_OK;
}

static perp_status ipm_socp_path_step(ipm_socp_state *s, perp_result *r, perp_error *err)
{
    perp_status status = perp_path_step(&s->path, "ipm-socp", r, err);

    if (status != PERP_OK || r->outcome == PERP_INFEASIBLE) {
        return status;
    }
    s->path_steps++;
    ipm_socp_project(s, r);
    ipm_socp_log(s, r);
    if (!(s->cross_first > 0.0)) {
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

static perp_status ipm_socp_iterate(void *vstate, perp_result *r, perp_error *err)
{
    ipm_socp_state *s = vstate;
    perp_status status = PERP_OK;

    if (!s->in_crossover) {
        return ipm_socp_path_step(s, r, err);
    }
    status = perp_run_step(&s->newton, err);
    ipm_socp_add_work(s, r);
    if (status != PERP_OK) {
        return status;
    }
    s->newton_steps++;
    ipm_socp_log(s, r);
    memcpy(r->z, s->newton_result->z, r->n * sizeof *r->z);
    if (s->newton_result->outcome == PERP_RUNNING && s->from_start &&
        s->newton_steps >= TRIALS) {
        perp_result_end(s->newton_result, PERP_STALLED, "no solution near the start");
    }
    return s->newton_result->outcome == PERP_RUNNING ? PERP_OK
                                                     : ipm_socp_end_crossover(s, r, err);
}

static void ipm_socp_close(void *vstate)
{
    ipm_socp_state *s = vstate;

    perp_run_end(&s->newton);
    if (s->W) {
        perp_operator_free(s->W);
        perp_workspace_discharge(s->ws, s->charged);
    }
    perp_result_free(s->newton_result);
    perp_path_close(&s->path);
}

static const perp_option ipm_socp_options[] = {
    PERP_REAL_CLOSED("crossover-mu", 1e-6, 0.0, 1.0,
                     "mu from which prox-newton takes over; 0: never"),
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
    .additions = "asymmetric A; sequence of convex problems after divergence; "
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
