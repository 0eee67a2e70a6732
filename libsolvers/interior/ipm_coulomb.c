/* SPDX-License-Identifier: Apache-2.0
 * interior/ipm_coulomb.c: an interior point method on Coulomb's law without |w_T|.
 *
 *     w = A r + b:   r_N > 0,  w_N > 0,  r_N w_N = m
 *     x = (mu r_N, r_T),  y = (lambda, w_T) in the Lorentz cone,  x o y = m e,   m -> 0
 *
 * lambda is an unknown, which ends as |w_T|, so that all nonlinear equations are bilinear, and
 * Mehrotra's corrector sees all of their second-order terms [mehrotra-1992]. The friction cones
 * have Nesterov-Todd scaling [nesterov-todd-1998]; the law, which is not monotone, is that of
 * [acary-armand-nguyen-shpakovych-2024]. Rolling contacts have two friction cones on one r_N;
 * bounds and disks have their ordinary interior-point parts. For A positive semidefinite,
 * symmetric or not, singular or not.
 *
 * The path (path.h) is followed by decreasing m. At a residual of 1e-6 (option crossover; 1e-7 in
 * factors) prox-newton takes over. Where m stops falling the path turns back in a fold: prox-newton
 * is tried there, then the path is followed by its length (arc.h) [keller-1977] with further tries,
 * then three more paths, which leave the first at other steps. This file is their scheduler.
 *
 * 10 to 30 steps for scenes at rest, up to 2700 along arcs. A step costs one unsymmetric
 * factorisation of A plus 3x3 blocks, 2 to 6 directions of three solves each and one product.
 * Memory: two matrices like A, 65 numbers per contact, and that of prox-newton. A in factors is
 * solved in velocities (linear/velocity.h), without W. The path cannot use a given start: one with
 * a residual below 0.1 is first passed to prox-newton for 20 steps. Certificate: the direction of
 * growing r (ray.h). Ends, stalled, where four paths have broken off or were too long. */
#include <config.h>

#include "arc.h"
#include "base/base.h"
#include "handover.h"

enum {
    REFINE = 2,        /* as many digits are lost as m is small */
    TRIALS = 20,       /* steps of Newton's method before the path goes on; */
    TRIALS_LONG = 200, /* in velocities, where the path slows for the first time */
    HISTORY = 6,       /* steps in which m must fall */
    IDLE = 8,          /* steps without a smaller residual */
    ARC = 30,          /* steps along the arc between two trials of Newton's method */
    LONGEST = 200,     /* steps of the path, and then */
    FAR = 1500,        /* so many more where Newton's method has failed; of later paths */
    PATHS = 4,
};

static const double newton_eps = 1e-4;
/* Residual of the crossover in factors. Contacts that slide and hardly press are apart by then. */
static const double cross_velocity = 1e-7;
static const double near_start = 1e-1; /* residual of a start that is passed to Newton */
static const double crossover_again = 1e-2; /* of the residual, after Newton failed */
static const double slow_gap = 1e-3;        /* of beta^2: above, a path may be slow */
static const double slow_ratio = 0.3;       /* of m, HISTORY steps before */
/* The step from which on the arc is followed: of the first path, where it slows. */
static const size_t arc_from[PATHS] = {SIZE_MAX, 1, 4, 2};

typedef struct ipm_coulomb_state {
    perp_path path;
    perp_arc arc;
    perp_handover newton;
    double *best; /* n: the point of least residual on the path */
    double best_residual;
    double least;              /* residual of all paths */
    double gap[HISTORY];       /* of the last steps */
    double cross, cross_first; /* residual of the next crossover; of the first */
    double tolerance;
    size_t steps, idle;
    size_t path_number, path_start; /* from 0; the steps before this path */
    size_t path_end;                /* steps at which it is left */
    size_t arc_pause;               /* steps after which Newton's method is tried */
    size_t trial;                   /* its steps after which the path goes on */
    enum { ON_PATH, NEWTON, NEWTON_FROM_START } phase; /* what runs now */
    bool alone;                  /* the path goes on without Newton's method */
    bool path_ended, path_broke; /* after path_end; without a next step */
} ipm_coulomb_state;

/* Newton's method, in the phase s->phase. */
static perp_status ipm_coulomb_start_newton(ipm_coulomb_state *s, perp_result *r,
                                            perp_error *err)
{
    bool is_long = perp_operator_in_factors(s->path.p->A) && s->phase == NEWTON &&
                   !s->alone && s->newton.steps <= TRIALS;

    r->outcome = PERP_RUNNING;
    s->trial = s->newton.steps + (is_long ? TRIALS_LONG : TRIALS);
    return perp_handover_start(&s->newton, r, err);
}

/* Begin path k. */
static void ipm_coulomb_start_path(ipm_coulomb_state *s, size_t k, perp_result *r)
{
    s->path_number = k;
    s->path_start = s->steps;
    s->alone = k > 0;
    s->path_end = s->steps + (s->alone ? FAR : LONGEST);
    s->idle = 0;
    s->path_ended = s->path_broke = false;
    s->path.arc = NULL;
    s->cross = s->cross_first;
    s->best_residual = INFINITY;
    for (size_t i = 0; i < HISTORY; i++) {
        s->gap[i] = INFINITY;
    }
    perp_path_start(&s->path, r->z, 1.0, r);
}

static perp_status ipm_coulomb_start(ipm_coulomb_state *s, perp_result *r,
                                     perp_error *err)
{
    bool near = perp_largest(r->n, r->z) > 0.0 && s->cross_first > 0.0 &&
                perp_judge_residual(s->path.judge, r->z) <= near_start;

    s->steps = s->newton.steps = 0;
    s->least = INFINITY;
    ipm_coulomb_start_path(s, 0, r);
    s->phase = near ? NEWTON_FROM_START : ON_PATH;
    return near ? ipm_coulomb_start_newton(s, r, err) : PERP_OK;
}

static perp_status ipm_coulomb_prepare(ipm_coulomb_state *s, const perp_problem *p,
                                       const perp_options *opt, perp_workspace *ws,
                                       perp_result *r, perp_error *err)
{
    TRY(perp_path_setup(&s->path, p, PERP_PATH_BILINEAR, ws, err));
    s->path.refine = REFINE;
    s->tolerance = perp_options_real(opt, "tolerance");
    s->cross_first = perp_options_real(opt, "crossover");
    if (perp_operator_in_factors(p->A) && !perp_options_given(opt, "crossover")) {
        s->cross_first = cross_velocity;
    }
    s->best = perp_workspace_reals(ws, p->n);
    perp_arc_alloc(&s->arc, &s->path, ws);
    TRY(perp_workspace_status(ws, err));
    TRY(perp_velocity_threads(&s->path.kkt.velocity,
                              (size_t)perp_options_integer(opt, "threads"), err));
    return perp_handover_setup(&s->newton, "ipm-coulomb", p, s->tolerance, newton_eps,
                               s->cross_first > 0.0, ws, r, err);
}

static perp_status ipm_coulomb_setup(void *vstate, const perp_problem *p,
                                     const perp_options *opt, perp_workspace *ws,
                                     perp_result *r, perp_error *err)
{
    perp_status status = PERP_OK;

    if (p->law == PERP_LAW_ASSOCIATED &&
        perp_set_count(p->set, PERP_SET_CONE) + perp_set_count(p->set, PERP_SET_ROLLING) >
            0) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "ipm-coulomb: the law of the cones is associated, expected "
                         "coulomb; ipm-socp takes it");
    }
    status = ipm_coulomb_prepare(vstate, p, opt, ws, r, err);
    return status == PERP_OK ? ipm_coulomb_start(vstate, r, err)
                             : perp_fail_in(err, status, "ipm-coulomb");
}

static perp_status ipm_coulomb_resume(void *vstate, double shift, perp_result *r,
                                      perp_error *err)
{
    ipm_coulomb_state *s = vstate;
    perp_status status = perp_path_resume(&s->path, err);

    s->newton.change += shift;
    return status == PERP_OK ? ipm_coulomb_start(s, r, err) : status;
}

static void ipm_coulomb_keep_best(ipm_coulomb_state *s)
{
    const perp_path *t = &s->path;

    s->idle++;
    if (t->residual < s->best_residual) {
        s->best_residual = t->residual;
        s->least = fmin(s->least, t->residual);
        memcpy(s->best, t->z, t->p->n * sizeof *s->best);
        s->idle = 0;
    }
}

/* Whether the arc is followed from here on: m or the residual has stopped falling. */
static bool ipm_coulomb_starts_arc(ipm_coulomb_state *s)
{
    double mu = perp_path_mu(&s->path);
    double *before = &s->gap[s->steps % HISTORY];
    bool starts = (mu < slow_gap && mu > slow_ratio * *before) || s->idle >= IDLE ||
                  s->steps - s->path_start >= arc_from[s->path_number];

    *before = mu;
    if (starts) {
        perp_arc_start(&s->arc);
        s->path.arc = &s->arc;
        s->arc_pause = s->steps;
    }
    return starts;
}

/* Whether Newton's method is due: near a solution, where the path slows or ends, and
 * occasionally along its arc. */
static bool ipm_coulomb_due(ipm_coulomb_state *s)
{
    bool pause = s->path.arc ? s->steps >= s->arc_pause : ipm_coulomb_starts_arc(s);

    if (pause) {
        s->arc_pause += ARC;
    }
    return (pause && !s->alone) || s->path_ended || s->best_residual <= s->cross;
}

static perp_status ipm_coulomb_path_step(ipm_coulomb_state *s, perp_result *r,
                                         perp_error *err)
{
    perp_status status = perp_path_step(&s->path, "ipm-coulomb", r, err);
    bool due = false;

    if (status != PERP_OK || r->outcome == PERP_INFEASIBLE) {
        return status;
    }
    s->steps++;
    perp_handover_log(&s->newton, s->steps, r);
    ipm_coulomb_keep_best(s);
    memcpy(r->z, s->best, r->n * sizeof *r->z);
    s->path_broke = r->outcome != PERP_RUNNING;
    s->path_ended = s->path_broke || s->steps >= s->path_end;
    due = ipm_coulomb_due(s);
    if (s->best_residual <= s->tolerance) {
        r->outcome = PERP_RUNNING; /* the loop judges */
        return PERP_OK;
    }
    if (due && s->cross_first > 0.0) {
        s->phase = NEWTON;
        return ipm_coulomb_start_newton(s, r, err);
    }
    return s->path_ended && r->outcome == PERP_RUNNING
               ? perp_result_end(r, PERP_STALLED,
                                 "ipm-coulomb: the path ends at mu = %.1e",
                                 perp_path_mu(&s->path))
               : PERP_OK;
}

/* Newton's method has ended without an answer: go on where the path still can, or with the next
 * one. */
static perp_status ipm_coulomb_end_newton(ipm_coulomb_state *s, perp_result *r)
{
    bool from_start = s->phase == NEWTON_FROM_START;

    s->phase = ON_PATH;
    if (from_start) {
        return PERP_OK;
    }
    s->cross = crossover_again * fmin(s->cross, s->best_residual);
    if (!s->path_ended) {
        return PERP_OK;
    }
    if (!s->alone && !s->path_broke) {
        s->alone = true;
        s->path_end += FAR;
        s->path_ended = false;
        return PERP_OK;
    }
    if (s->path_number + 1 < PATHS) {
        ipm_coulomb_start_path(s, s->path_number + 1, r);
        return PERP_OK;
    }
    return perp_result_end(
        r, PERP_STALLED,
        "ipm-coulomb: the path ends at mu = %.1e, the last of %d, least "
        "residual %.1e; then %.150s",
        perp_path_mu(&s->path), PATHS, s->least, s->newton.end->reason);
}

static perp_status ipm_coulomb_iterate(void *vstate, perp_result *r, perp_error *err)
{
    ipm_coulomb_state *s = vstate;

    if (s->phase == ON_PATH) {
        return ipm_coulomb_path_step(s, r, err);
    }
    TRY(perp_handover_step(&s->newton, r, err));
    perp_handover_log(&s->newton, s->steps, r);
    if (s->newton.end->outcome == PERP_RUNNING && (!s->path_ended || s->alone) &&
        s->newton.steps >= s->trial) {
        perp_result_end(s->newton.end, PERP_STALLED, "no solution near the point");
    }
    return r->outcome != PERP_RUNNING || s->newton.end->outcome == PERP_RUNNING
               ? PERP_OK
               : ipm_coulomb_end_newton(s, r);
}

static void ipm_coulomb_close(void *vstate)
{
    ipm_coulomb_state *s = vstate;

    perp_handover_close(&s->newton);
    perp_path_close(&s->path);
}

static const perp_option ipm_coulomb_options[] = {
    PERP_REAL_CLOSED("crossover", 1e-6, 0.0, 1.0,
                     "residual from which prox-newton takes over (1e-7 for a matrix in "
                     "factors); 0: never"),
    PERP_VELOCITY_THREADS_OPTION,
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_ipm_coulomb = {
    .name = "ipm-coulomb",
    .family = "interior",
    .summary = "bilinear interior point method on Coulomb's law, then prox-newton",
    .reference = "acary-armand-nguyen-shpakovych-2024",
    .algorithm = "primal-dual interior point method on Coulomb's law "
                 "[acary-armand-nguyen-shpakovych-2024] with predictor and corrector "
                 "[mehrotra-1992], Nesterov-Todd scaling [nesterov-todd-1998], and "
                 "arclength continuation [keller-1977]",
    .additions = "an unknown in place of |w_T|; rolling contacts; asymmetric A; "
                 "crossover to prox-newton; velocity form for factored A",
    .sets = PERP_SETS(FREE, NONNEG, BOX, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(COULOMB),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(POSITIVE_SEMIDEFINITE),
    .flags = PERP_FLAGS(USES_START),
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .check_every = 1,
    .max_iterations = 6000,
    .options = ipm_coulomb_options,
    .state_size = sizeof(ipm_coulomb_state),
    .setup = ipm_coulomb_setup,
    .iterate = ipm_coulomb_iterate,
    .resume = ipm_coulomb_resume,
    .close = ipm_coulomb_close,
};
