/* SPDX-License-Identifier: Apache-2.0
 * solve/verdict.c: what the solver claims against what the judge finds.
 *
 * Only the residual of the judge makes a result "solved", and only a certificate that holds for
 * the problem as asked makes it "infeasible". */
#include <config.h>

#include <stdio.h>

#include "judge/judge.h"
#include "loop.h"

/* The sentence of a limit, once the last point is judged. */
static void verdict_limit(perp_loop *l)
{
    perp_result *r = l->r;
    const char *what = l->inner->outcome == PERP_INTERRUPTED ? "interrupted" : "stopped";
    char limit[48] = "";
    char best[32] = "";

    if (r->run.best_residual < 0.995 * r->residual) { /* else both print alike */
        snprintf(best, sizeof best, " (best %.2e)", r->run.best_residual);
    }
    if (l->inner->outcome == PERP_ITERATION_LIMIT && perp_loop_has_worked(l)) {
        snprintf(limit, sizeof limit, " and %.2g flops, the work allowed,",
                 l->work_limit);
    } else if (l->inner->outcome == PERP_ITERATION_LIMIT) {
        snprintf(limit, sizeof limit, ", the most allowed,");
    } else if (l->inner->outcome == PERP_TIME_LIMIT) {
        snprintf(limit, sizeof limit, " and %.3g s, the time allowed,", l->time_limit);
    }
    perp_result_end(l->inner, l->inner->outcome,
                    "%s after %zu iteration%s%s at residual %.2e%s, tolerance %.1e", what,
                    r->iterations, perp_plural(r->iterations), limit, r->residual, best,
                    l->tolerance);
}

void perp_loop_complete_reason(perp_loop *l)
{
    perp_result *r = l->r;
    size_t end = strlen(r->reason);

    if (!strstr(r->reason, "residual ")) {
        end += (size_t)snprintf(r->reason + end, sizeof r->reason - end,
                                " (residual %.2e after %zu iteration%s)",
                                r->run.best_residual, r->iterations,
                                r->iterations == 1 ? "" : "s");
        perp_message_ellipsis(r->reason, sizeof r->reason, end);
    }
    perp_message_name_solver(r->reason, sizeof r->reason, l->plan.type, &l->plan.opt);
}

/* The name of the solver goes with the certificate, and its option on-singular, on which it depends
 * whether the solver sees scaled rows. */
static void verdict_name_certifier(perp_loop *l)
{
    const perp_options *opt = &l->plan.opt;
    char *name = l->r->certificate_solver;
    char choice[PERP_OPTION_TEXT_LENGTH];
    size_t end = 0;

    perp_solver_print(l->plan.type, opt, name, sizeof l->r->certificate_solver);
    end = strlen(name);
    if (!opt->inner && perp_options_given(opt, "on-singular")) {
        perp_options_print(opt, "on-singular", choice, sizeof choice);
        snprintf(name + end, sizeof l->r->certificate_solver - end, " on-singular=%s",
                 choice);
    }
}

perp_status perp_loop_certify(perp_loop *l, size_t from, const double *y, bool *holds,
                              perp_error *err)
{
    const perp_plan *plan = &l->plan;
    const perp_problem *asked = perp_reform_path_problem(plan->path, plan->asked);
    const perp_problem *given = perp_reform_path_problem(plan->path, plan->given);
    size_t rows = asked->n > given->n ? asked->n : given->n;
    double *carried = perp_reals_new(rows);
    perp_status status = PERP_OK;

    *holds = false;
    if (!carried) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", rows);
    }
    *holds = perp_reform_path_certificate(plan->path, from, plan->asked, y, carried) &&
             perp_certificate_infeasible(asked, carried);
    if (*holds && (plan->given == plan->asked ||
                   (perp_reform_path_certificate(plan->path, plan->asked, plan->given,
                                                 carried, carried) &&
                    perp_certificate_infeasible(given, carried)))) {
        status = perp_result_certify_infeasible(l->r, carried, err);
        verdict_name_certifier(l);
    }
    free(carried);
    return status;
}

/* A solver that claims infeasibility. */
static perp_status verdict_infeasible(perp_loop *l, perp_error *err)
{
    const perp_certificate *c = &l->inner->certificate;
    bool holds = false;
    perp_status status = PERP_OK;

    if (c->kind == PERP_CERTIFICATE_INFEASIBLE) {
        status =
            perp_loop_certify(l, perp_reform_path_count(l->plan.path), c->y, &holds, err);
    }
    if (status == PERP_OK && !holds) {
        perp_result_end(l->r, PERP_RAY,
                        "a claim of infeasibility whose certificate fails");
    }
    return status;
}

/* Any other certificate is handed out if it holds; if not, the reason says so. */
static void verdict_certificate(perp_loop *l)
{
    perp_result *r = l->r;
    perp_certificate *c = &l->inner->certificate;
    char why[128];
    size_t end = strlen(r->reason);

    if (c->kind == PERP_CERTIFICATE_NONE || c->kind == PERP_CERTIFICATE_INFEASIBLE) {
        return;
    }
    if (perp_certificate_check(c, perp_reform_path_end(l->plan.path), why, sizeof why)) {
        r->certificate = *c;
        *c = (perp_certificate){0};
        verdict_name_certifier(l);
    } else {
        end += (size_t)snprintf(r->reason + end, sizeof r->reason - end,
                                " (its certificate fails: %s)", why);
        perp_message_ellipsis(r->reason, sizeof r->reason, end);
        perp_certificate_clear(c);
    }
}

/* The sentence of a claim of "solved" that the judge does not confirm: of perp's own solver, or of
 * another code. */
static void verdict_claim(perp_loop *l)
{
    perp_result *r = l->r;
    const perp_foreign *f = &r->foreign;
    const char *claims = l->inner->reason[0] ? l->inner->reason : "solved";

    if (f->missed == 0.0) {
        perp_result_end(r, PERP_STALLED,
                        "stopped at residual %.2e after %zu iteration%s, tolerance %.1e, "
                        "although the solver reports: %.120s",
                        r->residual, r->iterations, perp_plural(r->iterations),
                        l->tolerance, claims);
        return;
    }
    perp_result_end(r, PERP_STALLED,
                    "%s: residual %.2e, %.3g times the tolerance %.1e, after %zu "
                    "iteration%s, asked for %.2g of it; %.100s",
                    f->false_claim ? "false claim" : "missed by its norm", r->residual,
                    f->missed, l->tolerance, r->iterations, perp_plural(r->iterations),
                    f->factor, claims);
}

/* By how much another code misses the tolerance that it claims; without a point at all the claim is
 * false. The claims of a wrapper are those of its rounds. */
static void verdict_missed(perp_loop *l)
{
    perp_foreign *f = &l->r->foreign;

    *f = l->inner->foreign;
    if (!(l->r->residual <= l->tolerance) && !l->plan.opt.inner &&
        strcmp(f->claim, "solved") == 0) {
        f->missed = l->r->residual / l->tolerance;
        f->false_claim = l->inner->outcome != PERP_SOLVED || !(f->missed <= PERP_MISSED);
    }
}

perp_status perp_loop_decide(perp_loop *l, perp_error *err)
{
    perp_result *r = l->r;
    perp_result *inner = l->inner;
    perp_status status = PERP_OK;

    if (l->limited) {
        verdict_limit(l);
    }
    r->outcome = inner->outcome;
    r->singular_row = inner->singular_row;
    memcpy(r->reason, inner->reason, sizeof r->reason);
    perp_certificate_clear(&r->certificate);
    verdict_missed(l);
    if (r->residual <= l->tolerance) {
        r->outcome = PERP_SOLVED;
        snprintf(r->reason, sizeof r->reason, "residual %.2e after %zu iteration%s",
                 r->residual, r->iterations, perp_plural(r->iterations));
    } else if (inner->outcome == PERP_SOLVED) {
        verdict_claim(l);
    } else if (inner->outcome == PERP_INFEASIBLE) {
        status = verdict_infeasible(l, err);
    } else {
        verdict_certificate(l);
    }
    if (r->outcome != PERP_SOLVED) {
        perp_loop_complete_reason(l);
    }
    return status;
}
