/* SPDX-License-Identifier: Apache-2.0
 * geometry/mesh.c: surfaces of triangles and the neighbours of triangles.
 *
 * Coincident points are merged, unused points and triangles without area are left out. The
 * neighbour at a side is the triangle with the opposite direction of this side, across a
 * triangle without area one beyond that. With its normal m, that of the triangle n and the
 * side's direction d, (n x m).d is the sine of the bend: positive where the surface is
 * convex. */
#include <config.h>

#include <stdlib.h>

#include <perp/dynamics/tree.h>

#include "base/base.h"
#include "geometry/draft.h"
#include "geometry/parts.h"
#include "geometry/shells.h"
#include "geometry/surface.h"
#include "math/math.h"

/* Sine of a bend that is none, and the share of the largest coordinate by which a corner
 * may be off: files hold seven digits. */
static const double flat_bend = 1e-6;
static const double rounding = 1e-7;

/* Sine of sides that continue each other. */
static const double straight = 1e-5;

/* A bend that is one, however few digits there are: half a degree. */
static const double plain_bend = 1e-2;

static size_t mesh_lay_out(perp_mesh *m, char *block)
{
    size_t used = 0;

    parts_carve(block, &used, 1, sizeof *m);
    m->point = parts_carve(block, &used, 3 * m->point_count, sizeof *m->point);
    m->corner = parts_carve(block, &used, 3 * (m->triangle_count + m->sliver_count),
                            sizeof *m->corner);
    m->normal = parts_carve(block, &used, 3 * m->triangle_count, sizeof *m->normal);
    m->beyond = parts_carve(block, &used, 3 * m->triangle_count, sizeof *m->beyond);
    m->convex = parts_carve(block, &used, 3 * m->triangle_count, sizeof *m->convex);
    m->use_start = parts_carve(block, &used, m->point_count + 1, sizeof *m->use_start);
    m->use = parts_carve(block, &used, 3 * m->triangle_count, sizeof *m->use);
    m->sharp = parts_carve(block, &used, m->point_count, sizeof *m->sharp);
    m->counts = parts_carve(block, &used, m->triangle_count, sizeof *m->counts);
    return used;
}

static perp_mesh *mesh_take(const draft *d)
{
    perp_mesh counts = {
        .point_count = d->kept_points,
        .triangle_count = d->kept,
        .sliver_count = d->slivers,
        .thin_count = d->triangles - d->kept,
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
    double longest = 0.0;

    for (size_t k = d->points; k-- > 0;) { /* of points that coincide the first stays */
        if (d->number[k] >= 0) {
            vec3_copy(m->point + 3 * (size_t)d->number[k], d->point + 3 * k);
        }
    }
    for (size_t t = 0; t < d->kept; t++) {
        size_t from = (size_t)d->original[t];

        draft_normal(d, from, m->normal + 3 * t, &longest);
        for (size_t k = 0; k < 3; k++) {
            m->corner[3 * t + k] = d->number[d->corner[3 * from + k]];
        }
    }
    for (size_t t = 0, to = 3 * d->kept; t < d->triangles && d->slivers > 0; t++) {
        for (size_t k = 0; k < 3 && draft_is_sliver(d, t); k++) {
            m->corner[to++] = d->number[d->corner[3 * t + k]];
        }
    }
    while (m->thin_count > 0 && !d->thin[m->first_thin]) {
        m->first_thin++;
    }
    perp_aabb_of_points(m->point_count, m->point, &box);
    vec3_copy(m->lo, box.lo);
    vec3_copy(m->hi, box.hi);
}

static const double *mesh_corner_at(const perp_mesh *m, size_t t, size_t k)
{
    return m->point + 3 * (size_t)m->corner[3 * t + k % 3];
}

/* The triangles at each point, ascending. */
static void mesh_list_uses(perp_mesh *m)
{
    int32_t *next = m->use_start + 1; /* while filling: where the next one goes */
    int32_t sum = 0;

    for (size_t k = 0; k < 3 * m->triangle_count; k++) {
        next[m->corner[k]]++;
    }
    for (size_t p = 0; p < m->point_count; p++) {
        int32_t count = next[p];

        next[p] = sum;
        sum += count;
    }
    for (size_t k = 0; k < 3 * m->triangle_count; k++) {
        m->use[next[m->corner[k]]++] = (int32_t)(k / 3);
    }
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

/* The triangles of three different points, also those without area, by their sides. */
typedef struct links {
    surface s;
    int32_t *given;  /* their numbers in the draft */
    int32_t *kept;   /* those in the mesh, -1: without area */
    int32_t *beyond; /* a place: that of the side the other way, -1: none */
    int32_t *alike;  /* that of the only other side, when it runs the same way, or -1 */
} links;

static void links_free(links *l)
{
    surface_free(&l->s);
    free(l->given);
    free(l->kept);
    free(l->beyond);
    free(l->alike);
}

static bool links_take(links *l, const draft *d)
{
    if (!surface_alloc(&l->s, d->triangles, 3 * d->triangles)) {
        return false;
    }
    l->given = math_alloc(d->triangles, sizeof *l->given);
    l->kept = math_alloc(d->triangles, sizeof *l->kept);
    l->beyond = math_alloc(3 * d->triangles, sizeof *l->beyond);
    l->alike = math_alloc(3 * d->triangles, sizeof *l->alike);
    return l->given && l->kept && l->beyond && l->alike;
}

/* `slivers`: with those triangles without area that may connect others. */
static void links_list(links *l, const draft *d, bool slivers)
{
    size_t count = 0;
    int32_t kept = 0;

    for (size_t t = 0; t < d->triangles; t++) {
        if (!d->thin[t] || (slivers && draft_is_sliver(d, t))) {
            for (size_t k = 0; k < 3; k++) {
                l->s.corner[3 * count + k] = d->first[d->corner[3 * t + k]];
            }
            l->given[count] = (int32_t)t;
            l->kept[count++] = d->thin[t] ? -1 : kept++;
            l->s.start[count] = (int32_t)(3 * count);
        }
    }
    l->s.count = count;
}

/* Whether each side has one the other way; `crowded` as of surface_pair. */
static perp_status links_pair(links *l, const draft *d, bool slivers, bool *closed,
                              int32_t *crowded, perp_error *err)
{
    perp_status status = PERP_OK;

    links_list(l, d, slivers);
    status = surface_pair(&l->s, l->beyond, l->alike, crowded, err);
    *closed = *crowded < 0;
    for (size_t k = 0; k < 3 * l->s.count && status == PERP_OK; k++) {
        *closed = *closed && l->beyond[k] >= 0;
    }
    return status;
}

/* The longest side of linked triangle t: that across which the two others lie. */
static int32_t links_longest(const links *l, const draft *d, int32_t t)
{
    double most = -1.0;
    int32_t best = 0;

    for (int32_t k = 0; k < 3; k++) {
        double side[3];

        vec3_subtract(d->point + 3 * (size_t)l->s.corner[3 * t + (k + 1) % 3],
                      d->point + 3 * (size_t)l->s.corner[3 * t + k], side);
        if (vec3_length(side) > most) {
            most = vec3_length(side);
            best = k;
        }
    }
    return best;
}

/* The place beyond `place` in the mesh, across triangles without area; -1: none. From a short
 * side of such a triangle on it is across the longest one, and from that across the first
 * other one that ends at a triangle. */
static int32_t links_across(const links *l, const draft *d, int32_t place)
{
    int32_t p = l->beyond[place];

    for (size_t steps = 0; p >= 0 && l->kept[p / 3] < 0 && steps < l->s.count; steps++) {
        int32_t t = p / 3;
        int32_t longest = links_longest(l, d, t);
        int32_t one = l->beyond[3 * t + (p + 1) % 3];
        int32_t two = l->beyond[3 * t + (p + 2) % 3];

        if (p % 3 != longest) {
            p = l->beyond[3 * t + longest];
        } else {
            p = one >= 0 && (two < 0 || l->kept[one / 3] >= 0) ? one : two;
        }
    }
    return p >= 0 && l->kept[p / 3] >= 0 ? 3 * l->kept[p / 3] + p % 3 : -1;
}

/* The neighbours of all triangles, with slivers where these close the surface. */
static perp_status mesh_pair(perp_mesh *m, const draft *d, links *l, perp_error *err)
{
    int32_t crowded = -1;
    bool with = false;
    perp_status status = links_pair(l, d, false, &m->closed, &crowded, err);

    if (status == PERP_OK && !m->closed && d->slivers > 0) {
        status = links_pair(l, d, true, &with, &crowded, err);
        m->closed = with;
        if (status == PERP_OK && !with) {
            status = links_pair(l, d, false, &m->closed, &crowded, err);
        }
    }
    m->sliver_count = with ? d->slivers : 0;
    if (status == PERP_OK && crowded >= 0) {
        status = perp_fail(err, PERP_ERR_DATA,
                           "mesh: triangle %d shares a side with two other triangles, "
                           "expected at most one",
                           (int)l->given[crowded]);
    }
    return status;
}

static perp_status mesh_link(perp_mesh *m, const draft *d, links *l, perp_error *err)
{
    double reach = 0.0;

    if (!links_take(l, d)) {
        return perp_fail(err, PERP_ERR_MEMORY, "mesh: no memory for %zu triangles",
                         d->triangles);
    }
    TRY(mesh_pair(m, d, l, err));
    for (int k = 0; k < 3; k++) {
        reach = fmax(reach, fmax(fabs(m->lo[k]), fabs(m->hi[k])));
    }
    for (size_t k = 0; k < 3 * l->s.count; k++) {
        int32_t kept = l->kept[k / 3];

        if (kept >= 0) {
            size_t place = 3 * (size_t)kept + k % 3;
            int32_t across = links_across(l, d, (int32_t)k);

            m->beyond[place] = across < 0 ? -1 : across / 3;
            m->convex[place] = mesh_bends(m, place, across, reach);
        }
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
    status = perp_tree_new(&m->tree, err);
    if (status == PERP_OK) {
        status = perp_tree_build(m->tree, m->triangle_count, boxes, err);
    }
    free(boxes);
    return status;
}

/* Whether convex sides of two directions end at a point. */
static bool mesh_is_sharp(const perp_mesh *m, int32_t p)
{
    double along[3] = {0.0, 0.0, 0.0};
    bool any = false;

    for (int32_t u = m->use_start[p]; u < m->use_start[p + 1]; u++) {
        size_t t = (size_t)m->use[u];

        for (size_t k = 0; k < 3; k++) {
            double d[3];
            double across[3];

            if (!m->convex[3 * t + k] ||
                (m->corner[3 * t + k] != p && m->corner[3 * t + (k + 1) % 3] != p)) {
                continue;
            }
            vec3_subtract(mesh_corner_at(m, t, k + 1), mesh_corner_at(m, t, k), d);
            vec3_normalize(d);
            vec3_cross(along, d, across);
            if (any && vec3_length(across) > straight) {
                return true;
            }
            vec3_copy(along, any ? along : d);
            any = true;
        }
    }
    return false;
}

static void mesh_find_sharp(perp_mesh *m)
{
    for (size_t p = 0; p < m->point_count; p++) {
        if (mesh_is_sharp(m, (int32_t)p)) {
            m->sharp[m->sharp_count++] = (int32_t)p;
        }
    }
    if (m->sharp_count == 0) { /* a surface seen from within, or too fine to bend */
        for (size_t p = 0; p < m->point_count; p++) {
            m->sharp[m->sharp_count++] = (int32_t)p;
        }
    }
}

/* All that follows from the points and triangles. */
static perp_status mesh_complete(perp_mesh *m, const draft *d, perp_error *err)
{
    links l = {0};
    perp_status status = PERP_OK;

    mesh_copy(m, d);
    mesh_list_uses(m);
    status = mesh_link(m, d, &l, err);
    if (status == PERP_OK) {
        status = mesh_plant(m, err);
    }
    if (status == PERP_OK && m->closed) {
        status = shells_find(m, d->original, err);
    } else if (status == PERP_OK) {
        status = shells_find_odd(m, l.s.count, l.beyond, l.alike, l.given, err);
    }
    if (status == PERP_OK) {
        mesh_find_sharp(m);
    }
    links_free(&l);
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
        status = draft_find(&d, err);
    }
    if (status == PERP_OK) {
        m = mesh_take(&d);
        status = m ? mesh_complete(m, &d, err)
                   : perp_fail(err, PERP_ERR_MEMORY, "mesh: no memory for %zu triangles",
                               triangles);
    }
    draft_free(&d);
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
