/* SPDX-License-Identifier: Apache-2.0
 * mesh_pairs.c: contacts of convex shapes with surfaces of triangles: a floor of many is
 * a plane, a closed box of twelve a box, a landscape the nearest of its triangles. */
#include <config.h>

#include "collision/triangle.h"
#include "surfaces.h"

/* Distances of size 1 by iterations that stop at 1e-12. */
static const double gap_tolerance = 1e-10;
/* Two such distances of round shapes, each by its own search. */
static const double search_tolerance = 5e-10;
/* 1 - cosine: of directions whose sine is known to the root of that. */
static const double normal_tolerance = 1e-7;
/* Four points stand for the rim of a base: 3e-5 of a radius above the lowest. */
static const double rim_tolerance = 3e-5;

enum { CELLS = 12 };

/* CELLS^2 squares of side 1/2 about the origin. */
static perp_mesh *floor_new(void)
{
    return surface_floor(0.25 * CELLS, CELLS);
}

/* A world of the mesh on a static body at the origin, and a body of the shape. */
static perp_world *world_of(perp_mesh *mesh, const perp_shape *shape, const double r[3],
                            const double q[4])
{
    const perp_shape surface = surface_shape(mesh);

    return two_bodies(&surface, shape, r, q);
}

/* The round and the edgy shapes that meet surfaces here. */
static perp_shape shape_number(int k, double room[24])
{
    switch (k) {
    case 0:
        return shape_of("sphere", 0.3, 0, 0);
    case 1:
        return shape_of("box", 0.3, 0.4, 0.2);
    case 2:
        return shape_of("capsule", 0.2, 0.5, 0);
    case 3:
        return shape_of("cylinder", 0.3, 0.5, 0);
    case 4:
        return shape_of("cone", 0.3, 0.6, 0);
    case 5:
        return shape_of("ellipsoid", 0.3, 0.2, 0.4);
    default:
        return hull_of_box(0.2, 0.3, 0.25, room);
    }
}

enum { SHAPES = 7, POSES = 150 };

TEST(a_floor_of_triangles_is_a_plane)
{
    perp_mesh *mesh = floor_new();
    perp_random g = {11};
    size_t told = 0;

    for (int k = 0; k < SHAPES * POSES; k++) {
        double room[24];
        perp_shape shape = shape_number(k % SHAPES, room);
        perp_contacts contacts = {0};
        perp_world *world = NULL;
        double r[3], q[4];
        double gap = 0.0;

        draw_pose(&g, 1.0, r, q);
        r[2] += perp_random_uniform(&g, -0.05, 0.05) - gap_over_plane(&shape, r, q);
        gap = gap_over_plane(&shape, r, q);
        world = world_of(mesh, &shape, r, q);
        collide(world, 0.06, &contacts);
        CU_ASSERT_DOUBLE_EQUAL(deepest(&contacts)->gap, gap, gap_tolerance);
        for (size_t c = 0; c < contacts.count; c++) {
            CU_ASSERT_DOUBLE_EQUAL(contacts.at[c].normal[2], 1.0, normal_tolerance);
        }
        keys_are_distinct(&contacts);
        told += contacts.count;
    }
    CU_ASSERT(told > SHAPES * POSES);
}

TEST(a_body_behind_the_surface_does_not_meet_it)
{
    perp_mesh *mesh = floor_new();
    perp_shape shape = shape_of("sphere", 0.3, 0, 0);
    const double r[3] = {0.1, 0.2, -0.2};
    perp_world *world = world_of(mesh, &shape, r, NULL);
    perp_contacts contacts = {0};

    collide(world, 0.1, &contacts);
    CU_ASSERT_EQUAL(contacts.count, 0);
}

/* A crate of triangles against a box of the same size: nearest points outside it. */
TEST(a_closed_box_of_triangles_is_a_box)
{
    const double h[3] = {0.5, 0.7, 0.4};
    perp_mesh *mesh = surface_box(h[0], h[1], h[2], 1);
    perp_random g = {12};
    size_t near = 0;

    for (int k = 0; k < 2 * SHAPES * POSES; k++) {
        double room[24];
        perp_shape shape = shape_number(k % SHAPES, room);
        perp_shape box = shape_of("box", h[0], h[1], h[2]);
        perp_placed a = {.shape = &box, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        perp_placed b = {.shape = NULL};
        perp_placed m = a;
        perp_proximity p, s;
        perp_contacts contacts = {0};
        perp_world *world = NULL;
        double r[3], q[4];

        draw_pose(&g, 1.2, r, q);
        world = world_of(mesh, &shape, r, q);
        b.shape = &world->shapes[1];
        perp_shape_pose(world->start, b.shape, b.R, b.x);
        m.shape = &world->shapes[0];
        perp_gjk(&a, &b, NULL, NULL, &p);
        collide(world, 0.5, &contacts);
        if (p.gap > 0.01 && p.gap < 0.5) {
            const perp_contact *c = deepest(&contacts);

            near++;
            OK(perp_proximity_find(NULL, &m, &b, NULL, &s, NULL));
            CU_ASSERT_DOUBLE_EQUAL(s.gap, p.gap, search_tolerance);
            CU_ASSERT(vec3_dot(s.normal, p.normal) > 1.0 - normal_tolerance);
            CU_ASSERT(c->gap > p.gap - search_tolerance &&
                      c->gap < p.gap + rim_tolerance);
            CU_ASSERT(vec3_dot(c->normal, p.normal) > 1.0 - normal_tolerance);
        }
        keys_are_distinct(&contacts);
    }
    CU_ASSERT(near > SHAPES * POSES / 2);
}

/* The nearest point of a triangle by its Voronoi regions. */
static double triangle_distance(const double x[3], const double *a, const double *b,
                                const double *c)
{
    const double *p[3] = {a, b, c};
    double n[3], e[3], f[3];
    double best = INFINITY;
    bool within = true;

    vec3_subtract(b, a, e);
    vec3_subtract(c, a, f);
    vec3_cross(e, f, n);
    vec3_normalize(n);
    for (int k = 0; k < 3; k++) {
        double side[3], d[3], in[3];
        double s = 0.0;

        vec3_subtract(p[(k + 1) % 3], p[k], side);
        vec3_subtract(x, p[k], d);
        vec3_cross(n, side, in);
        within = within && vec3_dot(in, d) >= 0.0;
        s = fmax(0.0, fmin(1.0, vec3_dot(d, side) / vec3_dot(side, side)));
        vec3_add(d, -s, side, d);
        best = fmin(best, vec3_length(d));
    }
    vec3_subtract(x, a, e);
    return within ? fabs(vec3_dot(n, e)) : best;
}

TEST(a_ball_over_a_landscape_is_as_far_as_the_nearest_triangle)
{
    double point[3 * (CELLS + 1) * (CELLS + 1)];
    perp_random g = {13};
    perp_shape shape = shape_of("sphere", 0.2, 0, 0);
    perp_mesh *mesh = NULL;
    size_t near = 0;

    mesh = floor_new();
    memcpy(point, mesh->point, sizeof point);
    for (size_t k = 0; k < mesh->point_count; k++) {
        point[3 * k + 2] = perp_random_uniform(&g, 0.0, 0.3);
    }
    mesh = surface_new(mesh->point_count, point, mesh->triangle_count, mesh->corner);
    for (int k = 0; k < 20 * POSES; k++) {
        double r[3] = {perp_random_uniform(&g, -2.0, 2.0),
                       perp_random_uniform(&g, -2.0, 2.0),
                       perp_random_uniform(&g, 0.4, 0.8)};
        double least = INFINITY;
        perp_contacts contacts = {0};
        perp_world *world = world_of(mesh, &shape, r, NULL);

        for (size_t t = 0; t < mesh->triangle_count; t++) {
            const int32_t *c = mesh->corner + 3 * t;

            least = fmin(least, triangle_distance(r, mesh->point + 3 * (size_t)c[0],
                                                  mesh->point + 3 * (size_t)c[1],
                                                  mesh->point + 3 * (size_t)c[2]));
        }
        collide(world, 0.1, &contacts);
        if (least - 0.2 < 0.1 - gap_tolerance) {
            near++;
            CU_ASSERT_DOUBLE_EQUAL(deepest(&contacts)->gap, least - 0.2, gap_tolerance);
        } else {
            CU_ASSERT_EQUAL(contacts.count, 0);
        }
    }
    CU_ASSERT(near > 2 * POSES);
}

/* The keys of a box that slides by far less than a triangle stay. */
TEST(keys_stay_while_the_same_triangles_are_touched)
{
    perp_mesh *mesh = floor_new();
    perp_shape shape = shape_of("box", 0.3, 0.4, 0.2);
    perp_contacts first = {0};
    perp_contacts then = {0};

    for (int k = 0; k < 10; k++) {
        const double r[3] = {0.11 + 1e-4 * k, 0.07, 0.2 - 1e-5 * k};
        perp_world *world = world_of(mesh, &shape, r, NULL);

        collide(world, 0.01, k == 0 ? &first : &then);
        CU_ASSERT(first.count >= 4);
        if (k > 0) {
            CU_ASSERT_EQUAL_FATAL(then.count, first.count);
            for (size_t c = 0; c < first.count; c++) {
                CU_ASSERT_EQUAL(first.at[c].key, then.at[c].key);
            }
        }
    }
}

/* A slab whose corners all lie beyond the crate that it touches, or overlaps. */
TEST(a_distance_is_that_of_the_deepest_contact)
{
    const double h[3] = {0.4, 0.3, 0.2};
    perp_mesh *mesh = surface_box(h[0], h[1], h[2], 1);
    perp_shape slab = shape_of("box", 3.0, 2.0, 0.5);
    perp_random g = {53};
    perp_contacts contacts = {0};

    for (int draw = 0; draw < 200; draw++) {
        double depth = draw % 4 ? perp_random_uniform(&g, 0.0, 0.1) : 0.0;
        const double r[3] = {perp_random_uniform(&g, -1.5, 1.5),
                             perp_random_uniform(&g, -1.0, 1.0), 0.7 - depth};
        perp_world *world = world_of(mesh, &slab, r, NULL);
        perp_placed at[2] = {{.shape = &world->shapes[0]}, {.shape = &world->shapes[1]}};
        perp_proximity p;

        for (int k = 0; k < 2; k++) {
            perp_shape_pose(world->start, at[k].shape, at[k].R, at[k].x);
        }
        for (int order = 0; order < 2; order++) {
            OK(perp_proximity_find(NULL, &at[order], &at[1 - order], NULL, &p, NULL));
            CU_ASSERT_DOUBLE_EQUAL(p.gap, -depth, gap_tolerance);
            CU_ASSERT_DOUBLE_EQUAL(p.normal[2], order ? -1.0 : 1.0, normal_tolerance);
        }
        collide(world, 0.1, &contacts);
        CU_ASSERT_DOUBLE_EQUAL(deepest(&contacts)->gap, -depth, gap_tolerance);
    }
}

/* The same contacts from the other side. */
TEST(a_surface_may_come_second)
{
    const double h[3] = {0.4, 0.3, 0.2};
    const double origin[3] = {0};
    const perp_shape surface = surface_shape(surface_box(h[0], h[1], h[2], 1));
    perp_random g = {59};
    perp_contacts first = {0};
    perp_contacts second = {0};
    size_t seen = 0;

    for (int draw = 0; draw < SHAPES * POSES; draw++) {
        perp_world *worlds[2] = {test_world(3, 0.0), test_world(3, 0.0)};
        double room[24];
        perp_shape shape = shape_number(draw % SHAPES, room);
        double r[3], q[4];

        draw_pose(&g, 0.7, r, q);
        put(worlds[0], "crate", 0.0, &surface, origin, NULL);
        put(worlds[0], "body", 1.0, &shape, r, q);
        put(worlds[1], "body", 1.0, &shape, r, q);
        put(worlds[1], "crate", 0.0, &surface, origin, NULL);
        collide(worlds[0], 0.1, &first);
        collide(worlds[1], 0.1, &second);
        CU_ASSERT_EQUAL_FATAL(first.count, second.count);
        for (size_t k = 0; k < first.count; k++) {
            double sum[3];

            CU_ASSERT_EQUAL(first.at[k].gap, second.at[k].gap);
            vec3_add(first.at[k].normal, 1.0, second.at[k].normal, sum);
            CU_ASSERT_EQUAL(vec3_length(sum), 0.0);
            CU_ASSERT_EQUAL(
                memcmp(first.at[k].point, second.at[k].point, sizeof first.at[k].point),
                0);
        }
        seen += first.count > 0;
    }
    CU_ASSERT(seen > SHAPES * POSES / 4);
}

/* A side of 1 along x and one of 0.01 along y. The numbers before and behind its corners in
 * memory are not corners. */
TEST(a_triangle_shows_the_side_that_a_direction_is_across)
{
    static const double memory[15] = {9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 0.01, 0, 0, 0, 0};
    const perp_shape s = {.type = &narrow_triangle, .corners = memory + 3};
    /* down; 2.3 degrees off it, which is across no side; along x and a little y, across
     * the short side, below whose end the other corner is by 0.0003 > 0.02 0.01 */
    const double down[3] = {0.0, -1.0, 0.0};
    const double leaning[3] = {-0.04, -0.9992, 0.0};
    const double left[3] = {-0.9995, -0.03, 0.0};
    perp_face face;

    CU_ASSERT_EQUAL(s.type->reach(&s), 1.0);
    s.type->face(&s, down, &face);
    CU_ASSERT_EQUAL_FATAL(face.count, 2);
    CU_ASSERT(face.id[0] == 0 && face.id[1] == 1);
    CU_ASSERT_EQUAL(face.corner[3], 1.0);
    s.type->face(&s, leaning, &face);
    CU_ASSERT(face.count == 1 && face.id[0] == 0);
    s.type->face(&s, left, &face);
    CU_ASSERT(face.count == 1 && face.id[0] == 0);
}
