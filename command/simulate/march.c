/* SPDX-License-Identifier: Apache-2.0
 * simulate/march.c: the one loop over the steps of a scene. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/reduce.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/simulate/march.h"

perp_status sim_march_open(sim_march *m, perp_scene *scene, const sim_settings *settings,
                           perp_error *err)
{
    perp_options opt = settings->opt;
    perp_status status = PERP_OK;

    m->settings = settings;
    m->world = scene->world;
    TRY(sim_surprises_start(&m->end->surprises, m->world, &settings->scheme, err));
    if (settings->coordinates == PERP_COORDINATES_REDUCED) {
        status = perp_world_reduce(m->world, &settings->reduction, err);
        if (status != PERP_OK) {
            return status;
        }
    }
    opt.interrupt = m->stop;
    m->state = m->world->start; /* a run has one state; what follows it looks here */
    m->s = take(7 * m->world->body_count + 1, sizeof *m->s);
    m->u = take(6 * m->world->body_count + 1, sizeof *m->u);
    sim_summary_start(m->summary, m->world, m->state);
    return perp_stepper_new(&m->stepper, m->world, &settings->scheme,
                            &(perp_stepper_options){.solver = settings->solver,
                                                    .options = &opt,
                                                    .state = m->state,
                                                    .cold = !settings->warm},
                            err);
}

/* What the summary does not add up: words. */
static void march_report(sim_march *m, const perp_report *report)
{
    const perp_result *result = report->rows > 0 ? perp_stepper_result(m->stepper) : NULL;

    if (report->outcome != PERP_SOLVED && m->summary->failed_step == 0.0) {
        snprintf(m->end->reason, sizeof m->end->reason, "%s",
                 report->reason ? report->reason : "");
    }
    if (result && result->path.count > 0) {
        m->end->ran = result->path;
    }
}

/* One step; m->end->early where it cannot be made. */
static perp_status march_step(sim_march *m, sim_observer *look, void *context,
                              perp_error *err)
{
    perp_report report = {0};
    perp_error inner = {0};
    double started = 0.0;
    perp_status status = PERP_OK;

    m->dt = sim_settings_dt(m->settings, m->step + 1);
    if (m->dt != m->settings->scheme.dt) {
        status = perp_stepper_set_dt(m->stepper, m->dt, err);
        if (status != PERP_OK) {
            return status;
        }
    }
    memcpy(m->s, m->state->s, 7 * m->world->body_count * sizeof *m->s);
    memcpy(m->u, m->state->u, 6 * m->world->body_count * sizeof *m->u);
    started = perp_clock();
    status = perp_stepper_step(m->stepper, &report, &inner);
    m->seconds = perp_clock() - started;
    if (status == PERP_ERR_NOT_SOLVED && *m->stop) {
        return PERP_OK; /* the state is that before the step */
    }
    if (status == PERP_ERR_DATA) {
        m->end->early = true;
        snprintf(m->end->why, sizeof m->end->why, "%s", inner.text);
        return PERP_OK;
    }
    if (status != PERP_OK) {
        return perp_fail(err, status, "step %zu: %s", m->step + 1, inner.text);
    }
    m->step = report.step;
    march_report(m, &report);
    sim_summary_add(m->summary, m, &report);
    sim_surprises_spin(&m->end->surprises, m->world, m->state, m->settings->scheme.dt,
                       m->step);
    return look(context, m, &report, err);
}

perp_status sim_march_run(sim_march *m, sim_observer *look, void *context,
                          perp_error *err)
{
    double deadline = perp_clock() + (m->limit > 0.0 ? m->limit : INFINITY);
    perp_status status = PERP_OK;

    while (status == PERP_OK && !m->end->early && m->step < m->settings->steps &&
           !*m->stop && !m->end->late) {
        status = march_step(m, look, context, err);
        m->end->late = m->step < m->settings->steps && perp_clock() >= deadline;
    }
    if (status == PERP_OK) {
        sim_surprises_end(&m->end->surprises, m->settings->solver_name, m->summary->steps,
                          m->summary->solved);
    }
    m->end->interrupted =
        *m->stop == SIM_STOP_INTERRUPTED && m->step < m->settings->steps;
    m->end->late = m->end->late || (*m->stop == SIM_STOP_LATE && !m->end->early &&
                                    m->step < m->settings->steps);
    return status;
}

void sim_march_close(sim_march *m)
{
    perp_stepper_free(m->stepper);
    free(m->s);
    free(m->u);
    m->stepper = NULL;
    m->state = NULL;
    m->s = m->u = NULL;
}
