/* SPDX-License-Identifier: Apache-2.0
 * step/reserve.c: memory of a stepper, taken when there are more bodies or rows than ever
 * before. */
#include <config.h>

#include <stdlib.h>

#include "step/stepper.h"

perp_status step_reserve_bodies(perp_stepper *st, perp_error *err)
{
    const size_t each = 7 + 7 * 6;
    size_t n = st->world->body_count;
    step_bodies *b = &st->bodies;
    double *block = NULL;
    int32_t *island = NULL;

    if (!b->block || n > b->room) {
        size_t room = n + n / 2 + 8;

        block = math_alloc(room, each * sizeof *block);
        island = math_alloc(room, 2 * sizeof *island);
        if (!block || !island) {
            free(block);
            free(island);
            return perp_fail(err, PERP_ERR_MEMORY, "step: no memory for %zu bodies", n);
        }
        free(b->block);
        free(b->island);
        b->block = block;
        b->island = island;
        b->base = island + room;
        b->room = room;
        st->found.valid = false;
        b->s_end = block;
        b->u_end = b->s_end + 7 * room;
        b->u_mid = b->u_end + 6 * room;
        b->u_plus = b->u_mid + 6 * room;
        b->u_pseudo = b->u_plus + 6 * room;
        b->u_sweeps = b->u_pseudo + 6 * room;
        b->zeros = b->u_sweeps + 6 * room;
        b->load = b->zeros + 6 * room;
    }
    return PERP_OK;
}

perp_status step_reserve_rows(perp_stepper *st, size_t n, perp_error *err)
{
    const size_t each = 6;
    step_rows *r = &st->rows;

    if (!r->block || n > r->room) {
        size_t room = n + n / 2 + 8;
        double *block = math_alloc(room, each * sizeof *block);

        if (!block) {
            return perp_fail(err, PERP_ERR_MEMORY, "step: no memory for %zu rows", n);
        }
        free(r->block);
        r->block = block;
        r->room = room;
        r->before = block;
        r->after = block + room;
        r->b = block + 2 * room;
        r->z_compression = block + 3 * room;
        r->z_returned = block + 4 * room;
        r->mean = block + 5 * room;
    }
    return PERP_OK;
}
