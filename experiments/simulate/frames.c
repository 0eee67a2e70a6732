/* SPDX-License-Identifier: Apache-2.0
 * simulate/frames.c: poses, contacts and impulses of a frame as rows of the trajectory.
 *
 * The impulse on body j of a contact is sum_r lambda_r J_r, of the rows r of its block,
 * with the part of J that moves body j; where impulses cannot move j,
 * minus the part of body i. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "experiments/simulate/frames.h"

perp_status sim_names_open(sim_names *n, const trajectory_file *old, perp_error *err)
{
    size_t count = old ? (size_t)old->count[TRAJECTORY_NAME] : 0;
    perp_status status = PERP_OK;

    n->numbers = json_object();
    if (!n->numbers) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for names");
    }
    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        char name[TRAJECTORY_TEXT] = "";

        status = trajectory_read(old, TRAJECTORY_LAMBDA_NAMES, NULL, k, 1, name);
        name[TRAJECTORY_TEXT - 1] = '\0';
        if (status == PERP_OK &&
            json_object_set_new(n->numbers, name, json_integer((json_int_t)k)) != 0) {
            status =
                perp_fail(err, PERP_ERR_FORMAT, "/lambda/names: row %zu is no text", k);
        }
    }
    return status;
}

void sim_names_close(sim_names *n)
{
    json_decref(n->numbers);
    n->numbers = NULL;
}

/* The number of a name, given out when it occurs first. */
static perp_status names_number(sim_names *n, trajectory *t, const char *name,
                                int32_t *number, perp_error *err)
{
    const json_t *known = json_object_get(n->numbers, name);
    size_t count = json_object_size(n->numbers);

    if (known) {
        *number = (int32_t)json_integer_value(known);
        return PERP_OK;
    }
    if (json_object_set_new(n->numbers, name, json_integer((json_int_t)count)) != 0) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the name \"%s\"", name);
    }
    *number = (int32_t)count;
    return trajectory_append(t, TRAJECTORY_LAMBDA_NAMES, name);
}

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

static perp_status append_contacts(trajectory *t, const perp_contacts *contacts,
                                   const perp_rows *rows, const double *z)
{
    perp_status status = PERP_OK;

    for (size_t b = 0; b < rows->block_count && status == PERP_OK; b++) {
        const perp_row_block *block = &rows->blocks[b];
        const perp_contact *c = NULL;
        double impulse[3];

        if (block->role != PERP_ROLE_CONTACT) {
            continue;
        }
        c = &contacts->at[block->source];
        contact_impulse(rows, block, z, impulse);
        status = trajectory_append(t, TRAJECTORY_POINT, c->point);
        if (status == PERP_OK) {
            status = trajectory_append(t, TRAJECTORY_NORMAL, c->normal);
        }
        if (status == PERP_OK) {
            status = trajectory_append(t, TRAJECTORY_GAP, &c->gap);
        }
        if (status == PERP_OK) {
            status = trajectory_append(t, TRAJECTORY_CONTACT_IMPULSE, impulse);
        }
        if (status == PERP_OK) {
            status = trajectory_append(t, TRAJECTORY_BODIES, (int32_t[2]){c->i, c->j});
        }
        if (status == PERP_OK) {
            status = trajectory_append(t, TRAJECTORY_KEY, &c->key);
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
    perp_status status = PERP_OK;

    if (!result || system->rows.count == 0 || result->n < system->rows.count) {
        return PERP_OK;
    }
    for (size_t r = 0; r < system->problem.n && status == PERP_OK; r++) {
        char name[TRAJECTORY_TEXT] = "";
        int32_t number = 0;

        perp_system_name(system, world, contacts, r, name, sizeof name);
        status = names_number(names, t, name, &number, err);
        if (status == PERP_OK) {
            status = trajectory_append(t, TRAJECTORY_LAMBDA_NAME, &number);
        }
        if (status == PERP_OK) {
            status = trajectory_append(t, TRAJECTORY_LAMBDA, &result->z[r]);
        }
    }
    return status == PERP_OK ? append_contacts(t, contacts, &system->rows, result->z)
                             : status;
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
