/* SPDX-License-Identifier: Apache-2.0
 * solve/chain.c: solvers one after the other, until one has the answer.
 *
 * Each starts from the best point so far, or where the row says so where the caller began, and
 * has at most half of the time that is left, the last one all of it. A step may have a budget of work, a share of a predicted
 * cost; a pivoting method that is not the last has a budget of pivots as well. The solution path lists what each of them did; the answer is that of
 * the best one. A certificate that there is no solution ends the chain; any other
 * negative answer calls the next solver. The seconds include those of the chain. */
#include <config.h>

#include <stdio.h>

#include "base/base.h"
#include "islands.h"
#include "loop.h"

/* Pivots of a step: twice as many per row as any problem of a race needed, and enough for
 * all active sets of 8 rows. */
enum { CHAIN_PIVOTS_PER_ROW = 20, CHAIN_PIVOTS = 500 };

typedef struct chain_run {
    perp_context *context;
    const perp_problem *p;
    const perp_options *opt;
    const perp_chain_row *row;
    /* those of the row, the one for a warm start, and the one after a stall */
    const char *steps[PERP_CHAIN_MAX + 2];
    double flops[PERP_CHAIN_MAX + 2]; /* the most work of each; 0: no limit */
    bool cold[PERP_CHAIN_MAX + 2];    /* from the start of the caller */
    size_t count;
    perp_result *r;    /* of the chain */
    perp_result *step; /* of one solver */
    double *z;         /* n: where the next solver starts */
    double *start;     /* n: where the caller began */
    double begin;      /* on the clock */
    double spent;      /* within the solvers, judging included */
    double time_limit;
    double work_limit, worked; /* flops of all steps */
    double best;               /* residual of z on the problem as given */
    const char *winner;        /* the step that found z */
    size_t ran;                /* solvers that took the problem */
    char last[256];            /* the reason of the last of them */
} chain_run;

/* Add the history, the path and the costs of the last step. */
static void chain_collect(chain_run *c, const char *name)
{
    const char *settings = strchr(name, ' ');

    perp_result *r = c->r;
    const perp_result *s = c->step;
    size_t room = PERP_HISTORY_MAX - r->history_count;

    for (size_t i = 0; i < s->history_count && i < room; i++) {
        perp_history_sample m = s->history[i];

        m.iteration += r->iterations;
        m.seconds += r->seconds;
        m.products += r->work.products;
        r->history[r->history_count++] = m;
    }
    for (size_t i = 0; i < s->path.count; i++) {
        perp_result_log(r, "%s", s->path.step[i]);
    }
    perp_result_log(r, "%s%s%s: %s", perp_outcome_text(s->outcome),
                    settings ? " with" : "", settings ? settings : "", s->reason);
    r->iterations += s->iterations;
    perp_work_add(&r->work, &s->work);
    r->seconds += s->seconds;
    r->prepare_seconds += s->prepare_seconds;
    r->setup_seconds += s->setup_seconds;
    r->judge_seconds += s->judge_seconds;
    r->bytes = s->bytes > r->bytes ? s->bytes : r->bytes;
}

/* The answer of the last step becomes that of the chain. */
static void chain_adopt_answer(chain_run *c, const char *name)
{
    perp_result *r = c->r;
    perp_result *s = c->step;

    c->best = s->residual_given;
    c->winner = name;
    memcpy(c->z, s->z, s->n * sizeof *s->z);
    memcpy(r->z, s->z, s->n * sizeof *s->z);
    memcpy(r->w, s->w, s->n * sizeof *s->w);
    r->residual = s->residual;
    r->residual_given = s->residual_given;
    r->measures = s->measures;
    r->run.best_residual = s->run.best_residual;
}

/* The outcome of the last step, and its certificate if it has one. */
static void chain_adopt_outcome(chain_run *c)
{
    perp_result *r = c->r;
    perp_result *s = c->step;

    r->outcome = s->outcome;
    r->foreign = s->foreign;
    r->singular_row = s->singular_row;
    if (s->certificate.kind != PERP_CERTIFICATE_NONE || s->outcome == PERP_SOLVED) {
        perp_certificate_clear(&r->certificate);
        r->certificate = s->certificate;
        s->certificate = (perp_certificate){0};
        memcpy(r->certificate_solver, s->certificate_solver,
               sizeof r->certificate_solver);
    }
}

/* Half of the time that is left for a step, all of it for the last; false when none
 * is. */
static bool chain_share_time(const chain_run *c, size_t i, perp_options *opt)
{
    double left = c->time_limit - c->r->seconds;

    if (c->time_limit <= 0.0) {
        return true;
    }
    if (left <= 0.0) {
        return false;
    }
    left = i + 1 < c->count ? 0.5 * left : left;
    return perp_options_set_real(opt, "time-limit", left, NULL) == PERP_OK;
}

/* The budget of a step, or what is left of the work allowed where that is less; false when
 * nothing is. */
static bool chain_share_work(const chain_run *c, size_t i, perp_options *opt)
{
    double left = c->work_limit > 0.0 ? c->work_limit - c->worked : INFINITY;
    double most = c->flops[i] > 0.0 ? fmin(c->flops[i], left) : left;

    return most > 0.0 &&
           (isinf(most) ||
            perp_options_set_real(opt, "work-limit", fmin(most, 1e18), NULL) == PERP_OK);
}

/* Does a step of this solver exchange rows one at a time? */
static bool chain_pivots(const perp_solver_type *type, const perp_options *opt)
{
    return strcmp(type->family, "pivoting") == 0 ||
           (opt->inner && strcmp(opt->inner->family, "pivoting") == 0);
}

/* The budget of a pivoting method that is not the last: where it fits it ends after a
 * few pivots per row, elsewhere after exponentially many. */
static perp_status chain_limit_pivots(const chain_run *c, size_t i,
                                      const perp_solver_type *type, perp_options *opt,
                                      perp_error *err)
{
    size_t most = CHAIN_PIVOTS + CHAIN_PIVOTS_PER_ROW * c->p->n;

    if (i + 1 == c->count || !chain_pivots(type, opt) ||
        perp_options_given(opt, "max-iterations")) {
        return PERP_OK;
    }
    return perp_options_set_real(opt, "max-iterations", most, err);
}

static perp_status chain_run_step(chain_run *c, size_t i, perp_error *err)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_error failed = {0};
    double begin = 0.0;
    const char *name = c->steps[i];
    perp_status status = PERP_OK;

    TRY(perp_solver_registry_parse(c->opt->registry, name, &type, &opt, err));
    perp_options_inherit(&opt, c->opt);
    if (perp_options_find(&opt, "order") && perp_options_find(&opt, "threads")) {
        /* threads sweep contacts of one colour, an order that no row asks for */
        status = perp_options_set_real(&opt, "threads", 1, err);
    }
    if (status != PERP_OK || !chain_share_time(c, i, &opt) ||
        !chain_share_work(c, i, &opt)) {
        return status;
    }
    if (i + 1 < c->count || (c->row->stalled && c->steps[i] == c->row->steps[0])) {
        perp_options_set(&opt, "end-by", "solver",
                         NULL); /* the next one is to have time */
    }
    TRY(chain_limit_pivots(c, i, type, &opt, err));
    memcpy(c->step->z, c->cold[i] ? c->start : c->z, c->step->n * sizeof *c->z);
    begin = perp_clock();
    status = perp_context_solve(c->context, type, c->p, &opt, c->step, &failed);
    c->spent += perp_clock() - begin;
    if (status == PERP_ERR_UNSUITABLE) {
        perp_result_log(c->r, "not run: %s", failed.text);
        return PERP_OK;
    }
    if (status != PERP_OK) {
        return perp_fail(err, status, "%s", failed.text);
    }
    c->worked += perp_work_flops(&c->step->work, c->p->A);
    perp_message_name_solver(c->step->reason, sizeof c->step->reason, type, &opt);
    snprintf(c->last, sizeof c->last, "%s", c->step->reason);
    chain_collect(c, name);
    if (c->ran++ == 0 || c->step->residual_given < c->best ||
        c->step->outcome == PERP_SOLVED) {
        chain_adopt_answer(c, name);
    }
    chain_adopt_outcome(c);
    return PERP_OK;
}

static bool chain_is_over(const chain_run *c)
{
    return c->r->outcome == PERP_SOLVED ||
           c->r->certificate.kind == PERP_CERTIFICATE_INFEASIBLE ||
           c->r->outcome == PERP_INTERRUPTED ||
           (c->work_limit > 0.0 && c->worked >= c->work_limit) ||
           (c->time_limit > 0.0 && c->r->seconds >= c->time_limit);
}

/* The reason of the whole: that of the step with the answer or the certificate, else
 * the best residual and the reason of the last step. */
static void chain_end(chain_run *c, const perp_solver_type *type)
{
    perp_result *r = c->r;
    double own = perp_clock() - c->begin - c->spent;

    r->prepare_seconds += own;
    r->seconds += own;
    if (r->outcome == PERP_SOLVED || r->certificate.kind == PERP_CERTIFICATE_INFEASIBLE) {
        snprintf(r->reason, sizeof r->reason, "%s", c->last);
    } else {
        perp_result_end(
            r, r->outcome,
            "%s: no answer from %zu solver%s, the least residual %.2e by %s; the "
            "last: %s",
            type->name, c->ran, c->ran == 1 ? "" : "s", c->best, c->winner, c->last);
    }
}

/* The first row that applies. */
static perp_status chain_choose_row(chain_run *c, const perp_solver_type *type,
                                    perp_error *err)
{
    c->row = type->chain;
    while (c->row->situation && !c->row->applies(c->p)) {
        c->row++;
    }
    if (!c->row->situation) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: it has no solvers for the problem", type->name);
    }
    if (c->row->warm && perp_largest(c->p->n, c->z) > 0.0) {
        c->steps[c->count++] = c->row->warm;
    }
    for (size_t i = 0; i < PERP_CHAIN_MAX && c->row->steps[i]; i++) {
        c->flops[c->count] =
            c->row->cost ? c->row->share[i] * c->row->cost->flops(c->p) : 0.0;
        c->cold[c->count] = c->row->cold[i];
        c->steps[c->count++] = c->row->steps[i];
    }
    perp_result_log(c->r, "%s: %s", type->name, c->row->situation);
    return PERP_OK;
}

/* After step i, which has run: the solver that the row names for a first step that stalled. */
static void chain_insert_stalled(chain_run *c, size_t i)
{
    if (c->row->stalled && c->steps[i] == c->row->steps[0] &&
        c->r->outcome == PERP_STALLED) {
        memmove(c->steps + i + 2, c->steps + i + 1,
                (c->count - i - 1) * sizeof *c->steps);
        memmove(c->flops + i + 2, c->flops + i + 1,
                (c->count - i - 1) * sizeof *c->flops);
        memmove(c->cold + i + 2, c->cold + i + 1, (c->count - i - 1) * sizeof *c->cold);
        c->steps[i + 1] = c->row->stalled;
        c->flops[i + 1] = 0.0;
        c->cold[i + 1] = false;
        c->count++;
    }
}

static perp_status chain_run_all(chain_run *c, const perp_solver_type *type,
                                 perp_error *err)
{
    perp_status status = chain_choose_row(c, type, err);

    for (size_t i = 0; status == PERP_OK && i < c->count && !chain_is_over(c); i++) {
        status = chain_run_step(c, i, err);
        chain_insert_stalled(c, i);
    }
    if (status == PERP_OK && c->ran == 0) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: none of the %zu solver%s takes it: %s", type->name,
                         c->count, perp_plural(c->count), c->row->situation);
    }
    if (status == PERP_OK) {
        chain_end(c, type);
    }
    return status;
}

/* The result of a step and the next start. */
static perp_status chain_allocate(chain_run *c, perp_error *err)
{
    perp_workspace *ws = c->context->ws;
    size_t n = c->p->n;
    perp_result *s = NULL;

    perp_workspace_restart(ws, 0);
    s = perp_workspace_raw(ws, 1, sizeof *s);
    c->z = perp_workspace_raw(ws, n, sizeof *c->z);
    c->start = perp_workspace_raw(ws, n, sizeof *c->start);
    if (s) {
        double *z = perp_workspace_raw(ws, n, sizeof *z);
        double *w = perp_workspace_raw(ws, n, sizeof *w);
        perp_history_sample *history =
            perp_options_switch(c->opt, "history")
                ? perp_workspace_raw(ws, PERP_HISTORY_MAX, sizeof *history)
                : NULL;

        perp_result_begin(s, n, z, w, history);
    }
    c->step = s;
    return perp_workspace_status(ws, err);
}

/* The solvers of the row on the problem as a whole. */
static perp_status chain_solve_whole(chain_run *c, const perp_solver_type *type,
                                     perp_error *err)
{
    size_t mark = perp_workspace_mark(c->context->ws);
    perp_status status = chain_allocate(c, err);

    if (status == PERP_OK) {
        memcpy(c->z, c->r->z, c->p->n * sizeof *c->z);
        memcpy(c->start, c->r->z, c->p->n * sizeof *c->start);
        c->time_limit = perp_options_real(c->opt, "time-limit");
        c->work_limit = perp_options_real(c->opt, "work-limit");
        status = chain_run_all(c, type, err);
    }
    if (c->step) {
        perp_certificate_clear(&c->step->certificate);
    }
    perp_workspace_release(c->context->ws, mark);
    return status;
}

/* A global problem becomes local once, so that the situations see its matrix. */
static perp_status chain_make_local(chain_run *c, perp_reform_path **path,
                                    perp_error *err)
{
    perp_status status = PERP_OK;

    if (c->p->A || !c->p->global) {
        return PERP_OK;
    }
    status = perp_reform_path_new(path, c->p, err);
    if (status == PERP_OK) {
        status = perp_reform_path_push_local(*path, perp_options_choice(c->opt, "global"),
                                             err);
    }
    if (status == PERP_OK) {
        perp_result_log(c->r, "%s", perp_reform_path_step(*path, 0)->what);
        c->p = perp_reform_path_end(*path);
    }
    return status;
}

perp_status perp_chain_solve(perp_context *context, const perp_solver_type *type,
                             const perp_problem *p, const perp_options *opt,
                             perp_result *r, perp_error *err)
{
    perp_options defaults;
    perp_problem own; /* sealed, so that the steps do not check it again */
    chain_run c = {.context = context, .p = &own, .opt = opt, .r = r, .best = INFINITY};
    bool apart = false;
    perp_reform_path *local = NULL;
    perp_status status = PERP_OK;

    c.begin = perp_clock();
    status = perp_problem_view(&own, p, err);

    perp_result_restart(r);
    if (status == PERP_OK) {
        status = perp_problem_view_seal(&own, err);
    }
    if (status == PERP_OK && r->n != p->n) {
        status =
            perp_fail(err, PERP_ERR_ARGUMENT, "the result has %zu row%s, the problem %zu",
                      r->n, perp_plural(r->n), p->n);
    }
    if (status == PERP_OK && !opt) {
        status = perp_options_init(&defaults, type, NULL, err);
        c.opt = &defaults;
    }
    if (status == PERP_OK) {
        status = chain_make_local(&c, &local, err);
    }
    if (status == PERP_OK) {
        status = perp_islands_solve(type, c.p, c.opt, r, &apart, err);
    }
    if (status == PERP_OK && !apart) {
        status = chain_solve_whole(&c, type, err);
    }
    perp_reform_path_free(local);
    perp_problem_view_free(&own);
    return status;
}
