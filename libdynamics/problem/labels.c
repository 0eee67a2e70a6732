/* SPDX-License-Identifier: Apache-2.0
 * problem/labels.c: a label for each block of a formulated problem, by the names of bodies and
 * joints, and where the problem comes from. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/file.h"
#include "problem/parts.h"
#include "problem/writer.h"

static const char labels_units[] = "z N s or N m s, w m/s or rad/s";

static void labels_of_contact(perp_label *l, const perp_contact *c)
{
    l->placed = true;
    memcpy(l->point, c->point, sizeof l->point);
    memcpy(l->normal, c->normal, sizeof l->normal);
    l->gap = c->gap;
    l->mu = c->mu;
}

/* Names are valid UTF-8, whatever the world has: they are written as JSON. */
static char *labels_text(const char *text)
{
    return perp_text_valid(text, strlen(text));
}

/* "contact box/floor" for a cone, else the name of the row. */
static char *labels_name(const perp_system *system, const perp_world *world,
                         const perp_contacts *contacts, size_t row, unsigned dim,
                         const perp_label *l)
{
    char text[256];

    if (dim > 1) {
        snprintf(text, sizeof text, "contact %s/%s", l->body[0], l->body[1]);
    } else {
        perp_system_name(system, world, contacts, row, text, sizeof text);
    }
    return labels_text(text);
}

/* Of the block of `dim` rows that begins at `row` of the system; false: no memory. */
static bool labels_write(perp_label *l, const perp_system *system,
                         const perp_world *world, const perp_contacts *contacts,
                         size_t row, unsigned dim)
{
    static const perp_label_kind kinds[] = {
        [PERP_ROLE_JOINT] = PERP_LABEL_JOINT, [PERP_ROLE_LIMIT] = PERP_LABEL_LIMIT,
        [PERP_ROLE_MOTOR] = PERP_LABEL_MOTOR, [PERP_ROLE_SPRING] = PERP_LABEL_SPRING,
        [PERP_ROLE_GEAR] = PERP_LABEL_JOINT,  [PERP_ROLE_CONTACT] = PERP_LABEL_CONTACT,
    };
    const perp_rows *rows = &system->rows;
    const bool auxiliary = row >= rows->count;
    const perp_row_block *b =
        auxiliary
            ? &rows->blocks[rows->block_count - rows->contact_blocks + row - rows->count]
            : rows_block(rows, row);
    const char *joint = NULL;
    size_t i = 0;
    size_t j = 0;

    system_bodies(b, world, contacts, &i, &j);
    l->kind = auxiliary ? PERP_LABEL_AUXILIARY : kinds[b->role];
    l->index = b->source;
    l->key = system->keys[perp_set_block_at(system->problem.set, row)];
    if (b->role == PERP_ROLE_CONTACT) {
        labels_of_contact(l, &contacts->at[b->source]);
    } else {
        joint = world->joints[b->source].name;
        l->joint = labels_text(joint);
    }
    l->body[0] = labels_text(world->name[i]);
    l->body[1] = labels_text(world->name[j]);
    if (!l->body[0] || !l->body[1] || (joint && !l->joint)) {
        return false;
    }
    l->name = labels_name(system, world, contacts, row, dim, l);
    return l->name != NULL;
}

perp_status system_labels(const perp_system *system, const perp_world *world,
                          const perp_contacts *contacts, const perp_set *set,
                          const size_t *order, perp_labels **labels, perp_error *err)
{
    perp_status status = perp_labels_new(labels, set->count, err);

    for (size_t k = 0; status == PERP_OK && k < set->count; k++) {
        const perp_block *b = &set->blocks[k];

        if (!labels_write(&(*labels)->at[k], system, world, contacts,
                          order ? order[b->first] : b->first, b->dim)) {
            status = perp_fail(err, PERP_ERR_MEMORY, "system: no memory for %zu labels",
                               set->count);
        }
    }
    return status;
}

perp_status system_origin(perp_origin **origin, perp_error *err)
{
    char version[64];

    TRY(perp_origin_new(origin, err));
    snprintf(version, sizeof version, "perp %s", perp_version());
    (*origin)->version = perp_text_new(version);
    (*origin)->units = perp_text_new(labels_units);
    return (*origin)->version && (*origin)->units
               ? PERP_OK
               : perp_fail(err, PERP_ERR_MEMORY, "system: no memory for an origin");
}

/* The labels belong to the system, as all parts of its problem do. */
static perp_status labels_of_step(perp_system *system, const perp_world *world,
                                  const perp_contacts *contacts, perp_error *err)
{
    system_own *own = system->own;
    perp_status status = system_labels(system, world, contacts, system->problem.set, NULL,
                                       &own->labels, err);

    return status == PERP_OK ? system_origin(&own->origin, err) : status;
}

perp_status system_label_step(perp_system *system, const perp_world *world,
                              const perp_contacts *contacts, double t, double dt,
                              perp_error *err)
{
    system_own *own = system->own;
    perp_status status = labels_of_step(system, world, contacts, err);

    if (status != PERP_OK) {
        memset(&system->problem, 0, sizeof system->problem);
        return status;
    }
    own->origin->timed = true;
    own->origin->time = t + dt;
    own->origin->dt = dt;
    system->problem.labels = own->labels;
    system->problem.origin = own->origin;
    system->problem.borrows_labels = true;
    return PERP_OK;
}

void system_unlabel(perp_system *system)
{
    system_own *own = system->own;

    if (own) {
        perp_labels_free(own->labels);
        perp_origin_free(own->origin);
        own->labels = NULL;
        own->origin = NULL;
    }
}
