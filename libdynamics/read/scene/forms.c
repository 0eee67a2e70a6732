/* SPDX-License-Identifier: Apache-2.0
 * read/scene/forms.c: the data of a shape beside its sizes: corners, a surface, a file,
 * parts, and its collision groups. A file is read once for all shapes of it. */
#include <config.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "read/scene/build.h"
#include "read/scene/document.h"
#include "read/scene/members.h"
#include "read/scene/quantity.h"
#include "read/scene/tables.h"
#include "world/shapes.h"
#include "world/world.h"

enum { GROUPS = 32 }; /* bits of a mask */

/* What a file holds: a surface, or points for hulls. */
typedef struct scene_file {
    char *path;
    double scale;
    perp_mesh *mesh;
    size_t count;
    double *points;
} scene_file;

void scene_files_clear(scene_reader *rd)
{
    for (size_t k = 0; k < rd->file_count; k++) {
        free(rd->files[k].path);
        free(rd->files[k].points);
        perp_mesh_free(rd->files[k].mesh);
    }
    free(rd->files);
}

void scene_form_clear(perp_shape *shape)
{
    for (size_t k = 0; k < shape->part_count; k++) {
        scene_form_clear(&shape->parts[k]);
    }
    free(shape->parts);
    perp_polytope_free(shape->polytope);
    perp_mesh_free(shape->mesh);
}

char *scene_path_of(const scene_reader *rd, const char *name)
{
    const char *slash = name[0] == '/' ? NULL : strrchr(rd->file, '/');
    size_t folder = slash ? (size_t)(slash + 1 - rd->file) : 0;
    char *path = malloc(folder + strlen(name) + 1);

    if (path) {
        memcpy(path, rd->file, folder);
        strcpy(path + folder, name);
    }
    return path;
}

static scene_file *forms_find_file(scene_reader *rd, const char *path, double scale,
                                   bool surface)
{
    for (size_t k = 0; k < rd->file_count; k++) {
        scene_file *f = &rd->files[k];

        if (strcmp(f->path, path) == 0 && f->scale == scale && !f->points == surface) {
            return f;
        }
    }
    return NULL;
}

/* The file, read unless it was before; its path is taken. */
static perp_status forms_read_file(scene_reader *rd, const scene_at *at, char *path,
                                   double scale, bool surface, scene_file **out)
{
    scene_file f = {.path = path, .scale = scale};
    perp_error cause = {0};
    perp_status status = PERP_OK;

    *out = forms_find_file(rd, path, scale, surface);
    if (*out) {
        free(path);
        return PERP_OK;
    }
    if (!GROW(rd->files, rd->file_room, rd->file_count + 1)) {
        free(path);
        return perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory for files", rd->file);
    }
    status = surface ? perp_mesh_read(&f.mesh, path, scale, &cause)
                     : perp_points_read(&f.count, &f.points, path, scale, &cause);
    if (status != PERP_OK) {
        free(path);
        return scene_fail_in(rd, at, status, &cause);
    }
    *out = &rd->files[rd->file_count++];
    **out = f;
    return PERP_OK;
}

/* As for robots: no other file is opened, whatever a scene names. */
static perp_status forms_check_file(scene_reader *rd, const scene_at *at,
                                    const char *name)
{
    size_t length = strlen(name);

    if (length >= 4 && (strcasecmp(name + length - 4, ".stl") == 0 ||
                        strcasecmp(name + length - 4, ".obj") == 0)) {
        return PERP_OK;
    }
    return scene_fail(rd, at, PERP_ERR_FORMAT,
                      " is \"%.120s\", expected a file .stl or .obj", name);
}

/* A warning of triangles that were left out of a mesh. */
static perp_status forms_check_thin(scene_reader *rd, const scene_at *at,
                                    const perp_mesh *mesh)
{
    size_t count = mesh->thin_count;

    return count == 0 ? PERP_OK
                      : scene_warn(rd, at,
                                   ": %zu triangle%s without area %s left out, from "
                                   "triangle %zu on",
                                   count, perp_plural(count), count == 1 ? "is" : "are",
                                   mesh->first_thin);
}

static perp_status form_of_file(scene_reader *rd, const scene_at *at,
                                const scene_shape *s, perp_shape *shape)
{
    scene_at member = scene_member_at(at, "file");
    scene_file *f = NULL;
    perp_error cause = {0};
    perp_status status = forms_check_file(rd, &member, s->file);
    char *path = status == PERP_OK ? scene_path_of(rd, s->file) : NULL;

    if (status != PERP_OK) {
        return status;
    }
    if (!path) {
        return perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory for a path", rd->file);
    }
    status = forms_read_file(rd, &member, path, s->scale, shape->type->is_mesh, &f);
    if (status == PERP_OK && shape->type->is_mesh) {
        shape->mesh = f->mesh;
        perp_mesh_hold(shape->mesh);
        status = forms_check_thin(rd, &member, shape->mesh);
    } else if (status == PERP_OK) {
        status =
            shape_hull_make(rd->world, f->count, f->points, &shape->polytope, &cause);
        status = scene_fail_in(rd, &member, status, &cause);
    }
    return status;
}

/* The vectors of an array, on the heap. */
static perp_status forms_read_points(scene_reader *rd, const scene_at *at, size_t *count,
                                     double **points)
{
    const scene_member point = {.name = "point", .kind = SCENE_VECTOR, .unit = "m"};
    perp_status status = PERP_OK;

    *count = json_array_size(at->value);
    *points = calloc(3 * *count + 1, sizeof **points);
    if (!*points) {
        return perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory for %zu points",
                         rd->file, *count);
    }
    for (size_t k = 0; k < *count && status == PERP_OK; k++) {
        scene_at one = scene_element_at(at, k);

        status = scene_read_member(rd, &one, &point, *points + 3 * k);
    }
    return status;
}

static perp_status form_of_corners(scene_reader *rd, const scene_at *at,
                                   perp_shape *shape)
{
    size_t count = 0;
    double *corners = NULL;
    perp_error cause = {0};
    perp_status status = forms_read_points(rd, at, &count, &corners);

    if (status == PERP_OK) {
        status = shape_hull_make(rd->world, count, corners, &shape->polytope, &cause);
        status = scene_fail_in(rd, at, status, &cause);
    }
    free(corners);
    return status;
}

/* Three numbers of points each. */
static perp_status forms_read_triangles(scene_reader *rd, const scene_at *at,
                                        size_t points, int32_t *corner)
{
    for (size_t k = 0; k < json_array_size(at->value); k++) {
        scene_at one = scene_element_at(at, k);

        if (json_array_size(one.value) != 3) {
            return scene_unexpected(rd, &one, PERP_ERR_FORMAT,
                                    "an array of three numbers of points");
        }
        for (size_t c = 0; c < 3; c++) {
            scene_at number = scene_element_at(&one, c);
            long x = 0;
            perp_status status = scene_read_integer(rd, &number, 0, (long)points - 1, &x);

            if (status != PERP_OK) {
                return status;
            }
            corner[3 * k + c] = (int32_t)x;
        }
    }
    return PERP_OK;
}

static perp_status form_of_triangles(scene_reader *rd, const scene_at *at,
                                     const scene_shape *s, perp_shape *shape)
{
    size_t triangles = json_array_size(s->triangles.value);
    size_t count = 0;
    double *points = NULL;
    int32_t *corner = calloc(3 * triangles + 1, sizeof *corner);
    perp_error cause = {0};
    perp_status status = forms_read_points(rd, &s->points, &count, &points);

    if (status == PERP_OK && !corner) {
        status = perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory for %zu triangles",
                           rd->file, triangles);
    }
    if (status == PERP_OK) {
        status = forms_read_triangles(rd, &s->triangles, count, corner);
    }
    if (status == PERP_OK) {
        status = perp_mesh_new(&shape->mesh, count, points, triangles, corner, &cause);
        status = status == PERP_OK ? forms_check_thin(rd, at, shape->mesh)
                                   : scene_fail_in(rd, at, status, &cause);
    }
    free(points);
    free(corner);
    return status;
}

static perp_status form_of_parts(scene_reader *rd, const scene_at *at, perp_shape *shape)
{
    scene_solids list = {.parts = true, .material = shape->material};
    perp_status status = PERP_OK;

    if (rd->solids->parts) {
        return scene_fail(rd, at, PERP_ERR_DATA,
                          " belong to a part of a compound, expected a convex shape");
    }
    status = scene_solids_read(rd, at, &list);
    free(list.item);
    shape->parts = list.at;
    shape->part_count = list.count;
    if (status == PERP_OK && list.count == 0) {
        status = scene_fail(rd, at, PERP_ERR_DATA, " is empty, expected at least one");
    }
    return status;
}

/* Bits of the groups in a list; `none` where there is no list. */
static perp_status forms_read_groups(scene_reader *rd, const scene_at *at, uint32_t none,
                                     uint32_t *bits)
{
    perp_status status = PERP_OK;

    *bits = at->value ? 0 : none;
    for (size_t k = 0; k < json_array_size(at->value) && status == PERP_OK; k++) {
        scene_at one = scene_element_at(at, k);
        long group = 0;

        status = scene_read_integer(rd, &one, 0, GROUPS - 1, &group);
        *bits |= UINT32_C(1) << group;
    }
    return status;
}

static perp_status forms_set_groups(scene_reader *rd, const scene_shape *s,
                                    perp_shape *shape)
{
    perp_status status = PERP_OK;

    if (s->groups.value && json_array_size(s->groups.value) == 0) {
        return scene_fail(rd, &s->groups, PERP_ERR_DATA,
                          " is empty, expected at least one");
    }
    status = forms_read_groups(rd, &s->groups, 1, &shape->group);
    return status == PERP_OK ? forms_read_groups(rd, &s->meets, UINT32_MAX, &shape->mask)
                             : status;
}

/* Nothing is given that the type does not read, and of what it needs one form. */
static perp_status forms_check_form(scene_reader *rd, const scene_at *at,
                                    const scene_shape *s, const perp_shape_type *type)
{
    bool hull = strcmp(type->name, "hull") == 0;
    const struct {
        const char *name;
        bool given, known, needed;
    } members[] = {
        {"corners", s->corners.value, hull, hull && !s->file},
        {"file", s->file, hull || type->is_mesh, false},
        {"points", s->points.value, type->is_mesh, type->is_mesh && !s->file},
        {"triangles", s->triangles.value, type->is_mesh, type->is_mesh && !s->file},
        {"parts", s->parts.value, type->has_parts, type->has_parts},
    };

    for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
        scene_at member = scene_member_at(at, members[k].name);

        if (members[k].given && !members[k].known) {
            return scene_fail_key(rd, &member, PERP_ERR_FORMAT, " does not apply to a %s",
                                  type->name);
        }
        if (members[k].given && s->file && strcmp(members[k].name, "file") != 0) {
            return scene_fail_key(rd, &member, PERP_ERR_FORMAT,
                                  " is given together with a file, expected one of them");
        }
        if (members[k].needed && !members[k].given) {
            return scene_fail(rd, &member, PERP_ERR_FORMAT,
                              " is missing, a %s needs it%s", type->name,
                              type->has_parts ? "" : " or a file");
        }
    }
    return PERP_OK;
}

perp_status scene_form_read(scene_reader *rd, const scene_at *at, const scene_shape *s,
                            perp_shape *shape)
{
    TRY(forms_check_form(rd, at, s, shape->type));
    TRY(forms_set_groups(rd, s, shape));
    if (s->file) {
        return form_of_file(rd, at, s, shape);
    }
    if (s->corners.value) {
        return form_of_corners(rd, &s->corners, shape);
    }
    if (s->triangles.value) {
        return form_of_triangles(rd, at, s, shape);
    }
    return s->parts.value ? form_of_parts(rd, &s->parts, shape) : PERP_OK;
}
