/* SPDX-License-Identifier: Apache-2.0
 * geometry/parts.c: memory of polytopes and what follows from their corners and faces. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/inertia.h>

#include "geometry/parts.h"
#include "geometry/surface.h"
#include "math/math.h"

/* Corners are dealt with so many at a time. */
static const size_t lane_width = 8;

/* Every array begins where a cache line does. */
static const size_t line = 64;

void *parts_carve(char *block, size_t *used, size_t count, size_t size)
{
    void *part = block ? block + *used : NULL;

    *used += (count * size + line - 1) / line * line;
    return part;
}

/* Lay the arrays of h out from its own end; the bytes they take with it. */
static size_t parts_lay_out(perp_polytope *h, char *block, size_t uses)
{
    size_t used = 0;

    parts_carve(block, &used, 1, sizeof *h);
    h->corner = parts_carve(block, &used, 3 * h->corner_count, sizeof *h->corner);
    h->normal = parts_carve(block, &used, 3 * h->face_count, sizeof *h->normal);
    h->area = parts_carve(block, &used, h->face_count, sizeof *h->area);
    h->height = parts_carve(block, &used, h->face_count, sizeof *h->height);
    h->face_start = parts_carve(block, &used, h->face_count + 1, sizeof *h->face_start);
    h->face_corner = parts_carve(block, &used, uses, sizeof *h->face_corner);
    h->edge = parts_carve(block, &used, 2 * h->edge_count, sizeof *h->edge);
    h->edge_face = parts_carve(block, &used, 2 * h->edge_count, sizeof *h->edge_face);
    h->direction = parts_carve(block, &used, 3 * h->edge_count, sizeof *h->direction);
    h->near_start = parts_carve(block, &used, h->corner_count + 1, sizeof *h->near_start);
    h->near = parts_carve(block, &used, uses, sizeof *h->near);
    h->x = parts_carve(block, &used, h->lanes, sizeof *h->x);
    h->y = parts_carve(block, &used, h->lanes, sizeof *h->y);
    h->z = parts_carve(block, &used, h->lanes, sizeof *h->z);
    return used;
}

perp_polytope *parts_alloc(size_t corners, size_t faces, size_t uses, size_t edges)
{
    perp_polytope counts = {
        .corner_count = corners,
        .face_count = faces,
        .edge_count = edges,
        .lanes = (corners + lane_width - 1) / lane_width * lane_width,
        .references = 1,
    };
    char *block = math_alloc(parts_lay_out(&counts, NULL, uses), 1);
    perp_polytope *h = (perp_polytope *)(void *)block;

    if (h) {
        *h = counts;
        parts_lay_out(h, block, uses);
    }
    return h;
}

void perp_polytope_hold(perp_polytope *hull)
{
    hull->references++;
}

void perp_polytope_free(perp_polytope *hull)
{
    if (hull && --hull->references == 0) {
        free(hull);
    }
}

static int parts_edge_compare(const void *a, const void *b)
{
    const edge_place *x = a;
    const edge_place *y = b;

    if (x->low != y->low) {
        return x->low < y->low ? -1 : 1;
    }
    return x->high < y->high ? -1 : x->high > y->high;
}

void parts_edges(perp_polytope *h, edge_place *edges)
{
    qsort(edges, h->edge_count, sizeof *edges, parts_edge_compare);
    for (size_t e = 0; e < h->edge_count; e++) {
        h->edge[2 * e] = edges[e].low;
        h->edge[2 * e + 1] = edges[e].high;
        h->edge_face[2 * e] = edges[e].face[0];
        h->edge_face[2 * e + 1] = edges[e].face[1];
    }
}

typedef struct ranked {
    double key;
    int32_t edge;
} ranked;

static int ranked_compare(const void *a, const void *b)
{
    const ranked *x = a;
    const ranked *y = b;

    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return x->edge < y->edge ? -1 : x->edge > y->edge;
}

/* The unit vector along edge e. */
static void parts_edge_direction(const perp_polytope *h, size_t e, double d[3])
{
    vec3_subtract(h->corner + 3 * (size_t)h->edge[2 * e + 1],
                  h->corner + 3 * (size_t)h->edge[2 * e], d);
    vec3_normalize(d);
}

/* Mark the edges parallel to that of place `at` in the ranking that come after it. Keys
 * of parallel edges differ by no more than the sine. */
static void parts_mark_parallel(const ranked *rank, size_t count, size_t at,
                                const double *direction, double same, bool *parallel)
{
    const double *d = direction + 3 * (size_t)rank[at].edge;
    double across[3];

    for (int way = -1; way <= 1; way += 2) {
        for (size_t k = at + (size_t)way;
             k < count && fabs(rank[k].key - rank[at].key) <= 2.0 * same;
             k += (size_t)way) {
            int32_t e = rank[k].edge;

            if (e > rank[at].edge && !parallel[e]) {
                vec3_cross(d, direction + 3 * (size_t)e, across);
                parallel[e] = vec3_dot(across, across) <= same * same;
            }
        }
    }
}

/* Edges are ranked by |u.d| for a u to which few edges are alike, so that only few are
 * compared. */
perp_status parts_directions(perp_polytope *h, double same, perp_error *err)
{
    static const double u[3] = {0.5773502691896258, 0.2113248654051871,
                                0.7886751345948129};
    size_t n = h->edge_count;
    ranked *rank = math_alloc(n, sizeof *rank);
    int32_t *place = math_alloc(n, sizeof *place);
    bool *parallel = math_alloc(n, sizeof *parallel);
    perp_status status = PERP_OK;

    if (!rank || !place || !parallel) {
        status = perp_fail(err, PERP_ERR_MEMORY, "hull: no memory for %zu edges", n);
        goto done;
    }
    for (size_t e = 0; e < n; e++) {
        parts_edge_direction(h, e, h->direction + 3 * e);
        rank[e].key = fabs(vec3_dot(u, h->direction + 3 * e));
        rank[e].edge = (int32_t)e;
    }
    qsort(rank, n, sizeof *rank, ranked_compare);
    for (size_t k = 0; k < n; k++) {
        place[rank[k].edge] = (int32_t)k;
    }
    for (size_t e = 0; e < n; e++) {
        if (!parallel[e]) {
            parts_mark_parallel(rank, n, (size_t)place[e], h->direction, same, parallel);
        }
    }
    for (size_t e = 0; e < n; e++) {
        if (!parallel[e]) {
            vec3_copy(h->direction + 3 * h->direction_count++, h->direction + 3 * e);
        }
    }
done:
    free(rank);
    free(place);
    free(parallel);
    return status;
}

/* Edges ascend, so that the lower neighbours of a corner come in order before the higher
 * ones. */
void parts_neighbours(perp_polytope *h)
{
    int32_t *next = h->near_start + 1; /* while filling: where the next one goes */
    int32_t sum = 0;

    for (size_t k = 0; k < 2 * h->edge_count; k++) {
        next[h->edge[k]]++;
    }
    for (size_t c = 0; c < h->corner_count; c++) {
        int32_t count = next[c];

        next[c] = sum;
        sum += count;
    }
    for (size_t e = 0; e < h->edge_count; e++) {
        int32_t low = h->edge[2 * e];
        int32_t high = h->edge[2 * e + 1];

        h->near[next[low]++] = high;
        h->near[next[high]++] = low;
    }
}

void parts_lanes(perp_polytope *h)
{
    for (size_t k = 0; k < h->lanes; k++) {
        const double *p = h->corner + 3 * (k < h->corner_count ? k : 0);

        h->x[k] = p[0];
        h->y[k] = p[1];
        h->z[k] = p[2];
    }
}

void parts_heights(perp_polytope *h)
{
    for (size_t f = 0; f < h->face_count; f++) {
        h->height[f] = -INFINITY;
        for (int32_t k = h->face_start[f]; k < h->face_start[f + 1]; k++) {
            const double *p = h->corner + 3 * (size_t)h->face_corner[k];

            h->height[f] = fmax(h->height[f], vec3_dot(h->normal + 3 * f, p));
        }
    }
}

/* The mean of the corners: an inner point. */
static void parts_mean_corner(const perp_polytope *h, double o[3])
{
    const double *first = h->corner;

    vec3_set(o, 0.0, 0.0, 0.0);
    for (size_t c = 0; c < h->corner_count; c++) {
        double a[3];

        vec3_subtract(h->corner + 3 * c, first, a);
        vec3_add(o, 1.0 / (double)h->corner_count, a, o);
    }
    vec3_add(first, 1.0, o, o);
}

/* Each face counts with the pyramid from the inner point: its height times area, and of
 * each of its triangles a share. */
void parts_center(perp_polytope *h)
{
    double o[3];
    double sum[3] = {0.0, 0.0, 0.0};
    double volume = 0.0;
    double corners_of_one = 4.0; /* a tetrahedron; in the plane a triangle */

    parts_mean_corner(h, o);
    for (size_t f = 0; f < h->face_count; f++) {
        int32_t start = h->face_start[f];
        bool side = h->face_start[f + 1] == start + 2;
        double a[3];
        double b[3];
        double c[3];

        corners_of_one = side ? 3.0 : 4.0;
        vec3_subtract(h->corner + 3 * (size_t)h->face_corner[start], o, a);
        for (int32_t k = start + 1; k + (side ? 0 : 1) < h->face_start[f + 1]; k++) {
            double part = 0.0;

            vec3_subtract(h->corner + 3 * (size_t)h->face_corner[k], o, b);
            if (side) {
                vec3_set(c, 0.0, 0.0, 0.0);
                part = a[0] * b[1] - a[1] * b[0];
            } else {
                double cross[3];

                vec3_subtract(h->corner + 3 * (size_t)h->face_corner[k + 1], o, c);
                vec3_cross(b, c, cross);
                part = vec3_dot(a, cross);
            }
            volume += part;
            vec3_add(sum, part, a, sum);
            vec3_add(sum, part, b, sum);
            vec3_add(sum, part, c, sum);
        }
    }
    vec3_add(o, 1.0 / (corners_of_one * volume), sum, h->center);
}

void parts_reach(perp_polytope *h)
{
    for (size_t c = 0; c < h->corner_count; c++) {
        double a[3];

        vec3_subtract(h->corner + 3 * c, h->center, a);
        h->reach = fmax(h->reach, vec3_length(h->corner + 3 * c));
        h->extent = fmax(h->extent, vec3_length(a));
    }
}

/* The faces as triangles, three corners each, for free(); NULL without memory. */
static int32_t *polytope_fan(const perp_polytope *hull, size_t *triangles)
{
    int32_t *fan =
        math_alloc((size_t)hull->face_start[hull->face_count], 3 * sizeof *fan);

    *triangles = 0;
    for (size_t f = 0; fan && f < hull->face_count; f++) {
        int32_t start = hull->face_start[f];

        for (int32_t k = start + 1; k + 1 < hull->face_start[f + 1]; k++) {
            int32_t *t = fan + 3 * (*triangles)++;

            t[0] = hull->face_corner[start];
            t[1] = hull->face_corner[k];
            t[2] = hull->face_corner[k + 1];
        }
    }
    return fan;
}

perp_status polytope_inertia(const perp_polytope *hull, double density, double *m,
                             double center[3], double inertia[9], perp_error *err)
{
    size_t triangles = 0;
    int32_t *fan = polytope_fan(hull, &triangles);
    perp_status status = PERP_OK;

    if (fan) {
        status = perp_inertia_mesh(density, hull->corner, triangles, fan, m, center,
                                   inertia, err);
    } else {
        status = perp_fail(err, PERP_ERR_MEMORY, "inertia: no memory for %zu faces",
                           hull->face_count);
    }
    free(fan);
    return status;
}
