/* SPDX-License-Identifier: Apache-2.0
 * step/middle.c: rows of a step in which positions do not move by u+ alone.
 *
 * With u the velocity at the start, after an impact, and theta the share of u+ in the displacement
 * of a body that rows act on,
 *
 *     contacts, limits    displacement >= -gap:   J u+ >= (-gap/dt - (1 - theta) J u)/theta
 *     joints, all rows    J_m u+ = bias - (J_m - J) u,   J_m and M at the middle of the step
 *
 * so that u+ follows a joint to its direction at the end of the step, and the impulse has its
 * direction at the middle: joints keep the order 2 of the free motion. The middle is that of a
 * motion by u for dt/2; in reduced coordinates H and the velocities of links are those there, too.
 *
 * Under integrators with theta = 1 the rows are as written, except after an impact under Poisson's
 * law: the contacts that took part separate at least as fast as the impact left them. */
#include <config.h>

#include <math.h>

#include "base/base.h"
#include "problem/parts.h"
#include "step/integrate.h"
#include "step/stepper.h"

/* The rebound of an impact is kept for this step. */
static void middle_keep_rebound(const step_formulation *f)
{
    perp_rows *rows = &f->system->rows;

    for (size_t k = 0; f->impact && f->impact->blocks > 0 && k < rows->block_count; k++) {
        const perp_row_block *block = &rows->blocks[k];
        const size_t r = block->first;
        double rate = 0.0;

        if (!step_row_pushes(rows, block, r) || step_restitution(f, block) == 0.0 ||
            !(step_memory_impulse(f->impact, block->key) > 0.0)) {
            continue;
        }
        rate = step_row_rate(f, block, r, f->state->u);
        if (rate > rows->bias[r]) {
            rows->bias[r] = rows->bias_restitution[r] = rate;
            rows->bias_position[r] = 0.0;
        }
    }
}

/* Gaps are asked of the displacement; where u+ has no share in it, what
 * lands is left to the impact of the next step. */
static void middle_set_gaps(const step_formulation *f, double share)
{
    perp_rows *rows = &f->system->rows;

    for (size_t k = 0; k < rows->block_count; k++) {
        const perp_row_block *block = &rows->blocks[k];

        for (size_t r = block->first; r < block->first + block->dim; r++) {
            if (rows->bias[r] < 0.0 && step_row_pushes(rows, block, r)) {
                const double rate = step_row_rate(f, block, r, f->state->u);
                const double wide = rows->bias[r] - (1.0 - share) * rate;
                const double end = step_row_rate(f, block, r, f->motion->u);

                const bool lands = share == 0.0 && rate < -f->scheme->threshold;

                rows->bias[r] = rows->bias_position[r] =
                    share > 0.0 ? wide / share
                    : lands     ? wide - fabs(rate) - fabs(end)
                                : wide;
            }
        }
    }
}

/* The block of that key among the rows at the middle, looked for from *next on; or NULL. */
static const perp_row_block *middle_find(const perp_rows *middle, size_t *next,
                                         uint64_t key)
{
    for (size_t k = 0; k < middle->block_count; k++) {
        const size_t at = (*next + k) % middle->block_count;

        if (middle->blocks[at].key == key) {
            *next = at + 1;
            return &middle->blocks[at];
        }
    }
    return NULL;
}

/* J of the joints at the middle, and what its change gives the velocities u at the start. */
static void middle_use(const step_formulation *f, const perp_rows *at_middle,
                       const perp_state *middle)
{
    perp_rows *rows = &f->system->rows;
    size_t next = 0;

    for (size_t k = 0; k < rows->block_count - rows->contact_blocks; k++) {
        const perp_row_block *block = &rows->blocks[k];
        const perp_row_block *from = middle_find(at_middle, &next, block->key);

        for (size_t d = 0; from && from->dim == block->dim && d < block->dim; d++) {
            const size_t r = block->first + d;
            const double start = step_row_rate(f, block, r, f->state->u);

            memcpy(rows->J + 12 * r, at_middle->J + 12 * (from->first + d),
                   12 * sizeof *rows->J);
            if (block->role == PERP_ROLE_GEAR) {
                const size_t second = (size_t)(perp_rows_second(rows, r) - rows->seconds);

                memcpy(rows->seconds[second].J,
                       perp_rows_second(at_middle, from->first)->J,
                       sizeof rows->seconds->J);
            }
            rows->bias[r] -= step_row_rate(f, block, r, middle->u) - start;
        }
    }
}

perp_status step_go_to_middle(const step_formulation *f, perp_error *err)
{
    const perp_world *w = f->world;
    perp_free_motion *motion = f->motion;
    perp_state *middle = motion->moving;

    TRY(perp_state_copy(middle, f->state, err));
    TRY(perp_world_move(w, middle, f->state->u, 0.5 * f->scheme->dt, f->scheme, err));
    step_refresh(w, middle);
    motion->middle = true;
    return w->reduced ? trees_free(motion, w, middle, err) : PERP_OK;
}

perp_status step_set_rows(const step_formulation *f, perp_state **at, perp_error *err)
{
    const double share = integrate_end_share(f->scheme);
    const perp_rows *rows = &f->system->rows;
    perp_status status = PERP_OK;

    *at = f->state;
    if (share == 1.0) {
        middle_keep_rebound(f);
        return PERP_OK;
    }
    middle_set_gaps(f, share);
    if (share == 0.0 || rows->block_count == rows->contact_blocks) {
        return PERP_OK;
    }
    status = step_go_to_middle(f, err);
    if (status == PERP_OK) {
        status =
            perp_rows_write(f->middle, f->world, f->motion->moving, NULL, f->scheme, err);
    }
    if (status == PERP_OK) {
        middle_use(f, f->middle, f->motion->moving);
        *at = f->motion->moving;
    }
    return status;
}
