/* SPDX-License-Identifier: Apache-2.0
 * read/scene/solids.c: the shapes of a body and their mass. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/inertia.h>
#include <perp/dynamics/rotation.h>

#include "base/base.h"
#include "read/scene/build.h"
#include "read/scene/document.h"
#include "read/scene/members.h"
#include "read/scene/quantity.h"
#include "read/scene/tables.h"
#include "world/shapes.h"
#include "world/world.h"

void scene_solids_clear(scene_solids *list)
{
    for (size_t k = 0; k < list->count; k++) {
        scene_form_clear(&list->at[k]);
    }
    free(list->at);
    free(list->item);
}

/* Three sizes "half x", "half y", "half z" are one vector in a scene; its name where the
 * common word alone would not read well. */
static const char *const plurals[][2] = {
    {"half", "half-extents"},
    {"semi-axis", "semi-axes"},
};

/* The name of all three sizes together; false where each has one of its own. */
static bool solids_vector_name(const perp_shape_type *type, char name[SCENE_WORD])
{
    const char *first = type->size_name[0];
    size_t length = type->sizes == 3 && first ? strlen(first) : 0;

    if (length < 3 || strcmp(first + length - 2, " x") != 0) {
        return false;
    }
    snprintf(name, SCENE_WORD, "%.*s", (int)(length - 2), first);
    for (size_t k = 0; k < sizeof plurals / sizeof *plurals; k++) {
        if (strcmp(name, plurals[k][0]) == 0) {
            snprintf(name, SCENE_WORD, "%s", plurals[k][1]);
        }
    }
    return true;
}

bool scene_shape_extra(size_t t, size_t k, scene_extra *extra)
{
    const perp_shape_type *const *types = perp_shape_types(NULL);
    const perp_shape_type *type = types[t];
    bool vector = false;

    extra->type = type ? type->name : NULL;
    if (!type || k >= type->sizes || k >= 3) {
        return false;
    }
    vector = solids_vector_name(type, extra->name);
    if (vector && k > 0) {
        return false;
    }
    if (!vector) {
        snprintf(extra->name, sizeof extra->name, "%s", type->size_name[k]);
    }
    snprintf(extra->help, sizeof extra->help, "size of a shape of type %s", type->name);
    extra->member = (scene_member){
        .name = extra->name,
        .kind = vector ? SCENE_VECTOR : SCENE_REAL,
        .offset = offsetof(scene_shape, named) + k * sizeof(double),
        .unit = "m",
        .range = SCENE_POSITIVE,
        .fallback = NAN,
        .help = extra->help,
    };
    return true;
}

/* The third size that a shape in the plane does not need: half of a metre. */
static void solids_plane_size(const scene_reader *rd, const perp_shape_type *type,
                              size_t given, double size[3])
{
    if (rd->world->dimension == 2 && type->sizes == 3 && given == 2) {
        size[2] = 0.5;
    }
}

/* "size": [a, b, c], or a number where there is one size. */
static perp_status solids_read_size(scene_reader *rd, const scene_shape *s,
                                    const perp_shape_type *type, double size[3])
{
    const scene_member length = {.name = "size", .unit = "m", .range = SCENE_POSITIVE};
    const json_t *value = s->size.value;
    size_t count = json_array_size(value);
    char expected[96];
    perp_status status = PERP_OK;

    if (!json_is_array(value) && type->sizes == 1) {
        return scene_read_real(rd, &s->size, &length, size);
    }
    solids_plane_size(rd, type, count, size);
    if (!json_is_array(value) || (count != type->sizes && !(size[2] > 0.0))) {
        snprintf(expected, sizeof expected, "%u sizes of a %.40s", type->sizes,
                 type->name);
        return scene_unexpected(rd, &s->size, PERP_ERR_FORMAT, expected);
    }
    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        scene_at one = scene_element_at(&s->size, k);

        status = scene_read_real(rd, &one, &length, &size[k]);
    }
    return status;
}

/* The sizes under their names. */
static perp_status solids_named_size(scene_reader *rd, const scene_at *at,
                                     const scene_shape *s, const perp_shape_type *type,
                                     double size[3])
{
    char name[SCENE_WORD] = "";
    bool vector = solids_vector_name(type, name);

    for (unsigned k = 0; k < type->sizes; k++) {
        size[k] = s->named[k];
        if (isnan(size[k])) {
            scene_at missing = scene_member_at(at, vector ? name : type->size_name[k]);

            return scene_fail(rd, &missing, PERP_ERR_FORMAT,
                              " is missing, expected a size of a %s", type->name);
        }
    }
    if (vector && size[2] == 0.0) { /* two numbers stood there */
        solids_plane_size(rd, type, 2, size);
    }
    return PERP_OK;
}

perp_status scene_find_material(scene_reader *rd, const scene_at *at, const char *name,
                                int32_t *index)
{
    scene_at member = scene_member_at(at, "material");
    const char *names[65] = {NULL};
    perp_nearest best;

    *index = name ? perp_world_find_material(rd->world, name) : 0;
    if (*index >= 0) {
        return PERP_OK;
    }
    for (size_t k = 0; k < rd->world->material_count && k < 64; k++) {
        names[k] = rd->world->materials[k].name;
    }
    return scene_fail(rd, &member, PERP_ERR_DATA,
                      " is \"%.80s\", which is no material; %s", name,
                      scene_nearest(&best, name, names));
}

static perp_status solids_read_shape(scene_reader *rd, const scene_at *at,
                                     perp_shape *shape)
{
    scene_shape s;
    perp_status status = PERP_OK;

    TRY(scene_read_object(rd, at, &scene_table_shape, &s));
    if (s.body && !rd->solids->free) {
        scene_at body = scene_member_at(at, "body");

        return scene_fail_key(rd, &body, PERP_ERR_FORMAT,
                              " applies only in the list of shapes of the scene");
    }
    shape->type = perp_shape_types(NULL)[s.type];
    shape->colour = s.colour;
    vec3_copy(shape->at, s.at);
    memcpy(shape->turn, s.rotation, sizeof shape->turn);
    shape->turn[0] += shape->turn[0] == 0.0 && vec3_length(shape->turn + 1) == 0.0;
    scene_place_point(rd, shape->at);
    scene_place_rotation(rd, shape->turn);
    status = s.size.value ? solids_read_size(rd, &s, shape->type, shape->size)
                          : solids_named_size(rd, at, &s, shape->type, shape->size);
    shape->material = rd->solids->material;
    if (status == PERP_OK && s.material) {
        status = scene_find_material(rd, at, s.material, &shape->material);
    }
    return status == PERP_OK ? scene_form_read(rd, at, &s, shape) : status;
}

/* One copy of a shape, at the end of the list of its body. */
static perp_status solids_add_shape(scene_reader *rd, const scene_at *at)
{
    scene_solids *list = rd->solids;
    size_t k = list->count;

    if (rd->world->shape_count + k >= SCENE_ITEMS) {
        return scene_fail(rd, at, PERP_ERR_DATA, ": more than %d shapes", SCENE_ITEMS);
    }
    if (!GROW(list->at, list->room, k + 1) || !GROW(list->item, list->item_room, k + 1)) {
        return perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory for shapes", rd->file);
    }
    list->item[k] = at->index;
    list->count++;
    return solids_read_shape(rd, at, &list->at[k]);
}

perp_status scene_solids_read(scene_reader *rd, const scene_at *at, scene_solids *list)
{
    scene_solids *outer = rd->solids;
    perp_status status = PERP_OK;

    rd->solids = list;
    for (size_t k = 0; k < json_array_size(at->value) && status == PERP_OK; k++) {
        scene_at one = scene_element_at(at, k);

        status = json_is_object(one.value)
                     ? scene_repeat(rd, &one, SCENE_SHAPES, solids_add_shape)
                     : scene_unexpected(rd, &one, PERP_ERR_FORMAT, "an object");
    }
    rd->solids = outer;
    return status;
}

perp_status scene_build_shape(scene_reader *rd, const scene_at *at)
{
    scene_at member = scene_member_at(at, "body");
    scene_solids list = {.free = true};
    int32_t body = 0;
    perp_error cause = {0};
    perp_status status = PERP_OK;

    if (!member.value) {
        return scene_fail(rd, &member, PERP_ERR_FORMAT,
                          " is missing, expected the name of a body");
    }
    status = scene_find_body(rd, &member, &body);
    if (status == PERP_OK) {
        rd->solids = &list;
        status = solids_add_shape(rd, at);
        rd->solids = NULL;
    }
    if (status == PERP_OK) {
        list.at->body = body;
        vec3_subtract(list.at->at, rd->origins + 3 * (size_t)body, list.at->at);
        status = perp_world_add_shape(rd->world, list.at, NULL, &cause);
        status = scene_fail_in(rd, at, status, &cause);
    }
    scene_solids_clear(&list);
    return status;
}

perp_status scene_solids_mass(scene_reader *rd, const scene_at *at,
                              const scene_solids *list, shape_mass *sum)
{
    bool flat = rd->world->dimension == 2;

    *sum = (shape_mass){.m = 0.0};
    for (size_t k = 0; k < list->count; k++) {
        scene_at one = scene_element_at(at, list->item[k]);
        perp_error cause = {0};
        perp_status status = shape_mass_add(sum, &list->at[k], flat, 1.0, &cause);

        if (status != PERP_OK) {
            return scene_fail_in(rd, &one, status, &cause);
        }
    }
    return PERP_OK;
}
