/* SPDX-License-Identifier: Apache-2.0
 * read/write/shapes.c: shapes in the form of a scene: sizes, corners, surfaces, parts. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/scene/members.h"
#include "read/write/writer.h"
#include "world/world.h"

/* By their names; of a flat box, which has no third one, all in a list. */
static void shapes_put_sizes(scene_writer *wr, const perp_shape *shape, scene_shape *s)
{
    size_t sizes = shape->type->sizes;

    while (sizes > 0 && shape->size[sizes - 1] == 0.0) {
        sizes--;
    }
    if (sizes < shape->type->sizes) {
        s->size.value = scene_reals(wr, shape->size, sizes);
        sizes = 0;
    }
    memcpy(s->named, shape->size, sizes * sizeof *s->named);
}

static json_t *shapes_triangles(scene_writer *wr, const perp_mesh *mesh)
{
    json_t *array = scene_made(wr, json_array());

    for (size_t k = 0; k < mesh->triangle_count + mesh->sliver_count; k++) {
        const int32_t *c = mesh->corner + 3 * k;

        scene_append(wr, array, json_pack("[i, i, i]", (int)c[0], (int)c[1], (int)c[2]));
    }
    return array;
}

/* The bits of a mask, unless they are the usual ones. */
static json_t *shapes_groups(scene_writer *wr, uint32_t bits, uint32_t usual)
{
    json_t *array = bits == usual ? NULL : scene_made(wr, json_array());

    for (int k = 0; array && k < 32; k++) {
        if (bits >> k & 1u) {
            scene_append(wr, array, json_integer(k));
        }
    }
    return array;
}

/* `whole`: the compound that it is a part of, or NULL. */
static json_t *shapes_one_shape(scene_writer *wr, const perp_shape *shape,
                                const perp_shape *whole);

static json_t *shapes_parts(scene_writer *wr, const perp_shape *shape)
{
    json_t *array = scene_made(wr, json_array());

    for (size_t k = 0; k < shape->part_count; k++) {
        scene_append(wr, array, shapes_one_shape(wr, &shape->parts[k], shape));
    }
    return array;
}

/* Whom it may touch. That it touches none is an empty list for the reader. */
static void shapes_put_groups(scene_writer *wr, const perp_shape *shape, scene_shape *s)
{
    if (shape->group == 0) {
        scene_refuse(wr, PERP_ERR_DATA,
                     ": a shape is in no group, expected one or more of 0 .. 31");
    }
    s->groups.value = shapes_groups(wr, shape->group, 1);
    s->meets.value = shapes_groups(wr, shape->mask, UINT32_MAX);
}

/* The place of the type in the list that scenes have. */
static bool shapes_find_type(scene_writer *wr, const perp_shape_type *type, int *place)
{
    const perp_shape_type *const *types = perp_shape_types(NULL);

    for (*place = 0; types[*place]; ++*place) {
        if (types[*place] == type) {
            return true;
        }
    }
    scene_refuse(wr, PERP_ERR_UNSUITABLE,
                 ": shape type \"%s\" is defined by the user and cannot be written",
                 type->name);
    return false;
}

static json_t *shapes_one_shape(scene_writer *wr, const perp_shape *shape,
                                const perp_shape *whole)
{
    const perp_polytope *hull = shape->polytope;
    const perp_mesh *mesh = shape->mesh;
    scene_shape s;

    scene_defaults(&scene_table_shape, &s);
    s.named[0] = s.named[1] = s.named[2] = NAN; /* as the members of a type have it */
    if (!shapes_find_type(wr, shape->type, &s.type)) {
        return NULL;
    }
    vec3_copy(s.at, shape->at);
    memcpy(s.rotation, shape->turn, sizeof s.rotation);
    if (shape->material != (whole ? whole->material : 0)) {
        s.material = wr->world->materials[shape->material].name;
    }
    s.colour = shape->colour;
    shapes_put_sizes(wr, shape, &s);
    if (hull) {
        s.corners.value = scene_points(wr, hull->corner, hull->corner_count);
    }
    if (mesh) {
        s.points.value = scene_points(wr, mesh->point, mesh->point_count);
        s.triangles.value = shapes_triangles(wr, mesh);
    }
    if (shape->part_count > 0) {
        s.parts.value = shapes_parts(wr, shape);
    }
    if (!whole) {
        shapes_put_groups(wr, shape, &s);
    }
    return scene_object(wr, &scene_table_shape, &s);
}

json_t *scene_write_shapes(scene_writer *wr, size_t first, size_t end, bool named)
{
    json_t *array = scene_made(wr, json_array());

    for (size_t k = first; k < end && wr->status == PERP_OK; k++) {
        const perp_shape *shape = &wr->world->shapes[k];
        json_t *one = NULL;

        snprintf(wr->where, sizeof wr->where, "body \"%.80s\"",
                 wr->world->name[shape->body]);
        one = shapes_one_shape(wr, shape, false);
        if (named && one) {
            scene_put(wr, one, "body", scene_string(wr, wr->world->name[shape->body]));
        }
        scene_append(wr, array, one);
    }
    return array;
}
