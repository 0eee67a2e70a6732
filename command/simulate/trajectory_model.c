/* SPDX-License-Identifier: Apache-2.0
 * simulate/trajectory_model.c: bodies, shapes and joints of a world in the file of its run, so
 * that a run can be drawn without its scene.
 *
 * A compound is written as its parts, with the pose at_s + R_s at_p, q_s q_p of part p of shape s.
 * Faces of a hull are fans of triangles; a hull in the plane is its polygon. Shapes with the same
 * hull or mesh share its rows. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/joint.h>
#include <perp/dynamics/rotation.h>
#include <perp/dynamics/shape.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/simulate/trajectory_columns.h"

/* A shape that is written, and the rows of its surface. */
typedef struct model_shape {
    const perp_shape *shape;
    const void *surface; /* hull or mesh; NULL: none */
    size_t number;       /* its row */
    double pose[7];
    uint32_t colour;
    uint64_t vertices[2], triangles[2]; /* first row, and one behind the last */
} model_shape;

typedef struct model {
    size_t count;
    model_shape *shapes;
    size_t vertex_count, triangle_count;
    double *vertices;
    int32_t *triangles;
} model;

/* An array of `rank` extents, not extensible. */
static perp_status model_put(perp_h5_file *f, const char *path, hid_t type, hid_t memory,
                             int rank, const hsize_t *extent, const void *values)
{
    hid_t space = H5Screate_simple(rank, extent, NULL);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    hid_t set = H5I_INVALID_HID;
    bool good = false;

    H5Pset_obj_track_times(creation, false);
    set = H5Dcreate2(f->id, path, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    if (set >= 0) {
        good = H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
        good = H5Dclose(set) >= 0 && good;
    }
    H5Pclose(creation);
    H5Sclose(space);
    return good ? PERP_OK : perp_h5_fail(f, PERP_ERR_WRITE, path, "cannot write");
}

/* count x a x b reals; b = 0: count x a. */
static perp_status model_put_reals(perp_h5_file *f, const char *path, size_t count,
                                   size_t a, size_t b, const double *values)
{
    const hsize_t extent[] = {count, a, b};

    return model_put(f, path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, b ? 3 : 2, extent,
                     values);
}

/* ---- bodies ---- */

static perp_status model_bodies(perp_h5_file *f, const perp_world *w)
{
    const hsize_t count = w->body_count;
    uint8_t *fixed = take(w->body_count + 1, sizeof *fixed);
    perp_status status = PERP_OK;

    for (size_t k = 0; k < w->body_count; k++) {
        fixed[k] = w->motion[k] != PERP_MOTION_DYNAMIC;
    }
    status = model_put(f, "/bodies/mass", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, &count,
                       w->mass);
    if (status == PERP_OK) {
        status = model_put_reals(f, "/bodies/inertia", w->body_count, 9, 0, w->inertia);
    }
    if (status == PERP_OK) {
        status = model_put(f, "/bodies/fixed", H5T_STD_U8LE, H5T_NATIVE_UINT8, 1, &count,
                           fixed);
    }
    free(fixed);
    return status;
}

/* ---- shapes ---- */

static void model_add(model *m, const perp_shape *s, const perp_shape *part)
{
    model_shape *to = &m->shapes[m->count];
    const perp_shape *own = part ? part : s;

    to->shape = own;
    to->number = m->count++;
    to->surface = own->polytope ? (const void *)own->polytope : (const void *)own->mesh;
    to->colour = own->colour ? own->colour : s->colour;
    memcpy(to->pose, s->at, sizeof s->at);
    memcpy(to->pose + 3, s->turn, sizeof s->turn);
    if (part) {
        double arm[3];

        perp_quat_rotate(s->turn, part->at, arm);
        for (size_t i = 0; i < 3; i++) {
            to->pose[i] += arm[i];
        }
        perp_quat_multiply(s->turn, part->turn, to->pose + 3);
    }
}

static void model_list(model *m, const perp_world *w)
{
    size_t count = 0;

    for (size_t k = 0; k < w->shape_count; k++) {
        count += w->shapes[k].part_count ? w->shapes[k].part_count : 1;
    }
    m->shapes = take(count + 1, sizeof *m->shapes);
    for (size_t k = 0; k < w->shape_count; k++) {
        const perp_shape *s = &w->shapes[k];

        for (size_t p = 0; p < s->part_count; p++) {
            model_add(m, s, &s->parts[p]);
        }
        if (s->part_count == 0) {
            model_add(m, s, NULL);
        }
    }
}

static int model_compare(const void *a, const void *b)
{
    const model_shape *x = *(model_shape *const *)a;
    const model_shape *y = *(model_shape *const *)b;

    if (x->surface != y->surface) {
        return (uintptr_t)x->surface < (uintptr_t)y->surface ? -1 : 1;
    }
    return x->number < y->number ? -1 : 1;
}

static bool model_is_flat(const perp_polytope *hull)
{
    return hull->face_start[1] == 2; /* the faces of a polygon are its sides */
}

/* How many points and triangles a surface has. */
static void model_size(const perp_shape *s, uint64_t *points, uint64_t *triangles)
{
    const perp_polytope *hull = s->polytope;

    *points = hull ? hull->corner_count : s->mesh->point_count;
    *triangles = 0;
    if (!hull) {
        *triangles = s->mesh->triangle_count;
    } else if (model_is_flat(hull)) {
        *triangles = hull->corner_count - 2;
    }
    for (size_t k = 0; hull && !model_is_flat(hull) && k < hull->face_count; k++) {
        *triangles += (uint64_t)(hull->face_start[k + 1] - hull->face_start[k]) - 2;
    }
}

/* Rows are given out in the order of the shapes; those that share a surface have the rows of the
 * first one. `first` receives, for each shape, the number of that one. */
static void model_share(model *m, model_shape **sorted, size_t *first)
{
    for (size_t k = 0; k < m->count; k++) {
        sorted[k] = &m->shapes[k];
    }
    if (m->count > 0) {
        qsort(sorted, m->count, sizeof *sorted, model_compare);
    }
    for (size_t k = 0; k < m->count; k++) {
        const bool shared =
            k > 0 && sorted[k]->surface && sorted[k]->surface == sorted[k - 1]->surface;

        first[sorted[k]->number] =
            shared ? first[sorted[k - 1]->number] : sorted[k]->number;
    }
    for (size_t k = 0; k < m->count; k++) {
        model_shape *s = &m->shapes[k];
        uint64_t points = 0, triangles = 0;

        if (first[k] != k) {
            memcpy(s->vertices, m->shapes[first[k]].vertices, sizeof s->vertices);
            memcpy(s->triangles, m->shapes[first[k]].triangles, sizeof s->triangles);
            continue;
        }
        if (s->surface) {
            model_size(s->shape, &points, &triangles);
        }
        s->vertices[0] = m->vertex_count;
        s->triangles[0] = m->triangle_count;
        m->vertex_count += points;
        m->triangle_count += triangles;
        s->vertices[1] = m->vertex_count;
        s->triangles[1] = m->triangle_count;
    }
}

/* A polygon as triangles around its first corner. */
static int32_t *model_fan(int32_t *to, const int32_t *corner, size_t count)
{
    for (size_t k = 1; k + 1 < count; k++, to += 3) {
        to[0] = corner ? corner[0] : 0;
        to[1] = corner ? corner[k] : (int32_t)k;
        to[2] = corner ? corner[k + 1] : (int32_t)k + 1;
    }
    return to;
}

static void model_fill(model *m, const model_shape *s)
{
    const perp_polytope *hull = s->shape->polytope;
    const perp_mesh *mesh = s->shape->mesh;
    const size_t points = (size_t)(s->vertices[1] - s->vertices[0]);
    int32_t *to = m->triangles + 3 * s->triangles[0];

    memcpy(m->vertices + 3 * s->vertices[0], hull ? hull->corner : mesh->point,
           3 * points * sizeof(double));
    if (!hull) {
        memcpy(to, mesh->corner, 3 * mesh->triangle_count * sizeof *to);
    } else if (model_is_flat(hull)) {
        model_fan(to, NULL, hull->corner_count); /* counter-clockwise about z */
    }
    for (size_t k = 0; hull && !model_is_flat(hull) && k < hull->face_count; k++) {
        const int32_t *start = hull->face_start + k;

        to = model_fan(to, hull->face_corner + start[0], (size_t)(start[1] - start[0]));
    }
}

/* Points and triangles of all surfaces. */
static void model_surfaces(model *m)
{
    model_shape **sorted = take(m->count + 1, sizeof(model_shape *));
    size_t *first = take(m->count + 1, sizeof *first);

    model_share(m, sorted, first);
    m->vertices = take(3 * m->vertex_count + 1, sizeof *m->vertices);
    m->triangles = take(3 * m->triangle_count + 1, sizeof *m->triangles);
    for (size_t k = 0; k < m->count; k++) {
        if (first[k] == k && m->shapes[k].surface) {
            model_fill(m, &m->shapes[k]);
        }
    }
    free(sorted);
    free(first);
}

/* One number of each shape, `bytes` long, at `offset`. */
static perp_status model_put_member(perp_h5_file *f, const model *m, const char *path,
                                    hid_t type, hid_t memory, size_t offset, size_t bytes,
                                    size_t entries)
{
    const hsize_t extent[2] = {m->count, entries};
    unsigned char *values = take(m->count + 1, bytes * entries);
    perp_status status = PERP_OK;

    for (size_t k = 0; k < m->count; k++) {
        memcpy(values + k * bytes * entries, (const char *)&m->shapes[k] + offset,
               bytes * entries);
    }
    status = model_put(f, path, type, memory, entries > 1 ? 2 : 1, extent, values);
    free(values);
    return status;
}

/* Types, bodies and sizes, which stand in the shapes of the world. */
static perp_status model_put_shapes(perp_h5_file *f, const model *m)
{
    const hsize_t count = m->count;
    const char **types = take(m->count + 1, sizeof *types);
    int32_t *body = take(m->count + 1, sizeof *body);
    double *size = take(3 * m->count + 1, sizeof *size);
    perp_status status = PERP_OK;

    for (size_t k = 0; k < m->count; k++) {
        const perp_shape *s = m->shapes[k].shape;

        types[k] = s->type->name;
        body[k] = s->body;
        memcpy(size + 3 * k, s->size, sizeof s->size);
    }
    status = trajectory_write_names(f, "/shapes/type", m->count, types);
    if (status == PERP_OK) {
        status = model_put(f, "/shapes/body", H5T_STD_I32LE, H5T_NATIVE_INT32, 1, &count,
                           body);
    }
    if (status == PERP_OK) {
        status = model_put_reals(f, "/shapes/size", m->count, 3, 0, size);
    }
    free((void *)types);
    free(body);
    free(size);
    return status;
}

static perp_status model_put_surfaces(perp_h5_file *f, const model *m)
{
    static const struct {
        const char *path;
        size_t offset;
    } rows[] = {
        {"/shapes/vertex_start", offsetof(model_shape, vertices)},
        {"/shapes/vertex_end", offsetof(model_shape, vertices) + sizeof(uint64_t)},
        {"/shapes/triangle_start", offsetof(model_shape, triangles)},
        {"/shapes/triangle_end", offsetof(model_shape, triangles) + sizeof(uint64_t)},
    };
    const hsize_t extent[2] = {m->triangle_count, 3};
    perp_status status =
        model_put_member(f, m, "/shapes/pose", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                         offsetof(model_shape, pose), sizeof(double), 7);

    if (status == PERP_OK) {
        status =
            model_put_member(f, m, "/shapes/colour", H5T_STD_U32LE, H5T_NATIVE_UINT32,
                             offsetof(model_shape, colour), sizeof(uint32_t), 1);
    }
    for (size_t k = 0; k < sizeof rows / sizeof *rows && status == PERP_OK; k++) {
        status = model_put_member(f, m, rows[k].path, H5T_STD_U64LE, H5T_NATIVE_UINT64,
                                  rows[k].offset, sizeof(uint64_t), 1);
    }
    if (status == PERP_OK) {
        status =
            model_put_reals(f, "/shapes/vertices", m->vertex_count, 3, 0, m->vertices);
    }
    return status == PERP_OK ? model_put(f, "/shapes/triangles", H5T_STD_I32LE,
                                         H5T_NATIVE_INT32, 2, extent, m->triangles)
                             : status;
}

static perp_status model_shapes(perp_h5_file *f, const perp_world *w)
{
    model m = {0};
    perp_status status = PERP_OK;

    model_list(&m, w);
    model_surfaces(&m);
    status = model_put_shapes(f, &m);
    if (status == PERP_OK) {
        status = model_put_surfaces(f, &m);
    }
    free(m.shapes);
    free(m.vertices);
    free(m.triangles);
    return status;
}

/* ---- joints ---- */

/* Of a joint: the bodies, then anchors and axes as its type has them. */
static void model_read_joint(const perp_joint *j, int32_t bodies[2], double anchor[6],
                             double axis[6])
{
    const unsigned needs = j->type->needs;

    bodies[0] = j->i;
    bodies[1] = j->j;
    if (needs & PERP_JOINT_ANCHORS) {
        memcpy(anchor, j->anchor_i, sizeof j->anchor_i);
        memcpy(anchor + 3, j->anchor_j, sizeof j->anchor_j);
    } else if (needs & PERP_JOINT_REST) {
        memcpy(anchor, j->rest_i,
               sizeof j->rest_i); /* where body j has its centre at rest */
    }
    if (needs & PERP_JOINT_AXIS_I) {
        memcpy(axis, j->axis_i, sizeof j->axis_i);
    }
    if (needs & PERP_JOINT_AXIS_J) {
        memcpy(axis + 3, j->axis_j, sizeof j->axis_j);
    }
}

static perp_status model_joints(perp_h5_file *f, const perp_world *w)
{
    const hsize_t extent[2] = {w->joint_count, 2};
    const char **types = take(w->joint_count + 1, sizeof *types);
    int32_t *bodies = take(2 * w->joint_count + 1, sizeof *bodies);
    double *anchor = take(6 * w->joint_count + 1, sizeof *anchor);
    double *axis = take(6 * w->joint_count + 1, sizeof *axis);
    perp_status status = PERP_OK;

    for (size_t k = 0; k < w->joint_count; k++) {
        types[k] = w->joints[k].type->name;
        model_read_joint(&w->joints[k], bodies + 2 * k, anchor + 6 * k, axis + 6 * k);
    }
    status = trajectory_write_names(f, "/joints/type", w->joint_count, types);
    if (status == PERP_OK) {
        status = model_put(f, "/joints/bodies", H5T_STD_I32LE, H5T_NATIVE_INT32, 2,
                           extent, bodies);
    }
    if (status == PERP_OK) {
        status = model_put_reals(f, "/joints/anchor", w->joint_count, 2, 3, anchor);
    }
    if (status == PERP_OK) {
        status = model_put_reals(f, "/joints/axis", w->joint_count, 2, 3, axis);
    }
    free((void *)types);
    free(bodies);
    free(anchor);
    free(axis);
    return status;
}

perp_status trajectory_write_model(perp_h5_file *f, const trajectory_head *head)
{
    const perp_world *w = head->world;

    TRY(perp_h5_write_attribute(f, "/meta", "dimension", (size_t)w->dimension));
    TRY(perp_h5_write_attribute_real(f, "/meta", "dt", head->dt));
    TRY(perp_h5_write_reals(f, "/meta/gravity", 3, w->gravity));
    TRY(perp_h5_write_group(f, "/bodies"));
    TRY(perp_h5_write_group(f, "/shapes"));
    TRY(model_bodies(f, w));
    TRY(model_shapes(f, w));
    return model_joints(f, w);
}
