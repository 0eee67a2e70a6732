/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/rays_surface.c: where rays meet surfaces of triangles and compounds. */
#include <config.h>

#include "solids.h"

enum { RAYS = 600 };

/* Of rays as long as 20 sizes, some of which graze. */
static const double near = 1e-10;

/* Each part by itself is the other way. */
TEST(a_compound_is_hit_where_its_nearest_part_is)
{
    perp_shape s[SPECIMENS];
    perp_shape whole = shape_of("compound", 0, 0, 0);
    perp_random g = {31};
    size_t hits = 0;
    size_t inside = 0;

    specimens_make(s);
    for (size_t k = 0; k < SPECIMENS; k++) {
        draw_pose(&g, 2.0, s[k].at, s[k].turn);
    }
    whole.parts = s;
    whole.part_count = SPECIMENS;
    for (int c = 0; c < RAYS; c++) {
        double x[3], q[4], o[3], d[3];
        perp_placed placed;
        perp_ray_hit hit;
        perp_ray_hit best = {.t = INFINITY};

        draw_pose(&g, 1.0, x, q);
        placed = placed_at(&whole, x, q);
        draw_direction(&g, o);
        vec3_add(x, 6.0 * perp_random_unit(&g), o, o);
        draw_direction(&g, d);
        for (size_t k = 0; k < SPECIMENS; k++) {
            perp_placed part = {.shape = &s[k]};
            double R[9];
            perp_ray_hit one;

            perp_rotation_matrix(s[k].turn, R);
            mat3_multiply(placed.R, R, part.R);
            mat3_apply(placed.R, s[k].at, part.x);
            vec3_add(placed.x, 1.0, part.x, part.x);
            if (perp_ray_cast(&part, 3, o, d, INFINITY, &one) && one.t < best.t) {
                best = one;
                best.part = k;
            }
        }
        CU_ASSERT_EQUAL(perp_ray_cast(&placed, 3, o, d, INFINITY, &hit),
                        isfinite(best.t));
        if (isfinite(best.t)) {
            hits++;
            inside += best.t == 0.0;
            CU_ASSERT_EQUAL(hit.part, best.part);
            CU_ASSERT_DOUBLE_EQUAL(hit.t, best.t, near);
            vec3_subtract(hit.normal, best.normal, d);
            CU_ASSERT(vec3_length(d) <= 1e-7); /* the root of rounding, where it grazes */
        }
    }
    CU_ASSERT(hits > RAYS / 4);
    CU_ASSERT(inside > 10);
    specimens_free(s);
}

/* The surface of a hull, each face a fan. */
static perp_mesh *surface_of(const perp_polytope *hull)
{
    int32_t corner[3 * 600];
    size_t count = 0;
    perp_mesh *mesh = NULL;

    for (size_t f = 0; f < hull->face_count; f++) {
        for (int32_t k = hull->face_start[f] + 2; k < hull->face_start[f + 1]; k++) {
            CU_ASSERT_FATAL(count < 600);
            corner[3 * count] = hull->face_corner[hull->face_start[f]];
            corner[3 * count + 1] = hull->face_corner[k - 1];
            corner[3 * count + 2] = hull->face_corner[k];
            count++;
        }
    }
    OK(perp_mesh_new(&mesh, hull->corner_count, hull->corner, count, corner, NULL));
    CU_ASSERT(mesh->closed);
    return mesh;
}

/* From outside it is that of the hull; from inside, that of the hull by the same ray come
 * back. */
TEST(a_surface_is_hit_from_both_sides)
{
    perp_shape hull[SPECIMENS];
    perp_shape s = shape_of("mesh", 0, 0, 0);
    perp_random g = {41};
    size_t out = 0;
    size_t in = 0;

    specimens_make(hull);
    s.mesh = surface_of(hull[1].polytope);
    for (int c = 0; c < RAYS; c++) {
        double x[3], q[4], o[3], d[3], end[3];
        perp_placed placed[2];
        perp_ray_hit hit[2];
        bool found[2];

        draw_pose(&g, 2.0, x, q);
        placed[0] = placed_at(&s, x, q);
        placed[1] = placed_at(&hull[1], x, q);
        draw_direction(&g, o);
        vec3_add(x, 2.0 * perp_random_unit(&g), o, o);
        draw_direction(&g, d);
        for (int k = 0; k < 2; k++) {
            found[k] = perp_ray_cast(&placed[k], 3, o, d, 9.0, &hit[k]);
        }
        CU_ASSERT_EQUAL(found[0], found[1]);
        if (found[0] && hit[1].t == 0.0) {
            vec3_add(o, 9.0, d, end);
            vec3_scale(-1.0, d, d);
            CU_ASSERT_FATAL(perp_ray_cast(&placed[1], 3, end, d, 9.0, &hit[1]));
            hit[1].t = 9.0 - hit[1].t;
            vec3_scale(-1.0, hit[1].normal, hit[1].normal);
            in++;
        }
        if (found[0]) {
            out++;
            CU_ASSERT_DOUBLE_EQUAL(hit[0].t, hit[1].t, near);
            CU_ASSERT(vec3_dot(hit[0].normal, hit[1].normal) >= 1.0 - 1e-12);
            CU_ASSERT(hit[0].part < s.mesh->triangle_count);
            CU_ASSERT_FALSE(perp_ray_cast(&placed[0], 3, o, d, 0.0, &hit[0]));
        }
    }
    CU_ASSERT(out > RAYS / 4);
    CU_ASSERT(in > RAYS / 4);
    specimens_free(hull);
}

/* Rays from inside at every corner and at points of every side: none slips between two
 * triangles. */
TEST(no_ray_passes_between_two_triangles)
{
    perp_shape hull[SPECIMENS];
    perp_shape s = shape_of("mesh", 0, 0, 0);
    const double x[3] = {0.1, -0.2, 0.3};
    const double q[4] = {0.5, -0.5, 0.1, 0.7};
    perp_placed placed;
    double turn[4];
    perp_random g = {51};

    specimens_make(hull);
    s.mesh = surface_of(hull[1].polytope);
    memcpy(turn, q, sizeof turn);
    perp_quat_normalize(turn);
    placed = placed_at(&s, x, turn);
    for (size_t k = 0; k < 3 * s.mesh->triangle_count; k++) {
        const double *a = s.mesh->point + 3 * (size_t)s.mesh->corner[k];
        const double *b =
            s.mesh->point + 3 * (size_t)s.mesh->corner[k % 3 == 2 ? k - 2 : k + 1];

        for (int c = 0; c < 5; c++) {
            double f = c < 2 ? 0.0 : perp_random_unit(&g);
            double o[3], p[3], d[3];
            perp_ray_hit hit;

            draw_direction(&g, o);
            vec3_scale(0.3, o, o);
            vec3_add(x, 1.0, o, o);
            vec3_subtract(b, a, p);
            vec3_add(a, f, p, p);
            mat3_apply(placed.R, p, p);
            vec3_add(placed.x, 1.0, p, p);
            vec3_subtract(p, o, d);
            CU_ASSERT(perp_ray_cast(&placed, 3, o, d, INFINITY, &hit));
            CU_ASSERT_DOUBLE_EQUAL(hit.t, 1.0, 1e-12);
        }
    }
    specimens_free(hull);
}

/* A square of two triangles, flat, so that the boxes of its tree are flat too. */
TEST(a_flat_surface_is_hit_and_missed)
{
    const double points[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    const int32_t corner[] = {0, 1, 2, 0, 2, 3};
    const double x[3] = {0};
    perp_shape s = shape_of("mesh", 0, 0, 0);
    perp_placed placed = placed_at(&s, x, NULL);
    perp_ray_hit hit;

    OK(perp_mesh_new(&s.mesh, 4, points, 2, corner, NULL));
    CU_ASSERT(perp_ray_cast(&placed, 3, (double[]){0.7, 0.2, 2}, (double[]){0, 0, -1}, 9,
                            &hit));
    CU_ASSERT_EQUAL(hit.t, 2.0);
    CU_ASSERT_EQUAL(hit.part, 0);
    CU_ASSERT_EQUAL(hit.normal[2], 1.0);
    CU_ASSERT(perp_ray_cast(&placed, 3, (double[]){0.2, 0.7, -2}, (double[]){0, 0, 1}, 9,
                            &hit));
    CU_ASSERT_EQUAL(hit.part, 1);
    CU_ASSERT_EQUAL(hit.normal[2], -1.0);
    /* on their common side the lower one, on a corner, and just beside it */
    CU_ASSERT(perp_ray_cast(&placed, 3, (double[]){0.5, 0.5, 1}, (double[]){0, 0, -1}, 9,
                            &hit));
    CU_ASSERT_EQUAL(hit.part, 0);
    CU_ASSERT(
        perp_ray_cast(&placed, 3, (double[]){1, 1, 1}, (double[]){0, 0, -1}, 9, &hit));
    CU_ASSERT_FALSE(perp_ray_cast(&placed, 3, (double[]){1 + 1e-12, 1, 1},
                                  (double[]){0, 0, -1}, 9, &hit));
    CU_ASSERT_FALSE(
        perp_ray_cast(&placed, 3, (double[]){0.5, 0.5, 1}, (double[]){1, 0, 0}, 9, &hit));
    CU_ASSERT_FALSE(perp_ray_cast(&placed, 3, (double[]){0.7, 0.2, 2},
                                  (double[]){0, 0, -1}, 1.9, &hit));
}
