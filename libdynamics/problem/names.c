/* SPDX-License-Identifier: Apache-2.0
 * problem/names.c: what a row is called, for people: "revolute elbow: swing 1",
 * "limit elbow (lower)", "motor axle axis 2", "contact box/floor: t1". */
#include <config.h>

#include <stdio.h>

#include "joints/joints.h"
#include "problem/writer.h"

/* Blocks are in the order of their rows. */
const perp_row_block *rows_block(const perp_rows *rows, size_t row)
{
    size_t low = 0;
    size_t high = rows->block_count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (rows->blocks[middle].first <= row) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &rows->blocks[low];
}

static void names_contact(const perp_row_block *b, const perp_world *world,
                          const perp_contacts *contacts, size_t r, char *text,
                          size_t length)
{
    static const char *const rolling[] = {"normal", "t1", "t2", "r1", "r2"};
    const perp_contact *c = &contacts->at[b->source];
    const char *i = world->name[c->i];
    const char *j = world->name[c->j];
    bool cone = b->dim == 2 || (b->dim == 3 && world->dimension == 3) ||
                (b->dim == 5 && c->mu_rolling > 0.0);

    if (cone || r == 0) {
        snprintf(text, length, "contact %s/%s: %s", i, j,
                 b->dim == 2 && r == 1 ? "t" : rolling[r]);
    } else {
        snprintf(text, length, "contact %s/%s: d%zu", i, j, r);
    }
}

static void names_joint(const perp_joint *joint, const perp_world *world, size_t r,
                        char *text, size_t length)
{
    const char *name = joint_row_name(joint, world, (unsigned)r);

    snprintf(text, length, "%s %s: %s", joint->type->name, joint->name,
             name ? name : "row");
}

static void names_axis(const perp_row_block *b, const perp_joint *joint, char *text,
                       size_t length)
{
    static const char *const sides[] = {" (lower)", " (locked)", " (upper)"};
    const char *what = b->role == PERP_ROLE_LIMIT   ? "limit"
                       : b->role == PERP_ROLE_MOTOR ? "motor"
                       : b->role == PERP_ROLE_GEAR  ? "gear"
                                                    : "spring";
    char axis[16] = "";

    if (joint->type->axes > 1) {
        snprintf(axis, sizeof axis, " axis %u", b->axis + 1U);
    }
    snprintf(text, length, "%s %s%s%s", what, joint->name, axis,
             b->role == PERP_ROLE_LIMIT ? sides[b->side + 1] : "");
}

void rows_name(const perp_rows *rows, const perp_world *world,
               const perp_contacts *contacts, size_t row, char *text, size_t length)
{
    const perp_row_block *b = NULL;

    if (length == 0) {
        return;
    }
    text[0] = '\0';
    if (row >= rows->count) {
        return;
    }
    b = rows_block(rows, row);
    if (b->role == PERP_ROLE_CONTACT) {
        names_contact(b, world, contacts, row - b->first, text, length);
    } else if (b->role == PERP_ROLE_JOINT) {
        names_joint(&world->joints[b->source], world, row - b->first, text, length);
    } else {
        names_axis(b, &world->joints[b->source], text, length);
    }
}
