/* SPDX-License-Identifier: Apache-2.0
 * simulate/names.c: the names of rows that occurred in a run, with their numbers.
 *
 * A name follows from the bodies or the joint of a row and its place in their block, so that most
 * rows are known by these: a name is made once for each. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/simulate/names.h"

/* What the name of a row follows from, and its number; number -1: an empty place of the table. */
typedef struct sim_known_name {
    int32_t i, j; /* bodies of a contact; joint, and -1 */
    uint32_t row; /* in its block, with the length and the kind of that block */
    int32_t number;
} known_name;

/* Of a row that no joint type of the registry exceeds: "motor  axis 3: swing 1". */
enum { NAMES_WORDS = 64 };

size_t sim_names_room(const perp_world *world)
{
    size_t body = 0;
    size_t joint = 0;

    for (size_t k = 0; k < world->body_count; k++) {
        body = strlen(world->name[k]) > body ? strlen(world->name[k]) : body;
    }
    for (size_t k = 0; k < world->joint_count; k++) {
        const perp_joint *j = &world->joints[k];
        const size_t length = strlen(j->type->name) + strlen(j->name);

        joint = length > joint ? length : joint;
    }
    body = sizeof "contact /: auxiliary" + 2 * body;
    joint += world->joint_count > 0 ? NAMES_WORDS : 0;
    return 1 + (body > joint ? body : joint); /* a name that fills it may have been cut */
}

perp_status sim_names_open(sim_names *n, size_t room, const trajectory_file *old,
                           perp_error *err)
{
    size_t count = old ? (size_t)old->count[TRAJECTORY_NAME] : 0;
    perp_status status = PERP_OK;

    n->room = room;
    n->numbers = json_object();
    n->name = take((old && old->name_room > room ? old->name_room : room) + 1, 1);
    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        status = trajectory_read(old, TRAJECTORY_LAMBDA_NAMES, NULL, k, 1, n->name);
        n->name[old->name_room] = '\0';
        if (status == PERP_OK &&
            json_object_set_new(n->numbers, n->name, json_integer((json_int_t)k)) != 0) {
            status =
                perp_fail(err, PERP_ERR_FORMAT, "/lambda/names: row %zu is no text", k);
        }
    }
    return status;
}

void sim_names_close(sim_names *n)
{
    json_decref(n->numbers);
    free(n->name);
    free(n->known);
    free(n->blocks);
    *n = (sim_names){.numbers = NULL};
}

/* The number of the name in n->name, given out when it occurs first. */
static perp_status names_number(sim_names *n, trajectory *t, int32_t *number,
                                perp_error *err)
{
    const char *name = n->name;
    const json_t *known = json_object_get(n->numbers, name);
    size_t count = json_object_size(n->numbers);

    if (strlen(name) + 1 >= n->room) {
        return perp_fail(err, PERP_ERR_DATA,
                         "the name \"%.60s…\" of a row has more than %zu bytes", name,
                         n->room - 2);
    }
    if (known) {
        *number = (int32_t)json_integer_value(known);
        return PERP_OK;
    }
    json_object_set_new(n->numbers, name, json_integer((json_int_t)count));
    *number = (int32_t)count;
    memset(n->name + strlen(name), 0,
           n->room - strlen(name)); /* the row is written whole */
    return trajectory_append(t, TRAJECTORY_LAMBDA_NAMES, name);
}

/* The row of a block: what tells its name from those of other rows of the same bodies or joint. */
static known_name names_key(const perp_system *system, const perp_contacts *contacts,
                            const perp_row_block *b, size_t row)
{
    const bool auxiliary = row >= system->rows.count;
    const uint32_t place = auxiliary ? 255 : (uint32_t)(row - b->first);
    known_name key = {.i = (int32_t)b->source, .j = -1, .number = -1};

    key.row = place | (uint32_t)b->dim << 8 | (uint32_t)b->role << 16 |
              (uint32_t)(b->axis & 7) << 20 | (uint32_t)(b->side + 1) << 24;
    if (b->role == PERP_ROLE_CONTACT) {
        const perp_contact *c = &contacts->at[b->source];

        key.i = c->i;
        key.j = c->j;
        key.row |= (c->mu_rolling > 0.0 ? UINT32_C(1) : 0) << 28;
    }
    return key;
}

/* The place of a key in the table, or the empty one where it belongs. */
static known_name *names_place(known_name *table, size_t room, const known_name *key)
{
    uint64_t h =
        ((uint64_t)(uint32_t)key->i << 32 | (uint32_t)key->j) * 0x9e3779b97f4a7c15u;
    size_t k = 0;

    h = (h ^ h >> 29 ^ key->row) * 0xbf58476d1ce4e5b9u;
    for (k = (size_t)(h >> 20) & (room - 1);
         table[k].number >= 0 &&
         (table[k].i != key->i || table[k].j != key->j || table[k].row != key->row);
         k = (k + 1) & (room - 1)) {
    }
    return &table[k];
}

/* Room for one more, at most half of the table; a power of two. */
static void names_grow(sim_names *n)
{
    const size_t room = n->known_room ? 2 * n->known_room : 1024;
    known_name *more = NULL;

    if (2 * (n->known_count + 1) <= n->known_room) {
        return;
    }
    more = take(1, room * sizeof *more);
    for (size_t k = 0; k < room; k++) {
        more[k].number = -1;
    }
    for (size_t k = 0; k < n->known_room; k++) {
        if (n->known[k].number >= 0) {
            *names_place(more, room, &n->known[k]) = n->known[k];
        }
    }
    free(n->known);
    n->known = more;
    n->known_room = room;
}

perp_status sim_names_number(sim_names *n, trajectory *t, const perp_system *system,
                             const perp_world *world, const perp_contacts *contacts,
                             size_t row, int32_t *number, perp_error *err)
{
    const perp_rows *rows = &system->rows;
    const size_t count = rows->block_count;
    known_name key, *place = NULL;
    perp_status status = PERP_OK;

    names_grow(n);
    /* Rows are asked for in their order, from the first on: so the block is the present one or the
     * next. */
    n->block = row == 0             ? 0
               : row >= rows->count ? count - rows->contact_blocks + row - rows->count
               : row >= rows->blocks[n->block].first + rows->blocks[n->block].dim
                   ? n->block + 1
                   : n->block;
    key = names_key(system, contacts, &rows->blocks[n->block], row);
    place = names_place(n->known, n->known_room, &key);
    if (place->number >= 0) {
        *number = place->number;
        return PERP_OK;
    }
    perp_system_name(system, world, contacts, row, n->name, n->room);
    status = names_number(n, t, number, err);
    if (status == PERP_OK) {
        key.number = *number;
        *place = key;
        n->known_count++;
    }
    return status;
}
