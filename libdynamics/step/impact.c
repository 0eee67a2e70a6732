/* SPDX-License-Identifier: Apache-2.0
 * step/impact.c: the jump of velocities at the start of a step.
 *
 *     u' = u + M^-1 J^T z,   w = J u' - bias,   z in K complementary to w
 *
 * with the rows of the step, where an impact has no duration: no load does work in it and
 * nothing moves. The free motion then starts from u', so that positions follow the mean of the
 * velocities u' and u+ of the smooth part alone. With the approach c = J u of a contact or a limit,
 *
 *     gap <= 0, or closed by the free motion      bias = -e c      Newton, Moreau
 *                                                 bias = 0         Poisson, step/poisson.c
 *     gap > 0, otherwise                          bias = -gap/dt, so that it is closed at most
 *
 * Velocities of the explicit method are half a step of the loads ahead of its positions; there c and
 * the rebound are taken at the time of the positions, or each impact would make energy.
 *
 * Joints, and motors without a bound of their force, ask for their velocity; springs, soft joints
 * and bounded motors give no impulse in no time. It is solved only if an approach is faster than
 * the threshold, or the velocity of a joint or motor is off by as much.
 *
 * Integrators that move positions themselves need it under every law, the others under Poisson's.
 * [bruls-acary-cardona-2014], [jean-1999] */
#include <config.h>

#include "problem/parts.h"
#include "problem/writer.h"
#include "step/integrate.h"
#include "step/solve.h"

/* A motor that is off by this share of the threshold jumps. */
static const double motor_share = 1e-3;

bool step_has_impacts(const perp_scheme *scheme)
{
    return scheme->restitution == PERP_RESTITUTION_POISSON ||
           integrate_end_share(scheme) < 1.0;
}

double step_row_rate(const step_formulation *f, const perp_row_block *block, size_t row,
                     const double *u)
{
    double made[12];
    size_t i = 0;
    size_t j = 0;

    system_bodies(block, f->world, f->contacts, &i, &j);
    return perp_row_rate(perp_rows_row(&f->system->rows, row, made), u + 6 * i,
                         u + 6 * j) +
           (block->role == PERP_ROLE_GEAR ? rows_second_rate(&f->system->rows, row, u)
                                          : 0.0);
}

bool step_row_pushes(const perp_rows *rows, const perp_row_block *block, size_t row)
{
    return block->role == PERP_ROLE_CONTACT
               ? row == block->first
               : rows->lo[row] == 0.0 && isinf(rows->hi[row]);
}

double step_restitution(const step_formulation *f, const perp_row_block *block)
{
    if (block->role == PERP_ROLE_CONTACT) {
        return f->contacts->at[block->source].restitution;
    }
    return block->role == PERP_ROLE_LIMIT && block->side != 0
               ? f->world->joints[block->source].axes[block->axis].restitution
               : 0.0;
}

/* Whether a row gives an impulse in no time. */
static bool impact_acts(const step_formulation *f, const perp_row_block *block)
{
    const perp_rows *rows = &f->system->rows;
    const perp_joint *joint = &f->world->joints[block->source];
    bool hard = true;

    if (block->role == PERP_ROLE_CONTACT ||
        (block->role == PERP_ROLE_LIMIT && block->side != 0)) {
        return true;
    }
    for (size_t r = block->first; r < block->first + block->dim; r++) {
        hard = hard && rows->soft[r] == 0.0 &&
               (rows->lo[r] == 0.0 || isinf(rows->lo[r])) && isinf(rows->hi[r]);
    }
    return hard && block->role != PERP_ROLE_SPRING &&
           (block->role != PERP_ROLE_MOTOR ||
            joint->axes[block->axis].motor == PERP_MOTOR_VELOCITY);
}

/* Set the bias of a row that pushes; whether it is an impact. */
static bool impact_push(const step_formulation *f, const perp_row_block *block, size_t r)
{
    const perp_scheme *s = f->scheme;
    const double share = integrate_end_share(s);
    perp_rows *rows = &f->system->rows;
    const double e = step_restitution(f, block);
    const double c = step_row_rate(f, block, r, f->state->u);
    const double end = step_row_rate(f, block, r, f->motion->u);
    const double wide = fmin(rows->bias[r], 0.0); /* -gap/dt */
    const bool meets = wide == 0.0 || (1.0 - share) * c + share * end < wide;
    const bool fast = c < -s->threshold;
    const double lag = share < 1.0 ? (0.5 - share) * (end - c) : 0.0;
    double rebound = 0.0;

    if (meets && e > 0.0 && (wide == 0.0 || fast)) {
        rebound = rows_restitution(s, e, fast ? c - lag : c) + (fast ? lag : 0.0);
        rows->bias_position[r] = 0.0;
    } else {
        rows->bias_position[r] = wide;
    }
    rows->bias_restitution[r] = rebound;
    rows->bias[r] = rows->bias_position[r] + rebound;
    return (meets && fast && e > 0.0) || c < rows->bias[r] - s->threshold;
}

/* Whether the velocity of a joint or motor jumps. */
static bool impact_pull(const step_formulation *f, const perp_row_block *block, size_t r)
{
    const double share = block->role == PERP_ROLE_MOTOR ? motor_share : 1.0;
    const double off = step_row_rate(f, block, r, f->state->u) - f->system->rows.bias[r];

    return integrate_end_share(f->scheme) < 1.0 &&
           fabs(off) > share * f->scheme->threshold;
}

/* The rows of the step as rows of an impact; whether there is any. */
static bool impact_set_rows(const step_formulation *f)
{
    perp_rows *rows = &f->system->rows;
    bool any = false;

    for (size_t k = 0; k < rows->block_count; k++) {
        const perp_row_block *block = &rows->blocks[k];
        const bool acts = impact_acts(f, block);

        for (size_t r = block->first; r < block->first + block->dim; r++) {
            if (!acts) {
                rows->lo[r] = rows->hi[r] = 0.0;
            } else if (step_row_pushes(rows, block, r)) {
                any = impact_push(f, block, r) || any;
            } else if (block->role != PERP_ROLE_CONTACT) {
                any = impact_pull(f, block, r) || any;
            }
        }
    }
    return any;
}

perp_status step_formulate_impact(const step_formulation *f, bool *impact,
                                  perp_error *err)
{
    perp_scheme scheme = *f->scheme;
    perp_system *system = f->system;
    perp_status status = PERP_OK;

    *impact = false;
    scheme.restitution = PERP_RESTITUTION_POISSON; /* none in the rows */
    status =
        perp_rows_write(&system->rows, f->world, f->state, f->contacts, &scheme, err);
    if (status != PERP_OK || !impact_set_rows(f)) {
        return status;
    }
    *impact = true;
    return perp_system_formulate(system, f->world, f->state, f->state->u, f->contacts,
                                 f->scheme, err);
}

perp_status step_jump(perp_stepper *st, const step_formulation *f, perp_report *report,
                      perp_error *err)
{
    const perp_world *w = f->world;
    const perp_set *set = NULL;
    bool impact = false;
    perp_status status = PERP_OK;

    st->impact.blocks = st->impact.rows = 0;
    if (!step_has_impacts(f->scheme)) {
        return PERP_OK;
    }
    status = step_free_motion(f, err);
    if (status == PERP_OK) {
        step_choose_contacts(f);
        status = step_formulate_impact(f, &impact, err);
    }
    if (status != PERP_OK || !impact) {
        return status;
    }
    status = step_impulses(st, f, true, report, err);
    if (status == PERP_OK) {
        status = step_check_finite(w, NULL, st->bodies.u_plus, f->state->t, f->step, err);
    }
    if (status == PERP_OK) {
        set = f->system->problem.set;
        status = step_memory_reserve(&st->impact, set->count, set->n, err);
    }
    if (status == PERP_OK) {
        step_memory_keep(&st->impact, f->system, f->contacts, st->result->z);
        status = integrate_set_velocities(f->motion, w, f->state, st->bodies.u_plus, err);
    }
    return status;
}
