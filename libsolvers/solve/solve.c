/* SPDX-License-Identifier: Apache-2.0
 * solve/solve.c: the one loop.
 *
 * It plans, counts, times, records the history, judges the start and then every few
 * iterations by the common residual, watches the iterates for divergence and stall, honours
 * the limits, keeps the best point and frees the workspace. Judging and watching are not part
 * of the solver's time. The verdict (solve/verdict.c) alone decides that a problem is solved. */
#include <config.h>

#include "loop.h"

#include "judge/judge.h"

/* Stop and start the solver's clock around judging and watching. */
static void loop_stop_clock(perp_loop *l)
{
    l->r->seconds += perp_clock() - l->clock;
}

static void loop_start_clock(perp_loop *l)
{
    l->clock = perp_clock();
}

/* When the history is full, every second sample is dropped, and from then on only every second
 * judgement is recorded. */
static void loop_record(perp_result *r)
{
    if (r->history_count == PERP_HISTORY_MAX) {
        for (size_t i = 0; i < PERP_HISTORY_MAX / 2; i++) {
            r->history[i] = r->history[2 * i];
        }
        r->history_count = PERP_HISTORY_MAX / 2;
        r->history_stride *= 2;
    }
    r->history[r->history_count++] =
        (perp_history_sample){r->iterations, r->seconds, r->work.products, r->residual};
}

static const perp_problem *loop_asked(const perp_loop *l)
{
    return perp_reform_path_problem(l->plan.path, l->plan.asked);
}

/* Judge the solver's point on the problem as asked; the clock is stopped. */
static void loop_judge(perp_loop *l, size_t sample)
{
    perp_result *r = l->r;
    double begin = perp_clock();
    double *z = l->point;

    perp_reform_path_unmap(l->plan.path, perp_reform_path_count(l->plan.path),
                           l->plan.asked, l->inner->z, z);
    r->residual = perp_judge_residual(l->judge, z);
    r->iterations = l->inner->iterations;
    r->work = l->inner->work;
    l->judged = true;
    l->at_best = r->residual < r->best_residual;
    if (l->at_best) {
        r->best_residual = r->residual;
        r->best_iteration = r->iterations;
        memcpy(l->best, z, loop_asked(l)->n * sizeof *z);
    }
    l->inner->residual = r->residual;
    l->inner->best_residual = r->best_residual;
    l->inner->best_iteration = r->best_iteration;
    if (l->keep_history && sample % r->history_stride == 0) {
        loop_record(r);
    }
    r->judge_seconds += perp_clock() - begin;
}

/* A limit that was reached, as an outcome; the cheap ones first. */
static void loop_check_limits(perp_loop *l)
{
    const volatile int *interrupt = l->plan.opt.interrupt;
    perp_progress_fn progress = l->plan.opt.progress;
    perp_result *inner = l->inner;

    if (inner->iterations >= l->max_iterations) {
        inner->outcome = PERP_ITERATION_LIMIT;
    } else if (interrupt && *interrupt) {
        inner->outcome = PERP_INTERRUPTED;
    } else if (l->judged && progress &&
               !progress(l->plan.opt.progress_context, l->r->iterations, l->r->residual,
                         l->r->seconds)) {
        inner->outcome = PERP_INTERRUPTED;
    } else if (l->time_limit > 0.0 &&
               l->r->seconds + perp_clock() - l->clock >= l->time_limit) {
        inner->outcome = PERP_TIME_LIMIT;
    }
    l->limited = inner->outcome != PERP_RUNNING;
}

/* A direction y of diverging iterates: where it certifies that there is no solution of the
 * problem as asked either, the solver is ended. */
static perp_status loop_try_certificate(perp_loop *l, double *y, perp_error *err)
{
    unsigned certificates = l->plan.type->certificates.certificate_bits;
    perp_status status = PERP_OK;
    bool holds = false;

    if (!(certificates & (1u << PERP_CERTIFICATE_INFEASIBLE)) ||
        !perp_certificate_direction(perp_reform_path_end(l->plan.path), y)) {
        return PERP_OK;
    }
    status = perp_loop_certify(l, perp_reform_path_count(l->plan.path), y, &holds, err);
    if (status != PERP_OK || !holds) {
        return status;
    }
    perp_result_end(
        l->inner, PERP_INFEASIBLE,
        "the iterates diverge along a certificate, found after %zu iterations",
        l->inner->iterations);
    return perp_result_certify_infeasible(l->inner, y, err);
}

/* A regular judgement: solved, not finite, stalled, or to be continued. */
static perp_status loop_judge_running(perp_loop *l, size_t sample, perp_error *err)
{
    perp_result *inner = l->inner;
    double *y = l->direction;
    perp_status status = PERP_OK;

    loop_judge(l, sample);
    if (l->r->residual <= l->tolerance) {
        inner->outcome = PERP_SOLVED;
    } else if (!isfinite(l->r->residual)) {
        perp_result_end(inner, PERP_STALLED,
                        "diverged: the point is no longer finite after %zu iterations",
                        inner->iterations);
    } else if (l->watched && perp_watch_judgement(&l->watch, inner, y)) {
        status = loop_try_certificate(l, y, err);
        if (status == PERP_OK && inner->outcome == PERP_RUNNING) {
            perp_result_end(
                inner, PERP_STALLED,
                "the least residual %.2e fell by less than 1 %% in %zu iterations",
                fmin(l->watch.least, l->watch.least_before), l->watch.window);
        }
    }
    return status;
}

/* Watching and judging after an iteration. */
static perp_status loop_observe(perp_loop *l, size_t *until, size_t *sample,
                                perp_error *err)
{
    double *y = l->direction;
    perp_status status = PERP_OK;

    if (l->watched && perp_watch_iteration(&l->watch, l->inner, y)) {
        loop_stop_clock(l);
        status = loop_try_certificate(l, y, err);
        loop_start_clock(l);
    }
    if (status == PERP_OK && l->inner->outcome == PERP_RUNNING && l->check_every &&
        --*until == 0) {
        *until = l->check_every;
        loop_stop_clock(l);
        status = loop_judge_running(l, ++*sample, err);
        loop_start_clock(l);
    }
    return status;
}

static perp_status loop_iterate(perp_loop *l, perp_error *err)
{
    perp_status status = PERP_OK;
    size_t until = l->check_every;
    size_t sample = 0;

    while (status == PERP_OK && l->inner->outcome == PERP_RUNNING) {
        l->judged = false;
        status = perp_run_step(&l->run, err);
        if (status == PERP_OK && l->inner->outcome == PERP_RUNNING) {
            status = loop_observe(l, &until, &sample, err);
        }
        if (status == PERP_OK && l->inner->outcome == PERP_RUNNING) {
            loop_check_limits(l);
        }
    }
    return status;
}

/* The limits of one attempt: options, or the values of the solver type. */
static void loop_read_limits(perp_loop *l)
{
    const perp_solver_type *type = l->plan.type;
    long most = perp_options_integer(&l->plan.opt, "max-iterations");
    long every = perp_options_integer(&l->plan.opt, "check-every");

    l->max_iterations = most                   ? (size_t)most
                        : type->max_iterations ? type->max_iterations
                                               : 1000 + 100 * l->inner->n;
    l->check_every = every ? (size_t)every : type->check_every;
    l->watched = type->check_every > 0;
    l->limited = l->judged = false;
}

/* Memory of the watch, and the setup of the solver. */
static perp_status loop_start_run(perp_loop *l, perp_error *err)
{
    const perp_solver_type *type = l->plan.type;
    long window = perp_options_integer(&l->plan.opt, "stall");
    size_t steps = l->inner->path.count;
    perp_status status = PERP_OK;

    l->run = (perp_run){0};
    if (l->watched) {
        status = perp_watch_init(&l->watch, l->inner->n,
                                 window < 0 ? type->stall : (size_t)window,
                                 l->check_every, l->ws, err);
    }
    if (status == PERP_OK) {
        status = perp_run_start(&l->run, type, perp_reform_path_end(l->plan.path),
                                &l->plan.opt, l->ws, l->inner, err);
    }
    if (l->inner->path.count == steps) { /* its setup has logged nothing */
        perp_result_log(l->inner, "%s", type->name);
    }
    if (status == PERP_OK && l->watched) {
        perp_watch_restart(&l->watch, l->inner);
    }
    return status;
}

/* One solver from start to end. */
static perp_status loop_attempt(perp_loop *l, perp_error *err)
{
    double begin = perp_clock();
    size_t mark = perp_workspace_mark(l->ws);
    perp_status status = PERP_OK;

    l->clock = begin;
    loop_read_limits(l);
    status = loop_start_run(l, err);
    l->r->setup_seconds += perp_clock() - begin;
    if (status == PERP_OK) {
        status = loop_iterate(l, err);
    }
    loop_stop_clock(l);
    if (status == PERP_OK && !l->judged) {
        loop_judge(l, 0);
    } else if (status == PERP_OK && l->keep_history) {
        loop_record(l->r); /* the last sample is always kept */
    }
    if (status == PERP_OK) {
        status = perp_loop_decide(l, err);
    }
    l->r->path = l->inner->path;
    perp_run_end(&l->run);
    perp_workspace_release(l->ws, mark);
    return status;
}

/* The wrapper to fall back on, or NULL: that of the option, or of the solver type. */
static const perp_solver_type *loop_fallback(const perp_loop *l)
{
    enum { OF_THE_SOLVER, NONE, PROX };
    const perp_solver_type *type = l->plan.type;
    const perp_problem *p = perp_reform_path_end(l->plan.path);
    size_t choice = perp_options_choice(&l->plan.opt, "on-singular");
    const char *name = choice == OF_THE_SOLVER ? type->on_singular
                       : choice == PROX        ? "prox"
                                               : NULL;
    const perp_solver_type *wrapper =
        name && !(type->flags.flag_bits & PERP_FLAG_WRAPPER)
            ? perp_solver_registry_find(l->plan.opt.registry, name)
            : NULL;

    return wrapper && (perp_set_kinds(p->set) & ~wrapper->sets.set_bits) == 0 ? wrapper
                                                                              : NULL;
}

/* At a singular block, or a cycle without a certificate, the fallback solves the problem from
 * the same start. */
static perp_status loop_attempts(perp_loop *l, perp_error *err)
{
    const perp_solver_type *fallback = loop_fallback(l);
    perp_status status = loop_attempt(l, err);

    if (status == PERP_OK && fallback &&
        (l->r->outcome == PERP_SINGULAR_BLOCK ||
         (l->r->outcome == PERP_CYCLE &&
          l->r->certificate.kind == PERP_CERTIFICATE_NONE))) {
        perp_result_log(l->inner, "%s", l->r->reason);
        memcpy(l->inner->z, l->start, l->inner->n * sizeof *l->start);
        perp_plan_wrap(&l->plan, fallback);
        status = loop_attempt(l, err);
    }
    return status;
}

static perp_status loop_open(perp_loop *l, const perp_options *opt, perp_error *err)
{
    const perp_problem *asked = loop_asked(l);
    size_t n = perp_reform_path_end(l->plan.path)->n;
    double limit = perp_options_real(opt, "memory-limit") * 0x1p20;
    perp_status status =
        perp_workspace_new(&l->ws, limit < 0x1p62 ? (size_t)limit : 0, err);

    if (status == PERP_OK) {
        status = perp_judge_new(&l->judge, asked, err);
    }
    if (status == PERP_OK) {
        status = perp_result_new(&l->inner, n, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    l->best = perp_reals_new(asked->n);
    l->point = perp_reals_new(asked->n);
    l->start = perp_reals_new(n);
    l->direction = perp_reals_new(n);
    if (!l->best || !l->point || !l->start || !l->direction) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", asked->n);
    }
    l->tolerance = perp_options_real(opt, "tolerance");
    l->time_limit = perp_options_real(opt, "time-limit");
    l->keep_history = perp_options_switch(opt, "history");
    return PERP_OK;
}

static void loop_close(perp_loop *l)
{
    perp_workspace_free(l->ws);
    perp_judge_free(l->judge);
    perp_result_free(l->inner);
    free(l->best);
    free(l->point);
    free(l->start);
    free(l->direction);
    perp_plan_close(&l->plan);
}

/* The reformulations between the problem as given and the one that the solver sees. */
static void loop_log_path(perp_loop *l)
{
    for (size_t i = 0; i < perp_reform_path_count(l->plan.path); i++) {
        perp_result_log(l->inner, "%s", perp_reform_path_step(l->plan.path, i)->what);
    }
}

/* The best point as a point of the problem as given, with all measures. */
static perp_status loop_finish(perp_loop *l, perp_error *err)
{
    perp_result *r = l->r;
    perp_plan *plan = &l->plan;
    const perp_problem *base = perp_reform_path_problem(plan->path, plan->given);
    double begin = perp_clock();
    /* mostly the problem as asked is the one given, and one judge serves both */
    bool same = plan->given == plan->asked;
    perp_judge *given = NULL;
    perp_status status = same ? PERP_OK : perp_judge_new(&given, base, err);

    if (status != PERP_OK) {
        return status;
    }
    if (plan->opt.brief) {
        r->measures = (perp_measures){0};
        r->measures.residual =
            l->at_best ? r->best_residual : perp_judge_residual(l->judge, l->best);
    } else {
        perp_judge_measure(l->judge, l->best, l->tolerance, &r->measures);
    }
    r->residual = r->measures.residual;
    perp_reform_path_unmap(plan->path, plan->asked, plan->given, l->best, r->z);
    r->residual_given = same ? r->residual : perp_judge_residual(given, r->z);
    memcpy(r->w, perp_judge_w(same ? l->judge : given), r->n * sizeof *r->w);
    r->bytes = perp_workspace_peak(l->ws);
    r->judge_seconds += perp_clock() - begin;
    perp_judge_free(given);
    return PERP_OK;
}

/* Map the start to the solver's problem and judge it: it may be a solution already. */
static void loop_map_start(perp_loop *l)
{
    perp_reform_path_map(l->plan.path, 0, perp_reform_path_count(l->plan.path), l->r->z,
                         l->inner->z);
    memcpy(l->start, l->inner->z, l->inner->n * sizeof *l->start);
    loop_judge(l, 0);
}

static perp_status loop_prepare(perp_loop *l, const perp_solver_type *type,
                                const perp_problem *p, const perp_options *opt,
                                perp_error *err)
{
    double begin = perp_clock();
    perp_status status = perp_problem_ensure_checked(p, err);

    if (status == PERP_OK && l->r->n != p->n) {
        status = perp_fail(err, PERP_ERR_ARGUMENT,
                           "the result has %zu rows, the problem %zu", l->r->n, p->n);
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
    l->r->path = l->inner->path;
    return status;
}

static perp_status loop_solve(perp_loop *l, perp_error *err)
{
    perp_status status = PERP_OK;

    loop_log_path(l);
    loop_map_start(l);
    if (l->r->residual <= l->tolerance) {
        perp_result_log(l->inner, "the start is already a solution: no solver was run");
        l->inner->outcome = PERP_SOLVED;
        status = perp_loop_decide(l, err);
        l->r->path = l->inner->path;
        return status;
    }
    return l->plan.certificate ? loop_refute(l, err) : loop_attempts(l, err);
}

perp_status perp_solve(const perp_solver_type *type, const perp_problem *p,
                       const perp_options *opt, perp_result *r, perp_error *err)
{
    perp_loop l = {.r = r};
    perp_problem own; /* with scratch of its own: other threads may solve p as well */
    perp_status status = PERP_OK;

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
    if (type->chain) {
        return perp_chain_solve(type, p, opt, r, err);
    }
    perp_result_restart(r);
    status = perp_problem_view(&own, p, err);
    if (status == PERP_OK) {
        status = loop_prepare(&l, type, &own, opt, err);
    }
    if (status == PERP_OK) {
        status = loop_solve(&l, err);
    }
    if (status == PERP_OK) {
        status = loop_finish(&l, err);
    }
    loop_close(&l);
    perp_problem_view_free(&own);
    return status;
}
