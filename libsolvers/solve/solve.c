/* SPDX-License-Identifier: Apache-2.0
 * solve/solve.c: a solve from the problem to the answer, and the memory of a context.
 *
 * It plans, judges the start, runs the loop (solve/loop.c) and maps the answer back. All memory
 * of a solve is of the context's workspace, but for copies that the plan makes; perp_solve has
 * a context of its own. */
#include <config.h>

#include <stdio.h>

#include "base/base.h"
#include "judge/judge.h"
#include "loop.h"
#include "registry.h"

/* Index of the option "answer". */
enum { ANSWER_BEST, ANSWER_LAST };

/* The result that the solver works on, and the points. */
static perp_status loop_allocate(perp_loop *l, perp_error *err)
{
    size_t asked = perp_loop_asked(l)->n, n = perp_reform_path_end(l->plan.path)->n;
    bool same = perp_reform_path_count(l->plan.path) == l->plan.asked;
    bool returns = perp_plan_fallback(&l->plan) != NULL; /* to the start */

    l->inner = perp_workspace_raw(l->ws, 1, sizeof *l->inner);
    l->best = perp_workspace_raw(l->ws, asked, sizeof *l->best);
    l->start = perp_workspace_raw(l->ws, returns ? n : 0, sizeof *l->start);
    l->direction = perp_workspace_raw(l->ws, l->fixed ? 0 : n, sizeof *l->direction);
    if (l->inner) {
        double *z = perp_workspace_raw(l->ws, n, sizeof *z);
        double *w = perp_workspace_raw(l->ws, n, sizeof *w);

        perp_result_begin(l->inner, n, z, w, NULL);
        l->point = same ? z : perp_workspace_raw(l->ws, asked, sizeof *l->point);
    }
    l->start = returns ? l->start : NULL;
    return perp_workspace_status(l->ws, err);
}

/* The threads of the solver judge as well. */
static perp_status loop_share_judge(perp_loop *l, perp_error *err)
{
    const perp_options *opt = &l->plan.opt;
    size_t threads = perp_options_find(opt, "threads")
                         ? (size_t)perp_options_integer(opt, "threads")
                         : 1;

    return perp_judge_share(l->judge, threads, l->ws, err);
}

static perp_status loop_open(perp_loop *l, const perp_options *opt, perp_error *err)
{
    double limit = perp_options_real(opt, "memory-limit") * 0x1p20;

    perp_workspace_restart(l->ws, limit < 0x1p62 ? (size_t)limit : 0);
    l->last = perp_options_choice(opt, "answer") == ANSWER_LAST;
    l->fixed = l->last && perp_options_integer(opt, "max-iterations") > 0;
    TRY(perp_judge_new_in(&l->judge, perp_loop_asked(l), l->ws, err));
    TRY(perp_plan_scale(&l->plan, l->judge, err));
    TRY(loop_allocate(l, err));
    TRY(loop_share_judge(l, err));
    l->tolerance = perp_options_real(opt, "tolerance");
    l->time_limit = perp_options_real(opt, "time-limit");
    l->work_limit = perp_options_real(opt, "work-limit");
    l->keep_history = perp_options_switch(opt, "history");
    return PERP_OK;
}

static void loop_close(perp_loop *l)
{
    if (l->inner) {
        perp_certificate_clear(&l->inner->certificate);
    }
    perp_workspace_release(l->ws, l->mark);
    perp_plan_close(&l->plan);
}

/* The reformulations between the problem as given and the one that the solver sees. */
static void loop_log_path(perp_loop *l)
{
    size_t threads = perp_blas_threads();

    if (threads == 0) {
        perp_result_log(l->inner, "BLAS has the threads of the caller");
    } else if (threads > 1) {
        perp_result_log(l->inner, "BLAS has %zu thread%s", threads, perp_plural(threads));
    }
    for (size_t i = 0; i < perp_reform_path_count(l->plan.path); i++) {
        perp_result_log(l->inner, "%s", perp_reform_path_step(l->plan.path, i)->what);
    }
}

/* The point that is the answer: the best one, or at a limit the last one where that is asked for
 * and is finite. */
static const double *loop_answer(const perp_loop *l)
{
    bool last =
        l->last && l->limited && l->r->outcome != PERP_SOLVED && isfinite(l->r->residual);

    return last || l->at_best ? l->point : l->best;
}

/* Where a double may hold no better point, the reason says so. */
static void loop_mention_rounding(perp_loop *l)
{
    perp_result *r = l->r;
    size_t end = strlen(r->reason);

    if (r->outcome == PERP_SOLVED || r->outcome == PERP_INFEASIBLE ||
        !(r->measures.rounding > l->tolerance)) {
        return;
    }
    end += (size_t)snprintf(r->reason + end, sizeof r->reason - end,
                            "; the rounding of z alone may cost %.0e here",
                            r->measures.rounding);
    perp_message_ellipsis(r->reason, sizeof r->reason, end);
}

/* The answer as a point of the problem as given, with all measures. */
static perp_status loop_finish(perp_loop *l, perp_error *err)
{
    perp_result *r = l->r;
    perp_plan *plan = &l->plan;
    const perp_problem *base = perp_reform_path_problem(plan->path, plan->given);
    const double *answer = loop_answer(l);
    double begin = perp_clock();
    /* mostly the problem as asked is the one given, and one judge serves both */
    bool same = plan->given == plan->asked;
    perp_judge *given = NULL;

    TRY(same ? PERP_OK : perp_judge_new(&given, base, err));
    if (plan->opt.brief) {
        r->measures = (perp_measures){0};
        r->measures.residual =
            answer == l->point ? r->residual : perp_judge_residual(l->judge, answer);
    } else {
        perp_judge_measure(l->judge, answer, l->tolerance, &r->measures);
        loop_mention_rounding(l);
    }
    r->residual = r->measures.residual;
    perp_reform_path_unmap(plan->path, plan->asked, plan->given, answer, r->z);
    r->residual_given = same ? r->residual : perp_judge_residual(given, r->z);
    memcpy(r->w, perp_judge_w(same ? l->judge : given), r->n * sizeof *r->w);
    r->bytes = perp_workspace_peak(l->ws);
    r->judge_seconds += perp_clock() - begin;
    perp_judge_free(given);
    return PERP_OK;
}

/* Map the start to the solver's problem and judge it: it may be a solution already. A fixed
 * number of iterations is made without that. */
static void loop_map_start(perp_loop *l)
{
    perp_reform_path_map(l->plan.path, 0, perp_reform_path_count(l->plan.path), l->r->z,
                         l->inner->z);
    if (l->start) {
        memcpy(l->start, l->inner->z, l->inner->n * sizeof *l->start);
    }
    /* the answer where no point is accepted, as for a b out of the range of doubles */
    perp_reform_path_unmap(l->plan.path, perp_reform_path_count(l->plan.path),
                           l->plan.asked, l->inner->z, l->best);
    if (!l->fixed || l->inner->n == 0 || l->plan.certificate) {
        perp_loop_judge(l, 0);
    }
}

static perp_status loop_prepare(perp_loop *l, const perp_solver_type *type,
                                perp_problem *p, const perp_options *opt, perp_error *err)
{
    double begin = perp_clock();
    perp_status status = perp_problem_view_seal(p, err);

    if (status == PERP_OK && l->r->n != p->n) {
        status =
            perp_fail(err, PERP_ERR_ARGUMENT, "the result has %zu row%s, the problem %zu",
                      l->r->n, perp_plural(l->r->n), p->n);
    }
    if (status == PERP_OK && !perp_all_finite(l->r->z, p->n)) {
        status = perp_fail(err, PERP_ERR_DATA, "the start is not finite");
    }
    if (status == PERP_OK) {
        status = perp_plan_open(&l->plan, type, p, opt, err);
    }
    if (status == PERP_OK) {
        status = loop_open(l, &l->plan.opt, err);
    }
    l->r->prepare_seconds = perp_clock() - begin;
    l->r->seconds = l->r->prepare_seconds;
    return status;
}

/* Not run: no z makes the velocities of all free rows zero. */
static perp_status loop_refute(perp_loop *l, perp_error *err)
{
    bool holds = false;
    perp_status status =
        perp_loop_certify(l, l->plan.certificate_at, l->plan.certificate, &holds, err);

    perp_result_log(l->inner, "free rows contradict each other: no solver was run");
    if (holds) {
        perp_result_end(l->r, PERP_INFEASIBLE,
                        "not run, since no z makes the velocities of all free rows zero");
    } else {
        perp_result_end(l->r, PERP_RAY,
                        "a claim of infeasibility whose certificate fails");
    }
    perp_loop_complete_reason(l);
    perp_solution_path_copy(&l->r->path, &l->inner->path);
    return status;
}

static perp_status loop_solve(perp_loop *l, perp_error *err)
{
    perp_status status = PERP_OK;
    const char *solved = NULL;

    loop_log_path(l);
    loop_map_start(l);
    if (l->plan.type->flags.flag_bits & PERP_FLAG_RUNS_FROM_SOLUTION) {
        solved = NULL;
    } else if (l->r->residual <= l->tolerance) {
        solved = "the start is already a solution: no solver was run";
    } else if (!l->fixed && perp_judge_start_solves(l->judge, l->best)) {
        l->r->residual = l->r->run.best_residual = perp_judge_residual(l->judge, l->best);
        l->at_best = false;
        solved = "nothing acts, and P(0) is a solution: no solver was run";
    }
    if (solved) {
        perp_result_log(l->inner, "%s", solved);
        l->inner->outcome = PERP_SOLVED;
        status = perp_loop_decide(l, err);
        perp_solution_path_copy(&l->r->path, &l->inner->path);
        return status;
    }
    return l->plan.certificate ? loop_refute(l, err) : perp_loop_attempts(l, err);
}

static perp_status loop_check_arguments(const perp_solver_type *type,
                                        const perp_problem *p, const perp_result *r,
                                        perp_error *err)
{
    perp_error_clear(err);
    if (!type || !p || !r) {
        return perp_fail(err, PERP_ERR_ARGUMENT, "perp_solve: %s is NULL, expected %s",
                         !type ? "the solver type"
                         : !p  ? "the problem"
                               : "the result",
                         !type ? "one of perp_solvers()"
                         : !p  ? "a problem"
                               : "one of perp_result_new()");
    }
    return PERP_OK;
}

perp_status perp_solve(const perp_solver_type *type, const perp_problem *p,
                       const perp_options *opt, perp_result *r, perp_error *err)
{
    perp_context context = {0};
    perp_status status = loop_check_arguments(type, p, r, err);

    if (status == PERP_OK) {
        status = perp_workspace_new(&context.ws, 0, err);
    }
    if (status == PERP_OK) {
        status = perp_context_solve(&context, type, p, opt, r, err);
    }
    perp_workspace_free(context.ws);
    return status;
}

perp_status perp_context_new(perp_context **context, perp_error *err)
{
    perp_status status = PERP_OK;

    TRY(perp_check_arguments(context, "perp_context_new", err));
    *context = calloc(1, sizeof **context);
    if (!*context) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a context");
    }
    status = perp_workspace_new(&(*context)->ws, 0, err);
    if (status != PERP_OK) {
        perp_context_free(*context);
        *context = NULL;
        return status;
    }
    perp_workspace_keep((*context)->ws);
    return PERP_OK;
}

void perp_context_free(perp_context *context)
{
    if (context) {
        perp_workspace_free(context->ws);
        free(context);
    }
}

/* One solve; *open: with bounds out of reach left open, as they were. */
static perp_status context_solve_once(perp_context *context, const perp_solver_type *type,
                                      perp_problem *p, const perp_options *opt,
                                      perp_result *r, bool *open, perp_error *err)
{
    perp_loop l = {.r = r, .ws = context->ws, .plan.closed = !*open};
    perp_status status = PERP_OK;

    l.mark = perp_workspace_mark(l.ws);
    perp_result_restart(r);
    status = loop_prepare(&l, type, p, opt, err);
    if (status == PERP_OK) {
        status = loop_solve(&l, err);
    }
    if (status == PERP_OK) {
        status = loop_finish(&l, err);
    }
    *open = l.plan.opens;
    loop_close(&l);
    return status;
}

/* With all bounds, from the best point so far, in the time that is left. */
static perp_status context_solve_closed(perp_context *context,
                                        const perp_solver_type *type, perp_problem *p,
                                        const perp_options *opt, perp_result *r,
                                        perp_error *err)
{
    const double limit = perp_options_real(opt, "time-limit");
    const perp_result before = *r;
    perp_options rest = *opt;
    bool open = false;
    perp_status status = PERP_OK;

    perp_certificate_clear(&r->certificate);
    if (limit > 0.0) {
        if (r->seconds >= limit) {
            return PERP_OK;
        }
        status = perp_options_set_real(&rest, "time-limit", limit - r->seconds, err);
    }
    if (status == PERP_OK) {
        status = context_solve_once(context, type, p, &rest, r, &open, err);
    }
    r->iterations += before.iterations;
    r->seconds += before.seconds;
    r->prepare_seconds += before.prepare_seconds;
    r->setup_seconds += before.setup_seconds;
    r->judge_seconds += before.judge_seconds;
    perp_work_add(&r->work, &before.work);
    perp_result_log(r, "with bounds open, before: %s after %zu iteration%s",
                    perp_outcome_text(before.outcome), before.iterations,
                    perp_plural(before.iterations));
    return status;
}

/* An answer with open bounds may miss them, and a certificate says nothing then. */
static perp_status context_solve_own(perp_context *context, const perp_solver_type *type,
                                     perp_problem *p, const perp_options *opt,
                                     perp_result *r, perp_error *err)
{
    perp_options defaults;
    bool open = true;
    perp_status status = PERP_OK;

    if (!opt) {
        status = perp_options_init_default(&defaults, type, err);
        opt = &defaults;
    }
    if (status == PERP_OK) {
        status = context_solve_once(context, type, p, opt, r, &open, err);
    }
    if (status != PERP_OK || !open || r->outcome == PERP_SOLVED ||
        r->outcome == PERP_ITERATION_LIMIT || r->outcome == PERP_TIME_LIMIT ||
        r->outcome == PERP_INTERRUPTED) {
        return status;
    }
    return context_solve_closed(context, type, p, opt, r, err);
}

perp_status perp_context_solve(perp_context *context, const perp_solver_type *type,
                               const perp_problem *p, const perp_options *opt,
                               perp_result *r, perp_error *err)
{
    perp_problem own; /* with scratch of its own: other threads may solve p as well */
    perp_status status = PERP_OK;

    TRY(perp_check_arguments(context, "perp_context_solve", err));
    TRY(loop_check_arguments(type, p, r, err));
    if (type->chain) {
        perp_blas_hold();
        status = perp_chain_solve(context, type, p, opt, r, err);
        perp_blas_release();
        return status;
    }
    perp_blas_hold();
    status = perp_problem_view(&own, p, err);
    if (status == PERP_OK) {
        status = context_solve_own(context, type, &own, opt, r, err);
    }
    perp_problem_view_free(&own);
    perp_blas_release();
    return status;
}
