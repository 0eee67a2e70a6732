/* SPDX-License-Identifier: Apache-2.0
 * view/motion_model.c: bodies, shapes and joints from the file of a run.
 *
 * The file may be damaged: every number that places something is checked before it is used. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/view/motion_parts.h"

perp_status motion_take(const trajectory_file *f, const char *path, uint64_t count,
                        size_t bytes, size_t stored, void **rows)
{
    *rows = NULL;
    if (stored > 0 && count > f->file.bytes / stored) {
        return perp_h5_fail(&f->file, PERP_ERR_FORMAT, path,
                            "%llu rows, more than a file of %llu bytes can hold",
                            (unsigned long long)count, (unsigned long long)f->file.bytes);
    }
    *rows = take((size_t)count + 1, bytes);
    return PERP_OK;
}

/* Finite numbers of a dataset. */
static perp_status model_reals(const trajectory_file *f, const char *path, size_t count,
                               double **values)
{
    perp_status status = perp_h5_reals(&f->file, path, count, NULL, values);

    return status == PERP_OK ? perp_h5_check_finite(&f->file, path, *values, count)
                             : status;
}

/* Integers of a dataset, each from `least` to below `end`. */
static perp_status model_indices(const trajectory_file *f, const char *path, size_t count,
                                 int64_t least, int64_t end, int64_t **values)
{
    perp_status status = perp_h5_integers(&f->file, path, count, NULL, values);

    for (size_t k = 0; status == PERP_OK && k < count; k++) {
        if ((*values)[k] < least || (*values)[k] >= end) {
            status = perp_h5_fail(&f->file, PERP_ERR_FORMAT, path,
                                  "number %zu is %lld, expected %lld .. %lld", k,
                                  (long long)(*values)[k], (long long)least,
                                  (long long)end - 1);
        }
    }
    return status;
}

/* ---- bodies ---- */

static perp_status model_body_names(motion *m, const trajectory_file *f)
{
    char **names = NULL;
    size_t count = 0;
    perp_status status = trajectory_names(f, "bodies", &names, &count);

    if (status == PERP_OK) {
        void *rows = NULL;

        status = motion_take(f, "/meta/bodies", count, sizeof *m->bodies, 1, &rows);
        m->bodies = rows;
    }
    for (size_t k = 0; status == PERP_OK && k < count; k++) {
        motion_text(m, names[k], &m->bodies[k].name);
    }
    m->body_count = count;
    free(names);
    return status;
}

static perp_status model_bodies(motion *m, const trajectory_file *f)
{
    double *mass = NULL, *inertia = NULL;
    int64_t *fixed = NULL;
    perp_status status = model_body_names(m, f);

    if (status == PERP_OK) {
        status = model_reals(f, "/bodies/mass", m->body_count, &mass);
    }
    if (status == PERP_OK) {
        status = model_reals(f, "/bodies/inertia", 9 * m->body_count, &inertia);
    }
    if (status == PERP_OK) {
        status = model_indices(f, "/bodies/fixed", m->body_count, 0, 2, &fixed);
    }
    for (size_t k = 0; status == PERP_OK && k < m->body_count; k++) {
        m->bodies[k].mass = mass[k];
        m->bodies[k].fixed = fixed[k] != 0;
        memcpy(m->bodies[k].inertia, inertia + 9 * k, sizeof m->bodies[k].inertia);
    }
    free(mass);
    free(inertia);
    free(fixed);
    return status;
}

/* ---- shapes ---- */

/* The columns of /shapes. */
typedef struct shape_columns {
    char **types;
    int64_t *body, *colour;
    double *pose, *size;
    uint64_t *rows[4]; /* vertex_start, vertex_end, triangle_start, triangle_end */
} shape_columns;

static const char *const row_paths[] = {"/shapes/vertex_start", "/shapes/vertex_end",
                                        "/shapes/triangle_start", "/shapes/triangle_end"};

static perp_status columns_read(shape_columns *c, motion *m, const trajectory_file *f)
{
    size_t n = 0;
    perp_status status = trajectory_names_at(f, "/shapes/type", &c->types, &n);

    m->shape_count = n;
    if (status == PERP_OK) {
        status = model_indices(f, "/shapes/body", n, 0, (int64_t)m->body_count, &c->body);
    }
    if (status == PERP_OK) {
        status = model_indices(f, "/shapes/colour", n, 0, 2 * (int64_t)PERP_COLOUR,
                               &c->colour);
    }
    if (status == PERP_OK) {
        status = model_reals(f, "/shapes/pose", 7 * n, &c->pose);
    }
    if (status == PERP_OK) {
        status = model_reals(f, "/shapes/size", 3 * n, &c->size);
    }
    for (size_t k = 0; k < 4 && status == PERP_OK; k++) {
        status = perp_h5_words(&f->file, row_paths[k], n, NULL, &c->rows[k]);
    }
    return status;
}

static void columns_free(shape_columns *c)
{
    free(c->types);
    free(c->body);
    free(c->colour);
    free(c->pose);
    free(c->size);
    for (size_t k = 0; k < 4; k++) {
        free(c->rows[k]);
    }
}

/* Points and triangles of all hulls and meshes. */
static perp_status model_surfaces(motion *m, const trajectory_file *f)
{
    size_t reals = 0, corners = 0;
    int64_t *triangles = NULL;
    void *rows = NULL;
    perp_status status =
        perp_h5_reals(&f->file, "/shapes/vertices", PERP_H5_ANY, &reals, &m->vertices);

    if (status == PERP_OK) {
        status = perp_h5_check_finite(&f->file, "/shapes/vertices", m->vertices, reals);
    }
    if (status == PERP_OK) {
        status = perp_h5_integers(&f->file, "/shapes/triangles", PERP_H5_ANY, &corners,
                                  &triangles);
    }
    m->vertex_count = reals / 3;
    m->triangle_count = corners / 3;
    if (status == PERP_OK) {
        status =
            motion_take(f, "/shapes/triangles", corners, sizeof *m->triangles, 0, &rows);
        m->triangles = rows;
    }
    for (size_t k = 0; status == PERP_OK && k < corners; k++) {
        if (triangles[k] < 0 || (uint64_t)triangles[k] >= m->vertex_count) {
            status = perp_h5_fail(&f->file, PERP_ERR_FORMAT, "/shapes/triangles",
                                  "number %zu is %lld, expected one of %zu vertices", k,
                                  (long long)triangles[k], m->vertex_count);
        } else {
            m->triangles[k] = (uint32_t)triangles[k];
        }
    }
    free(triangles);
    return status;
}

/* first .. end - 1 are rows of `count`. */
static perp_status model_rows(const trajectory_file *f, const uint64_t *start,
                              const uint64_t *end, size_t shape, const char *path,
                              size_t count, size_t *first, size_t *rows)
{
    if (start[shape] > end[shape] || end[shape] > count) {
        return perp_h5_fail(&f->file, PERP_ERR_FORMAT, path,
                            "shape %zu has rows %llu .. %llu of %zu", shape,
                            (unsigned long long)start[shape],
                            (unsigned long long)end[shape], count);
    }
    *first = (size_t)start[shape];
    *rows = (size_t)(end[shape] - start[shape]);
    return PERP_OK;
}

/* Triangles are numbers of vertices of their own shape, of which a hull and a mesh have some. */
static perp_status model_check_surface(const motion *m, const trajectory_file *f,
                                       const motion_shape *s, size_t k)
{
    const bool surface = s->type->from_points || s->type->is_mesh;

    if (surface != (s->triangle_count > 0 && s->vertex_count > 0)) {
        return perp_h5_fail(&f->file, PERP_ERR_FORMAT, "/shapes/triangle_end",
                            "shape %zu, a %s, has %zu triangles", k, s->type->name,
                            s->triangle_count);
    }
    for (size_t t = 3 * s->first_triangle;
         t < 3 * (s->first_triangle + s->triangle_count); t++) {
        if (m->triangles[t] >= s->vertex_count) {
            return perp_h5_fail(&f->file, PERP_ERR_FORMAT, "/shapes/triangles",
                                "number %zu is %u, expected one of %zu vertices", t,
                                m->triangles[t], s->vertex_count);
        }
    }
    return PERP_OK;
}

static perp_status model_check_shape(const motion *m, const trajectory_file *f,
                                     const motion_shape *s, size_t k)
{
    const perp_shape_type *type = s->type;
    const unsigned sizes =
        m->dimension == 2 && type->plane_sizes ? type->plane_sizes : type->sizes;
    const double *q = s->pose + 3;
    const double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];

    for (unsigned i = 0; i < sizes; i++) {
        if (!(s->size[i] > 0.0)) {
            return perp_h5_fail(
                &f->file, PERP_ERR_DATA, "/shapes/size",
                "size %u of shape %zu, a %s, is %g, expected a positive number", i, k,
                type->name, s->size[i]);
        }
    }
    if (!(fabs(length - 1.0) < 1e-6)) {
        return perp_h5_fail(&f->file, PERP_ERR_DATA, "/shapes/pose",
                            "the quaternion of shape %zu has length %g, expected 1", k,
                            sqrt(length));
    }
    return model_check_surface(m, f, s, k);
}

static perp_status model_shape(motion *m, const trajectory_file *f,
                               const shape_columns *c, size_t k)
{
    motion_shape *s = &m->shapes[k];
    perp_status status = PERP_OK;

    s->type = perp_shape_type_find(c->types[k]);
    if (!s->type || s->type->has_parts) {
        return perp_h5_fail(
            &f->file, PERP_ERR_FORMAT, "/shapes/type",
            "shape %zu is a \"%.40s\", expected a convex shape, a mesh or a plane", k,
            c->types[k]);
    }
    s->body = (size_t)c->body[k];
    s->colour = (uint32_t)c->colour[k] & UINT32_C(0xffffff);
    memcpy(s->pose, c->pose + 7 * k, sizeof s->pose);
    memcpy(s->size, c->size + 3 * k, sizeof s->size);
    status = model_rows(f, c->rows[0], c->rows[1], k, row_paths[1], m->vertex_count,
                        &s->first_vertex, &s->vertex_count);
    if (status == PERP_OK) {
        status = model_rows(f, c->rows[2], c->rows[3], k, row_paths[3], m->triangle_count,
                            &s->first_triangle, &s->triangle_count);
    }
    return status == PERP_OK ? model_check_shape(m, f, s, k) : status;
}

static perp_status model_shapes(motion *m, const trajectory_file *f)
{
    shape_columns c = {0};
    bool *given = NULL;
    void *rows = NULL;
    perp_status status = columns_read(&c, m, f);

    if (status == PERP_OK) {
        status = model_surfaces(m, f);
    }
    if (status == PERP_OK) {
        status = motion_take(f, "/shapes", m->shape_count, sizeof *m->shapes, 1, &rows);
        m->shapes = rows;
    }
    if (status == PERP_OK) {
        status =
            motion_take(f, "/shapes/colour", m->shape_count, sizeof *given, 1, &rows);
        given = rows;
    }
    for (size_t k = 0; k < m->shape_count && status == PERP_OK; k++) {
        given[k] = c.colour[k] >= (int64_t)PERP_COLOUR;
        status = model_shape(m, f, &c, k);
    }
    if (status == PERP_OK) {
        motion_choose_colours(m, given);
    }
    free(given);
    columns_free(&c);
    return status;
}

/* ---- joints ---- */

static perp_status model_joint_names(motion *m, const trajectory_file *f)
{
    char **names = NULL, **types = NULL;
    size_t count = 0, type_count = 0;
    void *rows = NULL;
    perp_status status = trajectory_names(f, "joints", &names, &count);

    if (status == PERP_OK) {
        status = trajectory_names_at(f, "/joints/type", &types, &type_count);
    }
    if (status == PERP_OK && type_count != count) {
        status = perp_h5_fail(&f->file, PERP_ERR_FORMAT, "/joints/type",
                              "extent %zu, expected %zu", type_count, count);
    }
    if (status == PERP_OK) {
        status = motion_take(f, "/meta/joints", count, sizeof *m->joints, 1, &rows);
        m->joints = rows;
    }
    for (size_t k = 0; status == PERP_OK && k < count; k++) {
        motion_text(m, names[k], &m->joints[k].name);
        if (status == PERP_OK) {
            motion_text(m, types[k], &m->joints[k].type);
        }
    }
    m->joint_count = count;
    free(names);
    free(types);
    return status;
}

static perp_status model_joints(motion *m, const trajectory_file *f)
{
    int64_t *bodies = NULL;
    double *anchor = NULL, *axis = NULL;
    perp_status status = model_joint_names(m, f);
    const size_t n = m->joint_count;

    if (status == PERP_OK) {
        status = model_indices(f, "/joints/bodies", 2 * n, -1, (int64_t)m->body_count,
                               &bodies);
    }
    if (status == PERP_OK) {
        status = model_reals(f, "/joints/anchor", 6 * n, &anchor);
    }
    if (status == PERP_OK) {
        status = model_reals(f, "/joints/axis", 6 * n, &axis);
    }
    for (size_t k = 0; status == PERP_OK && k < n; k++) {
        m->joints[k].body[0] = (int32_t)bodies[2 * k];
        m->joints[k].body[1] = (int32_t)bodies[2 * k + 1];
        memcpy(m->joints[k].anchor, anchor + 6 * k, sizeof m->joints[k].anchor);
        memcpy(m->joints[k].axis, axis + 6 * k, sizeof m->joints[k].axis);
    }
    free(bodies);
    free(anchor);
    free(axis);
    return status;
}

perp_status motion_read_model(motion *m, const trajectory_file *f)
{
    TRY(model_bodies(m, f));
    TRY(model_shapes(m, f));
    TRY(model_joints(m, f));
    motion_add_sticks(m);
    return PERP_OK;
}
