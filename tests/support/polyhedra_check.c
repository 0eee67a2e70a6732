/* SPDX-License-Identifier: Apache-2.0
 * tests/support/polyhedra_check.c: what holds of every polytope. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "dynamics.h"
#include "polyhedra.h"
#include "world/world.h"

perp_polytope *polytope_of(size_t n, const double *points)
{
    perp_polytope *h = NULL;
    perp_error err = {0};

    if (perp_polytope_new(&h, n, points, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a hull");
    }
    return h;
}

/* Faces look away from all points, their sides pair up, and corners are points. */
static void check_faces(const perp_polytope *h, size_t n, const double *points,
                        double tolerance)
{
    size_t uses = (size_t)h->face_start[h->face_count];

    for (size_t f = 0; f < h->face_count; f++) {
        const double *normal = h->normal + 3 * f;
        const double *a = h->corner + 3 * (size_t)h->face_corner[h->face_start[f]];
        double off = 0.0;

        CU_ASSERT_DOUBLE_EQUAL(vec3_length(normal), 1.0, 1e-15); /* four roundings */
        CU_ASSERT(h->area[f] > 0.0);
        CU_ASSERT(h->face_start[f + 1] >= h->face_start[f] + 3);
        for (size_t k = 0; k < n; k++) {
            double d[3];

            vec3_subtract(points + 3 * k, a, d);
            off = fmax(off, vec3_dot(d, normal));
        }
        CU_ASSERT(off <= tolerance);
    }
    CU_ASSERT_EQUAL(uses, 2 * h->edge_count);
    CU_ASSERT_EQUAL(h->corner_count + h->face_count, h->edge_count + 2); /* Euler */
}

int32_t polytope_side(const perp_polytope *h, int32_t f, int32_t from, int32_t to)
{
    int32_t start = h->face_start[f];
    int32_t end = h->face_start[f + 1];

    for (int32_t k = start; k < end; k++) {
        int32_t next = k + 1 < end ? k + 1 : start;

        if (h->face_corner[k] == from && h->face_corner[next] == to) {
            return k;
        }
    }
    return -1;
}

static void check_edges(const perp_polytope *h)
{
    for (size_t e = 0; e < h->edge_count; e++) {
        const int32_t *c = h->edge + 2 * e;
        const int32_t *f = h->edge_face + 2 * e;
        double d[3];
        double across[3];
        double least = 1.0;

        CU_ASSERT(c[0] < c[1]);
        CU_ASSERT(e == 0 || c[-2] < c[0] || (c[-2] == c[0] && c[-1] < c[1]));
        CU_ASSERT(polytope_side(h, f[0], c[0], c[1]) >= 0);
        CU_ASSERT(polytope_side(h, f[1], c[1], c[0]) >= 0);
        vec3_subtract(h->corner + 3 * c[1], h->corner + 3 * c[0], d);
        vec3_normalize(d);
        for (size_t k = 0; k < h->direction_count; k++) {
            vec3_cross(d, h->direction + 3 * k, across);
            least = fmin(least, vec3_length(across));
        }
        CU_ASSERT(least <= 1e-9); /* by which directions are told apart */
    }
    for (size_t k = 0; k < h->direction_count; k++) {
        for (size_t l = 0; l < k; l++) {
            double across[3];

            vec3_cross(h->direction + 3 * l, h->direction + 3 * k, across);
            CU_ASSERT(vec3_length(across) > 1e-9);
        }
    }
}

static void check_neighbours(const perp_polytope *h)
{
    CU_ASSERT_EQUAL(h->near_start[0], 0);
    CU_ASSERT_EQUAL((size_t)h->near_start[h->corner_count], 2 * h->edge_count);
    for (size_t c = 0; c < h->corner_count; c++) {
        CU_ASSERT(h->near_start[c + 1] - h->near_start[c] >= 3);
        for (int32_t k = h->near_start[c]; k < h->near_start[c + 1]; k++) {
            CU_ASSERT(k == h->near_start[c] || h->near[k - 1] < h->near[k]);
        }
    }
    for (size_t e = 0; e < h->edge_count; e++) {
        for (int way = 0; way < 2; way++) {
            int32_t from = h->edge[2 * e + (size_t)way];
            int32_t to = h->edge[2 * e + (size_t)(1 - way)];
            int found = 0;

            for (int32_t k = h->near_start[from]; k < h->near_start[from + 1]; k++) {
                found += h->near[k] == to;
            }
            CU_ASSERT_EQUAL(found, 1);
        }
    }
}

static void check_lanes(const perp_polytope *h)
{
    CU_ASSERT_EQUAL(h->lanes % 8, 0);
    CU_ASSERT(h->lanes >= h->corner_count && h->lanes < h->corner_count + 8);
    for (size_t k = 0; k < h->lanes; k++) {
        const double *p = h->corner + 3 * (k < h->corner_count ? k : 0);
        const double lane[3] = {h->x[k], h->y[k], h->z[k]};

        CU_ASSERT_EQUAL(memcmp(lane, p, sizeof lane), 0);
    }
}

void polytope_check_order(const perp_polytope *h, size_t n, const double *points)
{
    size_t at = 0;

    for (size_t c = 0; c < h->corner_count; c++) {
        while (at < n && memcmp(h->corner + 3 * c, points + 3 * at, 24) != 0) {
            at++;
        }
        CU_ASSERT(at < n);
        at++;
    }
}

void polytope_check(const perp_polytope *h, size_t n, const double *points, double size)
{
    double reach = 0.0;
    double extent = 0.0;
    double m = 0.0;
    double center[3];
    double I[9];

    /* planes are merged to 1e-7 of the size, seen from the largest of their facets */
    check_faces(h, n, points, 1e-6 * size);
    check_edges(h);
    check_neighbours(h);
    check_lanes(h);
    polytope_check_order(h, n, points);
    for (size_t k = 0; k < n; k++) {
        double d[3];

        vec3_subtract(points + 3 * k, h->center, d);
        reach = fmax(reach, vec3_length(points + 3 * k));
        extent = fmax(extent, vec3_length(d));
    }
    CU_ASSERT_DOUBLE_EQUAL(h->reach, reach, 1e-6 * size);
    CU_ASSERT_DOUBLE_EQUAL(h->extent, extent, 1e-6 * size);
    OK(perp_inertia_hull(1.0, n, points, &m, center, I, NULL));
    /* two ways to sum, of coordinates of size `reach` */
    test_agree("centre", h->center, center, 3, 1e-12 * (size + reach));
    CU_ASSERT_EQUAL(h->references, 1);
}
