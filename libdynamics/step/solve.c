/* SPDX-License-Identifier: Apache-2.0
 * step/solve.c: the problem of a step handed to the solver, or to sequential impulses. */
#include <config.h>

#include <stdio.h>

#include <perp/solver_type.h>

#include "step/ledger.h"
#include "step/solve.h"

/* Sweeps of sequential impulses a step, and what counts as solved there: the tolerance
 * that solvers have by default. */
enum { STEP_SWEEPS = 50 };
static const double sweep_tolerance = 1e-8;

const perp_solver_type perp_sequential_impulses_solver = {
    .name = "sequential-impulses",
    .family = "splitting",
    .summary = "sweeps of sequential impulses over the velocities of a step",
    .reference = "catto-2005",
};

perp_status step_result(perp_result **result, size_t n, perp_error *err)
{
    if (*result && (*result)->n != n) {
        perp_result_free(*result);
        *result = NULL;
    }
    if (n == 0) {
        return PERP_OK;
    }
    if (!*result) {
        return perp_result_new(result, n, err);
    }
    perp_result_restart(*result);
    memset((*result)->z, 0, n * sizeof *(*result)->z);
    return PERP_OK;
}

static void solve_by_sweeps(perp_stepper *st, const step_task *task, perp_result *r)
{
    const perp_rows *rows = &task->system->rows;
    size_t count = 6 * st->world->body_count;
    double *u = st->bodies.u_sweeps;

    perp_system_impulses(task->system, r->z, u);
    for (size_t k = 0; k < count; k++) {
        u[k] += task->u[k];
    }
    perp_sequential_impulses(rows, st->world, task->at, task->contacts, STEP_SWEEPS, u,
                             r->z);
    perp_operator_apply(task->problem->A, r->z, r->w);
    for (size_t k = 0; k < r->n; k++) {
        r->w[k] += task->problem->b[k];
    }
    r->residual = perp_residual(task->problem, r->z);
    r->residual_given = r->residual;
    r->iterations = STEP_SWEEPS;
    r->work.products = STEP_SWEEPS;
    perp_result_log(r, "sequential impulses");
    if (r->residual <= sweep_tolerance) {
        r->outcome = PERP_SOLVED;
    } else {
        r->outcome = PERP_ITERATION_LIMIT;
        snprintf(r->reason, sizeof r->reason,
                 "sequential impulses: residual %.3g after %d sweeps", r->residual,
                 STEP_SWEEPS);
    }
}

/* The same number of sweeps on a problem that is not of the stepper's rows, or whose impulses
 * move other bodies than those of a row: implicit forces couple them. */
static perp_status solve_by_gauss_seidel(const perp_problem *p, perp_result *r,
                                         perp_error *err)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_status status = perp_solver_parse("pgs", &type, &opt, err);

    if (status == PERP_OK) {
        status = perp_options_set_real(&opt, "max-iterations", STEP_SWEEPS, err);
    }
    return status == PERP_OK ? perp_solve(type, p, &opt, r, err) : status;
}

static void solve_add_work(perp_report *report, const perp_result *r)
{
    report->iterations += r->iterations;
    report->seconds += r->seconds;
    perp_work_add(&report->work, &r->work);
    if (!(r->residual <= report->residual)) {
        report->residual = r->residual;
    }
    if (report->outcome == PERP_SOLVED && r->outcome != PERP_SOLVED) {
        report->outcome = r->outcome;
        report->reason = r->reason;
    }
}

/* A solver that was told to stop may be within the tolerance all the same, but at another point
 * than it would have ended at. */
static bool solve_was_interrupted(const perp_stepper *st, const perp_result *r)
{
    return r->outcome == PERP_INTERRUPTED || (st->opt.interrupt && *st->opt.interrupt);
}

perp_status step_solve(perp_stepper *st, const step_task *task, perp_result *r,
                       perp_report *report, perp_error *err)
{
    perp_status status = PERP_OK;

    if (st->solver) {
        status =
            perp_context_solve(st->context, st->solver, task->problem, &st->opt, r, err);
    } else if (!task->system || task->system->mass) {
        status = solve_by_gauss_seidel(task->problem, r, err);
    } else {
        solve_by_sweeps(st, task, r);
    }
    if (status == PERP_OK && solve_was_interrupted(st, r)) {
        status = perp_fail(err, PERP_ERR_NOT_SOLVED, "step %zu: interrupted: %s",
                           st->step + 1, r->reason);
    }
    if (status == PERP_OK) {
        solve_add_work(report, r);
    }
    return status;
}

perp_status step_impulses(perp_stepper *st, const step_formulation *f, bool impact,
                          perp_report *report, perp_error *err)
{
    perp_system *system = &st->system;
    size_t n = system->problem.n;
    const step_task task = {system, &system->problem, &st->contacts, system->u_free,
                            st->at};
    perp_status status = step_result(&st->result, n, err);

    st->rows_work = 0.0;
    if (status == PERP_OK) {
        status = step_reserve_rows(st, n, err);
    }
    if (status != PERP_OK || n == 0) {
        memcpy(st->bodies.u_plus, system->u_free,
               6 * st->world->body_count * sizeof(double));
        return status;
    }
    if (st->warm && !impact &&
        (!st->solver || (st->solver->flags.flag_bits & PERP_FLAG_USES_START))) {
        status = step_memory_reserve(&st->memory, system->problem.set->count, n, err);
        if (status != PERP_OK) {
            return status;
        }
        report->warm = step_memory_start(st, system, st->result->z);
    }
    status = step_solve(st, &task, st->result, report, err);
    if (status != PERP_OK) {
        return status;
    }
    perp_system_velocities(system, st->result->z, st->bodies.u_plus);
    if (!impact) {
        status = step_refine(st, f, report, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    step_account(st, st->result->z, st->result->w, false, system->u_free,
                 st->bodies.u_plus, report->ledger);
    memcpy(st->rows.z_compression, st->result->z, n * sizeof(double));
    if (impact && st->scheme.restitution == PERP_RESTITUTION_POISSON) {
        status = step_expand(st, report, err);
    }
    return status;
}
