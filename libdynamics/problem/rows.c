/* SPDX-License-Identifier: Apache-2.0
 * problem/rows.c: the arrays of rows, and queries of one row.
 *
 *     w = J u+ - bias + (K_cfm/dt) lambda
 *
 * The arrays grow by half and are kept from step to step: a step that has as many rows as
 * the one before allocates nothing. */
#include <config.h>

#include <stdlib.h>

#include "math/team.h"
#include "problem/writer.h"

void perp_rows_clear(perp_rows *rows)
{
    free(rows->J);
    free(rows->body);
    free(rows->bias);
    free(rows->bias_position);
    free(rows->bias_restitution);
    free(rows->soft);
    free(rows->lo);
    free(rows->hi);
    free(rows->blocks);
    free(rows->frames);
    free(rows->seconds);
    math_team_free(rows->team);
    memset(rows, 0, sizeof *rows);
}

/* The new capacity: half more than before, at least what is needed. */
static size_t rows_room(size_t room, size_t needed)
{
    size_t wanted = room + room / 2 + 8;

    return wanted > needed ? wanted : needed;
}

/* A larger array with what was in the old one, which is freed. */
static bool rows_larger(void *array, size_t size, size_t used, size_t room)
{
    void **from = array;
    void *larger = math_alloc(room, size);

    if (!larger) {
        return false;
    }
    if (used > 0) {
        memcpy(larger, *from, used * size);
    }
    free(*from);
    *from = larger;
    return true;
}

/* Arrays of all rows; `used` rows are there, all in J. */
static bool rows_grow(perp_rows *r, size_t used, size_t needed)
{
    const size_t one = sizeof(double), room = rows_room(r->room, needed);

    if (needed <= r->room) {
        return true;
    }
    if (!rows_larger(&r->bias, one, used, room) ||
        !rows_larger(&r->bias_position, one, used, room) ||
        !rows_larger(&r->bias_restitution, one, used, room) ||
        !rows_larger(&r->soft, one, used, room)) {
        return false;
    }
    r->room = room;
    return true;
}

/* Those of the rows of J. */
static bool rows_grow_written(perp_rows *r, size_t used, size_t needed)
{
    const size_t one = sizeof(double), room = rows_room(r->row_room, needed);

    if (needed <= r->row_room) {
        return true;
    }
    if (!rows_larger(&r->J, 12 * one, used, room) ||
        !rows_larger(&r->lo, one, used, room) || !rows_larger(&r->hi, one, used, room)) {
        return false;
    }
    r->row_room = room;
    return true;
}

/* One array with a room of its own. */
static bool rows_grow_one(void *array, size_t size, size_t used, size_t *room,
                          size_t needed)
{
    const size_t wanted = rows_room(*room, needed);

    if (needed <= *room) {
        return true;
    }
    if (!rows_larger(array, size, used, wanted)) {
        return false;
    }
    *room = wanted;
    return true;
}

perp_status rows_reserve(perp_rows *r, size_t row_count, size_t contacts,
                         size_t block_count, perp_error *err)
{
    const size_t all = row_count + 3 * contacts;

    if (!rows_grow(r, r->count, all) || !rows_grow_written(r, r->count, row_count) ||
        !rows_grow_one(&r->body, 2 * sizeof *r->body, r->count, &r->body_room,
                       row_count + contacts) ||
        !rows_grow_one(&r->frames, 15 * sizeof *r->frames, 0, &r->frame_room, contacts)) {
        return perp_fail(err, PERP_ERR_MEMORY, "rows: no memory for %zu rows", all);
    }
    if (!rows_grow_one(&r->blocks, sizeof *r->blocks, r->block_count, &r->block_room,
                       block_count)) {
        return perp_fail(err, PERP_ERR_MEMORY, "rows: no memory for %zu blocks",
                         block_count);
    }
    return PERP_OK;
}

static size_t rows_count_gears(const perp_world *world)
{
    size_t count = 0;

    for (size_t k = 0; k < PERP_JOINT_AXES * world->joint_count; k++) {
        count +=
            world->joints[k / PERP_JOINT_AXES].axes[k % PERP_JOINT_AXES].gear.ratio !=
            0.0;
    }
    return count;
}

perp_status perp_rows_write(perp_rows *rows, const perp_world *world,
                            const perp_state *state, const perp_contacts *contacts,
                            const perp_scheme *scheme, perp_error *err)
{
    /* a joint has its rows; each axis two limits, a motor, a spring */
    const size_t joint_rows = PERP_JOINT_ROWS + 4 * PERP_JOINT_AXES;
    const size_t joint_blocks = 1 + 4 * PERP_JOINT_AXES;
    const size_t gears = rows_count_gears(world);
    perp_status status = perp_scheme_check(scheme, err);

    rows->count = rows->block_count = rows->contact_blocks = 0;
    rows->second_count = 0;
    rows->frames_from = 0;
    rows->any_soft = false;
    if (status == PERP_OK) {
        status = rows_reserve(rows, world->joint_count * joint_rows + gears, 0,
                              world->joint_count * joint_blocks + gears, err);
    }
    if (status == PERP_OK && !rows_grow_one(&rows->seconds, sizeof *rows->seconds, 0,
                                            &rows->second_room, gears)) {
        status = perp_fail(err, PERP_ERR_MEMORY, "rows: no memory for %zu gears", gears);
    }
    if (status != PERP_OK) {
        return status;
    }
    status = rows_write_joints(rows, world, state, scheme, err);
    rows->frames_from = rows->count;
    if (status != PERP_OK) {
        return status;
    }
    return contacts ? rows_write_contacts(rows, world, state, contacts, scheme, err)
                    : PERP_OK;
}

void perp_soft_parameters(double stiffness, double damping, double dt, double *erp,
                          double *cfm)
{
    double sum = dt * stiffness + damping;

    *erp = sum > 0.0 ? dt * stiffness / sum : 0.0;
    *cfm = sum > 0.0 ? 1.0 / sum : 0.0;
}

static perp_pairs rows_pairs(const perp_rows *rows)
{
    return (perp_pairs){.rows = rows->count,
                        .J = rows->J,
                        .body = rows->body,
                        .frames = rows->frames,
                        .frames_from = rows->frames_from};
}

const double *perp_rows_row(const perp_rows *rows, size_t r, double made[12])
{
    const perp_pairs pairs = rows_pairs(rows);

    return perp_pairs_row(&pairs, r, made);
}

const int32_t *perp_rows_bodies(const perp_rows *rows, size_t r)
{
    const perp_pairs pairs = rows_pairs(rows);

    return perp_pairs_bodies(&pairs, r);
}

const perp_row_second *perp_rows_second(const perp_rows *rows, size_t r)
{
    size_t low = 0;
    size_t high = rows->second_count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (rows->seconds[middle].row < r) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < rows->second_count && rows->seconds[low].row == r ? &rows->seconds[low]
                                                                   : NULL;
}

static double rows_pair_rate(const double J[12], const int32_t body[2], const double *u)
{
    static const double still[6] = {0};

    return perp_row_rate(J, body[0] < 0 ? still : u + 6 * (size_t)body[0],
                         body[1] < 0 ? still : u + 6 * (size_t)body[1]);
}

double perp_rows_rate(const perp_rows *rows, size_t r, const double *u)
{
    const perp_row_second *second = perp_rows_second(rows, r);
    double made[12];
    const double rate =
        rows_pair_rate(perp_rows_row(rows, r, made), perp_rows_bodies(rows, r), u);

    return second ? rate + rows_pair_rate(second->J, second->body, u) : rate;
}

double rows_second_rate(const perp_rows *rows, size_t r, const double *u)
{
    const perp_row_second *second = perp_rows_second(rows, r);

    return second ? rows_pair_rate(second->J, second->on, u) : 0.0;
}
