/* SPDX-License-Identifier: Apache-2.0
 * tests/shapes/compounds.c: cones, polygons, surfaces and compounds: what they weigh,
 * what of them a world keeps, and what it refuses. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "scarce.h"
#include "solids.h"

enum { SLICES = 2000 };

/* An inscribed polygon of n corners has less than the circle by this share of its area,
 * and twice that of its second moment. */
static const double slice_error = 2.0 * M_PI * M_PI / 3.0 / SLICES / SLICES;

/* A surface of triangles at work. */
typedef struct surface {
    size_t points, triangles;
    double *point;
    int32_t *corner;
} surface;

static surface surface_new(size_t points, size_t triangles)
{
    surface s = {.point = calloc(3 * points, sizeof *s.point),
                 .corner = calloc(3 * triangles, sizeof *s.corner)};

    CU_ASSERT_FATAL(s.point && s.corner);
    return s;
}

static void surface_free(surface *s)
{
    free(s->point);
    free(s->corner);
}

static void add_triangle(surface *s, size_t a, size_t b, size_t c)
{
    int32_t *corner = s->corner + 3 * s->triangles++;

    corner[0] = (int32_t)a;
    corner[1] = (int32_t)b;
    corner[2] = (int32_t)c;
}

/* A solid of revolution about z between a disc of radius r at z = 0 and one of radius q
 * at z = length; placed. */
static void add_frustum(surface *s, double r, double q, double length, const double R[9],
                        const double x[3])
{
    size_t first = s->points;

    for (size_t k = 0; k < 2 * SLICES + 2; k++) {
        double angle = 2.0 * M_PI * (double)(k % SLICES) / SLICES;
        double radius = k >= 2 * SLICES ? 0.0 : k < SLICES ? r : q;
        bool top = k >= 2 * SLICES ? k % 2 : k >= SLICES;
        double *p = s->point + 3 * s->points++;

        vec3_set(p, radius * cos(angle), radius * sin(angle), top ? length : 0.0);
        mat3_apply(R, p, p);
        vec3_add(x, 1.0, p, p);
    }
    for (size_t k = 0; k < SLICES; k++) {
        size_t a = first + k;
        size_t b = first + (k + 1) % SLICES;

        add_triangle(s, first + 2 * SLICES, b, a);
        add_triangle(s, first + 2 * SLICES + 1, a + SLICES, b + SLICES);
        add_triangle(s, a, b, b + SLICES);
        add_triangle(s, a, b + SLICES, a + SLICES);
    }
}

static void check_same_mass(const perp_shape *s, const surface *mesh, double tolerance)
{
    double m[2], center[6], I[18];

    OK(s->type->inertia(s, 700.0, m, center, I, NULL));
    OK(perp_inertia_mesh(700.0, mesh->point, mesh->triangles, mesh->corner, m + 1,
                         center + 3, I + 9, NULL));
    CU_ASSERT_DOUBLE_EQUAL(m[0], m[1], tolerance * m[0]);
    for (int k = 0; k < 3; k++) {
        CU_ASSERT_DOUBLE_EQUAL(center[k], center[3 + k], tolerance);
    }
    for (int k = 0; k < 9; k++) {
        CU_ASSERT_DOUBLE_EQUAL(I[k], I[9 + k], 3.0 * tolerance * (I[0] + I[4] + I[8]));
    }
}

static const double no_turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

TEST(a_cone_weighs_what_its_triangles_do)
{
    const double sizes[][2] = {{0.5, 2.0}, {2.0, 0.5}, {1.0, 1.0}};

    for (int k = 0; k < 3; k++) {
        const perp_shape cone = shape_of("cone", sizes[k][0], sizes[k][1], 0.0);
        const double base[3] = {0, 0, -0.5 * sizes[k][1]};
        surface mesh = surface_new(2 * SLICES + 2, 4 * SLICES);

        add_frustum(&mesh, sizes[k][0], 0.0, sizes[k][1], no_turn, base);
        check_same_mass(&cone, &mesh, slice_error);
        surface_free(&mesh);
    }
}

/* A hammer: a cylinder across, on a cone turned upside down; apart, so that nothing
 * counts twice. */
TEST(a_compound_weighs_what_its_triangles_do)
{
    perp_shape parts[2] = {shape_of("cylinder", 0.3, 1.0, 0),
                           shape_of("cone", 0.2, 2.0, 0)};
    perp_shape whole = shape_of("compound", 0, 0, 0);
    surface mesh = surface_new(4 * SLICES + 4, 8 * SLICES);
    double R[9];
    double x[3] = {0, 0, -0.5};

    whole.part_count = 2;
    whole.parts = parts;
    vec3_set(parts[0].at, 0.1, 0.2, 2.0);
    memcpy(parts[0].turn, (double[]){sqrt(0.5), 0.0, sqrt(0.5), 0.0}, sizeof(double[4]));
    vec3_set(parts[1].at, 0.5, -0.3, 0.0);
    memcpy(parts[1].turn, (double[]){0.6, 0.8, 0.0, 0.0}, sizeof(double[4]));
    for (int k = 0; k < 2; k++) {
        perp_rotation_matrix(parts[k].turn, R);
        vec3_set(x, 0.0, 0.0, -0.5 * parts[k].size[1]);
        mat3_apply(R, x, x);
        vec3_add(parts[k].at, 1.0, x, x);
        add_frustum(&mesh, parts[k].size[0], k ? 0.0 : parts[k].size[0], parts[k].size[1],
                    R, x);
    }
    check_same_mass(&whole, &mesh, slice_error);
    surface_free(&mesh);
}

/* A rectangle as a polygon, placed by its corners, and the same placed as a part. */
TEST(a_polygon_weighs_what_a_rectangle_does)
{
    perp_shape box = shape_of("box", 0.7, 0.2, 0.0);
    perp_shape whole = shape_of("compound", 0, 0, 0);
    perp_shape hull = shape_of("hull", 0, 0, 0);
    double corners[12], m[2], center[6], I[18], R[9];

    vec3_set(box.at, 1.0, -2.0, 0.0);
    memcpy(box.turn, (double[]){cos(0.2), 0.0, 0.0, sin(0.2)}, sizeof box.turn);
    whole.parts = &box;
    whole.part_count = 1;
    perp_rotation_matrix(box.turn, R);
    for (int c = 0; c < 4; c++) {
        double *p = corners + 3 * c;

        vec3_set(p, c & 1 ? 0.7 : -0.7, c & 2 ? 0.2 : -0.2, 0.0);
        mat3_apply(R, p, p);
        vec3_add(p, 1.0, box.at, p);
    }
    OK(perp_polygon_new(&hull.polytope, 4, corners, NULL));
    OK(hull.type->lamina(&hull, 3.0, m, center, I, NULL));
    OK(whole.type->lamina(&whole, 3.0, m + 1, center + 3, I + 9, NULL));
    CU_ASSERT_DOUBLE_EQUAL(m[0], 3.0 * 4.0 * 0.7 * 0.2, 1e-14); /* rounding, as below */
    test_agree("m", m, m + 1, 1, 1e-14);
    test_agree("center", center, center + 3, 3, 1e-14);
    test_agree("I", I, I + 9, 9, 1e-14);
    OK(perp_inertia_check(I, NULL));
}

/* A unit cube, with or without its lid. */
static perp_mesh *cube(bool lid)
{
    static const int32_t sides[36] = {0, 2, 3, 0, 3, 1, 0, 1, 5, 0, 5, 4,
                                      1, 3, 7, 1, 7, 5, 3, 2, 6, 3, 6, 7,
                                      2, 0, 4, 2, 4, 6, 4, 5, 7, 4, 7, 6};
    double points[24];
    perp_mesh *mesh = NULL;

    for (int c = 0; c < 8; c++) {
        vec3_set(points + 3 * c, c & 1, c >> 1 & 1, c >> 2 & 1);
    }
    CU_ASSERT_EQUAL_FATAL(perp_mesh_new(&mesh, 8, points, lid ? 12 : 10, sides, NULL),
                          PERP_OK);
    CU_ASSERT_EQUAL_FATAL(mesh->closed, lid);
    return mesh;
}

static int32_t add_static(perp_world *world)
{
    perp_body b = {.name = "ground", .motion = PERP_MOTION_STATIC};
    int32_t k = 0;

    OK(perp_world_add_body(world, &b, &k, NULL));
    return k;
}

TEST(a_surface_weighs_when_it_is_closed)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape s = shape_of("mesh", 0, 0, 0);
    perp_error err = {0};
    double I[13];

    test_ball(world, "body", 1.0, 1.0, 0, 0, 0);
    shape_is_refused(world, &s, "mesh: no surface");
    s.mesh = cube(true);
    OK(s.type->inertia(&s, 6.0, I, I + 1, I + 4, NULL));
    CU_ASSERT_DOUBLE_EQUAL(I[0], 6.0, 1e-14); /* rounding */
    CU_ASSERT_DOUBLE_EQUAL(I[1], 0.5, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(I[4], 1.0, 1e-14); /* 6 (1 + 1)/12 */
    CU_ASSERT_EQUAL(s.type->inertia(&s, -1.0, I, I + 1, I + 4, NULL), PERP_ERR_DATA);
    OK(perp_world_add_shape(world, &s, NULL, NULL));
    CU_ASSERT_EQUAL(s.mesh->references, 2);
    perp_mesh_free(s.mesh);
    CU_ASSERT_EQUAL(world->shapes[0].mesh->references, 1);
    s.mesh = cube(false);
    CU_ASSERT_EQUAL(s.type->inertia(&s, 6.0, I, I + 1, I + 4, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "10 triangles is open, expected a closed"));
    shape_is_refused(world, &s, "open, expected a closed one on a dynamic body");
    s.body = add_static(world);
    OK(perp_world_add_shape(world, &s, NULL, NULL));
}

TEST(invalid_compounds_are_refused)
{
    static const char *const not_convex[] = {"plane", "mesh", "compound"};
    perp_world *world = test_world(3, 0.0);
    perp_world *flat = test_world(2, 0.0);
    perp_shape parts[2] = {shape_of("sphere", 1, 0, 0), shape_of("capsule", 1, 1, 0)};
    perp_shape s = shape_of("compound", 0, 0, 0);

    test_ball(world, "body", 1.0, 1.0, 0, 0, 0);
    test_ball(flat, "body", 1.0, 1.0, 0, 0, 0);
    shape_is_refused(world, &s, "compound: no parts, expected at least one");
    s.parts = parts;
    s.part_count = (size_t)1 << 31; /* unread */
    shape_is_refused(world, &s, "compound: 2147483648 parts are too many");
    s.part_count = 2;
    shape_is_refused(flat, &s,
                     "compound: part 1: capsule: not supported in two dimensions");
    for (int k = 0; k < 3; k++) {
        char text[80];

        parts[1] = shape_of(not_convex[k], 0, 0, 0);
        snprintf(text, sizeof text, "compound: part 1 is a %s, expected a convex shape",
                 not_convex[k]);
        shape_is_refused(world, &s, text);
    }
    parts[1].type = NULL;
    shape_is_refused(world, &s,
                     "compound: part 1 is without a type, expected a convex shape");
    parts[1] = shape_of("box", 1, -1, 1);
    shape_is_refused(world, &s, "compound: part 1: box: half y is -1");
    parts[1].size[1] = 1.0;
    parts[1].material = 3;
    shape_is_refused(world, &s, "compound: part 1: box: material is number 3");
    parts[1].material = 0;
    parts[1].turn[0] = 0.5;
    shape_is_refused(world, &s, "compound: part 1: box: the length of the quaternion");
}

TEST(a_polygon_has_no_place_in_space_nor_a_polyhedron_in_the_plane)
{
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    perp_world *world = test_world(3, 0.0);
    perp_world *flat = test_world(2, 0.0);
    perp_shape s = shape_of("hull", 0, 0, 0);

    add_static(world);
    add_static(flat);
    OK(perp_polytope_new(&s.polytope, 4, points, NULL));
    shape_is_refused(flat, &s, "a polyhedron, expected a polygon in 2 dimensions");
    OK(perp_polygon_new(&s.polytope, 3, points, NULL));
    shape_is_refused(world, &s, "a polygon, expected a polyhedron in 3 dimensions");
    OK(perp_world_add_shape(flat, &s, NULL, NULL));
    s.polytope = NULL;
    s.corners = points;
    s.corner_count = 3;
    OK(perp_world_add_shape(flat, &s, NULL, NULL));
    CU_ASSERT_EQUAL(flat->shapes[1].polytope->corner_count, 3);
    s.corner_count = 2;
    shape_is_refused(flat, &s, "2 corners, expected at least 3");
}

/* What was given may go, and change. */
TEST(a_world_has_parts_of_its_own)
{
    double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    perp_world *world = test_world(3, 0.0);
    perp_shape parts[2] = {shape_of("sphere", 1, 0, 0), shape_of("hull", 0, 0, 0)};
    perp_shape s = shape_of("compound", 0, 0, 0);
    const perp_shape *kept = NULL;
    int32_t index = -1;

    s.body = add_static(world);
    s.part_count = 2;
    s.parts = parts;
    s.group = 6;
    s.mask = 9;
    parts[1].corners = points;
    parts[1].corner_count = 4;
    parts[1].at[0] = 3.0;
    OK(perp_world_add_shape(world, &s, &index, NULL));
    memset(parts, 0, sizeof parts);
    memset(points, 0, sizeof points);
    kept = &world->shapes[index];
    CU_ASSERT_EQUAL(kept->group, 6);
    CU_ASSERT_EQUAL(kept->mask, 9);
    CU_ASSERT_EQUAL_FATAL(kept->part_count, 2);
    CU_ASSERT_STRING_EQUAL(kept->parts[0].type->name, "sphere");
    CU_ASSERT_EQUAL(kept->parts[0].size[0], 1.0);
    CU_ASSERT_EQUAL(kept->parts[0].turn[0], 1.0);
    CU_ASSERT_EQUAL(kept->parts[1].at[0], 3.0);
    CU_ASSERT_PTR_NULL(kept->parts[1].corners);
    CU_ASSERT_EQUAL(kept->parts[1].polytope->corner_count, 4);
    CU_ASSERT_DOUBLE_EQUAL(kept->type->reach(kept), 4.0, 1e-15);
}

TEST(shapes_collide_with_all_others_by_default)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape s = shape_of("sphere", 1, 0, 0);

    s.body = add_static(world);
    OK(perp_world_add_shape(world, &s, NULL, NULL));
    s.group = 4;
    OK(perp_world_add_shape(world, &s, NULL, NULL));
    CU_ASSERT_EQUAL(world->shapes[0].group, 1);
    CU_ASSERT_EQUAL(world->shapes[0].mask, UINT32_MAX);
    CU_ASSERT_EQUAL(world->shapes[1].group, 4);
    CU_ASSERT_EQUAL(world->shapes[1].mask, 0);
}

static void draw_points(uint64_t seed, size_t n, double *points)
{
    perp_random g = {seed};

    for (size_t k = 0; k < n; k++) {
        draw_direction(&g, points + 3 * k);
    }
}

/* Eight kinds of stone, again and again, have eight hulls; so have those that come back
 * after three hundred others, but not the same eight. */
TEST(hulls_of_the_same_points_are_one)
{
    double points[36];
    perp_world *world = test_world(3, 0.0);
    perp_shape s = shape_of("hull", 0, 0, 0);

    s.body = add_static(world);
    s.corners = points;
    s.corner_count = 12;
    for (size_t k = 0; k < 408; k++) {
        draw_points(k < 100 ? k % 8 : k < 400 ? k : k % 8, 12, points);
        OK(perp_world_add_shape(world, &s, NULL, NULL));
    }
    for (size_t k = 0; k < 100; k++) {
        CU_ASSERT_PTR_EQUAL(world->shapes[k].polytope, world->shapes[k % 8].polytope);
        for (size_t l = 0; l < k % 8; l++) {
            CU_ASSERT_PTR_NOT_EQUAL(world->shapes[k].polytope, world->shapes[l].polytope);
        }
    }
    CU_ASSERT_PTR_NOT_EQUAL(world->shapes[407].polytope, world->shapes[7].polytope);
    test_agree("corners", world->shapes[407].polytope->corner,
               world->shapes[7].polytope->corner, 36, 0.0);
    points[35] = nextafter(points[35], 9.0); /* the last bit counts */
    OK(perp_world_add_shape(world, &s, NULL, NULL));
    CU_ASSERT_PTR_NOT_EQUAL(world->shapes[408].polytope, world->shapes[407].polytope);
}

/* A compound of two hulls, and a surface; a world that refuses is as it was. */
static perp_status add_all(void *context, perp_error *err)
{
    double points[72];
    perp_shape parts[2] = {shape_of("hull", 0, 0, 0), shape_of("hull", 0, 0, 0)};
    perp_shape s = shape_of("compound", 0, 0, 0);
    perp_shape ground = shape_of("mesh", 0, 0, 0);
    perp_body b = {.name = "ground", .motion = PERP_MOTION_STATIC};
    perp_world *world = NULL;
    perp_status status = perp_world_new(&world, 3, err);

    ground.mesh = context;
    draw_points(3, 24, points);
    for (int k = 0; k < 2; k++) {
        parts[k].corners = points + 36 * k;
        parts[k].corner_count = 12;
    }
    s.parts = parts;
    s.part_count = 2;
    if (status == PERP_OK) {
        status = perp_world_add_body(world, &b, NULL, err);
    }
    for (int k = 0; k < 3 && status == PERP_OK; k++) {
        status = perp_world_add_shape(world, k == 1 ? &ground : &s, NULL, err);
        CU_ASSERT_EQUAL(world->shape_count, (size_t)(status == PERP_OK ? k + 1 : k));
    }
    return status;
}

TEST(compounds_survive_failing_memory)
{
    perp_mesh *mesh = cube(false);

    scarce_everywhere(add_all, mesh, "compound");
    CU_ASSERT_EQUAL(mesh->references, 1);
}
