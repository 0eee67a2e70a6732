/* SPDX-License-Identifier: Apache-2.0
 * outer/prox.c: the proximal point method around a solver for definite matrices.
 *
 *     z_0 the start;   z_{k+1} solves the same problem with A + eps I and b - eps z_k
 *
 * For monotone problems with a solution the z_k converge to one of them, near the start
 * [rockafellar-1976]; for linear complementarity data the active set settles in a pass or
 * two, then each pass gains the factor eps/(eps + smallest nonzero curvature). This removes
 * every singular block and makes hyperstatic answers reproducible. Without a solution the
 * increments tend to a certificate of infeasibility, which is checked. One pass is one solution
 * by the inner solver, started at the solution of the previous pass.
 *
 * Inner solvers: any but a wrapper or auto: dantzig (the default), murty, bard, bpp, minmap, fb,
 * ... It accepts the rows that the inner solver accepts, and perp_solve falls back on it where a
 * pivoting solver meets a singular block.
 *
 * Cost per pass: a solution by the inner solver and two products with A. Memory: A + eps I, 4 n
 * reals, and the memory of the inner solver. Warm start: the start is z_0, also of the inner
 * solver. eps is raised when the inner solver meets a singular block, cycles or takes too many
 * steps, and lowered when passes are slow; the solution path reports it. Ends stalled after the
 * last pass (option) at the best point, or with the reason of the inner solver. */
#include <config.h>

#include <stdio.h>

#include "base/base.h"
#include "judge/judge.h"

/* Passes end when the residual is at rounding, or no longer falls by half. */
#define PROX_SETTLED 1e-14
/* Relative to the largest diagonal entry: how far eps may be raised or lowered, and by what
 * factor. */
#define PROX_EPSILON_MOST   1e-2
#define PROX_EPSILON_LEAST  1e-10
#define PROX_EPSILON_FACTOR 100.0

/* Passes that fall by less than half before eps is lowered: the curvature is then below
 * eps, and each pass gains only eps/(eps + curvature). */
enum { SLOW_PASSES = 3 };

/* Steps of an inner solver that is judged in each, as Newton's method is: one that needs more
 * alternates between sets that are singular but for eps. */
enum { LONG_PASS = 100 };

typedef struct prox_state {
    const perp_problem *p;
    perp_problem shifted; /* A + eps I and b - eps z_k are its own, the rest borrowed */
    perp_judge *judge;    /* of p */
    perp_judge *steer;    /* of the shifted problem, for inner solvers that do not end */
    perp_run inner;
    double *z, *best; /* n: z_k; the one of least residual */
    double *y;        /* n: the increment of a pass */
    double residual, best_residual;
    double epsilon, largest, tolerance;
    size_t passes, most_passes, steps, slow;
    bool raised; /* then eps is not lowered again */
    bool lowered;
    bool certified; /* the increment of the last pass was a certificate */
} prox_state;

/* b - eps z_k, z_k being where r stands. */
static void prox_center(prox_state *s, const perp_result *r)
{
    for (size_t i = 0; i < s->p->n; i++) {
        s->z[i] = r->z[i];
        s->shifted.b[i] = s->p->b[i] - s->epsilon * s->z[i];
    }
    s->steps = 0;
}

static perp_status prox_setup(void *vstate, const perp_problem *p,
                              const perp_options *opt, perp_workspace *ws, perp_result *r,
                              perp_error *err)
{
    prox_state *s = vstate;

    s->p = p;
    s->tolerance = perp_options_real(opt, "tolerance");
    s->most_passes = perp_options_cap(opt, "passes");
    s->residual = INFINITY;
    s->best_residual = INFINITY;
    for (size_t i = 0; i < p->n; i++) {
        s->largest = fmax(s->largest, fabs(perp_operator_diagonal(p->A, i)));
    }
    s->largest = s->largest > 0.0 ? s->largest : 1.0;
    s->epsilon = perp_options_real(opt, "epsilon") * s->largest;
    s->shifted = (perp_problem){.n = p->n, .set = p->set, .law = p->law};
    s->z = perp_workspace_reals(ws, p->n);
    s->best = perp_workspace_reals(ws, p->n);
    s->y = perp_workspace_reals(ws, p->n);
    s->shifted.b = perp_workspace_reals(ws, p->n);
    TRY(perp_workspace_status(ws, err));
    TRY(perp_operator_with_diagonal(&s->shifted.A, p->A, err));
    perp_operator_add_diagonal(s->shifted.A, s->epsilon);
    prox_center(s, r);
    TRY(perp_judge_new(&s->judge, p, err));
    TRY(perp_judge_new(&s->steer, &s->shifted, err));
    perp_result_log(r, "prox: eps = %.3g added to the diagonal", s->epsilon);
    return perp_run_start(&s->inner, opt->inner, &s->shifted, opt, ws, r, err);
}

/* y := the increment of this pass, a certificate or not. */
static bool prox_increment_certifies(prox_state *s, const perp_result *r)
{
    for (size_t i = 0; i < s->p->n; i++) {
        s->y[i] = r->z[i] - s->z[i];
    }
    return perp_certificate_direction(s->p, s->y);
}

/* Continue with another eps, and b for it. */
static perp_status prox_change_epsilon(prox_state *s, double factor, perp_result *r,
                                       perp_error *err)
{
    double shift = s->epsilon * (factor - 1.0);

    s->epsilon *= factor;
    perp_operator_add_diagonal(s->shifted.A, shift);
    prox_center(s, r);
    return perp_run_resume(&s->inner, shift, err);
}

static bool prox_may_raise(const prox_state *s)
{
    return s->epsilon * PROX_EPSILON_FACTOR <=
           PROX_EPSILON_MOST * s->largest * (1.0 + 1e-9);
}

/* The inner solver has failed: a larger eps, from the same z_k. */
static perp_status prox_raise(prox_state *s, const char *why, perp_result *r,
                              perp_error *err)
{
    perp_certificate_clear(&r->certificate);
    memcpy(r->z, s->z, s->p->n * sizeof *r->z);
    perp_result_log(r, "prox: %s, eps raised to %.3g", why,
                    s->epsilon * PROX_EPSILON_FACTOR);
    return prox_change_epsilon(s, PROX_EPSILON_FACTOR, r, err);
}

static perp_status prox_singular(prox_state *s, perp_result *r, perp_error *err)
{
    char why[64];

    if (!prox_may_raise(s)) {
        if (!perp_certificate_check(&r->certificate, s->p, NULL, 0)) {
            perp_certificate_clear(&r->certificate); /* it was about A + eps I */
        }
        return PERP_OK; /* the refusal stands */
    }
    s->raised = true;
    snprintf(why, sizeof why, "row %zu still singular", r->singular_row);
    return prox_raise(s, why, r, err);
}

/* Passes gain little: a smaller eps. */
static perp_status prox_lower(prox_state *s, perp_result *r, perp_error *err)
{
    s->slow = 0;
    s->lowered = true;
    perp_result_log(r, "prox: slow after %zu pass%s, eps lowered to %.3g", s->passes,
                    s->passes == 1 ? "" : "es", s->epsilon / PROX_EPSILON_FACTOR);
    return prox_change_epsilon(s, 1.0 / PROX_EPSILON_FACTOR, r, err);
}

static perp_status prox_end_with_best(const prox_state *s, perp_result *r)
{
    memcpy(r->z, s->best, s->p->n * sizeof *r->z);
    perp_result_log(r, "prox: %zu pass%s, eps = %.3g at the end", s->passes,
                    s->passes == 1 ? "" : "es", s->epsilon);
    if (s->best_residual <= s->tolerance) {
        return perp_result_end(r, PERP_SOLVED, "residual %.2e after %zu proximal pass%s",
                               s->best_residual, s->passes, s->passes == 1 ? "" : "es");
    }
    return perp_result_end(r, PERP_STALLED, "residual %.2e after %zu proximal pass%s",
                           s->best_residual, s->passes, s->passes == 1 ? "" : "es");
}

/* After a pass: judge the point on the problem without eps. */
static perp_status prox_next_pass(prox_state *s, perp_result *r, perp_error *err)
{
    double before = s->residual;
    bool falls = false;
    bool certified_before = false;

    s->passes++;
    r->work.rounds++;
    r->work.products++;
    s->residual = perp_judge_residual(s->judge, r->z);
    falls = s->residual < 0.5 * before;
    if (s->residual < s->best_residual) {
        s->best_residual = s->residual;
        memcpy(s->best, r->z, s->p->n * sizeof *s->best);
    }
    if (s->residual <= PROX_SETTLED || (!falls && s->best_residual <= s->tolerance)) {
        return prox_end_with_best(s, r);
    }
    /* A second certificate in a row is exact to rounding: it holds for the unscaled problem. */
    certified_before = s->certified;
    s->certified = !falls && prox_increment_certifies(s, r);
    if (s->certified && certified_before) {
        perp_result_end(r, PERP_INFEASIBLE,
                        "the increment of proximal pass %zu is a certificate", s->passes);
        return perp_result_certify_infeasible(r, s->y, err);
    }
    if (s->passes >= s->most_passes) {
        return prox_end_with_best(s, r);
    }
    s->slow = falls ? 0 : s->slow + 1;
    if (s->slow >= SLOW_PASSES && !s->raised &&
        s->epsilon > PROX_EPSILON_LEAST * s->largest * PROX_EPSILON_FACTOR) {
        return prox_lower(s, r, err);
    }
    return prox_change_epsilon(s, 1.0, r, err);
}

/* The cycle is one of the regularised problem, and certifies nothing of the original one. */
static perp_status prox_cycled(prox_state *s, perp_result *r, perp_error *err)
{
    char why[sizeof r->reason];

    perp_certificate_clear(&r->certificate);
    if (prox_may_raise(s)) {
        s->raised = s->lowered;
        return prox_raise(s, "a cycle of active sets", r, err);
    }
    memcpy(why, r->reason, sizeof why);
    return perp_result_end(r, PERP_STALLED, "in proximal pass %zu, %.200s", s->passes + 1,
                           why);
}

static perp_status prox_iterate(void *vstate, perp_result *r, perp_error *err)
{
    prox_state *s = vstate;
    size_t every = s->inner.type->check_every;
    perp_status status = perp_run_step(&s->inner, err);

    r->iterations--; /* the step of the wrapper is counted by its owner */
    if (status == PERP_OK && r->outcome == PERP_RUNNING && every &&
        ++s->steps % every == 0 &&
        perp_judge_residual(s->steer, r->z) <= fmin(s->tolerance, 0.01 * s->residual)) {
        r->outcome = PERP_SOLVED;
    }
    if (status == PERP_OK && r->outcome == PERP_RUNNING && every == 1 &&
        s->steps >= LONG_PASS && prox_may_raise(s)) {
        s->raised = s->lowered;
        return prox_raise(s, "a pass takes too many steps", r, err);
    }
    if (status != PERP_OK || r->outcome == PERP_RUNNING) {
        return status;
    }
    switch (r->outcome) {
    case PERP_SOLVED:
        return prox_next_pass(s, r, err);
    case PERP_SINGULAR_BLOCK:
        return prox_singular(s, r, err);
    case PERP_INFEASIBLE:
        if (r->certificate.kind != PERP_CERTIFICATE_INFEASIBLE ||
            !perp_certificate_infeasible(s->p, r->certificate.y)) {
            perp_certificate_clear(&r->certificate);
            perp_result_end(r, PERP_STALLED,
                            "a claim of infeasibility that holds only "
                            "for the regularised problem");
        }
        return PERP_OK;
    case PERP_CYCLE:
        return prox_cycled(s, r, err);
    default: /* the negative answer of the inner solver, unless an earlier pass was good enough */
        return s->best_residual <= s->tolerance ? prox_end_with_best(s, r) : PERP_OK;
    }
}

static void prox_close(void *vstate)
{
    prox_state *s = vstate;

    perp_run_end(&s->inner);
    perp_judge_free(s->judge);
    perp_judge_free(s->steer);
    perp_operator_free(s->shifted.A);
}

static const perp_option prox_options[] = {
    PERP_REAL_OPEN("epsilon", 1e-6, 0.0, 1.0,
                   "added to the diagonal, relative to its largest entry"),
    PERP_INTEGER("passes", 50, 1, 1000000, "limit of the number of proximal passes"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_prox = {
    .name = "prox",
    .family = "outer",
    .summary = "proximal point passes around a solver for definite matrices",
    .reference = "rockafellar-1976",
    .algorithm = "the proximal point method [rockafellar-1976]",
    .additions = "rules for the proximal parameter",
    .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION, CONE),
    .laws = PERP_LAWS(COULOMB, ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .flags = PERP_FLAGS(WRAPPER, USES_START),
    .inner = "dantzig",
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .options = prox_options,
    .state_size = sizeof(prox_state),
    .setup = prox_setup,
    .iterate = prox_iterate,
    .close = prox_close,
};
