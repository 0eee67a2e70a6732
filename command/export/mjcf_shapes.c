/* SPDX-License-Identifier: Apache-2.0
 * export/mjcf_shapes.c: shapes as geoms; hulls, and closed convex meshes, as meshes. */
#include <config.h>

#include <string.h>

#include <perp/dynamics/rotation.h>
#include <perp/dynamics/shape.h>

#include "command/export/mjcf_parts.h"

/* MuJoCo collides the hull of a mesh. */
static bool shapes_convex(const perp_mesh *mesh)
{
    for (size_t k = 0; k < 3 * mesh->triangle_count; k++) {
        if (!mesh->convex[k]) {
            return false;
        }
    }
    return mesh->closed;
}

/* The corners of a hull or mesh, or NULL. */
static const double *shapes_corners(const perp_shape *s, size_t *count)
{
    *count = s->type->is_mesh       ? s->mesh->point_count
             : s->type->from_points ? s->polytope->corner_count
                                    : 0;
    return s->type->is_mesh       ? s->mesh->point
           : s->type->from_points ? s->polytope->corner
                                  : NULL;
}

static const char *shapes_type(const perp_shape *s)
{
    static const char *const known[] = {"sphere",   "box",       "capsule",
                                        "cylinder", "ellipsoid", "plane"};

    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strcmp(s->type->name, known[k]) == 0) {
            return known[k];
        }
    }
    return s->type->is_mesh || s->type->from_points ? "mesh" : NULL;
}

/* Meshes have the number of their shape, and that of a part. */
static void shapes_asset(mjcf *m, const perp_shape *s, size_t shape, size_t part,
                         bool *open)
{
    size_t count = 0;
    const double *corners = shapes_corners(s, &count);

    if (!corners) {
        return;
    }
    fputs(*open ? "" : "  <asset>\n", m->f);
    *open = true;
    fprintf(m->f, "    <mesh name=\"shape-%zu-%zu\"", shape, part);
    mjcf_reals(m, "vertex", corners, 3 * count);
    fputs("/>\n", m->f);
}

void mjcf_assets(mjcf *m)
{
    bool open = false;

    for (size_t k = 0; k < m->w->shape_count; k++) {
        const perp_shape *s = &m->w->shapes[k];

        for (size_t p = 0; p < s->part_count; p++) {
            shapes_asset(m, &s->parts[p], k, p, &open);
        }
        if (s->part_count == 0) {
            shapes_asset(m, s, k, 0, &open);
        }
    }
    fputs(open ? "  </asset>\n" : "", m->f);
}

/* Half lengths where perp has lengths; MuJoCo's planes are unbounded when they are drawn so. */
static void shapes_size(mjcf *m, const perp_shape *s, const char *type)
{
    const double unbounded[3] = {0.0, 0.0, 1.0};
    const double turned[2] = {s->size[0], 0.5 * s->size[1]};

    if (strcmp(type, "plane") == 0) {
        mjcf_reals(m, "size", unbounded, 3);
    } else if (strcmp(type, "capsule") == 0 || strcmp(type, "cylinder") == 0) {
        mjcf_reals(m, "size", turned, 2);
    } else if (strcmp(type, "mesh") != 0) {
        mjcf_reals(m, "size", s->size, s->type->sizes);
    }
}

static void shapes_contact(mjcf *m, const perp_shape *s, size_t shape)
{
    const mjcf_surface *surface = &m->surface[s->material];
    uint32_t bit = m->class_of[shape];
    const double friction[3] = {surface->mu, 0.0, 0.0};

    fprintf(m->f, " condim=\"%d\"", surface->mu > 0.0 ? 3 : 1);
    if (surface->mu > 0.0) {
        mjcf_reals(m, "friction", friction, 3);
    }
    if (surface->priority > 0) {
        fprintf(m->f, " priority=\"%d\"", surface->priority);
    }
    if (m->class_count > 1 || m->meets[0] == 0) {
        fprintf(m->f, " contype=\"%u\" conaffinity=\"%u\"", 1u << bit, m->meets[bit]);
    }
}

static void shapes_geom(mjcf *m, const perp_shape *s, size_t shape, size_t part,
                        const double at[3], const double q[4], int depth)
{
    const char *type = shapes_type(s);

    if (!type) {
        mjcf_refuse(m, "body \"%s\" has a %s, which MJCF does not have",
                    m->w->name[m->w->shapes[shape].body], s->type->name);
        return;
    }
    if (s->type->is_mesh && !shapes_convex(s->mesh)) {
        mjcf_refuse(m, "body \"%s\" has a mesh that is not convex; MuJoCo takes its hull",
                    m->w->name[m->w->shapes[shape].body]);
        return;
    }
    if (s->type->unbounded && mjcf_dynamic(m, (size_t)m->w->shapes[shape].body)) {
        mjcf_refuse(m, "body \"%s\" moves and has a plane, which MJCF does not allow",
                    m->w->name[m->w->shapes[shape].body]);
        return;
    }
    fprintf(m->f, "%*s<geom type=\"%s\"", depth, "", type);
    if (strcmp(type, "mesh") == 0) {
        fprintf(m->f, " mesh=\"shape-%zu-%zu\"", shape, part);
    }
    shapes_size(m, s, type);
    mjcf_reals(m, "pos", at, 3);
    mjcf_reals(m, "quat", q, 4);
    shapes_contact(m, s, shape);
    fputs("/>\n", m->f);
}

void mjcf_sort_shapes(mjcf *m)
{
    size_t *at = m->shape_end;

    for (size_t k = 0; k < m->w->shape_count; k++) {
        at[(size_t)m->w->shapes[k].body + 1]++;
    }
    for (size_t k = 0; k < m->w->body_count; k++) {
        at[k + 1] += at[k];
    }
    for (size_t k = 0; k < m->w->shape_count; k++) {
        m->shape[at[m->w->shapes[k].body]++] = k;
    }
}

void mjcf_geoms(mjcf *m, size_t body, int depth)
{
    for (size_t i = body > 0 ? m->shape_end[body - 1] : 0; i < m->shape_end[body]; i++) {
        const size_t k = m->shape[i];
        const perp_shape *s = &m->w->shapes[k];

        for (size_t p = 0; p < s->part_count; p++) {
            double at[3];
            double q[4];

            perp_quat_rotate(s->turn, s->parts[p].at, at);
            perp_quat_multiply(s->turn, s->parts[p].turn, q);
            for (size_t c = 0; c < 3; c++) {
                at[c] += s->at[c];
            }
            shapes_geom(m, &s->parts[p], k, p, at, q, depth);
        }
        if (s->part_count == 0) {
            shapes_geom(m, s, k, 0, s->at, s->turn, depth);
        }
    }
}
