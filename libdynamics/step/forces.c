/* SPDX-License-Identifier: Apache-2.0
 * step/forces.c: forces of joints and contacts in the last step.
 *
 * An impulse z of a row acts on body j as J_j^T z, and over the step as the force
 * J_j^T z/dt: the mean over dt of what acted, impacts included. */
#include <config.h>

#include "base/base.h"
#include "step/stepper.h"

/* The impulses of the last step, or NULL where there are none of its rows. */
static const double *forces_impulses(const perp_stepper *st)
{
    const bool same = st->removals == st->world->removals; /* numbers are those of rows */

    return same && st->result && st->result->n == st->system.problem.n ? st->result->z
                                                                       : NULL;
}

size_t perp_stepper_row_forces(const perp_stepper *st, perp_role role, size_t source,
                               unsigned axis, size_t most, double *force)
{
    const perp_rows *rows = &st->system.rows;
    const double *z = forces_impulses(st);
    size_t n = 0;

    for (size_t k = 0; z && k < rows->block_count; k++) {
        const perp_row_block *b = &rows->blocks[k];

        if (b->role != role || b->source != source || b->axis != axis) {
            continue;
        }
        for (size_t r = b->first; r < b->first + b->dim; r++, n++) {
            if (n < most) {
                force[n] = z[r] / st->scheme.dt;
            }
        }
    }
    return n;
}

/* Add what a block does to body j: force, and torque about its centre of mass. */
static void forces_add(const perp_stepper *st, const perp_row_block *b, double force[6])
{
    double made[12];

    for (size_t r = b->first; r < b->first + b->dim; r++) {
        const double *J = perp_rows_row(&st->system.rows, r, made);
        const double f = st->result->z[r] / st->scheme.dt;

        vec3_add(force, f, J + 6, force);
        vec3_add(force + 3, f, J + 9, force + 3);
    }
}

perp_status perp_stepper_joint_force(const perp_stepper *st, size_t joint,
                                     double force[6], perp_error *err)
{
    const perp_world *w = st->world;
    const perp_reduced *reduced = w->reduced;
    const perp_rows *rows = &st->system.rows;

    memset(force, 0, 6 * sizeof *force);
    if (joint >= w->joint_count) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "step: joint is number %zu, expected one of %zu joint%s, from 0",
                         joint, w->joint_count, perp_plural(w->joint_count));
    }
    if (reduced && joint < reduced->joints && reduced->joint_link[joint] >= 0) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "joint \"%s\": eliminated in reduced coordinates, so no row has "
                         "its force, expected maximal coordinates",
                         w->joints[joint].name);
    }
    for (size_t k = 0; forces_impulses(st) && k < rows->block_count; k++) {
        const perp_row_block *b = &rows->blocks[k];

        if (b->role != PERP_ROLE_CONTACT && b->source == joint) {
            forces_add(st, b, force);
        }
    }
    for (size_t k = 0; forces_impulses(st) && k < rows->second_count; k++) {
        const perp_row_second *second = &rows->seconds[k];

        for (size_t c = 0; (size_t)second->joint == joint && c < 6; c++) {
            force[c] += st->result->z[second->row] / st->scheme.dt * second->J[6 + c];
        }
    }
    return PERP_OK;
}

perp_status perp_stepper_contact_force(const perp_stepper *st, size_t contact,
                                       double force[6], perp_error *err)
{
    const perp_rows *rows = &st->system.rows;
    const size_t joints = rows->block_count - rows->contact_blocks;
    const size_t most = rows->contact_blocks;
    size_t low = 0;
    size_t high = most;
    const perp_row_block *b = NULL;

    memset(force, 0, 6 * sizeof *force);
    if (contact >= st->contacts.count) {
        return perp_fail(
            err, PERP_ERR_ARGUMENT,
            "step: contact is number %zu, expected one of %zu contact%s, from 0", contact,
            st->contacts.count, perp_plural(st->contacts.count));
    }
    while (low <
           high) { /* blocks are in the order of contacts, some of which have none */
        const size_t middle = low + (high - low) / 2;

        if (rows->blocks[joints + middle].source < contact) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    b = low < most ? &rows->blocks[joints + low] : NULL;
    if (forces_impulses(st) && b && b->source == contact) {
        /* rows behind the third roll: they have a torque alone */
        const bool rolls = b->dim == 5 && st->contacts.at[contact].mu_rolling > 0.0 &&
                           st->scheme.model != PERP_MODEL_PYRAMID;
        perp_row_block part = *b;

        part.dim = rolls ? 3 : b->dim;
        forces_add(st, &part, force);
        vec3_set(force + 3, 0.0, 0.0, 0.0); /* none about the point of contact */
        part.first += part.dim;
        part.dim = (uint8_t)(b->dim - part.dim);
        forces_add(st, &part, force);
    }
    return PERP_OK;
}
