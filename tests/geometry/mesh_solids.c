/* SPDX-License-Identifier: Apache-2.0
 * tests/geometry/mesh_solids.c: the solid that a mesh bounds: shells within shells, mass and
 * inertia of boxes in closed form, what is inside out, triangles without area. */
#include <config.h>

#include <stdlib.h>

#include <perp/dynamics/inertia.h>

#include "scarce.h"
#include "surfaces.h"

/* Sums of some hundred terms of size 1. */
static const double sums = 1e-13;

/* Shells: boxes about their centres; inwards, and what they add to the mass: 1, 0, -1. */
typedef struct nest {
    const char *name;
    size_t count;
    double half[4][3], at[4][3];
    bool inwards[4];
    double adds[4];
} nest;

static perp_mesh *nest_mesh(const nest *n)
{
    return surface_boxes(n->count, n->half, n->at, n->inwards, 2);
}

/* Mass, centre and inertia of boxes of density 1000, by their closed forms. */
static void nest_mass(const nest *n, double *m, double center[3], double inertia[9])
{
    double first[3] = {0, 0, 0};

    *m = 0.0;
    memset(inertia, 0, 9 * sizeof *inertia);
    for (size_t k = 0; k < n->count; k++) {
        const double *h = n->half[k];
        double mass = n->adds[k] * 8000.0 * h[0] * h[1] * h[2];
        double own[9];

        perp_inertia_box(mass, h, own);
        perp_inertia_shift(mass, own, n->at[k], own);
        for (int i = 0; i < 9; i++) {
            inertia[i] += own[i];
        }
        *m += mass;
        vec3_add(first, mass, n->at[k], first);
    }
    vec3_scale(1.0 / *m, first, center);
    perp_inertia_shift(-*m, inertia, center, inertia);
}

static void nest_weigh(const nest *n)
{
    perp_shape shape = surface_shape(nest_mesh(n));
    double m[2], center[2][3], inertia[2][9];
    perp_error err = {0};

    nest_mass(n, &m[1], center[1], inertia[1]);
    if (shape.type->inertia(&shape, 1000.0, &m[0], center[0], inertia[0], &err) !=
        PERP_OK) {
        test_note("%s: %s", n->name, err.text);
        CU_FAIL_FATAL("a mass");
    }
    test_agree(n->name, &m[0], &m[1], 1, sums);
    test_agree(n->name, center[0], center[1], 3, sums);
    test_agree(n->name, inertia[0], inertia[1], 9, sums);
}

TEST(shells_within_shells_count_by_what_contains_them)
{
    static const nest nests[] = {
        {"a cube", 1, {{.5, .5, .5}}, {{0, 0, 0}}, {false}, {1}},
        {"a cavity",
         2,
         {{.5, .5, .5}, {.25, .2, .1}},
         {{0, 0, 0}, {.1, .2, 0}},
         {false, true},
         {1, -1}},
        {"one way within one way",
         2,
         {{.5, .5, .5}, {.25, .25, .25}},
         {{0, 0, 0}, {.1, 0, 0}},
         {false, false},
         {1, 0}},
        {"the inner one first",
         2,
         {{.25, .25, .25}, {.5, .5, .5}},
         {{.1, 0, 0}, {0, 0, 0}},
         {false, false},
         {0, 1}},
        {"solid in a cavity",
         3,
         {{.5, .5, .5}, {.4, .4, .4}, {.1, .2, .1}},
         {{0, 0, 0}, {0, 0, 0}, {.1, .1, 0}},
         {false, true, false},
         {1, -1, 1}},
        {"a hollow part within solid",
         3,
         {{.5, .5, .5}, {.4, .4, .4}, {.1, .2, .1}},
         {{0, 0, 0}, {0, 0, 0}, {.1, .1, 0}},
         {false, false, true},
         {1, 0, 0}},
        {"two cavities",
         3,
         {{.5, .5, .5}, {.1, .1, .1}, {.1, .2, .1}},
         {{0, 0, 0}, {-.2, 0, 0}, {.2, .1, 0}},
         {false, true, true},
         {1, -1, -1}},
        {"side by side",
         2,
         {{.5, .5, .5}, {.1, .1, .1}},
         {{0, 0, 0}, {.7, 0, 0}},
         {false, false},
         {1, 1}},
        {"one sticks out: the overlap counts twice",
         2,
         {{.5, .5, .5}, {.2, .1, .1}},
         {{0, 0, 0}, {.5, 0, 0}},
         {false, false},
         {1, 1}},
    };

    for (size_t k = 0; k < sizeof nests / sizeof *nests; k++) {
        nest_weigh(&nests[k]);
    }
}

static void is_faulty(perp_mesh *mesh, const char *fault)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape shape = surface_shape(mesh);
    char text[320];
    double m, center[3], inertia[9];
    perp_error err = {0};

    CU_ASSERT_STRING_EQUAL(mesh->fault, fault);
    shape.body = test_ball(world, "b", 1.0, 1.0, 0, 0, 0);
    snprintf(text, sizeof text, "mesh: %s on a dynamic body", fault);
    shape_is_refused(world, &shape, text);
    CU_ASSERT_EQUAL(shape.type->inertia(&shape, 1.0, &m, center, inertia, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, fault));
}

TEST(a_shell_that_is_inside_out_is_named)
{
    static const nest alone = {"", 1, {{.5, .5, .5}}, {{0, 0, 0}}, {true}, {0}};
    static const nest beside = {
        "", 2, {{.5, .5, .5}, {.1, .1, .1}}, {{0, 0, 0}, {.7, 0, 0}}, {false, true}, {0}};
    static const nest out = {
        "", 2, {{.5, .5, .5}, {.2, .1, .1}}, {{0, 0, 0}, {.5, 0, 0}}, {false, true}, {0}};
    static const nest outer = {
        "", 2, {{.5, .5, .5}, {.2, .1, .1}}, {{0, 0, 0}, {0, 0, 0}}, {true, false}, {0}};

    is_faulty(nest_mesh(&alone),
              "its surface is wound inside out (volume -1 m^3), expected "
              "corners counter-clockwise from outside");
    is_faulty(nest_mesh(&beside),
              "component 2 of 2, from triangle 48 on, is wound inside out, "
              "expected corners counter-clockwise from outside");
    is_faulty(
        nest_mesh(&out),
        "component 2 of 2, from triangle 48 on, is wound inside out and sticks out of "
        "another, expected corners counter-clockwise from outside");
    is_faulty(nest_mesh(&outer),
              "component 1 of 2, from triangle 0 on, is wound inside out, "
              "expected corners counter-clockwise from outside");
}

/* As a room is, on a body that stays. */
TEST(a_shell_that_is_seen_from_within_may_stay)
{
    static const nest room = {"", 1, {{2, 2, 2}}, {{0, 0, 0}}, {true}, {0}};
    const double origin[3] = {0};
    const double low[3] = {0.3, 0.2, -1.5};
    perp_world *world = test_world(3, 0.0);
    perp_shape shape = surface_shape(nest_mesh(&room));
    perp_shape ball = shape_of("sphere", 0.51, 0, 0);
    perp_contacts contacts = {0};

    put(world, "room", 0.0, &shape, origin, NULL);
    put(world, "ball", 1.0, &ball, low, NULL);
    collide(world, 0.0, &contacts);
    CU_ASSERT_EQUAL_FATAL(contacts.count, 1);
    CU_ASSERT_DOUBLE_EQUAL(contacts.at[0].gap, -0.01, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(contacts.at[0].normal[2], 1.0, 1e-12);
}

/* The cube of perp_mesh, corner b of bit b of its number. */
static const int32_t cube[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                 2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};

static void cube_points(double *points)
{
    for (int k = 0; k < 8; k++) {
        vec3_set(points + 3 * k, k & 1, (k >> 1) & 1, (k >> 2) & 1);
    }
}

TEST(a_triangle_wound_against_its_neighbours_is_named)
{
    double points[24];

    cube_points(points);
    for (int t = 0; t < 12; t++) {
        int32_t corners[36];
        char fault[160];

        memcpy(corners, cube, sizeof corners);
        corners[3 * t] = cube[3 * t + 1];
        corners[3 * t + 1] = cube[3 * t];
        snprintf(fault, sizeof fault,
                 "triangle %d is wound against its neighbours, expected corners "
                 "counter-clockwise from outside",
                 t);
        is_faulty(surface_new(8, points, 12, corners), fault);
    }
    is_faulty(surface_new(8, points, 11, cube),
              "its surface of 11 triangles is open, expected a closed one");
}

static void check_cube(perp_mesh *m, size_t thin, size_t first)
{
    perp_shape shape = {.type = perp_shape_type_find("mesh"), .mesh = m};
    const double half[3] = {.5, .5, .5};
    double mass[2] = {0.0, 1.0};
    double center[3], inertia[2][9];

    CU_ASSERT_TRUE(m->closed);
    CU_ASSERT_EQUAL(m->thin_count, thin);
    CU_ASSERT_EQUAL(m->first_thin, first);
    CU_ASSERT_STRING_EQUAL(m->fault, "");
    OK(shape.type->inertia(&shape, 1.0, &mass[0], center, inertia[0], NULL));
    perp_inertia_box(1.0, half, inertia[1]);
    test_agree("mass", &mass[0], &mass[1], 1, sums);
    test_agree("centre", center, half, 3, sums);
    test_agree("inertia", inertia[0], inertia[1], 9, sums);
}

/* Between triangles 10 and 11 a needle, two corners of which are one; at the edge from 0 to
 * 1, which ends in the middle for the triangle of one side only, a needle of three corners. */
TEST(triangles_without_area_are_left_out)
{
    double points[27];
    int32_t corners[42];
    perp_mesh *m = NULL;

    cube_points(points);
    memcpy(corners, cube, sizeof cube);
    memcpy(corners + 36, (const int32_t[3]){3, 3, 5}, 3 * sizeof *corners);
    m = surface_new(8, points, 13, corners);
    CU_ASSERT_EQUAL(m->triangle_count, 12);
    CU_ASSERT_EQUAL(m->sliver_count, 0);
    check_cube(m, 1, 12);

    /* 2: 0 1 5 becomes 0 8 5 and 8 1 5; 0 3 1 stays, and 1 8 0 is between them */
    vec3_set(points + 24, 0.5, 0.0, 0.0);
    memcpy(corners + 12, (const int32_t[3]){0, 8, 5}, 3 * sizeof *corners);
    memcpy(corners + 36, (const int32_t[6]){8, 1, 5, 1, 8, 0}, 6 * sizeof *corners);
    m = surface_new(9, points, 14, corners);
    CU_ASSERT_EQUAL(m->triangle_count, 13);
    CU_ASSERT_EQUAL(m->sliver_count, 1);
    check_cube(m, 1, 13);
    for (size_t k = 0; k < 39; k++) { /* the ridge is one on both sides of the needle */
        size_t t = k / 3;
        int32_t a = m->corner[k];
        int32_t b = m->corner[3 * t + (k + 1) % 3];

        if (m->point[3 * a + 1] == 0.0 && m->point[3 * a + 2] == 0.0 &&
            m->point[3 * b + 1] == 0.0 && m->point[3 * b + 2] == 0.0) {
            CU_ASSERT(m->convex[k] && m->beyond[k] >= 0);
        }
    }
}

static perp_status nest_once(void *context, perp_error *err)
{
    const perp_mesh *all = context;
    perp_mesh *m = NULL;
    perp_status status = perp_mesh_new(&m, all->point_count, all->point,
                                       all->triangle_count, all->corner, err);

    CU_ASSERT_EQUAL(status == PERP_OK, m != NULL);
    return status;
}

TEST(shells_survive_without_memory)
{
    static const nest one = {
        "", 2, {{.5, .5, .5}, {.2, .2, .2}}, {{0, 0, 0}, {0, 0, 0}}, {false, true}, {0}};
    perp_mesh *m = nest_mesh(&one);

    scarce_everywhere(nest_once, m, "mesh");
}
