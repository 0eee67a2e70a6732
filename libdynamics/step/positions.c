/* SPDX-License-Identifier: Apache-2.0
 * step/positions.c: the problem of positions alone, which corrections beside the velocity
 * solve.
 *
 *     find pushes mu:   w = J M^-1 J^T mu - bias,   u_push = M^-1 J^T mu,
 *     bias = -share phi/dt of joints and locked axes, mu free;
 *     bias = share depth/dt of limits and contacts, or -gap/dt where they are open,
 *            0 <= mu _|_ w >= 0
 *
 * Poses then move by dt u_push; velocities stay. There is no friction, no restitution, no
 * motor and no spring in it: soft rows have their error on purpose. A joint or material
 * with an erp of its own keeps that share. Positions are projected so in
 * [cline-pai-2003]. */
#include <config.h>

#include "step/stepper.h"

static bool pushes_only(const perp_rows *rows, const perp_row_block *block)
{
    return rows->lo[block->first] == 0.0;
}

/* Take off the rates at which rows that only push separate by themselves, w + bias of the
 * velocities. Both lists of blocks are of the same poses, so that they agree. */
static void take_off_motion(const perp_stepper *st, perp_rows *rows)
{
    const perp_rows *own = &st->system.rows;

    for (size_t k = 0; k < rows->block_count; k++) {
        const perp_row_block *block = &rows->blocks[k];
        size_t first = own->blocks[k].first;

        if (!pushes_only(rows, block)) {
            continue;
        }
        for (size_t d = 0; d < block->dim; d++) {
            rows->bias[block->first + d] -=
                st->result->w[first + d] + own->bias[first + d] -
                own->soft[first + d] * st->result->z[first + d];
        }
    }
}

static void move_row(perp_rows *rows, size_t to, size_t from)
{
    memmove(rows->J + 12 * to, rows->J + 12 * from, 12 * sizeof *rows->J);
    rows->body[2 * to] = rows->body[2 * from];
    rows->body[2 * to + 1] = rows->body[2 * from + 1];
    rows->bias[to] = rows->bias[from];
    rows->bias_position[to] = rows->bias_position[from];
    rows->bias_restitution[to] = rows->bias_restitution[from];
    rows->soft[to] = rows->soft[from];
    rows->lo[to] = rows->lo[from];
    rows->hi[to] = rows->hi[from];
}

/* Motors, springs and soft rows leave the list. */
static void keep_positions(perp_rows *rows)
{
    size_t blocks = 0;
    size_t count = 0;

    for (size_t k = 0; k < rows->block_count; k++) {
        perp_row_block block = rows->blocks[k];
        size_t first = count;

        if (block.role == PERP_ROLE_MOTOR || block.role == PERP_ROLE_SPRING) {
            continue;
        }
        for (size_t r = block.first; r < block.first + block.dim; r++) {
            if (rows->soft[r] == 0.0) {
                move_row(rows, count++, r);
            }
        }
        if (count > first) {
            block.first = first;
            block.dim = (uint8_t)(count - first);
            rows->blocks[blocks++] = block;
        }
    }
    rows->count = rows->frames_from = count;
    rows->block_count = blocks;
    rows->any_soft = false;
}

perp_status step_position_rows(perp_stepper *st, const perp_contacts *contacts,
                               double share, bool moving, perp_error *err)
{
    perp_rows *rows = &st->positions.rows;
    perp_scheme scheme = st->scheme;
    perp_status status = PERP_OK;

    scheme.model = PERP_MODEL_FRICTIONLESS;
    scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
    scheme.restitution = PERP_RESTITUTION_POISSON; /* none in the rows */
    scheme.erp = share;
    status = perp_rows_write(rows, st->world, st->state, contacts, &scheme, err);
    if (status != PERP_OK) {
        return status;
    }
    if (moving && st->result) {
        take_off_motion(st, rows);
    }
    keep_positions(rows);
    return PERP_OK;
}

/* An impulse on a row of lengths passes through the centres. */
static bool is_length(const double J[12])
{
    return J[0] != 0.0 || J[1] != 0.0 || J[2] != 0.0 || J[6] != 0.0 || J[7] != 0.0 ||
           J[8] != 0.0;
}

step_errors step_position_errors(const perp_stepper *st)
{
    const perp_rows *rows = &st->positions.rows;
    const double dt = st->scheme.dt;
    step_errors most = {0.0, 0.0};

    for (size_t r = 0; r < rows->count; r++) {
        double error = rows->lo[r] == 0.0 ? rows->bias[r] : fabs(rows->bias[r]);
        double *of = is_length(rows->J + 12 * r) ? &most.length : &most.angle;

        *of = fmax(*of, dt * error);
    }
    return most;
}

perp_status step_position_solve(perp_stepper *st, const perp_contacts *contacts,
                                perp_report *report, perp_error *err)
{
    perp_system *system = &st->positions;
    perp_scheme scheme = st->scheme;
    const step_task task = {system, &system->problem, contacts, st->bodies.zeros};
    step_errors errors;
    perp_status status = PERP_OK;

    memset(st->bodies.u_pseudo, 0,
           6 * st->world->body_count * sizeof *st->bodies.u_pseudo);
    errors = step_position_errors(st);
    if (errors.length == 0.0 && errors.angle == 0.0) {
        return PERP_OK;
    }
    scheme.model = PERP_MODEL_FRICTIONLESS;
    status = perp_system_formulate(system, st->world, st->state, st->bodies.zeros,
                                   contacts, &scheme, err);
    if (status == PERP_OK) {
        status = step_result(&st->position_result, system->problem.n, err);
    }
    if (status == PERP_OK) {
        status = step_solve(st, &task, st->position_result, report, err);
    }
    if (status == PERP_OK) {
        perp_system_impulses(system, st->position_result->z, st->bodies.u_pseudo);
    }
    return status;
}

perp_status step_push(perp_stepper *st, perp_error *err)
{
    perp_status status = perp_world_move(st->world, st->state, st->bodies.u_pseudo,
                                         st->scheme.dt, &st->scheme, err);

    if (status == PERP_OK) {
        step_refresh(st->world, st->state);
    }
    return status;
}
