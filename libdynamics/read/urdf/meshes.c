/* SPDX-License-Identifier: Apache-2.0
 * read/urdf/meshes.c: the files of meshes, each read once, and their paths.
 *
 * A path is relative to the folder of the file of the robot; file:// precedes a path in
 * which %20 is a blank; package://NAME/… is searched in the folders of the options, then
 * in those above the file of the robot. Nothing is fetched, and only regular files are
 * opened. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base.h"
#include "base/file.h"
#include "base/system.h"
#include "read/urdf/urdf.h"

typedef struct urdf_mesh {
    const char *path;
    const perp_shape_type *type;
    double scale[3];
    perp_mesh *mesh; /* one of the two */
    perp_polytope *hull;
    bool noted; /* what was left out of it */
} urdf_mesh;

void urdf_meshes_clear(urdf_reader *rd)
{
    for (size_t k = 0; k < rd->mesh_count; k++) {
        perp_mesh_free(rd->meshes[k].mesh);
        perp_polytope_free(rd->meshes[k].hull);
    }
    free(rd->meshes);
}

/* The first `length` bytes of a folder, a slash, and a path; NULL without memory. */
static char *meshes_join(urdf_reader *rd, const char *folder, size_t length,
                         const char *path)
{
    size_t bytes = length + strlen(path) + 2;
    char *out = urdf_alloc(rd, bytes, 1);

    if (out) {
        snprintf(out, bytes, "%.*s%s%s", (int)length, folder, length > 0 ? "/" : "",
                 path);
    }
    return out;
}

static bool meshes_is_file(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Bytes of the folder of the robot's file, without the slash; of "/x" 0. */
static size_t meshes_folder_length(const char *file)
{
    const char *slash = strrchr(file, '/');

    return slash ? (size_t)(slash - file) : 0;
}

/* Look for NAME/… in folder after folder, upwards from that of the file. */
static perp_status meshes_climb(urdf_reader *rd, const char *rest, char **path)
{
    size_t length = meshes_folder_length(rd->file);
    char *folder =
        length > 0 ? meshes_join(rd, rd->file, length, "") : meshes_join(rd, ".", 1, "");
    char *real = folder ? perp_path_real(folder) : NULL;

    length = real ? strlen(real) : 0;
    while (folder && real && length > 0) {
        char *one = NULL;

        while (length > 0 && real[length - 1] != '/') {
            length--;
        }
        length -= length > 0; /* the slash */
        one = length > 0 ? meshes_join(rd, real, length, rest) : NULL;
        if (length > 0 && !one) {
            folder = NULL;
        } else if (one && meshes_is_file(one)) {
            *path = one;
            break;
        }
    }
    free(real);
    return folder ? PERP_OK : urdf_no_memory(rd);
}

/* package://NAME/…, in a folder of the options that holds NAME, or is it. */
static perp_status meshes_find_in_package(urdf_reader *rd, const char *rest, char **path)
{
    size_t name = strcspn(rest, "/");

    *path = NULL;
    for (size_t k = 0; k < rd->opt->root_count; k++) {
        const char *root = rd->opt->roots[k];
        size_t length = perp_path_length(root);
        size_t from = 0;
        char *one = NULL;

        for (from = length; from > 0 && root[from - 1] != '/'; from--) {
        }
        one = meshes_join(rd, root, length, rest);
        if (one && !meshes_is_file(one) && rest[name] == '/' && length - from == name &&
            strncmp(root + from, rest, name) == 0) {
            one = meshes_join(rd, root, length, rest + name + 1);
        }
        if (!one) {
            return urdf_no_memory(rd);
        }
        if (meshes_is_file(one)) {
            *path = one;
            return PERP_OK;
        }
    }
    return meshes_climb(rd, rest, path);
}

/* %20 and the like in the last `length` characters, as a URI has them. */
static void meshes_decode(char *path, size_t length)
{
    char *to = path + strlen(path) - length;

    for (const char *from = to; *from; to++) {
        const char digits[3] = {from[0] == '%' ? from[1] : '\0', from[1] ? from[2] : '\0',
                                '\0'};
        char *end = NULL;
        const long code =
            isxdigit((unsigned char)digits[0]) ? strtol(digits, &end, 16) : 0;

        *to = code > 0 && end == digits + 2 ? (char)code : *from;
        from += code > 0 && end == digits + 2 ? 3 : 1;
    }
    *to = '\0';
}

static perp_status meshes_find_path(urdf_reader *rd, const urdf_solid *s, char **path)
{
    static const char file[] = "file://";
    static const char package[] = "package://";
    const char *name = s->file;
    bool uri = false;
    perp_status status = PERP_OK;

    if (strncmp(name, package, sizeof package - 1) == 0) {
        status = meshes_find_in_package(rd, name + sizeof package - 1, path);
        return status == PERP_OK && !*path
                   ? urdf_fail(rd, s->at, PERP_ERR_READ,
                               "mesh \"%.120s\" was found neither in the %zu given "
                               "folders nor in a folder above the file",
                               name, rd->opt->root_count)
                   : status;
    }
    if (strncmp(name, file, sizeof file - 1) == 0) {
        name += sizeof file - 1;
        uri = true;
    } else if (strstr(name, "://")) {
        return urdf_fail(
            rd, s->at, PERP_ERR_READ,
            "mesh \"%.120s\" is not a local file, expected a path, file:// or package://",
            name);
    }
    *path = name[0] == '/'
                ? meshes_join(rd, "", 0, name)
                : meshes_join(rd, rd->file, meshes_folder_length(rd->file), name);
    if (!*path) {
        return urdf_no_memory(rd);
    }
    if (uri && !meshes_is_file(*path)) {
        meshes_decode(*path, strlen(name));
    }
    return meshes_is_file(*path)
               ? PERP_OK
               : urdf_fail(rd, s->at, PERP_ERR_READ,
                           "mesh \"%.160s\" is not a file, expected one", *path);
}

/* Points times the three scales; whether that is a mirror. */
static bool meshes_stretch(size_t n, double *points, const double scale[3])
{
    for (size_t k = 0; k < 3 * n; k++) {
        points[k] *= scale[k % 3];
    }
    return (scale[0] < 0.0) ^ (scale[1] < 0.0) ^ (scale[2] < 0.0);
}

/* A copy of its triangles, stretched; a mirror image has its triangles turned back. */
static perp_status meshes_stretch_mesh(urdf_reader *rd, perp_mesh **mesh,
                                       const double scale[3], perp_error *cause)
{
    const perp_mesh *m = *mesh;
    perp_mesh *out = NULL;
    double *point = urdf_alloc(rd, 3 * m->point_count, sizeof *point);
    size_t count = m->triangle_count + m->sliver_count;
    int32_t *corner = urdf_alloc(rd, 3 * count, sizeof *corner);
    bool mirror = false;
    perp_status status = PERP_OK;

    if (!point || !corner) {
        return urdf_no_memory(rd);
    }
    memcpy(point, m->point, 3 * m->point_count * sizeof *point);
    memcpy(corner, m->corner, 3 * count * sizeof *corner);
    mirror = meshes_stretch(m->point_count, point, scale);
    for (size_t k = 0; mirror && k < count; k++) {
        int32_t second = corner[3 * k + 1];

        corner[3 * k + 1] = corner[3 * k + 2];
        corner[3 * k + 2] = second;
    }
    status = perp_mesh_new(&out, m->point_count, point, count, corner, cause);
    if (status == PERP_OK) {
        out->thin_count = m->thin_count;
        out->first_thin = m->first_thin;
        perp_mesh_free(*mesh);
        *mesh = out;
    }
    return status;
}

static perp_status meshes_read_surface(urdf_reader *rd, urdf_mesh *m, perp_error *cause)
{
    const double *f = m->scale;
    bool even = f[0] == f[1] && f[1] == f[2] && f[0] > 0.0;
    perp_status status = perp_mesh_read(&m->mesh, m->path, even ? f[0] : 1.0, cause);

    return status == PERP_OK && !even ? meshes_stretch_mesh(rd, &m->mesh, f, cause)
                                      : status;
}

static perp_status meshes_read_hull(urdf_mesh *m, perp_error *cause)
{
    size_t n = 0;
    double *points = NULL;
    perp_status status = perp_points_read(&n, &points, m->path, 1.0, cause);

    if (status == PERP_OK) {
        meshes_stretch(n, points, m->scale);
        status = perp_polytope_new(&m->hull, n, points, cause);
    }
    free(points);
    return status;
}

/* The file of that path, as that type at that scale; NULL without memory. */
static urdf_mesh *meshes_find_mesh(urdf_reader *rd, const urdf_solid *s, const char *path)
{

    for (size_t k = 0; k < rd->mesh_count; k++) {
        urdf_mesh *m = &rd->meshes[k];

        if (m->type == s->type && strcmp(m->path, path) == 0 &&
            m->scale[0] == s->scale[0] && m->scale[1] == s->scale[1] &&
            m->scale[2] == s->scale[2]) {
            return m;
        }
    }
    if (!GROW(rd->meshes, rd->mesh_room, rd->mesh_count + 1)) {
        return NULL;
    }
    rd->meshes[rd->mesh_count] = (urdf_mesh){.path = path, .type = s->type};
    vec3_copy(rd->meshes[rd->mesh_count].scale, s->scale);
    return &rd->meshes[rd->mesh_count++];
}

perp_status urdf_mesh_find(urdf_reader *rd, const urdf_solid *s, perp_shape *shape)
{
    urdf_mesh *m = NULL;
    char *path = NULL;
    perp_error cause = {0};
    perp_status status = PERP_OK;

    TRY(meshes_find_path(rd, s, &path));
    m = meshes_find_mesh(rd, s, path);
    if (!m) {
        return urdf_no_memory(rd);
    }
    if (!m->mesh && !m->hull) {
        status = s->type->is_mesh ? meshes_read_surface(rd, m, &cause)
                                  : meshes_read_hull(m, &cause);
    }
    shape->mesh = m->mesh;
    shape->polytope = m->hull;
    if (status == PERP_OK && m->mesh && m->mesh->thin_count > 0 && !m->noted) {
        m->noted = true;
        return urdf_note(rd, s->at,
                         "%.160s: %zu triangle%s without area %s left out, from "
                         "triangle %zu on",
                         path, m->mesh->thin_count, perp_plural(m->mesh->thin_count),
                         m->mesh->thin_count == 1 ? "is" : "are", m->mesh->first_thin);
    }
    return urdf_fail_in(rd, s->at, status, &cause);
}
