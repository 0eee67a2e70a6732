/* SPDX-License-Identifier: Apache-2.0
 * view/motion.c: the motion of a run from its file; its texts, its end, the box around it. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/rotation.h>

#include "base/base.h"
#include "base/file.h"
#include "base/unread.h"
#include "command/cli/data.h"
#include "command/cli/take.h"
#include "command/view/motion_parts.h"

enum { MOTION_ATTRIBUTE = 4096 };

void motion_text(motion *m, const char *text, const char **copy)
{
    char *valid = take_made(perp_text_valid(text, strlen(text)));

    TAKE_ROOM(m->texts, m->text_room, m->text_count + 1);
    m->texts[m->text_count++] = valid;
    *copy = valid;
}

void motion_free(motion *m)
{
    if (!m) {
        return;
    }
    for (size_t k = 0; k < m->text_count; k++) {
        free(m->texts[k]);
    }
    for (size_t k = 0; k < m->metric_count; k++) {
        free(m->metrics[k].value);
    }
    free(m->texts);
    free(m->title);
    free(m->source);
    free(m->bodies);
    free(m->shapes);
    free(m->joints);
    free(m->vertices);
    free(m->triangles);
    free(m->time);
    free(m->step);
    free(m->poses);
    free(m->velocity);
    free(m->contact_end);
    free(m->contacts);
    free(m->step_time);
    free(m->metrics);
    free(m);
}

/* The file: that of the folder, or the path itself. */
static perp_status motion_file(const char *path, char file[DATA_PATH], perp_error *err)
{
    const bool folder = data_is_folder(path);

    if (snprintf(file, DATA_PATH, "%s%s", path, folder ? "/trajectory.h5" : "") >=
        DATA_PATH) {
        return perp_fail(err, PERP_ERR_READ, "%.80s...: too long a name", path);
    }
    return PERP_OK;
}

static perp_status motion_is_run(const trajectory_file *f, bool *is)
{
    char format[64] = "";
    perp_status status = perp_h5_exists(&f->file, "/meta", is);

    if (*is) {
        status = perp_h5_attribute_text(&f->file, "/meta", "format", format,
                                        sizeof format, is);
    }
    *is = strcmp(format, "perp-trajectory") == 0;
    return status;
}

bool motion_is_trajectory(const char *path)
{
    static const unsigned char signature[8] = {0x89, 'H',  'D',  'F',
                                               '\r', '\n', 0x1a, '\n'};
    char first[sizeof signature + 1] = "";
    char file[DATA_PATH];
    const perp_source in = {.name = file};
    trajectory_file f = {.file = {.id = H5I_INVALID_HID}};
    perp_error inner = {0};
    bool is = motion_file(path, file, &inner) == PERP_OK &&
              perp_source_peek(&in, first, sizeof signature) == sizeof signature &&
              memcmp(first, signature, sizeof signature) == 0;

    if (is) {
        trajectory_open(&f, file, &inner); /* it may be damaged further on */
        is = f.file.id >= 0;
        if (!is || motion_is_run(&f, &is) != PERP_OK) {
            perp_unread_say(inner.text);
        }
        trajectory_shut(&f);
    }
    return is;
}

/* A trajectory of this layout, with at least one frame. */
static perp_status motion_check(const trajectory_file *f, const char *file,
                                perp_error *err)
{
    bool is = false;

    TRY(motion_is_run(f, &is));
    if (!is) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: no trajectory of perp simulate",
                         file);
    }
    if (f->layout < TRAJECTORY_LAYOUT_SHAPES) {
        return perp_fail(
            err, PERP_ERR_FORMAT,
            "%s: layout %d has no shapes: run the scene again with this perp", file,
            f->layout);
    }
    if (f->layout > TRAJECTORY_LAYOUT) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: layout %d, expected " TRAJECTORY_LAYOUT_TEXT
                         ": it was made by a newer perp",
                         file, f->layout);
    }
    if (f->count[TRAJECTORY_FRAME] == 0) {
        return perp_fail(err, PERP_ERR_DATA, "%s: no frame is written yet", file);
    }
    return PERP_OK;
}

static perp_status motion_attribute(motion *m, const trajectory_file *f, const char *name,
                                    const char **copy)
{
    char text[MOTION_ATTRIBUTE] = "";
    bool there = false;

    TRY(perp_h5_attribute_text(&f->file, "/meta", name, text, sizeof text, &there));
    motion_text(m, text, copy);
    return PERP_OK;
}

/* The direction against gravity. */
static void motion_up(motion *m, const double gravity[3])
{
    const double length = hypot(hypot(gravity[0], gravity[1]), gravity[2]);

    for (size_t i = 0; i < 3; i++) {
        m->up[i] = length > 0.0 ? 0.0 - gravity[i] / length : i + 1 == m->dimension;
    }
}

static perp_status motion_read_meta(motion *m, const trajectory_file *f)
{
    const char *title = NULL;
    double *gravity = NULL;
    int64_t dimension = 0;
    bool there = false;
    perp_status status = motion_attribute(m, f, "name", &title);

    if (status == PERP_OK) {
        status = motion_attribute(m, f, "solver", &m->solver);
    }
    if (status == PERP_OK) {
        status = motion_attribute(m, f, "coordinates", &m->coordinates);
    }
    if (status == PERP_OK) {
        status = perp_h5_reals(&f->file, "/meta/gravity", 3, NULL, &gravity);
    }
    if (status == PERP_OK) {
        status = perp_h5_check_finite(&f->file, "/meta/gravity", gravity, 3);
    }
    if (status == PERP_OK) {
        status = perp_h5_attribute(&f->file, "/meta", "dimension", &dimension, &there);
    }
    if (status == PERP_OK && dimension != 2 && dimension != 3) {
        status = perp_h5_fail(&f->file, PERP_ERR_FORMAT, "/meta",
                              "dimension is %lld, expected 2 or 3", (long long)dimension);
    }
    if (status == PERP_OK) {
        status = perp_h5_attribute_real(&f->file, "/meta", "dt", &m->dt, &there);
    }
    if (status == PERP_OK && (!(m->dt > 0.0) || !isfinite(m->dt))) {
        status = perp_h5_fail(&f->file, PERP_ERR_FORMAT, "/meta",
                              "dt is %g, expected a positive number [s]", m->dt);
    }
    if (status == PERP_OK) {
        m->dimension = (unsigned)dimension;
        motion_up(m, gravity);
        m->title = take_text(title);
        m->source = take_made(perp_text_valid(f->file.path, strlen(f->file.path)));
    }
    free(gravity);
    return status;
}

perp_status motion_read(motion **out, const char *path, perp_error *err)
{
    char file[DATA_PATH];
    trajectory_file f = {.file = {.id = H5I_INVALID_HID}};
    motion *m = NULL;
    perp_status status = motion_file(path, file, err);

    *out = NULL;
    if (status != PERP_OK) {
        return status;
    }
    m = take(1, sizeof *m);
    status = trajectory_open(&f, file, err);
    if (status == PERP_OK) {
        status = motion_check(&f, file, err);
    }
    if (status == PERP_OK) {
        status = motion_read_meta(m, &f);
    }
    if (status == PERP_OK) {
        status = motion_read_model(m, &f);
    }
    if (status == PERP_OK) {
        status = motion_read_frames(m, &f);
    }
    trajectory_shut(&f);
    if (status != PERP_OK) {
        motion_free(m);
        return status;
    }
    *out = m;
    return PERP_OK;
}

static void bounds_add(double low[3], double high[3], const double p[3])
{
    for (size_t i = 0; i < 3; i++) {
        low[i] = fmin(low[i], p[i]);
        high[i] = fmax(high[i], p[i]);
    }
}

/* The box around a hull or mesh: around its vertices, or, of many, around their own box. */
static void bounds_add_surface(const double *points, size_t count, const double R[9],
                               const double x[3], double low[3], double high[3])
{
    for (size_t k = 0; k < count; k++) {
        const double *v = points + 3 * k;
        double p[3];

        for (size_t i = 0; i < 3; i++) {
            p[i] = x[i] + R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
        }
        bounds_add(low, high, p);
    }
}

enum { BOUNDS_MOST = 64 }; /* vertices that are moved one by one */

/* Eight corners in place of many vertices. */
static size_t bounds_corners(const motion *m, const motion_shape *s, double corners[24],
                             const double **points)
{
    double low[3] = {INFINITY, INFINITY, INFINITY};
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};

    *points = m->vertices + 3 * s->first_vertex;
    if (s->vertex_count <= BOUNDS_MOST) {
        return s->vertex_count;
    }
    for (size_t k = 0; k < s->vertex_count; k++) {
        bounds_add(low, high, *points + 3 * k);
    }
    for (size_t k = 0; k < 8; k++) {
        for (size_t i = 0; i < 3; i++) {
            corners[3 * k + i] = k >> i & 1 ? high[i] : low[i];
        }
    }
    *points = corners;
    return 8;
}

static void bounds_add_shape(const motion *m, const motion_shape *s, double low[3],
                             double high[3])
{
    perp_shape shape = {.type = s->type};
    const double *points = NULL;
    double corners[24];
    const size_t count = s->vertex_count ? bounds_corners(m, s, corners, &points) : 0;

    memcpy(shape.size, s->size, sizeof shape.size);
    for (size_t f = 0; f < m->frame_count; f++) {
        const double *pose = m->poses + 7 * (f * m->body_count + s->body);
        double q[4], R[9], x[3];
        perp_aabb box;

        perp_quat_rotate(pose + 3, s->pose, x);
        for (size_t i = 0; i < 3; i++) {
            x[i] += pose[i];
        }
        perp_quat_multiply(pose + 3, s->pose + 3, q);
        perp_rotation_matrix(q, R);
        if (count > 0) {
            bounds_add_surface(points, count, R, x, low, high);
            continue;
        }
        s->type->bounds(&shape, m->dimension, R, x, &box);
        bounds_add(low, high, box.lo);
        bounds_add(low, high, box.hi);
    }
}

void motion_bounds(const motion *m, double low[3], double high[3])
{
    for (size_t i = 0; i < 3; i++) {
        low[i] = INFINITY;
        high[i] = -INFINITY;
    }
    for (size_t k = 0; k < m->shape_count; k++) {
        if (!m->shapes[k].type->unbounded) {
            bounds_add_shape(m, &m->shapes[k], low, high);
        }
    }
    for (uint64_t k = 0; m->frame_count > 0 && k < m->contact_end[m->frame_count - 1];
         k++) {
        bounds_add(low, high, m->contacts[k].point);
    }
    if (!(low[0] <= high[0])) { /* bodies without shapes */
        for (size_t k = 0; k < m->frame_count * m->body_count; k++) {
            bounds_add(low, high, m->poses + 7 * k);
        }
    }
    for (size_t i = 0; i < 3 && !(low[i] <= high[i]); i++) {
        low[i] = -1.0;
        high[i] = 1.0;
    }
}
