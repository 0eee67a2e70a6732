/* SPDX-License-Identifier: Apache-2.0
 * read/scene/objects.c: objects by their tables: defaults, unknown and missing members. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "read/scene/document.h"
#include "read/scene/members.h"
#include "read/scene/tables.h"

const char *scene_nearest(perp_nearest *best, const char *name, const char *const *names)
{
    perp_nearest_start(best, name);
    for (size_t k = 0; names[k]; k++) {
        perp_nearest_offer(best, names[k]);
    }
    return perp_nearest_advice(best);
}

void scene_fallback(const scene_member *m, void *out)
{
    void *to = (char *)out + m->offset;
    double *x = to;
    size_t count = m->kind == SCENE_REAL                              ? 1
                   : m->kind == SCENE_VECTOR || m->kind == SCENE_SPIN ? 3
                   : m->kind == SCENE_INERTIA                         ? 9
                                                                      : 0;

    for (size_t k = 0; k < count; k++) {
        x[k] = m->fallback;
    }
}

void scene_defaults(const scene_table *table, void *out)
{
    memset(out, 0, table->size);
    if (table->defaults) {
        table->defaults(out);
        return;
    }
    for (size_t k = 0; k < table->count; k++) {
        scene_fallback(&table->members[k], out);
    }
}

static perp_status objects_unknown_member(scene_reader *rd, const scene_at *at,
                                          const char *key,
                                          const scene_member *const *members,
                                          size_t count)
{
    const char *names[SCENE_MEMBERS + 1] = {NULL};
    scene_at member = scene_member_at(at, key);
    bool has_material = false, has_friction = false;
    perp_nearest best;

    for (size_t k = 0; k < count; k++) {
        names[k] = members[k]->name;
        has_friction = has_friction || strcmp(names[k], "friction") == 0;
        has_material = has_material || strcmp(names[k], "material") == 0;
    }
    for (size_t k = 0; k < scene_table_material.count && has_material; k++) {
        if (strcmp(scene_table_material.members[k].name, key) == 0) {
            return scene_fail_key(
                rd, &member, PERP_ERR_FORMAT,
                " belongs to a material: put it into one of \"materials\" and "
                "name that as \"material\"");
        }
    }
    if (strcmp(key, "model") == 0 && has_friction) {
        return scene_fail_key(
            rd, &member, PERP_ERR_FORMAT,
            " is now \"friction\": coulomb, associated, pyramid:8, box, none");
    }
    return scene_fail_key(rd, &member, PERP_ERR_FORMAT, " is not known, %s",
                          scene_nearest(&best, key, names));
}

/* Every member of the document is one of the table. */
static perp_status objects_check_names(scene_reader *rd, const scene_at *at,
                                       const scene_member *const *members, size_t count)
{
    const char *key = NULL;
    json_t *value = NULL;

    json_object_foreach(at->value, key, value)
    {
        size_t k = 0;

        while (k < count && strcmp(members[k]->name, key) != 0) {
            k++;
        }
        if (k == count) {
            return objects_unknown_member(rd, at, key, members, count);
        }
    }
    return PERP_OK;
}

/* The type decides which members there are: read it before them. */
static perp_status objects_check_type(scene_reader *rd, const scene_at *at,
                                      const scene_member *const *members, size_t count,
                                      void *out)
{
    scene_at type = scene_member_at(at, "type");

    for (size_t k = 0; k < count && type.value; k++) {
        if (strcmp(members[k]->name, "type") == 0) {
            return scene_read_member(rd, &type, members[k], out);
        }
    }
    return PERP_OK;
}

size_t scene_type_members(const scene_at *at, const scene_table *table,
                          scene_extra extra[SCENE_EXTRAS])
{
    const char *type = json_string_value(json_object_get(at->value, "type"));
    size_t count = 0;

    for (size_t t = 0; type && table->more; t++) {
        bool more = table->more(t, 0, &extra[0]);

        if (!extra[0].type) {
            break;
        }
        if (strcmp(extra[0].type, type) == 0) {
            while (more && ++count < SCENE_EXTRAS) {
                more = table->more(t, count, &extra[count]);
            }
            break;
        }
    }
    return count;
}

static perp_status objects_read_members(scene_reader *rd, const scene_at *at,
                                        const scene_member *const *members, size_t count,
                                        void *out)
{
    perp_status status = objects_check_type(rd, at, members, count, out);

    if (status == PERP_OK) {
        status = objects_check_names(rd, at, members, count);
    }
    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        scene_at member = scene_member_at(at, members[k]->name);

        if (member.value) {
            status = scene_read_member(rd, &member, members[k], out);
        } else if (members[k]->required) {
            status = scene_fail(rd, &member, PERP_ERR_FORMAT, " is missing, expected %s",
                                members[k]->help);
        }
    }
    return status;
}

perp_status scene_read_object(scene_reader *rd, const scene_at *at,
                              const scene_table *table, void *out)
{
    const scene_member *members[SCENE_MEMBERS];
    scene_extra extra[SCENE_EXTRAS];
    size_t count = 0;
    size_t extras = 0;

    scene_defaults(table, out);
    if (!at->value) {
        return PERP_OK;
    }
    if (!json_is_object(at->value)) {
        return scene_unexpected(rd, at, PERP_ERR_FORMAT, "an object");
    }
    for (; count < table->count; count++) {
        members[count] = &table->members[count];
    }
    extras = scene_type_members(at, table, extra);
    for (size_t k = 0; k < extras && count < SCENE_MEMBERS; k++) {
        scene_fallback(&extra[k].member, out);
        members[count++] = &extra[k].member;
    }
    return objects_read_members(rd, at, members, count, out);
}
