/* SPDX-License-Identifier: Apache-2.0
 * rows/rows.c: the arrays of rows, and what is asked of one row.
 *
 *     w = J u+ - bias + (K_cfm/dt) lambda
 *
 * The arrays grow by half and are kept from step to step: a step that has as many rows as
 * the one before allocates nothing. */
#include <config.h>

#include <stdlib.h>

#include "team.h"
#include "writer.h"

void perp_rows_clear(perp_rows *rows)
{
    free(rows->J);
    free(rows->body);
    free(rows->bias);
    free(rows->stabilize);
    free(rows->rebound);
    free(rows->soft);
    free(rows->lo);
    free(rows->hi);
    free(rows->blocks);
    free(rows->frames);
    core_team_free(rows->team);
    memset(rows, 0, sizeof *rows);
}

/* A larger array with what was in the old one, which is freed. */
static bool rows_larger(void **array, size_t size, size_t used, size_t room)
{
    void *larger = core_take(room, size);

    if (!larger) {
        return false;
    }
    if (used > 0) {
        memcpy(larger, *array, used * size);
    }
    free(*array);
    *array = larger;
    return true;
}

static bool rows_grow(perp_rows *r, size_t room)
{
    const size_t one = sizeof(double);

    return rows_larger((void **)&r->J, 12 * one, r->count, room) &&
           rows_larger((void **)&r->body, 2 * sizeof *r->body, r->count, room) &&
           rows_larger((void **)&r->bias, one, r->count, room) &&
           rows_larger((void **)&r->stabilize, one, r->count, room) &&
           rows_larger((void **)&r->rebound, one, r->count, room) &&
           rows_larger((void **)&r->soft, one, r->count, room) &&
           rows_larger((void **)&r->lo, one, r->count, room) &&
           rows_larger((void **)&r->hi, one, r->count, room);
}

/* Half as much again as there was, at least what is needed. */
static size_t rows_room(size_t room, size_t needed)
{
    size_t wanted = room + room / 2 + 8;

    return wanted > needed ? wanted : needed;
}

perp_status rows_reserve(perp_rows *r, size_t row_count, size_t block_count,
                         perp_error *err)
{
    if (row_count > r->room) {
        size_t room = rows_room(r->room, row_count);

        if (!rows_grow(r, room)) {
            return perp_fail(err, PERP_ERR_MEMORY, "rows: no memory for %zu rows",
                             row_count);
        }
        r->room = room;
    }
    if (block_count > r->block_room) {
        size_t room = rows_room(r->block_room, block_count);

        if (!rows_larger((void **)&r->blocks, sizeof *r->blocks, r->block_count, room)) {
            return perp_fail(err, PERP_ERR_MEMORY, "rows: no memory for %zu blocks",
                             block_count);
        }
        r->block_room = room;
    }
    return PERP_OK;
}

perp_status rows_reserve_frames(perp_rows *r, size_t contacts, perp_error *err)
{
    size_t room = rows_room(r->frame_room, contacts);

    if (contacts <= r->frame_room) {
        return PERP_OK;
    }
    if (!rows_larger((void **)&r->frames, 15 * sizeof *r->frames, 0, room)) {
        return perp_fail(err, PERP_ERR_MEMORY, "rows: no memory for %zu frames",
                         contacts);
    }
    r->frame_room = room;
    return PERP_OK;
}

perp_status perp_rows_write(perp_rows *rows, const perp_world *world,
                            const perp_contacts *contacts, const perp_scheme *scheme,
                            perp_error *err)
{
    /* a joint has its rows; each axis two limits, a motor, a spring */
    const size_t joint_rows = PERP_JOINT_ROWS + 4 * PERP_JOINT_AXES;
    const size_t joint_blocks = 1 + 4 * PERP_JOINT_AXES;
    perp_status status = perp_scheme_check(scheme, err);

    rows->count = rows->block_count = rows->contact_blocks = 0;
    rows->any_soft = rows->has_frames = false;
    if (status == PERP_OK) {
        status = rows_reserve(rows, world->joint_count * joint_rows,
                              world->joint_count * joint_blocks, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    status = rows_write_joints(rows, world, scheme, err);
    if (status != PERP_OK) {
        return status;
    }
    return contacts ? rows_write_contacts(rows, world, contacts, scheme, err) : PERP_OK;
}

void perp_soft_parameters(double stiffness, double damping, double dt, double *erp,
                          double *cfm)
{
    double sum = dt * stiffness + damping;

    *erp = sum > 0.0 ? dt * stiffness / sum : 0.0;
    *cfm = sum > 0.0 ? 1.0 / sum : 0.0;
}

double perp_row_rate(const double J[12], const double *u_i, const double *u_j)
{
    return rows_rate(J, u_i, u_j);
}
