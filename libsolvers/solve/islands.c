/* SPDX-License-Identifier: Apache-2.0
 * solve/islands.c: the islands of a problem, each solved by a chain apart.
 *
 * Islands that the start solves already are left as they are. The residual of the whole is at
 * most the largest of the islands, whose units are not larger. A certificate that an island has no
 * solution, filled with zeros, is one of the whole. Islands share nothing and are added up in
 * order: the bits are the same for any number of threads. Threads take islands; one of more than half
 * of the blocks is solved before, and they share its steps. */
#include <config.h>

#include <stdatomic.h>
#include <stdio.h>

#include "base/base.h"
#include "base/threads.h"
#include "islands.h"
#include "judge/judge.h"
#include "reform/islands.h"

/* Problems of fewer rows are solved as a whole: a division costs as much. */
enum { ROWS_APART = 150 };
/* Different solution paths of islands that are listed. */
enum { PATHS = 4 };

typedef struct islands_run {
    const perp_solver_type *type;
    const perp_problem *p;
    perp_options opt;         /* of each island */
    bool brief, keep_history; /* of the whole */
    double tolerance, time_limit, begin;
    perp_islands at;
    perp_workspace *ws;
    perp_judge *judge;   /* of p */
    perp_result **part;  /* per island; NULL where the start serves */
    perp_status *status; /* of its solve */
    perp_error *error;
    size_t threads;
    size_t large;           /* island whose steps all threads share; SIZE_MAX: none */
    perp_context **context; /* one per thread: the memory of its solves */
    atomic_size_t next;
    perp_result *r; /* of the whole; its z is the start */
} islands_run;

static perp_status islands_solve_one(islands_run *s, size_t k, size_t member,
                                     perp_error *err)
{
    perp_problem *p = NULL;
    perp_options opt = s->opt;
    perp_status status = perp_islands_problem(&p, &s->at, s->p, k, err);

    if (status == PERP_OK && s->time_limit > 0.0) {
        double left = s->time_limit - (perp_clock() - s->begin);

        status = perp_options_set_real(&opt, "time-limit", fmax(left, 1e-6), err);
    }
    if (status == PERP_OK) {
        status = perp_options_set_real(&opt, "threads",
                                       k == s->large ? (long)s->threads : 1, err);
    }
    if (status == PERP_OK) {
        status = perp_result_new_without_history(&s->part[k], p->n, err);
    }
    if (status == PERP_OK) {
        perp_islands_gather(&s->at, s->p, k, s->r->z, s->part[k]->z);
        status =
            perp_context_solve(s->context[member], s->type, p, &opt, s->part[k], err);
    }
    perp_problem_free(p);
    return status;
}

/* Whether each block of island k is solved at the start. */
static bool islands_is_solved(const islands_run *s, size_t k)
{
    for (size_t i = s->at.start[k]; i < s->at.start[k + 1]; i++) {
        if (!(perp_judge_block_residual(s->judge, s->at.block[i], s->r->z) <=
              s->tolerance)) {
            return false;
        }
    }
    return true;
}

static void islands_solve_unless_solved(islands_run *s, size_t k, size_t member)
{
    if (!islands_is_solved(s, k)) {
        s->status[k] = islands_solve_one(s, k, member, &s->error[k]);
    }
}

static void islands_work(void *context, size_t member)
{
    islands_run *s = context;

    for (size_t k = atomic_fetch_add(&s->next, 1); k < s->at.count;
         k = atomic_fetch_add(&s->next, 1)) {
        if (k != s->large) {
            islands_solve_unless_solved(s, k, member);
        }
    }
}

static size_t islands_find_large(const islands_run *s)
{
    for (size_t k = 0; k < s->at.count; k++) {
        if (2 * (s->at.start[k + 1] - s->at.start[k]) > s->p->set->count) {
            return k;
        }
    }
    return SIZE_MAX;
}

static perp_status islands_solve_all(islands_run *s, perp_error *err)
{
    thread_team *team = NULL;

    s->large = islands_find_large(s);
    if (s->large != SIZE_MAX) {
        islands_solve_unless_solved(s, s->large, 0);
    }
    team = perp_threads_new(s->threads, s->ws);
    if (!team) {
        return perp_workspace_status(s->ws, err);
    }
    perp_threads_run(team, islands_work, s);
    perp_threads_free(team);
    for (size_t k = 0; k < s->at.count; k++) {
        if (s->status[k] != PERP_OK) {
            return perp_fail(err, s->status[k], "%s", s->error[k].text);
        }
    }
    return PERP_OK;
}

static bool islands_same_path(const perp_solution_path *a, const perp_solution_path *b)
{
    bool same = a->count == b->count;

    for (size_t i = 0; same && i + 1 < a->count;
         i++) { /* the last line has its numbers */
        same = strcmp(a->step[i], b->step[i]) == 0;
    }
    return same;
}

/* The solution path of each kind of island, and how many took it. */
static void islands_log(islands_run *s)
{
    const perp_solution_path *kind[PATHS] = {0};
    size_t number[PATHS] = {0};
    size_t kinds = 0, others = 0, still = 0;

    for (size_t k = 0; k < s->at.count; k++) {
        const perp_solution_path *path = s->part[k] ? &s->part[k]->path : NULL;
        size_t i = 0;

        while (path && i < kinds && !islands_same_path(kind[i], path)) {
            i++;
        }
        if (path && i == kinds && kinds < PATHS) {
            kind[kinds++] = path;
        }
        still += !path;
        others += path && i == PATHS;
        number[i < PATHS ? i : 0] += path && i < PATHS;
    }
    perp_result_log(s->r, "%s: %zu island%s, solved apart, %zu of them by the start",
                    s->type->name, s->at.count, perp_plural(s->at.count), still);
    for (size_t i = 0; i < kinds; i++) {
        perp_result_log(s->r, "%zu island%s:", number[i], number[i] == 1 ? "" : "s");
        for (size_t j = 0; j < kind[i]->count; j++) {
            perp_result_log(s->r, "%s", kind[i]->step[j]);
        }
    }
    if (others > 0) {
        perp_result_log(s->r, "%zu island%s by other solution paths", others,
                        perp_plural(others));
    }
}

/* The certificate of an island as one of the whole. */
static perp_status islands_certify(islands_run *s, size_t k, perp_error *err)
{
    const perp_certificate *c = &s->part[k]->certificate;
    double *y = NULL;

    if (c->kind != PERP_CERTIFICATE_INFEASIBLE) {
        return PERP_OK;
    }
    y = perp_workspace_reals(s->ws, s->p->n);
    if (!y) {
        return perp_workspace_status(s->ws, err);
    }
    perp_islands_scatter(&s->at, s->p, k, c->y, y);
    if (!perp_certificate_infeasible(s->p, y)) {
        return PERP_OK;
    }
    snprintf(s->r->certificate_solver, sizeof s->r->certificate_solver, "%s",
             s->part[k]->certificate_solver);
    return perp_result_certify_infeasible(s->r, y, err);
}

/* Points, costs and the worst outcome. */
static perp_status islands_collect(islands_run *s, perp_error *err)
{
    perp_result *r = s->r;
    size_t worst = SIZE_MAX;

    for (size_t k = 0; k < s->at.count; k++) {
        const perp_result *part = s->part[k];

        if (!part) {
            continue;
        }
        perp_islands_scatter(&s->at, s->p, k, part->z, r->z);
        perp_work_add(&r->work, &part->work);
        r->iterations += part->iterations;
        r->prepare_seconds += part->prepare_seconds;
        r->setup_seconds += part->setup_seconds;
        r->judge_seconds += part->judge_seconds;
        r->bytes = part->bytes > r->bytes ? part->bytes : r->bytes;
        if (part->outcome != PERP_SOLVED &&
            (worst == SIZE_MAX || part->residual > s->part[worst]->residual)) {
            worst = k;
        }
    }
    if (worst == SIZE_MAX) {
        return PERP_OK;
    }
    perp_result_end(r, s->part[worst]->outcome, "island %zu of %zu, of %zu row%s: %.190s",
                    worst + 1, s->at.count, s->part[worst]->n,
                    perp_plural(s->part[worst]->n), s->part[worst]->reason);
    return islands_certify(s, worst, err);
}

/* The judgement of the whole, which alone decides that it is solved. */
static void islands_judge(islands_run *s)
{
    perp_result *r = s->r;
    double begin = perp_clock();

    r->measures = (perp_measures){0};
    r->residual = perp_judge_residual(s->judge, r->z);
    if (s->brief) {
        r->measures.residual = r->residual;
    } else {
        perp_judge_measure(s->judge, r->z, s->tolerance, &r->measures);
    }
    memcpy(r->w, perp_judge_w(s->judge), r->n * sizeof *r->w);
    r->residual_given = r->run.best_residual = r->residual;
    r->run.best_iteration = r->iterations;
    r->judge_seconds += perp_clock() - begin;
    if (r->residual <= s->tolerance) {
        perp_result_end(r, PERP_SOLVED,
                        "residual %.2e of %zu island%s after %zu iteration%s",
                        r->residual, s->at.count, perp_plural(s->at.count), r->iterations,
                        perp_plural(r->iterations));
    } else if (r->outcome == PERP_SOLVED || r->outcome == PERP_RUNNING) {
        perp_result_end(r, PERP_STALLED,
                        "the islands are solved, their sum has residual %.2e",
                        r->residual);
    }
    r->seconds = perp_clock() - s->begin - r->judge_seconds;
    if (s->keep_history && r->history) {
        r->history[r->history_count++] = (perp_history_sample){
            r->iterations, r->seconds, r->work.products, r->residual};
    }
}

static perp_status islands_open(islands_run *s, perp_error *err)
{
    size_t count = s->at.count;
    perp_status status = PERP_OK;

    TRY(perp_workspace_new(&s->ws, 0, err));
    s->part = perp_workspace_alloc(s->ws, count, sizeof(perp_result *));
    s->status = perp_workspace_alloc(s->ws, count, sizeof *s->status);
    s->error = perp_workspace_alloc(s->ws, count, sizeof *s->error);
    s->context = perp_workspace_alloc(s->ws, s->threads, sizeof(perp_context *));
    status = perp_workspace_status(s->ws, err);
    for (size_t k = 0; status == PERP_OK && k < s->threads; k++) {
        status = perp_context_new(&s->context[k], err);
    }
    if (status == PERP_OK) {
        status = perp_judge_new(&s->judge, s->p, err);
    }
    if (status == PERP_OK) {
        perp_judge_residual(s->judge, s->r->z);
    }
    return status;
}

static void islands_close(islands_run *s)
{
    for (size_t k = 0; s->part && k < s->at.count; k++) {
        perp_result_free(s->part[k]);
    }
    for (size_t k = 0; s->context && k < s->threads; k++) {
        perp_context_free(s->context[k]);
    }
    perp_judge_free(s->judge);
    perp_workspace_free(s->ws);
    perp_islands_clear(&s->at);
}

static perp_status islands_run_all(islands_run *s, perp_error *err)
{
    perp_status status = islands_open(s, err);

    if (status == PERP_OK) {
        status = islands_solve_all(s, err);
    }
    if (status == PERP_OK) {
        perp_result_restart(s->r);
        islands_log(s);
        status = islands_collect(s, err);
    }
    if (status == PERP_OK) {
        islands_judge(s);
    }
    return status;
}

perp_status perp_islands_solve(const perp_solver_type *type, const perp_problem *p,
                               const perp_options *opt, perp_result *r, bool *done,
                               perp_error *err)
{
    islands_run s;
    perp_status status = PERP_OK;

    *done = false;
    if (p->n < ROWS_APART || strcmp(perp_options_text(opt, "friction"), "natural") != 0) {
        return PERP_OK;
    }
    s = (islands_run){.type = type, .p = p, .opt = *opt, .r = r, .begin = perp_clock()};
    status = perp_islands_find(&s.at, p, err);
    if (status == PERP_OK && s.at.count > 1) {
        s.threads = (size_t)perp_options_integer(opt, "threads");
        s.keep_history = perp_options_switch(opt, "history");
        s.tolerance = perp_options_real(opt, "tolerance");
        s.time_limit = perp_options_real(opt, "time-limit");
        s.brief = opt->brief;
        s.opt.brief = true;
        s.opt.progress = NULL;
        *done = true;
        status = perp_options_set(&s.opt, "history", "off", err);
        if (status == PERP_OK) {
            status = islands_run_all(&s, err);
        }
    }
    islands_close(&s);
    return status;
}
