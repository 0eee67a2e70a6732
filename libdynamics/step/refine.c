/* SPDX-License-Identifier: Apache-2.0
 * step/refine.c: forces along the motion that joints allow.
 *
 * Gyroscopic torques, dampers and springs were integrated along the free motion, which leaves the
 * joints by O(dt^2): their impulse is then off by O(dt^2), which would make the method one of
 * order 1. So the impulses z act as constant forces in a second free motion Phi, and
 *
 *     u_free' = Phi(f + J^T z/dt) - M^-1 J^T z,   w = A z + J u_free' - bias
 *
 * is solved once more, from z. Where no force depends on the motion, u_free' = u_free and nothing
 * is solved. Integrators of order 2 and more, and worlds with rows of joints. */
#include <config.h>

#include <math.h>

#include "base/base.h"
#include "problem/parts.h"
#include "step/integrate.h"
#include "step/solve.h"

/* Whether a force that rows can change may depend on the motion. */
static bool refine_may_help(const perp_stepper *st, const step_formulation *f)
{
    const perp_world *w = f->world;
    const perp_rows *rows = &f->system->rows;
    bool depends = w->force_count > 0;

    if (st->at == f->state || !st->solver || rows->block_count == rows->contact_blocks) {
        return false;
    }
    for (size_t k = 0; k < w->body_count && !depends; k++) {
        depends =
            world_moves(w, (int32_t)k) &&
            (integrate_linked(w, k) || integrate_gyro(w, f->scheme, k) != PERP_GYRO_NONE);
    }
    return depends;
}

/* motion->u := u_free', with bodies.u_mid := M^-1 J^T z; the loads of the state are lent. */
static perp_status refine_run(perp_stepper *st, const step_formulation *f,
                              perp_error *err)
{
    const size_t count = 6 * f->world->body_count;
    const double *z = st->result->z;
    double *load = f->state->load;
    double *kept = st->bodies.u_pseudo; /* free until positions are corrected */
    double *push = st->bodies.u_mid;
    perp_status status = PERP_OK;

    memcpy(kept, load, count * sizeof *load);
    system_gather(&f->system->rows, f->world->body_count, z, push);
    for (size_t k = 0; k < count; k++) {
        load[k] += push[k] / f->scheme->dt;
    }
    status = step_free_motion(f, err);
    memcpy(load, kept, count * sizeof *load);
    if (status == PERP_OK) {
        status = step_go_to_middle(f, err);
    }
    perp_system_impulses(f->system, z, push);
    for (size_t k = 0; k < count; k++) {
        f->motion->u[k] -= push[k];
    }
    return status;
}

/* Whether u_free' is u_free but for rounding. */
static bool refine_is_same(const perp_stepper *st, const step_formulation *f)
{
    const double tiny = 1e-12;
    const double *before = f->system->u_free;
    const double *push = st->bodies.u_mid;

    for (size_t k = 0; k < 6 * f->world->body_count; k++) {
        if (fabs(f->motion->u[k] - before[k]) >
            tiny * (fabs(before[k]) + fabs(push[k]))) {
            return false;
        }
    }
    return true;
}

perp_status step_refine(perp_stepper *st, const step_formulation *f, perp_report *report,
                        perp_error *err)
{
    perp_system *system = f->system;
    const step_task task = {system, &system->problem, f->contacts, system->u_free,
                            st->at};
    const size_t n = system->problem.n;
    double *z = st->rows.z_returned;
    perp_status status = PERP_OK;

    if (!refine_may_help(st, f)) {
        return PERP_OK;
    }
    TRY(refine_run(st, f, err));
    if (refine_is_same(st, f)) {
        memcpy(f->motion->u, system->u_free,
               6 * f->world->body_count * sizeof *system->u_free);
        return PERP_OK;
    }
    system_set_free(system, f->world, f->contacts, f->motion->u);
    memcpy(z, st->result->z, n * sizeof *z);
    perp_result_restart(st->result);
    memcpy(st->result->z, z, n * sizeof *z);
    status = step_solve(st, &task, st->result, report, err);
    perp_system_velocities(system, st->result->z, st->bodies.u_plus);
    return status;
}
