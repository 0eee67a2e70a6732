/* SPDX-License-Identifier: Apache-2.0
 * view/paraview.c: a motion for ParaView: OUT.pvd, which lists the files, and the folder OUT/ with
 * three files per frame: bodies as polygons, contacts as points, joints as lines. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <perp/dynamics/rotation.h>

#include "base/base.h"
#include "base/file.h"
#include "base/number.h"
#include "command/cli/output.h"
#include "command/cli/take.h"
#include "command/view/formats.h"
#include "command/view/surfaces.h"
#include "command/view/vtp.h"

/** The kinds of files of a frame. */
static const char *const paraview_parts[] = {"bodies", "contacts", "joints"};
enum { PARAVIEW_PARTS = 3 };

/* Arrays of a frame: those of bodies are as large in all frames. */
typedef struct paraview_data {
    const motion *m;
    view_surfaces surfaces;
    const char **body_names, **joint_names, **joint_types;
    size_t points, triangles;
    float *point, *normal;          /* points x 3 */
    int32_t *corner, *end, *body;   /* triangles x 3; triangles; triangles */
    unsigned char *colour;          /* triangles x 3 */
    float *speed, *energy;          /* triangles */
    double *contact;                /* CONTACT_NUMBERS columns of the most contacts */
    int32_t *number, *pair, *state; /* 0, 1, 2, …: ends, corners, of as many; bodies */
    double *joint, *axis, *gap;     /* 4 points per joint; 4; 1 */
    int32_t *joint_end, *joint_body;
    size_t most; /* contacts of a frame */
} paraview_data;

enum { CONTACT_NUMBERS = 3 + 3 + 3 + 5, JOINT_POINTS = 4 };

static bool paraview_owns(const char *name)
{
    for (size_t k = 0; k < PARAVIEW_PARTS; k++) {
        size_t length = strlen(paraview_parts[k]);

        if (strncmp(name, paraview_parts[k], length) == 0 && name[length] == '_' &&
            strspn(name + length + 1, "0123456789") >= 6 &&
            strcmp(name + length + 1 + strspn(name + length + 1, "0123456789"), ".vtp") ==
                0) {
            return true;
        }
    }
    return false;
}

static void paraview_counts(paraview_data *d)
{
    const motion *m = d->m;

    for (size_t k = 0; k < m->shape_count; k++) {
        d->points += d->surfaces.mesh[d->surfaces.of[k]].vertex_count;
        d->triangles += d->surfaces.mesh[d->surfaces.of[k]].triangle_count;
    }
    d->most = JOINT_POINTS * m->joint_count;
    for (size_t f = 0; f < m->frame_count; f++) {
        size_t count = (size_t)(m->contact_end[f] - motion_first_contact(m, f));

        d->most = count > d->most ? count : d->most;
    }
}

/* What stays the same in all frames. */
static void paraview_fill(paraview_data *d)
{
    const motion *m = d->m;
    size_t vertex = 0;
    size_t t = 0;

    for (size_t k = 0; k < m->shape_count; k++) {
        const view_mesh *mesh = &d->surfaces.mesh[d->surfaces.of[k]];

        for (size_t i = 0; i < mesh->triangle_count; i++, t++) {
            for (size_t c = 0; c < 3; c++) {
                d->corner[3 * t + c] = (int32_t)(vertex + mesh->triangles[3 * i + c]);
                d->colour[3 * t + c] =
                    (unsigned char)(m->shapes[k].colour >> (16 - 8 * c));
            }
            d->end[t] = (int32_t)(3 * t + 3);
            d->body[t] = (int32_t)m->shapes[k].body;
        }
        vertex += mesh->vertex_count;
    }
    for (size_t k = 0; k < d->most; k++) {
        d->number[k] = (int32_t)k;
        d->state[k] = (int32_t)k + 1;
    }
    for (size_t k = 0; k < m->body_count; k++) {
        d->body_names[k] = m->bodies[k].name;
    }
    for (size_t k = 0; k < m->joint_count; k++) {
        d->joint_names[k] = m->joints[k].name;
        d->joint_types[k] = m->joints[k].type;
        d->joint_end[k] = (int32_t)(JOINT_POINTS * (k + 1));
        d->joint_body[2 * k] = m->joints[k].body[0];
        d->joint_body[2 * k + 1] = m->joints[k].body[1];
    }
}

static perp_status paraview_data_make(paraview_data *d, const motion *m, perp_error *err)
{
    *d = (paraview_data){.m = m};
    TRY(view_surfaces_make(&d->surfaces, m, err));
    paraview_counts(d);
    if (d->triangles > INT32_MAX / 3 || d->points > INT32_MAX) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: the bodies have %zu triangles, expected at most %d",
                         m->source, d->triangles, INT32_MAX / 3);
    }
    d->body_names = take(m->body_count + 1, sizeof *d->body_names);
    d->joint_names = take(m->joint_count + 1, sizeof *d->joint_names);
    d->joint_types = take(m->joint_count + 1, sizeof *d->joint_types);
    d->point = take(3 * d->points + 1, sizeof *d->point);
    d->normal = take(3 * d->points + 1, sizeof *d->normal);
    d->corner = take(3 * d->triangles + 1, sizeof *d->corner);
    d->end = take(d->triangles + 1, sizeof *d->end);
    d->body = take(d->triangles + 1, sizeof *d->body);
    d->colour = take(3 * d->triangles + 1, sizeof *d->colour);
    d->speed = take(d->triangles + 1, sizeof *d->speed);
    d->energy = take(d->triangles + 1, sizeof *d->energy);
    d->contact = take(CONTACT_NUMBERS * d->most + 1, sizeof *d->contact);
    d->number = take(d->most + 1, sizeof *d->number);
    d->state = take(2 * d->most + 1, sizeof *d->state);
    d->pair = take(2 * d->most + 1, sizeof *d->pair);
    d->joint = take(3 * d->most + 1, sizeof *d->joint);
    d->axis = take(3 * d->most + 1, sizeof *d->axis);
    d->gap = take(m->joint_count + 1, sizeof *d->gap);
    d->joint_end = take(m->joint_count + 1, sizeof *d->joint_end);
    d->joint_body = take(2 * m->joint_count + 1, sizeof *d->joint_body);
    paraview_fill(d);
    return PERP_OK;
}

static void paraview_data_free(paraview_data *d)
{
    void *blocks[] = {d->body_names, d->joint_names, d->joint_types, d->point,
                      d->normal,     d->corner,      d->end,         d->body,
                      d->colour,     d->speed,       d->energy,      d->contact,
                      d->number,     d->state,       d->pair,        d->joint,
                      d->axis,       d->gap,         d->joint_end,   d->joint_body};

    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
        free(blocks[k]);
    }
    view_surfaces_free(&d->surfaces);
}

/* Points and normals of the surfaces at the poses of a frame. */
static void paraview_place(paraview_data *d, size_t frame)
{
    const motion *m = d->m;
    size_t vertex = 0;

    for (size_t k = 0; k < m->shape_count; k++) {
        const motion_shape *shape = &m->shapes[k];
        const view_mesh *mesh = &d->surfaces.mesh[d->surfaces.of[k]];
        const double *pose = m->poses + 7 * (frame * m->body_count + shape->body);

        for (size_t i = 0; i < mesh->vertex_count; i++, vertex++) {
            double p[3];
            double n[3];

            perp_quat_rotate(shape->pose + 3, mesh->vertices + 3 * i, p);
            perp_quat_rotate(shape->pose + 3, mesh->normals + 3 * i, n);
            for (size_t c = 0; c < 3; c++) {
                p[c] += shape->pose[c];
            }
            perp_quat_rotate(pose + 3, (const double[3]){p[0], p[1], p[2]}, p);
            perp_quat_rotate(pose + 3, (const double[3]){n[0], n[1], n[2]}, n);
            for (size_t c = 0; c < 3; c++) {
                d->point[3 * vertex + c] = (float)(p[c] + pose[c]);
                d->normal[3 * vertex + c] = (float)n[c];
            }
        }
    }
}

static void paraview_bodies(paraview_data *d, size_t frame, vtp_file *v)
{
    const motion *m = d->m;
    const vtp_counts counts = {.points = d->points, .polygons = d->triangles};

    paraview_place(d, frame);
    for (size_t t = 0; t < d->triangles; t++) {
        const double *u = m->velocity + 6 * (frame * m->body_count + (size_t)d->body[t]);

        if (t > 0 && d->body[t] == d->body[t - 1]) {
            d->speed[t] = d->speed[t - 1];
            d->energy[t] = d->energy[t - 1];
        } else {
            d->speed[t] = (float)sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
            d->energy[t] = (float)view_kinetic(m, frame, (size_t)d->body[t]);
        }
    }
    vtp_names(v, "body_names", m->body_count, d->body_names);
    vtp_piece(v, &counts);
    vtp_open(v, "PointData", "Normals");
    vtp_array(v, "Normals", VTP_F32, 3, d->points, d->normal);
    vtp_close(v, "PointData");
    vtp_open(v, "CellData", NULL);
    vtp_array(v, "body", VTP_I32, 1, d->triangles, d->body);
    vtp_array(v, "colour", VTP_U8, 3, d->triangles, d->colour);
    vtp_array(v, "speed", VTP_F32, 1, d->triangles, d->speed);
    vtp_array(v, "energy", VTP_F32, 1, d->triangles, d->energy);
    vtp_close(v, "CellData");
    vtp_open(v, "Points", NULL);
    vtp_array(v, "Points", VTP_F32, 3, d->points, d->point);
    vtp_close(v, "Points");
    vtp_cells(v, "Polys", d->triangles, d->corner, 3 * d->triangles, d->end);
}

/* Columns of the contacts of a frame, one after the other in `contact`. */
static void paraview_contacts(paraview_data *d, size_t frame, vtp_file *v)
{
    static const char *const names[] = {"gap", "mu", "residual", "normal_impulse",
                                        "tangential_impulse"};
    const motion *m = d->m;
    const motion_contact *first = m->contacts + motion_first_contact(m, frame);
    size_t count = (size_t)(m->contact_end[frame] - motion_first_contact(m, frame));
    const vtp_counts counts = {.points = count, .vertices = count};
    double *scalar = d->contact + 9 * count;

    for (size_t k = 0; k < count; k++) {
        const motion_contact *c = &first[k];
        double normal = c->impulse[0] * c->normal[0] + c->impulse[1] * c->normal[1] +
                        c->impulse[2] * c->normal[2];
        double tangential = 0.0;

        for (size_t i = 0; i < 3; i++) {
            double across = c->impulse[i] - normal * c->normal[i];

            d->contact[3 * k + i] = c->point[i];
            d->contact[3 * (count + k) + i] = c->normal[i];
            d->contact[3 * (2 * count + k) + i] = c->impulse[i];
            tangential += across * across;
        }
        scalar[k] = c->gap;
        scalar[count + k] = c->mu;
        scalar[2 * count + k] = c->residual;
        scalar[3 * count + k] = normal;
        scalar[4 * count + k] = sqrt(tangential);
        d->state[d->most + k] = (int32_t)c->status;
        d->pair[2 * k] = c->body[0];
        d->pair[2 * k + 1] = c->body[1];
    }
    vtp_names(v, "body_names", m->body_count, d->body_names);
    vtp_piece(v, &counts);
    vtp_open(v, "PointData", NULL);
    vtp_array(v, "normal", VTP_F64, 3, count, d->contact + 3 * count);
    vtp_array(v, "impulse", VTP_F64, 3, count, d->contact + 6 * count);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        vtp_array(v, names[k], VTP_F64, 1, count, scalar + k * count);
    }
    vtp_array(v, "status", VTP_I32, 1, count, d->state + d->most);
    vtp_array(v, "bodies", VTP_I32, 2, count, d->pair);
    vtp_close(v, "PointData");
    vtp_open(v, "Points", NULL);
    vtp_array(v, "Points", VTP_F64, 3, count, d->contact);
    vtp_close(v, "Points");
    vtp_cells(v, "Verts", count, d->number, count, d->state);
}

/* A line from the centre of one body over the two anchors to the centre of the other. */
static void paraview_joints(paraview_data *d, size_t frame, vtp_file *v)
{
    const motion *m = d->m;
    size_t points = JOINT_POINTS * m->joint_count;
    const vtp_counts counts = {.points = points, .lines = m->joint_count};

    for (size_t k = 0; k < m->joint_count; k++) {
        double *p = d->joint + 3 * JOINT_POINTS * k;
        double *axis = d->axis + 3 * JOINT_POINTS * k;
        double square = 0.0;

        for (size_t end = 0; end < 2; end++) {
            int32_t body = m->joints[k].body[end];
            const double *pose =
                m->poses + 7 * (frame * m->body_count + (size_t)(body < 0 ? 0 : body));

            view_anchor(m, frame, &m->joints[k], end, p + 3 * (1 + end));
            if (body < 0) {
                memcpy(p + 9 * end, p + 3 * (1 + end), 3 * sizeof *p);
                memcpy(axis + 3 * (1 + end), m->joints[k].axis[end], 3 * sizeof *axis);
            } else {
                memcpy(p + 9 * end, pose, 3 * sizeof *p);
                perp_quat_rotate(pose + 3, m->joints[k].axis[end], axis + 3 * (1 + end));
            }
        }
        for (size_t c = 0; c < 3; c++) {
            square += (p[6 + c] - p[3 + c]) * (p[6 + c] - p[3 + c]);
        }
        d->gap[k] = sqrt(square);
    }
    vtp_names(v, "joint_names", m->joint_count, d->joint_names);
    vtp_names(v, "joint_types", m->joint_count, d->joint_types);
    vtp_piece(v, &counts);
    vtp_open(v, "PointData", NULL);
    vtp_array(v, "axis", VTP_F64, 3, points, d->axis);
    vtp_close(v, "PointData");
    vtp_open(v, "CellData", NULL);
    vtp_array(v, "anchors_apart", VTP_F64, 1, m->joint_count, d->gap);
    vtp_array(v, "bodies", VTP_I32, 2, m->joint_count, d->joint_body);
    vtp_close(v, "CellData");
    vtp_open(v, "Points", NULL);
    vtp_array(v, "Points", VTP_F64, 3, points, d->joint);
    vtp_close(v, "Points");
    vtp_cells(v, "Lines", m->joint_count, d->number, points, d->joint_end);
}

static perp_status paraview_frame(paraview_data *d, size_t frame, size_t part,
                                  const char *folder, perp_error *err)
{
    static void (*const writers[PARAVIEW_PARTS])(paraview_data *, size_t, vtp_file *) = {
        paraview_bodies, paraview_contacts, paraview_joints};
    char path[PERP_FILE_PATH_LENGTH + 128];
    perp_file_out out = {0};
    vtp_file v;

    snprintf(path, sizeof path, "%s/%s_%06zu.vtp", folder, paraview_parts[part], frame);
    TRY(perp_file_create(&out, path, err));
    vtp_start(&v, out.f, d->m->time[frame]);
    writers[part](d, frame, &v);
    vtp_end(&v);
    return perp_file_commit(&out, err);
}

/* The list of all files, with paths relative to its own. */
static void paraview_list(FILE *f, const motion *m, const char *stem)
{
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n"
          "<Collection>\n",
          f);
    for (size_t frame = 0; frame < m->frame_count; frame++) {
        char time[PERP_NUMBER_LENGTH];

        perp_number_format(time, m->time[frame]);
        for (size_t part = 0; part < PARAVIEW_PARTS; part++) {
            fprintf(f, "<DataSet timestep=\"%s\" part=\"%zu\" name=\"%s\" file=\"", time,
                    part, paraview_parts[part]);
            output_markup(f, stem);
            fprintf(f, "/%s_%06zu.vtp\"/>\n", paraview_parts[part], frame);
        }
    }
    fputs("</Collection>\n</VTKFile>\n", f);
}

/* The folder of files is made under another name, then both take their places. */
static perp_status paraview_install(paraview_data *d, const char *path,
                                    const char *folder, perp_error *err)
{
    const char *slash = strrchr(folder, '/');
    char fresh[PERP_FILE_PATH_LENGTH + 64] = "";
    perp_file_out list = {0};
    bool there = false;
    perp_status status =
        perp_folder_check(folder, paraview_owns, "folder of a .pvd", &there, err);

    if (status == PERP_OK) {
        status = perp_file_create(&list, path, err);
    }
    if (status == PERP_OK) {
        paraview_list(list.f, d->m, slash ? slash + 1 : folder);
        status = perp_folder_create(fresh, sizeof fresh, folder, "new", err);
        take_temporary(fresh);
    }
    for (size_t k = 0; k < PARAVIEW_PARTS * d->m->frame_count && status == PERP_OK; k++) {
        status = paraview_frame(d, k / PARAVIEW_PARTS, k % PARAVIEW_PARTS, fresh, err);
    }
    if (status == PERP_OK) {
        status = perp_folder_install(fresh, folder, there, paraview_owns, err);
    }
    take_kept(fresh);
    if (status != PERP_OK) {
        perp_file_abandon(&list);
        if (*fresh) {
            perp_folder_remove(fresh, paraview_owns);
        }
        return status;
    }
    status = perp_file_commit(&list, err);
    if (status != PERP_OK && !there) {
        perp_folder_remove(folder, paraview_owns);
    }
    return status;
}

static perp_status paraview_write(const motion *m, const char *path, perp_error *err)
{
    char folder[PERP_FILE_PATH_LENGTH];
    paraview_data d;
    size_t length = strlen(path);
    perp_status status = PERP_OK;

    if (!perp_path_ends(path, ".pvd") || length >= sizeof folder ||
        path[length - 5] == '/') {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: expected a name that ends in .pvd, of less than %zu bytes",
                         path, sizeof folder);
    }
    memcpy(folder, path, length - 4);
    folder[length - 4] = '\0';
    status = paraview_data_make(&d, m, err);
    if (status == PERP_OK) {
        status = paraview_install(&d, path, folder, err);
    }
    paraview_data_free(&d);
    return status;
}

const motion_format motion_format_paraview = {
    .name = "paraview",
    .extensions = ".pvd",
    .summary = "ParaView and VTK: OUT.pvd and the folder OUT/ with bodies, contacts and "
               "joints of each frame",
    .write = paraview_write,
};
