/* SPDX-License-Identifier: Apache-2.0
 * step/positions.c: the problem of positions for corrections that do not change
 * velocities.
 *
 *     find pushes mu:   w = J M^-1 J^T mu - bias,   u_push = M^-1 J^T mu,
 *     bias = -share phi/dt of joints and locked axes, mu free;
 *     bias = share depth/dt of limits and contacts, or -gap/dt where they are open,
 *            0 <= mu _|_ w >= 0
 *
 * Poses then move by dt u_push; velocities stay. The problem has no friction, restitution,
 * motors or springs. A joint or material with its own erp uses that share.
 *
 * A row with a compliance, J u+ = -(erp/dt) phi - K_cfm lambda/dt, is a spring of stiffness
 * k = erp/(dt K_cfm). With an impulse lambda it carries phi_c = -K_cfm lambda/erp, and only
 * phi - phi_c is an error. Velocities satisfy J u+ = -K_cfm lambda/dt, so that
 *
 *     J u_push = -(share/dt) (phi - phi_c) - J u+    in the step (split)
 *     J u_push = -(share/dt) (phi - phi_c)           after it (project)
 *
 * The rows of this problem are hard: phi - phi_c shrinks by the share, and a load F leaves
 * phi at F/k. Rows that are springs by stiffness and damping are satisfied exactly by the
 * velocities: they carry all of their displacement, as do rows with erp 0.
 * [cline-pai-2003] projects positions in this way. */
#include <config.h>

#include "base/base.h"
#include "joints/softness.h"
#include "problem/parts.h"
#include "problem/writer.h"
#include "step/integrate.h"
#include "step/positions.h"
#include "step/solve.h"

/* An impulse on a row of lengths passes through the centres. */
static bool positions_is_length(const double J[12])
{
    return J[0] != 0.0 || J[1] != 0.0 || J[2] != 0.0 || J[6] != 0.0 || J[7] != 0.0 ||
           J[8] != 0.0;
}

/* Its share of an error in a step, `usual` where it has none of its own. */
static double block_erp(const perp_stepper *st, const perp_contacts *contacts,
                        const perp_row_block *block, double usual)
{
    return world_erp(block->role == PERP_ROLE_CONTACT
                         ? contacts->at[block->source].erp
                         : st->world->joints[block->source].erp,
                     usual);
}

/* The block of the step's problem of that key, looked for from `at` on; NULL: it is new. */
static const perp_row_block *positions_find_block(const perp_rows *own, size_t at,
                                                  uint64_t key)
{
    for (size_t k = 0; k < own->block_count; k++) {
        const perp_row_block *block = &own->blocks[(at + k) % own->block_count];

        if (block->key == key) {
            return block;
        }
    }
    return NULL;
}

static bool positions_is_soft(const perp_rows *rows, const perp_row_block *block)
{
    for (size_t r = block->first; r < block->first + block->dim; r++) {
        if (rows->soft[r] > 0.0) {
            return true;
        }
    }
    return false;
}

/* Take off share/dt phi_c, with the impulses of the step. */
static void positions_take_off_carried(const perp_stepper *st,
                                       const perp_contacts *contacts, double share,
                                       perp_rows *rows)
{
    const perp_rows *own = &st->system.rows;
    size_t next = 0; /* most often a block is behind the one found last */

    for (size_t k = 0; k < rows->block_count; k++) {
        const perp_row_block *block = &rows->blocks[k], *from = NULL;
        const double erp = block_erp(st, contacts, block, st->scheme.erp);

        if (!positions_is_soft(rows, block) || erp == 0.0) {
            continue;
        }
        from = positions_find_block(own, next, block->key);
        if (!from || (block->role != PERP_ROLE_CONTACT && from->dim != block->dim)) {
            continue;
        }
        next = (size_t)(from - own->blocks) + 1;
        for (size_t d = 0; d < block->dim; d++) {
            rows->bias[block->first + d] -= block_erp(st, contacts, block, share) / erp *
                                            rows->soft[block->first + d] *
                                            st->result->z[from->first + d];
        }
    }
}

/* J u of a row at the start of the step. */
static double positions_rate(const perp_stepper *st, const perp_contacts *contacts,
                             const perp_rows *rows, const perp_row_block *block, size_t r)
{
    size_t i = 0;
    size_t j = 0;

    system_bodies(block, st->world, contacts, &i, &j);
    return perp_row_rate(rows->J + 12 * r, perp_body_velocity(st->state, i),
                         perp_body_velocity(st->state, j)) +
           (block->role == PERP_ROLE_GEAR ? rows_second_rate(rows, r, st->state->u)
                                          : 0.0);
}

/* Take off the rates of displacement that rows have by themselves, J u+ or the integrator's mean with
 * J u: those that only push separate, soft ones give way. Both lists of blocks are of the same
 * poses, so that they agree. */
static void positions_remove_motion(const perp_stepper *st, const perp_contacts *contacts,
                                    perp_rows *rows)
{
    const perp_rows *own = &st->system.rows;
    const double share = integrate_end_share(&st->scheme);

    for (size_t k = 0; k < rows->block_count; k++) {
        const perp_row_block *block = &rows->blocks[k];
        size_t first = own->blocks[k].first;

        for (size_t d = 0; d < block->dim; d++) {
            const size_t r = block->first + d;

            if (rows->lo[r] == 0.0 || rows->soft[r] > 0.0) {
                const double end = st->result->w[first + d] + own->bias[first + d] -
                                   own->soft[first + d] * st->result->z[first + d];

                rows->bias[r] -=
                    share < 1.0
                        ? share * end +
                              (1.0 - share) * positions_rate(st, contacts, rows, block, r)
                        : end;
            }
        }
    }
}

static void positions_move_row(perp_rows *rows, size_t to, size_t from)
{
    memmove(rows->J + 12 * to, rows->J + 12 * from, 12 * sizeof *rows->J);
    rows->body[2 * to] = rows->body[2 * from];
    rows->body[2 * to + 1] = rows->body[2 * from + 1];
    rows->bias[to] = rows->bias[from];
    rows->bias_position[to] = rows->bias_position[from];
    rows->bias_restitution[to] = rows->bias_restitution[from];
    rows->soft[to] = 0.0;
    rows->lo[to] = rows->lo[from];
    rows->hi[to] = rows->hi[from];
}

/* Whether a row of a joint, limit or contact has anything that its softness does not carry. */
static bool positions_is_corrected(const perp_stepper *st, const perp_contacts *contacts,
                                   const perp_row_block *block, size_t r)
{
    const perp_rows *rows = &st->positions.rows;

    if (rows->soft[r] == 0.0) {
        return true;
    }
    if (block->role == PERP_ROLE_GEAR) {
        const perp_gear *gear = &st->world->joints[block->source].axes[block->axis].gear;

        return gear->cfm > 0.0 && block_erp(st, contacts, block, st->scheme.erp) > 0.0;
    }
    if (block->role == PERP_ROLE_JOINT &&
        joint_softness_springs(joint_softness_of(
            &st->world->joints[block->source], !positions_is_length(rows->J + 12 * r)))) {
        return false;
    }
    return block_erp(st, contacts, block, st->scheme.erp) > 0.0;
}

/* Motors and springs leave the list; what stays is hard. */
static void positions_keep(perp_stepper *st, const perp_contacts *contacts)
{
    perp_rows *rows = &st->positions.rows;
    size_t blocks = 0;
    size_t count = 0;
    size_t seconds = 0;

    for (size_t k = 0; k < rows->block_count; k++) {
        perp_row_block block = rows->blocks[k];
        size_t first = count;

        if (block.role == PERP_ROLE_MOTOR || block.role == PERP_ROLE_SPRING) {
            continue;
        }
        for (size_t r = block.first; r < block.first + block.dim; r++) {
            if (positions_is_corrected(st, contacts, &block, r)) {
                const perp_row_second *second = perp_rows_second(rows, r);

                if (second) {
                    rows->seconds[seconds] = *second;
                    rows->seconds[seconds++].row = count;
                }
                positions_move_row(rows, count++, r);
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
    rows->second_count = seconds;
    rows->any_soft = false;
}

perp_status step_position_rows(perp_stepper *st, const perp_contacts *contacts,
                               double share, bool moving, perp_error *err)
{
    perp_rows *rows = &st->positions.rows;
    perp_scheme scheme = st->scheme;

    scheme.model = PERP_MODEL_FRICTIONLESS;
    scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
    scheme.restitution = PERP_RESTITUTION_POISSON; /* none in the rows */
    scheme.erp = share;
    st->positions.mass = st->motion.mass; /* borrowed for this correction */
    TRY(perp_rows_write(rows, st->world, st->state, contacts, &scheme, err));
    if (rows->any_soft && st->result) {
        positions_take_off_carried(st, contacts, share, rows);
    }
    if (moving && st->result) {
        positions_remove_motion(st, contacts, rows);
    }
    positions_keep(st, contacts);
    return PERP_OK;
}

step_errors step_position_errors(const perp_stepper *st)
{
    const perp_rows *rows = &st->positions.rows;
    const double dt = st->scheme.dt;
    step_errors most = {0.0, 0.0};

    for (size_t r = 0; r < rows->count; r++) {
        double error = rows->lo[r] == 0.0 ? rows->bias[r] : fabs(rows->bias[r]);
        double *of = positions_is_length(rows->J + 12 * r) ? &most.length : &most.angle;

        *of = fmax(*of, dt * error);
    }
    return most;
}

perp_status step_position_solve(perp_stepper *st, const perp_contacts *contacts,
                                perp_report *report, perp_error *err)
{
    perp_system *system = &st->positions;
    perp_scheme scheme = st->scheme;
    const step_task task = {system, &system->problem, contacts, st->bodies.zeros,
                            st->state};
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
