/* SPDX-License-Identifier: Apache-2.0
 * interior/ipm_socp.c: an interior point method on cones with Nesterov-Todd scaling.
 *
 *     A z + b + shift = G^T v,   s = G z + g,   s, v in Lorentz cones and half lines, s o v -> 0
 *     (A + G^T H G) dz = ...     once factored, solved twice a step
 *
 * Under the associated law (shift = 0) the convex problem on friction cones, disks and bounds:
 * 8 to 20 steps for positive semidefinite A, symmetric (Cholesky) or not (LU)
 * [nesterov-todd-1998; andersen-roos-terlaky-2003; vandenberghe-2010]. Under Coulomb's law the
 * normals are shifted by De Saxce's term mu |w_T|, taken anew from the velocities at each step:
 * the path then leads to Coulomb's problem itself instead of to a sequence of convex ones
 * [acary-armand-nguyen-shpakovych-2024]. Where it runs away instead, the shift is held, at 0 and
 * then at what Newton's method reached, for up to 8 paths to convex problems.
 *
 * Sliding contacts lie on the boundary of their cones, where the scaling loses half of the
 * digits: the path alone ends at RES 1e-7 to 1e-9. So from mu = 1e-6 on (option crossover-mu)
 * prox-newton takes over, started with eps = 1e-5, one of its steps at a time; where it fails
 * the path goes on and it is asked again later. What ran tells the steps of both.
 *
 * One factorisation, two solves with two refinements each and one product a step; memory: two
 * matrices like A and those of prox-newton. A factored A = J M^-1 J^T + C is never formed on the
 * path: its systems are solved among the velocities (velocity.h), which pays when contacts
 * outnumber bodies; only the crossover multiplies it out, and says so. A given start is of no
 * use to the path, so one with RES below 0.1 is first left to prox-newton for some steps. Where
 * z grows for ever its direction is tried as certificate of infeasibility (ray.h); where no
 * step is left the sentence says at which mu. */
#include <config.h>

#include <stdio.h>

#include "path.h"

enum {
    REFINE = 2,   /* K is as ill conditioned as mu is small */
    REFUSALS = 3, /* times that Newton's method may fail */
    ROUNDS = 8,   /* of a held shift, after which others should try */
    TRIALS = 20,  /* of its steps from a given start; near ones need 1 to 10 */
};

/* Part of the way to the boundary: closer, and det s of sliding contacts cancels. */
static const double back_off = 0.99;
static const double newton_eps = 1e-5;
static const double near_start = 1e-1; /* RES of a start that it is tried from */
static const double again = 1e-2;      /* of mu, after Newton's method failed */

typedef struct ipm_socp_state {
    const perp_problem *p;
    perp_path path;
    perp_workspace *ws;
    perp_problem formed; /* what Newton's method sees: p, with W for a factored A */
    perp_operator *W;    /* or NULL */
    perp_options newton_options;
    perp_result *end; /* of Newton's method */
    perp_run newton;
    double tolerance;
    double cross_mu, cross_first; /* below it Newton's method is asked; at first */
    double change;                /* of the diagonal since Newton's method last saw it */
    bool crossing;                /* it is at work, */
    bool trying;                  /* and that on the given start */
    bool over;                    /* the path has ended, for the reason it left in r */
    perp_outcome ended;
    size_t path_steps, newton_steps, refused;
    size_t rounds; /* in which the shift is held */
    size_t ran;    /* our line in what ran */
} ipm_socp_state;

static void ipm_socp_tell(const ipm_socp_state *s, perp_result *r)
{
    char *line = NULL;

    if (s->ran >= PERP_PATH_MAX) {
        return;
    }
    line = r->path.step[s->ran];
    snprintf(line, PERP_PATH_LENGTH, "ipm-socp: %zu step%s", s->path_steps,
             s->path_steps == 1 ? "" : "s");
    if (s->newton_steps > 0) {
        size_t end = strlen(line);

        snprintf(line + end, PERP_PATH_LENGTH - end, ", crossover: %s, %zu step%s",
                 s->newton.type->name, s->newton_steps, s->newton_steps == 1 ? "" : "s");
    }
}

/* Newton's method is set up beside the path, so that no step takes memory; on a factored A,
 * which it does not take, only when it begins, since W is then multiplied out. */
static perp_status ipm_socp_newton(ipm_socp_state *s, perp_result *r, perp_error *err)
{
    const perp_solver_type *type = &perp_solver_prox_newton;
    size_t edge = perp_set_block_size(s->p->set);
    perp_status status = perp_result_new(&s->end, s->p->n, err);

    s->formed = *s->p;
    if (status == PERP_OK && perp_operator_in_factors(s->p->A)) {
        perp_result_log(r, "crossover: A multiplied out, to %s",
                        edge > 1 ? "block CSR" : "CSR");
        status = perp_operator_convert(
            &s->W, s->p->A, edge > 1 ? PERP_STORAGE_BSR : PERP_STORAGE_CSR, edge, err);
        s->formed.A = s->W;
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
    memcpy(s->end->z, r->z, r->n * sizeof *r->z);
    return perp_run_start(&s->newton, type, &s->formed, &s->newton_options, s->ws, s->end,
                          err);
}

static perp_status ipm_socp_cross(ipm_socp_state *s, perp_result *r, perp_error *err)
{
    double change = s->change;

    s->crossing = true;
    s->change = 0.0;
    if (!s->newton.state) {
        return ipm_socp_newton(s, r, err);
    }
    if (s->W && change != 0.0) {
        perp_operator_add_diagonal(s->W, change);
    }
    memcpy(s->end->z, r->z, r->n * sizeof *r->z);
    return perp_run_resume(&s->newton, change, err);
}

/* The path begins cold; before it, a start that is near is left to Newton's method. */
static perp_status ipm_socp_begin(ipm_socp_state *s, perp_result *r, perp_error *err)
{
    double residual = perp_judge_residual(s->path.judge, r->z);
    bool given = false;

    for (size_t i = 0; i < r->n; i++) {
        given = given || r->z[i] != 0.0;
    }
    s->path_steps = s->newton_steps = s->refused = 0;
    s->rounds = 0;
    s->crossing = s->over = s->path.held = false;
    s->cross_mu = s->cross_first;
    perp_path_start(&s->path, r->z, 1.0, r);
    s->trying = given && s->cross_first > 0.0 && residual <= near_start;
    return s->trying ? ipm_socp_cross(s, r, err) : PERP_OK;
}

static perp_status ipm_socp_setup(void *vstate, const perp_problem *p,
                                  const perp_options *opt, perp_workspace *ws,
                                  perp_result *r, perp_error *err)
{
    ipm_socp_state *s = vstate;
    perp_status status = perp_path_open(&s->path, p, ws, err);

    s->p = p;
    s->path.refine = REFINE;
    s->path.back_off = back_off;
    s->tolerance = perp_options_real(opt, "tolerance");
    s->cross_first = perp_options_real(opt, "crossover-mu");
    s->ws = ws;
    s->ran = r->path.count;
    perp_result_log(r, "ipm-socp");
    if (status == PERP_OK && s->cross_first > 0.0 && !perp_operator_in_factors(p->A)) {
        status = ipm_socp_newton(s, r, err);
    }
    if (status != PERP_OK) {
        return perp_fail_in(err, status, "ipm-socp");
    }
    return ipm_socp_begin(s, r, err);
}

static perp_status ipm_socp_resume(void *vstate, double shift, perp_result *r,
                                   perp_error *err)
{
    ipm_socp_state *s = vstate;
    perp_status status = perp_path_resume(&s->path, err);

    s->change += shift;
    return status == PERP_OK ? ipm_socp_begin(s, r, err) : status;
}

/* What Newton's method has done since the last call becomes ours. */
static void ipm_socp_take_work(ipm_socp_state *s, perp_result *r)
{
    const perp_work *w = &s->end->work;

    r->work.products += w->products;
    r->work.factorizations += w->factorizations;
    r->work.flops_factor += w->flops_factor;
    r->work.projections += w->projections;
    s->end->work = (perp_work){0};
}

/* The point on the path, on its cones, which the slacks only approach. */
static void ipm_socp_show(const ipm_socp_state *s, perp_result *r)
{
    memcpy(r->z, s->path.z, r->n * sizeof *r->z);
    for (size_t k = 0; k < s->p->set->count; k++) {
        perp_set_project(s->p->set, k, r->z);
    }
    r->work.projections += (double)s->p->set->count;
}

/* Where following the shift leads nowhere: paths to convex problems, first without a shift,
 * then with that at the best point of Newton's method; each from the beginning. */
static void ipm_socp_hold(ipm_socp_state *s, perp_result *r)
{
    perp_path_hold(&s->path, s->rounds > 0 ? s->end->z : NULL, r);
    s->rounds++;
    s->refused = 0;
    s->over = false;
    s->cross_mu = s->cross_first;
    r->work.rounds += 1.0;
    perp_path_start(&s->path, r->z, 1.0, r);
}

/* Newton's method has ended: that is the end, or the path goes on. */
static perp_status ipm_socp_return(ipm_socp_state *s, perp_result *r, perp_error *err)
{
    const perp_result *end = s->end;
    perp_status status = PERP_OK;

    s->crossing = false;
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
    if (s->trying) {
        s->trying = false;
        return PERP_OK;
    }
    if ((s->over || s->refused + 1 >= REFUSALS) && s->path.shift && s->rounds < ROUNDS) {
        ipm_socp_hold(s, r);
        return PERP_OK;
    }
    s->refused++;
    s->cross_mu = again * fmin(s->cross_mu, perp_path_mu(&s->path));
    if (s->over || s->refused >= REFUSALS) {
        return perp_result_end(r, s->over ? s->ended : PERP_STALLED,
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
    ipm_socp_show(s, r);
    ipm_socp_tell(s, r);
    if (!(s->cross_first > 0.0)) {
        return PERP_OK;
    }
    s->over = r->outcome != PERP_RUNNING;
    if (s->over) {
        s->ended = r->outcome;
        r->outcome = PERP_RUNNING;
    }
    if (s->over || perp_path_mu(&s->path) <= s->cross_mu) {
        return ipm_socp_cross(s, r, err);
    }
    return PERP_OK;
}

static perp_status ipm_socp_iterate(void *vstate, perp_result *r, perp_error *err)
{
    ipm_socp_state *s = vstate;
    perp_status status = PERP_OK;

    if (!s->crossing) {
        return ipm_socp_path_step(s, r, err);
    }
    status = perp_run_step(&s->newton, err);
    ipm_socp_take_work(s, r);
    if (status != PERP_OK) {
        return status;
    }
    s->newton_steps++;
    ipm_socp_tell(s, r);
    memcpy(r->z, s->end->z, r->n * sizeof *r->z);
    if (s->end->outcome == PERP_RUNNING && s->trying && s->newton_steps >= TRIALS) {
        perp_result_end(s->end, PERP_STALLED, "no solution near the start");
    }
    return s->end->outcome == PERP_RUNNING ? PERP_OK : ipm_socp_return(s, r, err);
}

static void ipm_socp_close(void *vstate)
{
    ipm_socp_state *s = vstate;

    perp_run_end(&s->newton);
    perp_operator_free(s->W);
    perp_result_free(s->end);
    perp_path_close(&s->path);
}

static const perp_option ipm_socp_options[] = {
    PERP_REAL_CLOSED("crossover-mu", 1e-6, 0.0, 1.0,
                     "mu at which prox-newton takes over; 0: never"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_ipm_socp = {
    .name = "ipm-socp",
    .family = "interior",
    .summary = "interior point method on friction cones, with crossover to prox-newton",
    .reference = "nesterov-todd-1998",
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
