/* SPDX-License-Identifier: Apache-2.0
 * tests/support/surfaces.h: surfaces of triangles of known solids, for perp_mesh_free. */
#ifndef PERP_TEST_SURFACES_H
#define PERP_TEST_SURFACES_H

#include <stdlib.h>

#include "contact_queries.h"

static inline perp_mesh *surface_new(size_t points, const double *point, size_t triangles,
                                     const int32_t *corner)
{
    perp_mesh *mesh = NULL;
    perp_error err = {0};

    if (perp_mesh_new(&mesh, points, point, triangles, corner, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a mesh");
    }
    return mesh;
}

/** The faces of a hull as triangles. */
static inline perp_mesh *surface_of_hull(const perp_polytope *h)
{
    int32_t *corner = malloc((size_t)h->face_start[h->face_count] * 3 * sizeof *corner);
    perp_mesh *mesh = NULL;
    size_t count = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(corner);
    for (size_t f = 0; f < h->face_count; f++) {
        for (int32_t k = h->face_start[f] + 1; k + 1 < h->face_start[f + 1]; k++) {
            corner[3 * count] = h->face_corner[h->face_start[f]];
            corner[3 * count + 1] = h->face_corner[k];
            corner[3 * count++ + 2] = h->face_corner[k + 1];
        }
    }
    mesh = surface_new(h->corner_count, h->corner, count, corner);
    free(corner);
    return mesh;
}

/** Triangles that are made. */
typedef struct surface_draft {
    double *point;
    int32_t *corner;
    size_t points, triangles;
} surface_draft;

/** n x n squares of two triangles each, c - u - v to c + u + v, u x v outwards. */
static inline void surface_add_grid(surface_draft *d, size_t n, const double c[3],
                                    const double u[3], const double v[3])
{
    int32_t first = (int32_t)d->points;
    int32_t row = (int32_t)n + 1;

    for (size_t k = 0; k < (n + 1) * (n + 1); k++) {
        double *p = d->point + 3 * d->points++;

        vec3_add(c, 2.0 * (double)(k % (n + 1)) / (double)n - 1.0, u, p);
        vec3_add(p, 2.0 * (double)(k / (n + 1)) / (double)n - 1.0, v, p);
    }
    for (size_t k = 0; k < n * n; k++) {
        int32_t a = first + (int32_t)(k / n) * row + (int32_t)(k % n);
        const int32_t square[6] = {a, a + 1, a + 1 + row, a, a + 1 + row, a + row};

        memcpy(d->corner + 3 * d->triangles, square, sizeof square);
        d->triangles += 2;
    }
}

static inline surface_draft surface_begin(size_t grids, size_t n)
{
    surface_draft d = {.point = malloc(grids * (n + 1) * (n + 1) * 3 * sizeof *d.point),
                       .corner = malloc(grids * n * n * 6 * sizeof *d.corner)};

    CU_ASSERT_FATAL(d.point && d.corner);
    return d;
}

static inline perp_mesh *surface_end(surface_draft *d)
{
    perp_mesh *mesh = surface_new(d->points, d->point, d->triangles, d->corner);

    free(d->point);
    free(d->corner);
    return mesh;
}

/** A floor z = 0 of n x n squares, from -half to half. */
static inline perp_mesh *surface_floor(double half, size_t n)
{
    surface_draft d = surface_begin(1, n);
    const double o[3] = {0, 0, 0};
    const double u[3] = {half, 0, 0};
    const double v[3] = {0, half, 0};

    surface_add_grid(&d, n, o, u, v);
    return surface_end(&d);
}

/** Boxes of half extents h about c, n x n squares on each side; inwards: seen from within. */
static inline perp_mesh *surface_boxes(size_t count, const double (*h)[3],
                                       const double (*c)[3], const bool *inwards,
                                       size_t n)
{
    surface_draft d = surface_begin(6 * count, n);

    for (size_t k = 0; k < 6 * count; k++) {
        const double *half = h[k / 6];
        int x = (int)(k % 3);
        double up = k % 6 < 3 ? 1.0 : -1.0;
        bool turned = (up < 0.0) != inwards[k / 6];
        double o[3];
        double u[3] = {0, 0, 0};
        double v[3] = {0, 0, 0};

        vec3_copy(o, c[k / 6]);
        o[x] += up * half[x];
        u[(x + 1) % 3] = half[(x + 1) % 3];
        v[(x + 2) % 3] = half[(x + 2) % 3];
        surface_add_grid(&d, n, o, turned ? v : u, turned ? u : v);
    }
    return surface_end(&d);
}

static inline perp_mesh *surface_box(double a, double b, double c, size_t n)
{
    const double h[1][3] = {{a, b, c}};
    const double at[1][3] = {{0, 0, 0}};
    const bool inwards = false;

    return surface_boxes(1, h, at, &inwards, n);
}

/** A shape of a mesh. */
static inline perp_shape surface_shape(perp_mesh *mesh)
{
    perp_shape s = shape_of("mesh", 0, 0, 0);

    s.mesh = mesh;
    return s;
}

#endif
