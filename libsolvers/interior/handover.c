/* SPDX-License-Identifier: Apache-2.0
 * interior/handover.c: prox-newton, run by an interior-point method. */
#include <config.h>

#include <stdio.h>

#include "base/base.h"
#include "core/solver_used.h"
#include "handover.h"

/* The proximal term where Newton's method works in velocities. With less, a third of the heaps of the
 * associated law needs twice the steps; under Coulomb's law a path that slows is not near a
 * solution, and after one that does not many contacts hardly press. Joints are left with a part of
 * it as an error, which a residual relative to the largest b hides. */
static const double eps_contacts = 0.1;
static const double eps_joints = 1e-3;

static double handover_eps(const perp_handover *h)
{
    if (!perp_operator_in_factors(h->p->A)) {
        return h->eps;
    }
    return perp_set_kinds(h->p->set) & PERP_SET_FREE ? eps_joints : eps_contacts;
}

void perp_handover_log(const perp_handover *h, size_t path_steps, perp_result *r)
{
    char *line = NULL;

    if (h->line >= PERP_PATH_MAX) {
        return;
    }
    line = r->path.step[h->line];
    snprintf(line, PERP_PATH_LENGTH, "%s: %zu step%s", h->name, path_steps,
             path_steps == 1 ? "" : "s");
    if (h->steps > 0) {
        size_t end = strlen(line);

        snprintf(line + end, PERP_PATH_LENGTH - end, ", crossover: %s, %zu step%s",
                 h->run.type->name, h->steps, h->steps == 1 ? "" : "s");
    }
}

static perp_status handover_prepare(perp_handover *h, perp_result *r, perp_error *err)
{
    const perp_solver_type *type = &perp_solver_prox_newton;

    TRY(perp_result_new(&h->end, h->p->n, err));
    TRY(perp_options_init(&h->options, type, NULL, err));
    TRY(perp_options_set_real(&h->options, "tolerance", h->tolerance, err));
    TRY(perp_options_set_real(&h->options, "eps", handover_eps(h), err));
    memcpy(h->end->z, r->z, r->n * sizeof *r->z);
    return perp_run_start(&h->run, type, h->p, &h->options, h->ws, h->end, err);
}

perp_status perp_handover_setup(perp_handover *h, const char *name, const perp_problem *p,
                                double tolerance, double eps, bool newton,
                                perp_workspace *ws, perp_result *r, perp_error *err)
{
    h->p = p;
    h->ws = ws;
    h->name = name;
    h->tolerance = tolerance;
    h->eps = eps;
    h->line = r->path.count;
    perp_result_log(r, "%s", name);
    return newton ? handover_prepare(h, r, err) : PERP_OK;
}

void perp_handover_close(perp_handover *h)
{
    perp_run_end(&h->run);
    perp_result_free(h->end);
}

perp_status perp_handover_start(perp_handover *h, perp_result *r, perp_error *err)
{
    double change = h->change;

    h->change = 0.0;
    memcpy(h->end->z, r->z, r->n * sizeof *r->z);
    return perp_run_resume(&h->run, change, err);
}

/* An answer of Newton's method is that of the caller. */
static perp_status handover_answer(perp_handover *h, perp_result *r, perp_error *err)
{
    const perp_result *end = h->end;
    perp_status status = PERP_OK;

    if (end->outcome == PERP_INFEASIBLE &&
        end->certificate.kind == PERP_CERTIFICATE_INFEASIBLE) {
        status = perp_result_certify_infeasible(r, end->certificate.y, err);
        if (status != PERP_OK) {
            return status;
        }
    }
    if (end->outcome == PERP_SOLVED || end->outcome == PERP_INFEASIBLE) {
        return perp_result_end(r, end->outcome, "%s: %.200s", h->name, end->reason);
    }
    return PERP_OK;
}

/* The work since the last call, but not the rounds: those that are reported are the caller's. */
static void handover_add_work(perp_handover *h, perp_result *r)
{
    h->end->work.rounds = 0.0;
    perp_work_add(&r->work, &h->end->work);
    h->end->work = (perp_work){0};
}

perp_status perp_handover_step(perp_handover *h, perp_result *r, perp_error *err)
{
    perp_status status = perp_run_step(&h->run, err);

    handover_add_work(h, r);
    if (status != PERP_OK) {
        return status;
    }
    h->steps++;
    memcpy(r->z, h->end->z, r->n * sizeof *r->z);
    return handover_answer(h, r, err);
}
