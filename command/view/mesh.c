/* SPDX-License-Identifier: Apache-2.0
 * view/mesh.c: surfaces of shapes as triangles: rounds by their profiles, flat shapes and hulls by
 * their faces, flat worlds by prisms.
 *
 * Corners of round shapes lie on the surface, so a full circle of n sides loses the share
 * 1 - sin(2 pi/n)/(2 pi/n), about 6.6/n^2, of its area, and a ball 16.5/n^2 of its volume. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/geometry.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/view/mesh.h"

/* A mesh that grows. */
typedef struct mesh_build {
    view_mesh *mesh;
    size_t vertex_room, triangle_room;
} mesh_build;

/* Room for three numbers of each of `needed` vertices or triangles. */
static void *mesh_room(void *numbers, size_t *room, size_t needed, size_t size)
{
    return take_more(numbers, room, needed, 3 * size);
}

static uint32_t mesh_vertex(mesh_build *b, double x, double y, double z,
                            const double n[3])
{
    view_mesh *m = b->mesh;

    size_t room = b->vertex_room;
    double *p = NULL;

    m->vertices = mesh_room(m->vertices, &room, m->vertex_count + 1, sizeof(double));
    m->normals =
        mesh_room(m->normals, &b->vertex_room, m->vertex_count + 1, sizeof(double));
    p = m->vertices + 3 * m->vertex_count;
    p[0] = x;
    p[1] = y;
    p[2] = z;
    memcpy(m->normals + 3 * m->vertex_count, n, 3 * sizeof *n);
    return (uint32_t)m->vertex_count++;
}

static void mesh_triangle(mesh_build *b, uint32_t i, uint32_t j, uint32_t k)
{
    view_mesh *m = b->mesh;

    uint32_t *t = NULL;

    m->triangles =
        mesh_room(m->triangles, &b->triangle_room, m->triangle_count + 1, sizeof *t);
    t = m->triangles + 3 * m->triangle_count++;
    t[0] = i;
    t[1] = j;
    t[2] = k;
}

/* Unit length; false where there is no direction. */
static bool mesh_unit(double n[3])
{
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);

    for (size_t k = 0; k < 3 && length > 0.0; k++) {
        n[k] /= length;
    }
    return length > 0.0;
}

/* A flat polygon, counter-clockwise seen against its normal. */
static void mesh_polygon(mesh_build *b, size_t count, const double *corners,
                         const double n[3])
{
    uint32_t first = 0;

    for (size_t k = 0; k < count; k++) {
        const double *p = corners + 3 * k;
        uint32_t at = mesh_vertex(b, p[0], p[1], p[2], n);

        first = k == 0 ? at : first;
        if (k >= 2) {
            mesh_triangle(b, first, at - 1, at);
        }
    }
}

/* A triangle with the normal of its plane; one without area is left out. */
static void mesh_facet(mesh_build *b, const double *p, const double *q, const double *r)
{
    double corners[9];
    double u[3];
    double v[3];
    double n[3];

    for (size_t k = 0; k < 3; k++) {
        corners[k] = p[k];
        corners[3 + k] = q[k];
        corners[6 + k] = r[k];
        u[k] = q[k] - p[k];
        v[k] = r[k] - p[k];
    }
    for (size_t k = 0; k < 3; k++) {
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    }
    if (mesh_unit(n)) {
        mesh_polygon(b, 3, corners, n);
    }
}

/* A row of a profile: radius, height, and the normal by radius and height. */
typedef struct mesh_row {
    double r, z, nr, nz;
} mesh_row;

/* Turn a profile, from low to high, about z. Between two rows lies a band; rows of radius 0 are
 * one corner of each of its triangles. */
static void mesh_turned(mesh_build *b, unsigned segments, size_t count,
                        const mesh_row *rows)
{
    uint32_t before = 0;

    for (size_t k = 0; k < count; k++) {
        uint32_t first = 0;

        for (unsigned s = 0; s < segments; s++) {
            double angle = 2.0 * M_PI * s / segments;
            const double n[3] = {rows[k].nr * cos(angle), rows[k].nr * sin(angle),
                                 rows[k].nz};
            uint32_t at = mesh_vertex(b, rows[k].r * cos(angle), rows[k].r * sin(angle),
                                      rows[k].z, n);

            first = s == 0 ? at : first;
        }
        for (unsigned s = 0; s < segments && k > 0; s++) {
            uint32_t t = (s + 1) % segments;

            if (rows[k - 1].r > 0.0) {
                mesh_triangle(b, before + s, before + t, first + s);
            }
            if (rows[k].r > 0.0) {
                mesh_triangle(b, before + t, first + t, first + s);
            }
        }
        before = first;
    }
}

/* Rows of a part of a circle of radius r about the height z, from the latitude `from` in steps of
 * pi/half. */
static void mesh_arc(mesh_build *b, unsigned segments, size_t rows, double from,
                     double step, double r, double z)
{
    for (size_t k = 0; k + 1 < rows; k++) {
        mesh_row pair[2];

        for (size_t e = 0; e < 2; e++) {
            double angle = from + step * (double)(k + e);
            bool pole = fabs(angle) > M_PI_2 - 1e-9;
            double c = pole ? 0.0 : cos(angle);
            double s = pole ? copysign(1.0, angle) : sin(angle);

            pair[e] = (mesh_row){r * c, z + r * s, c, s};
        }
        mesh_turned(b, segments, 2, pair);
    }
}

static void mesh_ball(mesh_build *b, unsigned segments, double r)
{
    unsigned rows = segments / 2;

    mesh_arc(b, segments, rows + 1, -M_PI_2, M_PI / rows, r, 0.0);
}

/* A ball stretched along its axes; normals shrink along them. */
static void mesh_ellipsoid(mesh_build *b, unsigned segments, const double size[3])
{
    view_mesh *m = b->mesh;

    mesh_ball(b, segments, 1.0);
    for (size_t k = 0; k < m->vertex_count; k++) {
        for (size_t c = 0; c < 3; c++) {
            m->vertices[3 * k + c] *= size[c];
            m->normals[3 * k + c] /= size[c];
        }
        mesh_unit(m->normals + 3 * k);
    }
}

static void mesh_capsule(mesh_build *b, unsigned segments, double r, double length)
{
    unsigned rows = segments / 4 > 1 ? segments / 4 : 2;
    const mesh_row side[2] = {{r, -length / 2, 1.0, 0.0}, {r, length / 2, 1.0, 0.0}};

    mesh_arc(b, segments, rows + 1, -M_PI_2, M_PI_2 / rows, r, -length / 2);
    mesh_turned(b, segments, 2, side);
    mesh_arc(b, segments, rows + 1, 0.0, M_PI_2 / rows, r, length / 2);
}

static void mesh_cylinder(mesh_build *b, unsigned segments, double r, double length)
{
    const mesh_row bottom[2] = {{0.0, -length / 2, 0.0, -1.0},
                                {r, -length / 2, 0.0, -1.0}};
    const mesh_row side[2] = {{r, -length / 2, 1.0, 0.0}, {r, length / 2, 1.0, 0.0}};
    const mesh_row top[2] = {{r, length / 2, 0.0, 1.0}, {0.0, length / 2, 0.0, 1.0}};

    mesh_turned(b, segments, 2, bottom);
    mesh_turned(b, segments, 2, side);
    mesh_turned(b, segments, 2, top);
}

/* The tip has a normal per side. */
static void mesh_cone(mesh_build *b, unsigned segments, double r, double length)
{
    double slant = sqrt(r * r + length * length);
    const mesh_row bottom[2] = {{0.0, -length / 2, 0.0, -1.0},
                                {r, -length / 2, 0.0, -1.0}};
    const mesh_row side[2] = {{r, -length / 2, length / slant, r / slant},
                              {0.0, length / 2, length / slant, r / slant}};

    mesh_turned(b, segments, 2, bottom);
    mesh_turned(b, segments, 2, side);
}

/* The box between two corners. */
static void mesh_box(mesh_build *b, const double low[3], const double high[3])
{
    for (size_t face = 0; face < 6; face++) {
        size_t axis = face / 2;
        size_t u = (axis + 1) % 3;
        size_t v = (axis + 2) % 3;
        bool upper = face % 2;
        double n[3] = {0};
        double corners[12];

        n[axis] = upper ? 1.0 : -1.0;
        for (size_t k = 0; k < 4; k++) {
            /* 00, 10, 11, 01 along u, v; the other way round below */
            bool first = k == 1 || k == 2;
            bool second = k >= 2;

            corners[3 * k + axis] = upper ? high[axis] : low[axis];
            corners[3 * k + u] = (upper ? first : second) ? high[u] : low[u];
            corners[3 * k + v] = (upper ? second : first) ? high[v] : low[v];
        }
        mesh_polygon(b, 4, corners, n);
    }
}

/* A prism over a polygon of the plane, counter-clockwise; `round`: smooth sides. */
static void mesh_prism(mesh_build *b, size_t count, const double *corners, bool round,
                       double depth)
{
    double *flat = take(3 * count, sizeof *flat);
    const double up[3] = {0.0, 0.0, 1.0};
    const double down[3] = {0.0, 0.0, -1.0};

    for (size_t end = 0; end < 2; end++) {
        for (size_t k = 0; k < count; k++) {
            const double *p = corners + 3 * (end ? k : count - 1 - k);

            flat[3 * k] = p[0];
            flat[3 * k + 1] = p[1];
            flat[3 * k + 2] = end ? depth / 2 : -depth / 2;
        }
        mesh_polygon(b, count, flat, end ? up : down);
    }
    for (size_t k = 0; k < count; k++) {
        const double *p = corners + 3 * k;
        const double *q = corners + 3 * ((k + 1) % count);
        double side[3] = {q[1] - p[1], p[0] - q[0], 0.0};
        double n_p[3] = {p[0], p[1], 0.0};
        double n_q[3] = {q[0], q[1], 0.0};
        uint32_t at = 0;

        mesh_unit(side);
        mesh_unit(n_p);
        mesh_unit(n_q);
        at = mesh_vertex(b, p[0], p[1], -depth / 2, round ? n_p : side);
        mesh_vertex(b, q[0], q[1], -depth / 2, round ? n_q : side);
        mesh_vertex(b, q[0], q[1], depth / 2, round ? n_q : side);
        mesh_vertex(b, p[0], p[1], depth / 2, round ? n_p : side);
        mesh_triangle(b, at, at + 1, at + 2);
        mesh_triangle(b, at, at + 2, at + 3);
    }
    free(flat);
}

static void mesh_disc(mesh_build *b, unsigned segments, double r, double depth)
{
    double *corners = take((size_t)segments * 3, sizeof(double));

    for (unsigned s = 0; s < segments; s++) {
        corners[3 * s] = r * cos(2.0 * M_PI * s / segments);
        corners[3 * s + 1] = r * sin(2.0 * M_PI * s / segments);
    }
    mesh_prism(b, segments, corners, true, depth);
    free(corners);
}

/* The faces of the hull of points; in the plane the prism over their polygon. */
static perp_status mesh_hull(mesh_build *b, bool flat, size_t count, const double *points,
                             double depth, perp_error *err)
{
    perp_polytope *hull = NULL;
    double *corners = NULL;
    size_t most = 0;

    TRY(flat ? perp_polygon_new(&hull, count, points, err)
             : perp_polytope_new(&hull, count, points, err));
    most = hull->corner_count;
    corners = take(3 * most, sizeof *corners);
    /* In the plane each face is a side from one corner to the next. */
    for (size_t k = 0, at = 0; flat && k < most; k++) {
        memcpy(corners + 3 * k, hull->corner + 3 * at, 3 * sizeof *corners);
        for (size_t f = 0; f < hull->face_count; f++) {
            const int32_t *side = hull->face_corner + hull->face_start[f];

            if ((size_t)side[0] == at) {
                at = (size_t)side[1];
                break;
            }
        }
    }
    if (flat) {
        mesh_prism(b, most, corners, false, depth);
    }
    for (size_t f = 0; !flat && f < hull->face_count; f++) {
        size_t first = (size_t)hull->face_start[f];
        size_t sides = (size_t)hull->face_start[f + 1] - first;

        for (size_t k = 0; k < sides; k++) {
            memcpy(corners + 3 * k,
                   hull->corner + 3 * (size_t)hull->face_corner[first + k],
                   3 * sizeof *corners);
        }
        mesh_polygon(b, sides, corners, hull->normal + 3 * f);
    }
    free(corners);
    perp_polytope_free(hull);
    return PERP_OK;
}

static void mesh_surface(mesh_build *b, const motion *m, const motion_shape *shape)
{
    const double *points = m->vertices + 3 * shape->first_vertex;

    for (size_t k = 0; k < shape->triangle_count; k++) {
        const uint32_t *t = m->triangles + 3 * (shape->first_triangle + k);

        mesh_facet(b, points + 3 * (size_t)t[0], points + 3 * (size_t)t[1],
                   points + 3 * (size_t)t[2]);
    }
}

/* In two dimensions a plane is solid at y <= 0: a slab as thick as it is deep. */
static void mesh_plane(mesh_build *b, bool flat, double half, double depth)
{
    const double low[3] = {-half, -depth, -depth / 2};
    const double high[3] = {half, 0.0, depth / 2};
    const double corners[12] = {-half, -half, 0, half,  -half, 0,
                                half,  half,  0, -half, half,  0};
    const double up[3] = {0.0, 0.0, 1.0};

    if (flat) {
        mesh_box(b, low, high);
    } else {
        mesh_polygon(b, 4, corners, up);
    }
}

static void mesh_cuboid(mesh_build *b, bool flat, const double size[3], double depth)
{
    const double half[3] = {size[0], size[1], flat ? depth / 2 : size[2]};
    const double low[3] = {-half[0], -half[1], -half[2]};

    mesh_box(b, low, half);
}

perp_status view_mesh_make(view_mesh *mesh, const motion *m, const motion_shape *shape,
                           const view_mesh_orders *orders, perp_error *err)
{
    const char *type = shape->type->name;
    const double *size = shape->size;
    bool flat = m->dimension == 2;
    unsigned n = orders->segments;
    mesh_build b = {.mesh = mesh};
    perp_status status = PERP_OK;

    memset(mesh, 0, sizeof *mesh);
    if (strcmp(type, "sphere") == 0 && flat) {
        mesh_disc(&b, n, size[0], orders->depth);
    } else if (strcmp(type, "sphere") == 0) {
        mesh_ball(&b, n, size[0]);
    } else if (strcmp(type, "box") == 0) {
        mesh_cuboid(&b, flat, size, orders->depth);
    } else if (shape->type->unbounded) {
        mesh_plane(&b, flat, orders->plane, orders->depth);
    } else if (shape->type->is_mesh) {
        mesh_surface(&b, m, shape);
    } else if (shape->type->from_points) {
        status = mesh_hull(&b, flat, shape->vertex_count,
                           m->vertices + 3 * shape->first_vertex, orders->depth, err);
    } else if (strcmp(type, "cylinder") == 0) {
        mesh_cylinder(&b, n, size[0], size[1]);
    } else if (strcmp(type, "capsule") == 0) {
        mesh_capsule(&b, n, size[0], size[1]);
    } else if (strcmp(type, "cone") == 0) {
        mesh_cone(&b, n, size[0], size[1]);
    } else if (strcmp(type, "ellipsoid") == 0) {
        mesh_ellipsoid(&b, n, size);
    } else {
        status = perp_fail(err, PERP_ERR_UNSUITABLE,
                           "%s: a shape is a %s, expected one with a known surface",
                           m->source ? m->source : "motion", type);
    }
    if (status != PERP_OK) {
        view_mesh_free(mesh);
    }
    return status;
}

void view_mesh_free(view_mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->normals);
    free(mesh->triangles);
    memset(mesh, 0, sizeof *mesh);
}
