/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/epa_sat.c: depths and distances of boxes and hulls by GJK and EPA
 * against all separating axes: the normals of all faces and all crossed edges, tried in
 * turn,
 *
 *     min over axes n of  max_A n.x - min_B n.x,
 *
 * is the depth of solids that overlap; of others its negative is not above the
 * distance. */
#include <config.h>

#include <stdlib.h>

#include "nearness.h"
#include "polyhedra.h"

/* What is asked for, in shares of the sizes. */
static const double asked = 1e-9;
/* Sines of edges below it make no axis; the faces beside them do. */
static const double parallel = 1e-8;

enum { HULLS = 96, MOST = 24 };

/* A solid's corners, normals of faces, directions of edges, in the world. */
typedef struct solid {
    size_t corners, normals, directions;
    double corner[3 * MOST], normal[3 * 3 * MOST], direction[3 * 3 * MOST];
} solid;

static void turn_all(const perp_placed *at, size_t n, const double *from, double *to)
{
    for (size_t k = 0; k < n; k++) {
        mat3_apply(at->R, from + 3 * k, to + 3 * k);
    }
}

static void solid_of(const perp_placed *at, solid *s)
{
    static const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const perp_polytope *hull = at->shape->polytope;
    double corner[24];

    if (hull) {
        s->corners = hull->corner_count;
        s->normals = hull->face_count;
        s->directions = hull->direction_count;
        CU_ASSERT_FATAL(s->corners <= MOST && s->normals <= 3 * MOST &&
                        s->directions <= 3 * MOST);
        turn_all(at, s->corners, hull->corner, s->corner);
        turn_all(at, s->normals, hull->normal, s->normal);
        turn_all(at, s->directions, hull->direction, s->direction);
    } else {
        polyhedron_box(at->shape->size, corner);
        s->corners = 8;
        s->normals = s->directions = 3;
        turn_all(at, 8, corner, s->corner);
        turn_all(at, 3, axes, s->normal);
        turn_all(at, 3, axes, s->direction);
    }
    for (size_t k = 0; k < s->corners; k++) {
        vec3_add(s->corner + 3 * k, 1.0, at->x, s->corner + 3 * k);
    }
}

static void reach(const solid *s, const double n[3], double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t k = 0; k < s->corners; k++) {
        double x = vec3_dot(n, s->corner + 3 * k);

        *low = x < *low ? x : *low;
        *high = x > *high ? x : *high;
    }
}

/* Along n and against it. */
static double along(const solid *a, const solid *b, const double n[3])
{
    double low[2];
    double high[2];

    reach(a, n, &low[0], &high[0]);
    reach(b, n, &low[1], &high[1]);
    return fmin(high[0] - low[1], high[1] - low[0]);
}

static double all_axes(const solid *a, const solid *b)
{
    double best = INFINITY;
    double n[3];

    for (size_t k = 0; k < a->normals; k++) {
        best = fmin(best, along(a, b, a->normal + 3 * k));
    }
    for (size_t k = 0; k < b->normals; k++) {
        best = fmin(best, along(a, b, b->normal + 3 * k));
    }
    for (size_t k = 0; k < a->directions; k++) {
        for (size_t l = 0; l < b->directions; l++) {
            vec3_cross(a->direction + 3 * k, b->direction + 3 * l, n);
            if (vec3_normalize(n) > parallel) {
                best = fmin(best, along(a, b, n));
            }
        }
    }
    return best;
}

static size_t overlapping;
static double worst;

static void compare(const perp_placed *a, const perp_placed *b, double size)
{
    const perp_narrow_type *sat = perp_narrow_find("sat");
    solid s;
    solid t;
    perp_proximity p;
    perp_proximity q;
    double depth;
    double off;

    solid_of(a, &s);
    solid_of(b, &t);
    depth = all_axes(&s, &t);
    perp_epa(a, b, NULL, &p);
    off = depth > 0.0 ? fabs(p.gap + depth) : fmax(0.0, -depth - p.gap);
    overlapping += depth > 0.0;
    worst = fmax(worst, off / size);
    CU_ASSERT(p.converged);
    CU_ASSERT(off <= asked * size);
    CU_ASSERT(depth > 0.0 ? p.gap <= asked * size : p.gap >= -asked * size);
    is_consistent(&p, asked * size);
    CU_ASSERT(fabs(along(&s, &t, p.normal) + p.gap) <= asked * size || p.gap > 0.0);
    CU_ASSERT_EQUAL_FATAL(perp_proximity_find(sat, a, b, NULL, &q, NULL), PERP_OK);
    CU_ASSERT_DOUBLE_EQUAL(p.gap, q.gap, asked * size);
}

/* Anyhow; by quarter turns; nearly so. */
static void draw_rotation(perp_random *g, int how, double q[4])
{
    static const double quarter[4][4] = {
        {1, 0, 0, 0}, {1, 1, 0, 0}, {1, 0, 1, 0}, {0.5, 0.5, 0.5, 0.5}};
    double r[3];

    draw_pose(g, 1.0, r, q);
    if (how > 0) {
        memcpy(q, quarter[perp_random_integer(g, 0, 3)], 4 * sizeof *q);
        q[1] += how > 1 ? perp_random_uniform(g, -1e-7, 1e-7) : 0.0;
        q[3] += how > 1 ? perp_random_uniform(g, -1e-7, 1e-7) : 0.0;
        perp_quat_normalize(q);
    }
}

static int draws(int usual)
{
    return getenv("PERP_TEST_BRIEF") ? usual / 20 : usual;
}

TEST(depths_of_boxes_are_those_of_fifteen_axes)
{
    perp_random g = {41};
    int n = draws(60000);

    overlapping = 0;
    worst = 0.0;
    for (int k = 0; k < n; k++) {
        perp_shape s[2] = {shape_of("box", 1, 1, 1), shape_of("box", 1, 1, 1)};
        perp_placed at[2];
        double scale = k % 7 == 0 ? 1e-4 : 1.0; /* of the second */

        for (int b = 0; b < 2; b++) {
            double x[3];
            double q[4];

            draw_rotation(&g, k % 4 == 0 ? 1 + k / 4 % 2 : 0, q);
            for (int c = 0; c < 3; c++) {
                s[b].size[c] = (b ? scale : 1.0) * perp_random_uniform(&g, 0.1, 1.0);
                x[c] = perp_random_uniform(&g, -0.7, 0.7);
            }
            if (k % 8 == 0) { /* halves, so that faces and edges touch exactly */
                for (int c = 0; c < 3; c++) {
                    s[b].size[c] = 0.5 * (double)perp_random_integer(&g, 1, 2);
                    x[c] = 0.5 * (double)perp_random_integer(&g, -1, 1);
                }
            }
            at[b] = placed_at(&s[b], x, q);
        }
        compare(&at[0], &at[1], vec3_length(s[0].size) + vec3_length(s[1].size));
    }
    CU_ASSERT(overlapping > (size_t)n / 4 && overlapping < 3 * (size_t)n / 4);
    test_note("%d pairs, %zu overlap, worst %.1e of the size", n, overlapping, worst);
}

static void hulls_of(size_t least, size_t most, int n)
{
    perp_random g = {43};
    static perp_shape hull[HULLS];

    for (size_t k = 0; k < HULLS; k++) {
        double points[3 * MOST];
        size_t corners = least + k % (most - least + 1);

        polyhedron_sphere(&g, corners, points);
        for (size_t c = 0; c < 3 * corners; c++) {
            points[c] *= perp_random_uniform(&g, 0.5, 1.0);
        }
        hull[k] = hull_of(corners, points, 3);
    }
    overlapping = 0;
    worst = 0.0;
    for (int k = 0; k < n; k++) {
        perp_placed at[2];

        for (int b = 0; b < 2; b++) {
            double x[3];
            double q[4];

            draw_rotation(&g, k % 4 == 0 ? 1 + k / 4 % 2 : 0, q);
            for (int c = 0; c < 3; c++) {
                x[c] = perp_random_uniform(&g, -0.8, 0.8);
            }
            at[b] = placed_at(&hull[perp_random_integer(&g, 0, HULLS - 1)], x, q);
        }
        compare(&at[0], &at[1], 2.0);
    }
    CU_ASSERT(overlapping > (size_t)n / 10 && overlapping < 9 * (size_t)n / 10);
    test_note("%d pairs, %zu overlap, worst %.1e of the size", n, overlapping, worst);
    for (size_t k = 0; k < HULLS; k++) {
        perp_polytope_free(hull[k].polytope);
    }
}

TEST(depths_of_hulls_are_those_of_all_axes)
{
    hulls_of(4, 7, draws(40000));
}

TEST(depths_of_hulls_of_many_corners_are_too)
{
    hulls_of(16, MOST, draws(300));
}

TEST_MAIN("dynamics/epa_sat")
