/* SPDX-License-Identifier: Apache-2.0
 * simulate/frames.c: poses, contacts and impulses of a frame as rows of the trajectory.
 *
 * The impulse on body j of a contact is sum_r lambda_r J_r, of the rows r of its block,
 * with the part of J that moves body j; where impulses cannot move j,
 * minus the part of body i. What the contact does and its residual are those at the solution of
 * its step. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include <perp/residual.h>

#include "command/cli/take.h"
#include "command/simulate/frames.h"
#include "command/simulate/touch.h"

static void contact_impulse(const perp_rows *rows, const perp_row_block *block,
                            const double *z, double impulse[3])
{
    memset(impulse, 0, 3 * sizeof *impulse);
    for (size_t r = block->first; r < block->first + block->dim; r++) {
        bool moved = perp_rows_bodies(rows, r)[1] >= 0;
        double made[12];
        const double *J = perp_rows_row(rows, r, made) + (moved ? 6 : 0);

        for (size_t k = 0; k < 3; k++) {
            impulse[k] += (moved ? z[r] : -z[r]) * J[k];
        }
    }
}

/* A contact of a frame. */
typedef struct frame_contact {
    const perp_contact *at;
    const perp_row_block *rows;
    size_t block,
        auxiliary; /* of the set; auxiliary: the number of blocks where it has none */
} frame_contact;

static perp_status append_contact(trajectory *t, const frame_contact *k,
                                  const perp_rows *rows, const sim_point *x)
{
    const perp_contact *c = k->at;
    const unsigned dim = k->rows->dim;
    const double residual = sim_touch_residual(x, k->block, dim, k->auxiliary);
    const uint8_t touch = (uint8_t)sim_touch_of(x, k->block, dim, c->mu, k->auxiliary);
    const int32_t bodies[2] = {c->i, c->j};
    double impulse[3];
    const struct {
        trajectory_column_id id;
        const void *row;
    } columns[] = {
        {TRAJECTORY_POINT, c->point},     {TRAJECTORY_NORMAL, c->normal},
        {TRAJECTORY_GAP, &c->gap},        {TRAJECTORY_CONTACT_IMPULSE, impulse},
        {TRAJECTORY_BODIES, bodies},      {TRAJECTORY_KEY, &c->key},
        {TRAJECTORY_MU, &c->mu},          {TRAJECTORY_STATUS, &touch},
        {TRAJECTORY_RESIDUAL, &residual},
    };
    perp_status status = PERP_OK;

    contact_impulse(rows, k->rows, x->z, impulse);
    for (size_t i = 0; i < sizeof columns / sizeof *columns && status == PERP_OK; i++) {
        status = trajectory_append(t, columns[i].id, columns[i].row);
    }
    return status;
}

/* Rows and blocks of the set have one order; auxiliary rows stand behind all others. */
static perp_status append_contacts(trajectory *t, const perp_contacts *contacts,
                                   const perp_system *system, const sim_point *x)
{
    const perp_rows *rows = &system->rows;
    const perp_set *set = system->problem.set;
    const bool auxiliary = system->problem.n > rows->count;
    size_t block = 0;
    size_t next = set->count - (auxiliary ? rows->contact_blocks : 0);
    perp_status status = PERP_OK;

    for (size_t b = 0; b < rows->block_count && status == PERP_OK; b++) {
        const perp_row_block *of = &rows->blocks[b];

        while (set->blocks[block].first < of->first) {
            block++;
        }
        if (of->role == PERP_ROLE_CONTACT) {
            const frame_contact k = {&contacts->at[of->source], of, block,
                                     auxiliary ? next++ : set->count};

            status = append_contact(t, &k, rows, x);
        }
    }
    return status;
}

/* Room for the residuals and the scales of all blocks, kept from frame to frame. */
static void frames_reserve(sim_names *n, size_t count)
{
    if (count > n->block_room || !n->blocks) {
        free(n->blocks);
        n->block_room = count + count / 2;
        n->blocks = take(2 * n->block_room + 2, sizeof *n->blocks);
    }
}

static perp_status append_lambda(trajectory *t, sim_names *names, const perp_world *world,
                                 const perp_contacts *contacts, const perp_system *system,
                                 const double *z, perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t r = 0; r < system->problem.n && status == PERP_OK; r++) {
        int32_t number = 0;

        status = sim_names_number(names, t, system, world, contacts, r, &number, err);
        if (status == PERP_OK) {
            status = trajectory_append(t, TRAJECTORY_LAMBDA_NAME, &number);
        }
        if (status == PERP_OK) {
            status = trajectory_append(t, TRAJECTORY_LAMBDA, &z[r]);
        }
    }
    return status;
}

static perp_status append_impulses(trajectory *t, sim_names *names,
                                   const perp_world *world, const perp_stepper *stepper,
                                   perp_error *err)
{
    const perp_system *system = perp_stepper_system(stepper);
    const perp_result *result = perp_stepper_result(stepper);
    const perp_contacts *contacts = perp_stepper_contacts(stepper);
    const perp_problem *p = &system->problem;
    sim_point x = {.p = p};
    perp_status status = PERP_OK;

    if (!result || system->rows.count == 0 || result->n < system->rows.count) {
        return PERP_OK;
    }
    status = append_lambda(t, names, world, contacts, system, result->z, err);
    if (status != PERP_OK || system->rows.contact_blocks == 0) {
        return status;
    }
    frames_reserve(names, p->set->count);
    if (status == PERP_OK) {
        x.z = result->z;
        x.w = result->w;
        x.residual = names->blocks;
        x.scale = names->blocks + p->set->count;
        status = perp_residual_blocks(p, x.z, x.w, names->blocks,
                                      names->blocks + p->set->count, &x.beta, err);
    }
    return status == PERP_OK ? append_contacts(t, contacts, system, &x) : status;
}

perp_status sim_frame_append(trajectory *t, sim_names *names, uint64_t step,
                             const perp_world *world, const perp_state *state,
                             const perp_stepper *stepper, perp_error *err)
{
    uint64_t end = 0;
    perp_status status =
        stepper ? append_impulses(t, names, world, stepper, err) : PERP_OK;

    if (status == PERP_OK) {
        status = trajectory_append(t, TRAJECTORY_FRAME_TIME, &state->t);
    }
    if (status == PERP_OK) {
        status = trajectory_append(t, TRAJECTORY_FRAME_STEP, &step);
    }
    if (status == PERP_OK) {
        status = trajectory_append(t, TRAJECTORY_POSES, state->s);
    }
    if (status == PERP_OK) {
        status = trajectory_append(t, TRAJECTORY_VELOCITIES, state->u);
    }
    end = trajectory_count(t, TRAJECTORY_CONTACT);
    if (status == PERP_OK) {
        status = trajectory_append(t, TRAJECTORY_CONTACT_END, &end);
    }
    end = trajectory_count(t, TRAJECTORY_IMPULSE);
    return status == PERP_OK ? trajectory_append(t, TRAJECTORY_LAMBDA_END, &end) : status;
}
