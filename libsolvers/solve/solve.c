/* SPDX-License-Identifier: Apache-2.0
 * solve/solve.c: the one loop.
 *
 * It plans, counts, times, records the history, judges the start and then every few
 * iterations by the common residual on a clock of its own, honours the limits, keeps the
 * best point and frees the workspace. «Solved» is said here and nowhere else. */
#include <config.h>

#include <stdio.h>

#include "plan.h"

typedef struct loop {
    perp_plan plan;
    perp_workspace *ws;
    perp_judge *judge; /* of the problem as asked */
    perp_run run;
    perp_result *r;     /* the caller's */
    perp_result *inner; /* of the problem the solver sees */
    double *best;       /* best point of the problem as asked */
    double *point;      /* the last point that was judged, of the problem as asked */
    double *start;      /* where to begin again when a wrapper takes over */
    double tolerance, time_limit;
    size_t max_iterations, check_every;
    double clock; /* the solver's clock stands since this moment */
    bool keep_history;
    bool limited; /* ended from here, not by the solver */
    bool at_best; /* the last point that was judged is the best one */
    bool fresh;   /* it is where the solver stands */
} loop;

/* Stop and start the solver's clock around what is not its work. */
static void clock_stop(loop *l)
{
    l->r->seconds += perp_clock() - l->clock;
}

static void clock_start(loop *l)
{
    l->clock = perp_clock();
}

/* When full, every second moment goes and from then on only every second comes. */
static void remember(perp_result *r)
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

/* The problem as asked. */
static const perp_problem *loop_asked(const loop *l)
{
    return perp_reform_path_problem(l->plan.path, l->plan.asked);
}

/* Judge the solver's point on the problem as asked; the clock is stopped. */
static void judge(loop *l, size_t moment)
{
    perp_result *r = l->r;
    double begin = perp_clock();
    double *z = l->point;

    perp_reform_path_unmap(l->plan.path, perp_reform_path_count(l->plan.path),
                           l->plan.asked, l->inner->z, z);
    r->residual = perp_judge_residual(l->judge, z);
    r->iterations = l->inner->iterations;
    r->work = l->inner->work;
    l->fresh = true;
    l->at_best = r->residual < r->best_residual;
    if (l->at_best) {
        r->best_residual = r->residual;
        r->best_iteration = r->iterations;
        memcpy(l->best, z, loop_asked(l)->n * sizeof *z);
    }
    l->inner->residual = r->residual;
    l->inner->best_residual = r->best_residual;
    l->inner->best_iteration = r->best_iteration;
    if (l->keep_history && moment % r->history_stride == 0) {
        remember(r);
    }
    r->judge_seconds += perp_clock() - begin;
}

/* A limit that was reached, as an outcome; the cheap ones first. */
static void check_limits(loop *l)
{
    const volatile int *interrupt = l->plan.opt.interrupt;
    perp_progress_fn progress = l->plan.opt.progress;
    perp_result *inner = l->inner;

    if (inner->iterations >= l->max_iterations) {
        inner->outcome = PERP_ITERATION_LIMIT;
    } else if (interrupt && *interrupt) {
        inner->outcome = PERP_INTERRUPTED;
    } else if (l->fresh && progress &&
               !progress(l->plan.opt.progress_context, l->r->iterations, l->r->residual,
                         l->r->seconds)) {
        inner->outcome = PERP_INTERRUPTED;
    } else if (l->time_limit > 0.0 &&
               l->r->seconds + perp_clock() - l->clock >= l->time_limit) {
        inner->outcome = PERP_TIME_LIMIT;
    }
    l->limited = inner->outcome != PERP_RUNNING;
}

/* The sentence of a limit, once the last point is judged. */
static void tell_limit(loop *l)
{
    perp_result *r = l->r;
    const char *what = l->inner->outcome == PERP_INTERRUPTED ? "interrupted" : "stopped";
    char limit[48] = "";
    char best[32] = "";

    if (r->best_residual < 0.995 * r->residual) { /* else both read the same */
        snprintf(best, sizeof best, " (best %.2e)", r->best_residual);
    }
    if (l->inner->outcome == PERP_ITERATION_LIMIT) {
        snprintf(limit, sizeof limit, ", the most allowed,");
    } else if (l->inner->outcome == PERP_TIME_LIMIT) {
        snprintf(limit, sizeof limit, " and %.3g s, the time allowed,", l->time_limit);
    }
    perp_result_end(l->inner, l->inner->outcome,
                    "%s after %zu iteration%s%s at RES = %.2e%s, asked for %.1e", what,
                    r->iterations, r->iterations == 1 ? "" : "s", limit, r->residual,
                    best, l->tolerance);
}

/* What the answer says of a «no» begins with the solver's name and tells how far it came. */
static void complete_reason(loop *l)
{
    perp_result *r = l->r;
    size_t end = strlen(r->reason);

    if (!strstr(r->reason, "RES = ")) {
        end += (size_t)snprintf(r->reason + end, sizeof r->reason - end,
                                " (RES = %.2e after %zu iteration%s)", r->best_residual,
                                r->iterations, r->iterations == 1 ? "" : "s");
        perp_message_ellipsis(r->reason, sizeof r->reason, end);
    }
    perp_message_name_solver(r->reason, sizeof r->reason, l->plan.type, &l->plan.opt);
}

/* A regular judgement: solved, diverged, or on we go. */
static void judge_running(loop *l, size_t moment)
{
    clock_stop(l);
    judge(l, moment);
    if (l->r->residual <= l->tolerance) {
        l->inner->outcome = PERP_SOLVED;
    } else if (!isfinite(l->r->residual)) {
        perp_result_end(l->inner, PERP_STALLED,
                        "diverged: the point is no longer finite after %zu iterations",
                        l->inner->iterations);
    }
    clock_start(l);
}

static perp_status iterate(loop *l, perp_error *err)
{
    perp_status status = PERP_OK;
    size_t until = l->check_every;
    size_t moment = 0;

    while (status == PERP_OK && l->inner->outcome == PERP_RUNNING) {
        l->fresh = false;
        status = perp_run_step(&l->run, err);
        if (status != PERP_OK || l->inner->outcome != PERP_RUNNING) {
            break;
        }
        if (l->check_every && --until == 0) {
            until = l->check_every;
            judge_running(l, ++moment);
        }
        if (l->inner->outcome == PERP_RUNNING) {
            check_limits(l);
        }
    }
    return status;
}

/* The certificate of an «infeasible» is checked here on the problem as asked, and where the
 * way back leads further, on the problem as given. */
static void check_certificate(loop *l, size_t from, const double *proof)
{
    perp_result *r = l->r;
    const perp_plan *plan = &l->plan;
    const perp_problem *asked = loop_asked(l);
    const perp_problem *given = perp_reform_path_problem(plan->path, plan->given);
    size_t rows = asked->n > given->n ? asked->n : given->n;
    double *y = perp_reals_new(rows);
    bool proven = false;

    if (y && perp_reform_path_certificate(plan->path, from, plan->asked, proof, y) &&
        perp_certificate_infeasible(asked, y)) {
        proven = true;
        if (perp_reform_path_certificate(plan->path, plan->asked, plan->given, y, y) &&
            perp_certificate_infeasible(given, y)) {
            memcpy(r->certificate, y, r->n * sizeof *y);
            r->has_certificate = true;
        }
    }
    if (!proven) {
        perp_result_end(r, PERP_RAY, "a claim of infeasibility whose certificate fails");
    }
    free(y);
}

/* The evidence of any other «no» goes out with the answer if it holds, and it is said if it
 * does not. */
static void check_proof(loop *l)
{
    perp_result *r = l->r;
    perp_certificate *proof = &l->inner->proof;
    char why[128];
    size_t end = strlen(r->reason);

    perp_certificate_clear(&r->proof);
    if (proof->kind == PERP_CERTIFICATE_NONE) {
        return;
    }
    if (perp_certificate_check(proof, perp_reform_path_end(l->plan.path), why,
                               sizeof why)) {
        r->proof = *proof;
        *proof = (perp_certificate){0};
        perp_solver_print(l->plan.type, &l->plan.opt, r->prover, sizeof r->prover);
    } else {
        end += (size_t)snprintf(r->reason + end, sizeof r->reason - end,
                                " (its certificate fails: %s)", why);
        perp_message_ellipsis(r->reason, sizeof r->reason, end);
        perp_certificate_clear(proof);
    }
}

/* What the solver says against what the judge finds. */
static void decide(loop *l)
{
    perp_result *r = l->r;
    perp_result *inner = l->inner;

    if (l->limited) {
        tell_limit(l);
    }
    r->outcome = inner->outcome;
    r->place = inner->place;
    memcpy(r->reason, inner->reason, sizeof r->reason);
    if (r->residual <= l->tolerance) {
        r->outcome = PERP_SOLVED;
        perp_certificate_clear(&r->proof);
        snprintf(r->reason, sizeof r->reason, "RES = %.2e after %zu iterations",
                 r->residual, r->iterations);
    } else if (inner->outcome == PERP_SOLVED) {
        perp_result_end(r, PERP_STALLED,
                        "stopped at RES = %.2e after %zu iteration%s, asked for %.1e, "
                        "though it says: %.120s",
                        r->residual, r->iterations, r->iterations == 1 ? "" : "s",
                        l->tolerance, inner->reason[0] ? inner->reason : "solved");
    } else if (inner->outcome == PERP_INFEASIBLE) {
        check_certificate(l, perp_reform_path_count(l->plan.path), inner->certificate);
    } else {
        check_proof(l);
    }
    if (r->outcome != PERP_SOLVED) {
        complete_reason(l);
    }
}

/* One solver from start to end. */
static perp_status attempt(loop *l, perp_error *err)
{
    double begin = perp_clock();
    perp_status status = PERP_OK;
    const perp_solver_type *type = l->plan.type;
    long asked = perp_options_integer(&l->plan.opt, "max-iterations");
    long every = perp_options_integer(&l->plan.opt, "check-every");
    size_t steps = 0;

    l->max_iterations = asked                  ? (size_t)asked
                        : type->max_iterations ? type->max_iterations
                                               : 1000 + 100 * l->inner->n;
    l->check_every = every ? (size_t)every : type->check_every;
    l->clock = begin;
    l->limited = l->fresh = false;
    steps = l->inner->path.count;
    status = perp_run_start(&l->run, type, perp_reform_path_end(l->plan.path),
                            &l->plan.opt, l->ws, l->inner, err);
    if (l->inner->path.count == steps) {
        perp_result_log(l->inner, "%s",
                        type->name); /* it had nothing to add to its name */
    }
    l->r->setup_seconds += perp_clock() - begin;
    if (status == PERP_OK) {
        status = iterate(l, err);
    }
    clock_stop(l);
    if (status == PERP_OK && !l->fresh) {
        judge(l, 0);
    } else if (status == PERP_OK && l->keep_history) {
        remember(l->r); /* the last moment stands at the end, whatever came before */
    }
    if (status == PERP_OK) {
        decide(l);
    }
    l->r->path = l->inner->path;
    perp_run_end(&l->run);
    return status;
}

/* A singular block, or pivots that do not end and do not prove why, send some solvers
 * round again inside a wrapper. */
static perp_status attempts(loop *l, perp_error *err)
{
    perp_status status = attempt(l, err);
    const char *wrapper = l->plan.type->on_singular;

    if (status == PERP_OK && wrapper &&
        (l->r->outcome == PERP_SINGULAR_BLOCK ||
         (l->r->outcome == PERP_CYCLE && l->r->proof.kind == PERP_CERTIFICATE_NONE))) {
        perp_result_log(l->inner, "%s", l->r->reason);
        memcpy(l->inner->z, l->start, l->inner->n * sizeof *l->start);
        perp_plan_wrap(&l->plan,
                       perp_solver_registry_find(l->plan.opt.registry, wrapper));
        status = attempt(l, err);
    }
    return status;
}

static perp_status loop_open(loop *l, const perp_options *opt, perp_error *err)
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
    if (!l->best || !l->point || !l->start) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", asked->n);
    }
    l->tolerance = perp_options_real(opt, "tolerance");
    l->time_limit = perp_options_real(opt, "time-limit");
    l->keep_history = perp_options_switch(opt, "history");
    return PERP_OK;
}

static void loop_close(loop *l)
{
    perp_workspace_free(l->ws);
    perp_judge_free(l->judge);
    perp_result_free(l->inner);
    free(l->best);
    free(l->point);
    free(l->start);
    perp_plan_close(&l->plan);
}

/* Say how the problem came to the solver. */
static void tell_path(loop *l)
{
    for (size_t i = 0; i < perp_reform_path_count(l->plan.path); i++) {
        perp_result_log(l->inner, "%s", perp_reform_path_step(l->plan.path, i)->what);
    }
}

/* The best point, back on the problem as given, with all measures. */
static perp_status finish(loop *l, perp_error *err)
{
    perp_result *r = l->r;
    perp_plan *plan = &l->plan;
    const perp_problem *base = perp_reform_path_problem(plan->path, plan->given);
    double begin = perp_clock();
    /* what was asked is mostly the problem as given: then one judge has seen both */
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
    r->original_residual = same ? r->residual : perp_judge_residual(given, r->z);
    memcpy(r->w, perp_judge_w(same ? l->judge : given), r->n * sizeof *r->w);
    r->bytes = perp_workspace_peak(l->ws);
    r->judge_seconds += perp_clock() - begin;
    perp_judge_free(given);
    return PERP_OK;
}

/* Carry the start to the solver and judge it: a start at a solution is one. */
static void begin_at(loop *l)
{
    perp_reform_path_map(l->plan.path, 0, perp_reform_path_count(l->plan.path), l->r->z,
                         l->inner->z);
    memcpy(l->start, l->inner->z, l->inner->n * sizeof *l->start);
    judge(l, 0);
}

static perp_status solve_open(loop *l, const perp_solver_type *type,
                              const perp_problem *p, const perp_options *opt,
                              perp_error *err)
{
    double begin = perp_clock();
    perp_status status = perp_problem_check(p, err);

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

perp_status perp_solve(const perp_solver_type *type, const perp_problem *p,
                       const perp_options *opt, perp_result *r, perp_error *err)
{
    if (perp_check_arguments(type && p && r, "perp_solve", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    loop l = {.r = r};
    perp_status status = PERP_OK;

    if (type->chain) {
        return perp_chain_solve(type, p, opt, r, err);
    }
    perp_result_restart(r);
    status = solve_open(&l, type, p, opt, err);
    if (status == PERP_OK) {
        tell_path(&l);
        begin_at(&l);
        if (r->residual <= l.tolerance) {
            perp_result_log(l.inner, "the start is already a solution: nothing ran");
            l.inner->outcome = PERP_SOLVED;
            decide(&l);
            r->path = l.inner->path;
        } else if (l.plan.certificate) {
            perp_result_log(l.inner, "free rows contradict each other: no solver ran");
            perp_result_end(r, PERP_INFEASIBLE,
                            "not run, since no z makes the velocities of all free rows "
                            "zero");
            check_certificate(&l, l.plan.certificate_at, l.plan.certificate);
            complete_reason(&l);
            r->path = l.inner->path;
        } else {
            status = attempts(&l, err);
        }
    }
    if (status == PERP_OK) {
        status = finish(&l, err);
    }
    loop_close(&l);
    return status;
}
