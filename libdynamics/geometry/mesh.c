/* SPDX-License-Identifier: Apache-2.0
 * geometry/mesh.c: surfaces of triangles and the neighbours of triangles.
 *
 * Coincident points are merged, unused points are left out. The neighbour at a side is
 * the triangle with the opposite direction of this side. With its normal m, that of the
 * triangle n and the side's direction d, (n x m).d is the sine of the bend: positive
 * where the surface is convex. */
#include <config.h>

#include <stdlib.h>

#include <perp/dynamics/tree.h>

#include "base/base.h"
#include "geometry/parts.h"
#include "geometry/surface.h"
#include "math/math.h"

/* Triangles whose area is less, in shares of their longest side squared, have no normal
 * that could be told. */
static const double least_area = 1e-14;

/* Sine of a bend that is none, and the share of the largest coordinate by which a corner
 * may be off: files hold seven digits. */
static const double flat_bend = 1e-6;
static const double rounding = 1e-7;

/* A bend that is one, however few digits there are: half a degree. */
static const double plain_bend = 1e-2;

typedef struct draft {
    const double *point;
    const int32_t *corner;
    size_t points, triangles;
    int32_t *number; /* a point: as it is kept, -1: not used */
    size_t kept;
} draft;

static perp_status draft_check(const draft *d, perp_error *err)
{
    if (d->triangles == 0 || d->points == 0) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "mesh: %zu point%s and %zu triangle%s, expected at least one of each",
            d->points, perp_plural(d->points), d->triangles, perp_plural(d->triangles));
    }
    if (d->points > INT32_MAX / 16 || d->triangles > INT32_MAX / 16) {
        return perp_fail(err, PERP_ERR_DATA,
                         "mesh: %zu point%s and %zu triangle%s are too many", d->points,
                         perp_plural(d->points), d->triangles, perp_plural(d->triangles));
    }
    for (size_t k = 0; k < d->points; k++) {
        if (!math_finite(d->point + 3 * k, 3)) {
            return perp_fail(err, PERP_ERR_DATA, "mesh: point %zu is not finite", k);
        }
    }
    for (size_t k = 0; k < 3 * d->triangles; k++) {
        if (d->corner[k] < 0 || (size_t)d->corner[k] >= d->points) {
            return perp_fail(err, PERP_ERR_DATA,
                             "mesh: triangle %zu has corner %d, expected the number of "
                             "one of %zu point%s, from 0",
                             k / 3, (int)d->corner[k], d->points, perp_plural(d->points));
        }
    }
    return PERP_OK;
}

/* Number the points as they are kept. */
static perp_status draft_number(draft *d, perp_error *err)
{
    int32_t *first = math_alloc(d->points, sizeof *first);

    d->number = math_alloc(d->points, sizeof *d->number);
    if (!first || !d->number || !points_first(d->points, d->point, first)) {
        free(first);
        return perp_fail(err, PERP_ERR_MEMORY, "mesh: no memory for %zu points",
                         d->points);
    }
    for (size_t k = 0; k < 3 * d->triangles; k++) {
        d->number[first[d->corner[k]]] = 1;
    }
    for (size_t k = 0; k < d->points; k++) { /* first[k] <= k: known already */
        if ((size_t)first[k] == k) {
            d->number[k] = d->number[k] ? (int32_t)d->kept++ : -1;
        } else {
            d->number[k] = d->number[first[k]];
        }
    }
    free(first);
    return PERP_OK;
}

static size_t mesh_lay_out(perp_mesh *m, char *block)
{
    size_t used = 0;

    parts_carve(block, &used, 1, sizeof *m);
    m->point = parts_carve(block, &used, 3 * m->point_count, sizeof *m->point);
    m->corner = parts_carve(block, &used, 3 * m->triangle_count, sizeof *m->corner);
    m->normal = parts_carve(block, &used, 3 * m->triangle_count, sizeof *m->normal);
    m->beyond = parts_carve(block, &used, 3 * m->triangle_count, sizeof *m->beyond);
    m->convex = parts_carve(block, &used, 3 * m->triangle_count, sizeof *m->convex);
    return used;
}

static perp_mesh *mesh_take(const draft *d)
{
    perp_mesh counts = {
        .point_count = d->kept,
        .triangle_count = d->triangles,
        .references = 1,
    };
    char *block = math_alloc(mesh_lay_out(&counts, NULL), 1);
    perp_mesh *m = (perp_mesh *)(void *)block;

    if (m) {
        *m = counts;
        mesh_lay_out(m, block);
    }
    return m;
}

static void mesh_copy(perp_mesh *m, const draft *d)
{
    perp_aabb box;

    for (size_t k = d->points; k-- > 0;) { /* of points that coincide the first stays */
        if (d->number[k] >= 0) {
            vec3_copy(m->point + 3 * (size_t)d->number[k], d->point + 3 * k);
        }
    }
    for (size_t k = 0; k < 3 * d->triangles; k++) {
        m->corner[k] = d->number[d->corner[k]];
    }
    perp_aabb_of_points(m->point_count, m->point, &box);
    vec3_copy(m->lo, box.lo);
    vec3_copy(m->hi, box.hi);
}

static const double *mesh_corner_at(const perp_mesh *m, size_t t, size_t k)
{
    return m->point + 3 * (size_t)m->corner[3 * t + k % 3];
}

static perp_status mesh_normals(perp_mesh *m, perp_error *err)
{
    for (size_t t = 0; t < m->triangle_count; t++) {
        double side[9];
        double longest = 0.0;
        double *n = m->normal + 3 * t;

        for (size_t k = 0; k < 3; k++) {
            vec3_subtract(mesh_corner_at(m, t, k + 1), mesh_corner_at(m, t, k),
                          side + 3 * k);
            longest = fmax(longest, vec3_length(side + 3 * k));
        }
        if (!(longest > 0.0 && isfinite(longest))) {
            return perp_fail(
                err, PERP_ERR_DATA,
                "mesh: triangle %zu has no area, expected three different corners", t);
        }
        vec3_scale(1.0 / longest, side, side);
        vec3_scale(1.0 / longest, side + 3, side + 3);
        vec3_cross(side, side + 3, n);
        if (!(vec3_normalize(n) > 2.0 * least_area)) {
            return perp_fail(err, PERP_ERR_DATA,
                             "mesh: triangle %zu has no area, expected corners that do "
                             "not lie on one line",
                             t);
        }
    }
    return PERP_OK;
}

/* The height of triangle t over its side k. */
static double mesh_height_over(const perp_mesh *m, size_t t, size_t k)
{
    double d[3];
    double r[3];
    double length = 0.0;

    vec3_subtract(mesh_corner_at(m, t, k + 1), mesh_corner_at(m, t, k), d);
    length = vec3_length(d);
    vec3_subtract(mesh_corner_at(m, t, k + 2), mesh_corner_at(m, t, k), r);
    vec3_cross(d, r, r);
    return vec3_length(r) / length;
}

/* Whether the surface bends away from outside across place k; `beyond` is across it. */
static bool mesh_bends(const perp_mesh *m, size_t k, int32_t beyond, double reach)
{
    const double *n = m->normal + 3 * (k / 3);
    const double *o = NULL;
    double d[3];
    double across[3];
    double sine = 0.0;
    double flat = 0.0;

    if (beyond < 0) {
        return true;
    }
    o = m->normal + 3 * ((size_t)beyond / 3);
    vec3_subtract(mesh_corner_at(m, k / 3, k % 3 + 1), mesh_corner_at(m, k / 3, k % 3),
                  d);
    vec3_normalize(d);
    vec3_cross(n, o, across);
    sine = vec3_dot(across, d);
    flat = fmin(mesh_height_over(m, k / 3, k % 3),
                mesh_height_over(m, (size_t)beyond / 3, (size_t)beyond % 3));
    flat = fmin(fmax(flat_bend, rounding * reach / flat), plain_bend);
    /* folded back upon itself it counts as a blade */
    return sine > flat || (sine >= -flat && vec3_dot(n, o) < 0.0);
}

static perp_status mesh_link(perp_mesh *m, perp_error *err)
{
    size_t uses = 3 * m->triangle_count;
    surface s = {m->triangle_count, math_alloc(m->triangle_count + 1, sizeof *s.start),
                 m->corner};
    int32_t crowded = -1;
    double reach = 0.0;
    perp_status status = PERP_OK;

    if (!s.start) {
        return perp_fail(err, PERP_ERR_MEMORY, "mesh: no memory for %zu triangles",
                         m->triangle_count);
    }
    for (size_t t = 0; t <= m->triangle_count; t++) {
        s.start[t] = (int32_t)(3 * t);
    }
    status = surface_pair(&s, m->beyond, &crowded, err);
    free(s.start);
    if (status != PERP_OK) {
        return status;
    }
    if (crowded >= 0) {
        return perp_fail(err, PERP_ERR_DATA,
                         "mesh: triangle %d shares a side with two other triangles, "
                         "expected at most one",
                         (int)crowded);
    }
    m->closed = true;
    for (int k = 0; k < 3; k++) {
        reach = fmax(reach, fmax(fabs(m->lo[k]), fabs(m->hi[k])));
    }
    for (size_t k = 0; k < uses; k++) {
        int32_t place = m->beyond[k];

        m->closed = m->closed && place >= 0;
        m->beyond[k] = place < 0 ? -1 : place / 3;
        m->convex[k] = mesh_bends(m, k, place, reach);
    }
    return PERP_OK;
}

/* The tree of the triangles' boxes. */
static perp_status mesh_plant(perp_mesh *m, perp_error *err)
{
    perp_aabb *boxes = math_alloc(m->triangle_count, sizeof *boxes);
    perp_status status = PERP_OK;

    if (!boxes) {
        return perp_fail(err, PERP_ERR_MEMORY, "mesh: no memory for %zu boxes",
                         m->triangle_count);
    }
    for (size_t t = 0; t < m->triangle_count; t++) {
        double points[9];

        for (size_t k = 0; k < 3; k++) {
            vec3_copy(points + 3 * k, mesh_corner_at(m, t, k));
        }
        perp_aabb_of_points(3, points, &boxes[t]);
    }
    status = perp_tree_new(&m->tree, 0.0, err);
    if (status == PERP_OK) {
        status = perp_tree_build(m->tree, m->triangle_count, boxes, err);
    }
    free(boxes);
    return status;
}

perp_status perp_mesh_new(perp_mesh **mesh, size_t points, const double *point,
                          size_t triangles, const int32_t *corner, perp_error *err)
{
    draft d = {
        .point = point, .corner = corner, .points = points, .triangles = triangles};
    perp_mesh *m = NULL;
    perp_status status = draft_check(&d, err);

    *mesh = NULL;
    if (status == PERP_OK) {
        status = draft_number(&d, err);
    }
    if (status == PERP_OK) {
        m = mesh_take(&d);
        if (!m) {
            status = perp_fail(err, PERP_ERR_MEMORY, "mesh: no memory for %zu triangles",
                               triangles);
        }
    }
    if (status == PERP_OK) {
        mesh_copy(m, &d);
        status = mesh_normals(m, err);
    }
    if (status == PERP_OK) {
        status = mesh_link(m, err);
    }
    if (status == PERP_OK) {
        status = mesh_plant(m, err);
    }
    free(d.number);
    if (status == PERP_OK) {
        *mesh = m;
    } else {
        perp_mesh_free(m);
    }
    return status;
}

void perp_mesh_hold(perp_mesh *mesh)
{
    mesh->references++;
}

void perp_mesh_free(perp_mesh *mesh)
{
    if (mesh && --mesh->references == 0) {
        perp_tree_free(mesh->tree);
        free(mesh);
    }
}
