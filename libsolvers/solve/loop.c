/* SPDX-License-Identifier: Apache-2.0
 * solve/loop.c: the one loop: iterations of a solver, judged, watched and limited.
 *
 * It counts, times, records the history, judges every few iterations by the common residual,
 * watches the iterates for divergence and stall, honours the limits and keeps the best point.
 * Judging and watching are not part of the solver's time. The verdict (solve/verdict.c) alone
 * decides that a problem is solved. */
#include <config.h>

#include "judge/judge.h"
#include "loop.h"

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

void perp_loop_judge(perp_loop *l, size_t sample)
{
    perp_result *r = l->r;
    double begin = perp_clock();
    double *z = l->point;

    if (z != l->inner->z) {
        perp_reform_path_unmap(l->plan.path, perp_reform_path_count(l->plan.path),
                               l->plan.asked, l->inner->z, z);
    }
    r->residual = perp_judge_residual(l->judge, z);
    r->iterations = l->inner->iterations;
    r->work = l->inner->work;
    l->judged = true;
    l->at_best = r->residual < r->run.best_residual;
    if (l->at_best) {
        r->run.best_residual = r->residual;
        r->run.best_iteration = r->iterations;
        memcpy(l->best, z, perp_loop_asked(l)->n * sizeof *z);
    }
    l->inner->residual = r->residual;
    l->inner->run.best_residual = r->run.best_residual;
    l->inner->run.best_iteration = r->run.best_iteration;
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

    if (inner->iterations >= l->max_iterations || perp_loop_has_worked(l)) {
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
        "the iterates diverge along a certificate, found after %zu iteration%s",
        l->inner->iterations, perp_plural(l->inner->iterations));
    return perp_result_certify_infeasible(l->inner, y, err);
}

/* A regular judgement: solved, not finite, stalled, or to be continued. */
static perp_status loop_judge_running(perp_loop *l, size_t sample, perp_error *err)
{
    perp_result *inner = l->inner;
    double *y = l->direction;
    perp_status status = PERP_OK;

    perp_loop_judge(l, sample);
    if (l->r->residual <= l->tolerance) {
        inner->outcome = PERP_SOLVED;
    } else if (!isfinite(l->r->residual)) {
        perp_result_end(inner, PERP_STALLED,
                        "diverged: the point is no longer finite after %zu iteration%s",
                        inner->iterations, perp_plural(inner->iterations));
    } else if (l->watched && perp_watch_judgement(&l->watch, inner, y)) {
        status = loop_try_certificate(l, y, err);
        if (status == PERP_OK && inner->outcome == PERP_RUNNING) {
            perp_result_end(
                inner, PERP_STALLED,
                "the least residual %.2e fell by less than 1 %% in %zu iteration%s",
                fmin(l->watch.least, l->watch.least_before), l->watch.window,
                perp_plural(l->watch.window));
        }
    }
    return status;
}

/* Iterations from a judgement after `done` of them to the next one. */
static size_t loop_next_check(const perp_loop *l, size_t done)
{
    size_t next = done > 0 ? 2 * done : l->check_first;

    if (l->check_first == 0 || done >= l->check_every) {
        return l->check_every;
    }
    return (next < l->check_every ? next : l->check_every) - done;
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
        *until = loop_next_check(l, l->inner->iterations - l->started);
        loop_stop_clock(l);
        status = loop_judge_running(l, ++*sample, err);
        loop_start_clock(l);
    }
    return status;
}

static perp_status loop_iterate(perp_loop *l, perp_error *err)
{
    perp_status status = PERP_OK;
    size_t until = loop_next_check(l, 0);
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
        if (status == PERP_OK && l->inner->foreign.ran && perp_loop_call_again(l)) {
            l->inner->outcome = PERP_RUNNING;
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

    l->max_iterations = most                                       ? (size_t)most
                        : perp_options_end_by_limits(&l->plan.opt) ? SIZE_MAX
                        : type->max_iterations                     ? type->max_iterations
                                               : 1000 + 100 * l->inner->n;
    l->check_every = every ? (size_t)every : type->check_every;
    l->check_first = every || l->fixed ? 0 : type->check_first;
    l->watched = type->check_every > 0 && !l->fixed;
    l->limited = l->judged = false;
}

/* Memory of the watch, and the setup of the solver. */
static perp_status loop_start_run(perp_loop *l, perp_error *err)
{
    const perp_solver_type *type = l->plan.type;
    long given = perp_options_integer(&l->plan.opt, "stall");
    size_t own = perp_options_end_by_limits(&l->plan.opt) ? 0 : type->stall;
    size_t steps = l->inner->path.count;
    perp_status status = PERP_OK;

    l->run = (perp_run){0};
    if (l->watched) {
        status = perp_watch_init(&l->watch, l->inner->n, given < 0 ? own : (size_t)given,
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
    l->inner->foreign = l->claimed = (perp_foreign){0};
    l->started = l->inner->iterations;
    loop_read_limits(l);
    status = loop_start_run(l, err);
    l->r->setup_seconds += perp_clock() - begin - l->inner->foreign.overhead_seconds;
    if (status == PERP_OK) {
        status = loop_iterate(l, err);
    }
    loop_stop_clock(l);
    l->r->seconds -= l->inner->foreign.overhead_seconds;
    if (status == PERP_OK && !l->judged) {
        perp_loop_judge(l, 0);
    } else if (status == PERP_OK && l->keep_history) {
        loop_record(l->r); /* the last sample is always kept */
    }
    if (status == PERP_OK) {
        status = perp_loop_decide(l, err);
    }
    perp_solution_path_copy(&l->r->path, &l->inner->path);
    perp_run_end(&l->run);
    perp_workspace_release(l->ws, mark);
    return status;
}

perp_status perp_loop_attempts(perp_loop *l, perp_error *err)
{
    const perp_solver_type *fallback = perp_plan_fallback(&l->plan);
    perp_status status = loop_attempt(l, err);

    if (status == PERP_OK && fallback &&
        (l->r->outcome == PERP_SINGULAR_BLOCK ||
         (l->r->outcome == PERP_CYCLE &&
          l->r->certificate.kind == PERP_CERTIFICATE_NONE))) {
        perp_result_log(l->inner, "%s", l->r->reason);
        memcpy(l->inner->z, l->start, l->inner->n * sizeof *l->start);
        status = perp_plan_wrap(&l->plan, fallback, err);
        if (status == PERP_OK) {
            status = loop_attempt(l, err);
        }
    }
    return status;
}
